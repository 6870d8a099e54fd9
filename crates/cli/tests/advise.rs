//! Which reduction to use.

mod support;

use support::Folder;

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_last_line_of_a_property_is_the_one_to_use() {
    let folder = Folder::new("advise_use");
    for (arguments, status) in
        [("peterson.pml -p safety", 0), ("mutex-wrong.pml -p safety", 1), ("blinker.pml --ltl <>[]on", 1)]
    {
        let ran = folder.run(&format!("advise {arguments}"));
        assert_eq!((ran.status, ran.stderr.as_str()), (status, ""), "{arguments}: {}", ran.stdout);
        let heading = ran.stdout.lines().nth(1).unwrap_or_default();
        assert!(heading.trim_start().starts_with("states  of full"), "{}", ran.stdout);
        let line = ran.stdout.lines().find_map(|line| line.strip_prefix("Use:  ample ")).unwrap_or_default();
        let again = folder.run(&line.replace('\'', ""));
        assert_eq!(again.status, status, "{line}: {}{}", again.stdout, again.stderr);
    }
}

#[test]
fn the_same_for_programs() {
    let folder = Folder::new("advise_json");
    let ran = folder.run("advise peterson.pml --json");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let object = json(&ran.stdout);
    assert_eq!((&object["format"], &object["verdict"]), (&1.into(), &"holds".into()));
    for property in object["properties"].as_array().unwrap() {
        assert_eq!((&property["complete"], &property["agree"]), (&true.into(), &true.into()), "{property}");
        let ways = property["ways"].as_array().unwrap();
        assert!(ways[0]["flags"].as_str().is_some_and(|flags| flags.starts_with("--reduce none")), "{}", ways[0]);
        let best = &ways[property["best"].as_u64().unwrap() as usize];
        assert!(property["command"].as_str().unwrap().ends_with(best["flags"].as_str().unwrap()), "{property}");
        assert!(ways.iter().any(|way| way["refused"].is_string()) && best["states"].is_u64(), "{property}");
    }
}

#[test]
fn what_cannot_be_asked_is_said() {
    let folder = Folder::new("advise_usage");
    let ran = folder.run("advise peterson.pml -p nothing");
    assert!(ran.status == 2 && ran.stderr.contains("no property named `nothing`"), "{}", ran.stderr);
    let ran = folder.run("advise peterson.pml -p safety --fair weak");
    assert!(ran.status == 2 && ran.stderr.contains("no property is about infinite runs"), "{}", ran.stderr);
    let ran = folder.run("advise bad.pml");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    let help = folder.run("advise --help");
    assert!(help.stdout.contains("Examples:\n  ample advise mutex.pml"), "{}", help.stdout);
}
