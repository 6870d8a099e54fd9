//! Where a search stops although there is more to explore.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ample_stdx::Stop;

const MIB: u64 = 1 << 20;

/// The limits of a search. The default is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The number of states that may be stored.
    pub max_states: Option<u64>,
    /// The number of transitions from the initial state; states there are looked at, and not left.
    pub max_depth: Option<u64>,
    /// How long the search may take.
    pub max_time: Option<Duration>,
    /// When that time is over, if it began to run before the search.
    pub deadline: Option<Instant>,
    /// The bytes that store, stack and buffers may hold.
    pub max_memory: Option<u64>,
    /// Set by another thread, or a signal, to end the search soon.
    pub interrupt: Arc<AtomicBool>,
}

impl Limits {
    /// Whether the search was asked to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// When everything must have come to an end, the search and what comes before and after it.
    /// Time that has not begun to run begins now.
    pub fn stop(&self) -> Stop {
        let from_now = || self.max_time.and_then(|time| Instant::now().checked_add(time));
        Stop::new(self.interrupt.clone(), self.deadline.or_else(from_now))
    }
}

/// A limit that was reached.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many states are stored and there is one more.
    States(u64),
    /// A state at this depth has successors.
    Depth(u64),
    /// The time is over.
    Time(Duration),
    /// So many bytes are in use.
    Memory(u64),
    /// A value is beyond 64 bits. The move that gives it was not taken, and all others were.
    Values,
    /// What represents the classes of states is too large.
    Classes,
}

/// The value with its unit.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::States(1) => f.write_str("1 state"),
            Limit::States(states) => write!(f, "{states} states"),
            Limit::Depth(1) => f.write_str("1 transition"),
            Limit::Depth(depth) => write!(f, "{depth} transitions"),
            Limit::Time(time) => write!(f, "{} s", time.as_secs_f64()),
            Limit::Memory(bytes) if *bytes >= MIB => write!(f, "{} MiB", bytes / MIB),
            Limit::Memory(bytes) => write!(f, "{bytes} bytes"),
            Limit::Values => f.write_str("64 bits"),
            Limit::Classes => f.write_str("classes of states"),
        }
    }
}
