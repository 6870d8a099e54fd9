//! The progress line: live on a terminal, once a minute elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use ample_report::numbers::{count, duration, megabytes, thousands};
use ample_search::{Progress, Snapshot};

const LIVE_INTERVAL: Duration = Duration::from_millis(250);
const LOG_INTERVAL: Duration = Duration::from_secs(60);
/// Erases the line the cursor is on.
const ERASE: &str = "\r\u{1b}[K";

/// Where progress is shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Manner {
    /// One line that is written again and again.
    Live,
    /// A line from time to time.
    Log,
    /// Not at all.
    Silent,
}

/// Shows progress on standard error.
pub struct ProgressLine {
    manner: Manner,
    last: Instant,
    is_shown: bool,
}

impl ProgressLine {
    /// `quiet`: nothing at all; `only_live`: nothing unless someone is looking.
    pub fn new(quiet: bool, only_live: bool) -> Self {
        let dumb = std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
        let manner = match io::stderr().is_terminal() && !dumb {
            _ if quiet => Manner::Silent,
            true => Manner::Live,
            false if only_live => Manner::Silent,
            false => Manner::Log,
        };
        ProgressLine { manner, last: Instant::now(), is_shown: false }
    }

    /// Removes the live line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = io::stderr().write_all(ERASE.as_bytes());
        }
    }

    fn show(&mut self, snapshot: &Snapshot) {
        let text = format!(
            "{}, {}, depth {}, {} states/s, {}, {}",
            count(snapshot.states, "state"),
            count(snapshot.transitions, "transition"),
            thousands(snapshot.depth),
            thousands(snapshot.rate as u64),
            megabytes(snapshot.memory),
            duration(snapshot.seconds),
        );
        let mut err = io::stderr().lock();
        let _ = match self.manner {
            Manner::Live => {
                let width = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| width.0);
                let text: String = text.chars().take(usize::from(width).saturating_sub(1)).collect();
                self.is_shown = true;
                write!(err, "{ERASE}{text}").and_then(|()| err.flush())
            }
            Manner::Log => writeln!(err, "{text}"),
            Manner::Silent => Ok(()),
        };
    }
}

impl Progress for ProgressLine {
    fn report(&mut self, snapshot: &Snapshot) {
        let interval = match self.manner {
            Manner::Live => LIVE_INTERVAL,
            Manner::Log => LOG_INTERVAL,
            Manner::Silent => return,
        };
        if self.last.elapsed() >= interval {
            self.last = Instant::now();
            self.show(snapshot);
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
