//! `ample bench`, as far as it goes without the other tools.

mod support;

use support::{Folder, Ran};

/// Runs with a search path on which nothing is.
fn run_alone(folder: &Folder, arguments: &str) -> Ran {
    folder.command(arguments).env("PATH", folder.0.join("nothing")).output().unwrap().into()
}

#[test]
fn the_tables_are_listed() {
    let folder = Folder::new("bench_list");
    let ran = folder.run("bench");
    let names: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    let expected = vec!["spin", "liveness", "threads", "instructions", "reduction", "reduction-spin"];
    assert_eq!((names, ran.status), (expected, 0));
}

#[test]
fn without_spin_it_says_how_to_get_it() {
    let folder = Folder::new("bench_without_spin");
    let ran = run_alone(&folder, "bench spin --models . --results r.jsonl");
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("error: `spin` is not installed"), "{}", ran.stderr);
    assert!(ran.stderr.contains("(Debian: apt-get install spin gcc)"), "{}", ran.stderr);
    let ran = run_alone(&folder, "bench instructions --models . --results r.jsonl");
    assert!(ran.stderr.contains("(Debian: apt-get install valgrind)"), "{}", ran.stderr);
    let ran = run_alone(&folder, "bench spin --models . --results r.jsonl --json");
    assert!(ran.status == 2 && ran.stdout.starts_with("{") && ran.stdout.contains("apt-get install"), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_done_is_said_before_anything_runs() {
    let folder = Folder::new("bench_refused");
    folder.refuse("bench spon", "'spin'");
    folder.refuse("bench --fresh", "<TABLE>");
    folder.refuse("bench threads --models nowhere", "there are no models in nowhere");
    folder.refuse("bench threads --models . --results r.jsonl --only chess", "no row is called `chess`; there are: ");
    folder.refuse("bench threads --models . --repeat 0", "0 is not in 1..");
    std::fs::write(folder.0.join("text.md"), "nothing\n").unwrap();
    folder.refuse("bench threads --models . --write=text.md", "text.md: no markers `<!-- bench:threads -->`");
    folder.refuse("bench threads --models . --write", "cannot read docs/benchmarks.md");
    folder.refuse("bench threads --models . --max-states 9", "--max-states does not go with the table `threads`");
    folder.refuse("bench reduction-spin --models . --results r.jsonl", "answers.jsonl: ");
}

/// A corpus of one small model: two processes that have nothing to do with each other.
#[test]
fn reductions_are_measured_beside_spin() {
    let folder = Folder::new("bench_reduction_spin");
    let steps = "x = 0; ".repeat(39) + "x = 0";
    let write = |name: &str, text: String| std::fs::write(folder.0.join(name), text).unwrap();
    write("two.pml", format!("active [2] proctype p() {{ byte x; {steps} }}\n"));
    let full = serde_json::json!({"states": 1723, "errors": 0, "complete": true});
    let reduced = serde_json::json!({"states": 83, "errors": 0});
    write("answers.jsonl", serde_json::json!({"model": "two.pml", "full": full, "por": reduced}).to_string());
    let ran = folder.run("bench reduction-spin --models . --results r.jsonl -r 1");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("two.pml"), "{}", ran.stdout);
    // Once more nothing is measured.
    let ran = folder.run("bench reduction-spin --models . --results r.jsonl -r 1 --json");
    assert!(ran.stderr.contains("two.pml, reduction beside Spin: measured before"), "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let ways = &report["rows"][0]["result"]["ways"];
    assert_eq!((&ways["full"]["runs"][0]["states"], &report["rows"][0]["spin"]["reduced"]), (&1723.into(), &83.into()));
    assert_eq!(ways["static"]["runs"][0]["states"], 83, "{ways}");
    // What reaches a limit is not finished, and no problem.
    let ran = folder.run("bench reduction-spin --models . --results r.jsonl -r 1 --max-states 50");
    assert!(ran.status == 0 && ran.stdout.contains("full: not finished: the limit on states"), "{}", ran.stdout);
}

/// A model of the paper, and one of a corpus that is not there.
#[test]
fn reductions_are_measured_beside_the_paper() {
    let folder = Folder::new("bench_reduction");
    let papers = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/papers");
    let arguments = format!("bench reduction --models {papers} --results r.jsonl -r 1 --json");
    let only = |name: &str| {
        let mut command = folder.command(&format!("{arguments} --only {name}"));
        let ran: Ran = command.env("AMPLE_CORPUS", "nowhere").output().unwrap().into();
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
        serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()
    };
    let report = only("llc-split");
    let ways = &report["rows"][0]["result"]["ways"];
    let states = |way: &str| ways[way]["runs"][0]["states"].as_u64();
    assert_eq!((states("full"), states("static")), (Some(12_359), Some(1_195)), "{ways}");
    let report = only("snoopy");
    assert_eq!(report["notes"], serde_json::json!(["snoopy: left out, since the corpus is not there"]));
}
