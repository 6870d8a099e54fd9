//! Depth-first search, with a stack of its own: depth is limited by memory alone.

use ample_transition::{Inserted, Store};

use crate::explorer::Explorer;
use crate::outcome::{Ended, Found};
use crate::path::trace_along;
use crate::{Search, SearchOutcome};

/// Explores depth first.
///
/// A state enters the store when the search steps into it, not when it is generated, so this is the order of the recursive
/// algorithm. Each state is expanded once; the successors that wait for their turn lie on one stack of bytes, the
/// open states between them. A violation's trace is the path of open states.
///
/// Needs of the system: finitely many successors per state. Gives: every reachable state, unless it ended early.
pub fn dfs(search: Search<'_>) -> SearchOutcome {
    let (mut explorer, store) = Explorer::new(search);
    let result = run(&mut explorer, store);
    explorer.finish(result)
}

fn run(explorer: &mut Explorer<'_>, store: &mut dyn Store) -> Result<(), Ended> {
    let mut buffer = explorer.buffer();
    let mut stack = Stack::default();
    stack.push(&explorer.initial()?);
    loop {
        match stack.top() {
            None => return Ok(()),
            Some(Top::Open) => stack.pop_open(),
            Some(Top::Waiting(state)) => {
                if let Inserted::Old(_) = store.insert(state)? {
                    stack.pop_waiting();
                    continue;
                }
                let depth = stack.depth();
                explorer.count_state(depth)?;
                for sighting in explorer.expand(state, depth, &mut buffer)? {
                    let path = stack.open_states().chain([state]);
                    let trace = trace_along(explorer.system, path, sighting.successor);
                    explorer.found(Found { fault: sighting.fault, trace });
                    if explorer.stops_at_first() {
                        return Err(Ended::FirstViolation);
                    }
                }
                stack.open();
                // The last one pushed is visited first.
                for number in (0..buffer.len()).rev() {
                    if let Some(next) = buffer.get(number).and_then(|successor| successor.state) {
                        stack.push(next);
                    }
                }
                explorer.tick(store.memory() + stack.memory() + buffer.memory())?;
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
