//! Sending and receiving on channels that hold messages, and matching messages.

use ample_model::{Action, ChannelType, EventKind, Expr, ReceiveArg};
use ample_source::Span;
use ample_transition::Pid;

use crate::Interpreter;
use crate::eval::{Context, Error, Wanted, arity_message, check_not_too_many};
use crate::state::State;
use crate::step::{Log, Mover, When};

impl Context<'_, '_> {
    /// Evaluates the constants of a receive pattern.
    pub(crate) fn wanted(&mut self, pattern: &[ReceiveArg]) -> Result<Wanted, Error> {
        let field = |argument: &ReceiveArg| match argument {
            ReceiveArg::Match(value) => self.eval(value).map(Some),
            ReceiveArg::Store(_) | ReceiveArg::Discard => Ok(None),
        };
        pattern.iter().map(field).collect()
    }

    /// The position of the message to receive: the first, or with `anywhere` the first that
    /// matches.
    pub(crate) fn find_message(&self, position: usize, wanted: &Wanted, anywhere: bool) -> Option<usize> {
        let messages = &self.state.channels[position].messages;
        let candidates = if anywhere { messages.len() } else { messages.len().min(1) };
        messages[..candidates].iter().position(|message| matches(message, wanted))
    }
}

/// Whether a message is what a pattern wants.
pub(crate) fn matches(message: &[i32], wanted: &Wanted) -> bool {
    message.iter().zip(wanted).all(|(value, wanted)| wanted.is_none_or(|wanted| wanted == *value))
}

/// A receive that takes the message must name all its fields.
pub(crate) fn check_fields(kind: &ChannelType, wanted: &Wanted, span: Span) -> Result<(), Error> {
    if wanted.len() < kind.fields.len() {
        return Err(Error::at(span, arity_message(kind, "receives", wanted.len())));
    }
    check_not_too_many(kind, wanted, span)
}

impl Interpreter<'_> {
    /// Appends a message to a channel that is not full.
    pub(crate) fn send(&self, state: &mut State, by: Mover<'_>, when: When, log: &mut Log) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let Action::Send { channel, sorted, values } = &edge.action else { return Ok(false) };
        let mut context = Context::of(self, state, pid, when.timeout);
        let (position, kind) = context.channel(channel)?;
        if kind.capacity == 0 {
            return Err(Error::at(edge.span, "a rendezvous cannot start inside d_step"));
        }
        if context.state.channels[position].messages.len() >= kind.capacity as usize {
            return Ok(false);
        }
        if !context.allows(edge)? {
            return Ok(false);
        }
        let message = self.message(&mut context, kind, values, edge.span)?;
        // Sorted: before the first greater message, so after those that are equal. The values are
        // compared as they were computed, before they are cut to the types of the fields.
        let whole = values.iter().map(|value| context.eval(value)).collect::<Result<Vec<_>, _>>()?;
        self.check_exclusive(state, by, position, EventKind::Send, log)?;
        let messages = &mut state.channels[position].messages;
        let at = if *sorted { messages.iter().position(|other| whole < *other) } else { None };
        messages.insert(at.unwrap_or(messages.len()), message.clone());
        self.observe(state, by, EventKind::Send, position, &message, log)?;
        Ok(true)
    }

    /// Evaluates a message; each field is truncated as the channel's declaration says.
    pub(crate) fn message(
        &self,
        context: &mut Context<'_, '_>,
        kind: &ChannelType,
        values: &[Expr],
        span: Span,
    ) -> Result<Vec<i32>, Error> {
        let evaluated = values.iter().map(|value| context.eval(value)).collect::<Result<Vec<_>, _>>()?;
        if values.len() != kind.fields.len() {
            return Err(Error::at(span, arity_message(kind, "sends", values.len())));
        }
        let truncate = |(value, field): (i32, &(ample_model::Scalar, _))| self.layout.truncate(field.0, value);
        Ok(evaluated.into_iter().zip(&kind.fields).map(truncate).collect())
    }

    /// Takes a message out of a channel that holds messages.
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
        if context.state.channels[position].messages.is_empty() || !context.allows(edge)? {
            return Ok(false);
        }
        let wanted = context.wanted(pattern)?;
        let Some(found) = context.find_message(position, &wanted, *anywhere) else { return Ok(false) };
        if *keep {
            check_not_too_many(kind, &wanted, edge.span)?;
        } else {
            check_fields(kind, &wanted, edge.span)?;
        }
        self.check_exclusive(state, by, position, EventKind::Receive, log)?;
        let message = if *keep {
            state.channels[position].messages[found].clone()
        } else {
            state.channels[position].messages.remove(found)
        };
        self.store_fields(state, pid, pattern, &message, when)?;
        if !keep {
            self.observe(state, by, EventKind::Receive, position, &message, log)?;
        }
        Ok(true)
    }

    /// Stores the fields of a received message one after the other: an index may use a field stored
    /// before.
    pub(crate) fn store_fields(
        &self,
        state: &mut State,
        pid: Pid,
        pattern: &[ReceiveArg],
        message: &[i32],
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
