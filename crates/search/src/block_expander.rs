//! Expanding a block of states: each is expanded, and all successors are added to the store at
//! once, so that the store can hash first, ask for memory, and look later.

use std::sync::{Arc, Mutex};

use ample_stdx::lock;
use ample_transition::{Key, Opened, ProcessMoves, Reduction, Session, States, Store, Viewed};

use crate::block::Block;
use crate::control::Control;
use crate::explorer::{Explorer, Sighting};
use crate::known_candidate;
use crate::outcome::{Ended, Found};
use crate::reduced_block::{BlockReducer, Expanded, Sessions};
use crate::retrace::FaultSite;

/// How many states are opened at a time.
pub(crate) const BLOCK: usize = 64;

/// Expands blocks of states for one worker, with or without a reduction.
pub(crate) struct BlockExpander<'w, 'a> {
    pub explorer: Explorer<'w, 'a>,
    session: Box<dyn Session + Send + 'w>,
    /// The states whose expansion has begun, if the cycle condition asks for them.
    begun: Option<Box<dyn Session + Send + 'w>>,
    /// The violations of all workers.
    sites: &'w Mutex<Vec<FaultSite>>,
    /// The blocks before the one that is open.
    pub before: Vec<Arc<Block>>,
    state: Vec<u8>,
    reducer: BlockReducer,
    /// What is known of the successors of a state.
    viewed: Viewed,
    /// The moves of processes apart, from when there are enough states on.
    moves: Option<&'a dyn ProcessMoves>,
}

impl<'w, 'a> BlockExpander<'w, 'a> {
    pub fn new(control: &'w Control<'a>, store: &'w dyn Store, sites: &'w Mutex<Vec<FaultSite>>) -> Self {
        debug_assert!(
            control.reduction.is_none_or(|reduction| !reduction.condition.needs().begun || reduction.begun.is_some()),
            "the plan makes a store of begun states for a condition that asks for them"
        );
        BlockExpander {
            explorer: Explorer::new(control),
            session: store.session(),
            begun: control.reduction.and_then(|reduction| reduction.begun).map(|begun| begun.session()),
            sites,
            before: Vec::new(),
            state: Vec::new(),
            reducer: BlockReducer::default(),
            viewed: Viewed::default(),
            moves: None,
        }
    }

    pub fn control(&self) -> &'w Control<'a> {
        self.explorer.control
    }

    /// Stores the initial state, which is the first block.
    pub fn start(&mut self, violations: &mut Vec<Found>) -> Result<States, Ended> {
        let initial = self.explorer.initial(violations)?;
        self.session.offer(&initial);
        let mut states = States::default();
        self.explorer.settle(&mut *self.session, 0, &mut states)?;
        Ok(states)
    }

    /// Expands states of this depth. New successors are appended to `new`. If one violation is
    /// enough, `is_enough` says whether it is this one; then the search ends.
    pub fn expand(
        &mut self,
        states: &States,
        depth: u64,
        new: &mut States,
        is_enough: impl Fn(&Sighting) -> bool,
    ) -> Result<(), Ended> {
        if let Some(reduction) = self.control().reduction {
            return self.expand_reduced(&reduction, states, depth, new, is_enough);
        }
        self.moves = self.moves.or_else(|| self.control().known_moves());
        let moves = self.moves;
        if self.control().is_interrupted() {
            return Err(Ended::Interrupted);
        }
        for index in 0..states.len() {
            let BlockExpander { session, explorer, .. } = self;
            if let Some(tally) = moves.and_then(|moves| session.offer_known(states, index, moves, &mut explorer.buffer))
            {
                explorer.count_transitions(tally);
                continue;
            }
            if self.session.open(states, index, &mut self.state) == Opened::Covered {
                continue;
            }
            let is_plain = self.explorer.expand_plainly(&self.state, depth);
            let sightings = if is_plain { None } else { Some(self.explorer.look_closer(&self.state, depth)?) };
            self.explorer.count_transitions(self.explorer.buffer.tally());
            if let Some(sightings) = sightings {
                self.note(sightings, &is_enough)?;
            }
            self.session.offer_all(&self.explorer.buffer);
        }
        self.explorer.settle(&mut *self.session, depth + 1, new)
    }

    /// Notes violations at the state expanded last.
    #[cold]
    fn note(&mut self, sightings: Vec<Sighting>, is_enough: impl Fn(&Sighting) -> bool) -> Result<(), Ended> {
        for sighting in sightings {
            let ends_search = self.control().stops_at_first() && is_enough(&sighting);
            let (state, before) = (self.state.clone(), self.before.clone());
            let site = FaultSite { state, successor: sighting.successor, fault: sighting.fault, before };
            lock(self.sites).push(site);
            if ends_search {
                return Err(Ended::FirstViolation);
            }
        }
        Ok(())
    }

    /// The same with a reduction, in rounds, until no candidate is refused. A fault on a transition
    /// is seen even if the transition is outside the reduced set.
    fn expand_reduced(
        &mut self,
        reduction: &Reduction<'_>,
        states: &States,
        depth: u64,
        new: &mut States,
        is_enough: impl Fn(&Sighting) -> bool,
    ) -> Result<(), Ended> {
        let control = self.control();
        let mut waiting: Vec<usize> = (0..states.len()).collect();
        let mut number = 0;
        while !waiting.is_empty() {
            for &index in &waiting {
                let Some(key) = states.key(index) else { continue };
                if self.propose_known(reduction, number, index, key)? {
                    continue;
                }
                self.session.recall(key, &mut self.state);
                match number {
                    0 => {
                        if let Some(begun) = &mut self.begun {
                            begun.insert(&self.state).map_err(|full| control.full(full))?;
                        }
                        let sightings = self.explorer.expand(&self.state, depth)?;
                        self.note(sightings, &is_enough)?;
                    }
                    _ => self.explorer.expand_again(&self.state)?,
                }
                let BlockExpander { reducer, state, explorer, session, begun, .. } = self;
                let expanded = Expanded { index, state, buffer: &explorer.buffer };
                let sessions = Sessions { stored: &mut **session, begun: begun.as_deref_mut() };
                let proposed = reducer.propose(reduction, number, expanded, sessions);
                proposed.map_err(|full| control.full(full))?;
            }
            let BlockExpander { reducer, explorer, session, .. } = self;
            waiting = reducer.settle(reduction.condition, explorer, &mut **session, depth + 1, new)?;
            number += 1;
        }
        Ok(())
    }

    /// Proposes the candidate of this number for a state from what is known of the moves of its
    /// processes; false if that is not enough. No fault is on its transitions then.
    #[inline]
    fn propose_known(
        &mut self,
        reduction: &Reduction<'_>,
        number: usize,
        index: usize,
        key: Key<'_>,
    ) -> Result<bool, Ended> {
        let BlockExpander { explorer, session, begun, reducer, viewed, .. } = self;
        let control = explorer.control;
        let Some((moves, views)) = control.known_views().filter(|_| begun.is_none()) else { return Ok(false) };
        if control.is_interrupted() {
            return Err(Ended::Interrupted);
        }
        let Some(all) = session.keys_viewed(key, moves, views, &mut explorer.buffer, viewed) else {
            return Ok(false);
        };
        if cfg!(debug_assertions) {
            known_candidate::check(control, reduction, views, (key, viewed), &mut **session);
        }
        reducer.propose_known(reduction.condition, views, number, index, (viewed, all));
        Ok(true)
    }
}
