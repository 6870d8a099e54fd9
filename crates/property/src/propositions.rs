//! From formulas about a model to formulas over numbered propositions.
//!
//! Equal expressions are one proposition, wherever they stand in the text, and so are an expression
//! and its negation: `x != 3` is the negation of `x == 3`. An expression is taken apart at `&&`,
//! `||` and `!`, so that more of that is seen; but not where a part may fail, because `i < N &&
//! a[i]` is written to keep `a[i]` from being looked at.

use std::fmt;

use ample_model::{BinaryOp, Expr, ExprKind, Index, Place, Poll, ReceiveArg, RemoteAt, RemoteRead, Run, UnaryOp};
use ample_source::Span;

use crate::ltl::{Ltl, MAX_PROPOSITIONS, MAX_SIZE, size};
use crate::{Binary, Formula, Unary};

/// Why a formula cannot be numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberingError {
    /// It has more than [`MAX_PROPOSITIONS`] distinct propositions.
    TooManyPropositions,
    /// It is longer than [`MAX_SIZE`], equivalences counted twice.
    TooLong,
}

impl fmt::Display for NumberingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberingError::TooManyPropositions => {
                write!(f, "the formula has more than {MAX_PROPOSITIONS} different propositions")
            }
            NumberingError::TooLong => f.write_str("the formula is too long to be translated"),
        }
    }
}

impl std::error::Error for NumberingError {}

/// The formula over numbered propositions, and what these are: proposition `n` is true where
/// expression `n` is not 0.
pub fn number_propositions(formula: &Formula) -> Result<(Ltl, Vec<Expr>), NumberingError> {
    let mut numbering = Numbering::default();
    let joined = join(formula);
    if size(&joined) > MAX_SIZE {
        return Err(NumberingError::TooLong);
    }
    let ltl = Ltl::from_formula(&joined, &mut |expr| numbering.number(expr))?;
    Ok((ltl, numbering.propositions))
}

/// The formula with each part that has no temporal operator, but has an expression that may fail,
/// as one expression.
pub(crate) fn join(formula: &Formula) -> Formula {
    if let Some(expr) = as_expression(formula)
        && may_fail(&expr)
    {
        return Formula::Proposition(expr);
    }
    match formula {
        Formula::Proposition(expr) => Formula::Proposition(expr.clone()),
        Formula::Unary(op, a) => Formula::Unary(*op, Box::new(join(a))),
        Formula::Binary(op, a, b) => Formula::Binary(*op, Box::new(join(a)), Box::new(join(b))),
    }
}

/// A formula without temporal operators as one expression.
fn as_expression(formula: &Formula) -> Option<Expr> {
    let not = |a: Expr| Expr { span: a.span, kind: ExprKind::Unary(UnaryOp::Not, Box::new(a)) };
    match formula {
        Formula::Proposition(expr) => Some(expr.clone()),
        Formula::Unary(Unary::Not, a) => Some(not(as_expression(a)?)),
        Formula::Unary(..) => None,
        Formula::Binary(op, a, b) => {
            let join = |op, a: Expr, b: Expr| Expr {
                span: a.span.to(b.span),
                kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            };
            Some(match op {
                Binary::And => join(BinaryOp::And, as_expression(a)?, as_expression(b)?),
                Binary::Or => join(BinaryOp::Or, as_expression(a)?, as_expression(b)?),
                Binary::Implies => join(BinaryOp::Or, not(as_expression(a)?), as_expression(b)?),
                // Any number but 0 is true, so two truths are compared only after both were
                // negated.
                Binary::Equivalent => join(BinaryOp::Equal, not(as_expression(a)?), not(as_expression(b)?)),
                Binary::Until | Binary::WeakUntil | Binary::Release | Binary::StrongRelease => return None,
            })
        }
    }
}

/// Whether the value may not exist: what divides, indexes, or asks for another process.
fn may_fail(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..) => true,
            ExprKind::Read(place) => !place.indices.is_empty(),
            ExprKind::Run(_)
            | ExprKind::Channel(..)
            | ExprKind::Poll(_)
            | ExprKind::Enabled(_)
            | ExprKind::ProgramCounter(_)
            | ExprKind::Priority(_)
            | ExprKind::RemoteRead(_)
            | ExprKind::RemoteAt(_) => true,
            _ => false,
        };
    });
    found
}

/// The propositions so far.
#[derive(Default)]
pub(crate) struct Numbering {
    /// The propositions without their places in the text.
    known: Vec<Expr>,
    pub(crate) propositions: Vec<Expr>,
}

impl Numbering {
    /// An expression as a formula over numbered propositions. It has no temporal operator.
    pub(crate) fn number(&mut self, expr: &Expr) -> Result<Ltl, NumberingError> {
        Ok(match &expr.kind {
            ExprKind::Const(0) => Ltl::False,
            ExprKind::Const(_) => Ltl::True,
            ExprKind::Unary(UnaryOp::Not, a) => self.number(a)?.negated(),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if !may_fail(expr) => {
                let (a, b) = (Box::new(self.number(a)?), Box::new(self.number(b)?));
                if *op == BinaryOp::And { Ltl::And(a, b) } else { Ltl::Or(a, b) }
            }
            ExprKind::Binary(op, a, b) if let Some(opposite) = opposite(*op) => {
                let kind = ExprKind::Binary(opposite, a.clone(), b.clone());
                self.proposition(&Expr { kind, span: expr.span })?.negated()
            }
            _ => self.proposition(expr)?,
        })
    }

    fn proposition(&mut self, expr: &Expr) -> Result<Ltl, NumberingError> {
        let key = without_spans(expr);
        let index = match self.known.iter().position(|known| *known == key) {
            Some(index) => index,
            None if self.known.len() == MAX_PROPOSITIONS => return Err(NumberingError::TooManyPropositions),
            None => {
                self.known.push(key);
                self.propositions.push(expr.clone());
                self.known.len() - 1
            }
        };
        Ok(Ltl::proposition(index))
    }
}

/// The comparison that is true where this one is not; of each two, one is given.
fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::NotEqual => Some(BinaryOp::Equal),
        BinaryOp::GreaterEqual => Some(BinaryOp::Less),
        BinaryOp::Greater => Some(BinaryOp::LessEqual),
        _ => None,
    }
}

/// The expression as if it stood nowhere: two such are equal if they say the same in the same way.
fn without_spans(expr: &Expr) -> Expr {
    let boxed = |a: &Expr| Box::new(without_spans(a));
    let all = |list: &[Expr]| list.iter().map(without_spans).collect::<Vec<Expr>>();
    let optional = |a: &Option<Expr>| a.as_ref().map(without_spans);
    let kind = match &expr.kind {
        ExprKind::Read(place) => ExprKind::Read(place_without_spans(place)),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, boxed(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
        ExprKind::Conditional(parts) => ExprKind::Conditional(Box::new(parts.each_ref().map(without_spans))),
        ExprKind::Run(run) => ExprKind::Run(Box::new(Run { arguments: all(&run.arguments), ..**run })),
        ExprKind::Channel(test, a) => ExprKind::Channel(*test, boxed(a)),
        ExprKind::Poll(poll) => {
            let pattern = poll.pattern.iter().map(argument_without_spans).collect();
            ExprKind::Poll(Box::new(Poll { channel: without_spans(&poll.channel), anywhere: poll.anywhere, pattern }))
        }
        ExprKind::Enabled(a) => ExprKind::Enabled(boxed(a)),
        ExprKind::ProgramCounter(a) => ExprKind::ProgramCounter(boxed(a)),
        ExprKind::Priority(a) => ExprKind::Priority(boxed(a)),
        ExprKind::RemoteRead(remote) => {
            let (pid, place) = (optional(&remote.pid), place_without_spans(&remote.place));
            ExprKind::RemoteRead(Box::new(RemoteRead { template: remote.template, pid, place }))
        }
        ExprKind::RemoteAt(remote) => {
            let remote = RemoteAt { pid: optional(&remote.pid), label: String::new(), ..(**remote).clone() };
            ExprKind::RemoteAt(Box::new(remote))
        }
        ExprKind::Const(_)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Accepting
        | ExprKind::Pid
        | ExprKind::ProcessCount
        | ExprKind::LastProcess => expr.kind.clone(),
    };
    Expr { kind, span: Span::default() }
}

fn place_without_spans(place: &Place) -> Place {
    let index = |index: &Index| Index { value: without_spans(&index.value), ..*index };
    Place {
        scope: place.scope,
        first: place.first,
        indices: place.indices.iter().map(index).collect(),
        span: Span::default(),
    }
}

fn argument_without_spans(argument: &ReceiveArg) -> ReceiveArg {
    match argument {
        ReceiveArg::Match(value) => ReceiveArg::Match(without_spans(value)),
        ReceiveArg::Store(place) => ReceiveArg::Store(place_without_spans(place)),
        ReceiveArg::Discard => ReceiveArg::Discard,
    }
}

#[cfg(test)]
mod tests {
    use ample_model::{Scope, SlotId};
    use ample_source::FileId;
    use ample_stdx::TypedId;

    use super::*;

    fn at(place: u32) -> Span {
        Span::new(FileId::default(), place, place + 1)
    }

    fn variable(slot: usize, place: u32) -> Expr {
        let read =
            Place { scope: Scope::Global, first: SlotId::from_index(slot), indices: Vec::new(), span: at(place) };
        Expr { kind: ExprKind::Read(read), span: at(place) }
    }

    fn element(slot: usize, index: Expr) -> Expr {
        let indices = vec![Index { value: index, length: 4, stride: 1, low: 0 }];
        let read = Place { scope: Scope::Global, first: SlotId::from_index(slot), indices, span: at(0) };
        Expr { kind: ExprKind::Read(read), span: at(0) }
    }

    fn operation(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr { span: a.span, kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
    }

    fn formula(expr: Expr) -> Box<Formula> {
        Box::new(Formula::Proposition(expr))
    }

    #[track_caller]
    fn check(formula: Formula, expected: &str, count: usize) {
        let (ltl, propositions) = number_propositions(&formula).unwrap();
        assert_eq!((ltl.to_string(), propositions.len()), (expected.to_owned(), count));
    }

    #[test]
    fn equal_and_opposite_expressions_share_a_proposition() {
        let equal = operation(BinaryOp::Equal, variable(0, 3), Expr::constant(3, at(4)));
        let different = operation(BinaryOp::NotEqual, variable(0, 30), Expr::constant(3, at(40)));
        let until = Formula::Binary(Binary::Until, formula(equal), formula(different));
        check(until, "(p0 U !p0)", 1);
        let less = operation(BinaryOp::Less, variable(0, 1), variable(1, 2));
        let at_least = operation(BinaryOp::GreaterEqual, variable(0, 3), variable(1, 4));
        let both = operation(BinaryOp::And, less, at_least);
        check(Formula::Unary(Unary::Always, formula(both)), "[](p0 && !p0)", 1);
    }

    #[test]
    fn constants_are_no_propositions() {
        check(Formula::Unary(Unary::Eventually, formula(Expr::constant(2, at(0)))), "<>true", 0);
        check(Formula::Unary(Unary::Not, formula(Expr::constant(0, at(0)))), "true", 0);
    }

    #[test]
    fn what_guards_a_part_that_may_fail_stays_with_it() {
        let guard = operation(BinaryOp::Less, variable(0, 1), Expr::constant(4, at(0)));
        let guarded = element(1, variable(0, 2));
        let inside = operation(BinaryOp::And, guard.clone(), guarded.clone());
        check(Formula::Unary(Unary::Always, formula(inside)), "[]p0", 1);
        // The same, when the front end split it.
        let split = Formula::Binary(Binary::And, formula(guard.clone()), formula(guarded));
        check(Formula::Unary(Unary::Always, Box::new(split)), "[]p0", 1);
        let harmless = operation(BinaryOp::And, guard, variable(0, 5));
        check(Formula::Unary(Unary::Always, formula(harmless)), "[](p0 && p1)", 2);
    }

    #[test]
    fn the_sixty_fifth_proposition_is_refused() {
        let all = |count: usize| {
            (0..count)
                .map(|slot| *formula(variable(slot, 0)))
                .reduce(|a, b| Formula::Binary(Binary::Until, Box::new(a), Box::new(b)))
                .unwrap()
        };
        assert_eq!(number_propositions(&all(64)).unwrap().1.len(), 64);
        assert_eq!(number_propositions(&all(65)).err(), Some(NumberingError::TooManyPropositions));
    }
}
