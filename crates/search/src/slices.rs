//! Slices: a search that is held from time to time, looked at, and then goes on or is given up.
//!
//! Several searches for one answer can so take turns. A search that is held keeps its store and
//! what is open, each worker at a place between two states; one that is given up ends, and gives
//! its memory back, as if it had been interrupted.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use ample_stdx::lock;

use crate::outcome::Ended;

/// When a search is held, and who is asked then.
#[derive(Copy, Clone)]
pub struct Slices<'a> {
    /// When this many states are expanded for the first time.
    pub first: u64,
    /// Asked then.
    pub holder: &'a dyn Holder,
}

/// Looks at a search that is held, and decides how it goes on.
pub trait Holder: Sync {
    /// Called by one of the workers, while the others wait as soon as they have done what they are
    /// at. The search is held until this returns.
    fn hold(&self, sample: &Sample) -> Next;
}

/// How a search goes on that was held.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Until so many states are expanded, all slices together.
    Until(u64),
    /// To its end.
    ToTheEnd,
    /// Not at all.
    GiveUp,
}

/// How far a search is that is held.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// States expanded, those that were expanded more than once as often.
    pub expanded: u64,
    /// States stored.
    pub states: u64,
    /// Transitions explored.
    pub transitions: u64,
    /// Transitions that a reduction left out.
    pub left_out: u64,
    /// The depth, as it is counted in this order.
    pub depth: u64,
    /// Seconds since the start, those in which the search was held not counted.
    pub seconds: f64,
}

/// The end of the slice that a search is in.
pub(crate) struct Border<'a> {
    holder: Option<&'a dyn Holder>,
    /// So many states are expanded then.
    next: AtomicU64,
    held: Mutex<Held>,
}

/// What is known of the times when a search was held.
#[derive(Default)]
struct Held {
    is_given_up: bool,
    seconds: f64,
}

impl<'a> Border<'a> {
    pub fn of(slices: Option<Slices<'a>>) -> Self {
        let next = AtomicU64::new(slices.map_or(u64::MAX, |slices| slices.first));
        Border { holder: slices.map(|slices| slices.holder), next, held: Mutex::default() }
    }

    #[inline]
    pub fn is_reached(&self, expanded: u64) -> bool {
        expanded >= self.next.load(Ordering::Relaxed)
    }

    /// Holds a worker that has come to the border, until it is known how to go on. `sample` says
    /// how far the search is; `now` gives the seconds since its start.
    #[cold]
    pub fn pass(&self, sample: impl Fn() -> Sample, now: impl Fn() -> f64) -> Result<(), Ended> {
        let mut held = lock(&self.held);
        while !held.is_given_up {
            let sample = sample();
            let Some(holder) = self.holder.filter(|_| self.is_reached(sample.expanded)) else { return Ok(()) };
            let since = now();
            let next = holder.hold(&Sample { seconds: since - held.seconds, ..sample });
            held.seconds += now() - since;
            match next {
                Next::Until(expanded) => self.next.store(expanded, Ordering::Relaxed),
                Next::ToTheEnd => self.next.store(u64::MAX, Ordering::Relaxed),
                Next::GiveUp => held.is_given_up = true,
            }
        }
        Err(Ended::Interrupted)
    }
}
