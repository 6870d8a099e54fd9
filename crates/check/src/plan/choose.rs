//! Which parts: those that were asked for, else those that suit the question.

use ample_guarantee::{Part, PartKind, Parts};
use ample_product::Fairness;
use ample_reduction::{CanonizerEntry, CycleConditionEntry, ExpanderEntry, PassEntry, SearchKind, SleepEntry};
use ample_search::{EMPTINESS, EmptinessEntry, ORDERS, OrderEntry};

use super::{Algorithm, LookingFor, Plan, classes, covers, foresights, matching};
use crate::claim::Claim;
use crate::error::CheckError;
use crate::options::{Choice, Options, Reduce};
use crate::techniques::Techniques;

/// What is asked for.
#[derive(Copy, Clone)]
pub(crate) struct Wanted<'o> {
    pub options: &'o Options,
    /// The partial order reduction if the options name none; without it, there is none then.
    pub expander: Option<&'static Part>,
}

impl<'o> Wanted<'o> {
    /// No more than the options name.
    pub fn by(options: &'o Options) -> Self {
        Wanted { options, expander: None }
    }

    /// Whether partial order reduction is asked for.
    fn is_reduced(&self) -> bool {
        self.expander.is_some() || self.options.por != Choice::Auto || self.options.reduce.names(POR)
    }

    /// Which.
    fn por(&self) -> Choice {
        match (&self.options.por, self.expander) {
            (Choice::Auto, Some(part)) => Choice::Named(part.name.to_owned()),
            (choice, _) => choice.clone(),
        }
    }
}

/// Chooses the parts of a search for faults.
pub(crate) fn for_violations(wanted: &Wanted<'_>, execution: &'static Part) -> Result<Plan, CheckError> {
    in_order(wanted, execution, LookingFor::Faults)
}

/// Chooses the parts of a search that ends with what it looks for.
fn in_order(wanted: &Wanted<'_>, execution: &'static Part, looking_for: LookingFor) -> Result<Plan, CheckError> {
    if let Some(entry) = classes::asked(wanted.options)? {
        return make(wanted, execution, Algorithm::Classes(entry), 1, looking_for);
    }
    let order = order(wanted)?;
    make(wanted, execution, Algorithm::Order(order), threads(wanted.options, order)?, looking_for)
}

/// How infinite runs are looked for on one thread if nobody says.
const DEFAULT_EMPTINESS: &Part = &ample_search::NDFS;

/// Chooses the parts of a search for runs that a claim forbids. If a beginning of such a run is
/// enough, any order finds it.
pub(crate) fn for_runs(wanted: &Wanted<'_>, execution: &'static Part, claim: &Claim) -> Result<Plan, CheckError> {
    let options = wanted.options;
    let has_prefixes = options.emptiness == Choice::Auto && claim.sinks().is_some();
    // Classes do not see runs: the decision says which class of properties would be lost.
    if has_prefixes || classes::are_asked(options) {
        return in_order(wanted, execution, LookingFor::Runs);
    }
    let emptiness = emptiness(options)?;
    if !options.matching.is_empty() {
        return Err(matching::no_runs(emptiness.part.name));
    }
    make(wanted, execution, Algorithm::Emptiness(emptiness), threads_for_runs(options, emptiness)?, LookingFor::Runs)
}

/// The way to look for infinite runs: one that takes marks if runs are to be fair, a parallel one
/// if there are to be threads.
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

/// How many threads look for infinite runs.
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

/// The ways to look for infinite runs that are like this.
fn names(is_one: fn(&EmptinessEntry) -> bool) -> Vec<&'static str> {
    EMPTINESS.iter().filter(|entry| is_one(entry)).map(|entry| entry.part.name).collect()
}

fn way_out(verb: &str, names: &[&str], other: &str) -> String {
    match names {
        [] => format!(": {other}"),
        names => format!(": {verb} {}, or {other}", names.join(" or ")),
    }
}

fn make(
    wanted: &Wanted<'_>,
    execution: &'static Part,
    algorithm: Algorithm,
    threads: usize,
    looking_for: LookingFor,
) -> Result<Plan, CheckError> {
    let options = wanted.options;
    let store = choose("store", &options.store, options.techniques.stores, |entry| entry.part)?;
    let reduction = reduction(wanted, algorithm, looking_for)?;
    let parts = Parts::new(execution, store.part, algorithm.part());
    let (sleep, passes, canonizers) = (sleep_sets(options), passes(options), canonizers(options));
    let (rewriting, cover, matching) = (None, covers::check(options)?, options.matching.clone().into());
    let foresights = foresights::check(options)?;
    Ok(Plan {
        parts,
        execution,
        looking_for,
        algorithm,
        store,
        threads,
        reduction,
        sleep,
        passes,
        rewriting,
        canonizers,
        cover,
        foresights,
        matching,
        names_are_labels: false,
    }
    .assembled())
}

/// The name under which partial order reduction is asked for in a list of reductions.
const POR: &str = "por";

/// The names that a list of reductions may have.
fn known_reductions(techniques: &Techniques) -> impl Iterator<Item = &'static str> + use<> {
    let is_named = |part: &&Part| {
        matches!(
            part.kind,
            PartKind::Pass | PartKind::Sleep | PartKind::Canonizer | PartKind::Cover | PartKind::Foresight
        )
    };
    [POR].into_iter().chain(techniques.reductions().filter(is_named).map(|part| part.name))
}

/// The passes that are asked for.
fn passes(options: &Options) -> Vec<&'static PassEntry> {
    options.techniques.passes.iter().filter(|entry| options.reduce.names(entry.part.name)).collect()
}

/// The canonizers that are asked for.
fn canonizers(options: &Options) -> Vec<&'static CanonizerEntry> {
    options.techniques.canonizers.iter().filter(|entry| options.reduce.names(entry.part.name)).collect()
}

/// The sleep sets that are asked for.
pub(crate) fn sleep_sets(options: &Options) -> Option<&'static SleepEntry> {
    options.techniques.sleep_sets.iter().find(|entry| options.reduce.names(entry.part.name))
}

/// The cycle condition if nobody says: for infinite runs one that does not look at them; for
/// faults, the one that leaves most out in the order of the search.
pub(crate) fn default_condition(
    options: &Options,
    algorithm: Algorithm,
    looking_for: LookingFor,
) -> Option<&'static CycleConditionEntry> {
    let search = match (looking_for, algorithm.part() == &ample_search::DFS) {
        (LookingFor::Runs, _) => SearchKind::Runs,
        (LookingFor::Faults, true) => SearchKind::FaultsDepthFirst,
        (LookingFor::Faults, false) => SearchKind::FaultsInAnyOrder,
    };
    options.techniques.cycle_conditions.iter().find(|entry| entry.default_for.contains(&search))
}

/// The cycle condition that is this part, if it is one of those that can be chosen.
pub(crate) fn cycle_condition(
    options: &Options,
    part: &'static Part,
) -> Result<&'static CycleConditionEntry, CheckError> {
    let named = Choice::Named(part.name.to_owned());
    choose("cycle condition", &named, options.techniques.cycle_conditions, |entry| entry.part)
}

/// The partial order reduction that is asked for. What `auto` adds is decided later.
fn reduction(
    wanted: &Wanted<'_>,
    algorithm: Algorithm,
    looking_for: LookingFor,
) -> Result<Option<(&'static ExpanderEntry, &'static CycleConditionEntry)>, CheckError> {
    let options = wanted.options;
    if let Reduce::List(names) = &options.reduce
        && let Some(name) = names.iter().find(|name| known_reductions(&options.techniques).all(|known| known != *name))
    {
        return Err(CheckError::unknown_name("reduction", name, known_reductions(&options.techniques)));
    }
    if !wanted.is_reduced() {
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
    let Techniques { expanders, cycle_conditions, .. } = options.techniques;
    let expander = choose("partial order reduction", &wanted.por(), expanders, |entry| entry.part)?;
    // What is joined is settled by the state alone, as in a search for runs.
    let default_for = if expander.join.is_some() { LookingFor::Runs } else { looking_for };
    let condition = match (&options.cycle_condition, default_condition(options, algorithm, default_for)) {
        (Choice::Auto, Some(entry)) => entry,
        (choice, _) => choose("cycle condition", choice, cycle_conditions, |entry| entry.part)?,
    };
    if expander.join.is_some() && !condition.for_faults.needs().is_nothing() {
        let (condition, expander) = (condition.part.name, expander.part.name);
        let why = format!(
            "--proviso {condition} does not go with --por {expander}: what it accepts depends on the search, and which transitions are \
             one is settled before; leave it out"
        );
        return Err(CheckError::Conflict(why));
    }
    if condition.needs_path() && looking_for == LookingFor::Faults && algorithm.part() != &ample_search::DFS {
        let name = condition.part.name;
        let why = format!("--proviso {name} looks at the path of the search: use --order dfs, or --proviso open");
        return Err(CheckError::Conflict(why));
    }
    Ok(Some((expander, condition)))
}

/// The order. Depth can be limited only where it is known.
fn order(wanted: &Wanted<'_>) -> Result<&'static OrderEntry, CheckError> {
    let options = wanted.options;
    matching::check(options)?;
    // What comes first is stored: depth first, that is often worse than what comes later.
    let needs_bfs =
        options.limits.max_depth.is_some() || !options.matching.is_empty() || covers::asked(options).is_some();
    let needs_depth = options.limits.max_depth.is_some();
    if sleep_sets(options).is_some() {
        return order_with_sleep(options);
    }
    // On one thread a reduction leaves most out depth first.
    let is_reduced_alone = wanted.is_reduced() && options.threads == Some(1);
    let default = if needs_bfs { Some(&ample_search::BFS) } else { is_reduced_alone.then_some(&ample_search::DFS) };
    if let (Choice::Auto, Some(part)) = (&options.order, default) {
        return choose("order", &Choice::Named(part.name.to_owned()), ORDERS, |entry| entry.part);
    }
    let order = named_order(options, &options.order)?;
    if needs_depth && !order.knows_depth {
        let name = order.part.name;
        return Err(CheckError::Conflict(format!("--max-depth does not go with --order {name}: use bfs or dfs")));
    }
    Ok(order)
}

/// The order with this name. Those that compute classes are known, too.
fn named_order(options: &Options, choice: &Choice) -> Result<&'static OrderEntry, CheckError> {
    let all = || ORDERS.iter().map(|entry| entry.part).chain(options.techniques.classes.iter().map(|entry| entry.part));
    choose("order", choice, ORDERS, |entry| entry.part).map_err(|error| match choice {
        Choice::Named(name) => CheckError::unknown_name("order", name, all().map(|part| part.name)),
        Choice::Auto => error,
    })
}

/// The order in which transitions can sleep.
fn order_with_sleep(options: &Options) -> Result<&'static OrderEntry, CheckError> {
    let conflict = |what: &str, way_out: &str| {
        Err(CheckError::Conflict(format!("--reduce sleep does not go with {what}: {way_out}")))
    };
    let order = match &options.order {
        Choice::Auto => &Choice::Named(ample_search::DFS.name.to_owned()),
        named => named,
    };
    let order = choose("order", order, ORDERS, |entry| entry.part)?;
    match (order.part == &ample_search::DFS, options.threads) {
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
        None if order.is_parallel && options.matching.is_empty() => Ok(cores()),
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

pub(crate) fn choose<T>(
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
