//! Where transitions begin.

use ample_model::LocationId;
use ample_stdx::{BitSet, IndexVec};

use crate::facts::ids::TransitionId;
use crate::facts::transition::Transition;
use crate::{InstanceId, Network};

/// The transitions that begin with each process, as the one that moves or as its partner at a
/// rendezvous.
pub(crate) struct Starts {
    /// Those that begin with a process at each of its locations.
    at: IndexVec<InstanceId, IndexVec<LocationId, Vec<TransitionId>>>,
    /// Those that begin with a process anywhere.
    of_instance: IndexVec<InstanceId, BitSet<TransitionId>>,
}

impl Starts {
    pub(crate) fn new(network: &Network<'_>, transitions: &IndexVec<TransitionId, Transition>) -> Starts {
        let none = |instance: InstanceId| IndexVec::from_elem(Vec::new(), network.template(instance).locations.len());
        let mut at: IndexVec<InstanceId, IndexVec<LocationId, Vec<TransitionId>>> =
            network.instances.ids().map(none).collect();
        let mut of_instance = IndexVec::from_elem(BitSet::new(), network.instances.len());
        for (id, transition) in transitions.iter_enumerated() {
            for taken in transition.identity.participants() {
                at[taken.instance][network.template(taken.instance).edges[taken.edge].source].push(id);
                of_instance[taken.instance].insert(id);
            }
        }
        Starts { at, of_instance }
    }

    /// The transitions that begin with a process at this location.
    pub(crate) fn at(&self, instance: InstanceId, location: LocationId) -> &[TransitionId] {
        debug_assert!(self.at.get(instance).is_some_and(|locations| locations.get(location).is_some()));
        self.at.get(instance).and_then(|locations| locations.get(location)).map_or(&[], Vec::as_slice)
    }

    /// The transitions that begin with a process.
    pub(crate) fn of_instance(&self, instance: InstanceId) -> &BitSet<TransitionId> {
        &self.of_instance[instance]
    }
}
