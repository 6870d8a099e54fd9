//! Refinement by predicates on random models: what is called exact is bisimilar to the full system,
//! the rounds are those of a search written down once more, and answers are those of the full
//! search; also with a solver that forgets. `cargo xtask soak --predicates` compares more.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use ample_testing::predicates::{Tally, compare_seed};
use ample_testing::random;

#[test]
fn what_is_exact_is_bisimilar_and_answers_are_right() {
    let seeds = random::seeds(0..300).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    let wrong: Vec<String> = seeds.filter_map(|seed| compare_seed(seed, &mut tally).err()).collect();
    println!("{tally}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let is_enough = tally.smaller > 10 && tally.answers > 100 && tally.violated > 10;
    assert!(is_enough || std::env::var_os("AMPLE_SEEDS").is_some(), "{tally}");
}
