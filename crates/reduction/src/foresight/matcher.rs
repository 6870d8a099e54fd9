//! The regions of a packed state.

use ample_model::LocationId;
use ample_network::facts::InstanceId;
use ample_network::{Network, SlotPlace};
use ample_stdx::{BitSet, TypedId};

use super::region::{Region, nowhere};
use crate::canonizers::cells::Names;

/// Finds the first region that a packed state is in.
#[derive(Debug)]
pub(super) struct Matcher {
    regions: Vec<Packed>,
    /// The process by which regions are looked up.
    key: Option<InstanceId>,
    /// For each location of that process the regions that it may be in, in order.
    by_location: Vec<Vec<u32>>,
}

/// A region, by where things lie.
#[derive(Debug)]
struct Packed {
    at: Vec<(InstanceId, BitSet<LocationId>)>,
    within: Vec<(SlotPlace, i64, i64)>,
}

impl Matcher {
    pub fn new(names: &Names<'_>, regions: &[Region]) -> Matcher {
        let network = names.network;
        let packed = |region: &Region| Packed {
            at: region.at.iter().map(|(process, locations)| (*process, locations.clone())).collect(),
            within: region
                .within
                .iter()
                .map(|(cell, interval)| (names.cells.list[*cell].place, interval.low, interval.high))
                .collect(),
        };
        // The process that tells most regions apart.
        let told_apart = |process: &InstanceId| {
            let locations = network.template(*process).locations.len();
            let left_out = |region: &Region| region.at.get(process).map_or(0, |at| locations.saturating_sub(at.len()));
            regions.iter().map(left_out).sum::<usize>()
        };
        let key = network.instances.ids().max_by_key(told_apart);
        let count = key.map_or(1, |process| network.template(process).locations.len());
        let may_be = |location: usize| {
            let is_one = |region: &Region| {
                let at = key.and_then(|process| region.at.get(&process));
                at.is_none_or(|at| at.contains(LocationId::from_index(location)))
            };
            (0..).zip(regions).filter(|(_, region)| is_one(region)).map(|(number, _)| number).collect()
        };
        let by_location = (0..count).map(may_be).collect();
        Matcher { regions: regions.iter().map(packed).collect(), key, by_location }
    }

    /// The number of the first region that the state is in.
    #[inline]
    pub fn find(&self, network: &Network<'_>, state: &[u8]) -> Option<usize> {
        let location = self.key.and_then(|process| network.location_in(state, process)).unwrap_or(nowhere());
        let candidates = self.by_location.get(location.index())?;
        let found = candidates.iter().find(|number| is_in(network, &self.regions[**number as usize], state));
        found.map(|number| *number as usize)
    }
}

#[inline]
fn is_in(network: &Network<'_>, region: &Packed, state: &[u8]) -> bool {
    let is_between = |(place, low, high): &(SlotPlace, i64, i64)| {
        let value = place.value_in(state);
        *low <= value && value <= *high
    };
    let is_there = |(process, locations): &(InstanceId, BitSet<LocationId>)| {
        locations.contains(network.location_in(state, *process).unwrap_or(nowhere()))
    };
    region.within.iter().all(is_between) && region.at.iter().all(is_there)
}
