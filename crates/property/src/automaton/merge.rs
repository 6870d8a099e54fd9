//! Merging states with the negation as a judge.
//!
//! To merge two states only adds words. So the merged automaton is right if and only if it has no
//! word in common with an automaton of the complement; and for a formula that one is at hand. This
//! finds what no simulation sees. It is quadratic in the states, each time with a product, so only
//! for small automata.

use ample_stdx::{IndexVec, TypedId};

use super::emptiness::Overlap;
use super::{Automaton, Edge, Marks, StateId};

/// Beyond this number of pairs of states that are looked at the search for merges takes too long.
const MOST_PAIRS: usize = 1_000_000;

impl Automaton {
    /// Merges states while the language stays. `complement` accepts exactly the words that `self`
    /// does not.
    pub(crate) fn merge_states(&mut self, complement: &Automaton) {
        let count = self.state_count();
        let product = self.edge_count().max(count) * complement.edge_count().max(1) / complement.state_count().max(1);
        if count * count * product > MOST_PAIRS {
            return;
        }
        let complement = self.adopt(complement);
        let is_state_based = self.is_state_based();
        // Without the judge, because of too many marks or too large labels, nothing is merged.
        let Some(overlap) = Overlap::new(self, &complement) else { return };
        let mut is_gone = vec![false; count];
        // One pass is enough: merges only add words, so two states that cannot be merged now cannot
        // be later.
        for b in 1..count {
            for a in (0..b).filter(|&a| !is_gone[a]).collect::<Vec<_>>() {
                let edges = self.merged_edges(StateId::from_index(a), StateId::from_index(b), is_state_based);
                let initial = if self.initial.index() == b { StateId::from_index(a) } else { self.initial };
                let merged = Automaton { labels: crate::Bdds::new(), initial, edges, ..*self };
                if overlap.is_empty(&merged) {
                    self.initial = merged.initial;
                    self.edges = merged.edges;
                    is_gone[b] = true;
                    break;
                }
            }
        }
        self.trim();
    }

    /// The edges with `b` merged into `a`. Where acceptance belongs to the states, the merged one
    /// is accepting if one of the two was.
    fn merged_edges(&self, a: StateId, b: StateId, is_state_based: bool) -> IndexVec<StateId, Vec<Edge>> {
        let mut edges = self.edges.clone();
        let moved = std::mem::take(&mut edges[b]);
        edges[a].extend(moved);
        for state in self.states() {
            for edge in edges[state].iter_mut().filter(|edge| edge.target == b) {
                edge.target = a;
            }
        }
        if is_state_based {
            let marks = edges[a].iter().fold(Marks::NONE, |marks, edge| marks.union(edge.marks));
            edges[a].iter_mut().for_each(|edge| edge.marks = marks);
        }
        edges
    }
}
