//! Every stage stops when it is time: with a flag that is raised already, and with a deadline that
//! has passed already.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ample_check::{Choice, Job, LOOPS, Options, Outcome, Pick, Prepared, Reduce, Under, Verdict, check};
use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_network::facts::Facts;
use ample_network::instantiate;
use ample_search::{Ended, Limit, Limits};
use ample_stdx::{Stop, Stopped};
use ample_testing::explore;

const MODEL: &str = "
byte x, y;
active [3] proctype P() { do :: x < 250 -> x = (x + 1) % 200 :: y < 250 -> y = (y + 1) % 200 od }
ltl never_both { [](x < 200) }";

fn loaded() -> Loaded {
    explore::load_text(MODEL).unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)))
}

/// Whether a search ended as it should.
type HasEnded = fn(Option<Ended>) -> bool;

/// Limits that are reached already, and how a search ends that keeps them.
fn reached() -> [(Limits, HasEnded); 2] {
    let max_time = Some(Duration::from_secs(1));
    let late = Limits { max_time, deadline: Some(Instant::now()), ..Limits::default() };
    let interrupted = Limits { interrupt: Arc::new(true.into()), ..Limits::default() };
    [
        (late, |ended| matches!(ended, Some(Ended::Limit(Limit::Time(_))))),
        (interrupted, |ended| ended == Some(Ended::Interrupted)),
    ]
}

fn ask(prepared: &Prepared<'_>, property: &str, options: Options) -> Outcome {
    let job =
        Job { system: prepared.system(), select: vec![property.to_owned()], options, loops: LOOPS, progress: None };
    check(job).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn static_facts_stop() {
    let loaded = loaded();
    let interpreter = Interpreter::new(&loaded.model);
    let network = instantiate(&interpreter).unwrap_or_else(|reason| panic!("{reason}"));
    let interrupted = Stop::new(Arc::new(true.into()), None);
    assert_eq!(Facts::within(&network, &interrupted).err(), Some(Stopped::Interrupted));
    let late = Stop::new(Arc::default(), Some(Instant::now()));
    assert_eq!(Facts::within(&network, &late).err(), Some(Stopped::OutOfTime));
    assert!(Facts::within(&network, &Stop::default()).is_ok());
}

#[test]
fn preparing_stops_and_is_interpreted() {
    let loaded = loaded();
    let interpreter = Interpreter::new(&loaded.model);
    for (limits, _) in reached() {
        for execution in ["auto", "jit"] {
            let stop = limits.stop();
            let prepared = Prepared::within(&interpreter, &loaded.properties, &Choice::parse(execution), &stop);
            let prepared = prepared.unwrap_or_else(|error| panic!("{error}"));
            let outcome = ask(&prepared, "safety", Options { limits: limits.clone(), ..Options::default() });
            assert_eq!((outcome.verdict, outcome.execution), (Verdict::Unknown, "interpret"));
            assert!(outcome.why_interpreted.is_some_and(|why| why.contains("before its machine code was finished")));
        }
    }
}

#[test]
fn every_search_stops() {
    let loaded = loaded();
    let interpreter = Interpreter::new(&loaded.model);
    let named = |name: &str| Choice::Named(name.to_owned());
    let under = |name: &str| Some(Under { name: name.to_owned(), pick: Pick::Guided, begin: None });
    let ways = [
        ("safety", Options::default()),
        ("safety", Options { order: named("bfs"), ..Options::default() }),
        ("safety", Options { order: named("dfs"), ..Options::default() }),
        ("safety", Options { por: named("stubborn"), ..Options::default() }),
        ("safety", Options { por: named("static"), ..Options::default() }),
        ("safety", Options { reduce: Reduce::parse("sleep"), ..Options::default() }),
        ("never_both", Options::default()),
        ("never_both", Options { emptiness: named("ndfs"), ..Options::default() }),
        ("never_both", Options { under: under("visibility"), ..Options::default() }),
        ("never_both", Options { under: under("cycles"), ..Options::default() }),
    ];
    for (limits, has_ended) in reached() {
        for (number, (property, options)) in ways.iter().enumerate() {
            let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto);
            let prepared = prepared.unwrap_or_else(|error| panic!("{error}"));
            let outcome = ask(&prepared, property, Options { limits: limits.clone(), ..options.clone() });
            let name = format!("way {number}: {property}");
            assert_eq!(outcome.verdict, Verdict::Unknown, "{name}");
            let property = &outcome.properties[0];
            assert!(has_ended(property.ended), "{name}: {:?}", property.ended);
            assert!(property.counts.states <= 10_000, "{name}: {:?}", property.counts);
            let reducible = prepared.system().reducible.expect("its processes are known");
            assert!(reducible.found_out.get().is_none(), "{name}: nothing is found out when the time is over");
        }
    }
}
