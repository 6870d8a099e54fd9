//! Searches on several threads against the reference: the interpreter, the exact store, depth
//! first, one thread.

use std::time::{Duration, Instant};

use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_jit::Compiled;
use ample_search::{Counts, Ended, Limits, ORDERS, OrderEntry, Search, SearchOutcome, StopAt, typical_states};
use ample_store::CollapseStore;
use ample_transition::{Budget, KeyUse, StoreConfig, Successors};

use crate::explore::{self, SAFETY};

/// The numbers of threads that are compared.
pub const THREADS: [usize; 3] = [1, 2, 8];

/// How much is compared.
#[derive(Copy, Clone, Debug)]
pub struct Effort {
    /// Models with more states are left out.
    pub max_states: u64,
    /// How long the reference may take, and each search that is compared with it. In a test there
    /// is no such limit.
    pub max_time: Option<Duration>,
    /// Up to so many states, a model is searched `runs` times each way; else once.
    pub small: u64,
    /// How often a small model is searched each way.
    pub runs: usize,
}

/// What came out for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// All searches have these counts; so many were made.
    Agrees {
        /// States stored.
        states: u64,
        /// Transitions between them.
        transitions: u64,
        /// How many searches were compared.
        searches: usize,
        /// Whether it ran as machine code.
        compiled: bool,
    },
    /// The reference did not come to an end within the limits.
    TooLarge,
    /// One search did not come to an end within the limits although the reference did.
    OutOfTime(String),
    /// One has other counts, or other violations.
    Differs(String),
}

/// Searches a model by all parallel orders on all numbers of threads.
pub fn compare(loaded: &Loaded, effort: &Effort) -> Agreement {
    let interpreter = Interpreter::new(&loaded.model);
    let started = Instant::now();
    let limits = Limits { max_states: Some(effort.max_states), max_time: effort.max_time, ..Limits::default() };
    let reference = explore::search(&interpreter, "dfs", StopAt::End, &limits);
    if reference.ended != Ended::Complete {
        // A run-time error in an initialiser is a violation: nothing to compare.
        return Agreement::TooLarge;
    }
    let compiled = Compiled::new(&interpreter).ok();
    let system: &dyn Successors = compiled.as_ref().map_or(&interpreter, |compiled| compiled);
    let Counts { states, transitions, .. } = reference.counts;
    let runs = if states <= effort.small { effort.runs } else { 1 };
    // Never less time than the reference took: an order may be slower where there is little to
    // gain.
    let max_time = effort.max_time.map(|time| time.max(started.elapsed() * 4));
    let mut searches = 0;
    for order in ORDERS.iter().filter(|order| order.is_parallel) {
        for threads in THREADS {
            for run in 1..=runs {
                let outcome = search(system, order, threads, max_time);
                let what = || format!("{} on {threads} threads, run {run}", order.part.name);
                match difference(&reference, &outcome) {
                    None => searches += 1,
                    Some(_) if is_cut_by_time(&outcome) => return Agreement::OutOfTime(what()),
                    Some(difference) => return Agreement::Differs(format!("{}: {difference}", what())),
                }
            }
        }
    }
    Agreement::Agrees { states, transitions, searches, compiled: compiled.is_some() }
}

fn search(system: &dyn Successors, order: &OrderEntry, threads: usize, max_time: Option<Duration>) -> SearchOutcome {
    let budget = Budget::unlimited();
    let typical = typical_states(system).into();
    let config =
        StoreConfig { budget: budget.clone(), length: system.state_length(), typical, key_use: KeyUse::References };
    let Ok(store) = CollapseStore::new(&config) else { return SearchOutcome::not_begun() };
    (order.run)(Search {
        system,
        store: Box::new(store),
        make_exact_store: &|| Some(Box::new(CollapseStore::new(&config).ok()?)),
        budget: &budget,
        threads,
        wanted: SAFETY,
        stop_at: StopAt::End,
        limits: &Limits { max_time, ..Limits::default() },
        progress: None,
        observer: None,
        reduction: None,
        has_assumption_failed: None,
        slices: None,
    })
}

fn is_cut_by_time(outcome: &SearchOutcome) -> bool {
    matches!(outcome.ended, Ended::Limit(_))
}

/// Where two searches differ in what may not depend on how they are made.
fn difference(reference: &SearchOutcome, outcome: &SearchOutcome) -> Option<String> {
    let numbers = |outcome: &SearchOutcome| {
        let Counts { states, transitions, atomic_steps, .. } = outcome.counts;
        (states, transitions, atomic_steps)
    };
    if outcome.ended != reference.ended {
        return Some(format!("{:?} instead of {:?}", outcome.ended, reference.ended));
    }
    if numbers(outcome) != numbers(reference) {
        return Some(format!("{:?} instead of {:?}", numbers(outcome), numbers(reference)));
    }
    if explore::faults(outcome) != explore::faults(reference) {
        return Some(format!("{:?} instead of {:?}", explore::faults(outcome), explore::faults(reference)));
    }
    None
}
