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
