//! A set of keys of which only a part is stored: where a key lies tells the rest.
//!
//! A key has so many bits and is mixed well. It is split into [`SHARDS`] by its highest bits, and
//! each shard into buckets of one cache line. Of what is left, the upper part, times the number of
//! buckets, is the *home* of the key, the bucket from which on it lies, and some bits more, its
//! *rest*; so both tell the upper part again. Only the lower part is stored, with the rest, and
//! with the number of the try by which it found a bucket (Cleary: Compact hash tables using
//! bidirectional linear probing; van der Vegt, Laarman: A parallel compact hash table). The more
//! buckets there are, the fewer bits are left to be stored: a bucket has 8 to 15 entries.
//!
//! A bucket counts its entries. They are written one after the other and never change, so that to
//! look for a key needs no lock: whoever reads the count may read as many entries. To add one, a
//! thread takes the bucket by a bit beside the count. If a bucket is full, others are tried, in the
//! order of [`TRIES`]; if none has room, or the shard is nearly full, it grows, alone, in steps of
//! [`GROWTH`], in its place, while everybody waits; as many others as threads wait grow with it,
//! the fullest ones.

use std::cell::Cell;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use ample_transition::{Budget, StoreFull};
use crossbeam_utils::CachePadded;

use crate::key_format::{BUCKET, COUNT, FULL, Format, LEAST_BITS, SHARD_BITS, Split, TAKEN, TRIES, entries_in};
use crate::memory::{Halves, equal_words, give_back_unused, prefetch_at};
use crate::sync::{AtomicU32, AtomicUsize, LEAST_BUCKETS, Ordering, RwLock, RwLockReadGuard};
use crate::table::NoRoom;
use crate::uncounted::{Places, UNCOUNTED, Uncounted};

/// How many shards there are.
const SHARDS: usize = 1 << SHARD_BITS;
/// How much a shard grows, in percent. Each step moves all its entries.
const GROWTH: usize = 40;
/// One with fewer buckets than these becomes eight times as large, or twice: its memory matters
/// less than the time to move its entries.
const TINY: usize = 1 << 10;
const SMALL: usize = 1 << 14;
/// To move the entries of so many buckets is worth another thread.
const MUCH_WORK: usize = LEAST_BUCKETS << 8;
/// So full, in percent of what makes it grow, a shard grows with others.
const NEARLY: usize = 93;
/// When the table has so many bytes, and whenever it has twice as many, what the process does not
/// use is given back: what was needed to read and compile the model, mostly.
const FIRST_GIVING: usize = 4 << 20;
/// A shard with more than so many places for each entry that was in it becomes small again when it
/// is emptied.
const ROOMY: usize = 64;
/// If a home is full, so many buckets behind it are asked for.
const PREFETCHED: usize = 2;

/// A bucket that nobody else knows.
type Bucket = [AtomicU32; BUCKET];

/// A set of keys.
pub(crate) struct KeyTable {
    shards: RwLock<Shards>,
    /// How often shards were replaced.
    generation: AtomicUsize,
}

struct Shards {
    list: Vec<Shard>,
    /// How many keys were added that are not counted at their shards.
    apart: Places,
    /// How often all keys were replaced by others.
    version: usize,
    /// From so many bytes on, what the process does not use is given back.
    next_giving: usize,
}

impl Shards {
    /// The shard of a key. All have keys of the same length.
    #[inline]
    fn of(&self, key: u64) -> usize {
        (key >> self.list[0].format.shard_shift) as usize % SHARDS
    }

    /// The bytes they hold.
    fn memory(&self) -> usize {
        self.list.iter().map(Shard::memory).sum()
    }
}

/// The table for a while in which no shard grows.
pub(crate) struct KeyView<'t> {
    shards: RwLockReadGuard<'t, Shards>,
    /// How many keys were added to each shard in this while. They are counted there at its end.
    added: [Cell<usize>; SHARDS],
}

impl Drop for KeyView<'_> {
    fn drop(&mut self) {
        for (shard, added) in self.shards.list.iter().zip(&self.added) {
            if added.get() > 0 {
                shard.used.fetch_add(added.get(), Ordering::Relaxed);
            }
        }
    }
}

impl KeyView<'_> {
    /// Ends the view, but does not count a few keys for each shard that it has added: they are kept
    /// in `uncounted`, until they are more.
    pub(crate) fn end(self, uncounted: &mut Uncounted) {
        self.keep(uncounted, |shard| shard.few);
    }

    /// Counts the rest, which was added in this version.
    pub(crate) fn count(self, uncounted: &mut Uncounted) {
        self.keep(uncounted, |_| 0);
    }

    /// Keeps what is not more than so many keys for a shard.
    fn keep(self, uncounted: &mut Uncounted, most: impl Fn(&Shard) -> usize) {
        let (mut before, mut after) = (0, 0);
        for ((shard, added), kept) in self.shards.list.iter().zip(&self.added).zip(&mut uncounted.added) {
            before += *kept;
            let all = std::mem::take(kept) + added.take();
            if all > most(shard) {
                added.set(all)
            } else {
                *kept = all
            }
            after += *kept;
        }
        self.shards.apart.change(uncounted, before, after);
    }
}

impl KeyTable {
    /// An empty table, for keys of so many bits.
    pub(crate) fn new(bits: u32, budget: &Budget) -> Result<KeyTable, StoreFull> {
        let list: Result<Vec<Shard>, StoreFull> =
            (0..SHARDS).map(|number| Shard::new(Format::new(bits, first_buckets(number)), budget)).collect();
        let shards = Shards { list: list?, apart: Places::new(), version: 0, next_giving: FIRST_GIVING };
        Ok(KeyTable { shards: RwLock::new(shards), generation: AtomicUsize::new(0) })
    }

    /// Forgets all keys, and is for keys of so many bits from now on. The memory stays, and is
    /// counted here.
    pub(crate) fn renew(&mut self, bits: u32, budget: &Budget) -> Result<(), StoreFull> {
        let mut shards = self.shards.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        (shards.version, shards.next_giving, shards.apart) = (0, FIRST_GIVING, Places::new());
        self.generation.fetch_add(1, Ordering::Relaxed);
        let mut numbered = shards.list.iter_mut().enumerate();
        numbered.try_for_each(|(number, shard)| shard.renew(bits, first_buckets(number), budget))
    }

    /// Keeps the shards from growing as long as the view lives.
    pub(crate) fn view(&self) -> KeyView<'_> {
        let shards = self.shards.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        KeyView { shards, added: Default::default() }
    }

    /// Where the shards are now, if they are not where these hints say.
    #[inline]
    pub(crate) fn renew_hints(&self, hints: &mut KeyHints) {
        let generation = self.generation.load(Ordering::Relaxed);
        if generation != hints.generation {
            *hints = KeyHints { generation, ..self.view().hints() };
        }
    }

    /// Adds one key or finds it; `None` if the table has another version than this by now.
    #[inline]
    pub(crate) fn add_one(&self, version: usize, key: u64, absent: Absent) -> Result<Option<Added>, NoRoom> {
        let shards = self.shards.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        if shards.version != version {
            return Ok(None);
        }
        let shard = &shards.list[shards.of(key)];
        let added = shard.add(key, absent)?;
        if added == Added::New && absent == Absent::Added {
            shard.used.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(added))
    }

    /// Makes room wherever there is too little, by the work of so many threads: as many as wait
    /// meanwhile. The caller holds no view.
    pub(crate) fn grow(&self, threads: usize) -> Result<(), StoreFull> {
        let mut shards = self.shards.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.generation.fetch_add(1, Ordering::Relaxed);
        grow_all(&mut shards.list, threads)?;
        let bytes = shards.memory();
        if bytes >= shards.next_giving {
            shards.next_giving = 2 * bytes;
            give_back_unused();
        }
        Ok(())
    }

    /// Replaces all keys by others, of so many bits, by the work of one thread for each of those
    /// who replace them. `commit` is called when all keys have their place: nothing but this can
    /// fail any more. After an error nothing has changed. The caller holds no view.
    pub(crate) fn rewrite<R: ReplaceKeys>(
        &self,
        bits: u32,
        replacing: &mut [R],
        commit: impl FnOnce(&mut [R]) -> Result<(), StoreFull>,
    ) -> Result<(), StoreFull> {
        let mut shards = self.shards.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let empty =
            |shard: &Shard| Shard::new(shard.format.with_bits(bits, shard.used.load(Ordering::Relaxed)), &shard.budget);
        let mut list = shards.list.iter().map(empty).collect::<Result<Vec<Shard>, StoreFull>>()?;
        for key in (Rewriting { old: &shards.list, new: &list, bits }).by_all(replacing)? {
            list[shard_of(key, bits)].put_growing(key)?;
        }
        commit(replacing)?;
        self.generation.fetch_add(1, Ordering::Relaxed);
        *shards = Shards { list, apart: Places::new(), version: shards.version + 1, next_giving: shards.next_giving };
        Ok(())
    }

    /// How many keys there are.
    pub(crate) fn len(&self) -> u64 {
        let view = self.view();
        let counted = view.shards.list.iter().map(|shard| shard.used.load(Ordering::Relaxed));
        counted.fold(view.shards.apart.sum(), usize::wrapping_add) as u64
    }

    /// The bytes it holds.
    pub(crate) fn memory(&self) -> usize {
        self.view().shards.memory()
    }
}

/// What replaces keys, for one thread. Nobody else is at work then.
pub(crate) trait ReplaceKeys: Send {
    /// What takes the place of a key, if anything does.
    fn replace(&mut self, key: u64) -> Result<Option<u64>, StoreFull>;

    /// Keys that are added, when all were replaced: one part of so many parts.
    fn more(&mut self, part: usize, parts: usize) -> Result<Vec<u64>, StoreFull>;
}

/// All keys are replaced.
#[derive(Copy, Clone)]
struct Rewriting<'t> {
    old: &'t [Shard],
    new: &'t [Shard],
    bits: u32,
}

impl Rewriting<'_> {
    /// Each thread takes its part of all shards. Gives the keys that found no place.
    fn by_all<R: ReplaceKeys>(self, replacing: &mut [R]) -> Result<Vec<u64>, StoreFull> {
        let parts = replacing.len();
        thread::scope(|scope| {
            let mut numbered = replacing.iter_mut().enumerate();
            let own = numbered.next();
            let others: Vec<_> =
                numbered.map(|(part, replace)| scope.spawn(move || self.by_one(part, parts, replace))).collect();
            let mut left_over = own.map_or(Ok(Vec::new()), |(part, replace)| self.by_one(part, parts, replace));
            for other in others {
                let more = other.join().unwrap_or_else(|panic| resume_unwind(panic));
                left_over = left_over.and_then(|known| Ok([known, more?].concat()));
            }
            left_over
        })
    }

    /// The same for one part.
    fn by_one(self, part: usize, parts: usize, replace: &mut impl ReplaceKeys) -> Result<Vec<u64>, StoreFull> {
        let (mut left_over, mut added) = (Vec::new(), [0; SHARDS]);
        let mut add = |key: u64| {
            let number = shard_of(key, self.bits);
            match self.new[number].add(key, Absent::Added) {
                Ok(_) => added[number] += 1,
                Err(NoRoom) => left_over.push(key),
            }
        };
        for (number, shard) in self.old.iter().enumerate() {
            let [start, end] = [part, part + 1].map(|part| shard.format.buckets * part / parts);
            shard.for_each(number, start..end, |key| {
                replace.replace(key)?.into_iter().for_each(&mut add);
                Ok(())
            })?;
        }
        replace.more(part, parts)?.into_iter().for_each(&mut add);
        for (shard, added) in self.new.iter().zip(added) {
            shard.used.fetch_add(added, Ordering::Relaxed);
        }
        Ok(left_over)
    }
}

/// Where the shards were at some time: enough to ask for memory without a view. If a shard has
/// grown since, the hint is wrong and does no harm.
#[derive(Default)]
pub(crate) struct KeyHints {
    shards: [KeyHint; SHARDS],
    /// How often shards had been replaced, as far as that was asked.
    generation: usize,
}

#[derive(Copy, Clone, Default)]
struct KeyHint {
    address: usize,
    format: Format,
}

impl KeyHints {
    /// Asks for the memory where a key will be looked for.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        // All shards have keys of the same length.
        let hint = &self.shards[(key >> self.shards[0].format.shard_shift) as usize % SHARDS];
        prefetch_at(hint.address + hint.format.split(key).home * BUCKET * size_of::<AtomicU32>());
    }
}

impl KeyView<'_> {
    /// How often all keys were replaced by others.
    #[inline]
    pub(crate) fn version(&self) -> usize {
        self.shards.version
    }

    /// Where the shards are now.
    pub(crate) fn hints(&self) -> KeyHints {
        let mut hints = KeyHints::default();
        for (hint, shard) in hints.shards.iter_mut().zip(&self.shards.list) {
            *hint = KeyHint { address: shard.halves.as_ptr().addr(), format: shard.format };
        }
        hints
    }

    /// Whether a key is there.
    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.shards.list[self.shards.of(key)].add(key, Absent::Left) == Ok(Added::Found)
    }

    /// Adds a key or finds it.
    #[inline(always)]
    pub(crate) fn add(&self, key: u64, absent: Absent) -> Result<Added, NoRoom> {
        let number = self.shards.of(key);
        let added = self.shards.list[number].add(key, absent)?;
        if added == Added::New && absent == Absent::Added {
            self.added[number].set(self.added[number].get() + 1);
        }
        Ok(added)
    }

    /// The same if the home of the key tells; else nothing, and the memory is asked for in which
    /// the key is looked for next.
    #[inline(always)]
    pub(crate) fn add_at_home(&self, key: u64, absent: Absent) -> Result<Option<Added>, NoRoom> {
        let number = self.shards.of(key);
        let added = self.shards.list[number].add_at_home(key, absent)?;
        if added == Some(Added::New) && absent == Absent::Added {
            self.added[number].set(self.added[number].get() + 1);
        }
        Ok(added)
    }

    /// About one key in so many.
    pub(crate) fn sample(&self, step: usize) -> Vec<u64> {
        let (mut keys, mut place) = (Vec::new(), 0);
        for (number, shard) in self.shards.list.iter().enumerate() {
            _ = shard.for_each(number, 0..usize::MAX, |key| {
                if place % step == 0 {
                    keys.push(key);
                }
                place += 1;
                Ok(())
            });
        }
        keys
    }
}

fn shard_of(key: u64, bits: u32) -> usize {
    (key >> (bits.max(LEAST_BITS) - SHARD_BITS)) as usize % SHARDS
}

/// What becomes of a key that is not there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    /// It is added.
    Added,
    /// It is not.
    Left,
}

/// The answer of the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// It was there.
    Found,
    /// It was not there and is now, or would be.
    New,
}

/// A part of the table.
struct Shard {
    halves: Halves,
    format: Format,
    /// So few entries that were added need not be counted yet.
    few: usize,
    used: CachePadded<AtomicUsize>,
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
    fn new(format: Format, budget: &Budget) -> Result<Shard, StoreFull> {
        let bytes = format.buckets * BUCKET * size_of::<AtomicU32>();
        budget.take(bytes)?;
        let Some(halves) = Halves::zeroed(format.buckets * BUCKET) else {
            budget.give(bytes);
            return Err(StoreFull);
        };
        let most = most_entries(format);
        let (few, used) = (most / UNCOUNTED, CachePadded::new(AtomicUsize::new(0)));
        Ok(Shard { halves, format, few, used, most: AtomicUsize::new(most), budget: budget.clone() })
    }

    /// Forgets its entries. If there were few for its size it becomes one with `first` buckets.
    fn renew(&mut self, bits: u32, first: usize, budget: &Budget) -> Result<(), StoreFull> {
        let used = self.used.load(Ordering::Relaxed);
        if self.format.buckets > first && used < self.halves.len() / ROOMY {
            *self = Shard::new(Format::new(bits, first), budget)?;
            return Ok(());
        }
        budget.take(self.memory())?;
        std::mem::replace(&mut self.budget, budget.clone()).give(self.memory());
        if used > 0 {
            self.halves.clear();
        }
        self.format = Format::new(bits, self.format.buckets);
        self.used.store(0, Ordering::Relaxed);
        self.few = most_entries(self.format) / UNCOUNTED;
        self.most.store(most_entries(self.format), Ordering::Relaxed);
        Ok(())
    }

    #[inline(always)]
    fn bucket(&self, number: usize) -> Option<&[AtomicU32; BUCKET]> {
        self.halves.as_chunks().0.get(number)
    }

    /// Adds a key or finds it. Who calls this counts what is new.
    #[inline(always)]
    fn add(&self, key: u64, absent: Absent) -> Result<Added, NoRoom> {
        let split = self.format.split(key);
        let home = self.bucket(split.home).map(|bucket| self.add_to(bucket, split.stored, absent));
        match home {
            Some(Ok(Some(added))) => Ok(added),
            Some(Err(NoRoom)) => Err(NoRoom),
            _ => self.add_elsewhere(split, absent),
        }
    }

    /// The same if its home tells; else nothing, and the memory is asked for in which it is looked
    /// for next.
    #[inline(always)]
    fn add_at_home(&self, key: u64, absent: Absent) -> Result<Option<Added>, NoRoom> {
        let split = self.format.split(key);
        let Some(bucket) = self.bucket(split.home) else { return Ok(None) };
        let added = self.add_to(bucket, split.stored, absent)?;
        if added.is_none() {
            let line = |number: usize| split.home.wrapping_add(number) * BUCKET * size_of::<AtomicU32>();
            let start = self.halves.as_ptr().addr();
            (1..=PREFETCHED).for_each(|number| prefetch_at(start + line(number)));
        }
        Ok(added)
    }

    /// The same if its home is full.
    #[cold]
    #[inline(never)]
    fn add_elsewhere(&self, split: Split, absent: Absent) -> Result<Added, NoRoom> {
        for number in 1..TRIES.len() {
            let (bucket, entry) = self.format.nth(split, number);
            let Some(bucket) = self.bucket(bucket) else { break };
            if let Some(added) = self.add_to(bucket, entry, absent)? {
                return Ok(added);
            }
        }
        self.ask_for_room();
        Err(NoRoom)
    }

    /// The same in one bucket; `None` if it is full of others.
    #[inline(always)]
    fn add_to(&self, bucket: &[AtomicU32; BUCKET], entry: u64, absent: Absent) -> Result<Option<Added>, NoRoom> {
        loop {
            let count = bucket[COUNT].load(Ordering::Acquire);
            let entries = entries_in(count);
            if self.is_among(bucket, entries, entry) {
                return Ok(Some(Added::Found));
            }
            if entries >= self.format.entries {
                return Ok(None);
            }
            if absent == Absent::Left {
                return Ok(Some(Added::New));
            }
            if self.is_full() {
                self.ask_for_room();
                return Err(NoRoom);
            }
            let take = || bucket[COUNT].compare_exchange(count, count | TAKEN, Ordering::Acquire, Ordering::Relaxed);
            if count & TAKEN == 0 && take().is_ok() {
                self.format.write(bucket, entries, entry);
                return Ok(Some(Added::New));
            }
            crate::sync::spin_loop();
        }
    }

    /// Whether an entry is among the first ones.
    #[inline(always)]
    fn is_among(&self, bucket: &[AtomicU32; BUCKET], end: u32, entry: u64) -> bool {
        let mut left = equal_words(bucket, end.min(COUNT as u32), entry as u32);
        while left != 0 {
            if self.format.beyond(bucket, left.trailing_zeros()) == entry >> 32 {
                return true;
            }
            left &= left - 1;
        }
        false
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) >= self.most.load(Ordering::Relaxed)
    }

    #[cold]
    fn ask_for_room(&self) {
        self.most.store(0, Ordering::Relaxed);
    }

    fn wants_room(&self) -> bool {
        self.most.load(Ordering::Relaxed) == 0
    }

    fn is_nearly_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) * 100 >= most_entries(self.format) * NEARLY
    }

    /// Becomes a larger shard with the same keys. Nobody else is at work.
    ///
    /// Keys keep their order, and their homes come to lie farther apart. So they are moved from the
    /// last bucket to the first, in the same memory, if there is room behind it: what is in a
    /// bucket has its place there or behind, where everything was moved. What belongs before it,
    /// because it was displaced, comes last.
    fn grow(&mut self) -> Result<(), StoreFull> {
        let buckets = match self.format.buckets {
            tiny @ ..TINY => tiny * 8,
            small @ ..SMALL => small * 2,
            large => large + large * GROWTH / 100,
        };
        let old = self.format;
        let more = (buckets - old.buckets) * BUCKET * size_of::<AtomicU32>();
        self.budget.take(more)?;
        let kept = self.halves.end_of_kept() / BUCKET;
        let last: Vec<Bucket> = (kept..old.buckets).filter_map(|place| self.halves.line(place)).collect();
        let is_extended = self.halves.extend(buckets * BUCKET);
        let mut before = None;
        if !is_extended {
            let Some(halves) = Halves::zeroed(buckets * BUCKET) else {
                self.budget.give(more);
                return Err(StoreFull);
            };
            before = Some(std::mem::replace(&mut self.halves, halves));
        }
        self.format = Format::new(old.shard_shift + SHARD_BITS, buckets);
        let most = most_entries(self.format);
        (self.few, self.most) = (most / UNCOUNTED, AtomicUsize::new(most));
        self.spread(old, last, before).into_iter().try_for_each(|key| self.put_back(key))
    }

    /// Moves the keys of a smaller shard to their places: those of its `last` buckets, and those
    /// before, which are in this memory, or `elsewhere`. Gives the keys that found no place.
    fn spread(&mut self, old: Format, mut last: Vec<Bucket>, mut elsewhere: Option<Halves>) -> Vec<u64> {
        let mut left_over = Vec::new();
        for place in (0..old.buckets).rev() {
            let bucket = last.pop().or_else(|| elsewhere.as_mut().unwrap_or(&mut self.halves).take_line(place));
            let (Some(bucket), buckets) = (&bucket, self.halves.as_chunks::<BUCKET>().0) else { continue };
            for number in 0..entries_in(bucket[COUNT].load(Ordering::Relaxed)).min(old.entries) {
                let key = old.key(0, place, old.entry(bucket, number));
                if !self.format.put(&buckets[place..], place, key) {
                    left_over.push(key);
                }
            }
        }
        left_over
    }

    /// Puts back a key that is counted, growing if need be.
    fn put_back(&mut self, key: u64) -> Result<(), StoreFull> {
        while !self.format.put(self.halves.as_chunks::<BUCKET>().0, 0, key) {
            self.grow()?;
        }
        Ok(())
    }

    /// Adds a key that is not there. Nobody else is at work.
    fn put(&self, key: u64) -> Result<(), StoreFull> {
        if !self.format.put(self.halves.as_chunks::<BUCKET>().0, 0, key) {
            return Err(StoreFull);
        }
        self.used.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// The same, growing if need be.
    fn put_growing(&mut self, key: u64) -> Result<(), StoreFull> {
        while self.is_full() || self.put(key).is_err() {
            self.grow()?;
        }
        Ok(())
    }

    /// Calls `each` with all keys in some buckets of the shard, which has this number.
    fn for_each(
        &self,
        number: usize,
        buckets: Range<usize>,
        mut each: impl FnMut(u64) -> Result<(), StoreFull>,
    ) -> Result<(), StoreFull> {
        let all = self.halves.as_chunks::<BUCKET>().0.iter().enumerate();
        for (place, bucket) in all.take(buckets.end).skip(buckets.start) {
            let count = entries_in(bucket[COUNT].load(Ordering::Acquire));
            for entry in 0..count.min(self.format.entries) {
                each(self.format.key(number, place, self.format.entry(bucket, entry)))?;
            }
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        self.halves.len() * size_of::<AtomicU32>()
    }
}

/// Makes the shards larger that want it. If that is much work, other threads do the same with those
/// that would want it next.
fn grow_all(shards: &mut [Shard], threads: usize) -> Result<(), StoreFull> {
    let mut growing: Vec<&mut Shard> = shards.iter_mut().filter(|shard| shard.wants_room()).collect();
    let is_much = threads > 1 && growing.iter().any(|shard| shard.format.buckets >= MUCH_WORK);
    if !is_much {
        return growing.into_iter().try_for_each(Shard::grow);
    }
    growing = shards.iter_mut().filter(|shard| shard.wants_room() || shard.is_nearly_full()).collect();
    growing.sort_by_key(|shard| !shard.wants_room());
    let wanted = growing.iter().filter(|shard| shard.wants_room()).count();
    growing.truncate(wanted.max(threads));
    let first = growing.pop();
    thread::scope(|scope| {
        let others: Vec<_> = growing.into_iter().map(|shard| scope.spawn(|| shard.grow())).collect();
        let first = first.map_or(Ok(()), Shard::grow);
        let join = |other: thread::ScopedJoinHandle<'_, _>| other.join().unwrap_or_else(|panic| resume_unwind(panic));
        others.into_iter().map(join).fold(first, Result::and)
    })
}

/// The number of entries from which on a shard is full.
fn most_entries(format: Format) -> usize {
    format.buckets * format.entries as usize * FULL / 100
}

/// The sizes of the shards at first, spread over one step of growth.
fn first_buckets(number: usize) -> usize {
    let share = number as f64 / SHARDS as f64;
    (LEAST_BUCKETS as f64 * share.exp2()) as usize
}
