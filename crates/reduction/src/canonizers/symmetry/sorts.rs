//! Sorts: which variables, message fields and constants hold values of one meaning.
//!
//! Two places belong to one sort if a value may come from one to the other, or is compared with it.
//! A sort that the model computes with, orders, or asks for truth is frozen: no renaming changes
//! its values. The others may hold process or channel numbers, and nothing else.

use ample_stdx::{TypedId, typed_id};

use crate::canonizers::cells::{Cells, Origin};

typed_id! {
    /// A cell of the network, as a member of a sort. The first three are no cells.
    pub(super) struct SortId;
}

/// Numbers that mean themselves.
pub(super) const PLAIN: usize = 0;
/// Process numbers.
pub(super) const PIDS: usize = 1;
/// Channel numbers.
pub(super) const CHANNELS: usize = 2;

/// The sorts before the first cell.
const BEFORE: usize = 3;

/// A partition of all cells into sorts (union-find).
#[derive(Clone, Debug)]
pub(super) struct Sorts {
    parent: Vec<usize>,
    /// At roots: why the values of the sort mean themselves.
    frozen: Vec<Option<Origin>>,
}

impl Sorts {
    pub fn new(cells: &Cells) -> Sorts {
        let count = BEFORE + cells.list.len();
        let mut sorts = Sorts { parent: (0..count).collect(), frozen: vec![None; count] };
        sorts.frozen[PLAIN] = Some(Origin { instance: None, edge: None });
        sorts
    }

    /// The sort of a cell.
    pub fn of_cell(cell: usize) -> SortId {
        SortId::from_index(BEFORE + cell)
    }

    pub fn root(&self, sort: SortId) -> usize {
        let mut at = sort.index();
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    /// Makes two sorts one. What is joined with plain numbers is frozen.
    pub fn join(&mut self, a: SortId, b: SortId, origin: Origin) {
        let (a, b) = (self.root(a), self.root(b));
        match (a, b) {
            _ if a == b => {}
            (PLAIN, other) | (other, PLAIN) => {
                self.frozen[other].get_or_insert(origin);
            }
            _ => {
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high] = low;
                self.frozen[low] = self.frozen[low].or(self.frozen[high]);
            }
        }
    }

    /// Why the values of a sort mean themselves, if they do.
    pub fn frozen(&self, root: usize) -> Option<Origin> {
        self.frozen[root]
    }
}
