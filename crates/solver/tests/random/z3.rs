//! z3, where it is installed.

use ample_solver::{Answer, Embedded, External, Solver, Steps};

use crate::queries::{Generator, Kind};
use crate::seeds;

fn compare(kind: Kind, usual: u64) -> Option<u32> {
    let Ok(mut z3) = External::start("z3") else {
        println!("z3 is not installed: nothing is compared with it");
        return None;
    };
    let mut unknown = 0;
    let mut counts = [0; 2];
    for seed in seeds(0..usual) {
        let variables = 3 + seed as usize % 12;
        let formula = Generator::new(seed, kind, variables).query();
        let own = Embedded.check(&formula, Steps::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let other = z3.check(&formula, Steps::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        match (&own, &other) {
            (Answer::Unknown, _) => {
                println!("{kind:?}, seed {seed}: unknown");
                unknown += 1;
            }
            (_, Answer::Unknown) => {}
            _ => assert_eq!(own.word(), other.word(), "{kind:?}, seed {seed}, {variables} variables"),
        }
        counts[usize::from(own == Answer::Unsat)] += 1;
    }
    println!("{kind:?}: {counts:?}, {unknown} unknown");
    Some(unknown)
}

#[test]
fn linear_questions_are_decided() {
    assert_eq!(compare(Kind::Linear, 300).unwrap_or_default(), 0);
}

/// Divisors up to 2^32 of what has no bound: of the seeds 0 to 10,000 four take the Omega test more
/// steps than there are (2762, 5657, 7127 and 8027).
#[test]
fn wide_questions_are_decided_but_for_few() {
    assert!(
        compare(Kind::Wide, 300).unwrap_or_default() <= if std::env::var_os("AMPLE_SEEDS").is_some() { 4 } else { 0 }
    );
}

#[test]
fn products_are_never_wrong() {
    compare(Kind::Products, 100);
}
