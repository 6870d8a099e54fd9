//! Gomory's mixed integer cuts, all columns being integers: what a solution of the relaxation
//! violates and every integer solution meets. (As in section 4 of Dutertre and de Moura 2006.)

use crate::number::{Integer, Rational, ceil_div, gcd, lcm};
use crate::simplex::{Bound, Column, Reason, Side, Tableau};

/// Coefficients with more bits are not worth it.
const MOST_BITS: usize = 24;

/// The sum is at least the limit, if the bounds with these reasons hold.
pub(crate) struct Cut {
    pub terms: Vec<(Column, Integer)>,
    pub limit: Integer,
    pub reasons: Vec<Reason>,
}

/// A cut from the row of a basic column whose value is no integer.
pub(crate) fn from_row(tableau: &Tableau, column: Column) -> Option<Cut> {
    let fraction = fractional(tableau.value(column));
    let rest = Rational::ONE.minus(&fraction);
    let mut limit = Rational::ONE;
    let mut terms: Vec<(Column, Rational)> = Vec::new();
    let mut reasons = Vec::new();
    for (free, by) in tableau.row(column) {
        let Some((side, bound)) = bound_at_value(tableau, free) else {
            // What is nowhere at a bound may only be multiplied by an integer.
            if by.is_integer() {
                continue;
            }
            return None;
        };
        let by = if side == Side::Low { by.clone() } else { by.negated() };
        let part = fractional(&by);
        if part.is_zero() {
            continue;
        }
        let weight = if part <= rest {
            part.times(&rest.inverse())
        } else {
            Rational::ONE.minus(&part).times(&fraction.inverse())
        };
        // The distance from the bound, times the weight.
        let signed = if side == Side::Low { weight } else { weight.negated() };
        limit = limit.plus(&signed.times(&bound.value));
        terms.push((free, signed));
        reasons.push(bound.reason);
    }
    let common = terms.iter().fold(Integer::ONE, |common, (_, by)| lcm(&common, &by.denominator()));
    let scale = Rational::from(&common);
    let mut scaled: Vec<(Column, Integer)> =
        terms.into_iter().map(|(column, by)| (column, by.times(&scale).floor())).collect();
    let divisor = scaled.iter().fold(Integer::ZERO, |common, (_, by)| gcd(&common, by));
    let most = Integer::ONE << MOST_BITS;
    if divisor.is_zero() || scaled.iter().any(|(_, by)| *by > most || *by < -&most) {
        return None;
    }
    scaled.iter_mut().for_each(|(_, by)| *by = &*by / &divisor);
    let limit = limit.times(&scale);
    let limit = -(limit.negated().floor());
    Some(Cut { terms: scaled, limit: ceil_div(&limit, &divisor), reasons })
}

fn fractional(value: &Rational) -> Rational {
    value.minus(&Rational::from(&value.floor()))
}

/// A bound that the column is at.
fn bound_at_value(tableau: &Tableau, column: Column) -> Option<(Side, &Bound)> {
    let at = |side: Side| {
        let bound = tableau.bounds().get(column, side).filter(|bound| bound.value == *tableau.value(column));
        bound.map(|bound| (side, bound))
    };
    at(Side::Low).or_else(|| at(Side::High))
}
