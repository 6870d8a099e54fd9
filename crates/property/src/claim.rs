//! Never claims, as Promela writes them, as automata.
//!
//! A claim reads one state of the run with each of its statements, and with all statements of an
//! `atomic` sequence together; it matches a run if it passes its acceptance labels for ever, or if
//! it reaches its end, whatever comes then.

use ample_model::{Action, Edge as Statement, Expr, ExprKind, LocationId, Template};
use ample_source::{Diagnostic, Span};
use ample_stdx::{IndexVec, TypedId};

use crate::automaton::{Automaton, Edge, Marks, StateId};
use crate::bdd::{Bdd, Bdds};
use crate::ltl::{Ltl, MAX_PROPOSITIONS};
use crate::propositions::Numbering;

/// An automaton that accepts the runs of a model that are forbidden.
#[derive(Clone, Debug)]
pub struct ClaimAutomaton {
    /// The automaton.
    pub automaton: Automaton,
    /// What it looks at, by number.
    pub propositions: Vec<Expr>,
}

/// The longest `atomic` sequence of a claim, and the most ways through one.
const LONGEST: usize = 200;
const MOST_WAYS: usize = 20_000;

/// The automaton of a claim, state-based.
pub fn claim_automaton(claim: &Template) -> Result<ClaimAutomaton, Box<Diagnostic>> {
    if let Some(slot) = claim.frame.slots.iter().next() {
        let message = format!("a claim with variables of its own is not supported (`{}`)", slot.name);
        return Err(Box::new(Diagnostic::error(claim.span, message)));
    }
    let mut reading = Reading { claim, labels: Bdds::new(), numbering: Numbering::default() };
    // One state for each location, and one for what comes after the end.
    let after_end = StateId::from_index(claim.locations.len());
    let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::new();
    for (id, location) in claim.locations.iter_enumerated() {
        let marks = if location.accept { Marks::first(1) } else { Marks::first(0) };
        edges.push(if has_ended(claim, id) {
            vec![Edge { label: Bdd::TRUE, marks: Marks::first(1), target: after_end }]
        } else {
            let mut ways = Ways { marks, passed: vec![id], leaving: Vec::new() };
            reading.step(id, Bdd::TRUE, &mut ways)?;
            ways.leaving
        });
    }
    edges.push(vec![Edge { label: Bdd::TRUE, marks: Marks::first(1), target: after_end }]);
    let Reading { labels, numbering: Numbering { propositions, .. }, .. } = reading;
    if labels.has_overflowed() {
        return Err(Box::new(Diagnostic::error(claim.span, "the conditions of this claim are too complicated")));
    }
    let initial = StateId::from_index(claim.entry.index());
    let automaton = Automaton { labels, propositions: propositions.len(), mark_count: 1, initial, edges };
    Ok(ClaimAutomaton { automaton, propositions })
}

/// Whether the claim has ended when it gets here. Where nothing leaves a location, not even an end,
/// the claim is stuck: such is a choice whose options are all literally false.
fn has_ended(claim: &Template, location: LocationId) -> bool {
    let edges = &claim.locations[location].edges;
    !edges.is_empty() && edges.iter().all(|edge| matches!(claim.edges[*edge].action, Action::End))
}

/// The ways out of a location.
struct Ways {
    /// The marks of all of them.
    marks: Marks,
    /// The locations that were passed while one state is read.
    passed: Vec<LocationId>,
    leaving: Vec<Edge>,
}

struct Reading<'c> {
    claim: &'c Template,
    labels: Bdds,
    numbering: Numbering,
}

impl<'c> Reading<'c> {
    /// Adds the ways out of `location` for the letters in `before`.
    fn step(&mut self, location: LocationId, before: Bdd, ways: &mut Ways) -> Result<(), Box<Diagnostic>> {
        let claim = self.claim;
        let mut others = Bdd::FALSE;
        let mut otherwise = Vec::new();
        for id in &claim.locations[location].edges {
            let statement = &claim.edges[*id];
            let label = match &statement.action {
                Action::Skip => Bdd::TRUE,
                Action::Guard(guard) => self.condition(guard, statement)?,
                Action::Else => {
                    otherwise.push(statement);
                    continue;
                }
                Action::End => continue,
                Action::Assert(condition) => {
                    let holds = self.condition(condition, statement)?;
                    // If it fails, the claim has what it looked for.
                    let fails = self.labels.not(holds);
                    let label = self.labels.and(before, fails);
                    self.leave(label, StateId::from_index(claim.locations.len()), ways);
                    others = Bdd::TRUE;
                    holds
                }
                _ => return Err(not_a_condition(statement)),
            };
            others = self.labels.or(others, label);
            self.follow(statement, before, label, ways)?;
        }
        let rest = self.labels.not(others);
        for statement in otherwise {
            self.follow(statement, before, rest, ways)?;
        }
        Ok(())
    }

    /// What comes after a statement that can be executed for the letters in `before` and `label`.
    fn follow(
        &mut self,
        statement: &'c Statement,
        before: Bdd,
        label: Bdd,
        ways: &mut Ways,
    ) -> Result<(), Box<Diagnostic>> {
        let label = self.labels.and(before, label);
        let goes_on = statement.keeps_control && !has_ended(self.claim, statement.target);
        if label == Bdd::FALSE || !goes_on || ways.passed.contains(&statement.target) {
            self.leave(label, StateId::from_index(statement.target.index()), ways);
            return Ok(());
        }
        if ways.passed.len() >= LONGEST || ways.leaving.len() >= MOST_WAYS {
            return Err(too_long(statement.span));
        }
        // Where the sequence cannot go on, the claim is stuck, as in Spin.
        ways.passed.push(statement.target);
        self.step(statement.target, label, ways)?;
        ways.passed.pop();
        Ok(())
    }

    fn leave(&mut self, label: Bdd, target: StateId, ways: &mut Ways) {
        if label != Bdd::FALSE {
            ways.leaving.push(Edge { label, marks: ways.marks, target });
        }
    }

    fn condition(&mut self, guard: &Expr, statement: &Statement) -> Result<Bdd, Box<Diagnostic>> {
        if guard.contains(&|kind| matches!(kind, ExprKind::Run(_))) {
            return Err(not_a_condition(statement));
        }
        let condition = self.numbering.number(guard).map_err(|_| {
            let message = format!("a claim with more than {MAX_PROPOSITIONS} conditions is not supported");
            Box::new(Diagnostic::error(guard.span, message))
        })?;
        Ok(self.label(&condition))
    }

    fn label(&mut self, condition: &Ltl) -> Bdd {
        match condition {
            Ltl::True => Bdd::TRUE,
            Ltl::Proposition(id) => self.labels.variable(id.index() as u32),
            Ltl::Not(a) => {
                let a = self.label(a);
                self.labels.not(a)
            }
            Ltl::And(a, b) => {
                let (a, b) = (self.label(a), self.label(b));
                self.labels.and(a, b)
            }
            Ltl::Or(a, b) => {
                let (a, b) = (self.label(a), self.label(b));
                self.labels.or(a, b)
            }
            // A condition has no temporal operators.
            _ => Bdd::FALSE,
        }
    }
}

fn not_a_condition(statement: &Statement) -> Box<Diagnostic> {
    let message = format!("a claim only watches: `{}` is not a condition", statement.text);
    Diagnostic::error(statement.span, message).into()
}

fn too_long(span: Span) -> Box<Diagnostic> {
    Diagnostic::error(span, "this `atomic` sequence is too long for a claim").into()
}
