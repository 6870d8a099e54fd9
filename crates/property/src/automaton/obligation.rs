//! Minimal weak deterministic automata for obligation properties.
//!
//! The powerset of an automaton, with each component made accepting or rejecting after one of its
//! words, is a weak deterministic automaton for the language if there is one at all (Dax, Eisinger
//! and Klaedtke, ATVA 2007). That it is one is checked with the complement. Weak deterministic
//! automata are minimised like automata on finite words, once the states that no run visits for
//! ever are coloured well (Löding, IPL 2001).

use std::collections::HashMap;

use ample_stdx::{IndexVec, TypedId};

use super::components::{ComponentId, Components};
use super::{Automaton, Edge, Marks, StateId};
use crate::bdd::{Bdd, Bdds};

/// Beyond this number of states of the powerset the attempt is given up.
const LARGEST: usize = 300;

/// The states of the source automaton that a state of the powerset stands for, sorted.
type Subset = Vec<StateId>;

impl Automaton {
    /// The minimal weak deterministic automaton for the language, state-based. `None` if the
    /// language is not an obligation, or if the powerset is too large. `complement` accepts exactly
    /// the words that `self` does not.
    pub(crate) fn minimal_weak_deterministic(&self, complement: &Automaton) -> Option<Automaton> {
        let mut powerset = self.powerset()?;
        let components = Components::of(&powerset);
        let accepting: IndexVec<ComponentId, bool> =
            components.list.ids().map(|component| self.accepts_some_cycle(&powerset, &components, component)).collect();
        let marked = |state: StateId| components.of[state].is_some_and(|component| accepting[component]);
        powerset.mark_states(&marked);
        let rejecting: Automaton = {
            let mut other = powerset.clone();
            other.mark_states(&|state| !marked(state));
            other
        };
        if powerset.intersects(complement)? || rejecting.intersects(self)? {
            return None;
        }
        let mut minimal = powerset.quotient_by_colour(&components, &accepting);
        minimal.trim();
        (!minimal.labels.has_overflowed()).then_some(minimal)
    }

    fn mark_states(&mut self, is_accepting: &dyn Fn(StateId) -> bool) {
        self.mark_count = 1;
        for state in self.states() {
            let marks = if is_accepting(state) { Marks::one(0) } else { Marks::NONE };
            self.edges[state].iter_mut().for_each(|edge| edge.marks = marks);
        }
    }

    /// The complete deterministic automaton of the sets of states that the letters lead to, without
    /// marks.
    fn powerset(&self) -> Option<Automaton> {
        let mut labels = self.labels.clone();
        let start: Subset = vec![self.initial];
        let mut ids = HashMap::from([(start.clone(), StateId::from_index(0))]);
        let mut found = vec![start];
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
        while let Some(subset) = found.get(edges.len()).cloned() {
            let mut out = Vec::new();
            for (label, target) in self.successor_sets(&subset, &mut labels)? {
                let target = *ids.entry(target.clone()).or_insert_with(|| {
                    found.push(target);
                    StateId::from_index(found.len() - 1)
                });
                out.push(Edge { label, marks: Marks::NONE, target });
            }
            edges.push(out);
            if found.len() > LARGEST {
                return None;
            }
        }
        Some(Automaton { labels, mark_count: 0, initial: StateId::from_index(0), edges, ..*self })
    }

    /// The sets that a set of states reaches, each with its letters; together these are all
    /// letters.
    fn successor_sets(&self, subset: &[StateId], labels: &mut Bdds) -> Option<Vec<(Bdd, Subset)>> {
        let mut parts: Vec<(Bdd, Subset)> = vec![(Bdd::TRUE, Vec::new())];
        for edge in subset.iter().flat_map(|&state| &self.edges[state]) {
            let mut next: Vec<(Bdd, Subset)> = Vec::with_capacity(parts.len() + 1);
            let mut add =
                |labels: &mut Bdds, label: Bdd, set: Subset| match next.iter_mut().find(|(_, other)| *other == set) {
                    _ if label == Bdd::FALSE => {}
                    Some((whole, _)) => *whole = labels.or(*whole, label),
                    None => next.push((label, set)),
                };
            for (label, set) in parts {
                let without = labels.minus(label, edge.label);
                let with = labels.and(label, edge.label);
                let mut larger = set.clone();
                if let Err(place) = larger.binary_search(&edge.target) {
                    larger.insert(place, edge.target);
                }
                add(labels, without, set);
                add(labels, with, larger);
            }
            parts = next;
            if parts.len() > LARGEST {
                return None;
            }
        }
        Some(parts)
    }

    /// Whether `self` accepts one word whose run in the powerset ends in the component. For an
    /// obligation all such words have the same answer.
    fn accepts_some_cycle(&self, powerset: &Automaton, components: &Components, component: ComponentId) -> bool {
        let is_inside = |state: StateId| components.of[state] == Some(component);
        powerset.word_into(&is_inside).is_some_and(|word| self.accepts(&word))
    }

    /// Merges the states of a weak deterministic automaton that accept the same words.
    fn quotient_by_colour(&self, components: &Components, accepting: &IndexVec<ComponentId, bool>) -> Automaton {
        let colours = self.colours(components, accepting);
        let is_even = |state: StateId| components.of[state].is_some_and(|component| colours[component] % 2 == 0);
        let mut classes: IndexVec<StateId, usize> = self.states().map(|state| usize::from(is_even(state))).collect();
        let mut labels = self.labels.clone();
        let mut count = 0;
        loop {
            let mut known: HashMap<(usize, Vec<(usize, Bdd)>), usize> = HashMap::new();
            let mut refined: IndexVec<StateId, usize> = IndexVec::with_capacity(self.state_count());
            for state in self.states() {
                let signature = (classes[state], self.signature(state, &classes, &mut labels));
                let next = known.len();
                refined.push(*known.entry(signature).or_insert(next));
            }
            classes = refined;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::from_elem(Vec::new(), count);
        for state in self.states().rev() {
            let marks = if is_even(state) { Marks::one(0) } else { Marks::NONE };
            let moved = self.edges[state].iter();
            let moved = moved.map(|edge| Edge { marks, target: StateId::from_index(classes[edge.target]), ..*edge });
            edges[StateId::from_index(classes[state])] = moved.collect();
        }
        let initial = StateId::from_index(classes[self.initial]);
        Automaton { labels, mark_count: 1, initial, edges, ..*self }
    }

    /// Which letters lead from the state into which class.
    fn signature(&self, state: StateId, classes: &IndexVec<StateId, usize>, labels: &mut Bdds) -> Vec<(usize, Bdd)> {
        let mut signature: Vec<(usize, Bdd)> = Vec::new();
        for edge in &self.edges[state] {
            let class = classes[edge.target];
            match signature.iter_mut().find(|(other, _)| *other == class) {
                Some((_, label)) => *label = labels.or(*label, edge.label),
                None => signature.push((class, edge.label)),
            }
        }
        signature.sort();
        signature
    }

    /// Löding's colouring: even for accepting, as large as the colours below allow; counted down
    /// from 0. A component without cycles takes the colour of what follows.
    fn colours(&self, components: &Components, accepting: &IndexVec<ComponentId, bool>) -> IndexVec<ComponentId, i64> {
        let mut colours: IndexVec<ComponentId, i64> = IndexVec::from_elem(0, components.list.len());
        for component in components.list.ids() {
            let members = self.states().filter(|&state| components.of[state] == Some(component));
            let targets = members.flat_map(|state| &self.edges[state]).filter_map(|edge| components.of[edge.target]);
            let below = targets.filter(|&target| target != component).map(|target| colours[target]).min().unwrap_or(0);
            let fits = !components.list[component].is_recurrent || accepting[component] == (below % 2 == 0);
            colours[component] = if fits { below } else { below - 1 };
        }
        colours
    }
}
