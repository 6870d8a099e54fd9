//! Conjunctions of linear constraints over the integers. First equations are solved, exactly; then
//! branch and cut looks for a solution of what is left, as far as that leads; what it does not
//! settle, the Omega test does, which always ends.

mod branch;
mod constraint;
mod cut;
mod equations;
mod omega;

use crate::meter::Meter;

pub(crate) use constraint::{Constraint, Relation, Verdict};

/// Decides a conjunction. `fresh` is the number of the first variable that nobody uses.
pub(crate) fn decide(constraints: Vec<Constraint>, fresh: u32, meter: &Meter) -> Verdict {
    let reduced = match equations::reduce(constraints, fresh, meter) {
        Ok(reduced) => reduced,
        Err(verdict) => return verdict,
    };
    let verdict = match branch::search(&reduced.inequalities, meter) {
        Some(verdict) => verdict,
        None => omega::decide(reduced.inequalities.clone(), reduced.fresh, meter),
    };
    reduced.complete(verdict)
}

#[cfg(test)]
mod tests;
