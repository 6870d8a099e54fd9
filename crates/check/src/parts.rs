//! All parts that exist: the registries, one after the other.

use ample_guarantee::Part;
use ample_reduction::{CYCLE_CONDITIONS, EXPANDERS, SLEEP_SETS};
use ample_search::{EMPTINESS, ORDERS};
use ample_store::STORES;

use crate::run::under;

/// Every part, those of a kind in the order in which help lists them.
pub fn parts() -> impl Iterator<Item = &'static Part> {
    // Help has always named breadth first, which is both parallel and aware of depth, last.
    let orders = |is_last: bool| {
        let is_wanted = move |order: &&ample_search::OrderEntry| (order.is_parallel && order.knows_depth) == is_last;
        ORDERS.iter().filter(is_wanted).map(|entry| entry.part)
    };
    let general = ample_guarantee::parts::REGISTRY.iter().copied();
    general
        .chain(under::parts())
        .chain(EXPANDERS.iter().map(|entry| entry.part))
        .chain(CYCLE_CONDITIONS.iter().map(|entry| entry.part))
        .chain(SLEEP_SETS.iter().map(|entry| entry.part))
        .chain(STORES.iter().map(|entry| entry.part))
        .chain(EMPTINESS.iter().map(|entry| entry.part))
        .chain(orders(false))
        .chain(orders(true))
}
