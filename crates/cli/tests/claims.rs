//! Claims in files of their own: `ample check MODEL --claim FILE`.

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::Folder;

/// The model that the claims of this file are about.
const MODEL: &str = "
bool a, b;
byte x, list[3];
#define both (a && b)
proctype worker() { here: b = true }
active proctype p() { a = true; run worker(); do :: x = 1 - x od }
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("claims_{test}"));
    write(&folder, "m.pml", MODEL);
    folder
}

fn write(folder: &Folder, name: &str, text: &str) {
    fs::write(folder.0.join(name), text).unwrap();
}

/// An automaton with one state for each of `states`.
fn hoa(propositions: &str, acceptance: &str, states: &[&str]) -> String {
    let body: String = states.iter().enumerate().map(|(number, edges)| format!("State: {number}\n{edges}\n")).collect();
    format!("HOA: v1\nStart: 0\nAP: {propositions}\nAcceptance: {acceptance}\n--BODY--\n{body}--END--\n")
}

/// Checks a claim with this text; gives the verdict.
#[track_caller]
fn verdict(folder: &Folder, file: &str, text: &str) -> String {
    write(folder, file, text);
    let ran = folder.run(&format!("check m.pml --claim {file} --json"));
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    let property = &object["properties"][0];
    assert_eq!(property["kind"], if file.ends_with(".ltl") { "ltl" } else { "claim" }, "{object}");
    property["verdict"].as_str().unwrap().to_owned()
}

/// Refuses a claim with this text.
#[track_caller]
fn refuse(folder: &Folder, file: &str, text: &str, words: &str) {
    write(folder, file, text);
    folder.refuse(&format!("check m.pml --claim {file}"), words);
}

#[test]
fn automata_of_every_kind() {
    let folder = folder("automata");
    // Again and again `x`, and again and again not: on transitions, with two marks.
    let generalised = hoa("1 \"x\"", "2 Inf(0)&Inf(1)", &["[0] 0 {0}\n[!0] 0 {1}"]);
    assert_eq!(verdict(&folder, "generalised.hoa", &generalised), "violated");
    let states = hoa("1 \"x\"", "1 Inf(0)", &["[t] 0\n[0] 1", "[0] 1"]).replace("State: 1", "State: 1 {0}");
    assert_eq!(verdict(&folder, "states.hoa", &states), "holds", "x does not stay");
    let monitor = hoa("1 \"x > 1\"", "0 t", &["[!0] 0"]);
    assert_eq!(verdict(&folder, "monitor.hoa", &monitor), "violated", "every run stays below");
    let macros = hoa("2 \"both && list[x] == 0\" \"worker@here\"", "1 Inf(0)", &["[t] 0\n[0] 1", "[t] 1"]);
    let macros = macros.replace("State: 1", "State: 1 {0}");
    assert_eq!(verdict(&folder, "macros.hoa", &macros), "violated");
    let escaped = hoa("1 \"x == \\2\"", "1 Inf(0)", &["[t] 0\n[0] 1", "[t] 1"]).replace("State: 1", "State: 1 {0}");
    assert_eq!(verdict(&folder, "escaped.hoa", &escaped), "holds");
}

#[test]
fn never_claims_as_tools_write_them() {
    let folder = folder("tools");
    let spin = "
never  {    /* <>both */
T0_init:
\tdo
\t:: atomic { ((both)) -> assert(!((both))) }
\t:: (1) -> goto T0_init
\tod;
accept_all:
\tskip
}
";
    assert_eq!(verdict(&folder, "spin.never", spin), "violated");
    let spin_often = "
#define p (x == 1)
never  {    /* []<>p */
T0_init:
\tdo
\t:: ((p)) -> goto accept_S9
\t:: (1) -> goto T0_init
\tod;
accept_S9:
\tdo
\t:: (1) -> goto T0_init
\tod;
}
";
    assert_eq!(verdict(&folder, "often.pml", spin_often), "violated");
    let ltl2ba = "
never { /* F c */
T0_init :    /* init */
\tif
\t:: (1) -> goto T0_init
\t:: (x == 2) -> goto accept_all
\tfi;
accept_all :    /* 1 */
\tskip
}
";
    assert_eq!(verdict(&folder, "ltl2ba.txt", ltl2ba), "holds");
    let spot = "
never { /* FGa */
T0_init:
  if
  :: (true) -> goto T0_init
  :: ((a)) -> goto accept_S1
  fi;
accept_S1:
  if
  :: ((a)) -> goto accept_S1
  fi;
}
";
    assert_eq!(verdict(&folder, "spot.never", spot), "violated");
    let by_hand = "never missing { do :: !worker@here :: else -> break od; x > 1 }";
    assert_eq!(verdict(&folder, "by-hand.never", by_hand), "holds", "it never comes to its end");
}

#[test]
fn a_formula_says_what_must_hold() {
    let folder = folder("formula");
    assert_eq!(verdict(&folder, "f.ltl", "# It is small.\n\nG(x < 2)\n"), "holds");
    assert_eq!(verdict(&folder, "f.ltl", "G !both"), "violated");
    refuse(&folder, "f.ltl", "# It comes.\n  G F bth\n", " --> f.ltl:2:7\n  |\n2 |   G F bth\n  |       ^^^\n");
    refuse(&folder, "f.ltl", "G a\nG b\n", "there are 2 formulas in f.ltl");
    refuse(&folder, "f.ltl", "# none\n", "there are 0 formulas in f.ltl");
}

#[test]
fn what_cannot_be_read_is_said_with_its_place() {
    let folder = folder("bad");
    folder.refuse("check m.pml --claim nowhere.hoa", "cannot read nowhere.hoa");
    let unknown = hoa("2 \"a\" \"bth && x\"", "1 Inf(0)", &["[t] 0 {0}"]);
    refuse(
        &folder,
        "unknown.hoa",
        &unknown,
        "error: unknown variable `bth`
 --> unknown.hoa:3:12
  |
3 | AP: 2 \"a\" \"bth && x\"
  |            ^^^
  |
  = help: did you mean `both`?
",
    );
    let rabin = hoa("1 \"a\"", "2 Fin(0)&Inf(1)", &["[t] 0 {0}"]);
    refuse(&folder, "rabin.hoa", &rabin, " --> rabin.hoa:4:15");
    refuse(&folder, "rabin.hoa", &rabin, "acceptance with `Fin` is not supported");
    let one = hoa("1 \"a\"", "1 Inf(0)", &["[t] 0 {0}"]);
    refuse(&folder, "two.hoa", &format!("{one}{one}"), "there are 2 automata in two.hoa, and a claim is one");
    refuse(&folder, "none.hoa", "", "expected an automaton in HOA format");
    refuse(&folder, "ending.never", &one, "give the file the ending .hoa");
    let creates = hoa("1 \"run worker()\"", "1 Inf(0)", &["[0] 0 {0}"]);
    refuse(&folder, "creates.hoa", &creates, "a formula cannot create a process");
    let assigns = hoa("1 \"x = 3\"", "1 Inf(0)", &["[0] 0 {0}"]);
    refuse(&folder, "assigns.hoa", &assigns, "a proposition cannot assign to a variable");
}

#[test]
fn bad_never_claims() {
    let folder = folder("bad_never");
    let refuse = |text: &str, words: &str| refuse(&folder, "c.never", text, words);
    refuse("never { do :: bth od }", "error: unknown variable `bth`\n --> c.never:1:15\n");
    refuse("never { do :: x = 3 od }", "error: a claim only watches: `x = 3` is not a condition\n --> c.never:1:15\n");
    refuse("never { do :: run worker() od }", "a claim only watches: `run worker()` is not a condition");
    refuse("never { byte y; do :: a od }", "a never claim cannot have variables of its own");
    refuse("never { do :: timeout od }", "`timeout` and `enabled` are not supported in a property");
    refuse("never { do :: worker@there od }", "there");
    refuse("", "there is no never claim in c.never");
    refuse("never one { skip } never two { skip }", "there are 2 never claims in c.never");
    refuse("byte y; never { do :: y od }", "a file with a claim has a never claim and macros, nothing else");
    refuse("ltl l { [] a }", "give a formula with --ltl, or in a file with the ending .ltl");
    refuse("never { do :: a", "error: ");
}

#[test]
fn names_of_properties() {
    let folder = folder("names");
    let always = hoa("1 \"a\"", "1 Inf(0)", &["[t] 0 {0}"]);
    write(&folder, "progress.hoa", &always);
    let name = |arguments: &str| -> Vec<String> {
        let object: Value = serde_json::from_str(&folder.run(arguments).stdout).unwrap();
        let properties = object["properties"].as_array().unwrap();
        properties.iter().map(|property| property["name"].as_str().unwrap().to_owned()).collect()
    };
    // A claim is no built-in set, whatever its file is called.
    assert_eq!(name("check m.pml --claim progress.hoa --json"), ["progress.hoa"]);
    write(&folder, "formula.hoa", &always);
    assert_eq!(name("check m.pml --claim formula.hoa --ltl Ga -p safety --json"), ["safety", "formula", "formula_2"]);
}

#[test]
fn a_trace_is_replayed_with_its_claim() {
    let folder = folder("replay");
    write(&folder, "c.never", "never { accept: do :: !both || x < 2 od }");
    folder.check(
        "check m.pml --claim c.never",
        1,
        "
VIOLATED  `c` forbids this run      c.never:1

  step  p[0]              changed
     1  :6  a = true      a = true
     2  :6  run worker()  starts worker[1]
     ⟳  from here on, over and over:
     3  :6  x = 1 - x     x = 1
     4  :6  x = 1 - x     x = 0

explored 6 states, 8 transitions, depth 5 in … s with … MB; no reductions
replay: ample sim m.pml --replay m.trace --claim c.never
",
    );
    let replayed = folder.run("sim m.pml --replay m.trace --claim c.never");
    assert!(replayed.stdout.starts_with("VIOLATED  `c` forbids this run      c.never:1\n"), "{}", replayed.stderr);
    folder
        .refuse("sim m.pml --replay m.trace", "the trace was made with a claim: give it again with `--claim c.never`");
    write(&folder, "d.never", "never { accept: do :: both od }");
    folder.refuse("sim m.pml --replay m.trace --claim d.never", "`d.never` is not what `c.never` was");
    folder.refuse("sim m.pml --claim c.never", "--replay");
    assert_eq!(folder.run("check m.pml -p progress").status, 1);
    folder.refuse("sim m.pml --replay m.trace --claim c.never", "the trace was made without a claim");
}

/// Holzmann and Kupferman, section 5: one claim that is not closed under stuttering, three
/// programs, three answers.
#[test]
fn a_claim_that_is_not_closed_under_stuttering() {
    let folder = Folder::new("claims_closure");
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/papers");
    for name in ["flash.hoa", "1.pml", "2.pml", "3.pml"] {
        fs::copy(papers.join(format!("holzmann-kupferman-{name}")), folder.0.join(name)).unwrap();
    }
    folder.check(
        "check 1.pml --claim flash.hoa --quiet",
        0,
        "HOLDS     flash: no run is forbidden, and none differs only in repeated states from one that is\n",
    );
    folder.check("check 2.pml --claim flash.hoa --quiet", 1, "VIOLATED  `flash` forbids this run      flash.hoa:1\n");
    folder.check(
        "check 3.pml --claim flash.hoa",
        3,
        "
UNKNOWN   this run is not forbidden, but one that differs only in repeated states is: the claim is not closed under stuttering
          flash.hoa:1

  step  lamp[0]          changed
     1  :25  on = true   on = true
     2  :26  skip
     3  :27  on = false  on = false
     4  :25  on = true   on = true
     5  :26  skip
     ⟳  from here on, over and over:
     6  :27  on = false  on = false
     7  :25  on = true   on = true
     8  :26  skip

explored 7 states, 7 transitions, depth 4 in … s with … MB; reductions: merge
guarantee for flash: none, because the search stopped at this run
to settle it, check the claim as it stands with --reduce none, or close it with `ample ltl --stutter-closure`
",
    );
    assert!(!folder.0.join("3.trace").exists(), "no property is violated");
    // As it stands, the claim has an answer for each.
    for (program, status) in [("1.pml", 0), ("2.pml", 1), ("3.pml", 0)] {
        assert_eq!(folder.run(&format!("check {program} --claim flash.hoa --reduce none")).status, status, "{program}");
    }
    let ran = folder.run("check 3.pml --claim flash.hoa -p safety --json");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.status, &object["verdict"]), (3, &"unknown".into()));
    let reason = object["reason"].as_str().unwrap();
    assert!(
        reason.contains("not closed under stuttering; check the claim as it stands with --reduce none"),
        "{reason}"
    );
    let property = &object["properties"][1];
    assert_eq!(property["candidate"]["cycle"].as_array().unwrap().len(), 3, "{property}");
    assert_eq!((&property["trace"], &object["violations"]), (&Value::Null, &Value::Array(Vec::new())));
    let table = folder.run("check 3.pml --claim flash.hoa -p safety").stdout;
    assert!(table.contains("UNKNOWN   1 of 2 properties not settled\n"), "{table}");
    // The closed claim, as our own tool makes it, settles it.
    let closed = folder.run("ltl --claim flash.hoa --stutter-closure --format hoa").stdout;
    write(&folder, "closed.hoa", &closed);
    assert_eq!(folder.run("check 3.pml --claim closed.hoa").status, 1);
}

/// As in Spin 6.5.2: all statements of an `atomic` sequence of a claim read the same state.
#[test]
fn an_atomic_sequence_of_a_claim_reads_one_state() {
    let folder = Folder::new("claims_atomic");
    let claim = |second: &str| format!("never {{ do :: atomic {{ x == 1 -> {second} }} :: true od }}\n");
    let model = "byte x; active proctype p() { x = 1; x = 2; x = 0 }\n";
    let sequences =
        [("assert(x != 1)", 1), ("assert(x != 2)", 0), ("x == 1 -> assert(x != 1)", 1), ("x == 2 -> assert(false)", 0)];
    for (second, status) in sequences {
        write(&folder, "atomic.pml", &format!("{model}{}", claim(second)));
        assert_eq!(folder.run("check atomic.pml -p never").status, status, "{second}");
    }
}

/// As in Spin 6.5.2: a claim that cannot move matches nothing, one that is at its end has matched.
/// The first claim is what `spin -f` writes for a formula that nothing satisfies, `p && !p`.
#[test]
fn a_claim_whose_options_are_all_false_matches_nothing() {
    let folder = Folder::new("claims_stuck");
    let model = "byte x; active proctype p() { x = 1 }\n";
    let claims = [
        ("accept_init: T0_init: do :: atomic { (false) -> assert(!(false)) } od; accept_all: skip", 0),
        ("accept_init: T0_init: do :: atomic { (1) -> assert(!(1)) } od; accept_all: skip", 1),
        ("do :: false od", 0),
        ("if :: false fi", 0),
        ("false", 0),
        ("x == 0; if :: false :: false fi", 0),
        ("x == 0; do :: false od; skip", 0),
        ("accept: do :: false od", 0),
        ("do :: true od", 0),
        ("x == 1", 0),
        ("skip", 1),
        ("x == 0", 1),
        ("do :: break od", 1),
        ("do :: false :: break od", 1),
        ("if :: false :: else fi", 1),
        ("accept: do :: true od", 1),
    ];
    for (claim, status) in claims {
        write(&folder, "inside.pml", &format!("{model}never {{ {claim} }}\n"));
        assert_eq!(folder.run("check inside.pml -p never").status, status, "{claim}");
        write(&folder, "outside.pml", model);
        write(&folder, "it.never", &format!("never {{ {claim} }}\n"));
        assert_eq!(folder.run("check outside.pml --claim it.never --reduce none").status, status, "{claim}");
    }
}

/// A claim inside the model is checked as it stands, as Spin does it.
#[test]
fn a_never_claim_of_the_model_is_checked_as_it_stands() {
    let folder = Folder::new("claims_inside");
    let flash = "never { do :: true :: !on -> break od; on; !on }";
    let model = "bool on; active proctype lamp() { do :: on = true; skip; on = false od }";
    write(&folder, "inside.pml", &format!("{model}\n{flash}\n"));
    assert_eq!(folder.run("check inside.pml -p never").status, 0);
    write(&folder, "outside.pml", model);
    write(&folder, "flash.never", flash);
    assert_eq!(folder.run("check outside.pml --claim flash.never").status, 3);
    assert_eq!(folder.run("check outside.pml --claim flash.never --reduce none").status, 0);
}
