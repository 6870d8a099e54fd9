//! Packing components into lanes of four bytes: first fit, large ones first.

/// The bytes of a lane.
const LANE: u32 = 4;

/// Components to be packed, by size.
#[derive(Default)]
pub(crate) struct Lanes {
    sizes: Vec<u32>,
}

impl Lanes {
    /// Adds a component.
    pub(crate) fn add(&mut self, size: u32) {
        self.sizes.push(size);
    }

    /// Where each component starts, and the size of all: whole lanes.
    ///
    /// One that is larger than a lane begins a lane; what it leaves of its last lane is free for
    /// small ones. A small one lies within one lane.
    pub(crate) fn pack(&self) -> (Vec<u32>, u32) {
        let mut starts = vec![0; self.sizes.len()];
        // The free bytes at the end of each lane that has some, by where they begin.
        let mut free: Vec<u32> = Vec::new();
        let mut end = 0;
        let mut order: Vec<usize> = (0..self.sizes.len()).collect();
        // Stable: components of the same size, like processes of one kind, stay in order.
        order.sort_by_key(|component| std::cmp::Reverse(self.sizes[*component]));
        for component in order {
            let size = self.sizes[component];
            let room = |start: u32| start.next_multiple_of(LANE) - start;
            let fits = free.iter().position(|start| room(*start) >= size);
            starts[component] = match fits {
                Some(lane) => free[lane],
                None => end,
            };
            let next = starts[component] + size;
            match fits {
                Some(lane) => free[lane] = next,
                None => {
                    end = next.next_multiple_of(LANE);
                    free.push(next);
                }
            }
        }
        (starts, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sizes: &[u32], starts: &[u32], size: u32) {
        let mut lanes = Lanes::default();
        sizes.iter().for_each(|size| lanes.add(*size));
        assert_eq!(lanes.pack(), (starts.to_vec(), size));
    }

    #[test]
    fn small_components_share_lanes() {
        check(&[1, 3, 1, 2, 1], &[3, 0, 6, 4, 7], 8);
        check(&[2, 3, 2, 1], &[4, 0, 6, 3], 8);
    }

    #[test]
    fn large_components_begin_a_lane_and_leave_its_rest() {
        check(&[7, 1, 4], &[0, 7, 8], 12);
        check(&[3, 9], &[9, 0], 12);
    }

    #[test]
    fn nothing_takes_nothing() {
        check(&[0, 0], &[0, 0], 0);
        check(&[], &[], 0);
    }
}
