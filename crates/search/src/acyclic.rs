//! Depth-first search of an acyclic space that explores one state of each class, or a few.

use ample_transition::{Classes, ClassesFull};

use crate::acyclic_path::AcyclicPath;
use crate::control::Control;
use crate::explorer::{Explorer, Sighting};
use crate::limits::Limit;
use crate::outcome::{Ended, Found};
use crate::search::StopAt;
use crate::trace::trace_along;
use crate::{Search, SearchOutcome};

/// REDUCEDSEARCH (Pelánek, Figure 3.5), with a stack of its own.
///
/// Before a state is explored, it is asked whether a class holds it (FINDSET); on the way back, the
/// class of the state is computed from those of its successors and added (ADDSET). The store is not
/// used: it is for the search that follows if this one is given up.
///
/// Needs of the system: no cycle. One that is met ends the search with
/// [`Ended::AssumptionFailed`]. Where depth is limited there is none: how many transitions may
/// still follow is a part of the state. Gives: of each state that can be reached, one that is
/// bisimilar to it, unless it ended early; a violation's trace is the path of open states.
pub fn acyclic(mut search: Search<'_>, classes: Box<dyn Classes + '_>) -> SearchOutcome {
    debug_assert!(search.threads <= 1, "the plan gives several threads to parallel orders alone");
    let control = Control::new(&mut search);
    drop(search.store);
    let mut acyclic =
        Acyclic { explorer: Explorer::new(&control), path: AcyclicPath::default(), classes, found: Vec::new() };
    if let Err(ended) = acyclic.run() {
        control.end(ended);
    }
    let counts = acyclic.classes.counts();
    let Acyclic { found, explorer, .. } = acyclic;
    drop(explorer);
    SearchOutcome { classes: Some(counts), ..control.finish(found, Vec::new(), Vec::new()) }
}

struct Acyclic<'s, 'a, 'c> {
    explorer: Explorer<'s, 'a>,
    path: AcyclicPath,
    classes: Box<dyn Classes + 'c>,
    found: Vec<Found>,
}

impl Acyclic<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Ended> {
        let initial = self.explorer.initial(&mut self.found)?;
        self.explore(&initial, 0)?;
        // The state that is explored next: memory that is used again.
        let mut state = Vec::with_capacity(initial.len());
        loop {
            let depth = self.path.depth() as u64;
            let below = self.left(depth + 1);
            if let Some(next) = self.path.next_child() {
                match self.classes.find(next, below) {
                    Some(class) => self.path.settle_child(class),
                    None => {
                        state.clear();
                        state.extend_from_slice(next);
                        self.explore(&state, depth + 1)?;
                    }
                }
                continue;
            }
            let left = self.left(depth);
            let Some((state, mut below)) = self.path.top() else { return Ok(()) };
            let added = self.classes.add(state, left, &mut below);
            drop(below);
            let class = added.map_err(|ClassesFull| Ended::Limit(Limit::Classes))?;
            self.path.close();
            self.path.settle_child(class);
        }
    }

    /// How many transitions may follow a state at this depth, if that is limited.
    fn left(&self, depth: u64) -> Option<u64> {
        self.explorer.control.limits.max_depth.map(|max| max.saturating_sub(depth))
    }

    /// Explores a state that no class holds, and opens it.
    fn explore(&mut self, state: &[u8], depth: u64) -> Result<(), Ended> {
        let is_limited = self.explorer.control.limits.max_depth.is_some();
        if !is_limited && self.path.contains(state) {
            return Err(Ended::AssumptionFailed);
        }
        self.explorer.count_state(depth)?;
        let sightings = self.explorer.expand(state, depth)?;
        self.explorer.count_transitions(self.explorer.buffer.tally());
        if !sightings.is_empty() {
            self.note(sightings, state)?;
        }
        self.path.open(state, &self.explorer.buffer);
        let held = self.path.memory() + self.classes.memory();
        self.explorer.step(|explorer| explorer.buffer.memory() + held)
    }

    /// Notes violations at a state that is about to be opened.
    #[cold]
    fn note(&mut self, sightings: Vec<Sighting>, state: &[u8]) -> Result<(), Ended> {
        let control = self.explorer.control;
        for Sighting { fault, successor } in sightings {
            let trace = trace_along(control.system, self.path.states().chain([state]), successor);
            self.found.push(Found::new(fault, trace));
            if control.stop_at == StopAt::FirstViolation {
                return Err(Ended::FirstViolation);
            }
        }
        Ok(())
    }
}
