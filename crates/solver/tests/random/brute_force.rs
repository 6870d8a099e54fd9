//! Every assignment of a small range, evaluated on machine integers.

use ample_solver::{Answer, Comparison, Embedded, Formula, Integer, Proposition, Rounding, Solver, Steps, Term};

use crate::queries::{Generator, Kind};
use crate::seeds;

struct Point {
    integers: [i128; 3],
    propositions: [bool; 2],
}

impl Point {
    fn value(&self, term: &Term) -> i128 {
        let number = |value: &Integer| i128::try_from(value).unwrap();
        match term {
            Term::Constant(value) => number(value),
            Term::Variable(variable) => self.integers[variable.0 as usize],
            Term::Sum(parts) => parts.iter().map(|part| self.value(part)).sum(),
            Term::Multiple(by, part) => number(by) * self.value(part),
            Term::Product(parts) => self.value(&parts[0]) * self.value(&parts[1]),
            Term::Quotient(rounding, parts) => quotient(*rounding, self.value(&parts[0]), self.value(&parts[1])),
            Term::Remainder(rounding, parts) => {
                let (a, b) = (self.value(&parts[0]), self.value(&parts[1]));
                a - b * quotient(*rounding, a, b)
            }
            Term::BitAnd(parts) => self.value(&parts[0]) & self.value(&parts[1]),
            Term::Conditional(condition, parts) => {
                if self.holds(condition) {
                    self.value(&parts[0])
                } else {
                    self.value(&parts[1])
                }
            }
        }
    }

    fn holds(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Proposition(Proposition(at)) => self.propositions[*at as usize],
            Formula::Not(part) => !self.holds(part),
            Formula::All(parts) => parts.iter().all(|part| self.holds(part)),
            Formula::Any(parts) => parts.iter().any(|part| self.holds(part)),
            Formula::Same(parts) => self.holds(&parts[0]) == self.holds(&parts[1]),
            Formula::Compare(comparison, parts) => {
                let (a, b) = (self.value(&parts[0]), self.value(&parts[1]));
                match comparison {
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::Equal => a == b,
                }
            }
            Formula::Divides(by, part) => self.value(part) % i128::try_from(by).unwrap() == 0,
        }
    }
}

fn quotient(rounding: Rounding, a: i128, b: i128) -> i128 {
    match rounding {
        _ if b == 0 => 0,
        Rounding::TowardZero => a / b,
        Rounding::Euclidean => a.div_euclid(b),
        Rounding::Down => a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)),
    }
}

/// Whether an assignment within the range satisfies the formula.
fn has_solution(formula: &Formula, variables: usize, low: i128, high: i128) -> bool {
    let width = (high - low + 1) as usize;
    (0..width.pow(variables as u32) * 4).any(|mut number| {
        let propositions = [number % 2 == 1, number / 2 % 2 == 1];
        number /= 4;
        let mut integers = [0; 3];
        for integer in integers.iter_mut().take(variables) {
            *integer = low + (number % width) as i128;
            number /= width;
        }
        Point { integers, propositions }.holds(formula)
    })
}

/// How many were `sat`, `unsat` and unknown.
fn compare(kind: Kind, usual: u64) -> [u32; 3] {
    let mut counts = [0; 3];
    for seed in seeds(0..usual) {
        let variables = 1 + seed as usize % 3;
        let (low, high) = if variables == 3 { (-6, 6) } else { (-20, 12) };
        let formula = Generator::new(seed, kind, variables).bounded(low, high);
        let expected = has_solution(&formula, variables, low.into(), high.into());
        let answer = Embedded.check(&formula, Steps::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        match answer {
            Answer::Sat(_) => assert!(expected, "{kind:?}, seed {seed}: there is no solution"),
            Answer::Unsat => assert!(!expected, "{kind:?}, seed {seed}: there is a solution"),
            Answer::Unknown => {}
        }
        counts[match answer {
            Answer::Sat(_) => 0,
            Answer::Unsat => 1,
            Answer::Unknown => 2,
        }] += 1;
    }
    println!("{kind:?}: {counts:?}");
    counts
}

#[test]
fn linear_questions_are_decided() {
    let [sat, unsat, unknown] = compare(Kind::Linear, 300);
    assert_eq!(unknown, 0);
    assert!(sat > 20 && unsat > 20 || std::env::var_os("AMPLE_SEEDS").is_some(), "{sat} {unsat}");
}

#[test]
fn bits_of_what_is_bounded_are_decided() {
    assert_eq!(compare(Kind::Bits, 300)[2], 0);
}

#[test]
fn products_are_never_wrong() {
    let [sat, unsat, _] = compare(Kind::Products, 300);
    assert!(sat > 20 && unsat > 20 || std::env::var_os("AMPLE_SEEDS").is_some(), "{sat} {unsat}");
}
