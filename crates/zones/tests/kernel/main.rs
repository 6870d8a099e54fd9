//! Each operation on zones against what shares no code with it: shortest paths by their definition,
//! and sets of valuations on a grid.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

mod extrapolation;
mod grid;
mod operations;
mod paths;
mod random;
mod representation;
mod simulation;

use std::ops::Range;

/// The seeds to try: those that `AMPLE_SEEDS=A..B` names, else these.
fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("AMPLE_SEEDS") else { return usual };
    let ends = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    let (low, high) = ends.expect("AMPLE_SEEDS is A..B");
    low..high
}
