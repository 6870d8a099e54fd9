//! How long a trace to a violation is looked for.

use std::time::{Duration, Instant};

use ample_transition::Bounds;

use crate::control::Control;
use crate::explorer::Explorer;

/// After an interrupt, a trace without which a violation is lost is looked for so long; a shorter
/// trace than the known one is not looked for at all.
const AFTER_INTERRUPT: Duration = Duration::from_millis(500);

/// Says whether to go on; to be asked for each state that is visited.
pub(crate) struct Patience<'c, 'a> {
    explorer: Explorer<'c, 'a>,
    end: Option<Instant>,
    /// How many states may still be visited.
    left: u64,
    after_interrupt: Duration,
    is_interrupted: bool,
}

impl<'c, 'a> Patience<'c, 'a> {
    /// For a trace without which a violation is lost: all the time that is left.
    pub fn long(control: &'c Control<'a>) -> Self {
        Patience {
            explorer: Explorer::new(control),
            end: control.end_of_time(),
            left: u64::MAX,
            after_interrupt: AFTER_INTERRUPT,
            is_interrupted: false,
        }
    }

    /// For a shorter trace than the known one: half of the time that is left, since the trace is
    /// still to be replayed and shown, and four times the states of the search and so many `more`.
    pub fn brief(control: &'c Control<'a>, more: u64) -> Self {
        let now = Instant::now();
        let end = control.end_of_time().map(|end| now + end.saturating_duration_since(now) / 2);
        let left = control.stored().saturating_mul(4).saturating_add(more);
        Patience { end, left, after_interrupt: Duration::ZERO, ..Patience::long(control) }
    }

    /// The bounds of a single expansion, which is given up where patience ends.
    pub fn bounds(&self) -> Bounds {
        let control = self.explorer.control;
        Bounds { stop: Some(control.interrupt()), deadline: self.end, max_bytes: Some(control.budget.left()) }
    }

    /// Whether to go on to another state.
    pub fn lasts(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        if !self.is_interrupted && self.explorer.control.is_interrupted() {
            self.is_interrupted = true;
            let end = Instant::now() + self.after_interrupt;
            self.end = Some(self.end.map_or(end, |known| known.min(end)));
        }
        let looks_at_clock = self.explorer.still_working(1).is_some() || self.is_interrupted;
        let is_late = looks_at_clock && self.end.is_some_and(|end| Instant::now() >= end);
        self.left > 0 && !is_late
    }
}
