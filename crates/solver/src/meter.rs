//! Steps that are left: a search that counts them ends in the same place on any machine.

use std::cell::Cell;

/// How much work a question may take. Nothing depends on time.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Steps(pub u64);

impl Default for Steps {
    /// Some seconds' worth on a usual machine.
    fn default() -> Steps {
        Steps(20_000_000)
    }
}

/// A number of steps that several parts draw on.
#[derive(Debug)]
pub(crate) struct Meter {
    left: Cell<u64>,
}

impl Meter {
    pub fn new(steps: Steps) -> Meter {
        Meter { left: Cell::new(steps.0) }
    }

    /// Takes so many steps; false if there are no more.
    pub fn spend(&self, steps: usize) -> bool {
        let left = self.left.get().saturating_sub(steps as u64);
        self.left.set(left);
        left > 0
    }

    pub fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }
}
