//! Reduction by direct and reverse simulation, acceptance included.
//!
//! A state is simulated by another if each of its edges, letter by letter, has a counterpart with
//! at least its marks to a state that simulates the target (Etessami, Wilke and Schuller, SIAM J.
//! Computing 2005; on transitions: Babiak et al., SPIN 2013). States that simulate each other are
//! merged, and an edge that another one surpasses is dropped. Reverse simulation is the same on
//! incoming edges (Somenzi and Bloem, CAV 2000).

use ample_stdx::{IndexVec, TypedId};

use super::{Automaton, Edge, Marks, StateId};
use crate::bdd::Bdd;

/// `relation[a][b]`: `b` simulates `a`.
type Relation = IndexVec<StateId, IndexVec<StateId, bool>>;

/// Beyond this number of edges the relation costs too much: each is compared with each.
const MOST_EDGES: usize = 1_000;

impl Automaton {
    /// Reduces by both simulations until nothing changes.
    pub(crate) fn reduce_by_simulation(&mut self) {
        if self.edge_count() > MOST_EDGES {
            return;
        }
        loop {
            let before = (self.state_count(), self.edge_count());
            self.reduce_forwards();
            self.reduce_backwards();
            if (self.state_count(), self.edge_count()) >= before {
                return;
            }
        }
    }

    fn reduce_forwards(&mut self) {
        let outgoing = self.edges.clone();
        let start = |_: StateId, _: StateId| true;
        let relation = self.simulation(&outgoing, &start);
        self.drop_surpassed(&relation, |edge| edge.target);
        self.merge_equivalent(&relation);
        self.trim();
    }

    fn reduce_backwards(&mut self) {
        let incoming = self.incoming();
        let is_state_based = self.is_state_based();
        let own = |state: StateId| self.edges[state].first().map_or(Marks::NONE, |edge| edge.marks);
        let colours: IndexVec<StateId, Marks> = self.states().map(own).collect();
        let initial = self.initial;
        // Where acceptance belongs to the states, merged states must agree on it.
        let start = |a: StateId, b: StateId| {
            (a != initial || b == initial) && (!is_state_based || colours[a].is_subset(colours[b]))
        };
        let relation = self.simulation(&incoming, &start);
        self.edges = incoming;
        self.drop_surpassed(&relation, |edge| edge.target);
        self.edges = self.incoming();
        self.merge_equivalent(&relation);
        self.trim();
    }

    /// The edges turned around: at each state those that lead to it, with their sources as targets.
    fn incoming(&self) -> IndexVec<StateId, Vec<Edge>> {
        let mut incoming = IndexVec::from_elem(Vec::new(), self.state_count());
        for source in self.states() {
            for edge in &self.edges[source] {
                incoming[edge.target].push(Edge { target: source, ..*edge });
            }
        }
        incoming
    }

    /// The largest simulation within `start` on the graph of `edges`.
    fn simulation(
        &mut self,
        edges: &IndexVec<StateId, Vec<Edge>>,
        start: &dyn Fn(StateId, StateId) -> bool,
    ) -> Relation {
        let row = |a: StateId| self.states().map(|b| start(a, b)).collect();
        let mut relation: Relation = self.states().map(row).collect();
        loop {
            let mut changed = false;
            for a in self.states() {
                for b in self.states().filter(|&b| b != a) {
                    if relation[a][b] && !self.is_matched(&edges[a], &edges[b], &relation) {
                        relation[a][b] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return relation;
            }
        }
    }

    /// Whether each edge, letter by letter, has a counterpart.
    fn is_matched(&mut self, edges: &[Edge], others: &[Edge], relation: &Relation) -> bool {
        edges.iter().all(|edge| {
            let mut rest = edge.label;
            for other in others {
                if edge.marks.is_subset(other.marks) && relation[edge.target][other.target] {
                    rest = self.labels.minus(rest, other.label);
                    if rest == Bdd::FALSE {
                        return true;
                    }
                }
            }
            rest == Bdd::FALSE
        })
    }

    /// Takes from each edge the letters with which another edge of the same state surpasses it.
    fn drop_surpassed(&mut self, relation: &Relation, end: impl Fn(&Edge) -> StateId) {
        for state in self.states() {
            let edges = self.edges[state].clone();
            for (at, edge) in edges.iter().enumerate() {
                let mut label = edge.label;
                for (other_at, other) in edges.iter().enumerate() {
                    let (a, b) = (end(edge), end(other));
                    if at == other_at || !relation[a][b] || !edge.marks.is_subset(other.marks) {
                        continue;
                    }
                    // Of two edges that surpass each other, the first one stays.
                    let is_mutual = relation[b][a] && edge.marks == other.marks;
                    if !is_mutual || other_at < at {
                        label = self.labels.minus(label, other.label);
                    }
                }
                self.edges[state][at].label = label;
            }
            self.edges[state].retain(|edge| edge.label != Bdd::FALSE);
        }
    }

    /// Makes one state of those that simulate each other.
    fn merge_equivalent(&mut self, relation: &Relation) {
        let first = |a: StateId| self.states().find(|&b| relation[a][b] && relation[b][a]).unwrap_or(a);
        let representative: IndexVec<StateId, StateId> = self.states().map(first).collect();
        for state in self.states() {
            let representative_of = representative[state];
            let mut edges = std::mem::take(&mut self.edges[state]);
            edges.iter_mut().for_each(|edge| edge.target = representative[edge.target]);
            self.edges[representative_of].extend(edges);
        }
        self.initial = representative[self.initial];
        debug_assert!(self.initial.index() < self.state_count(), "a representative is a state");
    }
}
