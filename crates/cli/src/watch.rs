//! The last resort: Ctrl-C and the time limit are kept even by a stage that does not look up from
//! its work.
//!
//! Whatever may take long asks a [`Stop`] once in a while, and what is known by then is reported.
//! Should a stage not ask for too long, the thread that waits for the answer gives up: there is no
//! verdict then, and the exit status says so.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ample_stdx::{Stop, Stopped, lock};

use crate::failure::{Failure, Status};
use crate::output::Terminal;

/// How often it is looked whether to give up.
pub const INTERVAL: Duration = Duration::from_millis(20);

/// After an interruption, work has so long to come to an end by itself.
const AFTER_INTERRUPTION: Duration = Duration::from_millis(500);

/// The same after the time limit; with a long limit, a twelfth of it.
const AFTER_LIMIT: Duration = Duration::from_millis(600);

/// What is watched.
#[derive(Default)]
pub struct Watch {
    watched: Mutex<Option<Watched>>,
    has_answer: AtomicBool,
}

struct Watched {
    stop: Stop,
    /// How long work may go on after the time limit.
    grace: Duration,
    terminal: Terminal,
    /// When it was seen that it is time to stop, and why.
    due: Option<(Instant, Stopped)>,
}

impl Watch {
    /// Watches whether work ends when it is to stop. Its time is limited to this, if it is.
    pub fn begin(&self, stop: &Stop, max_time: Option<Duration>, terminal: &Terminal) {
        let grace = AFTER_LIMIT.max(max_time.unwrap_or_default() / 12);
        *self.watched() = Some(Watched { stop: stop.clone(), grace, terminal: *terminal, due: None });
    }

    /// From now on the answer is written: nothing else may be, in the midst of it.
    pub fn begin_answer(&self) {
        self.has_answer.store(true, Ordering::Relaxed);
    }

    /// Whether to give up; if so, that is said, and this is the exit status.
    pub fn give_up(&self) -> Option<Status> {
        let mut watched = self.watched();
        let watched = watched.as_mut()?;
        let why = watched.stop.check().err()?;
        let grace = match why {
            Stopped::Interrupted => AFTER_INTERRUPTION,
            Stopped::OutOfTime => watched.grace,
        };
        let known = watched.due.filter(|(_, known)| *known == why);
        let (since, _) = *watched.due.insert(known.unwrap_or_else(|| (Instant::now(), why)));
        if since.elapsed() < grace {
            return None;
        }
        if self.has_answer.load(Ordering::Relaxed) {
            watched.terminal.complain(&format!("error: {why} while the answer was written: it is not complete\n"));
            return Some(Status::Unknown);
        }
        Some(Failure::Stopped(why).report(&watched.terminal))
    }

    fn watched(&self) -> std::sync::MutexGuard<'_, Option<Watched>> {
        lock(&self.watched)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn watching(interrupt: bool, deadline: Option<Instant>) -> Watch {
        let watch = Watch::default();
        let stop = Stop::new(Arc::new(AtomicBool::new(interrupt)), deadline);
        watch.begin(&stop, None, &Terminal::default());
        watch
    }

    #[test]
    fn it_does_not_give_up_while_nothing_is_wrong() {
        assert!(Watch::default().give_up().is_none());
        assert!(watching(false, None).give_up().is_none());
    }

    #[test]
    fn work_that_does_not_stop_is_given_up() {
        let watches = [watching(true, None), watching(false, Some(Instant::now()))];
        let have_a_moment = watches.iter().all(|watch| watch.give_up().is_none());
        assert!(have_a_moment, "they may stop by themselves");
        std::thread::sleep(AFTER_INTERRUPTION.max(AFTER_LIMIT));
        assert!(watches.iter().all(|watch| watch.give_up() == Some(Status::Unknown)));
    }
}
