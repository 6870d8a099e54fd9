//! The complement of deterministic automata.

use ample_stdx::{IndexVec, TypedId};

use super::{Automaton, Edge, Marks, StateId};
use crate::bdd::Bdd;

impl Automaton {
    /// An automaton for the words that are not accepted; `None` if this one is not deterministic.
    ///
    /// The only run of a word rejects if some mark stops occurring: after a while the complement
    /// guesses which one, and from then on allows only edges without it. (Kurshan's construction,
    /// JCSS 1987, with one copy a mark.)
    pub fn complement(&self) -> Option<Automaton> {
        if !self.is_deterministic() {
            return None;
        }
        let complete = self.completed();
        let count = complete.state_count();
        let copy = |state: StateId, number: usize| StateId::from_index(number * count + state.index());
        let mut edges: IndexVec<StateId, Vec<Edge>> =
            IndexVec::from_elem(Vec::new(), count * (1 + complete.mark_count));
        for state in complete.states() {
            for edge in &complete.edges[state] {
                edges[state].push(Edge { marks: Marks::NONE, ..*edge });
                for mark in (0..complete.mark_count).filter(|&mark| !edge.marks.contains(mark)) {
                    let doubting = copy(edge.target, 1 + mark);
                    edges[state].push(Edge { marks: Marks::NONE, target: doubting, ..*edge });
                    edges[copy(state, 1 + mark)].push(Edge { marks: Marks::one(0), target: doubting, ..*edge });
                }
            }
        }
        let mut complement = Automaton { edges, mark_count: 1, labels: complete.labels, ..*self };
        complement.trim();
        Some(complement)
    }

    /// The automaton with a state, from which nothing is accepted, for the letters that lead
    /// nowhere.
    fn completed(&self) -> Automaton {
        let mut complete = self.clone();
        // With no marks, every infinite run is accepting, and there could be no such state.
        if complete.mark_count == 0 {
            complete.mark_count = 1;
            for state in complete.states() {
                complete.edges[state].iter_mut().for_each(|edge| edge.marks = Marks::one(0));
            }
        }
        let sink = complete.edges.push(Vec::new());
        for state in complete.states() {
            let taken = complete.edges[state].clone();
            let taken = taken.iter().fold(Bdd::FALSE, |all, edge| complete.labels.or(all, edge.label));
            let label = complete.labels.not(taken);
            if label != Bdd::FALSE {
                complete.edges[state].push(Edge { label, marks: Marks::NONE, target: sink });
            }
        }
        complete
    }
}
