//! Whether a formula without quantifiers, about integers without bound and truth values, has a
//! solution.
//!
//! A [`Solver`] is asked with a [`Formula`] and so many [`Steps`]; its [`Answer`] is that there is
//! no solution, one that was tried, or that it did not find out. [`Embedded`] needs nothing
//! installed; [`External`] is a program that understands SMT-LIB; [`Both`] compares two; [`Cached`]
//! remembers; [`Kept`] writes down what was asked. [`eliminate`] takes a variable out of a formula.
//!
//! ```text
//! Formula ──normalize──▶ Normal ──clauses──▶ truth values (batsat)
//!                           │                     │ literals        ▲ conflicts
//!                        cooper                theory ──▶ simplex ──┤
//!                                                 └─────▶ integers ─┘
//! ```
//!
//! Linear arithmetic is decided if the steps last, with `/` and `%` by constants, if-then-else,
//! divisibility, and operators on bits of what is bounded. Of a product of variables instances are
//! known; so such a formula may stay [`Answer::Unknown`].
//!
//! Invariants: no answer depends on time or on the machine; every
//! solution is evaluated before it is believed; every lemma about what is not linear is true, so
//! that [`Answer::Unsat`] is right whatever is left open.
//!
//! ```
//! use ample_solver::{Answer, Embedded, Formula, Rounding, Solver, Steps, Term, Variable};
//!
//! let x = || Term::from(Variable(0));
//! // x % 4 = 3 and x % 6 = 2: the one is odd, the other even.
//! let odd = x().remainder_by(4, Rounding::Down).equals(3);
//! let even = x().remainder_by(6, Rounding::Down).equals(2);
//! assert_eq!(Embedded.check(&odd.and(even), Steps::default()).unwrap(), Answer::Unsat);
//! // 3x = 2y + 1 has solutions.
//! let y = || Term::from(Variable(1));
//! let equation = Term::Multiple(3.into(), Box::new(x())).equals(Term::Multiple(2.into(), Box::new(y())).plus(1));
//! let Answer::Sat(solution) = Embedded.check(&equation, Steps::default()).unwrap() else { panic!() };
//! assert!(solution.satisfies(&equation));
//! ```

mod answer;
mod both;
mod cache;
mod choice;
mod clauses;
mod cooper;
mod embedded;
mod evaluate;
mod external;
mod formula;
mod implicant;
mod integers;
mod kept;
mod linear;
mod meter;
mod normal;
mod normalize;
mod number;
mod rounding;
mod simplex;
pub mod smtlib;
mod theory;

pub use answer::{Answer, Failure, Solver};
pub use both::Both;
pub use cache::{Cached, Counts};
pub use choice::Choice;
pub use cooper::eliminate;
pub use embedded::Embedded;
pub use evaluate::Assignment;
pub use external::External;
pub use formula::{Comparison, Formula, Proposition, Symbol, Term, Variable};
pub use kept::Kept;
pub use meter::Steps;
pub use number::Integer;
pub use rounding::Rounding;
