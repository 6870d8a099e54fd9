//! The blocks that wait at a worker, by their depth.

use std::collections::btree_map::OccupiedEntry;
use std::collections::{BTreeMap, VecDeque};

use crate::block::Block;

/// Where there is no room for another block of a depth, room is made for one, and for one part in
/// so many of those that there are: most depths have few.
const GROWTH: usize = 4;
/// What is left of a depth takes no more room than it needs when it takes one part in so many.
const ROOMY: usize = 4;

/// Blocks that wait to be opened. The deepest one goes on where the worker has just been; the
/// shallowest one is nearest to the initial state.
#[derive(Default)]
pub(crate) struct OpenBlocks {
    by_depth: BTreeMap<u64, VecDeque<Block>>,
    count: usize,
}

/// The blocks of one depth.
type Blocks<'b> = OccupiedEntry<'b, u64, VecDeque<Block>>;

impl OpenBlocks {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The depth of the shallowest block.
    pub fn least_depth(&self) -> Option<u64> {
        self.by_depth.first_key_value().map(|(depth, _)| *depth)
    }

    /// Adds a block. If it and the last one of its depth have no more than `size` states together,
    /// they become one: many small blocks would cost more than a few large ones.
    pub fn push(&mut self, block: Block, size: usize) {
        let blocks = self.by_depth.entry(block.depth).or_default();
        match blocks.back_mut() {
            Some(last) if last.states.len() + block.states.len() <= size => last.join(block),
            _ => {
                if blocks.len() == blocks.capacity() {
                    blocks.reserve_exact(1 + blocks.len() / GROWTH);
                }
                blocks.push_back(block);
                self.count += 1;
            }
        }
    }

    /// Takes a block with the greatest depth, the newest of them.
    pub fn deepest(&mut self) -> Option<Block> {
        self.take(BTreeMap::last_entry, VecDeque::pop_back)
    }

    /// Takes a block with the least depth, the oldest of them.
    pub fn shallowest(&mut self) -> Option<Block> {
        self.take(BTreeMap::first_entry, VecDeque::pop_front)
    }

    /// Takes a block of one depth, from one end.
    fn take(
        &mut self,
        depth: fn(&mut BTreeMap<u64, VecDeque<Block>>) -> Option<Blocks<'_>>,
        pop: fn(&mut VecDeque<Block>) -> Option<Block>,
    ) -> Option<Block> {
        let mut blocks = depth(&mut self.by_depth)?;
        let block = pop(blocks.get_mut());
        if blocks.get().is_empty() {
            blocks.remove();
        } else if blocks.get().len() < blocks.get().capacity() / ROOMY {
            blocks.get_mut().shrink_to_fit();
        }
        self.count -= 1;
        block
    }
}
