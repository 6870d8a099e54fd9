//! Which edges of which templates were taken.

use ample_model::{EdgeId, TemplateId};
use ample_stdx::{BitSet, TypedId};
use ample_transition::{Pid, Successor, SuccessorBuffer};

/// The template of a process in a state.
pub(crate) type TemplateOf<'a> = &'a (dyn Fn(&[u8], Pid) -> Option<TemplateId> + Sync);

/// The edges that were taken at least once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    edges: Vec<BitSet<EdgeId>>,
}

impl Coverage {
    /// Whether a process with this template took this edge.
    pub fn is_reached(&self, template: TemplateId, edge: EdgeId) -> bool {
        self.edges.get(template.index()).is_some_and(|edges| edges.contains(edge))
    }

    /// Notes the moves of all transitions that leave `state`.
    pub(crate) fn note(&mut self, state: &[u8], successors: &SuccessorBuffer, template_of: TemplateOf<'_>) {
        for successor in successors.iter().chain(successors.passed()) {
            self.note_transition(state, &successor, template_of);
        }
    }

    fn note_transition(&mut self, state: &[u8], successor: &Successor<'_>, template_of: TemplateOf<'_>) {
        for step in successor.moves {
            for (process, edge) in [(step.process, step.edge)].into_iter().chain(step.partner) {
                // A process that is created and moves within one transition is not in the state
                // before it.
                let template = template_of(state, process)
                    .or_else(|| successor.state.and_then(|state| template_of(state, process)));
                if let Some(template) = template {
                    self.reach(template, edge);
                }
            }
        }
    }

    fn reach(&mut self, template: TemplateId, edge: EdgeId) {
        if self.edges.len() <= template.index() {
            self.edges.resize_with(template.index() + 1, BitSet::new);
        }
        self.edges[template.index()].insert(edge);
    }
}
