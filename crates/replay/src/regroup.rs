//! Runs of a rewritten model as runs of the model as written.
//!
//! Each transition of the rewritten model stands for some moves of the model as written. Which of
//! these belong to one transition, because an `atomic` sequence or a rendezvous holds them
//! together, and how often a round is repeated, is for the model as written to say. A cycle may
//! close in the rewritten model only, which has forgotten something: it is gone through again until
//! it closes.

use std::collections::HashMap;

use ample_transition::{Fault, Move, Route, Stretch, Successor, SuccessorBuffer, Successors, Trace};

/// A run is not followed beyond so many transitions.
const MOST_TRANSITIONS: usize = 10_000_000;

/// What a transition stands for, if it begins in this state of the model as written.
pub type MovesOf<'a> = &'a dyn Fn(&[u8], &[Move]) -> Vec<Stretch>;

/// The run of `system` that `trace` stands for, or why there is none. It ends where the `fault`
/// happens: of several steps that were one, that need not be the last.
pub fn regroup(system: &dyn Successors, trace: &Trace, fault: &Fault, moves_of: MovesOf<'_>) -> Result<Trace, String> {
    let Ok(state) = system.initial() else {
        return Ok(Trace { transitions: Vec::new(), cycle: trace.cycle.map(|_| 0) });
    };
    let (buffer, transitions) = (SuccessorBuffer::new(), Vec::new());
    let mut run = Run { system, moves_of, fault, buffer, transitions, state: Some(state) };
    let (prefix, cycle) = trace.transitions.split_at(trace.cycle.unwrap_or(trace.transitions.len()));
    let last = if trace.cycle.is_none() { prefix.len() } else { 0 };
    run.follow(prefix, last)?;
    let cycle = match trace.cycle {
        None => None,
        Some(_) if cycle.is_empty() => Some(run.transitions.len()),
        Some(_) => Some(run.unroll(cycle)?),
    };
    Ok(Trace { transitions: run.transitions, cycle })
}

/// A run on its way.
struct Run<'a> {
    system: &'a dyn Successors,
    moves_of: MovesOf<'a>,
    fault: &'a Fault,
    buffer: SuccessorBuffer,
    transitions: Vec<Vec<Move>>,
    /// Where it is; `None` after an error that ends it.
    state: Option<Vec<u8>>,
}

impl Run<'_> {
    /// Goes on by these transitions of the rewritten model. In the one with the number `last`,
    /// counted from 1, the fault happens.
    fn follow(&mut self, transitions: &[Vec<Move>], last: usize) -> Result<(), String> {
        for (number, transition) in (1..).zip(transitions) {
            let Some(state) = &self.state else { return Err(self.stuck("the run goes on after its end")) };
            let moves = (self.moves_of)(state, transition);
            self.make(Route::new(moves), number == last)?;
        }
        Ok(())
    }

    /// Goes along a route. An error may end the run before its end: one process has gone on where
    /// another one fails.
    fn make(&mut self, mut route: Route, until_fault: bool) -> Result<(), String> {
        while let (Some(state), false) = (&self.state, route.is_over()) {
            if self.transitions.len() == MOST_TRANSITIONS {
                return Err(format!("it does not come to an end within {MOST_TRANSITIONS} transitions"));
            }
            self.buffer.clear();
            self.system.expand_all(state, &mut self.buffer);
            let leading = self.buffer.iter().filter_map(|successor| Some((route.after(successor.moves)?, successor)));
            let begins =
                |successor: &Successor<'_>| successor.moves.first().is_some_and(|step| route.begins_with(*step));
            let taken = leading.max_by_key(|(_, successor)| (begins(successor), successor.moves.len()));
            let is_it = |fault: &Fault| (fault.kind, fault.span) == (self.fault.kind, self.fault.span);
            let fails = |successor: &Successor<'_>| until_fault && successor.faults.iter().any(is_it);
            let Some((rest, taken)) = taken else {
                // What the rewritten model has forgotten may take the model as written round an
                // atomic sequence once more before it does not end there, too.
                let fault = self.buffer.iter().find(fails).map(|successor| successor.moves.to_vec());
                if fault.is_none() && !route.may_end() {
                    return Err(self.stuck("no transition has the moves that come next"));
                }
                self.transitions.extend(fault);
                return Ok(());
            };
            route = rest;
            self.transitions.push(taken.moves.to_vec());
            if fails(&taken) {
                return Ok(());
            }
            self.state = taken.state.map(|next| next.to_vec());
        }
        Ok(())
    }

    /// Goes through the cycle until it closes. Gives the number of transitions before the part that
    /// is repeated.
    fn unroll(&mut self, cycle: &[Vec<Move>]) -> Result<usize, String> {
        let mut rounds = HashMap::new();
        loop {
            let Some(state) = self.state.clone() else { return Err(self.stuck("the run ends on its cycle")) };
            if let Some(before) = rounds.insert(state, self.transitions.len()) {
                return Ok(before);
            }
            self.follow(cycle, 0)?;
        }
    }

    fn stuck(&self, why: &str) -> String {
        format!("{why}, after transition {}", self.transitions.len())
    }
}

#[cfg(test)]
mod tests {
    use ample_model::EdgeId;
    use ample_stdx::TypedId;
    use ample_transition::FaultKind;

    use super::*;

    fn step(edge: usize) -> Move {
        Move { process: 0, edge: EdgeId::from_index(edge), partner: None }
    }

    /// `0` or the chain `0, 1`, and back by `2`.
    struct Chains;

    impl Successors for Chains {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(vec![0])
        }

        fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
            if state == [0] {
                buffer.push_state(&[step(0)], &[1]);
                buffer.push_state(&[step(0), step(1)], &[1]);
            } else {
                buffer.push_state(&[step(2)], &[0]);
            }
        }

        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }

    fn failure() -> Fault {
        let (message, span, notes) = (String::new(), ample_source::Span::default(), Vec::new());
        Fault { kind: FaultKind::Assertion, message, process: None, span, notes }
    }

    fn as_they_are(_: &[u8], transition: &[Move]) -> Vec<Stretch> {
        transition.iter().copied().map(Stretch::Once).collect()
    }

    #[test]
    fn chains_are_held_together() {
        let merged = vec![vec![step(0), step(1), step(2)], vec![step(0)], vec![step(2)]];
        let (first, rest) = (vec![step(0), step(1)], [vec![step(2)], vec![step(0)], vec![step(2)]]);
        let transitions = [vec![first], rest.to_vec()].concat();
        let of = |cycle| {
            regroup(&Chains, &Trace { transitions: merged.clone(), cycle: Some(cycle) }, &failure(), &as_they_are)
        };
        assert_eq!(of(1), Ok(Trace { transitions: transitions.clone(), cycle: Some(2) }));
        assert_eq!(of(3), Ok(Trace { transitions, cycle: Some(4) }), "it ends and stays there");
    }

    #[test]
    fn a_cycle_is_gone_through_until_it_closes() {
        // The rewritten model has forgotten which of the two states it is in.
        let moves_of = |state: &[u8], _: &[Move]| vec![Stretch::Once(if state == [0] { step(0) } else { step(2) })];
        let trace = Trace { transitions: vec![vec![step(7)]], cycle: Some(0) };
        let expected = Trace { transitions: vec![vec![step(0)], vec![step(2)]], cycle: Some(0) };
        assert_eq!(regroup(&Chains, &trace, &failure(), &moves_of), Ok(expected));
    }

    #[test]
    fn what_is_no_run_is_said_to_be_none() {
        let trace = Trace { transitions: vec![vec![step(0), step(5)]], cycle: None };
        assert!(
            regroup(&Chains, &trace, &failure(), &as_they_are).is_err_and(|why| why.contains("after transition 1"))
        );
    }
}
