//! The fewest constraints of a zone.

use ample_stdx::Random;
use ample_zones::{Bound, Constraint, Zone};

use crate::random::zone;
use crate::seeds;

#[test]
fn minimal_constraints_give_the_zone_again() {
    let (mut kept, mut all) = (0, 0);
    for seed in seeds(0..20_000) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 5);
        let zone = zone(&mut random, clocks);
        let (mut constraints, mut again) = (Vec::new(), Zone::at_zero(clocks));
        zone.append_minimal(&mut constraints);
        assert!(again.read_minimal(&constraints).unwrap(), "seed {seed}");
        assert_eq!(again, zone, "seed {seed}");
        kept += constraints.len();
        all += clocks * (clocks + 1);
    }
    assert!(3 * kept < 2 * all, "{kept} of {all}");
}

#[test]
fn none_of_the_minimal_constraints_can_be_left_out() {
    for seed in seeds(0..5_000) {
        let mut random = Random::new(seed);
        let clocks = random.between(1, 4);
        let zone = zone(&mut random, clocks);
        let mut constraints = Vec::new();
        zone.append_minimal(&mut constraints);
        for left_out in 0..constraints.len() {
            let mut fewer = constraints.clone();
            fewer.remove(left_out);
            let mut larger = Zone::at_zero(clocks);
            assert!(larger.read_minimal(&fewer).unwrap());
            assert_ne!(larger, zone, "seed {seed}: {:?}", constraints[left_out]);
        }
    }
}

#[test]
fn a_point_takes_one_constraint_a_clock_and_one_to_close_the_circle() {
    let mut constraints: Vec<Constraint> = Vec::new();
    Zone::at_zero(4).append_minimal(&mut constraints);
    assert_eq!(constraints.len(), 5);
    assert!(constraints.iter().all(|constraint| constraint.bound == Bound::ZERO));
}
