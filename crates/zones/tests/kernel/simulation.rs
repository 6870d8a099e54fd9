//! Inclusion in the valuations that another zone's simulate, against its definition.

use ample_stdx::{Random, TypedId};
use ample_zones::{Bound, ClockBounds, ClockId, Constraint, Zone};

use crate::grid::valuations;
use crate::paths::{Matrix, clock};
use crate::random::{bounds, zone};
use crate::seeds;

/// A zone with all constants so many times as large: valuations in parts of a whole have whole
/// numbers there.
fn scaled(zone: &Zone, factor: i32) -> Zone {
    let mut scaled = Zone::universal(zone.clocks());
    for left in 0..=zone.clocks() {
        for right in 0..=zone.clocks() {
            let (left, right) = (ClockId::from_index(left), ClockId::from_index(right));
            let bound = zone.bound(left, right);
            let Some(constant) = bound.constant().map(|constant| constant * factor) else { continue };
            let bound = if bound.is_strict() { Bound::less(constant) } else { Bound::at_most(constant) };
            assert!(scaled.constrain(Constraint { left, right, bound: bound.unwrap() }).unwrap());
        }
    }
    scaled
}

/// Whether a valuation of the zone simulates this one, in the preorder of lower and upper bounds
/// (Pelánek, Definitions 7.3 and 7.4): for each clock equal, between the lower bound and this one,
/// or beyond this one, which is beyond the upper bound.
pub fn is_simulated(zone: &Zone, valuation: &[i64], bounds: &ClockBounds, unit: i32) -> bool {
    let mut left = vec![scaled(zone, unit)];
    for (number, value) in (1..).map(clock).zip(valuation) {
        let value = *value as i32;
        let (lower, upper) = (bounds.lower(number), bounds.upper(number));
        let equal = vec![Constraint::at_most(number, value), Constraint::at_least(number, value)];
        let mut below = vec![Constraint::less(number, value)];
        below.extend(lower.map(|lower| Constraint::greater(number, lower * unit)));
        let beyond = vec![Constraint::greater(number, value)];
        let is_beyond = upper.is_none_or(|upper| upper * unit < value);
        let ways = [equal, below].into_iter().chain(is_beyond.then_some(beyond));
        let ways: Vec<Vec<Constraint>> = ways.map(|way| way.into_iter().map(Result::unwrap).collect()).collect();
        left = left.iter().flat_map(|zone| ways.iter().filter_map(|way| constrained(zone, way))).collect();
    }
    !left.is_empty()
}

fn constrained(zone: &Zone, constraints: &[Constraint]) -> Option<Zone> {
    let mut smaller = zone.clone();
    constraints.iter().all(|constraint| smaller.constrain(*constraint).unwrap()).then_some(smaller)
}

/// Compares on pairs of zones of so many clocks, on a grid that is fine enough for them.
fn compare(seeds: std::ops::Range<u64>, clocks: usize, most: i32) {
    let unit = clocks as i32 + 1;
    let mut simulated = 0;
    for seed in seeds {
        let mut random = Random::new(seed);
        let (one, two) = (zone(&mut random, clocks), zone(&mut random, clocks));
        let bounds = bounds(&mut random, clocks, most);
        let own = Matrix::of(&one);
        // Differences of clocks reach twice as far as the constants.
        let mut grid = valuations(clocks, i64::from((2 * crate::random::MOST + 1) * unit));
        let missing = grid.find(|valuation| {
            own.contains(valuation, i64::from(unit)) && !is_simulated(&two, valuation, &bounds, unit)
        });
        let is_simulated = one.is_simulated_by(&two, &bounds);
        assert_eq!(is_simulated, missing.is_none(), "seed {seed}: {one:?} in {two:?} by {bounds:?}: {missing:?}");
        simulated += usize::from(is_simulated);
    }
    assert!(simulated > 0);
}

#[test]
fn of_one_clock() {
    compare(seeds(0..1_000), 1, 4);
}

#[test]
fn of_two_clocks() {
    compare(seeds(0..60), 2, 4);
}

#[test]
fn of_three_clocks() {
    compare(seeds(0..2), 3, 3);
}

#[test]
fn inclusion_is_simulation_by_any_bounds() {
    for seed in seeds(0..20_000) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 4);
        let (mut one, two) = (zone(&mut random, clocks), zone(&mut random, clocks));
        let bounds = bounds(&mut random, clocks, 4);
        if one.intersect(&two).unwrap() {
            assert!(one.is_simulated_by(&two, &bounds), "seed {seed}");
        }
    }
}
