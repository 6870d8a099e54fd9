//! How keys are stored in the buckets of a quotienting table: what of a key is stored, where its
//! home is, and how both tell the key again (see `quotient`).

use crate::sync::{AtomicU32, Ordering};

/// The 32-bit words of a bucket: a line of the processor's cache.
pub(crate) const BUCKET: usize = 16;
/// The one that counts its entries, in its highest bits.
pub(crate) const COUNT: usize = BUCKET - 1;
/// Set in that word while an entry is written.
pub(crate) const TAKEN: u32 = 1 << (u32::BITS - 1);
/// Where the number of entries begins in that word. Below it there are bits of entries.
const COUNT_SHIFT: u32 = 27;
/// How many shards there are, as a number of bits.
pub(crate) const SHARD_BITS: u32 = 3;
/// The bits of the rest. So many upper parts, or up to twice as many, have the same home: the more
/// there are, the more evenly keys are spread.
pub(crate) const REST_BITS: u32 = 6;
/// The bits for the try by which an entry found its place.
pub(crate) const TRY_BITS: u32 = 4;
/// The buckets that are tried, counted from the home, and again from the start behind the last one.
/// First those nearby, which are in memory soon; then others far away, since where one bucket is
/// full, many around it are.
pub(crate) const TRIES: [usize; 1 << TRY_BITS] =
    [0, 1, 2, 3, 8, 21, 55, 144, 377, 987, 2_584, 6_765, 17_711, 46_368, 121_393, 317_811];
/// How full a shard gets, in percent.
pub(crate) const FULL: usize = 90;
/// Keys have at least so many bits: more than the upper part will have in any memory.
pub(crate) const LEAST_BITS: u32 = 40;

/// How the keys of a shard are stored.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Format {
    /// How many buckets are the home of something.
    pub(crate) buckets: usize,
    /// Where the number of the shard begins in a key.
    pub(crate) shard_shift: u32,
    /// The bits of the lower part of a key, which is stored.
    pub(crate) lower: u32,
    /// The bits of the upper part.
    pub(crate) upper: u32,
    /// How many entries a bucket has.
    pub(crate) entries: u32,
    /// The bits of an entry beyond the first 32.
    pub(crate) beyond: u32,
    /// The largest word divided by the number of buckets: to divide by that without a division.
    reciprocal: u64,
}

/// A key, split.
#[derive(Copy, Clone)]
pub(crate) struct Split {
    pub(crate) home: usize,
    /// What is stored in the home itself.
    pub(crate) stored: u64,
}

impl Format {
    pub(crate) fn new(bits: u32, buckets: usize) -> Format {
        let bits = bits.max(LEAST_BITS) - SHARD_BITS;
        // So many that home and rest tell it.
        let upper = buckets.ilog2() + REST_BITS;
        debug_assert!(upper <= bits, "{buckets} buckets for keys of {bits} bits");
        let lower = bits - upper;
        let entry = lower + REST_BITS + TRY_BITS;
        let entries = entries_of(entry);
        let beyond = entry.saturating_sub(u32::BITS);
        let reciprocal = u64::MAX / buckets as u64;
        Format { buckets, shard_shift: bits, lower, upper, entries, beyond, reciprocal }
    }

    /// As many buckets, or as many more as so many entries need that are keys of so many bits.
    pub(crate) fn with_bits(self, bits: u32, used: usize) -> Format {
        let same = Format::new(bits, self.buckets);
        let needed = (used + 1).div_ceil(same.entries as usize) * 100 / FULL + 1;
        if needed > self.buckets { Format::new(bits, needed) } else { same }
    }

    #[inline(always)]
    pub(crate) fn split(&self, key: u64) -> Split {
        let upper = (key >> self.lower) & ((1 << self.upper) - 1);
        let product = upper * self.buckets as u64;
        let home = (product >> self.upper) as usize;
        let rest = (product >> (self.upper - REST_BITS)) & ((1 << REST_BITS) - 1);
        Split { home, stored: key & ((1 << self.lower) - 1) | rest << self.lower }
    }

    /// The bucket of a try, and what is stored there.
    #[inline(always)]
    pub(crate) fn nth(&self, Split { home, stored }: Split, number: usize) -> (usize, u64) {
        let bucket = if number == 0 { home } else { (home + TRIES[number]) % self.buckets };
        (bucket, stored | (number as u64) << (self.lower + REST_BITS))
    }

    /// The key of an entry in a bucket of the shard with this number.
    ///
    /// Products of neighbouring upper parts differ by the number of buckets, which is at least what
    /// a step of the rest is worth: so at most one of them lies in such a step.
    #[inline(always)]
    pub(crate) fn key(&self, shard: usize, bucket: usize, entry: u64) -> u64 {
        let home = self.home(bucket, (entry >> (self.lower + REST_BITS)) as usize) as u64;
        let rest = entry >> self.lower & ((1 << REST_BITS) - 1);
        let step = (home << REST_BITS | rest) << (self.upper - REST_BITS);
        let upper = self.divided(step);
        (shard as u64) << self.shard_shift | upper << self.lower | entry & ((1 << self.lower) - 1)
    }

    /// A number divided by the number of buckets, rounded up.
    #[inline(always)]
    fn divided(&self, number: u64) -> u64 {
        // Less than two below the quotient.
        let near = ((u128::from(number) * u128::from(self.reciprocal)) >> u64::BITS) as u64;
        let rest = number - near * self.buckets as u64;
        near + u64::from(rest > 0) + u64::from(rest > self.buckets as u64) + u64::from(rest > 2 * self.buckets as u64)
    }

    /// The home of an entry that found this bucket by this try.
    #[inline(always)]
    fn home(&self, bucket: usize, number: usize) -> usize {
        if number == 0 {
            return bucket;
        }
        let distance = TRIES[number % TRIES.len()] % self.buckets;
        if distance <= bucket { bucket - distance } else { bucket + self.buckets - distance }
    }

    /// An entry of a bucket.
    #[inline(always)]
    pub(crate) fn entry(&self, bucket: &[AtomicU32; BUCKET], place: u32) -> u64 {
        self.beyond(bucket, place) << 32 | u64::from(bucket[place as usize].load(Ordering::Relaxed))
    }

    /// The bits of an entry beyond the first 32. They may lie in two words.
    #[inline(always)]
    pub(crate) fn beyond(&self, bucket: &[AtomicU32; BUCKET], place: u32) -> u64 {
        let bit = place * self.beyond;
        let first = ((self.entries + bit / u32::BITS) as usize).min(COUNT);
        let word = |number: usize| u64::from(bucket[number].load(Ordering::Relaxed));
        // Behind the last word there are none.
        let words = word(first) | word((first + 1).min(COUNT)) << u32::BITS;
        words >> (bit % u32::BITS) & ((1 << self.beyond) - 1)
    }

    /// Writes the next entry, and counts it: the bucket is not taken any more. Nobody else writes
    /// to it, and nobody reads this entry before it is counted.
    #[inline(always)]
    pub(crate) fn write(&self, bucket: &[AtomicU32; BUCKET], place: u32, entry: u64) {
        bucket[place as usize % BUCKET].store(entry as u32, Ordering::Relaxed);
        let bit = place * self.beyond;
        let first = (self.entries + bit / u32::BITS) as usize;
        let add = |number: usize, bits: u32| {
            let word = &bucket[number % BUCKET];
            word.store(word.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
        };
        let bits = (entry >> u32::BITS) << (bit % u32::BITS);
        if self.beyond > 0 {
            add(first, bits as u32);
        }
        if bits >> u32::BITS != 0 {
            add(first + 1, (bits >> u32::BITS) as u32);
        }
        let count = bucket[COUNT].load(Ordering::Relaxed) & !TAKEN;
        bucket[COUNT].store(count + (1 << COUNT_SHIFT), Ordering::Release);
    }

    /// Adds a key that is not there, if there is a place near its home among these buckets, of
    /// which the first has this number. Nobody else is at work on them.
    #[inline(always)]
    pub(crate) fn put(&self, buckets: &[[AtomicU32; BUCKET]], first: usize, key: u64) -> bool {
        let split = self.split(key);
        for number in 0..TRIES.len() {
            let (bucket, entry) = self.nth(split, number);
            let Some(bucket) = bucket.checked_sub(first).and_then(|place| buckets.get(place)) else { break };
            let count = entries_in(bucket[COUNT].load(Ordering::Relaxed));
            if count < self.entries {
                self.write(bucket, count, entry);
                return true;
            }
        }
        false
    }
}

/// How many entries a bucket has by its last word.
#[inline(always)]
pub(crate) fn entries_in(count: u32) -> u32 {
    (count & !TAKEN) >> COUNT_SHIFT
}

/// How many entries of so many bits a bucket has: as many as leave room for the count. The first 32
/// bits of each have a word of their own, so that they can be compared at once.
pub(crate) fn entries_of(bits: u32) -> u32 {
    match bits {
        0..=33 => 15,
        34..=36 => 14,
        37..=39 => 13,
        40..=42 => 12,
        43..=46 => 11,
        47..=50 => 10,
        51..=56 => 9,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn to_divide_takes_no_division(buckets in 1..1usize << 31, number in 0..1u64 << 61, factor in 0..1u64 << 30) {
            let format = Format::new(61, buckets);
            for number in [number, factor * buckets as u64, factor * buckets as u64 + 1] {
                prop_assert_eq!(format.divided(number), number.div_ceil(buckets as u64));
            }
        }
    }
}
