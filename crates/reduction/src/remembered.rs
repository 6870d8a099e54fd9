//! Choices that are made once and remembered.
//!
//! What an expander chooses in a state depends on little of it: where the processes are, what can
//! happen, and which parts of guards are false, as far as it asked. Many states agree in that. So
//! each choice is noted with the questions that led to it, and made again from memory where the
//! processes are at the same places, the same can happen, and the questions have the same answers.

use ample_network::facts::TransitionId;
use ample_stdx::{Memo, TypedId};
use ample_transition::{Candidate, ScratchMemory, SuccessorBuffer};

use crate::tables::{Concerned, Row, Tables};

/// What a choice may depend on, and nothing else.
pub(crate) struct Sight<'s, 'n> {
    pub tables: &'s Tables<'n>,
    /// The place of each process.
    pub places: &'s [u32],
    /// The transition that each successor is.
    pub enabled: &'s [u32],
    state: &'s [u8],
    /// Which parts of which guards were asked for, with the answers.
    asked: &'s mut Vec<u32>,
}

impl Sight<'_, '_> {
    /// Whether a part of the guard of a transition is known to be false.
    pub fn is_false(&mut self, id: TransitionId, part: usize) -> bool {
        let is_false = self.tables.is_false(id, part, self.state);
        self.asked.extend([id.index() as u32, (part as u32) << 1 | u32::from(is_false)]);
        is_false
    }

    /// Who may make a transition possible that is not, although its participants are where they
    /// must be: a necessary enabling set.
    pub fn helpers<'r>(&mut self, id: TransitionId, row: &'r Row) -> &'r Concerned {
        let part = (0..row.parts()).find(|part| self.is_false(id, *part));
        part.map_or(&row.otherwise, |part| row.helpers_of(part))
    }

    pub fn is_enabled(&self, id: TransitionId) -> bool {
        self.enabled.contains(&(id.index() as u32))
    }
}

/// What is kept at each worker from one state to the next.
#[derive(Default)]
struct Remembered {
    /// The place of each process, and the transition that each successor is.
    places: Vec<u32>,
    names: Vec<u32>,
    /// For those who choose.
    words: Vec<u64>,
    lists: [Vec<u32>; 3],
    /// Choices that were made, with room for what they depend on and what they are.
    choices: Memo,
    /// What a choice depends on.
    key: Vec<u32>,
    /// What was asked of a state, and the choice.
    noted: Vec<u32>,
}

impl ScratchMemory for Remembered {
    fn bytes(&self) -> usize {
        let Remembered { places, names, words, lists, choices, key, noted } = self;
        let numbers = lists.iter().chain([places, names, key, noted]).map(Vec::capacity).sum::<usize>();
        choices.memory() + numbers * size_of::<u32>() + words.capacity() * size_of::<u64>()
    }
}

/// Room for those who choose, kept from one state to the next.
pub(crate) struct Room<'s> {
    pub words: &'s mut Vec<u64>,
    pub lists: &'s mut [Vec<u32>; 3],
}

/// Writes what `choose` writes, the numbers of some successors; from memory if it has chosen before
/// in a state that looks the same to it. Whether it chose anything. Of expanders and candidates
/// that share tables, each has another `question`.
pub(crate) fn remembered(
    tables: &Tables<'_>,
    question: u32,
    state: &[u8],
    successors: &SuccessorBuffer,
    candidate: &mut Candidate,
    choose: impl FnOnce(Sight<'_, '_>, Room<'_>, &mut Vec<usize>) -> bool,
) -> bool {
    let Candidate { transitions, scratch } = candidate;
    let Some(remembered) = scratch.of::<Remembered>(&tables.owner) else { return false };
    let Remembered { places, names, words, lists, choices, key, noted } = remembered;
    if !tables.read_names(state, successors, names) {
        return false;
    }
    tables.read_places(state, places);
    key.clear();
    key.push(question);
    key.extend_from_slice(places);
    key.extend_from_slice(names);
    transitions.clear();
    let vacancy = match choices.find(key, |noted| same_choice(tables, state, noted)) {
        Ok(chosen) => {
            transitions.extend(chosen.iter().map(|number| *number as usize));
            return !transitions.is_empty();
        }
        Err(vacancy) => vacancy,
    };
    noted.clear();
    noted.push(0);
    let sight = Sight { tables, places, enabled: names, state, asked: noted };
    if !choose(sight, Room { words, lists }, transitions) {
        transitions.clear();
    }
    noted[0] = noted.len() as u32;
    noted.extend(transitions.iter().map(|number| *number as u32));
    choices.insert(vacancy, key, noted);
    !transitions.is_empty()
}

/// The choice that was noted, if the questions that led to it have the same answers here; else the
/// number of the first that has not.
fn same_choice<'m>(tables: &Tables<'_>, state: &[u8], noted: &'m [u32]) -> Result<&'m [u32], usize> {
    let (asked, chosen) = noted.split_at(noted[0] as usize);
    let differs = |question: &[u32]| {
        let &[id, part] = question else { return true };
        let id = TransitionId::from_index(id as usize);
        tables.is_false(id, (part >> 1) as usize, state) != (part & 1 == 1)
    };
    asked[1..].chunks_exact(2).position(differs).map_or(Ok(chosen), Err)
}
