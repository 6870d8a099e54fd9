//! `--reduce auto`: reductions that are sound for the property and pay for themselves.
//!
//! Most models are small, and then a reduction costs more than it gives: what it needs to know
//! takes longer to find out than the search takes. So a search begins without one. If it does not
//! come to an end soon, plans with a partial order reduction are tried for a while, and the search
//! is begun again with the best of all.

use std::collections::{HashSet, VecDeque};

use ample_guarantee::{Guarantee, Part, Property, decide};
use ample_network::{Instance, Network};
use ample_reduction::{CanonizerEntry, ExpanderEntry, PassEntry};
use ample_search::{Limits, ORDERS, StopAt};
use ample_transition::{Candidate, Expander, SuccessorBuffer, Successors};

use super::choose::{cores, default_condition};
use super::{Algorithm, Plan};
use crate::options::{Choice, Options, Reduce};
use crate::system::Reducible;

/// A search that has stored so many states is begun again with a reduction.
pub(crate) const TRIAL_STATES: u64 = 100_000;

/// How many states are looked at to see how often a reduction offers a candidate.
const PROBED_STATES: usize = 1_000;

/// A reduction that leaves something out in less than this share of the states is not tried.
const WORTH_TRYING: f64 = 0.05;

/// Processes with more edges than this, all together, are not compared unless somebody asks for a
/// reduction.
const MOST_EDGES: usize = 20_000;

/// With no more cores than this, a reduced search runs on one.
const FEW_CORES: usize = 4;

/// Whether the options leave it to us to reduce. What they promise about the whole space, about
/// depth or shortest counterexamples would not be true of a reduced one.
pub(crate) fn may_reduce(options: &Options) -> bool {
    let is_left_to_us =
        options.reduce == Reduce::Auto && options.por == Choice::Auto && options.cycle_condition == Choice::Auto;
    let is_tried_anyway = options.limits.max_states.is_some_and(|max| max <= TRIAL_STATES);
    is_left_to_us && !asks_for_shortest(options) && !asks_for_all(options) && !is_tried_anyway
}

/// Whether depth, edges or all errors are asked for, which are those of the whole space.
fn asks_for_all(options: &Options) -> bool {
    options.stop_at == StopAt::End || options.coverage || options.limits.max_depth.is_some()
}

/// Whether a shortest counterexample is asked for.
fn asks_for_shortest(options: &Options) -> bool {
    matches!(&options.order, Choice::Named(name) if name == ample_search::BFS.name)
}

/// Whether a pass may be taken unasked. What is counted is that of the model as written, and so is
/// the length of a shortest counterexample: where that is asked for, no step may be lost.
fn may_rewrite(options: &Options, entry: &PassEntry) -> bool {
    let keeps_steps = entry.part.guarantee == Guarantee::EXACT;
    let is_wanted = options.reduce == Reduce::Auto && !asks_for_all(options);
    entry.is_automatic && is_wanted && (keeps_steps || !asks_for_shortest(options))
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

/// The limits of the trial.
pub(crate) fn trial(limits: &Limits) -> Limits {
    Limits { max_states: Some(TRIAL_STATES), ..limits.clone() }
}

/// The plan with a reduction. Depth first, on one thread, reduced sets are smaller: a few threads
/// do not make up for that.
pub(crate) fn reduced(plan: &Plan, options: &Options, expander: &'static ExpanderEntry) -> Option<Plan> {
    let few = (cores() <= FEW_CORES).then_some(1);
    let threads = options.threads.or(few).unwrap_or(plan.threads);
    let algorithm = match plan.algorithm {
        Algorithm::Order(_) if options.order == Choice::Auto && threads == 1 => in_order(&ample_search::DFS)?,
        other => other,
    };
    let condition = default_condition(options, algorithm, plan.looking_for)?;
    Some(plan.with_algorithm(algorithm, threads).with_reduction(expander, condition))
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

/// Whether the transitions of a network are few enough to be compared with each other: that takes
/// time and memory that grow with their square.
pub(crate) fn is_small_enough(network: &Network<'_>) -> bool {
    let edges = |instance: &Instance| network.model.templates[instance.template].edges.len();
    network.instances.iter().map(edges).sum::<usize>() <= MOST_EDGES
}

/// Whether an expander leaves something out in so many of the first states, breadth first, that it
/// is worth a try.
pub(crate) fn leaves_something_out(expander: &dyn Expander, system: &dyn Successors, known: Reducible<'_>) -> bool {
    let (mut buffer, mut candidate) = (SuccessorBuffer::new(), Candidate::default());
    let mut open: VecDeque<Vec<u8>> = system.initial().into_iter().collect();
    let mut seen = HashSet::new();
    let (mut expanded, mut reduced) = (0_u32, 0_u32);
    while let Some(state) = open.pop_front().filter(|_| seen.len() < PROBED_STATES) {
        if !known.network.fits(&state) || !seen.insert(state.clone()) {
            continue;
        }
        buffer.clear();
        system.expand_all(&state, &mut buffer);
        expanded += 1;
        if expander.candidate(&state, &buffer, 0, &mut candidate) {
            reduced += 1;
        } else {
            candidate.choose_all(buffer.len());
        }
        let chosen = candidate.transitions.iter().filter_map(|number| buffer.get(*number)?.state);
        open.extend(chosen.map(<[u8]>::to_vec));
    }
    f64::from(reduced) >= WORTH_TRYING * f64::from(expanded)
}
