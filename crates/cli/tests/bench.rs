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
    let mut expected = vec!["spin", "liveness", "corpus", "threads", "instructions", "reduction", "reduction-spin"];
    expected.extend([
        "pelanek-3",
        "merged-spin",
        "symmetry",
        "confluence",
        "equivalence",
        "cost",
        "auto",
        "advise",
        "acyclic",
        "beem",
        "beem-reduction",
        "under",
        "brim",
    ]);
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
    folder.refuse("bench brim --models . --repeat 2", "--repeat does not go with the table `brim`: it has no times");
    folder.refuse("bench instructions --models . -r 2", "--repeat does not go with the table `instructions`");
    folder.refuse("bench spin --models . --record", "--record does not go with the table `spin`");
    folder.refuse("bench instructions --models . --record", "instructions.txt of a checkout: start it there");
    folder.refuse("bench reduction-spin --models . --results r.jsonl", "answers.jsonl: ");
    folder.refuse("bench beem --models . --results r.jsonl", "beem-known.csv: ");
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

/// A benchmark set of one small model, of which something wrong is known.
#[test]
fn counts_and_answers_are_held_against_the_known_ones() {
    let folder = Folder::new("bench_beem");
    std::fs::create_dir_all(folder.0.join("beem/two")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.0.join(name), text).unwrap();
    let turn = "state a, b; init a; trans a -> b {}, b -> a {}; }\n";
    write("beem/two/two.1.dve", &format!("process P {{ {turn} process Q {{ {turn} system async;\n"));
    write(
        "beem/two/two.xml",
        "<model><property id=\"1\" prop-type=\"reachability\"><formula>P.b</formula></property>\
         <property id=\"2\" prop-type=\"LTL\"><formula>GF (P.b)</formula></property></model>",
    );
    let header = "instance,beem_states,beem_complete,stat_edges,ltsmin_states,agree,reach_props(id:answer:len),ltl_props(id:answer:len)";
    let known =
        |answer: &str| write("beem-known.csv", &format!("{header}\ntwo.1,4,yes,8,4,yes,1:yes:1,2:{answer}:0\n"));
    let run = |table: &str| folder.run(&format!("bench {table} --models . --results r.jsonl"));
    known("no");
    let ran = run("beem");
    assert!(ran.status == 0 && ran.stdout.contains("2/2"), "{}{}", ran.stdout, ran.stderr);
    let ran = run("under");
    assert!(ran.status == 0 && ran.stdout.contains("two.1 beem:2"), "{}{}", ran.stdout, ran.stderr);
    known("yes");
    let ran = run("beem");
    assert!(ran.status == 3 && ran.stdout.contains("two.1: beem:2: violated, known is `holds`"), "{}", ran.stdout);
}

/// A row of the paper about under-approximations.
#[test]
fn under_approximations_are_measured_beside_the_paper() {
    let folder = Folder::new("bench_brim");
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/brim");
    let ran = folder.run(&format!("bench brim --models {models} --results r.jsonl --json --only rest"));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let ways = &report["rows"][0]["result"]["ways"];
    assert_eq!(ways["full"]["runs"][0]["states"], 16_404, "{ways}");
    assert_eq!(ways["until, under"]["runs"][0]["iterations"].as_array().map(Vec::len), Some(1), "{ways}");
}
