//! Random questions against what shares no code with the solver: every assignment of a small range,
//! and programs that are installed.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

mod brute_force;
mod programs;
mod queries;

use std::ops::Range;

/// The seeds to try: those that `AMPLE_SEEDS=A..B` names, else these.
fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("AMPLE_SEEDS") else { return usual };
    let ends = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    let (low, high) = ends.expect("AMPLE_SEEDS is A..B");
    low..high
}
