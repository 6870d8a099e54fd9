//! What would help when something ran out: judged by what this very run used.

use ample_search::{Counts, Ended, Limit, Limits, Untraced};

use super::outcome::Run;

/// What a state costs in the table of a store that keeps eight bytes of it.
const COMPACT_BYTES: f64 = 10.0;
/// A smaller gain than this is not worth the risk of missing something.
const WORTHWHILE: f64 = 1.25;

/// What to do about a search that ran out of memory.
pub(crate) fn out_of_memory(run: &Run, counts: &Counts) -> String {
    let per_state = run.store_memory as f64 / counts.states.max(1) as f64;
    let what_it_took = format!("the store took {per_state:.0} bytes a state");
    let is = |part: &ample_guarantee::Part| run.store == part.name;
    let store = if is(&ample_store::EXACT) {
        "--store tree keeps what states have in common only once".to_owned()
    } else if is(&ample_store::TREE) && per_state > COMPACT_BYTES * WORTHWHILE {
        format!("--store compact would hold about {:.1} times as many, and may miss some", per_state / COMPACT_BYTES)
    } else if is(&ample_store::TREE) || is(&ample_store::COMPACT) {
        "--store bitstate takes a few bits a state, and may miss some".to_owned()
    } else {
        "make the model smaller".to_owned()
    };
    if counts.states == 0 {
        return "raise --max-memory: it leaves no room for a search".to_owned();
    }
    format!("raise --max-memory; {what_it_took}: {store}")
}

/// What is known of an error that cannot be shown, what ran out, and what to do about that.
pub(crate) fn without_a_way(Untraced { fault, why }: &Untraced, limits: &Limits) -> String {
    let what_to_do = match why {
        Ended::Limit(Limit::Time(left)) => {
            // The search was given what was left of the time.
            let limit = Limit::Time(limits.max_time.unwrap_or(*left));
            format!("the time was over ({limit}); raise --max-time, or use --order dfs")
        }
        Ended::Interrupted => "it was interrupted; --order dfs knows the way at once".to_owned(),
        _ => "memory ran out; raise --max-memory, or use --order dfs".to_owned(),
    };
    format!("an error was found, but not the way to it ({}): {what_to_do}", fault.message)
}

/// What to do about a claim that is not closed under stuttering, where that matters.
pub(crate) const NOT_CLOSED: &str =
    "check the claim as it stands with --reduce none, or close it with `ample ltl --stutter-closure`";

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ample_source::Span;
    use ample_transition::{Fault, FaultKind};

    use super::*;

    #[test]
    fn an_error_without_a_way_is_one_and_what_ran_out_is_named() {
        let limits = Limits { max_time: Some(Duration::from_secs(15)), ..Limits::default() };
        let said = |why| {
            let (kind, message) = (FaultKind::Assertion, "assertion violated".to_owned());
            let fault = Fault { kind, message, process: None, span: Span::default(), notes: Vec::new() };
            without_a_way(&Untraced { fault, why }, &limits)
        };
        let late = said(Ended::Limit(Limit::Time(Duration::from_secs(9))));
        assert_eq!(
            late,
            "an error was found, but not the way to it (assertion violated): the time was over (15 s); raise --max-time, or \
             use --order dfs"
        );
        assert!(said(Ended::Limit(Limit::Memory(1 << 20))).contains("memory ran out"));
        assert!(said(Ended::Interrupted).contains("it was interrupted"));
    }
}
