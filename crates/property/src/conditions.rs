//! What implications ask for: a formula such as `[](request -> <> reply)` is true of every run on
//! which there is never a request, and whoever wrote it wants to know that (vacuity in its simplest
//! form; Beer, Ben-David, Eisner, Rodeh, CAV 1997).

use ample_model::Expr;

use crate::ltl::{Letter, Ltl};
use crate::propositions::{Numbering, join};
use crate::{Binary, Formula, NumberingError, Unary};

/// The left side of an implication that a formula demands of every state.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is, for people.
    pub formula: Formula,
    /// What it is over numbered propositions. It has no temporal operator.
    ltl: Ltl,
}

impl Condition {
    /// Whether it is true where these propositions are.
    pub fn is_true(&self, letter: Letter) -> bool {
        is_true(&self.ltl, letter)
    }
}

/// The left sides of the implications in a formula `[](… -> …)` or a conjunction of such, over the
/// numbers that [`number_propositions`](crate::number_propositions) gives. There is none in other
/// formulas: whoever looks for a run that violates them need not look at every state. Neither is
/// there one where propositions are not taken apart because they may have no value.
pub fn conditions(formula: &Formula) -> Result<Vec<Condition>, NumberingError> {
    let joined = join(formula);
    if !is_always(&joined) {
        return Ok(Vec::new());
    }
    let mut numbering = Numbering::default();
    let mut number = |expr: &Expr| numbering.number(expr);
    Ltl::from_formula(&joined, &mut number)?;
    let mut found = Vec::new();
    collect(&joined, &mut found);
    let condition =
        |formula: &Formula| Ok(Condition { formula: formula.clone(), ltl: Ltl::from_formula(formula, &mut number)? });
    found.into_iter().map(condition).collect()
}

/// Whether the formula demands something of every state and nothing else.
fn is_always(formula: &Formula) -> bool {
    match formula {
        Formula::Unary(Unary::Always, _) => true,
        Formula::Binary(Binary::And, a, b) => is_always(a) && is_always(b),
        _ => false,
    }
}

/// The left sides of implications that are demanded, one inside the other.
fn collect<'f>(formula: &'f Formula, found: &mut Vec<&'f Formula>) {
    match formula {
        Formula::Unary(Unary::Always | Unary::Next, a) => collect(a, found),
        Formula::Binary(Binary::And, a, b) => {
            collect(a, found);
            collect(b, found);
        }
        Formula::Binary(Binary::Implies, condition, then) => {
            if is_propositional(condition) {
                found.push(condition);
            }
            collect(then, found);
        }
        _ => {}
    }
}

fn is_propositional(formula: &Formula) -> bool {
    match formula {
        Formula::Proposition(_) => true,
        Formula::Unary(op, a) => *op == Unary::Not && is_propositional(a),
        Formula::Binary(op, a, b) => {
            let is_boolean = matches!(op, Binary::And | Binary::Or | Binary::Implies | Binary::Equivalent);
            is_boolean && is_propositional(a) && is_propositional(b)
        }
    }
}

fn is_true(ltl: &Ltl, letter: Letter) -> bool {
    match ltl {
        Ltl::True => true,
        Ltl::Proposition(id) => id.is_in(letter),
        Ltl::Not(a) => !is_true(a, letter),
        Ltl::And(a, b) => is_true(a, letter) && is_true(b, letter),
        Ltl::Or(a, b) => is_true(a, letter) || is_true(b, letter),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use ample_model::{ExprKind, Place, Scope, SlotId};
    use ample_source::Span;
    use ample_stdx::TypedId;

    use super::*;

    /// A variable as a proposition.
    fn p(number: usize) -> Box<Formula> {
        let (span, first) = (Span::default(), SlotId::from_index(number));
        let place = Place { scope: Scope::Global, first, indices: Vec::new(), span };
        Box::new(Formula::Proposition(Expr { kind: ExprKind::Read(place), span }))
    }

    fn always(a: Box<Formula>) -> Box<Formula> {
        Box::new(Formula::Unary(Unary::Always, a))
    }

    fn eventually(a: Box<Formula>) -> Box<Formula> {
        Box::new(Formula::Unary(Unary::Eventually, a))
    }

    fn both(op: Binary, a: Box<Formula>, b: Box<Formula>) -> Box<Formula> {
        Box::new(Formula::Binary(op, a, b))
    }

    /// For each condition, the letters of two propositions in which it is true.
    #[track_caller]
    fn check(formula: Box<Formula>, expected: &[&[Letter]]) {
        let conditions = conditions(&formula).unwrap();
        let letters = |condition: &Condition| (0..4).filter(|letter| condition.is_true(*letter)).collect();
        assert_eq!(conditions.iter().map(letters).collect::<Vec<Vec<Letter>>>(), expected);
    }

    #[test]
    fn the_left_sides_of_what_is_demanded_of_every_state() {
        check(always(both(Binary::Implies, p(0), eventually(p(1)))), &[&[1, 3]]);
        check(always(both(Binary::Implies, p(0), p(1))), &[&[1, 3]]);
        let nested = both(Binary::Implies, p(0), always(both(Binary::Implies, p(1), eventually(p(0)))));
        check(always(nested), &[&[1, 3], &[2, 3]]);
        let and = both(Binary::And, p(0), p(1));
        check(both(Binary::And, always(both(Binary::Implies, and, p(0))), always(p(1))), &[&[3]]);
    }

    #[test]
    fn not_every_state_need_be_looked_at_for_other_formulas() {
        check(both(Binary::Implies, p(0), always(p(1))), &[]);
        check(both(Binary::And, p(0), always(both(Binary::Implies, p(1), p(0)))), &[]);
        check(eventually(always(both(Binary::Implies, p(0), p(1)))), &[]);
        check(always(both(Binary::Implies, eventually(p(0)), p(1))), &[]);
    }
}
