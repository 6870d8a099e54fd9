//! Random zones.

use ample_stdx::Random;
use ample_zones::{Bound, ClockBounds, Constraint, Zone};

use crate::paths::clock;

/// Constants of random zones are from −`MOST` to `MOST`.
pub const MOST: i32 = 4;

/// A number from −`MOST` to `MOST`.
pub fn constant(random: &mut Random) -> i32 {
    random.between(0, 2 * MOST as usize) as i32 - MOST
}

/// A constraint of two different clocks, one of which may be zero.
pub fn constraint(random: &mut Random, clocks: usize) -> Constraint {
    let left = random.below(clocks + 1);
    let right = (left + 1 + random.below(clocks)) % (clocks + 1);
    let constant = constant(random);
    let bound = if random.chance(50) { Bound::at_most(constant) } else { Bound::less(constant) };
    Constraint { left: clock(left), right: clock(right), bound: bound.unwrap() }
}

/// A zone, and the constraints of which it was made.
pub fn constrained_zone(random: &mut Random, clocks: usize) -> (Zone, Vec<Constraint>) {
    let (mut zone, mut taken) = (Zone::universal(clocks), Vec::new());
    for _ in 0..random.between(0, 2 * clocks + 1) {
        let constraint = constraint(random, clocks);
        let mut smaller = zone.clone();
        if smaller.constrain(constraint).unwrap() {
            zone = smaller;
            taken.push(constraint);
        }
    }
    (zone, taken)
}

/// A zone.
pub fn zone(random: &mut Random, clocks: usize) -> Zone {
    constrained_zone(random, clocks).0
}

/// What clocks are compared with, up to a constant.
pub fn bounds(random: &mut Random, clocks: usize, most: i32) -> ClockBounds {
    let mut bounds = ClockBounds::none(clocks);
    for number in 1..=clocks {
        if random.chance(70) {
            bounds.add_lower(clock(number), random.between(0, most as usize) as i32).unwrap();
        }
        if random.chance(70) {
            bounds.add_upper(clock(number), random.between(0, most as usize) as i32).unwrap();
        }
    }
    bounds
}
