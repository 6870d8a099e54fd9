//! Weak bisimulation that sees divergence: related states can both go on silently for ever, or
//! neither can.

use crate::answer::{Answer, Limits, Meter};
use crate::lts::Lts;
use crate::relations::weak_bisim;
use crate::silent::Divergence;

/// Walker, "Bisimulation and divergence", with the same demand on both systems.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    weak_bisim::within(first, second, Divergence::Seen, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}
