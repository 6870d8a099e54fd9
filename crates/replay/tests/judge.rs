//! The judge on small models: what is a run is accepted, what is not is refused with the place
//! where it differs.

use ample_frontends::{LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_model::EdgeId;
use ample_replay::{Mismatch, Replayed, Run, Step, Steps, judge, spin};
use ample_source::Span;
use ample_stdx::TypedId;
use ample_transition::{Fault, FaultKind, SuccessorBuffer, Successors, Trace};

fn load(text: &str) -> Loaded {
    load_text("m.pml", text.to_owned(), &LoadOptions::default()).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The run that always makes the first move, one transition per move, and the fault it ends in.
fn first_moves(interpreter: &Interpreter<'_>, most: usize) -> (Trace, Option<Fault>) {
    let mut run = Run::start(interpreter).unwrap();
    let mut trace = Trace::default();
    while let Some(outcome) = run.moves().into_iter().next().filter(|_| trace.transitions.len() < most) {
        let step = run.take(outcome);
        trace.transitions.push(vec![step.step]);
        if let Some(fault) = step.faults.first() {
            return (trace, Some(fault.clone()));
        }
    }
    let fault = run.invalid_end().map(|fault| *fault);
    (trace, fault)
}

#[track_caller]
fn accept(text: &str) -> (Replayed, Vec<Step>) {
    let loaded = load(text);
    let interpreter = Interpreter::new(&loaded.model);
    let (trace, fault) = first_moves(&interpreter, 100);
    let replayed = judge(&interpreter, &trace, &fault.unwrap(), None).unwrap();
    let steps = replayed.steps(&interpreter, &trace).collect();
    (replayed, steps)
}

const WRONG: &str = "byte x; active proctype p() { x = 1; x++; assert(x == 1) }";

#[test]
fn a_run_to_a_failed_assertion() {
    let (replayed, steps) = accept(WRONG);
    assert_eq!((replayed.moves, steps.len()), (3, 3));
    assert_eq!(replayed.culprit.as_deref(), Some("p[0]"));
    assert_eq!(replayed.fault_at, Some(2));
    assert_eq!(replayed.fault.message, "assertion failed: x == 1");
    let change = &steps[1].changes[0];
    assert_eq!((change.name.as_str(), change.value.as_str()), ("x", "2"));
    assert_eq!(steps[1].mover.name, "p[0]");
}

#[test]
fn a_run_to_an_invalid_end_state() {
    let (replayed, _) = accept("byte x; active proctype p() { x = 1; x == 2 }");
    assert_eq!((replayed.moves, replayed.fault_at, replayed.culprit.as_deref()), (1, None, Some("p[0]")));
    assert_eq!(replayed.waiting[0].texts, ["x == 2"]);
    assert!(!replayed.waiting[0].may_end);
}

#[test]
fn a_run_to_an_error() {
    assert_eq!(accept("byte x; active proctype p() { x = 1 / x }").0.fault.kind, FaultKind::RuntimeError);
}

#[test]
fn an_atomic_sequence_that_repeats_a_state_does_not_end() {
    let loaded = load("bit x; active proctype p() { atomic { do :: x = 1 - x od } }");
    let interpreter = Interpreter::new(&loaded.model);
    let mut buffer = SuccessorBuffer::new();
    interpreter.expand_all(&interpreter.initial().unwrap(), &mut buffer);
    let successor = buffer.get(0).unwrap();
    let trace = Trace { transitions: vec![successor.moves.to_vec()], cycle: None };
    let claimed = successor.faults[0].clone();
    let replayed = judge(&interpreter, &trace, &claimed, None).unwrap();
    assert_eq!(replayed.fault.message, "the atomic sequence does not end");
    assert_eq!(replayed.moves, 3, "the first repetition is enough");
    let ends = Trace { transitions: vec![trace.transitions[0][..1].to_vec()], cycle: None };
    assert!(matches!(judge(&interpreter, &ends, &claimed, None), Err(Mismatch::NoFault { .. })));
}

#[test]
fn what_is_not_a_run_is_refused() {
    let loaded = load(WRONG);
    let interpreter = Interpreter::new(&loaded.model);
    let (trace, fault) = first_moves(&interpreter, 100);
    let fault = fault.unwrap();

    let mut other_edge = trace.clone();
    other_edge.transitions[1][0].edge = EdgeId::from_index(77);
    assert!(matches!(judge(&interpreter, &other_edge, &fault, None), Err(Mismatch::NotPossible { number: 2, .. })));

    let mut no_such_process = trace.clone();
    no_such_process.transitions[0][0].process = 9;
    assert!(matches!(
        judge(&interpreter, &no_such_process, &fault, None),
        Err(Mismatch::NotPossible { number: 1, .. })
    ));

    let mut too_short = trace.clone();
    too_short.transitions.pop();
    assert!(matches!(judge(&interpreter, &too_short, &fault, None), Err(Mismatch::NoFault { moves: 2, .. })));

    let mut swapped = trace.clone();
    swapped.transitions.swap(0, 1);
    assert!(matches!(judge(&interpreter, &swapped, &fault, None), Err(Mismatch::NotPossible { number: 1, .. })));

    let other_kind = Fault { kind: FaultKind::RuntimeError, ..fault.clone() };
    assert!(matches!(judge(&interpreter, &trace, &other_kind, None), Err(Mismatch::NoFault { .. })));

    let elsewhere = Fault { span: Span::default(), ..fault.clone() };
    assert!(matches!(judge(&interpreter, &trace, &elsewhere, None), Err(Mismatch::NoFault { .. })));

    assert!(judge(&interpreter, &trace, &fault, None).is_ok());
}

#[test]
fn steps_that_are_passed_over_are_counted() {
    let loaded = load(WRONG);
    let interpreter = Interpreter::new(&loaded.model);
    let (trace, _) = first_moves(&interpreter, 100);
    let rest: Vec<(usize, String)> =
        Steps::new(&interpreter, &trace, 3).after(1).map(|step| (step.transition, step.mover.text)).collect();
    assert_eq!(rest, [(2, "x++".to_owned()), (3, "assert(x == 1)".to_owned())]);
    assert_eq!(Steps::new(&interpreter, &trace, 2).after(5).count(), 0);
}

/// Follows what Spin 6.5.2 printed for a model (`spin -a; pan; spin -t -p -g -l`).
#[track_caller]
fn follow(model: &str, printed: &str, steps: usize, wrong: &str) {
    let loaded = load(model);
    let interpreter = Interpreter::new(&loaded.model);
    let run = Run::start(&interpreter).unwrap();
    let (run, taken) = spin::follow(run, &loaded.sources, printed).unwrap();
    let fault = taken.iter().flat_map(|step| step.faults.first()).next().cloned();
    let fault = fault.or_else(|| run.invalid_end().map(|fault| *fault)).map(|fault| fault.message);
    assert_eq!(taken.len(), steps);
    assert!(fault.as_ref().is_some_and(|fault| fault.starts_with(wrong)), "{fault:?}");
}

#[test]
fn runs_that_spin_printed_are_followed() {
    follow(include_str!("spin/talk.pml"), include_str!("spin/talk.txt"), 26, "assertion failed: false");
    follow(include_str!("spin/merged.pml"), include_str!("spin/merged.txt"), 20, "assertion failed: x == 9");
    follow(include_str!("spin/stuck.pml"), include_str!("spin/stuck.txt"), 12, "invalid end state");
}

#[test]
fn a_run_of_another_model_is_not_followed() {
    let loaded = load(WRONG);
    let interpreter = Interpreter::new(&loaded.model);
    let follow = |text| {
        let error = spin::follow(Run::start(&interpreter).unwrap(), &loaded.sources, text).err().unwrap();
        error.to_string()
    };
    assert_eq!(follow("nothing here"), "no line is a move of a process; make the text with `spin -t -p MODEL`");
    assert_eq!(
        follow("  1:\tproc  0 (p:1) m.pml:1 (state 1)\t[x = 1]\n  2:\tproc  4 (q:1) m.pml:9 (state 8)\t[y = 1]\n"),
        "line 2: process 4 cannot do `y = 1` (state 8) here; possible: p[0]: x++"
    );
}
