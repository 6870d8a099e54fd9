//! Strongly connected components.

use ample_stdx::{IndexVec, TypedId, typed_id};

use super::{Automaton, Marks, StateId};

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
    /// Tarjan's algorithm (SIAM J. Computing 1972), with a stack of its own.
    pub(crate) fn of(automaton: &Automaton) -> Components {
        Components::search(automaton, Marks::NONE, automaton.states().len(), [automaton.initial])
    }

    /// The components of the graph that is left without the edges that have any of the marks `without`.
    pub(crate) fn without(automaton: &Automaton, without: Marks) -> Components {
        Components::search(automaton, without, automaton.states().len(), automaton.states())
    }

    fn search(
        automaton: &Automaton,
        without: Marks,
        count: usize,
        roots: impl IntoIterator<Item = StateId>,
    ) -> Components {
        let mut search = Tarjan {
            automaton,
            without,
            numbers: IndexVec::from_elem(None, count),
            lowest: IndexVec::from_elem(0, count),
            of: IndexVec::from_elem(None, count),
            open: Vec::new(),
            path: Vec::new(),
            next: 0,
            found: 0,
        };
        for root in roots {
            search.run(root);
        }
        let (of, found) = (search.of, search.found);
        let mut list = IndexVec::from_elem(Component { is_recurrent: false, marks: Marks::NONE }, found);
        for state in automaton.states() {
            for edge in &automaton.edges[state] {
                if let Some(component) = of[state]
                    && of[edge.target] == Some(component)
                    && edge.marks.intersection(without).is_empty()
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

struct Tarjan<'a> {
    automaton: &'a Automaton,
    without: Marks,
    numbers: IndexVec<StateId, Option<u32>>,
    lowest: IndexVec<StateId, u32>,
    of: IndexVec<StateId, Option<ComponentId>>,
    open: Vec<StateId>,
    /// The states on the path, each with the number of the next edge to follow.
    path: Vec<(StateId, usize)>,
    next: u32,
    found: usize,
}

impl Tarjan<'_> {
    fn run(&mut self, root: StateId) {
        if self.numbers[root].is_some() {
            return;
        }
        self.enter(root);
        while let Some((state, edge)) = self.path.last_mut() {
            let state = *state;
            if let Some(taken) = self.automaton.edges[state].get(*edge) {
                *edge += 1;
                if !taken.marks.intersection(self.without).is_empty() {
                    continue;
                }
                match self.numbers[taken.target] {
                    None => self.enter(taken.target),
                    Some(number) if self.of[taken.target].is_none() => {
                        self.lowest[state] = self.lowest[state].min(number);
                    }
                    Some(_) => {}
                }
            } else {
                self.leave(state);
            }
        }
    }

    fn enter(&mut self, state: StateId) {
        self.numbers[state] = Some(self.next);
        self.lowest[state] = self.next;
        self.next += 1;
        self.open.push(state);
        self.path.push((state, 0));
    }

    fn leave(&mut self, state: StateId) {
        self.path.pop();
        let lowest = self.lowest[state];
        if let Some(&(parent, _)) = self.path.last() {
            self.lowest[parent] = self.lowest[parent].min(lowest);
        }
        if Some(lowest) == self.numbers[state] {
            let component = ComponentId::from_index(self.found);
            self.found += 1;
            while let Some(member) = self.open.pop() {
                self.of[member] = Some(component);
                if member == state {
                    break;
                }
            }
        }
    }
}
