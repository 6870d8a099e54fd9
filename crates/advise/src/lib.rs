//! What each sound reduction would give on a model, measured; which line to use; and what the
//! author could change (Pelánek's thesis, section 3.7: each technique helps on some models only, so
//! that a user should be able to choose).
//!
//! Ways to ask are made from the registries of parts, alone and together. Each is given the first
//! states of its search; how long it will take is guessed as `--reduce auto` does, and what may be
//! over soon goes on to its end ([`survey`]). The best of those that came to an end is recommended
//! ([`choice`]).
//!
//! Invariants: nothing here names a technique; nothing is recommended that is not sound for the
//! property, since a plan that is not is refused before its search.

mod advise;
mod asked;
mod choice;
mod hints;
mod look;
mod neighbours;
mod survey;
mod tried;

pub use advise::{Advice, Advised, advise};
pub use asked::Advise;
pub use hints::Hint;
pub use tried::{Ask, Came, Searched, Tried};
