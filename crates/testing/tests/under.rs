//! Under-approximation loops against the full search: the same verdict in the end, whichever loop, pick, seed, expander, cycle condition,
//! order and number of threads.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds; `cargo xtask soak --under` tries many more.

use std::ops::Range;

use ample_check::Fairness;
use ample_testing::plans::{Tally, Ways, compare_seed};
use ample_testing::random;

/// Compares the models of some seeds; tells everything about those that differ.
fn compare(usual: Range<u64>, fairness: Fairness) -> Tally {
    let seeds = random::seeds(usual).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    let differing: Vec<String> =
        seeds.clone().filter_map(|seed| compare_seed(seed, fairness, Ways::Loops, &mut tally).err()).collect();
    println!("seeds {seeds:?}:\n{tally}");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    tally
}

fn compare_all(usual: Range<u64>) {
    let tally = compare(usual, Fairness::None);
    for name in ["visibility", "cycles", "interleaving"] {
        for question in ["safety", "formula"] {
            let counts = tally.sum(|row| row.question == question && row.por == name);
            assert!(counts.compared > 100 && counts.violated > 20, "{question} {name}: {counts:?}");
        }
    }
}

#[test]
fn random_models_first_part() {
    compare_all(0..150);
}

#[test]
fn random_models_second_part() {
    compare_all(150..300);
}

#[test]
fn fair_runs_of_random_models() {
    let tally = compare(0..80, Fairness::Weak);
    let fair = tally.about("fair formula");
    assert!(fair.compared > 200 && fair.violated > 50, "{tally}");
}
