//! Operations, against shortest paths and against sets of valuations.

use ample_stdx::Random;
use ample_zones::{Bound, Constraint, Overflow, Zone};

use crate::grid::valuations;
use crate::paths::{Matrix, clock};
use crate::random::{MOST, constant, constrained_zone, constraint, zone};
use crate::seeds;

/// Valuations are looked at in halves of a whole, what may have come before in quarters.
const HALF: i64 = 2;
const QUARTER: i64 = 4;
/// The greatest value that is looked at: beyond all constants.
const END: i64 = MOST as i64 + 1;

#[test]
fn constraints_one_by_one_give_the_shortest_paths() {
    for seed in seeds(0..20_000) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 5);
        let (zone, constraints) = constrained_zone(&mut random, clocks);
        let mut matrix = Matrix::universal(clocks);
        constraints.iter().for_each(|constraint| matrix.constrain(*constraint));
        assert!(matrix.close(), "seed {seed}");
        assert_eq!(Matrix::of(&zone), matrix, "seed {seed}");
        let more = constraint(&mut random, clocks);
        matrix.constrain(more);
        assert_eq!(zone.clone().constrain(more).unwrap(), matrix.close(), "seed {seed}");
    }
}

#[test]
fn every_operation_leaves_shortest_paths() {
    for seed in seeds(0..20_000) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 5);
        let (mut zone, other) = (zone(&mut random, clocks), zone(&mut random, clocks));
        for _ in 0..6 {
            let before = zone.clone();
            let (one, two) = (clock(random.between(1, clocks)), clock(random.between(1, clocks)));
            let is_left = match random.below(7) {
                0 => zone.constrain(constraint(&mut random, clocks)).unwrap(),
                1 => zone.intersect(&other).unwrap(),
                2 => (zone.delay(), true).1,
                3 => (zone.delay_except(&[one, two]), true).1,
                4 => zone.set(one, constant(&mut random).abs()).is_ok(),
                5 => zone.copy(one, two).is_ok(),
                _ => (zone.join(&other), true).1,
            };
            if !is_left {
                zone = before;
            }
            let mut closed = Matrix::of(&zone);
            assert!(closed.close(), "seed {seed}");
            assert_eq!(Matrix::of(&zone), closed, "seed {seed}");
        }
    }
}

/// The valuations after an operation are those that `has` says, of the matrix before.
fn compare(
    usual: u64,
    operation: impl Fn(&mut Zone, &mut Random) -> bool,
    has: impl Fn(&Matrix, &[i64], &mut Random) -> bool,
) {
    for seed in seeds(0..usual) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 3);
        let mut zone = zone(&mut random, clocks);
        let before = Matrix::of(&zone);
        // What is chosen for the operation is chosen again for each valuation.
        let choices = random.clone();
        let is_left = operation(&mut zone, &mut random);
        let after = Matrix::of(&zone);
        for valuation in valuations(clocks, END * HALF) {
            let is_in = is_left && after.contains(&valuation, HALF);
            assert_eq!(is_in, has(&before, &valuation, &mut choices.clone()), "seed {seed}: {valuation:?} of {zone:?}");
        }
    }
}

fn in_quarters(valuation: &[i64]) -> Vec<i64> {
    valuation.iter().map(|value| value * QUARTER / HALF).collect()
}

/// Whether some value of a clock gives a valuation of the matrix.
fn some_value(matrix: &Matrix, valuation: &[i64], number: usize) -> bool {
    let mut before = in_quarters(valuation);
    // Beyond all constants by more than any difference.
    (0..=4 * END * QUARTER).any(|value| {
        before[number - 1] = value;
        matrix.contains(&before, QUARTER)
    })
}

#[test]
fn a_constraint_leaves_what_satisfies_it() {
    compare(
        200,
        |zone, random| zone.constrain(constraint(random, zone.clocks())).unwrap(),
        |before, valuation, random| {
            let mut only = Matrix::universal(before.clocks);
            only.constrain(constraint(random, before.clocks));
            before.contains(valuation, HALF) && only.contains(valuation, HALF)
        },
    );
}

#[test]
fn an_intersection_has_what_both_have() {
    compare(
        200,
        |own, random| own.intersect(&zone(random, own.clocks())).unwrap(),
        |before, valuation, random| {
            let other = Matrix::of(&zone(random, before.clocks));
            before.contains(valuation, HALF) && other.contains(valuation, HALF)
        },
    );
}

#[test]
fn a_delay_moves_all_clocks() {
    compare(
        100,
        |zone, _| (zone.delay(), true).1,
        |before, valuation, _| {
            let now = in_quarters(valuation);
            let earlier = |delay: i64| now.iter().map(|value| value - delay).collect::<Vec<_>>();
            (0..=now.iter().copied().min().unwrap_or(0)).any(|delay| before.contains(&earlier(delay), QUARTER))
        },
    );
}

#[test]
fn a_clock_is_set_to_a_number() {
    compare(
        100,
        |zone, random| zone.set(clock(random.between(1, zone.clocks())), constant(random).abs()).is_ok(),
        |before, valuation, random| {
            let (number, value) = (random.between(1, before.clocks), constant(random).abs());
            valuation[number - 1] == i64::from(value) * HALF && some_value(before, valuation, number)
        },
    );
}

#[test]
fn a_clock_is_set_to_another_one() {
    compare(
        100,
        |zone, random| {
            let (number, from) = (random.between(1, zone.clocks()), random.between(1, zone.clocks()));
            zone.copy(clock(number), clock(from)).is_ok()
        },
        |before, valuation, random| {
            let (number, from) = (random.between(1, before.clocks), random.between(1, before.clocks));
            match number == from {
                true => before.contains(valuation, HALF),
                false => valuation[number - 1] == valuation[from - 1] && some_value(before, valuation, number),
            }
        },
    );
}

#[test]
fn stopped_clocks_stand_still() {
    for seed in seeds(0..200) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 3);
        let stopped: Vec<usize> = (1..=clocks).filter(|_| random.chance(50)).collect();
        let mut zone = zone(&mut random, clocks);
        let before = Matrix::of(&zone);
        zone.delay_except(&stopped.iter().copied().map(clock).collect::<Vec<_>>());
        let after = Matrix::of(&zone);
        for valuation in valuations(clocks, END * HALF).filter(|valuation| before.contains(valuation, HALF)) {
            for delay in 0..END * HALF {
                let moved = (1..=clocks).zip(&valuation);
                let moved = moved.map(|(number, value)| if stopped.contains(&number) { *value } else { value + delay });
                assert!(after.contains(&moved.collect::<Vec<_>>(), HALF), "seed {seed}: {valuation:?} after {delay}");
            }
        }
    }
}

#[test]
fn a_hull_is_the_least_zone_with_both() {
    for seed in seeds(0..20_000) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 4);
        let [one, two, other] = [0; 3].map(|_| zone(&mut random, clocks));
        let mut hull = one.clone();
        hull.join(&two);
        assert!(hull.includes(&one) && hull.includes(&two), "seed {seed}");
        assert!(!(other.includes(&one) && other.includes(&two)) || other.includes(&hull), "seed {seed}");
    }
}

#[test]
fn a_zone_includes_another_if_it_has_its_valuations() {
    for seed in seeds(0..200) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 2);
        let (one, mut two) = (zone(&mut random, clocks), zone(&mut random, clocks));
        if random.chance(30) && !two.intersect(&one).unwrap() {
            continue;
        }
        let (own, theirs) = (Matrix::of(&one), Matrix::of(&two));
        let mut grid = valuations(clocks, 3 * END * QUARTER).filter(|valuation| theirs.contains(valuation, QUARTER));
        assert_eq!(one.includes(&two), grid.all(|valuation| own.contains(&valuation, QUARTER)), "seed {seed}");
    }
}

#[test]
fn what_does_not_fit_is_said_and_not_rounded() -> Result<(), Overflow> {
    let most = (1 << 29) - 1;
    let mut zone = Zone::at_zero(2);
    zone.delay();
    assert!(zone.constrain(Constraint::at_least(clock(1), most)?)?);
    zone.set(clock(1), 0)?;
    zone.delay();
    // The second clock is ahead of the first by all that fits; now by one more than that.
    assert_eq!(zone.constrain(Constraint::at_least(clock(1), 1)?), Err(Overflow));
    assert_eq!(Constraint::at_most(clock(1), most + 1), Err(Overflow));
    assert_eq!(Constraint::at_least(clock(1), i32::MIN), Err(Overflow));
    assert_eq!(Zone::at_zero(1).set(clock(1), i32::MAX), Err(Overflow));
    let sum = Bound::at_most(most)?;
    assert_eq!(sum.constant(), Some(most));
    Ok(())
}
