//! Who may move: `provided` clauses, priorities, and the question `enabled()`.

use ample_model::{Action, Edge};
use ample_transition::Pid;

use crate::Interpreter;
use crate::eval::{Context, Error};
use crate::state::State;
use crate::trial::Offer;

impl Interpreter<'_> {
    /// Whether a process may move at all: its `provided` clause holds and no process of higher
    /// priority could move.
    #[inline]
    pub(crate) fn may_run(&self, state: &State, pid: Pid, timeout: bool) -> Result<bool, Error> {
        if self.is_scheduled { self.is_scheduled_now(state, pid, timeout) } else { Ok(true) }
    }

    #[inline(never)]
    fn is_scheduled_now(&self, state: &State, pid: Pid, timeout: bool) -> Result<bool, Error> {
        if !self.provided(state, pid, timeout)? {
            return Ok(false);
        }
        if !self.model.uses.priorities {
            return Ok(true);
        }
        for other in self.higher_priority(state, pid) {
            if self.provided(state, other, timeout)? && self.can_move(state, other, timeout, 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a process may accept an offer. In the middle of a rendezvous only those that accept
    /// it could move, and `timeout` is false: the sender has just moved.
    pub(crate) fn may_accept(&self, state: &State, pid: Pid, sender: Pid, offer: &Offer) -> bool {
        if !self.is_scheduled {
            return true;
        }
        let provided = |pid| self.provided(state, pid, false).unwrap_or(true);
        let outranks = |other: Pid| other != sender && provided(other) && self.could_accept(state, other, offer);
        provided(pid) && (!self.model.uses.priorities || !self.higher_priority(state, pid).any(outranks))
    }

    fn higher_priority<'a>(&self, state: &'a State, pid: Pid) -> impl Iterator<Item = Pid> + use<'a> {
        let own = state.processes[usize::from(pid)].priority;
        (0..state.processes.len() as Pid).filter(move |other| state.processes[usize::from(*other)].priority > own)
    }

    fn provided(&self, state: &State, pid: Pid, timeout: bool) -> Result<bool, Error> {
        match &self.model.templates[state.processes[usize::from(pid)].template].provided {
            Some(condition) => Ok(Context::of(self, state, pid, timeout).eval(condition)? != 0),
            None => Ok(true),
        }
    }

    /// Whether some edge of the process could be taken. A rendezvous send counts even without a
    /// partner and an `else` counts always, as in Spin's verifier.
    pub(crate) fn can_move(&self, state: &State, pid: Pid, timeout: bool, asked: u8) -> Result<bool, Error> {
        let process = &state.processes[usize::from(pid)];
        let template = &self.model.templates[process.template];
        for &id in &template.locations[process.location].edges {
            if self.could_take(state, pid, &template.edges[id], timeout, asked)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Evaluates what decides whether an edge can be taken, and nothing else: not the values that
    /// it sends or assigns, which may ask in their turn.
    fn could_take(&self, state: &State, pid: Pid, edge: &Edge, timeout: bool, asked: u8) -> Result<bool, Error> {
        let mut context = Context { asked, ..Context::of(self, state, pid, timeout) };
        match &edge.action {
            Action::Guard(expr) => Ok(context.eval(expr)? != 0),
            Action::End => Ok(usize::from(pid) + 1 == state.processes.len()),
            Action::Send { channel, .. } => {
                let (position, kind) = context.channel(channel)?;
                let length = state.channels[position].len();
                Ok((kind.capacity == 0 || length < kind.capacity as usize) && context.allows(edge)?)
            }
            Action::Receive { channel, anywhere, pattern, .. } => {
                let (position, _) = context.channel(channel)?;
                if state.channels[position].is_empty() || !context.allows(edge)? {
                    return Ok(false);
                }
                Ok(context.find_message(position, pattern, *anywhere)?.is_some())
            }
            Action::DeterministicStep(entry) => {
                let template = &self.model.templates[state.processes[usize::from(pid)].template];
                let mut first = template.locations[*entry].edges.iter().map(|id| &template.edges[*id]);
                first.try_fold(false, |can, edge| Ok(can || self.could_take(state, pid, edge, timeout, asked)?))
            }
            Action::Event { .. } => Ok(false),
            _ => Ok(true),
        }
    }
}
