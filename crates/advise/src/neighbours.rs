//! The ways to begin with, and those that differ from a way by one part: all from the registries.

use ample_check::{Goal, Techniques, Way};
use ample_guarantee::{Guarantee, Part, PartKind};
use ample_search::{DFS, EMPTINESS, ORDERS};

use crate::asked::Advise;
use crate::choice::{NO_TIME, by_estimate};
use crate::tried::{Came, Tried};

/// Each technique alone, with the part that it is. What chooses among transitions leaves most out
/// depth first, if faults are looked for.
pub(crate) fn singles(advise: &Advise<'_>, goal: &Goal) -> Vec<(&'static Part, Way)> {
    let techniques = &advise.techniques;
    let reductions = techniques.reductions().filter(|part| part.kind != PartKind::CycleCondition);
    let classes = techniques.classes.iter().map(|entry| entry.part);
    let loops = advise.loops.iter().map(|entry| entry.part);
    let alone = |part: &'static Part| {
        let way = Way::default().with(part);
        match (part.kind, goal) {
            (PartKind::Expander, Goal::Violation(_)) => way.with(&DFS),
            _ => way,
        }
    };
    reductions.chain(classes).chain(loops).map(|part| (part, alone(part))).collect()
}

/// All passes together that alone had something to do.
pub(crate) fn all_passes(tried: &[Tried]) -> Option<Way> {
    let is_useful = |one: &&Tried| one.searched().is_some();
    let passes: Vec<&'static Part> = tried
        .iter()
        .filter(is_useful)
        .filter_map(|one| one.single)
        .filter(|part| part.kind == PartKind::Pass)
        .collect();
    (passes.len() > 1).then(|| passes.into_iter().fold(Way::default(), |way, part| way.with(part)))
}

/// The ways that differ from a way by one part, those first that promise most.
pub(crate) fn neighbours(advise: &Advise<'_>, goal: &Goal, way: &Way, tried: &[Tried]) -> Vec<Way> {
    let mut all = Vec::new();
    for part in by_promise(tried) {
        if way.reductions.contains(&part) {
            let reductions = way.reductions.iter().copied().filter(|own| *own != part).collect();
            all.push(Way { reductions, ..way.clone() });
        } else if way.expander == Some(part) {
            all.push(Way { expander: None, condition: None, algorithm: None, ..way.clone() });
        } else {
            all.push(with(way, part, goal));
        }
    }
    let techniques = &advise.techniques;
    if way.expander.is_some() || way.under.is_some() {
        all.extend(techniques.cycle_conditions.iter().map(|entry| way.with(entry.part)));
    }
    all.extend(algorithms(goal).into_iter().map(|part| way.with(part)));
    if is_slow(tried) {
        all.extend(exact_stores(techniques).map(|part| way.with(part)));
    }
    all
}

/// A way with one more part. What chooses among transitions brings its order with it.
fn with(way: &Way, part: &'static Part, goal: &Goal) -> Way {
    let more = way.with(part);
    match (part.kind, goal) {
        (PartKind::Expander, Goal::Violation(_)) if way.algorithm.is_none() => more.with(&DFS),
        _ => more,
    }
}

/// The techniques that apply, those first that alone leave fewest states.
fn by_promise(tried: &[Tried]) -> Vec<&'static Part> {
    let worth = |one: &Tried| match one.searched() {
        Some(searched) if searched.is_settled => Some(searched.counts.states as f64),
        Some(searched) => searched.estimate,
        None => None,
    };
    let applies = |one: &&Tried| !matches!(one.came, Came::Refused(_));
    let mut all: Vec<(&'static Part, Option<f64>)> =
        tried.iter().filter(applies).filter_map(|one| Some((one.single?, worth(one)))).collect();
    all.sort_by(|(_, one), (_, other)| by_estimate(*one, *other));
    all.into_iter().map(|(part, _)| part).collect()
}

fn algorithms(goal: &Goal) -> Vec<&'static Part> {
    match goal {
        Goal::Violation(_) => ORDERS.iter().map(|entry| entry.part).collect(),
        Goal::AcceptedRun(_) => EMPTINESS.iter().map(|entry| entry.part).collect(),
    }
}

/// Whether all that is over took its time: then it matters how states are stored.
fn is_slow(tried: &[Tried]) -> bool {
    let mut settled = tried.iter().filter_map(Tried::settled).peekable();
    settled.peek().is_some() && settled.all(|searched| searched.seconds >= NO_TIME)
}

/// The stores that keep states apart.
fn exact_stores(techniques: &Techniques) -> impl Iterator<Item = &'static Part> + use<> {
    techniques.stores.iter().map(|entry| entry.part).filter(|part| part.guarantee == Guarantee::EXACT)
}
