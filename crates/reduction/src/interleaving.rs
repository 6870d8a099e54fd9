//! Interleaving locations (Pelánek: Reduction and abstraction techniques for model checking, 2006,
//! section 3.3.3): an under-approximation.
//!
//! At an interleaving location a process takes its turn with all others; elsewhere it goes first,
//! alone. At the beginning no location is interleaving: one process runs until it is blocked. With
//! each location that becomes interleaving more is explored.
//!
//! The approximation is exact when each location that is not interleaving is safe (see
//! `facts::Safety`: other processes can neither disturb nor enable the transitions there), no
//! transition there is visible, and on each cycle of a process's control flow there is an
//! interleaving location (the thesis leaves that open; theory.md, section 2). Which locations are
//! interleaving in the exact approximation is settled beforehand ([`Interleaving::exact`]). The
//! reduced set of a state:
//!
//! 1. If a process goes first in the exact approximation, the transitions of this process alone, in
//!    every approximation.
//! 2. Else the transitions of the processes in a fixed order, up to and including the first one
//!    whose location is not interleaving yet.
//! 3. If there is none, all transitions, or a candidate of another expander.
//!
//! Only processes with an enabled transition count, else there would be false deadlocks. To take
//! just the last process of rule 2, as the thesis has it, would not be monotone: when the location
//! of an earlier process becomes interleaving, the choice would fall on a later one, and what the
//! earlier one did before would no longer be explored. This way each graph contains the one before.

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, Safety, TransitionId};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{Candidate, Decorator, Expander, Move, Pid, SuccessorBuffer};

use crate::conditions::sticky_besides;
use crate::control_flow::{ControlFlow, is_cycle_alone};
use crate::lookup::Lookup;
use crate::static_ample::{StaticAmple, moves_of};

/// What a process does at a location.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It goes first.
    First,
    /// It goes first in states where the location is safe.
    FirstIfSafe,
    /// It takes its turn: the location is interleaving.
    Takes,
}

/// What each process does at each location.
pub type Turns = IndexVec<InstanceId, IndexVec<LocationId, Turn>>;

/// The turns of an approximation and those of the exact one that it tends to.
pub struct Schedule {
    /// The turns of the approximation.
    pub now: Turns,
    /// The turns of the exact approximation.
    pub exact: Turns,
}

/// The exact approximation of a network and what is visible.
pub struct Exact {
    /// Its turns.
    pub turns: Turns,
    /// The transitions that must not be in a candidate of the expander that chooses where all
    /// processes take turns: those that are visible, and enough others for the cycle condition.
    pub avoided: BitSet<TransitionId>,
}

/// Offers the transitions of processes that go first at their locations.
pub struct Interleaving<'n> {
    lookup: Lookup<'n>,
    safe: StaticAmple<'n>,
    schedule: Schedule,
    otherwise: Option<Box<dyn Expander + 'n>>,
}

impl<'n> Interleaving<'n> {
    /// An approximation with this schedule. Where all processes take turns, the candidates are
    /// those of `otherwise`, if it is given.
    pub fn new(
        network: &'n Network<'n>,
        facts: &'n Facts,
        schedule: Schedule,
        otherwise: Option<Box<dyn Expander + 'n>>,
    ) -> Self {
        debug_assert!(has_shape(&schedule.now, network) && has_shape(&schedule.exact, network));
        let (lookup, safe) = (Lookup::new(network, facts), StaticAmple::new(network, facts));
        Interleaving { lookup, safe, schedule, otherwise }
    }

    /// The turns of the first approximation: every process goes first at every location.
    pub fn none_interleaving(network: &Network<'_>) -> Turns {
        let locations = |instance: &ample_network::Instance| network.model.templates[instance.template].locations.len();
        let first = |instance| IndexVec::from_elem(Turn::First, locations(instance));
        network.instances.iter().map(first).collect()
    }

    /// The exact approximation, where these transitions are visible.
    pub fn exact(network: &Network<'_>, facts: &Facts, visible: &BitSet<TransitionId>) -> Exact {
        let mut flow = ControlFlow::new(network);
        let mut turns = Interleaving::none_interleaving(network);
        let is_fit = |id: &TransitionId| !visible.contains(*id) && !is_cycle_alone(network, facts, *id);
        for (instance, locations) in turns.iter_enumerated_mut() {
            for (location, turn) in locations.iter_enumerated_mut() {
                let here = facts.at(instance, location);
                let mut is_kept = || here.iter().all(is_fit) && flow.keep(facts, here.iter().copied());
                *turn = match facts.safety(instance, location) {
                    Safety::Always if is_kept() => Turn::First,
                    Safety::When(_) if is_kept() => Turn::FirstIfSafe,
                    _ => Turn::Takes,
                };
            }
        }
        let avoided = sticky_besides(network, facts, visible.clone(), &mut flow);
        Exact { turns, avoided }
    }

    fn goes_first(&self, turns: &Turns, state: &[u8], step: Move, successors: &SuccessorBuffer) -> bool {
        let instance = self.lookup.instance(state, step.process);
        let place = instance.and_then(|instance| Some((instance, self.lookup.location(state, instance)?)));
        place.is_some_and(|(instance, location)| match turns[instance][location] {
            Turn::First => true,
            Turn::FirstIfSafe => self.safe.is_safe(state, step, successors),
            Turn::Takes => false,
        })
    }

    /// Rule 1: writes the transitions of the first process that goes first in the exact
    /// approximation. `false` if none does.
    fn choose_one(&self, state: &[u8], successors: &SuccessorBuffer, transitions: &mut Vec<usize>) -> bool {
        let goes_alone = |step: &Move| self.goes_first(&self.schedule.exact, state, *step, successors);
        let Some(step) = first_moves(successors).find(goes_alone) else { return false };
        transitions.clear();
        transitions.extend(moves_of(successors, step.process));
        true
    }

    /// Rule 2: writes the transitions of all processes up to the first that goes first. `false` if
    /// none does.
    fn choose_some(&self, state: &[u8], successors: &SuccessorBuffer, transitions: &mut Vec<usize>) -> bool {
        transitions.clear();
        for step in first_moves(successors) {
            transitions.extend(moves_of(successors, step.process));
            if self.goes_first(&self.schedule.now, state, step, successors) {
                transitions.sort_unstable();
                transitions.dedup();
                return true;
            }
        }
        false
    }
}

/// Whether there is a turn for every location of every process.
fn has_shape(turns: &Turns, network: &Network<'_>) -> bool {
    let locations = network.instances.ids().map(|instance| network.template(instance).locations.len());
    turns.iter().map(IndexVec::len).eq(locations)
}

/// A first move of each process that has an enabled transition. The successors of one process
/// follow each other, so that it is the first of each group.
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
