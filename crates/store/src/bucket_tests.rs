//! Tests of entries in a bucket, apart from `key_format` because that is compiled with other
//! atomics, too.

use proptest::prelude::*;

use crate::key_format::{BUCKET, COUNT, Format, LEAST_BITS, REST_BITS, TAKEN, TRY_BITS, entries_in, entries_of};
use crate::sync::{AtomicU32, Ordering};

#[test]
fn as_many_entries_as_fit_beside_the_count() {
    for bits in 1..u64::BITS {
        let fits = |entries: u32| entries < BUCKET as u32 && entries * bits.max(u32::BITS) + 5 <= 512;
        assert!(fits(entries_of(bits)) && !fits(entries_of(bits) + 1), "{bits}");
    }
}

proptest! {
    #[test]
    fn entries_are_read_as_they_were_written(bits in LEAST_BITS..=61, doublings in 5..24u32, values: [u64; BUCKET]) {
        let format = Format::new(bits, 1 << doublings);
        let length = format.lower + REST_BITS + TRY_BITS;
        let bucket: [AtomicU32; BUCKET] = Default::default();
        let entries: Vec<u64> = values.iter().map(|value| value & ((1 << length) - 1)).collect();
        for place in 0..format.entries {
            bucket[COUNT].fetch_or(TAKEN, Ordering::Relaxed);
            format.write(&bucket, place, entries[place as usize]);
            prop_assert_eq!(entries_in(bucket[COUNT].load(Ordering::Relaxed)), place + 1);
        }
        prop_assert_eq!(bucket[COUNT].load(Ordering::Relaxed) & TAKEN, 0);
        for place in 0..format.entries {
            prop_assert_eq!(format.entry(&bucket, place), entries[place as usize]);
        }
    }
}
