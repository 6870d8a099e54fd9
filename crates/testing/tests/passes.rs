//! What passes preserve: the model that a pass makes and the model as written are bisimilar, with
//! the same moves, faults and propositions. Both systems are built here, by the interpreter.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use std::collections::VecDeque;
use std::fmt::Write;

use ample_equivalence::{Answer, Limits, Lts, LtsBuilder, relation};
use ample_interpret::Interpreter;
use ample_model::{Expr, Model};
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{PASSES, Rewritten, Visible};
use ample_stdx::{Interner, Random};
use ample_testing::explore::{self, SAFETY};
use ample_testing::questions::question;
use ample_testing::random::{self, Size};
use ample_transition::{Move, NodeId, SuccessorBuffer, Successors};

const MAX_STATES: usize = 1_500;

/// All states and transitions of a model; `None` if there are too many. Moves are named as `back`
/// says.
fn system(model: &Model, propositions: &[Expr], back: &dyn Fn(&[Move]) -> Vec<Move>) -> Option<Lts> {
    let interpreter = Interpreter::new(model);
    let packed = Packed::new(&interpreter).ok()?;
    let mut numbers: Interner<NodeId, Vec<u8>> = Interner::default();
    let mut builder = LtsBuilder::new(0);
    let initial = packed.initial().ok()?;
    let mut open = VecDeque::from([initial]);
    let number = |id: NodeId| ample_stdx::TypedId::index(id) as u32;
    let mut buffer = SuccessorBuffer::new();
    let mut next = 0;
    while let Some(state) = open.pop_front() {
        let from = number(numbers.number(&state));
        if from < next {
            continue;
        }
        next = from + 1;
        if from as usize > MAX_STATES {
            return None;
        }
        let unpacked = packed.unpack(&state);
        let letters =
            propositions.iter().map(|proposition| format!("{:?}", interpreter.holds(&unpacked, proposition).ok()));
        let mut letter: String = letters.collect();
        buffer.clear();
        packed.expand_all(&state, &mut buffer);
        if buffer.is_empty() {
            _ = write!(letter, "{:?}", packed.invalid_end(&state).map(|fault| fault.kind));
        }
        builder.letter(from, &letter);
        for successor in buffer.iter() {
            let faults: Vec<_> = successor.faults.iter().map(|fault| (fault.kind, fault.span)).collect();
            let label = format!("{:?} {faults:?}", back(successor.moves));
            match successor.state {
                Some(target) => {
                    let to = number(numbers.number(&target.to_vec()));
                    builder.edge(from, &label, to);
                    open.push_back(target.to_vec());
                }
                // No state is empty: there all runs end that end in a fault.
                None => builder.edge(from, &label, number(numbers.number(&Vec::new()))),
            }
        }
    }
    Some(builder.build())
}

/// The states of a model as written and after a pass, which are bisimilar; `None` if the pass finds
/// nothing, or there are too many states.
fn states(name: &str, text: &str, propositions: &[Expr], pass: &str) -> Option<(usize, usize)> {
    let loaded = explore::load_text(text).ok()?;
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).ok()?;
    let facts = Facts::new(&packed.network);
    let visible = Visible { propositions, faults: SAFETY, processes: false };
    let entry = PASSES.iter().find(|entry| entry.part.name == pass).expect("the pass exists");
    let Rewritten { model, back } = (entry.rewrite)(&packed.network, &facts, &visible).ok()??;
    let written = system(&loaded.model, propositions, &<[Move]>::to_vec)?;
    let named = |moves: &[Move]| {
        let mut written = Vec::new();
        moves.iter().for_each(|step| back.moves(*step, &mut written));
        written
    };
    let rewritten = system(&model, propositions, &named).expect("it is not larger");
    let limits = Limits { work: 10_000_000, ..Limits::default() };
    match relation("bisim").expect("the relation exists").compare(&written, &rewritten, &limits) {
        Answer::Equivalent => {}
        Answer::Different(difference) => panic!("{name}: {difference:?}\n{text}"),
        Answer::Unknown(_) => return None,
    }
    Some((written.state_count(), rewritten.state_count()))
}

/// The model of a seed.
fn text_of(seed: u64) -> String {
    match seed % 4 {
        0 => random::model(seed, Size { processes: 2, statements: 4, depth: 2 }),
        1 => random::whole_state_model(seed, Size { processes: 2, statements: 4, depth: 2 }),
        2 => random::cyclic_model(seed),
        _ => random::model(seed, Size { processes: 3, statements: 3, depth: 2 }),
    }
}

#[test]
fn dead_variables_of_random_models() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        if let Some((full, dead)) = states(&format!("seed {seed}, {propositions:?}"), &text, &propositions, "dead") {
            compared += 1;
            smaller += usize::from(dead < full);
        }
    }
    println!("{compared} models compared, {smaller} smaller");
    assert!(compared > 0);
}

/// The states as written and without dead variables.
fn dead(text: &str) -> Option<(usize, usize)> {
    states("", text, &[], "dead")
}

#[test]
fn what_is_read_before_it_is_written_stays() {
    let text = "byte g; active proctype p() { byte x; if :: x = 1 :: x = 2 fi; g = 7; x > 0; g = 3; g = 4 }";
    let (full, dead) = dead(text).expect("x is reset at the end");
    assert!(dead < full, "{dead} of {full}");
}

#[test]
fn what_nobody_reads_is_dead_at_once() {
    assert_eq!(dead("active proctype p() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; skip }"), Some((8, 4)));
}

#[test]
fn a_remote_reference_keeps_a_variable_alive() {
    let text = "active proctype p() { byte x; if :: x = 1 :: x = 2 fi; skip; skip }
                active proctype q() { p:x == 2 }";
    assert_eq!(dead(text), None);
}

#[test]
fn a_message_pattern_keeps_a_variable_alive() {
    let text = "chan c = [1] of { byte };
                active proctype p() { byte x; if :: x = 1 :: x = 2 fi; c!1; c?eval(x) }";
    let (full, dead) = dead(text).expect("x is reset at the end");
    assert!(dead <= full, "{dead} of {full}");
}

#[test]
fn a_computed_index_keeps_all_elements_alive() {
    let text =
        "byte g, i; active proctype p() { byte a[2]; a[0] = 1; if :: i = 0 :: i = 1 fi; g = a[i]; a[1] = 3; skip }";
    assert!(dead(text).is_some());
}

#[test]
fn what_an_escape_reads_is_live() {
    let text = "bool stop; byte g;
                active proctype p() { byte x; if :: x = 1 :: x = 2 fi; { skip; skip; x = 0; skip } unless { stop -> g = x } }
                active proctype q() { stop = true }";
    assert!(dead(text).is_some());
}

#[test]
fn inside_d_step_and_atomic() {
    let text = "byte g; active proctype p() { byte x, y;
                do :: d_step { x = g; y = x + 1; g = y % 3 } :: atomic { y = 5; x = y; g = x % 4 } od }";
    let (full, dead) = dead(text).expect("both are dead outside");
    assert!(dead < full, "{dead} of {full}");
}

#[test]
fn parameters_and_first_values() {
    let text = "proctype p(byte a) { byte x = 3; a == 1 || a == 2; skip; x = 1 }
                init { if :: run p(1) :: run p(2) fi }";
    let (full, dead) = dead(text).expect("both are reset");
    assert!(dead < full, "{dead} of {full}");
}

#[test]
fn a_parameter_that_nobody_reads_stays_what_it_is() {
    let text = "proctype p(byte n) { do :: skip; skip od } init { run p(3) }";
    assert_eq!(dead(text), None);
}
