//! From a formula to its normal form: what is not linear is replaced by fresh variables, and what
//! defines these is added. A fresh variable has one value for each assignment of the others, so
//! that the definitions may stand beside the formula, whatever its structure.

mod bits;
mod conditionals;
mod divisibility;
mod normalizer;
mod products;
mod quotients;
mod range;
mod ranges;
mod terms;

pub(crate) use normalizer::Normalizer;
