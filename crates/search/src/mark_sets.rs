//! Sets of marks by number.

use std::collections::HashMap;

use ample_transition::Marks;
use foldhash::fast::FixedState;

use crate::stack::Note;

/// Sets of marks, numbered: there are few different ones.
#[derive(Default)]
pub(crate) struct MarkSets {
    sets: Vec<Marks>,
    numbers: HashMap<Marks, Note, FixedState>,
}

impl MarkSets {
    /// The number of a set.
    pub fn number(&mut self, marks: Marks) -> Note {
        *self.numbers.entry(marks).or_insert_with(|| {
            self.sets.push(marks);
            (self.sets.len() - 1) as Note
        })
    }

    /// The set with this number.
    pub fn get(&self, number: Note) -> Marks {
        debug_assert!((number as usize) < self.sets.len(), "a number that was given");
        self.sets.get(number as usize).copied().unwrap_or(Marks::NONE)
    }
}
