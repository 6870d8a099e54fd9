//! Keys that were added to a shard of a table and are not counted there yet.
//!
//! Where several threads add keys, each counts those that it has added to a shard when they are a
//! small part of what the shard has room for: a count that all of them change all the time would go
//! to and fro between the processors. How many such keys a thread has is counted in a place that
//! few others use, so that it is known at any time how many keys there are.

use crossbeam_utils::CachePadded;

use crate::key_format::SHARD_BITS;
use crate::sync::{AtomicUsize, Ordering};

/// Keys are counted when they are one part in so many of what a shard has room for.
pub(crate) const UNCOUNTED: usize = 256;
/// There are so many places.
const PLACES: usize = 8;

/// The keys that a thread has added to each shard and that are not counted there yet.
#[derive(Default)]
pub(crate) struct Uncounted {
    pub(crate) added: [usize; 1 << SHARD_BITS],
    /// The number of the place in which it is counted how many they are.
    place: usize,
}

impl Uncounted {
    /// Of a thread with this number.
    pub(crate) fn of_thread(number: usize) -> Uncounted {
        Uncounted { place: number % PLACES, ..Uncounted::default() }
    }

    /// Forgets them: all keys were replaced, and counted.
    pub(crate) fn forget(&mut self) {
        self.added.fill(0);
    }
}

/// How many keys of all threads are not counted at their shards.
pub(crate) struct Places([CachePadded<AtomicUsize>; PLACES]);

impl Places {
    pub(crate) fn new() -> Places {
        Places(std::array::from_fn(|_| CachePadded::new(AtomicUsize::new(0))))
    }

    /// A thread had `before`, and has `after`.
    pub(crate) fn change(&self, uncounted: &Uncounted, before: usize, after: usize) {
        if before != after {
            self.0[uncounted.place].fetch_add(after.wrapping_sub(before), Ordering::Relaxed);
        }
    }

    /// How many there are. A place may have less than nothing while threads change it.
    pub(crate) fn sum(&self) -> usize {
        self.0.iter().fold(0, |sum, place| sum.wrapping_add(place.load(Ordering::Relaxed)))
    }
}
