//! Advice about small models: what is tried comes from the registries alone, what does not apply
//! comes with the reason, and the line that is recommended is the best of those that were measured.

use std::time::{Duration, Instant};

use ample_advise::{Advice, Advise, Advised, Ask, Came, Tried, advise};
use ample_check::{Fairness, LOOPS, Techniques, Verdict};
use ample_frontends::{FormulaText, LoadOptions, load_text};
use ample_guarantee::{Guarantee, Part, PartKind};
use ample_interpret::Interpreter;
use ample_reduction::{PASSES, PassEntry};
use ample_search::{Limits, Progress, Snapshot};
use ample_stdx::Stop;

struct Silent;

impl Progress for Silent {
    fn report(&mut self, _: &Snapshot) {}
}

/// The advice about the safety of a model, or about a formula, within so many seconds.
fn advice(text: &str, formula: Option<&str>, techniques: Techniques, seconds: u64) -> Advice {
    let formulas = formula.map(|text| FormulaText { name: "f".to_owned(), text: text.to_owned() });
    let options = LoadOptions { formulas: formulas.into_iter().collect(), ..LoadOptions::default() };
    let loaded = load_text("test.pml", text.to_owned(), &options).unwrap_or_else(|_| panic!("it can be read"));
    let question = Advise {
        interpreter: &Interpreter::new(&loaded.model),
        properties: &loaded.properties,
        select: vec![if formula.is_some() { "f" } else { "safety" }.to_owned()],
        fairness: Fairness::None,
        stop: Stop::new(Default::default(), Instant::now().checked_add(Duration::from_secs(seconds))),
        limits: Limits::default(),
        techniques,
        loops: LOOPS,
    };
    advise(&question, &mut Silent).unwrap()
}

fn about(text: &str, formula: Option<&str>, techniques: Techniques) -> Advised {
    advice(text, formula, techniques, 600).properties.remove(0)
}

fn single<'a>(advised: &'a Advised, name: &str) -> &'a Tried {
    let is_it = |tried: &&Tried| tried.single.is_some_and(|part| part.name == name);
    advised.tried.iter().find(is_it).unwrap_or_else(|| panic!("{name} is tried"))
}

/// Three processes, each with steps of its own before they meet.
const WORKERS: &str = "byte phase[3], done;
    active [3] proctype worker() {
        byte own, turn;
        do :: turn < 3 -> own = 2 * turn; phase[_pid] = own; turn++ :: else -> break od;
        own = 0; done++; done == 3; assert(phase[_pid] == 4)
    }";

#[test]
fn each_technique_is_tried_alone_and_the_best_way_is_recommended() {
    let advised = about(WORKERS, None, Techniques::default());
    assert_eq!((advised.verdict, advised.is_complete), (Verdict::Holds, true));
    assert!(advised.difference().is_none());
    let all: Vec<&str> = Techniques::default()
        .reductions()
        .filter(|part| part.kind != PartKind::CycleCondition)
        .chain(Techniques::default().classes.iter().map(|entry| entry.part))
        .chain(LOOPS.iter().map(|entry| entry.part))
        .map(|part| part.name)
        .collect();
    for name in all {
        let tried = single(&advised, name);
        let Ask::In(way) = &tried.ask else { panic!("{name} is named") };
        assert!(way.flags().contains(name), "{name}: {}", way.flags());
    }
    assert!(advised.tried.iter().any(|tried| tried.ask == Ask::ByItself && tried.settled().is_some()));
    let states = |at: usize| advised.tried[at].settled().map(|searched| searched.counts.states);
    let (best, full) = (states(advised.best.unwrap()).unwrap(), states(0).unwrap());
    let quick = advised.tried.iter().filter_map(Tried::settled).filter(|searched| searched.seconds < 0.1);
    let fewest = quick.map(|searched| searched.counts.states).min().unwrap_or(best);
    assert!(best <= fewest + fewest / 50 && 10 * best < full, "{best} of {full}, fewest {fewest}");
}

#[test]
fn what_does_not_apply_comes_with_the_class_that_would_be_lost() {
    let text =
        "byte x; active proctype p() { do :: x < 9 -> x++ :: x > 0 -> x-- od } active proctype q() { do :: skip od }";
    let advised = about(text, Some("[]<> (x == 3)"), Techniques::default());
    assert_eq!(advised.verdict, Verdict::Violated);
    let refused = advised.tried.iter().filter_map(|tried| match (&tried.came, tried.single) {
        (Came::Refused(why), Some(part)) => Some((part.name, why.as_str())),
        _ => None,
    });
    let refused: Vec<(&str, &str)> = refused.collect();
    let lost: Vec<&str> = refused
        .iter()
        .filter(|(_, why)| why.contains("cannot be used to check `f`: errors may be missed in stutter-invariant LTL"))
        .map(|(name, _)| *name)
        .collect();
    assert!(lost.len() > 1, "{refused:?}");
    assert!(refused.iter().all(|(_, why)| !why.is_empty()), "{refused:?}");
}

static MINE: Part =
    Part { name: "mine", kind: PartKind::Pass, summary: "a dummy", paper: None, guarantee: Guarantee::EXACT };

/// Whatever is registered is tried, under whatever name.
#[test]
fn a_technique_that_nobody_knows_is_tried_and_recommended() {
    let best = PASSES.last().expect("there is one");
    let passes: &'static [PassEntry] =
        Box::leak(Box::new([PassEntry { part: &MINE, is_automatic: false, rewrite: best.rewrite }]));
    let techniques =
        Techniques { passes, canonizers: &[], expanders: &[], sleep_sets: &[], classes: &[], ..Techniques::default() };
    let text = "active [2] proctype p() { byte i; i = 1; i = 2; i = 3; i = 4; i = 5 }";
    let formula = Some("[] (0 == 0)");
    for advised in [about(text, None, techniques), about(text, formula, techniques)] {
        let full = advised.tried[0].settled().unwrap().counts.states;
        let mine = single(&advised, "mine");
        assert!(mine.settled().unwrap().counts.states < full, "{mine:?}");
        assert!(mine.ask.flags().contains("--reduce mine"), "{}", mine.ask.flags());
    }
}

#[test]
fn without_time_there_is_no_advice_and_no_error() {
    let advised = advice(WORKERS, None, Techniques::default(), 0).properties.remove(0);
    assert_eq!((advised.verdict, advised.best, advised.is_complete), (Verdict::Unknown, None, false));
}

#[test]
fn a_violation_is_found_and_its_length_is_said() {
    let text = "byte x; active [2] proctype p() { do :: x < 200 -> x++ :: x == 50 -> assert(false) od }";
    let advised = about(text, None, Techniques::default());
    assert_eq!(advised.verdict, Verdict::Violated);
    let best = advised.tried[advised.best.unwrap()].settled().unwrap();
    assert!(best.trace.is_some_and(|length| length >= 51), "{best:?}");
}

#[test]
fn what_the_author_could_change() {
    let text = "int wide, mine; byte shared;
        active proctype a() { do :: mine < 3 -> mine++ :: else -> mine = 0 od }
        active proctype b() { do :: shared = 1; shared = 2; shared = wide od }
        active proctype c() { do :: shared > 0 -> wide = 1 :: wide = 0 od }";
    let hints = advice(text, None, Techniques::default(), 600).hints;
    let texts: Vec<&str> = hints.iter().map(|hint| hint.text.as_str()).collect();
    let has = |words: &str| texts.iter().any(|text| text.contains(words));
    assert!(has("`mine` is global, and only a[0] uses it"), "{texts:?}");
    assert!(!has("`shared` is global") && !has("`wide` is global"), "{texts:?}");
    assert!(has("3 statements of b[1] in a row"), "{texts:?}");
    assert!(has("`wide` has the values 0 to 1 in the first states, and a wide type"), "{texts:?}");
    let counting = "int n; active proctype p() { do :: n++ od } active proctype q() { n > 5 }";
    let texts: Vec<String> =
        advice(counting, None, Techniques::default(), 5).hints.into_iter().map(|hint| hint.text).collect();
    assert!(texts.iter().any(|text| text.contains("`n` has ") && text.contains("different values")), "{texts:?}");
}
