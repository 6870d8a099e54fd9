//! The meaning of a model, small and obvious: the oracle that everything faster is compared with.
//!
//! Each rule of the language is said once, in the module named after it:
//!
//! - [`state`]: what a state is, and its packed form;
//! - `eval`: expressions;
//! - `step`: which moves a process can make and what each does;
//! - `channel`: sending and receiving; `rendezvous`: the joint move of two processes;
//! - `d_step`: indivisible deterministic sequences; `atomic`: sequences during which one process
//!   keeps control; `merge`: the same where there are very many ways through them;
//! - `schedule`: priorities, `provided` and `enabled()`;
//! - `observer`: `trace` assertions and exclusive channels;
//! - [`describe`]: names for people.
//!
//! The semantics are those of Spin 6.5.2's verifier, statement by statement.

mod atomic;
mod channel;
mod d_step;
pub mod describe;
mod eval;
mod interpreter;
mod merge;
mod observer;
mod rendezvous;
mod schedule;
pub mod state;
mod step;

use ample_model::{Expr, InitValue, LocationId, TemplateId};
use ample_transition::{Fault, FaultKind, Pid, SuccessorBuffer, Successors};

pub use crate::atomic::MOST_CHAINS;
use crate::eval::{Context, Error};
pub use crate::interpreter::{DEFAULT_MAX_PROCESSES, Interpreter};
pub use crate::state::{Channel, Process, State};
pub use crate::step::Outcome;
use crate::step::When;

/// Appends the packed form of a state.
pub type Pack<'a> = &'a dyn Fn(&State, &mut Vec<u8>);

impl Interpreter<'_> {
    /// The state before anything happened.
    pub fn initial_state(&self) -> Result<State, Box<Fault>> {
        let mut state = State::empty(self.model);
        self.initialise_globals(&mut state).map_err(|error| Box::new(error.into_fault(None)))?;
        for active in &self.model.active {
            let parameters = vec![0; self.model.templates[active.template].parameters];
            self.create(&mut state, active.template, parameters, active.priority, When::default())
                .map_err(|error| Box::new(error.into_fault(None)))?;
        }
        Ok(state)
    }

    /// Whether an expression without effects is true in a state, asked from outside: by a property,
    /// not by a process.
    pub fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Box<Fault>> {
        let value = Context::outside(self, state).eval(expr);
        value.map(|value| value != 0).map_err(|error| Box::new(error.into_fault(None)))
    }

    /// Packs a state.
    pub fn encode(&self, state: &State, bytes: &mut Vec<u8>) {
        self.layout.encode(self.model, state, bytes);
    }

    /// Unpacks what [`Interpreter::encode`] packed.
    pub fn decode(&self, bytes: &[u8]) -> State {
        self.layout.decode(self.model, bytes)
    }

    fn initialise_globals(&self, state: &mut State) -> Result<(), Error> {
        for init in &self.model.globals.init {
            let value = match &init.value {
                InitValue::Expr(expr) => Context::outside(self, state).eval(expr)?,
                InitValue::Channel(kind) => state.add_channel(*kind),
            };
            let slot = &self.model.globals.slots[init.slot];
            state.globals[init.slot] = self.layout.truncate(slot.scalar, value);
        }
        Ok(())
    }

    /// Adds a process. Its channels come into being and its initialisers are evaluated at once,
    /// whatever it does later.
    fn create(
        &self,
        state: &mut State,
        template: TemplateId,
        parameters: Vec<i32>,
        priority: u8,
        when: When,
    ) -> Result<Pid, Error> {
        let pid = state.processes.len() as Pid;
        if pid >= self.max_processes {
            return Err(Error::here(format!(
                "too many processes: there are {pid} already and no more than {} are allowed",
                self.max_processes
            )));
        }
        let frame = &self.model.templates[template].frame;
        let mut locals: ample_stdx::IndexVec<_, i32> = frame.slots.iter().map(|_| 0).collect();
        for ((slot, local), value) in frame.slots.iter().zip(locals.iter_mut()).zip(parameters) {
            *local = self.layout.truncate(slot.scalar, value);
        }
        let entry = self.model.templates[template].entry;
        state.processes.push(Process { template, location: entry, priority, locals }.into());
        for init in &frame.init {
            let value = match &init.value {
                InitValue::Expr(expr) => Context::of(self, state, pid, when.timeout).eval(expr)?,
                InitValue::Channel(kind) => state.add_channel(*kind),
            };
            let scalar = frame.slots[init.slot].scalar;
            state.processes[usize::from(pid)].locals[init.slot] = self.layout.truncate(scalar, value);
        }
        Ok(pid)
    }

    /// Every move that can be made in `state`. If a process has kept control it moves alone, as
    /// long as it can.
    ///
    /// Moves are given in a fixed order: youngest process first, and within a process as written.
    pub fn moves(&self, state: &State, control: Option<Pid>) -> Vec<Outcome> {
        if let Some(pid) = control {
            let moves = self.moves_of(state, pid);
            if !moves.is_empty() {
                return moves;
            }
        }
        let moves = self.moves_of_all(state, false);
        if moves.is_empty() && self.model.uses.timeout { self.moves_of_all(state, true) } else { moves }
    }

    /// Every move that one process can make on its own account.
    pub fn moves_of(&self, state: &State, pid: Pid) -> Vec<Outcome> {
        let mut moves = Vec::new();
        if usize::from(pid) < state.processes.len() {
            self.process_moves(state, pid, false, &mut moves);
        }
        moves
    }

    fn moves_of_all(&self, state: &State, timeout: bool) -> Vec<Outcome> {
        let mut moves = Vec::new();
        for pid in (0..state.processes.len() as Pid).rev() {
            self.process_moves(state, pid, timeout, &mut moves);
        }
        moves
    }

    /// Writes every transition that leaves `state` into `buffer`, which is empty, states packed by
    /// `pack`.
    pub fn expand_state(&self, state: &State, buffer: &mut SuccessorBuffer, pack: Pack<'_>) {
        if !self.complete(self.moves(state, None), buffer, pack) {
            buffer.clear();
            self.expand_merged(state, buffer, pack);
        }
    }

    /// The same for a state that more than [`MOST_CHAINS`] chains of moves leave besides its single
    /// moves: those that meet are merged.
    pub fn expand_merged(&self, state: &State, buffer: &mut SuccessorBuffer, pack: Pack<'_>) {
        self.complete_merged(self.moves(state, None), buffer, pack);
    }

    /// Judges a state in which nothing can move.
    pub fn invalid_end_of(&self, state: &State) -> Option<Box<Fault>> {
        if state.processes.is_empty() {
            return None;
        }
        let stuck: Vec<Pid> = (0..state.processes.len() as Pid).filter(|pid| !self.may_end(state, *pid)).collect();
        let unfinished = self.unfinished_trace(state);
        let culprit = stuck.first().copied();
        if culprit.is_none() && unfinished.is_none() {
            return None;
        }
        let span = culprit.map_or_else(
            || unfinished.map(|location| self.trace_span(location)).unwrap_or_default(),
            |pid| self.location_span(state, pid),
        );
        let message = match culprit {
            Some(_) if !self.knows_ends() => "deadlock: nothing can move".to_owned(),
            Some(_) => "invalid end state: nothing can move and not every process may end where it is".to_owned(),
            None => "invalid end state: the trace assertion is not completed".to_owned(),
        };
        let notes = stuck.iter().map(|pid| self.describe_waiting(state, *pid)).collect();
        Some(Box::new(Fault { kind: FaultKind::InvalidEndState, message, process: culprit, span, notes }))
    }

    /// Whether there are locations at which a process may end. Not every language has them.
    fn knows_ends(&self) -> bool {
        self.model.templates.iter().any(|template| template.locations.iter().any(|location| location.end))
    }

    fn may_end(&self, state: &State, pid: Pid) -> bool {
        let process = &state.processes[usize::from(pid)];
        self.model.templates[process.template].locations[process.location].end
    }

    fn unfinished_trace(&self, state: &State) -> Option<LocationId> {
        let template = &self.model.templates[self.model.trace?];
        (!template.locations[state.event].end).then_some(state.event)
    }

    fn trace_span(&self, location: LocationId) -> ample_source::Span {
        self.model.trace.map(|trace| self.model.templates[trace].locations[location].span).unwrap_or_default()
    }

    fn location_span(&self, state: &State, pid: Pid) -> ample_source::Span {
        let process = &state.processes[usize::from(pid)];
        self.model.templates[process.template].locations[process.location].span
    }
}

impl Successors for Interpreter<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        let mut bytes = Vec::new();
        self.encode(&self.initial_state()?, &mut bytes);
        Ok(bytes)
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.expand_state(&self.decode(state), buffer, &|state, bytes| self.encode(state, bytes));
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.invalid_end_of(&self.decode(state))
    }
}
