//! Marks on the transitions of a product.

use ample_transition::{Marks, SuccessorBuffer};

use crate::fairness;
use crate::steps::Choice;

/// What is said of the transitions of a product besides where they lead.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Marking {
    /// Nothing: acceptance is read off the states.
    None,
    /// The marks of the automaton.
    Automaton,
    /// The marks of the automaton and those of the processes.
    Fair,
}

impl Marking {
    /// Marks the transitions that were just written to `outer`: for each that leaves the system's
    /// state for another one, or for the staying there, one for each step of the automaton.
    pub fn mark(self, choice: &Choice<'_>, inner: &SuccessorBuffer, outer: &mut SuccessorBuffer) {
        match self {
            Marking::None => {}
            Marking::Automaton if inner.is_empty() => push(choice, Marks::NONE, outer),
            Marking::Automaton => {
                inner.for_each_state(|_| push(choice, Marks::NONE, outer));
            }
            // No process can move.
            Marking::Fair if inner.is_empty() => push(choice, Marks::PROCESSES, outer),
            Marking::Fair => {
                let disabled = fairness::disabled(inner);
                for successor in inner.iter().filter(|successor| successor.state.is_some()) {
                    push(choice, disabled.union(fairness::moved(successor.moves)), outer);
                }
            }
        }
    }
}

/// One for each step of the automaton.
fn push(choice: &Choice<'_>, processes: Marks, outer: &mut SuccessorBuffer) {
    for step in choice.iter() {
        outer.push_marks(Marks::of_automaton(step.marks).union(processes));
    }
}
