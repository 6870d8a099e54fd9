//! The control-flow graphs of processes, restricted to some transitions: built without cycles, or
//! searched for them.
//!
//! A cycle of states takes each process that moves on it round a cycle of its control-flow graph,
//! or lets the process end and be created again. So a transition that is on every cycle of the
//! control-flow graphs is on every cycle of states.

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, TransitionId};
use ample_stdx::{BitSet, IndexVec};

/// An edge of the control-flow graph of a process: a transition may take it from a location to
/// another.
#[derive(Copy, Clone)]
struct Step {
    process: InstanceId,
    from: LocationId,
    to: LocationId,
}

/// The control-flow graphs of all processes, with the steps of some transitions.
pub(crate) struct ControlFlow {
    /// For each process and location, the locations to which a step leads.
    steps: IndexVec<InstanceId, IndexVec<LocationId, Vec<LocationId>>>,
}

impl ControlFlow {
    /// The graphs without any step.
    pub fn new(network: &Network<'_>) -> Self {
        let locations = |instance: &ample_network::Instance| network.model.templates[instance.template].locations.len();
        let none = |instance| IndexVec::from_elem(Vec::new(), locations(instance));
        ControlFlow { steps: network.instances.iter().map(none).collect() }
    }

    /// The graphs with the steps of these transitions.
    pub fn of(network: &Network<'_>, facts: &Facts, transitions: impl Iterator<Item = TransitionId>) -> Self {
        let mut flow = ControlFlow::new(network);
        for step in transitions.flat_map(|id| steps(facts, id)) {
            flow.add(step);
        }
        flow
    }

    /// Adds all steps of these transitions, unless one would close a cycle: then it adds none and
    /// returns `false`.
    pub fn keep(&mut self, facts: &Facts, transitions: impl Iterator<Item = TransitionId>) -> bool {
        let mut added = Vec::new();
        for step in transitions.flat_map(|id| steps(facts, id)) {
            if self.closes_cycle(step) {
                added.into_iter().for_each(|step| self.remove(step));
                return false;
            }
            if self.add(step) {
                added.push(step);
            }
        }
        true
    }

    /// Whether a transition takes some process along a step of a cycle.
    pub fn is_on_cycle(&self, facts: &Facts, id: TransitionId) -> bool {
        steps(facts, id).into_iter().any(|step| self.closes_cycle(step))
    }

    fn closes_cycle(&self, Step { process, from, to }: Step) -> bool {
        let steps = &self.steps[process];
        let mut seen = BitSet::new();
        seen.insert(to);
        let mut open = vec![to];
        while let Some(location) = open.pop() {
            if location == from {
                return true;
            }
            open.extend(steps[location].iter().copied().filter(|next| seen.insert(*next)));
        }
        false
    }

    /// Adds a step. Whether it was not there before.
    fn add(&mut self, Step { process, from, to }: Step) -> bool {
        let next = &mut self.steps[process][from];
        let is_new = !next.contains(&to);
        if is_new {
            next.push(to);
        }
        is_new
    }

    fn remove(&mut self, Step { process, from, to }: Step) {
        self.steps[process][from].retain(|next| *next != to);
    }
}

/// The steps that a transition may take processes along.
fn steps(facts: &Facts, id: TransitionId) -> Vec<Step> {
    let transition = &facts.transitions()[id];
    let mut steps = Vec::new();
    for process in transition.involves().iter() {
        let (left, entered) = transition.moves_of(facts.objects(), process);
        let from_one = |from: &LocationId| {
            let from = *from;
            entered.iter().map(move |to| Step { process, from, to: *to })
        };
        steps.extend(left.iter().flat_map(from_one));
    }
    steps
}

/// Whether a transition may close a cycle by itself: a participant may come back to where it was,
/// or it creates a process of a network in which processes may end and be created without end.
pub(crate) fn is_cycle_alone(network: &Network<'_>, facts: &Facts, id: TransitionId) -> bool {
    let transition = &facts.transitions()[id];
    transition.returns() || network.is_guessed && !transition.creates().is_empty()
}
