//! Interleaving locations (Pelánek: Reduction and abstraction techniques for model checking, 2006, section 3.3.3): an under-approximation.
//!
//! At an interleaving location a process takes its turn with all others; elsewhere it goes first, alone. At the beginning no location is
//! interleaving: one process runs until it cannot go on. With each location that becomes interleaving more is explored.
//!
//! Processes are asked in a fixed order, those only that can move (else there would be false deadlocks). They take turns up to and
//! including the first one that is at a location that is not interleaving. To let that one go alone, as the thesis has it, would not be
//! monotone: when the location of an earlier process becomes interleaving, the choice would fall on a later one, and what the earlier
//! one did before would no longer be explored. This way each graph contains the one before.
//!
//! What is explored is exact when each location at which processes still go first is such that they may (see `facts::Safety`: nobody can
//! disturb or enable what they do there), the property sees nothing of it, and on each cycle of a process's control flow there is one
//! location where they do not (the thesis leaves that open; THEORY section 2). For then it contains a reduced system that is exact: the one
//! in which the process that may go first goes alone. Which locations may stay so is settled beforehand ([`Interleaving::may_stay`]).

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, Safety, TransitionId};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{Candidate, Expander, Move, Pid, SuccessorBuffer};

use crate::control_flow::{ControlFlow, is_cycle_alone};
use crate::static_ample::{StaticAmple, takes_part};
use crate::sticky::sticky_besides;
use crate::view::View;

/// What a process does at a location.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It goes first.
    First,
    /// It goes first where nobody can disturb it.
    FirstIfSafe,
    /// It takes its turn: the location is interleaving.
    Takes,
}

/// What each process does at each location.
pub type Turns = IndexVec<InstanceId, IndexVec<LocationId, Turn>>;

/// Lets processes go first by where they are.
pub struct Interleaving<'n> {
    view: View<'n>,
    safe: StaticAmple<'n>,
    turns: Turns,
    otherwise: Option<Box<dyn Expander + 'n>>,
}

impl<'n> Interleaving<'n> {
    /// With these turns; where all processes take turns, `otherwise` chooses, or everything is taken.
    pub fn new(
        network: &'n Network<'n>,
        facts: &'n Facts,
        turns: Turns,
        otherwise: Option<Box<dyn Expander + 'n>>,
    ) -> Self {
        let (view, safe) = (View::new(network, facts), StaticAmple::new(network, facts));
        Interleaving { view, safe, turns, otherwise }
    }

    /// Everybody goes first everywhere.
    pub fn none_interleaving(network: &Network<'_>) -> Turns {
        let locations = |instance: &ample_network::Instance| network.model.templates[instance.template].locations.len();
        let first = |instance| IndexVec::from_elem(Turn::First, locations(instance));
        network.instances.iter().map(first).collect()
    }

    /// What each process may still do at each location when the approximation is exact; and the transitions that an expander must avoid
    /// that chooses where all take turns.
    pub fn may_stay(
        network: &Network<'_>,
        facts: &Facts,
        visible: &BitSet<TransitionId>,
    ) -> (Turns, BitSet<TransitionId>) {
        let mut flow = ControlFlow::new(network);
        let mut turns = Interleaving::none_interleaving(network);
        let is_fit = |id: &TransitionId| !visible.contains(*id) && !is_cycle_alone(network, facts, *id);
        for (instance, locations) in turns.iter_enumerated_mut() {
            for (location, turn) in locations.iter_enumerated_mut() {
                let here = facts.at(instance, location);
                let mut is_kept = || here.iter().all(is_fit) && flow.keep(facts, here.iter().copied());
                *turn = match facts.is_safe(instance, location) {
                    Safety::Always if is_kept() => Turn::First,
                    Safety::When(_) if is_kept() => Turn::FirstIfSafe,
                    _ => Turn::Takes,
                };
            }
        }
        let avoided = sticky_besides(network, facts, visible.clone(), &mut flow);
        (turns, avoided)
    }

    fn goes_first(&self, state: &[u8], step: Move, successors: &SuccessorBuffer) -> bool {
        let instance = self.view.instance(state, step.process);
        let place = instance.and_then(|instance| Some((instance, self.view.location(state, instance)?)));
        place.is_some_and(|(instance, location)| match self.turns[instance][location] {
            Turn::First => true,
            Turn::FirstIfSafe => self.safe.may_move_first(state, step, successors),
            Turn::Takes => false,
        })
    }

    /// Writes the transitions of all processes up to the first that goes first. `false` if none does.
    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, transitions: &mut Vec<usize>) -> bool {
        transitions.clear();
        let mut before: Option<Pid> = None;
        // The transitions of one process follow each other.
        for successor in successors.iter() {
            let Some(&step) = successor.moves.first() else { return false };
            if before.replace(step.process) == Some(step.process) {
                continue;
            }
            transitions.extend(takes_part(successors, step.process));
            if self.goes_first(state, step, successors) {
                transitions.sort_unstable();
                transitions.dedup();
                return true;
            }
        }
        false
    }
}

impl Expander for Interleaving<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        if self.choose(state, successors, &mut candidate.transitions) {
            return number == 0 && candidate.transitions.len() < successors.len();
        }
        let otherwise = self.otherwise.as_ref();
        otherwise.is_some_and(|expander| expander.candidate(state, successors, number, candidate))
    }
}
