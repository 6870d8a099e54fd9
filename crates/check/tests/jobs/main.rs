//! Jobs on a small system: which properties are checked, what the verdicts are, and what is
//! refused.

mod counter;

use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ample_check::{
    Choice, Fairness, Job, LOOPS, Options, Reduce, System, Unpack, Verdict, check, default_max_memory, explore,
};
use ample_model::{EdgeId, TemplateId};
use ample_search::{Ended, Limits, Snapshot, StopAt};
use ample_stdx::TypedId;
use ample_transition::{Fault, SuccessorBuffer, Successors};
use counter::{Counter, FINE, Judge, STUCK, WRONG, ask, run, text};

#[test]
fn without_a_name_safety_is_checked_and_then_every_property() {
    let outcome = ask(&FINE, &[], Options::default()).unwrap();
    assert_eq!(
        text(&outcome),
        "\
violated
safety safety holds, -, no error missed; no false error, 10 states
ltl end holds, -, no error missed; no false error, 10 states
ltl more violated, `more` does not hold on this run, errors may be missed: the search stopped at the first one; no false error, 10 states
"
    );
    assert_eq!(outcome.last_run().unwrap().name, "more");
    assert_eq!(outcome.decisive().unwrap().name, "more");
    let trace = &outcome.properties[2].violations[0].trace;
    assert_eq!((trace.transitions.len(), trace.cycle), (9, Some(9)), "it stays where nothing can move");
}

#[test]
fn each_built_in_set_looks_for_its_own_faults() {
    let verdict = |counter, name| ask(counter, &[name], Options::default()).unwrap().verdict;
    for (name, wrong, stuck) in [
        ("assertions", Verdict::Violated, Verdict::Holds),
        ("end-states", Verdict::Holds, Verdict::Violated),
        ("safety", Verdict::Violated, Verdict::Violated),
        ("exclusive", Verdict::Holds, Verdict::Holds),
    ] {
        assert_eq!((verdict(&WRONG, name), verdict(&STUCK, name)), (wrong, stuck), "{name}");
        assert_eq!(verdict(&FINE, name), Verdict::Holds);
    }
}

#[test]
fn a_violation_comes_with_its_trace_and_reason() {
    for order in ["dfs", "bfs"] {
        let options = Options { order: Choice::parse(order), ..Options::default() };
        let outcome = ask(&WRONG, &["safety"], options).unwrap();
        let property = &outcome.properties[0];
        assert_eq!(property.reason.as_deref(), Some("assertion at 4"));
        assert_eq!(property.violations[0].trace.transitions.len(), 5);
        assert_eq!(property.ended, Some(Ended::FirstViolation));
        assert!(property.peak_memory_bytes > 0);
    }
}

#[test]
fn going_on_finds_them_all() {
    let both = Counter { stuck: true, ..WRONG };
    let options = Options { stop_at: StopAt::End, ..Options::default() };
    let outcome = ask(&both, &["safety"], options).unwrap();
    assert_eq!(outcome.properties[0].violations.len(), 2);
    assert_eq!(outcome.properties[0].counts.states, 10);
    assert_eq!(outcome.properties[0].ended, Some(Ended::Complete));
}

#[test]
fn a_bound_makes_it_unknown_and_says_which() {
    let limited = |limits| {
        let options = Options { limits, ..Options::default() };
        text(&ask(&FINE, &["safety"], options).unwrap())
    };
    assert_eq!(
        limited(Limits { max_states: Some(3), ..Limits::default() }),
        "unknown\nsafety safety unknown, the limit on states was reached (3 states), \
         errors may be missed: the limit on states was reached; no false error, 3 states\n"
    );
    assert_eq!(
        limited(Limits { max_depth: Some(1), ..Limits::default() }),
        "unknown\nsafety safety unknown, the depth limit was reached (1 transition), \
         errors may be missed: the depth limit was reached; no false error, 2 states\n"
    );
    assert_eq!(
        limited(Limits { max_memory: Some(1000), ..Limits::default() }),
        "unknown\nsafety safety unknown, the memory limit was reached (1000 bytes), \
         errors may be missed: the memory limit was reached; no false error, 0 states\n"
    );
    let limits = Limits::default();
    limits.interrupt.store(true, Ordering::Relaxed);
    assert_eq!(
        limited(limits),
        "unknown\nsafety safety unknown, the search was interrupted, \
         errors may be missed: the search was interrupted; no false error, 1 states\n"
    );
}

#[test]
fn a_violation_found_before_the_bound_counts() {
    let limits = Limits { max_states: Some(7), ..Limits::default() };
    let outcome = ask(&WRONG, &["safety"], Options { limits, stop_at: StopAt::End, ..Options::default() }).unwrap();
    assert_eq!(outcome.verdict, Verdict::Violated);
    assert!(outcome.properties[0].guarantee.to_string().starts_with("errors may be missed"));
}

#[test]
fn a_counterexample_that_does_not_replay_is_our_error() {
    let error = run(&WRONG, Judge(Err("step 3 differs")), &["safety"], Options::default()).unwrap_err();
    assert!(error.is_internal());
    assert_eq!(
        error.to_string(),
        "the counterexample for `safety` (assertion at 4) could not be replayed: step 3 differs"
    );
}

#[test]
fn what_does_not_exist_is_refused_by_name() {
    let refuse = |names: &[&str], options| {
        let error = ask(&FINE, names, options).unwrap_err();
        assert!(!error.is_internal());
        error.to_string()
    };
    let plain = Options::default;
    assert_eq!(refuse(&["saftey"], plain()), "no property named `saftey`; did you mean `safety`?");
    assert_eq!(refuse(&["moer"], plain()), "no property named `moer`; did you mean `more`?");
    assert_eq!(
        refuse(&["xyzzy"], plain()),
        "no property named `xyzzy`; there is assertions, end-states, safety, exclusive, progress, accept, end, more"
    );
    let order = Options { order: Choice::parse("bfs"), ..plain() };
    let none = "no property asks for a search for faults";
    assert_eq!(refuse(&["end"], order), format!("--order bfs does not apply: {none}"));
    let order = Options { order: Choice::parse("bfs"), emptiness: Choice::parse("ndfs"), ..plain() };
    assert_eq!(refuse(&["end"], order), format!("--order bfs does not apply: {none}"));
    let none = "no property is about infinite runs";
    let emptiness = Options { emptiness: Choice::parse("ndfs"), ..plain() };
    assert_eq!(refuse(&["safety"], emptiness.clone()), format!("--emptiness ndfs does not apply: {none}"));
    let fair = Options { fairness: Fairness::Weak, ..plain() };
    assert_eq!(refuse(&["safety"], fair), format!("--fair weak does not apply: {none}"));
    let fair = Options { fairness: Fairness::Weak, ..emptiness.clone() };
    assert!(refuse(&["end"], fair).starts_with("--emptiness ndfs does not go with --fair weak: "));
    let threads = Options { threads: Some(2), ..emptiness };
    assert!(refuse(&["end"], threads).starts_with("--emptiness ndfs runs on one thread: "));
    let emptiness = Options { emptiness: Choice::parse("nfds"), ..plain() };
    assert_eq!(refuse(&["end"], emptiness), "no emptiness algorithm named `nfds`; did you mean `ndfs`?");
    let order = Options { order: Choice::parse("dsf"), ..plain() };
    assert_eq!(refuse(&[], order), "no order named `dsf`; did you mean `dfs`?");
    let store = Options { store: Choice::parse("cuckoo"), ..plain() };
    assert_eq!(refuse(&[], store), "no store named `cuckoo`; there is collapse, tree, exact, compact, bitstate");
    let reduce = Options { reduce: Reduce::parse("por,glue"), ..plain() };
    assert_eq!(
        refuse(&[], reduce),
        "no reduction named `glue`; there is por, program-counters, slice, dead, merge, sleep, dead-globals, symmetry, symmetry-sort, values, linear, dominate, doomed, boring"
    );
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refuse = |options| ask(&FINE, &["safety"], options).unwrap_err().to_string();
    let order = |name| Options { order: Choice::parse(name), ..Options::default() };
    let threads = |name, threads| Options { threads: Some(threads), ..order(name) };
    let depth = |name| Options { limits: Limits { max_depth: Some(3), ..Limits::default() }, ..order(name) };
    assert_eq!(refuse(threads("dfs", 2)), "--order dfs runs on one thread: use bfs, or leave out --threads");
    assert_eq!(refuse(depth("blocks")), "--max-depth does not go with --order blocks: use bfs or dfs");
    for options in
        [threads("dfs", 1), threads("bfs", 8), threads("blocks", 8), depth("dfs"), depth("bfs"), depth("auto")]
    {
        ask(&FINE, &["safety"], options).unwrap();
    }
}

#[test]
fn the_run_says_how_it_was_made() {
    let run = |options| ask(&FINE, &["safety"], options).unwrap().properties.remove(0).run.unwrap();
    let cores = std::thread::available_parallelism().unwrap().get();
    let plain = run(Options::default());
    assert_eq!((plain.order, plain.store, plain.threads), ("blocks", "collapse", cores));
    assert_eq!(plain.omission_probability, None);
    assert!(plain.store_memory > 0);
    let chosen = run(Options {
        order: Choice::parse("bfs"),
        store: Choice::parse("compact"),
        threads: Some(3),
        ..Options::default()
    });
    assert_eq!((chosen.order, chosen.store, chosen.threads), ("bfs", "compact", 3));
    assert!(chosen.omission_probability.unwrap() < 1e-6);
    // Where depth is limited, an order that knows it is chosen.
    let limits = Limits { max_depth: Some(3), ..Limits::default() };
    assert_eq!(run(Options { limits, ..Options::default() }).order, "bfs");
}

#[test]
fn stores_that_may_confuse_states_never_say_that_it_holds() {
    for store in ["compact", "bitstate"] {
        let limits = Limits { max_memory: Some(1 << 30), ..Limits::default() };
        let options = Options { store: Choice::parse(store), limits, ..Options::default() };
        let outcome = ask(&FINE, &["safety"], options.clone()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Unknown, "{store}");
        let guarantee = outcome.properties[0].guarantee.to_string();
        assert!(guarantee.contains("with a small probability"), "{store}: {guarantee}");
        assert_eq!(ask(&WRONG, &["safety"], options).unwrap().verdict, Verdict::Violated, "{store}");
    }
}

#[test]
fn names_of_choices() {
    assert_eq!(Choice::parse("auto"), Choice::Auto);
    assert_eq!(Reduce::parse("none"), Reduce::None);
    assert_eq!(Reduce::parse("auto"), Reduce::Auto);
}

#[test]
fn coverage_notes_the_edges_taken() {
    let options = Options { coverage: true, ..Options::default() };
    let outcome = ask(&WRONG, &["assertions"], options).unwrap();
    let coverage = outcome.properties[0].coverage.as_ref().unwrap();
    let template = TemplateId::from_index(0);
    let reached = |edge| coverage.is_reached(template, EdgeId::from_index(edge));
    assert!(reached(0) && reached(4));
    assert!(!reached(5));
    assert!(!coverage.is_reached(TemplateId::from_index(1), EdgeId::from_index(0)));
}

#[test]
fn the_worst_verdict_wins() {
    use Verdict::{Holds, Unknown, Violated};
    for (one, other, worst) in
        [(Holds, Holds, Holds), (Holds, Unknown, Unknown), (Unknown, Violated, Violated), (Violated, Holds, Violated)]
    {
        assert_eq!((one.combine(other), other.combine(one)), (worst, worst));
    }
}

#[test]
fn the_time_is_that_of_all_searches_together() {
    let endless = Endless { max_time: MAX_TIME, began: OnceLock::new() };
    let system = System {
        execution: &ample_guarantee::parts::INTERPRETER,
        why_interpreted: None,
        late_code: None,
        prepare: None,
        successors: &endless,
        replayer: &Judge(Ok(())),
        unpack: &|_| Default::default(),
        template_of: &|_, _| None,
        has_trace_assertion: true,
        labels: Default::default(),
        properties: &[],
        propositions: &FINE,
        max_processes: 255,
        reducible: None,
    };
    let limits = Limits { max_time: Some(MAX_TIME), ..Limits::default() };
    let mut reports = 0;
    let mut progress = |_: &Snapshot| reports += 1;
    let outcome = check(Job {
        system,
        select: vec!["safety".to_owned(), "exclusive".to_owned()],
        options: Options { limits, ..Options::default() },
        loops: LOOPS,
        progress: Some(&mut progress),
    })
    .unwrap();
    for property in &outcome.properties {
        assert_eq!(property.reason.as_deref(), Some("the time limit was reached (0.3 s)"));
    }
    // The first leaves nothing over for the second: it looks at the clock for the first time, and
    // ends.
    let states = outcome.properties[1].counts.states;
    assert!(states < 1000, "{states} states in no time");
    assert!(reports > 0);
}

const MAX_TIME: Duration = Duration::from_millis(300);

/// A system without end. To leave its first state takes all the time there is, however fast or slow
/// the machine.
struct Endless {
    max_time: Duration,
    /// When a state was left for the first time, which is after the time began to run.
    began: OnceLock<Instant>,
}

impl Successors for Endless {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        Ok(vec![0; 8])
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        let began = self.began.get_or_init(Instant::now);
        let next = u64::from_le_bytes(state.try_into().unwrap()) + 1;
        std::thread::sleep(self.max_time.saturating_sub(began.elapsed()));
        buffer.push(&[], &[], Some(&mut |out| out.extend_from_slice(&next.to_le_bytes())));
    }

    fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
        None
    }
}

#[test]
fn exploring_shows_every_transition_and_looks_for_nothing() {
    let system = System {
        execution: &ample_guarantee::parts::INTERPRETER,
        why_interpreted: None,
        late_code: None,
        prepare: None,
        successors: &WRONG,
        replayer: &Judge(Err("must not be asked")),
        unpack: &|_| Default::default(),
        template_of: &|_, _| None,
        has_trace_assertion: false,
        labels: Default::default(),
        properties: &[],
        propositions: &FINE,
        max_processes: 255,
        reducible: None,
    };
    let mut edges = Vec::new();
    let mut visitor = |_: Unpack<'_>, state: &[u8], successors: &SuccessorBuffer| {
        edges.extend(successors.iter().map(|successor| (state[0], successor.state.map(|state| state[0]))));
    };
    let outcome = explore(&system, "safety", Options::default(), None, &mut visitor).unwrap();
    assert_eq!(outcome.counts.transitions, 9);
    assert_eq!(edges, (0..9).map(|n| (n, Some(n + 1))).collect::<Vec<_>>());
}

#[test]
fn this_machine_has_memory() {
    if cfg!(target_os = "linux") {
        assert!(default_max_memory().unwrap() >= 64 << 20);
    }
}
