//! `d_step`: a deterministic sequence that runs as one move.

use ample_model::LocationId;
use ample_transition::Pid;

use crate::Interpreter;
use crate::eval::Error;
use crate::state::State;
use crate::trial::{Log, Mover, Offer, When};

/// A sequence that has not ended after so many steps is taken for endless, although it has not
/// repeated a state.
const MOST_STEPS: u64 = 10_000_000;

/// Sequences shorter than this are not checked for repeated states: almost all end.
const UNCHECKED_STEPS: u64 = 1024;

impl Interpreter<'_> {
    /// Runs the locations from `entry` on until the sequence is left, taking at each the first edge
    /// that can be taken. The first statement decides whether the whole can be executed; with an
    /// `offer` it must be the receive.
    ///
    /// `_last` is still the process that moved before: the process moves when the sequence is done.
    ///
    /// The states passed through are not stored, so a sequence that repeats one would run for ever.
    /// That is found by Brent's cycle detection: the current state is compared with one saved at
    /// the last power of two.
    #[inline(never)]
    pub(crate) fn d_step(
        &self,
        state: &mut State,
        pid: Pid,
        entry: LocationId,
        offer: Option<&Offer>,
        when: When,
        log: &mut Log,
    ) -> Result<bool, Error> {
        let process = &state.processes[usize::from(pid)];
        let (before, template) = (process.location, &self.model.templates[process.template]);
        let inside = template.locations[entry].d_step;
        state.set_location(pid, entry);
        if !self.d_step_edge(state, pid, offer, when, log)? {
            state.set_location(pid, before);
            return Ok(false);
        }
        let (mut steps, mut saved) = (1_u64, None);
        while template.locations[state.location(pid)].d_step == inside && inside.is_some() {
            if !self.d_step_edge(state, pid, None, When { moved: false, ..when }, log)? {
                let location = state.location(pid);
                return Err(Error::at(template.locations[location].span, "d_step blocks here"));
            }
            steps += 1;
            if saved.as_ref() == Some(state) || steps > MOST_STEPS {
                return Err(Error::here("d_step does not end"));
            }
            if steps >= UNCHECKED_STEPS && steps.is_power_of_two() {
                saved = Some(state.clone());
            }
        }
        Ok(true)
    }

    /// Takes the first edge of the current location that can be taken.
    fn d_step_edge(
        &self,
        state: &mut State,
        pid: Pid,
        offer: Option<&Offer>,
        when: When,
        log: &mut Log,
    ) -> Result<bool, Error> {
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let edges = &template.locations[process.location].edges;
        // An `else` among alternatives is about them; one that stands alone is about what surrounds
        // the d_step.
        let when = When { moved: when.moved && edges.len() == 1, ..when };
        for &id in edges {
            let edge = &template.edges[id];
            let by = Mover { pid, edge };
            let taken = match offer {
                Some(offer) => self.accept_inside(state, by, offer, log)?,
                None => self.apply(state, by, when, log)?,
            };
            if taken {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
