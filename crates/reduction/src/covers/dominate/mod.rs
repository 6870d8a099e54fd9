//! Dominating values: a state covers those that differ from it by larger values of variables that
//! nothing but upper bounds are about, or by smaller values where there are only lower bounds
//! (Pelánek, section 3.4).
//!
//! The thesis has variables that only grow and are compared in guards `x <= k` alone. That they
//! grow is not needed: what is needed is that whatever is done with a variable keeps the order of
//! its values. So a variable may be set back, too, and fall; it may be compared with other
//! expressions, if these do not depend on it. It is copied nowhere, does not wrap around, and the
//! property does not read it. Of several such variables each counts for itself: the order of states
//! is the product.
//!
//! - [`ranges`]: between which numbers variables stay; [`uses`]: what is done with them.

mod order;
pub(crate) mod ranges;
mod report;
mod uses;

use std::ops::Range;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::facts::Facts;
use ample_network::{Network, SlotPlace};
use ample_transition::Cover;

use self::order::{Better, applies, found};
use self::ranges::Ranges;
use self::uses::Uses;
use super::entry::CoverEntry;
use crate::canonizers::cells::Names;
use crate::{NotHere, Visible};

pub use report::DominatingValues;

/// States with dominated values are not explored.
pub static DOMINATE: Part = Part {
    name: "dominate",
    kind: PartKind::Cover,
    summary: "states with worse values of variables that are compared on one side only are not explored",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, sections 3.4 and 3.6"),
    guarantee: Guarantee::REACHABILITY,
};

pub(super) const ENTRY: CoverEntry = CoverEntry { part: &DOMINATE, make };

fn make<'n>(network: &'n Network<'n>, facts: &'n Facts, visible: &Visible<'_>) -> Result<Box<dyn Cover + 'n>, NotHere> {
    applies(network)?;
    let names = Names::new(network, facts);
    let ranges = Ranges::of(&names);
    let uses = Uses::of(&names, &ranges, visible);
    let found = match report::stated(&names, &uses)? {
        stated if stated.is_empty() => found(&uses).collect(),
        stated => stated,
    };
    if found.is_empty() {
        return Err(NotHere(report::why_not(&names, &uses)));
    }
    let place = |(cell, better): &(usize, Better)| (names.cells.list[*cell].place, *better);
    let order: Vec<(SlotPlace, Better)> = found.iter().map(place).collect();
    let bytes = order.iter().map(|(place, _)| place.range()).collect();
    Ok(Box::new(Dominance { order, bytes, size: network.layout.size as usize }))
}

/// The product order of some variables.
struct Dominance {
    order: Vec<(SlotPlace, Better)>,
    /// Their bytes.
    bytes: Vec<Range<usize>>,
    /// How many bytes of a state are those of the system; an automaton may follow.
    size: usize,
}

impl Cover for Dominance {
    fn common(&self, state: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(state);
        if state.len() >= self.size {
            self.bytes.iter().for_each(|bytes| out[start..][bytes.clone()].fill(0));
        }
    }

    fn covers(&self, more: &[u8], less: &[u8]) -> bool {
        if more.len() != less.len() || more.len() < self.size {
            return more == less;
        }
        self.order.iter().all(|(place, better)| match better {
            Better::Smaller => place.value_in(more) <= place.value_in(less),
            Better::Larger => place.value_in(more) >= place.value_in(less),
        })
    }
}
