//! What a reduction looks at of each process apart: so that it can choose among moves that are
//! known, without the state.

use crate::{Candidate, States, SuccessorBuffer, Tally};

/// Candidates by processes: those of an [`Expander`](crate::Expander), from what it looks at of
/// each process.
pub trait ProcessViews: Sync {
    /// A number for all that the candidates depend on of a process in this state, whose moves are
    /// in the buffer. It is the same in all states that agree in what the moves depend on. `None`
    /// if there is no such number.
    fn view(&self, process: usize, state: &[u8], moves: &SuccessorBuffer) -> Option<u16>;

    /// Writes the candidate with this number, as
    /// [`Expander::candidate`](crate::Expander::candidate) does, in a state of which these are the
    /// views, one for each process in the order in which their moves follow each other.
    fn choose(&self, views: &[View], number: usize, candidate: &mut Candidate) -> bool;
}

/// What is to be seen of a process.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The number that was given to it.
    pub number: u16,
    /// How many moves the process has.
    pub moves: u16,
}

/// The successors of a state from what is known of the moves of its processes.
#[derive(Default)]
pub struct Viewed {
    /// Their keys.
    pub keys: States,
    /// How many moves inside `atomic` sequences lead to each.
    pub atomic_steps: Vec<u32>,
    /// What is to be seen of each process.
    pub views: Vec<View>,
}

impl Viewed {
    /// Forgets all, keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.atomic_steps.clear();
        self.views.clear();
    }

    /// What these transitions count for if no others are taken.
    pub fn tally(&self, chosen: &[usize]) -> Tally {
        let atomic_steps = chosen.iter().filter_map(|number| self.atomic_steps.get(*number));
        Tally {
            transitions: chosen.len() as u64,
            atomic_steps: atomic_steps.map(|steps| u64::from(*steps)).sum(),
            left_out: (self.keys.len() - chosen.len()) as u64,
            ..Tally::default()
        }
    }

    /// The bytes of memory that it holds.
    pub fn memory(&self) -> usize {
        let Viewed { keys, atomic_steps, views } = self;
        keys.memory() + atomic_steps.capacity() * size_of::<u32>() + views.capacity() * size_of::<View>()
    }
}
