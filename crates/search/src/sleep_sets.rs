//! Sleep sets as values: sets of transitions by number, and the set with which each state was
//! explored.

use std::rc::Rc;

use ample_transition::TransitionName;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::stack::Note;

/// Sets of transitions, in ascending order, each kept once and known by a number, so that a stack
/// can hold them as notes.
#[derive(Default)]
pub(crate) struct SleepSets {
    sets: Vec<Rc<[TransitionName]>>,
    numbers: HashMap<Rc<[TransitionName]>, Note, FixedState>,
    elements: usize,
}

impl SleepSets {
    /// The number of the empty set.
    pub const EMPTY: Note = 0;

    /// The number of a set.
    pub fn number(&mut self, set: &[TransitionName]) -> Note {
        if set.is_empty() {
            return Self::EMPTY;
        }
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let set: Rc<[TransitionName]> = set.into();
        self.elements += set.len();
        self.sets.push(set.clone());
        let number = self.sets.len() as Note;
        self.numbers.insert(set, number);
        number
    }

    /// The set with this number.
    pub fn get(&self, number: Note) -> &[TransitionName] {
        debug_assert!(number as usize <= self.sets.len(), "a number that was given");
        let position = (number as usize).checked_sub(1);
        position.and_then(|position| self.sets.get(position)).map_or(&[], |set| set)
    }

    pub fn memory(&self) -> usize {
        let each = size_of::<Rc<[TransitionName]>>();
        self.sets.capacity() * each
            + self.numbers.capacity() * (each + size_of::<Note>() + 1)
            // Each set has two counters before its elements.
            + self.sets.len() * 2 * size_of::<usize>()
            + self.elements * size_of::<TransitionName>()
    }
}

/// The sleep set with which each state was explored. Most states are explored with the empty set:
/// they are not kept.
#[derive(Default)]
pub(crate) struct ExploredWith {
    sets: HashMap<Box<[u8]>, Note, FixedState>,
    bytes: usize,
}

impl ExploredWith {
    /// The number of the set with which a state was explored.
    pub fn get(&self, state: &[u8]) -> Note {
        self.sets.get(state).copied().unwrap_or(SleepSets::EMPTY)
    }

    /// Notes the number of the set with which a state was explored.
    pub fn set(&mut self, state: &[u8], number: Note) {
        if number == SleepSets::EMPTY {
            if self.sets.remove(state).is_some() {
                self.bytes -= state.len();
            }
        } else if let Some(known) = self.sets.get_mut(state) {
            *known = number;
        } else {
            self.bytes += state.len();
            self.sets.insert(state.into(), number);
        }
    }

    pub fn memory(&self) -> usize {
        self.bytes + self.sets.capacity() * (size_of::<Box<[u8]>>() + size_of::<Note>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_one_number() {
        let mut sets = SleepSets::default();
        let set = |names: &[u32]| names.iter().map(|name| TransitionName(*name)).collect::<Vec<_>>();
        let (one, two) = (sets.number(&set(&[3])), sets.number(&set(&[3, 5])));
        assert_eq!((sets.number(&[]), sets.number(&set(&[3]))), (SleepSets::EMPTY, one));
        assert_ne!(one, two);
        assert_eq!((sets.get(two), sets.get(SleepSets::EMPTY)), (set(&[3, 5]).as_slice(), [].as_slice()));
    }

    #[test]
    fn the_empty_set_is_not_kept() {
        let mut explored = ExploredWith::default();
        explored.set(b"state", 7);
        assert_eq!((explored.get(b"state"), explored.get(b"other")), (7, SleepSets::EMPTY));
        explored.set(b"state", SleepSets::EMPTY);
        assert_eq!((explored.get(b"state"), explored.bytes), (SleepSets::EMPTY, 0));
    }
}
