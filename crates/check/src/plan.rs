//! From options to a plan and the parts that carry it out.

use ample_guarantee::{Part, Plan, PropertyClass, parts};
use ample_product::Fairness;
use ample_reduction::{CYCLE_CONDITIONS, CycleConditionEntry, ExpanderEntry};
use ample_search::{EMPTINESS, EmptinessEntry, Ended, Limit, Limits, ORDERS, OrderEntry, Search, SearchOutcome, dfs};
use ample_store::{STORES, StoreEntry};
use ample_transition::{CycleCondition, Marks};

use crate::job::{Reductions, System};
use crate::{CheckError, Choice, Claim, Options, Reduce};

/// A plan with what is needed to run it.
#[derive(Clone)]
pub(crate) struct Planned {
    pub plan: Plan,
    pub way: Way,
    pub store: &'static StoreEntry,
    pub threads: usize,
    pub reduction: Option<(&'static ExpanderEntry, &'static CycleConditionEntry)>,
    /// Whether transitions sleep.
    pub has_sleep: bool,
}

impl Planned {
    /// The same search with all transitions.
    pub fn without_reduction(&self) -> Planned {
        Planned { plan: self.plan.clone().with_all_transitions(), reduction: None, has_sleep: false, ..*self }
    }

    /// The search of an under-approximation that is exact.
    pub fn exact(&self) -> Planned {
        Planned { plan: self.plan.clone().exact(), ..*self }
    }

    /// The search of one that is not: the cycle condition is that of the exact one.
    pub fn inexact(&self) -> Planned {
        Planned { plan: self.plan.clone().without_cycle_condition(), ..*self }
    }
}

impl Planned {
    /// In which order, and on how many threads, the system alone is visited to settle which transitions are taken: as the plan has it if the
    /// condition goes with any order, else depth first.
    pub fn first_pass(&self, condition: &dyn CycleCondition) -> (fn(Search<'_>) -> SearchOutcome, usize) {
        let any_order = condition.needs().settles_in_any_order();
        match (self.way, ORDERS.first()) {
            (Way::Order(order), _) if any_order => (order.run, self.threads),
            (Way::Emptiness(_), Some(order)) if any_order && self.threads > 1 => (order.run, self.threads),
            _ => (dfs, 1),
        }
    }
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
    make(options, execution, Way::Order(order), threads(options, order)?, Sought::Faults)
}

/// How endless runs are looked for on one thread if nobody says.
const DEFAULT_EMPTINESS: &Part = &parts::NDFS;

/// Chooses the parts of a search for runs that a claim forbids. If a beginning of such a run is enough, any order finds it.
pub(crate) fn for_runs(options: &Options, execution: &'static Part, claim: &Claim) -> Result<Planned, CheckError> {
    if options.emptiness == Choice::Auto && claim.sinks().is_some() {
        let order = order(options)?;
        return make(options, execution, Way::Order(order), threads(options, order)?, Sought::Runs);
    }
    let emptiness = emptiness(options)?;
    make(options, execution, Way::Emptiness(emptiness), threads_for_runs(options, emptiness)?, Sought::Runs)
}

/// What a search is for: a reduction of runs must see what they show.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Sought {
    Faults,
    Runs,
}

/// The way to look for endless runs: one that takes marks if runs are to be fair, a parallel one if there are to be threads.
fn emptiness(options: &Options) -> Result<&'static EmptinessEntry, CheckError> {
    let is_suitable = |entry: &&EmptinessEntry| match (options.fairness, options.threads) {
        (Fairness::Weak, _) => entry.is_generalised,
        (Fairness::None, Some(2..)) => entry.is_parallel,
        (Fairness::None, _) => entry.part == DEFAULT_EMPTINESS,
    };
    let suitable = EMPTINESS.iter().find(is_suitable);
    let emptiness = match (&options.emptiness, suitable) {
        (Choice::Auto, Some(entry)) => entry,
        _ => choose("emptiness algorithm", &options.emptiness, EMPTINESS, |entry| entry.part)?,
    };
    if let (Some(fair), false) = (options.fairness.name(), emptiness.is_generalised) {
        let (name, known) = (emptiness.part.name, names(|entry| entry.is_generalised));
        return Err(CheckError::Conflict(format!(
            "--emptiness {name} does not go with --fair {fair}: it cannot look for many conditions at once{}",
            way_out("use", &known, "leave out --fair")
        )));
    }
    Ok(emptiness)
}

/// How many threads look for endless runs.
fn threads_for_runs(options: &Options, emptiness: &EmptinessEntry) -> Result<usize, CheckError> {
    match options.threads {
        None if emptiness.is_parallel => Ok(cores()),
        None => Ok(1),
        Some(threads) if threads > 1 && !emptiness.is_parallel => {
            let (name, known) = (emptiness.part.name, names(|entry| entry.is_parallel));
            let why = match options.fairness.name() {
                Some(fair) => {
                    format!("--fair {fair} needs --emptiness {name}, which runs on one thread: leave out --threads")
                }
                None => {
                    format!("--emptiness {name} runs on one thread{}", way_out("use", &known, "leave out --threads"))
                }
            };
            Err(CheckError::Conflict(why))
        }
        Some(threads) => Ok(threads.max(1)),
    }
}

/// The ways to look for endless runs that are like this.
fn names(is_one: fn(&EmptinessEntry) -> bool) -> Vec<&'static str> {
    EMPTINESS.iter().filter(|entry| is_one(entry)).map(|entry| entry.part.name).collect()
}

fn way_out(verb: &str, names: &[&str], other: &str) -> String {
    match names {
        [] => format!(": {other}"),
        names => format!(": {verb} {}, or {other}", names.join(" or ")),
    }
}

/// Refuses options that nothing in these plans asks for.
pub(crate) fn check_all_apply(options: &Options, plans: &[&Planned], has_claims: bool) -> Result<(), CheckError> {
    let conflict = |what: String, why: &str| Err(CheckError::Conflict(format!("{what} does not apply: {why}")));
    let has_order = plans.iter().any(|planned| matches!(planned.way, Way::Order(_)));
    let has_emptiness = plans.iter().any(|planned| matches!(planned.way, Way::Emptiness(_)));
    match (&options.order, &options.emptiness, options.fairness.name()) {
        (Choice::Named(name), _, _) if !has_order => {
            conflict(format!("--order {name}"), "no property asks for a search for faults")
        }
        (_, Choice::Named(name), _) if !has_emptiness => {
            conflict(format!("--emptiness {name}"), "no property is about endless runs")
        }
        (_, _, Some(fair)) if !has_claims => conflict(format!("--fair {fair}"), "no property is about endless runs"),
        _ => Ok(()),
    }
}

/// Refuses fairness where there may be more processes than can be told apart.
pub(crate) fn check_fairness(options: &Options, max_processes: u16) -> Result<(), CheckError> {
    match options.fairness.name() {
        Some(fair) if usize::from(max_processes) > Marks::MAX_PROCESSES => Err(CheckError::Conflict(format!(
            "--fair {fair} does not go with --max-processes {max_processes}: it looks after no more than {} processes",
            Marks::MAX_PROCESSES
        ))),
        _ => Ok(()),
    }
}

fn make(
    options: &Options,
    execution: &'static Part,
    way: Way,
    threads: usize,
    sought: Sought,
) -> Result<Planned, CheckError> {
    let store = choose("store", &options.store, STORES, |entry| entry.part)?;
    let reduction = reduction(options, way, sought)?;
    let mut plan = Plan::reference().with(execution).with(way.part()).with(store.part);
    if let Some((expander, condition)) = reduction {
        plan = plan.with(expander.part).with(condition.part);
    }
    if sought == Sought::Faults {
        plan = plan.for_faults();
    }
    let has_sleep = asks_for_sleep(options);
    if has_sleep {
        plan = plan.with(&parts::SLEEP);
    }
    Ok(Planned { plan, way, store, threads, reduction, has_sleep })
}

/// The name under which partial order reduction is asked for in a list of reductions.
const POR: &str = "por";

/// Whether partial order reduction is asked for.
fn asks_for_reduction(options: &Options) -> bool {
    options.por != Choice::Auto || options.reduce.names(POR)
}

/// Whether sleep sets are asked for.
fn asks_for_sleep(options: &Options) -> bool {
    options.reduce.names(parts::SLEEP.name)
}

/// The cycle condition if nobody says: for endless runs one that does not look at them; for faults, the one that leaves most out in the
/// order of the search.
fn default_condition(way: Way, sought: Sought) -> Option<&'static CycleConditionEntry> {
    let wanted = match (sought, way.part() == &parts::DFS) {
        (Sought::Runs, _) => &parts::STICKY,
        (Sought::Faults, true) => &parts::STACK,
        (Sought::Faults, false) => &parts::OPEN,
    };
    CYCLE_CONDITIONS.iter().find(|entry| entry.part == wanted)
}

/// The partial order reduction that is asked for. What `auto` adds is decided later.
fn reduction(
    options: &Options,
    way: Way,
    sought: Sought,
) -> Result<Option<(&'static ExpanderEntry, &'static CycleConditionEntry)>, CheckError> {
    if let Reduce::List(names) = &options.reduce
        && let Some(name) = names.iter().find(|name| *name != POR && *name != parts::SLEEP.name)
    {
        return Err(CheckError::unknown_name("reduction", name, [POR, parts::SLEEP.name]));
    }
    if !asks_for_reduction(options) {
        return match &options.cycle_condition {
            Choice::Auto => Ok(None),
            Choice::Named(name) => {
                let why = format!("--proviso {name} does not apply: no partial order reduction is asked for (--por)");
                Err(CheckError::Conflict(why))
            }
        };
    }
    if options.reduce == Reduce::None {
        return Err(CheckError::Conflict("--por does not go with --reduce none".to_owned()));
    }
    let Reductions { expanders, cycle_conditions } = options.reductions;
    let expander = choose("partial order reduction", &options.por, expanders, |entry| entry.part)?;
    let condition = match (&options.cycle_condition, default_condition(way, sought)) {
        (Choice::Auto, Some(entry)) => entry,
        (choice, _) => choose("cycle condition", choice, cycle_conditions, |entry| entry.part)?,
    };
    if condition.needs_path() && sought == Sought::Faults && way.part() != &parts::DFS {
        let name = condition.part.name;
        let why = format!("--proviso {name} looks at the path of the search: use --order dfs, or --proviso open");
        return Err(CheckError::Conflict(why));
    }
    Ok(Some((expander, condition)))
}

/// Refuses a reduction where the processes are not known.
pub(crate) fn check_reduction(planned: &Planned, system: &System<'_>) -> Result<(), CheckError> {
    let is_reduced = planned.reduction.is_some() || planned.has_sleep;
    match system.reducible {
        _ if !is_reduced => Ok(()),
        Some(known) if known.network.is_guessed => check_on_guess(planned),
        Some(_) => Ok(()),
        None => {
            let flag = match planned.reduction {
                Some((expander, _)) => format!("--por {}", expander.part.name),
                None => "--reduce sleep".to_owned(),
            };
            let why = system.why_interpreted.unwrap_or("the model is interpreted");
            Err(CheckError::Conflict(format!("{flag} cannot be used here: the processes are not known, since {why}")))
        }
    }
}

/// Refuses a reduction that need not notice that a guess of the processes is wrong: that is local reachability, whatever the property
/// needs ([`WhileItFits`](ample_reduction::WhileItFits) has the argument).
fn check_on_guess(planned: &Planned) -> Result<(), CheckError> {
    let condition = match planned.reduction {
        Some((_, condition)) if !planned.plan.preserves(PropertyClass::LocalReachability) => condition.part.name,
        _ => return Ok(()),
    };
    Err(CheckError::Conflict(format!(
        "--proviso {condition} cannot be used here: the processes of this model are guessed, and what shows that the guess is wrong may \
         be put off for ever; use another --proviso, or leave it out"
    )))
}

/// The order. Depth can be limited only where it is known.
fn order(options: &Options) -> Result<&'static OrderEntry, CheckError> {
    let needs_depth = options.limits.max_depth.is_some();
    if asks_for_sleep(options) {
        return order_with_sleep(options);
    }
    // On one thread a reduction leaves most out depth first.
    let is_reduced_alone = asks_for_reduction(options) && options.threads == Some(1);
    let default = if needs_depth { Some(&parts::BFS) } else { is_reduced_alone.then_some(&parts::DFS) };
    if let (Choice::Auto, Some(part)) = (&options.order, default) {
        return choose("order", &Choice::Named(part.name.to_owned()), ORDERS, |entry| entry.part);
    }
    let order = choose("order", &options.order, ORDERS, |entry| entry.part)?;
    if needs_depth && !order.knows_depth {
        let name = order.part.name;
        return Err(CheckError::Conflict(format!("--max-depth does not go with --order {name}: use bfs or dfs")));
    }
    Ok(order)
}

/// The order in which transitions can sleep.
fn order_with_sleep(options: &Options) -> Result<&'static OrderEntry, CheckError> {
    let conflict = |what: &str, way_out: &str| {
        Err(CheckError::Conflict(format!("--reduce sleep does not go with {what}: {way_out}")))
    };
    let order = match &options.order {
        Choice::Auto => &Choice::Named(parts::DFS.name.to_owned()),
        named => named,
    };
    let order = choose("order", order, ORDERS, |entry| entry.part)?;
    match (order.part == &parts::DFS, options.threads) {
        (false, _) => {
            let what = format!("--order {}", order.part.name);
            conflict(&what, "what sleeps is handed on along a path; use --order dfs")
        }
        (true, Some(threads @ 2..)) => {
            conflict(&format!("--threads {threads}"), "it searches depth first, on one thread")
        }
        _ if options.limits.max_depth.is_some() => {
            conflict("--max-depth", "a state may be met first where it is too deep")
        }
        _ => Ok(order),
    }
}

/// How many threads.
fn threads(options: &Options, order: &OrderEntry) -> Result<usize, CheckError> {
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

/// How many threads the machine can run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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
        // A search that was given up is done again without a reduction; none of them is judged.
        Ended::Interrupted | Ended::Unfounded => Some((&parts::INTERRUPTED, None)),
        Ended::StoreFull => Some(match limits.max_memory {
            Some(bytes) => (&parts::MAX_MEMORY, Some(Limit::Memory(bytes))),
            None => (&parts::STORE_FULL, None),
        }),
    }
}
