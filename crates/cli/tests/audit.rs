//! Asking the same question in every way.

mod support;

use support::Folder;

/// More than any of the models has: with a limit on states, time has none, and every plan is asked.
const ENOUGH: &str = "--max-states 1000";

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn all_plans_agree() {
    let folder = Folder::new("audit_agree");
    for (arguments, status, last) in [
        ("peterson.pml -p safety", 0, "plans agree: holds\n"),
        ("mutex-wrong.pml -p safety", 1, "plans agree: violated\n"),
        ("named.pml -p finishes", 0, "plans agree: holds\n"),
        ("blinker.pml --ltl <>[]on -p end-states", 1, "plans agree: violated\n"),
    ] {
        let ran = folder.run(&format!("audit {arguments} {ENOUGH}"));
        assert_eq!(ran.status, status, "{arguments}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.ends_with(last), "{arguments}: {}", ran.stdout);
        assert!(ran.stdout.contains("plans    agree  refused  cut off  skipped\n"), "{}", ran.stdout);
        assert!(ran.stdout.contains("reference: interpret, all transitions, "), "{}", ran.stdout);
    }
}

#[test]
fn each_way_can_be_listed() {
    let folder = Folder::new("audit_verbose");
    let ran = folder.run(&format!("audit named.pml -p safety --verbose {ENOUGH}"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let reference =
        "agrees   --exec interpret --reduce none --order dfs --store exact --threads 1 (interpret): holds, ";
    assert!(ran.stdout.contains(reference), "{}", ran.stdout);
    assert!(ran.stdout.contains("  refused  --exec "), "{}", ran.stdout);
    // Nothing is begun with less than ten milliseconds.
    let brief = folder.run("audit named.pml -p safety --verbose --budget 1ms");
    assert!(brief.stdout.contains("  skipped  --exec "), "{}", brief.stdout);
}

#[test]
fn the_same_for_programs() {
    let folder = Folder::new("audit_json");
    let ran = folder.run(&format!("audit named.pml -p safety --json --seed 7 {ENOUGH}"));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let object = json(&ran.stdout);
    assert_eq!((&object["verdict"], &object["agree"], &object["seed"]), (&"holds".into(), &true.into(), &7.into()));
    let property = &object["properties"][0];
    let plans = property["plans"].as_array().unwrap();
    assert_eq!(plans[property["reference"].as_u64().unwrap() as usize]["states"], 3);
    let standings = ["agree", "refused", "cut_off", "skipped"].map(|name| property[name].as_u64().unwrap());
    assert_eq!(standings.iter().sum::<u64>(), plans.len() as u64);
    assert!(standings[0] > 10, "{standings:?}");
    assert_eq!(property["differences"].as_array().unwrap().len(), 0);
    assert!(!property["reductions"].as_array().unwrap().is_empty());
}

#[test]
fn what_does_not_fit_the_budget_is_said() {
    let folder = Folder::new("audit_budget");
    let ran = folder.run("audit counters.pml -p safety --max-states 10");
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("the full search by the interpreter is not complete"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nUNKNOWN   no search came to an answer within the budget\n"), "{}", ran.stdout);
}

#[test]
fn fairness_is_for_endless_runs() {
    let folder = Folder::new("audit_fair");
    folder.refuse("audit peterson.pml -p safety --fair weak", "no property is about infinite runs");
    let ran = folder.run(&format!("audit peterson.pml -p served --fair weak {ENOUGH}"));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    folder.refuse("audit peterson.pml -p nobody", "no property named `nobody`");
    folder.refuse("audit bad.pml", "bad.pml:2");
}

#[test]
fn one_answer_is_no_agreement() {
    let folder = Folder::new("audit_alone");
    // Too little for anything but the search that all others would be compared with, which may come
    // to an end or not.
    let ran = folder.run("audit peterson.pml -p safety --budget 1ms");
    let says = |words: &str| ran.stdout.ends_with(&format!("{words}\n"));
    let is_alone = says("UNKNOWN   no error found, but by one plan only, and there was nothing to compare with it");
    let has_none = says("UNKNOWN   no search came to an answer within the budget");
    assert!(is_alone || has_none, "{}", ran.stdout);
    assert_eq!(ran.status, 3);
}
