//! Random small systems, as definitions see them.

#![allow(dead_code)] // each test file uses a part of this

pub mod definitions;

use std::collections::BTreeSet;

use ample_equivalence::{Answer, Difference, Limits, Lts, LtsBuilder, Side, TAU_NAME, relation};
use proptest::prelude::*;

/// A system as the definitions see it.
#[derive(Clone, Debug)]
pub struct Plain {
    pub states: u32,
    pub edges: BTreeSet<(u32, &'static str, u32)>,
    pub letters: Vec<&'static str>,
}

const LABELS: [&str; 4] = [TAU_NAME, "a", "b", TAU_NAME];

/// Systems of up to `most` states, with letters or without. Silent edges are twice as likely as
/// others.
pub fn systems(most: u32, letters: &'static [&'static str]) -> impl Strategy<Value = Plain> {
    (1..=most).prop_flat_map(move |states| {
        let edge = (0..states, 0..LABELS.len(), 0..states).prop_map(|(from, label, to)| (from, LABELS[label], to));
        let edges = proptest::collection::btree_set(edge, 0..=(2 * states as usize));
        let letters = proptest::collection::vec(0..letters.len(), states as usize)
            .prop_map(move |chosen| chosen.into_iter().map(|at| letters[at]).collect());
        (edges, letters).prop_map(move |(edges, letters)| Plain { states, edges, letters })
    })
}

impl Plain {
    pub fn lts(&self) -> Lts {
        let mut builder = LtsBuilder::new(0);
        for (state, letter) in (0..).zip(&self.letters) {
            builder.letter(state, letter);
        }
        for (from, label, to) in &self.edges {
            builder.edge(*from, label, *to);
        }
        builder.build()
    }

    pub fn steps(&self, state: u32) -> impl Iterator<Item = (&'static str, u32)> + '_ {
        self.edges.iter().filter(move |edge| edge.0 == state).map(|edge| (edge.1, edge.2))
    }

    /// The states that silent steps lead to.
    pub fn quiet(&self, state: u32) -> BTreeSet<u32> {
        self.quiet_within(state, |_| true)
    }

    /// The states that silent steps lead to through states of some kind.
    pub fn quiet_within(&self, state: u32, is_inside: impl Fn(u32) -> bool) -> BTreeSet<u32> {
        let mut found = BTreeSet::from([state]);
        for _ in 0..self.states {
            let next = found.iter().flat_map(|&state| self.steps(state)).filter(|step| step.0 == TAU_NAME);
            let next: Vec<u32> = next.map(|step| step.1).filter(|&to| is_inside(to)).collect();
            found.extend(next);
        }
        found
    }

    /// `tau* label tau*`, or `tau*` if the label is silent.
    pub fn weak_steps(&self, state: u32) -> BTreeSet<(&'static str, u32)> {
        let mut found: BTreeSet<_> = self.quiet(state).into_iter().map(|to| (TAU_NAME, to)).collect();
        for before in self.quiet(state) {
            for (label, to) in self.steps(before).filter(|step| step.0 != TAU_NAME) {
                found.extend(self.quiet(to).into_iter().map(|to| (label, to)));
            }
        }
        found
    }

    /// Whether some silent run from this state is longer than there are states.
    pub fn diverges(&self, state: u32) -> bool {
        let mut now = BTreeSet::from([state]);
        for _ in 0..self.states {
            now = now
                .into_iter()
                .flat_map(|state| self.steps(state))
                .filter(|step| step.0 == TAU_NAME)
                .map(|step| step.1)
                .collect();
        }
        !now.is_empty()
    }

    /// Whether some run from this state is longer than there are states.
    pub fn goes_on(&self, state: u32) -> bool {
        let mut now = BTreeSet::from([state]);
        for _ in 0..self.states {
            now = now.into_iter().flat_map(|state| self.steps(state)).map(|step| step.1).collect();
        }
        !now.is_empty()
    }

    pub fn reachable(&self) -> BTreeSet<u32> {
        let mut found = BTreeSet::from([0]);
        for _ in 0..self.states {
            let next: Vec<u32> = found.iter().flat_map(|&state| self.steps(state)).map(|step| step.1).collect();
            found.extend(next);
        }
        found
    }

    /// Whether there is a run with these labels from one of the states.
    pub fn states_after(&self, from: BTreeSet<u32>, trace: &[String], weak: bool) -> BTreeSet<u32> {
        let close = |states: BTreeSet<u32>| -> BTreeSet<u32> {
            if weak { states.into_iter().flat_map(|state| self.quiet(state)).collect() } else { states }
        };
        let mut now = close(from);
        for label in trace {
            now = close(
                now.into_iter()
                    .flat_map(|state| self.steps(state))
                    .filter(|step| step.0 == label)
                    .map(|step| step.1)
                    .collect(),
            );
        }
        now
    }

    /// The same system as weak traces of letters see it; terminal states stay where they are.
    pub fn letters_as_labels(&self) -> Plain {
        let mut edges = BTreeSet::new();
        for state in 0..self.states {
            for (_, to) in self.steps(state) {
                let (here, there) = (self.letters[state as usize], self.letters[to as usize]);
                edges.insert((state, if here == there { TAU_NAME } else { there }, to));
            }
            if self.steps(state).next().is_none() {
                edges.insert((state, TAU_NAME, state));
            }
        }
        Plain { edges, ..self.clone() }
    }

    /// A second label for cycles of silent steps that change no letter.
    pub fn with_marks(&self) -> Plain {
        let mut marked = self.clone();
        for state in 0..self.states {
            let same = |to: &u32| self.letters[*to as usize] == self.letters[state as usize];
            let mut now = BTreeSet::from([state]);
            for _ in 0..self.states {
                now = now
                    .into_iter()
                    .flat_map(|state| self.steps(state))
                    .filter(|step| step.0 == TAU_NAME)
                    .map(|step| step.1)
                    .filter(same)
                    .collect();
                if now.contains(&state) {
                    marked.edges.insert((state, "for ever", state));
                }
            }
        }
        marked
    }
}

/// The largest relation in which each pair satisfies the demand, beginning with the pairs that look
/// alike.
pub fn largest(
    one: &Plain,
    other: &Plain,
    alike: impl Fn(u32, u32) -> bool,
    demand: impl Fn(&BTreeSet<(u32, u32)>, u32, u32) -> bool,
) -> BTreeSet<(u32, u32)> {
    let all = (0..one.states).flat_map(|first| (0..other.states).map(move |second| (first, second)));
    let mut related: BTreeSet<_> = all.filter(|pair| alike(pair.0, pair.1)).collect();
    loop {
        let next: BTreeSet<_> = related.iter().copied().filter(|pair| demand(&related, pair.0, pair.1)).collect();
        if next == related {
            return related;
        }
        related = next;
    }
}

/// How many random systems, or pairs of them, are tried by each test: `AMPLE_PAIRS`, or else so
/// many.
pub fn cases(few: u32) -> ProptestConfig {
    let wanted = std::env::var("AMPLE_PAIRS").ok().and_then(|text| text.parse().ok());
    ProptestConfig::with_cases(wanted.unwrap_or(few))
}

pub fn same_letter(one: &Plain, other: &Plain, first: u32, second: u32) -> bool {
    one.letters[first as usize] == other.letters[second as usize]
}

pub fn compare(name: &str, first: &Lts, second: &Lts) -> Answer {
    relation(name).unwrap().compare(first, second, &Limits::default())
}

/// Why the first is not below the second, if it is not.
#[track_caller]
pub fn not_below(name: &str, first: &Lts, second: &Lts) -> Option<Difference> {
    let preorder = relation(name).unwrap().preorder.as_ref().unwrap();
    match preorder.compare(first, second, &Limits::default()) {
        Answer::Equivalent => None,
        Answer::Different(difference) => {
            assert_eq!(difference.side, Side::First, "{name}: it is the first that is to be followed");
            Some(difference)
        }
        Answer::Unknown(reason) => panic!("{name}: {reason}"),
    }
}

/// Whether two systems are equivalent; there is always an answer for systems as small as these.
#[track_caller]
pub fn equivalent(name: &str, first: &Lts, second: &Lts) -> bool {
    difference(name, first, second).is_none()
}

#[track_caller]
pub fn difference(name: &str, first: &Lts, second: &Lts) -> Option<Difference> {
    match compare(name, first, second) {
        Answer::Equivalent => None,
        Answer::Different(difference) => Some(difference),
        Answer::Unknown(reason) => panic!("{name}: {reason}"),
    }
}
