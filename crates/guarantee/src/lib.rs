//! Property classes, what each part of a search preserves, and the function that decides what an
//! answer means.
//!
//! Every [`Part`] of a search declares a [`Guarantee`]; every [`Property`] declares the classes it
//! needs. The guarantee of a plan's [`Parts`] is the intersection over its parts, and every pair of
//! parts must be compatible. [`decide`] is the only place where a verdict gets its meaning: it
//! refuses a plan, or says what "no error found" and "error found" will stand for.

mod class;
mod composition;
mod decision;
mod pairs;
mod part;
pub mod parts;
mod property;

pub use class::{ClassSet, PropertyClass};
pub use composition::Parts;
pub use decision::{Decision, ErrorFound, NoErrorFound, Refusal, decide, decide_with};
pub use pairs::{Incompatible, PAIRS, Pick};
pub use part::{Guarantee, Omission, Part, PartKind};

pub use property::Property;
