//! States in words: how those stores keep them that keep every state in full.

/// The bytes of a word.
pub(crate) const WORD: usize = 8;

/// The bytes of a state in words, the last one filled up with zeros.
pub(crate) fn words_of(state: &[u8]) -> impl Iterator<Item = u64> {
    let (whole, rest) = state.as_chunks::<WORD>();
    let mut last = [0; WORD];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then(|| u64::from_le_bytes(last));
    whole.iter().map(|word| u64::from_le_bytes(*word)).chain(last)
}

/// The words that a state takes: one with its length, and its bytes.
pub(crate) fn size(state: &[u8]) -> usize {
    1 + state.len().div_ceil(WORD)
}
