//! Traces: from the states along a run to its moves.

use ample_transition::{Move, SuccessorBuffer, Successors, Trace};

/// The trace along `states`, which starts in the initial state, and on by the transition with the
/// number `last`.
///
/// Searches remember states, not moves: each state is expanded once more, and the first transition
/// that leads to the next one is as good as any other. Expansion always gives the same transitions
/// in the same order; should a system break that promise, the trace ends early, and its replay will
/// fail.
pub(crate) fn trace_along<S: AsRef<[u8]>>(
    system: &dyn Successors,
    states: impl IntoIterator<Item = S>,
    last: Option<usize>,
) -> Trace {
    let mut trace = Trace::default();
    let mut states = states.into_iter();
    let Some(mut state) = states.next() else { return trace };
    // A buffer of its own, without a stop signal: a violation that was found is shown even if the
    // search was interrupted.
    let mut buffer = SuccessorBuffer::new();
    for next in states {
        buffer.clear();
        system.expand_all(state.as_ref(), &mut buffer);
        let Some(step) = buffer.iter().find(|successor| successor.state == Some(next.as_ref())) else { return trace };
        push(&mut trace, step.moves);
        state = next;
    }
    if let Some(number) = last {
        buffer.clear();
        system.expand_all(state.as_ref(), &mut buffer);
        push(&mut trace, buffer.get(number).map_or(&[][..], |step| step.moves));
    }
    trace
}

/// Adds a transition to a trace, unless it has no move: such a one stays where nothing leaves a
/// state, or belongs to the automaton alone.
pub(crate) fn push(trace: &mut Trace, moves: &[Move]) {
    if !moves.is_empty() {
        trace.transitions.push(moves.to_vec());
    }
}
