//! Entries of a table that lead to something in an arena: the upper half is that of the hash, the
//! lower half a number.

/// The lower half.
const NUMBER: u64 = u32::MAX as u64;

/// The entry for what has this hash and lies at this number. Never zero.
pub(crate) fn entry(hash: u64, number: u32) -> u64 {
    (hash & !NUMBER) | (u64::from(number) + 1)
}

/// Where the thing lies, if its hash may be this one.
#[inline]
pub(crate) fn number_if_alike(entry: u64, hash: u64) -> Option<u32> {
    ((entry ^ hash) <= NUMBER).then(|| number(entry))
}

/// Where the thing lies.
#[inline]
pub(crate) fn number(entry: u64) -> u32 {
    (entry as u32).wrapping_sub(1)
}
