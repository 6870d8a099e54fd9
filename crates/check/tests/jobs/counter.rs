//! A small system to ask about: a counter.

use ample_check::{CheckError, Claim, Job, LOOPS, MakePropositions, Options, Outcome, Replayer, System, check};
use ample_model::{EdgeId, Expr, ExprKind, TemplateId};
use ample_product::{Propositions, Values};
use ample_property::{Formula, Property, PropertyKind, Unary};
use ample_replay::Replayed;
use ample_source::Span;
use ample_stdx::TypedId;
use ample_transition::{Fault, FaultKind, Move, SuccessorBuffer, Successors, Trace};

/// A counter from 0 to `top`, that fails an assertion at each step from `wrong` and may not end if
/// `stuck`.
pub struct Counter {
    pub top: u8,
    pub wrong: Option<u8>,
    pub stuck: bool,
}

pub const FINE: Counter = Counter { top: 9, wrong: None, stuck: false };
pub const WRONG: Counter = Counter { top: 9, wrong: Some(4), stuck: false };
pub const STUCK: Counter = Counter { top: 9, wrong: None, stuck: true };

fn fault(kind: FaultKind, place: u8) -> Fault {
    let span = Span { start: place.into(), end: place.into(), ..Span::default() };
    Fault { kind, message: format!("{} at {place}", kind.name()), process: None, span, notes: Vec::new() }
}

impl Successors for Counter {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        Ok(vec![0])
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        let here = state[0];
        if here < self.top {
            let faults: &[Fault] = if self.wrong == Some(here) { &[fault(FaultKind::Assertion, here)] } else { &[] };
            let step = Move { process: 0, edge: EdgeId::from_index(here.into()), partner: None };
            buffer.push(&[step], faults, Some(&mut |out| out.push(here + 1)));
        }
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.stuck.then(|| Box::new(fault(FaultKind::InvalidEndState, state[0])))
    }
}

/// A judge that always says the same.
pub struct Judge(pub Result<(), &'static str>);

impl Replayer for Judge {
    fn replay(&self, _: &Trace, fault: &Fault, _: Option<&Claim>) -> Result<Replayed, String> {
        self.0.map(|()| Replayed::at_once(fault.clone())).map_err(str::to_owned)
    }
}

/// The proposition with number 0 asks whether the counter is at this number.
struct IsAt(i64);

impl Propositions for IsAt {
    fn letter(&self, state: &[u8]) -> Result<u64, Box<Fault>> {
        Ok(u64::from(i64::from(state[0]) == self.0))
    }
}

impl Values for IsAt {
    fn count(&self) -> usize {
        1
    }

    fn each(&self, state: &[u8], take: &mut dyn FnMut(Option<i64>)) {
        take(Some(i64::from(i64::from(state[0]) == self.0)));
    }
}

impl IsAt {
    fn of(expressions: &[Expr]) -> IsAt {
        let number = expressions.iter().find_map(|expr| match &expr.kind {
            ExprKind::ProgramCounter(number) => Some(&number.kind),
            _ => None,
        });
        let Some(ExprKind::Const(number)) = number else { return IsAt(-1) };
        IsAt(*number)
    }
}

impl MakePropositions for Counter {
    fn make<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Propositions + 'p> {
        Box::new(IsAt::of(expressions))
    }

    fn values<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Values + 'p> {
        Box::new(IsAt::of(expressions))
    }
}

/// That the counter is at this number at some time.
pub fn reaches(name: &str, number: i64) -> Property {
    let expr = |kind| Expr { kind, span: Span::default() };
    let at = Formula::Proposition(expr(ExprKind::ProgramCounter(Box::new(expr(ExprKind::Const(number))))));
    let kind = PropertyKind::Ltl(Formula::Unary(Unary::Eventually, Box::new(at)));
    Property { name: name.to_owned(), kind, span: Span::default() }
}

pub fn run(counter: &Counter, judge: Judge, names: &[&str], options: Options) -> Result<Outcome, CheckError> {
    let system = System {
        execution: &ample_guarantee::parts::INTERPRETER,
        why_interpreted: None,
        late_code: None,
        prepare: None,
        successors: counter,
        replayer: &judge,
        unpack: &|_| Default::default(),
        template_of: &|_, _| Some(TemplateId::from_index(0)),
        has_trace_assertion: false,
        labels: Default::default(),
        properties: &[reaches("end", 9), reaches("more", 10)],
        propositions: counter,
        max_processes: 255,
        reducible: None,
    };
    check(Job {
        system,
        select: names.iter().map(|&name| name.to_owned()).collect(),
        options,
        loops: LOOPS,
        progress: None,
    })
}

pub fn ask(counter: &Counter, names: &[&str], options: Options) -> Result<Outcome, CheckError> {
    run(counter, Judge(Ok(())), names, options)
}

/// One line per property.
pub fn text(outcome: &Outcome) -> String {
    let mut text = format!("{}\n", outcome.verdict.name());
    for property in &outcome.properties {
        let reason = property.reason.as_deref().unwrap_or("-");
        text += &format!(
            "{} {} {}, {reason}, {}, {} states\n",
            property.kind,
            property.name,
            property.verdict.name(),
            property.guarantee,
            property.counts.states
        );
    }
    text
}
