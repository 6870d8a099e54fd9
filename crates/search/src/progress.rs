//! Telling others how far a search is. Nothing here decides anything.

/// How far a search is.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// States stored.
    pub states: u64,
    /// States stored that were not expanded yet; 0 where a search does not keep such.
    pub open: u64,
    /// Transitions explored.
    pub transitions: u64,
    /// The greatest depth so far, in transitions.
    pub depth: u64,
    /// Seconds since the start.
    pub seconds: f64,
    /// Bytes in use by store, stack and buffers.
    pub memory: u64,
    /// How many bytes that may become, if there is a limit.
    pub max_memory: Option<u64>,
    /// States that machine code has left to the interpreter.
    pub interpreted: u64,
    /// States per second since the start.
    pub rate: f64,
}

/// Someone who wants to know. Called several times a second, by whichever worker comes along;
/// prints when it sees fit.
pub trait Progress: Send {
    /// What comes next is about this.
    fn begin(&mut self, _property: &str) {}

    /// The search is this far.
    fn report(&mut self, snapshot: &Snapshot);
}

impl<F: FnMut(&Snapshot) + Send> Progress for F {
    fn report(&mut self, snapshot: &Snapshot) {
        self(snapshot);
    }
}
