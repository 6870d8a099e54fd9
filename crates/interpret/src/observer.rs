//! What watches the run from outside: `trace` and `notrace` assertions, and the claims `xr` and
//! `xs`.

use ample_model::{Action, ChannelUse, EventKind, Expr, LocationId, Template, TemplateKind};
use ample_transition::{Fault, FaultKind, Pid};

use crate::Interpreter;
use crate::eval::{Context, Error};
use crate::state::State;
use crate::trial::{Log, Mover, When};

impl Interpreter<'_> {
    /// Lets the trace assertion see an event on a channel that it speaks about.
    ///
    /// `trace`: every such event must be the next one. `notrace`: the events must not match to the
    /// end; the first that does not match ends the matter.
    pub(crate) fn observe(
        &self,
        state: &mut State,
        by: Mover<'_>,
        kind: EventKind,
        position: usize,
        message: &[i64],
        log: &mut Log,
    ) -> Result<(), Error> {
        let Mover { pid, edge } = by;
        let Some(trace) = self.model.trace else { return Ok(()) };
        let template = &self.model.templates[trace];
        if !self.speaks_about(state, template, kind, position)? {
            return Ok(());
        }
        let next = self.next_event(state, template, kind, position, message)?;
        let end = template.last_location();
        let message = match (template.kind, next) {
            (TemplateKind::Notrace, Some(next)) => {
                state.event = next;
                if next != end {
                    return Ok(());
                }
                "the notrace assertion is violated: all its events happened"
            }
            (TemplateKind::Notrace, None) => {
                state.event = end;
                return Ok(());
            }
            (_, Some(next)) => {
                state.event = next;
                return Ok(());
            }
            (_, None) => "the trace assertion is violated: this event does not match",
        };
        log.faults.push(Fault {
            kind: FaultKind::TraceAssertion,
            message: message.to_owned(),
            process: Some(pid),
            span: edge.span,
            notes: Vec::new(),
        });
        Ok(())
    }

    fn speaks_about(
        &self,
        state: &State,
        template: &Template,
        kind: EventKind,
        position: usize,
    ) -> Result<bool, Error> {
        for edge in template.edges.iter() {
            if let Action::Event { kind: named, channel, .. } = &edge.action
                && *named == kind
                && Context::outside(self, state).eval(channel)? == position as i64 + 1
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn next_event(
        &self,
        state: &State,
        template: &Template,
        kind: EventKind,
        position: usize,
        message: &[i64],
    ) -> Result<Option<LocationId>, Error> {
        if state.event == template.last_location() {
            return Ok(None);
        }
        for id in &template.locations[state.event].edges {
            let edge = &template.edges[*id];
            let matched = match &edge.action {
                Action::Skip => true,
                Action::Event { kind: named, channel, pattern } => {
                    let mut context = Context::outside(self, state);
                    *named == kind
                        && context.eval(channel)? == position as i64 + 1
                        && context.matches(message, pattern)?
                }
                _ => false,
            };
            if matched {
                return Ok(Some(edge.target));
            }
        }
        Ok(None)
    }

    /// Records the use of a channel that another process has claimed for itself.
    pub(crate) fn check_exclusive(
        &self,
        state: &State,
        by: Mover<'_>,
        position: usize,
        kind: EventKind,
        log: &mut Log,
    ) -> Result<(), Error> {
        if !self.claims {
            return Ok(());
        }
        for owner in (0..state.processes.len() as Pid).filter(|owner| *owner != by.pid) {
            let template = &self.model.templates[state.processes[usize::from(owner)].template];
            for claim in &template.exclusive {
                let claimed = Context::of(self, state, owner, false).eval(&claim.channel)?;
                if claim.end.concerns(kind) && claimed == position as i64 + 1 {
                    log.faults.push(self.exclusive_fault(state, by, owner, position, kind));
                }
            }
        }
        Ok(())
    }

    /// Asking about a claimed channel counts as using it.
    pub(crate) fn check_exclusive_tests(
        &self,
        state: &State,
        by: Mover<'_>,
        expr: &Expr,
        when: When,
        log: &mut Log,
    ) -> Result<(), Error> {
        if !self.claims {
            return Ok(());
        }
        for ChannelUse { channel, events } in expr.channel_uses() {
            let (position, _) = Context::of(self, state, by.pid, when.timeout).channel(channel)?;
            for kind in events {
                self.check_exclusive(state, by, position, *kind, log)?;
            }
        }
        Ok(())
    }

    fn exclusive_fault(&self, state: &State, by: Mover<'_>, owner: Pid, position: usize, kind: EventKind) -> Fault {
        let Mover { pid, edge } = by;
        let (word, verb) = match kind {
            EventKind::Send => ("xs", "sends to"),
            EventKind::Receive => ("xr", "receives from"),
        };
        Fault {
            kind: FaultKind::Exclusive,
            message: format!(
                "{word} is violated: {} {verb} {}, which {} has for itself",
                self.process_name(state, pid),
                self.channel_name(state, position),
                self.process_name(state, owner),
            ),
            process: Some(pid),
            span: edge.span,
            notes: Vec::new(),
        }
    }
}
