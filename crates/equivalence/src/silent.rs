//! Silent steps: their cycles, and systems in which such cycles are one state.

use ample_stdx::TypedId;

use crate::lts::{Edge, LabelId, Lts, LtsBuilder, StateId, TAU};

/// Whether a relation sees that a system can go on silently for ever.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Divergence {
    Seen,
    Ignored,
}

/// The strongly connected components of some edges.
pub(crate) struct Components {
    /// The component of each state. An edge leads to a component with the same or a smaller number.
    pub(crate) of: Vec<u32>,
    /// For each component whether there is a cycle in it.
    pub(crate) is_cyclic: Vec<bool>,
}

/// The components of the edges that `follow` picks (Tarjan 1972, with a stack of its own).
pub(crate) fn components(lts: &Lts, follow: impl Fn(StateId, Edge) -> bool) -> Components {
    let mut tarjan = Tarjan {
        lts,
        follow,
        visits: 0,
        visited: vec![0; lts.state_count()],
        low: vec![0; lts.state_count()],
        open: Vec::new(),
        found: Components { of: vec![NONE; lts.state_count()], is_cyclic: Vec::new() },
    };
    for state in lts.states() {
        if tarjan.visited[state.index()] == 0 {
            tarjan.visit(state);
        }
    }
    tarjan.found
}

const NONE: u32 = u32::MAX;

struct Tarjan<'a, F> {
    lts: &'a Lts,
    follow: F,
    visits: u32,
    /// When a state was visited, from 1.
    visited: Vec<u32>,
    /// The earliest open visit that can be reached.
    low: Vec<u32>,
    open: Vec<StateId>,
    found: Components,
}

impl<F: Fn(StateId, Edge) -> bool> Tarjan<'_, F> {
    fn visit(&mut self, root: StateId) {
        let lts = self.lts;
        let mut stack = vec![self.enter(root)];
        while let Some((state, next)) = stack.last_mut() {
            let state = *state;
            let Some(&edge) = lts.edges(state).get(*next) else {
                stack.pop();
                self.leave(state);
                if let Some((parent, _)) = stack.last() {
                    self.low[parent.index()] = self.low[parent.index()].min(self.low[state.index()]);
                }
                continue;
            };
            *next += 1;
            let to = edge.to.index();
            if !(self.follow)(state, edge) || self.found.of[to] != NONE {
                continue;
            }
            if self.visited[to] == 0 {
                stack.push(self.enter(edge.to));
            } else {
                self.low[state.index()] = self.low[state.index()].min(self.visited[to]);
            }
        }
    }

    fn enter(&mut self, state: StateId) -> (StateId, usize) {
        self.visits += 1;
        self.visited[state.index()] = self.visits;
        self.low[state.index()] = self.visits;
        self.open.push(state);
        (state, 0)
    }

    fn leave(&mut self, state: StateId) {
        if self.low[state.index()] != self.visited[state.index()] {
            return;
        }
        let number = self.found.is_cyclic.len() as u32;
        let mut size = 0;
        while let Some(member) = self.open.pop() {
            self.found.of[member.index()] = number;
            size += 1;
            if member == state {
                break;
            }
        }
        let has_loop = self.lts.edges(state).iter().any(|&edge| edge.to == state && (self.follow)(state, edge));
        self.found.is_cyclic.push(size > 1 || has_loop);
    }
}

/// For each state whether an endless run of silent steps leaves it.
pub(crate) fn can_diverge(lts: &Lts) -> Vec<bool> {
    let components = components(lts, |_, edge| edge.label == TAU);
    let mut diverges = components.is_cyclic.clone();
    let mut states: Vec<StateId> = lts.states().collect();
    states.sort_by_key(|state| components.of[state.index()]);
    let of = |state: StateId| components.of[state.index()] as usize;
    for state in states {
        let goes_on = lts.edges_with(state, TAU).iter().any(|edge| diverges[of(edge.to)]);
        diverges[of(state)] |= goes_on;
    }
    lts.states().map(|state| diverges[of(state)]).collect()
}

/// A system in which silent steps between states with the same letter make no cycle.
pub(crate) struct Condensed {
    pub(crate) lts: Lts,
    /// The state of `lts` that stands for each state.
    pub(crate) of: Vec<u32>,
    /// If divergence is seen: the label of an edge from each state that stood on a cycle to itself.
    pub(crate) diverges: Option<LabelId>,
}

/// Merges the states on silent cycles that change no letter. What can be seen of them is the same but for divergence.
pub(crate) fn condense(lts: &Lts, divergence: Divergence) -> Condensed {
    let is_inert = |from, edge: Edge| edge.label == TAU && lts.letter_of(from) == lts.letter_of(edge.to);
    let found = components(lts, is_inert);
    let of = |state: StateId| found.of[state.index()];
    let mut builder = LtsBuilder::with_labels_of(of(lts.initial()), lts);
    for state in lts.states() {
        builder.letter(of(state), lts.letter(lts.letter_of(state)));
        for &edge in lts.edges(state) {
            if !is_inert(state, edge) || of(state) != of(edge.to) {
                builder.edge_by_id(of(state), edge.label, of(edge.to));
            }
        }
    }
    let diverges = (divergence == Divergence::Seen).then(|| builder.fresh_label("(for ever silent)"));
    for (component, is_cyclic) in (0..).zip(&found.is_cyclic) {
        if let (Some(label), true) = (diverges, is_cyclic) {
            builder.edge_by_id(component, label, component);
        }
    }
    Condensed { lts: builder.build(), of: found.of, diverges }
}
