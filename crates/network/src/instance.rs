//! The processes of a network.

use ample_model::{LocationId, SlotId, TemplateId};
use ample_stdx::{IndexVec, TypedId, typed_id};
use ample_transition::Pid;

typed_id! {
    /// An instance of a [`Network`](crate::Network), by its position.
    #[derive(Default)]
    pub struct InstanceId;
}

/// A process of a network.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its number.
    pub pid: Pid,
    /// What it runs.
    pub template: TemplateId,
    /// Its variables that never change once it exists, with their values: parameters, and channels
    /// of its own.
    pub constants: IndexVec<SlotId, Option<i64>>,
    /// Its priority, if that never changes.
    pub priority: Option<u8>,
    /// What is added to its location in a state, so that instances with the same number can be told
    /// apart.
    pub first_location: u32,
    /// How many locations its template has.
    pub locations: u32,
}

impl Instance {
    /// Where it is, if the location in a state says that it exists. Location 0 is none.
    pub fn location_at(&self, stored: i64) -> Option<LocationId> {
        let location = (stored as u32).checked_sub(self.first_location)?;
        (location > 0 && location < self.locations).then(|| LocationId::from_index(location as usize))
    }

    /// Some variables may change after all.
    pub(crate) fn forget(&mut self, changes: impl Fn(SlotId) -> bool) {
        for (slot, constant) in self.constants.iter_enumerated_mut() {
            *constant = constant.filter(|_| !changes(slot));
        }
    }

    /// How a location is stored.
    pub fn stored(&self, location: LocationId) -> i64 {
        (location.index() as u32 + self.first_location) as i64
    }
}
