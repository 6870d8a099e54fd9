//! The table behind all stores: a set of words, found by hash, shared between threads.
//!
//! It is split into [`SHARDS`] by the top bits of the hash, and each shard into buckets of one
//! cache line. An entry lies in the first free place from its home bucket on; entries never move or
//! go away while threads are at work, so that to add one is a single compare-and-swap, and to find
//! one needs no lock. Where an entry is at home depends on its upper half alone, and in the order
//! of the upper half, so that a shard grows by one sweep over it, without knowing what its entries
//! mean.
//!
//! A shard grows alone, in steps of [`GROWTH`]: a table that doubles is half empty most of the
//! time, and for a moment there are three of it. The shards start with different sizes, so that
//! they grow at different times and the table as a whole grows smoothly. While a shard grows,
//! everybody waits: threads hold the lock for reading as long as they look for a batch of entries,
//! which takes microseconds.

use ample_transition::{Budget, StoreFull};

use crate::memory::{Words, prefetch_at};
use crate::sync::{AtomicU64, AtomicUsize, LEAST_BUCKETS, Ordering, RwLock, RwLockReadGuard};

/// The words in a bucket: a line of the processor's cache.
const BUCKET: usize = 8;
/// How many shards there are, as a number of bits.
const SHARD_BITS: u32 = 3;
const SHARDS: usize = 1 << SHARD_BITS;
/// The bits below, which choose the home in a shard.
const HOME_BITS: u32 = 32 - SHARD_BITS;
/// How much a shard grows, in percent.
const GROWTH: usize = 25;
/// How full a shard gets, in percent.
const FULL: usize = 80;
/// After so many words of a shard that is moved, the memory of those before is given back.
const DISCARD: usize = 1 << 18;
/// A shard with more than so many places for each entry that was in it becomes small again when it
/// is emptied.
const ROOMY: usize = 64;
/// The buckets after the last home, for what does not fit there.
const TAIL: usize = 4;

/// A set of nonzero words.
pub(crate) struct Table {
    shards: RwLock<Vec<Shard>>,
}

/// The table for a while in which no shard grows.
pub(crate) struct View<'t> {
    shards: RwLockReadGuard<'t, Vec<Shard>>,
}

/// No place for another entry: drop the view and call [`Table::grow`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoRoom;

/// The answer to a probe.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Probe {
    /// This entry was there.
    Found(u64),
    /// It was not there and is now.
    Added,
}

impl Table {
    /// An empty table.
    pub(crate) fn new(budget: Budget) -> Result<Table, StoreFull> {
        let shards: Result<Vec<Shard>, StoreFull> =
            (0..SHARDS).map(|number| Shard::new(first_buckets(number), &budget)).collect();
        Ok(Table { shards: RwLock::new(shards?) })
    }

    /// Forgets all entries. The memory stays, and is counted here from now on.
    pub(crate) fn renew(&mut self, budget: &Budget) -> Result<(), StoreFull> {
        let mut shards = self.shards.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        shards.iter_mut().enumerate().try_for_each(|(number, shard)| shard.renew(first_buckets(number), budget))
    }

    /// Keeps the shards from growing as long as the view lives.
    pub(crate) fn view(&self) -> View<'_> {
        // A thread that panicked while it held the lock has left whole entries: each is one word.
        View { shards: self.shards.read().unwrap_or_else(|poisoned| poisoned.into_inner()) }
    }

    /// Makes room wherever there is too little. The caller holds no view.
    pub(crate) fn grow(&self) -> Result<(), StoreFull> {
        let mut shards = self.shards.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        shards.iter_mut().filter(|shard| shard.wants_room()).try_for_each(Shard::grow)
    }

    /// Replaces all entries by these, each there once. After an error nothing has changed. The
    /// caller holds no view.
    pub(crate) fn replace(&self, entries: &[u64]) -> Result<(), StoreFull> {
        let mut shards = self.shards.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let empty = |(number, shard): (usize, &Shard)| Shard::new(first_buckets(number), &shard.budget);
        let mut others = shards.iter().enumerate().map(empty).collect::<Result<Vec<Shard>, StoreFull>>()?;
        for &entry in entries {
            others[shard_of(entry)].add(entry)?;
        }
        *shards = others;
        Ok(())
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> u64 {
        self.view().shards.iter().map(|shard| shard.used.load(Ordering::Relaxed) as u64).sum()
    }

    /// The bytes it holds.
    pub(crate) fn memory(&self) -> usize {
        self.view().shards.iter().map(Shard::memory).sum()
    }
}

/// Where the shards were at some time: enough to ask for memory without a view. If a shard has
/// grown since, the hint is wrong and does no harm.
#[derive(Default)]
pub(crate) struct Hints {
    shards: [Hint; SHARDS],
}

#[derive(Copy, Clone, Default)]
struct Hint {
    address: usize,
    buckets: usize,
}

impl Hints {
    /// Asks for the memory that a probe with this hash will look at.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        let hint = &self.shards[shard_of(hash)];
        prefetch_at(hint.address + home(hash, hint.buckets) * BUCKET * size_of::<AtomicU64>());
    }
}

impl View<'_> {
    /// All entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = u64> {
        let words = self.shards.iter().flat_map(|shard| shard.words.iter());
        words.map(|word| word.load(Ordering::Relaxed)).filter(|entry| *entry != 0)
    }

    /// Where the shards are now.
    pub(crate) fn hints(&self) -> Hints {
        let mut hints = Hints::default();
        for (hint, shard) in hints.shards.iter_mut().zip(self.shards.iter()) {
            *hint = Hint { address: shard.words.as_ptr().addr(), buckets: shard.buckets };
        }
        hints
    }

    /// Finds the entry with the upper half of `hash` for which `same` is true, or adds the one that
    /// `make` gives; its upper half must be that of `hash`.
    ///
    /// After `make` was called, `Found` may still be the answer: another thread was faster.
    #[inline]
    pub(crate) fn probe(
        &self,
        hash: u64,
        same: impl Fn(u64) -> bool,
        make: impl FnOnce() -> Result<u64, NoRoom>,
    ) -> Result<Probe, NoRoom> {
        let shard = self.shard(hash);
        let words = &shard.words[shard.home(hash) * BUCKET..];
        let mut place = 0;
        // First without an entry of our own.
        while let Some(word) = words.get(place) {
            let entry = word.load(Ordering::Acquire);
            if entry == 0 {
                break;
            }
            if same(entry) {
                return Ok(Probe::Found(entry));
            }
            place += 1;
        }
        if place == words.len() || shard.is_full() {
            shard.ask_for_room();
            return Err(NoRoom);
        }
        let mine = make()?;
        while let Some(word) = words.get(place) {
            match word.compare_exchange(0, mine, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {
                    shard.used.fetch_add(1, Ordering::Relaxed);
                    return Ok(Probe::Added);
                }
                Err(entry) if same(entry) => return Ok(Probe::Found(entry)),
                Err(_) => place += 1,
            }
        }
        shard.ask_for_room();
        Err(NoRoom)
    }

    /// The entry with the upper half of `hash` for which `same` is true.
    pub(crate) fn find(&self, hash: u64, same: impl Fn(u64) -> bool) -> Option<u64> {
        let shard = self.shard(hash);
        let entries = shard.words[shard.home(hash) * BUCKET..].iter().map(|word| word.load(Ordering::Acquire));
        entries.take_while(|&entry| entry != 0).find(|&entry| same(entry))
    }

    #[inline]
    fn shard(&self, hash: u64) -> &Shard {
        &self.shards[shard_of(hash)]
    }
}

#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// The bucket from which on an entry with this hash lies, in a shard with so many.
#[inline]
fn home(hash: u64, buckets: usize) -> usize {
    let fraction = (hash >> 32) & ((1 << HOME_BITS) - 1);
    ((fraction * buckets as u64) >> HOME_BITS) as usize
}

/// A part of the table. Entries are in `words` from their home on without a gap.
struct Shard {
    words: Words,
    /// How many buckets are the home of something.
    buckets: usize,
    used: AtomicUsize,
    /// The number of entries from which on it is full. Zero when it was asked to grow earlier.
    most: AtomicUsize,
    /// Where its memory comes from and goes back to.
    budget: Budget,
}

impl Drop for Shard {
    fn drop(&mut self) {
        self.budget.give(self.memory());
    }
}

impl Shard {
    fn new(buckets: usize, budget: &Budget) -> Result<Shard, StoreFull> {
        let words = (buckets + TAIL) * BUCKET;
        budget.take(words * size_of::<AtomicU64>())?;
        let Some(words) = Words::zeroed(words) else {
            budget.give(words * size_of::<AtomicU64>());
            return Err(StoreFull);
        };
        let most = AtomicUsize::new(most_entries(buckets));
        Ok(Shard { words, buckets, used: AtomicUsize::new(0), most, budget: budget.clone() })
    }

    /// Forgets its entries. If there were few for its size it becomes one with `first` buckets:
    /// then it takes no time to speak of, and the next few are found in a small place.
    fn renew(&mut self, first: usize, budget: &Budget) -> Result<(), StoreFull> {
        let used = self.used.load(Ordering::Relaxed);
        if self.buckets > first && used < self.words.len() / ROOMY {
            *self = Shard::new(first, budget)?;
            return Ok(());
        }
        budget.take(self.memory())?;
        std::mem::replace(&mut self.budget, budget.clone()).give(self.memory());
        if used > 0 {
            self.words.clear();
        }
        self.used.store(0, Ordering::Relaxed);
        self.most.store(most_entries(self.buckets), Ordering::Relaxed);
        Ok(())
    }

    /// The bucket from which on an entry with this hash lies.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        home(hash, self.buckets)
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) >= self.most.load(Ordering::Relaxed)
    }

    fn ask_for_room(&self) {
        self.most.store(0, Ordering::Relaxed);
    }

    fn wants_room(&self) -> bool {
        self.most.load(Ordering::Relaxed) == 0
    }

    /// Becomes a larger shard with the same entries.
    fn grow(&mut self) -> Result<(), StoreFull> {
        let larger = Shard::new(self.buckets + (self.buckets * GROWTH / 100).max(1), &self.budget)?;
        larger.move_from(&mut self.words);
        larger.used.store(self.used.load(Ordering::Relaxed), Ordering::Relaxed);
        *self = larger;
        Ok(())
    }

    /// Adds an entry that is not there. Nobody else is at work.
    fn add(&mut self, entry: u64) -> Result<(), StoreFull> {
        loop {
            let free = |word: &&AtomicU64| word.load(Ordering::Relaxed) == 0;
            if let Some(word) = self.words[self.home(entry) * BUCKET..].iter().find(free).filter(|_| !self.is_full()) {
                word.store(entry, Ordering::Relaxed);
                self.used.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
            self.grow()?;
        }
    }

    /// Takes over the entries of another shard, almost in the order of their homes, so that both
    /// are swept from the start to the end. The memory behind the sweep is given back on the way.
    ///
    /// There is a place for every entry. How many places it takes depends only on how many entries
    /// have each home. Those at home in the last `k` buckets here were at home in the last `k`
    /// buckets of the smaller shard, and in it they found places from there on; so they find as
    /// many here.
    fn move_from(&self, words: &mut Words) {
        // How many places of each bucket are taken. They are taken in order.
        let mut taken = vec![0; self.buckets + TAIL];
        let mut discarded = 0;
        for place in 0..words.len() {
            let entry = words[place].load(Ordering::Relaxed);
            if entry != 0 {
                let mut bucket = self.home(entry);
                while taken[bucket] == BUCKET as u8 {
                    bucket += 1;
                }
                self.words[bucket * BUCKET + usize::from(taken[bucket])].store(entry, Ordering::Relaxed);
                taken[bucket] += 1;
            }
            if place - discarded >= DISCARD {
                words.discard_before(place);
                discarded = place;
            }
        }
    }

    fn memory(&self) -> usize {
        self.words.len() * size_of::<AtomicU64>()
    }
}

/// The number of entries from which on a shard with so many buckets is full.
fn most_entries(buckets: usize) -> usize {
    buckets * BUCKET * FULL / 100
}

/// The sizes of the shards at first, spread over one step of growth.
fn first_buckets(number: usize) -> usize {
    let share = number as f64 / SHARDS as f64;
    (LEAST_BUCKETS as f64 * (1.0 + GROWTH as f64 / 100.0).powf(share)) as usize
}
