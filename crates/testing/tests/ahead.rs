//! What looks ahead, covers states or computes their classes: what is explored is related to the
//! full system as declared, and what is answered is what the full search answers; on random models
//! and on some of all small ones. `cargo xtask soak --ahead` compares more.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use ample_testing::ahead::{Tally, compare_seed, compare_small};
use ample_testing::random;
use ample_testing::two_processes::Models;

#[test]
fn random_models() {
    let seeds = random::seeds(0..100).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        compare_seed(seed, &mut tally).unwrap_or_else(|what| panic!("{what}"));
    }
    println!("{tally}");
    for name in tally.names() {
        assert!(tally.of(name).answers > 0, "{name}: {tally}");
    }
    let related: Vec<&str> = tally.names().filter(|name| tally.of(name).related > 10).collect();
    assert!(related.len() > 1 && related.iter().any(|name| tally.of(name).smaller > 10), "{tally}");
}

/// Every so many of the models of two processes.
#[test]
fn small_models() {
    let models = Models::default();
    let mut tally = Tally::default();
    for number in (0..models.count()).step_by(997) {
        compare_small(&models, number, &mut tally).unwrap_or_else(|what| panic!("{what}"));
    }
    println!("{tally}");
    assert!(tally.names().any(|name| tally.of(name).related > 20), "{tally}");
}
