//! The system together with an automaton that watches it.
//!
//! A state of the [`Product`] is a state of the system and a state of a Büchi automaton that has read everything before it. A transition
//! of the product lets the automaton read the state of the system, and then the system moves. The automaton does not see what is
//! inside a transition, so it does not step inside `atomic`. Where nothing can move, the system stays for ever and the
//! automaton goes on reading, so that finite runs are extended by stuttering; or they do not count ([`FiniteRuns`]).
//!
//! Invariant: the automaton changes nothing. What leaves the system part of a product state is what leaves it without the automaton,
//! or nothing at all, if the automaton cannot read the state.

mod propositions;

use ample_property::{Automaton, StateId};
use ample_stdx::TypedId;
use ample_transition::{Accepting, Fault, StateLength, SuccessorBuffer, Successors};

pub use propositions::{Evaluated, Propositions, letter};

/// The bytes that the state of the automaton takes behind that of the system: so many that a length which suits a store stays one.
const TAIL: usize = 16;
/// Those of them that are used.
const USED: usize = 4;

/// A system and a state-based Büchi automaton.
pub struct Product<'a> {
    system: &'a dyn Successors,
    automaton: &'a Automaton,
    propositions: &'a dyn Propositions,
    finite: FiniteRuns,
}

/// What becomes of a run that comes to where nothing can move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FiniteRuns {
    /// It stays there for ever, and the automaton goes on reading.
    Stutter,
    /// It is over: only runs in which something moves for ever count.
    End,
}

impl<'a> Product<'a> {
    /// The automaton reads what `propositions` says of the states of the system.
    pub fn new(
        system: &'a dyn Successors,
        automaton: &'a Automaton,
        propositions: &'a dyn Propositions,
        finite: FiniteRuns,
    ) -> Self {
        Product { system, automaton, propositions, finite }
    }

    /// The states in which the automaton can be when it has read this state.
    fn read(&self, system_state: &[u8], automaton_state: StateId) -> Result<Vec<StateId>, Box<Fault>> {
        let letter = self.propositions.letter(system_state)?;
        let mut next: Vec<StateId> =
            self.automaton.successors(automaton_state, letter).map(|(_, target)| target).collect();
        next.sort();
        next.dedup();
        Ok(next)
    }
}

/// Both parts of a product state.
fn split(state: &[u8]) -> (&[u8], StateId) {
    let (system, tail) = state.split_at(state.len().saturating_sub(TAIL));
    let number = tail.first_chunk::<USED>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    (system, StateId::from_index(number as usize))
}

fn join(system: &[u8], automaton: StateId, state: &mut Vec<u8>) {
    state.extend_from_slice(system);
    state.extend_from_slice(&(automaton.index() as u32).to_le_bytes());
    state.extend_from_slice(&[0; TAIL - USED]);
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
        let next = match self.read(system_state, automaton_state) {
            Ok(next) if next.is_empty() => return,
            Ok(next) => next,
            Err(fault) => return buffer.push(&[], &[*fault], None),
        };
        buffer.with_inner(|inner, outer| {
            self.system.expand_all(system_state, inner);
            if inner.is_empty() && self.finite == FiniteRuns::Stutter {
                for &target in &next {
                    outer.push(&[], &[], Some(&mut |state| join(system_state, target, state)));
                }
            }
            for successor in inner.iter() {
                let Some(system_state) = successor.state else { continue };
                for &target in &next {
                    outer.push(successor.moves, &[], Some(&mut |state| join(system_state, target, state)));
                }
            }
        });
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
        self.automaton.is_accepting(split(state).1)
    }
}
