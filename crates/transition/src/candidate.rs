//! A choice among the transitions that leave a state.

use ample_stdx::Memo;

/// Some of the transitions that leave a state.
#[derive(Default)]
pub struct Candidate {
    /// Their numbers in the buffer, in ascending order.
    pub transitions: Vec<usize>,
    /// Memory for whoever chooses, kept from one state to the next.
    pub memory: ExpanderMemory,
}

impl Candidate {
    /// The bytes of memory that it holds.
    pub fn bytes(&self) -> usize {
        let ExpanderMemory { places, names, words, lists, key, noted, choices } = &self.memory;
        let all = lists.iter().chain([places, names, key, noted]);
        let numbers = all.map(Vec::capacity).sum::<usize>() * size_of::<u32>();
        choices.memory()
            + numbers
            + words.capacity() * size_of::<u64>()
            + self.transitions.capacity() * size_of::<usize>()
    }

    /// Chooses all of so many transitions.
    pub fn choose_all(&mut self, count: usize) {
        self.transitions.clear();
        self.transitions.extend(0..count);
    }
}

/// Memory for an expander, which means something only to itself. It is handed over as it was left;
/// at first it is empty.
#[derive(Default)]
pub struct ExpanderMemory {
    /// For places.
    pub places: Vec<u32>,
    /// For names of transitions.
    pub names: Vec<u32>,
    /// For notes on both.
    pub words: Vec<u64>,
    /// For lists.
    pub lists: [Vec<u32>; 3],
    /// Choices that were made, with room for what they depend on and what they are.
    pub choices: Memo,
    /// What a choice depends on.
    pub key: Vec<u32>,
    /// What was asked of a state, and the choice.
    pub noted: Vec<u32>,
}
