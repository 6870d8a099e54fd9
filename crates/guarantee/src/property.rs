//! What a property needs of a search.

use std::borrow::Cow;

use crate::{ClassSet, PropertyClass};

/// A property as the decision sees it: its name and the classes that must be preserved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name the user gave or asked for.
    pub name: Cow<'static, str>,
    /// What must be preserved for an answer.
    pub needs: ClassSet,
}

const REACHABILITY: ClassSet = ClassSet::of(&[PropertyClass::LocalReachability]);
const DEADLOCK: ClassSet = ClassSet::of(&[PropertyClass::Deadlock]);
const INVARIANTS: ClassSet = ClassSet::of(&[PropertyClass::Invariants]);
const STUTTER_INVARIANT: ClassSet = ClassSet::of(&[PropertyClass::StutterInvariantLtl]);
const LTL: ClassSet = ClassSet::of(&[PropertyClass::Ltl]);

impl Property {
    /// No assertion fails: each is a statement of one process.
    pub const ASSERTIONS: Property = Property { name: Cow::Borrowed("assertions"), needs: REACHABILITY };

    /// Where nothing can move, every process may end.
    pub const END_STATES: Property = Property { name: Cow::Borrowed("end-states"), needs: DEADLOCK };

    /// No failed assertion, no invalid end state, no run-time error (which is the execution of one
    /// statement).
    pub const SAFETY: Property = Property { name: Cow::Borrowed("safety"), needs: REACHABILITY.union(DEADLOCK) };

    /// No channel end that one process claims is used by another: which statements are executed by
    /// whom.
    pub const EXCLUSIVE: Property = Property { name: Cow::Borrowed("exclusive"), needs: REACHABILITY };

    /// The order of events on channels fits a `trace`. An event that does not is the execution of
    /// one statement: where the assertion is belongs to the state, and every event depends on it.
    pub const TRACE: Property = Property { name: Cow::Borrowed("trace"), needs: REACHABILITY };

    /// A formula that says what is true in every state that can be reached.
    pub fn invariant(name: impl Into<Cow<'static, str>>) -> Property {
        Property { name: name.into(), needs: INVARIANTS }
    }

    /// A formula or claim that does not count steps.
    pub fn stutter_invariant_ltl(name: impl Into<Cow<'static, str>>) -> Property {
        Property { name: name.into(), needs: STUTTER_INVARIANT }
    }

    /// Any formula or claim.
    pub fn ltl(name: impl Into<Cow<'static, str>>) -> Property {
        Property { name: name.into(), needs: LTL }
    }

    /// This and `other` in one search, under the name of this.
    #[must_use]
    pub fn and(&self, other: &Property) -> Property {
        Property { name: self.name.clone(), needs: self.needs.union(other.needs) }
    }
}
