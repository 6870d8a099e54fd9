//! Interleaving locations (Pelánek: Reduction and abstraction techniques for model checking, 2006,
//! section 3.3.3): an under-approximation.
//!
//! At an interleaving location a process takes its turn with all others; elsewhere it goes first,
//! alone. At the beginning no location is interleaving: one process runs until it cannot go on.
//! With each location that becomes interleaving more is explored.
//!
//! What is explored is exact when each location at which processes still go first is such that they
//! may (see `facts::Safety`: nobody can disturb or enable what they do there), the property sees
//! nothing of it, and on each cycle of a process's control flow there is one location where they do
//! not (the thesis leaves that open; theory.md, section 2). Which locations may stay so is settled
//! beforehand ([`Interleaving::may_stay`]). In a state:
//!
//! 1. If a process is at such a location, it goes alone, in every approximation.
//! 2. Else processes take turns in a fixed order, up to and including the first one whose location
//!    is not interleaving yet.
//! 3. If there is none, everything is taken, or what another expander chooses.
//!
//! Only processes that can move are asked, else there would be false deadlocks. To let just the one
//! of rule 2 go, as the thesis has it, would not be monotone: when the location of an earlier
//! process becomes interleaving, the choice would fall on a later one, and what the earlier one did
//! before would no longer be explored. This way each graph contains the one before.

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, Safety, TransitionId};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{Candidate, Decorator, Expander, Move, Pid, SuccessorBuffer};

use crate::conditions::sticky_besides;
use crate::control_flow::{ControlFlow, is_cycle_alone};
use crate::static_ample::{StaticAmple, takes_part};
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
    /// What processes do now, and what they may do in an exact approximation.
    turns: Turns,
    may_stay: Turns,
    otherwise: Option<Box<dyn Expander + 'n>>,
}

impl<'n> Interleaving<'n> {
    /// With these turns, of which some may stay as they are; where all processes take turns,
    /// `otherwise` chooses, or everything is taken.
    pub fn new(
        network: &'n Network<'n>,
        facts: &'n Facts,
        (turns, may_stay): (Turns, Turns),
        otherwise: Option<Box<dyn Expander + 'n>>,
    ) -> Self {
        let (view, safe) = (View::new(network, facts), StaticAmple::new(network, facts));
        Interleaving { view, safe, turns, may_stay, otherwise }
    }

    /// Everybody goes first everywhere.
    pub fn none_interleaving(network: &Network<'_>) -> Turns {
        let locations = |instance: &ample_network::Instance| network.model.templates[instance.template].locations.len();
        let first = |instance| IndexVec::from_elem(Turn::First, locations(instance));
        network.instances.iter().map(first).collect()
    }

    /// What each process may still do at each location when the approximation is exact; and the
    /// transitions that an expander must avoid that chooses where all take turns.
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

    fn goes_first(&self, turns: &Turns, state: &[u8], step: Move, successors: &SuccessorBuffer) -> bool {
        let instance = self.view.instance(state, step.process);
        let place = instance.and_then(|instance| Some((instance, self.view.location(state, instance)?)));
        place.is_some_and(|(instance, location)| match turns[instance][location] {
            Turn::First => true,
            Turn::FirstIfSafe => self.safe.may_move_first(state, step, successors),
            Turn::Takes => false,
        })
    }

    /// Writes the transitions of the first process that goes alone. `false` if none does.
    fn choose_one(&self, state: &[u8], successors: &SuccessorBuffer, transitions: &mut Vec<usize>) -> bool {
        let goes_alone = |step: &Move| self.goes_first(&self.may_stay, state, *step, successors);
        let Some(step) = first_moves(successors).find(goes_alone) else { return false };
        transitions.clear();
        transitions.extend(takes_part(successors, step.process));
        true
    }

    /// Writes the transitions of all processes up to the first that goes first. `false` if none
    /// does.
    fn choose_some(&self, state: &[u8], successors: &SuccessorBuffer, transitions: &mut Vec<usize>) -> bool {
        transitions.clear();
        for step in first_moves(successors) {
            transitions.extend(takes_part(successors, step.process));
            if self.goes_first(&self.turns, state, step, successors) {
                transitions.sort_unstable();
                transitions.dedup();
                return true;
            }
        }
        false
    }
}

/// The first moves, one for each process that can begin a transition: those of one process follow
/// each other.
fn first_moves(successors: &SuccessorBuffer) -> impl Iterator<Item = Move> {
    let mut before: Option<Pid> = None;
    let moves = successors.iter().filter_map(|successor| successor.moves.first().copied());
    moves.filter(move |step| before.replace(step.process) != Some(step.process))
}

impl Decorator for Interleaving<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        self.otherwise.as_deref()
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let transitions = &mut candidate.transitions;
        if self.choose_one(state, successors, transitions) || self.choose_some(state, successors, transitions) {
            return number == 0 && candidate.transitions.len() < successors.len();
        }
        let otherwise = self.otherwise.as_ref();
        otherwise.is_some_and(|expander| expander.candidate(state, successors, number, candidate))
    }
}
