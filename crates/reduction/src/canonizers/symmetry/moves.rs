//! Actions on packed states, prepared for speed.

use ample_network::SlotPlace;

use super::action::{Action, Atoms, Permutations, Presence};
use crate::canonizers::cells::get;

/// An action that is its own inverse: bytes are exchanged in place.
pub(super) struct Swap {
    /// Where the bytes begin that are exchanged, and how many there are: 8, 4, 2 or 1.
    exchanged: Vec<(u32, u32, u32)>,
    values: Vec<ValueChange>,
}

/// Any action: bytes are moved from a copy.
pub(super) struct Move {
    /// From where, to where, how many.
    moved: Vec<(u32, u32, u32)>,
    values: Vec<ValueChange>,
}

/// A number whose value is renamed once everything is in its place.
struct ValueChange {
    place: SlotPlace,
    presence: Presence,
    /// What becomes of which value; others stay.
    renamed: Box<[(u8, u8)]>,
}

impl Swap {
    pub fn new(action: &Action, atoms: &Atoms, values: &Permutations) -> Swap {
        let exchanged = runs(action, atoms).into_iter().filter(|(from, to, _)| from < to);
        Swap { exchanged: exchanged.flat_map(pieces).collect(), values: value_changes(action, atoms, values) }
    }

    #[inline]
    pub fn apply(&self, state: &mut [u8]) {
        for (from, to, length) in &self.exchanged {
            let (from, to) = (*from as usize, *to as usize);
            match length {
                8 => exchange::<8>(state, from, to),
                4 => exchange::<4>(state, from, to),
                2 => exchange::<2>(state, from, to),
                _ => state.swap(from, to),
            }
        }
        self.values.iter().for_each(|change| change.apply(state));
    }
}

impl Move {
    pub fn new(action: &Action, atoms: &Atoms, values: &Permutations) -> Move {
        Move { moved: runs(action, atoms), values: value_changes(action, atoms, values) }
    }

    /// Writes what becomes of a state over another one.
    pub fn apply(&self, from: &[u8], to: &mut [u8]) {
        to.copy_from_slice(from);
        for (start, target, length) in &self.moved {
            let (start, target, length) = (*start as usize, *target as usize, *length as usize);
            to[target..target + length].copy_from_slice(&from[start..start + length]);
        }
        self.values.iter().for_each(|change| change.apply(to));
    }
}

impl ValueChange {
    #[inline]
    fn apply(&self, state: &mut [u8]) {
        let value = get(state, self.place);
        // Renamed values are below 256, so that only the lowest byte changes.
        if let Some((_, renamed)) = self.renamed.iter().find(|(from, _)| u32::from(*from) == value)
            && self.presence.holds(state)
        {
            state[self.place.offset as usize] = *renamed;
        }
    }
}

#[inline]
fn exchange<const N: usize>(state: &mut [u8], from: usize, to: usize) {
    let (mut one, mut other) = ([0; N], [0; N]);
    one.copy_from_slice(&state[from..from + N]);
    other.copy_from_slice(&state[to..to + N]);
    state[from..from + N].copy_from_slice(&other);
    state[to..to + N].copy_from_slice(&one);
}

/// A run as pieces of 8, 4, 2 or 1 bytes.
fn pieces((mut from, mut to, mut length): (u32, u32, u32)) -> Vec<(u32, u32, u32)> {
    let mut pieces = Vec::new();
    while length > 0 {
        let most = 1 << length.ilog2().min(3);
        pieces.push((from, to, most));
        (from, to, length) = (from + most, to + most, length - most);
    }
    pieces
}

/// The bytes that an action moves, those that lie side by side before and after as one.
fn runs(action: &Action, atoms: &Atoms) -> Vec<(u32, u32, u32)> {
    let images = action.images.iter().enumerate().filter(|(atom, image)| *atom != image.atom);
    let place = |atom: usize| atoms.list[atom].place;
    let moved =
        images.map(|(atom, image)| (place(atom).offset, place(image.atom).offset, u32::from(place(atom).width)));
    let mut runs: Vec<(u32, u32, u32)> = moved.filter(|run| run.2 > 0).collect();
    runs.sort();
    runs.dedup_by(|next, run| {
        let is_next = run.0 + run.2 == next.0 && run.1 + run.2 == next.1;
        run.2 += if is_next { next.2 } else { 0 };
        is_next
    });
    runs
}

fn value_changes(action: &Action, atoms: &Atoms, values: &Permutations) -> Vec<ValueChange> {
    let renamed = action.images.iter().filter(|image| image.values != 0 && atoms.list[image.atom].place.width > 0);
    let change = |image: &super::action::Image| {
        let byte = |(from, to): (&i64, &i64)| Some((u8::try_from(*from).ok()?, u8::try_from(*to).ok()?));
        let renamed = values.list[image.values].iter().filter_map(byte).collect();
        let atom = &atoms.list[image.atom];
        ValueChange { place: atom.place, presence: atom.presence, renamed }
    };
    renamed.map(change).collect()
}
