//! What an expander may see of a state, and choices that are made once for all states that look
//! alike.
//!
//! A choice depends on little of a state: on the places of the processes, on the transitions that
//! are enabled, and on those conjuncts of guards that the expander tested. Many states agree in
//! that. So each choice is stored with the tests that led to it, and repeated where the processes
//! are at the same places, the same transitions are enabled, and the tests have the same results.

use ample_network::facts::TransitionId;
use ample_stdx::{Memo, TypedId};
use ample_transition::{Candidate, ScratchMemory, SuccessorBuffer};

use crate::tables::{Interference, Row, Tables};

/// Where a choice looks things up.
pub(crate) trait Source {
    /// Writes the transition that leads to each successor; `false` if one is not known to the
    /// facts.
    fn read_names(&self, names: &mut Vec<u32>) -> bool;

    /// Writes the place of each process, or [`NOWHERE`](crate::tables::NOWHERE).
    fn read_places(&self, places: &mut Vec<u32>);

    /// Whether a part of the guard of a transition is known to be false. Only asked of transitions
    /// whose participants are where they must be.
    fn is_false(&self, id: TransitionId, part: usize) -> bool;
}

/// A state, with its successors.
pub(crate) struct OfState<'s, 'n> {
    pub tables: &'s Tables<'n>,
    pub state: &'s [u8],
    pub successors: &'s SuccessorBuffer,
}

impl Source for OfState<'_, '_> {
    fn read_names(&self, names: &mut Vec<u32>) -> bool {
        self.tables.read_names(self.state, self.successors, names)
    }

    fn read_places(&self, places: &mut Vec<u32>) {
        self.tables.read_places(self.state, places);
    }

    fn is_false(&self, id: TransitionId, part: usize) -> bool {
        self.tables.is_false(id, part, self.state)
    }
}

/// All of a state that a choice may depend on. Tests of guards go through it, so that they are
/// recorded together with the choice.
pub(crate) struct StateView<'s, 'n> {
    pub tables: &'s Tables<'n>,
    /// The place of each process.
    pub places: &'s [u32],
    /// The enabled transitions: for each successor, the transition that leads to it.
    pub enabled: &'s [u32],
    source: &'s dyn Source,
    /// The tests so far: transition, and part of its guard with the result.
    tests: &'s mut Vec<u32>,
}

impl StateView<'_, '_> {
    /// Whether a part of the guard of a transition is known to be false.
    pub fn is_false(&mut self, id: TransitionId, part: usize) -> bool {
        let is_false = self.source.is_false(id, part);
        self.tests.extend([id.index() as u32, (part as u32) << 1 | u32::from(is_false)]);
        is_false
    }

    /// A necessary enabling set of a disabled transition whose participants are where they must be:
    /// the transitions that may make the first part of its guard true that is false.
    pub fn necessary<'r>(&mut self, id: TransitionId, row: &'r Row) -> &'r Interference {
        let part = (0..row.parts()).find(|part| self.is_false(id, *part));
        part.map_or(&row.otherwise, |part| row.enabling(part))
    }

    pub fn is_enabled(&self, id: TransitionId) -> bool {
        self.enabled.contains(&(id.index() as u32))
    }
}

/// What each worker keeps from one state to the next.
#[derive(Default)]
struct Choices {
    /// The place of each process, and the transition that leads to each successor.
    places: Vec<u32>,
    names: Vec<u32>,
    /// The memory that is lent as [`Scratch`].
    words: Vec<u64>,
    lists: [Vec<u32>; 3],
    /// The choices that were made.
    memo: Memo,
    /// The key of a choice: whose it is, places and enabled transitions.
    key: Vec<u32>,
    /// The value of a choice: the tests, and the numbers of the chosen successors.
    value: Vec<u32>,
}

impl ScratchMemory for Choices {
    fn bytes(&self) -> usize {
        let Choices { places, names, words, lists, memo, key, value } = self;
        let numbers = lists.iter().chain([places, names, key, value]).map(Vec::capacity).sum::<usize>();
        memo.memory() + numbers * size_of::<u32>() + words.capacity() * size_of::<u64>()
    }
}

/// Memory for the computation of a choice, kept from one state to the next. What is in it is what
/// the last computation left there.
pub(crate) struct Scratch<'s> {
    pub words: &'s mut Vec<u64>,
    pub lists: &'s mut [Vec<u32>; 3],
}

/// Writes the numbers of the successors that `choose` writes, from memory if it has chosen before
/// in a state that looks the same to it. Whether it chose any.
///
/// `question` tells apart the choices of expanders, and the numbers of candidates, that share
/// `tables`.
pub(crate) fn memoized(
    tables: &Tables<'_>,
    question: u32,
    source: &dyn Source,
    candidate: &mut Candidate,
    choose: impl FnOnce(StateView<'_, '_>, Scratch<'_>, &mut Vec<usize>) -> bool,
) -> bool {
    let Candidate { transitions, scratch } = candidate;
    let choices = scratch.of::<Choices>(&tables.owner);
    debug_assert!(choices.is_some(), "the owner of the tables keeps nothing else there");
    let Some(choices) = choices else { return false };
    let Choices { places, names, words, lists, memo, key, value } = choices;
    if !source.read_names(names) {
        return false;
    }
    source.read_places(places);
    key.clear();
    key.push(question);
    key.extend_from_slice(places);
    key.extend_from_slice(names);
    transitions.clear();
    let vacancy = match memo.find(key, |value| same_choice(source, value)) {
        Ok(chosen) => {
            transitions.extend(chosen.iter().map(|number| *number as usize));
            return !transitions.is_empty();
        }
        Err(vacancy) => vacancy,
    };
    value.clear();
    value.push(0);
    let view = StateView { tables, places, enabled: names, source, tests: value };
    if !choose(view, Scratch { words, lists }, transitions) {
        transitions.clear();
    }
    debug_assert!(transitions.is_sorted(), "successors keep their order");
    debug_assert!(transitions.last().is_none_or(|last| *last < names.len()), "only successors are chosen");
    value[0] = value.len() as u32;
    value.extend(transitions.iter().map(|number| *number as u32));
    memo.insert(vacancy, key, value);
    !transitions.is_empty()
}

/// The stored choice, if the tests that led to it have the same results in this state; else the
/// number of the first that has another.
fn same_choice<'m>(source: &dyn Source, value: &'m [u32]) -> Result<&'m [u32], usize> {
    let (tests, chosen) = value.split_at(value[0] as usize);
    let differs = |test: &[u32]| {
        let &[id, part] = test else { return true };
        let id = TransitionId::from_index(id as usize);
        source.is_false(id, (part >> 1) as usize) != (part & 1 == 1)
    };
    tests[1..].chunks_exact(2).position(differs).map_or(Ok(chosen), Err)
}
