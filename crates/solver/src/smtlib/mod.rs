//! Formulas as SMT-LIB text, and back.

mod expression;
mod read;
mod write;

pub use read::{ReadError, read};
pub(crate) use write::{commands, name};
pub use write::{query, scope};
