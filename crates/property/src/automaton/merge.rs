//! Merging states with the negation as a judge.
//!
//! To merge two states only adds words. So the merged automaton is right if and only if it has no word in common with
//! an automaton of the complement; and for a formula that one is at hand. This finds what no simulation sees. It is
//! quadratic in the states, each time with a product, so only for small automata.

use super::emptiness::Overlap;
use super::{Automaton, Edge, Marks, StateId};

/// Beyond this number of pairs in the product the search for merges takes too long.
const LARGEST_PRODUCT: usize = 2_000;

impl Automaton {
    /// Merges states while the language stays. `complement` accepts exactly the words that `self` does not.
    pub(crate) fn merge_states(&mut self, complement: &Automaton) {
        if self.state_count() * complement.state_count() > LARGEST_PRODUCT {
            return;
        }
        let complement = self.adopt(complement);
        while let Some(smaller) = self.merge_some_pair(&complement) {
            *self = smaller;
        }
    }

    fn merge_some_pair(&mut self, complement: &Automaton) -> Option<Automaton> {
        let is_state_based = self.is_state_based();
        let overlap = Overlap::new(self, complement)?;
        for b in self.states() {
            for a in self.states().take_while(|&a| a < b) {
                let merged = self.with_merged(a, b, is_state_based);
                if overlap.is_empty(&merged) {
                    let mut merged = Automaton { labels: self.labels.clone(), ..merged };
                    merged.trim();
                    return Some(merged);
                }
            }
        }
        None
    }

    /// The automaton with `b` merged into `a`, without its table. Where acceptance belongs to the states, the merged
    /// one is accepting if one of the two was.
    fn with_merged(&self, a: StateId, b: StateId, is_state_based: bool) -> Automaton {
        let redirect = |state: StateId| if state == b { a } else { state };
        let mut edges = self.edges.clone();
        let moved = std::mem::take(&mut edges[b]);
        edges[a].extend(moved);
        for state in self.states() {
            for edge in &mut edges[state] {
                edge.target = redirect(edge.target);
            }
        }
        if is_state_based {
            let marks = edges[a].iter().fold(Marks::NONE, |marks, edge| marks.union(edge.marks));
            edges[a].iter_mut().for_each(|edge: &mut Edge| edge.marks = marks);
        }
        let (initial, labels) = (redirect(self.initial), crate::Bdds::new());
        Automaton { labels, initial, edges, ..*self }
    }
}
