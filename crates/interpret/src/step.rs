//! Which moves a process can make, and what each of them does.

use ample_model::{Action, Edge, EdgeId, Expr, Place, Scope};
use ample_transition::{Fault, FaultKind, Move, Pid};

use crate::Interpreter;
use crate::eval::{Context, Creation, Error};
use crate::layout::channels_of;
use crate::state::State;
use crate::trial::{Attempt, Log, Made, Mover, Trial, Visit, When};

impl Interpreter<'_> {
    /// Shows every move of one process; gives their number. `trial` has begun with this state.
    ///
    /// Edges are tried in order. Once the guard of an `unless` escape could be taken, only the
    /// other guards of the same escape are tried. `else` can be taken only if no edge before it
    /// could; a rendezvous counts if it has a partner.
    pub(crate) fn process_moves(
        &self,
        state: &State,
        pid: Pid,
        timeout: bool,
        trial: &mut Trial,
        visit: Visit<'_>,
    ) -> usize {
        match self.may_run(state, pid, timeout) {
            Ok(true) => {}
            Ok(false) => return 0,
            Err(error) => return self.provided_error(state, pid, error, trial, visit),
        }
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let mut when = When { moved: false, timeout };
        let (mut escaped, mut all) = (None, 0);
        for &id in &template.locations[process.location].edges {
            let edge = &template.edges[id];
            if escaped.is_some() && edge.escape != escaped {
                break;
            }
            let attempt = Attempt { state, by: Mover { pid, edge }, id, when };
            let made = self.edge_moves(attempt, trial, visit);
            if made > 0 {
                all += made;
                when.moved = true;
                escaped = edge.escape;
            }
        }
        all
    }

    /// Shows every move along one edge; gives their number.
    fn edge_moves(&self, attempt: Attempt<'_>, trial: &mut Trial, visit: Visit<'_>) -> usize {
        let Attempt { state, by: Mover { pid, edge }, when, .. } = attempt;
        if let Some(guard) = &edge.guard
            && matches!(Context::of(self, state, pid, when.timeout).eval(guard), Ok(0))
        {
            return 0;
        }
        if self.is_offer(state, pid, edge, when.timeout) {
            self.rendezvous_moves(attempt, trial, visit)
        } else {
            usize::from(self.own_move(attempt, trial, visit))
        }
    }

    /// Tries an edge that needs no partner; says whether there is a move.
    fn own_move(&self, attempt: Attempt<'_>, trial: &mut Trial, visit: Visit<'_>) -> bool {
        let Attempt { state, by: Mover { pid, edge }, id, when } = attempt;
        trial.copy(state);
        let Trial { next, is_copy, log, .. } = trial;
        log.restart(0);
        let step = Move { process: pid, edge: id, partner: None };
        let made = match self.apply(next, attempt.by, when, log) {
            Ok(false) => return false,
            Ok(true) => {
                next.last = pid;
                self.check_choice(state, pid, edge, when.moved, log);
                // An assertion with a guard is about a state: where it fails, the run is over.
                let ends = edge.guard.is_some() && matches!(edge.action, Action::Assert(_));
                Made { step, next: (!ends).then_some(next), control: edge.keeps_control.then_some(pid), log }
            }
            Err(error) => {
                log.faults.push(self.fault(error, pid, edge));
                Made { step, next: None, control: None, log }
            }
        };
        *is_copy = false;
        visit(made);
        true
    }

    /// The only edge of the location where a process is, if there is no question whether it may be
    /// tried, and it needs no partner.
    pub(crate) fn only_edge(&self, state: &State, pid: Pid) -> Option<(EdgeId, &Edge)> {
        let process = state.processes.get(usize::from(pid)).filter(|_| !self.is_scheduled)?;
        let template = &self.model.templates[process.template];
        let [id] = *template.locations[process.location].edges else { return None };
        let edge = &template.edges[id];
        let is_simple = edge.guard.is_none() && !matches!(edge.action, Action::Send { .. });
        is_simple.then_some((id, edge))
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
    #[cold]
    fn provided_error(&self, state: &State, pid: Pid, error: Error, trial: &mut Trial, visit: Visit<'_>) -> usize {
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let Some(&id) = template.locations[process.location].edges.first() else { return 0 };
        trial.log.restart(0);
        trial.log.faults.push(self.fault(error, pid, &template.edges[id]));
        let step = Move { process: pid, edge: id, partner: None };
        visit(Made { step, next: None, control: None, log: &trial.log });
        1
    }

    #[cold]
    pub(crate) fn fault(&self, error: Error, pid: Pid, edge: &Edge) -> Fault {
        error.or_at(edge.span).of_statement(&edge.text).into_fault(Some(pid))
    }

    /// Takes an edge, if it can be taken: `state` changes only then. An error may leave it half
    /// changed.
    pub(crate) fn apply(&self, state: &mut State, by: Mover<'_>, when: When, log: &mut Log) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let can = match &edge.action {
            Action::Skip => true,
            Action::Else => !when.moved,
            Action::Guard(expr) => {
                let can = Context::creating(self, state, pid, when.timeout, &mut log.creations).eval(expr)? != 0;
                if can {
                    self.create_all(state, when, log)?;
                    self.check_exclusive_tests(state, by, expr, when, log)?;
                }
                can
            }
            Action::Assign(place, value) => {
                let value = Context::creating(self, state, pid, when.timeout, &mut log.creations).eval(value)?;
                self.create_all(state, when, log)?;
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
            state.set_location(pid, edge.target);
            self.assign_effects(state, pid, edge)?;
        }
        Ok(can)
    }

    #[inline(never)]
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

    /// Creates the processes that an expression wanted to create.
    #[inline]
    fn create_all(&self, state: &mut State, when: When, log: &mut Log) -> Result<(), Error> {
        if log.creations.is_empty() { Ok(()) } else { self.create_some(state, when, log) }
    }

    #[inline(never)]
    fn create_some(&self, state: &mut State, when: When, log: &mut Log) -> Result<(), Error> {
        for Creation { template, arguments, priority } in log.creations.drain(..) {
            self.create(state, template, &arguments, priority, when)?;
        }
        Ok(())
    }

    /// Stores a value as the variable's type says.
    pub(crate) fn store(
        &self,
        state: &mut State,
        pid: Pid,
        place: &Place,
        value: i64,
        when: When,
    ) -> Result<(), Error> {
        let slot = Context::of(self, state, pid, when.timeout).slot(place)?;
        match place.scope {
            Scope::Global => {
                let value = self.fit(&self.model.globals.slots[slot], value, place.span)?;
                state.set_global(slot, value);
            }
            Scope::Local => {
                let template = state.processes[usize::from(pid)].template;
                let value = self.fit(&self.model.templates[template].frame.slots[slot], value, place.span)?;
                state.set_local(pid, slot, value);
            }
        }
        Ok(())
    }

    #[cold]
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

    #[inline(never)]
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
        let Some(target) = Pid::try_from(target).ok().filter(|pid| usize::from(*pid) < state.processes.len()) else {
            return Ok(());
        };
        match u8::try_from(wanted) {
            Ok(wanted) if wanted > 0 => {
                state.set_priority(target, wanted);
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
        let template = state.processes[usize::from(pid)].template;
        state.remove_process(channels_of(&self.model.templates[template].frame).count());
        true
    }
}
