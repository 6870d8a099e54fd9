//! Runs of many steps: none of them is held in memory, and what a statement is called is said once.

mod support;

use serde_json::Value;
use support::Folder;

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

#[test]
fn the_steps_of_a_long_run_refer_to_their_statements() {
    let folder = Folder::new("long_json");
    let ran = folder.run("check long.pml --order dfs --json");
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let object = object(&ran.stdout);
    let violation = &object["violations"][0];
    assert_eq!(violation["steps"], 12_003);
    let steps = violation["trace"]["prefix"].as_array().unwrap();
    assert_eq!(steps.len(), 12_003);
    assert_eq!(steps, object["properties"][0]["trace"]["prefix"].as_array().unwrap());
    let statement = |at: usize| &object["statements"][steps[at]["at"].as_u64().unwrap() as usize];
    let expected = serde_json::json!({"process": "p[0]", "pid": 0, "file": "long.pml", "line": 19, "statement": "n++"});
    assert_eq!(statement(1), &expected);
    assert_eq!((&steps[1]["changes"][0]["value"], &steps[1]["statement"]), (&"1".into(), &Value::Null));
    assert_eq!(statement(12_001)["statement"], "x = E6");
    assert_eq!(ran.stdout.matches("\"n++\"").count(), 1);
    assert!(ran.stdout.len() < 2 * 12_003 * 80, "{} bytes", ran.stdout.len());
}

#[test]
fn the_steps_of_a_short_run_say_what_they_are() {
    let folder = Folder::new("short_json");
    let object = object(&folder.run("check long.pml -D N=2 --order dfs --json").stdout);
    let step = &object["violations"][0]["trace"]["prefix"][1];
    assert_eq!((&step["statement"], &step["line"]), (&"n++".into(), &19.into()));
    assert_eq!(object["statements"][step["at"].as_u64().unwrap() as usize]["statement"], "n++");
}

#[test]
fn a_long_trace_is_saved_replayed_and_shown_in_part() {
    let folder = Folder::new("long_trace");
    let ran = folder.run("check long.pml --order dfs");
    assert!(ran.stdout.contains("     …  11,923 steps not shown; the replay shows all\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  12002  :22  x = E6\n"), "{}", ran.stdout);
    let trace = std::fs::read_to_string(folder.0.join("long.trace")).unwrap();
    assert!(trace.contains("\n# p 1: long.pml:19  n++\n"), "{}", &trace[..1_000]);
    assert!(trace.ends_with("\n12002 0 8 -\n12003 0 9 -\n"), "{}", &trace[trace.len() - 100..]);
    assert!(trace.len() < 12_003 * 16, "{} bytes", trace.len());
    let replayed = folder.run("sim long.pml --replay long.trace");
    assert_eq!(replayed.status, 1, "{}", replayed.stderr);
    assert_eq!(replayed.stdout.matches("n++").count(), 6_000);
}

#[test]
fn a_statement_that_macros_make_long_is_shown_as_written() {
    let folder = Folder::new("long_statement");
    let ran = folder.run("check long.pml -D N=2 --order dfs");
    assert!(ran.stdout.contains("x = E6") && !ran.stdout.contains("x + x"), "{}", ran.stdout);
    let trace = std::fs::read_to_string(folder.0.join("long.trace")).unwrap();
    assert!(trace.contains("# p[0] long.pml:22  x = E6\n"), "{trace}");
    // One that is not so long is shown as it is checked.
    let ran = folder.run("sim philosophers-deadlock.pml --seed 1 --steps 30");
    assert!(ran.stdout.contains("taken[((_pid + 1) % 4)]"), "{}", ran.stdout);
}
