//! Programs that are installed: each answer of the embedded solver is confirmed by another.

use ample_solver::{Answer, Embedded, External, Solver, Steps};

use crate::queries::{Generator, Kind};
use crate::seeds;

/// How often the embedded solver said what, and how often nobody confirmed that there is nothing.
#[derive(Copy, Clone, Debug, Default)]
struct Counts {
    sat: u32,
    unsat: u32,
    unknown: u32,
    /// The program did not know.
    not_confirmed: u32,
}

/// Questions on which a program does not keep its limit: z3 4.8.12 goes on for ever.
const ENDLESS: [(&str, Kind, u64); 1] = [("z3", Kind::Products, 48)];

fn compare(program: &str, kind: Kind, usual: u64, steps: Steps) -> Option<Counts> {
    let Ok(mut other) = External::start(program) else {
        println!("{program} is not installed: nothing is compared with it");
        return None;
    };
    let mut counts = Counts::default();
    for seed in seeds(0..usual).filter(|seed| !ENDLESS.contains(&(program, kind, *seed))) {
        let variables = 3 + seed as usize % 12;
        let formula = Generator::new(seed, kind, variables).query();
        let own = Embedded.check(&formula, Steps::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        match own {
            Answer::Sat(_) => counts.sat += 1,
            Answer::Unsat => counts.unsat += 1,
            Answer::Unknown => {
                println!("{kind:?}, seed {seed}: unknown");
                counts.unknown += 1;
                continue;
            }
        }
        match other.check(&formula, steps).unwrap_or_else(|error| panic!("seed {seed}: {error}")) {
            Answer::Unknown => counts.not_confirmed += 1,
            confirmed => assert_eq!(own.word(), confirmed.word(), "{kind:?}, seed {seed}, {variables} variables"),
        }
    }
    println!("{program}, {kind:?}: {counts:?}");
    Some(counts)
}

/// All are decided, and all are confirmed.
fn decided_and_confirmed(program: &str, kind: Kind, usual: u64) {
    if let Some(counts) = compare(program, kind, usual, Steps::default()) {
        assert_eq!((counts.unknown, counts.not_confirmed), (0, 0), "{counts:?}");
    }
}

#[test]
fn linear_questions_are_confirmed_by_z3() {
    decided_and_confirmed("z3", Kind::Linear, 300);
}

#[test]
fn linear_questions_are_confirmed_by_cvc5() {
    decided_and_confirmed("cvc5", Kind::Linear, 100);
}

/// Divisors up to 2^32 of what has no bound: of the seeds 0 to 10,000 four take the Omega test more
/// steps than there are (2762, 5657, 7127 and 8027).
#[test]
fn wide_questions_are_decided_but_for_few() {
    let unknown = compare("z3", Kind::Wide, 300, Steps(100_000)).unwrap_or_default().unknown;
    assert!(unknown <= if std::env::var_os("AMPLE_SEEDS").is_some() { 4 } else { 0 });
}

/// The programs get few steps: of what is not linear they would try for long.
#[test]
fn products_and_bits_are_never_wrong() {
    for program in ["z3", "cvc5"] {
        for kind in [Kind::Products, Kind::Bits] {
            compare(program, kind, 60, Steps(100_000));
        }
    }
}
