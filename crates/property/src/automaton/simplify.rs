//! Simplifications that follow from the components alone.

use ample_stdx::{IndexVec, TypedId};

use super::components::{ComponentId, Components};
use super::{Automaton, Edge, Marks, StateId};
use crate::bdd::Bdd;

impl Automaton {
    /// Removes what no accepting run passes: states that cannot be reached, states from which no
    /// accepting component can, and edges without letters. The initial state stays. Numbers states
    /// in the order of a search.
    pub(crate) fn trim(&mut self) {
        for edges in self.states().collect::<Vec<_>>() {
            self.edges[edges].retain(|edge| edge.label != Bdd::FALSE);
        }
        let useful = self.useful();
        let mut new_ids: IndexVec<StateId, Option<StateId>> = IndexVec::from_elem(None, self.state_count());
        let mut kept = vec![self.initial];
        new_ids[self.initial] = Some(StateId::from_index(0));
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
        while let Some(&state) = kept.get(edges.len()) {
            let mut out = Vec::new();
            for edge in self.edges[state].iter().filter(|edge| useful[edge.target]) {
                let target = *new_ids[edge.target].get_or_insert_with(|| {
                    kept.push(edge.target);
                    StateId::from_index(kept.len() - 1)
                });
                out.push(Edge { target, ..*edge });
            }
            edges.push(out);
        }
        self.edges = edges;
        self.initial = StateId::from_index(0);
        self.merge_edges();
    }

    /// The states from which some word is accepted.
    pub(crate) fn useful(&self) -> IndexVec<StateId, bool> {
        let components = Components::of(self);
        // Components are numbered from the bottom, so one pass over them, with their members, is
        // enough.
        let mut members: IndexVec<ComponentId, Vec<StateId>> = IndexVec::from_elem(Vec::new(), components.list.len());
        for state in self.states() {
            if let Some(component) = components.of[state] {
                members[component].push(state);
            }
        }
        let mut useful: IndexVec<StateId, bool> = IndexVec::from_elem(false, self.state_count());
        for component in components.list.ids() {
            let leads_on = |state: &StateId| self.edges[*state].iter().any(|edge| useful[edge.target]);
            let is_useful = components.is_accepting(component) || members[component].iter().any(leads_on);
            for &state in &members[component] {
                useful[state] = is_useful;
            }
        }
        useful
    }

    /// Joins edges that differ in their labels only, and sorts them.
    pub(crate) fn merge_edges(&mut self) {
        for state in self.states().collect::<Vec<_>>() {
            let mut edges = std::mem::take(&mut self.edges[state]);
            edges.sort_by_key(|edge| (edge.target, edge.marks, edge.label));
            let mut joined: Vec<Edge> = Vec::with_capacity(edges.len());
            for edge in edges {
                match joined.last_mut() {
                    Some(last) if last.target == edge.target && last.marks == edge.marks => {
                        last.label = self.labels.or(last.label, edge.label);
                    }
                    _ => joined.push(edge),
                }
            }
            self.edges[state] = joined;
        }
    }

    /// Drops marks that decide nothing: on edges between components and inside components without
    /// an accepting run; marks that every edge of the component has, or that another mark of it
    /// implies. Then numbers the marks anew in each component, so that the automaton needs only as
    /// many as the component that needs the most.
    pub(crate) fn simplify_marks(&mut self) {
        let components = Components::of(self);
        let mut needed: IndexVec<ComponentId, Vec<usize>> = components.list.ids().map(|_| Vec::new()).collect();
        for component in components.list.ids().filter(|&component| components.is_accepting(component)) {
            needed[component] = self.needed_marks(&components, component);
        }
        // With no mark at all, rejecting components would become accepting.
        let has_rejecting = components
            .list
            .ids()
            .any(|component| components.list[component].is_recurrent && !components.is_accepting(component));
        let count = needed.iter().map(Vec::len).max().unwrap_or(0).max(usize::from(has_rejecting));
        for state in self.states() {
            let Some(component) = components.of[state] else { continue };
            for edge in &mut self.edges[state] {
                let is_inside = components.of[edge.target] == Some(component);
                edge.marks = if !is_inside || !components.is_accepting(component) {
                    Marks::NONE
                } else {
                    let own = &needed[component];
                    let kept = own.iter().enumerate().filter(|(_, old)| edge.marks.contains(**old));
                    let kept = kept.fold(Marks::NONE, |marks, (new, _)| marks.union(Marks::one(new)));
                    kept.union(Marks::first(count).minus(Marks::first(own.len())))
                };
            }
        }
        self.mark_count = count;
        self.merge_edges();
    }

    /// The marks of an accepting component that are not implied by others.
    fn needed_marks(&self, components: &Components, component: ComponentId) -> Vec<usize> {
        let is_inside = |state: StateId| components.of[state] == Some(component);
        let sources = self.states().filter(|&state| is_inside(state));
        let inside: Vec<Marks> = sources
            .flat_map(|state| self.edges[state].iter().filter(|edge| is_inside(edge.target)).map(|edge| edge.marks))
            .collect();
        let mut needed: Vec<usize> =
            (0..self.mark_count).filter(|&mark| inside.iter().any(|marks| !marks.contains(mark))).collect();
        let implies = |a: usize, b: usize| inside.iter().all(|marks| !marks.contains(a) || marks.contains(b));
        let mut at = 0;
        while at < needed.len() {
            if needed.iter().any(|&other| other != needed[at] && implies(other, needed[at])) {
                needed.remove(at);
            } else {
                at += 1;
            }
        }
        needed
    }

    /// Puts all marks on the edges that lie on no cycle: there they decide nothing, and an edge
    /// with more marks simulates more.
    pub(crate) fn saturate_transient(&mut self) {
        let components = Components::of(self);
        let all = self.all_marks();
        for state in self.states() {
            for edge in &mut self.edges[state] {
                if !components.are_together(state, edge.target) {
                    edge.marks = all;
                }
            }
        }
        self.merge_edges();
    }

    /// Makes the accepting states of a state-based automaton show what matters: no state outside of
    /// the components with accepting runs is accepting, and where all cycles of a component are
    /// accepting, all its states are.
    pub(crate) fn settle_state_marks(&mut self) {
        let components = Components::of(self);
        let is_weak = |component: ComponentId| self.is_inherently_weak(&components, component);
        let weak: IndexVec<ComponentId, bool> = components.list.ids().map(is_weak).collect();
        for state in self.states() {
            let marks = match components.of[state] {
                Some(component) if !components.is_accepting(component) => Marks::NONE,
                Some(component) if weak[component] => self.all_marks(),
                _ => continue,
            };
            self.edges[state].iter_mut().for_each(|edge| edge.marks = marks);
        }
        self.merge_edges();
    }
}
