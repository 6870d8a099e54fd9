//! Ample sets decided before the search (Holzmann and Peled: An improvement in formal
//! verification).
//!
//! A location of a process is *safe* if all transitions of the process there, the disabled ones
//! included, are independent of all transitions that other processes ever take, and others cannot
//! enable the disabled ones, at least while some conditions hold (see `facts::Safety`). In a state,
//! the enabled transitions of a process at a safe location are a candidate. During the search this
//! is a look-up in a table.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::EdgeId;
use ample_network::Network;
use ample_network::facts::{Condition, Facts, InstanceId, Safety};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::{Candidate, Expander, Move, Pid, SuccessorBuffer};

use crate::lookup::Lookup;

/// Ample sets decided before the search.
pub static STATIC: Part = Part {
    name: "static",
    kind: PartKind::Expander,
    summary: "a process whose statements nobody can disturb moves first; decided before the search",
    paper: Some("Holzmann and Peled: An improvement in formal verification (FORTE 1994)"),
    guarantee: Guarantee::STUTTERING,
};

/// Offers the enabled transitions of one process at a safe location: the candidates are in the
/// order in which the successors are.
pub struct StaticAmple<'n> {
    lookup: Lookup<'n>,
    /// Whether the source of each edge of each process is safe.
    rules: IndexVec<InstanceId, IndexVec<EdgeId, Rule>>,
}

/// When a location is safe.
#[derive(Clone)]
enum Rule {
    Never,
    Always,
    When(Vec<Condition>),
}

impl<'n> StaticAmple<'n> {
    /// Prepares the table of safe locations.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let rule = |instance: InstanceId, location| match facts.safety(instance, location) {
            Safety::Never(_) => Rule::Never,
            Safety::Always => Rule::Always,
            Safety::When(conditions) => Rule::When(conditions.clone()),
        };
        let rules = |(number, instance): (usize, &ample_network::Instance)| {
            let edges = network.model.templates[instance.template].edges.iter();
            edges.map(|edge| rule(InstanceId::from_index(number), edge.source)).collect()
        };
        let rules = network.instances.iter().enumerate().map(rules).collect();
        StaticAmple { lookup: Lookup::new(network, facts), rules }
    }

    /// Whether the process that makes this move is at a safe location: its enabled transitions are
    /// then an ample set.
    #[inline]
    pub(crate) fn is_safe(&self, state: &[u8], step: Move, successors: &SuccessorBuffer) -> bool {
        let Some(instance) = self.lookup.instance(state, step.process) else { return false };
        match &self.rules[instance][step.edge] {
            Rule::Never => false,
            Rule::Always => true,
            Rule::When(conditions) => conditions.iter().all(|condition| self.holds(state, *condition, successors)),
        }
    }

    fn holds(&self, state: &[u8], condition: Condition, successors: &SuccessorBuffer) -> bool {
        match condition {
            Condition::Enabled(transition) => successors.iter().any(|successor| {
                let first = successor.moves.first();
                first.and_then(|step| self.lookup.transition(state, *step)) == Some(transition)
            }),
            of_channel => self.lookup.holds(state, of_channel),
        }
    }
}

impl Expander for StaticAmple<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let mut before = None;
        let mut offered = 0;
        // The transitions of one process follow each other. A loop by hand: this is asked in every
        // state, and iterators took a fifth more instructions here.
        for successor in successors.iter() {
            let Some(&step) = successor.moves.first() else { return false };
            if before.replace(step.process) == Some(step.process) || !self.is_safe(state, step, successors) {
                continue;
            }
            candidate.transitions.clear();
            candidate.transitions.extend(moves_of(successors, step.process));
            if candidate.transitions.len() == successors.len() {
                continue;
            }
            if offered == number {
                return true;
            }
            offered += 1;
        }
        false
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// The numbers of the successors in whose first move a process takes part.
pub(crate) fn moves_of(successors: &SuccessorBuffer, pid: Pid) -> impl Iterator<Item = usize> {
    let is_one = move |step: &Move| step.process == pid || step.partner.is_some_and(|(partner, _)| partner == pid);
    let numbered = successors.iter().enumerate();
    numbered.filter(move |(_, successor)| successor.moves.first().is_some_and(is_one)).map(|(number, _)| number)
}
