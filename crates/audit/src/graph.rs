//! A transition system in memory, full or reduced by recorded choices.

use ample_source::Span;
use ample_stdx::TypedId;
use ample_transition::{FaultKind, GraphEdge, Move, SuccessorBuffer, Successors};

use crate::record::Choices;

/// A fault by its kind and place.
pub(crate) type Seen = (FaultKind, Span);

/// One way to leave a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Transition {
    /// What it is: these moves.
    pub moves: Vec<Move>,
    /// Where it leads; nowhere if an error ends the run.
    pub to: Option<Vec<u8>>,
    /// What goes wrong on the way.
    pub faults: Vec<Seen>,
}

/// All transitions that leave a state.
pub(crate) fn transitions(system: &dyn Successors, state: &[u8], buffer: &mut SuccessorBuffer) -> Vec<Transition> {
    buffer.clear();
    system.expand_all(state, buffer);
    let transition = |successor: ample_transition::Successor<'_>| Transition {
        moves: successor.moves.to_vec(),
        to: successor.state.map(<[u8]>::to_vec),
        faults: successor.faults.iter().map(|fault| (fault.kind, fault.span)).collect(),
    };
    buffer.iter().map(transition).collect()
}

/// An edge of a graph.
pub(crate) struct Edge {
    pub moves: Vec<Move>,
    /// The number of the state that it leads to; none if an error ends the run.
    pub to: Option<usize>,
    pub faults: Vec<Seen>,
}

/// States, the first of which is the initial one, with the transitions that are taken.
pub(crate) struct Graph {
    pub states: Vec<Vec<u8>>,
    pub edges: Vec<Vec<Edge>>,
    /// Whether all transitions of a state are taken.
    pub is_full: Vec<bool>,
    /// Whether there is no more.
    pub is_complete: bool,
}

impl Graph {
    /// What can be reached by the transitions that were chosen, up to so many states. Where no
    /// choice is known, all are taken.
    pub fn explore(system: &dyn Successors, choices: &Choices, max_states: usize) -> Graph {
        let Ok(initial) = system.initial() else {
            return Graph { states: Vec::new(), edges: Vec::new(), is_full: Vec::new(), is_complete: true };
        };
        let (mut buffer, mut is_full) = (SuccessorBuffer::new(), Vec::new());
        let explored = ample_transition::Graph::explore(&initial, max_states, |state| {
            let all = transitions(system, state, &mut buffer);
            let chosen = choices.get(state).and_then(Option::as_ref);
            is_full.push(chosen.is_none_or(|chosen| chosen.len() == all.len()));
            let is_chosen = |number: &usize| chosen.is_none_or(|chosen| chosen.contains(number));
            let taken = all.into_iter().enumerate().filter(|(number, _)| is_chosen(number));
            taken.map(|(_, Transition { moves, to, faults })| (to, (moves, faults))).collect()
        });
        let edge = |edge: &GraphEdge<(Vec<Move>, Vec<Seen>)>| {
            let (moves, faults) = edge.about.clone();
            Edge { moves, to: edge.to.map(TypedId::index), faults }
        };
        let expanded = explored.states().ids().filter(|state| explored.is_expanded(*state));
        let edges = expanded.map(|state| explored.leaving(state).iter().map(edge).collect()).collect();
        let is_complete = explored.is_complete();
        Graph { states: explored.states().iter().cloned().collect(), edges, is_full, is_complete }
    }

    /// The states that were left, and so have edges.
    pub fn expanded(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.edges.len()
    }
}
