//! Partial order reduction, as a user asks for it.

mod support;

use support::Folder;

fn write(folder: &Folder, name: &str, text: &str) {
    std::fs::write(folder.0.join(name), text).unwrap();
}

#[test]
fn a_reduced_search_says_what_it_preserves() {
    let folder = Folder::new("reduction_static");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/papers/holzmann-peled-leader.pml");
    for flags in
        ["--por static", "--reduce por", "--por static --order dfs --proviso stack", "--por static --order bfs"]
    {
        let ran = folder.run(&format!("check {model} -p safety {flags}"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("explored 69 states, 68 transitions"), "{}", ran.stdout);
        assert!(ran.stdout.contains("no error missed in deadlock, local reachability"), "{}", ran.stdout);
    }
}

#[test]
fn what_a_reduction_does_not_preserve_is_refused() {
    let folder = Folder::new("reduction_refused");
    write(&folder, "toggle.pml", "bit x; active proctype p() { do :: x = 1 - x od } ltl live { []<> x }");
    folder.refuse("check toggle.pml -p live --por static", "static");
    folder.refuse("check toggle.pml -p safety --por static --reduce none", "--por does not go with --reduce none");
    folder.refuse("check toggle.pml -p safety --proviso new", "no partial order reduction is asked for");
    folder.refuse("check toggle.pml -p safety --por static --proviso stack", "use --order dfs, or --proviso new");
    folder.refuse("check toggle.pml -p safety --por static --exec interpret", "the model is interpreted");
    folder.refuse("check toggle.pml -p safety --reduce dead", "no reduction named `dead`");
    folder.refuse("check toggle.pml -p safety --por stubborn", "stubborn");
}

#[test]
fn a_violation_found_with_a_reduction_is_shown_and_replayed() {
    let folder = Folder::new("reduction_trace");
    write(
        &folder,
        "two.pml",
        "byte n; active [2] proctype p() { byte i; do :: i < 3 -> i++ :: else -> break od; n++; assert(n < 2) }",
    );
    for order in ["dfs", "bfs", "blocks"] {
        let ran = folder.run(&format!("check two.pml --por static --order {order} --trace t.trace"));
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        let replayed = folder.run("sim two.pml --replay t.trace");
        assert_eq!(replayed.status, 1, "{}{}", replayed.stdout, replayed.stderr);
    }
}
