//! Sums of multiples of variables and of what is not linear, and conditions made of atoms, in one
//! normal form.

use std::collections::BTreeSet;

use ample_solver::{Comparison, Formula, Rounding, Term};

use crate::cell::Cell;

/// What a sum is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Base {
    /// A variable.
    Cell(Cell),
    /// A product of two sums, neither of which is a number.
    Product(Box<[Linear; 2]>),
    /// The first divided by the second.
    Quotient(Rounding, Box<[Linear; 2]>),
    /// What the division leaves.
    Remainder(Rounding, Box<[Linear; 2]>),
    /// The bits that both have.
    BitAnd(Box<[Linear; 2]>),
    /// The first if the condition holds, else the second.
    Conditional(Box<(Condition, Linear, Linear)>),
}

/// A sum of multiples, and a number. Equal sums of the same parts look the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Linear {
    /// In order, without multiples of zero.
    pub parts: Vec<(Base, i128)>,
    pub constant: i128,
}

/// A number that is too large to go on with: whoever gets it says that nothing is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// What takes the place of a variable; nothing if it stays.
pub(crate) type Replace<'r> = &'r dyn Fn(Cell) -> Option<Linear>;

impl Linear {
    pub fn constant(value: impl Into<i128>) -> Linear {
        Linear { parts: Vec::new(), constant: value.into() }
    }

    pub fn of(base: Base) -> Linear {
        Linear { parts: vec![(base, 1)], constant: 0 }
    }

    /// Its value, if it is a number.
    pub fn as_constant(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.constant)
    }

    pub fn plus(&self, other: &Linear, factor: i128) -> Result<Linear, TooLarge> {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut left, mut right) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let own = if order.is_le() { left.next() } else { None };
            let others = if order.is_ge() { right.next() } else { None };
            let Some((base, _)) = own.or(others) else { break };
            let added = others.map_or(Some(0), |(_, by)| by.checked_mul(factor)).ok_or(TooLarge)?;
            let sum = own.map_or(0, |(_, by)| *by).checked_add(added).ok_or(TooLarge)?;
            if sum != 0 {
                parts.push((base.clone(), sum));
            }
        }
        let added = other.constant.checked_mul(factor).ok_or(TooLarge)?;
        Ok(Linear { parts, constant: self.constant.checked_add(added).ok_or(TooLarge)? })
    }

    pub fn minus(&self, other: &Linear) -> Result<Linear, TooLarge> {
        self.plus(other, -1)
    }

    pub fn times(&self, factor: i128) -> Result<Linear, TooLarge> {
        Linear::default().plus(self, factor)
    }

    /// The product, linear if one of the two is a number.
    pub fn product(&self, other: &Linear) -> Result<Linear, TooLarge> {
        match (self.as_constant(), other.as_constant()) {
            (Some(factor), _) => other.times(factor),
            (_, Some(factor)) => self.times(factor),
            _ => {
                let mut pair = [self.clone(), other.clone()];
                pair.sort();
                Ok(Linear::of(Base::Product(Box::new(pair))))
            }
        }
    }

    pub fn quotient(&self, by: &Linear, rounding: Rounding) -> Linear {
        match (self.as_constant(), by.as_constant()) {
            (_, Some(1)) => self.clone(),
            (Some(a), Some(b)) if let Some(value) = quotient(rounding, a, b) => Linear::constant(value),
            _ => Linear::of(Base::Quotient(rounding, Box::new([self.clone(), by.clone()]))),
        }
    }

    pub fn remainder(&self, by: &Linear, rounding: Rounding) -> Linear {
        match (self.as_constant(), by.as_constant()) {
            (_, Some(1)) => Linear::constant(0),
            (Some(a), Some(b)) if let Some(value) = remainder(rounding, a, b) => Linear::constant(value),
            _ => Linear::of(Base::Remainder(rounding, Box::new([self.clone(), by.clone()]))),
        }
    }

    pub fn bit_and(&self, other: &Linear) -> Linear {
        match (self.as_constant(), other.as_constant()) {
            (Some(a), Some(b)) => Linear::constant(a & b),
            (Some(0), _) | (_, Some(0)) => Linear::constant(0),
            _ => {
                let mut pair = [self.clone(), other.clone()];
                pair.sort();
                Linear::of(Base::BitAnd(Box::new(pair)))
            }
        }
    }

    /// The first if the condition holds, else the second.
    pub fn conditional(condition: Condition, yes: Linear, no: Linear) -> Linear {
        match condition {
            Condition::Constant(true) => yes,
            Condition::Constant(false) => no,
            _ if yes == no => yes,
            condition => Linear::of(Base::Conditional(Box::new((condition, yes, no)))),
        }
    }

    /// Its value where each variable has one. Nothing beyond what can be computed with.
    pub fn value(&self, of: &dyn Fn(Cell) -> i128) -> Option<i128> {
        self.parts.iter().try_fold(self.constant, |sum, (base, by)| sum.checked_add(base.value(of)?.checked_mul(*by)?))
    }

    /// The same with something in place of variables.
    pub fn replaced(&self, by: Replace<'_>) -> Result<Linear, TooLarge> {
        let mut sum = Linear::constant(self.constant);
        for (base, factor) in &self.parts {
            sum = sum.plus(&base.replaced(by)?, *factor)?;
        }
        Ok(sum)
    }

    /// The variables that it reads.
    pub fn cells(&self, into: &mut BTreeSet<Cell>) {
        self.parts.iter().for_each(|(base, _)| base.cells(into));
    }

    pub fn term(&self) -> Term {
        let part = |(base, by): &(Base, i128)| match by {
            1 => base.term(),
            _ => Term::Multiple((*by).into(), Box::new(base.term())),
        };
        let mut terms: Vec<Term> = self.parts.iter().map(part).collect();
        if self.constant != 0 || terms.is_empty() {
            terms.push(Term::Constant(self.constant.into()));
        }
        if terms.len() == 1 { terms.remove(0) } else { Term::Sum(terms) }
    }
}

impl Base {
    fn value(&self, of: &dyn Fn(Cell) -> i128) -> Option<i128> {
        match self {
            Base::Cell(cell) => Some(of(*cell)),
            Base::Product(pair) => pair[0].value(of)?.checked_mul(pair[1].value(of)?),
            Base::Quotient(rounding, pair) => quotient(*rounding, pair[0].value(of)?, pair[1].value(of)?),
            Base::Remainder(rounding, pair) => remainder(*rounding, pair[0].value(of)?, pair[1].value(of)?),
            Base::BitAnd(pair) => Some(pair[0].value(of)? & pair[1].value(of)?),
            Base::Conditional(parts) => {
                let (condition, yes, no) = &**parts;
                if condition.holds(of)? { yes.value(of) } else { no.value(of) }
            }
        }
    }

    fn replaced(&self, by: Replace<'_>) -> Result<Linear, TooLarge> {
        let pair = |pair: &[Linear; 2]| Ok((pair[0].replaced(by)?, pair[1].replaced(by)?));
        match self {
            Base::Cell(cell) => Ok(by(*cell).unwrap_or_else(|| Linear::of(self.clone()))),
            Base::Product(parts) => pair(parts).and_then(|(a, b)| a.product(&b)),
            Base::Quotient(rounding, parts) => pair(parts).map(|(a, b)| a.quotient(&b, *rounding)),
            Base::Remainder(rounding, parts) => pair(parts).map(|(a, b)| a.remainder(&b, *rounding)),
            Base::BitAnd(parts) => pair(parts).map(|(a, b)| a.bit_and(&b)),
            Base::Conditional(parts) => {
                let (condition, yes, no) = &**parts;
                match condition.replaced(by)? {
                    Condition::Constant(true) => yes.replaced(by),
                    Condition::Constant(false) => no.replaced(by),
                    condition => Ok(Linear::conditional(condition, yes.replaced(by)?, no.replaced(by)?)),
                }
            }
        }
    }

    pub fn cells(&self, into: &mut BTreeSet<Cell>) {
        match self {
            Base::Cell(cell) => {
                into.insert(*cell);
            }
            Base::Product(pair) | Base::Quotient(_, pair) | Base::Remainder(_, pair) | Base::BitAnd(pair) => {
                pair.iter().for_each(|part| part.cells(into));
            }
            Base::Conditional(parts) => {
                parts.0.cells(into);
                parts.1.cells(into);
                parts.2.cells(into);
            }
        }
    }

    fn term(&self) -> Term {
        let pair = |pair: &[Linear; 2]| Box::new([pair[0].term(), pair[1].term()]);
        match self {
            Base::Cell(cell) => Term::Variable(cell.variable()),
            Base::Product(parts) => Term::Product(pair(parts)),
            Base::Quotient(rounding, parts) => Term::Quotient(*rounding, pair(parts)),
            Base::Remainder(rounding, parts) => Term::Remainder(*rounding, pair(parts)),
            Base::BitAnd(parts) => Term::BitAnd(pair(parts)),
            Base::Conditional(parts) => {
                let condition: Formula = parts.0.formula();
                Term::Conditional(Box::new(condition), Box::new([parts.1.term(), parts.2.term()]))
            }
        }
    }
}

/// A quotient; by zero it is zero, as formulas have it.
fn quotient(rounding: Rounding, a: i128, b: i128) -> Option<i128> {
    match rounding {
        _ if b == 0 => Some(0),
        Rounding::TowardZero => a.checked_div(b),
        Rounding::Down => {
            let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
            if rest != 0 && (rest < 0) != (b < 0) { quotient.checked_sub(1) } else { Some(quotient) }
        }
        Rounding::Euclidean => a.checked_div_euclid(b),
    }
}

fn remainder(rounding: Rounding, a: i128, b: i128) -> Option<i128> {
    a.checked_sub(quotient(rounding, a, b)?.checked_mul(b)?)
}

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
        self.decided(&|atom| atom.holds(of))
    }

    /// Whether it is true by what is known of atoms.
    pub fn decided(&self, known: &dyn Fn(&Atom) -> Option<bool>) -> Option<bool> {
        match self {
            Condition::Constant(value) => Some(*value),
            Condition::Atom(atom) => known(atom),
            Condition::Not(inner) => inner.decided(known).map(|value| !value),
            Condition::All(parts) => decided_unless(false, parts, known),
            Condition::Any(parts) => decided_unless(true, parts, known),
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

/// The contrary of `decisive` if that is the value of all parts; `decisive` if it is that of one.
fn decided_unless(decisive: bool, parts: &[Condition], known: &dyn Fn(&Atom) -> Option<bool>) -> Option<bool> {
    let mut value = Some(!decisive);
    for part in parts {
        match part.decided(known) {
            Some(part) if part == decisive => return Some(decisive),
            Some(_) => {}
            None => value = None,
        }
    }
    value
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
