//! Rendezvous: a sender and a receiver on a channel without room make one joint move.

use ample_model::{Action, Edge, EdgeId, EventKind};
use ample_transition::{Move, Pid};

use crate::Interpreter;
use crate::channel::check_fields;
use crate::eval::{Context, Error};
use crate::state::State;
use crate::step::{Attempt, Log, Made, Mover, Trial, Visit, When};

/// A message that waits for a receiver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offer {
    /// The position of the channel.
    pub(crate) channel: usize,
    /// The message.
    pub(crate) message: Vec<i32>,
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
        self.truncate_message(kind, &mut offer.message);
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
        let (mut escaped, mut accepted, mut is_copy, faults) = (None, 0, false, log.faults.len());
        for &id in edges {
            let edge = &template.edges[id];
            if escaped.is_some() && edge.escape != escaped {
                break;
            }
            if !may_receive(edge) {
                continue;
            }
            if !is_copy {
                next.clone_from(sent);
            }
            let receiver = Mover { pid, edge };
            log.restart(faults);
            let joint = self.joint_move(sending, receiver, accepted > 0, next, offer, log);
            is_copy = matches!(joint, Ok(false));
            let step = Move { process: sending.by.pid, edge: sending.id, partner: Some((pid, id)) };
            let made = match joint {
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

    /// Takes an edge of the receiver with the offered message, if it accepts it, and makes the
    /// assignments of both.
    fn joint_move(
        &self,
        sending: Attempt<'_>,
        receiver: Mover<'_>,
        accepted_before: bool,
        next: &mut State,
        offer: &Offer,
        log: &mut Log,
    ) -> Result<bool, Error> {
        let before = sending.state;
        if !self.accept(before, next, receiver, offer, log)? {
            return Ok(false);
        }
        self.check_choice(before, receiver.pid, receiver.edge, accepted_before, log);
        self.assign_joint_effects(before, next, sending.by, receiver)?;
        Ok(true)
    }

    /// Whether some edge of the process could accept the offer: a receive that matches, or a
    /// `d_step` that begins with one.
    pub(crate) fn could_accept(&self, state: &State, pid: Pid, offer: &Offer) -> bool {
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let matches = |id: &EdgeId| self.matches_offer(state, pid, &template.edges[*id], offer).unwrap_or(false);
        template.locations[process.location].edges.iter().any(|id| match &template.edges[*id].action {
            Action::DeterministicStep(entry) => template.locations[*entry].edges.iter().any(matches),
            _ => matches(id),
        })
    }

    /// Whether an edge is a receive that matches the offer.
    fn matches_offer(&self, state: &State, pid: Pid, edge: &Edge, offer: &Offer) -> Result<bool, Error> {
        let Action::Receive { channel, pattern, keep: false, .. } = &edge.action else { return Ok(false) };
        let mut context = Context::of(self, state, pid, false);
        let (position, kind) = context.channel(channel)?;
        if position != offer.channel || !context.allows(edge)? {
            return Ok(false);
        }
        let is_match = context.matches(&offer.message, pattern)?;
        check_fields(kind, pattern, edge.span)?;
        Ok(is_match)
    }

    /// Takes an edge with the offered message, if it is a receive (or a `d_step` that begins with
    /// one) that matches. The sender has moved in `state`, not in `before`.
    fn accept(
        &self,
        before: &State,
        state: &mut State,
        by: Mover<'_>,
        offer: &Offer,
        log: &mut Log,
    ) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let accepted = match &edge.action {
            Action::Receive { keep: false, .. } => self.accept_message(Some(before), state, by, offer, log)?,
            Action::DeterministicStep(entry) => self.d_step(state, pid, *entry, Some(offer), When::default(), log)?,
            _ => false,
        };
        if accepted {
            state.set_location(pid, edge.target);
            state.last = pid;
        }
        Ok(accepted)
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

    /// The receive itself: does the message match, and if so, take it out of the channel and store
    /// it. The guard is asked in the state before the joint move, if that is given; inside a
    /// `d_step` there is none. `timeout` is false for the receiver, even if the sender waited for
    /// it.
    pub(crate) fn accept_message(
        &self,
        before: Option<&State>,
        state: &mut State,
        by: Mover<'_>,
        offer: &Offer,
        log: &mut Log,
    ) -> Result<bool, Error> {
        let Mover { pid, edge } = by;
        let Action::Receive { channel, pattern, .. } = &edge.action else { return Ok(false) };
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
        if !context.matches(&offer.message, pattern)? {
            return Ok(false);
        }
        check_fields(kind, pattern, edge.span)?;
        self.check_exclusive(state, by, position, EventKind::Receive, log)?;
        self.observe(state, by, EventKind::Send, position, &offer.message, log)?;
        state.remove_message(position, 0);
        self.store_fields(state, pid, pattern, &offer.message, When::default())?;
        self.observe(state, by, EventKind::Receive, position, &offer.message, log)?;
        Ok(true)
    }
}

/// Whether an edge may accept an offer: a receive, or a `d_step`, which may begin with one.
fn may_receive(edge: &Edge) -> bool {
    matches!(edge.action, Action::Receive { keep: false, .. } | Action::DeterministicStep(_))
}
