//! References to successors that wait to be settled.

/// References, and room behind them that stays: nothing is cleared to make room for a few more.
#[derive(Default)]
pub(super) struct Offered {
    words: Vec<u64>,
    len: usize,
}

impl Offered {
    pub(super) fn as_slice(&self) -> &[u64] {
        &self.words[..self.len]
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.words[..self.len]
    }

    /// Room for so many more, behind the others. What is written there counts when [`Self::keep`]
    /// says so.
    #[inline(always)]
    pub(super) fn room(&mut self, count: usize) -> &mut [u64] {
        let end = self.len + count;
        if end > self.words.len() {
            self.make_room(end);
        }
        &mut self.words[self.len..end]
    }

    /// Counts the first so many in the room, and gives them.
    #[inline(always)]
    pub(super) fn keep(&mut self, count: usize) -> &[u64] {
        let start = self.len;
        self.len += count;
        &self.words[start..self.len]
    }

    #[inline(always)]
    pub(super) fn push(&mut self, reference: u64) {
        self.room(1)[0] = reference;
        self.len += 1;
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, end: usize) {
        self.words.resize(end.next_power_of_two(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_kept_counts() {
        let mut offered = Offered::default();
        offered.push(1);
        offered.room(3).copy_from_slice(&[2, 3, 4]);
        assert_eq!(offered.keep(2), [2, 3]);
        assert_eq!(offered.as_slice(), [1, 2, 3]);
        offered.push(5);
        assert_eq!(offered.as_mut_slice(), [1, 2, 3, 5]);
        offered.clear();
        offered.push(6);
        assert_eq!(offered.as_slice(), [6]);
    }
}
