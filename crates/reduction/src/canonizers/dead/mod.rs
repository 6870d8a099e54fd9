//! Global variables and messages that are dead in a state become zero, or what is nearest to zero
//! if their type does not hold it (Pelánek, section 3.2.1).
//!
//! A global variable is dead in a state if every process, from where it is, writes it before it
//! reads it, or does not read it any more: no path of its control flow, or of that of a process it
//! creates, comes to a read before a write. *Proof*: say that some run from the state reads what
//! the variable holds, and look at the first step that reads or writes it for certain. Until then
//! the process of that step has not touched the variable, so its own path since the state has
//! neither; if the step reads it, that path comes to a read without a write before, which it does
//! not. So the step writes, and what is read later is something else. It is not enough that one
//! process writes first: another one may be there before. Each process is asked for itself, and all
//! of them must agree.
//!
//! A field of the messages in a channel is dead if no process, from where it is, can come to a
//! receive that looks at it: matches it, or stores it where the same step does not overwrite it. So
//! together with the pass `dead`, which adds such resets, fields are dead that are only stored in
//! dead variables.
//!
//! So states that differ in what is dead only have the same transitions, by name, to states that
//! differ in what is dead only: what is dead stays so until it is written, since no step reads it.
//! What the question, `end`, `provided`, `xr`, `xs` and a trace assertion look at is never dead.
//!
//! The masks of what is live are found before the search, one a process and location: canonizing
//! asks for one word a process ([`masks`]).

mod globals;
mod masks;
mod messages;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::Canonizer;

use self::masks::Masks;
use super::entry::CanonizerEntry;
use crate::Visible;

pub use masks::DeadThings;

/// Dead globals and messages.
pub static DEAD_GLOBALS: Part = Part {
    name: "dead-globals",
    kind: PartKind::Canonizer,
    summary: "global variables and messages are reset where nobody will read them",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.2.1"),
    guarantee: Guarantee::EXACT,
};

pub(super) const ENTRY: CanonizerEntry = CanonizerEntry {
    part: &DEAD_GLOBALS,
    is_automatic: false,
    make: |network, facts, visible, _| Ok(make(network, facts, visible)),
    close: None,
};

fn make<'n>(network: &'n Network<'n>, facts: &'n Facts, visible: &Visible<'_>) -> Option<Box<dyn Canonizer + 'n>> {
    Masks::new(network, facts, visible).map(|masks| Box::new(masks) as Box<dyn Canonizer + 'n>)
}
