//! Products, emptiness, and whether a word is accepted.

use std::collections::{HashMap, VecDeque};

use ample_stdx::{IndexVec, QuickHash, TypedId};

use super::components::Components;
use super::{Automaton, Edge, Marks, StateId};
use crate::bdd::Bdd;
use crate::lasso::Lasso;
use crate::ltl::Letter;

impl Automaton {
    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        let components = Components::of(self);
        !components.list.ids().any(|component| components.is_accepting(component))
    }

    /// Whether the word is accepted.
    pub fn accepts(&self, word: &Lasso) -> bool {
        let positions = word.len();
        let start = (self.initial, 0usize);
        let mut ids = HashMap::from([(start, StateId::from_index(0))]);
        let mut found = vec![start];
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
        while let Some(&(state, position)) = found.get(edges.len()) {
            debug_assert!(position < positions, "positions wrap");
            let mut out = Vec::new();
            for (marks, target) in self.successors(state, word.letter(position)) {
                let pair = (target, word.next(position));
                let target = *ids.entry(pair).or_insert_with(|| {
                    found.push(pair);
                    StateId::from_index(found.len() - 1)
                });
                out.push(Edge { label: Bdd::TRUE, marks, target });
            }
            edges.push(out);
        }
        let product = Automaton { edges, ..Automaton::nothing(0) };
        !Automaton { mark_count: self.mark_count, ..product }.is_empty()
    }

    /// The automaton that accepts what both accept. `None` if it would need more than
    /// [`Marks::MAX`] marks, or labels beyond all measure.
    pub fn product(&self, other: &Automaton) -> Option<Automaton> {
        let mark_count = self.mark_count + other.mark_count;
        if mark_count > Marks::MAX {
            return None;
        }
        let mut left = self.compact();
        let right = left.adopt(other);
        let start = (left.initial, right.initial);
        let mut ids = HashMap::from([(start, StateId::from_index(0))]);
        let mut found = vec![start];
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
        while let Some(&(a, b)) = found.get(edges.len()) {
            let mut out = Vec::new();
            for x in &left.edges[a] {
                for y in &right.edges[b] {
                    let label = left.labels.and(x.label, y.label);
                    if label == Bdd::FALSE {
                        continue;
                    }
                    let pair = (x.target, y.target);
                    let target = *ids.entry(pair).or_insert_with(|| {
                        found.push(pair);
                        StateId::from_index(found.len() - 1)
                    });
                    let marks = x.marks.union(Marks(y.marks.0.checked_shl(self.mark_count as u32).unwrap_or(0)));
                    out.push(Edge { label, marks, target });
                }
            }
            edges.push(out);
        }
        if left.labels.has_overflowed() {
            return None;
        }
        let propositions = self.propositions.max(other.propositions);
        Some(Automaton { labels: left.labels, propositions, mark_count, initial: StateId::from_index(0), edges })
    }

    /// A word that is accepted, with a short prefix and a cycle that is not needlessly long; `None`
    /// if there is none.
    pub fn some_word(&self) -> Option<Lasso> {
        let components = Components::of(self);
        let (first, prefix) = self.way_to(&|state| components.is_state_accepting(state))?;
        let inside = |edge: &Edge| components.are_together(first, edge.target);
        let mut cycle: Vec<Edge> = Vec::new();
        let mut at = first;
        let mut missing = self.all_marks();
        while !missing.is_empty() {
            let part = self.path(at, &inside, &|edge| !edge.marks.intersection(missing).is_empty())?;
            missing = part.iter().fold(missing, |missing, edge| missing.minus(edge.marks));
            at = part.last()?.target;
            cycle.extend(part);
        }
        if at != first || cycle.is_empty() {
            cycle.extend(self.path(at, &inside, &|edge| edge.target == first)?);
        }
        self.word(&prefix, &cycle)
    }

    /// A word with a run that ends in a cycle through states that pass the test.
    pub(crate) fn word_into(&self, is_inside: &dyn Fn(StateId) -> bool) -> Option<Lasso> {
        let (first, prefix) = self.way_to(is_inside)?;
        let cycle = self.path(first, &|edge| is_inside(edge.target), &|edge| edge.target == first)?;
        self.word(&prefix, &cycle)
    }

    /// The nearest state that passes the test, and a path to it.
    fn way_to(&self, is_goal: &dyn Fn(StateId) -> bool) -> Option<(StateId, Vec<Edge>)> {
        if is_goal(self.initial) {
            return Some((self.initial, Vec::new()));
        }
        let path = self.path(self.initial, &|_| true, &|edge| is_goal(edge.target))?;
        Some((path.last()?.target, path))
    }

    /// A word that can be read along the path and then again and again along the cycle.
    fn word(&self, prefix: &[Edge], cycle: &[Edge]) -> Option<Lasso> {
        let letters = |path: &[Edge]| -> Option<Vec<Letter>> {
            path.iter().map(|edge| self.labels.some_letter(edge.label)).collect()
        };
        Lasso::new(letters(prefix)?, letters(cycle)?)
    }

    /// A shortest path of one edge or more over edges that `may` be taken, up to and with one that
    /// is a `goal`.
    fn path(&self, from: StateId, may: &dyn Fn(&Edge) -> bool, goal: &dyn Fn(&Edge) -> bool) -> Option<Vec<Edge>> {
        let mut came_by: IndexVec<StateId, Option<(StateId, Edge)>> = IndexVec::from_elem(None, self.state_count());
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for edge in self.edges[state].iter().filter(|edge| may(edge)) {
                if goal(edge) {
                    let mut path = vec![*edge];
                    let mut at = state;
                    while at != from {
                        let (before, edge) = came_by[at]?;
                        path.push(edge);
                        at = before;
                    }
                    path.reverse();
                    return Some(path);
                }
                if edge.target != from && came_by[edge.target].is_none() {
                    came_by[edge.target] = Some((state, *edge));
                    queue.push_back(edge.target);
                }
            }
        }
        None
    }

    /// Whether some word is accepted by both. `None` if that would take too long, or more than
    /// [`Marks::MAX`] marks.
    pub fn intersects(&self, other: &Automaton) -> Option<bool> {
        let mut left = self.compact();
        let right = left.adopt(other);
        Some(!Overlap::new(&mut left, &right)?.is_empty(&left))
    }
}

/// More pairs of labels than are compared.
const MOST_COMPARISONS: usize = 500_000;

/// Answers again and again whether an automaton has a word in common with a fixed other one, while
/// the edges of the first change but not the set of their labels.
pub(crate) struct Overlap<'a> {
    right: &'a Automaton,
    /// The labels of the left automaton, numbered.
    left_labels: HashMap<Bdd, usize, QuickHash>,
    /// For each label of the left automaton and each edge of the right one, in order: have they a
    /// letter in common?
    meets: Vec<Vec<bool>>,
    /// The number of the first edge of each right state.
    first_edge: Vec<usize>,
}

impl<'a> Overlap<'a> {
    /// Prepares the comparison. The labels of `right` must be functions of the table of `left`.
    /// `None` if the comparison would take too long, or more than [`Marks::MAX`] marks.
    pub(crate) fn new(left: &mut Automaton, right: &'a Automaton) -> Option<Overlap<'a>> {
        if left.mark_count + right.mark_count > Marks::MAX {
            return None;
        }
        let mut left_labels = HashMap::default();
        let mut meets: Vec<Vec<bool>> = Vec::new();
        let right_edges = right.edge_count();
        for edge in left.edges.iter().flatten() {
            if meets.len() * right_edges > MOST_COMPARISONS {
                return None;
            }
            left_labels.entry(edge.label).or_insert_with(|| {
                let others = right.edges.iter().flatten();
                meets.push(others.map(|other| left.labels.intersect(edge.label, other.label)).collect());
                meets.len() - 1
            });
        }
        let mut first_edge = vec![0];
        for edges in &right.edges {
            first_edge.push(first_edge.last().copied().unwrap_or(0) + edges.len());
        }
        (!left.labels.has_overflowed()).then_some(Overlap { right, left_labels, meets, first_edge })
    }

    /// Whether no word is accepted by both.
    pub(crate) fn is_empty(&self, left: &Automaton) -> bool {
        let width = self.right.state_count();
        let mut ids: Vec<u32> = vec![u32::MAX; left.state_count() * width];
        let mut found = vec![(left.initial, self.right.initial)];
        ids[left.initial.index() * width + self.right.initial.index()] = 0;
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
        while let Some(&(a, b)) = found.get(edges.len()) {
            let mut out = Vec::new();
            for x in &left.edges[a] {
                let Some(&number) = self.left_labels.get(&x.label) else { continue };
                let meets = &self.meets[number][self.first_edge[b.index()]..];
                for (y, _) in self.right.edges[b].iter().zip(meets).filter(|(_, meets)| **meets) {
                    let id = &mut ids[x.target.index() * width + y.target.index()];
                    if *id == u32::MAX {
                        *id = found.len() as u32;
                        found.push((x.target, y.target));
                    }
                    let marks = x.marks.union(Marks(y.marks.0.checked_shl(left.mark_count as u32).unwrap_or(0)));
                    out.push(Edge { label: Bdd::TRUE, marks, target: StateId::from_index(*id as usize) });
                }
            }
            edges.push(out);
        }
        let mark_count = left.mark_count + self.right.mark_count;
        Automaton { edges, mark_count, ..Automaton::nothing(0) }.is_empty()
    }
}
