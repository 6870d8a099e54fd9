//! The classes of properties that a part of a search may or may not preserve, and sets of them.

use std::fmt;

/// A class of properties, from the weakest demand on a search to the strongest.
///
/// The classes are not a chain: a reduction may keep every deadlock and lose local states, and
/// another the reverse.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyClass {
    /// Whether states that nothing leaves can be reached.
    Deadlock,
    /// Whether a statement of one process can be executed, and with which values: assertions,
    /// run-time errors.
    LocalReachability,
    /// Whether a condition over the visible propositions holds in every reachable state.
    Invariants,
    /// Linear-time formulas that do not count steps, on infinite and on maximal finite runs.
    StutterInvariantLtl,
    /// Branching-time formulas that do not count steps, that is, everything up to branching
    /// bisimulation that tells endless silence from rest.
    StutterInvariantBranching,
    /// All linear-time formulas.
    Ltl,
    /// Branching-time formulas, that is, everything up to bisimulation.
    Branching,
}

impl PropertyClass {
    /// All classes.
    pub const ALL: [PropertyClass; 7] = [
        PropertyClass::Deadlock,
        PropertyClass::LocalReachability,
        PropertyClass::Invariants,
        PropertyClass::StutterInvariantLtl,
        PropertyClass::StutterInvariantBranching,
        PropertyClass::Ltl,
        PropertyClass::Branching,
    ];

    /// The name used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            PropertyClass::Deadlock => "deadlock",
            PropertyClass::LocalReachability => "local reachability",
            PropertyClass::Invariants => "invariants",
            PropertyClass::StutterInvariantLtl => "stutter-invariant LTL",
            PropertyClass::StutterInvariantBranching => "stutter-invariant branching time",
            PropertyClass::Ltl => "LTL",
            PropertyClass::Branching => "branching time",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of property classes.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct ClassSet(u8);

impl ClassSet {
    /// No class.
    pub const NONE: ClassSet = ClassSet(0);

    /// Every class.
    pub const ALL: ClassSet = ClassSet::of(&PropertyClass::ALL);

    /// The set of these classes.
    pub const fn of(classes: &[PropertyClass]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        // `for` is not allowed in a constant function.
        while index < classes.len() {
            bits |= classes[index].bit();
            index += 1;
        }
        ClassSet(bits)
    }

    /// Whether `class` is a member.
    pub const fn contains(self, class: PropertyClass) -> bool {
        self.0 & class.bit() != 0
    }

    /// Whether there is no member.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every member is a member of `other`.
    pub const fn is_subset(self, other: ClassSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The members of either.
    pub const fn union(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 | other.0)
    }

    /// The members of both.
    pub const fn intersection(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 & other.0)
    }

    /// The members that are not in `other`.
    pub const fn difference(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 & !other.0)
    }

    /// The members, in the order of [`PropertyClass::ALL`].
    pub fn iter(self) -> impl Iterator<Item = PropertyClass> {
        PropertyClass::ALL.into_iter().filter(move |&class| self.contains(class))
    }
}

impl fmt::Display for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == ClassSet::ALL {
            return f.write_str("every class");
        }
        if self.is_empty() {
            return f.write_str("no class");
        }
        for (position, class) in self.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            f.write_str(class.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
