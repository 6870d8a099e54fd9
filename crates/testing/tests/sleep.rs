//! Sleep sets against the full search: the same faults at the same places; with all transitions
//! also the same states, and no more transitions; with every expander and every cycle condition.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds of the random models.

use std::collections::BTreeSet;

use ample_check::{CheckError, Choice, Job, LOOPS, Options, Outcome, Prepared, Reduce, check};
use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_reduction::{CYCLE_CONDITIONS, EXPANDERS};
use ample_search::{Counts, Limits, StopAt};
use ample_testing::explore;
use ample_testing::random::{self, Size};

const MAX_STATES: u64 = 5_000;

fn ask(prepared: &Prepared<'_>, options: Options) -> Result<Outcome, CheckError> {
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
    let options = Options { threads: Some(1), stop_at: StopAt::End, limits, ..options };
    check(Job { system: prepared.system(), select: vec!["safety".to_owned()], options, loops: LOOPS, progress: None })
}

/// The faults, by kind and place.
fn faults(outcome: &Outcome) -> BTreeSet<(&'static str, String)> {
    let violations = outcome.properties.iter().flat_map(|property| &property.violations);
    violations.map(|found| (found.fault.kind.name(), format!("{:?}", found.fault.span))).collect()
}

fn counts(outcome: &Outcome) -> Counts {
    outcome.properties[0].counts
}

fn asleep(list: &str, por: &str, condition: &str, store: &str) -> Options {
    Options {
        reduce: Reduce::parse(list),
        por: Choice::parse(por),
        cycle_condition: Choice::parse(condition),
        store: Choice::parse(store),
        order: Choice::parse("dfs"),
        ..Options::default()
    }
}

/// What the comparison was good for.
#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    /// With fewer transitions than in the full search.
    fewer: usize,
    failing: usize,
    /// The processes are not known, or something has turned out to be different from what was
    /// known.
    in_full: usize,
    refused: usize,
    too_large: usize,
}

impl Tally {
    /// Compares one way with the full search. Whether states must be the same, too.
    fn compare(&mut self, name: &str, full: &Outcome, less: Result<Outcome, CheckError>, all: Transitions) {
        let less = match less {
            Ok(less) => less,
            Err(CheckError::Conflict(_) | CheckError::Refused(_)) => {
                self.refused += 1;
                return;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        assert_eq!(less.verdict, full.verdict, "{name}");
        assert_eq!(faults(&less), faults(full), "{name}");
        let (of_less, of_full) = (counts(&less), counts(full));
        assert!(of_less.states <= of_full.states && of_less.transitions <= of_full.transitions, "{name}: {of_less:?}");
        if all == Transitions::All {
            assert_eq!(of_less.states, of_full.states, "{name}");
        }
        if less.properties[0].reductions.iter().all(|part| part.name != "sleep") {
            self.in_full += 1;
            return;
        }
        self.compared += 1;
        self.fewer += usize::from(of_less.transitions < of_full.transitions);
        self.failing += usize::from(!faults(&less).is_empty());
    }
}

/// Which transitions may be taken if they do not sleep.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Transitions {
    All,
    Some,
}

fn compare(alone: &mut Tally, with_por: &mut Tally, name: &str, loaded: &Loaded) {
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &[], &Choice::Auto).unwrap();
    let full = Options { reduce: Reduce::None, order: Choice::parse("dfs"), ..Options::default() };
    let Ok(full) = ask(&prepared, full) else { return };
    if counts(&full).states >= MAX_STATES {
        alone.too_large += 1;
        return;
    }
    for store in ["collapse", "tree", "exact"] {
        let less = ask(&prepared, asleep("sleep", "auto", "auto", store));
        alone.compare(&format!("{name}: {store}"), &full, less, Transitions::All);
    }
    for por in EXPANDERS {
        for condition in CYCLE_CONDITIONS {
            let (por, condition) = (por.part.name, condition.part.name);
            let less = ask(&prepared, asleep("por,sleep", por, condition, "exact"));
            with_por.compare(&format!("{name}: {por} {condition}"), &full, less, Transitions::Some);
        }
    }
}

#[test]
fn the_projects_models_have_the_same_faults_and_states() {
    let (mut alone, mut with_por) = (Tally::default(), Tally::default());
    for path in explore::models_of_the_project().unwrap() {
        if let Ok(loaded) = explore::load_file(&path) {
            compare(&mut alone, &mut with_por, &path.display().to_string(), &loaded);
        }
    }
    println!("{alone:?}\n{with_por:?}");
    assert!(alone.compared > 200 && alone.fewer > 50 && alone.failing > 50, "{alone:?}");
    assert!(with_por.compared > 2_000 && with_por.fewer > 500 && with_por.failing > 500, "{with_por:?}");
}

#[test]
fn random_models_have_the_same_faults_and_states() {
    let seeds = random::seeds(0..120).expect("AMPLE_SEEDS is A..B");
    let (mut alone, mut with_por) = (Tally::default(), Tally::default());
    for seed in seeds.clone() {
        let text = match seed % 3 {
            0 => random::model(seed, Size::default()),
            _ => random::cyclic_model(seed),
        };
        if let Ok(loaded) = explore::load_text(&text) {
            compare(&mut alone, &mut with_por, &format!("seed {seed}:\n{text}"), &loaded);
        }
    }
    println!("seeds {seeds:?}: {alone:?}\n{with_por:?}");
    assert!(alone.compared > 50 && alone.fewer > 10 && alone.failing > 0, "{alone:?}");
    assert!(with_por.compared > 500 && with_por.fewer > 100 && with_por.failing > 0, "{with_por:?}");
}
