//! The store's seam: has this state been seen?

use ample_stdx::typed_id;

typed_id! {
    /// A stored state, numbered in the order of insertion.
    pub struct StateId;
}

/// The answer of a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It was not there and is now.
    New(StateId),
    /// It was there.
    Old(StateId),
}

/// A store that cannot take another state: the search must stop and say so.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StoreFull;

/// Remembers states.
pub trait Store {
    /// Adds a state, or finds it.
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull>;

    /// The bytes of a stored state.
    fn state(&self, id: StateId) -> &[u8];

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of memory in use.
    fn memory(&self) -> usize;
}
