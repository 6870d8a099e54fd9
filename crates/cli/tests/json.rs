//! The JSON object: it parses, it is alone, and it has its fields.

mod support;

use serde_json::Value;
use support::Folder;

#[track_caller]
fn object(folder: &Folder, arguments: &str, status: i32) -> Value {
    let ran = folder.run(arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (status, ""));
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", ran.stdout))
}

#[test]
fn a_violation() {
    let folder = Folder::new("json_violation");
    let object = object(&folder, "check mutex-wrong.pml --json", 1);
    let fields: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "atomic_steps",
        "depth",
        "format",
        "guarantee",
        "iterations",
        "model",
        "order",
        "peak_memory_bytes",
        "properties",
        "reason",
        "reductions",
        "seconds",
        "startup_seconds",
        "states",
        "store",
        "store_bytes",
        "relayouts",
        "threads",
        "transitions",
        "verdict",
        "violations",
        "warnings",
    ];
    assert!(expected.iter().all(|field| fields.contains(field)), "{fields:?}");
    assert_eq!(object["format"], 1);
    assert_eq!(object["verdict"], "violated");
    assert_eq!(object["states"], 26);
    // The search stopped there.
    let guarantee = "errors may be missed: the search stopped at the first one; no false error";
    assert_eq!((&object["guarantee"], &object["properties"][0]["guarantee"]), (&guarantee.into(), &guarantee.into()));
    assert_eq!(object["reason"], "assertion failed: inside <= 1");
    let property = &object["properties"][0];
    assert_eq!((&property["name"], &property["kind"]), (&"safety".into(), &"safety".into()));
    assert_eq!(property["trace"]["cycle"], Value::Array(Vec::new()));
    let violation = &object["violations"][0];
    assert_eq!(violation["kind"], "assertion");
    assert_eq!(violation["place"], "mutex-wrong.pml:22");
    assert_eq!(violation["process"], "user[1]");
    assert_eq!(violation["trace_file"], "mutex-wrong.trace");
    assert_eq!(violation["state"]["values"][2], serde_json::json!({"name": "inside", "value": "2"}));
    assert_eq!(violation["state"]["processes"][0]["line"], 22);
    let step = &violation["trace"]["prefix"][2];
    assert_eq!(step["process"], "user[1]");
    assert_eq!(step["pid"], 1);
    assert_eq!(step["file"], "mutex-wrong.pml");
    assert_eq!(step["line"], 20);
    assert_eq!(step["statement"], "busy[_pid] = true");
    assert_eq!(step["changes"][0]["name"], "busy[1]");
    assert_eq!(step["changes"][0]["value"], "true");
}

#[test]
fn what_machine_code_leaves_to_the_interpreter() {
    let folder = Folder::new("json_interpreted");
    let wrong = object(&folder, "check mutex-wrong.pml --json --keep-going", 1);
    let interpreted = wrong["interpreted"].as_array().unwrap();
    assert_eq!((interpreted.len(), &interpreted[0]["reason"]), (1, &"a move goes wrong".into()));
    assert_eq!(interpreted[0]["place"], "mutex-wrong.pml:22");
    assert_eq!(wrong["interpreted_states"], 3);
    let right = object(&folder, "check unused.pml --json", 0);
    assert_eq!((&right["interpreted_states"], &right["interpreted"]), (&0.into(), &Value::Null));
    let interpreter = object(&folder, "check unused.pml --json --exec interpret", 0);
    assert_eq!(interpreter["interpreted_states"], 0, "there is no machine code that leaves anything");
    let many = object(&folder, "check many-ways.pml --json", 0);
    let reason = "very many ways lead through an atomic sequence";
    assert_eq!(many["interpreted"][0]["reason"], reason);
}

#[test]
fn what_holds_and_what_is_unknown() {
    let folder = Folder::new("json_holds");
    let holds = object(&folder, "check unused.pml --json --coverage", 0);
    assert_eq!((&holds["verdict"], &holds["reason"]), (&"holds".into(), &Value::Null));
    assert_eq!(holds["violations"], Value::Array(Vec::new()));
    assert_eq!(holds["coverage"]["unreached"][2]["statement"], "x > 5");
    let named = object(&folder, "check named.pml --json", 0);
    assert_eq!((&named["properties"][1]["kind"], &named["properties"][1]["verdict"]), (&"ltl".into(), &"holds".into()));
    let limit = object(&folder, "check counter.pml --max-depth 9 --json", 3);
    assert_eq!(limit["reason"], "the depth limit was reached (9 transitions)");
}

#[test]
fn rendezvous_output_and_creation() {
    let folder = Folder::new("json_steps");
    let object = object(&folder, "check talk.pml -D N=1 --json", 1);
    let steps = &object["violations"][0]["trace"]["prefix"];
    assert_eq!(steps[0]["created"][0], "worker[1]");
    assert_eq!(steps[4]["printed"], "hello 5\n");
    assert_eq!(steps[5]["partner"]["process"], "reader[2]");
    assert_eq!(steps[11]["ended"], true);
}

#[test]
fn errors_are_objects_too() {
    let folder = Folder::new("json_errors");
    let model = object(&folder, "check bad.pml --json", 2);
    assert_eq!(model["format"], 1);
    assert_eq!(model["diagnostics"][1]["line"], 2);
    assert_eq!(model["diagnostics"][1]["column"], 34);
    assert_eq!(object(&folder, "check nowhere.pml --json", 2)["diagnostics"][0]["line"], Value::Null);
    assert_eq!(object(&folder, "check bad.pml --over x --json", 2)["error"], "`--over` is not built yet");
    assert_eq!(object(&folder, "check --json", 2)["diagnostics"], Value::Array(Vec::new()));
    let name = object(&folder, "check peterson.pml --json -p nothing", 2);
    assert!(name["error"].as_str().unwrap().starts_with("no property named `nothing`"), "{name}");
}

#[test]
fn how_the_search_was_made() {
    let folder = Folder::new("json_run");
    let plain = object(&folder, "check peterson.pml -p safety --json --threads 3", 0);
    assert_eq!((&plain["order"], &plain["store"]), (&"blocks".into(), &"collapse".into()));
    assert_eq!(plain["threads"], 3);
    assert!(plain["store_bytes"].as_u64().unwrap() > 0, "{plain}");
    assert!(plain.get("omission_probability").is_none_or(Value::is_null), "{plain}");
    let compact = object(&folder, "check peterson.pml -p safety --json --store compact --order dfs", 3);
    assert_eq!((&compact["order"], &compact["store"]), (&"dfs".into(), &"compact".into()));
    assert_eq!(compact["threads"], 1);
    assert!(compact["omission_probability"].as_f64().unwrap() < 1e-6, "{compact}");
}

/// The names of all fields, but for those that are names in the model.
fn fields(value: &Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| fields(element, found)),
        Value::Object(object) => {
            found.extend(object.keys().cloned());
            object.iter().filter(|(name, _)| *name != "depends_on").for_each(|(_, value)| fields(value, found));
        }
        _ => {}
    }
}

#[test]
fn every_field_and_every_kind_is_in_the_document() {
    let folder = Folder::new("json_document");
    let page =
        |name: &str| std::fs::read_to_string(format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let document = page("json.md") + &page("ltl.md");
    let mut found = std::collections::BTreeSet::new();
    for (arguments, status) in [
        ("check mutex-wrong.pml --json", 1),
        ("check unused.pml --json --coverage", 0),
        ("check talk.pml -D N=1 --json", 1),
        ("check readers-writers.pml -p writer_enters --json", 1),
        ("check peterson.pml -p safety --json --store compact --threads 2", 3),
        ("check peterson.pml -p mutex --under interleaving --json", 0),
        ("check bad.pml --json", 2),
        ("audit mutex-wrong.pml --max-states 1 --json", 3),
        ("compare peterson.pml mutex-wrong.pml --json", 1),
        ("inspect pipeline.pml --json", 0),
        ("ltl F(a) --json", 0),
    ] {
        fields(&object(&folder, arguments, status), &mut found);
    }
    let undocumented: Vec<String> = found.into_iter().filter(|name| !document.contains(&format!("`{name}`"))).collect();
    assert!(undocumented.is_empty(), "{undocumented:?}");
}

#[test]
fn merged_ways_through_atomic_are_counted() {
    let folder = Folder::new("json_merged");
    let object = object(&folder, "check many-ways.pml --json", 0);
    assert_eq!(
        (&object["merged_states"], &object["properties"][0]["merged_states"]),
        (&Value::from(1), &Value::from(1))
    );
}
