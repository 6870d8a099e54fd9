//! What a transition contributes to the acceptance of an infinite run.

use crate::Pid;

/// A set of marks. An infinite run is accepted if each mark that counts occurs on it again and
/// again.
///
/// There are marks of an automaton, and one for each process that there may be.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    automaton: u64,
    processes: [u64; PROCESS_WORDS],
}

const PROCESS_WORDS: usize = 4;

impl Marks {
    /// How many processes have a mark: those with the smallest numbers.
    pub const MAX_PROCESSES: usize = 64 * PROCESS_WORDS;

    /// No mark.
    pub const NONE: Marks = Marks { automaton: 0, processes: [0; PROCESS_WORDS] };

    /// The marks of all processes that have one.
    pub const PROCESSES: Marks = Marks { automaton: 0, processes: [u64::MAX; PROCESS_WORDS] };

    /// Marks of an automaton, as bits.
    pub const fn of_automaton(marks: u64) -> Marks {
        Marks { automaton: marks, processes: [0; PROCESS_WORDS] }
    }

    /// The mark of one process.
    pub fn of_process(process: Pid) -> Marks {
        let mut marks = Marks::NONE;
        if let Some(word) = marks.processes.get_mut(usize::from(process) / 64) {
            *word = 1 << (process % 64);
        }
        marks
    }

    /// The members of either.
    #[must_use]
    pub fn union(self, other: Marks) -> Marks {
        self.with(other, |one, another| one | another)
    }

    /// The members of `self` that `other` lacks.
    #[must_use]
    pub fn minus(self, other: Marks) -> Marks {
        self.with(other, |one, another| one & !another)
    }

    /// How many there are.
    pub fn len(self) -> u32 {
        self.automaton.count_ones() + self.processes.iter().map(|word| word.count_ones()).sum::<u32>()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Marks::NONE
    }

    /// Whether every member is a member of `other`.
    pub fn is_subset(self, other: Marks) -> bool {
        self.minus(other) == Marks::NONE
    }

    fn with(self, other: Marks, combine: fn(u64, u64) -> u64) -> Marks {
        Marks {
            automaton: combine(self.automaton, other.automaton),
            processes: std::array::from_fn(|word| combine(self.processes[word], other.processes[word])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_has_a_mark_of_its_own() {
        let mut all = Marks::NONE;
        for process in 0..Marks::MAX_PROCESSES as Pid {
            assert!(!Marks::of_process(process).is_subset(all));
            all = all.union(Marks::of_process(process));
        }
        assert_eq!(all, Marks::PROCESSES);
        assert_eq!(all.minus(Marks::of_process(200)).union(Marks::of_process(200)), all);
    }

    #[test]
    fn marks_of_the_automaton_are_apart() {
        let marks = Marks::of_automaton(0b101);
        assert!(Marks::of_automaton(1).is_subset(marks) && !Marks::of_automaton(2).is_subset(marks));
        assert!(!marks.is_subset(Marks::PROCESSES));
    }
}
