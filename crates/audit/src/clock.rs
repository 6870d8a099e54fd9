//! The time of an audit.

use std::time::{Duration, Instant};

/// With less than this nothing is begun.
const LEAST: Duration = Duration::from_millis(10);

/// When an audit has to end.
#[derive(Copy, Clone)]
pub(crate) struct Clock {
    pub end: Option<Instant>,
}

impl Clock {
    /// What is left, if there is an end.
    pub fn left(self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether too little is left to begin with something.
    pub fn is_over(self) -> bool {
        self.left().is_some_and(|left| left < LEAST)
    }

    /// A clock for one part in so many of what is left.
    pub fn part(self, parts: u32) -> Clock {
        Clock { end: self.left().map(|left| Instant::now() + left / parts) }
    }
}
