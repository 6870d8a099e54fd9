//! Expanding states with some of their transitions only: partial order reduction as a search sees
//! it.
//!
//! An expander offers candidates, sets of transitions that are enough as far as the order of
//! independent transitions goes. A candidate is taken if the cycle condition accepts it; if it
//! accepts none, all transitions are taken. What the condition asks of the states to which a
//! candidate leads is found out here, and nothing else is known of it. A block of states is treated
//! together: first the keys of what each one's first candidate leads to, asked for from memory;
//! then all are added; those states whose candidate is refused come again with the next one.

use std::ops::Range;

use ample_transition::{
    Candidate, CycleCondition, Inserted, Key, Reduction, Seen, Session, States, StoreFull, SuccessorBuffer, Tally,
};

use crate::cursor::{Cursor, PathIndex};
use crate::explorer::Explorer;
use crate::outcome::Ended;
use crate::stack::Stack;

/// What a worker needs for it, kept from block to block.
#[derive(Default)]
pub(crate) struct Reducer {
    candidate: Candidate,
    keys: States,
    /// What is known of the states to which those candidates lead that are not decided yet.
    seen: Vec<Seen>,
    rounds: Vec<Round>,
    begun_key: States,
}

/// One state of a block with the candidate that it tries.
struct Round {
    /// Its place in the block.
    index: usize,
    accepted: Accepted,
    /// Where its keys end.
    end: usize,
    tally: Tally,
}

/// Whether the cycle condition accepts a candidate.
enum Accepted {
    Yes,
    No,
    /// It is asked when it is known which states are new; what else is known of them stands there.
    WhenAdded(Range<usize>),
}

impl Reducer {
    /// Notes the state at this place of a block, just expanded into `buffer`, with the candidate of
    /// this number.
    pub fn propose(
        &mut self,
        reduction: &Reduction<'_>,
        (index, number): (usize, usize),
        state: &[u8],
        buffer: &SuccessorBuffer,
        (session, begun): Sessions<'_, '_>,
    ) -> Result<(), StoreFull> {
        // Those before it could not stand. If this one cannot either, the next is told of, and the
        // last one counts.
        settle_for(reduction, state, number);
        let is_proper = choose(reduction, state, buffer, number, &mut self.candidate);
        let accepted = if is_proper { self.ask(reduction.condition, buffer, begun) } else { Accepted::Yes };
        let chosen = &self.candidate.transitions;
        match accepted {
            Accepted::No => {}
            _ if is_proper => states_of(buffer, chosen).try_for_each(|next| session.key(next, &mut self.keys))?,
            _ => session.keys(buffer, &mut self.keys)?,
        }
        let tally = if is_proper { tally_of(buffer, chosen) } else { buffer.tally() };
        self.rounds.push(Round { index, accepted, end: self.keys.len(), tally });
        Ok(())
    }

    /// Asks whether the candidate, a proper one, is accepted.
    fn ask(
        &mut self,
        condition: &dyn CycleCondition,
        buffer: &SuccessorBuffer,
        mut begun: Option<&mut (dyn Session + Send + '_)>,
    ) -> Accepted {
        let needs = condition.needs();
        debug_assert!(!needs.path, "the plan gives a condition that looks at the path to depth-first search alone");
        if !self.candidate.leads_on(buffer) {
            return Accepted::No;
        }
        let first = self.seen.len();
        let states = states_of(buffer, &self.candidate.transitions);
        let begun_key = &mut self.begun_key;
        self.seen.extend(states.map(|state| {
            let is_begun = needs.begun && begun.as_deref_mut().is_some_and(|begun| contains(begun, state, begun_key));
            Seen { is_begun, ..Seen::default() }
        }));
        if needs.new {
            return Accepted::WhenAdded(first..self.seen.len());
        }
        let is_accepted = condition.accepts(&self.seen[first..]);
        self.seen.truncate(first);
        if is_accepted { Accepted::Yes } else { Accepted::No }
    }

    /// Adds what was proposed and is not refused. New states, of this depth, are appended to `new`;
    /// the indices of those states whose candidate is refused are written over `refused`.
    pub fn settle(
        &mut self,
        condition: &dyn CycleCondition,
        explorer: &mut Explorer<'_, '_>,
        session: &mut dyn Session,
        depth: u64,
        (new, refused): (&mut States, &mut Vec<usize>),
    ) -> Result<(), Ended> {
        refused.clear();
        let mut position = 0;
        for round in &self.rounds {
            let seen = match &round.accepted {
                Accepted::WhenAdded(range) => &mut self.seen[range.clone()],
                Accepted::Yes | Accepted::No => &mut [],
            };
            let mut unknown = seen.iter_mut();
            while position < round.end {
                if let Some(key) = self.keys.key(position) {
                    let is_new = add(key, explorer, session, depth, new)?;
                    if let Some(seen) = unknown.next() {
                        seen.is_new = is_new;
                    }
                }
                position += 1;
            }
            let is_accepted = match &round.accepted {
                Accepted::WhenAdded(_) => condition.accepts(seen),
                Accepted::Yes => true,
                Accepted::No => false,
            };
            if is_accepted {
                explorer.count_transitions(round.tally);
            } else {
                refused.push(round.index);
            }
        }
        self.rounds.clear();
        self.keys.clear();
        self.seen.clear();
        Ok(())
    }
}

/// Where states are stored; and where those are that are being expanded or were, if somebody asks.
pub(crate) type Sessions<'s, 'w> = (&'s mut (dyn Session + Send + 'w), Option<&'s mut (dyn Session + Send + 'w)>);

/// The states to which these transitions lead.
fn states_of<'b>(buffer: &'b SuccessorBuffer, chosen: &'b [usize]) -> impl Iterator<Item = &'b [u8]> {
    chosen.iter().filter_map(|transition| buffer.get(*transition)?.state)
}

/// Whether a state is stored. The key is written over.
fn contains(session: &mut (dyn Session + Send + '_), state: &[u8], key: &mut States) -> bool {
    key.clear();
    session.key(state, key).is_ok() && key.key(0).is_some_and(|key| session.contains(key))
}

/// Adds a state. Whether it is new.
fn add(
    key: Key<'_>,
    explorer: &mut Explorer<'_, '_>,
    session: &mut dyn Session,
    depth: u64,
    new: &mut States,
) -> Result<bool, Ended> {
    let added = session.add(key).map_err(|full| explorer.control.full(full))?;
    if added == Inserted::New {
        explorer.count_state(depth)?;
        new.push(key);
    }
    Ok(added == Inserted::New)
}

/// Writes a candidate; if there is no such one, all transitions. Whether some are left out.
pub(crate) fn choose(
    reduction: &Reduction<'_>,
    state: &[u8],
    buffer: &SuccessorBuffer,
    number: usize,
    candidate: &mut Candidate,
) -> bool {
    if reduction.expander.candidate(state, buffer, number, candidate) {
        return true;
    }
    candidate.choose_all(buffer.len());
    false
}

/// What these transitions count for.
pub(crate) fn tally_of(buffer: &SuccessorBuffer, chosen: &[usize]) -> Tally {
    let taken = chosen.iter().filter_map(|&number| buffer.get(number)).filter(|successor| successor.state.is_some());
    let mut tally = buffer.no_tally();
    taken.for_each(|successor| tally.add(&successor));
    tally
}

/// For a search along one path: pushes what the first candidate that is accepted leads to, of the
/// state on top of the path, just expanded and open. Gives what its transitions count for.
pub(crate) fn push_candidate(
    reduction: &Reduction<'_>,
    buffer: &SuccessorBuffer,
    cursor: &mut Cursor<'_>,
    (path, path_index): (&mut Stack, &mut PathIndex),
    candidate: &mut Candidate,
) -> Result<Tally, StoreFull> {
    let mut number = 0;
    while reduction.expander.candidate(&cursor.state, buffer, number, candidate) {
        cursor.take_keys(buffer, &candidate.transitions)?;
        if candidate.leads_on(buffer) && is_accepted(reduction.condition, cursor, path, path_index) {
            settle_for(reduction, &cursor.state, number);
            cursor.push_taken(path, |_| 0);
            return Ok(tally_of(buffer, &candidate.transitions));
        }
        number += 1;
    }
    settle_for(reduction, &cursor.state, number);
    cursor.push_all(buffer, path, |_, _| 0)?;
    Ok(buffer.tally())
}

pub(crate) fn settle_for(reduction: &Reduction<'_>, state: &[u8], number: usize) {
    if let Some(log) = reduction.log.filter(|_| number > 0) {
        log.settled(state, number);
    }
}

/// Whether the condition accepts the candidate whose keys were taken last.
pub(crate) fn is_accepted(
    condition: &dyn CycleCondition,
    cursor: &mut Cursor<'_>,
    path: &Stack,
    path_index: &mut PathIndex,
) -> bool {
    let needs = condition.needs();
    let looks_at_search = !needs.is_nothing();
    let seen = cursor.seen_of_taken(|session, key| {
        // A state is stored when its expansion begins, and what is on the path is stored. The first
        // of them that is not there yet will be added next, before anything else.
        let is_stored = looks_at_search && session.contains(key);
        let is_on_path = is_stored && needs.path && path_index.find(key, path).is_some();
        Seen { is_new: !is_stored, is_begun: is_stored, is_on_path }
    });
    condition.accepts(seen)
}
