//! Bounded bisimulation: steps are answered by equal steps, so many times.

use crate::answer::{Answer, Limits, Meter};
use crate::lts::Lts;
use crate::relations::bisim;

/// Pelánek's k-bisimulation (2.5). Without a depth it is strong bisimulation.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    let mut meter = Meter::new(limits);
    let depth = meter.depth();
    bisim::within(first, second, depth, &mut meter).unwrap_or_else(Answer::from)
}
