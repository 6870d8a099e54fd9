//! The control flow of processes, as far as transitions are let into it: kept without cycles, or
//! looked through for them.
//!
//! A cycle of states takes each process that moves on it round a cycle of its control flow, or lets
//! it end and come to be again. So what is to happen on every cycle of states can be looked for on
//! the cycles of single processes.

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, TransitionId};
use ample_stdx::{BitSet, IndexVec};

/// A step of a process: where from, where to.
type Step = (InstanceId, LocationId, LocationId);

/// The steps that some transitions take processes along.
pub(crate) struct ControlFlow {
    steps: IndexVec<InstanceId, IndexVec<LocationId, Vec<LocationId>>>,
}

impl ControlFlow {
    /// Without any step.
    pub fn new(network: &Network<'_>) -> Self {
        let locations = |instance: &ample_network::Instance| network.model.templates[instance.template].locations.len();
        let none = |instance| IndexVec::from_elem(Vec::new(), locations(instance));
        ControlFlow { steps: network.instances.iter().map(none).collect() }
    }

    /// With the steps of these transitions.
    pub fn of(network: &Network<'_>, facts: &Facts, transitions: impl Iterator<Item = TransitionId>) -> Self {
        let mut flow = ControlFlow::new(network);
        for step in transitions.flat_map(|id| steps(facts, id)) {
            flow.add(step);
        }
        flow
    }

    /// Adds the steps of these transitions, all of them; `false`, and nothing is added, if that
    /// would close a cycle.
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

    fn closes_cycle(&self, (instance, from, to): Step) -> bool {
        let steps = &self.steps[instance];
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

    fn add(&mut self, (instance, from, to): Step) -> bool {
        let next = &mut self.steps[instance][from];
        let is_new = !next.contains(&to);
        if is_new {
            next.push(to);
        }
        is_new
    }

    fn remove(&mut self, (instance, from, to): Step) {
        self.steps[instance][from].retain(|next| *next != to);
    }
}

/// The steps that a transition may take processes along.
fn steps(facts: &Facts, id: TransitionId) -> Vec<Step> {
    let transition = &facts.transitions()[id];
    let mut steps = Vec::new();
    for instance in transition.involves().iter() {
        let (left, entered) = transition.moves_of(facts.objects(), instance);
        steps.extend(left.iter().flat_map(|from| entered.iter().map(move |to| (instance, *from, *to))));
    }
    steps
}

/// Whether a transition is a cycle of its own: a participant may be back where it was, or processes
/// that come and go may go on for ever.
pub(crate) fn is_cycle_alone(network: &Network<'_>, facts: &Facts, id: TransitionId) -> bool {
    let transition = &facts.transitions()[id];
    transition.returns() || network.is_guessed && !transition.creates().is_empty()
}
