//! Which moves a process can make, and what each of them does.

use ample_model::{Action, Edge, EdgeId, Expr, Place, Scope};
use ample_transition::{Fault, FaultKind, Move, Pid};

use crate::Interpreter;
use crate::eval::{Context, Error};
use crate::state::{State, channels_of};

/// One move and what came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move.
    pub step: Move,
    /// The state after it; `None` if an error ended the run.
    pub next: Option<State>,
    /// Who keeps control: the next move is this process's, if it can make one.
    pub control: Option<Pid>,
    /// What went wrong.
    pub faults: Vec<Fault>,
    /// What was printed.
    pub printed: String,
}

/// What a move leaves behind besides the new state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) faults: Vec<Fault>,
    pub(crate) printed: String,
}

/// The circumstances under which an edge is tried.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct When {
    /// An earlier edge of this location could be taken, so `else` cannot.
    pub(crate) moved: bool,
    /// Nothing else in the system can move.
    pub(crate) timeout: bool,
}

/// A process, and the edge that it takes or tries.
#[derive(Copy, Clone)]
pub(crate) struct Mover<'e> {
    pub(crate) pid: Pid,
    pub(crate) edge: &'e Edge,
}

impl Interpreter<'_> {
    /// Appends every move of one process.
    ///
    /// Edges are tried in order. Once the guard of an `unless` escape could be taken, only the
    /// other guards of the same escape are tried. `else` can be taken only if no edge before it
    /// could; a rendezvous counts if it has a partner.
    pub(crate) fn process_moves(&self, state: &State, pid: Pid, timeout: bool, moves: &mut Vec<Outcome>) {
        match self.may_run(state, pid, timeout) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return self.push_provided_error(state, pid, error, moves),
        }
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let mut when = When { moved: false, timeout };
        let mut escaped = None;
        let mut scratch = None;
        for &id in &template.locations[process.location].edges {
            let edge = &template.edges[id];
            if escaped.is_some() && edge.escape != escaped {
                break;
            }
            if self.is_blocked(state, pid, edge, when) {
                continue;
            }
            let before = moves.len();
            let by = Mover { pid, edge };
            if self.is_offer(state, pid, edge, timeout) {
                self.rendezvous_moves(state, by, id, when, moves);
            } else {
                self.own_move(state, &mut scratch, by, id, when, moves);
            }
            if moves.len() > before {
                when.moved = true;
                escaped = edge.escape;
            }
        }
    }

    /// A look at the state before it is copied: most edges cannot be taken most of the time. In
    /// doubt, false.
    fn is_blocked(&self, state: &State, pid: Pid, edge: &Edge, when: When) -> bool {
        let mut context = Context::of(self, state, pid, when.timeout);
        if edge.guard.as_ref().is_some_and(|guard| matches!(context.eval(guard), Ok(0))) {
            return true;
        }
        match &edge.action {
            Action::Guard(expr) => matches!(context.eval(expr), Ok(0)),
            Action::Else => when.moved,
            Action::Receive { channel, .. } => context
                .channel(channel)
                .is_ok_and(|(position, kind)| kind.capacity > 0 && state.channels[position].messages.is_empty()),
            Action::Send { channel, .. } => context.channel(channel).is_ok_and(|(position, kind)| {
                kind.capacity > 0 && state.channels[position].messages.len() >= kind.capacity as usize
            }),
            Action::End => usize::from(pid) + 1 != state.processes.len(),
            _ => false,
        }
    }

    /// Tries an edge that needs no partner. `scratch` is a copy of `state` if there is one, before
    /// and after.
    fn own_move(
        &self,
        state: &State,
        scratch: &mut Option<State>,
        by: Mover<'_>,
        id: EdgeId,
        when: When,
        moves: &mut Vec<Outcome>,
    ) {
        let Mover { pid, edge } = by;
        let mut log = Log::default();
        let step = Move { process: pid, edge: id, partner: None };
        let mut next = scratch.take().unwrap_or_else(|| state.clone());
        match self.apply(&mut next, by, when, &mut log) {
            Ok(false) => *scratch = Some(next),
            Ok(true) => {
                next.last = pid;
                self.check_choice(state, pid, edge, when.moved, &mut log);
                let control = edge.keeps_control.then_some(pid);
                // An assertion with a guard is about a state: where it fails, the run is over.
                let ends = edge.guard.is_some() && matches!(edge.action, Action::Assert(_));
                let next = (!ends).then_some(next);
                moves.push(Outcome { step, next, control, faults: log.faults, printed: log.printed });
            }
            Err(error) => {
                log.faults.push(self.fault(error, pid, edge));
                moves.push(Outcome { step, next: None, control: None, faults: log.faults, printed: log.printed });
            }
        }
    }

    /// Records a move that a process which must be deterministic makes beside an earlier edge of
    /// the same location.
    pub(crate) fn check_choice(&self, state: &State, pid: Pid, edge: &Edge, moved: bool, log: &mut Log) {
        let template = &self.model.templates[state.processes[usize::from(pid)].template];
        if moved && template.deterministic && edge.is_choice() {
            log.faults.push(Fault {
                kind: FaultKind::RuntimeError,
                message: format!(
                    "the D_proctype `{}` has a choice: a statement before this one can be taken, too",
                    template.name
                ),
                process: Some(pid),
                span: edge.span,
                notes: Vec::new(),
            });
        }
    }

    /// A `provided` clause that cannot be evaluated is the fault of the first edge.
    fn push_provided_error(&self, state: &State, pid: Pid, error: Error, moves: &mut Vec<Outcome>) {
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        if let Some(&id) = template.locations[process.location].edges.first() {
            let step = Move { process: pid, edge: id, partner: None };
            let faults = vec![self.fault(error, pid, &template.edges[id])];
            moves.push(Outcome { step, next: None, control: None, faults, printed: String::new() });
        }
    }

    pub(crate) fn fault(&self, error: Error, pid: Pid, edge: &Edge) -> Fault {
        let error = Error { span: Some(error.span.unwrap_or(edge.span)), ..error };
        error.into_fault(Some(pid))
    }

    /// Takes an edge, if it can be taken: `state` changes only then. An error may leave it half
    /// changed.
    pub(crate) fn apply(&self, state: &mut State, by: Mover<'_>, when: When, log: &mut Log) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let can = match &edge.action {
            Action::Skip => true,
            Action::Else => !when.moved,
            Action::Guard(expr) => {
                let can = self.eval_with_effects(state, pid, expr, when)? != 0;
                if can {
                    self.check_exclusive_tests(state, by, expr, when, log)?;
                }
                can
            }
            Action::Assign(place, value) => {
                let value = self.eval_with_effects(state, pid, value, when)?;
                self.store(state, pid, place, value, when)?;
                true
            }
            Action::Send { .. } => self.send(state, by, when, log)?,
            Action::Receive { .. } => self.receive(state, by, when, log)?,
            Action::Assert(expr) => self.assert(state, by, expr, when, log)?,
            Action::Print { format, arguments } => {
                self.print(state, pid, format, arguments, when, log)?;
                true
            }
            Action::PrintName(value) => {
                self.print_name(state, pid, value, when, log)?;
                true
            }
            Action::SetPriority(target, priority) => {
                self.set_priority(state, pid, target, priority, when)?;
                true
            }
            Action::DeterministicStep(entry) => self.d_step(state, pid, *entry, None, when, log)?,
            Action::Event { .. } => false,
            Action::End => return Ok(self.end(state, pid)),
        };
        if can {
            state.processes[usize::from(pid)].location = edge.target;
            self.assign_effects(state, pid, edge)?;
        }
        Ok(can)
    }

    fn assert(&self, state: &State, by: Mover<'_>, expr: &Expr, when: When, log: &mut Log) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let mut context = Context::of(self, state, pid, when.timeout);
        if !context.allows(edge)? {
            return Ok(false);
        }
        if context.eval(expr)? == 0 {
            log.faults.push(self.assertion_fault(state, pid, edge, expr, when));
        }
        Ok(true)
    }

    /// The assignments that are part of a step, one after the other.
    pub(crate) fn assign_effects(&self, state: &mut State, pid: Pid, edge: &Edge) -> Result<(), Error> {
        for effect in &edge.effects {
            let value = Context::of(self, state, pid, false).eval(&effect.value)?;
            self.store(state, pid, &effect.place, value, When::default())?;
        }
        Ok(())
    }

    /// Evaluates an expression that may create processes, and creates them.
    fn eval_with_effects(&self, state: &mut State, pid: Pid, expr: &Expr, when: When) -> Result<i32, Error> {
        let mut context = Context::of(self, state, pid, when.timeout);
        let value = context.eval(expr)?;
        for creation in context.created {
            self.create(state, creation.template, creation.arguments, creation.priority, when)?;
        }
        Ok(value)
    }

    /// Stores a value, truncated as the variable's type says.
    pub(crate) fn store(
        &self,
        state: &mut State,
        pid: Pid,
        place: &Place,
        value: i32,
        when: When,
    ) -> Result<(), Error> {
        let slot = Context::of(self, state, pid, when.timeout).slot(place)?;
        match place.scope {
            Scope::Global => {
                state.globals[slot] = self.layout.truncate(self.model.globals.slots[slot].scalar, value);
            }
            Scope::Local => {
                let process = &mut state.processes[usize::from(pid)];
                let scalar = self.model.templates[process.template].frame.slots[slot].scalar;
                process.locals[slot] = self.layout.truncate(scalar, value);
            }
        }
        Ok(())
    }

    fn assertion_fault(&self, state: &State, pid: Pid, edge: &Edge, expr: &Expr, when: When) -> Fault {
        let text = edge.text.trim_start_matches("assert").trim();
        let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
        Fault {
            kind: FaultKind::Assertion,
            message: format!("assertion failed: {}", text.trim()),
            process: Some(pid),
            span: edge.span,
            notes: self.describe_operands(state, pid, expr, when),
        }
    }

    fn set_priority(
        &self,
        state: &mut State,
        pid: Pid,
        target: &Expr,
        priority: &Expr,
        when: When,
    ) -> Result<(), Error> {
        let mut context = Context::of(self, state, pid, when.timeout);
        let wanted = context.eval(priority)?;
        let target = context.eval(target)?;
        let Some(process) = usize::try_from(target).ok().and_then(|target| state.processes.get_mut(target)) else {
            return Ok(());
        };
        match u8::try_from(wanted) {
            Ok(wanted) if wanted > 0 => {
                process.priority = wanted;
                Ok(())
            }
            _ => Err(Error::at(priority.span, format!("the priority is {wanted}, it must be 1..255"))),
        }
    }

    /// Ends a process, with the channels it created. Only the youngest can end.
    fn end(&self, state: &mut State, pid: Pid) -> bool {
        if usize::from(pid) + 1 != state.processes.len() {
            return false;
        }
        if let Some(process) = state.processes.pop() {
            let channels = channels_of(&self.model.templates[process.template].frame).count();
            state.channels.truncate(state.channels.len() - channels);
        }
        true
    }
}
