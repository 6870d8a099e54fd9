//! Sets of states: by control part, and for each of these vectors in which some bytes may be
//! anything.

use std::hash::BuildHasher;

use ample_stdx::{Interner, TypedId, typed_id};
use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::bytes::ByteSet;

typed_id! {
    /// What a class does not leave open.
    pub(super) struct MaskId;
}

typed_id! {
    /// A control part.
    struct ControlId;
}

/// The sets, each known by its mask.
#[derive(Default)]
pub(super) struct Visited {
    masks: Interner<MaskId, ByteSet>,
    controls: Interner<ControlId, Vec<u8>>,
    /// The masks of the sets with each control part, that of the last set first.
    masks_of: Vec<Vec<MaskId>>,
    /// Control part, mask, and the bytes that the mask has: one after the other.
    entries: Vec<u8>,
    /// Where each entry begins.
    table: HashTable<usize>,
    /// Memory for an entry that is looked for.
    wanted: Vec<u8>,
    memory: usize,
    /// How many entries were looked for.
    pub lookups: u64,
}

/// The bytes of control part and mask.
const HEAD: usize = 8;

impl Visited {
    /// The mask of a set that holds a state with this control part: one look-up a mask.
    pub fn find(&mut self, control: &[u8], state: &[u8]) -> Option<MaskId> {
        let control = self.controls.get(control)?;
        let Visited { masks, masks_of, entries, table, wanted, lookups, .. } = self;
        let known = masks_of.get(control.index())?;
        known.iter().copied().find(|mask| {
            *lookups += 1;
            write(control, *mask, &masks.things()[*mask], state, wanted);
            let hash = hash(wanted);
            table.find(hash, |start| entry(entries, masks, *start) == wanted.as_slice()).is_some()
        })
    }

    /// Adds the set of all states with this control part that agree with this one in what the mask
    /// has.
    pub fn add(&mut self, control: &[u8], state: &[u8], mask: &ByteSet) -> MaskId {
        let before = (self.controls.things().len(), self.masks.things().len());
        let control_id = self.controls.number(control);
        let mask_id = self.masks.number(mask);
        let masks_of = &mut self.masks_of;
        masks_of.resize_with(masks_of.len().max(control_id.index() + 1), Vec::new);
        let known = &mut masks_of[control_id.index()];
        if !known.contains(&mask_id) {
            known.push(mask_id);
            self.memory += size_of::<MaskId>();
        }
        let each = size_of::<Vec<u8>>() * 2;
        self.memory += (self.controls.things().len() - before.0) * (control.len() + each);
        self.memory += (self.masks.things().len() - before.1) * (mask.memory() + each);
        let Visited { masks, entries, table, wanted, .. } = self;
        write(control_id, mask_id, mask, state, wanted);
        let start = entries.len();
        entries.extend_from_slice(wanted);
        table.insert_unique(hash(wanted), start, |start| hash(entry(entries, masks, *start)));
        mask_id
    }

    /// A mask.
    pub fn mask(&self, mask: MaskId) -> &ByteSet {
        &self.masks.things()[mask]
    }

    /// The bytes that it holds.
    pub fn memory(&self) -> usize {
        self.memory + self.entries.capacity() + self.table.capacity() * (size_of::<usize>() + 1)
    }
}

fn hash(entry: &[u8]) -> u64 {
    FixedState::default().hash_one(entry)
}

fn write(control: ControlId, mask: MaskId, bytes: &ByteSet, state: &[u8], entry: &mut Vec<u8>) {
    entry.clear();
    entry.extend_from_slice(&(control.index() as u32).to_le_bytes());
    entry.extend_from_slice(&(mask.index() as u32).to_le_bytes());
    entry.extend(bytes.iter().map(|byte| state[byte]));
}

/// The entry that begins here.
fn entry<'e>(entries: &'e [u8], masks: &Interner<MaskId, ByteSet>, start: usize) -> &'e [u8] {
    let rest = entries.get(start..).unwrap_or_default();
    let number = rest.get(4..HEAD).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    let length = masks.things()[MaskId::from_index(number as usize)].len();
    rest.get(..HEAD + length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_agrees_with_it() {
        let mut visited = Visited::default();
        let mut mask = ByteSet::none(4);
        mask.insert(0..1);
        mask.insert(3..4);
        let id = visited.add(&[7], &[1, 2, 3, 4], &mask);
        assert_eq!(visited.find(&[7], &[1, 9, 9, 4]), Some(id));
        assert_eq!(visited.find(&[7], &[1, 2, 3, 5]), None);
        assert_eq!(visited.find(&[8], &[1, 2, 3, 4]), None, "another control part");
        assert_eq!(visited.lookups, 2, "one a mask, and none where the control part is new");
        let all = visited.add(&[7], &[1, 2, 3, 5], &ByteSet::all(4));
        assert_eq!(visited.find(&[7], &[1, 2, 3, 5]), Some(all));
        assert_eq!(visited.find(&[7], &[1, 2, 2, 5]), None);
    }
}
