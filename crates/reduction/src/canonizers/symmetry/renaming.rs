//! Renamings: a permutation of the instances, with what it does to variables, channels and values.

use std::collections::BTreeMap;

use ample_model::{EdgeId, SlotId};
use ample_network::facts::InstanceId;
use ample_stdx::{IndexVec, TypedId};

use super::lowering::Lowered;
use super::sorts::{CHANNELS, PIDS, SortId, Sorts};
use crate::canonizers::cells::Origin;

/// A permutation of values; those not named stay as they are.
pub(super) type Permutation = BTreeMap<i64, i64>;

/// Which instance takes the place of which.
pub(super) type Exchange = IndexVec<InstanceId, InstanceId>;

/// A renaming of a whole network.
#[derive(Clone, Debug)]
pub(super) struct Renaming {
    pub instances: Exchange,
    /// Which variable takes the place of which, by position among the cells.
    pub variables: Vec<usize>,
    pub sorts: Sorts,
    /// What becomes of values, by the root of their sort.
    pub values: BTreeMap<usize, Permutation>,
}

/// Why a renaming does not map the network to itself.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Obstacle {
    pub kind: ObstacleKind,
    /// What is not the same.
    pub origin: Origin,
    /// What computes with the values that would have to be renamed there.
    pub computes: Option<Origin>,
}

/// What is not the same after a renaming.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum ObstacleKind {
    /// What an instance does.
    Instance,
    /// Variables, channels or values that would be renamed to others of another form.
    Form,
    /// A proposition.
    Property,
    /// Renamings that do not form the group that they should.
    Group,
}

impl Obstacle {
    /// Without a place.
    pub fn of(kind: ObstacleKind) -> Obstacle {
        Obstacle { kind, origin: Origin { instance: None, edge: None }, computes: None }
    }

    /// At an edge of an instance, or elsewhere in it.
    pub fn at(instance: InstanceId, edge: Option<EdgeId>) -> Obstacle {
        let origin = Origin { instance: Some(instance), edge };
        Obstacle { kind: ObstacleKind::Instance, origin, computes: None }
    }
}

impl Renaming {
    /// What a value of a sort becomes.
    pub fn value(&self, sort: SortId, value: i64) -> i64 {
        self.of_root(self.sorts.root(sort), value)
    }

    pub fn of_root(&self, root: usize, value: i64) -> i64 {
        self.values.get(&root).and_then(|values| values.get(&value)).copied().unwrap_or(value)
    }

    /// What a channel becomes, both by number less one.
    pub fn channel(&self, channel: usize) -> Option<usize> {
        let number = self.value(SortId::from_index(CHANNELS), channel as i64 + 1);
        usize::try_from(number).ok()?.checked_sub(1)
    }

    /// The permutation of the values of a cell.
    pub fn of_cell(&self, cell: usize) -> Option<&Permutation> {
        self.values.get(&self.sorts.root(Sorts::of_cell(cell)))
    }

    /// What becomes of a variable if nothing else is known: the same variable of the instance that
    /// takes its owner's place.
    pub fn default_target(lowered: &Lowered<'_>, instances: &Exchange, cell: usize) -> usize {
        let variable = &lowered.cells.list[cell];
        let owner = variable.owner.map(|owner| instances[owner]);
        lowered.cells.variable(owner, SlotId::index(variable.slot))
    }

    /// The numbers of the processes that are exchanged.
    pub fn pids(lowered: &Lowered<'_>, instances: &Exchange) -> Vec<(SortId, i64, i64)> {
        let number = |instance: InstanceId| i64::from(lowered.network.instances[instance].pid);
        let pids = SortId::from_index(PIDS);
        instances.iter_enumerated().map(|(from, to)| (pids, number(from), number(*to))).collect()
    }
}

/// Closes the chains of a one-to-one map: what is mapped to by nothing takes the place of what is
/// mapped to nothing at the other end of its chain.
pub(super) fn close_chains(map: &mut Permutation) {
    let targets: Vec<i64> = map.values().copied().filter(|target| !map.contains_key(target)).collect();
    let mut inverse: BTreeMap<i64, i64> = map.iter().map(|(from, to)| (*to, *from)).collect();
    for end in targets {
        let mut start = end;
        while let Some(before) = inverse.get(&start) {
            start = *before;
        }
        map.insert(end, start);
        inverse.insert(start, end);
    }
    map.retain(|from, to| from != to);
}
