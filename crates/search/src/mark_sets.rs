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
    pub fn number(&mut self, marks: Marks) -> Note {
        *self.numbers.entry(marks).or_insert_with(|| {
            self.sets.push(marks);
            (self.sets.len() - 1) as Note
        })
    }

    pub fn get(&self, number: Note) -> Marks {
        self.sets.get(number as usize).copied().unwrap_or(Marks::NONE)
    }
}
