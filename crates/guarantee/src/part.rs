//! The static descriptor of a part, and the guarantee it declares.

use std::fmt;

use crate::{ClassSet, PropertyClass};

/// What a part of a search is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// Can a simpler model answer this question?
    Pass,
    /// Which transitions leave a state?
    Successors,
    /// Which enabled transitions are taken?
    Expander,
    /// May a proper subset of the enabled transitions stand?
    CycleCondition,
    /// Which transitions are left out because they were taken in another order?
    Sleep,
    /// What is left out at first, and taken in again step by step? Such a part counts as long as
    /// that is not over.
    Under,
    /// Which representative of a state is remembered?
    Canonizer,
    /// Which state need not be explored because another one can do all that it can?
    Cover,
    /// Below which states is it known, before they are explored, whether there is an error?
    Foresight,
    /// Has this representative been seen?
    Store,
    /// What is explored next?
    Order,
    /// What is explored next, in search of an infinite run?
    Emptiness,
    /// Where was the search cut off? A bound joins the plan when it was reached, not when it was
    /// set.
    Bound,
}

impl PartKind {
    /// The name used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            PartKind::Pass => "pass",
            PartKind::Successors => "successors",
            PartKind::Expander => "expander",
            PartKind::CycleCondition => "cycle condition",
            PartKind::Sleep => "sleep sets",
            PartKind::Under => "under-approximation",
            PartKind::Canonizer => "canonizer",
            PartKind::Cover => "cover",
            PartKind::Foresight => "foresight",
            PartKind::Store => "store",
            PartKind::Order => "order",
            PartKind::Emptiness => "emptiness",
            PartKind::Bound => "bound",
        }
    }
}

/// What is left out although the search ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Omission {
    /// Nothing.
    None,
    /// States may be taken for others, with a small probability that the run must state.
    Probability {
        /// Why, as a clause for the report.
        reason: &'static str,
    },
    /// A part of the space of unknown size was not looked at.
    Bound {
        /// Why, as a clause for the report.
        reason: &'static str,
    },
}

impl Omission {
    /// Why something may be left out.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Omission::None => None,
            Omission::Probability { reason } | Omission::Bound { reason } => Some(reason),
        }
    }

    const fn severity(self) -> u8 {
        match self {
            Omission::None => 0,
            Omission::Probability { .. } => 1,
            Omission::Bound { .. } => 2,
        }
    }
}

/// What the answers of a search are worth.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// If the full system has an error of these classes, one is found.
    pub no_missed: ClassSet,
    /// If an error of these classes is found, the full system has it.
    pub no_false: ClassSet,
    /// What may be left out in spite of that.
    pub omission: Omission,
}

impl Guarantee {
    /// Nothing is lost and nothing is added.
    pub const EXACT: Guarantee =
        Guarantee { no_missed: ClassSet::ALL, no_false: ClassSet::ALL, omission: Omission::None };

    /// Deadlocks only: what goes on elsewhere may be put off for ever.
    pub const DEADLOCKS: Guarantee = Guarantee::of(&[PropertyClass::Deadlock]);

    /// Deadlocks, and what single processes do.
    pub const SAFETY: Guarantee = Guarantee::of(&[PropertyClass::Deadlock, PropertyClass::LocalReachability]);

    /// All of that, and runs up to stuttering: what is seen of a run is kept out of proper subsets.
    pub const STUTTERING: Guarantee = Guarantee::of(&[
        PropertyClass::Deadlock,
        PropertyClass::LocalReachability,
        PropertyClass::Invariants,
        PropertyClass::StutterInvariantLtl,
    ]);

    /// All of that, and branching time up to stuttering: a proper subset is a single transition, so
    /// that no choice is made early.
    pub const BRANCHING: Guarantee = Guarantee::of(&[
        PropertyClass::Deadlock,
        PropertyClass::LocalReachability,
        PropertyClass::Invariants,
        PropertyClass::StutterInvariantLtl,
        PropertyClass::StutterInvariantBranching,
    ]);

    /// What every state that covers another one can do as well: what single processes do, and what
    /// holds in each state that can be reached. A state that nothing leaves may be covered by one
    /// that something leaves, and a cycle of states that stand for others need not be one.
    pub const REACHABILITY: Guarantee = Guarantee::of(&[PropertyClass::LocalReachability, PropertyClass::Invariants]);

    /// Whether there is an error of the kind that is asked for, in a state or along a run that comes
    /// to one: of what is known to have none below it, nothing is explored, and so no run is whole.
    pub const ERRORS: Guarantee =
        Guarantee::of(&[PropertyClass::Deadlock, PropertyClass::LocalReachability, PropertyClass::Invariants]);

    const fn of(no_missed: &[PropertyClass]) -> Guarantee {
        Guarantee { no_missed: ClassSet::of(no_missed), ..Guarantee::EXACT }
    }

    /// Of a store that may take a state for another: what is found is real, and something may be
    /// missed.
    pub const fn lossy(reason: &'static str) -> Guarantee {
        Guarantee { omission: Omission::Probability { reason }, ..Guarantee::EXACT }
    }

    /// Of an under-approximation, which explores only real transitions from real states and
    /// promises nothing before it is exact. Once it is, it is no longer a part of the plan: the
    /// expander and the cycle condition say what is preserved.
    pub const NOT_EXACT_YET: Guarantee = Guarantee {
        no_missed: ClassSet::NONE,
        no_false: ClassSet::ALL,
        omission: Omission::Bound { reason: "the under-approximation is not exact yet" },
    };

    /// What is left when both must be relied upon. Of two omissions the worse stays.
    pub const fn intersection(self, other: Guarantee) -> Guarantee {
        let omission =
            if other.omission.severity() > self.omission.severity() { other.omission } else { self.omission };
        Guarantee {
            no_missed: self.no_missed.intersection(other.no_missed),
            no_false: self.no_false.intersection(other.no_false),
            omission,
        }
    }

    /// Whether this promises no more than `other`.
    pub const fn is_at_most(self, other: Guarantee) -> bool {
        self.no_missed.is_subset(other.no_missed)
            && self.no_false.is_subset(other.no_false)
            && self.omission.severity() >= other.omission.severity()
    }
}

/// The sentence for reports: what is missed, what is false, and why.
impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.no_missed, self.omission) {
            (_, Omission::Bound { reason }) => write!(f, "errors may be missed: {reason}")?,
            (ClassSet::ALL, _) => f.write_str("no error missed")?,
            (ClassSet::NONE, _) => f.write_str("errors may be missed")?,
            (classes, _) => write!(f, "no error missed in {classes}")?,
        }
        if let Omission::Probability { reason } = self.omission {
            write!(f, " but with a small probability: {reason}")?;
        }
        match self.no_false {
            ClassSet::ALL => f.write_str("; no false error"),
            ClassSet::NONE => f.write_str("; errors found may be false"),
            classes => write!(f, "; no false error in {classes}"),
        }
    }
}

/// A part of a search: its name, what it does, and what it preserves.
///
/// Help, documentation, the soundness check of a plan and the test matrix all come from this value.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// What it is for.
    pub kind: PartKind,
    /// One line for help.
    pub summary: &'static str,
    /// Where it is described, if it is more than common knowledge.
    pub paper: Option<&'static str>,
    /// What it preserves.
    pub guarantee: Guarantee,
}
