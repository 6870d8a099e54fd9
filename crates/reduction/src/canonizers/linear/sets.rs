//! Sets of cells whose values may be shifted together (union-find).

use ample_model::Scalar;

use crate::canonizers::cells::Origin;

/// The numbers in which a set computes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Ring {
    /// 0 to n-1, modulo n.
    Below(u32),
    /// All values of a type with a sign, which wrap around.
    Wrapping(Scalar),
}

impl Ring {
    /// In which a variable computes that is cut to its type.
    pub fn of(scalar: Scalar) -> Ring {
        match scalar {
            Scalar::Bit => Ring::Below(2),
            Scalar::Byte | Scalar::Pid | Scalar::Channel => Ring::Below(1 << 8),
            Scalar::Unsigned(bits) => Ring::Below(1 << bits.min(31)),
            Scalar::Short | Scalar::Int | Scalar::Integer | Scalar::Range { .. } => Ring::Wrapping(scalar),
        }
    }

    /// Whether a variable of this type can hold all its values, and none of them as another number.
    pub fn fits(self, scalar: Scalar) -> bool {
        match (self, scalar) {
            (Ring::Wrapping(wrapping), _) => wrapping == scalar,
            (Ring::Below(n), Scalar::Short) => n <= 1 << 15,
            (Ring::Below(n), Scalar::Int) => n <= 1 << 31,
            (Ring::Below(n), _) => matches!(Ring::of(scalar), Ring::Below(most) if n <= most),
        }
    }
}

/// Why the values of a set cannot be shifted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// Something there looks at a value itself, or gives one that does not come from the set.
    Value(Origin),
    /// It is computed with modulo different numbers, the second one there.
    Rings(Origin),
    /// The values do not fit into all variables.
    Size,
}

/// A partition of cells.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    parent: Vec<usize>,
    /// At roots: the ring, once something is added to a value.
    rings: Vec<Option<Ring>>,
    /// At roots.
    obstacles: Vec<Option<Obstacle>>,
}

impl Sets {
    pub fn new(cells: usize) -> Sets {
        Sets { parent: (0..cells).collect(), rings: vec![None; cells], obstacles: vec![None; cells] }
    }

    pub fn root(&self, cell: usize) -> usize {
        let mut at = cell;
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    /// Values go from one of these cells to another, or are compared.
    pub fn join(&mut self, cells: &[usize], origin: Origin) {
        let Some((first, others)) = cells.split_first() else { return };
        for other in others {
            let (a, b) = (self.root(*first), self.root(*other));
            if a == b {
                continue;
            }
            let (low, high) = (a.min(b), a.max(b));
            self.parent[high] = low;
            let ring = self.rings[high];
            self.obstacles[low] = self.obstacles[low].or(self.obstacles[high]);
            if let Some(ring) = ring {
                self.compute(low, ring, origin);
            }
        }
    }

    /// Something is added to the values of a cell, in a ring.
    pub fn compute(&mut self, cell: usize, ring: Ring, origin: Origin) {
        let root = self.root(cell);
        if *self.rings[root].get_or_insert(ring) != ring {
            self.obstacles[root].get_or_insert(Obstacle::Rings(origin));
        }
    }

    /// The values of a cell mean themselves.
    pub fn freeze(&mut self, cell: usize, obstacle: Obstacle) {
        let root = self.root(cell);
        self.obstacles[root].get_or_insert(obstacle);
    }

    /// The sets in which something is added, as roots with their rings, and what hinders them.
    pub fn computing(&self) -> impl Iterator<Item = (usize, Ring, Option<Obstacle>)> + '_ {
        let roots = (0..self.parent.len()).filter(|cell| self.parent[*cell] == *cell);
        roots.filter_map(|root| Some((root, self.rings[root]?, self.obstacles[root])))
    }
}
