//! Conjunctions of linear inequalities over the rationals, by the general simplex method: B.
//! Dutertre and L. de Moura, A Fast Linear-Arithmetic Solver for DPLL(T), CAV 2006.
//!
//! Bounds are asserted one by one and taken back in the reverse order; a conflict is explained by
//! the bounds of one row.

mod bounds;
mod tableau;

pub(crate) use bounds::{Bound, Column, Reason, Side};
pub(crate) use tableau::{Feasibility, Tableau};
