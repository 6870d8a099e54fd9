//! Automata on infinite words with generalised Büchi acceptance on transitions.
//!
//! A run is accepting if every mark occurs infinitely often on its edges; with no marks, every infinite run is. A
//! state-based Büchi automaton is the special case with one mark, where the edges of a state have it all or none.

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
    /// The letters with which it may be taken: a function of the automaton's table.
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

    /// Whether acceptance can be read off the states: there is at most one mark, and the edges of a state agree on it.
    pub fn is_state_based(&self) -> bool {
        self.mark_count <= 1 && self.edges.iter().all(|edges| edges.windows(2).all(|two| two[0].marks == two[1].marks))
    }

    /// Whether the edges of the state have all marks: for a state-based automaton, whether the state is accepting.
    pub fn is_accepting(&self, state: StateId) -> bool {
        !self.edges[state].is_empty() && self.edges[state].iter().all(|edge| edge.marks == self.all_marks())
    }

    /// Whether no letter leads from a state into two.
    pub fn is_deterministic(&self) -> bool {
        let mut labels = self.labels.clone();
        self.edges.iter().all(|edges| {
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
        let edges = other.edges.iter().map(|edges| {
            edges.iter().map(|edge| Edge { label: copy(edge.label), ..*edge }).collect::<Vec<Edge>>()
        });
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
