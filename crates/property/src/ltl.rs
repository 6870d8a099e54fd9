//! Formulas over numbered propositions: what the theory works on.

use std::fmt;

use ample_stdx::{TypedId, typed_id};

use crate::{Binary, Formula, Unary};

typed_id! {
    /// Names a proposition: a bit of a letter.
    pub struct PropositionId;
}

/// A letter: the set of the propositions that are true, one bit each.
pub type Letter = u64;

impl PropositionId {
    /// Whether the proposition is true in the letter; one beyond its bits is not.
    pub fn is_in(self, letter: Letter) -> bool {
        u32::try_from(self.index()).ok().and_then(|bit| letter.checked_shr(bit)).is_some_and(|rest| rest & 1 == 1)
    }
}

/// How many propositions a formula or an automaton can have: the bits of a [`Letter`].
pub const MAX_PROPOSITIONS: usize = 64;

/// A formula over numbered propositions. Implication and equivalence are written with the other
/// operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ltl {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// The proposition is true now.
    Proposition(PropositionId),
    /// It does not hold.
    Not(Box<Ltl>),
    /// Both hold.
    And(Box<Ltl>, Box<Ltl>),
    /// One of the two holds.
    Or(Box<Ltl>, Box<Ltl>),
    /// It holds in the next moment.
    Next(Box<Ltl>),
    /// It holds now or later.
    Eventually(Box<Ltl>),
    /// It holds now and ever after.
    Always(Box<Ltl>),
    /// The second holds now or later, and until then the first.
    Until(Box<Ltl>, Box<Ltl>),
    /// Like until, but the second need never hold if the first always does.
    WeakUntil(Box<Ltl>, Box<Ltl>),
    /// The second holds up to and with the moment where the first does, which need never come.
    Release(Box<Ltl>, Box<Ltl>),
    /// Like release, but the first must hold at some time.
    StrongRelease(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    /// The proposition with this number.
    pub fn proposition(index: usize) -> Ltl {
        Ltl::Proposition(PropositionId::from_index(index))
    }

    /// The negation; a double one is dropped.
    #[must_use]
    pub fn negated(self) -> Ltl {
        match self {
            Ltl::True => Ltl::False,
            Ltl::False => Ltl::True,
            Ltl::Not(operand) => *operand,
            other => Ltl::Not(Box::new(other)),
        }
    }

    /// The formula with its propositions numbered by `number`. May be far larger than the formula:
    /// see [`size()`].
    pub(crate) fn from_formula<P, E>(
        formula: &Formula<P>,
        number: &mut dyn FnMut(&P) -> Result<Ltl, E>,
    ) -> Result<Ltl, E> {
        Ok(match formula {
            Formula::Proposition(proposition) => number(proposition)?,
            Formula::Unary(op, operand) => {
                let operand = Box::new(Ltl::from_formula(operand, number)?);
                match op {
                    Unary::Not => operand.negated(),
                    Unary::Next => Ltl::Next(operand),
                    Unary::Always => Ltl::Always(operand),
                    Unary::Eventually => Ltl::Eventually(operand),
                }
            }
            Formula::Binary(op, left, right) => {
                let left = Box::new(Ltl::from_formula(left, number)?);
                let right = Box::new(Ltl::from_formula(right, number)?);
                match op {
                    Binary::And => Ltl::And(left, right),
                    Binary::Or => Ltl::Or(left, right),
                    Binary::Implies => Ltl::Or(Box::new(left.negated()), right),
                    Binary::Equivalent => Ltl::equivalent(*left, *right),
                    Binary::Until => Ltl::Until(left, right),
                    Binary::WeakUntil => Ltl::WeakUntil(left, right),
                    Binary::Release => Ltl::Release(left, right),
                    Binary::StrongRelease => Ltl::StrongRelease(left, right),
                }
            }
        })
    }

    /// Both hold or neither does.
    fn equivalent(left: Ltl, right: Ltl) -> Ltl {
        let both = Ltl::And(Box::new(left.clone()), Box::new(right.clone()));
        let neither = Ltl::And(Box::new(left.negated()), Box::new(right.negated()));
        Ltl::Or(Box::new(both), Box::new(neither))
    }

    /// The operands.
    fn operands(&self) -> Vec<&Ltl> {
        match self {
            Ltl::True | Ltl::False | Ltl::Proposition(_) => Vec::new(),
            Ltl::Not(a) | Ltl::Next(a) | Ltl::Eventually(a) | Ltl::Always(a) => vec![a],
            Ltl::And(a, b)
            | Ltl::Or(a, b)
            | Ltl::Until(a, b)
            | Ltl::WeakUntil(a, b)
            | Ltl::Release(a, b)
            | Ltl::StrongRelease(a, b) => vec![a, b],
        }
    }

    /// Whether the operator of the next moment occurs. A formula without it is stutter invariant.
    pub fn has_next(&self) -> bool {
        matches!(self, Ltl::Next(_)) || self.operands().into_iter().any(Ltl::has_next)
    }

    /// How many operators and propositions there are.
    pub fn size(&self) -> usize {
        self.operands().into_iter().map(Ltl::size).sum::<usize>() + 1
    }

    /// One more than the largest number of a proposition.
    pub fn proposition_count(&self) -> usize {
        let own = match self {
            Ltl::Proposition(id) => id.index() + 1,
            _ => 0,
        };
        self.operands().into_iter().map(Ltl::proposition_count).fold(own, usize::max)
    }

    /// The formula as text, its propositions written as `names` says. The parser of this crate
    /// reads it back.
    pub fn display<'f>(&'f self, names: &'f dyn Fn(PropositionId) -> String) -> impl fmt::Display + 'f {
        Shown { formula: self, names }
    }
}

/// The size of the formula once implications and equivalences are gone. An equivalence doubles its
/// operands.
pub(crate) fn size<P>(formula: &Formula<P>) -> usize {
    match formula {
        Formula::Proposition(_) => 1,
        Formula::Unary(_, a) => size(a).saturating_add(1),
        Formula::Binary(Binary::Equivalent, a, b) => {
            size(a).saturating_add(size(b)).saturating_mul(2).saturating_add(5)
        }
        Formula::Binary(Binary::Implies, a, b) => size(a).saturating_add(size(b)).saturating_add(2),
        Formula::Binary(_, a, b) => size(a).saturating_add(size(b)).saturating_add(1),
    }
}

/// The largest size of a formula that is translated.
pub const MAX_SIZE: usize = 2_000;

impl fmt::Display for Ltl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.display(&|id| format!("p{}", id.index())))
    }
}

struct Shown<'f> {
    formula: &'f Ltl,
    names: &'f dyn Fn(PropositionId) -> String,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |formula: &Ltl| Shown { formula, names: self.names }.to_string();
        let unary = |f: &mut fmt::Formatter<'_>, op: &str, a: &Ltl| write!(f, "{op}{}", inner(a));
        let binary =
            |f: &mut fmt::Formatter<'_>, a: &Ltl, op: &str, b: &Ltl| write!(f, "({} {op} {})", inner(a), inner(b));
        match self.formula {
            Ltl::True => f.write_str("true"),
            Ltl::False => f.write_str("false"),
            Ltl::Proposition(id) => f.write_str(&(self.names)(*id)),
            Ltl::Not(a) => unary(f, "!", a),
            Ltl::Next(a) => unary(f, "X ", a),
            Ltl::Eventually(a) => unary(f, "<>", a),
            Ltl::Always(a) => unary(f, "[]", a),
            Ltl::And(a, b) => binary(f, a, "&&", b),
            Ltl::Or(a, b) => binary(f, a, "||", b),
            Ltl::Until(a, b) => binary(f, a, "U", b),
            Ltl::WeakUntil(a, b) => binary(f, a, "W", b),
            Ltl::Release(a, b) => binary(f, a, "R", b),
            Ltl::StrongRelease(a, b) => binary(f, a, "M", b),
        }
    }
}
