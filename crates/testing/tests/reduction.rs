//! Partial order reduction against the full search: the same verdict, and with `--keep-going` the
//! same faults at the same places, in every order, with every cycle condition that goes with it, on
//! several numbers of threads; and the papers' rows.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds of the random models.

use std::collections::BTreeSet;

use ample_check::{CheckError, Choice, Job, LOOPS, Options, Outcome, Prepared, Reduce, check};
use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_reduction::EXPANDERS;
use ample_search::{Limits, StopAt};
use ample_testing::random::{self, Size};
use ample_testing::{explore, workspace_root};

const MAX_STATES: u64 = 5_000;

/// Order, cycle condition, store, threads.
const WAYS: &[(&str, &str, &str, usize)] = &[
    ("dfs", "new", "collapse", 1),
    ("dfs", "stack", "exact", 1),
    ("bfs", "new", "tree", 1),
    ("bfs", "new", "exact", 2),
    ("blocks", "new", "tree", 1),
    ("blocks", "new", "collapse", 8),
];

/// The options of a reduced search.
fn reduced(por: &str, &(order, condition, store, threads): &(&str, &str, &str, usize)) -> Options {
    Options {
        order: Choice::parse(order),
        cycle_condition: Choice::parse(condition),
        store: Choice::parse(store),
        threads: Some(threads),
        por: Choice::parse(por),
        ..Options::default()
    }
}

fn ask(prepared: &Prepared<'_>, options: Options, max_states: u64) -> Result<Outcome, CheckError> {
    let limits = Limits { max_states: Some(max_states), ..Limits::default() };
    let options = Options { stop_at: StopAt::End, limits, ..options };
    check(Job { system: prepared.system(), select: vec!["safety".to_owned()], options, loops: LOOPS, progress: None })
}

/// The faults, by kind and place.
fn faults(outcome: &Outcome) -> BTreeSet<(&'static str, String)> {
    let violations = outcome.properties.iter().flat_map(|property| &property.violations);
    violations.map(|found| (found.fault.kind.name(), format!("{:?}", found.fault.span))).collect()
}

/// What the comparison was good for.
#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    /// With fewer states than in the full search.
    smaller: usize,
    failing: usize,
    /// The processes are not known, the model is interpreted, or has a trace assertion.
    refused: usize,
    too_large: usize,
}

fn compare(tally: &mut Tally, name: &str, loaded: &Loaded) {
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &[], &Choice::Auto).unwrap();
    let full = Options { reduce: Reduce::None, ..Options::default() };
    let Ok(full) = ask(&prepared, full, MAX_STATES) else { return };
    let states = full.properties[0].counts.states;
    if states >= MAX_STATES {
        tally.too_large += 1;
        return;
    }
    for (por, way) in EXPANDERS.iter().flat_map(|entry| WAYS.iter().map(|way| (entry.part.name, way))) {
        match ask(&prepared, reduced(por, way), MAX_STATES) {
            Ok(outcome) => {
                assert_eq!(outcome.verdict, full.verdict, "{name}: {por} {way:?}");
                assert_eq!(faults(&outcome), faults(&full), "{name}: {por} {way:?}");
                let fewer = outcome.properties[0].counts.states;
                assert!(fewer <= states, "{name}: {por} {way:?}: {fewer} states instead of {states}");
                tally.compared += 1;
                tally.smaller += usize::from(fewer < states);
                tally.failing += usize::from(!faults(&outcome).is_empty());
            }
            Err(CheckError::Conflict(_) | CheckError::Refused(_)) => tally.refused += 1,
            Err(error) => panic!("{name}: {por} {way:?}: {error}"),
        }
    }
}

#[test]
fn the_projects_models_have_the_same_faults() {
    let mut tally = Tally::default();
    for path in explore::models_of_the_project().unwrap() {
        if let Ok(loaded) = explore::load_file(&path) {
            compare(&mut tally, &path.display().to_string(), &loaded);
        }
    }
    println!("{tally:?}");
    assert!(tally.compared > 2_000 && tally.smaller > 100 && tally.failing > 500, "{tally:?}");
}

#[test]
fn random_models_have_the_same_faults() {
    // Few: to compile a model takes most of the time.
    let seeds = random::seeds(0..80).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds.clone() {
        let text = random::model(seed, Size::default());
        if let Ok(loaded) = explore::load_text(&text) {
            compare(&mut tally, &format!("seed {seed}:\n{text}"), &loaded);
        }
    }
    println!("seeds {seeds:?}: {tally:?}");
    assert!(tally.compared * 2 > tally.refused && tally.smaller > 0 && tally.failing > 0, "{tally:?}");
}

/// States and transitions of a paper's model, in every way.
fn rows(model: &str) -> BTreeSet<(u64, u64)> {
    let loaded = explore::load_file(&workspace_root().join("examples/papers").join(model));
    let loaded = loaded.unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)));
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &[], &Choice::Auto).unwrap();
    let counts = WAYS.iter().map(|way| ask(&prepared, reduced("static", way), 1_000_000).unwrap().properties[0].counts);
    counts.map(|counts| (counts.states, counts.transitions)).collect()
}

/// Holzmann and Peled, Table I: 47, 69 and 79 states. Spin prints one transition more.
#[test]
fn holzmann_peled_table_1_reduced() {
    assert_eq!(rows("holzmann-peled-best-case.pml"), BTreeSet::from([(47, 46)]));
    assert_eq!(rows("holzmann-peled-leader-1994.pml"), BTreeSet::from([(79, 78)]));
    assert_eq!(rows("holzmann-peled-leader.pml"), BTreeSet::from([(69, 68)]));
}

/// Where the moves of processes are known, candidates are chosen without the state; in the tree
/// store nothing is known. The states are the same one by one, so the counts are, too.
#[test]
fn known_moves_change_no_count() {
    let mut large = 0;
    for model in ["peterson", "window", "elevator", "commit", "sessions", "snooping"] {
        let loaded = explore::load_file(&workspace_root().join(format!("examples/scale/{model}.pml")));
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)));
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::new(&interpreter, &[], &Choice::Auto).unwrap();
        for (por, order, condition) in [
            ("static", "dfs", "stack"),
            ("static", "blocks", "new"),
            ("static", "bfs", "sticky"),
            ("stubborn", "dfs", "new"),
            ("stubborn", "dfs", "stack"),
            ("stubborn", "blocks", "new"),
        ] {
            let counts = |store| {
                let options = Options { reduce: Reduce::parse("por"), ..reduced(por, &(order, condition, store, 1)) };
                ask(&prepared, options, 20_000).unwrap().properties[0].counts
            };
            let (known, computed) = (counts("collapse"), counts("tree"));
            let of =
                |counts: &ample_search::Counts| (counts.states, counts.transitions, counts.atomic_steps, counts.depth);
            assert_eq!(of(&known), of(&computed), "{model}: {por} {order} {condition}");
            large += usize::from(known.states > 9_000);
        }
    }
    assert!(large >= 10, "{large} searches were large enough for moves to be known");
}
