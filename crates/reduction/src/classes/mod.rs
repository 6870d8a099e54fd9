//! Classes of states of acyclic spaces, computed on the way back of a depth-first search (Pelánek,
//! section 3.5): one file a representation, one line each in [`CLASSES`].
//!
//! A state is a *control part*, where the processes are, and data. Sets of states are kept by
//! control part: [`masks`] as vectors in which some bytes may be anything, [`exact`] as decision
//! diagrams.

mod acyclicity;
mod bytes;
mod control_part;
mod diagrams;
mod exact;
mod masks;
mod step;
mod term;
mod visited;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::Classes;

use crate::NotHere;

pub use acyclicity::Acyclicity;
use exact::Exact;
use masks::Masks;

/// Depth first, with classes by masks.
pub static ACYCLIC: Part = Part {
    name: "acyclic",
    kind: PartKind::Order,
    summary: "for spaces without cycles: depth first, and what did not matter below a state is forgotten",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.5"),
    guarantee: Guarantee::SAFETY,
};

/// Depth first, with classes of bisimulation.
pub static ACYCLIC_EXACT: Part = Part {
    name: "acyclic-exact",
    kind: PartKind::Order,
    summary: "the same with one state of each class of bisimulation, by decision diagrams, for small models",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.5"),
    guarantee: Guarantee::SAFETY,
};

/// Classes that can be chosen by name, as the order of the search that computes them.
#[derive(Debug)]
pub struct ClassesEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Prepares them for a network.
    pub make: MakeClasses,
}

/// Prepares classes for a network, or says why they do not apply.
pub type MakeClasses = for<'n> fn(&'n Network<'n>, &'n Facts) -> Result<Box<dyn Classes + 'n>, NotHere>;

/// All of them.
pub static CLASSES: &[ClassesEntry] = &[
    ClassesEntry { part: &ACYCLIC, make: |network, facts| Ok(Box::new(Masks::new(network, facts))) },
    ClassesEntry { part: &ACYCLIC_EXACT, make: |network, facts| Ok(Box::new(Exact::new(network, facts)?)) },
];
