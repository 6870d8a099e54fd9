//! The traps of partial order reduction, one test each, named after it. In each model a careless
//! implementation gives a wrong answer. Every plan that the registries allow must give the answer
//! of the full search, or refuse to answer.

use ample_check::{Fairness, Prepared, Verdict};
use ample_interpret::Interpreter;
use ample_testing::explore;
use ample_testing::plans::{Answer, Comparison, Counts, Plan, SAFETY, Tally, ask};

/// A question about a model, and its answer.
struct Trap {
    model: &'static str,
    /// `safety`, or the name of a formula of the model.
    question: &'static str,
    fairness: Fairness,
    verdict: Verdict,
}

const MAX_STATES: u64 = 100_000;

impl Trap {
    fn new(model: &'static str, question: &'static str, verdict: Verdict) -> Trap {
        Trap { model, question, fairness: Fairness::None, verdict }
    }

    /// Walks into the trap in every way there is; says how many answers were compared.
    #[track_caller]
    fn spring(&self) -> Counts {
        let loaded = explore::load_text(self.model).map_err(|failure| explore::messages(&failure)).unwrap();
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let full = Plan { fairness: self.fairness, ..Plan::FULL };
        let answer = ask(&prepared, self.question, &full, Some(MAX_STATES)).unwrap();
        let Answer::Given(given) = answer else { panic!("the full search is refused: {answer:?}") };
        assert_eq!(given.verdict, self.verdict, "the full search: {}", self.model);
        let mut tally = Tally::default();
        let mut comparison = Comparison::new(&prepared, self.question, MAX_STATES);
        let mut plans = Plan::all(self.question, self.fairness);
        plans.extend(loops(self.fairness));
        let differing: Vec<String> =
            plans.iter().filter_map(|plan| comparison.compare(plan, &mut tally).err()).collect();
        println!("{}\n{tally}", self.question);
        assert!(differing.is_empty(), "{}\n{}", differing.join("\n"), self.model);
        tally.sum(|_| true)
    }
}

/// Every under-approximation loop, guided and at random, with every expander.
fn loops(fairness: Fairness) -> impl Iterator<Item = Plan> {
    let expanders = Plan::of_expanders().map(|plan| plan.por);
    let of_loops = move |por| Plan::of_loops(7).map(move |plan| Plan { por, fairness, ..plan });
    expanders.flat_map(of_loops)
}

/// A question that can be reduced.
#[track_caller]
fn compared(model: &'static str, question: &'static str, verdict: Verdict) {
    let counts = Trap::new(model, question, verdict).spring();
    assert!(counts.compared > 0, "{question}: {counts:?}");
}

/// Holzmann, Peled and Yannakakis: the second search has another stack than the first, and if it
/// decides anew which transitions to leave out, it may not come back along the cycle that the first
/// has seen. Here the accepting cycle of the claim needs the steps of `A` and of `B` in turn, and
/// there are cycles of each process alone on the way.
#[test]
fn nested_dfs() {
    let model = "bit x, y; bit a, b;
        active proctype A() { bit own; do :: own = 1 - own :: a = 1; own = 0; x = 1 - x; a = 0 od }
        active proctype B() { bit own; do :: own = 1 - own :: own == 1; b = 1 - b; own = 0; y = x od }
        ltl again { ! ([]<> (x == 1) && []<> (x == 0) && []<> (y == 1)) }
        ltl low { [] (y == 0) }
        ltl settles { <>[] (x == 0) }
        ltl bounded { [] (y <= 1) && []<> (x <= 1) }";
    compared(model, "again", Verdict::Violated);
    compared(model, "low", Verdict::Violated);
    compared(model, "settles", Verdict::Violated);
    compared(model, "bounded", Verdict::Holds);
}

/// Siegel (CAV 2019): a reduced set that depends on the state of the claim is not sound, even if
/// the claim does not see stuttering. What is left out in one product state may be taken in another
/// one with the same system state, and neither of them takes all.
#[test]
fn on_the_fly_product() {
    let model = "bit p, q, z;
        active proctype A() { do :: p = 1; p = 0 od }
        active proctype B() { bit own; do :: own = 1; own = 0 :: own = 1; q = 1; own = 0 od }
        active proctype C() { do :: z = 1 - z od }
        ltl until { [] ((p == 1) -> ((q == 0) U (p == 0))) }
        ltl response { [] ((p == 1) -> <> (q == 1)) }
        ltl order { ((q == 0) U (p == 1)) || [] (p == 0) }
        ltl eventually { <> (q == 1) }
        ltl stays { [] ((q == 1) -> [] (q == 1)) }";
    compared(model, "until", Verdict::Violated);
    compared(model, "response", Verdict::Violated);
    compared(model, "order", Verdict::Violated);
    compared(model, "eventually", Verdict::Violated);
    compared(model, "stays", Verdict::Holds);
}

/// The ignoring problem: `A` goes around by itself, each time it may move first, and what `B` does
/// wrong is put off for ever.
#[test]
fn ignoring() {
    compared(
        "bit x; active proctype A() { bit own; do :: own = 1 - own od } active proctype B() { x = 1; assert(x == 0) }",
        SAFETY,
        Verdict::Violated,
    );
    let model = "bit x; active proctype A() { bit own; do :: own = 1 - own od }
        active proctype D() { bit own; do :: own = 1 - own :: own == 1; own = 0 od }
        active proctype B() { bit own; own = 1; x = 1 }
        ltl low { [] (x == 0) }
        ltl done { <> (x == 1) }";
    compared(model, "low", Verdict::Violated);
    compared(model, "done", Verdict::Violated);
}

/// Neele, Valmari and Willemse (2020): weak stubborn sets do not preserve stutter traces. Of two
/// processes that write what the other reads, a set with one enabled key transition keeps a path to
/// every deadlock, but what is seen on the way is another sequence of labels: a visible transition
/// outside of the set is swapped with an invisible one inside that is enabled only after it.
#[test]
fn inconsistent_labelling() {
    let model = "bit a, q, l;
        active proctype A() { bit own; own = 1; a = 1; end: false }
        active proctype B() { l = 1; if :: a == 0; q = 1; l = 0 :: a == 1; l = 0 fi; end: false }
        active proctype C() { a == 1; q == 0; q = 1; end: false }
        ltl sees { [] ((q == 1) -> (l == 0)) }
        ltl pulse { ! <> ((l == 1) && <> ((q == 1) && (l == 1) && <> (l == 0))) }
        ltl first { ((q == 0) U (l == 1)) || [] (q == 0) }";
    compared(model, "sees", Verdict::Violated);
    compared(model, "pulse", Verdict::Violated);
    compared(model, "first", Verdict::Violated);
    // `C` waits for ever if `B` was faster.
    compared(model, SAFETY, Verdict::Violated);
}

/// `else` beside a message: it is possible until the message comes, so that to send the message is
/// not independent of it. Whoever looks only at what a transition reads when it is taken lets the
/// sender go first, and the assertion is never reached.
#[test]
fn else_with_channels() {
    compared(
        "chan c = [1] of { bit }; byte x;
         active proctype B() { c!1 }
         active proctype A() { if :: c?_ :: else -> assert(false) fi }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "chan c = [1] of { bit }; bit x;
         active proctype A() { bit own; own = 1; if :: c!1 :: else -> x = 1 fi }
         active proctype B() { c!0 }
         active proctype C() { c?_; (x == 1); assert(false) }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "chan c = [1] of { bit }; bit x;
         active proctype B() { c!1 }
         active proctype A() { end: do :: c?_ :: else -> x = 1; break od }
         ltl missed { [] (x == 0) }",
        "missed",
        Verdict::Violated,
    );
}

/// Two that offer and one that accepts: who gets the partner decides whether the others wait for
/// ever. A rendezvous is a transition of two processes; taken for one of the sender alone, both
/// senders look independent. In breadth-first order there is no stack to save it.
#[test]
fn bfs_with_rendezvous() {
    compared(
        "chan r = [0] of { byte }; byte got;
         active proctype A() { r!1 }
         active proctype B() { r!2 }
         active proctype C() { byte own; r?own; if :: own == 1 -> r?2 :: own == 2 -> false fi }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "chan r = [0] of { byte }; chan s = [0] of { byte };
         active proctype A() { byte own; own = 1; r!1; s?_ }
         active proctype B() { byte own; own = 1; if :: r?_; s!1 :: s!1; r?_ fi }
         active proctype C() { byte own; own = 1; s?_ }",
        SAFETY,
        Verdict::Violated,
    );
    // And nobody invents one.
    compared(
        "chan r = [0] of { byte };
         active proctype A() { byte own; own = 1; r!1 } active proctype B() { byte own; own = 1; r?_ }",
        SAFETY,
        Verdict::Holds,
    );
}

/// Fairness is not a matter of the order of independent transitions: in some runs `C` can move all
/// the time, in equivalent ones it cannot now and then.
#[test]
fn fairness() {
    let model = "bit x, y; bool done;
        active proctype A() { do :: x = 1 - x od }
        active proctype B() { do :: y = 1 - y od }
        active proctype C() { (x || y); done = true }
        ltl finishes { <> done }
        ltl moves { []<> (x == 1) }";
    for (question, verdict) in [("finishes", Verdict::Violated), ("moves", Verdict::Holds)] {
        let counts = Trap { model, question, fairness: Fairness::Weak, verdict }.spring();
        assert!(counts.compared > 0, "{counts:?}");
    }
    compared(model, "finishes", Verdict::Violated);
    compared(model, "moves", Verdict::Violated);
}

/// Who is left out can still move: a process whose transitions were left out in a state is not
/// disabled there. `B` goes around with more steps than one has to look at, and `W`, which could
/// move all the time, is taken for one that cannot, again and again.
#[test]
fn fairness_of_those_left_out() {
    let model = "bit x, y; bool done;
        active proctype B() { bit own; do :: own = 1; own = 0 od }
        active proctype W() { bit own; own = 1; own = 0; done = true }
        ltl finishes { <> done }";
    let counts = Trap { model, question: "finishes", fairness: Fairness::Weak, verdict: Verdict::Holds }.spring();
    assert!(counts.compared > 0, "{counts:?}");
}

/// `timeout` is possible where nothing else is: everything can disable it.
#[test]
fn timeout() {
    compared(
        "byte x; active proctype A() { timeout -> assert(x == 2) }
         active proctype B() { byte own; own = 1; x++; (x == 3) } active proctype C() { byte own; own = 1; x++; (x == 4) }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "bit x; active proctype A() { do :: timeout -> x = 1; assert(false) :: x == 1 -> break od }
         active proctype B() { bit own; own = 1; own = 0 }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "bit x, y; active proctype A() { timeout -> x = 1 } active proctype B() { bit own; own = 1; y = 1; own = 0 }
         ltl early { [] ((x == 1) -> (y == 1)) } ltl late { <> (x == 1) }",
        "early",
        Verdict::Holds,
    );
}

/// `_nr_pr` reads what creation and termination write; a process that only ends, or only creates,
/// concerns whoever counts.
#[test]
fn number_of_processes() {
    compared(
        "proctype P() { bit own; own = 1 }
         active proctype A() { run P(); assert(_nr_pr == 3) } active proctype B() { (_nr_pr < 10) }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "bit x; active proctype A() { (_nr_pr == 3); x = 1 } active proctype B() { bit own; own = 1 }
         active proctype C() { bit own; own = 1; (x == 1); assert(false) }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "proctype P() { bit own; own = 1; own = 0 } init { bit own; run P(); own = 1; run P(); own = 0 }
         ltl most { [] (_nr_pr <= 2) } ltl two { <> (_nr_pr == 2) }",
        "most",
        Verdict::Violated,
    );
}

/// What is local to a process is not its own if another process, or the formula, looks at it.
#[test]
fn remote_references() {
    compared(
        "active proctype A() { bit own; l0: own = 1; l1: own = 0; l2: own = 1 }
         active proctype B() { A@l1; assert(false) }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "active proctype A() { byte own; own = 1; own = 2; own = 3; end: false }
         active proctype B() { (A:own == 2); assert(false) }",
        SAFETY,
        Verdict::Violated,
    );
    let model = "bit x; active proctype A() { byte own; do :: own = 1; l1: own = 2; own = 0 od }
        active proctype B() { x = 1; x = 0 }
        ltl place { [] !(A@l1 && (x == 1)) }
        ltl value { [] !(A:own == 2 && (x == 1)) }";
    compared(model, "place", Verdict::Violated);
    compared(model, "value", Verdict::Violated);
}

/// An atomic sequence that blocks midway loses control there: others see what it has done so far.
/// Taken for one transition that does all or nothing, the states in between are lost.
#[test]
fn atomic_that_blocks_midway() {
    compared(
        "bit x, y; active proctype A() { atomic { x = 1; y == 1; x = 0 } }
         active proctype B() { bit own; own = 1; assert(x == 0); y = 1 }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "chan c = [1] of { bit }; bit x; active proctype A() { atomic { c!1; x = 1; c!1; x = 0 } }
         active proctype B() { bit own; own = 1; (x == 1) -> assert(false) } active proctype C() { bit own; own = 1; c?_; c?_ }",
        SAFETY,
        Verdict::Violated,
    );
    compared(
        "bit x, y; active proctype A() { atomic { x = 1; y == 1; x = 0 } } active proctype B() { bit own; own = 1; y = 1 }
         ltl unseen { [] (x == 0) }",
        "unseen",
        Verdict::Violated,
    );
    // Without a reason to block nobody sees it.
    compared(
        "bit x; active proctype A() { atomic { x = 1; x = 0 } } active proctype B() { bit own; own = 1; own = 0 }
         ltl unseen { [] (x == 0) }",
        "unseen",
        Verdict::Holds,
    );
}

/// `S` creates `A`, `A` creates `B`, and both end, for ever: neither has a cycle, and what is put
/// off along cycles of control only is put off for ever. (A process ends after those that it
/// created: without `S`, there would be ever more of them.)
#[test]
fn processes_that_create_each_other_for_ever() {
    let model = "bit x;
        active proctype W() { bit own; own = 1; x = 1; assert(false) }
        active proctype S() { do :: atomic { _nr_pr == 2 -> run A() } od }
        proctype A() { bit own; own = 1; run B() } proctype B() { bit own; own = 1 }
        ltl done { <> (x == 1) }
        ltl low { [] (x == 0) }
        ltl returns { []<> (_nr_pr == 2) }";
    compared(model, SAFETY, Verdict::Violated);
    compared(model, "done", Verdict::Violated);
    compared(model, "low", Verdict::Violated);
    compared(model, "returns", Verdict::Holds);
    let growing = "bit x;
        active proctype W() { bit own; own = 1; x = 1; assert(false) }
        proctype A() { if :: _nr_pr < 7 -> run B() :: else fi } proctype B() { if :: _nr_pr < 7 -> run A() :: else fi }
        active proctype S() { run A() }
        ltl done { <> (x == 1) }";
    compared(growing, SAFETY, Verdict::Violated);
    compared(growing, "done", Verdict::Holds);
}

/// A guard that goes wrong is a move, and it may go wrong before the condition is asked that is
/// false: `Q` lets it happen although nobody ever makes `x == 0` true.
#[test]
fn a_guard_that_goes_wrong_before_it_is_false() {
    for model in [
        "byte x = 1, y = 1; active proctype Q() { y = 0 } active proctype R() { x = 2 }
         active proctype P() { if :: 10 / y == 1 && x == 0 :: true fi }",
        "byte a[2], i, x = 1; active proctype Q() { i = 5 } active proctype R() { x = 2 }
         active proctype P() { if :: a[i] == 0 && x == 0 :: true fi }",
        "chan c = [1] of { byte }; byte y = 1; active proctype Q() { y = 0 }
         active proctype P() { if :: 10 / y == 1 && len(c) > 0 :: true fi }
         active proctype R() { end: false; c!1 }",
        "chan c = [1] of { byte }; byte y = 1; active proctype Q() { y = 0 }
         active proctype P() { if :: len(c) / y == 1 && y == 7 :: true fi }",
        "chan c[2] = [1] of { byte }; byte i; active proctype Q() { i = 5; i = 0 }
         active proctype R() { c[0]!1; end: false } active proctype P() { c[0]?1; c[0]!2; end: c[i]!1 }",
        // The one that is asked first hides that the other goes wrong, until `Q` has moved.
        "byte x = 1, y, z = 1; active proctype Q() { z = 0; z = 1 } active proctype R() { x = 2 }
         active proctype P() { end: z == 0 && 10 / y == 1 && x == 0 }",
    ] {
        compared(model, SAFETY, Verdict::Violated);
    }
}

/// Two guards that are never true together: one of them may go wrong where the other is true, and
/// who moves first decides about that. In the last two, that the other makes a condition true is
/// what saves it.
#[test]
fn guards_that_contradict_each_other_and_go_wrong() {
    for model in [
        "byte x = 1, y; active proctype P() { skip; end: 10 / y == 1 && x == 0 }
         active proctype Q() { atomic { x == 1 -> y = 1 } }",
        "byte x = 1, y, z; active proctype P() { skip; end: z == 0 && 10 / y == 1 && x == 0 }
         active proctype Q() { atomic { x == 1 -> z = 1 } }",
        "byte z, y; active proctype P() { skip; z == 1 || 10 / y == 1 } active proctype Q() { z = 1 }",
        "byte z, y; active proctype P() { skip; (z == 1 -> 1 : 10 / y) == 1 } active proctype Q() { z = 1 }",
    ] {
        compared(model, SAFETY, Verdict::Violated);
    }
}

/// `Starter` is where it was when it has created `P`: whoever waits for `P` must not take it for
/// one that does not move.
#[test]
fn creating_and_coming_back() {
    for model in [
        "byte n, x; proctype P() { x = 1; end: false }
         active proctype Starter() { end: do :: atomic { n < 1 -> n++; run P() } od }
         active proctype S() { if :: x == 1 -> assert(false) :: true fi; end: false }",
        "chan c = [0] of { byte }; byte n; proctype P() { end: c?1; end2: false }
         active proctype Starter() { end: do :: atomic { n < 1 -> n++; run P() } od }
         active proctype S() { if :: c!1 -> assert(false) :: true fi; end: false }",
    ] {
        compared(model, SAFETY, Verdict::Violated);
    }
}

/// The first `P` never comes to where it receives, and the second does: that a process has gone by
/// a place does not mean that its number never comes there again.
#[test]
fn a_process_that_comes_again() {
    let model = "chan c = [0] of { byte }; byte gen;
        proctype P() { if :: gen == 0 -> gen = 1 :: gen == 1 -> end: c?1 fi }
        active proctype Starter() { end: do :: _nr_pr == 2 -> run P() od }
        active proctype S() { if :: c!1 -> assert(false) :: true fi; end: false }";
    compared(model, SAFETY, Verdict::Violated);
}

/// A process ends only after those that were created after it. Whoever counts processes, or uses a
/// channel that goes with a process, notices in which order they were created: with `C` last, which
/// waits for ever, `B` cannot end. Where nobody notices, creating and ending are independent.
#[test]
fn last_in_first_out_termination() {
    let counted = "byte x; proctype B() { skip } proctype C() { x == 1 }
        active proctype A() { run B() } active proctype D() { run C() }
        active proctype W() { end: _nr_pr == 4 && x == 0 -> x = 2; assert(false) }";
    compared(counted, SAFETY, Verdict::Violated);
    let unnoticed = "byte x; proctype B() { skip } proctype C() { end: x == 1 }
        active proctype A() { run B() } active proctype D() { run C() }
        active proctype W() { end: x == 2 -> assert(false) }
        ltl few { [] (_nr_pr < 5) } ltl ends { <> (_nr_pr == 5) }";
    compared(unnoticed, SAFETY, Verdict::Holds);
    Trap::new(unnoticed, "few", Verdict::Violated).spring();
    Trap::new(unnoticed, "ends", Verdict::Violated).spring();
    let channel =
        "chan to = [1] of { chan }; proctype B() { chan own = [1] of { byte }; to!own } proctype C() { end: false }
        active proctype A() { run B() } active proctype D() { run C() }
        active proctype W() { chan theirs; to?theirs; theirs!1 }";
    compared(channel, SAFETY, Verdict::Violated);
}
