//! Expanding states with some of their transitions only: partial order reduction as a search sees it.
//!
//! An expander offers candidates, sets of transitions that are enough as far as the order of independent transitions goes. A
//! candidate stands if the cycle condition accepts it; if none does, all transitions are taken. A block of states is treated together:
//! first the keys of what each one's first candidate leads to, asked for from memory; then all are added; those states whose candidate
//! is refused come again with the next one.

use ample_transition::{
    Candidate, CycleCondition, Inserted, Key, Reduction, Session, States, StoreFull, SuccessorBuffer, Tally,
};

use crate::explorer::Explorer;
use crate::outcome::Ended;
use crate::stack::Stack;
use crate::walk::{OnPath, Walk};

/// What a worker needs for it, kept from block to block.
#[derive(Default)]
pub(crate) struct Reducer {
    candidate: Candidate,
    keys: States,
    rounds: Vec<Round>,
}

/// One state of a block with the candidate that it tries.
struct Round {
    /// Its place in the block.
    index: usize,
    /// Whether some transitions are left out, and whether they may be as far as begun expansions go.
    is_proper: bool,
    may_stand: bool,
    /// Where its keys end.
    end: usize,
    tally: Tally,
}

impl Reducer {
    /// Notes the state at this place of a block, just expanded into `buffer`, with the candidate of this number.
    pub fn propose(
        &mut self,
        reduction: &Reduction<'_>,
        (index, number): (usize, usize),
        state: &[u8],
        buffer: &SuccessorBuffer,
        (session, begun): Sessions<'_, '_>,
    ) -> Result<(), StoreFull> {
        // Those before it could not stand. If this one cannot either, the next is told of, and the last one counts.
        settle_for(reduction, state, number);
        let is_proper = choose(reduction, state, buffer, number, &mut self.candidate);
        let chosen = &self.candidate.transitions;
        let states = || chosen.iter().filter_map(|transition| buffer.get(*transition)?.state);
        let may_stand =
            !is_proper || self.candidate.leads_on(buffer) && stands_begun(reduction.condition, begun, states());
        if !is_proper {
            session.keys(buffer, &mut self.keys)?;
        } else if may_stand {
            states().try_for_each(|next| session.key(next, &mut self.keys))?;
        }
        let tally = if is_proper { tally_of(buffer, chosen) } else { buffer.tally() };
        self.rounds.push(Round { index, is_proper, may_stand, end: self.keys.len(), tally });
        Ok(())
    }

    /// Adds what was proposed and may stand. New states, of this depth, are appended to `new`; the places of those states whose candidate
    /// is refused are written over `refused`.
    pub fn settle(
        &mut self,
        condition: CycleCondition,
        explorer: &mut Explorer<'_, '_>,
        session: &mut dyn Session,
        depth: u64,
        (new, refused): (&mut States, &mut Vec<usize>),
    ) -> Result<(), Ended> {
        refused.clear();
        let mut position = 0;
        for round in &self.rounds {
            let mut adds = false;
            while position < round.end {
                if let Some(key) = self.keys.key(position) {
                    adds |= add(key, explorer, session, depth, new)?;
                }
                position += 1;
            }
            if !round.may_stand || round.is_proper && condition == CycleCondition::New && !adds {
                refused.push(round.index);
            } else {
                explorer.count_transitions(round.tally);
            }
        }
        self.rounds.clear();
        self.keys.clear();
        Ok(())
    }
}

/// Where states are stored; and where those are that are being expanded or were, if somebody asks.
pub(crate) type Sessions<'s, 'w> = (&'s mut (dyn Session + Send + 'w), Option<&'s mut (dyn Session + Send + 'w)>);

/// Whether a condition on which expansions have begun accepts a candidate that leads to these states.
fn stands_begun<'k>(
    condition: CycleCondition,
    begun: Option<&mut (dyn Session + Send + '_)>,
    mut states: impl Iterator<Item = &'k [u8]>,
) -> bool {
    let Some(begun) = begun else { return true };
    let mut keys = States::default();
    let mut has_begun = |state: &[u8]| {
        keys.clear();
        begun.key(state, &mut keys).is_ok() && keys.key(0).is_some_and(|key| begun.contains(key))
    };
    match condition {
        CycleCondition::NotAllBegun => states.any(|state| !has_begun(state)),
        CycleCondition::NoneBegun => !states.any(has_begun),
        _ => true,
    }
}

/// Adds a state. Whether it is new.
fn add(
    key: Key<'_>,
    explorer: &mut Explorer<'_, '_>,
    session: &mut dyn Session,
    depth: u64,
    new: &mut States,
) -> Result<bool, Ended> {
    let added = session.add(key).map_err(|full| explorer.common.full(full))?;
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

/// For a search along one path: pushes what the first candidate that stands leads to, of the state on top of the path, just expanded
/// and open. Gives what its transitions count for.
pub(crate) fn push_candidate(
    reduction: &Reduction<'_>,
    buffer: &SuccessorBuffer,
    walk: &mut Walk<'_>,
    (path, on_path): (&mut Stack, &mut OnPath),
    candidate: &mut Candidate,
) -> Result<Tally, StoreFull> {
    let mut number = 0;
    while reduction.expander.candidate(&walk.state, buffer, number, candidate) {
        walk.take_keys(buffer, &candidate.transitions)?;
        if candidate.leads_on(buffer) && stands(reduction.condition, walk, path, on_path) {
            settle_for(reduction, &walk.state, number);
            walk.push_taken(path, |_| 0);
            return Ok(tally_of(buffer, &candidate.transitions));
        }
        number += 1;
    }
    settle_for(reduction, &walk.state, number);
    walk.push_all(buffer, path, |_, _| 0)?;
    Ok(buffer.tally())
}

fn settle_for(reduction: &Reduction<'_>, state: &[u8], number: usize) {
    if number > 0 {
        reduction.expander.settled(state, number);
    }
}

/// Whether the candidate whose keys were taken last may stand.
pub(crate) fn stands(condition: CycleCondition, walk: &mut Walk<'_>, path: &Stack, on_path: &mut OnPath) -> bool {
    // What is on the path is stored, and that will be asked next in any case.
    let mut is_on_path =
        |session: &mut dyn Session, key: Key<'_>| session.contains(key) && on_path.find(key, path).is_some();
    match condition {
        CycleCondition::None => true,
        // The first of them that is not there yet will be added next, before anything else.
        CycleCondition::New => walk.any_taken(|session, key| !session.contains(key)),
        // A state is stored when its expansion begins.
        CycleCondition::NotAllBegun => walk.any_taken(|session, key| !session.contains(key)),
        CycleCondition::NoneBegun => !walk.any_taken(|session, key| session.contains(key)),
        CycleCondition::NotAllOnStack => walk.any_taken(|session, key| !is_on_path(session, key)),
        CycleCondition::NoneOnStack => !walk.any_taken(is_on_path),
    }
}
