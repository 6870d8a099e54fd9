//! Conditions made of atoms, and atoms in one normal form.

use std::collections::BTreeSet;

use ample_solver::{Comparison, Formula, Term};

use crate::cell::Cell;
use crate::linear::{Base, Linear, Replace, TooLarge};

/// How a sum compares with a number.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// `<=`
    AtMost,
    /// `=`
    Equal,
}

/// A sum without a number, compared with one. Its factors have no common divisor, and the first of
/// them is positive; so `x < 3`, `not x >= 3` and `2 * x <= 5` are the same atom.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    pub(crate) parts: Vec<(Base, i128)>,
    pub(crate) relation: Relation,
    pub(crate) bound: i128,
}

/// What is true or false.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Condition {
    Constant(bool),
    Atom(Box<Atom>),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// A conditional term is taken out of an atom if there are no more of them than this.
const MOST_CASES: usize = 8;

impl Condition {
    /// `a <= b`
    pub fn at_most(a: &Linear, b: &Linear) -> Result<Condition, TooLarge> {
        compared(&a.minus(b)?, Relation::AtMost)
    }

    /// `a < b`
    pub fn less(a: &Linear, b: &Linear) -> Result<Condition, TooLarge> {
        Ok(Condition::at_most(b, a)?.negated())
    }

    /// `a = b`
    pub fn equal(a: &Linear, b: &Linear) -> Result<Condition, TooLarge> {
        compared(&a.minus(b)?, Relation::Equal)
    }

    pub fn negated(self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut kept: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::Constant(true) => {}
                Condition::Constant(false) => return part,
                Condition::All(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Condition::Constant(true),
            1 => kept.remove(0),
            _ => Condition::All(kept),
        }
    }

    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
        Condition::all(parts.into_iter().map(Condition::negated)).negated().spread()
    }

    /// A negated conjunction as what it is.
    fn spread(self) -> Condition {
        match self {
            Condition::Not(inner) => match *inner {
                Condition::All(parts) => Condition::Any(parts.into_iter().map(Condition::negated).collect()),
                other => Condition::Not(Box::new(other)),
            },
            other => other,
        }
    }

    /// Whether it is true where each variable has a value. Nothing if that cannot be computed.
    pub fn holds(&self, of: &dyn Fn(Cell) -> i128) -> Option<bool> {
        match self {
            Condition::Constant(value) => Some(*value),
            Condition::Atom(atom) => atom.holds(of),
            Condition::Not(inner) => inner.holds(of).map(|value| !value),
            Condition::All(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match part.holds(of) {
                        Some(false) => return Some(false),
                        None => all = None,
                        Some(true) => {}
                    }
                }
                all
            }
            Condition::Any(parts) => {
                let mut any = Some(false);
                for part in parts {
                    match part.holds(of) {
                        Some(true) => return Some(true),
                        None => any = None,
                        Some(false) => {}
                    }
                }
                any
            }
        }
    }

    /// Whether it is true by what is known of atoms.
    pub fn decided(&self, known: &dyn Fn(&Atom) -> Option<bool>) -> Option<bool> {
        match self {
            Condition::Constant(value) => Some(*value),
            Condition::Atom(atom) => known(atom),
            Condition::Not(inner) => inner.decided(known).map(|value| !value),
            Condition::All(parts) => {
                let decided = parts.iter().map(|part| part.decided(known));
                decided.fold(Some(true), |all, part| match (all, part) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                })
            }
            Condition::Any(parts) => {
                let decided = parts.iter().map(|part| part.decided(known));
                decided.fold(Some(false), |any, part| match (any, part) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                })
            }
        }
    }

    /// The same with something in place of variables.
    pub fn replaced(&self, by: Replace<'_>) -> Result<Condition, TooLarge> {
        Ok(match self {
            Condition::Constant(_) => self.clone(),
            Condition::Atom(atom) => atom.replaced(by)?,
            Condition::Not(inner) => inner.replaced(by)?.negated(),
            Condition::All(parts) => {
                Condition::all(parts.iter().map(|part| part.replaced(by)).collect::<Result<Vec<_>, _>>()?)
            }
            Condition::Any(parts) => {
                Condition::any(parts.iter().map(|part| part.replaced(by)).collect::<Result<Vec<_>, _>>()?)
            }
        })
    }

    /// The variables that it reads.
    pub fn cells(&self, into: &mut BTreeSet<Cell>) {
        self.atoms(&mut |atom| atom.cells(into));
    }

    /// Calls `visit` on each atom, in order, as often as it occurs.
    pub fn atoms<'c>(&'c self, visit: &mut dyn FnMut(&'c Atom)) {
        match self {
            Condition::Constant(_) => {}
            Condition::Atom(atom) => visit(atom),
            Condition::Not(inner) => inner.atoms(visit),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| part.atoms(visit)),
        }
    }

    pub fn formula(&self) -> Formula {
        match self {
            Condition::Constant(value) => Formula::Constant(*value),
            Condition::Atom(atom) => atom.formula(),
            Condition::Not(inner) => inner.formula().negated(),
            Condition::All(parts) => Formula::All(parts.iter().map(Condition::formula).collect()),
            Condition::Any(parts) => Formula::Any(parts.iter().map(Condition::formula).collect()),
        }
    }
}

/// A sum compared with zero, its conditional terms taken out.
fn compared(sum: &Linear, relation: Relation) -> Result<Condition, TooLarge> {
    let is_case = |(base, _): &&(Base, i128)| matches!(base, Base::Conditional(_));
    let cases = sum.parts.iter().filter(is_case).count();
    let Some((Base::Conditional(case), by)) = sum.parts.iter().find(is_case).filter(|_| cases <= MOST_CASES) else {
        return Atom::normal(sum, relation);
    };
    let (condition, yes, no) = &**case;
    let rest = sum.plus(&Linear::of(Base::Conditional(case.clone())), -by)?;
    let (yes, no) = (compared(&rest.plus(yes, *by)?, relation)?, compared(&rest.plus(no, *by)?, relation)?);
    if yes == no {
        return Ok(yes);
    }
    Ok(Condition::any([Condition::all([condition.clone(), yes]), Condition::all([condition.clone().negated(), no])]))
}

impl Atom {
    /// The normal form of a sum compared with zero.
    fn normal(sum: &Linear, relation: Relation) -> Result<Condition, TooLarge> {
        let divisor = sum.parts.iter().fold(0_u128, |divisor, (_, by)| gcd(divisor, by.unsigned_abs()));
        let Some(divisor) = i128::try_from(divisor).ok().filter(|divisor| *divisor > 0) else {
            return Ok(Condition::Constant(match relation {
                Relation::AtMost => sum.constant <= 0,
                Relation::Equal => sum.constant == 0,
            }));
        };
        let bound = sum.constant.checked_neg().ok_or(TooLarge)?;
        let is_negative = sum.parts.first().is_some_and(|(_, by)| *by < 0);
        let sign = if is_negative { -1 } else { 1 };
        let parts: Vec<(Base, i128)> = sum.parts.iter().map(|(base, by)| (base.clone(), by / divisor * sign)).collect();
        let atom = |bound: i128| Condition::Atom(Box::new(Atom { parts, relation, bound }));
        Ok(match (relation, is_negative) {
            (Relation::Equal, _) if bound % divisor != 0 => Condition::Constant(false),
            (Relation::Equal, _) => atom(bound / divisor * sign),
            (Relation::AtMost, false) => atom(bound.div_euclid(divisor)),
            // −S <= k is S >= −k, which is not S <= −k − 1.
            (Relation::AtMost, true) => atom(-bound.div_euclid(divisor) - 1).negated(),
        })
    }

    /// Its sum, less its number.
    fn sum(&self) -> Option<Linear> {
        Some(Linear { parts: self.parts.clone(), constant: self.bound.checked_neg()? })
    }

    pub(crate) fn holds(&self, of: &dyn Fn(Cell) -> i128) -> Option<bool> {
        let sum = Linear { parts: self.parts.clone(), constant: 0 }.value(of)?;
        Some(match self.relation {
            Relation::AtMost => sum <= self.bound,
            Relation::Equal => sum == self.bound,
        })
    }

    pub(crate) fn replaced(&self, by: Replace<'_>) -> Result<Condition, TooLarge> {
        compared(&self.sum().ok_or(TooLarge)?.replaced(by)?, self.relation)
    }

    pub(crate) fn cells(&self, into: &mut BTreeSet<Cell>) {
        self.parts.iter().for_each(|(base, _)| base.cells(into));
    }

    pub(crate) fn formula(&self) -> Formula {
        let sum = Linear { parts: self.parts.clone(), constant: 0 };
        let comparison = match self.relation {
            Relation::AtMost => Comparison::AtMost,
            Relation::Equal => Comparison::Equal,
        };
        Formula::Compare(comparison, Box::new([sum.term(), Term::Constant(self.bound.into())]))
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
