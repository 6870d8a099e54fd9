//! DVE models that are small enough to be counted by hand, one for each rule of the language.

use ample_check::{Choice, Job, LOOPS, Options, Prepared, Verdict, check};
use ample_frontends::{ClaimText, FormulaText, LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_search::{Ended, Limits, StopAt};
use ample_testing::explore;
use ample_transition::FaultKind;

fn load(name: &str, text: &str, options: &LoadOptions) -> Result<Loaded, String> {
    load_text(name, text.to_owned(), options).map_err(|failure| explore::messages(&failure))
}

/// States and transitions, and the kinds of faults.
fn explored(name: &str, text: &str, options: &LoadOptions) -> (u64, u64, Vec<FaultKind>) {
    let loaded = load(name, text, options).unwrap_or_else(|messages| panic!("{messages}\n{text}"));
    let interpreter = Interpreter::new(&loaded.model);
    let outcome = explore::search(&interpreter, "dfs", StopAt::End, &Limits::default());
    assert_eq!(outcome.ended, Ended::Complete);
    let mut faults: Vec<FaultKind> = explore::faults(&outcome).into_iter().map(|(kind, _)| kind).collect();
    faults.dedup();
    (outcome.counts.states, outcome.counts.transitions, faults)
}

#[track_caller]
fn check_counts(text: &str, states: u64, transitions: u64, faults: &[FaultKind]) {
    let found = explored("m.dve", text, &LoadOptions::default());
    assert_eq!(found, (states, transitions, faults.to_vec()), "{text}");
}

/// The verdict on a formula, on both ways of execution.
#[track_caller]
fn check_formula(text: &str, formula: &str, expected: Verdict) {
    let formulas = vec![FormulaText { name: "it".to_owned(), text: formula.to_owned() }];
    check_property("m.dve", text, &LoadOptions { formulas, ..LoadOptions::default() }, "it", expected);
}

#[track_caller]
fn check_property(name: &str, text: &str, options: &LoadOptions, property: &str, expected: Verdict) {
    let loaded = load(name, text, options).unwrap_or_else(|messages| panic!("{messages}\n{text}"));
    let interpreter = Interpreter::new(&loaded.model);
    for execution in ["auto", "interpret"] {
        let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::parse(execution)).unwrap();
        let select = vec![property.to_owned()];
        let job = Job { system: prepared.system(), select, options: Options::default(), loops: LOOPS, progress: None };
        assert_eq!(check(job).unwrap().verdict, expected, "{property} ({execution})\n{text}");
    }
}

const DEADLOCK: &[FaultKind] = &[FaultKind::InvalidEndState];

#[test]
fn a_transition_is_one_step() {
    check_counts(
        "byte x, y; process P { state q; init q; trans q -> q { guard x < 2; effect x = x + 1, y = x * 2; }; } system async;",
        3,
        2,
        DEADLOCK,
    );
    // Each effect sees those before it.
    check_formula(
        "byte x, y; process P { state q; init q; trans q -> q { guard x < 2; effect x = x + 1, y = x * 2; }; } system async;",
        "G(y == 2 * x)",
        Verdict::Holds,
    );
}

#[test]
fn a_source_may_be_left_out() {
    check_counts(
        "process P { state a, b, c; init a; trans a -> b {}, -> c {}, b -> a {}, c -> a {}; } system async;",
        3,
        4,
        &[],
    );
}

#[test]
fn bytes_and_ints_wrap() {
    check_counts(
        "byte x; process P { state q; init q; trans q -> q { effect x = x + 1; }; } system async;",
        256,
        256,
        &[],
    );
    let ints = "int x = 32767; process P { state q, r; init q; trans q -> r { effect x = x + 1; }; } system async;";
    check_formula(ints, "F (x == -32768)", Verdict::Holds);
}

#[test]
fn division_by_zero_and_a_bad_index_are_errors() {
    let errors = [FaultKind::RuntimeError];
    check_counts(
        "byte x; process P { state q; init q; trans q -> q { effect x = 1 / x; }; } system async;",
        1,
        0,
        &errors,
    );
    let index =
        "byte a[2], i = 1; process P { state q; init q; trans q -> q { effect i = i + 1, a[i] = 1; }; } system async;";
    check_counts(index, 1, 0, &errors);
}

#[test]
fn a_guard_of_words() {
    let model = |guard: &str| {
        format!(
            "byte x, y; process P {{ state q, r; init q; trans q -> r {{ guard {guard}; }}, r -> r {{}}; }} system async;"
        )
    };
    for (guard, is_true) in [
        ("x == 1 imply y == 1", true),
        ("x == 0 imply y == 1", false),
        ("(x == 0) -> y == 1", false),
        ("not x == 2", false),
        ("not x and not y", true),
        ("1 | 2 == 2", true),
        ("2 + 3 * 4 == 14 && 7 % 4 << 1 == 6", true),
        ("-1 < 0 && ~0 == -1 && (5 ^ 1) == 4", true),
        ("8 >> 1 & 4", true),
        ("true and false", false),
        ("0 imply 0 imply 0", true),
    ] {
        let states = if is_true { 2 } else { 1 };
        let (transitions, faults) = if is_true { (2, &[][..]) } else { (0, DEADLOCK) };
        check_counts(&model(guard), states, transitions, faults);
    }
}

#[test]
fn commit_states_go_first() {
    check_counts(
        "process A { state a, b, c; init a; commit b; trans a -> b {}, b -> c {}, c -> c {}; }
         process B { state p, q; init p; trans p -> q {}, q -> q {}; }
         system async;",
        6,
        // (a,p) 2, (b,p) 1, (a,q) 2, (c,p) 2, (b,q) 1, (c,q) 2
        10,
        &[],
    );
    // A partner in an ordinary state does not move either.
    check_counts(
        "channel c; process A { state a, b; init a; commit a; trans a -> b { sync c!; }; }
         process B { state p, q; init p; trans p -> q { sync c?; }; } system async;",
        1,
        0,
        DEADLOCK,
    );
}

#[test]
fn a_rendezvous_is_one_step_of_two() {
    let model = "channel c; byte x = 1, y, z;
         process A { state a, b; init a; trans a -> b { guard x == 1; sync c!x + 4; effect z = y * 10 + x, x = 7; }; }
         process B { state p, q; init p; trans p -> q { guard x == 1; sync c?y; effect x = y + 1; }; } system async;";
    check_counts(model, 2, 1, DEADLOCK);
    // The message is stored, then the receiver assigns, then the sender.
    check_formula(model, "F (y == 5 && z == 56 && x == 7)", Verdict::Holds);
    // Both guards are looked at before.
    check_counts(
        "channel c; byte x; process A { state a, b; init a; trans a -> b { sync c!; effect x = 1; }; }
         process B { state p, q; init p; trans p -> q { guard x == 1; sync c?; }; } system async;",
        1,
        0,
        DEADLOCK,
    );
}

#[test]
fn channels_that_hold_messages() {
    let model = "channel {byte, int} c[2];
         process A { state a, b, d; init a; trans a -> b { sync c!{300, -2}; }, b -> d { sync c!{1, 5}; }; }
         process B { byte x; int y; state p; init p; trans p -> p { sync c?{x, y}; }; } system async;";
    // Sent and received: 00 10 11 20 21 22.
    check_counts(model, 6, 6, DEADLOCK);
    check_formula(model, "F (B->x == 44 && B->y == -2)", Verdict::Holds);
    check_formula(model, "F (B.x == 1 && B->y == 5)", Verdict::Holds);
    // A full channel takes nothing.
    check_counts(
        "channel {byte} c[1]; process A { byte n; state a; init a; trans a -> a { guard n < 3; sync c!n; effect n = n + 1; }; } system async;",
        2,
        1,
        DEADLOCK,
    );
}

#[test]
fn a_channel_of_a_process_is_its_own() {
    check_counts(
        "process A { channel c; state a, b; init a; trans a -> b { sync c!; }; }
         process B { channel c; state p, q; init p; trans p -> q { sync c?; }; } system async;",
        1,
        0,
        DEADLOCK,
    );
}

#[test]
fn processes_look_at_each_other() {
    check_counts(
        "process A { byte x; state a, b; init a; trans a -> b { effect x = 3; }, b -> b {}; }
         process B { byte y[2]; state p, q; init p; trans p -> q { guard A.b && A->x == 3; effect y[1] = A->x; }, q -> q {}; }
         system async;",
        3,
        // (a,p) 1, (b,p) 2, (b,q) 2
        5,
        &[],
    );
}

#[test]
fn an_effect_finds_its_process_in_the_new_state() {
    let process = "byte x, y; process P { state a, b; init a; trans a -> b { effect x = P.a, y = P.b; }; }";
    for system in ["async", "sync"] {
        let text = format!("{process} system {system};");
        check_formula(&text, "G(x == 0)", Verdict::Holds);
        check_formula(&text, "F(y == 1)", Verdict::Holds);
    }
}

#[test]
fn processes_that_move_together_go_to_their_new_states_one_by_one() {
    let both = "byte p, q; process P { state a, b; init a; trans a -> b { effect p = Q.c; }; } \
                process Q { state c, d; init c; trans c -> d { effect q = P.b; }; } system sync;";
    check_formula(both, "F(p == 1 && q == 1)", Verdict::Holds);
    // The receiver goes first: it finds the sender where it was, and the sender finds it where it
    // went.
    let message = "byte x, y, z; channel c; process S { state s, t; init s; trans s -> t { sync c!; effect y = R.u, z = S.t; }; } \
                   process R { state r, u; init r; trans r -> u { sync c?; effect x = S.s; }; } system async;";
    check_formula(message, "F(x == 1 && y == 1 && z == 1)", Verdict::Holds);
}

#[test]
fn instances_have_parameters() {
    let text = "input int limit = 2;
        process P(key i, step) { int x; state q; init q; trans q -> q { guard x < limit; effect x = x + step; }; }
        process P(1, 1);
        for (k : 2 .. 3) { process P(k, 2); }
        system async;";
    // The first counts 0, 1, 2; the other two 0, 2.
    check_counts(text, 12, 2 * 4 + 2 * 6, DEADLOCK);
    check_formula(text, "F (P(3)->x == 2)", Verdict::Holds);
    let defines = vec![("limit".to_owned(), "1".to_owned())];
    let found = explored("m.dve", text, &LoadOptions { defines, ..LoadOptions::default() });
    assert_eq!((found.0, found.1), (8, 12));
}

#[test]
fn assertions_are_about_states() {
    let text = |bound: u32| {
        format!(
            "process P {{ byte i; state a; init a; assert a: i < {bound};
             trans a -> a {{ guard i < 5; effect i = i + 1; }}, a -> a {{ guard i == 5; effect i = 0; }}; }} system async;"
        )
    };
    check_counts(&text(6), 6, 6, &[]);
    let (states, _, faults) = explored("m.dve", &text(3), &LoadOptions::default());
    assert_eq!((states, faults), (6, vec![FaultKind::Assertion]));
}

#[test]
fn a_synchronous_system_asserts_too() {
    let text = "process A { byte n; state a; init a; assert a: n < 2; trans a -> a { effect n = (n + 1) % 3; }; }
        process B { state b, c; init b; assert c: A->n == 1; trans b -> c {}, c -> b {}; } system sync;";
    let (states, _, faults) = explored("m.dve", text, &LoadOptions::default());
    assert_eq!((states, faults), (6, vec![FaultKind::Assertion]));
}

#[test]
fn a_synchronous_system_moves_as_one() {
    let text = "byte x;
        process A { byte n; state a0, a1; init a0; trans a0 -> a1 { effect n = 1, x = x + 1; }, a1 -> a0 { effect n = 2, x = 0; }; }
        process B { state b0, b1, b2; init b0; trans b0 -> b1 {}, b1 -> b2 {}, b2 -> b0 { guard A.a0 || A->n == 1; }; }
        system sync;";
    // The first state has n == 0; from then on the states of A and B repeat after six steps.
    check_counts(text, 7, 7, &[]);
    check_formula(text, "G F (A.a1 && B.b0)", Verdict::Holds);
    check_formula(text, "G !(A.a1 && B.b0)", Verdict::Violated);
    check_formula(text, "G (A->n <= 2)", Verdict::Holds);
    // One that cannot move stops all.
    check_counts(
        "process A { state a; init a; trans a -> a {}; } process B { state b; init b; trans b -> b { guard 0; }; } system sync;",
        1,
        0,
        DEADLOCK,
    );
}

const COUNTER: &str = "byte x; process P { state q; init q; trans q -> q { effect x = 1 - x; }; }";

#[test]
fn the_process_of_a_property() {
    let with = |claim: &str| format!("{COUNTER} process C {{ {claim} }} system async property C;");
    let options = LoadOptions::default();
    let check = |claim: &str, expected| check_property("m.dve", &with(claim), &options, "C", expected);
    // Accepted are runs that see x == 1 for ever, from the first state on.
    check("state c; init c; accept c; trans c -> c { guard x == 1; };", Verdict::Holds);
    check("state c, d; init c; accept d; trans c -> d { guard x == 0; }, d -> c { guard x == 1; };", Verdict::Violated);
    // A state without transitions is the end of a claim, but not of one that has matched.
    check("state c, d; init c; accept d; trans c -> d {};", Verdict::Holds);
    let counts = explored("m.dve", &with("state c; init c;"), &options);
    assert_eq!((counts.0, counts.1), (2, 2), "the process of a property is no part of the system");
    let marked =
        format!("{COUNTER} property process C {{ state c; init c; accept c; trans c -> c {{}}; }} system async;");
    check_property("m.dve", &marked, &options, "C", Verdict::Violated);
}

#[test]
fn formulas_of_the_text_and_of_files() {
    let text = format!("{COUNTER} expression one() {{ x == 1 }} property ltl again \"GFone\" system async;");
    check_property("m.dve", &text, &LoadOptions::default(), "again", Verdict::Holds);
    let file = "about x\n#define up (x == 1)\n#property G(up -> Fup)\n#property G up\n";
    let claims = vec![ClaimText { name: "it".to_owned(), path: "it.ltl".into(), text: file.to_owned() }];
    let options = LoadOptions { claims, ..LoadOptions::default() };
    check_property("m.dve", &text, &options, "it", Verdict::Holds);
    check_property("m.dve", &text, &options, "it_2", Verdict::Violated);
    let automaton = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"P.q && x == 0\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
                     --BODY--\nState: 0 {0}\n[0] 0\n--END--\n";
    let claims = vec![ClaimText { name: "hoa".to_owned(), path: "it.hoa".into(), text: automaton.to_owned() }];
    check_property("m.dve", &text, &LoadOptions { claims, ..LoadOptions::default() }, "hoa", Verdict::Holds);
}

#[test]
fn a_template_has_parameters() {
    let text = "default(N, 2) byte x[N];
        define(P, `process P_$1 { state q; init q; trans q -> q { guard x[$1] == 0; effect x[$1] = 1; }; }')
        forloop(i, 0, decr(N), `P(i)')
        system async;";
    assert_eq!(explored("m.mdve", text, &LoadOptions::default()).0, 4);
    let defines = vec![("N".to_owned(), "4".to_owned())];
    assert_eq!(explored("m.mdve", text, &LoadOptions { defines, ..LoadOptions::default() }).0, 16);
}

#[test]
fn the_example_of_a_property_holds() {
    let path = ample_testing::workspace_root().join("examples/ticket-lock.dve");
    let text = std::fs::read_to_string(path).unwrap();
    check_property("m.dve", &text, &LoadOptions::default(), "Starving", Verdict::Holds);
    // Without the order of the tickets it is violated.
    let unfair = text.replace("guard ticket == served", "guard inside == 0");
    check_property("m.dve", &unfair, &LoadOptions::default(), "Starving", Verdict::Violated);
}
