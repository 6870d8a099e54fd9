//! Partial order reduction in a block of states.
//!
//! An expander offers candidates: sets of transitions that are enough as far as the order of
//! independent transitions goes. The first candidate that the cycle condition accepts is the
//! reduced set; if it accepts none, all transitions are taken. What the condition asks about the
//! successors is found out here, and nothing else is known of it.
//!
//! The states of a block are treated together, in rounds. In a round, each state proposes its next
//! candidate: the keys of the successors are made, and the store asks for memory. Then all of them
//! are added, and the states whose candidate was refused take part in the next proposal.

use std::ops::Range;

use ample_transition::{
    Candidate, CycleCondition, Inserted, Key, ProcessViews, Reduction, Seen, Session, States, StoreFull,
    SuccessorBuffer, Tally, Viewed,
};

use crate::candidate::{choose, log_choice, tally_of};
use crate::explorer::Explorer;
use crate::outcome::Ended;

/// The proposals of a block. Its memory is kept from block to block.
#[derive(Default)]
pub(crate) struct BlockReducer {
    candidate: Candidate,
    keys: States,
    /// What the condition will be told of the successors by candidates that are not decided yet.
    seen: Vec<Seen>,
    proposals: Vec<Proposal>,
    begun_key: States,
}

/// A state of a block with the candidate that it tries.
struct Proposal {
    /// The position of the state in the block.
    index: usize,
    accepted: Accepted,
    /// Where the keys of its successors end.
    end: usize,
    tally: Tally,
}

/// Whether the cycle condition accepts a candidate.
enum Accepted {
    Yes,
    No,
    /// Known when the successors were added: the condition asks which of them are new. This range
    /// of what was seen holds what else it asks.
    WhenAdded(Range<usize>),
}

impl BlockReducer {
    /// Proposes the candidate of this number for a state of the block.
    pub fn propose(
        &mut self,
        reduction: &Reduction<'_>,
        number: usize,
        Expanded { index, state, buffer }: Expanded<'_>,
        Sessions { stored, begun }: Sessions<'_, '_>,
    ) -> Result<(), StoreFull> {
        // The candidates before this one were refused. If this one is as well, the next is logged,
        // and the last log counts.
        log_choice(reduction, state, number);
        let is_proper = choose(reduction, state, buffer, number, &mut self.candidate);
        let accepted = if is_proper { self.ask(reduction.condition, buffer, begun) } else { Accepted::Yes };
        let chosen = &self.candidate.transitions;
        match accepted {
            Accepted::No => {}
            _ if is_proper => states_of(buffer, chosen).try_for_each(|next| stored.key(next, &mut self.keys))?,
            _ => stored.keys(buffer, &mut self.keys)?,
        }
        let tally = if is_proper { tally_of(buffer, chosen) } else { buffer.tally() };
        self.proposals.push(Proposal { index, accepted, end: self.keys.len(), tally });
        Ok(())
    }

    /// The same for a state of which all that is to be known is what its processes look like: the
    /// one at this position, with so much to be counted for all its transitions. The condition does
    /// not ask which expansions have begun.
    pub fn propose_known(
        &mut self,
        condition: &dyn CycleCondition,
        views: &dyn ProcessViews,
        number: usize,
        index: usize,
        (viewed, all): (&Viewed, Tally),
    ) {
        let is_proper = views.choose(&viewed.views, number, &mut self.candidate);
        if !is_proper {
            self.candidate.choose_all(viewed.keys.len());
        }
        let chosen = &self.candidate.transitions;
        let first = self.seen.len();
        let unknown = || chosen.iter().map(|_| Seen::default());
        let accepted = match is_proper {
            true if condition.needs().new => {
                self.seen.extend(unknown());
                Accepted::WhenAdded(first..self.seen.len())
            }
            true if !condition.accepts(&unknown().collect::<Vec<_>>()) => Accepted::No,
            _ => Accepted::Yes,
        };
        if !matches!(accepted, Accepted::No) {
            chosen.iter().filter_map(|number| viewed.keys.key(*number)).for_each(|key| self.keys.push(key));
        }
        let tally = if is_proper { viewed.tally(chosen) } else { all };
        self.proposals.push(Proposal { index, accepted, end: self.keys.len(), tally });
    }

    /// Asks whether the candidate, a proper subset of the transitions, is accepted.
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

    /// Ends a round: adds the successors by the candidates that were proposed and not refused yet.
    /// New states, of this depth, are appended to `new`. Gives the positions of the states whose
    /// candidate is refused.
    pub fn settle(
        &mut self,
        condition: &dyn CycleCondition,
        explorer: &mut Explorer<'_, '_>,
        session: &mut dyn Session,
        depth: u64,
        new: &mut States,
    ) -> Result<Vec<usize>, Ended> {
        let mut refused = Vec::new();
        let mut position = 0;
        for proposal in &self.proposals {
            let seen = match &proposal.accepted {
                Accepted::WhenAdded(range) => &mut self.seen[range.clone()],
                Accepted::Yes | Accepted::No => &mut [],
            };
            let mut unknown = seen.iter_mut();
            while position < proposal.end {
                if let Some(key) = self.keys.key(position) {
                    let is_new = add(key, explorer, session, depth, new)?;
                    if let Some(seen) = unknown.next() {
                        seen.is_new = is_new;
                    }
                }
                position += 1;
            }
            let is_accepted = match &proposal.accepted {
                Accepted::WhenAdded(_) => condition.accepts(seen),
                Accepted::Yes => true,
                Accepted::No => false,
            };
            if is_accepted {
                explorer.count_transitions(proposal.tally);
            } else {
                refused.push(proposal.index);
            }
        }
        self.proposals.clear();
        self.keys.clear();
        self.seen.clear();
        Ok(refused)
    }
}

/// A state of a block that was just expanded.
#[derive(Copy, Clone)]
pub(crate) struct Expanded<'e> {
    /// Its position in the block.
    pub index: usize,
    pub state: &'e [u8],
    /// Its successors.
    pub buffer: &'e SuccessorBuffer,
}

/// What the store has of a worker's states.
pub(crate) struct Sessions<'s, 'w> {
    /// The visited states.
    pub stored: &'s mut (dyn Session + Send + 'w),
    /// The states whose expansion has begun, if the cycle condition asks for them.
    pub begun: Option<&'s mut (dyn Session + Send + 'w)>,
}

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
