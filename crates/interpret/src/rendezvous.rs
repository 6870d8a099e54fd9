//! Rendezvous: a sender and a receiver on a channel without room make one joint move.

use ample_model::{Action, Edge, EdgeId, EventKind};
use ample_transition::{Move, Pid};

use crate::Interpreter;
use crate::channel::check_fields;
use crate::eval::{Context, Error};
use crate::state::State;
use crate::trial::{Attempt, Log, Made, Mover, Offer, Trial, Visit, When};

/// A joint move that is tried.
#[derive(Copy, Clone)]
struct Joint<'s> {
    sending: Attempt<'s>,
    receiver: Mover<'s>,
    /// Whether the receiver accepts the offer along an earlier edge of its location, too.
    accepted_before: bool,
}

impl Interpreter<'_> {
    /// Whether the edge is a send on a rendezvous channel.
    pub(crate) fn is_offer(&self, state: &State, pid: Pid, edge: &Edge, timeout: bool) -> bool {
        let Action::Send { channel, .. } = &edge.action else { return false };
        let mut context = Context::of(self, state, pid, timeout);
        context.channel(channel).is_ok_and(|(_, kind)| kind.capacity == 0)
    }

    /// Shows one joint move for each receiver that accepts the message; gives their number. The
    /// receiver keeps control if its statement is inside `atomic`; the sender loses it.
    #[inline(never)]
    pub(crate) fn rendezvous_moves(&self, sending: Attempt<'_>, trial: &mut Trial, visit: Visit<'_>) -> usize {
        let Attempt { state, by: Mover { pid: sender, edge }, id, when } = sending;
        let Trial { log, offer, sent, .. } = trial;
        log.restart(0);
        match self.offer(sending, offer, log) {
            Ok(true) => {}
            Ok(false) => return 0,
            Err(error) => {
                log.faults.push(self.fault(error, sender, edge));
                let step = Move { process: sender, edge: id, partner: None };
                visit(Made { step, next: None, control: None, log });
                return 1;
            }
        }
        self.check_choice(state, sender, edge, when.moved, log);
        sent.clone_from(state);
        sent.set_location(sender, edge.target);
        sent.last = sender;
        // In the middle of a rendezvous the channel holds the message: the receiver's questions
        // about channels see it.
        sent.insert_message(offer.channel, 0, &offer.message);
        trial.is_copy = false;
        let others = (0..state.processes.len() as Pid).rev().filter(|pid| *pid != sender);
        others.map(|receiver| self.receiver_moves(sending, receiver, trial, visit)).sum()
    }

    /// Evaluates the message that an edge offers; false if its guard does not allow it.
    fn offer(&self, sending: Attempt<'_>, offer: &mut Offer, log: &mut Log) -> Result<bool, Error> {
        let Attempt { state, by, when, .. } = sending;
        let Mover { pid, edge } = by;
        let Action::Send { channel, values, .. } = &edge.action else {
            return Err(Error::here("not a send"));
        };
        let mut context = Context::of(self, state, pid, when.timeout);
        let (position, kind) = context.channel(channel)?;
        if !context.allows(edge)? {
            return Ok(false);
        }
        offer.channel = position;
        context.evaluate_message(kind, values, edge.span, &mut offer.message)?;
        self.fit_message(kind, &mut offer.message, edge.span)?;
        self.check_exclusive(state, by, position, EventKind::Send, log)?;
        Ok(true)
    }

    /// Shows the moves with which one process accepts the offer of `trial`; gives their number.
    /// Only receives are tried: the guards of escapes that are not receives do not count in the
    /// middle of a rendezvous.
    fn receiver_moves(&self, sending: Attempt<'_>, pid: Pid, trial: &mut Trial, visit: Visit<'_>) -> usize {
        let Trial { next, log, offer, sent, .. } = trial;
        let process = &sent.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let edges = &template.locations[process.location].edges;
        if !edges.iter().any(|id| may_receive(&template.edges[*id]))
            || !self.may_accept(sent, pid, sending.by.pid, offer)
        {
            return 0;
        }
        let (mut escaped, mut accepted, faults) = (None, 0, log.faults.len());
        for &id in edges {
            let edge = &template.edges[id];
            if escaped.is_some() && edge.escape != escaped {
                break;
            }
            log.restart(faults);
            let joint = Joint { sending, receiver: Mover { pid, edge }, accepted_before: accepted > 0 };
            let step = Move { process: sending.by.pid, edge: sending.id, partner: Some((pid, id)) };
            let made = match self.joint_move(joint, offer, sent, next, log) {
                Ok(false) => continue,
                Ok(true) => Made { step, next: Some(next), control: edge.keeps_control.then_some(pid), log },
                Err(error) => {
                    log.faults.push(self.fault(error, pid, edge));
                    Made { step, next: None, control: None, log }
                }
            };
            visit(made);
            escaped = edge.escape;
            accepted += 1;
        }
        log.restart(faults);
        accepted
    }

    /// Makes `next` the state after a joint move, if the receiver's edge accepts the offer: if it
    /// is a receive that matches, or a `d_step` that begins with one. In `sent` the sender has
    /// moved.
    fn joint_move(
        &self,
        joint: Joint<'_>,
        offer: &Offer,
        sent: &State,
        next: &mut State,
        log: &mut Log,
    ) -> Result<bool, Error> {
        let Joint { sending: Attempt { state: before, by: sender, .. }, receiver, accepted_before } = joint;
        let Mover { pid, edge } = receiver;
        if let Action::DeterministicStep(entry) = &edge.action {
            next.clone_from(sent);
            if !self.d_step(next, pid, *entry, Some(offer), When::default(), log)? {
                return Ok(false);
            }
        } else {
            if !self.matches_offer(Some(before), sent, receiver, offer)? {
                return Ok(false);
            }
            next.clone_from(sent);
            self.take_offer(next, receiver, offer, log)?;
        }
        next.set_location(pid, edge.target);
        next.last = pid;
        self.check_choice(before, pid, edge, accepted_before, log);
        self.assign_joint_effects(before, next, sender, receiver)?;
        Ok(true)
    }

    /// Whether some edge of the process could accept the offer: a receive that matches, or a
    /// `d_step` that begins with one.
    pub(crate) fn could_accept(&self, state: &State, pid: Pid, offer: &Offer) -> bool {
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let matches = |id: &EdgeId| {
            let by = Mover { pid, edge: &template.edges[*id] };
            self.matches_offer(Some(state), state, by, offer).unwrap_or(false)
        };
        template.locations[process.location].edges.iter().any(|id| match &template.edges[*id].action {
            Action::DeterministicStep(entry) => template.locations[*entry].edges.iter().any(matches),
            _ => matches(id),
        })
    }

    /// Whether an edge is a receive that matches the offer. Its guard is asked in the state
    /// `before`, if that is given; inside a `d_step` there is none. `timeout` is false for the
    /// receiver, even if the sender waited for it.
    fn matches_offer(
        &self,
        before: Option<&State>,
        state: &State,
        by: Mover<'_>,
        offer: &Offer,
    ) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let Action::Receive { channel, pattern, keep: false, .. } = &edge.action else { return Ok(false) };
        let mut context = Context::of(self, state, pid, false);
        let (position, kind) = context.channel(channel)?;
        if position != offer.channel {
            return Ok(false);
        }
        if let Some(before) = before
            && !Context::of(self, before, pid, false).allows(edge)?
        {
            return Ok(false);
        }
        let is_match = context.matches(&offer.message, pattern)?;
        if is_match {
            check_fields(kind, pattern, edge.span)?;
        }
        Ok(is_match)
    }

    /// The assignments that are part of a joint move: first the receiver's, which find the sender
    /// where it was, then the sender's, which find both where they are going. That is the order of
    /// DiVinE 2.
    fn assign_joint_effects(
        &self,
        before: &State,
        next: &mut State,
        sender: Mover<'_>,
        receiver: Mover<'_>,
    ) -> Result<(), Error> {
        if !receiver.edge.effects.is_empty() {
            next.set_location(sender.pid, before.location(sender.pid));
            self.assign_effects(next, receiver.pid, receiver.edge)?;
            next.set_location(sender.pid, sender.edge.target);
        }
        self.assign_effects(next, sender.pid, sender.edge)
    }

    /// Takes the offered message out of the channel and stores it, if the edge is a receive inside
    /// a `d_step` that matches.
    pub(crate) fn accept_inside(
        &self,
        state: &mut State,
        by: Mover<'_>,
        offer: &Offer,
        log: &mut Log,
    ) -> Result<bool, Error> {
        let is_match = self.matches_offer(None, state, by, offer)?;
        if is_match {
            self.take_offer(state, by, offer, log)?;
            state.set_location(by.pid, by.edge.target);
        }
        Ok(is_match)
    }

    /// The receive itself: takes the message out of the channel and stores it.
    fn take_offer(&self, state: &mut State, by: Mover<'_>, offer: &Offer, log: &mut Log) -> Result<(), Error> {
        let Mover { pid, edge } = by;
        let Action::Receive { pattern, .. } = &edge.action else { return Ok(()) };
        let Offer { channel, message } = offer;
        self.check_exclusive(state, by, *channel, EventKind::Receive, log)?;
        self.observe(state, by, EventKind::Send, *channel, message, log)?;
        state.remove_message(*channel, 0);
        self.store_fields(state, pid, pattern, message, When::default())?;
        self.observe(state, by, EventKind::Receive, *channel, message, log)
    }
}

/// Whether an edge may accept an offer: a receive, or a `d_step`, which may begin with one.
fn may_receive(edge: &Edge) -> bool {
    matches!(edge.action, Action::Receive { keep: false, .. } | Action::DeterministicStep(_))
}
