//! Random runs, runs by hand, replays; and graphs.

mod support;

use support::Folder;

#[test]
fn a_random_run_is_the_same_for_a_seed() {
    let folder = Folder::new("random_run");
    folder.check(
        "sim peterson.pml --seed 1 --steps 8",
        0,
        "
  step   process   line  statement                     changed
     1   user[0]   :29   flag[_pid] = true             flag[0] = true
     2   user[0]   :31   turn = other                  turn = 1
     3   user[1]   :29   flag[_pid] = true             flag[1] = true
     4   user[1]   :31   turn = other                  turn = 0
     5   user[0]   :32   !flag[other] || turn == _pid
     6   user[0]   :33   inside++                      inside = 1
     7   user[0]   :35   assert(inside == 1)
     8   user[0]   :36   inside--                      inside = 0

stopped after 8 steps
--steps N lets it run longer
seed 1; again: ample sim peterson.pml --steps 8 --seed 1
",
    );
}

#[test]
fn a_random_run_says_why_it_ended() {
    let folder = Folder::new("random_ends");
    let ended = folder.run("sim unused.pml");
    assert!(ended.stdout.contains("ended after 8 steps: every process has ended\n"), "{}", ended.stdout);
    assert_eq!(ended.status, 0);
    let fault = folder.run("sim divide.pml");
    assert!(
        fault.stdout.contains("\nVIOLATED  division by zero      divide.pml:2, process p[0]\n"),
        "{}",
        fault.stdout
    );
    assert_eq!(fault.status, 1);
    let mut deadlocks = 0;
    for seed in 0..40 {
        let ran = folder.run(&format!("sim philosophers-deadlock.pml --steps 300 --seed {seed}"));
        deadlocks += usize::from(ran.stdout.contains("VIOLATED  invalid end state") && ran.status == 1);
    }
    assert!(deadlocks > 0);
}

#[test]
fn a_run_by_hand() {
    let folder = Folder::new("by_hand");
    let ran = folder.run_with_input("sim mutex-wrong.pml --interactive", "1\n2\nv\nb\nnonsense\n2\nq\n");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("     2   user[0]   :19   !busy[1 - _pid]\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("-> user[1]: !busy[1 - _pid]\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  busy[0]  false\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("\nstopped after 2 steps\n"), "{}", ran.stdout);
}

#[test]
fn a_state_says_where_each_process_is_and_each_channel_once() {
    let folder = Folder::new("by_hand_state");
    let ran = folder.run_with_input("sim pipeline.pml -i", "v\nq\n");
    assert_eq!(ran.stdout.matches("\n  link[0]  ").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  stage[1]       at :33  end: in?x\n"), "{}", ran.stdout);
    let ran = folder.run_with_input("sim mutex-wrong.pml -i", "1\nv\nq\n");
    assert!(ran.stdout.contains("  user[0]  at :18  !busy[1 - _pid]\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  user[1]  at :20  busy[_pid] = true\n"), "{}", ran.stdout);
    let ran = folder.run_with_input("sim bridge.dve -i", "v\nq\n");
    assert!(ran.stdout.contains("  Lamp[0]   at :25  here\n"), "{}", ran.stdout);
    let dot = folder.run("graph mutex-wrong.pml").stdout;
    assert!(dot.contains("inside = 0\\nuser[0] at :18  !busy[1 - _pid]\\nuser[1] at :18"), "{dot}");
}

#[test]
fn a_move_without_a_choice_is_made() {
    let folder = Folder::new("by_hand_forced");
    let ended = folder.run_with_input("sim divide.pml -i", "");
    assert!(ended.stdout.contains("-> p[0]: x--\n-> p[0]: x = 1 / x\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("VIOLATED  division by zero"), "{}", ended.stdout);
    assert_eq!(ended.status, 1);
    let ran = folder.run_with_input("sim divide.pml -i", "b\n1\nq\n");
    assert!(ran.stdout.contains("there was no choice before this\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("there is no move 1: the run has ended\n"), "{}", ran.stdout);
    let ran = folder.run_with_input("sim long.pml -i", "q\n");
    assert!(ran.stdout.contains("  1,000 moves without a choice were made\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("stopped after 1,000 steps\n"), "{}", ran.stdout);
}

#[test]
fn a_number_that_is_no_move_is_refused() {
    let folder = Folder::new("by_hand_number");
    let ran = folder.run_with_input("sim mutex-wrong.pml -i", "7\n0\nq\n");
    assert!(ran.stdout.contains("  there is no move 7: choose from 1-2\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  there is no move 0: choose from 1-2\n"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("a number chooses a move").count(), 1, "{}", ran.stdout);
}

#[test]
fn a_run_by_hand_is_saved_and_replayed() {
    let folder = Folder::new("by_hand_saved");
    let ran = folder.run_with_input("sim mutex-wrong.pml -i", "1\n2\nw mine.trace\nw mutex-wrong.pml\nq\n");
    assert!(ran.stdout.contains("  2 steps saved to mine.trace\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  not saved to mutex-wrong.pml: "), "{}", ran.stdout);
    let replayed = folder.run("sim mutex-wrong.pml --replay mine.trace");
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.contains("     2  :19  !busy[1 - _pid]"), "{}", replayed.stdout);
    assert!(replayed.stdout.ends_with("\nstopped after 2 steps\n"), "{}", replayed.stdout);
    let ran = folder.run_with_input("sim talk.pml -D N=7 -i", &("1\n".repeat(30) + "w wrong.trace\n"));
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    let replayed = folder.run("sim talk.pml --replay wrong.trace");
    assert_eq!(replayed.status, 1, "{}", replayed.stderr);
    assert!(replayed.stdout.starts_with("VIOLATED  assertion failed: y == 0"), "{}", replayed.stdout);
}

#[test]
fn steps_of_dve_are_short() {
    let folder = Folder::new("dve_steps");
    let ran = folder.run("sim bridge.dve --seed 1 --steps 10");
    assert!(!ran.stdout.contains('{'), "{}", ran.stdout);
}

#[test]
fn a_trace_is_replayed_only_on_its_own_model() {
    let folder = Folder::new("replays");
    let checked = folder.run("check talk.pml -D N=7");
    let replayed = folder.run("sim talk.pml --replay talk.trace");
    assert_eq!(replayed.status, 1, "{}", replayed.stderr);
    assert!(checked.stdout.starts_with(&replayed.stdout), "{}", replayed.stdout);
    folder.refuse("sim talk.pml -D N=8 --replay talk.trace", "leave -D out, the trace has its own");
    folder.refuse("sim divide.pml --replay talk.trace", "the trace belongs to another model");
    folder.refuse("sim talk.pml -D N=1 --replay divide.pml", "make the text with `spin -t -p MODEL`");
    folder.refuse("sim talk.pml --replay nowhere.trace", "cannot read nowhere.trace");
    let path = folder.0.join("talk.trace");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("2 1 3 -", "2 1 9 -")).unwrap();
    folder.refuse("sim talk.pml --replay talk.trace", "move 3 is not possible");
    std::fs::write(&path, text.replace("ample trace 1", "ample trace 99")).unwrap();
    folder.refuse("sim talk.pml --replay talk.trace", "this trace file has version 99");
    std::fs::write(&path, text.replace("fault assertion", "fault run-time-error")).unwrap();
    folder.refuse("sim talk.pml --replay talk.trace", "does not end as the file says");
}

#[test]
fn graphs() {
    let folder = Folder::new("graphs");
    folder.check(
        "graph divide.pml --format aut",
        0,
        "
des (0, 2, 3)
(0, \"p[0]: x--\", 1)
(1, \"p[0]: x = 1 / x (division by zero)\", 2)
",
    );
    let dot = folder.run("graph divide.pml");
    assert!(dot.stdout.starts_with("digraph \"divide.pml\" {\n"), "{}", dot.stdout);
    assert!(
        dot.stdout.contains("  1 -> 2 [label=\"p[0]: x = 1 / x (division by zero)\" color=red];\n"),
        "{}",
        dot.stdout
    );
    assert_eq!(folder.run("graph mutex-wrong.pml -o m.aut").status, 0);
    assert!(std::fs::read_to_string(folder.0.join("m.aut")).unwrap().starts_with("des (0, 64, 36)\n"));
    let cut = folder.run("graph counter.pml --max-states 10");
    assert_eq!(cut.status, 3);
    assert!(cut.stderr.contains("the graph is not complete: a limit was reached (10 states)"), "{}", cut.stderr);
    folder.refuse("graph divide.pml -o /nowhere/x.dot", "cannot write /nowhere/x.dot");
}

#[test]
fn a_small_graph_is_drawn() {
    let folder = Folder::new("drawing");
    assert_eq!(folder.run("graph divide.pml -o d.svg").status, 0);
    let svg = std::fs::read_to_string(folder.0.join("d.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<circle ").count(), 2, "{svg}");
    assert!(svg.contains("<title>p[0]: x = 1 / x (division by zero)</title>"), "{svg}");
    assert!(svg.contains("<title>x = 0\np[0] at :2  x = 1 / x</title>"), "{svg}");
    assert!(svg.contains(">error</text>"), "{svg}");
    let printed = folder.run("graph mutex-wrong.pml --format svg").stdout;
    assert_eq!(printed.matches("marker-end").count(), 64, "each transition is an arrow");
    let large = folder.run("graph counter.pml -o c.svg --max-states 1000");
    assert_eq!((large.status, folder.0.join("c.svg").exists()), (2, false));
    assert!(large.stderr.contains("give it to Graphviz"), "{}", large.stderr);
}
