//! An explicit graph: what was explored of a system, in memory.

use std::borrow::Borrow;
use std::hash::Hash;
use std::ops::Range;

use ample_stdx::{IndexVec, Interner, TypedId, typed_id};

typed_id! {
    /// A state of a [`Graph`], by its number.
    pub struct NodeId;
}

/// A transition between two states of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEdge<E> {
    /// The state that it leaves.
    pub from: NodeId,
    /// Where it leads; `None` if an error ends the run.
    pub to: Option<NodeId>,
    /// What is known about it.
    pub about: E,
}

/// States and transitions that were met, for what looks at all of them at once: drawings,
/// comparisons, definitions.
///
/// States are numbered in the order in which they are met; the initial one is the first. `S` is a
/// state, packed unless it is one of a product or of a test; `E` is what is kept of a transition. A
/// search fills a graph through its observer ([`Graph::add`]), or the graph explores by itself,
/// breadth first ([`Graph::explore`]).
#[derive(Clone, Debug)]
pub struct Graph<E, S = Vec<u8>> {
    states: Interner<NodeId, S>,
    edges: Vec<GraphEdge<E>>,
    /// For each state where its transitions stand; `None` if it was not expanded.
    leaving: IndexVec<NodeId, Option<Range<usize>>>,
}

// Not derived: neither states nor what is kept of transitions need a default.
impl<E, S> Default for Graph<E, S> {
    fn default() -> Self {
        Graph { states: Interner::default(), edges: Vec::new(), leaving: IndexVec::new() }
    }
}

impl<E, S: Clone + Eq + Hash> Graph<E, S> {
    /// A graph of the initial state alone.
    pub fn new<Q>(initial: &Q) -> Graph<E, S>
    where
        S: Borrow<Q>,
        Q: ToOwned<Owned = S> + Eq + Hash + ?Sized,
    {
        let mut graph = Graph::default();
        graph.number(initial);
        graph
    }

    /// Explores breadth first, with `expand` to say what leaves a state, until there is no more or
    /// there are more than `max_states` states: then some are not expanded.
    pub fn explore(initial: &S, max_states: usize, mut expand: impl FnMut(&S) -> Vec<(Option<S>, E)>) -> Graph<E, S> {
        let mut graph = Graph::new(initial);
        let mut next = NodeId::from_index(0);
        while graph.states.things().len() <= max_states
            && let Some(state) = graph.states.things().get(next)
        {
            let leaving = expand(state);
            graph.leaving[next] = Some(graph.edges.len()..graph.edges.len());
            for (to, about) in leaving {
                let to = to.map(|to| graph.number(&to));
                graph.add(next, to, about);
            }
            next = NodeId::from_index(next.index() + 1);
        }
        graph
    }

    /// The number of a state, a new one if it was not met before.
    pub fn number<Q>(&mut self, state: &Q) -> NodeId
    where
        S: Borrow<Q>,
        Q: ToOwned<Owned = S> + Eq + Hash + ?Sized,
    {
        let number = self.states.number(state);
        if number.index() == self.leaving.len() {
            self.leaving.push(None);
        }
        number
    }

    /// Adds a transition. All that leave one state are added one after the other.
    pub fn add(&mut self, from: NodeId, to: Option<NodeId>, about: E) {
        let end = self.edges.len();
        let range = self.leaving[from].get_or_insert(end..end);
        debug_assert_eq!(range.end, end, "other transitions were added in between");
        range.end = end + 1;
        self.edges.push(GraphEdge { from, to, about });
    }

    /// All states, by their numbers.
    pub fn states(&self) -> &IndexVec<NodeId, S> {
        self.states.things()
    }

    /// All transitions, in the order in which they were added.
    pub fn edges(&self) -> &[GraphEdge<E>] {
        &self.edges
    }

    /// The transitions alone.
    pub fn into_edges(self) -> Vec<GraphEdge<E>> {
        self.edges
    }

    /// The transitions that leave a state.
    pub fn leaving(&self, state: NodeId) -> &[GraphEdge<E>] {
        self.leaving[state].clone().map_or(&[], |range| &self.edges[range])
    }

    /// Whether what leaves a state is known, even if that is nothing. Of a graph that was filled by
    /// an observer only states that something leaves are.
    pub fn is_expanded(&self, state: NodeId) -> bool {
        self.leaving[state].is_some()
    }

    /// Whether every state is expanded.
    pub fn is_complete(&self) -> bool {
        self.leaving.iter().all(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts up to a bound and begins again, or ends in an error at seven.
    fn counter(bound: u32, max_states: usize) -> Graph<&'static str, u32> {
        Graph::explore(&0, max_states, |state| match *state {
            7 => vec![(None, "fail")],
            state => vec![(Some((state + 1) % bound), "up"), (Some(0), "reset")],
        })
    }

    #[test]
    fn states_are_numbered_as_they_are_met() {
        let graph = counter(3, 100);
        assert!(graph.is_complete());
        assert_eq!(graph.states().iter().copied().collect::<Vec<_>>(), [0, 1, 2]);
        let last = graph.leaving(NodeId::from_index(2));
        let shown: Vec<_> = last.iter().map(|edge| (edge.to.map(TypedId::index), edge.about)).collect();
        assert_eq!(shown, [(Some(0), "up"), (Some(0), "reset")]);
    }

    #[test]
    fn an_error_leads_nowhere_and_ends_nothing_else() {
        let graph = counter(20, 100);
        assert_eq!((graph.states().len(), graph.edges().len(), graph.is_complete()), (8, 15, true));
    }

    #[test]
    fn beyond_the_bound_states_are_met_but_not_expanded() {
        let graph = counter(1_000, 4);
        assert_eq!((graph.states().len(), graph.is_complete()), (5, false));
        assert!(!graph.is_expanded(NodeId::from_index(4)));
    }
}
