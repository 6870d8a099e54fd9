//! Automata on infinite words with generalised Büchi acceptance on transitions.
//!
//! A run is accepting if every mark occurs infinitely often on its edges; with no marks, every
//! infinite run is. A state-based Büchi automaton is the special case with one mark, where the
//! edges of a state have it all or none.

pub(crate) mod complement;
pub(crate) mod components;
pub(crate) mod degeneralise;
pub(crate) mod emptiness;
pub(crate) mod merge;
pub(crate) mod obligation;
pub(crate) mod simplify;
pub(crate) mod simulation;
pub(crate) mod strength;

use std::collections::HashMap;

use ample_stdx::{IndexVec, TypedId, typed_id};

use crate::Letter;
use crate::bdd::{Bdd, Bdds};

typed_id! {
    /// Names a state of an automaton.
    pub struct StateId;
}

/// A set of acceptance marks, numbered from 0 to 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Marks(u64);

impl Marks {
    /// How many marks an automaton can have.
    pub const MAX: usize = 64;
    /// No mark.
    pub const NONE: Marks = Marks(0);

    /// The set of the first `count` marks.
    pub fn first(count: usize) -> Marks {
        Marks(if count >= Marks::MAX { u64::MAX } else { (1 << count) - 1 })
    }

    /// The set of one mark.
    pub fn one(mark: usize) -> Marks {
        Marks(1 << (mark % Marks::MAX))
    }

    /// Whether the mark is a member.
    pub fn contains(self, mark: usize) -> bool {
        mark < Marks::MAX && self.0 >> mark & 1 == 1
    }

    /// The members of either.
    #[must_use]
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// The members of both.
    #[must_use]
    pub fn intersection(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    /// The members of `self` that `other` lacks.
    #[must_use]
    pub fn minus(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// Whether every member is a member of `other`.
    pub fn is_subset(self, other: Marks) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether there is no member.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..Marks::MAX).filter(move |&mark| self.contains(mark))
    }
}

/// An edge of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The letters with which it may be taken: a function of the automaton's table. Never the
    /// constant false: an edge that cannot be taken is left out.
    pub label: Bdd,
    /// What taking it contributes to acceptance.
    pub marks: Marks,
    /// Where it leads.
    pub target: StateId,
}

/// An automaton on infinite words.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The functions that label the edges. Variable `n` is proposition `n`.
    pub labels: Bdds,
    /// How many propositions there are.
    pub propositions: usize,
    /// How many marks must occur infinitely often.
    pub mark_count: usize,
    /// Where every run begins.
    pub initial: StateId,
    /// The edges of each state.
    pub edges: IndexVec<StateId, Vec<Edge>>,
}

impl Automaton {
    /// The automaton that accepts nothing.
    pub fn nothing(propositions: usize) -> Automaton {
        Automaton {
            labels: Bdds::new(),
            propositions,
            mark_count: 0,
            initial: StateId::from_index(0),
            edges: IndexVec::from(vec![Vec::new()]),
        }
    }

    /// The automaton that accepts every word.
    pub fn everything(propositions: usize) -> Automaton {
        let mut automaton = Automaton::nothing(propositions);
        let initial = automaton.initial;
        automaton.edges[initial].push(Edge { label: Bdd::TRUE, marks: Marks::NONE, target: initial });
        automaton
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// All states, in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + Clone + use<> {
        self.edges.ids()
    }

    /// All marks.
    pub fn all_marks(&self) -> Marks {
        Marks::first(self.mark_count)
    }

    /// The states reached from `state` by reading `letter`.
    pub fn successors(&self, state: StateId, letter: Letter) -> impl Iterator<Item = (Marks, StateId)> + '_ {
        let enabled = move |edge: &&Edge| self.labels.value(edge.label, letter);
        self.edges[state].iter().filter(enabled).map(|edge| (edge.marks, edge.target))
    }

    /// Whether acceptance can be read off the states: there is at most one mark, and the edges of a
    /// state agree on it.
    pub fn is_state_based(&self) -> bool {
        self.mark_count <= 1 && self.edges.iter().all(|edges| edges.windows(2).all(|two| two[0].marks == two[1].marks))
    }

    /// Whether the edges of the state have all marks: for a state-based automaton, whether the
    /// state is accepting.
    pub fn is_accepting(&self, state: StateId) -> bool {
        !self.edges[state].is_empty() && self.edges[state].iter().all(|edge| edge.marks == self.all_marks())
    }

    /// Whether no letter leads from a state into two.
    pub fn is_deterministic(&self) -> bool {
        let mut labels = None;
        self.edges.iter().filter(|edges| edges.len() > 1).all(|edges| {
            // Only now is it certain that a table is needed.
            let labels = labels.get_or_insert_with(|| self.labels.clone());
            let mut taken = Bdd::FALSE;
            edges.iter().all(|edge| {
                let is_free = !labels.intersect(taken, edge.label);
                taken = labels.or(taken, edge.label);
                is_free
            })
        })
    }

    /// The propositions that some label depends on, one bit each.
    pub fn support(&self) -> Letter {
        self.edges.iter().flatten().fold(0, |support, edge| support | self.labels.support(edge.label))
    }

    /// The labels of `other` copied into the table of `self`: what makes the two comparable.
    pub(crate) fn adopt(&mut self, other: &Automaton) -> Automaton {
        let mut known = HashMap::new();
        let mut copy = |label: Bdd| other.labels.map_to(label, &mut self.labels, &mut known, &|variable| variable);
        let edges = other
            .edges
            .iter()
            .map(|edges| edges.iter().map(|edge| Edge { label: copy(edge.label), ..*edge }).collect::<Vec<Edge>>());
        let edges = edges.collect();
        Automaton { labels: Bdds::new(), edges, ..*other }
    }

    /// The automaton with a fresh table that has only the functions it uses.
    pub(crate) fn compact(&self) -> Automaton {
        let mut fresh = Automaton { edges: IndexVec::new(), labels: Bdds::new(), ..*self };
        fresh.edges = fresh.adopt(self).edges;
        fresh
    }
}

#[cfg(test)]
mod tests {
    //! Every reduction keeps the language: random automata on random words, before and after.

    use super::*;
    use crate::random::Random;

    impl Random {
        /// A function of two propositions that is true somewhere.
        fn label(&mut self, labels: &mut Bdds) -> Bdd {
            let [a, b] = [labels.variable(0), labels.variable(1)];
            let [not_a, not_b] = [labels.not(a), labels.not(b)];
            match self.below(7) {
                0 => Bdd::TRUE,
                1 => a,
                2 => not_b,
                3 => labels.and(a, b),
                4 => labels.and(not_a, b),
                5 => labels.or(a, not_b),
                _ => labels.ite(a, b, not_b),
            }
        }

        fn automaton(&mut self) -> Automaton {
            let count = 1 + self.below(6);
            let mark_count = self.below(4);
            let mut labels = Bdds::new();
            let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
            let is_deterministic = self.below(2) == 0;
            for _ in 0..count {
                let mut taken = Bdd::FALSE;
                let out = (0..self.below(4)).map(|_| {
                    let mut label = self.label(&mut labels);
                    if is_deterministic {
                        label = labels.minus(label, taken);
                        taken = labels.or(taken, label);
                    }
                    let marks = Marks::first(mark_count).intersection(Marks(self.below(16) as u64));
                    Edge { label, marks, target: StateId::from_index(self.below(count)) }
                });
                let out = out.filter(|edge| edge.label != Bdd::FALSE).collect();
                edges.push(out);
            }
            Automaton { labels, propositions: 2, mark_count, initial: StateId::from_index(0), edges }
        }
    }

    /// Random automata and words; what `change` makes of an automaton must accept `expected` of
    /// what it accepted.
    fn check(change: impl Fn(&Automaton) -> Option<Automaton>, expected: fn(bool) -> bool) {
        let mut accepted = 0;
        for seed in 1..400u64 {
            let mut random = Random::new(seed);
            let automaton = random.automaton();
            let Some(changed) = change(&automaton) else { continue };
            for _ in 0..20 {
                let word = random.word(4).unwrap();
                let before = automaton.accepts(&word);
                assert_eq!(changed.accepts(&word), expected(before), "seed {seed} on {word:?}: {automaton:?}");
                accepted += usize::from(before);
            }
            assert_eq!(automaton.is_empty(), automaton.some_word().is_none(), "seed {seed}");
        }
        assert!(accepted > 100, "{accepted}");
    }

    /// The change keeps the language.
    fn check_in_place(change: fn(&mut Automaton)) {
        let changed = |automaton: &Automaton| {
            let mut changed = automaton.clone();
            change(&mut changed);
            Some(changed)
        };
        check(changed, |accepts| accepts);
    }

    #[test]
    fn simplifications_keep_the_language() {
        check(|automaton| Some(automaton.compact()), |accepts| accepts);
        check_in_place(Automaton::trim);
        check_in_place(Automaton::simplify_marks);
        check_in_place(Automaton::saturate_transient);
    }

    #[test]
    fn simulation_keeps_the_language() {
        check_in_place(Automaton::reduce_by_simulation);
        let state_based = |automaton: &Automaton| {
            let order: Vec<usize> = (0..automaton.mark_count).collect();
            let mut degeneralised = automaton.degeneralised(&order);
            degeneralised.reduce_by_simulation();
            degeneralised.settle_state_marks();
            assert!(degeneralised.is_state_based());
            Some(degeneralised)
        };
        check(state_based, |accepts| accepts);
    }

    #[test]
    fn degeneralisation_keeps_the_language_in_any_order() {
        let same = |accepts: bool| accepts;
        check(|automaton| Some(automaton.degeneralised(&(0..automaton.mark_count).collect::<Vec<_>>())), same);
        check(|automaton| Some(automaton.degeneralised(&(0..automaton.mark_count).rev().collect::<Vec<_>>())), same);
    }

    #[test]
    fn the_complement_accepts_the_other_words() {
        check(Automaton::complement, |accepts| !accepts);
    }

    #[test]
    fn merging_and_minimising_keep_the_language() {
        let same = |accepts: bool| accepts;
        let merged = |automaton: &Automaton| {
            let complement = automaton.complement()?;
            let mut merged = automaton.clone();
            merged.merge_states(&complement);
            Some(merged)
        };
        check(merged, same);
        check(|automaton| automaton.minimal_weak_deterministic(&automaton.complement()?), same);
        // An automaton with a complement is deterministic, so here the roles are exchanged.
        check(|automaton| automaton.complement()?.minimal_weak_deterministic(automaton), |accepts| !accepts);
    }

    #[test]
    fn a_product_accepts_what_both_accept() {
        for seed in 1..300u64 {
            let mut random = Random::new(seed);
            let (a, b) = (random.automaton(), random.automaton());
            let product = a.product(&b).unwrap();
            assert_eq!(Some(!product.is_empty()), a.intersects(&b), "seed {seed}");
            for _ in 0..10 {
                let word = random.word(4).unwrap();
                assert_eq!(product.accepts(&word), a.accepts(&word) && b.accepts(&word), "seed {seed} on {word:?}");
            }
        }
    }
}
