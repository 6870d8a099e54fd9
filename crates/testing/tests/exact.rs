//! Exact integers: the interpreter against the same commands on wider integers, machine code
//! against the interpreter, and states as they are packed; on the programs of the project and on
//! random ones (`AMPLE_SEEDS=A..B` chooses the seeds).

use std::fs;

use ample_frontends::{LoadOptions, Loaded, load_file, load_text};
use ample_interpret::Interpreter;
use ample_jit::Sizes;
use ample_model::{BinaryOp, Expr, ExprKind, Model, Scalar};
use ample_network::instantiate;
use ample_stdx::TypedId;
use ample_testing::exact::{Taken, take};
use ample_testing::machine_code::{self, PIECES, Tally};
use ample_testing::process_moves;
use ample_testing::random::{self, Numbers};
use ample_testing::{explore, workspace_root};
use ample_transition::{FaultKind, SuccessorBuffer, Successors};

/// Programs with more states are looked at on the first of them.
const MAX_STATES: usize = 1_500;

fn load(text: &str, name: &str) -> Loaded {
    load_text("random.gcl", text.to_owned(), &LoadOptions::default())
        .unwrap_or_else(|failure| panic!("{name}: {}\n{text}", explore::messages(&failure)))
}

/// Calls `check` for each random program, with its name.
fn each_random_program(check: &mut dyn FnMut(&Loaded, &str)) {
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        for numbers in [Numbers::Small, Numbers::Borders] {
            let text = random::gcl_program(seed, numbers).text;
            let name = format!("seed {seed}, {numbers:?}");
            check(&load(&text, &name), &format!("{name}\n{text}"));
        }
    }
}

/// Calls `check` for each program of the project, with its name.
fn each_program_of_the_project(check: &mut dyn FnMut(&Loaded, &str)) {
    let mut count = 0;
    for folder in ["examples", "examples/thesis"] {
        for entry in fs::read_dir(workspace_root().join(folder)).expect("the examples are readable") {
            let path = entry.expect("the examples are readable").path();
            if path.extension().is_some_and(|ending| ending == "gcl") {
                let loaded = load_file(&path, &LoadOptions::default());
                let loaded = loaded.unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)));
                check(&loaded, &path.display().to_string());
                count += 1;
            }
        }
    }
    assert!(count >= 20, "{count} programs");
}

/// How many programs have each number of states, and how many have each kind of fault.
#[derive(Debug, Default)]
struct Shapes {
    programs: usize,
    states: usize,
    small: usize,
    large: usize,
    run_time_errors: usize,
    value_limits: usize,
    deadlocks: usize,
}

#[test]
fn random_programs_are_small_and_have_all_kinds_of_faults() {
    let mut shapes = Shapes::default();
    each_random_program(&mut |loaded, _| {
        let interpreter = Interpreter::new(&loaded.model);
        let states = explore::states_of(&interpreter, MAX_STATES);
        shapes.programs += 1;
        shapes.states += states.len();
        shapes.small += usize::from(states.len() < 5);
        shapes.large += usize::from(states.len() == MAX_STATES);
        let mut buffer = SuccessorBuffer::new();
        let mut kinds = Vec::new();
        for state in &states {
            buffer.clear();
            interpreter.expand_all(state, &mut buffer);
            kinds.extend(buffer.iter().flat_map(|next| next.faults.iter().map(|fault| fault.kind)));
            if buffer.is_empty() {
                kinds.extend(interpreter.invalid_end(state).map(|fault| fault.kind));
            }
        }
        shapes.run_time_errors += usize::from(kinds.contains(&FaultKind::RuntimeError));
        shapes.value_limits += usize::from(kinds.contains(&FaultKind::ValueLimit));
        shapes.deadlocks += usize::from(kinds.contains(&FaultKind::InvalidEndState));
    });
    println!("{shapes:?}");
    assert!(shapes.small * 3 < shapes.programs && shapes.large * 5 < shapes.programs, "{shapes:?}");
    let faults = [shapes.run_time_errors, shapes.value_limits, shapes.deadlocks];
    assert!(faults.iter().all(|faults| faults * 20 > shapes.programs), "{shapes:?}");
}

/// What the interpreter does with every command, in the first states of a program.
fn compare_with_wider_integers(loaded: &Loaded, name: &str) {
    let interpreter = Interpreter::new(&loaded.model);
    let mut buffer = SuccessorBuffer::new();
    for bytes in explore::states_of(&interpreter, 300) {
        let state = interpreter.decode(&bytes);
        buffer.clear();
        interpreter.expand_all(&bytes, &mut buffer);
        let process = &state.processes[0];
        let template = &loaded.model.templates[process.template];
        let all = template.locations[process.location].edges.iter();
        let wanted = all.map(|id| (*id, take(&loaded.model, &state, &template.edges[*id])));
        let wanted: Vec<_> = wanted.filter(|(_, taken)| *taken != Taken::No).collect();
        let found = buffer.iter().map(|next| {
            let taken = match (next.state, next.faults) {
                (Some(state), []) => Taken::To(interpreter.decode(state).globals().to_vec()),
                (None, [fault]) => Taken::Fails(fault.kind),
                _ => panic!("{name}: {next:?}"),
            };
            (next.moves[0].edge, taken)
        });
        assert_eq!(found.collect::<Vec<_>>(), wanted, "{state:?} of {name}");
    }
}

#[test]
fn commands_are_those_of_wider_integers() {
    each_random_program(&mut compare_with_wider_integers);
    each_program_of_the_project(&mut compare_with_wider_integers);
}

/// Machine code against the interpreter, which it asks for nothing but faults.
fn compare(model: &Model, name: &str, total: &mut Tally) {
    for sizes in [Sizes::default(), PIECES] {
        let mut tally = Tally::default();
        machine_code::compare(model, sizes, &mut tally).unwrap_or_else(|what| panic!("{what}\n{name}"));
        assert!(tally.compiled == 1 && tally.by_code + tally.faulty == tally.states, "{tally:?}\n{name}");
        total.models += 1;
        total.states += tally.states;
        total.by_code += tally.by_code;
        total.faulty += tally.faulty;
    }
}

#[test]
fn machine_code_is_the_interpreter_on_random_programs() {
    let mut tally = Tally::default();
    each_random_program(&mut |loaded, name| compare(&loaded.model, name, &mut tally));
    println!("{tally:?}");
    assert!(tally.by_code > tally.faulty && tally.faulty > tally.models, "{tally:?}");
}

#[test]
fn machine_code_is_the_interpreter_on_programs_of_the_project() {
    let mut tally = Tally::default();
    each_program_of_the_project(&mut |loaded, name| compare(&loaded.model, name, &mut tally));
    println!("{tally:?}");
}

#[test]
fn what_the_moves_depend_on_is_all() {
    let mut tally = process_moves::Tally::default();
    each_random_program(&mut |loaded, name| {
        process_moves::compare(&loaded.model, &mut tally).unwrap_or_else(|what| panic!("{what}\n{name}"));
    });
    println!("{tally:?}");
    assert!(tally.models >= 100 && tally.agreeing > 0, "{tally:?}");
}

/// Numbers at the borders of widths, as they are written.
const BORDERS: &[i64] = &[
    i64::MIN,
    i64::MIN + 1,
    i32::MIN as i64 - 1,
    i32::MIN as i64,
    -129,
    -3,
    -1,
    0,
    1,
    2,
    7,
    63,
    64,
    128,
    1 << 31,
    1 << 32,
    1 << 62,
    i64::MAX - 1,
    i64::MAX,
];

const OPERATORS: [BinaryOp; 18] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::And,
    BinaryOp::Or,
];

/// Puts another operator in the place of each sum that a command stores. Not all operators can be
/// written in guarded commands; other languages may have them.
fn with_operator(loaded: &mut Loaded, op: BinaryOp) {
    let edges =
        loaded.model.templates.iter_enumerated_mut().flat_map(|(_, template)| template.edges.iter_enumerated_mut());
    for effect in edges.flat_map(|(_, edge)| &mut edge.effects) {
        if let Expr { kind: ExprKind::Binary(sum @ BinaryOp::Add, ..), .. } = &mut effect.value {
            *sum = op;
        }
    }
}

#[test]
fn every_operator_at_every_border() {
    let mut variables = "var x, y, z, to : int; z = 1 -> z := 0, to := x + y;\n".to_owned();
    let mut constants = "var x, z, to : int;\n".to_owned();
    for number in BORDERS {
        variables += &format!("z = 0 -> x := {number}, to := 0; z = 0 -> y := {number}, z := 1, to := 0;\n");
        constants += &format!("z = 0 -> x := {number}, z := 1, to := 0;\n");
        constants += &format!("z = 1 -> to := x + {number}, z := 0; z = 1 -> to := {number} + x, z := 0;\n");
    }
    let mut tally = Tally::default();
    for op in OPERATORS {
        for text in [&variables, &constants] {
            let mut loaded = load(text, "operators");
            with_operator(&mut loaded, op);
            compare_with_wider_integers(&loaded, &format!("{op:?}"));
            compare(&loaded.model, &format!("{op:?}"), &mut tally);
        }
    }
    println!("{tally:?}");
}

#[test]
fn what_is_computed_from_wide_variables_is_made_by_code() {
    let check = |text: &str| compare(&load(text, "").model, text, &mut Tally::default());
    // Signed and unsigned, of each width.
    for (low, high) in [(-3, 5), (0, 200), (-200, 5), (0, 60_000), (-1, 70_000), (0, 4_000_000_000), (-1, 1_i64 << 40)]
    {
        check(&format!(
            "var r : {low}..{high} = {high}; var a[2] : {low}..{high}; var i : 0..2; var x : int;
             r = {high} -> r := {low}; r = {low} -> r := {high}; x = 0 -> x := r - a[i]; a[i] > x -> a[i] := r, x := 0;
             i < 2 -> i := i + 1; r > {low} -> a[i] := r - 1; i = 2 -> i := 0; x != 0 -> r := a[0], x := -x, x := 0;"
        ));
    }
    // What `and`, `or` and `if` do not look at, and what they do.
    check(
        "var x : int = 2; var b : bool; x > 0 -> x := x - 1; x = 0 or 6 / x > 2 -> b := not b;
         x != 0 and 6 / x > 2 -> b := x = 2; true -> x := if b then 2 else 0; 4 / x = 2 or b -> skip;",
    );
    // Elements of a set, and none.
    check(
        "type pid = scalarset(3); var p : pid; var a[pid] : 0..1; p = none -> p := input; p != none -> a[p] := 1, p := none;
         true -> p := none; a[p] = 1 -> skip;",
    );
}

#[test]
fn every_state_is_what_was_packed() {
    let (mut integers, mut narrow) = (0, 0);
    let mut check = |loaded: &Loaded, name: &str| {
        let interpreter = Interpreter::new(&loaded.model);
        let network = instantiate(&interpreter).unwrap_or_else(|reason| panic!("{reason}: {name}"));
        for bytes in explore::states_of(&interpreter, MAX_STATES) {
            let state = interpreter.decode(&bytes);
            let packed = network.pack(&state).unwrap_or_else(|| panic!("{state:?} does not fit: {name}"));
            assert_eq!(network.unpack(&packed), state, "{name}");
        }
        for (slot, place) in network.layout.globals.iter_enumerated() {
            if loaded.model.globals.slots[slot].scalar == Scalar::Integer && place.width > 0 {
                integers += 1;
                narrow += usize::from(place.width < 8);
            }
        }
    };
    each_random_program(&mut check);
    each_program_of_the_project(&mut check);
    println!("{narrow} of {integers} integers take less than 8 bytes");
    assert!(narrow * 3 > integers, "{narrow} of {integers} integers are narrow");
}

/// How many bytes each variable takes, by its name.
fn widths(text: &str) -> Vec<(String, u8)> {
    let loaded = load(text, text);
    let interpreter = Interpreter::new(&loaded.model);
    let network = instantiate(&interpreter).unwrap_or_else(|reason| panic!("{reason}"));
    let slots = loaded.model.globals.slots.iter().zip(network.layout.globals.iter());
    slots.map(|(slot, place)| (slot.name.clone(), place.width)).collect()
}

#[track_caller]
fn check_widths(text: &str, expected: &[(&str, u8)]) {
    let expected: Vec<(String, u8)> = expected.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect();
    assert_eq!(widths(text), expected, "{text}");
}

#[test]
fn an_integer_is_as_wide_as_its_values() {
    check_widths("var x : int; x < 10 -> x := x + 1; x = 10 -> x := 0;", &[("x", 1)]);
    check_widths("var x : int; true -> x := x + 1;", &[("x", 8)]);
    check_widths("var x, y : int; x < 200 -> x := x + 1; true -> y := x; true -> y := -1;", &[("x", 1), ("y", 2)]);
    check_widths("var x, y : int; x < 100 -> x := x + 1; true -> y := x * x;", &[("x", 1), ("y", 2)]);
    check_widths("var x, y : int; x <= 70000 -> x := x + 1, y := x % 100;", &[("x", 4), ("y", 1)]);
    check_widths("var x : int = 5; true -> x := if x = 9 then 0 else x + 1;", &[("x", 1)]);
    check_widths("var x : int; not (x > 8 or x < -3) -> x := x + 1; x = 3 -> x := -2;", &[("x", 1)]);
    // Nothing that a value is bounded by but its own end.
    check_widths("var x : int = 1; true -> x := x * 2;", &[("x", 8)]);
    // A range that is never full; what leaves it is an error.
    check_widths("var r : 0..100000; r < 50 -> r := r + 1;", &[("r", 1)]);
    check_widths("var r : 0..100000; true -> r := r + 1;", &[("r", 4)]);
    // All elements are as wide as each other, whoever is stored.
    check_widths("var a[2] : int; true -> a[0] := 300; true -> skip;", &[("a[0]", 2), ("a[1]", 0)]);
    check_widths(
        "var a[2], i : int; i < 1 -> i := i + 1; i > 0 -> i := 0; a[i] = 0 -> a[0] := 300; true -> a[1] := 0;",
        &[("a[0]", 2), ("a[1]", 2), ("i", 1)],
    );
    check_widths(
        "process q[i : 1..2] { var x : int; i = 1 -> x := 70000; i = 2 -> x := 1; }",
        &[("q[1].x", 4), ("q[2].x", 4)],
    );
    // A store by a computed index ends what a guard said.
    check_widths(
        "var a[2], i : int; a[0] < 5 -> a[i] := 1000, i := 1 - i, a[1] := a[0];",
        &[("a[0]", 2), ("a[1]", 2), ("i", 1)],
    );
}

#[test]
fn slots_have_names_by_their_position() {
    // The widths above go by names.
    let loaded = load("var a[2] : int; process q[i : 1..2] { var b[2] : int; true -> b[0] := 1; }", "");
    let names: Vec<&str> = loaded.model.globals.slots.iter().map(|slot| slot.name.as_str()).collect();
    assert_eq!(names[..3], ["a[0]", "a[1]", "q[1].b[0]"], "{names:?}");
    assert_eq!(loaded.model.globals.slots.ids().map(TypedId::index).max(), Some(5));
}
