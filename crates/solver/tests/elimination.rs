//! Cooper's theorem against brute force and the solver.

#[path = "random/queries.rs"]
#[allow(dead_code)] // other tests use the rest
mod queries;

use ample_solver::{
    Answer, Assignment, Embedded, Formula, Integer, Proposition, Rounding, Solver, Steps, Symbol, Term, Variable,
    eliminate,
};
use queries::{Generator, Kind};

fn x() -> Term {
    Variable(0).into()
}

fn y() -> Term {
    Variable(1).into()
}

fn twice(term: Term) -> Term {
    Term::Multiple(2.into(), Box::new(term))
}

fn without_x(formula: &Formula) -> Formula {
    eliminate(formula, Symbol::Variable(Variable(0)), Steps::default()).expect("it is linear")
}

fn same(a: Formula, b: Formula) -> bool {
    Embedded.is_valid(&a.same_as(b), Steps::default()).unwrap()
}

#[test]
fn a_double_between_two_bounds() {
    // There is a number between y and y + 1 whose double is y: y is even.
    assert!(same(without_x(&twice(x()).equals(y())), y().is_multiple_of(2)));
    // One with 2x < y is there always; with y < 2x < y + 2 for odd y only.
    assert!(same(without_x(&twice(x()).less(y())), Formula::Constant(true)));
    let between = y().less(twice(x())).and(twice(x()).less(y().plus(2)));
    assert!(same(without_x(&between), y().is_multiple_of(2).negated()));
}

#[test]
fn what_is_unequal_to_few_is_somewhere() {
    let unequal = x().equals(y()).negated().and(x().equals(3).negated());
    assert!(same(without_x(&unequal), Formula::Constant(true)));
    let bounded = Formula::All(vec![unequal, x().at_least(3), x().at_most(4)]);
    assert!(same(without_x(&bounded), y().equals(4).negated()));
}

#[test]
fn remainders_are_eliminated_with_it() {
    let rest = x().remainder_by(3, Rounding::TowardZero).equals(y());
    assert!(same(without_x(&rest), y().greater(-3).and(y().less(3))));
    let rest = rest.and(x().at_least(0));
    assert!(same(without_x(&rest), y().at_least(0).and(y().less(3))));
}

#[test]
fn a_proposition_takes_both_values() {
    let p = Formula::Proposition(Proposition(2));
    let formula = p.clone().implies(x().equals(1)).and(p.negated().implies(x().equals(2)));
    let without = eliminate(&formula, Symbol::Proposition(Proposition(2)), Steps::default()).unwrap();
    assert!(same(without, x().equals(1).or(x().equals(2))));
}

#[test]
fn products_are_refused() {
    assert_eq!(eliminate(&x().times(y()).equals(7), Symbol::Variable(Variable(0)), Steps::default()), None);
}

/// Each value of the other variable, with every value of this one.
#[test]
fn elimination_agrees_with_brute_force() {
    let mut eliminated = 0;
    for seed in 0..100 {
        let formula = Generator::new(seed, Kind::Linear, 2).bounded(-5, 5);
        let Some(without) = eliminate(&formula, Symbol::Variable(Variable(0)), Steps(30_000)) else { continue };
        eliminated += 1;
        assert!(!without.symbols().contains(&Symbol::Variable(Variable(0))), "seed {seed}");
        for other in -7_i64..=7 {
            for propositions in 0..4 {
                let at = |value: i64| Assignment {
                    integers: [(Variable(0), Integer::from(value)), (Variable(1), other.into())].into(),
                    propositions: [(Proposition(0), propositions % 2 == 1), (Proposition(1), propositions > 1)].into(),
                };
                let expected = (-5..=5).any(|value| at(value).satisfies(&formula));
                assert_eq!(at(0).satisfies(&without), expected, "seed {seed}, the other is {other}");
            }
        }
    }
    assert!(eliminated > 30, "only {eliminated}");
}

/// Without bounds: where the other variable is fixed, the solver knows whether there is a value.
#[test]
fn elimination_agrees_with_the_solver() {
    let mut eliminated = 0;
    for seed in 1_000..1_050 {
        let formula = Generator::new(seed, Kind::Linear, 2).query();
        let Some(without) = eliminate(&formula, Symbol::Variable(Variable(0)), Steps(30_000)) else { continue };
        eliminated += 1;
        for other in [-40_i64, -1, 0, 3, 1_000] {
            let fixed = |formula: &Formula| formula.clone().and(y().equals(other));
            let is_possible = |formula: &Formula| match Embedded.check(&fixed(formula), Steps::default()).unwrap() {
                Answer::Unknown => panic!("seed {seed}: it is linear"),
                answer => answer != Answer::Unsat,
            };
            assert_eq!(is_possible(&formula), is_possible(&without), "seed {seed}, the other is {other}");
        }
    }
    assert!(eliminated > 30, "only {eliminated}");
}
