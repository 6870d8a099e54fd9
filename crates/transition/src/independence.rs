//! The seam of sleep sets: which transition is which from state to state, and which of them do not
//! concern each other.

use crate::SuccessorBuffer;

/// The name of a transition, the same in every state. Several successors of a state may have it, if
/// the transition has choices inside.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionName(pub u32);

/// Says which transitions are independent.
pub trait Independence: Sync {
    /// Writes the name of each of `successors`, which are all that leave `state`, over `names`. One
    /// without a name depends on everything.
    fn names(&self, state: &[u8], successors: &SuccessorBuffer, names: &mut Vec<Option<TransitionName>>);

    /// Whether two transitions are independent: in every state where both are enabled, each is
    /// still enabled after the other, with the same choices inside, and both orders lead to the
    /// same states. No transition is independent of itself.
    fn are_independent(&self, one: TransitionName, other: TransitionName) -> bool;

    /// Whether a state was met that this does not apply to: the search is to be given up, and done
    /// without.
    fn has_failed(&self) -> bool {
        false
    }
}
