//! How strong the acceptance condition really is: what a search can save.

use super::components::{ComponentId, Components};
use super::{Automaton, Marks, StateId};
use crate::bdd::Bdd;

/// The kinds of automata for which there is a cheaper search (Bloem, Ravi and Somenzi, CAV 1999).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Every word is accepted from an accepting component on: to reach one is enough.
    Terminal,
    /// The cycles of a component are all accepting or all rejecting, and its edges show which.
    Weak,
    /// The cycles of a component are all accepting or all rejecting, but not all edges of an
    /// accepting one have all marks.
    InherentlyWeak,
    /// None of the above.
    Strong,
}

impl Strength {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::InherentlyWeak => "inherently weak",
            Strength::Strong => "strong",
        }
    }
}

impl Automaton {
    /// The cheapest kind that the automaton belongs to.
    pub fn strength(&self) -> Strength {
        let components = Components::of(self);
        let accepting: Vec<ComponentId> =
            components.list.ids().filter(|&component| components.is_accepting(component)).collect();
        if !accepting.iter().all(|&component| self.is_inherently_weak(&components, component)) {
            return Strength::Strong;
        }
        if accepting.iter().all(|&component| self.is_terminal(&components, component)) {
            return Strength::Terminal;
        }
        if self.shows_acceptance(&components) { Strength::Weak } else { Strength::InherentlyWeak }
    }

    /// Whether each edge on a cycle has all marks or none, and all edges of a component the same:
    /// then any cycle shows by any of its edges whether it is accepting.
    pub fn is_weak(&self) -> bool {
        self.shows_acceptance(&Components::of(self))
    }

    fn shows_acceptance(&self, components: &Components) -> bool {
        self.states().all(|state| {
            let mut inside = self.edges[state].iter().filter(|edge| components.are_together(state, edge.target));
            match components.is_state_accepting(state) {
                true => inside.all(|edge| edge.marks == self.all_marks()),
                // Here marks could stand that do not all occur on one cycle.
                false => inside.all(|edge| edge.marks.is_empty()),
            }
        })
    }

    /// Whether every cycle of an accepting component is accepting: without the edges of any one
    /// mark none is left.
    pub(crate) fn is_inherently_weak(&self, components: &Components, component: ComponentId) -> bool {
        (0..self.mark_count).all(|mark| {
            let rest = Components::without(self, Marks::one(mark));
            let is_left = |state: StateId| rest.of[state].is_some_and(|part| rest.list[part].is_recurrent);
            self.states().all(|state| components.of[state] != Some(component) || !is_left(state))
        })
    }

    /// Whether every letter leads from every state of the component back into it.
    fn is_terminal(&self, components: &Components, component: ComponentId) -> bool {
        let mut labels = self.labels.clone();
        let members = self.states().filter(|&state| components.of[state] == Some(component));
        members.into_iter().all(|state| {
            let inside = self.edges[state].iter().filter(|edge| components.are_together(state, edge.target));
            inside.fold(Bdd::FALSE, |all, edge| labels.or(all, edge.label)) == Bdd::TRUE
        })
    }
}
