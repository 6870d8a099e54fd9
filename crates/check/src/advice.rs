//! What would help when memory ran out: judged by what this very run used.

use ample_guarantee::parts;
use ample_search::Counts;

use crate::outcome::Run;

/// What a state costs in the table of a store that keeps eight bytes of it.
const COMPACT_BYTES: f64 = 10.0;
/// A smaller gain than this is not worth the risk of missing something.
const WORTHWHILE: f64 = 1.25;

/// What to do about a search that ran out of memory.
pub(crate) fn out_of_memory(run: &Run, counts: &Counts) -> String {
    let per_state = run.store_memory as f64 / counts.states.max(1) as f64;
    let what_it_took = format!("the store took {per_state:.0} bytes a state");
    let is = |part: &ample_guarantee::Part| run.store == part.name;
    let store = if is(&parts::EXACT) {
        "--store tree keeps what states have in common only once".to_owned()
    } else if is(&parts::TREE) && per_state > COMPACT_BYTES * WORTHWHILE {
        format!("--store compact would hold about {:.1} times as many, and may miss some", per_state / COMPACT_BYTES)
    } else if is(&parts::TREE) || is(&parts::COMPACT) {
        "--store bitstate takes a few bits a state, and may miss some".to_owned()
    } else {
        "make the model smaller".to_owned()
    };
    if counts.states == 0 {
        return "raise --max-memory: it leaves no room for a search".to_owned();
    }
    format!("raise --max-memory; {what_it_took}: {store}")
}

/// What to do about a claim that is not closed under stuttering, where that matters.
pub(crate) const NOT_CLOSED: &str =
    "check the claim as it stands with --reduce none, or close it with `ample ltl --stutter-closure`";
