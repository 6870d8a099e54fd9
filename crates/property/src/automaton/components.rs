//! Strongly connected components.

use ample_stdx::{IndexVec, TypedId, components_from, typed_id};

use super::{Automaton, Edge, Marks, StateId};

typed_id! {
    /// Names a component. A component has a larger number than those it reaches.
    pub(crate) struct ComponentId;
}

/// What is known of one component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Component {
    /// Whether there is an edge inside.
    pub is_recurrent: bool,
    /// The marks on the edges inside.
    pub marks: Marks,
}

/// The components of an automaton. Only states that are reachable belong to one.
pub(crate) struct Components {
    pub of: IndexVec<StateId, Option<ComponentId>>,
    pub list: IndexVec<ComponentId, Component>,
    all: Marks,
}

impl Components {
    /// The components of what can be reached.
    pub(crate) fn of(automaton: &Automaton) -> Components {
        Components::search(automaton, Marks::NONE, [automaton.initial])
    }

    /// The components of the graph that is left without the edges that have any of the marks
    /// `without`.
    pub(crate) fn without(automaton: &Automaton, without: Marks) -> Components {
        Components::search(automaton, without, automaton.states())
    }

    fn search(automaton: &Automaton, without: Marks, roots: impl IntoIterator<Item = StateId>) -> Components {
        let is_left = |edge: &&Edge| edge.marks.intersection(without).is_empty();
        let successors = |state: usize| {
            let edges = &automaton.edges[StateId::from_index(state)];
            edges.iter().filter(is_left).map(|edge| edge.target.index())
        };
        let count = automaton.states().len();
        let found = components_from(roots.into_iter().map(TypedId::index), count, successors);
        let component = |state: usize| found.get(state).map(|number| ComponentId::from_index(number as usize));
        let of: IndexVec<StateId, Option<ComponentId>> = (0..count).map(component).collect();
        let found = found.is_cyclic.len();
        let mut list = IndexVec::from_elem(Component { is_recurrent: false, marks: Marks::NONE }, found);
        for state in automaton.states() {
            for edge in automaton.edges[state].iter().filter(is_left) {
                if let Some(component) = of[state]
                    && of[edge.target] == Some(component)
                {
                    let entry: &mut Component = &mut list[component];
                    entry.is_recurrent = true;
                    entry.marks = entry.marks.union(edge.marks);
                }
            }
        }
        Components { of, list, all: automaton.all_marks() }
    }

    /// Whether some run stays in the component and is accepting.
    pub(crate) fn is_accepting(&self, component: ComponentId) -> bool {
        let Component { is_recurrent, marks } = self.list[component];
        is_recurrent && self.all.is_subset(marks)
    }

    /// Whether the two states are reachable and in one component.
    pub(crate) fn are_together(&self, a: StateId, b: StateId) -> bool {
        self.of[a].is_some() && self.of[a] == self.of[b]
    }

    /// Whether the state is in a component with an accepting run.
    pub(crate) fn is_state_accepting(&self, state: StateId) -> bool {
        self.of[state].is_some_and(|component| self.is_accepting(component))
    }
}
