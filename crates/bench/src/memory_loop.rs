//! A plain loop over random memory: what two threads of this machine can gain, whatever the
//! program.
//!
//! The cores of a shared machine, its caches and its memory give two threads less than twice what
//! one gets. Each thread here reads and writes words of one large table; where it goes next depends
//! on what it read, so nothing overlaps.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ample_stdx::scatter;

/// 2^25 words are 256 MiB.
const WORDS: usize = 1 << 25;
/// Steps between two looks at the clock.
const BATCH: u64 = 4096;

/// One thread and two are measured in turn so often: what comes first meets cold pages.
const ROUNDS: u32 = 5;

/// How much faster two threads are than one, each measured for so long: the median of some rounds.
pub(crate) fn speed_up(time: Duration) -> f64 {
    speed_up_over(WORDS, time)
}

fn speed_up_over(words: usize, time: Duration) -> f64 {
    let table: Vec<AtomicU64> = (0..words as u64).map(|word| AtomicU64::new(scatter(word))).collect();
    let slice = time / ROUNDS;
    steps_a_second(&table, 2, slice);
    let mut gains: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let one = steps_a_second(&table, 1, slice);
            steps_a_second(&table, 2, slice) / one
        })
        .collect();
    gains.sort_by(f64::total_cmp);
    gains[gains.len() / 2]
}

/// Steps of all threads together.
fn steps_a_second(table: &[AtomicU64], threads: u64, time: Duration) -> f64 {
    let start = Barrier::new(threads as usize);
    thread::scope(|scope| {
        let start = &start;
        let walk = |seed| move || walk(table, seed, start, time);
        let walkers: Vec<_> = (1..=threads).map(|seed| scope.spawn(walk(scatter(seed)))).collect();
        walkers.into_iter().filter_map(|walker| walker.join().ok()).sum()
    })
}

fn walk(table: &[AtomicU64], seed: u64, start: &Barrier, time: Duration) -> f64 {
    let mut at = seed;
    let mut steps = 0;
    start.wait();
    let started = Instant::now();
    while started.elapsed() < time {
        for _ in 0..BATCH {
            let word = &table[at as usize % table.len()];
            let read = word.load(Ordering::Relaxed);
            word.store(read.wrapping_add(1), Ordering::Relaxed);
            at = scatter(at ^ read);
        }
        steps += BATCH;
    }
    steps as f64 / started.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_runs_with_one_thread_and_with_two() {
        // How fast is not for a test to say.
        let gain = speed_up_over(1 << 10, Duration::from_millis(2));
        assert!(gain.is_finite() && gain > 0.0, "{gain}");
    }
}
