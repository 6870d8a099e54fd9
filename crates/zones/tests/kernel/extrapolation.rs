//! Extrapolations: among each other (Figure 7.3), and against the valuations that they may add
//! (Lemma 7.5).

use ample_stdx::Random;
use ample_zones::{ClockBounds, Constraint, Extrapolation, Overflow, Zone};

use crate::grid::valuations;
use crate::paths::{Matrix, clock};
use crate::random::{bounds, zone};
use crate::seeds;
use crate::simulation::is_simulated;

fn extrapolated(zone: &Zone, extrapolation: Extrapolation, bounds: &ClockBounds) -> Zone {
    let (mut larger, mut scratch) = (zone.clone(), Zone::at_zero(zone.clocks()));
    extrapolation.apply(&mut larger, &extrapolation.bounds(bounds), &mut scratch).unwrap();
    larger
}

/// Figure 7.3: the zone, Extra_M, and from there both ways to Extra_LU+; and each is closed.
#[test]
fn inclusions_of_figure_7_3() {
    use Extrapolation::{ExtraLu, ExtraLuPlus, ExtraM, ExtraMPlus};
    for seed in seeds(0..20_000) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 4);
        let zone = zone(&mut random, clocks);
        let bounds = bounds(&mut random, clocks, 4);
        let of = |extrapolation| extrapolated(&zone, extrapolation, &bounds);
        let [m, m_plus, lu, lu_plus] = [ExtraM, ExtraMPlus, ExtraLu, ExtraLuPlus].map(of);
        for (larger, smaller) in [(&m, &zone), (&m_plus, &m), (&lu, &m), (&lu_plus, &m_plus), (&lu_plus, &lu)] {
            assert!(larger.includes(smaller), "seed {seed}: {larger:?} {smaller:?} of {zone:?} by {bounds:?}");
        }
        let mut closed = Matrix::of(&lu_plus);
        assert!(closed.close() && closed == Matrix::of(&lu_plus), "seed {seed}");
        assert!(lu_plus.is_simulated_by(&zone, &bounds), "seed {seed}: Lemma 7.5");
    }
}

/// Lemma 7.5, valuation by valuation: what Extra_LU+ adds is simulated by what was there.
#[test]
fn extra_lu_plus_adds_only_what_is_simulated() {
    for seed in seeds(0..50) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 2);
        let zone = zone(&mut random, clocks);
        let bounds = bounds(&mut random, clocks, 4);
        let larger = Matrix::of(&extrapolated(&zone, Extrapolation::ExtraLuPlus, &bounds));
        let unit = clocks as i64 + 1;
        for valuation in valuations(clocks, 9 * unit).filter(|valuation| larger.contains(valuation, unit)) {
            assert!(is_simulated(&zone, &valuation, &bounds, unit as i32), "seed {seed}: {valuation:?}");
        }
    }
}

/// Extra_M makes only valuations one that are equal or both beyond the constants, clock by clock.
#[test]
fn extra_m_plus_is_bisimilar() {
    for seed in seeds(0..50) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 2);
        let zone = zone(&mut random, clocks);
        let bounds = bounds(&mut random, clocks, 4).merged();
        let (own, unit) = (Matrix::of(&zone), clocks as i64 + 1);
        let larger = Matrix::of(&extrapolated(&zone, Extrapolation::ExtraMPlus, &bounds));
        let is_beyond = |number: usize, value: i64| {
            bounds.lower(clock(number)).is_none_or(|constant| value > i64::from(constant) * unit)
        };
        let originals: Vec<Vec<i64>> =
            valuations(clocks, 14 * unit).filter(|valuation| own.contains(valuation, unit)).collect();
        for valuation in valuations(clocks, 5 * unit).filter(|valuation| larger.contains(valuation, unit)) {
            let is_one = |other: &Vec<i64>| {
                (1..).zip(valuation.iter().zip(other)).all(|(number, (value, other))| {
                    value == other || is_beyond(number, *value) && is_beyond(number, *other)
                })
            };
            assert!(originals.iter().any(is_one), "seed {seed}: {valuation:?} of {zone:?} by {bounds:?}");
        }
    }
}

/// Where a clock has no upper bound, its row says that it is not below zero, no more (THEORY 6).
#[test]
fn a_clock_without_bounds_is_free_but_not_negative() -> Result<(), Overflow> {
    let mut zone = Zone::at_zero(2);
    zone.delay();
    assert!(zone.constrain(Constraint::at_least(clock(1), 3)?)?);
    let free = ClockBounds::none(2);
    for extrapolation in Extrapolation::ALL {
        assert_eq!(extrapolated(&zone, extrapolation, &free), Zone::universal(2), "{}", extrapolation.name());
    }
    Ok(())
}

/// Figure 7.1: y is set to zero at one, again and again; x may go on up to 10^6, but is compared
/// from below with 10 only. The zones differ by x − y, of which beyond 10 only the lower bound is
/// left, so that each such zone is included in the one before.
#[test]
fn figure_7_1_does_not_depend_on_its_upper_bound() -> Result<(), Overflow> {
    let (x, y) = (clock(1), clock(2));
    let zones = |extrapolation: Extrapolation, upper: i32| -> Result<usize, Overflow> {
        let mut bounds = ClockBounds::none(2);
        bounds.add_lower(x, 10)?;
        bounds.add_upper(x, upper)?;
        bounds.add_lower(y, 1)?;
        bounds.add_upper(y, 1)?;
        let (mut seen, mut zone) = (Vec::new(), Zone::at_zero(2));
        loop {
            zone.delay();
            zone = extrapolated(&zone, extrapolation, &bounds);
            if seen.iter().any(|seen: &Zone| seen.includes(&zone)) {
                return Ok(seen.len());
            }
            seen.push(zone.clone());
            assert!(zone.constrain(Constraint::at_least(y, 1)?)?);
            assert!(zone.constrain(Constraint::at_most(y, 1)?)?);
            zone.set(y, 0)?;
        }
    };
    for extrapolation in [Extrapolation::ExtraLu, Extrapolation::ExtraLuPlus] {
        assert_eq!((zones(extrapolation, 100)?, zones(extrapolation, 1_000_000)?), (12, 12));
    }
    for extrapolation in [Extrapolation::ExtraM, Extrapolation::ExtraMPlus] {
        assert!(zones(extrapolation, 200)? > zones(extrapolation, 100)?);
    }
    Ok(())
}
