//! From generalised acceptance on transitions to one accepting set of states.
//!
//! A state is copied once per level: level `n` waits for the mark at place `n` of an order, and the
//! last level is accepting (Gastin and Oddoux, CAV 2001). The level starts anew in each component,
//! and components that need no levels get none (Babiak et al., SPIN 2013).

use std::collections::HashMap;

use ample_stdx::{IndexVec, TypedId};

use super::components::{ComponentId, Components};
use super::{Automaton, Edge, Marks, StateId};

/// What a component needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No accepting run: the level stays at the start.
    Rejecting,
    /// Accepting runs only: every state is accepting.
    Accepting,
    /// Levels.
    Mixed,
}

impl Automaton {
    /// A state-based Büchi automaton for the same language: this one, if it is one.
    #[must_use]
    pub fn state_based(&self) -> Automaton {
        if self.is_state_based() {
            return self.clone();
        }
        let mut trimmed = self.clone();
        trimmed.trim();
        let order: Vec<usize> = (0..trimmed.mark_count).collect();
        trimmed.degeneralised(&order)
    }

    /// A state-based Büchi automaton for the same language: the marks are awaited in the given
    /// order.
    pub(crate) fn degeneralised(&self, order: &[usize]) -> Automaton {
        let construction = Degeneralisation::new(self, order);
        construction.run()
    }
}

struct Degeneralisation<'a> {
    automaton: &'a Automaton,
    order: &'a [usize],
    components: Components,
    kinds: IndexVec<ComponentId, Kind>,
}

impl<'a> Degeneralisation<'a> {
    fn new(automaton: &'a Automaton, order: &'a [usize]) -> Degeneralisation<'a> {
        let components = Components::of(automaton);
        let kind = |component: ComponentId| match components.is_accepting(component) {
            false => Kind::Rejecting,
            true if automaton.is_inherently_weak(&components, component) => Kind::Accepting,
            true => Kind::Mixed,
        };
        let kinds = components.list.ids().map(kind).collect();
        Degeneralisation { automaton, order, components, kinds }
    }

    fn run(&self) -> Automaton {
        let start = (self.automaton.initial, self.entry_level(self.automaton.initial));
        let mut ids = HashMap::from([(start, StateId::from_index(0))]);
        let mut found = vec![start];
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
        while let Some(&(state, level)) = found.get(edges.len()) {
            let marks = if level == self.order.len() { Marks::one(0) } else { Marks::NONE };
            let mut out = Vec::new();
            for edge in &self.automaton.edges[state] {
                let copy = (edge.target, self.next_level(state, level, edge));
                let target = *ids.entry(copy).or_insert_with(|| {
                    found.push(copy);
                    StateId::from_index(found.len() - 1)
                });
                out.push(Edge { target, marks, ..*edge });
            }
            edges.push(out);
        }
        let mut result = Automaton {
            labels: self.automaton.labels.clone(),
            mark_count: 1,
            initial: StateId::from_index(0),
            edges,
            ..*self.automaton
        };
        result.trim();
        result
    }

    fn kind(&self, state: StateId) -> Kind {
        self.components.of[state].map_or(Kind::Rejecting, |component| self.kinds[component])
    }

    /// The level at which a component is entered. The marks that all edges of the state have count
    /// already.
    fn entry_level(&self, state: StateId) -> usize {
        match self.kind(state) {
            Kind::Rejecting => 0,
            Kind::Accepting => self.order.len(),
            Kind::Mixed => self.advance(0, self.common(state)),
        }
    }

    fn next_level(&self, state: StateId, level: usize, edge: &Edge) -> usize {
        let is_inside = self.components.are_together(state, edge.target);
        match self.kind(edge.target) {
            Kind::Mixed if is_inside => {
                let level = if level == self.order.len() { 0 } else { level };
                let level = self.advance(level, edge.marks);
                if level == self.order.len() { level } else { self.advance(level, self.common(edge.target)) }
            }
            _ => self.entry_level(edge.target),
        }
    }

    /// The marks of all edges by which the state's component is gone through at this state.
    fn common(&self, state: StateId) -> Marks {
        let inside = self.automaton.edges[state].iter().filter(|edge| self.components.are_together(state, edge.target));
        inside.fold(self.automaton.all_marks(), |common, edge| common.intersection(edge.marks))
    }

    fn advance(&self, mut level: usize, marks: Marks) -> usize {
        while level < self.order.len() && marks.contains(self.order[level]) {
            level += 1;
        }
        level
    }
}
