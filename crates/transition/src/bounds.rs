//! When the expansion of a state is given up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// When an expansion is given up: one state can have very many successors.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Set by another thread, or a signal.
    pub stop: Option<Arc<AtomicBool>>,
    /// No longer than this.
    pub deadline: Option<Instant>,
    /// No more than so many bytes.
    pub max_bytes: Option<usize>,
}

/// Why an expansion was given up, so that the buffer is incomplete.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Somebody asked for it.
    Asked,
    /// The time was over.
    Time,
    /// The buffer was full.
    Memory,
}
