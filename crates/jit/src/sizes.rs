//! How large functions may become.

/// How much code stands in one function, and from when on it is shared.
#[derive(Copy, Clone, Debug)]
pub struct Sizes {
    /// The edges of a function, with those that are made in one go with them.
    pub edges: usize,
    /// The pairs of a send and a receive that meet at a rendezvous; with more of them, a receive is
    /// generated once for all sends.
    pub pairs: usize,
}

/// Up to these sizes, code is generated in time about linear in its length, and is fastest in one
/// function.
impl Default for Sizes {
    fn default() -> Self {
        Sizes { edges: 2000, pairs: 4000 }
    }
}
