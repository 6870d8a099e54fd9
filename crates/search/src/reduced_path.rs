//! Partial order reduction in a depth-first search: the candidates of a state are tried one by one
//! when it is expanded, and what the cycle condition asks is looked up in the store and on the
//! path.

use ample_transition::{Candidate, CycleCondition, Reduction, Seen, Tally};

use crate::candidate::{log_choice, tally_of};
use crate::cursor::Cursor;
use crate::depth_first::DepthFirst;
use crate::outcome::Ended;
use crate::path::Path;

/// Pushes the successors by the first candidate that the cycle condition accepts, or all if it
/// accepts none, of the state on top of the path, which was just expanded and is open. Gives what
/// the transitions count for.
pub(crate) fn push_candidate(
    reduction: &Reduction<'_>,
    search: &mut DepthFirst<'_, '_>,
    candidate: &mut Candidate,
) -> Result<Tally, Ended> {
    let DepthFirst { explorer, cursor, path, .. } = search;
    let (control, buffer) = (explorer.control, &explorer.buffer);
    let mut number = 0;
    while reduction.expander.candidate(&cursor.state, buffer, number, candidate) {
        cursor.make_keys(buffer, &candidate.transitions).map_err(|full| control.full(full))?;
        if candidate.leads_on(buffer) && is_accepted(reduction.condition, cursor, path) {
            log_choice(reduction, &cursor.state, number);
            cursor.push_made(&mut path.stack, |_| 0);
            return Ok(tally_of(buffer, &candidate.transitions));
        }
        number += 1;
    }
    log_choice(reduction, &cursor.state, number);
    search.push_all(|_| 0)?;
    Ok(search.explorer.buffer.tally())
}

/// Whether the condition accepts the candidate whose keys were made last.
pub(crate) fn is_accepted(condition: &dyn CycleCondition, cursor: &mut Cursor<'_>, path: &mut Path) -> bool {
    let needs = condition.needs();
    debug_assert!(!needs.path || path.stack.depth() > 0, "the state that is expanded is on the path");
    let looks_at_search = !needs.is_nothing();
    let seen = cursor.look_at_made(|session, key| {
        // A state is stored when its expansion begins, and states on the path are stored. The first
        // successor that is not stored yet will be added next, before anything else.
        let is_stored = looks_at_search && session.contains(key);
        let is_on_path = is_stored && needs.path && path.position(key).is_some();
        Seen { is_new: !is_stored, is_begun: is_stored, is_on_path }
    });
    condition.accepts(seen)
}
