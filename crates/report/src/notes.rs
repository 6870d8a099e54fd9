//! What a reader of an answer should know besides.

use ample_check::PropertyOutcome;
use ample_model::{BinaryOp, Expr, ExprKind};
use ample_property::{Binary, Formula, Unary};

use crate::Subject;

/// The notes on a property, each a sentence.
pub(crate) fn of(subject: &Subject<'_>, property: &PropertyOutcome) -> Vec<String> {
    let vacuous = property.never_true.iter().map(|condition| {
        format!("`{}` holds vacuously: `{}` is never true", property.name, formula(subject, condition))
    });
    let limit = property.value_limit.iter().map(|limit| {
        let place = subject.place(limit.span);
        format!("a value is beyond 64 bits at {place}: the move is not taken, and what comes after it is not known")
    });
    property.notes.iter().cloned().chain(vacuous).chain(limit).collect()
}

/// A formula without temporal operators, its propositions as they are written.
fn formula(subject: &Subject<'_>, part: &Formula) -> String {
    let inner = |part: &Formula| match part {
        Formula::Binary(..) => format!("({})", formula(subject, part)),
        _ => formula(subject, part),
    };
    match part {
        Formula::Proposition(expr) => expression(subject, expr),
        Formula::Unary(op, a) => format!("{}{}", if *op == Unary::Not { "!" } else { "" }, inner(a)),
        Formula::Binary(op, a, b) => {
            let sign = match op {
                Binary::And => "&&",
                Binary::Or => "||",
                Binary::Equivalent => "<->",
                _ => "->",
            };
            format!("{} {sign} {}", inner(a), inner(b))
        }
    }
}

/// An expression as it is written. Its parts may come from different macros, which are named; one
/// that has all of them is named once.
fn expression(subject: &Subject<'_>, expr: &Expr) -> String {
    if let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) = &expr.kind {
        let (sign, other) = if *op == BinaryOp::And { ("&&", " || ") } else { ("||", " && ") };
        let side = |part: &Expr| {
            let text = expression(subject, part);
            if text.contains(other) { format!("({text})") } else { text }
        };
        let (left, right) = (side(a), side(b));
        return if left == right { left } else { format!("{left} {sign} {right}") };
    }
    let text = subject.sources.text(subject.sources.reading_span(expr.span));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
