//! Ample sets decided before the search (Holzmann and Peled: An improvement in formal verification).
//!
//! Of every process and location it is known beforehand whether the process may move first: all its transitions there, the
//! disabled ones included, accord with everything that other processes ever do, and others cannot enable what is disabled, at least
//! while some conditions hold (see `facts::Safety`). In a state, the enabled transitions of such a process are a candidate. What is left
//! to do during the search is a look-up in a table.

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Condition, Facts, InstanceId, Safety};
use ample_stdx::TypedId;
use ample_transition::{Expander, Move, Pid, SuccessorBuffer};

/// Chooses the transitions of one process that may move first.
pub struct StaticAmple<'n> {
    network: &'n Network<'n>,
    facts: Facts,
}

impl<'n> StaticAmple<'n> {
    /// Finds out where processes may move first.
    pub fn new(network: &'n Network<'n>) -> Self {
        StaticAmple { network, facts: Facts::new(network) }
    }

    /// Whether the process that makes this move may move first.
    fn may_move_first(&self, state: &[u8], step: Move, successors: &SuccessorBuffer) -> bool {
        let Some((instance, location)) = self.place(state, step) else { return false };
        match self.facts.is_safe(instance, location) {
            Safety::Never(_) => false,
            Safety::Always => true,
            Safety::When(conditions) => conditions.iter().all(|condition| self.holds(state, *condition, successors)),
        }
    }

    /// The process that makes a move, and where it is.
    fn place(&self, state: &[u8], step: Move) -> Option<(InstanceId, LocationId)> {
        let instance = self.instance_in(state, step.process)?;
        let template = self.network.instances[instance.index()].template;
        Some((instance, self.network.model.templates[template].edges[step.edge].source))
    }

    fn instance_in(&self, state: &[u8], pid: Pid) -> Option<InstanceId> {
        let mut numbered = self.network.numbered(pid);
        let is_here =
            |instance: &usize| self.network.is_alone(*instance) || self.network.location_in(state, *instance).is_some();
        numbered.find(is_here).map(InstanceId::from_index)
    }

    fn holds(&self, state: &[u8], condition: Condition, successors: &SuccessorBuffer) -> bool {
        let room = |channel| self.network.messages_in(state, TypedId::index(channel));
        match condition {
            Condition::NotEmpty(channel) => room(channel).is_some_and(|(length, _)| length > 0),
            Condition::NotFull(channel) => room(channel).is_some_and(|(length, capacity)| length < capacity),
            Condition::Enabled(transition) => successors.iter().any(|successor| {
                let first = successor.moves.first();
                let known = first.and_then(|step| self.facts.of_move(*step, |pid| self.instance_in(state, pid)));
                known == Some(transition)
            }),
        }
    }
}

impl Expander for StaticAmple<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, chosen: &mut Vec<usize>) -> bool {
        // What the facts say of guessed processes is true only if no others ever appear, which is not known.
        if self.facts.is_guessed() || !self.network.fits(state) {
            return false;
        }
        let mut before = None;
        let mut offered = 0;
        // The transitions of one process follow each other.
        for successor in successors.iter() {
            let Some(&step) = successor.moves.first() else { return false };
            if before.replace(step.process) == Some(step.process) || !self.may_move_first(state, step, successors) {
                continue;
            }
            chosen.clear();
            chosen.extend(takes_part(successors, step.process));
            if chosen.len() == successors.len() {
                continue;
            }
            if offered == number {
                return true;
            }
            offered += 1;
        }
        false
    }
}

/// The transitions in whose first move a process takes part.
fn takes_part(successors: &SuccessorBuffer, pid: Pid) -> impl Iterator<Item = usize> {
    let is_one = move |step: &Move| step.process == pid || step.partner.is_some_and(|(partner, _)| partner == pid);
    let numbered = successors.iter().enumerate();
    numbered.filter(move |(_, successor)| successor.moves.first().is_some_and(is_one)).map(|(number, _)| number)
}
