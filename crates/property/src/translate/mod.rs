//! From formulas to small automata.
//!
//! Several routes lead from a formula to an automaton, and none is always best; formulas are small,
//! so all are tried and the smallest result is kept. The automaton of the negation is made as well:
//! it judges merges ([`merge`]), tells whether the minimal weak deterministic automaton is right
//! ([`obligation`]), and decides what is known about the property ([`facts`]).
//!
//! [`merge`]: crate::automaton::merge
//! [`obligation`]: crate::automaton::obligation

mod facts;
mod tableau;

pub use facts::Facts;
pub use tableau::TooLarge;

use crate::automaton::Automaton;
use crate::ltl::{Ltl, MAX_PROPOSITIONS, MAX_SIZE};
use crate::terms::{Rewriting, Terms};
use tableau::Reading;

/// The automata of a formula.
#[derive(Clone, Debug)]
pub struct Translated {
    /// With generalised acceptance on transitions.
    pub tgba: Automaton,
    /// With Büchi acceptance on states: one mark.
    pub ba: Automaton,
    /// What is known about the formula.
    pub facts: Facts,
}

/// The automata that accept the words that satisfy the formula.
pub fn translate(formula: &Ltl) -> Result<Translated, TooLarge> {
    let propositions = formula.proposition_count();
    if propositions > MAX_PROPOSITIONS || formula.size() > MAX_SIZE {
        return Err(TooLarge);
    }
    let candidates = candidates(formula, false)?;
    // The negation may be too large although the formula is not; then there is no judge.
    let complement =
        self::candidates(formula, true).ok().and_then(|candidates| candidates.into_iter().min_by_key(cost));
    let is_valid = complement.as_ref().is_some_and(Automaton::is_empty);
    let candidates = if is_valid { vec![Automaton::everything(propositions)] } else { candidates };
    let weak = match (&complement, candidates.first()) {
        (Some(complement), Some(automaton)) => automaton.minimal_weak_deterministic(complement),
        _ => None,
    };
    let tgba = best_tgba(&candidates, weak.as_ref(), complement.as_ref());
    let ba = best_ba(&candidates, &tgba, weak, complement.as_ref());
    let tgba = if cost(&ba) < cost(&tgba) { ba.clone() } else { tgba };
    if tgba.labels.has_overflowed() || ba.labels.has_overflowed() {
        return Err(TooLarge);
    }
    let facts = Facts::of(formula, &tgba, &ba, complement.as_ref());
    Ok(Translated { tgba: tgba.compact(), ba: ba.compact(), facts })
}

/// What makes an automaton worse: states first, then nondeterminism, which makes products larger,
/// then edges and marks.
fn cost(automaton: &Automaton) -> (usize, bool, usize, usize) {
    (automaton.state_count(), !automaton.is_deterministic(), automaton.edge_count(), automaton.mark_count)
}

/// Reduced automata of the formula or of its negation, by different routes. At least one.
fn candidates(formula: &Ltl, negated: bool) -> Result<Vec<Automaton>, TooLarge> {
    let mut found = Vec::new();
    let mut failed = None;
    for rewriting in [Rewriting::Full, Rewriting::Basic] {
        for reading in [Reading::ByLetter, Reading::ByCover] {
            let mut terms = Terms::new(rewriting);
            let root = terms.insert(formula, negated);
            match tableau::automaton(&mut terms, root, formula.proposition_count(), reading) {
                Ok(automaton) => found.push(reduced(automaton)),
                Err(error) => failed = Some(error),
            }
            if found.pop_if(|automaton| automaton.labels.has_overflowed()).is_some() {
                failed = Some(TooLarge);
            }
        }
    }
    match failed {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// All reductions that need nothing but the automaton.
fn reduced(mut automaton: Automaton) -> Automaton {
    automaton.trim();
    automaton.simplify_marks();
    automaton.reduce_by_simulation();
    let mut saturated = automaton.clone();
    saturated.saturate_transient();
    saturated.reduce_by_simulation();
    saturated.simplify_marks();
    saturated.reduce_by_simulation();
    automaton.simplify_marks();
    if cost(&saturated) < cost(&automaton) { saturated } else { automaton }
}

/// The smallest of the candidates, once states are merged.
fn best_tgba(candidates: &[Automaton], weak: Option<&Automaton>, complement: Option<&Automaton>) -> Automaton {
    let mut all = promising(candidates.iter().chain(weak).cloned().collect());
    for automaton in &mut all {
        if let Some(complement) = complement {
            automaton.merge_states(complement);
        }
        automaton.simplify_marks();
        automaton.reduce_by_simulation();
    }
    smallest(all)
}

/// The smallest state-based automaton, once states are merged.
fn best_ba(
    candidates: &[Automaton],
    tgba: &Automaton,
    weak: Option<Automaton>,
    complement: Option<&Automaton>,
) -> Automaton {
    let mut all: Vec<Automaton> = Vec::from_iter(weak);
    for automaton in promising(candidates.iter().chain([tgba]).cloned().collect()) {
        for order in orders(&automaton) {
            let mut degeneralised = automaton.degeneralised(&order);
            degeneralised.reduce_by_simulation();
            all.push(degeneralised);
        }
    }
    let mut all = promising(all);
    for automaton in &mut all {
        if let Some(complement) = complement {
            automaton.merge_states(complement);
            automaton.reduce_by_simulation();
        }
        automaton.settle_state_marks();
    }
    smallest(all)
}

/// Those worth more work: the smallest ones, of equally large ones the first.
fn promising(mut all: Vec<Automaton>) -> Vec<Automaton> {
    const MOST: usize = 5;
    all.sort_by_cached_key(cost);
    all.dedup_by_key(|automaton| cost(automaton));
    all.truncate(MOST);
    all
}

fn smallest(all: Vec<Automaton>) -> Automaton {
    all.into_iter().min_by_key(cost).unwrap_or_else(|| Automaton::nothing(0))
}

/// The orders in which marks are awaited: all of them if there are few, else the rotations; only
/// one if each costs much.
fn orders(automaton: &Automaton) -> Vec<Vec<usize>> {
    const MANY_EDGES: usize = 300;
    let count = automaton.mark_count;
    match count {
        _ if automaton.edge_count() > MANY_EDGES => vec![(0..count).collect()],
        0..=3 => {
            let mut orders = vec![Vec::new()];
            for _ in 0..count {
                let extended = orders.iter().flat_map(|order: &Vec<usize>| {
                    let free = (0..count).filter(|mark| !order.contains(mark));
                    free.map(|mark| [order.clone(), vec![mark]].concat()).collect::<Vec<_>>()
                });
                orders = extended.collect();
            }
            orders
        }
        _ => (0..count).map(|start| (0..count).map(|place| (start + place) % count).collect()).collect(),
    }
}
