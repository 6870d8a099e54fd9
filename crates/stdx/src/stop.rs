//! Ending work early: because its time is over, or because somebody asks for it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to give up. Made once, where a program begins, and handed to everything that may take long;
/// whoever works asks once in a while, and leaves its work unfinished if the answer is yes. The
/// default is never.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    interrupt: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

/// Why work was given up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Somebody asked for it.
    Interrupted,
    /// The time is over.
    OutOfTime,
}

/// For people, after what was being done.
impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stopped::Interrupted => "it was interrupted",
            Stopped::OutOfTime => "the time limit was reached",
        })
    }
}

impl Stop {
    /// When the flag is set, which another thread or a signal does; or at the deadline, if there is
    /// one.
    pub fn new(interrupt: Arc<AtomicBool>, deadline: Option<Instant>) -> Stop {
        Stop { interrupt, deadline }
    }

    /// An error if it is time to give up. A look at the clock costs some twenty nanoseconds: ask
    /// once for a thousand small steps.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stopped::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::OutOfTime),
            _ => Ok(()),
        }
    }

    /// Whether it is time to give up.
    pub fn is_due(&self) -> bool {
        self.check().is_err()
    }

    /// How much time is left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The flag that asks for an end.
    pub fn interrupt(&self) -> &Arc<AtomicBool> {
        &self.interrupt
    }

    /// When the time is over.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The same, but after one part in `parts` of what is left of the time.
    #[must_use]
    pub fn share(&self, parts: u32) -> Stop {
        let deadline = self.left().and_then(|left| Instant::now().checked_add(left / parts.max(1)));
        Stop { interrupt: self.interrupt.clone(), deadline }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_it_never_stops() {
        assert_eq!(Stop::default().check(), Ok(()));
        assert_eq!(Stop::default().share(2).left(), None);
    }

    #[test]
    fn a_raised_flag_and_a_passed_deadline_stop() {
        let raised = Stop::new(Arc::new(AtomicBool::new(true)), None);
        assert_eq!(raised.check(), Err(Stopped::Interrupted));
        assert!(raised.share(2).is_due());
        let late = Stop::new(Arc::default(), Some(Instant::now()));
        assert_eq!(late.check(), Err(Stopped::OutOfTime));
        assert_eq!(late.left(), Some(Duration::ZERO));
    }

    #[test]
    fn a_share_ends_before_the_whole() {
        let whole = Stop::new(Arc::default(), Instant::now().checked_add(Duration::from_secs(1000)));
        assert!(whole.share(2).deadline() < whole.deadline());
        whole.interrupt().store(true, Ordering::Relaxed);
        assert!(whole.share(2).is_due());
    }
}
