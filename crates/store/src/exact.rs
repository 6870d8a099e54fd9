//! The exact store: every state in full, so that two states are never confused.
//!
//! Two structures, both of which grow by small steps, because a table that doubles needs three times its size for a
//! moment and half of it stays empty afterwards:
//!
//! - The *arena* holds the states, in blocks of [`BLOCK_STATES`] consecutive ids: the bytes one after the other, and
//!   where each one ends. The block of an id is found by division. The length of a state is part of its identity.
//! - The *table* finds ids by hash. It is split into [`SHARDS`] by some bits of the hash; each shard is an open-addressing
//!   table with linear probing whose entries are 32 bits of hash and 32 bits of id. The home of an entry depends on these
//!   32 bits only, so that a shard grows without looking at the states. Of `n` states, a look-up compares the bytes of
//!   about `n / 2^32` wrong ones.
//!
//! Cost per state beyond its own bytes: 4 for its end, and 8 per table entry at a load between 0.6 and 0.75, that is
//! 15 to 17.5 bytes in all.
//!
//! The hash has a fixed seed: runs are deterministic. It decides where a state is looked for, never whether two are equal.

use std::hash::{BuildHasher, Hasher};

use ample_stdx::TypedId;
use ample_transition::{Inserted, StateId, Store, StoreFull};
use foldhash::quality::FixedState;

const BLOCK_STATES: usize = 4096;
const SHARDS: usize = 64;
const SEED: u64 = 0x0061_6d70_6c65;

/// The number of ids that fit an entry of the table: one value of the 32 bits stands for "empty".
const MAX_STATES: usize = u32::MAX as usize;

/// A store that keeps every state.
pub struct ExactStore {
    shards: Vec<Shard>,
    blocks: Vec<Block>,
    len: usize,
    memory: usize,
    budget: usize,
    hasher: FixedState,
}

impl ExactStore {
    /// An empty store that may use all memory.
    pub fn new() -> Self {
        Self::with_budget(usize::MAX)
    }

    /// An empty store that takes states as long as it needs no more than `budget` bytes.
    pub fn with_budget(budget: usize) -> Self {
        ExactStore {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            blocks: Vec::new(),
            len: 0,
            memory: SHARDS * size_of::<Shard>(),
            budget,
            hasher: FixedState::with_seed(SEED),
        }
    }

    fn hash(&self, state: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(state);
        hasher.finish()
    }

    /// Adds a state that is not there. Either all of it happens or nothing that can be seen.
    fn add(&mut self, state: &[u8], shard: usize, print: u32) -> Result<StateId, StoreFull> {
        if self.len >= MAX_STATES {
            return Err(StoreFull);
        }
        self.make_room_in_shard(shard)?;
        self.make_room_in_arena(state.len())?;
        let Some(block) = self.blocks.last_mut() else { return Err(StoreFull) };
        block.push(state);
        self.shards[shard].add(print, self.len as u32);
        self.len += 1;
        Ok(StateId::from_index(self.len - 1))
    }

    fn make_room_in_shard(&mut self, shard: usize) -> Result<(), StoreFull> {
        if let Some(capacity) = self.shards[shard].next_capacity() {
            // While it grows there are two of it.
            let bytes = capacity * size_of::<Entry>();
            self.check_budget(bytes)?;
            let before = self.shards[shard].memory();
            self.shards[shard].grow(capacity);
            self.memory = self.memory - before + bytes;
        }
        Ok(())
    }

    fn make_room_in_arena(&mut self, bytes: usize) -> Result<(), StoreFull> {
        if self.blocks.last().is_none_or(Block::is_full) {
            self.check_budget(BLOCK_OVERHEAD)?;
            self.start_block();
        }
        let Some(block) = self.blocks.last() else { return Err(StoreFull) };
        if block.bytes.len().saturating_add(bytes) > u32::MAX as usize {
            return Err(StoreFull);
        }
        if block.bytes.capacity() - block.bytes.len() < bytes {
            self.grow_block(bytes)?;
        }
        Ok(())
    }

    /// Starts a block, and gives back what the one before did not use.
    fn start_block(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            let before = block.memory();
            block.bytes.shrink_to_fit();
            self.memory = self.memory - before + block.memory();
        }
        let block = Block { bytes: Vec::new(), ends: Vec::with_capacity(BLOCK_STATES) };
        self.memory += block.memory();
        self.blocks.push(block);
    }

    /// Makes room for `bytes` more bytes in the last block.
    fn grow_block(&mut self, bytes: usize) -> Result<(), StoreFull> {
        // A block needs about as much as the one before.
        let before_last = self.blocks.len().checked_sub(2).map_or(0, |index| self.blocks[index].bytes.len());
        let Some(block) = self.blocks.last_mut() else { return Err(StoreFull) };
        let guess = if block.bytes.is_empty() { before_last + before_last / 32 } else { block.bytes.len() / 4 };
        let more = bytes.max(guess).max(1024);
        if self.memory.saturating_add(more) > self.budget {
            return Err(StoreFull);
        }
        let before = block.memory();
        block.bytes.reserve_exact(more);
        self.memory = self.memory - before + block.memory();
        Ok(())
    }

    fn check_budget(&self, more: usize) -> Result<(), StoreFull> {
        if self.memory.saturating_add(more) > self.budget { Err(StoreFull) } else { Ok(()) }
    }
}

impl Default for ExactStore {
    fn default() -> Self {
        Self::new()
    }
}

impl Store for ExactStore {
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        let hash = self.hash(state);
        // Different bits for the two: the top ones choose the shard, the low half is the print.
        let shard = (hash >> 58) as usize % SHARDS;
        let print = hash as u32;
        let same = |id: u32| self.state(StateId::from_index(id as usize)) == state;
        match self.shards[shard].find(print, same) {
            Some(id) => Ok(Inserted::Old(StateId::from_index(id as usize))),
            None => self.add(state, shard, print).map(Inserted::New),
        }
    }

    fn state(&self, id: StateId) -> &[u8] {
        self.blocks[id.index() / BLOCK_STATES].get(id.index() % BLOCK_STATES)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn memory(&self) -> usize {
        self.memory
    }
}

/// Consecutive states. At most 2^32 bytes of them, so that an end fits in 32 bits.
struct Block {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

const BLOCK_OVERHEAD: usize = size_of::<Block>() + BLOCK_STATES * size_of::<u32>();

impl Block {
    fn is_full(&self) -> bool {
        self.ends.len() == BLOCK_STATES
    }

    fn push(&mut self, state: &[u8]) {
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len() as u32);
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.bytes[start..self.ends[index] as usize]
    }

    fn memory(&self) -> usize {
        BLOCK_OVERHEAD + self.bytes.capacity()
    }
}

/// The print in the upper half, the id plus one in the lower; zero is empty.
type Entry = u64;

/// A part of the table.
#[derive(Default)]
struct Shard {
    entries: Vec<Entry>,
    used: usize,
}

impl Shard {
    /// The id with this print for which `same` is true.
    fn find(&self, print: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let mut slot = self.home(print);
        // Ends, because a table is never full.
        while self.entries[slot] != 0 {
            let entry = self.entries[slot];
            let id = entry as u32 - 1;
            if (entry >> 32) as u32 == print && same(id) {
                return Some(id);
            }
            slot = self.after(slot);
        }
        None
    }

    /// Adds an entry; there is room.
    fn add(&mut self, print: u32, id: u32) {
        self.put((u64::from(print) << 32) | u64::from(id + 1));
        self.used += 1;
    }

    /// The size it should grow to before another entry is added, if it should.
    fn next_capacity(&self) -> Option<usize> {
        let capacity = self.entries.len();
        // At most three quarters: beyond that, linear probing gets long.
        (self.used + 1 > capacity / 4 * 3).then(|| if capacity < 64 { capacity * 2 + 8 } else { capacity / 16 * 20 })
    }

    fn grow(&mut self, capacity: usize) {
        let old = std::mem::replace(&mut self.entries, vec![0; capacity]);
        for entry in old {
            if entry != 0 {
                self.put(entry);
            }
        }
    }

    fn put(&mut self, entry: Entry) {
        let mut slot = self.home((entry >> 32) as u32);
        while self.entries[slot] != 0 {
            slot = self.after(slot);
        }
        self.entries[slot] = entry;
    }

    /// The print as a fraction of 2^32, of the capacity: no division, and any capacity will do.
    fn home(&self, print: u32) -> usize {
        ((u64::from(print) * self.entries.len() as u64) >> 32) as usize
    }

    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.entries.len() { 0 } else { slot + 1 }
    }

    fn memory(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }
}
