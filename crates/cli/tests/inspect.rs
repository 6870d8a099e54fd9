//! What is said about statements.

mod support;

use support::Folder;

/// What is said about `talk.pml`.
const TALK: &str = "init
  :28   atomic { run worker(5) … }
        creates        reader[2], worker[1]
        safe           always
  :29   (_nr_pr == 1)
        reads          the number of processes
        depends on     reader[2] :24, worker[1] :15
        not safe       reads the number of processes, which worker[1] (:15) changes
  :29   assert(y == 0)
        reads          y
        depends on     worker[1] :12
        not safe       reads y, which worker[1] (:12) writes
  :30   end of process
        writes         the number of processes
        safe           while it is enabled

worker[1]
  :10   atomic { x = 4 … }
        reads          l
        writes         l, x
        dead after it  x
        safe           always
  :11   c!req(l)
        reads          l
        meets          reader[2] :21
        dead after it  l
        depends on     reader[2] :21
        not safe       is, or may lead to, a rendezvous with reader[2]
  :12   d_step { … }
        reads          y
        writes         x, y
        dead after it  x
        depends on     init :29
        not safe       writes y, which init (:29) reads
  :13   q!1
        sends to       q
        safe           while q has room
  :14   q!2
        sends to       q
        safe           while q has room
  :15   end of process
        writes         the number of processes
        depends on     init :29
        not safe       changes the number of processes, which init (:29) reads

reader[2]
  :21   c?m(v)
        writes         m, v
        meets          worker[1] :11
        dead after it  m, v
        depends on     worker[1] :11
        not safe       is, or may lead to, a rendezvous with worker[1]
  :22   q?v
        writes         v
        receives from  q
        dead after it  v
        safe           while q holds a message
  :23   q?v
        writes         v
        receives from  q
        dead after it  v
        safe           while q holds a message
  :24   end of process
        writes         the number of processes
        depends on     init :29
        not safe       changes the number of processes, which init (:29) reads

Shift: worker[1]:l and field 2 of c can be shifted modulo 256.
Dominates: smaller values of x cover larger ones: nothing depends on it.
Dominates: smaller values of reader[2]:m cover larger ones: nothing depends on it.
Dominates: smaller values of reader[2]:v cover larger ones: nothing depends on it.
Dominates not: no values of y cover others: `x = x + y` of worker[1] hands the value on.
No cycle: no process comes back to where it was (`--order acyclic`).
Dead at times (`--reduce dead-globals`): x, y, field 1 of the messages in q.
Nothing is left out by slicing: `_nr_pr` depends on all processes.
14 statements: 2 safe, 5 safe at times, 7 not safe
Safe: the process may move before all others here, and no behaviour is lost.
";

#[test]
fn statements_with_reasons() {
    let folder = Folder::new("inspect");
    folder.check("inspect talk.pml -D N=4", 0, TALK);
}

#[test]
fn for_programs() {
    let folder = Folder::new("inspect_json");
    let ran = folder.run("inspect leader.pml -D N=2 --json");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found["format"], 1);
    assert_eq!(found["guessed"], false);
    let node = &found["processes"][1];
    assert_eq!(node["name"], "node[1]");
    let statement = node["statements"].as_array().unwrap().iter().find(|one| one["place"] == ":38").unwrap();
    assert_eq!(statement["receives_from"], serde_json::json!(["link[0]"]));
    assert_eq!(statement["safe"], "when");
    assert_eq!(statement["why"], "while link[0] holds a message");
}

#[test]
fn a_bad_model_is_refused() {
    let folder = Folder::new("inspect_bad");
    let ran = folder.run("inspect bad.pml");
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let ran = folder.run("inspect bad.pml --json");
    assert_eq!(ran.status, 2);
    assert!(ran.stdout.starts_with("{"), "{}", ran.stdout);
}

/// All of it is safe, and nothing is gained by that.
#[test]
fn of_one_process_nothing_waits() {
    let folder = Folder::new("inspect_one");
    std::fs::write(folder.0.join("one.gcl"), "var x : 0..3;\nx < 3 -> x := x + 1;\n").unwrap();
    std::fs::write(folder.0.join("one.pml"), "byte x; active proctype p() { do :: x < 3 -> x++ od }").unwrap();
    for model in ["one.pml", "one.gcl"] {
        let ran = folder.run(&format!("inspect {model}"));
        let says = ran.stdout.contains("There is one process: it is safe to let it move first");
        assert!(says, "{}{}", ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("Safe:"), "{}", ran.stdout);
    }
}
