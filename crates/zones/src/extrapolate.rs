//! Extrapolations: zones made larger, so that there are finitely many, by the constants with which
//! clocks are compared (Pelánek, section 7.3.2; Behrmann, Bouyer, Larsen, Pelánek: Lower and upper
//! bounds in zone based abstractions of timed automata, TACAS 2004).
//!
//! They are for automata whose guards, invariants and properties compare no differences of clocks
//! (Bouyer, Forward analysis of updatable timed automata, 2004).

use crate::bound::{Bound, Overflow};
use crate::clock_bounds::ClockBounds;
use crate::zone::Zone;

/// A way to make zones larger.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extrapolation {
    /// By the greatest constant of a clock: what it makes one is bisimilar.
    ExtraM,
    /// The same; differences of clocks beyond their constants are forgotten as well.
    ExtraMPlus,
    /// By lower and upper bounds apart: what it makes one is simulated.
    ExtraLu,
    /// The same; differences of clocks beyond their bounds are forgotten as well.
    ExtraLuPlus,
}

impl Extrapolation {
    /// All of them.
    pub const ALL: [Extrapolation; 4] =
        [Extrapolation::ExtraM, Extrapolation::ExtraMPlus, Extrapolation::ExtraLu, Extrapolation::ExtraLuPlus];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Extrapolation::ExtraM => "extra-m",
            Extrapolation::ExtraMPlus => "extra-m+",
            Extrapolation::ExtraLu => "extra-lu",
            Extrapolation::ExtraLuPlus => "extra-lu+",
        }
    }

    /// The bounds by which it goes, of those that an automaton has.
    #[must_use]
    pub fn bounds(self, bounds: &ClockBounds) -> ClockBounds {
        match self {
            Extrapolation::ExtraM | Extrapolation::ExtraMPlus => bounds.merged(),
            Extrapolation::ExtraLu | Extrapolation::ExtraLuPlus => bounds.clone(),
        }
    }

    /// Makes a zone larger, by bounds that [`Extrapolation::bounds`] gave. What the zone was comes
    /// in `scratch`, a zone of as many clocks.
    pub fn apply(self, zone: &mut Zone, bounds: &ClockBounds, scratch: &mut Zone) -> Result<(), Overflow> {
        scratch.copy_from(zone);
        let extrapolated = match self {
            Extrapolation::ExtraM | Extrapolation::ExtraLu => by_bounds,
            Extrapolation::ExtraMPlus | Extrapolation::ExtraLuPlus => by_clocks,
        };
        let mut is_changed = false;
        for row in 0..zone.size() {
            for column in (0..zone.size()).filter(|column| *column != row) {
                let bound = extrapolated(scratch, bounds, row, column);
                is_changed |= bound != scratch.at(row, column);
                zone.put(row, column, bound);
            }
        }
        // A larger zone is not empty.
        if is_changed { zone.close().map(|_| ()) } else { Ok(()) }
    }
}

/// What becomes of a bound that is beyond the bounds of its clocks itself.
fn by_bounds(zone: &Zone, bounds: &ClockBounds, row: usize, column: usize) -> Bound {
    let bound = zone.at(row, column);
    match bound.constant() {
        None => bound,
        Some(constant) if bounds.is_above_lower(row, constant) => Bound::INFINITE,
        Some(constant) if bounds.is_above_upper(column, -constant) => lowered(bounds, row, column),
        Some(_) => bound,
    }
}

/// What becomes of a bound of clocks that are beyond their bounds.
fn by_clocks(zone: &Zone, bounds: &ClockBounds, row: usize, column: usize) -> Bound {
    let bound = zone.at(row, column);
    let Some(constant) = bound.constant() else { return bound };
    // The least values of the two clocks.
    let least = |clock: usize| zone.at(0, clock).constant().map_or(0, |constant| -constant);
    if bounds.is_above_lower(row, constant) || bounds.is_above_lower(row, least(row)) {
        Bound::INFINITE
    } else if bounds.is_above_upper(column, least(column)) {
        if row == 0 { lowered(bounds, row, column) } else { Bound::INFINITE }
    } else {
        bound
    }
}

/// The bound of a difference whose subtracted clock is beyond its upper bounds. Where it has none,
/// it is still not below zero.
fn lowered(bounds: &ClockBounds, row: usize, column: usize) -> Bound {
    match bounds.beyond_upper(column) {
        Bound::INFINITE if row == 0 => Bound::ZERO,
        bound => bound,
    }
}
