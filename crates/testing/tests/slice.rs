//! What slicing preserves: the letters that can be reached and the assertions that can fail; for
//! formulas, runs up to stuttering. Both systems are built here, by the interpreter; then verdicts
//! are compared, with traces that were judged on the model as written.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use std::collections::{BTreeSet, VecDeque};

use ample_check::{Choice, Job, LOOPS, Options, Prepared, Reduce, Verdict, check};
use ample_equivalence::{Answer, Limits, Lts, LtsBuilder, relation};
use ample_frontends::{FormulaText, LoadOptions};
use ample_interpret::Interpreter;
use ample_model::{Expr, Model};
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{PASSES, Rewrite, Rewritten, Visible};
use ample_source::Span;
use ample_stdx::{Interner, Random, TypedId};
use ample_testing::explore;
use ample_testing::questions::question;
use ample_testing::random::{self, Size};
use ample_transition::{FaultKind, NodeId, SuccessorBuffer, Successors};

const MAX_STATES: usize = 1_500;

/// All states of a model with what the propositions say of them, and the assertions that fail;
/// `None` if there are too many.
fn system(model: &Model, propositions: &[Expr]) -> Option<(Lts, BTreeSet<(u32, u32)>)> {
    let interpreter = Interpreter::new(model);
    let packed = Packed::new(&interpreter).ok()?;
    let mut numbers: Interner<NodeId, Vec<u8>> = Interner::default();
    let (mut builder, mut failed) = (LtsBuilder::new(0), BTreeSet::new());
    let initial = packed.initial().ok()?;
    numbers.number(&initial);
    let (mut open, mut next, mut buffer) = (VecDeque::from([initial]), 0, SuccessorBuffer::new());
    while let Some(state) = open.pop_front() {
        let from = numbers.number(&state).index();
        if from < next {
            continue;
        }
        next = from + 1;
        if from > MAX_STATES {
            return None;
        }
        let unpacked = packed.unpack(&state);
        let letters = propositions.iter().map(|asked| format!("{:?}", interpreter.holds(&unpacked, asked).ok()));
        builder.letter(from as u32, &letters.collect::<String>());
        buffer.clear();
        packed.expand_all(&state, &mut buffer);
        for successor in buffer.iter() {
            let place = |span: Span| (span.start, span.end);
            let assertions = successor.faults.iter().filter(|fault| fault.kind == FaultKind::Assertion);
            failed.extend(assertions.map(|fault| place(fault.span)));
            // A run that ends in an error is no run that a formula is about.
            if let Some(target) = successor.state {
                let to = numbers.number(&target.to_vec());
                builder.edge(from as u32, "tau", to.index() as u32);
                open.push_back(target.to_vec());
            }
        }
    }
    Some((builder.build(), failed))
}

fn text_of(seed: u64) -> String {
    match seed % 3 {
        0 => random::model(seed, Size { processes: 2, statements: 4, depth: 2 }),
        1 => random::model(seed, Size { processes: 3, statements: 2, depth: 2 }),
        _ => random::cyclic_model(seed),
    }
}

/// Compares a model with what slicing leaves of it; `None` if that is all or nothing is settled,
/// else whether there are fewer states.
fn compare(text: &str, propositions: &[Expr], faults: &[FaultKind], name: &str) -> Option<bool> {
    let loaded = explore::load_text(text).ok()?;
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).ok()?;
    let facts = Facts::new(&packed.network);
    let visible = Visible { propositions, faults, one_is_enough: false, processes: false, names: false };
    let entry = PASSES.iter().find(|entry| entry.part.name == "slice").expect("the pass exists");
    let Rewrite::OfNetwork(rewrite) = entry.rewrite else { panic!("it looks at the processes") };
    let Rewritten { model, .. } = rewrite(&packed.network, &facts, &visible).ok()??;
    let (full, failed) = system(&loaded.model, propositions)?;
    let (sliced, still_failed) = system(&model, propositions).expect("it is not larger");
    let limits = Limits { work: 10_000_000, ..Limits::default() };
    match relation(name).expect("the relation exists").compare(&full, &sliced, &limits) {
        Answer::Equivalent => {}
        Answer::Different(difference) => panic!("{propositions:?}: not {name}: {difference:?}\n{text}"),
        Answer::Unknown(_) => return None,
    }
    if !faults.is_empty() {
        assert_eq!(failed, still_failed, "{text}");
    }
    Some(sliced.state_count() < full.state_count())
}

/// Compares random models for a kind of question.
fn compare_all(faults: &[FaultKind], name: &str) {
    let (mut compared, mut smaller) = (0, 0);
    for seed in random::seeds(0..600).expect("AMPLE_SEEDS is A..B") {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        if let Some(is_smaller) = compare(&text, &propositions, faults, name) {
            compared += 1;
            smaller += usize::from(is_smaller);
        }
    }
    println!("{compared} models compared, {smaller} smaller");
    assert!(compared > 30 && smaller > 20, "{compared} compared, {smaller} smaller");
}

#[test]
fn the_same_letters_and_assertions_are_reached() {
    compare_all(&[FaultKind::Assertion], "reach");
}

#[test]
fn runs_are_the_same_up_to_stuttering() {
    compare_all(&[], "stutter");
}

/// The verdict on a formula or on assertions, with these reductions, and whether they were used.
fn verdict(text: &str, formula: Option<&str>, reduce: &str) -> Option<(Verdict, bool)> {
    let formulas = formula.map(|text| FormulaText { name: "formula".to_owned(), text: text.to_owned() });
    let options = LoadOptions { formulas: formulas.into_iter().collect(), ..LoadOptions::default() };
    let loaded = ample_frontends::load_text("random.pml", text.to_owned(), &options).ok()?;
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let limits = ample_search::Limits { max_states: Some(20_000), ..ample_search::Limits::default() };
    let options = Options { reduce: Reduce::parse(reduce), threads: Some(1), limits, ..Options::default() };
    let select = vec![formula.map_or("assertions", |_| "formula").to_owned()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    let outcome = match check(job) {
        Ok(outcome) => outcome,
        Err(error) if error.is_internal() => panic!("{formula:?}: {error}\n{text}"),
        Err(_) => return None,
    };
    let used = outcome.properties.iter().flat_map(|property| &property.reductions).any(|part| part.name == "slice");
    (outcome.verdict != Verdict::Unknown).then_some((outcome.verdict, used))
}

/// The same verdict with slicing, alone and with other reductions.
fn same_verdict(text: &str, formula: Option<&str>) -> Option<Verdict> {
    let (expected, _) = verdict(text, formula, "none")?;
    let mut is_used = false;
    for reduce in ["slice", "slice,por", "slice,dead"] {
        if let Some((found, used)) = verdict(text, formula, reduce) {
            assert_eq!(found, expected, "{formula:?} with {reduce}\n{text}");
            is_used |= used;
        }
    }
    is_used.then_some(expected)
}

#[test]
fn verdicts_on_random_models() {
    let (mut violated, mut holds) = (0, 0);
    for seed in random::seeds(0..240).expect("AMPLE_SEEDS is A..B") {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let formula = random::formula(&loaded.model, &mut Random::new(seed));
        for asked in [None, Some(formula.as_str())] {
            match same_verdict(&text, asked) {
                Some(Verdict::Violated) => violated += 1,
                Some(_) => holds += 1,
                None => {}
            }
        }
    }
    println!("{violated} violated, {holds} hold");
    assert!(violated > 5 && holds > 5, "{violated} violated, {holds} hold");
}

/// A run on which only what is left out moves, for ever, is a run on which nothing else happens.
#[test]
fn a_sliced_process_that_spins_for_ever() {
    let text = "byte x, y; active proctype p() { x = 1 } active proctype spins() { do :: y = 1 - y od }";
    assert_eq!(verdict(text, Some("<> {x == 1}"), "none").map(|found| found.0), Some(Verdict::Violated));
    assert_eq!(verdict(text, Some("<> {x == 1}"), "slice").map(|found| found.0), Some(Verdict::Violated));
    assert_eq!(same_verdict(text, Some("[] {x < 2}")), Some(Verdict::Holds), "its assignment does nothing");
}

/// One that comes to its end is left out, and a finite run that is forbidden is gone on with.
#[test]
fn a_finite_run_is_completed() {
    let text = "byte x, y; active proctype p() { x = 1 } active proctype q() { y = 1; y = 2; y = 3 }";
    assert_eq!(same_verdict(text, Some("<> {x == 1}")), Some(Verdict::Holds));
    assert_eq!(same_verdict(text, Some("<> {x == 2}")), Some(Verdict::Violated));
}

#[test]
fn end_states_are_not_asked_with_slicing() {
    let text = "byte x, y; active proctype p() { x = 1 } active proctype q() { y == 7 }";
    let loaded = explore::load_text(text).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::parse("interpret"));
    let prepared = prepared.expect("it can be interpreted");
    let options = Options { reduce: Reduce::parse("slice"), ..Options::default() };
    let select = vec!["end-states".to_owned()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    assert!(check(job).is_err_and(|error| error.to_string().contains("slice")));
}
