//! Scalarsets: sets of values that only equality, copying and indexing are about, so that nothing
//! tells their elements apart (Ip and Dill: Better verification through symmetry, 1996).

use ample_stdx::TypedId;

use crate::SlotId;

/// A set of like values: 0 to `size - 1`. Any other value of a variable is no element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scalarset {
    /// What its author calls it.
    pub name: String,
    /// How many elements it has.
    pub size: u32,
    /// The global variables that hold elements.
    pub values: Vec<SlotId>,
    /// Where there are global variables for each element.
    pub arrays: Vec<ElementArray>,
}

/// Global variables for each element of a set, one element after the other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ElementArray {
    /// The first variable of the first element.
    pub first: SlotId,
    /// How many variables an element has.
    pub stride: u32,
}

impl Scalarset {
    /// The variable that takes the place of another one if each element takes the place of its
    /// target.
    pub fn permuted(&self, slot: SlotId, target: impl Fn(u32) -> u32) -> SlotId {
        let step = |slot: SlotId, array: &ElementArray| match array.element_of(slot, self.size) {
            Some(element) => {
                let first = slot.index() - (element * array.stride) as usize;
                SlotId::from_index(first + (target(element) * array.stride) as usize)
            }
            None => slot,
        };
        // Arrays lie inside of one another or apart, and inner ones are alike: their order is no
        // matter.
        self.arrays.iter().fold(slot, step)
    }
}

impl ElementArray {
    /// Whose variable a slot is, if it is one of these.
    fn element_of(&self, slot: SlotId, size: u32) -> Option<u32> {
        let offset = u32::try_from(slot.index().checked_sub(self.first.index())?).ok()?;
        offset.checked_div(self.stride).filter(|element| *element < size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_in_arrays_are_permuted_in_both_places() {
        let array = |first: usize, stride| ElementArray { first: SlotId::from_index(first), stride };
        // Two elements with three variables each, of which the last two are an array over the set.
        let set = Scalarset { size: 2, arrays: vec![array(1, 3), array(2, 1), array(5, 1)], ..Scalarset::default() };
        let swapped: Vec<usize> =
            (0..8).map(|slot| set.permuted(SlotId::from_index(slot), |element| 1 - element).index()).collect();
        assert_eq!(swapped, [0, 4, 6, 5, 1, 3, 2, 7]);
    }
}
