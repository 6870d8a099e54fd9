//! The progress line: live on a terminal, once a minute elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use ample_report::numbers::{duration, megabytes, thousands};
use ample_search::{Progress, Snapshot};
use ample_stdx::shorten;

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
    /// What is checked.
    property: String,
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
        ProgressLine { manner, last: Instant::now(), is_shown: false, property: String::new() }
    }

    /// Removes the live line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = io::stderr().write_all(ERASE.as_bytes());
        }
    }

    fn show(&mut self, snapshot: &Snapshot) {
        let columns = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
        let room = if self.manner == Manner::Live { columns.saturating_sub(1) } else { LOG_COLUMNS };
        let text = line(&self.property, snapshot, room);
        let mut err = io::stderr().lock();
        let _ = match self.manner {
            Manner::Live => {
                self.is_shown = true;
                write!(err, "{ERASE}{text}").and_then(|()| err.flush())
            }
            Manner::Log => writeln!(err, "{text}"),
            Manner::Silent => Ok(()),
        };
    }
}

impl Progress for ProgressLine {
    fn begin(&mut self, property: &str) {
        self.property = shorten(property, LONGEST_NAME);
    }

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

/// A name takes no more of the line than this.
const LONGEST_NAME: usize = 16;

/// Where nobody looks a line may be longer.
const LOG_COLUMNS: usize = 120;

/// Before this nothing is said about when the memory will be full.
const SURE_AFTER: f64 = 2.0;

/// Which share of the states is interpreted, if it is more than a few.
fn interpreted(snapshot: &Snapshot) -> Option<String> {
    let percent = 100 * snapshot.interpreted / snapshot.states.max(1);
    (percent >= FEW_PERCENT).then(|| format!("{percent} % interpreted"))
}

/// A smaller share of interpreted states costs little.
const FEW_PERCENT: u64 = 5;

/// How far a search is, in so many columns: what does not fit is left out, the least important
/// first.
fn line(property: &str, snapshot: &Snapshot, columns: usize) -> String {
    let about = if property.is_empty() { String::new() } else { format!("{property}: ") };
    // With how important each part is.
    let mut parts = vec![
        (5, format!("{about}{}", duration(snapshot.seconds))),
        (6, format!("{} states", brief(snapshot.states))),
        (3, format!("{} open", brief(snapshot.open))),
        (1, format!("depth {}", brief(snapshot.depth))),
        (2, format!("{}/s", brief(snapshot.rate as u64))),
        (4, megabytes(snapshot.memory) + &full(snapshot).unwrap_or_default()),
    ];
    parts.extend(interpreted(snapshot).map(|part| (0, part)));
    if snapshot.open == 0 {
        parts.retain(|(importance, _)| *importance != 3);
    }
    loop {
        let line = parts.iter().map(|(_, part)| part.as_str()).collect::<Vec<_>>().join(", ");
        let least = parts.iter().map(|(importance, _)| *importance).min();
        if line.chars().count() <= columns || parts.len() == 1 {
            return shorten(&line, columns);
        }
        parts.retain(|(importance, _)| Some(*importance) != least);
    }
}

/// When the memory will be full if it goes on like this.
fn full(snapshot: &Snapshot) -> Option<String> {
    let left = snapshot.max_memory?.saturating_sub(snapshot.memory) as f64;
    let growth = snapshot.memory as f64 / snapshot.seconds;
    let seconds = left / growth;
    let is_known = snapshot.seconds >= SURE_AFTER && seconds.is_finite();
    is_known.then(|| format!(", full in {}", coarse(seconds)))
}

/// `40 s`, `3 min`, `5 h`, `2 days`.
fn coarse(seconds: f64) -> String {
    match seconds {
        _ if seconds < 100.0 => format!("{seconds:.0} s"),
        _ if seconds < 6_000.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 172_800.0 => format!("{:.0} h", seconds / 3_600.0),
        _ => format!("{:.0} days", (seconds / 86_400.0).min(999.0)),
    }
}

/// `12,345`, `12.3M`.
fn brief(number: u64) -> String {
    match number {
        0..1_000_000 => thousands(number),
        1_000_000..1_000_000_000 => format!("{:.1}M", number as f64 / 1e6),
        _ => format!("{:.1}G", number as f64 / 1e9),
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: Snapshot = Snapshot {
        states: 123_456_789,
        open: 1_234_567,
        transitions: 987_654_321,
        depth: 12_345,
        seconds: 125.0,
        memory: 2_000_000_000,
        max_memory: Some(8_000_000_000),
        interpreted: 0,
        rate: 987_654.3,
    };

    #[test]
    fn what_matters_most_fits_into_eighty_columns() {
        let whole = "response: 2 min 05 s, 123.5M states, 1.2M open, depth 12,345, 987,654/s, 2,000 MB, full in 6 min";
        assert_eq!(line("response", &FAR, 120), whole);
        let narrow = "response: 2 min 05 s, 123.5M states, 1.2M open, 2,000 MB, full in 6 min";
        assert_eq!(line("response", &FAR, 79), narrow);
        let long_name = shorten("a-property-with-a-very-long-name", LONGEST_NAME);
        let text = line(&long_name, &FAR, 79);
        assert!(text.chars().count() <= 79 && text.contains("open") && text.ends_with("full in 6 min"), "{text}");
        assert_eq!(line("response", &FAR, 30), "123.5M states");
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        let early = Snapshot { seconds: 0.5, open: 0, states: 999, depth: 3, rate: 1998.0, memory: 1, ..FAR };
        assert_eq!(line("", &early, 79), "0.50 s, 999 states, depth 3, 1,998/s, 1 MB");
        let interpreted = Snapshot { interpreted: 600, ..early };
        assert_eq!(line("", &interpreted, 79), "0.50 s, 999 states, depth 3, 1,998/s, 1 MB, 60 % interpreted");
        let unlimited = Snapshot { max_memory: None, ..FAR };
        assert!(!line("p", &unlimited, 120).contains("full"));
    }
}
