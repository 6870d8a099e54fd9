//! Covers: that they are simulations by brute force on random models; answers and statements that
//! are those of the full search, in every order and on every number of threads; and traps.
//!
//! The law: where one state covers another, each transition of the other is one of it, by the same
//! moves and with the same faults at least, to a state that covers the one to which it leads; and
//! the same propositions hold in both.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds, `AMPLE_COVER_STATES` the size of other people's models.

mod models;
mod traps;

use std::collections::HashMap;

use ample_check::{Choice, Coverage, Job, LOOPS, Options, Outcome, Prepared, Reduce, Verdict, check};
use ample_frontends::{LoadOptions, Loaded};
use ample_interpret::Interpreter;
use ample_model::{Expr, Model};
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{COVERS, NotHere, Visible};
use ample_search::Ended;
use ample_testing::explore::{self, SAFETY};
use ample_testing::random::{self, Language, bounded_model};
use ample_transition::{Cover, Successor, SuccessorBuffer, Successors};

/// Calls `body` with the cover of a model, or says why there is none.
fn with_cover<R>(packed: &Packed<'_>, propositions: &[Expr], body: impl FnOnce(&dyn Cover) -> R) -> Result<R, String> {
    let facts = Facts::new(&packed.network);
    let visible = Visible { propositions, faults: SAFETY, one_is_enough: true, processes: false, names: false };
    match (COVERS[0].make)(&packed.network, &facts, &visible) {
        Ok(cover) => Ok(body(&*cover)),
        Err(NotHere(why)) => Err(why),
    }
}

fn common(cover: &dyn Cover, state: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    cover.common(state, &mut out);
    out
}

/// Whether a transition does whatever another one does.
fn simulates(cover: &dyn Cover, more: &Successor<'_>, less: &Successor<'_>) -> bool {
    let has_faults = less
        .faults
        .iter()
        .all(|fault| more.faults.iter().any(|other| (other.kind, other.span) == (fault.kind, fault.span)));
    let leads_there = match (less.state, more.state) {
        (None, _) => true,
        (Some(less), Some(more)) => common(cover, more) == common(cover, less) && cover.covers(more, less),
        (Some(_), None) => false,
    };
    more.moves == less.moves && has_faults && leads_there
}

/// Holds the cover against its law for all pairs of states. The number of pairs; `None` if there
/// are too many states.
fn law(packed: &Packed<'_>, cover: &dyn Cover, propositions: &[Expr], most: usize) -> Option<usize> {
    let states = explore::states_of(packed, most + 1);
    if states.len() > most || states.iter().any(|state| !packed.fits(state.len())) {
        return None;
    }
    let mut groups: HashMap<Vec<u8>, Vec<&[u8]>> = HashMap::new();
    states.iter().for_each(|state| groups.entry(common(cover, state)).or_default().push(state));
    let (mut of_more, mut of_less) = (SuccessorBuffer::new(), SuccessorBuffer::new());
    let mut pairs = 0;
    for group in groups.values() {
        for (more, less) in group.iter().flat_map(|more| group.iter().map(move |less| (*more, *less))) {
            if more == less || !cover.covers(more, less) {
                continue;
            }
            pairs += 1;
            [&mut of_more, &mut of_less].into_iter().for_each(SuccessorBuffer::clear);
            packed.expand_all(more, &mut of_more);
            packed.expand_all(less, &mut of_less);
            for step in of_less.iter() {
                let is_matched = of_more.iter().any(|other| simulates(cover, &other, &step));
                assert!(
                    is_matched,
                    "{:?}\nof {:?}\nis not simulated by\n{:?}",
                    step.moves,
                    packed.unpack(less),
                    packed.unpack(more)
                );
            }
            let holds = |state: &[u8]| -> Vec<Option<bool>> {
                let state = packed.unpack(state);
                propositions.iter().map(|expr| packed.interpreter.holds(&state, expr).ok()).collect()
            };
            assert_eq!(holds(more), holds(less));
        }
    }
    Some(pairs)
}

fn random_model(seed: u64) -> (&'static str, String) {
    match seed % 4 {
        0 => ("random.dve", bounded_model(seed, Language::Dve)),
        1 => ("random.gcl", bounded_model(seed, Language::Gcl)),
        _ => ("random.pml", bounded_model(seed, Language::Promela)),
    }
}

fn load(file: &str, text: &str) -> Loaded {
    ample_frontends::load_text(file, text.to_owned(), &LoadOptions::default())
        .unwrap_or_else(|failure| panic!("{text}\n{}", explore::messages(&failure)))
}

#[test]
fn a_cover_is_a_simulation() {
    let (mut compared, mut pairs, mut other) = (0, 0, 0);
    for seed in random::seeds(0..600).expect("AMPLE_SEEDS is A..B") {
        let (file, text) = match seed % 12 {
            9 => ("random.pml", random::cyclic_model(seed)),
            10 => ("random.pml", random::counting_model(seed)),
            11 => ("random.gcl", random::gcl_program(seed, random::Numbers::Borders).text),
            _ => random_model(seed),
        };
        let Ok(loaded) = ample_frontends::load_text(file, text.clone(), &LoadOptions::default()) else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let Ok(packed) = Packed::new(&interpreter) else { continue };
        println!("seed {seed}\n{text}");
        match with_cover(&packed, &[], |cover| law(&packed, cover, &[], 2_000)) {
            Ok(Some(found)) => (compared, pairs) = (compared + 1, pairs + found),
            Ok(None) => {}
            Err(why) => {
                other += 1;
                println!("none: {why}");
            }
        }
    }
    println!("{compared} models with {pairs} pairs of states, {other} models without");
    assert!(compared > 0 && pairs > 0 && other > 0);
}

/// With these reductions, on so many threads.
fn options(reduce: &str, order: &str, threads: usize) -> Options {
    let threads = Some(threads);
    Options { reduce: Reduce::parse(reduce), order: Choice::parse(order), threads, ..Options::default() }
}

fn ask(prepared: &Prepared<'_>, question: &str, options: Options) -> Result<Outcome, String> {
    let job =
        Job { system: prepared.system(), select: vec![question.to_owned()], options, loops: LOOPS, progress: None };
    check(job).map_err(|error| {
        assert!(!error.is_internal(), "{question}: {error}");
        error.to_string()
    })
}

/// Which edges of a model are taken, as statements.
fn reached(model: &Model, coverage: &Coverage) -> Vec<String> {
    let edges = model.templates.iter_enumerated().flat_map(|(id, template)| {
        let reached = template.edges.iter_enumerated().filter(move |(edge, _)| coverage.is_reached(id, *edge));
        reached.map(move |(edge, _)| format!("{} {edge:?}", template.name))
    });
    edges.collect()
}

/// What a search of the whole space finds: verdict, faults by kind and place, statements.
fn found(
    loaded: &Loaded,
    prepared: &Prepared<'_>,
    question: &str,
    given: Options,
) -> Option<(Verdict, Vec<String>, Vec<String>, u64)> {
    let given = Options { stop_at: ample_search::StopAt::End, coverage: true, ..given };
    let limits = ample_search::Limits { max_states: Some(20_000), ..Default::default() };
    let outcome = ask(prepared, question, Options { limits, ..given }).ok()?;
    let property = outcome.properties.into_iter().next()?;
    if property.ended != Some(Ended::Complete) {
        return None;
    }
    let mut faults: Vec<String> = property
        .violations
        .iter()
        .map(|violation| format!("{:?} {:?}", violation.fault.kind, violation.fault.span))
        .collect();
    faults.sort();
    let statements = reached(&loaded.model, property.coverage.as_ref()?);
    Some((property.verdict, faults, statements, property.counts.states))
}

/// The orders, and the numbers of threads on which they run.
const WAYS: &[(&str, usize)] =
    &[("bfs", 1), ("bfs", 2), ("bfs", 8), ("dfs", 1), ("blocks", 1), ("blocks", 2), ("blocks", 8)];

/// That with a cover everything is found that the full search finds. How many answers were
/// compared, and how many of them with fewer states.
fn agrees(loaded: &Loaded, reduce: &str, ways: &[(&str, usize)]) -> (usize, usize) {
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let (mut answers, mut fewer) = (0, 0);
    let named = loaded.properties.iter().map(|property| property.name.as_str());
    for question in std::iter::once("assertions").chain(named) {
        let Some(full) = found(loaded, &prepared, question, options("none", "bfs", 1)) else { continue };
        if full.0 == Verdict::Unknown {
            continue;
        }
        for (order, threads) in ways {
            let given = options(reduce, order, *threads);
            let Some(covered) = found(loaded, &prepared, question, given) else { continue };
            assert_eq!((covered.0, &covered.1, &covered.2), (full.0, &full.1, &full.2), "{question} {order} {threads}");
            assert!(covered.3 <= full.3, "{question} {order} {threads}: {} states of {}", covered.3, full.3);
            (answers, fewer) = (answers + 1, fewer + usize::from(covered.3 < full.3));
            // The first violation has a trace, which is replayed.
            let first = ask(&prepared, question, options(reduce, order, *threads)).expect("it was answered before");
            assert_eq!(first.verdict, full.0, "{question} {order} {threads}");
        }
    }
    (answers, fewer)
}

#[test]
fn answers_and_statements_are_those_of_the_full_search() {
    let (mut answers, mut fewer) = (0, 0);
    for seed in random::seeds(0..160).expect("AMPLE_SEEDS is A..B") {
        let (file, text) = random_model(seed);
        println!("seed {seed}\n{text}");
        let loaded = load(file, &text);
        let more = agrees(&loaded, "dominate", WAYS);
        let passes = agrees(&loaded, "dominate,dead,merge,dead-globals,values", &WAYS[..1]);
        (answers, fewer) = (answers + more.0 + passes.0, fewer + more.1 + passes.1);
    }
    println!("{answers} answers, {fewer} with fewer states");
    assert!(answers > 100 && fewer > 50);
}

/// Breadth first on one thread, all is as it was the last time.
#[test]
fn counts_are_the_same_each_time() {
    for seed in 0..40 {
        let (file, text) = random_model(seed);
        let loaded = load(file, &text);
        let interpreter = Interpreter::new(&loaded.model);
        let counts = |prepared: &Prepared<'_>| {
            let outcome = ask(prepared, "assertions", options("dominate", "bfs", 1)).ok()?;
            outcome.properties.first().map(|property| property.counts)
        };
        let one = counts(&Prepared::packed(&interpreter, &loaded.properties));
        assert_eq!(one, counts(&Prepared::packed(&interpreter, &loaded.properties)), "{text}");
    }
}
