//! States offered by several threads at once while the table grows and keys are laid out anew: each
//! is added by one of them, once, and found by all.
//!
//! A piece is known by its number, so that a long run can be made in parts: 3.2 million insertions
//! a piece on the average, so that 313 pieces are a billion.
//!
//! `AMPLE_STRESS=0..313 cargo test -p ample-store --test stress -- --ignored --nocapture`

use std::sync::atomic::{AtomicU64, Ordering};

use ample_store::STORES;
use ample_transition::{Budget, Key, KeyUse, StateLength, States, StoreConfig};

/// States are settled in blocks of so many.
const BLOCK: usize = 200;
/// It has no divisor in common with any number of states.
const STRIDE: u64 = 1_000_003;

/// What a piece did.
struct Done {
    insertions: u64,
    relayouts: u64,
}

/// The states of a piece, which differ in length, in what typical states show, and in the order in
/// which they are offered.
struct Piece {
    len: usize,
    states: u64,
    threads: u64,
    rounds: u64,
    is_ascending: bool,
}

impl Piece {
    fn new(number: u64, states: u64) -> Piece {
        Piece {
            len: [16, 32, 48, 272][number as usize % 4],
            states: states + number % 7 * (states / 16),
            threads: 2 + number % 3,
            rounds: 1 + number / 3 % 2,
            is_ascending: (number / 2).is_multiple_of(2),
        }
    }

    fn state(&self, number: u64, state: &mut [u8]) {
        state[..4].copy_from_slice(&(number as u32).to_le_bytes());
        state[8] = (number % 89) as u8;
        let last = self.len - 8;
        state[last] = (number / 7 % 5) as u8;
    }

    /// The state that a thread offers at a step.
    fn at(&self, thread: u64, step: u64) -> u64 {
        let place = (step + thread * self.states / self.threads / 8) % self.states;
        if self.is_ascending { place } else { place * STRIDE % self.states }
    }

    fn run(&self) -> Done {
        let typical: Vec<Vec<u8>> = (0..600)
            .map(|number| {
                let mut state = vec![0; self.len];
                self.state(number, &mut state);
                state
            })
            .collect();
        let (budget, length, key_use) = (Budget::unlimited(), StateLength::Always(self.len), KeyUse::References);
        let config = StoreConfig { budget: budget.clone(), length, typical: typical.into(), key_use };
        let entry = STORES.iter().find(|entry| entry.part.name == "collapse").unwrap();
        let store = (entry.make)(&config).unwrap();
        let (added, insertions) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..self.threads {
                let (store, added, insertions) = (&store, &added, &insertions);
                scope.spawn(move || {
                    let (mut session, mut new, mut state) = (store.session(), States::default(), vec![0; self.len]);
                    let (mut count, steps) = (0, self.rounds * self.states);
                    for step in 0..steps {
                        self.state(self.at(thread, step), &mut state);
                        session.offer(&state);
                        if (step as usize + 1).is_multiple_of(BLOCK) || step + 1 == steps {
                            session.settle(u64::MAX, &mut new).unwrap();
                            count += new.len() as u64;
                            new.clear();
                        }
                    }
                    added.fetch_add(count, Ordering::Relaxed);
                    insertions.fetch_add(steps, Ordering::Relaxed);
                });
            }
        });
        assert_eq!((store.len(), added.into_inner()), (self.states, self.states));
        assert_eq!(store.memory(), budget.used());
        let (mut session, mut keys, mut state, mut read) =
            (store.session(), States::default(), vec![0; self.len], Vec::new());
        for number in 0..self.states {
            self.state(number, &mut state);
            assert!(session.contains(Key::InFull(&state)), "{number} is lost");
            keys.clear();
            session.key(&state, &mut keys).unwrap();
            session.recall(keys.key(0).unwrap(), &mut read);
            assert_eq!(read, state, "{number} is torn");
        }
        Done { insertions: insertions.into_inner(), relayouts: store.relayouts() }
    }
}

#[test]
fn no_state_is_torn_or_lost() {
    for number in 0..8 {
        let done = Piece::new(number, 75_000).run();
        assert!(done.relayouts > 0, "piece {number}");
    }
}

/// Pieces by number, as long as somebody likes to wait.
#[test]
#[ignore = "takes hours"]
fn no_state_is_torn_or_lost_in_a_billion_insertions() {
    let range = std::env::var("AMPLE_STRESS").unwrap_or_else(|_| "0..313".to_owned());
    let (from, to) = range.split_once("..").expect("AMPLE_STRESS is FROM..TO");
    let mut total = 0;
    for number in from.parse().expect("a number")..to.parse().expect("a number") {
        let Done { insertions, relayouts } = Piece::new(number, 600_000).run();
        total += insertions;
        println!("piece {number}: {insertions} insertions, {relayouts} new layouts; {total} insertions from {from} on");
    }
}
