//! Properties of a model that are called like built-in sets.

mod support;

use serde_json::Value;
use support::Folder;

const NOTE: &str = "`safety` is a property of the model; the built-in set of this name is `builtin:safety`";

#[test]
fn a_name_means_the_property_of_the_model() {
    let folder = Folder::new("own_safety");
    folder.check(
        "check own-safety.pml -p safety",
        0,
        &format!(
            "
HOLDS     safety: holds in every run

explored 4 states, 4 transitions, depth 3 in … s with … MB; no reductions
guarantee for safety: no error is missed, because every reachable state was explored
note: {NOTE}
"
        ),
    );
    let ran = folder.run("check own-safety.pml -p progress");
    assert!(ran.stdout.starts_with("VIOLATED  `progress` does not hold on this run"), "{}", ran.stdout);
    assert_eq!(folder.run("sim own-safety.pml --replay own-safety.trace").status, 1);
}

#[test]
fn a_built_in_set_has_a_full_name() {
    let folder = Folder::new("builtin_safety");
    let ran = folder.run("check own-safety.pml -p builtin:safety");
    assert!(ran.stdout.starts_with("VIOLATED  assertion failed: x == 0"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("note:"), "{}", ran.stdout);
    assert_eq!(folder.run("sim own-safety.pml --replay own-safety.trace").status, 1);
    assert_eq!(folder.run("check own-safety.pml -p builtin:progress").status, 0);
    // Where no property has the name, both mean the same and the short one is reported.
    let ran = folder.run("check peterson.pml -p builtin:safety -q");
    assert_eq!(ran.stdout, "HOLDS     safety: no assertion fails, no invalid end state, no run-time error\n");
}

#[test]
fn all_properties_have_different_names() {
    let folder = Folder::new("all_names");
    let ran = folder.run("check own-safety.pml --json");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    let names: Vec<&str> = (0..3).map(|number| object["properties"][number]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["builtin:safety", "safety", "progress"]);
    assert_eq!(object["properties"][1]["notes"], Value::Array(Vec::new()));
    let asked = folder.run("check own-safety.pml -p safety --json").stdout;
    let object: Value = serde_json::from_str(&asked).unwrap();
    assert_eq!(object["properties"][0]["notes"][0], NOTE);
}

#[test]
fn an_audit_asks_for_the_property_of_the_model() {
    let folder = Folder::new("audit_names");
    let ran = folder.run("audit own-safety.pml -p safety -p builtin:safety --max-states 1000");
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let (own, built_in) = ran.stdout.split_once("\nbuiltin:safety\n").unwrap();
    assert!(!own.contains("VIOLATED") && own.contains(&format!("note: {NOTE}\n")), "{own}");
    assert!(built_in.contains("\nVIOLATED") && !built_in.contains("note:"), "{built_in}");
}

#[test]
fn a_name_that_is_none() {
    let folder = Folder::new("no_names");
    folder.refuse("check own-safety.pml -p safty", "no property named `safty`; did you mean `safety`?");
    folder.refuse("check own-safety.pml -p builtin:safty", "did you mean `builtin:safety`?");
    folder.refuse("check own-safety.pml -p zebra", "there is assertions, end-states, builtin:safety, exclusive");
}
