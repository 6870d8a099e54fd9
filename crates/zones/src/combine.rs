//! Two zones as one.

use crate::bound::Overflow;
use crate::zone::Zone;

impl Zone {
    /// Leaves the valuations that are also in a zone of as many clocks, and says whether there are
    /// any.
    pub fn intersect(&mut self, other: &Zone) -> Result<bool, Overflow> {
        for (own, other) in self.bounds_mut().iter_mut().zip(other.bounds()) {
            *own = (*own).min(*other);
        }
        self.close()
    }

    /// Becomes the least zone with the valuations of both: their convex hull.
    pub fn join(&mut self, other: &Zone) {
        for (own, other) in self.bounds_mut().iter_mut().zip(other.bounds()) {
            *own = (*own).max(*other);
        }
    }
}
