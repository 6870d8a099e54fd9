//! Programs of guarded commands that are small enough to be counted by hand, one for each rule of
//! the language.

use std::sync::Arc;

use ample_check::{Choice, Job, LOOPS, Options, Prepared, Reduce, Verdict, check, explore as explore_left};
use ample_equivalence::{Answer, Lts, relation};
use ample_frontends::{FormulaText, InputRange, LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_model::Label;
use ample_report::Subject;
use ample_report::graph::StateSpace;
use ample_search::{Ended, Limits, StopAt};
use ample_testing::explore;
use ample_testing::random::{self, Numbers};
use ample_transition::{FaultKind, SuccessorBuffer, Successors};

fn load(text: &str, options: &LoadOptions) -> Loaded {
    load_text("m.gcl", text.to_owned(), options)
        .unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)))
}

/// States, the transitions between them, and the kinds of faults. A step that fails leads to no
/// state.
fn explored(text: &str, options: &LoadOptions) -> (u64, u64, Vec<FaultKind>) {
    let loaded = load(text, options);
    let interpreter = Interpreter::new(&loaded.model);
    let outcome = explore::search(&interpreter, "dfs", StopAt::End, &Limits::default());
    assert_eq!(outcome.ended, Ended::Complete);
    let mut faults: Vec<FaultKind> = explore::faults(&outcome).into_iter().map(|(kind, _)| kind).collect();
    faults.dedup();
    (outcome.counts.states, outcome.counts.transitions, faults)
}

#[track_caller]
fn check_counts(text: &str, states: u64, transitions: u64, faults: &[FaultKind]) {
    assert_eq!(explored(text, &LoadOptions::default()), (states, transitions, faults.to_vec()), "{text}");
}

/// The verdict on a property of the program, on both ways of execution.
#[track_caller]
fn check_property(text: &str, options: &LoadOptions, property: &str, expected: Verdict) {
    let loaded = load(text, options);
    let interpreter = Interpreter::new(&loaded.model);
    for execution in ["auto", "interpret"] {
        let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::parse(execution)).unwrap();
        let select = vec![property.to_owned()];
        let job = Job { system: prepared.system(), select, options: Options::default(), loops: LOOPS, progress: None };
        assert_eq!(check(job).unwrap().verdict, expected, "{property} ({execution})\n{text}");
    }
}

/// Whether an invariant of every reachable state holds.
#[track_caller]
fn check_always(text: &str, condition: &str, expected: Verdict) {
    let formulas = vec![FormulaText { name: "it".to_owned(), text: format!("G {{{condition}}}") }];
    check_property(text, &LoadOptions { formulas, ..LoadOptions::default() }, "it", expected);
}

/// The texts of the edges, in their order.
fn texts(text: &str, options: &LoadOptions) -> Vec<String> {
    let loaded = load(text, options);
    loaded.model.templates.iter().flat_map(|template| template.edges.iter()).map(|edge| edge.text.clone()).collect()
}

/// The message of the first fault of a program.
fn message_of(text: &str) -> String {
    let loaded = load(text, &LoadOptions::default());
    let interpreter = Interpreter::new(&loaded.model);
    let mut buffer = SuccessorBuffer::new();
    interpreter.expand_all(&interpreter.initial().unwrap(), &mut buffer);
    buffer.iter().flat_map(|next| next.faults).map(|fault| fault.message.clone()).next().unwrap_or_default()
}

#[test]
fn an_index_is_named_as_it_is_written() {
    let out =
        |index: &str, range: &str| format!("array index out of range: the index is {index}, the array has {range}");
    assert_eq!(message_of("var b[-2..2] : bool; var x : int = 3; b[x] -> skip;"), out("3", "-2..2"));
    assert_eq!(message_of("var b[3] : bool; var x : int = 3; b[x] -> skip;"), out("3", "0..2"));
    let family = "process q[i : 1..2] { var v : int; } var x : int; true -> q[x].v := 1;";
    assert_eq!(message_of(family), out("0", "1..2"));
    // Where the position is beyond 64 bits the index is out of range all the same: no limit.
    let far = "var b[1..2] : bool; var x : int = -9223372036854775808; b[x] -> skip;";
    assert_eq!(message_of(far), out("-9223372036854775808", "1..2"));
    let far = "var b[-2..2] : bool; var x : int = 9223372036854775807; true -> b[x] := true;";
    assert_eq!(message_of(far), out("9223372036854775807", "-2..2"));
    let limit = "var b[-2..2] : bool; var x : int = 9223372036854775807; b[x + 1] -> skip;";
    assert!(message_of(limit).contains("is beyond 64 bits"), "{}", message_of(limit));
}

const DEADLOCK: &[FaultKind] = &[FaultKind::InvalidEndState];

#[test]
fn assignments_are_in_sequence() {
    let text = "var x, y : int; x < 2 -> x := x + 1, y := x * 2;";
    check_counts(text, 3, 2, DEADLOCK);
    check_always(text, "y = 2 * x", Verdict::Holds);
}

#[test]
fn a_command_may_do_nothing() {
    check_counts("var x : int; true -> skip;", 1, 1, &[]);
    check_counts("var x : int; true -> ;", 1, 1, &[]);
}

#[test]
fn a_state_that_nothing_leaves_is_a_deadlock_unless_end_holds() {
    check_counts("var x : int; x < 3 -> x := x + 1;", 4, 3, DEADLOCK);
    check_counts("var x : int; x < 3 -> x := x + 1; end x = 3;", 4, 3, &[]);
    check_counts("var x : int; x < 3 -> x := x + 1; x < 3 -> x := x + 2; end x = 3;", 5, 6, DEADLOCK);
}

#[test]
fn variables_begin_where_they_are_told() {
    let text = "const N = 2; var a : int = N + 1; var b : bool = true; var r : 3..5; var c[N] : int = 7;
        var d[1..3] : int = {4, 5, 6}; true -> skip;";
    check_always(text, "a = 3 and b and r = 3", Verdict::Holds);
    check_always(text, "c[0] = 7 and c[1] = 7 and d[1] = 4 and d[3] = 6", Verdict::Holds);
}

#[test]
fn a_range_holds_its_values_and_no_others() {
    check_counts("var r : -2..2 = -2; r < 2 -> r := r + 1; end true;", 5, 4, &[]);
    check_counts("var r : -2..2 = -2; true -> r := r + 1;", 5, 4, &[FaultKind::RuntimeError]);
}

#[test]
fn indices_and_divisors_may_be_wrong() {
    check_counts(
        "var a[2..3] : int; var i : int = 2; true -> a[i] := 1, i := i + 1;",
        3,
        2,
        &[FaultKind::RuntimeError],
    );
    check_counts("var x : int; 1 / x = 1 -> skip;", 1, 0, &[FaultKind::RuntimeError]);
    check_counts("var x : int; x != 0 and 1 / x = 1 -> skip; end true;", 1, 0, &[]);
}

#[test]
fn operators_bind_as_documented() {
    let holds =
        |condition: &str| check_always("var x : int = 3; var b : bool; true -> skip;", condition, Verdict::Holds);
    holds("1 + 2 * 3 = 7 and 7 % 4 - 1 = 2 and 2 - 1 - 1 = 0");
    holds("not x = 4 and not b");
    holds("not (x = 3 and b) or false and false");
    holds("!b && !(x = 4) || b");
    holds("x == 3 and x != 4 and x <= 3 and x >= 3 and x < 4 and x > 2");
    holds("if b then false else x = 3");
    holds("(if x > 2 then 10 else 20) + 1 = 11");
    holds("-7 / 2 = -3 and -7 % 2 = -1");
    holds("-9223372036854775808 < 9223372036854775807");
}

#[test]
fn commands_are_tried_in_the_order_of_the_text() {
    let text = "var x : int; process p[i : 1..2] { x = 0 -> x := i; x = 0 -> x := 10 * i; } x = 0 -> x := 5; end true;";
    let loaded = load(text, &LoadOptions::default());
    let interpreter = Interpreter::new(&loaded.model);
    let mut buffer = SuccessorBuffer::new();
    interpreter.expand_all(&interpreter.initial().unwrap(), &mut buffer);
    let values: Vec<i64> =
        buffer.iter().map(|successor| interpreter.decode(successor.state.unwrap()).globals()[0]).collect();
    assert_eq!(values, [1, 10, 2, 20, 5]);
    let texts = texts(text, &LoadOptions::default());
    assert_eq!(texts[1], "p[1]: x = 0 -> x := 10 * i");
    assert_eq!(texts[4], "x = 0 -> x := 5");
}

#[test]
fn processes_have_variables_of_their_own() {
    let text = "process q[i : 1..3] { var pc : 0..1; var seen[2] : int; pc = 0 -> pc := 1, seen[pc] := i; }
        process r { var x : int; q[1].pc = 1 and x < 3 -> x := x + 1; q[x].pc = 0 -> x := x; } end true;";
    check_always(text, "q[2].seen[1] = 0 or q[2].seen[1] = 2 and q[2].pc = 1", Verdict::Holds);
    check_always(text, "r.x < 3", Verdict::Violated);
    // There is no q[0].
    check_property(text, &LoadOptions::default(), "safety", Verdict::Violated);
}

#[test]
fn an_input_has_every_value_of_its_type() {
    check_counts("var r : 0..7; r = 0 -> r := input; end true;", 8, 8, &[]);
    check_counts("var b, c : bool; not b -> b := input, c := input; end true;", 4, 8, &[]);
    let text = "var x : int; x = 0 -> x := input; end true;";
    let inputs = vec![InputRange { name: "x".to_owned(), low: -1, high: 2 }];
    let options = LoadOptions { inputs, ..LoadOptions::default() };
    assert_eq!(explored(text, &options), (4, 4, Vec::new()));
    assert_eq!(texts(text, &options)[0], "x = 0 -> x := -1 (input)");
}

#[test]
fn what_is_assigned_after_an_input_sees_it() {
    let text = "var r : 0..3; var x : int; r = 0 -> r := input, x := r * r; end true;";
    check_always(text, "x = r * r", Verdict::Holds);
}

#[test]
fn what_may_be_anything_is_chosen_first() {
    let text = "var p : 0..2 = any; var b[2] : bool = any; var x : int; x = 0 -> x := 1; end true;";
    // The initial state, twelve choices, and each with x = 1.
    check_counts(text, 25, 24, &[]);
    assert_eq!(texts(text, &LoadOptions::default())[1], "p = 0, b[0] = false, b[1] = true (any)");
    let narrowed = vec![InputRange { name: "p".to_owned(), low: 2, high: 2 }];
    let options = LoadOptions { inputs: narrowed, ..LoadOptions::default() };
    assert_eq!(explored(text, &options).0, 9);
}

#[test]
fn inputs_of_processes_have_the_name_of_the_family() {
    let text = "process q[i : 1..2] { var x : int; x = 0 -> x := input; } end true;";
    let inputs = vec![InputRange { name: "q.x".to_owned(), low: 1, high: 3 }];
    assert_eq!(explored(text, &LoadOptions { inputs, ..LoadOptions::default() }).0, 16);
}

#[test]
fn only_guarded_commands_have_inputs() {
    let inputs = vec![InputRange { name: "x".to_owned(), low: 0, high: 1 }];
    let options = LoadOptions { inputs, ..LoadOptions::default() };
    let failure = load_text("m.pml", "byte x; init { x = 1 }".to_owned(), &options).unwrap_err();
    assert_eq!(explore::messages(&failure), "--input x: Promela has no inputs");
}

#[test]
fn constants_can_be_given_from_outside() {
    let text = "const N = 3, M = N * 2, B = false; var x : int; x < M and not B -> x := x + 1; end true;";
    let with = |defines: &[(&str, &str)]| {
        let defines = defines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        explored(text, &LoadOptions { defines, ..LoadOptions::default() }).0
    };
    assert_eq!(with(&[]), 7);
    assert_eq!(with(&[("N", "1")]), 3);
    assert_eq!(with(&[("M", "1"), ("N", "5")]), 2);
    assert_eq!(with(&[("B", "true")]), 1);
}

#[test]
fn errors_and_formulas_are_properties() {
    let text = "var x : int; x < 3 -> x := x + 1; x = 3 -> x := 0;
        error three: x = 3; error four: x = 4; ltl again { G F x = 0 } ltl { F x = 4 }";
    let check_one = |name: &str, expected| check_property(text, &LoadOptions::default(), name, expected);
    check_one("three", Verdict::Violated);
    check_one("four", Verdict::Holds);
    check_one("again", Verdict::Holds);
    check_one("ltl_0", Verdict::Violated);
    let loaded = load(text, &LoadOptions::default());
    let names: Vec<&str> = loaded.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["three", "four", "again", "ltl_0"]);
}

#[test]
fn elements_of_a_set_are_chosen_compared_and_copied() {
    let text = "type pid = scalarset(3); var owner, last : pid; var asked[pid] : bool;
        process q[i : pid] { owner = none -> owner := i, asked[owner] := true; owner = i -> last := owner, owner := none; }
        var anyone : pid; anyone = none -> anyone := input;";
    check_always(text, "owner = none or asked[owner]", Verdict::Holds);
    check_always(text, "last = none", Verdict::Violated);
    check_counts("var p : scalarset(4); p = none -> p := input; end true;", 5, 4, &[]);
    // No element of the array.
    check_counts(
        "var p : scalarset(2); var a[scalarset(2)] : int; true -> a[p] := 1;",
        1,
        0,
        &[FaultKind::RuntimeError],
    );
}

/// The graph that `ample graph` writes.
fn aut(text: &str) -> String {
    let loaded = load(text, &LoadOptions::default());
    let interpreter = Interpreter::new(&loaded.model);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let mut states = vec![interpreter.initial().unwrap()];
    let mut graph = StateSpace::new(&subject);
    let (mut buffer, mut at) = (SuccessorBuffer::new(), 0);
    while at < states.len() {
        let state: Arc<[u8]> = states[at].as_slice().into();
        buffer.clear();
        interpreter.expand_all(&state, &mut buffer);
        graph.add(&|state| interpreter.decode(state), &state, &buffer);
        for successor in buffer.iter() {
            if let Some(next) = successor.state.filter(|next| !states.iter().any(|known| known == next)) {
                states.push(next.to_vec());
            }
        }
        at += 1;
    }
    let mut written = Vec::new();
    graph.write_aut(&mut written).unwrap();
    String::from_utf8(written).unwrap()
}

#[test]
fn actions_are_the_labels_of_the_graph() {
    let text = "var x : int; [go] x = 0 -> x := 1; tau x = 1 -> x := 2; x = 2 -> x := 0;";
    let expected = "des (0, 3, 3)\n(0, \"go\", 1)\n(1, \"tau\", 2)\n(2, \"program[0]: x = 2 -> x := 0\", 0)\n";
    assert_eq!(aut(text), expected);
}

/// What reductions leave of a program, as a system; nothing if they do not apply, or it is large.
fn left(loaded: &Loaded, reduce: &str, por: &str) -> Option<Lts> {
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &[], &Choice::Auto).unwrap();
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let mut graph = StateSpace::new(&subject);
    let limits = Limits { max_states: Some(400), ..Limits::default() };
    let (reduce, por) = (Reduce::parse(reduce), Choice::parse(por));
    let options = Options { limits, reduce, por, ..Options::default() };
    let outcome =
        explore_left(&prepared.system(), "builtin:safety", options, None, &mut |unpack, state, successors| {
            graph.add(unpack, state, successors);
        });
    (outcome.ok()?.ended == Ended::Complete).then(|| graph.to_lts(&[]))
}

/// The names of commands are the labels of graphs: what reductions leave keeps them, in the way
/// that each preserves.
#[test]
fn names_are_kept_by_what_reductions_leave() {
    const PASSES: &[(&str, &str, &[&str])] = &[
        ("program-counters", "auto", &["bisim"]),
        ("program-counters,dead", "auto", &["bisim"]),
        ("program-counters,dead,merge", "auto", &["weak-trace"]),
        ("program-counters,por", "static", &["weak-trace"]),
        ("program-counters,por", "ample", &["weak-trace"]),
        ("program-counters,por", "stubborn", &["weak-trace"]),
        ("program-counters,por", "deletion", &["weak-trace"]),
        ("program-counters,dead,por", "confluent", &["weak-trace", "weak-bisim", "branching-bisim"]),
        ("program-counters,dead,por", "confluent-chain", &["weak-trace", "weak-bisim", "branching-bisim"]),
        ("program-counters,dead,merge,por", "simultaneous", &["weak-trace"]),
    ];
    let (mut compared, mut smaller) = (0, 0);
    for seed in random::seeds(0..250).expect("AMPLE_SEEDS is A..B") {
        let text = random::gcl_program(seed, Numbers::Small).text;
        let mut loaded = load(&text, &LoadOptions::default());
        let edges = loaded.model.templates.iter_enumerated_mut().flat_map(|(_, one)| one.edges.iter_enumerated_mut());
        for (_, edge) in edges.filter(|(_, edge)| edge.label == Label::None) {
            edge.label = Label::Silent;
        }
        let Some(full) = left(&loaded, "none", "auto") else { continue };
        // A run that an error ends has another label there, which nobody asks to be kept.
        let is_fine = |label: &str| ["tau", "go", "on", "input", "any"].contains(&label);
        if full.states().any(|state| full.edges(state).iter().any(|edge| !is_fine(full.label(edge.label)))) {
            continue;
        }
        for (reduce, por, relations) in PASSES {
            let Some(left) = left(&loaded, reduce, por) else { continue };
            smaller += usize::from(left.state_count() < full.state_count());
            for name in *relations {
                let answer = relation(name).unwrap().compare(&full, &left, &ample_equivalence::Limits::default());
                assert_eq!(answer, Answer::Equivalent, "seed {seed}: {reduce} {por}: not {name}\n{text}");
                compared += 1;
            }
        }
    }
    println!("{compared} compared, {smaller} smaller");
    assert!((compared > 300 && smaller > 20) || std::env::var_os("AMPLE_SEEDS").is_some(), "{compared} {smaller}");
}
