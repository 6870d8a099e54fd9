//! Finite labelled transition systems, and whether two of them are equivalent.
//!
//! An [`Lts`] has states, an initial one, and edges with labels, one of which is the invisible
//! [`TAU`]; each state may have a letter, which stands for what is true in it. It is made from
//! edges, by an [`LtsBuilder`], or read from a file in Aldebaran format ([`read_aut`]).
//!
//! A [`Relation`] is one way to be equivalent; all are listed in [`RELATIONS`]. What they say of
//! each other:
//!
//! ```text
//! bisim ──▶ branching-bisim ──▶ weak-bisim-div ──▶ weak-bisim
//!   │  │            │                   └──▶ weak-trace
//!   │  │            └──▶ stutter
//!   │  └──▶ k-bisim, deadlock
//!   └──▶ sim ──▶ trace ──▶ reach (of labels)
//! ```
//!
//! Invariants: any text gives a system or a diagnostic; a comparison ends, and what is too large is
//! `unknown`; where two systems differ it says how; the order of hash tables reaches no answer.
//!
//! ```
//! use ample_equivalence::{Answer, Limits, Lts, relation};
//!
//! // a.(b + c) and a.b + a.c have the same traces, and are not bisimilar.
//! let late = Lts::from_edges(0, [(0, "a", 1), (1, "b", 2), (1, "c", 2)]);
//! let early = Lts::from_edges(0, [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)]);
//! let compare = |name| relation(name).unwrap().compare(&late, &early, &Limits::default());
//! assert_eq!(compare("trace"), Answer::Equivalent);
//! let Answer::Different(difference) = compare("bisim") else { panic!() };
//! assert_eq!(difference.path, ["a"]);
//! ```

mod answer;
mod aut;
mod explain;
mod lts;
mod refine;
mod relations;
mod silent;
mod subsets;
mod union;

pub use answer::{Answer, Difference, Finding, Follow, Limits, Side};
pub use aut::{read_aut, write_aut};
pub use lts::{Edge, LabelId, LetterId, Lts, LtsBuilder, StateId, TAU, TAU_NAME};

use relations::{
    bisim, branching_bisim, deadlock, k_bisim, reach, sim, stutter, trace, weak_bisim, weak_bisim_div, weak_trace,
};

/// What a relation looks at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sees {
    /// The labels of edges only.
    Labels,
    /// The letters of states only.
    Letters,
    /// Both.
    Both,
}

/// One way in which two systems can be equivalent.
pub struct Relation {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it demands, in a line.
    pub summary: &'static str,
    /// Where it is defined.
    pub paper: &'static str,
    /// What it looks at.
    pub sees: Sees,
    decide: fn(&Lts, &Lts, &Limits<'_>) -> Answer,
}

impl Relation {
    /// Compares two systems.
    pub fn compare(&self, first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
        (self.decide)(first, second, limits)
    }
}

/// All relations; the first is the default.
#[rustfmt::skip]
pub static RELATIONS: &[Relation] = &[
    Relation { name: "bisim", summary: "strong bisimulation: each step is answered by an equal step, for ever", paper: "Park 1981; Pelánek 2.5", sees: Sees::Both, decide: bisim::decide },
    Relation { name: "branching-bisim", summary: "branching bisimulation with divergence: silent steps that change nothing do not count", paper: "van Glabbeek and Weijland 1996", sees: Sees::Both, decide: branching_bisim::decide },
    Relation { name: "weak-bisim-div", summary: "weak bisimulation between states of which both can be silent for ever, or neither", paper: "Walker 1990", sees: Sees::Both, decide: weak_bisim_div::decide },
    Relation { name: "weak-bisim", summary: "weak bisimulation: steps are answered with any number of silent steps around", paper: "Milner 1989; Pelánek 2.5", sees: Sees::Both, decide: weak_bisim::decide },
    Relation { name: "sim", summary: "each system simulates the other", paper: "Park 1981; Pelánek 2.5", sees: Sees::Both, decide: sim::decide },
    Relation { name: "trace", summary: "the same sequences of labels, silent ones included", paper: "Pelánek 2.5", sees: Sees::Labels, decide: trace::decide },
    Relation { name: "weak-trace", summary: "the same sequences of visible labels, finite, infinite, and before endless silence", paper: "Pelánek 2.5; Valmari and Tienari 1991", sees: Sees::Labels, decide: weak_trace::decide },
    Relation { name: "stutter", summary: "the same sequences of what is true in states along maximal runs, repetitions left out", paper: "Peled and Wilke 1997", sees: Sees::Letters, decide: stutter::decide },
    Relation { name: "reach", summary: "the same visible labels occur, and the same is true in some state", paper: "Pelánek 2.5", sees: Sees::Both, decide: reach::decide },
    Relation { name: "deadlock", summary: "both can end or neither can, and the same is true where they end", paper: "Pelánek 2.5", sees: Sees::Letters, decide: deadlock::decide },
    Relation { name: "k-bisim", summary: "bisimulation that looks so many steps ahead", paper: "Pelánek 2.5", sees: Sees::Both, decide: k_bisim::decide },
];

/// The relation with this name.
pub fn relation(name: &str) -> Option<&'static Relation> {
    RELATIONS.iter().find(|relation| relation.name == name)
}
