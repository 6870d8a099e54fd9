//! Rendezvous: a sender and a receiver on a channel without room make one joint move.

use ample_model::{Action, Edge, EdgeId, EventKind};
use ample_transition::{Move, Pid};

use crate::Interpreter;
use crate::channel::{check_fields, matches};
use crate::eval::{Context, Error};
use crate::state::State;
use crate::step::{Log, Mover, Outcome, When};

/// A message that waits for a receiver.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// The position of the channel.
    pub(crate) channel: usize,
    /// The message.
    pub(crate) message: Vec<i32>,
}

/// A send whose message waits for a receiver.
struct Sent<'s> {
    /// The sender and its edge.
    by: Mover<'s>,
    id: EdgeId,
    offer: Offer,
    /// The state before the joint move.
    before: &'s State,
    /// The state in which the sender has moved and the channel holds the message.
    state: State,
}

impl Interpreter<'_> {
    /// Whether the edge is a send on a rendezvous channel.
    pub(crate) fn is_offer(&self, state: &State, pid: Pid, edge: &Edge, timeout: bool) -> bool {
        let Action::Send { channel, .. } = &edge.action else { return false };
        let mut context = Context::of(self, state, pid, timeout);
        context.channel(channel).is_ok_and(|(_, kind)| kind.capacity == 0)
    }

    /// Appends one joint move for each receiver that accepts the message. The receiver keeps
    /// control if its statement is inside `atomic`; the sender loses it.
    pub(crate) fn rendezvous_moves(
        &self,
        state: &State,
        by: Mover<'_>,
        id: EdgeId,
        when: When,
        moves: &mut Vec<Outcome>,
    ) {
        let Mover { pid: sender, edge } = by;
        let mut log = Log::default();
        let offer = match self.offer(state, by, when.timeout, &mut log) {
            Ok(Some(offer)) => offer,
            Ok(None) => return,
            Err(error) => {
                log.faults.push(self.fault(error, sender, edge));
                let step = Move { process: sender, edge: id, partner: None };
                moves.push(Outcome { step, next: None, control: None, faults: log.faults, printed: String::new() });
                return;
            }
        };
        self.check_choice(state, sender, edge, when.moved, &mut log);
        let mut after = state.clone();
        after.processes[usize::from(sender)].location = edge.target;
        after.last = sender;
        // In the middle of a rendezvous the channel holds the message: the receiver's questions
        // about channels see it.
        after.channels[offer.channel].messages.push(offer.message.clone());
        let sent = Sent { by, id, offer, before: state, state: after };
        for receiver in (0..state.processes.len() as Pid).rev().filter(|pid| *pid != sender) {
            self.receiver_moves(&sent, receiver, &log, moves);
        }
    }

    /// The message that an edge offers, if its guard allows it.
    fn offer(&self, state: &State, by: Mover<'_>, timeout: bool, log: &mut Log) -> Result<Option<Offer>, Error> {
        let Mover { pid, edge } = by;
        let Action::Send { channel, values, .. } = &edge.action else {
            return Err(Error::here("not a send"));
        };
        let mut context = Context::of(self, state, pid, timeout);
        let (position, kind) = context.channel(channel)?;
        if !context.allows(edge)? {
            return Ok(None);
        }
        let message = self.message(&mut context, kind, values, edge.span)?;
        self.check_exclusive(state, by, position, EventKind::Send, log)?;
        Ok(Some(Offer { channel: position, message }))
    }

    /// Appends the moves with which one process accepts the offer. Only receives are tried: the
    /// guards of escapes that are not receives do not count in the middle of a rendezvous.
    fn receiver_moves(&self, sent: &Sent<'_>, pid: Pid, log: &Log, moves: &mut Vec<Outcome>) {
        let Sent { by: sender, id: sending, offer, before, state } = sent;
        if !self.may_accept(state, pid, sender.pid, offer) {
            return;
        }
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        let (mut escaped, mut accepted_before) = (None, false);
        for &id in &template.locations[process.location].edges {
            let edge = &template.edges[id];
            if escaped.is_some() && edge.escape != escaped {
                break;
            }
            let (mut next, receiver) = (state.clone(), Mover { pid, edge });
            let mut log = log.clone();
            let accepted = self.accept(before, &mut next, receiver, offer, &mut log);
            let accepted = accepted.and_then(|accepted| {
                if accepted {
                    self.check_choice(before, pid, edge, accepted_before, &mut log);
                    self.assign_joint_effects(before, &mut next, *sender, receiver)?;
                }
                Ok(accepted)
            });
            let step = Move { process: sender.pid, edge: *sending, partner: Some((pid, id)) };
            let (next, control) = match accepted {
                Ok(false) => continue,
                Ok(true) => (Some(next), edge.keeps_control.then_some(pid)),
                Err(error) => {
                    log.faults.push(self.fault(error, pid, edge));
                    (None, None)
                }
            };
            escaped = edge.escape;
            accepted_before = true;
            moves.push(Outcome { step, next, control, faults: log.faults, printed: log.printed });
        }
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
        let wanted = context.wanted(pattern)?;
        check_fields(kind, &wanted, edge.span)?;
        Ok(matches(&offer.message, &wanted))
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
            state.processes[usize::from(pid)].location = edge.target;
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
        let position = usize::from(sender.pid);
        if !receiver.edge.effects.is_empty() {
            next.processes[position].location = before.processes[position].location;
            self.assign_effects(next, receiver.pid, receiver.edge)?;
            next.processes[position].location = sender.edge.target;
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
        let wanted = context.wanted(pattern)?;
        if !matches(&offer.message, &wanted) {
            return Ok(false);
        }
        check_fields(kind, &wanted, edge.span)?;
        self.check_exclusive(state, by, position, EventKind::Receive, log)?;
        self.observe(state, by, EventKind::Send, position, &offer.message, log)?;
        state.channels[position].messages.clear();
        self.store_fields(state, pid, pattern, &offer.message, When::default())?;
        self.observe(state, by, EventKind::Receive, position, &offer.message, log)?;
        Ok(true)
    }
}
