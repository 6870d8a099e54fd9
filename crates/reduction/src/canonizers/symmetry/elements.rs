//! Scalarsets: what a permutation of the elements of a set does to variables, values and instances.
//!
//! The model says which variables hold elements and which belong to one. Its language allows
//! nothing that tells elements apart, so that every permutation should map the model to itself; it
//! is proved like any other renaming all the same.

use std::collections::BTreeMap;

use ample_model::SlotId;
use ample_stdx::TypedId;

use super::lowering::Lowered;
use super::proof::counterparts;
use super::renaming::{Exchange, Permutation, Renaming};
use super::sorts::{PIDS, SortId, Sorts};
use crate::canonizers::cells::Origin;

const NOWHERE: Origin = Origin { instance: None, edge: None };

/// The renaming that takes each element of a set, by its number in the model, to its target.
pub(super) fn renaming(lowered: &Lowered<'_>, set: usize, target: impl Fn(usize) -> usize) -> Renaming {
    let network = lowered.network;
    let scalarset = &network.model.scalarsets[set];
    let permutation: Permutation = (0..scalarset.size as usize)
        .map(|element| (element as i64, target(element) as i64))
        .filter(|(element, target)| element != target)
        .collect();
    // All variables of a set are of one sort, also those between which no value ever goes.
    let mut sorts = lowered.sorts.clone();
    let holders = scalarset.values.iter().map(|slot| lowered.cells.variable(None, SlotId::index(*slot)));
    let holders: Vec<SortId> = holders.map(Sorts::of_cell).collect();
    holders.iter().for_each(|holder| sorts.join(holders[0], *holder, NOWHERE));
    let root = holders.first().map(|first| sorts.root(*first));
    let values: BTreeMap<usize, Permutation> = root.map(|root| (root, permutation)).into_iter().collect();
    let mut variables: Vec<usize> = (0..lowered.cells.variables).collect();
    for slot in network.model.globals.slots.ids() {
        let permuted = scalarset.permuted(slot, |element| target(element as usize) as u32);
        variables[SlotId::index(slot)] = SlotId::index(permuted);
    }
    let instances: Exchange = network.instances.ids().collect();
    with_instances(lowered, Renaming { instances, variables, sorts, values })
}

/// The renaming with the instances that then do what others did in their place. A program may be
/// one process, or one for each element.
fn with_instances(lowered: &Lowered<'_>, mut renaming: Renaming) -> Renaming {
    let Some(instances) = counterparts(lowered, &renaming) else { return renaming };
    for cell in lowered.network.model.globals.slots.len()..lowered.cells.variables {
        renaming.variables[cell] = Renaming::default_target(lowered, &instances, cell);
    }
    let moved = Renaming::pids(lowered, &instances).into_iter().filter(|(_, from, to)| from != to);
    let numbers: Permutation = moved.map(|(_, from, to)| (from, to)).collect();
    if !numbers.is_empty() {
        renaming.values.insert(renaming.sorts.root(SortId::from_index(PIDS)), numbers);
    }
    renaming.instances = instances;
    renaming
}
