//! Guarded commands: what `program-counters` makes of a flat program is the same system, state by
//! state and transition by transition; `dead` and `merge` preserve there what they preserve
//! elsewhere, on flat programs and on those with counters, although integers are exact.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;

use ample_check::{Choice, Job, LOOPS, Options, Prepared, Reduce, Verdict, check};
use ample_frontends::{FormulaText, LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_model::{Expr, Model};
use ample_reduction::{ProgramCounters, Visible};
use ample_stdx::Random;
use ample_testing::explore::{self, SAFETY};
use ample_testing::random::{self, Numbers};
use ample_testing::workspace_root;
use ample_transition::{FaultKind, Move, Stretch, SuccessorBuffer, Successors};

use super::{Compared, MAX_STATES, compared_models, rewritten, whole};

fn load(text: &str) -> Loaded {
    load_with(text, &[])
}

fn load_with(text: &str, formulas: &[&str]) -> Loaded {
    let named = |(number, text): (usize, &&str)| FormulaText { name: format!("f{number}"), text: (*text).to_owned() };
    let formulas = formulas.iter().enumerate().map(named).collect();
    load_text("m.gcl", text.to_owned(), &LoadOptions { formulas, ..LoadOptions::default() })
        .unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)))
}

/// The random programs, with propositions and a name.
fn each_random_program(check: &mut dyn FnMut(&Loaded, &[Expr], &str)) {
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        for numbers in [Numbers::Small, Numbers::Borders] {
            let random::GclProgram { text, propositions } = random::gcl_program(seed, numbers);
            let values: Vec<String> = propositions.into_iter().take(Random::new(seed).below(3)).collect();
            let name = format!("seed {seed}, {numbers:?}, {values:?}\n{text}");
            let loaded = load_text("m.gcl", text.clone(), &LoadOptions { values, ..LoadOptions::default() });
            let loaded = loaded.unwrap_or_else(|failure| panic!("{}\n{name}", explore::messages(&failure)));
            check(&loaded, &loaded.values, &name);
        }
    }
}

/// The programs of the thesis, with their names.
fn each_program_of_the_thesis(check: &mut dyn FnMut(&Loaded, &str)) {
    for entry in fs::read_dir(workspace_root().join("examples/thesis")).expect("the examples are readable") {
        let path = entry.expect("the examples are readable").path();
        if path.extension().is_some_and(|ending| ending == "gcl") {
            check(&explore::load_file(&path).expect("it is a program"), &path.display().to_string());
        }
    }
}

/// A state that leaves by moves, with what goes wrong, to a state.
type Step = (Vec<u8>, Vec<Move>, Vec<(FaultKind, u32)>, Option<Vec<u8>>);

/// All transitions of a system, by states as `form` has them and moves as `back` has them; and for
/// each state what is true there and whether it is an invalid end. `None` if there are too many.
#[expect(clippy::type_complexity)]
fn system(
    interpreter: &Interpreter<'_>,
    propositions: &[Expr],
    form: &dyn Fn(&[u8]) -> Vec<u8>,
    back: &dyn Fn(&[Move]) -> Vec<Move>,
) -> Option<(BTreeMap<Vec<u8>, String>, Vec<Step>)> {
    let (mut states, mut steps) = (BTreeMap::new(), Vec::new());
    let mut open = VecDeque::from([interpreter.initial().ok()?]);
    let mut seen: BTreeSet<Vec<u8>> = open.iter().cloned().collect();
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop_front() {
        if seen.len() > MAX_STATES {
            return None;
        }
        let unpacked = interpreter.decode(&state);
        let holds: Vec<_> = propositions.iter().map(|expr| interpreter.holds(&unpacked, expr).ok()).collect();
        buffer.clear();
        interpreter.expand_all(&state, &mut buffer);
        let is_invalid = buffer.is_empty() && interpreter.invalid_end(&state).is_some();
        let before = states.insert(form(&state), format!("{holds:?} {is_invalid}"));
        assert_eq!(before, None, "two states are the same as written");
        for successor in buffer.iter() {
            let faults = successor.faults.iter().map(|fault| (fault.kind, fault.span.start)).collect();
            steps.push((form(&state), back(successor.moves), faults, successor.state.map(form)));
            open.extend(successor.state.filter(|next| seen.insert(next.to_vec())).map(<[u8]>::to_vec));
        }
    }
    steps.sort_by_key(|(from, moves, faults, to)| (from.clone(), format!("{moves:?} {faults:?}"), to.clone()));
    Some((states, steps))
}

/// Panics unless the program taken apart is the same system as the program as written; says how
/// many processes there are then, if there are counters and not too many states.
fn isomorphic(model: &Model, propositions: &[Expr], name: &str) -> Option<usize> {
    let visible = Visible { propositions, faults: SAFETY, one_is_enough: false, processes: false, names: false };
    let apart = rewritten(model, &visible, "program-counters")?;
    let (written, split) = (Interpreter::new(model), Interpreter::new(&apart.model));
    let form = |state: &[u8]| {
        let mut bytes = Vec::new();
        written.encode(&apart.back.state(split.decode(state)), &mut bytes);
        bytes
    };
    let back = |moves: &[Move]| {
        let mut all = Vec::new();
        apart.back.moves(moves, &|_| None, &mut all);
        all.into_iter().map(|stretch| if let Stretch::Once(step) = stretch { step } else { panic!("{name}") }).collect()
    };
    let expected = system(&written, propositions, &|state| state.to_vec(), &|moves| moves.to_vec())?;
    let found = system(&split, propositions, &form, &back).expect("it is not larger");
    assert_eq!(found.0, expected.0, "states of {name}");
    assert_eq!(found.1, expected.1, "transitions of {name}");
    Some(apart.model.active.len())
}

#[test]
fn random_programs_taken_apart_are_the_same_systems() {
    let (mut compared, mut processes) = (0, 0);
    each_random_program(&mut |loaded, propositions, name| {
        let counters = ProgramCounters::of(&loaded.model, &nothing()).found.len();
        if let Some(found) = isomorphic(&loaded.model, propositions, name) {
            assert_eq!(found, 1 + counters, "{name}");
            compared += 1;
            processes += counters;
        }
    });
    println!("{compared} programs compared, {processes} counters");
    assert!(compared >= 100 || std::env::var("AMPLE_SEEDS").is_ok());
}

#[test]
fn programs_of_the_thesis_taken_apart_are_the_same_systems() {
    let mut compared = 0;
    each_program_of_the_thesis(&mut |loaded, name| {
        compared += usize::from(isomorphic(&loaded.model, &[], name).is_some());
    });
    assert!(compared >= 6, "{compared}");
}

/// Panics unless what these passes make of a program is bisimilar to it, by the names of moves,
/// what goes wrong in them and the propositions; the states of both.
fn bisimilar(model: &Model, propositions: &[Expr], passes: &[&str], name: &str) -> Option<(usize, usize)> {
    let compared = compared_models(model, propositions, passes, true, &whole)?;
    let invalid = |graph: &super::Graph| graph.ends.iter().any(|(_, is_invalid)| *is_invalid);
    assert_eq!(invalid(&compared.written), invalid(&compared.rewritten), "{name}");
    compared.check(name, "bisim").then(|| compared.states())
}

#[test]
fn random_programs_without_dead_variables_are_bisimilar() {
    for passes in [["dead"].as_slice(), &["program-counters", "dead"]] {
        let (mut compared, mut smaller) = (0, 0);
        each_random_program(&mut |loaded, propositions, name| {
            if let Some((full, dead)) = bisimilar(&loaded.model, propositions, passes, name) {
                compared += 1;
                smaller += usize::from(dead < full);
            }
        });
        println!("{passes:?}: {compared} programs compared, {smaller} smaller");
        assert!(smaller >= 5 || std::env::var("AMPLE_SEEDS").is_ok());
    }
}

/// Panics unless what these passes make of a program has the same runs up to stuttering, ends and
/// faults; the states of both.
fn merged(model: &Model, propositions: &[Expr], passes: &[&str], name: &str) -> Option<(usize, usize)> {
    let mut states = None;
    for one_is_enough in [true, false] {
        let compared = compared_models(model, propositions, passes, one_is_enough, &whole)?;
        let Compared { written, rewritten, is_run } = &compared;
        assert_eq!(written.faults.is_empty(), rewritten.faults.is_empty(), "{name}");
        assert!(rewritten.faults.is_subset(&written.faults), "{name}: {:?}", rewritten.faults);
        if !passes.contains(&"dead") {
            let no_run = rewritten.transitions.iter().find(|transition| !is_run(transition));
            assert_eq!(no_run, None, "{name}");
        }
        let ends_early = written.transitions.iter().any(|(.., target)| target.is_none());
        if !one_is_enough || !ends_early {
            assert_eq!(written.faults, rewritten.faults, "{name}");
            if !passes.contains(&"dead") {
                assert_eq!(written.ends, rewritten.ends, "{name}");
            }
            compared.check(name, "stutter");
        }
        states.get_or_insert(compared.states());
    }
    states
}

#[test]
fn merged_random_programs() {
    for passes in [["program-counters", "merge"].as_slice(), &["program-counters", "dead", "merge"]] {
        let (mut compared, mut smaller) = (0, 0);
        each_random_program(&mut |loaded, propositions, name| {
            if let Some((full, merged)) = merged(&loaded.model, propositions, passes, name) {
                compared += 1;
                smaller += usize::from(merged < full);
            }
        });
        println!("{passes:?}: {compared} programs compared, {smaller} smaller");
        assert!(smaller >= 5 || std::env::var("AMPLE_SEEDS").is_ok());
    }
}

/// The answer to a question about a program, with these reductions. What is violated was replayed
/// on the program as written.
fn verdict(loaded: &Loaded, property: &str, reduce: &str, por: &str) -> Verdict {
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).expect("it can be executed");
    let options = Options {
        reduce: Reduce::parse(reduce),
        por: Choice::parse(por),
        threads: Some(1),
        limits: ample_search::Limits { max_states: Some(20_000), ..Default::default() },
        ..Options::default()
    };
    let select = vec![property.to_owned()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    check(job).unwrap_or_else(|error| panic!("{property} with {reduce}: {error}")).verdict
}

/// Whether there is a counter in a program, so that all reductions apply to it.
fn has_counters(loaded: &Loaded) -> bool {
    !ProgramCounters::of(&loaded.model, &nothing()).found.is_empty()
}

#[test]
fn reductions_of_random_programs_give_the_same_answers() {
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in random::seeds(0..60).expect("AMPLE_SEEDS is A..B") {
        let program = random::gcl_program(seed, Numbers::Small);
        let [p, q, ..] = &program.propositions[..] else { panic!("there are propositions") };
        let formulas =
            [format!("G ({{{p}}} -> F {{{q}}})"), format!("G F {{{p}}}"), format!("G {{not ({p} and {q})}}")];
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        let loaded = load_with(&program.text, &formulas);
        if !has_counters(&loaded) {
            continue;
        }
        for property in ["safety", "f0", "f1", "f2"] {
            let full = verdict(&loaded, property, "none", "auto");
            for (reduce, por) in [
                ("auto", "auto"),
                ("program-counters", "auto"),
                ("program-counters,dead,merge", "auto"),
                ("program-counters,dead,merge,dead-globals", "static"),
                ("program-counters,merge", "stubborn"),
                ("dead,dead-globals", "auto"),
            ] {
                let reduced = verdict(&loaded, property, reduce, por);
                // A reduction may do without the values that do not fit into 64 bits, or meet them
                // before an error.
                if full != Verdict::Unknown && reduced != Verdict::Unknown {
                    assert_eq!(reduced, full, "seed {seed}, {property} with {reduce} {por}\n{}", program.text);
                }
                *tally.entry(if reduced == full { "same" } else { "unknown" }).or_default() += 1;
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.get("unknown").copied().unwrap_or_default() * 20 < tally["same"], "{tally:?}");
}

fn nothing() -> Visible<'static> {
    Visible { propositions: &[], faults: SAFETY, one_is_enough: true, processes: false, names: false }
}

/// What is said of the counters of a program, and of other variables; the program taken apart is
/// compared with it.
fn found(text: &str) -> (Vec<String>, Vec<String>) {
    let loaded = load(text);
    let ProgramCounters { found, others } = ProgramCounters::of(&loaded.model, &nothing());
    let processes = isomorphic(&loaded.model, &[], text);
    assert_eq!(processes.unwrap_or(1), 1 + found.len(), "{text}");
    for passes in [["program-counters", "dead"].as_slice(), &["dead"]] {
        bisimilar(&loaded.model, &[], passes, text);
    }
    merged(&loaded.model, &[], &["program-counters", "merge"], text);
    (found, others)
}

#[track_caller]
fn check_found(text: &str, expected_found: &[&str], expected_others: &[&str]) {
    let (found, others) = found(text);
    assert_eq!(
        (found.as_slice(), others.as_slice()),
        (strings(expected_found).as_slice(), strings(expected_others).as_slice()),
        "{text}"
    );
}

fn strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|one| (*one).to_owned()).collect()
}

#[test]
fn a_family_has_a_counter_for_each_member() {
    check_found(
        "var n : 0..9; process q[i : 1..2] { var pc : 0..2; var x : 0..5;
            pc = 0 -> x := i, pc := 1; pc = 1 and n < 9 -> n := n + x, pc := 2; pc = 2 -> pc := 0; } end true;",
        &[
            "`q[1].pc` has 3 values in 3 commands; nobody else uses `q[1].x`",
            "`q[2].pc` has 3 values in 3 commands; nobody else uses `q[2].x`",
        ],
        &[],
    );
}

#[test]
fn a_counter_that_another_command_reads_is_stored() {
    check_found(
        "process a { var pc : 0..1; pc = 0 -> pc := 1; pc = 1 -> pc := 0; }
         process b { var pc : 0..1; pc = 0 and a.pc = 1 -> pc := 1; }",
        &["`a.pc` has 2 values in 2 commands; it is kept as a variable, too", "`b.pc` has 2 values in 1 command"],
        &[],
    );
}

#[test]
fn a_counter_that_two_counters_share_commands_with() {
    // The lock has commands of both processes, which go by their places.
    check_found(
        "var lock : 0..2; process q[i : 1..2] { var pc : 0..1;
            pc = 0 and lock = 0 -> lock := i, pc := 1; pc = 1 and lock = i -> lock := 0, pc := 0; }",
        &["`q[1].pc` has 2 values in 2 commands", "`q[2].pc` has 2 values in 2 commands"],
        &["`lock`: `q[1].pc` is the counter of commands that assign it, too"],
    );
}

#[test]
fn a_process_goes_by_its_counter_and_not_by_a_flag() {
    check_found(
        "process q { var up : bool; var pc : 0..2; pc = 0 and not up -> up := true, pc := 1; pc = 1 -> pc := 2;
            pc = 2 and up -> up := false, pc := 0; }",
        &["`q.pc` has 3 values in 3 commands; nobody else uses `q.up`"],
        &["`q.up`: `q.pc` is the counter of commands that assign it, too"],
    );
}

#[test]
fn a_command_that_compares_two_counters_belongs_to_one() {
    check_found(
        "var a, b : 0..1; var n : 0..3; a = 0 -> a := 1; b = 0 -> b := 1; b = 1 and a = 1 and n < 3 -> n := n + 1;
         a = 1 and b = 1 and n = 3 -> skip;",
        &[
            "`a` has 2 values in 2 commands; it is kept as a variable, too",
            "`b` has 2 values in 2 commands; it is kept as a variable, too",
        ],
        &["`n`: `b = 1 and a = 1 and n < 3 -> n := n + 1` assigns it what is no constant"],
    );
}

#[test]
fn a_command_that_moves_two_counters() {
    let (found, others) =
        found("var a, b : 0..2; a = 0 -> a := 1; a = 1 and b = 0 -> a := 2, b := 1; b = 1 -> b := 2; end true;");
    assert_eq!((found.len(), others), (1, strings(&["`b`: `a` is the counter of commands that assign it, too"])));
}

#[test]
fn what_is_no_counter() {
    check_found(
        "var a, b, c : 0..5; var d[2] : 0..1; var k : 0..1;
         a = 0 and b = 0 and c = 0 and d[0] = 0 -> a := a + 1; b < 2 -> b := 3; c = 0 -> c := input; d[k] = 0 -> d[k] := 1; k = 0 -> k := 1;",
        &["`c` has 6 values in 7 commands; nobody else uses `a`", "`k` has 2 values in 1 command; it is kept as a variable, too"],
        &[
            "`a`: `a = 0 and b = 0 and c = 0 and d[0] = 0 -> a := a …` assigns it what is no constant",
            "`b`: `b < 2 -> b := 3` assigns it and does not compare it with a constant first",
            "`d[0]`: `d[k] = 0 -> d[k] := 1` assigns it what is no constant",
        ],
    );
}

#[test]
fn an_input_into_a_counter_is_one_command_a_value() {
    check_found("var a : 0..2; a = 0 -> a := input; end true;", &["`a` has 3 values in 3 commands"], &[]);
}

#[test]
fn a_counter_that_begins_with_any_value() {
    check_found(
        "var a : 0..2 = any; a = 0 -> a := 1; end true;",
        &[],
        &["the program begins with a choice (`= any`), and no command comes before it"],
    );
}

#[test]
fn the_end_of_a_counter() {
    let text = "var a : 0..3; a = 0 -> a := 1; a = 0 -> a := 2; a = 2 -> a := 3; end a = 3;";
    check_found(text, &["`a` has 4 values in 3 commands; it is kept as a variable, too"], &[]);
    let loaded = load(text);
    assert_eq!(verdict(&loaded, "safety", "program-counters,dead,merge", "static"), Verdict::Violated);
    let loaded = load(&text.replace("end a = 3", "end a = 3 or a = 1"));
    assert_eq!(verdict(&loaded, "safety", "program-counters,dead,merge", "static"), Verdict::Holds);
}

#[test]
fn a_fault_while_a_counter_changes() {
    for text in [
        "var a : 0..2; var x : 0..3; a = 0 -> a := 1, x := x - 1; a = 1 -> a := 0;",
        "var a : 0..2; var x : 0..3; a = 0 -> x := 1 / x, a := 1; a = 1 -> a := 0;",
        "var a : 0..2; var b[2] : 0..3; a = 0 -> a := 2; a = 2 -> b[a] := 1, a := 0;",
        "var a : 0..2; var x : 0..3; x = 0 -> x := 1; a = 0 and 3 / x = 3 -> a := 1;",
        "var a : 0..2; var x : 0..3; x = 0 -> x := 1; 3 / x = 3 and a = 0 -> a := 1;",
    ] {
        found(text);
        for reduce in ["program-counters", "program-counters,dead,merge", "dead", "auto"] {
            assert_eq!(verdict(&load(text), "safety", reduce, "auto"), Verdict::Violated, "{text} with {reduce}");
        }
    }
}

#[test]
fn a_counter_is_asked_only_where_nothing_has_failed() {
    check_found(
        "var a : 0..2; var x : 0..3; x = 0 -> x := 1; 3 / x = 3 and a = 0 -> a := 1;",
        &["`x` has 2 values in 1 command; it is kept as a variable, too"],
        &[],
    );
}

#[test]
fn constants_outside_of_the_range_of_a_counter() {
    let text = "var a : 0..2; a = 0 -> a := 1; a = 1 -> a := 5; a = 7 -> a := 0;";
    check_found(text, &["`a` has 3 values in 3 commands; it is kept as a variable, too"], &[]);
    assert_eq!(verdict(&load(text), "safety", "program-counters,dead,merge", "static"), Verdict::Violated);
    found("var a : 1..2; a = 1 -> a := 5, a := 2; a = 2 -> a := 1;");
    found("var a : 3..5 = 4; a = 4 -> a := 3, a := 5; a = 5 -> a := 3; a = 3 -> skip;");
}

#[test]
fn a_counter_that_a_property_names() {
    let text = "var a : 0..2; var x : 0..3; a = 0 -> a := 1, x := 2; a = 1 -> a := 2, x := 1; a = 2 -> a := 0;";
    let loaded = load_with(text, &["G F {a = 2}", "G {a != 2}", "F G {x = 1}"]);
    for reduce in ["none", "auto", "program-counters", "program-counters,dead", "program-counters,dead,merge"] {
        let answers: Vec<Verdict> = ["f0", "f1", "f2"].map(|name| verdict(&loaded, name, reduce, "auto")).into();
        assert_eq!(answers, [Verdict::Holds, Verdict::Violated, Verdict::Violated], "{reduce}");
    }
}

#[test]
fn an_array_with_computed_indices_is_moved_as_a_whole() {
    check_found(
        "var k : 0..1; process q[i : 1..2] { var pc : 0..1; var b[2] : 0..3; var w[2] : 0..1;
            pc = 0 -> b[w[0]] := 1, w[1] := 1, pc := 1; pc = 1 -> w[0] := b[1], pc := 0; }
         q[k + 1].b[0] = 1 -> k := 1;",
        &[
            "`q[1].pc` has 2 values in 2 commands; nobody else uses `q[1].w[0]`, `q[1].w[1]`",
            "`q[2].pc` has 2 values in 2 commands; nobody else uses `q[2].w[0]`, `q[2].w[1]`",
        ],
        &[],
    );
}

/// The number of states that passes leave, with what they leave bisimilar.
fn states_left(text: &str, passes: &[&str]) -> Option<(usize, usize)> {
    bisimilar(&load(text).model, &[], passes, text)
}

#[test]
fn what_influences_nothing_is_not_assigned() {
    let text =
        "var x, y, z : int; [a] x = 0 -> x := 1; [b] x = 1 and y >= 1 -> x := 0, z := 1; tau y < 2 -> y := y + 1;";
    assert_eq!(states_left(text, &["dead"]), Some((10, 6)));
    // It may grow beyond 64 bits, as far as its type says.
    assert_eq!(states_left(&text.replace("z := 1", "z := x + z"), &["dead"]), None);
    // It may not fit into its range.
    let ranged = |high: u32| {
        text.replace("z : int;", &format!("w : int; var z : 0..{high};")).replace("x := 0, z := 1", "z := x, x := 0")
    };
    assert_eq!(states_left(&ranged(1), &["dead"]), None);
    assert_eq!(
        states_left(&ranged(1).replace("x, y,", "y,").replace("var y", "var x : 0..1; var y"), &["dead"]),
        Some((10, 6))
    );
}

#[test]
fn what_is_dead_becomes_what_is_nearest_to_zero() {
    let text = "process q { var pc : 0..2; var r : 3..5; pc = 0 -> r := 4, pc := 1; pc = 0 -> r := 5, pc := 1;
        pc = 1 and r > 3 -> pc := 2; pc = 2 -> pc := 0; }";
    let (full, dead) = states_left(text, &["program-counters", "dead"]).expect("r is dead after it was read");
    assert!(dead < full, "{dead} of {full}");
    assert_eq!(verdict(&load(text), "safety", "dead,dead-globals,program-counters", "auto"), Verdict::Holds);
}
