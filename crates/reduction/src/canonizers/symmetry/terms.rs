//! What the edges of an instance do, with what is constant for it put in.
//!
//! Commutative operators whose operands always have a value have all operands of a chain side by
//! side, so that they can be compared in any order.

use ample_model::{BinaryOp, ChannelTest, EdgeId, ExclusiveEnd, LocationId, ReceiveArg, SlotId, UnaryOp};
use ample_network::facts::InstanceId;
use ample_stdx::TypedId;

use super::sorts::SortId;
use crate::canonizers::cells::Cells;

/// An expression, an action or an edge.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// A value that is the same in every state.
    Constant { value: i64, sort: SortId },
    /// A variable.
    Variable(Spot),
    /// An operator or an action.
    Node { tag: Tag, parts: Vec<Term> },
    /// Something that is not compared: nothing equals it.
    Opaque,
}

/// What a node does with its parts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Conditional,
    Channel(ChannelTest),
    Poll { anywhere: bool },
    Timeout,
    NonProgress,
    Accepting,
    Enabled,
    ProgramCounter,
    ProcessCount,
    At(LocationId),
    Match,
    Store,
    Discard,
    Skip,
    Guard,
    Else,
    Assign,
    Send { sorted: bool },
    Receive { anywhere: bool, keep: bool },
    Assert,
    Print,
    DeterministicStep(LocationId),
    End,
    Edge,
    Claim(ExclusiveEnd),
}

/// One variable, or those that indices choose among.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub owner: Option<InstanceId>,
    /// The slot when every index that is left is 0.
    pub first: usize,
    /// The slot of the whole array.
    pub array: SlotId,
    /// The indices that are no constants.
    pub indices: Vec<SpotIndex>,
}

/// An index that is no constant.
#[derive(Clone, Debug)]
pub(super) struct SpotIndex {
    pub value: Term,
    pub sort: SortId,
    pub length: u32,
    pub stride: u32,
}

/// An edge of an instance.
#[derive(Clone, Debug)]
pub(super) struct EdgeTerm {
    pub id: EdgeId,
    pub target: LocationId,
    pub keeps_control: bool,
    pub escape: Option<LocationId>,
    /// Its guard, action and effects.
    pub term: Term,
    /// The shape of that.
    pub shape: String,
}

/// More elements than this are not compared one by one.
const MOST_ELEMENTS: u64 = 100_000;

impl Spot {
    /// The positions of all cells that it may be, with the indices that choose each.
    pub fn cells(&self, cells: &Cells) -> Vec<(Vec<u32>, usize)> {
        let mut all = vec![(Vec::new(), self.first)];
        for index in &self.indices {
            let longer = |(chosen, slot): (Vec<u32>, usize)| {
                (0..index.length).map(move |value| {
                    let chosen: Vec<u32> = chosen.iter().copied().chain([value]).collect();
                    (chosen, slot + (value * index.stride) as usize)
                })
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all.into_iter().map(|(chosen, slot)| (chosen, cells.variable(self.owner, slot))).collect()
    }

    pub fn is_small(&self) -> bool {
        self.indices.iter().map(|index| u64::from(index.length)).product::<u64>() <= MOST_ELEMENTS
    }
}

impl Term {
    pub fn leaf(tag: Tag) -> Term {
        Term::Node { tag, parts: Vec::new() }
    }

    pub fn node(tag: Tag, parts: impl IntoIterator<Item = Term>) -> Term {
        Term::Node { tag, parts: parts.into_iter().collect() }
    }

    /// An operator with two operands. Chains of one that is associative lie flat.
    pub fn binary(op: BinaryOp, left: Term, right: Term) -> Term {
        let tag = Tag::Binary(op);
        let is_flat = is_associative(op) && left.is_total() && right.is_total();
        let operands = |operand: Term| match operand {
            Term::Node { tag: inner, parts } if is_flat && inner == tag => parts,
            other => vec![other],
        };
        Term::node(tag, operands(left).into_iter().chain(operands(right)))
    }

    /// Whether its parts may stand in any order.
    pub fn is_commutative(tag: Tag, parts: &[Term]) -> bool {
        let commutes = |op| is_associative(op) || matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        matches!(tag, Tag::Binary(op) if commutes(op)) && parts.iter().all(Term::is_total)
    }

    /// Whether it is the same in every state, and no index of so many elements.
    pub fn is_outside(&self, length: u32) -> bool {
        matches!(self, Term::Constant { value, .. } if !(0..i64::from(length)).contains(value))
    }

    /// Whether it has a value in every state, so that it does not matter when it is evaluated.
    fn is_total(&self) -> bool {
        match self {
            Term::Constant { .. } => true,
            Term::Variable(spot) => spot.indices.is_empty(),
            Term::Node { tag, parts } => tag.is_total() && parts.iter().all(Term::is_total),
            Term::Opaque => false,
        }
    }

    /// What it is without its constants and without which element of an array is meant.
    pub fn shape(&self) -> String {
        match self {
            Term::Constant { .. } => "c".to_owned(),
            Term::Variable(spot) => {
                let indices: Vec<String> = spot.indices.iter().map(|index| index.value.shape()).collect();
                let scope = if spot.owner.is_some() { "l" } else { "g" };
                format!("{scope}{}[{}]", spot.array.index(), indices.join(","))
            }
            Term::Node { tag, parts } => {
                let mut shapes: Vec<String> = parts.iter().map(Term::shape).collect();
                if Term::is_commutative(*tag, parts) {
                    shapes.sort();
                }
                format!("{tag:?}({})", shapes.join(","))
            }
            Term::Opaque => "?".to_owned(),
        }
    }
}

impl Tag {
    fn is_total(self) -> bool {
        match self {
            Tag::Binary(op) => !matches!(op, BinaryOp::Divide | BinaryOp::Remainder),
            Tag::Unary(_) | Tag::Conditional | Tag::At(_) | Tag::ProcessCount | Tag::ProgramCounter => true,
            _ => false,
        }
    }

    /// What happens to one field of a message.
    pub fn of_argument(argument: &ReceiveArg) -> Tag {
        match argument {
            ReceiveArg::Match(_) => Tag::Match,
            ReceiveArg::Store(_) => Tag::Store,
            ReceiveArg::Discard => Tag::Discard,
        }
    }
}

fn is_associative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Add
            | BinaryOp::Multiply
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
    )
}
