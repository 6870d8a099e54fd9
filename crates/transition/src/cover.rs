//! The seam of covers: which state need not be explored because another one can do all that it can?

/// A relation between states: one that *covers* another can do whatever the other can.
///
/// The contract (a simulation, Pelánek: Reduction and abstraction techniques for model checking,
/// section 3.4): it is a preorder; and where `more` covers `less`, each transition of `less` is one
/// of `more`, by the same moves and with the same faults at least, to a state that covers the one
/// to which it leads. What a question looks at is the same in both. Nothing is said of transitions
/// that
/// `more` has besides: where nothing leaves `less`, something may leave `more`.
///
/// States that may cover each other have the same common part, by which they are found.
pub trait Cover: Send + Sync {
    /// Appends the common part of a state to `out`.
    fn common(&self, state: &[u8], out: &mut Vec<u8>);

    /// Whether one state covers another. Both have the same common part.
    fn covers(&self, more: &[u8], less: &[u8]) -> bool;
}
