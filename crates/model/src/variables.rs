//! Variables: frames of typed scalar slots, channel declarations, symbolic names.

use ample_source::Span;
use ample_stdx::IndexVec;

use crate::{ChannelTypeId, Expr, MtypeId, SlotId};

/// How a value is stored, and so how it is truncated when it is assigned, or what cannot be
/// assigned.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// One bit.
    Bit,
    /// Eight bits without sign.
    Byte,
    /// A process number: eight bits, more where more processes are allowed.
    Pid,
    /// Sixteen bits with sign.
    Short,
    /// Thirty-two bits with sign.
    Int,
    /// So many bits without sign (1 to 31).
    Unsigned(u8),
    /// A channel number; 0 is no channel.
    Channel,
    /// Sixty-four bits with sign.
    Integer,
    /// A number from `low` to `high`. To store any other is a run-time error.
    Range {
        /// The least.
        low: i64,
        /// The greatest, not below the least.
        high: i64,
    },
}

/// How a value is shown to people.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Shown {
    /// As a number.
    #[default]
    Number,
    /// As `true` or `false`.
    Truth,
    /// By its name in a set of symbolic names.
    Mtype(MtypeId),
    /// As a channel.
    Channel,
}

/// One scalar of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The name a reader knows it by: `x`, `a[2]`, `msg.kind`.
    pub name: String,
    /// How it is stored.
    pub scalar: Scalar,
    /// How it is shown.
    pub shown: Shown,
    /// Whether the author asked for it not to be part of the state. Only variables that nothing
    /// reads are left out.
    pub hidden: bool,
    /// Where it was declared.
    pub span: Span,
}

/// The variables of one scope, flattened: a structure or an array is a run of consecutive slots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The scalars, in the order of their declaration.
    pub slots: IndexVec<SlotId, Slot>,
    /// What is evaluated, in this order, when the frame comes into being. Slots not named start at
    /// zero.
    pub init: Vec<Init>,
}

/// The initial value of one slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Init {
    /// Which slot.
    pub slot: SlotId,
    /// Its value.
    pub value: InitValue,
}

impl Init {
    /// Where the value is written, if it is.
    pub fn span(&self) -> Option<Span> {
        match &self.value {
            InitValue::Expr(expr) => Some(expr.span),
            InitValue::Channel(_) => None,
        }
    }
}

/// What a slot starts with.
#[derive(Clone, Debug, PartialEq)]
pub enum InitValue {
    /// The value of an expression over the slots before it and, in a process, the parameters and
    /// globals.
    Expr(Expr),
    /// A new channel of this kind.
    Channel(ChannelTypeId),
}

/// A declaration `[capacity] of { fields }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// The name a reader knows the channel by.
    pub name: String,
    /// How many messages it holds; 0 for a rendezvous channel.
    pub capacity: u32,
    /// The fields of a message, structures flattened.
    pub fields: Vec<(Scalar, Shown)>,
    /// Where it was declared.
    pub span: Span,
}

impl ChannelType {
    /// Whatever decides how its messages lie in a state.
    pub fn form(&self) -> (u32, Vec<Scalar>) {
        (self.capacity, self.fields.iter().map(|field| field.0).collect())
    }
}

/// A set of symbolic names; the value of a name is its position, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MtypeSet {
    /// The name of the set, if it has one.
    pub name: Option<String>,
    /// The names by value: the first has the value 1.
    pub names: Vec<String>,
}

impl MtypeSet {
    /// The name of a value, if it has one.
    pub fn name_of(&self, value: i64) -> Option<&str> {
        let position = usize::try_from(value).ok()?.checked_sub(1)?;
        self.names.get(position).map(String::as_str)
    }
}

impl Scalar {
    /// The value that remains when `value` is stored here, if it can be: see [`Scalar::holds`].
    #[inline]
    pub fn truncate(self, value: i64) -> i64 {
        match self {
            Scalar::Bit => value & 1,
            Scalar::Byte | Scalar::Channel => value & 0xff,
            Scalar::Pid => value & 0xffff,
            Scalar::Short => i64::from(value as i16),
            Scalar::Int => i64::from(value as i32),
            Scalar::Unsigned(bits) => value & mask(bits),
            Scalar::Integer | Scalar::Range { .. } => value,
        }
    }

    /// Whether `value` can be stored here. All but ranges take any value, and truncate it.
    #[inline]
    pub fn holds(self, value: i64) -> bool {
        match self {
            Scalar::Range { low, high } => (low..=high).contains(&value),
            _ => true,
        }
    }

    /// The value of a variable that is given none: 0, or what is nearest to it.
    #[inline]
    pub fn initial(self) -> i64 {
        match self {
            Scalar::Range { low, high } => 0.max(low).min(high),
            _ => 0,
        }
    }

    /// The least and the greatest value that is ever read from here.
    pub fn bounds(self) -> (i64, i64) {
        match self {
            Scalar::Bit => (0, 1),
            Scalar::Byte => (0, 0xff),
            Scalar::Pid | Scalar::Channel => (0, 0xffff),
            Scalar::Short => (i16::MIN.into(), i16::MAX.into()),
            Scalar::Int => (i32::MIN.into(), i32::MAX.into()),
            Scalar::Unsigned(bits) => (0, mask(bits)),
            Scalar::Integer => (i64::MIN, i64::MAX),
            Scalar::Range { low, high } => (low, high),
        }
    }
}

fn mask(bits: u8) -> i64 {
    (1 << bits.min(31)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignment_truncates_as_the_type_says() {
        assert_eq!(Scalar::Bit.truncate(2), 0);
        assert_eq!(Scalar::Bit.truncate(-1), 1);
        assert_eq!(Scalar::Byte.truncate(256), 0);
        assert_eq!(Scalar::Byte.truncate(-1), 255);
        assert_eq!(Scalar::Short.truncate(32768), -32768);
        assert_eq!(Scalar::Int.truncate(i32::MIN.into()), i32::MIN.into());
        assert_eq!(Scalar::Unsigned(3).truncate(9), 1);
        assert_eq!(Scalar::Unsigned(31).truncate(-1), i32::MAX.into());
    }

    #[test]
    fn symbolic_names_count_from_one() {
        let set = MtypeSet { name: None, names: vec!["ack".into(), "msg".into()] };
        assert_eq!(set.name_of(1), Some("ack"));
        assert_eq!(set.name_of(2), Some("msg"));
        assert_eq!(set.name_of(0), None);
        assert_eq!(set.name_of(3), None);
    }
}
