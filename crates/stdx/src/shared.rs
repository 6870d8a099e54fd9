//! Values that are copied only when one of their owners changes them.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that clones share until one of them is changed: to clone it costs next to nothing, and
/// the first change after that costs a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// A value with one owner.
    pub fn new(value: T) -> Self {
        Shared(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Shared::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_by_its_owner_alone() {
        let one = Shared::new(vec![1, 2]);
        let mut other = one.clone();
        assert_eq!(one, other);
        other.push(3);
        assert_eq!((one.len(), other.len()), (2, 3));
    }
}
