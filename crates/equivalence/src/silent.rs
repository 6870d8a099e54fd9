//! Silent steps: their cycles, and systems in which such cycles are one state.

use ample_stdx::{Components, TypedId};

use crate::lts::{Edge, LabelId, Lts, LtsBuilder, StateId, TAU};

/// Whether a relation sees that a system can go on silently for ever.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Divergence {
    Seen,
    Ignored,
}

/// The strongly connected components of the edges that `follow` picks.
pub(crate) fn components(lts: &Lts, follow: impl Fn(StateId, Edge) -> bool) -> Components {
    let follow = &follow;
    ample_stdx::components(lts.state_count(), |from| {
        let from = StateId::from_index(from);
        lts.edges(from).iter().filter(move |edge| follow(from, **edge)).map(|edge| edge.to.index())
    })
}

/// For each state whether an infinite run of silent steps leaves it.
pub(crate) fn can_diverge(lts: &Lts) -> Vec<bool> {
    can_go_on(lts, |edge| edge.label == TAU)
}

/// For each state whether an infinite run of such steps leaves it.
pub(crate) fn can_go_on(lts: &Lts, is_step: impl Fn(Edge) -> bool) -> Vec<bool> {
    let components = components(lts, |_, edge| is_step(edge));
    let mut diverges = components.is_cyclic.clone();
    let mut states: Vec<StateId> = lts.states().collect();
    states.sort_by_key(|state| components.of[state.index()]);
    let of = |state: StateId| components.of[state.index()] as usize;
    for state in states {
        let goes_on = lts.edges(state).iter().any(|edge| is_step(*edge) && diverges[of(edge.to)]);
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

/// Merges the states on silent cycles that change no letter. What can be seen of them is the same
/// but for divergence.
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
