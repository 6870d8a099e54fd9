//! Expressions, in the arithmetic of the model: that of C on 32 bits, or exact.

use ample_model::{
    BinaryOp, ChannelTest, ChannelType, Edge, Expr, ExprKind, Index, InitValue, Location, NoValue, Place, Poll,
    ReceiveArg, RemoteRead, Run, Scope, SlotId, TemplateId,
};
use ample_source::Span;
use ample_stdx::TypedId;
use ample_transition::{Fault, FaultKind, Pid};

use crate::Interpreter;
use crate::state::State;

/// A run-time error, or a value that is beyond 64 bits. In a box, so that the value of an
/// expression is handed over in registers.
#[derive(Clone, Debug)]
pub(crate) struct Error(Box<Cause>);

#[derive(Clone, Debug)]
struct Cause {
    kind: FaultKind,
    message: String,
    /// Where; `None` for the place of the statement.
    span: Option<Span>,
}

impl Error {
    #[cold]
    pub(crate) fn here(message: impl Into<String>) -> Error {
        Error(Box::new(Cause { kind: FaultKind::RuntimeError, message: message.into(), span: None }))
    }

    #[cold]
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Error {
        Error(Box::new(Cause { kind: FaultKind::RuntimeError, message: message.into(), span: Some(span) }))
    }

    /// An operator has no value; `operation` is written with the values of the operands.
    #[cold]
    fn no_value(why: NoValue, span: Span, operation: impl FnOnce() -> String) -> Error {
        match why {
            NoValue::DivisionByZero => Error::at(span, "division by zero"),
            NoValue::Beyond64Bits => Error(Box::new(Cause {
                kind: FaultKind::ValueLimit,
                message: format!("{} is beyond 64 bits", operation()),
                span: Some(span),
            })),
        }
    }

    /// The same; without a place it gets this one.
    pub(crate) fn or_at(mut self, span: Span) -> Error {
        self.0.span.get_or_insert(span);
        self
    }

    /// The same; who reads of a limit is told in which statement it was reached.
    pub(crate) fn of_statement(mut self, text: &str) -> Error {
        if self.0.kind == FaultKind::ValueLimit {
            self.0.message = format!("`{text}`: {}", self.0.message);
        }
        self
    }

    pub(crate) fn into_fault(self, process: Option<Pid>) -> Fault {
        let Cause { kind, message, span } = *self.0;
        Fault { kind, message, process, span: span.unwrap_or_default(), notes: Vec::new() }
    }
}

/// A process that an expression wants to create.
#[derive(Clone, Debug)]
pub(crate) struct Creation {
    pub(crate) template: TemplateId,
    pub(crate) arguments: Vec<i64>,
    pub(crate) priority: u8,
}

/// A poll, or a receive that leaves the message where it is, may name fewer.
pub(crate) fn check_not_too_many(kind: &ChannelType, pattern: &[ReceiveArg], span: Span) -> Result<(), Error> {
    if pattern.len() > kind.fields.len() {
        return Err(Error::at(span, arity_message(kind, "receives", pattern.len())));
    }
    Ok(())
}

#[cold]
pub(crate) fn arity_message(kind: &ChannelType, verb: &str, count: usize) -> String {
    let fields = |n: usize| if n == 1 { "1 field".to_owned() } else { format!("{n} fields") };
    format!("the statement {verb} {}, messages of `{}` have {}", fields(count), kind.name, kind.fields.len())
}

/// Everything an expression may look at.
pub(crate) struct Context<'a, 'm> {
    pub(crate) interpreter: &'a Interpreter<'m>,
    pub(crate) state: &'a State,
    /// Who evaluates; `None` for the initialisers of globals.
    pub(crate) pid: Option<Pid>,
    /// Whether nothing else in the system can move.
    pub(crate) timeout: bool,
    /// How many processes the expression wants to create so far.
    pub(crate) created: usize,
    /// Who creates them, if anybody does.
    pub(crate) creations: Option<&'a mut Vec<Creation>>,
    /// How often `enabled()` has asked about another process that asks `enabled()` in turn.
    pub(crate) asked: u8,
}

/// A chain of `enabled()` that is longer than this asks about itself.
const MOST_ASKED: u8 = 16;

impl<'a, 'm> Context<'a, 'm> {
    pub(crate) fn of(interpreter: &'a Interpreter<'m>, state: &'a State, pid: Pid, timeout: bool) -> Self {
        Context { pid: Some(pid), timeout, ..Context::outside(interpreter, state) }
    }

    /// The same for an expression that may create processes: they are written over `creations`.
    pub(crate) fn creating(
        interpreter: &'a Interpreter<'m>,
        state: &'a State,
        pid: Pid,
        timeout: bool,
        creations: &'a mut Vec<Creation>,
    ) -> Self {
        creations.clear();
        Context { creations: Some(creations), ..Context::of(interpreter, state, pid, timeout) }
    }

    pub(crate) fn outside(interpreter: &'a Interpreter<'m>, state: &'a State) -> Self {
        Context { interpreter, state, pid: None, timeout: false, created: 0, creations: None, asked: 0 }
    }

    /// Whether the guard of an edge that sends, receives or asserts is true.
    pub(crate) fn allows(&mut self, edge: &Edge) -> Result<bool, Error> {
        edge.guard.as_ref().map_or(Ok(true), |guard| Ok(self.eval(guard)? != 0))
    }

    /// The value of an expression. What most are made of is evaluated without a call.
    #[inline(always)]
    pub(crate) fn eval(&mut self, expr: &Expr) -> Result<i64, Error> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(*value),
            ExprKind::Read(place) => self.read(place),
            _ => self.eval_compound(expr),
        }
    }

    fn eval_compound(&mut self, expr: &Expr) -> Result<i64, Error> {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Read(_) => self.eval(expr),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand)?;
                let result = self.interpreter.model.arithmetic.unary(*op, value);
                result.map_err(|why| Error::no_value(why, expr.span, || format!("-({value})")))
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.span),
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                if self.eval(condition)? != 0 { self.eval(yes) } else { self.eval(no) }
            }
            ExprKind::Run(run) => self.run(run),
            ExprKind::Channel(test, channel) => self.channel_test(*test, channel),
            ExprKind::Poll(poll) => self.poll(poll, expr.span),
            ExprKind::Timeout => Ok(i64::from(self.timeout)),
            ExprKind::NonProgress => Ok(i64::from(!self.is_some_at(|location| location.progress))),
            ExprKind::Accepting => Ok(i64::from(self.is_some_at(|location| location.accept))),
            ExprKind::Enabled(pid) => self.enabled(pid),
            ExprKind::ProgramCounter(pid) => {
                let pid = self.eval(pid)?;
                Ok(self.process(pid).map_or(0, |process| process.location.index() as i64))
            }
            ExprKind::Priority(pid) => {
                let pid = self.eval(pid)?;
                Ok(self.process(pid).map_or(0, |process| i64::from(process.priority)))
            }
            ExprKind::Pid => Ok(self.pid.map_or(0, i64::from)),
            ExprKind::ProcessCount => Ok(self.state.processes.len() as i64),
            ExprKind::LastProcess => Ok(i64::from(self.state.last)),
            ExprKind::RemoteRead(remote) => self.remote_read(remote),
            ExprKind::RemoteAt(remote) => {
                let pid = self.remote_pid(remote.template, remote.pid.as_ref())?;
                let process = pid.and_then(|pid| self.process(pid));
                Ok(i64::from(process.is_some_and(|process| process.location == remote.location)))
            }
        }
    }

    /// The slot a place names.
    #[inline]
    pub(crate) fn slot(&mut self, place: &Place) -> Result<SlotId, Error> {
        if place.indices.is_empty() { Ok(place.first) } else { self.element(place) }
    }

    /// The slot of an element of an array.
    fn element(&mut self, place: &Place) -> Result<SlotId, Error> {
        let mut slot = place.first.index();
        for index in &place.indices {
            let value = match self.eval(&index.value) {
                Err(error) if index.low != 0 => return Err(self.far_out(place, index).unwrap_or(error)),
                value => value?,
            };
            match u32::try_from(value) {
                Ok(value) if value < index.length => slot += (value * index.stride) as usize,
                _ => return Err(out_of_range(place, index, i128::from(value) + i128::from(index.low))),
            }
        }
        Ok(SlotId::from_index(slot))
    }

    /// The error of an index that is so far out that its position is beyond 64 bits.
    #[cold]
    fn far_out(&mut self, place: &Place, index: &Index) -> Option<Error> {
        let ExprKind::Binary(BinaryOp::Subtract, written, _) = &index.value.kind else { return None };
        let written = self.eval(written).ok()?;
        written.checked_sub(index.low).is_none().then(|| out_of_range(place, index, written.into()))
    }

    #[inline(always)]
    fn read(&mut self, place: &Place) -> Result<i64, Error> {
        let slot = self.slot(place)?;
        Ok(match (place.scope, self.pid) {
            (Scope::Local, Some(pid)) => self.state.local(pid, slot),
            (Scope::Local, None) => self.trace_variable(slot)?,
            (Scope::Global, _) => self.state.global(slot),
        })
    }

    /// A variable that is declared in the `trace` assertion. Nothing can change it.
    #[cold]
    fn trace_variable(&mut self, slot: SlotId) -> Result<i64, Error> {
        let model = self.interpreter.model;
        let Some(trace) = model.trace else { return Ok(0) };
        let frame = &model.templates[trace].frame;
        match frame.init.iter().find(|init| init.slot == slot).map(|init| &init.value) {
            Some(InitValue::Expr(value)) => {
                let value = self.eval(value)?;
                Ok(self.interpreter.layout.truncate(frame.slots[slot].scalar, value))
            }
            Some(InitValue::Channel(_)) | None => Ok(0),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Result<i64, Error> {
        let a = self.eval(left)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.eval(right)?;
        let result = self.interpreter.model.arithmetic.binary(op, a, b);
        result.map_err(|why| Error::no_value(why, span, || format!("{} {} {}", operand(a), op.sign(), operand(b))))
    }

    #[inline(never)]
    fn run(&mut self, run: &Run) -> Result<i64, Error> {
        let arguments: Vec<i64> = run.arguments.iter().map(|argument| self.eval(argument)).collect::<Result<_, _>>()?;
        let pid = self.state.processes.len() + self.created;
        self.created += 1;
        if let Some(creations) = &mut self.creations {
            creations.push(Creation { template: run.template, arguments, priority: run.priority });
        }
        Ok(pid as i64)
    }

    /// The number of a channel, checked, with its kind.
    pub(crate) fn channel(&mut self, expr: &Expr) -> Result<(usize, &'m ChannelType), Error> {
        let number = self.eval(expr)?;
        self.channel_numbered(number).ok_or_else(|| no_channel(expr, number))
    }

    /// The position and the kind of the channel with this number.
    pub(crate) fn channel_numbered(&self, number: i64) -> Option<(usize, &'m ChannelType)> {
        let position = usize::try_from(number).ok()?.checked_sub(1)?;
        let channel = self.state.channels.get(position)?;
        Some((position, &self.interpreter.model.channels[channel.kind]))
    }

    fn channel_test(&mut self, test: ChannelTest, channel: &Expr) -> Result<i64, Error> {
        let (position, kind) = self.channel(channel)?;
        let length = self.state.channels[position].len();
        // A rendezvous channel is never full and always empty, except in the middle of a
        // rendezvous.
        let full = length >= kind.capacity.max(1) as usize;
        Ok(match test {
            ChannelTest::Length => length as i64,
            ChannelTest::Empty => i64::from(length == 0),
            ChannelTest::NotEmpty => i64::from(length > 0),
            ChannelTest::Full => i64::from(full),
            ChannelTest::NotFull => i64::from(!full),
        })
    }

    #[inline(never)]
    fn poll(&mut self, poll: &Poll, span: Span) -> Result<i64, Error> {
        let (position, kind) = self.channel(&poll.channel)?;
        if kind.capacity == 0 {
            return Err(Error::at(span, "a rendezvous channel cannot be polled: it never holds a message"));
        }
        let found = self.find_message(position, &poll.pattern, poll.anywhere)?;
        if found.is_some() {
            check_not_too_many(kind, &poll.pattern, span)?;
        }
        // `??` with something to look for gives the position of what it finds, counted from 1.
        let looks = poll.anywhere && poll.pattern.iter().any(|argument| matches!(argument, ReceiveArg::Match(_)));
        Ok(found.map_or(0, |found| if looks { found as i64 + 1 } else { 1 }))
    }

    /// Whether some process is at such a location.
    fn is_some_at(&self, is_such: fn(&Location) -> bool) -> bool {
        let templates = &self.interpreter.model.templates;
        self.state.processes.iter().any(|process| is_such(&templates[process.template].locations[process.location]))
    }

    #[inline(never)]
    fn enabled(&mut self, pid: &Expr) -> Result<i64, Error> {
        let span = pid.span;
        let pid = self.eval(pid)?;
        if self.process(pid).is_none() {
            return Ok(0);
        }
        let pid = pid as Pid;
        if self.pid == Some(pid) {
            return Err(Error::at(span, "a process cannot ask enabled() about itself"));
        }
        if self.asked >= MOST_ASKED {
            return Err(Error::at(span, "enabled() asks about a process whose own guard asks back, without end"));
        }
        self.interpreter.can_move(self.state, pid, self.timeout, self.asked + 1).map(i64::from)
    }

    fn process(&self, pid: i64) -> Option<&'a crate::Process> {
        self.state.processes.get(usize::try_from(pid).ok()?)
    }

    /// Whom a remote reference means: without a number, the first process of that template.
    fn remote_pid(&mut self, template: TemplateId, pid: Option<&Expr>) -> Result<Option<i64>, Error> {
        match pid {
            Some(pid) => self.eval(pid).map(Some),
            None => Ok(self.state.processes.iter().position(|process| process.template == template).map(|p| p as i64)),
        }
    }

    #[inline(never)]
    fn remote_read(&mut self, remote: &RemoteRead) -> Result<i64, Error> {
        let Some(pid) = self.remote_pid(remote.template, remote.pid.as_ref())? else { return Ok(0) };
        let Some(process) = self.process(pid) else { return Ok(0) };
        if process.template != remote.template {
            let name = &self.interpreter.model.templates[remote.template].name;
            return Err(Error::at(remote.place.span, format!("process {pid} is not a `{name}`")));
        }
        let slot = self.slot(&remote.place)?;
        Ok(self.state.local(pid as Pid, slot))
    }
}

/// A number as an operand.
fn operand(value: i64) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}

#[cold]
fn out_of_range(place: &Place, index: &Index, written: i128) -> Error {
    let range = format!("{}..{}", index.low, i128::from(index.low) + i128::from(index.length) - 1);
    Error::at(place.span, format!("array index out of range: the index is {written}, the array has {range}"))
}

#[cold]
fn no_channel(expr: &Expr, number: i64) -> Error {
    match number {
        0 => Error::at(expr.span, "the channel is not initialised"),
        _ => Error::at(expr.span, format!("there is no channel {number}")),
    }
}
