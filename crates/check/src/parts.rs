//! All parts that exist: the registries, one after the other.

use ample_guarantee::Part;
use ample_search::{EMPTINESS, ORDERS};

use crate::run::under::{LOOPS, Loop};
use crate::techniques::Techniques;

/// Every part that is built, those of a kind in the order in which help lists them.
pub fn parts() -> impl Iterator<Item = &'static Part> {
    parts_of(&Techniques::default(), LOOPS)
}

/// The same with other techniques and loops.
pub fn parts_of(techniques: &Techniques, loops: &'static [Loop]) -> impl Iterator<Item = &'static Part> + use<> {
    let general = ample_guarantee::parts::REGISTRY.iter().copied();
    general
        .chain(loops.iter().map(|entry| entry.part))
        .chain(techniques.reductions())
        .chain(techniques.stores.iter().map(|entry| entry.part))
        .chain(EMPTINESS.iter().map(|entry| entry.part))
        .chain(ORDERS.iter().map(|entry| entry.part))
        .chain(techniques.classes.iter().map(|entry| entry.part))
}
