//! From options to a plan and the parts that carry it out.

use ample_guarantee::{Part, Plan, parts};
use ample_search::{EMPTINESS, EmptinessEntry, Ended, Limit, Limits, ORDERS, OrderEntry};
use ample_store::{STORES, StoreEntry};

use crate::{CheckError, Choice, Options, Reduce};

/// A plan with what is needed to run it.
pub(crate) struct Planned {
    pub plan: Plan,
    pub way: Way,
    pub store: &'static StoreEntry,
    pub threads: usize,
}

/// How states are searched.
#[derive(Copy, Clone)]
pub(crate) enum Way {
    /// For faults, in some order.
    Order(&'static OrderEntry),
    /// For accepted runs.
    Emptiness(&'static EmptinessEntry),
}

impl Way {
    pub fn part(self) -> &'static Part {
        match self {
            Way::Order(entry) => entry.part,
            Way::Emptiness(entry) => entry.part,
        }
    }
}

/// Chooses the parts of a search for faults.
pub(crate) fn for_faults(options: &Options, execution: &'static Part) -> Result<Planned, CheckError> {
    let order = order(options)?;
    make(options, execution, Way::Order(order), threads(options, order)?)
}

/// Chooses the parts of a search for accepted runs.
pub(crate) fn for_runs(options: &Options, execution: &'static Part) -> Result<Planned, CheckError> {
    let emptiness = choose("emptiness algorithm", &Choice::Auto, EMPTINESS, |entry| entry.part)?;
    make(options, execution, Way::Emptiness(emptiness), 1)
}

/// Options that say how to search for faults, where only accepted runs are looked for.
pub(crate) fn check_options_for_runs(options: &Options) -> Result<(), CheckError> {
    let conflict = |what: &str| Err(CheckError::Conflict(format!("{what}: no property asks for a search for faults")));
    match (&options.order, options.threads) {
        (Choice::Named(name), _) => conflict(&format!("--order {name} does not apply")),
        (Choice::Auto, Some(2..)) => conflict("--threads does not apply"),
        (Choice::Auto, _) => Ok(()),
    }
}

fn make(options: &Options, execution: &'static Part, way: Way, threads: usize) -> Result<Planned, CheckError> {
    let store = choose("store", &options.store, STORES, |entry| entry.part)?;
    if let Reduce::List(names) = &options.reduce {
        // No reduction is built yet: every name is unknown, and `auto` and `none` are the same.
        let name = names.first().map_or("", String::as_str);
        return Err(CheckError::unknown_name("reduction", name, []));
    }
    Ok(Planned { plan: Plan::reference().with(execution).with(way.part()).with(store.part), way, store, threads })
}

/// The order. Depth can be limited only where it is known.
fn order(options: &Options) -> Result<&'static OrderEntry, CheckError> {
    let needs_depth = options.limits.max_depth.is_some();
    if options.order == Choice::Auto && needs_depth {
        return choose("order", &Choice::Named(parts::BFS.name.to_owned()), ORDERS, |entry| entry.part);
    }
    let order = choose("order", &options.order, ORDERS, |entry| entry.part)?;
    if needs_depth && !order.knows_depth {
        let name = order.part.name;
        return Err(CheckError::Conflict(format!("--max-depth does not go with --order {name}: use bfs or dfs")));
    }
    Ok(order)
}

/// How many threads.
fn threads(options: &Options, order: &OrderEntry) -> Result<usize, CheckError> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    match options.threads {
        None if order.is_parallel => Ok(cores()),
        None => Ok(1),
        Some(threads) if threads > 1 && !order.is_parallel => {
            let name = order.part.name;
            Err(CheckError::Conflict(format!("--order {name} runs on one thread: use bfs, or leave out --threads")))
        }
        Some(threads) => Ok(threads.max(1)),
    }
}

fn choose<T>(
    what: &'static str,
    choice: &Choice,
    entries: &'static [T],
    part: impl Fn(&T) -> &'static Part,
) -> Result<&'static T, CheckError> {
    let name = match choice {
        Choice::Auto => entries.first().map_or("", |entry| part(entry).name),
        Choice::Named(name) => name,
    };
    entries
        .iter()
        .find(|entry| part(entry).name == name)
        .ok_or_else(|| CheckError::unknown_name(what, name, entries.iter().map(|entry| part(entry).name)))
}

/// The bound that cut a search off, and its value if it has one.
pub(crate) fn bound_reached(ended: Ended, limits: &Limits) -> Option<(&'static Part, Option<Limit>)> {
    match ended {
        Ended::Complete | Ended::FirstViolation => None,
        Ended::Limit(limit @ Limit::States(_)) => Some((&parts::MAX_STATES, Some(limit))),
        Ended::Limit(limit @ Limit::Depth(_)) => Some((&parts::MAX_DEPTH, Some(limit))),
        // The search was given what was left of the time.
        Ended::Limit(Limit::Time(left)) => Some((&parts::MAX_TIME, Some(Limit::Time(limits.max_time.unwrap_or(left))))),
        Ended::Limit(limit @ Limit::Memory(_)) => Some((&parts::MAX_MEMORY, Some(limit))),
        Ended::Interrupted => Some((&parts::INTERRUPTED, None)),
        Ended::StoreFull => Some(match limits.max_memory {
            Some(bytes) => (&parts::MAX_MEMORY, Some(Limit::Memory(bytes))),
            None => (&parts::STORE_FULL, None),
        }),
    }
}
