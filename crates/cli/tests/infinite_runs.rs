//! Infinite runs: what is said of them, saved and replayed.

mod support;

use serde_json::Value;
use support::Folder;

#[test]
fn a_run_with_a_cycle_is_shown_and_replayed() {
    let folder = Folder::new("infinite_cycle");
    folder.check(
        "check blinker.pml -p rests",
        1,
        "
VIOLATED  `rests` does not hold on this run      blinker.pml:5

  step  blinker[0]     other[1]  changed
     1  :2  on = true            on = true
     2                 :3  skip
     ⟳  from here on, over and over:
     3                 :3  skip

explored 3 states, 6 transitions, depth 2 in … s with … MB; no reductions
replay: ample sim blinker.pml --replay blinker.trace
",
    );
    let replayed = folder.run("sim blinker.pml --replay blinker.trace");
    assert_eq!(replayed.status, 1, "{}", replayed.stdout);
    assert!(replayed.stdout.contains("from here on, over and over:"), "{}", replayed.stdout);
}

#[test]
fn a_run_that_stays_where_nothing_moves() {
    let folder = Folder::new("infinite_stays");
    folder.check(
        "check waits.pml -p goes",
        1,
        "
VIOLATED  `goes` does not hold on this run      waits.pml:3

  in the initial state, before any step

  nothing can move:
    waiter[0]  :2  may stay here: go

explored 1 state, 1 transition, depth 0 in … s with … MB; no reductions
replay: ample sim waits.pml --replay waits.trace
",
    );
}

#[test]
fn formulas_of_the_command_line_are_checked_and_saved() {
    let folder = Folder::new("infinite_formula");
    assert_eq!(folder.run("check blinker.pml --ltl G(on->Fon)").status, 0);
    let ran = folder.run("check blinker.pml --ltl FG!on --json");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    let property = &object["properties"][0];
    assert_eq!((&property["name"], &property["verdict"]), (&"formula".into(), &"violated".into()));
    assert!(!property["trace"]["cycle"].as_array().unwrap().is_empty());
    assert_eq!(object["violations"][0]["kind"], "cycle");
    let replayed = folder.run("sim blinker.pml --replay blinker.trace");
    assert_eq!(replayed.status, 1, "{}{}", replayed.stdout, replayed.stderr);
}

#[test]
fn labels_are_properties() {
    let folder = Folder::new("infinite_labels");
    let ran = folder.run("check blinker.pml -p progress");
    assert!(ran.stdout.starts_with("VIOLATED  a cycle without progress"), "{}", ran.stdout);
    assert_eq!(folder.run("check blinker.pml -p accept").status, 0);
    folder.refuse("check blinker.pml -p often --order bfs", "--order bfs does not apply");
    folder.refuse("check blinker.pml -p often --emptiness ndfs --threads 2", "--emptiness ndfs runs on one thread");
    folder.refuse("check blinker.pml -p safety --emptiness ndfs", "--emptiness ndfs does not apply");
    folder.refuse("check blinker.pml -p safety --fair weak", "--fair weak does not apply");
    folder.refuse("check blinker.pml -p often --fair weak --emptiness ndfs", "ndfs does not go with --fair weak");
    folder.refuse("check blinker.pml -p often --fair weak --max-processes 257", "no more than 256 processes");
    folder.refuse("check blinker.pml -p often --fair strong", "possible values: weak");
}

#[test]
fn a_proposition_without_a_value_is_an_error_of_the_run() {
    let folder = Folder::new("infinite_value");
    folder.check(
        "check reaches-out.pml -p inside",
        1,
        "
VIOLATED  array index out of range: the index is 7, the array has 0..2      reaches-out.pml:4

  step  p[0]       changed
     1  :3  i = 2  i = 2
     2  :3  i = 7  i = 7

explored 3 states, 2 transitions, depth 2 in … s with … MB; no reductions
replay: ample sim reaches-out.pml --replay reaches-out.trace
",
    );
    let replayed = folder.run("sim reaches-out.pml --replay reaches-out.trace");
    assert!(
        replayed.stdout.starts_with("VIOLATED  array index out of range"),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
}

#[test]
fn a_property_may_have_the_name_of_a_built_in_set() {
    let folder = Folder::new("infinite_names");
    assert_eq!(folder.run("check abp.pml").status, 1);
    let replayed = folder.run("sim abp.pml --replay abp.trace");
    assert!(
        replayed.stdout.starts_with("VIOLATED  `progress` does not hold"),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
    assert_eq!(folder.run("check abp.pml -p builtin:progress").status, 1);
    let replayed = folder.run("sim abp.pml --replay abp.trace");
    assert!(
        replayed.stdout.starts_with("VIOLATED  a cycle without progress"),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
}

#[test]
fn only_fair_runs_count_if_that_is_assumed() {
    let folder = Folder::new("infinite_fair");
    std::fs::write(
        folder.0.join("turns.pml"),
        "bool done, x;\nactive proctype spinner() { do :: x = !x od }\nactive proctype worker() { done = true }\n\
         ltl ends { <> done }\nltl rests { <> [] x }\nltl never_done { [] !done }\n",
    )
    .unwrap();
    assert_eq!(folder.run("check turns.pml -p ends").status, 1);
    folder.check(
        "check turns.pml -p ends --fair weak --reduce none",
        0,
        "
HOLDS     ends: holds in every fair run

explored 4 states, 4 transitions, depth 2 in … s with … MB; no reductions
guarantee for ends: no error is missed, because every reachable state was explored
assumed: weak fairness (a process that could move all the time does move again and again)
",
    );
    let ran = folder.run("check turns.pml -p rests --fair weak");
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("assumed: weak fairness"), "{}", ran.stdout);
    let trace = std::fs::read_to_string(folder.0.join("turns.trace")).unwrap();
    assert!(trace.contains("\nfair weak\n"), "{trace}");
    let replayed = folder.run("sim turns.pml --replay turns.trace");
    assert_eq!(replayed.status, 1, "{}{}", replayed.stdout, replayed.stderr);
    let ran = folder.run("check turns.pml -p never_done --fair weak --json");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["properties"][0]["fairness"], "weak");
    assert_eq!(object["violations"][0]["kind"], "bad-prefix");
    folder.refuse("check turns.pml -p ends --fair weak --threads 2", "--fair weak needs --emptiness scc");
}

#[test]
fn a_safety_formula_is_violated_by_a_finite_run() {
    let folder = Folder::new("infinite_prefix");
    std::fs::write(
        folder.0.join("count.pml"),
        "byte x;\nactive proctype p() { do :: x < 3; x++ :: x == 3; x = 0 od }\nltl small { [] (x < 2) }\n",
    )
    .unwrap();
    folder.check(
        "check count.pml -p small --order bfs --threads 1",
        1,
        "
VIOLATED  `small` does not hold on this run, however it goes on      count.pml:3

  step  p[0]       changed
     1  :2  x < 3
     2  :2  x++    x = 1
     3  :2  x < 3
     4  :2  x++    x = 2

explored 5 states, 4 transitions, depth 4 in … s with … MB; no reductions
replay: ample sim count.pml --replay count.trace
",
    );
    let replayed = folder.run("sim count.pml --replay count.trace");
    assert_eq!(replayed.status, 1, "{}{}", replayed.stdout, replayed.stderr);
    assert_eq!(folder.run("check count.pml -p small --max-depth 4").status, 1);
    assert_eq!(folder.run("check count.pml -p small --max-depth 3").status, 3);
    let infinite = folder.run("check count.pml -p small --emptiness ndfs");
    assert!(infinite.stdout.contains("from here on, over and over"), "{}", infinite.stdout);
}

/// Spin ignores `-a` then, and says so; to `-l` every cycle is one without progress.
#[test]
fn labels_that_the_model_does_not_have_are_named() {
    let folder = Folder::new("infinite_no_labels");
    let model = |text: &str| std::fs::write(folder.0.join("m.pml"), text).unwrap();
    model("active proctype p() { byte x; do :: x = 1 - x od }");
    for flags in ["", "--por static", "--under cycles", "--fair weak", "--emptiness scc"] {
        let ran = folder.run(&format!("check m.pml -p accept {flags}"));
        assert_eq!(ran.status, 0, "{flags}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("the model has no accept labels"), "{flags}: {}", ran.stdout);
        assert!(!ran.stdout.contains("explored"), "{flags}: {}", ran.stdout);
    }
    let ran = folder.run("check m.pml -p progress");
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("VIOLATED  a cycle without progress\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the model has no progress labels"), "{}", ran.stdout);
    model("active proctype p() { byte x; do :: x = 1 - x; progress: x = 1 - x :: accept: x = 0 od }");
    for set in ["progress", "accept"] {
        let ran = folder.run(&format!("check m.pml -p {set}"));
        assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("labels"), "{}", ran.stdout);
    }
}

/// Depth first, the walker goes all the way up before it turns.
const DETOUR: &str = "
byte x;
bool done;
active proctype idler() { do :: x == 2 -> skip od }
active proctype walker() {
    do
    :: x < 200 -> x++
    :: x == 200 -> x = 0
    :: x == 3 -> x = 0
    od
}
ltl finishes { <> done }
";

#[test]
fn a_run_without_end_is_short_whatever_found_it() {
    let folder = Folder::new("infinite_detour");
    std::fs::write(folder.0.join("detour.pml"), DETOUR).unwrap();
    let lengths = |options: &str| {
        let ran = folder.run(&format!("check detour.pml -p finishes --json {options}"));
        assert_eq!(ran.status, 1, "{options}: {}", ran.stderr);
        let object: Value = serde_json::from_str(&ran.stdout).unwrap();
        let trace = &object["properties"][0]["trace"];
        (trace["prefix"].as_array().unwrap().len(), trace["cycle"].as_array().unwrap().len())
    };
    // The idler goes round where `x` is 2; a fair run cannot stay there.
    for options in ["", "--emptiness cndfs --threads 2", "--emptiness scc", "--exec interpret", "--store bitstate"] {
        assert_eq!(lengths(options), (4, 2), "{options}");
    }
    assert_eq!(lengths("--fair weak"), (0, 8));
    // Among the transitions that a reduction leaves.
    assert_eq!(lengths("--por stubborn"), (5, 2));
    assert_eq!(lengths("--por static"), (5, 2));
    assert_eq!(lengths("--fair weak --por ample"), (0, 8));
}
