//! Words that are written once and stay where they are: numbered memory that grows without moving.
//!
//! It consists of pieces, each twice as large as the one before. That wastes addresses, not memory:
//! pages that nobody wrote to do not exist. What is counted is what was handed out, also before the
//! arena was emptied: its pages are still there.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ample_transition::{Budget, StoreFull};

use crate::memory::Words;

/// The words of the first piece, as a number of bits.
const FIRST_BITS: u32 = 12;
/// Enough for all numbers.
const PIECES: usize = 33 - FIRST_BITS as usize;
/// Numbers have 31 bits: one bit is free for whoever uses them.
const MOST: u64 = 1 << 31;
/// An arena of which less than one part in so many was used gives the rest back when it is emptied.
const ROOMY: u64 = 64;
/// How many words a session takes at a time, at least.
const PORTION: u64 = 512;

/// Numbered words.
pub(crate) struct Arena {
    pieces: [OnceLock<Option<Words>>; PIECES],
    next: AtomicU64,
    /// The words from `next` on that were handed out before, and are still paid for.
    paid: AtomicU64,
    budget: Budget,
}

/// Words that one thread took and has not used yet.
#[derive(Debug, Default)]
pub(crate) struct Portion {
    next: u64,
    end: u64,
}

impl Portion {
    /// The number of the next word, if there are `len` words left.
    pub(crate) fn peek(&self, len: usize) -> Option<u32> {
        (self.end - self.next >= len as u64).then_some(self.next as u32)
    }

    /// Uses `len` words.
    pub(crate) fn advance(&mut self, len: usize) {
        self.next += len as u64;
    }
}

impl Arena {
    pub(crate) fn new(budget: Budget) -> Arena {
        let pieces = [const { OnceLock::new() }; PIECES];
        Arena { pieces, next: AtomicU64::new(0), paid: AtomicU64::new(0), budget }
    }

    /// Begins with the first number again. The memory stays, and is counted here from now on;
    /// unless little of it was used.
    pub(crate) fn renew(&mut self, budget: &Budget) -> Result<(), StoreFull> {
        if *self.next.get_mut() < *self.paid.get_mut() / ROOMY {
            *self = Arena::new(budget.clone());
            return Ok(());
        }
        budget.take(self.memory())?;
        std::mem::replace(&mut self.budget, budget.clone()).give(self.memory());
        *self.paid.get_mut() += std::mem::take(self.next.get_mut());
        Ok(())
    }

    /// Pays for so many words more.
    fn pay(&self, words: u64) -> Result<(), StoreFull> {
        let rest = |paid: u64| Some(paid.saturating_sub(words));
        let before = self.paid.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).unwrap_or_else(|same| same);
        let from_before = before.min(words);
        let result = self.budget.take((words - from_before) as usize * size_of::<AtomicU64>());
        if result.is_err() {
            self.paid.fetch_add(from_before, Ordering::Relaxed);
        }
        result
    }

    /// Takes a portion of at least `len` words that lie one after the other.
    pub(crate) fn reserve(&self, len: usize, portion: &mut Portion) -> Result<(), StoreFull> {
        let words = PORTION.max(len as u64);
        self.pay(words)?;
        let mut start = self.next.fetch_add(words, Ordering::Relaxed);
        // A portion lies in one piece: if not, the words up to the next piece are left over.
        while piece_of(start) != piece_of(start + words - 1) {
            self.pay(words)?;
            start = self.next.fetch_add(words, Ordering::Relaxed);
        }
        if start + words > MOST || self.piece(piece_of(start)).is_none() {
            return Err(StoreFull);
        }
        *portion = Portion { next: start, end: start + words };
        Ok(())
    }

    /// Writes a word that was reserved. Others may read it once they got its number through a
    /// table.
    pub(crate) fn write(&self, number: u32, value: u64) {
        if let Some(word) = self.word(number) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Reads a word that was written.
    #[inline]
    pub(crate) fn read(&self, number: u32) -> u64 {
        self.word(number).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    /// Words from this number on that were reserved together.
    #[inline]
    pub(crate) fn words(&self, number: u32, len: usize) -> &[AtomicU64] {
        let (piece, offset) = locate(u64::from(number));
        let words = self.pieces[piece].get().and_then(Option::as_ref);
        words.and_then(|words| words.get(offset..offset + len)).unwrap_or_default()
    }

    /// The bytes that are paid for.
    pub(crate) fn memory(&self) -> usize {
        let words = self.next.load(Ordering::Relaxed) + self.paid.load(Ordering::Relaxed);
        words as usize * size_of::<AtomicU64>()
    }

    #[inline]
    pub(crate) fn word(&self, number: u32) -> Option<&AtomicU64> {
        let (piece, offset) = locate(u64::from(number));
        self.pieces[piece].get()?.as_ref()?.get(offset)
    }

    /// Makes the piece if nobody did.
    fn piece(&self, piece: usize) -> Option<&Words> {
        self.pieces.get(piece)?.get_or_init(|| Words::zeroed(1 << (piece as u32 + FIRST_BITS))).as_ref()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.budget.give(self.memory());
    }
}

fn piece_of(number: u64) -> usize {
    locate(number).0
}

/// The piece of a word and its place in it: piece `p` has the words from `2^(p + FIRST_BITS) -
/// 2^FIRST_BITS` on.
#[inline]
fn locate(number: u64) -> (usize, usize) {
    let shifted = number + (1 << FIRST_BITS);
    let bits = shifted.ilog2();
    ((bits - FIRST_BITS) as usize, (shifted - (1 << bits)) as usize)
}
