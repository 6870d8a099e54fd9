//! Comparing systems.

mod support;

use std::fs;

use support::Folder;

const LATE: &str = "des (0, 3, 4)\n(0, a, 1)\n(1, b, 2)\n(1, c, 3)\n";
const EARLY: &str = "des (0, 4, 5)\n(0, a, 1)\n(0, a, 2)\n(1, b, 3)\n(2, c, 4)\n";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    fs::write(folder.0.join("late.aut"), LATE).unwrap();
    fs::write(folder.0.join("early.aut"), EARLY).unwrap();
    folder
}

#[test]
fn systems_are_equivalent_or_not() {
    let folder = folder("compare_systems");
    folder.check(
        "compare late.aut early.aut --relation trace",
        0,
        "
EQUIVALENT  trace: late.aut and early.aut

the same sequences of labels, silent ones included
late.aut: 4 states, 3 transitions
early.aut: 5 states, 4 transitions
",
    );
    folder.check(
        "compare late.aut early.aut",
        1,
        "
DIFFERENT   bisim: late.aut and early.aut

step by step, with the best answer each time:
  a
late.aut can do `b`, and early.aut cannot

strong bisimulation: each step is answered by an equal step, for ever
late.aut: 4 states, 3 transitions
early.aut: 5 states, 4 transitions
",
    );
    assert_eq!(folder.run("compare late.aut early.aut -r k-bisim -k 1").status, 0);
    assert_eq!(folder.run("compare late.aut early.aut -r k-bisim -k 2").status, 1);
    assert_eq!(folder.run("compare late.aut early.aut -r weak-bisim --tau b --tau c").status, 0);
    let sim = folder.run("compare early.aut late.aut -r sim");
    assert!(sim.status == 1 && sim.stdout.contains("the first does not simulate the second"), "{}", sim.stdout);
}

#[test]
fn a_model_is_what_its_graph_is() {
    let folder = folder("compare_models");
    let graph = folder.run("graph peterson.pml --format aut").stdout;
    let ran = folder.run_with_input("compare - peterson.pml", &graph);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let ran = folder.run("compare peterson.pml philosophers-deadlock.pml -r deadlock");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("philosophers-deadlock.pml can end, and peterson.pml cannot"), "{}", ran.stdout);
    let ran = folder.run("compare peterson.pml mutex-wrong.pml -r stutter --see inside<=1");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("can be where `!(inside<=1)` is true"), "{}", ran.stdout);
    assert_eq!(folder.run("compare talk.pml talk.pml -D N=2").status, 0);
}

#[test]
fn limits_leave_it_unknown() {
    let folder = folder("compare_limits");
    let ran = folder.run("compare counter.pml late.aut --max-states 10");
    assert_eq!(ran.status, 3);
    assert!(
        ran.stdout.starts_with("UNKNOWN     bisim: counter.pml and late.aut: not all of counter.pml"),
        "{}",
        ran.stdout
    );
    let ran = folder.run("compare late.aut early.aut -r trace --max-work 1");
    assert_eq!(ran.status, 3);
    assert!(ran.stdout.contains("too many states in sets of states: more than 1 would"), "{}", ran.stdout);
}

#[test]
fn json() {
    let folder = folder("compare_json");
    folder.check(
        "compare late.aut early.aut -r sim --json",
        1,
        "{\"format\":1,\"systems\":[\"late.aut\",\"early.aut\"],\"relation\":\"sim\",\"preorder\":false,\"verdict\":\"different\",\"reason\":null,\
         \"difference\":{\"path\":[\"a\"],\"step_by_step\":true,\"system\":\"late.aut\",\"can\":\"step\",\"label\":\"b\",\
         \"note\":\"the second does not simulate the first\"},\"states\":[4,5],\"transitions\":[3,4]}\n",
    );
    let bad = folder.run("compare late.aut nowhere.aut --json");
    assert!(
        bad.status == 2 && bad.stdout.starts_with("{\"format\":1,\"error\":\"cannot read nowhere.aut"),
        "{}",
        bad.stdout
    );
}

#[test]
fn what_does_not_apply_is_refused() {
    let folder = folder("compare_refusals");
    fs::write(folder.0.join("bad.aut"), "des (0, 1, 1)\n(0, a, 1)\n").unwrap();
    folder.refuse("compare late.aut bad.aut", " --> bad.aut:2:1");
    folder.refuse("compare late.aut bad.pml", " --> bad.pml:2:23");
    folder.refuse("compare late.aut", "<B>");
    folder.refuse("compare late.aut early.aut -r bisimilar", "possible values: bisim, branching-bisim");
    folder.refuse("compare late.aut early.aut -r k-bisim", "k-bisim needs to know how many steps");
    folder.refuse("compare late.aut early.aut -k 3", "-k does not go with bisim");
    folder.refuse("compare late.aut early.aut -r stutter", "--see FORMULA says which propositions matter");
    folder.refuse("compare late.aut peterson.pml --see inside==1", "--see is for models");
    folder.refuse("compare peterson.pml peterson.pml -r trace --see inside==1", "--see does not go with trace");
    folder.refuse("compare late.aut early.aut -r deadlock --tau a", "--tau does not go with deadlock");
    folder.refuse("compare late.aut early.aut -D N", "-D is for models");
    folder.refuse("compare - -", "only one of the systems");
    folder.refuse("compare peterson.pml peterson.pml -r stutter --see nowhere==1", "unknown variable `nowhere`");
}
