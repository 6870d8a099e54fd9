//! Conjunctions of linear constraints over the integers. First equations are solved, exactly; then
//! branch and cut looks for a solution of what is left, as far as that leads. What it does not
//! settle is split where a form has few values, or left to the Omega test, which always ends.

mod branch;
mod constraint;
mod cut;
mod equations;
mod omega;
mod split;

use crate::meter::Meter;

use constraint::union;
pub(crate) use constraint::{Constraint, Relation, Verdict};

/// Decides a conjunction. `fresh` is the number of the first variable that nobody uses.
pub(crate) fn decide(constraints: Vec<Constraint>, fresh: u32, meter: &Meter) -> Verdict {
    let reduced = match equations::reduce(constraints, fresh, meter) {
        Ok(reduced) => reduced,
        Err(verdict) => return verdict,
    };
    let inequalities = &reduced.inequalities;
    let verdict = branch::search(inequalities, branch::SHORT, meter)
        .or_else(|| by_slab(inequalities, reduced.fresh, meter))
        .or_else(|| branch::search(inequalities, branch::LONG, meter))
        .unwrap_or_else(|| omega::decide(inequalities.clone(), reduced.fresh, meter));
    reduced.complete(verdict)
}

/// One value of the thinnest slab after the other; nothing if none is thin.
fn by_slab(inequalities: &[Constraint], fresh: u32, meter: &Meter) -> Option<Verdict> {
    let slab = split::thinnest(inequalities)?;
    let mut conflict = slab.origins;
    for equation in slab.equations {
        let with = inequalities.iter().cloned().chain([equation]).collect();
        match decide(with, fresh, meter) {
            Verdict::Conflict(origins) => conflict = union(&conflict, &origins),
            found => return Some(found),
        }
    }
    Some(Verdict::Conflict(conflict))
}

#[cfg(test)]
mod tests;
