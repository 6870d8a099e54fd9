//! The meaning of a model, small and obvious: the oracle that everything faster is compared with.
//!
//! Each rule of the language is said once, in the module named after it:
//!
//! - [`state`]: what a state is; `layout`: its packed form; `form`: that and other packed forms;
//! - `eval`: expressions; `fit`: what remains of a value that is stored;
//! - `step`: which moves a process can make and what each does; `trial`: what it takes to try one;
//! - `channel`: sending and receiving; `rendezvous`: the joint move of two processes;
//! - `d_step`: indivisible deterministic sequences; `atomic`: sequences during which one process
//!   keeps control; `merge`: the same where there are very many ways through them;
//! - `schedule`: priorities, `provided` and `enabled()`;
//! - `observer`: `trace` assertions and exclusive channels;
//! - `workspace`: the memory for all that, kept from one state to the next;
//! - [`describe`]: names for people.
//!
//! The semantics are those of Spin 6.5.2's verifier, statement by statement.

mod atomic;
mod channel;
mod d_step;
pub mod describe;
mod eval;
mod fit;
mod form;
mod interpreter;
mod layout;
mod merge;
mod observer;
mod rendezvous;
mod schedule;
pub mod state;
mod step;
mod trial;
mod workspace;

use ample_model::{ChannelTypeId, Expr, InitValue, LocationId, TemplateId};
use ample_transition::{Fault, FaultKind, Pid, SuccessorBuffer, Successors};

pub use crate::atomic::MOST_CHAINS;
use crate::eval::{Context, Error};
pub use crate::form::Form;
use crate::form::Target;
pub use crate::interpreter::{DEFAULT_MAX_PROCESSES, Interpreter};
pub use crate::state::{Channel, Process, State};
pub use crate::trial::Outcome;
use crate::trial::{Trial, Visit, When};
use crate::workspace::Workspace;

impl Interpreter<'_> {
    /// The state before anything happened.
    pub fn initial_state(&self) -> Result<State, Box<Fault>> {
        let mut state = State::empty(self.model);
        self.initialise_globals(&mut state).map_err(|error| Box::new(error.into_fault(None)))?;
        for active in &self.model.active {
            self.create(&mut state, active.template, &[], active.priority, When::default())
                .map_err(|error| Box::new(error.into_fault(None)))?;
        }
        Ok(state)
    }

    /// Whether an expression without effects is true in a state, asked from outside: by a property,
    /// not by a process.
    pub fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Box<Fault>> {
        self.value(state, expr).map(|value| value != 0)
    }

    /// The value of an expression without effects in a state, asked from outside.
    pub fn value(&self, state: &State, expr: &Expr) -> Result<i64, Box<Fault>> {
        Context::outside(self, state).eval(expr).map_err(|error| Box::new(error.into_fault(None)))
    }

    /// Packs a state.
    pub fn encode(&self, state: &State, bytes: &mut Vec<u8>) {
        self.layout.encode(state, bytes);
    }

    /// Unpacks what [`Interpreter::encode`] packed.
    pub fn decode(&self, bytes: &[u8]) -> State {
        let mut state = State::default();
        self.layout.decode(bytes, &mut state);
        state
    }

    fn initialise_globals(&self, state: &mut State) -> Result<(), Error> {
        for init in &self.model.globals.init {
            let value = match &init.value {
                InitValue::Expr(expr) => Context::outside(self, state).eval(expr)?,
                InitValue::Channel(kind) => self.create_channel(state, *kind),
            };
            let slot = &self.model.globals.slots[init.slot];
            state.set_global(init.slot, self.fit(slot, value, init.span().unwrap_or(slot.span))?);
        }
        Ok(())
    }

    /// Adds an empty channel; gives its number.
    fn create_channel(&self, state: &mut State, kind: ChannelTypeId) -> i64 {
        state.add_channel(kind, self.model.channels[kind].fields.len(), 0, |_| {});
        state.channels.len() as i64
    }

    /// Adds a process; parameters that are not given are zero. Its channels come into being and its
    /// initialisers are evaluated at once, whatever it does later.
    fn create(
        &self,
        state: &mut State,
        template: TemplateId,
        parameters: &[i64],
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
        let given = parameters.iter().map(|value| Some(*value)).chain(std::iter::repeat(None));
        let locals = frame.slots.iter().zip(given).map(|(slot, value)| match value {
            Some(value) => self.fit(slot, value, slot.span),
            None => Ok(slot.scalar.initial()),
        });
        let locals: Vec<i64> = locals.collect::<Result<_, _>>()?;
        state.add_process(template, self.model.templates[template].entry, priority, |values| values.extend(locals));
        for init in &frame.init {
            let value = match &init.value {
                InitValue::Expr(expr) => Context::of(self, state, pid, when.timeout).eval(expr)?,
                InitValue::Channel(kind) => self.create_channel(state, *kind),
            };
            let slot = &frame.slots[init.slot];
            state.set_local(pid, init.slot, self.fit(slot, value, init.span().unwrap_or(slot.span))?);
        }
        Ok(pid)
    }

    /// Every move that can be made in `state`. If a process has kept control it moves alone, as
    /// long as it can.
    ///
    /// Moves are given in a fixed order: youngest process first, and within a process as written.
    pub fn moves(&self, state: &State, control: Option<Pid>) -> Vec<Outcome> {
        let mut moves = Vec::new();
        self.each_move(state, control, &mut Trial::default(), &mut |made| moves.push(made.into()));
        moves
    }

    /// Every move that one process can make on its own account.
    pub fn moves_of(&self, state: &State, pid: Pid) -> Vec<Outcome> {
        let mut moves = Vec::new();
        self.moves_by(state, pid, &mut Trial::default(), &mut |made| moves.push(made.into()));
        moves
    }

    /// Shows what [`Interpreter::moves`] gives.
    fn each_move(&self, state: &State, control: Option<Pid>, trial: &mut Trial, visit: Visit<'_>) {
        if control.is_some_and(|pid| self.moves_by(state, pid, trial, visit) > 0) {
            return;
        }
        trial.restart();
        let mut moves_of_all = |timeout: bool| {
            let pids = (0..state.processes.len() as Pid).rev();
            pids.map(|pid| self.process_moves(state, pid, timeout, trial, visit)).sum::<usize>()
        };
        if moves_of_all(false) == 0 && self.model.uses.timeout {
            moves_of_all(true);
        }
    }

    /// Shows what [`Interpreter::moves_of`] gives; gives their number.
    fn moves_by(&self, state: &State, pid: Pid, trial: &mut Trial, visit: Visit<'_>) -> usize {
        trial.restart();
        let exists = usize::from(pid) < state.processes.len();
        if exists { self.process_moves(state, pid, false, trial, visit) } else { 0 }
    }

    /// Writes every transition that leaves a state into `buffer`, which is empty. `form` says how
    /// states are packed.
    pub fn expand(&self, state: &[u8], buffer: &mut SuccessorBuffer, form: &dyn Form) {
        let is_complete = self.with_workspace(state, buffer, form, |work, buffer| {
            let Workspace { state: before, trial, chains } = work;
            let target = &mut Target { before, packed: state, form, buffer };
            self.complete(trial, chains, target)
        });
        if !is_complete {
            buffer.clear();
            self.expand_merged(state, buffer, form);
        }
    }

    /// The same for a state that more than [`MOST_CHAINS`] chains of moves leave besides its single
    /// moves: those that meet are merged.
    pub fn expand_merged(&self, state: &[u8], buffer: &mut SuccessorBuffer, form: &dyn Form) {
        self.with_workspace(state, buffer, form, |work, buffer| {
            self.complete_merged(&work.state, buffer, form);
            true
        });
    }

    /// Lets `fill` use the memory that the buffer keeps, with the state unpacked.
    fn with_workspace(
        &self,
        state: &[u8],
        buffer: &mut SuccessorBuffer,
        form: &dyn Form,
        fill: impl FnOnce(&mut Workspace, &mut SuccessorBuffer) -> bool,
    ) -> bool {
        let mut memory = std::mem::take(buffer.execution_scratch());
        let is_complete = memory.of::<Workspace>(&self.owner).is_some_and(|work| {
            form.unpack(state, &mut work.state);
            work.state.set_unpacked();
            fill(work, buffer)
        });
        *buffer.execution_scratch() = memory;
        is_complete
    }

    /// Judges a state in which nothing can move.
    pub fn invalid_end_of(&self, state: &State) -> Option<Box<Fault>> {
        if state.processes.is_empty() {
            return None;
        }
        match self.model.end.as_ref().map(|end| self.holds(state, end)) {
            Some(Ok(true)) => return None,
            Some(Err(fault)) => return Some(fault),
            Some(Ok(false)) | None => {}
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
        self.expand(state, buffer, self);
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.invalid_end_of(&self.decode(state))
    }
}
