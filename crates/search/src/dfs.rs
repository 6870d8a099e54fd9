//! Depth-first search, with a stack of its own: depth is limited by memory alone.

use ample_transition::{Inserted, Session};

use crate::explorer::{Common, Explorer};
use crate::outcome::{Ended, Found, StoreFacts};
use crate::path::trace_along;
use crate::{Search, SearchOutcome};

/// Explores depth first, on one thread.
///
/// A state enters the store when the search steps into it, not when it is generated, so this is the order of the recursive
/// algorithm. Each state is expanded once; the successors that wait for their turn lie on one stack of bytes, the
/// open states between them. A violation's trace is the path of open states.
///
/// Needs of the system: finitely many successors per state. Gives: every reachable state, unless it ended early.
pub fn dfs(mut search: Search<'_>) -> SearchOutcome {
    let common = Common::new(&mut search);
    let mut violations = Vec::new();
    let mut explorer = Explorer::new(&common);
    if let Err(ended) = run(&mut explorer, &mut *search.store.session(), &mut violations) {
        common.end(ended);
    }
    drop(explorer);
    common.finish(violations, Vec::new(), Vec::new()).with(StoreFacts::of(&*search.store))
}

fn run(explorer: &mut Explorer<'_, '_>, session: &mut dyn Session, violations: &mut Vec<Found>) -> Result<(), Ended> {
    let common = explorer.common;
    let mut stack = Stack::default();
    stack.push(&explorer.initial(violations)?);
    loop {
        match stack.top() {
            None => return Ok(()),
            Some(Top::Open) => stack.pop_open(),
            Some(Top::Waiting(state)) => {
                match session.insert(state) {
                    Ok(Inserted::Old) => {
                        stack.pop_waiting();
                        continue;
                    }
                    Ok(Inserted::New) => {}
                    Err(full) => return Err(common.full(full)),
                }
                let depth = stack.depth();
                explorer.count_state(depth)?;
                for sighting in explorer.expand(state, depth)? {
                    let path = stack.open_states().chain([state]);
                    let trace = trace_along(common.system, path, sighting.successor);
                    violations.push(Found { fault: sighting.fault, trace });
                    if common.stops_at_first() {
                        return Err(Ended::FirstViolation);
                    }
                }
                stack.open();
                // The last one pushed is visited first.
                for number in (0..explorer.buffer.len()).rev() {
                    if let Some(next) = explorer.buffer.get(number).and_then(|successor| successor.state) {
                        stack.push(next);
                    }
                }
                explorer.charge(stack.memory() + explorer.buffer.memory())?;
                explorer.tick(1)?;
            }
        }
    }
}

/// The search stack: states that wait and states that are open, in one arena.
///
/// Invariant: below each waiting state, down to the nearest open one, lie its siblings that are visited later; the open
/// states, in order, are the path from the initial state.
#[derive(Default)]
struct Stack {
    bytes: Vec<u8>,
    /// Where each state starts.
    starts: Vec<usize>,
    /// The positions in `starts` of the open states.
    open: Vec<usize>,
}

enum Top<'s> {
    Open,
    Waiting(&'s [u8]),
}

impl Stack {
    fn push(&mut self, state: &[u8]) {
        reserve(&mut self.starts, 1);
        reserve(&mut self.bytes, state.len());
        self.starts.push(self.bytes.len());
        self.bytes.extend_from_slice(state);
    }

    fn top(&self) -> Option<Top<'_>> {
        let position = self.starts.len().checked_sub(1)?;
        let is_open = self.open.last() == Some(&position);
        Some(if is_open { Top::Open } else { Top::Waiting(self.state(position)) })
    }

    /// Opens the state on top.
    fn open(&mut self) {
        reserve(&mut self.open, 1);
        self.open.push(self.starts.len() - 1);
    }

    fn pop_waiting(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.bytes.truncate(start);
        }
    }

    fn pop_open(&mut self) {
        self.open.pop();
        self.pop_waiting();
    }

    /// How many transitions lead to the waiting state on top.
    fn depth(&self) -> u64 {
        self.open.len() as u64
    }

    fn open_states(&self) -> impl Iterator<Item = &[u8]> {
        self.open.iter().map(|&position| self.state(position))
    }

    fn state(&self, position: usize) -> &[u8] {
        let end = self.starts.get(position + 1).copied().unwrap_or(self.bytes.len());
        &self.bytes[self.starts[position]..end]
    }

    fn memory(&self) -> usize {
        self.bytes.capacity() + (self.starts.capacity() + self.open.capacity()) * size_of::<usize>()
    }
}

/// Grows by a quarter: a stack can be larger than the store, and doubling it would waste what the limit allows.
fn reserve<T>(vector: &mut Vec<T>, more: usize) {
    if vector.capacity() - vector.len() < more {
        vector.reserve_exact(more.max(vector.capacity() / 4).max(1024));
    }
}
