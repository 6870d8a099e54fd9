//! Sending and receiving on channels that hold messages, and matching messages.

use ample_model::{Action, ChannelType, EventKind, Expr, ReceiveArg};
use ample_source::Span;
use ample_transition::Pid;

use crate::Interpreter;
use crate::eval::{Context, Error, arity_message, check_not_too_many};
use crate::state::State;
use crate::trial::{Log, Mover, When};

impl Context<'_, '_> {
    /// Whether a message is what a pattern wants. All of the pattern is evaluated, whatever its
    /// first fields say.
    pub(crate) fn matches(&mut self, message: &[i64], pattern: &[ReceiveArg]) -> Result<bool, Error> {
        let mut is_match = true;
        for (field, argument) in pattern.iter().enumerate() {
            if let ReceiveArg::Match(wanted) = argument {
                let wanted = self.eval(wanted)?;
                is_match &= message.get(field).is_none_or(|value| *value == wanted);
            }
        }
        Ok(is_match)
    }

    /// The position of the message to receive: the first, or with `anywhere` the first that
    /// matches.
    pub(crate) fn find_message(
        &mut self,
        channel: usize,
        pattern: &[ReceiveArg],
        anywhere: bool,
    ) -> Result<Option<usize>, Error> {
        let state = self.state;
        let length = state.channels[channel].len();
        if length == 0 {
            // What is wrong with the pattern is wrong even if there is no message.
            self.matches(&[], pattern)?;
        }
        let candidates = if anywhere { length } else { length.min(1) };
        for position in 0..candidates {
            if self.matches(state.message(channel, position), pattern)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Evaluates a message over what is in `message`.
    pub(crate) fn evaluate_message(
        &mut self,
        kind: &ChannelType,
        values: &[Expr],
        span: Span,
        message: &mut Vec<i64>,
    ) -> Result<(), Error> {
        message.clear();
        for value in values {
            message.push(self.eval(value)?);
        }
        if values.len() != kind.fields.len() {
            return Err(Error::at(span, arity_message(kind, "sends", values.len())));
        }
        Ok(())
    }
}

/// A receive that takes the message must name all its fields.
pub(crate) fn check_fields(kind: &ChannelType, pattern: &[ReceiveArg], span: Span) -> Result<(), Error> {
    if pattern.len() < kind.fields.len() {
        return Err(Error::at(span, arity_message(kind, "receives", pattern.len())));
    }
    check_not_too_many(kind, pattern, span)
}

impl Interpreter<'_> {
    /// Appends a message to a channel that is not full.
    #[inline(never)]
    pub(crate) fn send(&self, state: &mut State, by: Mover<'_>, when: When, log: &mut Log) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let Action::Send { channel, sorted, values } = &edge.action else { return Ok(false) };
        let mut context = Context::of(self, state, pid, when.timeout);
        let (position, kind) = context.channel(channel)?;
        if kind.capacity == 0 {
            return Err(Error::at(edge.span, "a rendezvous cannot start inside d_step"));
        }
        let length = state.channels[position].len();
        if length >= kind.capacity as usize || !context.allows(edge)? {
            return Ok(false);
        }
        let mut message = std::mem::take(&mut log.message);
        context.evaluate_message(kind, values, edge.span, &mut message)?;
        // Sorted: before the first greater message, so after those that are equal. The values are
        // compared as they were computed, before they are cut to the types of the fields.
        let first_greater = || state.messages(position).position(|other| message.as_slice() < other);
        let at = if *sorted { first_greater() } else { None };
        self.fit_message(kind, &mut message, edge.span)?;
        self.check_exclusive(state, by, position, EventKind::Send, log)?;
        state.insert_message(position, at.unwrap_or(length), &message);
        self.observe(state, by, EventKind::Send, position, &message, log)?;
        log.message = message;
        Ok(true)
    }

    /// Takes a message out of a channel that holds messages.
    #[inline(never)]
    pub(crate) fn receive(&self, state: &mut State, by: Mover<'_>, when: When, log: &mut Log) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let Action::Receive { channel, anywhere, keep, pattern } = &edge.action else { return Ok(false) };
        let mut context = Context::of(self, state, pid, when.timeout);
        let (position, kind) = context.channel(channel)?;
        if kind.capacity == 0 {
            if *keep {
                return Err(Error::at(edge.span, "a rendezvous channel cannot be polled: it never holds a message"));
            }
            return Ok(false);
        }
        if state.channels[position].is_empty() || !context.allows(edge)? {
            return Ok(false);
        }
        let Some(found) = context.find_message(position, pattern, *anywhere)? else { return Ok(false) };
        if *keep {
            check_not_too_many(kind, pattern, edge.span)?;
        } else {
            check_fields(kind, pattern, edge.span)?;
        }
        self.check_exclusive(state, by, position, EventKind::Receive, log)?;
        let mut message = std::mem::take(&mut log.message);
        message.clear();
        message.extend_from_slice(state.message(position, found));
        if !keep {
            state.remove_message(position, found);
        }
        self.store_fields(state, pid, pattern, &message, when)?;
        if !keep {
            self.observe(state, by, EventKind::Receive, position, &message, log)?;
        }
        log.message = message;
        Ok(true)
    }

    /// Stores the fields of a received message one after the other: an index may use a field stored
    /// before.
    pub(crate) fn store_fields(
        &self,
        state: &mut State,
        pid: Pid,
        pattern: &[ReceiveArg],
        message: &[i64],
        when: When,
    ) -> Result<(), Error> {
        for (argument, value) in pattern.iter().zip(message) {
            if let ReceiveArg::Store(place) = argument {
                self.store(state, pid, place, *value, when)?;
            }
        }
        Ok(())
    }
}
