//! Sets of states: where processes may be, and between which numbers variables may lie.

use std::collections::BTreeMap;

use ample_model::LocationId;
use ample_network::Interval;
use ample_network::facts::InstanceId;
use ample_stdx::{BitSet, TypedId};

/// The states in which each of some processes is at one of some locations, and each of some
/// variables between two numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Region {
    /// Where processes may be; [`nowhere`] if they need not exist.
    pub at: BTreeMap<InstanceId, BitSet<LocationId>>,
    /// Between which numbers variables lie, by cell.
    pub within: BTreeMap<usize, Interval>,
    /// Whether it has lost a condition on its way, so that it may have states from which no error
    /// can be reached as it says.
    pub is_loose: bool,
}

/// Where a process is that does not exist.
pub(super) fn nowhere() -> LocationId {
    LocationId::from_index(0)
}

impl Region {
    /// Whether all states of another one are in this one.
    pub fn contains(&self, other: &Region) -> bool {
        let at = |(process, locations): (&InstanceId, &BitSet<LocationId>)| {
            other.at.get(process).is_some_and(|others| others.is_subset(locations))
        };
        let within = |(cell, interval): (&usize, &Interval)| {
            other.within.get(cell).is_some_and(|others| interval.contains(*others))
        };
        self.at.iter().all(at) && self.within.iter().all(within)
    }

    /// The region with the states of both and no others, if there is one: they differ in one
    /// process, or in one variable whose intervals leave no gap.
    pub fn joined(&self, other: &Region) -> Option<Region> {
        if !self.at.keys().eq(other.at.keys()) || !self.within.keys().eq(other.within.keys()) {
            return None;
        }
        let mut places = self.at.iter().zip(other.at.values()).filter(|((_, own), locations)| own != locations);
        let mut bounds = self.within.iter().zip(other.within.values()).filter(|((_, own), interval)| own != interval);
        let is_loose = self.is_loose || other.is_loose;
        match (places.next(), bounds.next()) {
            (Some(((process, _), locations)), None) if places.next().is_none() => {
                let mut joined = Region { is_loose, ..self.clone() };
                joined.at.get_mut(process)?.union_with(locations);
                Some(joined)
            }
            (None, Some(((cell, own), interval))) if bounds.next().is_none() && meet(*own, *interval) => {
                let mut joined = Region { is_loose, ..self.clone() };
                joined.within.insert(*cell, own.hull(*interval));
                Some(joined)
            }
            _ => None,
        }
    }

    /// The process is at one of these locations, too; `None` if it cannot be.
    #[must_use]
    pub fn place(&mut self, process: InstanceId, locations: &BitSet<LocationId>) -> Option<()> {
        let own = self.at.entry(process).or_insert_with(|| locations.clone());
        own.intersect_with(locations);
        (!own.is_empty()).then_some(())
    }

    /// The process is at this location; `None` if it cannot be.
    #[must_use]
    pub fn place_at(&mut self, process: InstanceId, location: LocationId) -> Option<()> {
        self.place(process, &std::iter::once(location).collect())
    }

    /// The same without variables.
    pub fn without_data(&self) -> Region {
        Region { within: BTreeMap::new(), is_loose: true, ..self.clone() }
    }

    /// The same with one process alone: that with the fewest locations.
    pub fn of_one_process(&self) -> Region {
        let fewest = self.at.iter().min_by_key(|(_, locations)| locations.len());
        let at = fewest.map(|(process, locations)| (*process, locations.clone())).into_iter().collect();
        Region { at, within: BTreeMap::new(), is_loose: true }
    }
}

/// Whether two intervals leave no gap between them.
fn meet(one: Interval, other: Interval) -> bool {
    let least = one.high.min(other.high);
    one.low.max(other.low).saturating_sub(1) <= least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(at: &[usize], low: i64, high: i64) -> Region {
        let at = at.iter().map(|at| LocationId::from_index(*at)).collect();
        Region {
            at: BTreeMap::from([(InstanceId::from_index(0), at)]),
            within: BTreeMap::from([(0, Interval { low, high })]),
            is_loose: false,
        }
    }

    #[test]
    fn only_what_has_no_other_states_is_joined() {
        assert_eq!(region(&[1], 0, 3).joined(&region(&[2], 0, 3)), Some(region(&[1, 2], 0, 3)));
        assert_eq!(region(&[1], 0, 3).joined(&region(&[1], 4, 5)), Some(region(&[1], 0, 5)));
        assert_eq!(region(&[1], 4, 5).joined(&region(&[1], 0, 3)), Some(region(&[1], 0, 5)));
        assert_eq!(region(&[1], 0, 3).joined(&region(&[1], 2, 5)), Some(region(&[1], 0, 5)));
        assert_eq!(region(&[1], 0, 3).joined(&region(&[1], 5, 6)), None);
        assert_eq!(region(&[1], 5, 6).joined(&region(&[1], 0, 3)), None);
        assert_eq!(region(&[1], 0, 3).joined(&region(&[2], 0, 4)), None);
        assert!(region(&[1, 2], 0, 3).contains(&region(&[1], 1, 3)));
        assert!(!region(&[1], 0, 3).contains(&region(&[1, 2], 1, 3)));
    }
}
