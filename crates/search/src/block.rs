//! Blocks of open states, and how the search came to them.
//!
//! A search does not remember where each state was reached from. But a block that is opened leads
//! to other blocks, and these keep it for as long as they wait or lead to others that do. So there
//! is a path back from an open state: some state of the blocks before it has it as a successor, and
//! so on. To find that path takes a few dozen expansions for each transition.
//!
//! The blocks that are kept may take a share of the memory. When that is used up, no more blocks
//! are kept, and the path is looked for by other means (see [`retrace`](crate::retrace)).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ample_transition::{Budget, Key, Session, States, StoreFull, SuccessorBuffer, Successors};
use crossbeam_utils::CachePadded;

/// The blocks that are kept may take so many bytes, whatever else is in use.
const ALWAYS_KEPT: usize = 2 << 20;

/// Above that they may take one part in so many of the bytes in use.
const SHARE_OF_KEPT: usize = 64;

/// States that wait to be opened, or that were opened and are kept for the path to those after
/// them.
pub(crate) struct Block {
    pub states: States,
    /// The number of transitions on the paths by which the search came to its states.
    pub depth: u64,
    /// Each state of the block is a successor of some state in one of these. If there are none, its
    /// predecessors are not known, unless it is the block of the initial state.
    pub before: Vec<Arc<Block>>,
    memory: Arc<BlockMemory>,
    /// The bytes that it has taken from the budget.
    charged: usize,
    /// Whether it was opened and is kept by others.
    is_kept: AtomicBool,
}

/// The memory that the blocks of a search take. Each worker has one for its blocks: how many
/// blocks there are is counted with it, and where all workers count, they wait for each other.
pub(crate) struct BlockMemory {
    budget: Budget,
    kept: Arc<CachePadded<Kept>>,
}

/// The blocks that were opened and are kept.
#[derive(Default)]
struct Kept {
    bytes: AtomicUsize,
    is_closed: AtomicBool,
}

impl BlockMemory {
    pub fn new(budget: &Budget) -> Arc<BlockMemory> {
        Arc::new(BlockMemory { budget: budget.clone(), kept: Arc::default() })
    }

    /// The same memory, for another worker.
    pub fn for_worker(&self) -> Arc<BlockMemory> {
        Arc::new(BlockMemory { budget: self.budget.clone(), kept: self.kept.clone() })
    }

    /// Whether more blocks may be kept. Once they may not, they never may: a block that comes later
    /// would lead back to nothing.
    fn has_more(&self) -> bool {
        let kept = self.kept.bytes.load(Ordering::Relaxed);
        let most = ALWAYS_KEPT.max(self.budget.used() / SHARE_OF_KEPT);
        if kept > most || kept > self.budget.left() {
            self.kept.is_closed.store(true, Ordering::Relaxed);
        }
        !self.kept.is_closed.load(Ordering::Relaxed)
    }
}

impl Block {
    /// A block that waits, with its memory counted.
    pub fn new(
        states: States,
        depth: u64,
        before: Vec<Arc<Block>>,
        memory: &Arc<BlockMemory>,
    ) -> Result<Block, StoreFull> {
        let charged = size_of::<Block>() + states.memory() + before.capacity() * size_of::<Arc<Block>>();
        memory.budget.take(charged)?;
        Ok(Block { states, depth, before, memory: memory.clone(), charged, is_kept: AtomicBool::new(false) })
    }

    /// Takes in the states of another block of the same depth.
    pub fn join(&mut self, mut other: Block) {
        for index in 0..other.states.len() {
            match other.states.key(index) {
                Some(Key::Reference(reference)) => self.states.push_ref(reference),
                Some(Key::InFull(state)) => self.states.push_state(state),
                None => {}
            }
        }
        for block in std::mem::take(&mut other.before) {
            if !self.before.iter().any(|known| Arc::ptr_eq(known, &block)) {
                self.before.push(block);
            }
        }
        self.charged += std::mem::take(&mut other.charged);
    }

    /// Whether the blocks that this one leads to keep it: if there is a path from it back to the
    /// initial state, and memory for it. It counts as kept then.
    pub fn is_worth_keeping(&self) -> bool {
        let leads_back = self.depth == 0 || !self.before.is_empty();
        if !leads_back || !self.memory.has_more() {
            return false;
        }
        if !self.is_kept.swap(true, Ordering::Relaxed) {
            self.memory.kept.bytes.fetch_add(self.charged, Ordering::Relaxed);
        }
        true
    }

    /// Some state of the block that has this successor.
    fn predecessor(
        &self,
        successor: &[u8],
        system: &dyn Successors,
        session: &mut dyn Session,
        still_working: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<u8>> {
        let (mut state, mut buffer) = (Vec::new(), SuccessorBuffer::new());
        for key in (0..self.states.len()).filter_map(|index| self.states.key(index)) {
            session.recall(key, &mut state);
            buffer.clear();
            system.expand_all(&state, &mut buffer);
            if buffer.iter().any(|step| step.state == Some(successor)) {
                return Some(state);
            }
            if !still_working() {
                return None;
            }
        }
        None
    }
}

/// A chain of blocks may be longer than the stack is deep: its blocks are dropped one by one.
impl Drop for Block {
    fn drop(&mut self) {
        self.memory.budget.give(self.charged);
        if *self.is_kept.get_mut() {
            self.memory.kept.bytes.fetch_sub(self.charged, Ordering::Relaxed);
        }
        let mut before = std::mem::take(&mut self.before);
        while let Some(block) = before.pop() {
            if let Some(mut block) = Arc::into_inner(block) {
                before.append(&mut block.before);
            }
        }
    }
}

/// The states from the initial one to `target`, which is in a block that has these before it;
/// `None` if a block on the path was not kept, or if `still_working`, which is asked for each state
/// that is expanded, says no.
pub(crate) fn path_back(
    target: &[u8],
    mut before: &[Arc<Block>],
    system: &dyn Successors,
    session: &mut dyn Session,
    still_working: &mut dyn FnMut() -> bool,
) -> Option<Vec<Vec<u8>>> {
    let mut path = vec![target.to_vec()];
    while !before.is_empty() {
        let found = before.iter().find_map(|block| {
            let state = block.predecessor(path.last()?, system, session, still_working)?;
            Some((block, state))
        });
        let (block, state) = found?;
        path.push(state);
        before = &block.before;
    }
    path.reverse();
    (system.initial().ok().as_ref() == path.first()).then_some(path)
}
