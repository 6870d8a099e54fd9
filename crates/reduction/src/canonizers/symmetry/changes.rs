//! Which positions of a block a transition may have put out of order.
//!
//! In a successor of a sorted state most keys are what they were. Those positions whose keys read
//! nothing that has changed are still in order among each other, so that only the others have to be
//! compared. What has changed is found eight bytes at a time.

use std::collections::BTreeMap;

use super::keys::Keys;

/// The bytes in a word.
const WORD: usize = size_of::<u64>();

/// The bytes of a state that the keys of a block read.
pub(super) struct KeyBytes {
    words: Vec<Word>,
    /// Where the last of them ends.
    end: usize,
    /// Whether there are bits for all positions.
    fits: bool,
}

/// Eight bytes of a state.
struct Word {
    start: usize,
    /// The bits that some key reads.
    read: u64,
    /// Those that the key of each position reads.
    by_position: Vec<u64>,
}

impl KeyBytes {
    /// Every position may have changed.
    pub const ALL: u64 = u64::MAX;

    /// Those that these keys read. States are whole words long.
    pub fn new(keys: &Keys) -> KeyBytes {
        let mut words: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for (position, bytes) in keys.bytes().into_iter().enumerate() {
            for byte in bytes {
                let start = byte / WORD * WORD;
                let read = words.entry(start).or_insert_with(|| vec![0; keys.positions]);
                read[position] |= 0xff << ((byte - start) * 8);
            }
        }
        let end = words.last_key_value().map_or(0, |(start, _)| start + WORD);
        let word = |(start, by_position): (usize, Vec<u64>)| {
            let read = by_position.iter().fold(0, |all, bits| all | bits);
            Word { start, read, by_position }
        };
        let words = words.into_iter().map(word).collect();
        KeyBytes { words, end, fits: keys.positions < u64::BITS as usize }
    }

    /// The positions, as bits, whose keys may differ in two states.
    #[inline]
    pub fn changed(&self, before: &[u8], after: &[u8]) -> u64 {
        if !self.fits || before.len() < self.end || after.len() < self.end {
            return KeyBytes::ALL;
        }
        let mut changed = 0;
        for Word { start, read, by_position } in &self.words {
            let differing = (word(before, *start) ^ word(after, *start)) & read;
            if differing == 0 {
                continue;
            }
            for (position, read) in by_position.iter().enumerate() {
                changed |= u64::from(differing & read != 0) << position;
            }
        }
        changed
    }
}

#[inline]
fn word(state: &[u8], start: usize) -> u64 {
    let mut bytes = [0; WORD];
    bytes.copy_from_slice(&state[start..start + WORD]);
    u64::from_le_bytes(bytes)
}
