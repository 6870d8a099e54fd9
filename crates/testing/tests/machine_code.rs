//! Machine code against the interpreter, transition by transition: same moves, same states, same
//! faults, same order.
//!
//! On every model of `models/`, every example, random models (`AMPLE_SEEDS=A..B` chooses the seeds)
//! and the corpus, each up to a number of states.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use ample_frontends::{LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_jit::{Compiled, Sizes, Uncompiled};
use ample_network::Packed;
use ample_stdx::Stop;
use ample_testing::machine_code::{self, Tally};
use ample_testing::random::{self, Size};
use ample_testing::{corpus, explore};
use ample_transition::{SuccessorBuffer, Successors};

/// Compares a model, if it can be compiled, and again with its code in pieces.
fn compare_both(loaded: &Loaded, name: &str, tally: &mut Tally) {
    if let Err(what) = machine_code::compare_both(&loaded.model, tally) {
        panic!("{name}: {what}");
    }
}

/// Compares a model, if it can be compiled.
fn compare(loaded: &Loaded, name: &str, sizes: Sizes, tally: &mut Tally) {
    if let Err(what) = machine_code::compare(&loaded.model, sizes, tally) {
        panic!("{name}: {what}");
    }
}

#[test]
fn models_of_the_project() {
    let mut tally = Tally::default();
    for path in explore::models_of_the_project().unwrap() {
        if let Ok(loaded) = explore::load_file(&path) {
            compare_both(&loaded, &path.display().to_string(), &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.compiled * 5 > tally.models * 4, "too few models are compiled: {tally:?}");
}

#[test]
fn random_models() {
    let seeds = random::seeds(0..200).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random::model(seed, Size::default());
        let loaded = explore::load_text(&text).expect("random models are valid");
        compare_both(&loaded, &format!("seed {seed}:\n{text}"), &mut tally);
    }
    println!("{tally:?}");
    assert_eq!(tally.compiled, tally.models, "every random model is compiled");
}

#[test]
fn random_models_of_the_whole_state() {
    let seeds = random::seeds(0..200).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random::whole_state_model(seed, Size::default());
        let loaded = explore::load_text(&text).expect("random models are valid");
        compare_both(&loaded, &format!("seed {seed}:\n{text}"), &mut tally);
    }
    println!("{tally:?}");
    assert_eq!(tally.compiled, tally.models, "every random model is compiled");
}

#[test]
fn random_dve_models() {
    let seeds = random::seeds(0..200).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random::dve_model(seed).text;
        let loaded = load_text("random.dve", text.clone(), &LoadOptions::default());
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
        compare_both(&loaded, &format!("seed {seed}:\n{text}"), &mut tally);
    }
    println!("{tally:?}");
    assert_eq!(tally.compiled, tally.models, "every DVE model is compiled");
}

#[test]
fn models_of_the_corpus() {
    let Some(folder) = corpus::folder() else {
        println!("skipped: the corpus is not beside the checkout");
        return;
    };
    let mut tally = Tally::default();
    for entry in corpus::promela(&folder).expect("the corpus can be read") {
        if let Ok(loaded) = explore::load_file(&entry.path) {
            compare(&loaded, &entry.path.display().to_string(), Sizes::default(), &mut tally);
        }
    }
    println!("{tally:?}");
}

/// The transitions that leave the initial state, with both ways of execution: how many, and whether
/// they were merged.
#[track_caller]
fn first_expansion(text: &str) -> (usize, bool) {
    let loaded = explore::load_text(text).unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
    let interpreter = Interpreter::new(&loaded.model);
    let compiled = Compiled::new(&interpreter).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    compare(&loaded, text, Sizes::default(), &mut Tally::default());
    let mut buffer = SuccessorBuffer::new();
    compiled.expand_all(&compiled.initial().expect("it starts"), &mut buffer);
    assert!(buffer.memory() < 32 << 20, "{} bytes", buffer.memory());
    (buffer.len(), buffer.tally().merged_states == 1)
}

#[test]
fn very_many_ways_through_atomic_are_merged() {
    let ways = |count: u32, choice: &str| {
        format!(
            "byte i, x; bit b; active proctype P() {{ atomic {{ i = 0; do :: i < {count} -> if {choice} fi; i++ :: else -> break od }} }} \
             active proctype Q() {{ b = 1 }}"
        )
    };
    let three = ":: x = x + 1 :: x = x + 2 :: skip";
    // With the only move of the other process: 3^8 ways are counted one by one, 3^9 and more by
    // their ends.
    assert_eq!(first_expansion(&ways(8, three)), (6561 + 1, false));
    assert_eq!(first_expansion(&ways(9, three)), (19 + 1, true));
    assert_eq!(first_expansion(&ways(16, three)), (33 + 1, true));
    // Ends at which something went wrong on the way are others. Once it did, it did.
    assert_eq!(first_expansion(&ways(16, ":: x = x + 1 :: x = x + 1; assert(x != 3)")), (1 + 1 + 1, true));
    // 26 ends, and 28 states in which the sequence blocks.
    assert_eq!(first_expansion(&ways(16, ":: x = x + 1 :: x = x + 2; x < 20 :: skip")), (26 + 28 + 1, true));
}

/// A small model that must be compiled, compared on all its states; gives how many of them do not
/// fit the network.
fn check(text: &str) -> usize {
    let loaded = explore::load_text(text).unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
    let interpreter = Interpreter::new(&loaded.model);
    let compiled = Compiled::new(&interpreter).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    compare_both(&loaded, text, &mut Tally::default());
    let initial = compiled.initial().expect("it starts");
    let (mut seen, mut open) = (HashSet::from([initial.clone()]), vec![initial]);
    let mut buffer = SuccessorBuffer::new();
    let mut strange = 0;
    while let Some(state) = open.pop() {
        strange += usize::from(!compiled.fits(state.len()));
        assert_eq!(state.len() % 8, 0, "states are cut into words");
        buffer.clear();
        compiled.expand_all(&state, &mut buffer);
        for next in buffer.iter().filter_map(|successor| successor.state) {
            if seen.len() < machine_code::MAX_STATES && seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
    }
    strange
}

#[test]
fn sorted_sends_and_messages_from_the_middle() {
    let strange = check(
        "chan q = [3] of { byte, short };
         active proctype sender() { byte n; do :: n < 4 -> q!!(7 * n) % 4, n - 2; n++ :: n == 4 -> break od }
         active proctype receiver() { short s; byte b = 1;
            do :: q??b,s :: q??eval(b),s -> b = b + 1 :: q?[2, _] -> b = 2 :: q??[3, _] -> b = 3 :: q?<b, s> od }",
    );
    assert_eq!(strange, 0);
    check(
        "chan q = [40] of { int };
         active proctype sender() { int n; do :: n < 5 -> q!n; n++ :: else -> break od }
         active proctype receiver() { int n; do :: q?n :: q??3 od }",
    );
}

#[test]
fn channels_computed_at_run_time() {
    check(
        "chan q[3] = [2] of { byte }; chan big = [1] of { byte, byte }; chan now; byte i, seen;
         active proctype A() { do :: i = (i + 1) % 3 :: q[i]!i :: now = q[i] :: now = big :: now?seen od }
         active proctype B() { byte x; do :: nempty(q[i]) && len(q[i]) > 1 -> q[i]?x :: full(q[2]) -> q[2]?x
            :: q[i]?[1] -> x = len(now) od }",
    );
    check(
        "chan q[2] = [0] of { byte }; byte i, got;
         active proctype S() { do :: q[i]!3 :: i = 1 - i od }
         active proctype R() { byte own = 1; do :: q[own]?got :: own = 1 - own :: atomic { q[1]?got; got = 0; got++ } od }",
    );
}

#[test]
fn claims_and_hidden_variables() {
    check(
        "hidden byte unseen; chan q = [1] of { byte }; chan r = [1] of { byte };
         active proctype A() { xs q; byte n; do :: q!n; n = 1 - n; unseen++ :: nfull(q) -> skip od }
         active proctype B() { xr q; byte n; do :: q?n :: r!n od }
         active proctype C() { byte n; do :: r?n :: r?1 -> q!n :: len(q) == 1 && n == 1 -> n = 0 od }",
    );
}

#[test]
fn a_new_process_has_its_claims_at_once() {
    check("chan q = [1] of { byte }; proctype P(byte x) { xs q; q!x } init { run P(len(q)); q?_ }");
}

#[test]
fn what_never_changes_is_no_part_of_the_state() {
    check(
        "typedef P { byte fixed; byte free }; byte table[4] = 5; P pairs[2]; byte i; chan c[2] = [1] of { byte };
         proctype A(byte id; chan out) { byte own[2] = 3;
            do :: i < 3 -> i = i + table[i] / 5 :: out!own[i % 2] :: pairs[i % 2].free = id + pairs[1].fixed
            :: c[id]?i :: i > 2 -> i = 0 od }
         init { atomic { run A(0, c[1]); run A(1, c[0]) } }",
    );
}

#[test]
fn remote_references() {
    check(
        "byte k; bool b;
         active [2] proctype A() { byte x; do :: x < 2 -> x++ :: x > 0 -> x-- :: progress: x == 2 -> x = 0 od }
         active proctype B() { do :: b = (A[k]:x == 1) :: b = A[0]@progress :: k = 1 - k :: b = (pc_value(k) > 2)
            :: A[1]:x == A[0]:x -> b = true :: d_step { A[k]:x == 1; b = !b; k = 0 } od }",
    );
}

#[test]
fn processes_that_come_and_go() {
    // Ends before the last one is created; created by choice; several creators; created ones
    // create.
    check(
        "byte n; proctype A(byte x) { n = n + x } proctype B(byte x) { n = n - x; n = n + x }
         init { run A(1); run B(2); run A(3); (n >= 2); run B(1) }",
    );
    check(
        "byte n; proctype A(byte x) { n = x; n = 0 } proctype B(short s; byte y) { byte z = y; z++; n = z }
         init { do :: _nr_pr < 4 -> if :: run A(1) :: run B(-3, 2) :: run A(2) fi :: _nr_pr > 2 -> skip od }",
    );
    check(
        "chan c = [1] of { byte }; proctype leaf(byte x) { c!x } proctype node(byte x) { run leaf(x); run leaf(x + 1) }
         active proctype one() { run node(1); run leaf(9) } active proctype two() { byte x; do :: c?x od }",
    );
    check(
        "proctype sieve(chan left; byte prime) { chan right = [0] of { byte }; byte n; bool more;
            do :: left?n -> if :: n % prime == 0 :: else -> if :: more -> right!n :: else -> more = true; run sieve(right, n) fi fi
            od }
         chan root = [0] of { byte };
         init { byte n = 3; run sieve(root, 2); do :: n < 8 -> root!n; n++ :: else -> break od }",
    );
}

#[test]
fn what_was_not_expected_keeps_the_form_of_the_interpreter() {
    // No run is long enough to see the second kind of process, so its states do not fit the
    // network.
    let strange = check(
        "short n; proctype early(byte x) { x = 0 } proctype late(byte x) { x = 1 }
         init { do :: n < 300 -> n++ :: n == 300 -> break od; if :: run late(1) :: run early(2) fi }",
    );
    assert!(strange > 0, "the guess was better than this test wants");
}

#[test]
fn atomic_sequences_in_one_go() {
    check(
        "byte x, y; chan q = [1] of { byte };
         active proctype A() { do :: atomic { x < 3; x++; y = x; q!y; x = x - y; if :: y > 1 -> y-- :: else -> skip fi; y++ }
            :: d_step { y > 2; y = 0; q?x } :: atomic { y = 1; d_step { nempty(q); q?_ }; x = 2 } od }
         active proctype B() { do :: q?x :: atomic { timeout; x = 0; y = 0 } :: atomic { else; x = 1 } od }",
    );
}

/// Every state without a fault is expanded by code, whole and in pieces.
#[track_caller]
fn all_by_code(text: &str) {
    let loaded = explore::load_text(text).unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)));
    for sizes in [Sizes::default(), machine_code::PIECES] {
        let mut tally = Tally::default();
        compare(&loaded, text, sizes, &mut tally);
        assert_eq!(tally.by_code + tally.faulty, tally.states, "{tally:?}: {text}");
        assert!(tally.states > 1, "{tally:?}: {text}");
    }
}

#[test]
fn quotients_of_all_signs_are_made_by_code() {
    for divisor in ["-1", "-2", "1", "3"] {
        all_by_code(&format!(
            "int a = 7, q, r; active proctype p() {{
                 int d = {divisor};
                 do :: a = -2147483647 - 1 :: a = 7 :: a = -7 :: q = a / d; r = a % d :: d = 0 - d od }}"
        ));
    }
}

#[test]
fn long_chains_are_made_by_code() {
    all_by_code(
        "byte x; active proctype p() { int i; do :: atomic { for (i : 0 .. 9999) { if :: i % 2 == 0 -> x = 1 :: else fi } } od }
         active proctype q() { do :: x = 0 od }",
    );
}

#[test]
fn handshakes_inside_atomic_are_made_by_code() {
    let senders = [
        "c!n",
        "atomic { n < 3; c!n; n++ }",
        "atomic { c!n; c!n }",
        "atomic { if :: c!n; n = 2 :: d!n; n = 1 fi; c!1 }",
        "atomic { n++; d!n; n-- }",
        "atomic { d_step { n < 3; n++ }; c!n; d_step { n = 0 } }",
        "{ c!1; n = 2 } unless { n == 3; c!3; n = 0 }",
    ];
    let receivers = [
        "c?m",
        "d?m",
        "atomic { c?m; k = m }",
        "atomic { c?m; c?m }",
        "atomic { c?m; d!m; k++ }",
        "atomic { if :: c?m :: d?m fi; k = 1 - k; c?m }",
        "d_step { c?m; k = m }",
        "{ c?m; k = 1 } unless { d?m; k = 0 }",
    ];
    for sender in senders {
        for receiver in receivers {
            all_by_code(&format!(
                "chan c = [0] of {{ byte }}, d = [0] of {{ byte }}; byte n;
                 active [2] proctype p() {{ do :: {sender} od }}
                 active proctype q() {{ byte m, k; do :: {receiver} od }}
                 active proctype r() {{ byte m; do :: c?m; n = 0 :: d?m :: c!2 od }}"
            ));
        }
    }
}

/// What machine code must execute without the interpreter, by name: declarations, and processes.
const CONSTRUCTS: &[(&str, &str)] = &[
    (
        "a handshake that blocks halfway",
        "chan c = [0] of { byte }; byte n, m;
         active [2] proctype p() { do :: atomic { n < 2; n++; c!n; n = 0; c!7; n-- } od }
         active proctype q() { do :: atomic { c?m; m != 7; c?m; m = 0 } :: m == 7 -> m = 1 od }",
    ),
    (
        "handshakes in a row between atomic sequences",
        "chan c = [0] of { byte }, d = [0] of { byte }; byte x, y;
         active proctype p() { do :: atomic { x = 1; c!x; d?x; c!x + 1; x = 0 } od }
         active proctype q() { do :: atomic { c?y; d!y + 1; c?y; y = 0 } od }
         active proctype r() { do :: atomic { c?y; y = 9; d!y } :: y == 9 -> y = 0 od }",
    ),
    (
        "a handshake that begins a d_step, in atomic",
        "chan c = [0] of { byte }; byte x, y;
         active proctype p() { do :: atomic { x++; c!x; d_step { x > 2; x = 0 } } od }
         active proctype q() { do :: atomic { y = 0; d_step { c?y; y = y + 1; y = y * 2 }; y-- } od }",
    ),
    (
        "d_step with choices, loops and channels",
        "chan c = [2] of { byte }; byte x, i;
         active proctype p() { do :: d_step { x < 4; x++; if :: x > 2 -> x = 0 :: else -> skip fi; i = 0; do :: i < 3 -> i++ :: else -> break od }
            :: d_step { nfull(c); c!x; if :: c??[2] -> c??2 :: else fi } :: c?x od }",
    ),
    (
        "channels computed at run time inside d_step",
        "chan q[2] = [2] of { byte }; chan one = [1] of { byte, byte }; chan now; byte i, x, y;
         active proctype p() { now = q[0]; do :: d_step { nfull(q[i]); q[i]!i; i = 1 - i } :: d_step { q[i]?x; now = q[1 - i] }
            :: d_step { now?x; y = x } :: one!x,i :: d_step { one?x,y; now = q[0] } od }",
    ),
    (
        "sorted sends and random receives",
        "chan c = [3] of { byte, bit }; byte n, k; bit b;
         active proctype p() { do :: c!!(3 * n) % 4,b; n = (n + 1) % 4 :: atomic { c!!n,0; b = 1 - b } od }
         active proctype q() { do :: c??2,b :: c??eval(k),b :: k = 1 - k :: c?<n,b> :: c??<1,b> :: atomic { c??3,_; k = 0 } od }",
    ),
    (
        "a computed channel that may be without room, and its partners",
        "chan q[2] = [0] of { byte }; chan r = [1] of { byte }; chan now; byte i, got;
         active proctype s() { now = r; do :: now!i :: now = q[i] :: now = r :: i = 1 - i :: atomic { q[i]!2; i = 0 } od }
         active proctype t() { do :: now?got :: q[1 - i]?got :: atomic { q[i]?got; got++ } :: r??0 od }",
    ),
    (
        "provided",
        "chan c = [0] of { byte }; bool stop; byte n;
         active proctype p() provided (!stop) { do :: c!n :: n = 1 - n :: atomic { n = 0; c!1; n = 1 } od }
         active proctype q() provided (n != 1 || _nr_pr == 3) { byte x; do :: c?x :: atomic { c?x; x = 0 } od }
         active proctype r() { do :: stop = !stop od }",
    ),
    (
        "provided that asks where a process is",
        "chan c = [0] of { byte }; byte n;
         active proctype p() { do :: n = 0; there: c!n; n = 1 :: n++; n = 0 od }
         active proctype q() provided (!p[0]@there || n == 0) { byte x; do :: c?x :: d_step { c?x; x = 2 } :: x = 0 od }",
    ),
    (
        "unless around handshakes, sorted sends and random receives",
        "chan c = [0] of { byte }, d = [2] of { byte }; byte n;
         active proctype p() { byte k; do :: { c!1; d!!k; k = 1 - k } unless { d??1; k = 0 } :: n = 1 - n od }
         active proctype q() { byte x; do :: { c?x; atomic { d!!2; x = 1 } } unless { atomic { n == 1; c?x } } :: d?x od }",
    ),
    (
        "unless around unless, atomic and d_step",
        "byte x, y; chan c = [1] of { byte };
         active proctype p() { do :: { { x++; c!x; x = 0 } unless { atomic { c?y; y = 0 } } } unless { d_step { x == 2; x = 0; y = 3 } } od }
         active proctype q() { do :: c!1 :: c?y :: x = 2 od }",
    ),
    (
        "a trace assertion",
        "chan c = [1] of { byte }, d = [0] of { byte }; byte x, g = 1;
         trace { do :: c!1; c?_ :: c!2; d!_; d?eval(g); c?2 od }
         active proctype p() { do :: atomic { c!2; d!1 } :: c!1 od }
         active proctype q() { do :: c?1 :: atomic { d?x; c?x } od }
         active proctype r() { do :: x = 0 od }",
    ),
    (
        "a notrace assertion",
        "chan c[2] = [1] of { byte, byte }; byte x, i;
         notrace { c[0]!1,_; c[1]?_,2; if :: c[0]!1,1 :: c[1]!_ fi; c[0]?3,3 }
         active proctype p() { do :: c[i]!i,1 :: c[i]!!1,2 :: i = 1 - i od }
         active proctype q() { do :: c[i]?x,_ :: d_step { c[1 - i]??1,x; x = 0 } :: c[0]?<x,x> od }",
    ),
    (
        "a trace assertion about channels of changing number",
        "chan c = [1] of { byte }, d = [1] of { byte }; chan w; byte x;
         notrace { byte k = 2; w!2; w?eval(k); w!1; w?_ }
         active proctype p() { w = c; do :: w = d :: w = c :: c!2 :: c?x :: d!1 :: d?x od }",
    ),
    (
        "priorities that never change",
        "chan c = [1] of { byte }; byte n;
         active proctype p() priority 1 { byte k; do :: n = 1 - n :: c?k :: atomic { n = 0; n = 1; c!1; n = 0 } od }
         active proctype q() priority 3 { do :: n == 1 -> n = 0 :: c??1 -> n = 1 :: d_step { n == 0 && full(c); n = 1 } od }
         active [2] proctype r() priority 2 provided (n == 0) { do :: nempty(c) -> c?n :: timeout -> c!0 :: c!1 od }",
    ),
    (
        "priorities that change",
        "byte n, m;
         active proctype p() { do :: n < 2 -> n++; set_priority(1, n) :: m = get_priority(1) :: set_priority(_pid, 2); m = 0; _priority = 1; n = 0 od }
         active proctype q() priority 2 { do :: atomic { n == 1; n = 0; _priority = 3; m = 1 } :: m != _priority -> m = _priority :: _priority = 1; n = 2 od }
         active proctype r() { do :: set_priority(7, 0); n = 0 :: m = get_priority(9) od }",
    ),
    (
        "processes that are created with several priorities",
        "byte n; proctype p(byte x) { n = x; n = 0 } proctype q() { n = 5; n = get_priority(_pid) }
         init { run p(1) priority 2; atomic { run p(2); run q() priority 3 }; n = 9; run q(); n = 0 }",
    ),
    (
        "priorities and handshakes",
        "chan c = [0] of { byte }; byte n;
         active proctype p() { do :: c!n :: n = 1 - n :: atomic { c!1; n = 0 } od }
         active [2] proctype q() priority 2 { byte x; do :: c?1 :: n == 2 -> n = 0 od }
         active proctype r() priority 3 { byte x; do :: c?eval(n) -> x = 1 :: d_step { c?0; n = 1 } :: atomic { c?x; x = 0; n = 0 } od }
         active proctype s() provided (n == 0) { do :: c?_ od }",
    ),
    (
        "enabled()",
        "chan c = [1] of { byte }; byte n; bool b;
         active proctype p() { do :: n < 2 -> n++ :: c!n :: atomic { n == 2; n = 0; b = enabled(1) } od }
         active proctype q() { do :: c?1 :: d_step { full(c); c?_; b = enabled(0) } :: n == 2 && enabled(0) -> b = 0 od }
         active proctype r() { do :: enabled(n) && !enabled(1) -> b = 1 :: b = enabled(7) :: enabled(1) -> b = 0 od }",
    ),
    (
        "enabled() and handshakes",
        "chan c = [0] of { byte }; byte n; bool b;
         active proctype p() { do :: c!n :: n = 1 - n od }
         active proctype q() { do :: c?0 :: enabled(0) -> b = enabled(2) :: c?1 od }
         active proctype r() { do :: n == 1 && enabled(1) -> b = 0 :: atomic { c?n; b = enabled(0) } od }",
    ),
    (
        "creation inside atomic",
        "byte n; chan c = [0] of { byte }; proctype p(byte x) { c!x; n = n + x } proctype q() { byte x; do :: c?x :: n > 5 -> n = 0 od }
         init { byte i; atomic { run q(); i = 1; do :: i < 3 -> run p(i); i++ :: else -> break od; n = _nr_pr } }",
    ),
    (
        "creation that others influence",
        "byte n; proctype w(byte x) { n = x; n = 0 }
         active proctype p() { do :: n = 1 :: n = 0 od }
         active proctype q() { do :: n == 1 && _nr_pr < 4 -> run w(2) :: n == 0 && _nr_pr < 4 -> atomic { run w(3); n = 1 } od }",
    ),
    (
        "remote references",
        "byte k; bool b; chan c = [0] of { byte };
         active [2] proctype p() { byte x; do :: x < 2 -> x++ :: at: c!x; x = 0 :: x > 0 -> x-- od }
         active proctype q() { byte y; do :: b = (p[k]:x == 1) :: c?eval(p[1]:x) :: p[k]@at -> k = 1 - k :: atomic { c?y; b = p[0]@at; y = 0 } od }",
    ),
    (
        "timeout in handshakes, escapes and provided clauses",
        "chan c = [0] of { byte }; byte n;
         active proctype p() { do :: n < 2 -> n++ :: { n == 3; n = 0 } unless { timeout; c!n } od }
         active proctype q() provided (n > 1 || timeout) { byte x; do :: atomic { c?x; n = 3 } :: atomic { timeout; n = 0 } od }",
    ),
    (
        "a process that must be deterministic",
        "chan c = [0] of { byte }; byte n;
         D_proctype d() { byte x; do :: n == 0 -> c!1; n = 1 :: n == 1 -> atomic { c?x; n = 2 } :: n == 2 -> n = 0 od }
         active proctype e() { byte x; do :: c?x :: c!2 od }
         init { run d() }",
    ),
    (
        "several that receive from a process that must be deterministic",
        "chan c = [0] of { byte }; byte n;
         active D_proctype d() { do :: n == 0 -> c!1; n = 1 :: n == 1 -> c!2; n = 0 od }
         active [2] proctype e() { byte x; do :: c?x :: atomic { c?1; x = 0 } od }",
    ),
    (
        "who moved last",
        "chan c = [0] of { byte }; byte n, who;
         active proctype p() { do :: c!n; who = _last :: n = 1 - n od }
         active proctype q() { byte x; do :: atomic { c?x; who = _last } :: d_step { c?eval(_last); who = _last } :: _last == 0 -> who = 9 od }",
    ),
];

#[test]
fn every_construct_is_executed_by_code() {
    for (name, text) in CONSTRUCTS {
        let loaded =
            explore::load_text(text).unwrap_or_else(|failure| panic!("{name}: {}", explore::messages(&failure)));
        for sizes in [Sizes::default(), machine_code::PIECES] {
            let mut tally = Tally::default();
            compare(&loaded, name, sizes, &mut tally);
            println!("{name}: {tally:?}");
            assert_eq!(tally.by_code + tally.faulty, tally.states, "{name}: {tally:?}");
            assert!(tally.by_code > 3, "{name}: {tally:?}");
        }
    }
}

#[test]
fn a_receiver_that_would_use_a_channel_that_is_gone() {
    check(
        "chan r = [0] of { byte }; chan g = [1] of { byte }; chan saved; byte x, y;
         proctype O() { chan c = [1] of { byte }; saved = c }
         active proctype R() { if :: g?x :: r?y fi; end: false }
         init { run O(); (_nr_pr == 2); atomic { g = saved; r!1 }; end: false }",
    );
}

#[test]
fn who_moved_last_inside_a_step_that_begins_with_a_receive() {
    check(
        "chan r = [0] of { byte }; byte y, z = 9; active proctype S() { r!1 }
         active proctype D() { byte x; d_step { r?x; y = _last; z = _last }; assert(y == 1 && z == 1) }",
    );
}

#[test]
fn process_numbers_that_do_not_fit_are_interpreted() {
    let loaded = explore::load_text("active proctype P() { skip }").unwrap_or_else(|_| panic!("it is a model"));
    let interpreter = Interpreter::with_max_processes(&loaded.model, 256);
    assert!(Packed::new(&interpreter).is_err() && Compiled::new(&interpreter).is_err());
    let interpreter = Interpreter::with_max_processes(&loaded.model, 255);
    assert!(Packed::new(&interpreter).is_ok() && Compiled::new(&interpreter).is_ok());
}

#[test]
fn a_search_changes_over_to_machine_code_in_its_midst() {
    let text = "chan c = [1] of { byte }; active [2] proctype P() { byte x; do :: c!x :: c?x; x++ :: atomic { x > 3 -> x = 0 } od }";
    let loaded = explore::load_text(text).unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)));
    let interpreter = Interpreter::new(&loaded.model);
    let uncompiled = || {
        let packed = Packed::new(&interpreter).unwrap_or_else(|reason| panic!("{reason}"));
        Uncompiled::new(Arc::new(packed), Sizes::default()).unwrap_or_else(|reason| panic!("{reason}"))
    };
    let lazy = uncompiled().after(10, &Stop::default());
    let compiled = uncompiled().compile(&Stop::default()).unwrap_or_else(|reason| panic!("{reason}"));
    let initial = lazy.initial().expect("it starts");
    let (mut seen, mut open) = (HashSet::from([initial.clone()]), vec![initial]);
    let [mut late, mut code] = [(); 2].map(|()| SuccessorBuffer::new());
    for number in 0.. {
        let Some(state) = open.pop() else { break };
        assert_eq!(lazy.is_compiled(), number >= 10, "after ten states it is compiled");
        late.clear();
        lazy.expand_all(&state, &mut late);
        code.clear();
        compiled.expand_all(&state, &mut code);
        let steps = |buffer: &SuccessorBuffer| {
            buffer.iter().map(|step| (step.moves.to_vec(), step.state.map(<[u8]>::to_vec))).collect::<Vec<_>>()
        };
        assert_eq!(steps(&late), steps(&code));
        let next = code.iter().filter_map(|step| step.state.map(<[u8]>::to_vec));
        open.extend(next.filter(|next| seen.insert(next.clone())));
    }
    assert!(lazy.why_interpreted().is_none() && seen.len() > 20);
}

#[test]
fn compiling_stops_when_it_is_time() {
    let loaded = explore::load_text("active proctype P() { skip }").unwrap_or_else(|_| panic!("it is a model"));
    let interpreter = Interpreter::new(&loaded.model);
    let uncompiled = || Uncompiled::new(Arc::new(Packed::new(&interpreter).expect("a network")), Sizes::default());
    let interrupted = Stop::new(Arc::new(true.into()), None);
    let late = Stop::new(Arc::default(), Some(Instant::now()));
    for (stop, why) in [(interrupted, "it was interrupted"), (late, "the time limit was reached")] {
        let reason = uncompiled().and_then(|model| model.compile(&stop)).err().expect("it is given up");
        assert_eq!(reason.to_string(), format!("{why} before its machine code was finished"));
        let lazy = uncompiled().expect("it can be compiled").after(1, &stop);
        let initial = lazy.initial().expect("it starts");
        lazy.expand_all(&initial, &mut SuccessorBuffer::new());
        assert!(!lazy.is_compiled() && lazy.why_interpreted().is_some(), "it is interpreted to the end");
    }
}
