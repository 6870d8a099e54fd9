//! Taking a variable out of a formula: D. C. Cooper, Theorem Proving in Arithmetic without
//! Multiplication, Machine Intelligence 7, 1972.
//!
//! A variable whose coefficients are all one either may be as small as it likes, where only
//! divisibility counts, or is close above a lower bound: finitely many cases, none of which is
//! about the variable. (Or as large as it likes, or close below an upper bound: whichever are
//! fewer.)

use crate::formula::{Formula, Proposition, Symbol, Term, Variable};
use crate::linear::Linear;
use crate::meter::{Meter, Steps};
use crate::normal::{Atom, Form, Literal, Normal};
use crate::normalize::Normalizer;
use crate::number::{Integer, abs, is_negative, lcm};

/// A formula that is true where there is a value of the symbol with which this one is. Nothing if
/// it is not linear, or would be too large.
pub fn eliminate(formula: &Formula, symbol: Symbol, steps: Steps) -> Option<Formula> {
    let mut normalizer = Normalizer::for_formula(formula);
    if !normalizer.has_room() {
        return None;
    }
    let normal = normalizer.normal_form(formula);
    if !normalizer.is_exact() {
        return None;
    }
    let meter = Meter::new(steps);
    let mut normal = match symbol {
        Symbol::Variable(variable) => without_variable(variable, &normal, &meter)?,
        Symbol::Proposition(proposition) => without_proposition(proposition, &normal),
    };
    // What stood for quotients and the like has to go, too: there is one value for it.
    let own = Normalizer::for_formula(formula);
    for fresh in (own.variables()..normalizer.variables()).rev() {
        normal = without_variable(Variable(fresh), &normal, &meter)?;
    }
    for fresh in own.propositions()..normalizer.propositions() {
        normal = without_proposition(Proposition(fresh), &normal);
    }
    Some(written(&normal))
}

fn without_proposition(proposition: Proposition, normal: &Normal) -> Normal {
    let with = |value: bool| {
        map(normal, &|literal| match literal.atom {
            Atom::Proposition(own) if own == proposition => Normal::Constant(value == literal.is_positive),
            _ => Normal::Literal(literal.clone()),
        })
    };
    Normal::any([with(true), with(false)])
}

fn without_variable(variable: Variable, normal: &Normal, meter: &Meter) -> Option<Normal> {
    if !occurs(variable, normal) {
        return Some(normal.clone());
    }
    if !meter.spend(1 + normal.size()) {
        return None;
    }
    match normal {
        Normal::Any(parts) => {
            let parts: Option<Vec<Normal>> = parts.iter().map(|part| without_variable(variable, part, meter)).collect();
            Some(Normal::any(parts?))
        }
        Normal::All(parts) => {
            let (about, others): (Vec<Normal>, Vec<Normal>) =
                parts.iter().cloned().partition(|part| occurs(variable, part));
            let projected = match about.iter().find_map(|part| equation(variable, part)) {
                Some((by, value)) => Some(solved(variable, &by, &value, &Normal::all(about))),
                None => projected(variable, &Normal::all(about), meter),
            };
            Some(Normal::all(others.into_iter().chain([projected?])))
        }
        other => projected(variable, other, meter),
    }
}

/// An equation `by · x = value` of the variable, with a positive `by`.
fn equation(variable: Variable, part: &Normal) -> Option<(Integer, Linear)> {
    let Normal::Literal(Literal { atom: Atom::Equal(form, value), is_positive: true }) = part else { return None };
    let linear = shifted(form, value);
    let by = linear.coefficient(variable);
    let rest = linear.without(variable);
    if is_negative(&by) { Some((-by, rest)) } else { Some((by, rest.negated())) }
}

/// The formula where `by · x` is the value.
fn solved(variable: Variable, by: &Integer, value: &Linear, normal: &Normal) -> Normal {
    let with_unit = map(normal, &|literal| with_coefficient(variable, by, literal));
    let replaced = map(&with_unit, &|literal| substituted(variable, value, literal));
    Normal::all([Normal::divides(by, value), replaced])
}

/// Cooper's theorem.
fn projected(variable: Variable, normal: &Normal, meter: &Meter) -> Option<Normal> {
    let mut common = Integer::ONE;
    visit(normal, &mut |literal| {
        let by = linear_of(literal).map(|linear| linear.coefficient(variable)).unwrap_or_default();
        if !by.is_zero() {
            common = lcm(&common, &by);
        }
    });
    let unit = map(normal, &|literal| with_coefficient(variable, &common, literal));
    let unit = Normal::all([Normal::divides(&common, &variable.into()), unit]);
    let mut period = Integer::ONE;
    let mut ends = [Vec::new(), Vec::new()];
    visit(&unit, &mut |literal| {
        if let Some((side, end)) = end_of(variable, literal) {
            match side {
                Some(side) => ends[side as usize].push(end),
                None => {
                    let shift = if literal.is_positive { Integer::ONE } else { Integer::ZERO };
                    ends[Side::Below as usize].push(end.clone().plus_constant(&-&shift));
                    ends[Side::Above as usize].push(end.plus_constant(&shift));
                }
            }
        } else if let Atom::Divides(by, linear) = &literal.atom
            && !linear.coefficient(variable).is_zero()
        {
            period = lcm(&period, by);
        }
    });
    ends.iter_mut().for_each(|ends| {
        ends.sort_unstable();
        ends.dedup();
    });
    let side = if ends[0].len() <= ends[1].len() { Side::Below } else { Side::Above };
    let direction = if side == Side::Below { Integer::ONE } else { Integer::NEG_ONE };
    let far = map(&unit, &|literal| at_infinity(variable, side, literal));
    let mut cases = Vec::new();
    let mut offset = Integer::ONE;
    while offset <= period {
        let distance = &offset * &direction;
        let mut put = |normal: &Normal, value: &Linear| {
            let case = map(normal, &|literal| substituted(variable, value, literal));
            let is_true = case == Normal::Constant(true);
            cases.push(case);
            (meter.spend(1 + unit.size()), is_true)
        };
        let at_far = put(&far, &distance.clone().into());
        let at_ends = ends[side as usize].iter().map(|end| put(&unit, &end.clone().plus_constant(&distance)));
        for (has_steps, is_true) in [at_far].into_iter().chain(at_ends.collect::<Vec<_>>()) {
            if is_true {
                return Some(Normal::Constant(true));
            }
            if !has_steps {
                return None;
            }
        }
        offset += Integer::ONE;
    }
    Some(Normal::any(cases))
}

/// From where the variable comes.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Side {
    /// From below: the ends are the numbers before lower bounds.
    Below = 0,
    /// From above: those after upper bounds.
    Above = 1,
}

/// The number before a lower bound, that after an upper one, or the one that an equation is about.
fn end_of(variable: Variable, literal: &Literal) -> Option<(Option<Side>, Linear)> {
    if matches!(literal.atom, Atom::Divides(..) | Atom::Proposition(_)) {
        return None;
    }
    let linear = linear_of(literal)?;
    let by = linear.coefficient(variable);
    if by.is_zero() {
        return None;
    }
    let rest = linear.without(variable);
    // x + rest ≤ 0 ends at −rest; −x + rest ≤ 0 begins at rest.
    let (end, side) = if is_negative(&by) { (rest, Side::Below) } else { (rest.negated(), Side::Above) };
    match (&literal.atom, side) {
        (Atom::Equal(..), _) => Some((None, end)),
        (_, Side::Below) => Some((Some(Side::Below), end.plus_constant(&Integer::NEG_ONE))),
        (_, Side::Above) => Some((Some(Side::Above), end.plus_constant(&Integer::ONE))),
    }
}

/// What the literal is where the variable is far beyond all ends on this side.
fn at_infinity(variable: Variable, side: Side, literal: &Literal) -> Normal {
    match end_of(variable, literal) {
        None => Normal::Literal(literal.clone()),
        Some((None, _)) => Normal::Constant(!literal.is_positive),
        Some((Some(end), _)) => Normal::Constant(end != side),
    }
}

/// The sum that is at most zero, or zero, or divided, where the literal is about numbers.
fn linear_of(literal: &Literal) -> Option<Linear> {
    match &literal.atom {
        Atom::Proposition(_) => None,
        Atom::AtMost(form, limit) if literal.is_positive => Some(shifted(form, limit)),
        Atom::AtMost(form, limit) => Some(shifted(form, &(limit + Integer::ONE)).negated()),
        Atom::Equal(form, value) => Some(shifted(form, value)),
        Atom::Divides(_, linear) => Some(linear.clone()),
    }
}

fn shifted(form: &Form, value: &Integer) -> Linear {
    Linear { terms: form.clone(), constant: -value }
}

/// The literal about a sum instead of its own.
fn about(literal: &Literal, linear: &Linear, times: &Integer) -> Normal {
    match &literal.atom {
        Atom::Proposition(_) => Normal::Literal(literal.clone()),
        Atom::AtMost(..) => Normal::at_most_zero(linear),
        Atom::Equal(..) if literal.is_positive => Normal::is_zero(linear),
        Atom::Equal(..) => Normal::is_zero(linear).negated(),
        Atom::Divides(by, _) if literal.is_positive => Normal::divides(&(by * times), linear),
        Atom::Divides(by, _) => Normal::divides(&(by * times), linear).negated(),
    }
}

/// The literal multiplied so that the variable has this coefficient, or the same negative; then the
/// variable stands for that multiple of what it was.
fn with_coefficient(variable: Variable, common: &Integer, literal: &Literal) -> Normal {
    let Some(linear) = linear_of(literal) else { return Normal::Literal(literal.clone()) };
    let by = linear.coefficient(variable);
    if by.is_zero() {
        return Normal::Literal(literal.clone());
    }
    // The common multiple of an equation may be no multiple of this coefficient: then both are
    // multiplied.
    let all = lcm(common, &by);
    let times = &all / abs(&by);
    let rest = linear.without(variable).times(&times);
    let unit = (all / common) * if is_negative(&by) { Integer::NEG_ONE } else { Integer::ONE };
    about(literal, &rest.plus(&unit, &variable.into()), &times)
}

fn substituted(variable: Variable, value: &Linear, literal: &Literal) -> Normal {
    match linear_of(literal) {
        Some(linear) if !linear.coefficient(variable).is_zero() => {
            about(literal, &linear.substitute(variable, value), &Integer::ONE)
        }
        _ => Normal::Literal(literal.clone()),
    }
}

fn occurs(variable: Variable, normal: &Normal) -> bool {
    let mut found = false;
    visit(normal, &mut |literal| {
        found |= linear_of(literal).is_some_and(|linear| !linear.coefficient(variable).is_zero());
    });
    found
}

fn visit(normal: &Normal, visitor: &mut dyn FnMut(&Literal)) {
    match normal {
        Normal::Constant(_) => {}
        Normal::Literal(literal) => visitor(literal),
        Normal::All(parts) | Normal::Any(parts) => parts.iter().for_each(|part| visit(part, visitor)),
    }
}

fn map(normal: &Normal, of: &dyn Fn(&Literal) -> Normal) -> Normal {
    match normal {
        Normal::Constant(value) => Normal::Constant(*value),
        Normal::Literal(literal) => of(literal),
        Normal::All(parts) => Normal::all(parts.iter().map(|part| map(part, of))),
        Normal::Any(parts) => Normal::any(parts.iter().map(|part| map(part, of))),
    }
}

/// As a formula again.
fn written(normal: &Normal) -> Formula {
    let sum = |terms: &Form, constant: &Integer| {
        let term = |(variable, by): &(Variable, Integer)| Term::Multiple(by.clone(), Box::new((*variable).into()));
        Term::Sum(terms.iter().map(term).chain([constant.clone().into()]).collect())
    };
    match normal {
        Normal::Constant(value) => Formula::Constant(*value),
        Normal::All(parts) => Formula::All(parts.iter().map(written).collect()),
        Normal::Any(parts) => Formula::Any(parts.iter().map(written).collect()),
        Normal::Literal(Literal { atom, is_positive }) => {
            let formula = match atom {
                Atom::Proposition(proposition) => Formula::Proposition(*proposition),
                Atom::AtMost(form, limit) => sum(form, &Integer::ZERO).at_most(limit.clone()),
                Atom::Equal(form, value) => sum(form, &Integer::ZERO).equals(value.clone()),
                Atom::Divides(by, linear) => sum(&linear.terms, &linear.constant).is_multiple_of(by.clone()),
            };
            if *is_positive { formula } else { formula.negated() }
        }
    }
}
