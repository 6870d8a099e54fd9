//! Properties of infinite runs, against Spin's answers on the corpus: formulas, never claims,
//! acceptance and progress labels.
//!
//! Each violation was replayed before it gets here. Models whose product has more states in Spin's
//! search are left out: the dev build cannot afford them. `AMPLE_LIVENESS_STATES=N` raises the
//! limit, for a release build.

use ample_check::{CheckError, Choice, Fairness, Job, LOOPS, Options, Prepared, Verdict, check};
use ample_interpret::Interpreter;
use ample_search::{EMPTINESS, EmptinessEntry, Limits};
use ample_testing::corpus::{self, Entry, RunAnswer};
use ample_testing::explore;

const MOST_STATES: u64 = 15_000;
/// Up to so many, every algorithm is asked, on several numbers of threads, and the model is
/// interpreted, too.
const FEW_STATES: u64 = 3_000;
/// A search that stores so many times the states of the largest product is counted as not settled,
/// and does not fail.
const PATIENCE: u64 = 7;

/// Our answer, and whether infinite runs were looked for; `None` if there is no such property, as
/// in a part that is left out.
fn answer(prepared: &Prepared<'_>, asked: &RunAnswer, options: &Options) -> Option<(Verdict, bool)> {
    let names: &[&str] = if asked.name == "unnamed" { &["ltl_0", "never"] } else { &[&asked.name] };
    for name in names {
        let limits = Limits { max_states: Some(PATIENCE * most_states().1), ..Limits::default() };
        let options = Options { limits, ..options.clone() };
        let job =
            Job { system: prepared.system(), select: vec![(*name).to_owned()], options, loops: LOOPS, progress: None };
        match check(job) {
            Ok(outcome) => {
                let is_for_infinite_runs =
                    outcome.properties[0].run.as_ref().is_some_and(|run| run.is_for_infinite_runs);
                return Some((outcome.verdict, is_for_infinite_runs));
            }
            Err(CheckError::UnknownName { .. }) => {}
            Err(error) => panic!("{}: {error}", asked.name),
        }
    }
    None
}

/// What came of the comparison.
#[derive(Default, Debug)]
struct Tally {
    holding: usize,
    failing: usize,
    unsettled: usize,
    /// Answered by reachability and by a search for infinite runs.
    twice: usize,
    /// Answers of the algorithms, one by one.
    agreeing: usize,
    missing: usize,
    differing: Vec<String>,
}

/// The largest product that is asked about in every way, and the largest at all.
fn most_states() -> (u64, u64) {
    match std::env::var("AMPLE_LIVENESS_STATES").ok().and_then(|states| states.parse().ok()) {
        Some(most) => (most, most),
        None => (FEW_STATES, MOST_STATES),
    }
}

/// A model, ready to be asked: compiled, or to be interpreted.
struct Subject<'p> {
    entry: &'p Entry,
    prepared: &'p Prepared<'p>,
    execution: &'static str,
}

/// Every algorithm that can answer, on 1, 2 and 8 threads if it can use them, must say the same.
fn ask_all(
    tally: &mut Tally,
    subject: &Subject<'_>,
    asked: &RunAnswer,
    options: &Options,
    expected: Option<(Verdict, bool)>,
) {
    let can = |algorithm: &&EmptinessEntry| options.fairness == Fairness::None || algorithm.is_generalised;
    for algorithm in EMPTINESS.iter().filter(can) {
        let threads: &[usize] = if algorithm.is_parallel { &[1, 2, 8] } else { &[1] };
        for &threads in threads {
            let emptiness = Choice::parse(algorithm.part.name);
            let options = Options { emptiness, threads: Some(threads), ..options.clone() };
            match (answer(subject.prepared, asked, &options), expected) {
                (Some((Verdict::Unknown, _)), _) | (_, Some((Verdict::Unknown, _))) => tally.unsettled += 1,
                (found, expected) if found.map(|(verdict, _)| verdict) == expected.map(|(verdict, _)| verdict) => {
                    tally.agreeing += 1;
                }
                (found, expected) => tally.differing.push(format!(
                    "{} {} ({} on {threads}): {found:?}, expected {expected:?}",
                    subject.entry.name, asked.name, algorithm.part.name
                )),
            }
        }
    }
}

/// Asks what Spin was asked. Safety formulas are answered by reachability: a search for infinite
/// runs must give the same answer.
fn ask(tally: &mut Tally, subject: &Subject<'_>, asked: &RunAnswer, options: &Options) {
    let Subject { entry, prepared, execution } = subject;
    let mut found = answer(prepared, asked, options);
    if *execution == "auto" && asked.counted.states <= most_states().0 {
        ask_all(tally, subject, asked, options, found);
    }
    if let Some((verdict, false)) = found
        && options.fairness == Fairness::None
    {
        let options = Options { emptiness: Choice::parse("ndfs"), ..options.clone() };
        let again = answer(prepared, asked, &options);
        tally.twice += 1;
        if verdict != Verdict::Unknown {
            assert_eq!(Some((verdict, true)), again, "{} {}", entry.name, asked.name);
        }
        found = again;
    }
    match (found, asked.violated) {
        (Some((Verdict::Holds, _)), false) => tally.holding += 1,
        (Some((Verdict::Violated, _)), true) => tally.failing += 1,
        (Some((Verdict::Unknown, _)), _) => tally.unsettled += 1,
        (None, _) => tally.missing += 1,
        (Some((verdict, _)), violated) => tally
            .differing
            .push(format!("{} {} ({execution}): {verdict:?}, Spin: violated {violated}", entry.name, asked.name)),
    }
}

/// Asks all that Spin was asked about a model, in every way of execution. The model is compiled
/// once: that takes longer than most searches.
fn compare(tally: &mut Tally, entry: &Entry, asked: &[RunAnswer], options: &Options) {
    let (few, most) = most_states();
    if asked.iter().all(|asked| asked.counted.states > most) {
        return;
    }
    let loaded = explore::load_file(&entry.path).map_err(|failure| explore::messages(&failure)).unwrap();
    let interpreter = Interpreter::new(&loaded.model);
    for (execution, most) in [("auto", most), ("interpret", few)] {
        let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::parse(execution)).unwrap();
        let subject = Subject { entry, prepared: &prepared, execution };
        let small = asked.iter().filter(|asked| asked.counted.states <= most);
        small.for_each(|asked| ask(tally, &subject, asked, options));
    }
}

/// Every model, if the corpus is there.
fn entries() -> Vec<Entry> {
    match corpus::folder() {
        Some(folder) => corpus::promela(&folder).unwrap(),
        None => {
            println!("no corpus beside the checkout and none named by AMPLE_CORPUS: skipped");
            Vec::new()
        }
    }
}

#[test]
fn infinite_runs_are_judged_as_spin_judges_them() {
    let entries = entries();
    let mut tally = Tally::default();
    entries.iter().for_each(|entry| compare(&mut tally, entry, &entry.runs, &Options::default()));
    println!("{tally:#?}");
    assert!(tally.differing.is_empty());
    assert!(entries.is_empty() || tally.holding > 50 && tally.failing > 50 && tally.twice > 50 && tally.agreeing > 500);
}

#[test]
fn fair_runs_are_judged_as_spin_judges_them() {
    let entries = entries();
    let mut tally = Tally::default();
    let options = Options { fairness: Fairness::Weak, ..Options::default() };
    entries.iter().for_each(|entry| compare(&mut tally, entry, &entry.fair, &options));
    println!("{tally:#?}");
    assert!(tally.differing.is_empty());
    assert!(entries.is_empty() || tally.holding > 20 && tally.failing > 20);
}
