//! Runs of canonical forms, rebuilt as runs of the system itself.
//!
//! A search through a canonizer goes on from canonical forms, so that what it finds is a run up to
//! the canonizer. It is rebuilt forward: from the state that the system is really in, a transition
//! is taken whose canonical form is the next one; or with the same moves, if the canonizer keeps
//! them. A cycle that closes only up to the canonizer is
//! gone through again and again until it closes.

use std::collections::HashMap;

use ample_transition::{
    Canonized, Canonizer, Fault, FaultKind, Move, Scratch, Successor, SuccessorBuffer, Successors, Trace,
};

/// A run is not rebuilt beyond so many transitions.
const MOST_TRANSITIONS: usize = 10_000_000;

/// The run of `system` that is `trace` up to the canonizer, or why there is none.
pub fn concretize(system: &dyn Successors, canonizer: &dyn Canonizer, trace: &Trace) -> Result<Trace, String> {
    rebuild(system, canonizer, trace).map(|(trace, _)| trace)
}

/// The same for a run to a fault, with the fault as it is at the end of the rebuilt run: another
/// process may be at fault there.
pub fn concretize_fault(
    system: &dyn Successors,
    canonizer: &dyn Canonizer,
    trace: &Trace,
    fault: &Fault,
) -> Result<(Trace, Fault), String> {
    let (trace, end) = rebuild(system, canonizer, trace)?;
    let Some(End { state, faults }) = end else { return Ok((trace, fault.clone())) };
    let alike = || faults.iter().filter(|met| met.kind == fault.kind);
    let met = alike().find(|met| met.span == fault.span).or_else(|| alike().next()).cloned();
    let stuck = || match fault.kind {
        FaultKind::InvalidEndState => system.invalid_end(&state).map(|fault| *fault),
        _ => None,
    };
    let fault = met.or_else(stuck).unwrap_or_else(|| fault.clone());
    Ok((trace, fault))
}

/// Where a rebuilt run ends: a state, and what went wrong on the last transition to it.
struct End {
    state: Vec<u8>,
    faults: Vec<Fault>,
}

/// The rebuilt run, and where it ends unless it is infinite.
fn rebuild(system: &dyn Successors, canonizer: &dyn Canonizer, trace: &Trace) -> Result<(Trace, Option<End>), String> {
    let canonized = Canonized { system, canonizer };
    let (mut form, mut state) = match (canonized.initial(), system.initial()) {
        (Ok(form), Ok(state)) => (form, state),
        // The fault is that there is no initial state.
        _ => return Ok((trace.clone(), None)),
    };
    let (buffer, transitions, faults) = (SuccessorBuffer::new(), Vec::new(), Vec::new());
    let mut rebuilt = Rebuilt { system, canonizer, buffer, transitions, faults };
    let (prefix, cycle) = trace.transitions.split_at(trace.cycle.unwrap_or(trace.transitions.len()));
    rebuilt.follow(&canonized, prefix, &mut form, &mut state)?;
    if cycle.is_empty() {
        let end = End { state, faults: rebuilt.faults };
        return Ok((Trace { transitions: rebuilt.transitions, cycle: trace.cycle }, Some(end)));
    }
    let before = rebuilt.unroll(&canonized, cycle, form, state)?;
    Ok((Trace { transitions: rebuilt.transitions, cycle: Some(before) }, None))
}

/// A run on its way.
struct Rebuilt<'a> {
    system: &'a dyn Successors,
    canonizer: &'a dyn Canonizer,
    buffer: SuccessorBuffer,
    transitions: Vec<Vec<Move>>,
    /// What went wrong on the last of them.
    faults: Vec<Fault>,
}

impl Rebuilt<'_> {
    /// Goes on by these transitions of canonical forms. `form` can stand for `state` before and
    /// after: they have the same exact form, or the same moves.
    fn follow(
        &mut self,
        canonized: &Canonized<'_>,
        transitions: &[Vec<Move>],
        form: &mut Vec<u8>,
        state: &mut Vec<u8>,
    ) -> Result<(), String> {
        for moves in transitions {
            if self.transitions.len() == MOST_TRANSITIONS {
                return Err(format!("it does not come to an end within {MOST_TRANSITIONS} transitions"));
            }
            let next = self.next_form(canonized, form, moves)?;
            let (moves, reached) = match self.canonizer.keeps_moves() {
                true => self.same(state, moves, &next)?,
                false => self.concrete(state, moves, &self.exact(next.clone()))?,
            };
            self.transitions.push(moves);
            if let (Some(next), Some(reached)) = (next.form, reached) {
                (*form, *state) = (next, reached);
            }
        }
        Ok(())
    }

    /// Goes through the cycle until it closes. Gives the number of transitions before the part that
    /// is repeated.
    fn unroll(
        &mut self,
        canonized: &Canonized<'_>,
        cycle: &[Vec<Move>],
        mut form: Vec<u8>,
        mut state: Vec<u8>,
    ) -> Result<usize, String> {
        let first = form.clone();
        let mut rounds = HashMap::from([(state.clone(), self.transitions.len())]);
        loop {
            self.follow(canonized, cycle, &mut form, &mut state)?;
            if form != first {
                return Err("the cycle does not come back to the canonical form that it begins with".to_owned());
            }
            if let Some(before) = rounds.insert(state.clone(), self.transitions.len()) {
                return Ok(before);
            }
        }
    }

    /// Where the transition with these moves leads from a canonical form.
    fn next_form(&mut self, canonized: &Canonized<'_>, form: &[u8], moves: &[Move]) -> Result<Target, String> {
        self.buffer.clear();
        canonized.expand_all(form, &mut self.buffer);
        let taken = self.buffer.iter().find(|successor| successor.moves == moves);
        taken.map(|successor| Target::of(&successor)).ok_or_else(|| self.stuck("is not one of the canonical form"))
    }

    /// The transition of the state itself with the same moves and faults, and the state after it.
    fn same(&mut self, state: &[u8], moves: &[Move], next: &Target) -> Result<(Vec<Move>, Option<Vec<u8>>), String> {
        self.buffer.clear();
        self.system.expand_all(state, &mut self.buffer);
        let is_same =
            |successor: &Successor<'_>| successor.moves == moves && Target::of(successor).faults == next.faults;
        let taken =
            self.buffer.iter().find(is_same).ok_or_else(|| self.stuck("is not one of the state it stands for"))?;
        self.faults = taken.faults.to_vec();
        Ok((taken.moves.to_vec(), taken.state.map(<[u8]>::to_vec)))
    }

    /// The transition of the state itself that leads to such a target, by the same moves if it can
    /// be, and the state after it.
    fn concrete(
        &mut self,
        state: &[u8],
        moves: &[Move],
        next: &Target,
    ) -> Result<(Vec<Move>, Option<Vec<u8>>), String> {
        self.buffer.clear();
        self.system.expand_all(state, &mut self.buffer);
        let is_such = |successor: &Successor<'_>| self.exact(Target::of(successor)) == *next;
        let mut such = self.buffer.iter().filter(|successor| is_such(successor));
        let first = such.next();
        let same = first.into_iter().chain(such).find(|successor| successor.moves == moves);
        let taken = same.or(first).ok_or_else(|| self.stuck("is not one of the state it stands for"))?;
        self.faults = taken.faults.to_vec();
        Ok((taken.moves.to_vec(), taken.state.map(<[u8]>::to_vec)))
    }

    /// A target whose state has the form that all states share which can stand for it.
    fn exact(&self, mut target: Target) -> Target {
        if let Some(form) = &mut target.form {
            self.canonizer.canonize_exactly(form, &mut Scratch::default());
        }
        target
    }

    fn stuck(&self, why: &str) -> String {
        format!("transition {} of the run {why}", self.transitions.len() + 1)
    }
}

/// Where a transition leads, and what goes wrong on the way.
#[derive(Clone, PartialEq, Eq)]
struct Target {
    form: Option<Vec<u8>>,
    faults: Vec<FaultKind>,
}

impl Target {
    fn of(successor: &Successor<'_>) -> Target {
        let faults = successor.faults.iter().map(|fault| fault.kind).collect();
        Target { form: successor.state.map(<[u8]>::to_vec), faults }
    }
}

#[cfg(test)]
mod tests {
    use ample_model::EdgeId;
    use ample_stdx::TypedId;

    use super::*;

    fn by(process: u16) -> Move {
        Move { process, edge: EdgeId::from_index(0), partner: None }
    }

    /// Two processes that count to three, each for itself; the states in which they are exchanged
    /// are the same.
    struct Counters;

    impl Successors for Counters {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(vec![1, 0])
        }

        fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
            buffer.push_state(&[by(0)], &[(state[0] + 1) % 3, state[1]]);
            buffer.push_state(&[by(1)], &[state[0], (state[1] + 1) % 3]);
        }

        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }

    struct Sorted;

    impl Canonizer for Sorted {
        fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
            let is_sorted = state.is_sorted();
            state.sort_unstable();
            !is_sorted
        }
    }

    /// The states along a run of the counters.
    fn states(trace: &Trace) -> Vec<Vec<u8>> {
        let mut states = vec![vec![1, 0]];
        for moves in &trace.transitions {
            let mut next = states.last().unwrap().clone();
            let counter = usize::from(moves[0].process);
            next[counter] = (next[counter] + 1) % 3;
            states.push(next);
        }
        states
    }

    #[test]
    fn from_each_state_a_transition_to_the_next_form_is_taken() {
        // [0, 1], [1, 1], [1, 2], [0, 1] as canonical forms.
        let trace = Trace { transitions: vec![vec![by(0)], vec![by(0)], vec![by(1)]], cycle: None };
        let rebuilt = concretize(&Counters, &Sorted, &trace).unwrap();
        assert_eq!(states(&rebuilt), [[1, 0], [1, 1], [2, 1], [0, 1]]);
    }

    #[test]
    fn a_cycle_is_unrolled_until_it_closes() {
        let trace = Trace { transitions: vec![vec![by(0)], vec![by(0)], vec![by(1)]], cycle: Some(0) };
        let rebuilt = concretize(&Counters, &Sorted, &trace).unwrap();
        let states = states(&rebuilt);
        assert_eq!(rebuilt.transitions.len(), 6, "the counters are exchanged after one round");
        assert_eq!(Some(&states[rebuilt.cycle.unwrap()]), states.last());
    }

    #[test]
    fn what_is_no_run_is_said_to_be_none() {
        let trace = Trace { transitions: vec![vec![by(7)]], cycle: None };
        assert!(concretize(&Counters, &Sorted, &trace).is_err_and(|why| why.contains("transition 1")));
        struct Wrong;
        impl Canonizer for Wrong {
            fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
                state.fill(0);
                true
            }
        }
        let trace = Trace { transitions: vec![vec![by(0)], vec![by(0)]], cycle: None };
        assert!(concretize(&Counters, &Wrong, &trace).is_ok(), "both counters are where they may be");
    }
}
