//! Depth-first search, with a stack of its own: depth is limited by memory alone.

use ample_transition::{Inserted, Session};

use crate::explorer::{Common, Explorer};
use crate::outcome::{Ended, Found, StoreFacts};
use crate::path::trace_along;
use crate::stack::{Stack, Top};
use crate::{Search, SearchOutcome};

/// Explores depth first, on one thread.
///
/// A state enters the store when the search steps into it, not when it is generated, so this is the order of the recursive
/// algorithm. Each state is expanded once; the successors that wait for their turn lie on one stack of bytes, the
/// open states between them. A violation's trace is the path of open states.
///
/// Needs of the system: finitely many successors per state. Gives: every reachable state, unless it ended early.
pub fn dfs(mut search: Search<'_>) -> SearchOutcome {
    let common = Common::new(&mut search);
    let mut violations = Vec::new();
    let mut explorer = Explorer::new(&common);
    if let Err(ended) = run(&mut explorer, &mut *search.store.session(), &mut violations) {
        common.end(ended);
    }
    drop(explorer);
    common.finish(violations, Vec::new(), Vec::new()).with(StoreFacts::of(&*search.store))
}

fn run(explorer: &mut Explorer<'_, '_>, session: &mut dyn Session, violations: &mut Vec<Found>) -> Result<(), Ended> {
    let common = explorer.common;
    let mut stack = Stack::default();
    stack.push(&explorer.initial(violations)?);
    loop {
        match stack.top() {
            None => return Ok(()),
            Some(Top::Open) => stack.pop_open(),
            Some(Top::Waiting(state)) => {
                match session.insert(state) {
                    Ok(Inserted::Old) => {
                        stack.pop_waiting();
                        continue;
                    }
                    Ok(Inserted::New) => {}
                    Err(full) => return Err(common.full(full)),
                }
                let depth = stack.depth();
                explorer.count_state(depth)?;
                for sighting in explorer.expand(state, depth)? {
                    let path = stack.open_states().chain([state]);
                    let trace = trace_along(common.system, path, sighting.successor);
                    violations.push(Found { fault: sighting.fault, trace });
                    if common.stops_at_first() {
                        return Err(Ended::FirstViolation);
                    }
                }
                stack.open();
                stack.push_all(&explorer.buffer);
                explorer.charge(stack.memory() + explorer.buffer.memory())?;
                explorer.tick(1)?;
            }
        }
    }
}
