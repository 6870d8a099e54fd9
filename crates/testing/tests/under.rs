//! Under-approximation loops against the full search: the same verdict in the end, whichever loop,
//! pick, seed, expander, cycle condition, order and number of threads.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds; `cargo xtask soak --under` tries many more.

use std::ops::Range;

use ample_check::{
    Claim, Fairness, Iteration, Job, LOOPS, Options, Pick, Prepared, PropertyOutcome, Reducible, Under, Verdict, check,
};
use ample_frontends::{FormulaText, LoadOptions, load_text};
use ample_interpret::Interpreter;
use ample_network::facts::TransitionId;
use ample_reduction::on_insensitive_cycles;
use ample_replay::Forbids;
use ample_search::{Ended, Limits};
use ample_stdx::BitSet;
use ample_testing::plans::{Subject, Tally, Ways, compare_seed, loops};
use ample_testing::{random, workspace_root};

/// Compares the models of some seeds; tells everything about those that differ.
fn compare(usual: Range<u64>, fairness: Fairness) -> Tally {
    let seeds = random::seeds(usual).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    let differing: Vec<String> =
        seeds.clone().filter_map(|seed| compare_seed(seed, fairness, Ways::Loops, &mut tally).err()).collect();
    println!("seeds {seeds:?}:\n{tally}");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    tally
}

fn compare_all(usual: Range<u64>) {
    let tally = compare(usual, Fairness::None);
    for name in ["visibility", "cycles", "interleaving"] {
        for question in ["safety", "formula"] {
            let counts = tally.sum(|row| row.question == question && row.por == name);
            assert!(counts.compared > 100 && counts.violated > 20, "{question} {name}: {counts:?}");
        }
    }
}

#[test]
fn random_models_first_part() {
    compare_all(0..150);
}

#[test]
fn random_models_second_part() {
    compare_all(150..300);
}

#[test]
fn fair_runs_of_random_models() {
    let tally = compare(0..80, Fairness::Weak);
    let fair = tally.about("fair formula");
    assert!(fair.compared > 200 && fair.violated > 50, "{tally}");
}

const PICKS: [Pick; 3] = [Pick::Guided, Pick::Random { seed: 1 }, Pick::Random { seed: 2 }];

/// Asks whether a formula holds, by a loop.
fn ask(prepared: &Prepared<'_>, question: &str, name: &str, pick: Pick, max_states: u64) -> Option<PropertyOutcome> {
    let limits = Limits { max_states: Some(max_states), ..Limits::default() };
    let under = Some(Under { name: name.to_owned(), pick, begin: None });
    let options = Options { under, limits, threads: Some(1), ..Options::default() };
    let job =
        Job { system: prepared.system(), select: vec![question.to_owned()], options, loops: LOOPS, progress: None };
    check(job).ok()?.properties.pop()
}

/// The transitions that a claim can see.
fn visible(known: Reducible<'_>, claim: &Claim) -> BitSet<TransitionId> {
    let mut all = BitSet::new();
    for seen in known.facts().visible(known.network, claim.propositions()) {
        all.union_with(&seen);
    }
    all
}

/// The most runs that a loop may take, by the theory.
fn most_runs(known: Reducible<'_>, claim: &Claim, name: &str) -> usize {
    let facts = known.facts();
    let visible = visible(known, claim);
    match name {
        "visibility" => visible.len() + 1,
        "cycles" => visible.len() + on_insensitive_cycles(known.network, facts, &visible).len() + 1,
        _ => {
            let template = |instance: &ample_network::Instance| &known.network.model.templates[instance.template];
            known.network.instances.iter().map(|instance| template(instance).locations.len()).sum::<usize>() + 1
        }
    }
}

/// What must be true of the runs of every loop.
fn check_series(property: &PropertyOutcome, what: &str) {
    let runs = &property.refinement;
    let (last, before) = runs.split_last().expect("there is a run");
    assert!(runs[0].added.is_empty(), "{what}");
    assert!(runs[1..].iter().all(|run| !run.added.is_empty()), "{what}");
    assert!(before.iter().all(|run| !run.is_exact && run.ended == Ended::Complete), "{what}");
    assert_eq!(last.is_exact, property.verdict == Verdict::Holds, "{what}");
    assert_eq!((property.counts, property.ended), (last.counts, Some(last.ended)), "{what}");
}

/// No loop takes more runs than there is to be added, and a guided one fewer than one at random,
/// all in all.
#[test]
fn every_loop_ends_within_its_bound() {
    let (mut settled, mut guided, mut at_random) = (0, 0, 0);
    for seed in random::seeds(0..60).expect("AMPLE_SEEDS is A..B") {
        let Some(Subject { name, text, formula }) = Subject::of_seed(seed) else { continue };
        let formulas = vec![FormulaText { name: "formula".to_owned(), text: formula.clone() }];
        let options = LoadOptions { formulas, ..LoadOptions::default() };
        let loaded = load_text(name, text.clone(), &options).expect("it is read");
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let Some(known) = prepared.system().reducible else { continue };
        let claim = Claim::of(loaded.properties.last().expect("the formula")).expect("it is a claim");
        for (name, pick) in loops().flat_map(|name| PICKS.map(|pick| (name, pick))) {
            let Some(property) = ask(&prepared, "formula", name, pick, 5_000) else { continue };
            let what = format!("seed {seed}, {name} {pick:?}, {formula}\n{text}");
            let runs = property.refinement.len();
            if property.verdict == Verdict::Unknown {
                assert!(!property.refinement.iter().any(|run| run.is_exact), "{what}");
                continue;
            }
            // If the processes were not as expected, everything was explored.
            if !property.reductions.is_empty() {
                check_series(&property, &what);
            }
            assert!(runs <= most_runs(known, &claim, name), "{runs} runs: {what}");
            settled += 1;
            match pick {
                Pick::Guided => guided += runs,
                Pick::Random { .. } => at_random += runs,
            }
        }
    }
    println!("{settled} loops, {guided} guided runs, {at_random} at random (two seeds)");
    assert!(settled > 200 && guided * 2 < at_random, "{settled} {guided} {at_random}");
}

const TWO_COUNTERS: &str = "byte x, y; bit z;
    active proctype A() { bit own; do :: x < 3; x++; own = 1 - own od }
    active proctype B() { bit own; do :: y < 3; y++; own = 1 - own :: own == 1; own = 0 od }
    ltl low { [] (x + y < 9) }
    ltl apart { [] (x <= y + 2) }";

fn with_model<T>(text: &str, look: impl FnOnce(&Prepared<'_>) -> T) -> T {
    let loaded = load_text("model.pml", text.to_owned(), &LoadOptions::default()).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    look(&Prepared::packed(&interpreter, &loaded.properties))
}

/// The same seed, the same series.
#[test]
fn a_seed_says_everything() {
    let added = |runs: &[Iteration]| runs.iter().flat_map(|run| run.added.clone()).collect::<Vec<_>>();
    with_model(TWO_COUNTERS, |prepared| {
        for name in loops() {
            let runs = |seed| {
                let pick = Pick::Random { seed };
                added(&ask(prepared, "low", name, pick, 10_000).expect("it is not refused").refinement)
            };
            assert_eq!(runs(3), runs(3), "{name}");
        }
    });
}

/// A limit ends the loop; what was explored so far is said, and no verdict is given.
#[test]
fn a_limit_ends_a_loop() {
    with_model(TWO_COUNTERS, |prepared| {
        for pick in PICKS {
            let whole = ask(prepared, "low", "interleaving", pick, 10_000).expect("it is not refused");
            let most = whole.refinement.iter().map(|run| run.counts.states).max().unwrap_or_default();
            assert!(whole.verdict == Verdict::Holds && whole.refinement[0].counts.states < most);
            let property = ask(prepared, "low", "interleaving", pick, most - 1).expect("it is not refused");
            assert_eq!(property.verdict, Verdict::Unknown);
            let reason = property.reason.unwrap_or_default();
            assert!(reason.contains("not exact yet") && reason.contains("the limit on states was reached"), "{reason}");
            let (last, before) = property.refinement.split_last().expect("there is a run");
            assert!(!before.is_empty() && before.iter().all(|run| run.ended == Ended::Complete));
            assert!(matches!(last.ended, Ended::Limit(_)) && !last.is_exact);
        }
    });
}

/// An error that little is enough to find is found with little.
#[test]
fn an_error_is_found_before_everything_is_explored() {
    with_model(TWO_COUNTERS, |prepared| {
        for name in loops() {
            let property = ask(prepared, "apart", name, Pick::Guided, 10_000).expect("it is not refused");
            assert_eq!(property.verdict, Verdict::Violated, "{name}");
            assert_eq!(property.violations.len(), 1);
        }
    });
}

/// Brim, Černá, Moravec, Šimša, Tables 1 and 2, in shape: an error is found in the first run, with
/// little; for a property that is satisfied algorithm A takes one run for each visible transition
/// and one more, and algorithm B begins with a small part of what is left in the end.
#[test]
fn the_shape_of_the_papers_tables() {
    let pick = Pick::Random { seed: 0 };
    let model = std::fs::read_to_string(workspace_root().join("examples/papers/brim-token.pml")).expect("an example");
    with_model(&format!("#define N 5\n{model}"), |prepared| {
        let states = |property: &PropertyOutcome| -> Vec<u64> {
            property.refinement.iter().map(|run| run.counts.states).collect()
        };
        let run = |question: &str, name| ask(prepared, question, name, pick, 100_000).expect("it is not refused");
        for name in loops() {
            let served = run("served", name);
            assert_eq!((served.verdict, served.refinement.len()), (Verdict::Violated, 1), "{name}");
            assert!(served.counts.states < 100, "{name}: {:?}", states(&served));
        }
        let visibility = run("mutex", "visibility");
        // Each of five stations has two statements that change `inside`.
        assert_eq!((visibility.verdict, visibility.refinement.len()), (Verdict::Holds, 11));
        let cycles = run("mutex", "cycles");
        assert_eq!(cycles.verdict, Verdict::Holds);
        let (first, last) = (states(&cycles)[0], states(&cycles)[cycles.refinement.len() - 1]);
        assert!(10 * first < last && 10 * first < visibility.counts.states, "{:?}", states(&cycles));
    });
}
