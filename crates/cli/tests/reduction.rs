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
    for flags in ["--por static", "", "--por static --order dfs --proviso stack", "--por static --order bfs"] {
        let ran = folder.run(&format!("check {model} -p safety --reduce por {flags}"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("explored 69 states, 68 transitions"), "{}", ran.stdout);
        assert!(ran.stdout.contains("no error is missed, because what the reductions left out"), "{}", ran.stdout);
    }
}

#[test]
fn a_guarantee_says_for_which_property_and_why_in_plain_words() {
    let folder = Folder::new("reduction_words");
    write(&folder, "two.pml", "byte x, y; active proctype p() { x = 1; x = 2 } active proctype q() { y = 1; y = 2 }");
    for (flags, guarantee) in [
        ("--reduce none", "no error is missed, because every reachable state was explored"),
        (
            "--por stubborn",
            "no error is missed, because what the reductions left out makes no difference to the answer",
        ),
        ("--max-states 2", "errors may be missed, because the limit on states was reached"),
        // Whether every reachable state was explored is not known then.
        ("--store bitstate", "an error is missed with a small probability: of each state only a few bits were kept"),
    ] {
        let ran = folder.run(&format!("check two.pml -p safety {flags}"));
        let line = ran.stdout.lines().find(|line| line.starts_with("guarantee"));
        assert_eq!(line, Some(format!("guarantee for safety: {guarantee}").as_str()), "{flags}: {}", ran.stdout);
    }
}

#[test]
fn what_a_reduction_does_not_preserve_is_refused() {
    let folder = Folder::new("reduction_refused");
    write(&folder, "toggle.pml", "bit x; active proctype p() { do :: x = 1 - x od } ltl live { []<> x }");
    folder.refuse("check toggle.pml --ltl X(x) --por static", "static");
    folder.refuse("check toggle.pml -p live --por static --proviso new", "new");
    folder.refuse("check toggle.pml -p live --por static --proviso open", "open");
    folder.refuse("check toggle.pml -p safety --por static --reduce none", "--por does not go with --reduce none");
    folder.refuse("check toggle.pml -p safety --proviso new", "no partial order reduction is asked for");
    folder.refuse("check toggle.pml -p safety --por static --proviso stack", "use --order dfs, or --proviso open");
    folder.refuse("check toggle.pml -p safety --por static --exec interpret", "the processes are not known");
    folder.refuse("check toggle.pml -p safety --reduce glue", "no reduction named `glue`");
    folder.refuse("check toggle.pml -p safety --por persistent", "persistent");
}

/// `B` creates a process that no observed run shows, and `A` goes round by itself: if it may do so
/// for ever, nobody sees that `W` was not expected, and that `A` is stuck when `W` has moved.
#[test]
fn without_a_cycle_condition_a_wrong_guess_goes_unnoticed() {
    let folder = Folder::new("reduction_guess");
    write(
        &folder,
        "late.pml",
        "byte x; short i; proctype W() { x = 1 }
         active proctype A() { do :: x == 0 -> skip od }
         active proctype B() { do :: i < 1200 -> i++ :: i < 1200 -> i = i + 2 :: i >= 1200 -> break od; run W() }
         active proctype C() { do :: i < 1200 && i > 4 -> i = i - 1 :: i >= 1200 -> break od }",
    );
    assert!(folder.run("inspect late.pml").stdout.contains("guessed"));
    for por in ["static", "ample", "stubborn", "deletion", "confluent"] {
        for more in ["", "--reduce sleep", "--under visibility", "--order dfs", "--threads 2"] {
            let command = format!("check late.pml -p end-states --por {por} {more}");
            folder.refuse(&format!("{command} --proviso none"), "the processes of this model are guessed");
        }
        for flags in [
            "--proviso open",
            "--proviso new",
            "--proviso closed",
            "--proviso sticky",
            "--proviso stack --order dfs",
            "--reduce sleep",
            "--under visibility",
        ] {
            let ran = folder.run(&format!("check late.pml -p end-states --por {por} {flags}"));
            assert_eq!(ran.status, 1, "{por} {flags}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stdout.contains("invalid end state"), "{por} {flags}: {}", ran.stdout);
        }
    }
}

#[test]
fn sleep_sets_save_transitions_and_not_states() {
    let folder = Folder::new("reduction_sleep");
    let count = "byte i; do :: i < 3 -> i++ :: else -> break od";
    write(&folder, "two.pml", &format!("byte n; active [2] proctype p() {{ {count}; n++; assert(n < 2) }}"));
    let explored = |flags: &str| {
        let ran = folder.run(&format!("check two.pml -p safety --keep-going {flags}"));
        assert_eq!(ran.status, 1, "{flags}: {}{}", ran.stdout, ran.stderr);
        let line = ran.stdout.lines().find(|line| line.starts_with("explored")).unwrap_or_default().to_owned();
        let numbers: Vec<u64> = line.replace(',', "").split(' ').filter_map(|word| word.parse().ok()).collect();
        (numbers[0], numbers[1], ran.stdout)
    };
    let (states, transitions, _) = explored("--reduce none");
    for flags in ["--reduce sleep", "--reduce sleep --threads 1", "--reduce sleep --order dfs --store exact"] {
        let (same, fewer, stdout) = explored(flags);
        assert!(same == states && fewer < transitions, "{flags}: {stdout}");
        assert!(stdout.contains("reductions: sleep"), "{stdout}");
    }
    for (flags, reductions) in [
        ("--reduce por,sleep", "reductions: static (cycle condition stack), sleep"),
        ("--reduce sleep --por ample --proviso new", "reductions: ample (cycle condition new), sleep"),
        ("--reduce sleep,por --por stubborn", "reductions: stubborn (cycle condition stack), sleep"),
    ] {
        let (fewer, _, stdout) = explored(flags);
        assert!(fewer < states && stdout.contains(reductions), "{flags}: {stdout}");
    }
}

#[test]
fn sleep_sets_are_refused_where_they_do_not_apply() {
    let folder = Folder::new("reduction_sleep_refused");
    write(
        &folder,
        "toggle.pml",
        "bit x; active proctype p() { do :: x = 1 - x od } ltl live { []<> x } ltl not { [] !x }",
    );
    for list in ["sleep", "por,sleep"] {
        let refuse = |flags: &str, why: &str| folder.refuse(&format!("check toggle.pml --reduce {list} {flags}"), why);
        refuse("-p safety --order bfs", "--reduce sleep does not go with --order bfs");
        refuse("-p safety --order blocks", "use --order dfs");
        refuse("-p safety --threads 2", "--reduce sleep does not go with --threads 2");
        refuse("-p safety --order dfs --threads 8", "--reduce sleep does not go with --threads 8");
        refuse("-p safety --max-depth 9", "--reduce sleep does not go with --max-depth");
        refuse("-p safety --exec interpret", "the processes are not known");
        refuse("-p live", "`sleep` cannot be used to check `live`");
        refuse("-p not", "`sleep` cannot be used to check `not`");
    }
    folder.refuse("check toggle.pml -p safety --reduce sleep --proviso new", "no partial order reduction is asked for");
}

#[test]
fn a_formula_is_checked_with_every_reduction() {
    let folder = Folder::new("reduction_formula");
    let text = "bit x, y; active proctype p() { do :: x = 1 - x od } active proctype q() { do :: y = 1 - y od } \
                ltl live { []<> x } ltl dead { <>[] x } ltl twice { []<> (x && <> !x) }";
    write(&folder, "toggle.pml", text);
    for por in ["static", "ample", "stubborn"] {
        for flags in ["", "--proviso sticky", "--proviso stack", "--proviso closed", "--threads 2", "--fair weak"] {
            for (name, plain) in [("live", 1), ("dead", 1), ("twice", 1)] {
                let expected = if flags == "--fair weak" && name != "dead" { 0 } else { plain };
                let ran = folder.run(&format!("check toggle.pml -p {name} --por {por} {flags}"));
                assert_eq!(ran.status, expected, "{por} {flags} {name}: {}{}", ran.stdout, ran.stderr);
            }
        }
    }
}

/// Too many states for a search without reduction to be over soon.
#[test]
fn a_large_space_is_reduced_without_being_asked() {
    let folder = Folder::new("reduction_auto");
    let text = |last: &str| {
        format!(
            "byte n; active [8] proctype p() {{ byte i; do :: i < 20 -> i = (i + 1) % 32 :: else -> break od; n++; {last} }}"
        )
    };
    write(&folder, "good.pml", &text("skip"));
    write(&folder, "bad.pml", &text("assert(n < 8)"));
    let good = folder.run("check good.pml");
    assert_eq!(good.status, 0, "{}{}", good.stdout, good.stderr);
    assert!(good.stdout.contains("reductions: dead, merge, s"), "{}", good.stdout);
    let bad = folder.run("check bad.pml -p safety");
    assert_eq!(bad.status, 1, "{}{}", bad.stdout, bad.stderr);
    let none = folder.run("check good.pml -p safety --reduce none --max-states 200000");
    assert_eq!(none.status, 3, "{}{}", none.stdout, none.stderr);
}

/// The line that begins like this.
fn line<'o>(stdout: &'o str, begins: &str) -> Option<&'o str> {
    stdout.lines().find(|line| line.starts_with(begins))
}

#[test]
fn what_was_weighed_is_said_with_the_flags_that_repeat_it() {
    let folder = Folder::new("reduction_weighed");
    let model = |count, limit| {
        format!(
            "byte n; active [{count}] proctype p() {{ byte i; do :: i < {limit} -> i = (i + 1) % 32 :: else -> break od; n++; n > 0 }}"
        )
    };
    write(&folder, "large.pml", &model(8, 20));
    write(&folder, "small.pml", &model(2, 20));
    let large = folder.run("check large.pml -p safety");
    let weighed = line(&large.stdout, "weighed").unwrap_or_else(|| panic!("{}", large.stdout));
    assert!(weighed.contains("full search (blocks") && weighed.contains(" 1, stubborn (dfs) "), "{weighed}");
    let flags = weighed.rsplit_once("to repeat: ").unwrap().1;
    let again = folder.run(&format!("check large.pml -p safety {flags}"));
    let said = |stdout: &str| line(stdout, "explored").and_then(|line| Some(line.split_once("; ")?.1.to_owned()));
    assert_eq!(said(&again.stdout), said(&large.stdout), "{flags}");
    assert_eq!(line(&again.stdout, "weighed"), None, "nothing was left to us");
    let json = folder.run("check large.pml -p safety --json").stdout;
    assert!(json.contains("\"weighed\":[{") && json.contains("\"chosen\":true"), "{json}");
    let small = folder.run("check small.pml -p safety");
    assert_eq!(line(&small.stdout, "weighed"), None, "{}", small.stdout);
    for flags in ["--keep-going", "--coverage", "--order bfs", "--max-depth 9999", "--reduce none"] {
        let ran = folder.run(&format!("check large.pml -p safety --max-states 30000 {flags}"));
        assert_eq!(line(&ran.stdout, "weighed"), None, "{flags}: {}", ran.stdout);
    }
}

#[test]
fn a_limit_that_is_reached_while_plans_are_weighed_is_kept() {
    let folder = Folder::new("reduction_weighed_limits");
    // No reduction helps, and the space is endless for all that anybody knows.
    write(&folder, "wide.pml", "int x, y; active [2] proctype p() { do :: x++ :: y++ :: x = y :: x == y -> y = 0 od }");
    for (flags, limit) in
        [("--max-states 12000", "limit on states"), ("--max-memory 40M", "memory"), ("--max-time 0.5s", "time")]
    {
        let ran = folder.run(&format!("check wide.pml -p safety {flags}"));
        assert_eq!(ran.status, 3, "{flags}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(limit), "{flags}: {}", ran.stdout);
    }
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
