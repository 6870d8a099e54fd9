//! `--reduce auto`: which plans are sound for a question and may be tried unasked.
//!
//! Most models are small, and then a reduction costs more than it gives: what it needs to know
//! takes longer to find out than the search takes. So a search begins without one. If it does not
//! come to an end soon, plans with reductions are tried, too
//! ([`weigh`](crate::run::weigh)).

use ample_guarantee::{Guarantee, Part, Property, decide};
use ample_model::Model;
use ample_network::{Instance, Network};
use ample_reduction::{CanonizerEntry, ExpanderEntry, PassEntry};
use ample_search::{Limits, ORDERS, StopAt};

use super::choose::{cores, default_condition};
use super::{Algorithm, LookingFor, Plan, classes};
use crate::options::{Choice, Options, Reduce};
use crate::way::Way;

/// A search that has expanded so many states is large enough for reductions to be tried, if there
/// are few edges.
const TRIAL_STATES: u64 = 5_000;

/// Searches for runs expand states more than once, and reductions leave less out there: so many
/// times as many.
const TRIAL_OF_RUNS: u64 = 4;

/// What reductions must know takes time that grows with the square of the number of edges: one part
/// in so many of that square, in states that are expanded meanwhile.
const STATES_OF_EDGES: u64 = 10;

/// An error that was found depth first is looked for among so many states nearer to the beginning.
const NEARBY_STATES: u64 = 100_000;

/// Processes with more edges than this, all together, are not compared unless somebody asks for a
/// reduction.
const MOST_EDGES: u64 = 20_000;

/// With no more threads than this, a reduced search on all of them is not tried beside one depth
/// first: there it takes twice as long for a state, and leaves less out. On two threads it was the
/// best plan on none of 56 models.
const FEW_THREADS: usize = 2;

/// Whether the options leave it to us to reduce. What they promise about the whole space, about
/// depth or shortest counterexamples would not be true of a reduced one.
pub(crate) fn may_reduce(options: &Options) -> bool {
    let is_left_to_us =
        options.reduce == Reduce::Auto && options.por == Choice::Auto && options.cycle_condition == Choice::Auto;
    let is_tried_anyway = options.limits.max_states.is_some_and(|max| max <= TRIAL_STATES);
    is_left_to_us
        && !asks_for_shortest(options)
        && !asks_for_all(options)
        && !is_tried_anyway
        && !classes::are_asked(options)
}

/// Whether depth, edges or all errors are asked for, which are those of the whole space; or the
/// values of expressions, which are those of the model as written.
fn asks_for_all(options: &Options) -> bool {
    !options.matching.is_empty()
        || options.stop_at == StopAt::End
        || options.coverage
        || options.limits.max_depth.is_some()
}

/// Whether a shortest counterexample is asked for.
fn asks_for_shortest(options: &Options) -> bool {
    matches!(&options.order, Choice::Named(name) if name == ample_search::BFS.name)
}

/// Whether a pass may be taken unasked. What is counted is that of the model as written, and so is
/// the length of a shortest counterexample: where that is asked for, no step may be lost.
fn may_rewrite(options: &Options, entry: &PassEntry) -> bool {
    let keeps_steps = entry.part.guarantee == Guarantee::EXACT;
    let is_wanted = options.reduce == Reduce::Auto && !asks_for_all(options) && !classes::are_asked(options);
    entry.is_automatic && is_wanted && (keeps_steps || !asks_for_shortest(options))
}

/// Whether it takes no longer than a trial to find out what depends on what in a network, so that a
/// pass which needs to know that may be taken unasked.
pub(super) fn is_found_out_soon(network: &Network<'_>) -> bool {
    trial_states(network, LookingFor::Faults).is_some_and(|states| states <= TRIAL_STATES)
}

/// Whether a pass that nobody has asked for has left something to search. Where nothing can go
/// wrong in any process, the answer is clear without a search, and one who asks all the same wants
/// to see how large the space is.
pub(super) fn has_left_something(model: &Model) -> bool {
    model.templates.iter().any(|template| !template.edges.is_empty())
}

/// The plan with the passes that may be taken unasked and are sound for the property.
pub(super) fn with_passes(plan: Plan, options: &Options, property: &Property) -> Plan {
    let automatic = options.techniques.passes.iter().filter(|entry| may_rewrite(options, entry));
    automatic.fold(plan, |plan, entry| {
        let more = plan.with_pass(entry);
        if decide(&more.parts, property).is_ok() { more } else { plan }
    })
}

/// The plan with those canonizers that may be taken unasked, are sound for the property, and of
/// which `applies` says that they change something.
pub(crate) fn with_canonizers(
    plan: Plan,
    options: &Options,
    property: &Property,
    applies: impl Fn(&CanonizerEntry) -> bool,
) -> Plan {
    let automatic = options.techniques.canonizers.iter().filter(|entry| entry.is_automatic && applies(entry));
    automatic.fold(plan, |plan, entry| {
        let more = plan.with_canonizers(plan.canonizers.iter().copied().chain([entry]).collect());
        if decide(&more.parts, property).is_ok() { more } else { plan }
    })
}

/// The limits of a search for an error near to the beginning.
pub(crate) fn nearby(limits: &Limits) -> Limits {
    let max_states = limits.max_states.map_or(NEARBY_STATES, |max| max.min(NEARBY_STATES));
    Limits { max_states: Some(max_states), ..limits.clone() }
}

/// The plan with a reduction, in the orders in which it may be worth it. For faults, reduced sets
/// are smallest depth first, on one thread; for runs they are the same in every order.
pub(crate) fn reduced(plan: &Plan, options: &Options, expander: &'static ExpanderEntry) -> Vec<Plan> {
    let is_left_to_us = options.order == Choice::Auto && options.threads.is_none_or(|threads| threads == 1);
    let may_be_alone = is_left_to_us && plan.looking_for == LookingFor::Faults;
    let depth_first = match plan.algorithm {
        Algorithm::Order(_) if may_be_alone => in_order(&ample_search::DFS),
        _ => None,
    };
    let is_tried_on_all = depth_first.is_none() || plan.threads > FEW_THREADS;
    let ways = depth_first.map(|order| (order, 1)).into_iter();
    let ways = ways.chain(is_tried_on_all.then_some((plan.algorithm, plan.threads)));
    let with = |(algorithm, threads)| {
        let condition = default_condition(options, algorithm, plan.looking_for)?;
        Some(plan.with_algorithm(algorithm, threads).with_reduction(expander, condition))
    };
    ways.filter_map(with).collect()
}

/// What a plan does, in short.
pub(crate) fn name(plan: &Plan) -> String {
    let reductions: Vec<&str> = reductions(plan).collect();
    let what = if reductions.is_empty() { "full search".to_owned() } else { reductions.join(" ") };
    let threads = if plan.threads > 1 { format!(", {} threads", plan.threads) } else { String::new() };
    format!("{what} ({}{threads})", plan.algorithm.part().name)
}

/// The canonizers and the partial order reduction.
fn reductions(plan: &Plan) -> impl Iterator<Item = &'static str> {
    let canonizers = plan.canonizers.iter().map(|entry| entry.part.name);
    canonizers.chain(plan.reduction.map(|(expander, _)| expander.part.name))
}

/// The options that ask for a plan, beside those that were given.
pub(crate) fn flags(plan: &Plan) -> String {
    let rewriting = plan.passes.iter().map(|entry| entry.part);
    let canonizers = plan.canonizers.iter().map(|entry| entry.part);
    let (expander, order) = (plan.reduction.map(|(expander, _)| expander.part), plan.algorithm.part());
    let algorithm = (expander.is_some() && order == &ample_search::DFS).then_some(order);
    Way { reductions: rewriting.chain(canonizers).collect(), expander, algorithm, ..Way::default() }.flags()
}

fn in_order(part: &Part) -> Option<Algorithm> {
    ORDERS.iter().find(|entry| entry.part == part).map(Algorithm::Order)
}

/// The plan with which an error that was found depth first is found again, nearer to the beginning.
pub(crate) fn nearer(plan: &Plan, options: &Options) -> Option<Plan> {
    let (expander, _) = plan.reduction.filter(|_| plan.algorithm.part() == &ample_search::DFS)?;
    if !may_reduce(options) || options.order != Choice::Auto {
        return None;
    }
    let algorithm = in_order(&ample_search::BFS)?;
    let condition = default_condition(options, algorithm, plan.looking_for)?;
    let threads = options.threads.unwrap_or_else(cores);
    Some(plan.with_algorithm(algorithm, threads).with_reduction(expander, condition))
}

/// How many states are expanded before reductions are tried: enough for the time that it takes to
/// find out what they must know. None if the transitions are too many to be compared with each
/// other.
pub(crate) fn trial_states(network: &Network<'_>, looking_for: LookingFor) -> Option<u64> {
    let least = match looking_for {
        LookingFor::Faults => TRIAL_STATES,
        LookingFor::Runs => TRIAL_STATES * TRIAL_OF_RUNS,
    };
    let edges = |instance: &Instance| network.model.templates[instance.template].edges.len() as u64;
    let edges: u64 = network.instances.iter().map(edges).sum();
    (edges <= MOST_EDGES).then(|| least.max(edges * edges / STATES_OF_EDGES))
}
