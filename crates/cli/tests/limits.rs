//! Limits are kept by everything, not only by the search.

mod support;

use std::fmt::Write;
use std::fs;

use support::Folder;

/// A process of very many statements, one after the other.
fn long_process(folder: &Folder, statements: usize) {
    let mut text = "int x;\nactive proctype P() {\n".to_owned();
    for number in 0..statements {
        let _ = writeln!(text, "  x = (x + {number}) % 1000;");
    }
    fs::write(folder.0.join("long.pml"), text + "  assert(x < 1000)\n}\n").unwrap();
}

#[test]
fn a_process_of_very_many_statements_is_not_compiled_before_that_pays() {
    let folder = Folder::new("long-process");
    long_process(&folder, 12_000);
    let ran = folder.run("check long.pml -p assertions --json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("\"execution\":\"interpret\""), "{}", ran.stdout);
    assert!(ran.stdout.contains("it was over before it paid to compile so large a model"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\"states\":12003"), "{}", ran.stdout);
}

#[test]
fn time_that_is_over_before_the_search_begins_is_over() {
    let folder = Folder::new("no-time-left");
    long_process(&folder, 12_000);
    for exec in ["auto", "jit", "interpret"] {
        let ran = folder.run(&format!("check long.pml -p assertions --max-time 0.000001ms --exec {exec}"));
        ran.stopped("raise --max-time", "the time limit was reached");
    }
}
