//! The quotient of a state space: a smaller one with a state for each class of equivalent states.

use std::collections::HashSet;

use ample_equivalence::{Limits, Lts, Relation, StateId};
use ample_stdx::{IndexVec, Interner, TypedId};
use ample_transition::{Graph, NodeId};

use super::{Label, LabelId, Leaf, StateSpace, unquoted};

impl<'a> StateSpace<'a> {
    /// The quotient by a relation, or why there is none. `lts` is the same state space as
    /// [`StateSpace::to_lts`] gives it, perhaps with letters.
    ///
    /// Each state of it is shown as the first one that it stands for. It stands for an end of the
    /// system if it is left by nothing, and for an error if all that it stands for are errors.
    pub fn quotient(&self, lts: &Lts, relation: &Relation, limits: &Limits<'_>) -> Result<StateSpace<'a>, String> {
        let made = relation.quotient(lts, limits)?;
        let stands = |state: usize| made.state_of.get(StateId::from_index(state)).copied().flatten();
        // Numbers are given in the order of the first members, so that the one for errors is the
        // last if it is one of its own.
        let leaves = self.leaves();
        let mut graph: Graph<Label> = Graph::default();
        let (mut states, mut ends) = (IndexVec::new(), Vec::new());
        for (node, state) in self.states.iter_enumerated() {
            let Some(class) = stands(node.index()) else { continue };
            let leaf = leaves.get(node.index()).copied().flatten();
            if class.index() == states.len() {
                graph.number(state);
                states.push(state.clone());
                ends.push(leaf);
            }
            let end: &mut Option<Leaf> = &mut ends[class.index()];
            *end = if made.lts.is_terminal(class) { end.or(leaf) } else { None };
        }
        let faulty = self.edges().iter().filter(|edge| edge.about.is_faulty);
        let faulty: HashSet<String> = faulty.map(|edge| unquoted(self.label_of(edge))).collect();
        let mut labels: Interner<LabelId, String> = Interner::default();
        let about: Vec<(LabelId, bool)> = (0..made.lts.label_count())
            .map(|label| made.lts.label(ample_equivalence::LabelId::from_index(label)))
            .map(|text| (labels.number(text), faulty.contains(text)))
            .collect();
        for from in made.lts.states().filter(|state| state.index() < states.len()) {
            for edge in made.lts.edges(from) {
                let (text, is_faulty) = about[edge.label.index()];
                let label = Label { text, is_faulty };
                let to = Some(NodeId::from_index(edge.to.index())).filter(|to| to.index() < states.len());
                graph.add(NodeId::from_index(from.index()), to, label);
            }
        }
        let (subject, known) = (self.subject, Default::default());
        Ok(StateSpace { subject, graph, states, labels, known, ends: Some(ends) })
    }
}
