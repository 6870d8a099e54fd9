//! Branching bisimulation with explicit divergence: silent steps that change nothing do not matter,
//! those that take a choice do.

use std::collections::HashSet;

use ample_stdx::TypedId;

use crate::answer::{Answer, Difference, Finding, Limits, Meter, Stopped};
use crate::explain::{PlayEnd, play};
use crate::lts::{Edge, LabelId, Lts, StateId, TAU};
use crate::quotient::{Quotient, with_silent_loops};
use crate::refine::{Classes, Silent, refine};
use crate::silent::{Condensed, Divergence, condense};
use crate::union::{Union, merge};

/// Van Glabbeek and Weijland, "Branching time and abstraction in bisimulation semantics". With
/// letters on states instead of labels it is what preserves CTL* without next.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    compare(first, second, &mut Meter::new(limits)).unwrap_or_else(Answer::from)
}

fn compare(first: &Lts, second: &Lts, meter: &mut Meter<'_>) -> Result<Answer, Stopped> {
    let union = Union::new(first, second);
    let found = Branching::new(&union.lts, Divergence::Seen, meter)?;
    let [first, second] = union.initial.map(|state| found.condensed(state));
    if found.classes.class(first) == found.classes.class(second) {
        return Ok(Answer::Equivalent);
    }
    let play = play(&found.classes, |rounds, state| found.moves(rounds, state), first, second);
    let diverges = matches!(play.end, PlayEnd::Step(label) if Some(label) == found.system.diverges);
    let difference = play.difference(&found.system.lts, |_| false);
    let finding = if diverges { Finding::Diverge } else { difference.finding };
    Ok(Answer::Different(Difference { finding, ..difference }))
}

/// One state for each class, with the steps that are seen, and a silent loop where a state can go
/// on silently within its class for ever.
pub(crate) fn quotient(lts: &Lts, meter: &mut Meter<'_>) -> Result<Quotient, Stopped> {
    let found = Branching::new(lts, Divergence::Seen, meter)?;
    let state_of = lts.states().map(|state| Some(found.class(state))).collect();
    Ok(Quotient { lts: with_silent_loops(&found.smaller(), found.diverges()), state_of })
}

/// The classes of branching bisimulation.
pub(crate) struct Branching {
    /// The system without silent cycles.
    pub(crate) system: Condensed,
    /// The classes of its states.
    pub(crate) classes: Classes,
}

impl Branching {
    pub(crate) fn new(lts: &Lts, divergence: Divergence, meter: &mut Meter<'_>) -> Result<Branching, Stopped> {
        let system = condense(lts, divergence);
        let letter = |state| system.lts.letter_of(state).index() as u32;
        let letters: Vec<u32> = system.lts.states().map(letter).collect();
        let classes = refine(&system.lts, &letters, Silent::Inert, None, meter)?;
        Ok(Branching { system, classes })
    }

    fn condensed(&self, state: StateId) -> StateId {
        StateId::from_index(self.system.of[state.index()] as usize)
    }

    /// The class of a state, as a state of [`smaller`](Self::smaller).
    pub(crate) fn class(&self, state: StateId) -> StateId {
        StateId::from_index(self.classes.class(self.condensed(state)) as usize)
    }

    /// A smaller system: one state for each class, without silent steps from a class to itself.
    pub(crate) fn smaller(&self) -> Lts {
        let class = |state| self.classes.class(state);
        merge(&self.system.lts, &self.classes.of, |from, label, to| label != TAU || class(from) != class(to))
    }

    /// The label of the edges that say that a state can diverge, if this is seen.
    pub(crate) fn diverges(&self) -> Option<LabelId> {
        self.system.diverges
    }

    /// What a state can do, perhaps after silent steps within its class.
    fn moves(&self, rounds: u32, state: StateId) -> Vec<Edge> {
        let class = self.classes.class_after(rounds, state);
        let mut seen = HashSet::from([state]);
        let mut open = vec![state];
        let mut moves = Vec::new();
        while let Some(state) = open.pop() {
            for &edge in self.system.lts.edges(state) {
                if edge.label != TAU || self.classes.class_after(rounds, edge.to) != class {
                    moves.push(edge);
                } else if seen.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        moves
    }
}
