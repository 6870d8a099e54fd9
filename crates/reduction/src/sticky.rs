//! Sticky transitions: a cycle condition that is decided before the search (Kurshan, Levin, Minea, Peled, Yenigün: Static partial order
//! reduction, TACAS 1998).
//!
//! A cycle of states takes each process that moves on it round a cycle of its control flow, or lets it end and come to be again. So if on
//! every cycle of every process's control flow, and wherever processes are created again and again, some transition is *sticky*, and no
//! proper subset contains a sticky one, then every cycle of the reduced system has a state where all transitions are taken: C3, with
//! reduced sets that depend on nothing but the state of the system.
//!
//! Visible transitions are in no proper subset anyway, so they are sticky for free. Of the others those are preferred that depend on many
//! others: the process can seldom go first there.

use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, TransitionId};
use ample_stdx::{BitSet, IndexVec};

/// The transitions that may be in no proper subset: those given, and enough others.
pub fn sticky(network: &Network<'_>, facts: &Facts, mut avoided: BitSet<TransitionId>) -> BitSet<TransitionId> {
    let creates = |id: &TransitionId| network.is_guessed && !facts.transitions()[*id].creates().is_empty();
    let returns = |id: &TransitionId| facts.transitions()[*id].returns();
    avoided.extend(facts.transitions().ids().filter(|id| creates(id) || returns(id)));
    let mut kept: IndexVec<InstanceId, Flow> = network
        .instances
        .iter()
        .map(|instance| Flow::new(network.model.templates[instance.template].locations.len()))
        .collect();
    let mut rest: Vec<TransitionId> = facts.transitions().ids().filter(|id| !avoided.contains(*id)).collect();
    rest.sort_by_key(|id| (conflicts_with_others(facts, *id), *id));
    for id in rest {
        if !keep(facts, id, &mut kept) {
            avoided.insert(id);
        }
    }
    avoided
}

fn conflicts_with_others(facts: &Facts, id: TransitionId) -> usize {
    let mut conflicts = facts.conflicts(id).clone();
    for taken in facts.transitions()[id].identity.participants() {
        conflicts.subtract(facts.of_instance(taken.instance));
    }
    conflicts.len()
}

/// Adds the steps of a transition to the control flow that is kept without cycles; `false`, and nothing is added, if that would close one.
fn keep(facts: &Facts, id: TransitionId, kept: &mut IndexVec<InstanceId, Flow>) -> bool {
    let transition = &facts.transitions()[id];
    let mut steps = Vec::new();
    for instance in transition.involves().iter() {
        let (left, entered) = transition.moves_of(facts.objects(), instance);
        steps.extend(left.iter().flat_map(|from| entered.iter().map(move |to| (instance, *from, *to))));
    }
    let mut added = Vec::new();
    for (instance, from, to) in steps {
        if kept[instance].reaches(to, from) {
            added.into_iter().for_each(|(instance, from, to): (InstanceId, _, _)| kept[instance].remove(from, to));
            return false;
        }
        if kept[instance].add(from, to) {
            added.push((instance, from, to));
        }
    }
    true
}

/// The control flow of a process, as far as it is kept.
struct Flow {
    steps: IndexVec<LocationId, Vec<LocationId>>,
}

impl Flow {
    fn new(locations: usize) -> Flow {
        Flow { steps: IndexVec::from_elem(Vec::new(), locations) }
    }

    fn add(&mut self, from: LocationId, to: LocationId) -> bool {
        let is_new = !self.steps[from].contains(&to);
        if is_new {
            self.steps[from].push(to);
        }
        is_new
    }

    fn remove(&mut self, from: LocationId, to: LocationId) {
        self.steps[from].retain(|next| *next != to);
    }

    fn reaches(&self, from: LocationId, to: LocationId) -> bool {
        let mut seen = BitSet::new();
        seen.insert(from);
        let mut open = vec![from];
        while let Some(location) = open.pop() {
            if location == to {
                return true;
            }
            open.extend(self.steps[location].iter().copied().filter(|next| seen.insert(*next)));
        }
        false
    }
}
