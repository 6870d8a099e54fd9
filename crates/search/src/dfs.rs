//! Depth-first search, with a stack of its own: depth is limited by memory alone.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Candidate, Inserted};

use crate::control::Control;
use crate::depth_first::DepthFirst;
use crate::known_candidate::push_known_candidate;
use crate::outcome::{Ended, StoreFacts};
use crate::reduced_path::push_candidate;
use crate::stack::Top;
use crate::{Search, SearchOutcome};

/// Depth-first order.
pub static DFS: Part = Part {
    name: "dfs",
    kind: PartKind::Order,
    summary: "depth first: goes deep early, counterexamples may be long",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// Explores depth first, on one thread.
///
/// A state enters the store when the search steps into it, not when it is generated, so this is the
/// order of the recursive algorithm. Each state is expanded once; the successors that wait for
/// their turn lie on one stack, the open states between them. A violation's trace is the path of
/// open states.
///
/// Needs of the system: finitely many successors per state. Gives: every reachable state, unless it
/// ended early.
pub fn dfs(mut search: Search<'_>) -> SearchOutcome {
    debug_assert!(search.threads <= 1, "the plan gives several threads to parallel orders alone");
    let control = Control::new(&mut search);
    let violations = DepthFirst::new(&control, &*search.store).run(|_| 0, run);
    control.finish(violations, Vec::new(), Vec::new()).with(StoreFacts::of(&*search.store))
}

fn run(search: &mut DepthFirst<'_, '_>) -> Result<(), Ended> {
    let control = search.control();
    let mut candidate = Candidate::default();
    loop {
        match search.path.stack.top() {
            None => return Ok(()),
            Some(Top::Open) => search.path.pop_open(),
            Some(Top::Waiting(key, _)) => {
                if search.cursor.session.add(key).map_err(|full| control.full(full))? == Inserted::Old {
                    search.path.stack.pop_waiting();
                    continue;
                }
                let is_known = match &control.reduction {
                    None => search.open_known(&|_| 0, |_| false)?,
                    Some(reduction) => push_known_candidate(reduction, search, &mut candidate)?,
                };
                if is_known {
                    search.step(|| 0)?;
                    continue;
                }
                search.expand_new()?;
                search.path.stack.open();
                let taken = match &control.reduction {
                    None => {
                        search.push_unstored(|_| 0, |_| false)?;
                        search.explorer.buffer.tally()
                    }
                    Some(reduction) => push_candidate(reduction, search, &mut candidate)?,
                };
                search.explorer.count_transitions(taken);
                search.step(|| 0)?;
            }
        }
    }
}
