//! Never claims, as Promela writes them, as automata.
//!
//! A claim reads one state of the run with each of its statements; it matches a run if it passes its acceptance labels for ever, or if
//! it reaches its end, whatever comes then.

use ample_model::{Action, Expr, LocationId, Template};
use ample_source::Diagnostic;
use ample_stdx::{IndexVec, TypedId};

use crate::automaton::{Automaton, Edge, Marks, StateId};
use crate::bdd::{Bdd, Bdds};
use crate::ltl::MAX_PROPOSITIONS;

/// The automaton of a claim, state-based, and its propositions.
pub fn claim_automaton(claim: &Template) -> Result<(Automaton, Vec<Expr>), Box<Diagnostic>> {
    if let Some(slot) = claim.frame.slots.iter().next() {
        let message = format!("a claim with variables of its own is not supported (`{}`)", slot.name);
        return Err(Box::new(Diagnostic::error(claim.span, message)));
    }
    let mut reading = Reading { claim, labels: Bdds::new(), propositions: Vec::new() };
    // One state for each location, and one for what comes after the end.
    let after_end = StateId::from_index(claim.locations.len());
    let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
    for (id, location) in claim.locations.iter_enumerated() {
        let marks = if location.accept { Marks::first(1) } else { Marks::first(0) };
        let mut leaving = Vec::new();
        let is_end = |edge: &ample_model::EdgeId| matches!(claim.edges[*edge].action, Action::End);
        if location.edges.iter().all(is_end) {
            // The claim has ended when it gets here.
            leaving.push(Edge { label: Bdd::TRUE, marks: Marks::first(1), target: after_end });
        } else {
            reading.leaving(id, marks, &mut leaving)?;
        }
        edges.push(leaving);
    }
    edges.push(vec![Edge { label: Bdd::TRUE, marks: Marks::first(1), target: after_end }]);
    let Reading { labels, propositions, .. } = reading;
    let initial = StateId::from_index(claim.entry.index());
    let automaton = Automaton { labels, propositions: propositions.len(), mark_count: 1, initial, edges };
    Ok((automaton, propositions))
}

struct Reading<'c> {
    claim: &'c Template,
    labels: Bdds,
    propositions: Vec<Expr>,
}

impl Reading<'_> {
    /// The edges that leave a location.
    fn leaving(&mut self, location: LocationId, marks: Marks, leaving: &mut Vec<Edge>) -> Result<(), Box<Diagnostic>> {
        let claim = self.claim;
        let mut others = Bdd::FALSE;
        let mut otherwise = Vec::new();
        for id in &claim.locations[location].edges {
            let edge = &claim.edges[*id];
            let target = StateId::from_index(edge.target.index());
            let label = match &edge.action {
                Action::Skip => Bdd::TRUE,
                Action::Guard(guard) => self.proposition(guard)?,
                Action::Else => {
                    otherwise.push(target);
                    continue;
                }
                Action::End => continue,
                Action::Assert(condition) => {
                    let holds = self.proposition(condition)?;
                    // If it fails, the claim has what it looked for.
                    let fails = self.labels.not(holds);
                    if fails != Bdd::FALSE {
                        leaving.push(Edge { label: fails, marks, target: StateId::from_index(claim.locations.len()) });
                    }
                    others = Bdd::TRUE;
                    holds
                }
                _ => {
                    let message = format!("a claim only watches: `{}` is not a condition", edge.text);
                    return Err(Box::new(Diagnostic::error(edge.span, message)));
                }
            };
            others = self.labels.or(others, label);
            if label != Bdd::FALSE {
                leaving.push(Edge { label, marks, target });
            }
        }
        let label = self.labels.not(others);
        if label != Bdd::FALSE {
            leaving.extend(otherwise.into_iter().map(|target| Edge { label, marks, target }));
        }
        Ok(())
    }

    fn proposition(&mut self, guard: &Expr) -> Result<Bdd, Box<Diagnostic>> {
        if let ample_model::ExprKind::Const(value) = guard.kind {
            return Ok(if value == 0 { Bdd::FALSE } else { Bdd::TRUE });
        }
        let known = self.propositions.iter().position(|known| known.kind == guard.kind);
        let number = known.unwrap_or_else(|| {
            self.propositions.push(guard.clone());
            self.propositions.len() - 1
        });
        if number >= MAX_PROPOSITIONS {
            let message = format!("a claim with more than {MAX_PROPOSITIONS} conditions is not supported");
            return Err(Box::new(Diagnostic::error(guard.span, message)));
        }
        Ok(self.labels.variable(number as u32))
    }
}
