//! Loops that count and are one step: which are, which are not, and that nobody can tell.

use ample_check::{Fairness, Job, LOOPS, Options, Prepared, Reduce, Verdict, check};
use ample_frontends::{FormulaText, LoadOptions};
use ample_interpret::Interpreter;
use ample_model::{EdgeId, Expr};
use ample_reduction::{PassedLocations, Visible};
use ample_stdx::Random;
use ample_testing::explore::{self, SAFETY};
use ample_testing::plans::{Subject, Tally, Ways};
use ample_testing::questions::question;
use ample_testing::random;

use super::{merge, merged};

/// How many loops of a model are one step, for a question with these propositions.
fn loops_for(text: &str, propositions: &[Expr]) -> usize {
    let loaded = explore::load_text(text).expect("it is a model");
    let visible = Visible { propositions, faults: SAFETY, one_is_enough: true, processes: false, names: false };
    let found = PassedLocations::of(&loaded.model, &visible).expect("steps can be merged");
    let of_template = |(id, template): (_, &ample_model::Template)| {
        let edges: Vec<EdgeId> = template.edges.ids().collect();
        edges.into_iter().filter(|edge| found.is_loop(id, *edge)).count()
    };
    loaded.model.templates.iter_enumerated().map(of_template).sum()
}

/// The same for a process with a counter of a type and these statements.
fn loops(counter: &str, statements: &str) -> usize {
    loops_for(&process(counter, statements), &[])
}

fn process(counter: &str, statements: &str) -> String {
    format!("byte g; active proctype p() {{ {counter}; byte j, a[2]; g = 1; {statements}; g = 2 }}")
}

/// The states as written and with each loop as one step, which have the same runs.
fn states(counter: &str, statements: &str) -> (usize, usize) {
    assert_eq!(loops(counter, statements), 1, "{statements}");
    merge(&process(counter, statements)).expect("the loop is one step")
}

#[test]
fn a_loop_that_counts_is_one_step() {
    // Five states besides those of the loop.
    assert_eq!(states("byte i", "do :: i < 100 -> i++ :: else -> break od").1, 4);
    assert_eq!(states("byte i", "do :: i < 100 -> i++ :: i >= 100 -> break od").1, 4);
    assert_eq!(states("byte i", "do :: i >= 100 -> break :: else -> i++ od").1, 4);
    assert_eq!(states("byte i = 50", "do :: i > 0 -> i-- :: else -> break od").1, 4);
    assert_eq!(states("byte i", "for (i : 1 .. 10) { j = j + 2; a[1] = 4; printf(\"%d\\n\", i) }; g = j").1, 5);
    assert_eq!(states("int i", "do :: 5 > i -> i++; i++; i--; j = 3; j++ :: else -> break od; g = i + j").1, 5);
    assert_eq!(states("byte i = 9", "do :: !(i <= 2) -> i = i - 1 :: else -> break od; g = i").1, 5);
}

#[test]
fn steps_of_two_and_three() {
    for (first, step, bound) in [(0, 2, 9), (1, 2, 9), (0, 3, 20), (2, 3, 20), (30, 2, 5)] {
        let up = format!("do :: i < {bound} -> i = i + {step}; j = j + 7 :: else -> break od; g = i + j");
        let down = format!("do :: i > {bound} -> i = i - {step}; j = j - 7 :: else -> break od; g = i + j");
        states(&format!("byte i = {first}"), &up);
        states(&format!("int i = {}", first + 20), &down);
        states(&format!("short i = {}", -first), &up);
    }
}

#[test]
fn what_is_counted_besides_may_wrap() {
    states("byte i", "do :: i < 200 -> i++; j = j + 3; a[0] = a[0] - 1 :: else -> break od; g = j; g = a[0]");
}

#[test]
fn a_counter_that_wraps_never_comes_to_its_bound() {
    let counts_up = |bound: &str| format!("do :: i {bound} -> i++ :: else -> break od");
    assert_eq!(loops("byte i", &counts_up("< 255")), 1);
    assert_eq!(loops("byte i", &counts_up("<= 254")), 1);
    assert_eq!(loops("byte i", &counts_up("<= 255")), 0, "it goes on for ever");
    assert_eq!(loops("bit i", &counts_up("< 1")), 1);
    assert_eq!(loops("bit i", &counts_up("<= 1")), 0);
    assert_eq!(loops("unsigned i : 3", &counts_up("< 7")), 1);
    assert_eq!(loops("unsigned i : 3", &counts_up("< 8")), 0);
    assert_eq!(loops("short i", &counts_up("< 32767")), 1);
    assert_eq!(loops("short i", &counts_up("< 32768")), 0);
    let by_two = |bound: u8| format!("do :: i < {bound} -> i = i + 2 :: else -> break od");
    assert_eq!((loops("byte i", &by_two(254)), loops("byte i", &by_two(255))), (1, 0), "254, 0, 2, …");
    let counts_down = |bound: &str| format!("do :: i {bound} -> i-- :: else -> break od");
    assert_eq!((loops("byte i", &counts_down("> 0")), loops("byte i", &counts_down(">= 0"))), (1, 0));
    assert_eq!(loops("int i", &counts_down(">= -2147483648")), 0);
    for bound in ["< 255", "<= 255"] {
        let text = process("byte i = 250", &counts_up(bound));
        merged("at the border", &text, &[]);
        assert_eq!(verdict(&text, Some("<> {g == 2}"), "none"), verdict(&text, Some("<> {g == 2}"), "merge"));
    }
}

#[test]
fn a_loop_with_very_many_rounds_stays() {
    assert_eq!(loops("int i", "do :: i < 60000 -> i++ :: else -> break od"), 1);
    assert_eq!(loops("int i", "do :: i < 70000 -> i++ :: else -> break od"), 0);
    assert_eq!(loops("int i", "do :: i < 70000 -> i = i + 2 :: else -> break od"), 1);
    assert_eq!(loops("int i", "i = g; do :: i < 10 -> i++ :: else -> break od"), 0, "it may be any number");
    assert_eq!(loops("int i", "for (i : 1 .. 9) { skip }; for (i : 3 .. 8) { j++ }"), 2);
}

#[test]
fn other_exits_and_other_effects_are_left_alone() {
    for statements in [
        "do :: i < 5 -> i++ :: i >= 5 -> break :: g == 3 -> break od",
        "do :: i < 5 -> i++ :: i > 3 -> break od",
        "do :: i < 5 -> i++ :: skip -> break od",
        "do :: i < 5 -> i++; if :: skip :: break fi :: else -> break od",
        "do :: i < 5 -> i++; assert(i != 9) :: else -> break od",
        "do :: i < 5 -> i++; g = i :: else -> break od",
        "do :: i < 5 -> i++; j = i :: else -> break od",
        "do :: i < 5 -> i = 2 * i :: else -> break od",
        "do :: i < 5 -> i++; a[j] = 1 :: else -> break od",
        "do :: i < 5 -> i++; j = 1 / j :: else -> break od",
        "do :: i < 5 -> i--; i++ :: else -> break od",
        "do :: i < j -> i++ :: else -> break od",
        "do :: i < 5 -> progress: i++ :: else -> break od",
        "end: do :: i < 5 -> i++ :: else -> break od",
        "{ do :: i < 5 -> i++ :: else -> break od } unless { g == 3 }",
        "atomic { do :: i < 5 -> i++ :: else -> break od }",
    ] {
        assert_eq!(loops("byte i", statements), 0, "{statements}");
        merged("left alone", &process("byte i", statements), &[]);
    }
}

#[test]
fn a_loop_without_a_way_on_ends_where_it_begins() {
    let (_, merged) = states("byte i", "do :: i < 5 -> i++ od");
    assert_eq!(merged, 3);
    states("byte i", "do :: i < 5 -> i++ :: i == 7 -> break od");
    states("byte i", "do :: i < 5 -> i = i + 2 :: i == 6 -> break od");
}

#[test]
fn an_atomic_sequence_inside_a_round() {
    states("byte i", "do :: i < 5 -> atomic { i++; j = j + 2 } :: else -> break od");
}

#[test]
fn what_others_look_at_is_not_counted_at_once() {
    let text = |other: &str| {
        format!(
            "byte g; active proctype p() {{ byte i; g = 1; do :: i < 5 -> there: i++ :: else -> break od; g = 2 }}
             active proctype q() {{ {other} }}"
        )
    };
    assert_eq!(loops_for(&text("skip"), &[]), 1);
    for other in ["p:i == 2", "p@there", "p[0]:i == 2"] {
        assert_eq!(loops_for(&text(other), &[]), 0, "{other}");
        merged("observed", &text(other), &[]);
    }
    let asked = [Some("[] {p:i < 3}"), Some("[] !{p@there}")];
    for formula in asked {
        assert_eq!(verdict(&text("skip"), formula, "merge"), Some(Verdict::Violated));
    }
    let global = "byte i; active proctype p() { do :: i < 5 -> i++ :: else -> break od }";
    assert_eq!(loops_for(global, &[]), 0);
}

/// The verdict on a formula or on safety, with these reductions; what is found is replayed on the
/// model as written.
pub(super) fn verdict(text: &str, formula: Option<&str>, reduce: &str) -> Option<Verdict> {
    let formulas = formula.map(|text| FormulaText { name: "formula".to_owned(), text: text.to_owned() });
    let options = LoadOptions { formulas: formulas.into_iter().collect(), ..LoadOptions::default() };
    let loaded = ample_frontends::load_text("random.pml", text.to_owned(), &options).ok()?;
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let limits = ample_search::Limits { max_states: Some(50_000), ..ample_search::Limits::default() };
    let options = Options { reduce: Reduce::parse(reduce), threads: Some(1), limits, ..Options::default() };
    let select = vec![formula.map_or("safety", |_| "formula").to_owned()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    match check(job) {
        Ok(outcome) => (outcome.verdict != Verdict::Unknown).then_some(outcome.verdict),
        Err(error) if error.is_internal() => panic!("{formula:?} with {reduce}: {error}\n{text}"),
        Err(_) => None,
    }
}

/// An atomic sequence goes round once with what is dead reset, and twice without.
#[test]
fn an_atomic_sequence_that_does_not_end() {
    let text = "byte x; active proctype p() { byte i = 3, j; skip;
                atomic { do :: i < 9 -> if :: j = 1 :: skip fi; i = 3 od }; x = i + j }";
    for reduce in ["none", "dead", "merge", "dead,merge"] {
        assert_eq!(verdict(text, None, reduce), Some(Verdict::Violated), "{reduce}");
    }
}

/// With what is dead reset, a sequence without end comes to a state for the second time elsewhere
/// (`soak --reduce`, seed 4360). Its place is where it begins.
#[test]
fn an_atomic_sequence_without_end_has_one_place() {
    let text = "byte x, y; active proctype P0() { unsigned i : 3; byte j, a[2];
                atomic { do :: i <= 6 -> if :: j = 1 :: skip fi; i = i + 2; j-- :: else -> break od } }";
    for reduce in ["none", "dead", "program-counters,dead", "dead,por"] {
        assert_eq!(verdict(text, None, reduce), Some(Verdict::Violated), "{reduce}");
    }
    let subject = Subject { name: "random.pml", text: text.to_owned(), formula: "[] {x == y}".to_owned() };
    for seed in 4360..4362 {
        let compared = subject.compare(seed, Fairness::None, Ways::Techniques, &mut Tally::default());
        assert_eq!(compared, Ok(()), "the plans of seed {seed}");
    }
}

#[test]
fn random_loops() {
    let (mut compared, mut accelerated) = (0, 0);
    for seed in random::seeds(0..400).expect("AMPLE_SEEDS is A..B") {
        let text = random::counting_model(seed);
        let loaded = explore::load_text(&text).unwrap_or_else(|why| panic!("{}\n{text}", explore::messages(&why)));
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        if merged(&format!("seed {seed}, {propositions:?}"), &text, &propositions).is_some() {
            compared += 1;
            accelerated += usize::from(loops_for(&text, &propositions) > 0);
        }
    }
    println!("{compared} models compared, {accelerated} with loops that are one step");
    assert!(accelerated > 0);
}

#[test]
fn verdicts_on_random_loops() {
    let (mut violated, mut holds) = (0, 0);
    for seed in random::seeds(0..150).expect("AMPLE_SEEDS is A..B") {
        let text = random::counting_model(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let formula = random::formula(&loaded.model, &mut Random::new(seed));
        for asked in [None, Some(formula.as_str())] {
            let Some(expected) = verdict(&text, asked, "none") else { continue };
            for reduce in ["merge", "dead,merge", "merge,por", "dead,merge,por"] {
                let found = verdict(&text, asked, reduce);
                assert!(found.is_none_or(|found| found == expected), "{asked:?} with {reduce}\n{text}");
            }
            violated += usize::from(expected == Verdict::Violated);
            holds += usize::from(expected == Verdict::Holds);
        }
    }
    println!("{violated} violated, {holds} hold");
    assert!(violated > 0 && holds > 0);
}
