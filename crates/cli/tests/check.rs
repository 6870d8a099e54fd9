//! What `ample check` says, and with which exit status.

mod support;

use support::Folder;

#[test]
fn a_failed_assertion_with_one_lane_per_process() {
    let folder = Folder::new("failed_assertion");
    folder.check(
        "check mutex-wrong.pml",
        1,
        "
VIOLATED  assertion failed: inside <= 1      mutex-wrong.pml:22, process user[1]

  step  user[0]                 user[1]                   changed
     1                          :19  !busy[1 - _pid]
     2  :19  !busy[1 - _pid]
     3                          :20  busy[_pid] = true    busy[1] = true
     4                          :21  inside++             inside = 1
     5  :20  busy[_pid] = true                            busy[0] = true
     6  :21  inside++                                     inside = 2
     7                          :22  assert(inside <= 1)  inside is 2

explored 26 states, 40 transitions, depth 6 in … s with … MB; no reductions
replay: ample sim mutex-wrong.pml --replay mutex-wrong.trace
",
    );
}

#[test]
fn creation_output_rendezvous_channels_atomic_and_ends_are_shown() {
    let folder = Folder::new("everything_shown");
    folder.check(
        "check talk.pml -DN=7",
        1,
        r#"
VIOLATED  assertion failed: y == 0      talk.pml:29, process init

  step   init                 worker[1]                     reader[2]    changed
     1┌  :28  run worker(5)                                              starts worker[1] with n = 5
     2└  :28  run reader()                                               starts reader[2]
     3┌                       :10  x = 7                                 x = 7
     4│                       :10  l++                                   l = 4
     5└                       :10  printf("hello %d\n", n)               prints "hello 5"
     6                        :11  c!req(l)                 :21  c?m(v)  m = req, v = 4
     7                        :12  d_step { … }                          x = 5, y = 3
     8                        :13  q!1                                   q = [1]
     9                                                      :22  q?v     q = [], v = 1
    10                        :14  q!2                                   q = [2]
    11                                                      :23  q?v     q = [], v = 2
    12                                                      :24  ends
    13                        :15  ends
    14   :29  (_nr_pr == 1)
    15   :29  assert(y == 0)                                             y is 3

explored 13 states, 14 transitions, depth 11 in … s with … MB; reductions: dead
replay: ample sim talk.pml --replay talk.trace
"#,
    );
}

#[test]
fn a_deadlock_as_a_list_where_the_lanes_do_not_fit() {
    let folder = Folder::new("deadlock");
    folder.check(
        "check philosophers-deadlock.pml --order bfs",
        1,
        "
VIOLATED  invalid end state: nothing can move and not every process may end where it is
          philosophers-deadlock.pml:24, process philosopher[0]

  step   process         line  statement           changed
     1┌  philosopher[3]  :25   !taken[_pid]
     2└  philosopher[3]  :25   taken[_pid] = true  taken[3] = true
     3┌  philosopher[2]  :25   !taken[_pid]
     4└  philosopher[2]  :25   taken[_pid] = true  taken[2] = true
     5┌  philosopher[1]  :25   !taken[_pid]
     6└  philosopher[1]  :25   taken[_pid] = true  taken[1] = true
     7┌  philosopher[0]  :25   !taken[_pid]
     8└  philosopher[0]  :25   taken[_pid] = true  taken[0] = true

  nothing can move:
    philosopher[0]  :24  waits for: !taken[((_pid + 1) % 4)]
    philosopher[1]  :24  waits for: !taken[((_pid + 1) % 4)]
    philosopher[2]  :24  waits for: !taken[((_pid + 1) % 4)]
    philosopher[3]  :24  waits for: !taken[((_pid + 1) % 4)]

explored 50 states, 110 transitions, depth 4 in … s with … MB; no reductions
replay: ample sim philosophers-deadlock.pml --replay philosophers-deadlock.trace
",
    );
}

#[test]
fn a_run_time_error_and_an_endless_atomic() {
    let folder = Folder::new("run_time_errors");
    folder.check(
        "check divide.pml",
        1,
        "
VIOLATED  division by zero      divide.pml:2, process p[0]

  step  p[0]           changed
     1  :2  x--        x = 0
     2  :2  x = 1 / x  fails here

explored 2 states, 1 transition, depth 1 in … s with … MB; no reductions
replay: ample sim divide.pml --replay divide.trace
",
    );
    folder.check(
        "check endless.pml --reduce none",
        1,
        "
VIOLATED  the atomic sequence does not end      endless.pml:2, process p[0]

  step   p[0]           changed
     1┌  :2  x = 1 - x  x = 1
     2│  :2  x = 1 - x  x = 0
     3└  :2  x = 1 - x  x = 1, fails here

explored 1 state, 0 transitions, depth 0 in … s with … MB; no reductions
replay: ample sim endless.pml --replay endless.trace
",
    );
}

#[test]
fn each_distinct_violation_has_its_own_trace() {
    let folder = Folder::new("keep_going");
    folder.check(
        "check two-wrongs.pml --keep-going",
        1,
        "
VIOLATED  assertion failed: x == 0      two-wrongs.pml:7, process a[0]

  step  a[0]                changed
     1  :7  x++             x = 1
     2  :7  assert(x == 0)  x is 1

replay: ample sim two-wrongs.pml --replay two-wrongs-1.trace

VIOLATED  assertion failed: x == 3      two-wrongs.pml:8, process a[0]

  step  a[0]                changed
     1  :8  x = 2           x = 2
     2  :8  assert(x == 3)  x is 2

replay: ample sim two-wrongs.pml --replay two-wrongs-2.trace

VIOLATED  invalid end state: nothing can move and not every process may end where it is
          two-wrongs.pml:9, process a[0]

  step  a[0]       changed
     1  :9  x = 3  x = 3

  nothing can move:
    a[0]  :9  waits for: (x == 4)

explored 8 states, 7 transitions, depth 3 in … s with … MB; no reductions
3 distinct violations were found
replay: ample sim two-wrongs.pml --replay two-wrongs-3.trace
",
    );
    for number in 1..=3 {
        let ran = folder.run(&format!("sim two-wrongs.pml --replay two-wrongs-{number}.trace"));
        assert_eq!(ran.status, 1, "{}", ran.stderr);
    }
}

#[test]
fn a_search_for_all_violations_that_is_cut_off_says_so() {
    let folder = Folder::new("keep_going_cut");
    let ran = folder.run("check two-wrongs.pml --keep-going --order dfs --max-states 6");
    assert_eq!(ran.status, 1);
    let end = "
guarantee for safety: errors may be missed, because the limit on states was reached
to find the others, raise --max-states or leave it out
";
    assert!(ran.stdout.contains(end) && ran.stdout.contains("; there may be more\n"), "{}", ran.stdout);
    let whole = folder.run("check two-wrongs.pml --keep-going").stdout;
    assert!(!whole.contains("guarantee") && !whole.contains("there may be more"), "{whole}");
}

#[test]
fn what_holds_and_what_it_is_worth() {
    let folder = Folder::new("holds");
    folder.check(
        "check unused.pml --coverage",
        0,
        "
HOLDS     safety: no assertion fails, no invalid end state, no run-time error

explored 9 states, 8 transitions, depth 8 in … s with … MB; no reductions
guarantee for safety: no error is missed, because every reachable state was explored

coverage: 4 of 8 statements can never be executed
  idle  :4   x = 9
        :4   (its end)
  main  :10  x > 5
        :10  x = 0
",
    );
    folder.check(
        "check unused.pml -p assertions -p end-states",
        0,
        "
HOLDS     all of 2 properties
  assertions  holds     no assertion fails
  end-states  holds     no invalid end state

assertions: explored 9 states, 8 transitions, depth 8 in … s with … MB; no reductions
end-states: explored 9 states, 8 transitions, depth 8 in … s with … MB; no reductions
guarantee for assertions, end-states: no error is missed, because every reachable state was explored
",
    );
}

#[test]
fn what_is_unknown_and_what_to_do_about_it() {
    let folder = Folder::new("unknown");
    folder.check(
        "check counter.pml --max-states 5000",
        3,
        "
UNKNOWN   safety: no error found, but the limit on states was reached (5000 states)

explored 5,000 states, 5,000 transitions, depth 4,999 in … s with … MB; no reductions
guarantee for safety: errors may be missed, because the limit on states was reached
to settle it, raise --max-states or leave it out
",
    );
    folder.check(
        "check named.pml",
        0,
        "
HOLDS     all of 2 properties
  safety    holds     no assertion fails, no invalid end state, no run-time error
  finishes  holds     holds in every run

safety: explored 3 states, 2 transitions, depth 2 in … s with … MB; reductions: dead
finishes: explored 2 states, 1 transition, depth 1 in … s with … MB; no reductions
guarantee for safety: no error is missed, because what the reductions left out makes no difference to the answer
guarantee for finishes: no error is missed, because every reachable state was explored
",
    );
    folder.run("check counter.pml --max-time 20ms").stopped("raise --max-time", "the time limit was reached");
    for limit in ["--max-depth 20", "--max-memory 1M"] {
        let ran = folder.run(&format!("check counter.pml {limit}"));
        let flag = limit.split(' ').next().unwrap();
        assert_eq!(ran.status, 3);
        assert!(ran.stdout.contains(&format!("raise {flag}")), "{}", ran.stdout);
    }
}

#[test]
fn quiet_says_the_verdict_only() {
    let folder = Folder::new("quiet");
    folder.check(
        "check mutex-wrong.pml --quiet",
        1,
        "VIOLATED  assertion failed: inside <= 1      mutex-wrong.pml:22, process user[1]\n",
    );
    folder.check(
        "check peterson.pml -q -p safety",
        0,
        "HOLDS     safety: no assertion fails, no invalid end state, no run-time error\n",
    );
}

#[test]
fn a_long_run_is_cut_in_the_middle_and_says_so() {
    let folder = Folder::new("long_run");
    let ran = folder.run("check abp-wrong.pml --order dfs --reduce none");
    assert!(ran.stdout.contains("     …  507 steps not shown; the replay shows all\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("a shortest counterexample: --order bfs\n"), "{}", ran.stdout);
    let replayed = folder.run("sim abp-wrong.pml --replay abp-wrong.trace").stdout;
    assert!(replayed.contains("\n   300  ") && !replayed.contains("not shown"), "{replayed}");
}

/// Where states cover others, no order promises a shortest one.
#[test]
fn no_shorter_counterexample_is_promised_where_there_may_be_none() {
    let folder = Folder::new("long_run_of_covers");
    let text = "byte n, t; active proctype p() {
                do :: n < 40 -> n++; if :: t < 100 -> t++ :: skip fi :: n == 40 -> assert(false) od }";
    std::fs::write(folder.0.join("clock.pml"), text).unwrap();
    let ran = folder.run("check clock.pml -p assertions --order dfs --reduce none");
    assert!(ran.stdout.contains("a shortest counterexample: --order bfs\n"), "{}", ran.stdout);
    let covered = folder.run("check clock.pml -p assertions --reduce dominate");
    assert!(covered.stdout.contains("reductions: dominate"), "{}{}", covered.stdout, covered.stderr);
    assert!(!covered.stdout.contains("a shortest counterexample"), "{}", covered.stdout);
}

#[test]
fn the_model_may_come_from_standard_input() {
    let folder = Folder::new("standard_input");
    let text = std::fs::read_to_string(folder.0.join("divide.pml")).unwrap();
    let ran = folder.run_with_input("check -", &text);
    assert!(ran.stdout.starts_with("VIOLATED  division by zero"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.status, 1);
    assert_eq!(folder.run_with_input("sim - --replay stdin.trace", &text).status, 1);
}

#[test]
fn a_file_that_is_not_a_trace_is_not_overwritten() {
    let folder = Folder::new("foreign_file");
    std::fs::write(folder.0.join("divide.trace"), "precious").unwrap();
    let ran = folder.run("check divide.pml");
    assert!(ran.stderr.contains("the trace was not saved to divide.trace"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("replay:"), "{}", ran.stdout);
    assert_eq!(std::fs::read_to_string(folder.0.join("divide.trace")).unwrap(), "precious");
    assert_eq!(folder.run("check divide.pml --trace other.trace").status, 1);
    assert!(folder.0.join("other.trace").exists());
}

#[test]
fn a_search_that_may_confuse_states_says_so_and_how_likely_it_is() {
    let folder = Folder::new("lossy_stores");
    for store in ["compact", "bitstate"] {
        let ran = folder.run(&format!("check peterson.pml -p safety --store {store} --max-memory 64M"));
        assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("each state is missed with a probability of at most"), "{}", ran.stdout);
        let ran = folder.run(&format!("check mutex-wrong.pml --store {store} --max-memory 64M"));
        assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    }
    for order in ["blocks", "bfs", "dfs"] {
        let ran = folder.run(&format!("check peterson.pml -p safety --order {order} --store exact"));
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn merged_ways_through_atomic_are_named() {
    let folder = Folder::new("merged_ways");
    folder.check(
        "check many-ways.pml --reduce none",
        0,
        "
HOLDS     safety: no assertion fails, no invalid end state, no run-time error

explored 67 states, 66 transitions, depth 2 in … s with … MB; no reductions
more than 10,000 ways lead through an atomic sequence from 1 state: of these, the different ends are counted as transitions
guarantee for safety: no error is missed, because every reachable state was explored
",
    );
}
