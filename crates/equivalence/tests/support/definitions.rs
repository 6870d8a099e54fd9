//! The relations once more, straight from their definitions and without any care for time.

use std::collections::BTreeSet;

use ample_equivalence::TAU_NAME;
use proptest::prelude::*;

use super::{Plain, largest, same_letter, systems};

pub const ONE: &[&str] = &[""];
pub const TWO: &[&str] = &["p", "q"];

/// Random pairs are hardly ever equivalent. So some pairs are a system and the same with a change.
pub fn pairs(most: u32, letters: &'static [&'static str]) -> impl Strategy<Value = (Plain, Plain)> {
    let unrelated = (systems(most, letters), systems(most, letters));
    let changed = (systems(most, letters), 0..6usize, any::<u32>()).prop_map(|(one, how, at)| {
        let other = changed(&one, how, at);
        (one, other)
    });
    prop_oneof![unrelated, changed]
}

/// The same system with a copy of a state, a silent step before it, an edge less, an edge more, or
/// a silent loop.
fn changed(one: &Plain, how: usize, at: u32) -> Plain {
    let mut other = one.clone();
    let state = at % one.states;
    let new = one.states;
    match how {
        0 | 1 => {
            other.states += 1;
            other.letters.push(one.letters[state as usize]);
            let into: Vec<_> = one.edges.iter().filter(|edge| edge.2 == state).copied().collect();
            if how == 0 {
                other.edges.extend(one.steps(state).map(|(label, to)| (new, label, to)));
                other.edges.extend(into.iter().map(|&(from, label, _)| (from, label, new)));
            } else {
                other.edges.retain(|edge| edge.2 != state);
                other.edges.extend(into.iter().map(|&(from, label, _)| (from, label, new)));
                other.edges.insert((new, TAU_NAME, state));
            }
        }
        2 => {
            let edge = one.edges.iter().nth(at as usize % one.edges.len().max(1)).copied();
            edge.map(|edge| other.edges.remove(&edge));
        }
        3 => {
            other.edges.insert((state, "a", at / 7 % one.states));
        }
        4 => {
            other.edges.insert((state, TAU_NAME, state));
        }
        _ => {
            other.edges.insert((state, TAU_NAME, at / 7 % one.states));
        }
    }
    other
}

/// Pairs of states, one of each system.
pub type Pairs = BTreeSet<(u32, u32)>;

pub fn strong(one: &Plain, other: &Plain) -> Pairs {
    largest(
        one,
        other,
        |p, q| same_letter(one, other, p, q),
        |related, p, q| {
            one.steps(p)
                .all(|(label, to)| other.steps(q).any(|step| step.0 == label && related.contains(&(to, step.1))))
                && other
                    .steps(q)
                    .all(|(label, to)| one.steps(p).any(|step| step.0 == label && related.contains(&(step.1, to))))
        },
    )
}

pub fn weak(one: &Plain, other: &Plain, alike: impl Fn(u32, u32) -> bool) -> Pairs {
    largest(one, other, alike, |related, p, q| {
        one.steps(p).all(|(label, to)| {
            other.weak_steps(q).iter().any(|step| step.0 == label && related.contains(&(to, step.1)))
        }) && other
            .steps(q)
            .all(|(label, to)| one.weak_steps(p).iter().any(|step| step.0 == label && related.contains(&(step.1, to))))
    })
}

/// Whether a system is weakly simulated by another: weak steps are followed by weak steps.
pub fn weakly_simulated(one: &Plain, other: &Plain) -> bool {
    let pairs = largest(
        one,
        other,
        |p, q| same_letter(one, other, p, q),
        |related, p, q| {
            one.weak_steps(p).into_iter().all(|(label, to)| {
                other.weak_steps(q).iter().any(|step| step.0 == label && related.contains(&(to, step.1)))
            })
        },
    );
    pairs.contains(&(0, 0))
}

/// Van Glabbeek and Weijland's definition; divergence is a step that can be seen. With letters it
/// matters that silent steps before an answer pass related states only.
pub fn branching(one: &Plain, other: &Plain) -> Pairs {
    let (one, other) = (&one.with_marks(), &other.with_marks());
    let answers = |system: &Plain, from: u32, label: &str, stays: &dyn Fn(u32) -> bool, comes: &dyn Fn(u32) -> bool| {
        let places = system.quiet_within(from, stays);
        (label == TAU_NAME && comes(from))
            || places.into_iter().any(|place| system.steps(place).any(|step| step.0 == label && comes(step.1)))
    };
    largest(
        one,
        other,
        |p, q| same_letter(one, other, p, q),
        |related, p, q| {
            let is = |p, q| related.contains(&(p, q));
            one.steps(p).all(|(label, to)| answers(other, q, label, &|place| is(p, place), &|place| is(to, place)))
                && other
                    .steps(q)
                    .all(|(label, to)| answers(one, p, label, &|place| is(place, q), &|place| is(place, to)))
        },
    )
}

/// Whether a system is simulated by another.
pub fn simulated(one: &Plain, other: &Plain) -> bool {
    let pairs = largest(
        one,
        other,
        |p, q| same_letter(one, other, p, q),
        |related, p, q| {
            one.steps(p)
                .all(|(label, to)| other.steps(q).any(|step| step.0 == label && related.contains(&(to, step.1))))
        },
    );
    pairs.contains(&(0, 0))
}

pub fn bounded(one: &Plain, other: &Plain, depth: usize, p: u32, q: u32) -> bool {
    same_letter(one, other, p, q)
        && (depth == 0
            || one.steps(p).all(|(label, to)| {
                other.steps(q).any(|step| step.0 == label && bounded(one, other, depth - 1, to, step.1))
            }) && other.steps(q).all(|(label, to)| {
                one.steps(p).any(|step| step.0 == label && bounded(one, other, depth - 1, step.1, to))
            }))
}
