//! What a process may still do from where it is: its control flow, followed to the end.

use ample_model::LocationId;
use ample_stdx::{BitSet, IndexVec};

use crate::Network;
use crate::facts::{Facts, InstanceId, Object, TransitionId};

/// For each place of a process, the transitions that it may take there and from there on.
pub struct Futures {
    /// Every process with its places.
    pub places: IndexVec<InstanceId, IndexVec<LocationId, Place>>,
    /// The transitions that each process may ever take part in once it is created.
    pub lives: IndexVec<InstanceId, BitSet<TransitionId>>,
}

/// A process at a location.
#[derive(Clone, Default)]
pub struct Place {
    /// The transitions that begin or pass here: those of the process, as the one that moves or as
    /// its partner, and those of others that may take it along.
    pub here: Vec<TransitionId>,
    /// Those of them by which the process may leave: after them it may be elsewhere, or have ended.
    pub leaving: Vec<TransitionId>,
    /// The locations that the process may reach, this one included.
    pub reachable: BitSet<LocationId>,
    /// The transitions that the process may take part in from here on, also those after it has
    /// ended and was created again.
    pub future: BitSet<TransitionId>,
    /// The processes that it may create, those that these may create, and so on.
    pub creates: BitSet<InstanceId>,
}

type Places = IndexVec<InstanceId, IndexVec<LocationId, Place>>;

impl Futures {
    /// Follows the control flow of every process.
    pub fn new(network: &Network<'_>, facts: &Facts) -> Futures {
        let mut places = empty(network, facts);
        let steps = steps(facts, &mut places);
        for (instance, locations) in places.iter_enumerated_mut() {
            for location in locations.ids() {
                let reachable = reachable(&steps[instance], location);
                let mut future = BitSet::new();
                for at in reachable.iter() {
                    future.extend(locations[at].here.iter().copied());
                }
                locations[location].reachable = reachable;
                locations[location].future = future;
            }
        }
        let entry = |instance: InstanceId| network.template(instance).entry;
        let lives: IndexVec<InstanceId, BitSet<TransitionId>> =
            places.iter_enumerated().map(|(instance, locations)| locations[entry(instance)].future.clone()).collect();
        add_created(facts, &lives, &mut places);
        // Without numbers, there is another instance for each process that may still be created.
        if network.is_guessed && !facts.numbering().is_anonymous() {
            add_other_lives(network, &lives, &mut places);
        }
        Futures { places, lives }
    }
}

fn empty(network: &Network<'_>, facts: &Facts) -> Places {
    let place = |instance: InstanceId, location: LocationId| Place {
        here: facts.at(instance, location).to_vec(),
        ..Place::default()
    };
    let of_instance = |(id, instance): (InstanceId, &crate::Instance)| {
        let locations = network.model.templates[instance.template].locations.ids();
        locations.map(|location| place(id, location)).collect()
    };
    network.instances.iter_enumerated().map(of_instance).collect()
}

/// Where transitions lead from each location; adds to each place the transitions that leave it.
fn steps(facts: &Facts, places: &mut Places) -> IndexVec<InstanceId, IndexVec<LocationId, BitSet<LocationId>>> {
    let mut steps: IndexVec<InstanceId, IndexVec<LocationId, BitSet<LocationId>>> =
        places.iter().map(|locations| IndexVec::from_elem(BitSet::new(), locations.len())).collect();
    for (id, transition) in facts.transitions().iter_enumerated() {
        let entered: Vec<(InstanceId, LocationId)> =
            transition.enters.iter().filter_map(|object| at(facts, object)).collect();
        for (instance, location) in transition.leaves.iter().filter_map(|object| at(facts, object)) {
            let place = &mut places[instance][location];
            place.leaving.push(id);
            if !place.here.contains(&id) {
                place.here.push(id);
            }
            let targets = entered.iter().filter(|(entering, _)| *entering == instance);
            steps[instance][location].extend(targets.map(|(_, target)| *target));
        }
    }
    steps
}

fn at(facts: &Facts, object: crate::facts::ObjectId) -> Option<(InstanceId, LocationId)> {
    match facts.objects().get(object) {
        Object::At(instance, location) => Some((instance, location)),
        _ => None,
    }
}

fn reachable(steps: &IndexVec<LocationId, BitSet<LocationId>>, from: LocationId) -> BitSet<LocationId> {
    let mut reached = BitSet::new();
    reached.insert(from);
    let mut open = vec![from];
    while let Some(location) = open.pop() {
        for next in steps[location].iter() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// Adds to each place the processes that may be created from there on.
fn add_created(facts: &Facts, lives: &IndexVec<InstanceId, BitSet<TransitionId>>, places: &mut Places) {
    let created_in = |future: &BitSet<TransitionId>| {
        let mut created = BitSet::new();
        for id in future.iter() {
            created.union_with(facts.transitions()[id].creates());
        }
        created
    };
    let children: IndexVec<InstanceId, BitSet<InstanceId>> = lives.iter().map(created_in).collect();
    for place in places.iter_mut().flat_map(|locations| locations.iter_mut()) {
        let mut open: Vec<InstanceId> = created_in(&place.future).iter().collect();
        while let Some(created) = open.pop() {
            if place.creates.insert(created) {
                open.extend(children[created].iter());
            }
        }
    }
}

/// Where a process may be created again, everything that it does then is in its future, too, and
/// every place that it comes to.
fn add_other_lives(network: &Network<'_>, lives: &IndexVec<InstanceId, BitSet<TransitionId>>, places: &mut Places) {
    let mut creatable = BitSet::new();
    for place in places.iter().flat_map(|locations| locations.iter()) {
        creatable.union_with(&place.creates);
    }
    for instance in creatable.iter() {
        let entry = network.template(instance).entry;
        let reachable = places[instance][entry].reachable.clone();
        for place in places[instance].iter_mut() {
            place.future.union_with(&lives[instance]);
            place.reachable.union_with(&reachable);
        }
    }
}
