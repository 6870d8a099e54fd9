//! Random models through the whole chain: they load, their states survive packing, the orders of
//! search agree, and every counterexample is a run. `AMPLE_SEEDS=A..B` chooses the seeds.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ample_interpret::{Interpreter, State};
use ample_search::{Ended, Found, Limit, Limits, SearchOutcome, StopAt};
use ample_testing::explore::{self, SAFETY};
use ample_testing::random::{self, Size};
use ample_transition::{FaultKind, Move, Successor, SuccessorBuffer, Successors};

/// Larger models are explored up to here and say less.
const MAX_STATES: u64 = 5_000;

/// What the models were good for.
#[derive(Default, Debug)]
struct Tally {
    models: usize,
    complete: usize,
    ten_states: usize,
    deadlocks: usize,
    assertions: usize,
    runtime_errors: usize,
    atomic: usize,
    rendezvous: usize,
}

#[test]
fn random_models_behave() {
    let seeds = random::seeds(0..300).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds.clone() {
        let text = random::model(seed, Size::default());
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(&text, &mut tally))) {
            eprintln!("seed {seed} failed; the model:\n{text}");
            std::panic::resume_unwind(panic);
        }
    }
    println!("seeds {seeds:?}: {tally:?}");
    // A generator whose models do nothing would pass every test.
    let half = tally.models / 2;
    assert!(tally.complete > half && tally.ten_states > half, "too few useful models: {tally:?}");
    for (what, count) in [
        ("deadlocks", tally.deadlocks),
        ("failed assertions", tally.assertions),
        ("atomic sequences", tally.atomic),
        ("rendezvous", tally.rendezvous),
    ] {
        assert!(count * 50 > tally.models, "too few models with {what}: {tally:?}");
    }
}

fn check(text: &str, tally: &mut Tally) {
    let loaded = match explore::load_text(text) {
        Ok(loaded) => loaded,
        Err(failure) => panic!("not accepted: {}", explore::messages(&failure)),
    };
    let interpreter = Interpreter::new(&loaded.model);
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
    let dfs = explore::search(&interpreter, "dfs", StopAt::End, &limits);
    let bfs = explore::search(&interpreter, "bfs", StopAt::End, &limits);
    let rendezvous = walk(&interpreter);
    for outcome in [&dfs, &bfs] {
        assert!(outcome.counts.states <= MAX_STATES, "the limit is not kept: {:?}", outcome.counts);
        if outcome.ended != Ended::Complete {
            assert_eq!(outcome.ended, Ended::Limit(Limit::States(MAX_STATES)));
        }
        for found in &outcome.violations {
            replay(&interpreter, found);
        }
    }
    orders_agree(&dfs, &bfs);
    stopping_early_agrees(&interpreter, &bfs);
    note(tally, &dfs, rendezvous);
}

fn orders_agree(dfs: &SearchOutcome, bfs: &SearchOutcome) {
    assert_eq!(dfs.ended == Ended::Complete, bfs.ended == Ended::Complete, "{:?} {:?}", dfs.ended, bfs.ended);
    if dfs.ended != Ended::Complete {
        return;
    }
    let counts = |outcome: &SearchOutcome| {
        (outcome.counts.states, outcome.counts.transitions, outcome.counts.atomic_steps, explore::faults(outcome))
    };
    assert_eq!(counts(dfs), counts(bfs), "depth first (left) and breadth first (right) disagree");
}

/// The first violation breadth first is as short as any that the complete search reports.
fn stopping_early_agrees(interpreter: &Interpreter<'_>, full: &SearchOutcome) {
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
    let first = explore::search(interpreter, "bfs", StopAt::FirstViolation, &limits);
    let length = |outcome: &SearchOutcome| outcome.violations.iter().map(|found| found.trace.transitions.len()).min();
    assert_eq!(length(&first), length(full), "the shortest violation");
    assert!(first.violations.len() <= 1);
}

/// Visits states breadth first on our own: packing is exact and expansion always gives the same.
/// Tells whether there was a rendezvous.
fn walk(interpreter: &Interpreter<'_>) -> bool {
    let Ok(initial) = interpreter.initial() else { return false };
    let mut seen = vec![initial];
    let (mut first, mut second) = (SuccessorBuffer::new(), SuccessorBuffer::new());
    let mut rendezvous = false;
    let mut at = 0;
    while at < seen.len() && seen.len() < 200 {
        let bytes = seen[at].clone();
        let state = interpreter.decode(&bytes);
        let mut again = Vec::new();
        interpreter.encode(&state, &mut again);
        assert_eq!(bytes, again, "encode after decode is not the identity");
        for outcome in interpreter.moves(&state, None) {
            if let Some(next) = &outcome.next {
                packing_is_exact(interpreter, next);
            }
            rendezvous |= outcome.step.partner.is_some();
        }
        first.clear();
        second.clear();
        interpreter.expand_all(&bytes, &mut first);
        interpreter.expand_all(&bytes, &mut second);
        assert_eq!(describe(&first), describe(&second), "expansion is not deterministic");
        first.iter().for_each(|successor| moves_lead_there(interpreter, &state, &successor));
        let new = first.iter().filter_map(|successor| successor.state).map(<[u8]>::to_vec);
        let new: Vec<Vec<u8>> = new.filter(|state| !seen.contains(state)).collect();
        seen.extend(new);
        at += 1;
    }
    rendezvous
}

fn packing_is_exact(interpreter: &Interpreter<'_>, state: &State) {
    let mut bytes = Vec::new();
    interpreter.encode(state, &mut bytes);
    let mut same = interpreter.decode(&bytes);
    // Only models that ask for it remember who moved last; all others forget it when packing.
    if !interpreter.model().uses.last {
        same.last = state.last;
    }
    assert_eq!(*state, same, "decode after encode is not the identity");
}

/// An expansion copies and packs only what moves change: it must come to the same as its moves one
/// by one, each in a whole copy of the state.
fn moves_lead_there(interpreter: &Interpreter<'_>, state: &State, successor: &Successor<'_>) {
    let (mut state, mut control) = (state.clone(), None);
    for step in successor.moves {
        let outcome = one_move(interpreter, &state, control, step);
        let Some(next) = outcome.next else {
            assert!(successor.state.is_none(), "the run is over");
            return;
        };
        (state, control) = (next, outcome.control);
    }
    let mut bytes = Vec::new();
    interpreter.encode(&state, &mut bytes);
    // An endless sequence has no end, though each of its moves has one.
    assert!(successor.state.is_none_or(|state| state == bytes), "moves one by one lead elsewhere");
}

fn describe(buffer: &SuccessorBuffer) -> String {
    let mut text = String::new();
    for successor in buffer.iter() {
        writeln!(text, "{:?} {:?} {:?}", successor.moves, successor.faults, successor.state)
            .expect("a string takes all");
    }
    text
}

/// Runs a trace move by move, with nothing but `Interpreter::moves`.
fn replay(interpreter: &Interpreter<'_>, found: &Found) {
    let mut state = match interpreter.initial_state() {
        Ok(state) => state,
        Err(fault) => {
            assert_eq!(*fault, found.fault, "the initial state fails otherwise");
            return;
        }
    };
    let mut ended = false;
    let mut last_faults = Vec::new();
    for transition in &found.trace.transitions {
        assert!(!ended, "the trace goes on after its end");
        let mut control = None;
        last_faults.clear();
        for step in transition {
            let outcome = one_move(interpreter, &state, control, step);
            control = outcome.control;
            last_faults.extend(outcome.faults);
            match outcome.next {
                Some(next) => state = next,
                None => ended = true,
            }
        }
    }
    if found.fault.kind == FaultKind::InvalidEndState {
        assert!(interpreter.moves(&state, None).is_empty(), "something can move in the end state");
        let judged = interpreter.invalid_end_of(&state).expect("the end is not invalid");
        assert_eq!(judged.span, found.fault.span);
    } else {
        let same = |fault: &ample_transition::Fault| fault.kind == found.fault.kind && fault.span == found.fault.span;
        // An endless atomic sequence shows only in the repetition, not in any one move.
        assert!(
            last_faults.iter().any(same) || found.fault.message.contains("does not end"),
            "the last transition of the trace does not show {:?}",
            found.fault
        );
    }
    assert!(SAFETY.contains(&found.fault.kind));
}

fn one_move(
    interpreter: &Interpreter<'_>,
    state: &State,
    control: Option<u16>,
    step: &Move,
) -> ample_interpret::Outcome {
    let moves = interpreter.moves(state, control);
    moves.into_iter().find(|outcome| outcome.step == *step).expect("the move of the trace is possible")
}

fn note(tally: &mut Tally, outcome: &SearchOutcome, rendezvous: bool) {
    let has = |kind| usize::from(outcome.violations.iter().any(|found| found.fault.kind == kind));
    tally.models += 1;
    tally.complete += usize::from(outcome.ended == Ended::Complete);
    tally.ten_states += usize::from(outcome.counts.states >= 10);
    tally.deadlocks += has(FaultKind::InvalidEndState);
    tally.assertions += has(FaultKind::Assertion);
    tally.runtime_errors += has(FaultKind::RuntimeError);
    tally.atomic += usize::from(outcome.counts.atomic_steps > 0);
    tally.rendezvous += usize::from(rendezvous);
}
