//! Random models with random formulas: every expander and some random plans against the full
//! search, for safety and for the formula.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds; `cargo xtask soak` tries many more.

use std::ops::Range;

use ample_check::Fairness;
use ample_testing::plans::{Subject, Tally, Ways, compare_seed};
use ample_testing::random;

/// Compares the models of some seeds; tells everything about those that differ.
fn compare(usual: Range<u64>) {
    let seeds = random::seeds(usual).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    let differing: Vec<String> = seeds
        .clone()
        .filter_map(|seed| compare_seed(seed, Fairness::None, Ways::Reductions, &mut tally).err())
        .collect();
    println!("seeds {seeds:?}:\n{tally}");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    let (safety, formula) = (tally.about("safety"), tally.about("formula"));
    assert!(safety.compared > 200 && safety.smaller > 50 && safety.violated > 50, "{tally}");
    assert!(formula.compared > 200 && formula.smaller > 20 && formula.violated > 50, "{tally}");
}

#[test]
fn random_models_first_part() {
    compare(0..100);
}

#[test]
fn random_models_second_part() {
    compare(100..200);
}

#[test]
fn random_models_third_part() {
    compare(200..300);
}

#[test]
fn fair_runs_of_random_models() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    let compare = |seed: u64| compare_seed(seed, Fairness::Weak, Ways::Reductions, &mut tally).err();
    let differing: Vec<String> = seeds.clone().filter_map(compare).collect();
    println!("seeds {seeds:?}:\n{tally}");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    let fair = tally.about("fair formula");
    assert!(fair.compared > 200 && fair.violated > 50, "{tally}");
}

/// Verdicts and faults, by kind and place, with every expander and cycle condition.
#[test]
fn models_that_create_processes() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    let mut compare = |seed: u64| {
        let subject = Subject::of_creation(seed).expect("random models are valid");
        subject.compare(seed, Fairness::None, Ways::Reductions, &mut tally).err()
    };
    let differing: Vec<String> = seeds.clone().filter_map(&mut compare).collect();
    println!("seeds {seeds:?}:\n{tally}");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    let (safety, formula) = (tally.about("safety"), tally.about("formula"));
    assert!(safety.compared > 200 && safety.smaller > 100 && safety.violated > 50, "{tally}");
    assert!(formula.compared > 200 && formula.smaller > 20 && formula.violated > 50, "{tally}");
}
