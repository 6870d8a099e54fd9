//! A choice among the transitions that leave a state.

use std::any::Any;
use std::sync::Arc;

/// Some of the transitions that leave a state.
#[derive(Default)]
pub struct Candidate {
    /// Their numbers in the buffer, in ascending order.
    pub transitions: Vec<usize>,
    /// Memory for whoever chooses, kept from one state to the next.
    pub scratch: ExpanderScratch,
}

impl Candidate {
    /// The bytes of memory that it holds.
    pub fn bytes(&self) -> usize {
        self.scratch.bytes() + self.transitions.capacity() * size_of::<usize>()
    }

    /// Chooses all of so many transitions.
    pub fn choose_all(&mut self, count: usize) {
        self.transitions.clear();
        self.transitions.extend(0..count);
    }
}

/// Memory that an expander, or whoever executes the model, keeps at each worker from one state to
/// the next. Only its owner knows what is in it.
///
/// A worker hands it back as it was left. What another expander has left there is dropped, never
/// read: choices that one has noted mean nothing to another, even of the same kind.
#[derive(Default)]
pub struct ExpanderScratch {
    kept: Option<(ScratchOwner, Box<dyn ScratchMemory>)>,
}

/// What an expander keeps in its scratch.
pub trait ScratchMemory: Any + Send {
    /// The bytes of memory that it holds.
    fn bytes(&self) -> usize;
}

/// Who an expander is, for the scratch that belongs to it: no two that are made are the same.
#[derive(Clone, Default)]
pub struct ScratchOwner(Arc<()>);

impl ExpanderScratch {
    /// What this owner has left here; at first, or if it was somebody else, the default. It is
    /// never `None`.
    #[inline]
    pub fn of<T: ScratchMemory + Default>(&mut self, owner: &ScratchOwner) -> Option<&mut T> {
        if !self.kept.as_ref().is_some_and(|(other, _)| Arc::ptr_eq(&other.0, &owner.0)) {
            self.kept = Some((owner.clone(), Box::<T>::default()));
        }
        let (_, memory) = self.kept.as_mut()?;
        let memory: &mut dyn Any = &mut **memory;
        memory.downcast_mut()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, |(_, memory)| memory.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Numbers(Vec<u32>);

    impl ScratchMemory for Numbers {
        fn bytes(&self) -> usize {
            self.0.capacity() * size_of::<u32>()
        }
    }

    #[test]
    fn another_expander_finds_nothing_of_what_one_has_left() {
        let (one, other) = (ScratchOwner::default(), ScratchOwner::default());
        let mut scratch = ExpanderScratch::default();
        scratch.of::<Numbers>(&one).unwrap().0.push(7);
        assert_eq!(scratch.of::<Numbers>(&one.clone()).unwrap().0, [7]);
        assert!(scratch.bytes() > 0);
        assert!(scratch.of::<Numbers>(&other).unwrap().0.is_empty());
        assert!(scratch.of::<Numbers>(&one).unwrap().0.is_empty());
    }
}
