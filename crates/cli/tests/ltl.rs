//! What `ample ltl` says, and formulas of the command line about a model.

mod support;

use serde_json::Value;
use support::{Folder, Ran};

/// Runs `ample` with one argument that has blanks.
fn run(folder: &Folder, command: &str, formula: &str) -> Ran {
    folder.command(command).arg(formula).output().unwrap().into()
}

#[track_caller]
fn check(folder: &Folder, command: &str, formula: &str, expected: &str) {
    let ran = run(folder, command, formula);
    assert_eq!(ran.stdout, expected.trim_start_matches('\n'), "{}", ran.stderr);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[track_caller]
fn refuse(folder: &Folder, command: &str, formula: &str, expected: &str) {
    let ran = run(folder, command, formula);
    assert_eq!(ran.stderr, expected.trim_start_matches('\n'));
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
}

#[test]
fn a_summary_and_the_automaton() {
    let folder = Folder::new("ltl_summary");
    check(
        &folder,
        "ltl",
        "G(request -> F reply)",
        r#"
formula            G(request -> F reply)
automaton          2 states, 4 edges; accepting states; deterministic
strength           strong
safety             no
stutter invariant  yes

HOA: v1
name: "G(request -> F reply)"
States: 2
Start: 0
AP: 2 "request" "reply"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic
--BODY--
State: 0 {0}
[!0 | 1] 0
[0&!1] 1
State: 1
[1] 0
[!1] 1
--END--
"#,
    );
    let nothing = run(&folder, "ltl", "G a & F !a");
    assert!(nothing.stdout.contains("\nnote               no run satisfies it\n"), "{}", nothing.stdout);
    let everything = run(&folder, "ltl", "a | !a");
    assert!(everything.stdout.contains("\nnote               every run satisfies it\n"), "{}", everything.stdout);
}

#[test]
fn formats() {
    let folder = Folder::new("ltl_formats");
    check(
        &folder,
        "ltl --negate --format never",
        "a U b",
        "
never { /* !(a U b) */
accept_init:
    do
    :: (a && !b) -> goto accept_init
    :: (!a && !b) -> goto accept_all
    od;
accept_all:
    skip
}
",
    );
    let hoa = run(&folder, "ltl --tgba --format hoa", "GFa & GFb").stdout;
    assert!(hoa.starts_with("HOA: v1\n") && hoa.contains("acc-name: generalized-Buchi 2\n"), "{hoa}");
    let dot = run(&folder, "ltl --tgba --format dot", "GFa & GFb").stdout;
    assert!(dot.starts_with("digraph \"GFa & GFb\" {\n"), "{dot}");
    folder.refuse("ltl --tgba --format never Ga", "--tgba does not go with --format never");
    folder.refuse("ltl --tgba --stutter-closure Ga", "cannot be used with");
    folder.refuse("ltl Ga --file formulas.ltl", "cannot be used with");
    folder.refuse("ltl", "<FORMULA>");
}

#[test]
fn formulas_of_a_file_or_of_standard_input() {
    let folder = Folder::new("ltl_files");
    let file = folder.run("ltl --file formulas.ltl --format hoa");
    assert_eq!((file.status, file.stdout.matches("HOA: v1\n").count()), (0, 2), "{}", file.stderr);
    let input = folder.run_with_input("ltl -", "a U b\n# none\n\nGa\n");
    assert_eq!(input.stdout.matches("\n--END--\n").count(), 2, "{}", input.stdout);
    assert!(input.stdout.contains("--END--\n\nformula            Ga\n"), "{}", input.stdout);
    folder.check(
        "ltl --file formulas.ltl --is-stutter-invariant",
        0,
        "
yes          G(request -> F reply)
no           G(request -> X reply)
",
    );
    let bad = folder.run_with_input("ltl -", "Ga\n  a b\nG(\n");
    assert!(bad.stderr.contains(" --> <stdin>:2:5\n  |\n2 |   a b\n  |     ^\n"), "{}", bad.stderr);
    assert!(bad.stderr.contains(" --> <stdin>:3:2\n"), "{}", bad.stderr);
    folder.refuse("ltl --file nowhere.ltl", "cannot read nowhere.ltl");
    assert!(folder.run_with_input("ltl -", "\n").stderr.contains("there is no formula in <stdin>"));
}

#[test]
fn stuttering() {
    let folder = Folder::new("ltl_stuttering");
    let yes = "yes\nIt cannot tell how often a state is repeated, so partial order reduction preserves it.\n";
    check(&folder, "ltl --is-stutter-invariant", "F(a & X(!a & b))", yes);
    check(&folder, "ltl --is-stutter-invariant", "a U b", yes);
    let no = "no\nIt can tell how often a state is repeated, so it must be checked without partial order reduction.\n";
    check(&folder, "ltl --is-stutter-invariant", "G(a -> X b)", no);
    let undecided = folder.run("ltl --claim automata.hoa --is-stutter-invariant");
    assert_eq!(undecided.stdout, "no           a, then b at once\nnot decided  automaton 2 of automata.hoa\n");
    assert_eq!(undecided.status, 3);
    let closure = run(&folder, "ltl --stutter-closure", "G(a -> X b)").stdout;
    assert!(closure.starts_with("formula            closure of G(a -> X b)\n"), "{closure}");
    assert!(closure.contains("\nstutter invariant  yes\n"), "{closure}");
    let never = run(&folder, "ltl --stutter-closure --format never", "G(a -> X b)").stdout;
    assert!(never.starts_with("never { /* closure of G(a -> X b) */\n"), "{never}");
}

#[test]
fn claims() {
    let folder = Folder::new("ltl_claims");
    let both = folder.run("ltl --claim automata.hoa").stdout;
    assert!(both.starts_with("claim              a, then b at once\n"), "{both}");
    assert!(both.contains("\nclaim              automaton 2 of automata.hoa\n"), "{both}");
    let closed = folder.run("ltl --claim automata.hoa --stutter-closure --format hoa");
    assert_eq!((closed.status, closed.stdout.matches("--END--").count()), (0, 2), "{}", closed.stderr);
    folder.refuse("ltl --claim automata.hoa --negate", "this automaton is not deterministic");
    folder.refuse("ltl --claim automata.hoa --format never", "acceptance is on transitions; use --format hoa");
    folder.refuse("ltl --claim automata.hoa --tgba", "cannot be used with");
    folder.refuse("ltl --claim peterson.pml", "a never claim of Promela is about a model");
    std::fs::write(folder.0.join("rabin.hoa"), "HOA: v1\nStart: 0\nAP: 0\nAcceptance: 2 Fin(0)&Inf(1)\n").unwrap();
    folder.refuse("ltl --claim rabin.hoa", " --> rabin.hoa:4:");
}

#[test]
fn errors_have_a_caret_under_the_place() {
    let folder = Folder::new("ltl_errors");
    refuse(
        &folder,
        "ltl",
        "G(a -> ",
        "
error: this `(` is not closed
 --> <formula>:1:2
  |
1 | G(a ->
  |  ^
  |
  = help: add `)`
",
    );
    let object: Value = serde_json::from_str(&run(&folder, "ltl --json", "a U").stdout).unwrap();
    assert_eq!(object["diagnostics"][0]["column"], 4);
    let large = (0..12).map(|n| format!("(GFa{n} -> GFb{n})")).collect::<Vec<_>>().join(" & ");
    assert!(run(&folder, "ltl", &large).stderr.contains("the formula is too large"));
}

#[test]
fn one_object_for_programs() {
    let folder = Folder::new("ltl_json");
    let ran = run(&folder, "ltl --json", "F a");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    let result = &object["results"][0];
    assert_eq!((&object["format"], &result["formula"], &result["states"]), (&1.into(), &"F a".into(), &2.into()));
    assert_eq!((&result["safety"], &result["stutter_invariant"]), (&false.into(), &true.into()));
    assert_eq!((&result["strength"], &result["acceptance"]), (&"terminal".into(), &"states".into()));
    assert!(result["hoa"].as_str().unwrap().starts_with("HOA: v1\n"), "{result}");
    let ran = run(&folder, "ltl --json --is-stutter-invariant", "X a");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["results"][0]["stutter_invariant"], false);
}

#[test]
fn formulas_about_a_model() {
    let folder = Folder::new("ltl_about_a_model");
    refuse(
        &folder,
        "check named.pml --ltl",
        "G(doen -> F done)",
        "
error: unknown variable `doen`
 --> <formula>:1:3
  |
1 | G(doen -> F done)
  |   ^^^^
  |
  = help: did you mean `done`?
",
    );
    refuse(&folder, "check named.pml --ltl Gdone --ltl", "G(", {
        "
error: this `(` is not closed
 --> <formula>:1:2
  |
1 | G(
  |  ^
  |
  = help: add `)`
"
    });
}
