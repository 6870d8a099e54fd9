//! A part of a system as a graph in memory: states as nodes, and the transitions between them with
//! their marks. Its bytes are counted, which those of `ample_transition::Graph` are not: it grows
//! within what a memory limit leaves.

use std::ops::Range;

use ample_transition::{Key, Marks, States, SuccessorBuffer};

use crate::Acceptance;
use crate::key_index::KeyIndex;
use crate::mark_sets::MarkSets;
use crate::stack::Note;

/// The number of a state, in the order in which the states were met; the initial state is 0.
pub(crate) type Node = u32;

/// The number of a transition, in the order in which the states were expanded.
pub(crate) type Edge = usize;

/// A transition that ends in a fault leads nowhere.
const NOWHERE: Node = Node::MAX;

/// The mark of transitions that leave an accepting state.
const ACCEPTING: Marks = Marks::of_automaton(1);

/// States and transitions, as far as they were explored.
pub(crate) struct Graph<'g> {
    acceptance: Acceptance<'g>,
    states: States,
    numbers: KeyIndex,
    mark_sets: MarkSets,
    /// The transitions of each node, if it was expanded.
    expanded: Vec<Option<Range<Edge>>>,
    sources: Vec<Node>,
    targets: Vec<Node>,
    marks: Vec<Note>,
}

impl<'g> Graph<'g> {
    pub fn new(acceptance: Acceptance<'g>) -> Self {
        Graph {
            acceptance,
            states: States::default(),
            numbers: KeyIndex::default(),
            mark_sets: MarkSets::default(),
            expanded: Vec::new(),
            sources: Vec::new(),
            targets: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// The marks that occur again and again on an accepted run.
    pub fn needed(&self) -> Marks {
        match self.acceptance {
            Acceptance::States(_) => ACCEPTING,
            Acceptance::Marks(needed) => needed,
        }
    }

    /// The node of a state, which is added if it is new.
    pub fn node(&mut self, state: &[u8]) -> Node {
        let key = Key::InFull(state);
        let known = self.numbers.find(key, |number| self.states.key(number));
        known.unwrap_or_else(|| {
            let number = self.states.len();
            self.numbers.insert(key, number);
            self.states.push_state(state);
            self.expanded.push(None);
            number
        }) as Node
    }

    pub fn state(&self, node: Node) -> &[u8] {
        match self.states.key(node as usize) {
            Some(Key::InFull(state)) => state,
            _ => {
                debug_assert!(false, "states of the graph are kept in full");
                &[]
            }
        }
    }

    /// Adds the transitions of a node, unless they are known.
    pub fn add_edges(&mut self, node: Node, successors: &SuccessorBuffer) {
        if self.is_expanded(node) {
            return;
        }
        let first = self.targets.len();
        let of_state = match self.acceptance {
            Acceptance::States(accepting) if accepting.is_accepting(self.state(node)) => ACCEPTING,
            _ => Marks::NONE,
        };
        for (number, successor) in successors.iter().enumerate() {
            let target = successor.state.map_or(NOWHERE, |state| self.node(state));
            let marks = match self.acceptance {
                Acceptance::States(_) => of_state,
                Acceptance::Marks(_) => successors.marks(number),
            };
            self.sources.push(node);
            self.targets.push(target);
            self.marks.push(self.mark_sets.number(marks));
        }
        self.expanded[node as usize] = Some(first..self.targets.len());
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_expanded(&self, node: Node) -> bool {
        self.expanded[node as usize].is_some()
    }

    /// The known transitions that leave a node, and where they lead.
    pub fn edges(&self, node: Node) -> impl Iterator<Item = (Edge, Node)> + '_ {
        let edges = self.expanded[node as usize].clone().unwrap_or_default();
        edges.map(|edge| (edge, self.targets[edge])).filter(|(_, target)| *target != NOWHERE)
    }

    pub fn source(&self, edge: Edge) -> Node {
        self.sources[edge]
    }

    pub fn marks(&self, edge: Edge) -> Marks {
        self.mark_sets.get(self.marks[edge])
    }

    /// The number of a transition among those that leave its state.
    pub fn number(&self, edge: Edge) -> usize {
        edge - self.expanded[self.source(edge) as usize].as_ref().map_or(0, |edges| edges.start)
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        let edges = self.targets.capacity() * (2 * size_of::<Node>() + size_of::<Note>());
        let nodes = self.expanded.capacity() * size_of::<Option<Range<Edge>>>();
        self.states.memory() + self.numbers.memory() + edges + nodes
    }
}
