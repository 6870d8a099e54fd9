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
    assert_eq!((names, ran.status), (vec!["spin", "liveness", "threads", "instructions"], 0));
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
}
