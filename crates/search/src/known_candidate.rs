//! Partial order reduction where the moves of processes are known: the candidates follow from what
//! the reduction sees of each process, so that a state is neither decoded nor expanded.

use ample_transition::{Candidate, Key, ProcessViews, Reduction, Session, SuccessorBuffer, Viewed};

use crate::control::Control;
use crate::depth_first::DepthFirst;
use crate::outcome::Ended;
use crate::reduced_path::is_accepted;
use crate::stack::Top;

/// Where assertions are checked, candidates are chosen again, from the state, in one state of so
/// many.
const CHECKED: u64 = 16;

/// Counts and opens the waiting state on top of a depth-first search, which was just added to the
/// store, and pushes what [`push_candidate`](crate::reduced_path::push_candidate) would, apart from
/// what is stored; false if what is known is not enough. There are no violations then.
#[inline]
pub(crate) fn push_known_candidate(
    reduction: &Reduction<'_>,
    search: &mut DepthFirst<'_, '_>,
    candidate: &mut Candidate,
) -> Result<bool, Ended> {
    let control = search.control();
    let Some((moves, views)) = control.known_views() else { return Ok(false) };
    if control.is_interrupted() {
        return Err(Ended::Interrupted);
    }
    let DepthFirst { explorer, cursor, path, .. } = search;
    let Some(Top::Waiting(key, _)) = path.stack.top() else { return Ok(false) };
    let Some(all) = cursor.make_viewed(key, moves, views, &mut explorer.buffer) else { return Ok(false) };
    if cfg!(debug_assertions) {
        check(control, reduction, views, (key, &cursor.viewed), &mut *cursor.session);
    }
    explorer.count_state(path.stack.depth() as u64)?;
    path.stack.open();
    let mut number = 0;
    while views.choose(&cursor.viewed.views, number, candidate) {
        cursor.choose_viewed(&candidate.transitions);
        if is_accepted(reduction.condition, cursor, path) {
            explorer.count_transitions(cursor.viewed.tally(&candidate.transitions));
            cursor.push_new(&mut path.stack);
            return Ok(true);
        }
        number += 1;
    }
    explorer.count_transitions(all);
    cursor.push_viewed_unstored(&mut path.stack);
    Ok(true)
}

/// Chooses all candidates of a state again, from the state, and compares them.
pub(crate) fn check(
    control: &Control<'_>,
    reduction: &Reduction<'_>,
    views: &dyn ProcessViews,
    (key, viewed): (Key<'_>, &Viewed),
    session: &mut dyn Session,
) {
    if !control.stored().is_multiple_of(CHECKED) {
        return;
    }
    let (mut state, mut buffer) = (Vec::new(), SuccessorBuffer::new());
    session.recall(key, &mut state);
    control.system.expand_all(&state, &mut buffer);
    let (mut by_state, mut by_views) = (Candidate::default(), Candidate::default());
    for number in 0.. {
        let is_there = reduction.expander.candidate(&state, &buffer, number, &mut by_state);
        assert_eq!(views.choose(&viewed.views, number, &mut by_views), is_there, "a state looks as its processes do");
        if !is_there {
            return;
        }
        assert_eq!(by_state.transitions, by_views.transitions, "a state looks as its processes do");
    }
}
