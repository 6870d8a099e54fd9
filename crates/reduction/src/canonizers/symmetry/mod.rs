//! Symmetry: states that differ only in which of several like processes does what are one
//! (Pelánek, section 3.2.2; Ip and Dill 1996; Emerson and Sistla 1996).
//!
//! - [`lowering`]: what each process does, with its constants put in, as [`terms`]; which variables
//!   and message fields hold values of one meaning, as [`sorts`];
//! - [`search`]: what a permutation of processes does to variables, channels and values, as a
//!   [`renaming`]; [`proof`]: that the renamed network is the network itself, and every proposition
//!   is itself;
//! - [`elements`]: what a permutation of the elements of a scalarset does, which the model says;
//! - [`generators`]: the group that these make, as [`action`]s on states, prepared in [`moves`];
//! - [`closure`]: marks on transitions, made the same for like processes;
//! - [`keys`], [`rotation`] and [`normal_form`]: which state of an orbit stands for it.
//!
//! Nothing is permuted while processes are still created: from then on the processes of the group
//! all exist, since none of them can end, and a state and a permuted one are bisimilar.

mod action;
mod closure;
mod elements;
mod generators;
mod keys;
mod lowering;
mod moves;
mod normal_form;
mod proof;
mod renaming;
mod report;
mod rotation;
mod search;
mod sorts;
mod terms;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::Canonizer;

use self::generators::{Group, group_of};
use self::lowering::Lowered;
use self::normal_form::{NormalForm, Precision};
use super::entry::CanonizerEntry;
use crate::{NotHere, Visible};

pub use report::Symmetries;

/// One state for each orbit.
pub static SYMMETRY: Part = Part {
    name: "symmetry",
    kind: PartKind::Canonizer,
    summary: "states that differ by a permutation of like processes, or of the elements of a scalarset, are one",
    paper: Some(
        "Ip, Dill: Better verification through symmetry (1996); Emerson, Sistla: Symmetry and model checking (1996)",
    ),
    guarantee: Guarantee::EXACT,
};

/// Several states for some orbits, found faster.
pub static SYMMETRY_SORT: Part = Part {
    name: "symmetry-sort",
    kind: PartKind::Canonizer,
    summary: "like processes are sorted by their own part: faster than symmetry, with more states",
    paper: Some("Bosnacki, Dams, Holenderski: Symmetric Spin (2002)"),
    guarantee: Guarantee::EXACT,
};

pub(super) const EXACT: CanonizerEntry = CanonizerEntry {
    part: &SYMMETRY,
    is_automatic: false,
    make: |network, facts, visible, _| make(network, facts, visible, Precision::Exact),
    close: Some(closure::closed),
};

pub(super) const SORTED: CanonizerEntry = CanonizerEntry {
    part: &SYMMETRY_SORT,
    is_automatic: true,
    make: |network, facts, visible, _| make(network, facts, visible, Precision::Sorted),
    close: Some(closure::closed),
};

fn make<'n>(
    network: &'n Network<'n>,
    facts: &'n Facts,
    visible: &Visible<'_>,
    precision: Precision,
) -> Result<Option<Box<dyn Canonizer + 'n>>, NotHere> {
    let mut group = group_of(network, facts, visible)?;
    if group.blocks.is_empty() {
        let is_of_property =
            !visible.propositions.is_empty() && !Group::new(&Lowered::new(network, facts, &[])).blocks.is_empty();
        return Err(NotHere(report::why_not(network, &group, is_of_property)));
    }
    Ok(Some(Box::new(NormalForm::new(network, &mut group, precision))))
}
