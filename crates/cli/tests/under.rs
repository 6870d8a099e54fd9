//! Under-approximation loops, as a user asks for them.

mod support;

use serde_json::Value;
use support::Folder;

/// Two visible transitions that nothing disturbs, each in a process of its own.
const INDEPENDENT: &str = "bit x, y;
active proctype A() { x = 1; end: false }
active proctype B() { y = 1; end: false }
ltl low { [] (x + y < 3) }
ltl order { [] (x >= y) }
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    std::fs::write(folder.0.join("independent.pml"), INDEPENDENT).unwrap();
    folder
}

#[test]
fn each_run_is_shown_with_what_was_added_and_why() {
    let folder = folder("under_table");
    let ran = folder.run("check independent.pml -p low --under visibility --pick random --seed 4 --threads 1");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // Times differ from run to run.
    let is_digit = |character: char| character.is_ascii_digit();
    let timeless = |line: &str| match line.split_once(" s  ") {
        Some((left, right)) => format!("{}… s  {right}\n", left.trim_end_matches(is_digit)),
        None => format!("{}\n", line.strip_suffix(" s").map_or(line, |left| left.trim_end_matches(is_digit))),
    };
    let table = ran
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("under"))
        .take_while(|line| !line.starts_with("explored"));
    assert_eq!(
        table.map(timeless).collect::<String>(),
        "\
under-approximations:
  run  states  transitions    time  added before it
    1       3            3  0.
    2       3            3  0.… s  A[0] :2  x = 1  (the property sees it)
    3       4            5  0.… s  B[1] :3  y = 1  (the property sees it)
                                    exact: nothing that matters is left out
"
    );
    assert!(ran.stdout.contains("; reductions: visibility, stubborn (cycle condition sticky)\n"), "{}", ran.stdout);
}

#[test]
fn the_runs_are_in_the_json_object() {
    let ran = folder("under_json").run("check independent.pml -p low --under visibility --json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    let runs = object["properties"][0]["refinement"].as_array().unwrap();
    assert_eq!(object["iterations"], runs.len());
    assert!(runs.len() > 1, "{object}");
    assert_eq!(runs[0]["added"], Value::Array(Vec::new()));
    let added = &runs[1]["added"][0];
    assert!(added["statement"].is_string() && added["line"].is_number() && added["process"].is_string(), "{added}");
    assert_eq!((&added["file"], &added["reason"]), (&"independent.pml".into(), &"the property sees it".into()));
    let last = runs.last().unwrap();
    assert_eq!((&last["exact"], &last["states"]), (&true.into(), &object["states"]));
    assert_eq!(object["reductions"][0], "visibility");
}

#[test]
fn an_error_ends_the_loop_and_comes_with_its_run() {
    let folder = folder("under_error");
    for flags in ["--under visibility", "--under cycles --pick random", "--under interleaving --por ample"] {
        let ran = folder.run(&format!("check independent.pml -p order {flags}"));
        assert_eq!(ran.status, 1, "{flags}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with("VIOLATED") && !ran.stdout.contains("exact"), "{flags}: {}", ran.stdout);
        assert!(ran.stdout.contains("under-approximations:\n"), "{flags}: {}", ran.stdout);
    }
}

#[test]
fn a_limit_leaves_it_unknown_and_shows_how_far_it_came() {
    let ran = folder("under_limit").run("check independent.pml -p low --under interleaving --max-states 3 --threads 1");
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    let words =
        "UNKNOWN   low: no error found, but the under-approximation is not exact yet, the limit on states was reached";
    assert!(ran.stdout.starts_with(words) && ran.stdout.contains("not finished"), "{}", ran.stdout);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let folder = folder("under_refused");
    for (flags, words) in [
        ("--pick guided", "--pick does not apply: there is no under-approximation to choose for; use --under"),
        ("--pick random --seed 1", "--pick does not apply"),
        ("--seed 1", "--seed does not apply: nothing is chosen at random; use --pick random"),
        ("--under cycles --seed 1", "--seed does not apply"),
        ("--begin visible", "--begin does not apply: there is no under-approximation to begin; use --under cycles"),
        ("--begin none", "--begin does not apply"),
        ("--under visibility --begin visible", "--under visibility does not go with --begin visible"),
        ("--under auto --begin visible", "nothing is left to let in then; use --por alone"),
        ("--under interleaving --begin none", "--under interleaving does not go with --begin"),
        ("--under cycles --begin all", "possible values: none, visible"),
        ("--under states", "possible values: auto, visibility, cycles, interleaving, predicates"),
        ("--under predicates", "no variable is of unbounded type; name those that predicates are to stand for with"),
        ("--under predicates --threads 2", "--under predicates does not go with several threads"),
        ("--under predicates --order dfs", "--under predicates does not go with --order dfs"),
        ("--under predicates --reduce por", "--under predicates does not go with --reduce"),
        ("--under predicates --por static", "--under predicates does not go with --por"),
        ("--under predicates --proviso stack", "--under predicates does not go with --proviso"),
        ("--under predicates --match x", "--under predicates does not go with --match"),
        ("--under predicates --store bitstate", "--under predicates does not go with --store bitstate"),
        ("--under predicates --emptiness scc", "--under predicates does not go with --emptiness scc"),
        ("--under predicates --begin none", "--under predicates does not go with --begin"),
        ("--under predicates --pick random", "--under predicates does not go with --pick random"),
        ("--under predicates --coverage", "--under predicates does not go with --coverage"),
        ("--under predicates --abstract nothing", "--abstract: there is no variable `nothing` to abstract"),
        ("--under predicates --refine some", "possible values: exact, all, none"),
        ("--under predicates --refine all --solver z3", "--solver does not apply: --refine all asks no solver"),
        ("--under cycles --solver z3", "--solver does not apply: nothing is to be proved; use --under predicates"),
        ("--abstract x", "--abstract does not apply: nothing is abstracted; use --under predicates"),
        ("--queries q.smt2", "--queries does not apply"),
        ("--predicates p.txt", "--predicates does not apply"),
        ("--refine all", "--refine does not apply"),
        ("--max-rounds 3", "--max-rounds does not apply: there is one search; use --under"),
        ("--under cycles --pick best", "possible values: guided, random"),
        ("--under cycles --reduce none", "--under cycles does not go with --reduce none"),
        ("--under cycles --reduce sleep", "--under cycles does not go with --reduce sleep"),
        ("--under visibility --keep-going", "--under visibility does not go with --keep-going"),
        ("--under visibility --coverage", "--under visibility does not go with --coverage"),
        ("--under visibility --store bitstate", "--under visibility does not go with --store bitstate"),
        ("--under interleaving --store compact", "--under interleaving does not go with --store compact"),
        ("--under interleaving --proviso stack", "--under interleaving does not go with --proviso stack"),
        ("--under cycles --proviso sticky", "--under cycles does not go with --proviso sticky"),
        ("--under cycles --proviso closed", "--under cycles does not go with --proviso closed"),
        ("--under cycles --proviso none", "--under cycles does not go with --proviso none"),
        ("--under visibility --proviso new", "`new` cannot be used to check `low`"),
        ("--under visibility --exec interpret", "the processes are not known"),
    ] {
        folder.refuse(&format!("check independent.pml -p low {flags}"), words);
    }
    folder.refuse("check independent.pml --ltl X(x) --under visibility", "errors may be missed in LTL");
}

#[test]
fn loops_go_with_the_other_ways_to_search() {
    let folder = folder("under_ways");
    for flags in [
        "--under visibility --proviso stack --emptiness scc",
        "--under visibility --proviso closed --store exact",
        "--under cycles --proviso new --threads 2",
        "--under cycles --proviso open --order bfs",
        "--under cycles --proviso new --emptiness cndfs --threads 2",
        "--under cycles --proviso stack --order dfs",
        "--under cycles --begin visible",
        "--under cycles --begin visible --proviso new --threads 2 --pick random",
        "--under cycles --begin none",
        "--under visibility --begin none",
        "--under interleaving --por stubborn --fair weak --emptiness scc",
        "--under visibility --reduce por --max-time 1m",
    ] {
        let ran = folder.run(&format!("check independent.pml -p low {flags}"));
        assert_eq!(ran.status, 0, "{flags}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("exact: nothing that matters is left out"), "{flags}: {}", ran.stdout);
    }
}

#[test]
fn the_help_has_the_descriptors() {
    let help = folder("under_help").run("check --help").stdout;
    for words in
        ["--under <LOOP>", "--pick <HOW>", "--seed <N>", "--begin <WHAT>", "- interleaving:", "--under visibility"]
    {
        assert!(help.contains(words), "{words}: {help}");
    }
}

/// What the property sees need not be let in one by one: the run that comes after that is the
/// first.
#[test]
fn a_loop_can_begin_with_what_the_property_sees() {
    let folder = folder("under_begin");
    let runs = |flags: &str| {
        let command = format!("check independent.pml -p low --under cycles --pick random --threads 1 --json {flags}");
        let found: Value = serde_json::from_str(&folder.run(&command).stdout).unwrap();
        let of_run = |run: &Value| run["states"].as_u64();
        found["properties"][0]["refinement"].as_array().unwrap().iter().map(of_run).collect::<Vec<_>>()
    };
    let (usual, visible) = (runs("--begin none"), runs("--begin visible"));
    assert_eq!((usual.len(), &visible[..]), (3, &usual[2..]));
    assert_eq!(usual, runs(""));
}

/// What the system alone was searched for, to settle what the cycle condition lets stand, is not
/// hidden. The last run needs none.
#[test]
fn a_first_pass_is_counted_apart() {
    let folder = folder("under_first_pass");
    let round =
        "bit x; active proctype A() { do :: x = 1 - x od } active proctype B() { bit own; do :: own = 1 - own od }
        ltl low { [] (x < 2) }";
    std::fs::write(folder.0.join("round.pml"), round).unwrap();
    let command = "check round.pml -p low --under cycles --pick random --threads 1";
    let found: Value = serde_json::from_str(&folder.run(&format!("{command} --json")).stdout).unwrap();
    let runs = found["properties"][0]["refinement"].as_array().unwrap();
    let (last, before) = runs.split_last().unwrap();
    assert!(!before.is_empty() && last["first_pass"].is_null(), "{runs:?}");
    for run in before {
        let pass = |field: &str| run["first_pass"][field].as_u64().unwrap_or_default();
        assert!(pass("states") > 0 && pass("transitions") > 0, "{run}");
    }
    let table = folder.run(command).stdout;
    assert!(table.contains("\n  run  first pass  states  transitions    time  added before it\n"), "{table}");
    let table = folder.run("check independent.pml -p low --under visibility").stdout;
    assert!(!table.contains("first pass"), "{table}");
}

#[test]
fn without_a_choice_it_is_the_one_that_explores_least() {
    let folder = folder("under_auto");
    let reductions = |flag: &str| {
        let ran = folder.run(&format!("check independent.pml -p low --under {flag} --threads 1 --json"));
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        (found["verdict"].clone(), found["reductions"].clone(), found["iterations"].clone())
    };
    assert_eq!(reductions("auto"), reductions("visibility"));
}
