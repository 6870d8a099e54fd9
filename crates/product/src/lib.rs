//! The system together with an automaton that watches it.
//!
//! A state of the [`Product`] is a state of the system and a state of an automaton that has read
//! everything before it. A transition of the product lets the automaton read the state of the
//! system, and then the system moves. The automaton does not see what is inside a transition, so it
//! does not step inside `atomic`. Where nothing can move, the system stays for ever and the
//! automaton goes on reading, so that finite runs are extended by stuttering; or they do not count
//! ([`FiniteRuns`]).
//!
//! What a run has to do to be accepted is said in one of three ways:
//!
//! - by states, for an automaton with Büchi acceptance ([`Product::new`] and its [`Accepting`]);
//! - by marks on transitions, for generalised acceptance and for fairness
//!   ([`Product::with_marks`]);
//! - by a fault, where the automaton is sure of the run whatever follows
//!   ([`Product::until_bad_prefix`]).
//!
//! Invariant: the automaton changes nothing. What leaves the system part of a product state is what
//! leaves it without the automaton, or nothing at all, if the automaton cannot read the state or is
//! sure.

mod fairness;
mod marking;
mod moves;
mod propositions;
mod sinks;
mod steps;

use std::sync::OnceLock;

use ample_property::{Automaton, Letter, StateId};
use ample_stdx::{BitSet, TypedId};
use ample_transition::{Accepting, Fault, FaultKind, Marks, ProcessMoves, StateLength, SuccessorBuffer, Successors};

use crate::marking::Marking;
use crate::steps::{Choice, Steps};

pub use fairness::{Fairness, participants};
pub use propositions::{Evaluated, Propositions, Values, letter};
pub use sinks::sinks;

/// The bytes that the state of the automaton takes behind that of the system: so many that a length
/// which suits a store stays one.
pub const TAIL: usize = 16;
/// Those of them that are used.
const USED: usize = 4;
/// A walk that looks for typical states goes on with about so many states of the automaton at most.
const MOST_TARGETS: usize = 8;

/// A system and an automaton.
pub struct Product<'a> {
    system: &'a dyn Successors,
    automaton: &'a Automaton,
    steps: Steps,
    /// Which states of the automaton are accepting.
    accepting: BitSet<StateId>,
    propositions: &'a dyn Propositions,
    finite: FiniteRuns,
    marking: Marking,
    bad: Option<BadPrefix>,
    /// What of a state the automaton depends on or changes, once somebody asked; `None` if it is
    /// not known.
    watched: OnceLock<Option<Vec<u64>>>,
}

/// What becomes of a run that comes to where nothing can move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FiniteRuns {
    /// It stays there for ever, and the automaton goes on reading.
    Stutter,
    /// It is over: only runs in which something moves for ever count.
    End,
}

/// The end of a run about which the automaton is sure.
struct BadPrefix {
    /// The states from which everything is accepted.
    sinks: BitSet<StateId>,
    /// What such a run is called.
    fault: Fault,
}

impl<'a> Product<'a> {
    /// The automaton reads what `propositions` says of the states of the system.
    pub fn new(
        system: &'a dyn Successors,
        automaton: &'a Automaton,
        propositions: &'a dyn Propositions,
        finite: FiniteRuns,
    ) -> Self {
        let (steps, marking) = (Steps::of(automaton), Marking::None);
        let accepting = automaton.states().filter(|state| automaton.is_accepting(*state)).collect();
        let watched = OnceLock::new();
        Product { system, automaton, steps, accepting, propositions, finite, marking, bad: None, watched }
    }

    /// With the marks of the automaton on its transitions, and those of the processes if runs are
    /// to be fair.
    #[must_use]
    pub fn with_marks(self, fairness: Fairness) -> Self {
        let marking = match fairness {
            Fairness::None => Marking::Automaton,
            Fairness::Weak => Marking::Fair,
        };
        Product { marking, ..self }
    }

    /// With a fault where the automaton comes to one of the `sinks`, from which it accepts
    /// everything. The run is not followed any further.
    #[must_use]
    pub fn until_bad_prefix(self, sinks: BitSet<StateId>, fault: Fault) -> Self {
        Product { bad: Some(BadPrefix { sinks, fault }), ..self }
    }

    /// The marks that occur again and again on an accepted run.
    pub fn marks(&self) -> Marks {
        let automaton = steps::bits(self.automaton.all_marks());
        match self.marking {
            Marking::None => Marks::NONE,
            Marking::Automaton => Marks::of_automaton(automaton),
            Marking::Fair => Marks::of_automaton(automaton).union(Marks::PROCESSES),
        }
    }

    /// The fault, if the automaton is sure.
    fn bad_prefix(&self, choice: &Choice<'_>) -> Option<&Fault> {
        let bad = self.bad.as_ref()?;
        choice.iter().any(|step| bad.sinks.contains(step.target)).then_some(&bad.fault)
    }

    /// The automaton has read the state: it is sure, or the system moves, or the automaton is
    /// stuck.
    fn take(&self, system_state: &[u8], choice: &Choice<'_>, buffer: &mut SuccessorBuffer) {
        if let Some(fault) = self.bad_prefix(choice) {
            buffer.push(&[], std::slice::from_ref(fault), None);
        } else if !choice.is_empty() {
            self.move_on(system_state, choice, buffer);
        }
    }

    /// The system moves.
    fn move_on(&self, system_state: &[u8], choice: &Choice<'_>, buffer: &mut SuccessorBuffer) {
        buffer.with_inner(|inner, outer| {
            self.system.expand_all(system_state, inner);
            if inner.is_terminal() {
                self.stutter(system_state, choice, outer);
            } else {
                follow(choice, inner, outer);
            }
            self.marking.mark(choice, inner, outer);
        });
    }

    /// The states that the automaton comes to with this letter, apart from those in which it is
    /// sure; if there is none, any others of its states.
    fn targets_for_walk(&self, automaton_state: StateId, letter: Letter, targets: &mut Vec<StateId>) {
        let is_sure = |target: &StateId| self.bad.as_ref().is_some_and(|bad| bad.sinks.contains(*target));
        let mut memory = Vec::new();
        let choice = self.steps.read(self.automaton, automaton_state, letter, &mut memory);
        targets.extend(choice.iter().map(|step| step.target).filter(|target| !is_sure(target)));
        if targets.is_empty() {
            let every = (self.automaton.edges.len() / MOST_TARGETS).max(1);
            targets.extend(self.automaton.states().filter(|target| !is_sure(target)).step_by(every));
        }
    }

    /// Nothing can move.
    fn stutter(&self, system_state: &[u8], choice: &Choice<'_>, outer: &mut SuccessorBuffer) {
        if self.finite == FiniteRuns::Stutter {
            for step in choice.iter() {
                outer.push(&[], &[], Some(&mut |state| join(system_state, step.target, state)));
            }
        }
    }
}

/// Each transition of the system with each step of the automaton. What ends in a fault leads
/// nowhere; that nobody knows where it leads is handed on.
fn follow(choice: &Choice<'_>, inner: &SuccessorBuffer, outer: &mut SuccessorBuffer) {
    if outer.extend_records(inner, choice.iter().map(|step| tail(step.target))) {
        return;
    }
    for successor in inner.iter() {
        let Some(system_state) = successor.state else { continue };
        for step in choice.iter() {
            outer.push(successor.moves, &[], Some(&mut |state| join(system_state, step.target, state)));
        }
    }
    // Last, so that the others and their marks have the same numbers.
    for successor in inner.iter() {
        let limit = successor.faults.iter().find(|fault| fault.kind == FaultKind::ValueLimit);
        limit.into_iter().for_each(|limit| outer.push(successor.moves, std::slice::from_ref(limit), None));
    }
}

/// Both parts of a product state.
fn split(state: &[u8]) -> (&[u8], StateId) {
    let (system, tail) = state.split_at(state.len().saturating_sub(TAIL));
    let number = tail.first_chunk::<USED>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    (system, StateId::from_index(number as usize))
}

/// The bytes of a state of the automaton.
fn tail(automaton: StateId) -> [u8; TAIL] {
    u128::from(automaton.index() as u32).to_le_bytes()
}

fn join(system: &[u8], automaton: StateId, state: &mut Vec<u8>) {
    state.extend_from_slice(system);
    state.extend_from_slice(&tail(automaton));
}

/// The part of a product state that is the system's.
pub fn system_part(state: &[u8]) -> &[u8] {
    split(state).0
}

impl Successors for Product<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        let mut state = Vec::new();
        join(&self.system.initial()?, self.automaton.initial, &mut state);
        Ok(state)
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        let (system_state, automaton_state) = split(state);
        let letter = match self.propositions.letter(system_state) {
            Ok(letter) => letter,
            Err(fault) => return buffer.push(&[], &[*fault], None),
        };
        if let Some(choice) = self.steps.look_up(automaton_state, letter) {
            return self.take(system_state, &choice, buffer);
        }
        let mut scratch = buffer.take_scratch();
        let choice = self.steps.read(self.automaton, automaton_state, letter, &mut scratch.edges);
        self.take(system_state, &choice, buffer);
        buffer.give_scratch(scratch);
    }

    fn expand_for_walk(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        let (system_state, automaton_state) = split(state);
        let Ok(letter) = self.propositions.letter(system_state) else { return };
        let mut targets = Vec::new();
        self.targets_for_walk(automaton_state, letter, &mut targets);
        buffer.with_inner(|inner, outer| {
            self.system.expand_for_walk(system_state, inner);
            for next in inner.iter().filter_map(|successor| successor.state) {
                for target in &targets {
                    outer.push(&[], &[], Some(&mut |state| join(next, *target, state)));
                }
            }
        });
    }

    fn process_moves(&self) -> Option<&dyn ProcessMoves> {
        self.moves_apart()
    }

    fn state_length(&self) -> StateLength {
        match self.system.state_length() {
            StateLength::Any => StateLength::Any,
            StateLength::Usually(length) => StateLength::Usually(length + TAIL),
            StateLength::Always(length) => StateLength::Always(length + TAIL),
        }
    }

    fn invalid_end(&self, _state: &[u8]) -> Option<Box<Fault>> {
        None
    }
}

impl Accepting for Product<'_> {
    fn is_accepting(&self, state: &[u8]) -> bool {
        self.accepting.contains(split(state).1)
    }
}

#[cfg(test)]
mod tests {
    use ample_property::{parse_ltl, translate};
    use ample_source::Span;

    use super::*;

    /// A number that goes up to nine and then round.
    struct Clock;

    impl Successors for Clock {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(vec![0])
        }

        fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
            buffer.push(&[], &[], Some(&mut |next| next.push((state[0] + 1) % 10)));
        }

        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }

    impl Propositions for Clock {
        fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>> {
            Ok(Letter::from(state[0] >= 3))
        }
    }

    /// The automaton is stuck from three on: the product ends there, and a walk does not.
    #[test]
    fn a_walk_goes_on_where_the_automaton_is_stuck() {
        let (formula, _) = parse_ltl("G ! p", Span::default()).unwrap();
        let automaton = translate(&formula).unwrap().ba;
        let product = Product::new(&Clock, &automaton, &Clock, FiniteRuns::Stutter);
        let mut buffer = SuccessorBuffer::new();
        let mut state = product.initial().unwrap();
        for number in 0..20 {
            assert_eq!(system_part(&state), [number % 10]);
            buffer.clear();
            product.expand_all(&state, &mut buffer);
            assert_eq!(buffer.is_empty(), number % 10 >= 3, "{number}");
            buffer.clear();
            product.expand_for_walk(&state, &mut buffer);
            state = buffer.get(0).and_then(|successor| successor.state).expect("it goes on").to_vec();
        }
    }
}
