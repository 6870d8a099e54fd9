//! Formulas that hold because what they ask for never happens.

mod support;

use serde_json::Value;
use support::Folder;

/// What is said of each property of `vacuous.pml` under some options.
fn notes(folder: &Folder, options: &str) -> Vec<(String, Vec<String>)> {
    let ran = folder.run(&format!("check vacuous.pml --json {options}"));
    let object: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let notes = |property: &Value| property["notes"].as_array().unwrap().iter().map(text).collect();
    let properties = object["properties"].as_array().unwrap();
    assert!(properties.iter().all(|property| property["verdict"] == "holds"), "{options}: {}", ran.stdout);
    properties.iter().map(|property| (text(&property["name"]), notes(property))).collect()
}

#[test]
fn an_implication_whose_left_side_is_never_true_is_named() {
    let folder = Folder::new("vacuous");
    folder.check(
        "check vacuous.pml -p answered",
        0,
        "
HOLDS     answered: holds in every run

explored 16 states, 32 transitions, depth 15 in … s with … MB; no reductions
guarantee for answered: no error is missed, because every reachable state was explored
note: `answered` holds vacuously: `NINE` is never true
",
    );
    let expected = [
        ("safety", None),
        ("answered", Some("`answered` holds vacuously: `NINE` is never true")),
        ("bounded", Some("`bounded` holds vacuously: `NINE && y == 1` is never true")),
        ("nested", Some("`nested` holds vacuously: `x == 7` is never true")),
        ("real", None),
        ("early", None),
        ("trivial", None),
    ];
    let expected = expected.map(|(name, note)| (name.to_owned(), note.map(str::to_owned).into_iter().collect()));
    for options in
        ["", "--reduce none --threads 2", "--por stubborn", "--por static", "--emptiness scc -p safety -p answered"]
    {
        let expected = if options.contains("-p ") { &expected[..2] } else { &expected[..] };
        assert_eq!(notes(&folder, options), expected, "{options}");
    }
}

#[test]
fn what_was_not_looked_at_in_full_is_not_called_vacuous() {
    let folder = Folder::new("vacuous_not");
    let noted = |arguments: &str| folder.run(&format!("check vacuous.pml {arguments}")).stdout.contains("vacuously");
    assert!(noted("-p answered"));
    assert!(noted("--ltl [](!(x<8)-><>(y==1))"));
    assert!(!noted("--ltl [](!(x<3)-><>(y==1)) --fair weak"));
    assert!(!noted("-p answered --max-states 3"), "a limit");
    assert!(!noted("-p answered --store bitstate --max-memory 64M"), "a store that may miss states");
    assert!(!noted("-p answered --under visibility"), "an under-approximation");
    assert!(!noted("--ltl [](x==9->y==2)&&<>(x==9)"), "it is violated");
}
