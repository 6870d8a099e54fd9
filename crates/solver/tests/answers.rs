//! Answers by name: traps of arithmetic, what is said of what is not linear, and what stands around
//! a solver.

use ample_solver::{
    Answer, Assignment, Both, Cached, Choice, Counts, Embedded, External, Failure, Formula, Integer, Kept, Proposition,
    Rounding, Solver, Steps, Term, Variable, smtlib,
};

fn x() -> Term {
    Variable(0).into()
}

fn y() -> Term {
    Variable(1).into()
}

fn z() -> Term {
    Variable(2).into()
}

fn p() -> Formula {
    Formula::Proposition(Proposition(0))
}

fn check(formula: &Formula) -> Answer {
    Embedded.check(formula, Steps::default()).unwrap()
}

fn is_valid(formula: &Formula) -> bool {
    Embedded.is_valid(formula, Steps::default()).unwrap()
}

fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
    Formula::All(parts.into_iter().collect())
}

#[test]
fn remainders_have_the_sign_that_the_model_says() {
    let truncated = x().remainder_by(4, Rounding::TowardZero);
    assert!(is_valid(&x().at_least(0).implies(truncated.clone().at_least(0))));
    assert!(is_valid(&x().less(0).implies(truncated.clone().at_most(0))));
    assert!(!is_valid(&truncated.clone().at_least(0)));
    assert!(is_valid(&x().remainder_by(4, Rounding::Down).at_least(0)));
    assert!(is_valid(&x().remainder_by(-4, Rounding::Down).at_most(0)));
    assert!(is_valid(&x().remainder_by(-4, Rounding::Euclidean).at_least(0)));
    let whole = x().divided_by(4, Rounding::TowardZero);
    assert!(is_valid(&Term::Multiple(4.into(), Box::new(whole)).plus(truncated).equals(x())));
}

/// A byte that is counted up wraps around: it is not always larger than before.
#[test]
fn wrap_around_is_meant() {
    let next = x().plus(1).remainder_by(256, Rounding::Down);
    let byte = x().at_least(0).and(x().at_most(255));
    assert!(!is_valid(&byte.clone().implies(next.clone().greater(x()))));
    assert!(is_valid(&all([byte, x().less(255)]).implies(next.greater(x()))));
}

#[test]
fn what_divides_by_zero_is_total() {
    assert!(is_valid(&x().divided_by(0, Rounding::Down).equals(0)));
    assert!(is_valid(&x().remainder_by(0, Rounding::TowardZero).equals(x())));
    assert!(is_valid(&y().equals(0).implies(x().divided_by(y(), Rounding::TowardZero).equals(0))));
}

#[test]
fn numbers_have_no_bound() {
    let large = Integer::from(10).pow(40);
    let formula = x().greater(large.clone()).and(x().less(large + Integer::from(2)));
    let Answer::Sat(solution) = check(&formula) else { panic!("there is one") };
    assert!(solution.satisfies(&formula));
    // Not as on 64 bits.
    assert!(is_valid(&x().plus(1).greater(x())));
}

#[test]
fn a_conditional_is_one_of_two() {
    let larger = x().when(x().greater(y()), y());
    assert!(is_valid(&larger.clone().at_least(x()).and(larger.clone().at_least(y()))));
    assert!(is_valid(&larger.clone().equals(x()).or(larger.equals(y()))));
}

#[test]
fn instances_decide_some_products() {
    let product = x().times(y());
    assert!(is_valid(&product.clone().equals(0).same_as(x().equals(0).or(y().equals(0)))));
    assert!(is_valid(&all([x().greater(0), y().greater(0)]).implies(product.clone().at_least(x()))));
    assert!(is_valid(&all([x().less(0), y().greater(0)]).implies(product.clone().less(0))));
    assert!(is_valid(&x().times(x()).at_least(0)));
    assert!(is_valid(&product.equals(y().times(x()))));
    // (x + y)² = x² + 2xy + y²
    let sum = x().plus(y());
    let square = sum.clone().times(sum);
    let expanded = Term::Sum(vec![x().times(x()), y().times(y()), x().times(y()), x().times(y())]);
    assert!(is_valid(&square.equals(expanded)));
    // A solution may be found, and is tried.
    let found = all([x().times(y()).equals(35), x().greater(1), y().greater(x())]);
    let Answer::Sat(solution) = check(&found) else { panic!("5 · 7") };
    assert!(solution.satisfies(&found));
    // x² = 2 · y² with x > 0: the lemmas do not see that there is none.
    let root = x().times(x()).equals(Term::Multiple(2.into(), Box::new(y().times(y()))));
    assert_eq!(check(&root.and(x().greater(0))), Answer::Unknown);
}

/// A factor of few values is taken value by value.
#[test]
fn products_with_a_bounded_factor_are_decided() {
    let bounded = x().at_least(2).and(x().at_most(9));
    let prime = all([bounded, x().times(y()).equals(97), y().greater(1)]);
    assert_eq!(check(&prime), Answer::Unsat);
}

#[test]
fn bits_of_bytes_are_decided() {
    let byte = |term: Term| term.clone().at_least(0).and(term.at_most(255));
    let bytes = byte(x()).and(byte(y()));
    let law = x().bit_xor(y()).bit_xor(y()).equals(x());
    let small = all([x().at_least(0), x().at_most(15), y().at_least(0), y().at_most(15)]);
    assert!(is_valid(&small.implies(law)));
    assert!(is_valid(&bytes.clone().implies(x().bit_and(y()).at_most(x()))));
    assert!(is_valid(&bytes.implies(x().bit_or(y()).at_least(y()))));
    // With a constant nothing need be bounded.
    assert!(is_valid(&x().bit_and(7).equals(x().remainder_by(8, Rounding::Down))));
    assert!(is_valid(&x().bit_and(-8).plus(x().bit_and(7)).equals(x())));
    assert!(is_valid(&x().complement().equals(x().negated().minus(1))));
    // Of what is not bounded nothing is known, and nothing is claimed.
    assert_eq!(check(&x().bit_and(y()).greater(x()).and(x().greater(0))), Answer::Unknown);
}

#[test]
fn without_steps_it_is_unknown_and_counts_as_not_valid() {
    let formula = all([x().plus(y()).greater(3), x().minus(y()).greater(4), y().plus(z()).equals(x())]);
    assert_eq!(Embedded.check(&formula, Steps(1)).unwrap(), Answer::Unknown);
    let valid = x().plus(y()).greater(3).implies(x().plus(y()).plus(x()).greater(x().plus(3)));
    assert!(is_valid(&valid));
    // With the same steps it is the same answer.
    for steps in [1, 10, 50, 100, 1_000] {
        let answers = [(); 2].map(|()| Embedded.check(&formula, Steps(steps)).unwrap());
        assert_eq!(answers[0], answers[1], "{steps}");
    }
}

#[test]
fn what_was_asked_is_remembered_by_its_normal_form() {
    let mut solver = Cached::new(Embedded);
    let mut ask = |formula: Formula| solver.check(&formula, Steps::default()).unwrap();
    // Decided by its form.
    assert_eq!(ask(x().less(3).and(x().greater(5))), Answer::Unsat);
    assert_eq!(ask(x().less(3).or(x().at_least(3))), Answer::Sat(Assignment::default()));
    // Written in two ways.
    let first = ask(x().plus(y()).less(3).and(y().greater(1)));
    let second = ask(y().at_least(2).and(y().plus(x()).at_least(3).negated()));
    assert_eq!(first, second);
    assert_eq!(solver.counts(), Counts { asked: 4, by_form: 2, from_cache: 1, solved: 1, unknown: 0 });
}

/// Says that everything has a solution, or that nothing has.
struct Wrong(Answer);

impl Solver for Wrong {
    fn name(&self) -> String {
        "wrong".to_owned()
    }

    fn check(&mut self, _: &Formula, _: Steps) -> Result<Answer, Failure> {
        Ok(self.0.clone())
    }
}

#[test]
fn a_difference_is_a_failure() {
    let possible = x().greater(3);
    let impossible = x().greater(3).and(x().less(2));
    let unsat = Both::new(Embedded, Wrong(Answer::Unsat)).check(&possible, Steps::default());
    let message = unsat.unwrap_err().to_string();
    assert!(message.starts_with("embedded says `sat` and wrong says `unsat`"), "{message}");
    assert!(message.contains("(assert (< 3 x0))"), "{message}");
    let sat = Both::new(Embedded, Wrong(Answer::Sat(Assignment::default()))).check(&impossible, Steps::default());
    assert!(matches!(sat, Err(Failure::Disagreement { .. })));
    // Who does not know does not contradict.
    let unknown = Both::new(Wrong(Answer::Unknown), Embedded).check(&impossible, Steps::default());
    assert_eq!(unknown.unwrap(), Answer::Unsat);
}

#[test]
fn what_is_kept_can_be_read_again() {
    let questions = [
        all([p().same_as(x().less(3)), x().remainder_by(4, Rounding::TowardZero).equals(-1), p()]),
        all([x().divided_by(-3, Rounding::Down).equals(2), x().is_multiple_of(5).negated()]),
        all([x().bit_and(0b1011).equals(9), x().when(p(), y()).at_most(-4), y().times(x()).greater(0)]),
        Formula::All(Vec::new()),
        x().bit_and(y()).equals(2).and(x().equals(3)),
    ];
    let mut script = Vec::new();
    let mut kept = Kept::new(Embedded, &mut script);
    let answers: Vec<Answer> =
        questions.iter().map(|question| kept.check(question, Steps::default()).unwrap()).collect();
    let script = String::from_utf8(script).unwrap();
    assert!(script.starts_with("(set-logic ALL)\n; sat\n(push 1)\n"), "{script}");
    let read = smtlib::read(&script).unwrap();
    assert_eq!(read.len(), questions.len());
    for (formula, answer) in read.iter().zip(&answers) {
        assert_eq!(check(formula).word(), answer.word(), "{script}");
    }
}

#[test]
fn scripts_that_are_not_understood_are_refused_with_their_line() {
    let error = |text: &str| smtlib::read(text).unwrap_err().to_string();
    assert_eq!(error("(declare-const x Int)\n(assert (< x y))"), "line 2: `y` is not declared");
    assert_eq!(error("(assert\n(forall ((x Int)) true))"), "line 2: `forall` with 2 operands is not understood");
    assert_eq!(error("(declare-const a Real)"), "line 1: only `Int` and `Bool` are understood");
    assert_eq!(error("(check-sat"), "line 1: a parenthesis has no partner, or there are too many");
    assert_eq!(error("(maximize x)"), "line 1: the command `maximize` is not understood");
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let choice: Choice = "/nowhere/solver".parse().unwrap();
    let Err(error) = choice.open() else { panic!("it is not there") };
    assert!(error.to_string().starts_with("the solver `/nowhere/solver`: "), "{error}");
    // One that is no solver says so at the first word.
    assert!(External::start("true").is_err());
    assert_eq!("embedded".parse(), Ok(Choice::Embedded));
    assert_eq!("both".parse(), Ok(Choice::Both));
    assert_eq!(Choice::default().open().unwrap().name(), "embedded");
}

/// A program of a few lines, which speaks as a solver does up to some point.
#[cfg(unix)]
fn script(name: &str, text: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = std::env::temp_dir().join(format!("ample-solver-{name}-{}", std::process::id()));
    std::fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn a_program_that_dies_or_complains_is_an_error() {
    let greeting = "for i in 1 2 3; do read line; echo success; done\n";
    let cases = [
        ("dies", "exit 1\n", "it ended"),
        ("complains", "while read line; do echo '(error \"line 1: what?\")'; done\n", "said `(error"),
        ("babbles", "while read line; do echo hello; done\n", "said `hello`"),
    ];
    for (name, text, expected) in cases {
        let path = script(name, &format!("{greeting}{text}"));
        let mut solver = External::start(&path.to_string_lossy()).unwrap();
        let error = solver.check(&x().less(3), Steps::default()).unwrap_err();
        assert!(matches!(error, Failure::Program { .. }), "{name}");
        assert!(error.to_string().contains(expected), "{name}: {error}");
        std::fs::remove_file(path).unwrap();
    }
}

/// The fresh variable that stood for the quotient was the formula's own: it was `unsat`.
#[test]
fn a_variable_with_the_last_number_is_no_fresh_one() {
    let last = || Term::from(Variable(u32::MAX));
    let formula = last().remainder_by(4, Rounding::Down).equals(2);
    assert_ne!(check(&formula), Answer::Unsat);
    assert_ne!(Cached::new(Embedded).check(&formula, Steps::default()).unwrap(), Answer::Unsat);
    let symbol = ample_solver::Symbol::Variable(Variable(u32::MAX));
    assert_eq!(ample_solver::eliminate(&formula, symbol, Steps::default()), None);
    assert!(matches!(
        check(&last().remainder_by(4, Rounding::Down).equals(2).or(p())),
        Answer::Sat(_) | Answer::Unknown
    ));
}

/// `(pop 2)` closed one scope.
#[test]
fn scopes_are_closed_as_many_as_it_says() {
    let script = "(declare-const x Int)(assert (< x 3))(push)(assert (> x 1))(push)(assert (= x 2))(check-sat)
        (pop 2)(assert (> x 2))(check-sat)(push 2)(assert (= x 7))(pop 1)(pop 1)(check-sat)";
    let read = smtlib::read(script).unwrap();
    let words: Vec<&str> = read.iter().map(|formula| check(formula).word()).collect();
    assert_eq!(words, ["sat", "unsat", "unsat"]);
    assert!(smtlib::read("(push 1)(pop 2)").is_err());
}

/// z3, where it is installed: each kind of term once, with values read back.
#[test]
fn a_program_is_asked_and_its_solution_tried() {
    let Ok(mut z3) = External::start("z3") else {
        println!("z3 is not installed: nothing is asked");
        return;
    };
    let question = all([
        x().remainder_by(7, Rounding::TowardZero).equals(-3),
        y().divided_by(-4, Rounding::Down).equals(x()),
        z().bit_and(12).equals(8),
        p().same_as(z().less(0)),
        x().is_multiple_of(5),
    ]);
    let Answer::Sat(solution) = z3.check(&question, Steps::default()).unwrap() else { panic!("there is one") };
    assert!(solution.satisfies(&question));
    assert_eq!(z3.check(&x().less(3).and(x().greater(3)), Steps::default()).unwrap(), Answer::Unsat);
    // Of common bits z3 was told nothing: its solution is none.
    let bits = x().bit_and(y()).equals(2).and(x().equals(4));
    assert_eq!(z3.check(&bits, Steps::default()).unwrap(), Answer::Unknown);
    let mut both = "both".parse::<Choice>().unwrap().open().unwrap();
    assert_eq!(both.name(), "embedded and z3");
    assert_eq!(both.check(&bits, Steps::default()).unwrap(), Answer::Unsat);
}
