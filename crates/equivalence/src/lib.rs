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
//!   │  └──▶ k-bisim, deadlock          weak-bisim ──▶ weak-sim ──▶ reach
//!   └──▶ sim ──▶ weak-sim
//!         └──▶ trace ──▶ inf-trace; reach (of labels)
//! ```
//!
//! Of some relations there is a [`Preorder`] too: one system is below another. Of some there is a
//! [`Quotient`]: the smallest system that is equivalent to a given one.
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
mod quotient;
mod refine;
mod relations;
mod silent;
mod simulation;
mod subsets;
mod union;

pub use answer::{Answer, Difference, Finding, Follow, Limits, Side};
pub use aut::{read_aut, write_aut};
pub use lts::{Edge, LabelId, LetterId, Lts, LtsBuilder, StateId, TAU, TAU_NAME};
pub use quotient::Quotient;

use answer::{Meter, Stopped};
use relations::{
    bisim, branching_bisim, deadlock, inf_trace, k_bisim, reach, sim, stutter, trace, weak_bisim, weak_bisim_div,
    weak_sim, weak_trace,
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
    /// The order of which it is the equivalence, if somebody asks for that: two systems are
    /// equivalent if each is below the other.
    pub preorder: Option<Preorder>,
    decide: Decide,
    quotient: Option<MakeQuotient>,
}

/// Compares two systems.
type Decide = fn(&Lts, &Lts, &Limits<'_>) -> Answer;

/// Makes the quotient of a system of which all states are reachable.
type MakeQuotient = fn(&Lts, &mut Meter<'_>) -> Result<Quotient, Stopped>;

/// The order that a relation is the equivalence of.
pub struct Preorder {
    /// What it says, between the names of the lower system and the upper one.
    pub words: &'static str,
    /// What it demands, in a line.
    pub summary: &'static str,
    decide: Decide,
}

impl Preorder {
    /// Whether the first system is below the second.
    pub fn compare(&self, first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
        (self.decide)(first, second, limits)
    }
}

impl Relation {
    /// Compares two systems.
    pub fn compare(&self, first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
        (self.decide)(first, second, limits)
    }

    /// Whether there are quotients by it.
    pub fn has_quotient(&self) -> bool {
        self.quotient.is_some()
    }

    /// The quotient of a system by it, or why there is none.
    pub fn quotient(&self, lts: &Lts, limits: &Limits<'_>) -> Result<Quotient, String> {
        let Some(make) = self.quotient else { return Err(format!("there is no quotient by {}", self.name)) };
        Quotient::of_reachable(lts, |lts| make(lts, &mut Meter::new(limits))).map_err(Stopped::reason)
    }
}

const NO_PREORDER: Option<Preorder> = None;

const fn preorder(words: &'static str, summary: &'static str, decide: Decide) -> Option<Preorder> {
    Some(Preorder { words, summary, decide })
}

/// All relations; the first is the default.
#[rustfmt::skip]
pub static RELATIONS: &[Relation] = &[
    Relation { name: "bisim", summary: "strong bisimulation: each step is answered by an equal step, for ever", paper: "Park 1981; Pelánek 2.5", sees: Sees::Both, preorder: NO_PREORDER, decide: bisim::decide, quotient: Some(bisim::quotient) },
    Relation { name: "branching-bisim", summary: "branching bisimulation with divergence: silent steps that change nothing do not count", paper: "van Glabbeek and Weijland 1996", sees: Sees::Both, preorder: NO_PREORDER, decide: branching_bisim::decide, quotient: Some(branching_bisim::quotient) },
    Relation { name: "weak-bisim-div", summary: "weak bisimulation between states of which both can be silent for ever, or neither", paper: "Walker 1990", sees: Sees::Both, preorder: NO_PREORDER, decide: weak_bisim_div::decide, quotient: None },
    Relation { name: "weak-bisim", summary: "weak bisimulation: steps are answered with any number of silent steps around", paper: "Milner 1989; Pelánek 2.5", sees: Sees::Both, preorder: NO_PREORDER, decide: weak_bisim::decide, quotient: Some(weak_bisim::quotient) },
    Relation { name: "sim", summary: "each system simulates the other", paper: "Park 1981; Pelánek 2.5", sees: Sees::Both, preorder: preorder("is simulated by", "each step of the first is answered by an equal step of the second, for ever", sim::below), decide: sim::decide, quotient: None },
    Relation { name: "weak-sim", summary: "each system simulates the other, with any number of silent steps around an answer", paper: "Milner 1989; Pelánek 2.5", sees: Sees::Both, preorder: preorder("is weakly simulated by", "each step of the first is answered by the second, with any number of silent steps around", weak_sim::below), decide: weak_sim::decide, quotient: None },
    Relation { name: "trace", summary: "the same sequences of labels, silent ones included", paper: "Pelánek 2.5", sees: Sees::Labels, preorder: preorder("has only traces of", "each sequence of labels of the first is one of the second, silent ones included", trace::below), decide: trace::decide, quotient: None },
    Relation { name: "inf-trace", summary: "the same infinite sequences of labels, silent ones included; follows from trace", paper: "Pelánek 2.5", sees: Sees::Labels, preorder: preorder("has only infinite traces of", "each infinite sequence of labels of the first is one of the second, silent ones included", inf_trace::below), decide: inf_trace::decide, quotient: None },
    Relation { name: "weak-trace", summary: "the same sequences of visible labels, finite, infinite, and before endless silence", paper: "Pelánek 2.5; Valmari and Tienari 1991", sees: Sees::Labels, preorder: preorder("has only weak traces of", "each sequence of visible labels of the first is one of the second, also before endless silence", weak_trace::below), decide: weak_trace::decide, quotient: None },
    Relation { name: "stutter", summary: "the same sequences of what is true in states along maximal runs, repetitions left out", paper: "Peled and Wilke 1997", sees: Sees::Letters, preorder: NO_PREORDER, decide: stutter::decide, quotient: None },
    Relation { name: "reach", summary: "the same visible labels occur, and the same is true in some state", paper: "Pelánek 2.5", sees: Sees::Both, preorder: preorder("reaches only what is reached by", "what occurs and is true somewhere in the first does and is so in the second", reach::below), decide: reach::decide, quotient: None },
    Relation { name: "deadlock", summary: "both can end or neither can, and the same is true where they end", paper: "Pelánek 2.5", sees: Sees::Letters, preorder: NO_PREORDER, decide: deadlock::decide, quotient: None },
    Relation { name: "k-bisim", summary: "bisimulation that looks so many steps ahead", paper: "Pelánek 2.5", sees: Sees::Both, preorder: NO_PREORDER, decide: k_bisim::decide, quotient: Some(k_bisim::quotient) },
];

/// The relation with this name.
pub fn relation(name: &str) -> Option<&'static Relation> {
    RELATIONS.iter().find(|relation| relation.name == name)
}
