//! Sets of equivalent states, which a depth-first search computes on its way back (Pelánek,
//! section 3.5).

use crate::Move;

/// The number of a class, which [`Classes::add`] gives.
pub type ClassId = u32;

/// The class of a state cannot be added: what represents the classes is too large.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ClassesFull;

/// One transition that leaves a state whose class is asked for.
#[derive(Copy, Clone, Debug)]
pub struct Below<'a> {
    /// The moves it consists of; none if it stands for several ways to the same end.
    pub moves: &'a [Move],
    /// Where it leads, and the class of the state there; `None` if a fault ends the run.
    pub target: Option<(&'a [u8], ClassId)>,
}

/// How many classes there are, and what it took to find them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassCounts {
    /// How many classes were added (ADDSET): one for each state that was explored.
    pub classes: u64,
    /// How often it was asked whether a class holds a state (FINDSET).
    pub finds: u64,
    /// How many look-ups that took.
    pub lookups: u64,
}

/// The sets *Visited* of the algorithm REDUCEDSEARCH: disjoint or not, all states of a class are
/// bisimilar to the one for which it was added, with transitions by name, faults and the judgement
/// of states that nothing leaves.
///
/// Where depth is limited, `left` is the number of transitions that may still follow: it is a part
/// of the state then. A state where none is left is looked at, and not left.
pub trait Classes {
    /// FINDSET: a class that holds a state, if one does.
    fn find(&mut self, state: &[u8], left: Option<u64>) -> Option<ClassId>;

    /// ADDSET: adds the class of a state, computed from all transitions that leave it and the
    /// classes of their ends (Lemma 3.4).
    fn add(
        &mut self,
        state: &[u8],
        left: Option<u64>,
        below: &mut dyn Iterator<Item = Below<'_>>,
    ) -> Result<ClassId, ClassesFull>;

    /// What it took so far.
    fn counts(&self) -> ClassCounts;

    /// The bytes that it holds.
    fn memory(&self) -> usize;
}
