//! Depth-first search, with a stack of its own: depth is limited by memory alone.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Candidate, Inserted, Key};

use crate::cursor::{Cursor, PathIndex};
use crate::explorer::{Control, Explorer};
use crate::outcome::{Ended, Found, StoreFacts};
use crate::reduced::push_candidate;
use crate::stack::{Stack, Top};
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
    let control = Control::new(&mut search);
    let mut violations = Vec::new();
    let mut explorer = Explorer::new(&control);
    if let Err(ended) = run(&mut explorer, Cursor::new(&*search.store), &mut violations) {
        control.end(ended);
    }
    drop(explorer);
    control.finish(violations, Vec::new(), Vec::new()).with(StoreFacts::of(&*search.store))
}

fn run(explorer: &mut Explorer<'_, '_>, mut cursor: Cursor<'_>, violations: &mut Vec<Found>) -> Result<(), Ended> {
    let control = explorer.control;
    let full = |full| control.full(full);
    let (mut stack, mut path_index, mut candidate) = (Stack::default(), PathIndex::default(), Candidate::default());
    let initial = explorer.initial(violations)?;
    cursor.push(&initial, 0, &mut stack).map_err(full)?;
    loop {
        match stack.top() {
            None => return Ok(()),
            Some(Top::Open) => {
                path_index.leave(&stack);
                stack.pop_open();
            }
            Some(Top::Waiting(key, _)) => {
                if cursor.session.add(key).map_err(full)? == Inserted::Old {
                    stack.pop_waiting();
                    continue;
                }
                expand_new(explorer, &mut cursor, &stack, key, violations)?;
                stack.open();
                let taken = match &control.reduction {
                    None => cursor.push_all(&explorer.buffer, &mut stack, |_, _| 0).map(|()| explorer.buffer.tally()),
                    Some(reduction) => {
                        let path = (&mut stack, &mut path_index);
                        push_candidate(reduction, &explorer.buffer, &mut cursor, path, &mut candidate)
                    }
                };
                explorer.count_transitions(taken.map_err(full)?);
                let memory = || stack.memory() + path_index.memory() + cursor.memory();
                explorer.step(|explorer| memory() + explorer.buffer.memory())?;
            }
        }
    }
}

/// Counts a state that was just added, the one on top of the stack, expands it and notes what is
/// wrong there.
pub(crate) fn expand_new(
    explorer: &mut Explorer<'_, '_>,
    cursor: &mut Cursor<'_>,
    stack: &Stack,
    key: Key<'_>,
    violations: &mut Vec<Found>,
) -> Result<(), Ended> {
    let (control, depth) = (explorer.control, stack.depth() as u64);
    explorer.count_state(depth)?;
    cursor.recall(key);
    for sighting in explorer.expand_uncounted(&cursor.state, depth)? {
        violations.push(cursor.found(control.system, stack, key, sighting));
        if control.stops_at_first() {
            return Err(Ended::FirstViolation);
        }
        cursor.recall(key);
    }
    Ok(())
}
