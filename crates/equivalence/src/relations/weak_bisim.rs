//! Weak bisimulation: a step is answered by an equal step with any number of silent ones around it,
//! and a silent step by any number of silent steps, none included.

use std::collections::{BTreeSet, HashSet};

use ample_stdx::TypedId;

use crate::answer::{Answer, Limits, Meter, Stopped};
use crate::explain::play;
use crate::lts::{Edge, LabelId, Lts, LtsBuilder, StateId, TAU};
use crate::quotient::Quotient;
use crate::refine::{Silent, refine};
use crate::relations::branching_bisim::Branching;
use crate::silent::{Divergence, can_diverge};
use crate::union::Union;

/// Milner, "Communication and concurrency". It does not see whether a system can go on silently for
/// ever.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    within(first, second, Divergence::Ignored, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

/// States that are branching bisimilar are weakly bisimilar, so these are merged first. What is
/// left gets an edge for each way through silent steps, and is then compared by strong
/// bisimulation.
pub(crate) fn within(
    first: &Lts,
    second: &Lts,
    divergence: Divergence,
    meter: &mut Meter<'_>,
) -> Result<Answer, Stopped> {
    let union = Union::new(first, second);
    let branching = Branching::new(&union.lts, divergence, meter)?;
    let initial = union.initial.map(|state| branching.class(state));
    if initial[0] == initial[1] {
        return Ok(Answer::Equivalent);
    }
    let diverges = match divergence {
        Divergence::Seen => merged(&can_diverge(&union.lts), &union.lts, &branching),
        Divergence::Ignored => Vec::new(),
    };
    let can_diverge = |state: StateId| diverges.get(state.index()).is_some_and(|diverges| *diverges);
    let lts = saturated(&branching, meter)?;
    let key = |state| lts.letter_of(state).index() as u32 * 2 + u32::from(can_diverge(state));
    let keys: Vec<u32> = lts.states().map(key).collect();
    let classes = refine(&lts, &keys, Silent::Seen, None, meter)?;
    let [one, other] = initial;
    if classes.class(one) == classes.class(other) {
        return Ok(Answer::Equivalent);
    }
    let played = play(&classes, |_, state| lts.edges(state).to_vec(), one, other);
    Ok(Answer::Different(played.difference(&lts, can_diverge)))
}

/// One state for each class, with the steps that do not follow from others (Eloranta, "Minimizing
/// the number of transitions with respect to observation equivalence", 1991).
pub(crate) fn quotient(lts: &Lts, meter: &mut Meter<'_>) -> Result<Quotient, Stopped> {
    let branching = Branching::new(lts, Divergence::Ignored, meter)?;
    let small = branching.smaller();
    let ways = saturated(&branching, meter)?;
    let letters: Vec<u32> = ways.states().map(|state| ways.letter_of(state).index() as u32).collect();
    let classes = refine(&ways, &letters, Silent::Seen, None, meter)?;
    let class = |state| classes.class(state);
    let made = Quotient::by(&small, &classes, |from, label, to| label != TAU || class(from) != class(to));
    let state_of = lts.states().map(|state| made.state_of[branching.class(state)]).collect();
    Ok(Quotient { lts: without_consequences(&made.lts, meter)?, state_of })
}

/// The same system without the edges that are ways through others: one after the other is taken
/// out, if it then still follows.
fn without_consequences(lts: &Lts, meter: &mut Meter<'_>) -> Result<Lts, Stopped> {
    let mut kept: Vec<BTreeSet<Edge>> = lts.states().map(|state| lts.edges(state).iter().copied().collect()).collect();
    for state in lts.states() {
        for &edge in lts.edges(state) {
            kept[state.index()].remove(&edge);
            if !is_way(&kept, state, edge, meter)? {
                kept[state.index()].insert(edge);
            }
        }
    }
    let mut builder = LtsBuilder::with_labels_of(lts.initial().number(), lts);
    for state in lts.states() {
        builder.letter(state.number(), lts.letter(lts.letter_of(state)));
        for edge in &kept[state.index()] {
            builder.edge_by_id(state.number(), edge.label, edge.to.number());
        }
    }
    Ok(builder.build())
}

/// Whether silent steps, one with the label, and silent steps lead from a state to where the edge
/// leads; if that is silent, silent steps.
fn is_way(kept: &[BTreeSet<Edge>], from: StateId, edge: Edge, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
    // Before the label, and after it.
    let start = (from, edge.label == TAU);
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    while let Some((state, is_after)) = open.pop() {
        if is_after && state == edge.to {
            return Ok(true);
        }
        meter.spend(kept[state.index()].len(), "ways through silent steps")?;
        for step in &kept[state.index()] {
            let next = match step.label {
                TAU => (step.to, is_after),
                label if label == edge.label && !is_after => (step.to, true),
                _ => continue,
            };
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    Ok(false)
}

/// A fact about states as one about their classes, which all agree on it.
fn merged(facts: &[bool], lts: &Lts, branching: &Branching) -> Vec<bool> {
    let mut merged = vec![false; branching.smaller().state_count()];
    for state in lts.states() {
        merged[branching.class(state).index()] |= facts[state.index()];
    }
    merged
}

/// The classes with an edge for each way `tau* label tau*`, and one for each way `tau*`, the empty
/// one included.
pub(crate) fn saturated(branching: &Branching, meter: &mut Meter<'_>) -> Result<Lts, Stopped> {
    let lts = branching.smaller();
    let after: Vec<Vec<StateId>> =
        lts.states().map(|state| after_silence(&lts, state, meter)).collect::<Result<_, _>>()?;
    let mut builder = LtsBuilder::with_labels_of(lts.initial().number(), &lts);
    for state in lts.states() {
        builder.letter(state.number(), lts.letter(lts.letter_of(state)));
        let edges = ways(&lts, &after, state, |label| Some(label) == branching.diverges(), meter)?;
        for edge in edges {
            builder.edge_by_id(state.number(), edge.label, edge.to.number());
        }
    }
    Ok(builder.build())
}

/// The edges of one state with any number of silent steps around them.
fn ways(
    lts: &Lts,
    after: &[Vec<StateId>],
    state: StateId,
    is_left_out: impl Fn(LabelId) -> bool,
    meter: &mut Meter<'_>,
) -> Result<Vec<Edge>, Stopped> {
    let mut ways: Vec<Edge> = Vec::new();
    let mut tidy = 0;
    for &between in &after[state.index()] {
        let before = ways.len();
        ways.push(Edge { label: TAU, to: between });
        for edge in lts.edges(between).iter().filter(|edge| edge.label != TAU && !is_left_out(edge.label)) {
            ways.extend(after[edge.to.index()].iter().map(|&to| Edge { label: edge.label, to }));
        }
        meter.spend(4 * (ways.len() - before), "ways through silent steps")?;
        // Many ways lead to the same: they are thrown out before they fill the memory.
        if ways.len() > 2 * tidy + 1_000 {
            ways.sort_unstable();
            ways.dedup();
            tidy = ways.len();
        }
    }
    Ok(ways)
}

/// The states that silent steps lead to, this one included.
fn after_silence(lts: &Lts, state: StateId, meter: &mut Meter<'_>) -> Result<Vec<StateId>, Stopped> {
    let mut seen = HashSet::from([state]);
    let mut states = vec![state];
    let mut next = 0;
    while next < states.len() {
        for edge in lts.edges_with(states[next], TAU) {
            if seen.insert(edge.to) {
                states.push(edge.to);
            }
        }
        next += 1;
    }
    meter.spend(states.len(), "ways through silent steps")?;
    states.sort_unstable();
    Ok(states)
}
