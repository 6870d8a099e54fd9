//! Guarded commands from outside: inputs and what is unspecified in traces, trace files, runs and
//! graphs; names of commands; states that are matched by the values of expressions.

mod support;

use std::fs;

use support::Folder;

const THERMOSTAT: &str = "var temperature : int = 20;
var heating : bool = any;
[measure] true                             -> temperature := input;
[on]      temperature < 18 and not heating -> heating := true;
[off]     temperature > 22 and heating     -> heating := false;
error wasted: heating and temperature > 25;
";

/// A folder with the model.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    fs::write(folder.0.join("t.gcl"), THERMOSTAT).unwrap();
    folder
}

/// The lines of a text that have this in them.
fn lines_with<'t>(text: &'t str, part: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.contains(part)).collect()
}

#[test]
fn any_integer_cannot_be_searched() {
    let folder = folder("gcl_int");
    for command in ["check", "sim", "graph", "inspect"] {
        folder.refuse(&format!("{command} t.gcl"), "`temperature` may get any integer, and a search cannot try all");
        folder.refuse(&format!("{command} t.gcl"), "give a range: `--input temperature=0..3`");
    }
    folder.refuse("compare t.gcl t.gcl --relation bisim", "give a range: `--input temperature=0..3`");
    folder.refuse("check t.gcl --input temperature=0..4096", "this command can be taken in 4097 ways, and 4096 are");
    folder.refuse("check t.gcl --input temperatur=0..3", "did you mean `temperature`?");
}

#[test]
fn a_trace_shows_what_was_given_and_is_replayed_with_the_same_inputs() {
    let folder = folder("gcl_trace");
    let ran = folder.run("check t.gcl -p wasted --threads 1 --input temperature=15..27 --trace t.trace");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let expected = ["heating = true (any)", "[measure] true -> temperature := 26 (input)"];
    for step in expected {
        assert_eq!(lines_with(&ran.stdout, step).len(), 1, "{}", ran.stdout);
    }
    let saved = fs::read_to_string(folder.0.join("t.trace")).unwrap();
    assert!(saved.starts_with("ample trace 2\n") && saved.contains("\ninput temperature=15..27\n"), "{saved}");
    // The file has the ranges; others are refused.
    let replayed = folder.run("sim t.gcl --replay t.trace");
    assert_eq!((replayed.status, lines_with(&replayed.stdout, "26 (input)").len()), (1, 1), "{}", replayed.stdout);
    folder.refuse("sim t.gcl --replay t.trace --input temperature=0..3", "the trace was made with other inputs");
    let json = folder.run("check t.gcl -p wasted --input temperature=15..27 --json").stdout;
    for part in ["\"action\":\"measure\"", "\"action\":\"tau\"", "temperature := 26 (input)"] {
        assert!(json.contains(part), "{part}: {json}");
    }
}

#[test]
fn a_run_is_made_by_choosing_inputs() {
    let folder = folder("gcl_interactive");
    let ran = folder.run_with_input("sim t.gcl --interactive --input temperature=15..27", "2\n13\nw run.trace\nq\n");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    for part in ["heating = false (any)", "heating = true (any)", "temperature := 15 (input)", "which move (1-13)?"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let replayed = folder.run("sim t.gcl --replay run.trace").stdout;
    assert_eq!(lines_with(&replayed, "temperature := 27 (input)").len(), 1, "{replayed}");
}

#[test]
fn graphs_and_comparisons_have_the_names_of_commands() {
    let folder = folder("gcl_graph");
    let graph = folder.run("graph t.gcl --input temperature=17..18 --format aut").stdout;
    assert_eq!(lines_with(&graph, "(0, \"tau\", ").len(), 2, "{graph}");
    for name in ["measure", "on"] {
        assert!(!lines_with(&graph, &format!("\"{name}\"")).is_empty(), "{graph}");
    }
    let alike = "compare t.gcl t.gcl --relation bisim --input temperature=17..18";
    let ran = folder.run(alike);
    assert!(ran.status == 0 && ran.stdout.contains("EQUIVALENT"), "{}", ran.stdout);
    fs::write(folder.0.join("u.gcl"), THERMOSTAT.replace("[on] ", "[in] ")).unwrap();
    let ran = folder.run("compare t.gcl u.gcl --relation bisim --input temperature=17..18");
    assert!(ran.status == 1 && ran.stdout.contains("on"), "{}", ran.stdout);
}

/// What is unspecified is chosen before any state is matched, in both orders.
#[test]
fn matching_begins_after_the_first_choice() {
    let folder = folder("gcl_match");
    let text = THERMOSTAT.replace("heating : bool = any;", "heating : bool; var mode : bool = any;");
    fs::write(folder.0.join("t.gcl"), text).unwrap();
    for order in ["bfs", "dfs"] {
        let ask = |values: &str| {
            folder.run(&format!("check t.gcl -p wasted --input temperature=15..27 --order {order} --match {values}"))
        };
        let found = ask("heating,temperature");
        assert!(found.status == 1 && found.stdout.contains("26 (input)"), "{order}: {}", found.stdout);
        let missed = ask("heating");
        assert!(missed.status == 3 && missed.stdout.contains("explored 3 states"), "{order}: {}", missed.stdout);
    }
}

#[test]
fn a_graph_of_matched_states() {
    let folder = Folder::new("gcl_graph_match");
    let text = "var x, y : int; [a] x < 2 -> x := x + 1; [b] true -> y := y + 1; [r] x = 2 -> x := 0;";
    fs::write(folder.0.join("m.gcl"), text).unwrap();
    let expected =
        "des (0, 6, 3)\n(0, \"a\", 1)\n(0, \"b\", 0)\n(1, \"a\", 2)\n(1, \"b\", 1)\n(2, \"b\", 2)\n(2, \"r\", 0)\n";
    for order in ["bfs", "dfs"] {
        let ran = folder.run(&format!("graph m.gcl --match x --format aut --order {order}"));
        assert_eq!((ran.stdout.as_str(), ran.status), (expected, 0), "{order}: {}", ran.stderr);
    }
    let ran = folder.run("graph m.gcl --match x --quotient bisim --tau a --tau b --tau r --format aut");
    assert_eq!((ran.stdout.as_str(), ran.status), ("des (0, 1, 1)\n(0, \"tau\", 0)\n", 0), "{}", ran.stderr);
    folder.refuse("graph m.gcl --match x --por static", "--match does not go with --por");
    folder.refuse("graph m.gcl --match x --reduce dead", "--match does not go with --reduce");
    folder.refuse("graph m.gcl --match x,", "an expression is missing");
}

const EXPANDERS: [&str; 7] =
    ["static", "ample", "stubborn", "deletion", "confluent", "confluent-chain", "simultaneous"];

/// Commands with a name are seen in graphs, so that the order of `a` and `b` is kept; those
/// without, and silent ones, are not.
#[test]
fn what_reductions_leave_in_a_graph_has_the_same_names() {
    let folder = Folder::new("gcl_graph_names");
    fs::write(folder.0.join("two.gcl"), "var x, y : 0..1; [a] x = 0 -> x := 1; [b] y = 0 -> y := 1; end true;")
        .unwrap();
    let text = "var x, y, z : 0..1; tau x = 0 -> x := 1; [b] y = 0 -> y := 1; [c] z = 0 -> z := 1; end true;";
    fs::write(folder.0.join("tau.gcl"), text).unwrap();
    let thesis = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/thesis/figure-3-1.gcl");
    for por in EXPANDERS {
        for (model, states) in [("two.gcl", 4), ("tau.gcl", if por == "confluent-chain" { 5 } else { 0 }), (thesis, 0)]
        {
            let flags = format!("--reduce program-counters,dead,por --por {por} -o left.aut");
            let ran = folder.run(&format!("graph {model} {flags}"));
            assert_eq!(ran.status, 0, "{por}: {}", ran.stderr);
            assert!(states == 0 || ran.stderr.starts_with(&format!("{states} states")), "{por}: {}", ran.stderr);
            for relation in ["weak-trace", "weak-bisim"] {
                let ran = folder.run(&format!("compare {model} left.aut --relation {relation}"));
                assert_eq!(ran.status, 0, "{por}, {model}: {}", ran.stdout);
            }
        }
    }
    // What a formula sees is kept besides.
    let ran = folder.run("graph two.gcl --reduce program-counters,por --por static --see {x=0} -o left.aut");
    assert!(ran.status == 0 && ran.stderr.starts_with("4 states"), "{}", ran.stderr);
}

/// Elements of a scalarset are told apart by no name: one state stands for an orbit.
#[test]
fn a_graph_of_orbits() {
    let folder = Folder::new("gcl_graph_orbits");
    let text = "type pid = scalarset(3); var lock : pid; var at[pid] : 0..2;
process q[i : pid] {
  [want] at[i] = 0                 -> at[i] := 1;
  [get]  at[i] = 1 and lock = none -> lock := i, at[i] := 2;
  [drop] at[i] = 2                 -> at[i] := 0, lock := none;
}";
    fs::write(folder.0.join("lock.gcl"), text).unwrap();
    let ran = folder.run("graph lock.gcl --reduce symmetry -o orbits.aut");
    assert!(ran.status == 0 && ran.stderr.starts_with("7 states, 18 transitions"), "{}", ran.stderr);
    let ran = folder.run("compare lock.gcl orbits.aut --relation bisim");
    assert!(ran.status == 0 && ran.stdout.contains("20 states"), "{}", ran.stdout);
}

#[test]
fn inspect_shows_program_counters() {
    let folder = Folder::new("gcl_counters");
    let text = "var pc1, pc2 : 0..2; var n : int; [a] pc1 = 0 -> pc1 := 1; [b] pc1 = 1 -> pc1 := 0, n := n + 1;
[c] pc2 = 0 -> pc2 := 2; [d] pc2 = 2 and n > 3 -> pc2 := 0; n = 9 -> n := 0;";
    fs::write(folder.0.join("m.gcl"), text).unwrap();
    let shown = folder.run("inspect m.gcl").stdout;
    let found: Vec<&str> = shown.lines().filter(|line| line.contains("rogram counter")).collect();
    let expected = [
        "Program counter: `pc1` has 2 values in 2 commands.",
        "Program counter: `pc2` has 2 values in 2 commands.",
        "No program counter: `n`: `[b] pc1 = 1 -> pc1 := 0, n := n + 1` assigns it what is no constant.",
    ];
    assert_eq!(found, expected, "{shown}");
    // What is refused for exact integers is not said to be possible.
    assert!(!shown.contains("Shift") && !shown.contains("Values"), "{shown}");
    let json: serde_json::Value = serde_json::from_str(&folder.run("inspect m.gcl --json").stdout).unwrap();
    assert_eq!(json["program_counters"].as_array().map(Vec::len), Some(2), "{json}");
}

/// What was taken for another state may execute them.
#[test]
fn matched_states_prove_nothing_about_statements() {
    let folder = Folder::new("gcl_match_coverage");
    fs::write(folder.0.join("m.gcl"), "var x : 0..3; [a] x < 3 -> x := x + 1; [b] x = 3 -> x := 0;").unwrap();
    let ran = folder.run("check m.gcl --match x<2 --coverage");
    let said = "coverage: 1 of 2 statements were not executed so far\n";
    let why = "the search left out states that may execute them";
    assert!(ran.status == 3 && ran.stdout.contains(said) && ran.stdout.contains(why), "{}", ran.stdout);
    let ran = folder.run("check m.gcl --store bitstate --coverage");
    assert!(ran.stdout.contains("every one of 2 statements was executed"), "{}", ran.stdout);
}

/// The states of a graph of matched states, by the values of these variables, and its transitions.
fn matched(file: &str, values: &str, order: &str, variables: &[&str]) -> (Vec<String>, Vec<String>) {
    let folder = Folder::new(&format!("gcl_thesis_{}_{order}_{}", file.replace('.', "_"), values.len()));
    let path = format!("{}/../../examples/thesis/{file}", env!("CARGO_MANIFEST_DIR"));
    let ran = folder.run(&format!("graph {path} --match {values} --order {order} --format dot"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let mut states: Vec<String> = Vec::new();
    let mut edges = Vec::new();
    for line in ran.stdout.lines().map(str::trim) {
        if let Some((_, shown)) = line.split_once("[tooltip=\"") {
            let value = |name: &&str| shown.split("\\n").find_map(|part| part.strip_prefix(&format!("{name} = ")));
            states.push(variables.iter().map(|name| value(name).unwrap()).collect::<Vec<_>>().join(","));
        } else if let Some((from, rest)) = line.split_once(" -> ") {
            let (to, label) = rest.split_once(" [label=\"").unwrap();
            let state = |number: &str| &states[number.parse::<usize>().unwrap()];
            edges.push(format!("{} {} {}", state(from), label.trim_end_matches("\"];"), state(to)));
        }
    }
    edges.sort();
    (states, edges)
}

/// Pelánek, Example 3.1: what is stored, and what is matched by which stored state.
#[test]
fn the_two_orders_of_example_3_1() {
    let ask = |file, order| matched(file, "x=0,y=0,x+y>1", order, &["x", "y", "z"]);
    let (states, edges) = ask("example-3-1.gcl", "bfs");
    assert_eq!(states, ["0,0,0", "0,1,0", "1,0,0", "0,2,0", "1,1,0"]);
    let expected = [
        "0,0,0 a 1,0,0",
        "0,0,0 tau 0,1,0",
        "0,1,0 a 1,1,0",
        "0,1,0 tau 0,2,0",
        // To 120, matched on 001, as 110 was.
        "0,2,0 a 1,1,0",
        "1,0,0 tau 1,1,0",
        // To 011, matched on 100.
        "1,1,0 b 0,1,0",
        "1,1,0 tau 1,1,0",
    ];
    assert_eq!(edges, expected);
    let (mut states, edges) = ask("example-3-1.gcl", "dfs");
    states.sort();
    assert_eq!(states, ["0,0,0", "0,1,0", "0,2,0", "1,0,0", "1,2,0"]);
    let expected = [
        "0,0,0 a 1,0,0",
        "0,0,0 tau 0,1,0",
        "0,1,0 a 1,2,0",
        "0,1,0 tau 0,2,0",
        "0,2,0 a 1,2,0",
        // To 110, matched on 001.
        "1,0,0 tau 1,2,0",
        // To 021, matched on 101.
        "1,2,0 b 0,2,0",
    ];
    assert_eq!(edges, expected);
    // With the commands in the order of the figure others come out.
    assert_ne!(ask("figure-3-1.gcl", "bfs").0, ask("example-3-1.gcl", "bfs").0);
}

/// Pelánek, Figure 5.5, as section 5.2.3 lists the states: with one predicate more (4, 3) comes
/// before (4, 4), and (5, 4) is not visited any more.
#[test]
fn fewer_states_with_more_predicates() {
    let ask = |values| matched("figure-5-5.gcl", values, "bfs", &["pc", "x"]).0;
    assert_eq!(ask("pc,x>=3"), ["0,0", "1,1", "2,0", "4,2", "3,0", "5,2", "4,4", "5,4"]);
    let more = ask("pc,x>=3,x=1");
    assert!(more.contains(&"2,1".to_owned()) && more.contains(&"4,3".to_owned()), "{more:?}");
    assert!(!more.contains(&"5,4".to_owned()) && !more.contains(&"4,4".to_owned()), "{more:?}");
    // Figure 5.4 B: of d and e one is taken.
    let (_, edges) = matched("figure-5-4-b.gcl", "pc,x>=3", "bfs", &["pc", "x"]);
    let taken = |label: &str| edges.iter().any(|edge| edge.contains(&format!(" {label} ")));
    assert!(taken("d") != taken("e"), "{edges:?}");
}

#[test]
fn a_command_that_waits_is_named_once() {
    let folder = Folder::new("gcl_waits");
    let text =
        "var x, y : 0..63; var z : 0..4095; [p] x = 1 -> x := input, y := input; [q] y = 1 -> z := input, x := 0;";
    fs::write(folder.0.join("m.gcl"), text).unwrap();
    let ran = folder.run("check m.gcl");
    let waits = "waits for: [p] x = 1 -> x := input, y := input | [q] y = 1 -> z := input, x := 0\n";
    assert!(ran.stdout.contains(waits), "{}", ran.stdout);
}
