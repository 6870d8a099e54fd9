//! Bounded bisimulation: steps are answered by equal steps, so many times.

use crate::answer::{Answer, Limits, Meter, Stopped};
use crate::lts::Lts;
use crate::quotient::Quotient;
use crate::relations::bisim;

/// Pelánek's k-bisimulation (2.5). Without a depth it is strong bisimulation.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    let mut meter = Meter::new(limits);
    let depth = meter.depth();
    bisim::within(first, second, depth, &mut meter).unwrap_or_else(Answer::from)
}

/// One state for each class, with all steps. It is k-bisimilar to the system: by induction on the
/// number of steps ahead, each state is as its class. No two of its states are k-bisimilar; but a
/// smaller system may be, since what lies behind that many steps is not looked at.
pub(crate) fn quotient(lts: &Lts, meter: &mut Meter<'_>) -> Result<Quotient, Stopped> {
    let depth = meter.depth();
    Ok(Quotient::by(lts, &bisim::strong(lts, depth, meter)?, |_, _, _| true))
}
