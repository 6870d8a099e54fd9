//! Ids that are types: an index into one table cannot be used on another.

use std::fmt::Debug;
use std::hash::Hash;

/// A small integer that names an entry of one particular table.
///
/// Declare one with [`typed_id!`](crate::typed_id).
pub trait TypedId: Copy + Eq + Ord + Hash + Debug {
    /// The id of the entry at `index`.
    fn from_index(index: usize) -> Self;

    /// The position of the entry that this id names.
    fn index(self) -> usize;
}

/// Declares an id type: a `u32` that only indexes its own table.
///
/// ```
/// use ample_stdx::{IndexVec, TypedId, typed_id};
///
/// typed_id! {
///     /// Names a door.
///     pub struct DoorId;
/// }
///
/// let mut colours: IndexVec<DoorId, &str> = IndexVec::new();
/// let front = colours.push("red");
/// assert_eq!(colours[front], "red");
/// assert_eq!(format!("{front:?}"), "DoorId(0)");
/// ```
#[macro_export]
macro_rules! typed_id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name(u32);

        impl $crate::TypedId for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                // A silent wrap would make two entries share an id, so this is checked in every
                // build.
                assert!(index <= u32::MAX as usize, "more than 2^32 entries in one table");
                $name(index as u32)
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
