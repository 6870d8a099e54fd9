//! Zones: sets of valuations of clocks that are described by bounds of clocks and of their
//! differences, as difference bound matrices.
//!
//! A zone is closed and not empty between two operations: each of its bounds is as small as the
//! others imply, so that zones are equal where their matrices are (Dill, Timing assumptions and
//! verification of finite-state concurrent systems, 1989; Bengtsson and Yi, Timed automata:
//! semantics, algorithms and tools, 2004).
//!
//! Invariants: no operation allocates; a bound that does not fit is an [`Overflow`], never a wrong
//! zone; time and locations are not known here, so that who knows them decides which operation
//! comes after which.
//!
//! ```
//! use ample_zones::{ClockId, Constraint, Zone};
//! use ample_stdx::TypedId;
//!
//! let [x, y] = [1, 2].map(ClockId::from_index);
//! let mut zone = Zone::at_zero(2);
//! // Time passes; x is set to zero when y is at least 3, and then is no more than 1.
//! zone.delay();
//! assert!(zone.constrain(Constraint::at_least(y, 3)?)?);
//! zone.set(x, 0)?;
//! zone.delay();
//! assert!(zone.constrain(Constraint::at_most(x, 1)?)?);
//! // So y is ahead of x by 3 or more.
//! assert!(!zone.clone().constrain(Constraint::difference_less(y, x, 3)?)?);
//! # Ok::<(), ample_zones::Overflow>(())
//! ```

mod bound;
mod clock_bounds;
mod closure;
mod combine;
mod constraint;
mod delay;
mod extrapolate;
mod minimal;
mod set;
mod simulation;
mod zone;

pub use bound::{Bound, Overflow};
pub use clock_bounds::ClockBounds;
pub use constraint::Constraint;
pub use extrapolate::Extrapolation;
pub use zone::{ClockId, Zone};
