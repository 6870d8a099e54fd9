//! Where a state's components lie in its key.
//!
//! A layout is a small tree. Its *leaves* are components: some bits of the state, gathered side by
//! side. A *group* is made of the numbers of other nodes, side by side. Each node has a number of a
//! fixed width: its bits themselves, or, if they are *numbered*, the number of their value among
//! all values that were met. The numbers of the nodes without a parent, side by side, are the key.

use ample_transition::{Budget, StoreFull};

use super::values::Values;
use crate::bits::Bits;
use crate::hash::{mix_bits, unmix_bits};
use crate::quotient::LEAST_BITS;

/// A word of a state, in bytes.
pub(crate) const WORD: usize = 8;
/// A key has so many bits at most. The bits above them in a reference are its tag.
pub(crate) const KEY_BITS: u32 = 61;
/// There are so many nodes at most: a set of nodes is a word.
pub(crate) const MOST_NODES: usize = 64;
/// The words of 32 bits of the longest state: a set of them is a word, too.
pub(crate) const MOST_HALVES: usize = 64;

/// The tag of a reference.
#[inline(always)]
pub(crate) fn tag_of(reference: u64) -> u64 {
    reference >> KEY_BITS
}

/// A reference without its tag.
#[inline(always)]
pub(crate) fn mixed_in(reference: u64) -> u64 {
    reference & ((1 << KEY_BITS) - 1)
}

/// Some bits of a word of the state, and where they are in a component.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub word: usize,
    pub mask: u64,
    pub shift: u32,
}

/// What a node is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Bits of the state.
    Leaf(Vec<Piece>),
    /// The numbers of nodes before this one.
    Group(Vec<usize>),
}

/// A node as it is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedNode {
    pub content: Content,
    /// The bits of its content.
    pub bits: u32,
    /// The bits of its number: less than those of its content if it is numbered.
    pub width: u32,
}

/// A layout as it is planned: leaves before groups, children before parents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlannedLayout {
    /// The bytes of a state.
    pub len: usize,
    pub nodes: Vec<PlannedNode>,
    /// A state that has the bits in which no state differs.
    pub typical: Vec<u64>,
}

/// A layout in use.
pub(crate) struct KeyLayout {
    /// The highest bits of references to its keys.
    pub tag: u64,
    /// The bits of its keys.
    pub bits: u32,
    /// The bytes of a state.
    pub len: usize,
    pub(super) nodes: Vec<Node>,
    pieces: Vec<Piece>,
    /// For each 32 bits of the state the nodes that depend on them.
    dependents: Vec<u64>,
    /// The groups among the nodes.
    groups: u64,
    /// The bits of each word that belong to no component, and what they are in every state.
    fixed: Vec<(u64, u64)>,
}

pub(super) struct Node {
    /// The first of its pieces and how many there are, if it is a leaf.
    first: u32,
    pieces: u32,
    /// The group that it belongs to; `ROOT` if none.
    parent: u32,
    /// Where its number is in its parent.
    shift: u32,
    /// Its number's bits, at that place.
    mask: u64,
    width: u32,
    pub(super) values: Option<Values>,
    /// The children of a group.
    children: Vec<u32>,
}

const ROOT: u32 = u32::MAX;

/// Why a state has no key in a layout.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// A bit differs that is said not to, or a component has more values than there are numbers.
    State,
    /// There is no memory for another value.
    Full,
}

impl From<StoreFull> for Unfit {
    fn from(_: StoreFull) -> Self {
        Unfit::Full
    }
}

/// Values met lately, with their nodes and numbers.
pub(crate) struct RecentValues {
    entries: Vec<(u64, u64)>,
}

impl RecentValues {
    const BITS: u32 = 12;

    pub(crate) fn new() -> Self {
        // No node has this number.
        RecentValues { entries: vec![(0, u64::MAX); 1 << Self::BITS] }
    }

    #[inline(always)]
    fn place(node: usize, value: u64) -> usize {
        let mixed = (value ^ (node as u64) << 58).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - Self::BITS)) as usize
    }

    #[inline(always)]
    fn find(&self, node: usize, value: u64) -> Option<u64> {
        let (known, number) = self.entries[Self::place(node, value)];
        (known == value && number >> 32 == node as u64).then_some(number & u64::from(u32::MAX))
    }

    fn note(&mut self, node: usize, value: u64, number: u32) {
        self.entries[Self::place(node, value)] = (value, (node as u64) << 32 | u64::from(number));
    }
}

/// A state, its key, and what its groups consist of. Other states are compared with it.
#[derive(Default)]
pub(crate) struct Base {
    /// The state, and zeros up to whole words.
    pub state: Vec<u8>,
    pub key: u64,
    /// The contents of the groups, by node.
    contents: Vec<u64>,
    /// The same for the state that is compared.
    others: Vec<u64>,
    /// How the contents of groups change.
    changes: Vec<u64>,
}

impl KeyLayout {
    /// The layout of a plan, for keys with this tag.
    pub(crate) fn new(plan: &PlannedLayout, tag: u64, budget: &Budget) -> Result<KeyLayout, StoreFull> {
        let mut layout = KeyLayout {
            tag,
            bits: 0,
            len: plan.len,
            nodes: Vec::new(),
            pieces: Vec::new(),
            dependents: vec![0; plan.len.div_ceil(WORD) * 2],
            groups: 0,
            fixed: plan.typical.iter().map(|word| (u64::MAX, *word)).collect(),
        };
        for planned in &plan.nodes {
            layout.add(planned, budget)?;
        }
        let mut shift = 0;
        for node in layout.nodes.iter_mut().filter(|node| node.parent == ROOT) {
            node.place(shift);
            shift += node.width;
        }
        layout.bits = shift.max(LEAST_BITS);
        debug_assert!(shift <= KEY_BITS && layout.nodes.len() <= MOST_NODES, "{shift} bits");
        layout.fixed.iter_mut().for_each(|(mask, value)| *value &= *mask);
        layout.find_dependents();
        Ok(layout)
    }

    fn add(&mut self, planned: &PlannedNode, budget: &Budget) -> Result<(), StoreFull> {
        let PlannedNode { content, bits, width } = planned;
        let values = if width < bits { Some(Values::new(*bits, *width, budget)?) } else { None };
        let (number, first) = (self.nodes.len(), self.pieces.len() as u32);
        let mut node =
            Node { first, pieces: 0, parent: ROOT, shift: 0, mask: 0, width: *width, values, children: Vec::new() };
        match content {
            Content::Leaf(pieces) => {
                node.pieces = pieces.len() as u32;
                self.pieces.extend_from_slice(pieces);
                pieces.iter().for_each(|piece| self.fixed[piece.word].0 &= !piece.mask);
            }
            Content::Group(children) => {
                let mut shift = 0;
                for &child in children {
                    self.nodes[child].parent = number as u32;
                    self.nodes[child].place(shift);
                    shift += self.nodes[child].width;
                    node.children.push(child as u32);
                }
                self.groups |= 1 << number;
            }
        }
        self.nodes.push(node);
        Ok(())
    }

    /// A bit that is fixed depends on nothing: it is looked at apart.
    fn find_dependents(&mut self) {
        let mut dependents = std::mem::take(&mut self.dependents);
        for (number, node) in self.nodes.iter().enumerate() {
            let mut above = 1_u64 << number;
            let mut parent = node.parent;
            while parent != ROOT {
                above |= 1 << parent;
                parent = self.nodes[parent as usize].parent;
            }
            for piece in self.pieces_of(node) {
                for (half, mask) in [(0, u64::from(u32::MAX)), (1, u64::from(u32::MAX) << 32)] {
                    if piece.mask & mask != 0 {
                        dependents[2 * piece.word + half] |= above;
                    }
                }
            }
        }
        self.dependents = dependents;
    }

    #[inline(always)]
    fn pieces_of(&self, node: &Node) -> &[Piece] {
        &self.pieces[node.first as usize..(node.first + node.pieces) as usize]
    }

    /// The reference to a state with this key: its tag, and the key, mixed.
    #[inline(always)]
    pub(crate) fn reference(&self, key: u64) -> u64 {
        self.tag << KEY_BITS | mix_bits(key, self.bits)
    }

    /// The reference to a state with this key, which is mixed already.
    pub(crate) fn reference_to(&self, mixed: u64) -> u64 {
        self.tag << KEY_BITS | mixed
    }

    /// The key in a reference with its tag.
    #[inline(always)]
    pub(crate) fn key_in(&self, reference: u64) -> u64 {
        unmix_bits(mixed_in(reference), self.bits)
    }

    /// The length of a state, filled up to whole words.
    pub(crate) fn padded(&self) -> usize {
        self.fixed.len() * WORD
    }

    /// The key of a state that differs from the base at most in the 32 bits that are set in
    /// `differing`.
    #[inline(always)]
    pub(crate) fn key(
        &self,
        bits: impl Bits,
        base: &mut Base,
        state: &[u8],
        differing: u64,
        recent: &mut RecentValues,
    ) -> Result<u64, Unfit> {
        let words = state.as_chunks::<WORD>().0;
        let (mut left, mut nodes) = (differing, 0);
        while left != 0 {
            let half = left.trailing_zeros() as usize;
            left &= left - 1;
            let (mask, value) = self.fixed[half / 2];
            if u64::from_le_bytes(words[half / 2]) & mask != value {
                return Err(Unfit::State);
            }
            nodes |= self.dependents[half];
        }
        if nodes & self.groups != 0 {
            base.others.copy_from_slice(&base.contents);
        }
        let mut key = base.key;
        while nodes != 0 {
            let number = nodes.trailing_zeros() as usize;
            nodes &= nodes - 1;
            let node = &self.nodes[number];
            let content = match node.pieces {
                0 => base.others[number],
                _ => self.gather(bits, node, words),
            };
            let placed = self.number(number, node, content, recent)? << node.shift;
            let into = if node.parent == ROOT { &mut key } else { &mut base.others[node.parent as usize] };
            *into = *into & !node.mask | placed;
        }
        Ok(key)
    }

    #[inline(always)]
    fn gather(&self, bits: impl Bits, node: &Node, words: &[[u8; WORD]]) -> u64 {
        let mut content = 0;
        for piece in self.pieces_of(node) {
            content |= bits.gather(u64::from_le_bytes(words[piece.word]), piece.mask) << piece.shift;
        }
        content
    }

    /// The number of a node with this content.
    #[inline(always)]
    fn number(&self, number: usize, node: &Node, content: u64, recent: &mut RecentValues) -> Result<u64, Unfit> {
        let Some(values) = &node.values else { return Ok(content) };
        if values.is_array() {
            return match values.find(content) {
                Some(known) => Ok(u64::from(known)),
                None => new_number(values, content).map(u64::from),
            };
        }
        if let Some(known) = recent.find(number, content) {
            return Ok(known);
        }
        let known = look_up(values, content)?;
        recent.note(number, content, known);
        Ok(u64::from(known))
    }

    fn make_room(&self, base: &mut Base) {
        for contents in [&mut base.contents, &mut base.others, &mut base.changes] {
            contents.clear();
            contents.resize(self.nodes.len(), 0);
        }
    }

    /// Makes a state the base, whatever was the base before. `state` has whole words.
    pub(crate) fn rebase(
        &self,
        bits: impl Bits,
        base: &mut Base,
        state: &[u8],
        recent: &mut RecentValues,
    ) -> Result<(), Unfit> {
        self.make_room(base);
        base.key = 0;
        let all = u64::MAX.checked_shl(self.dependents.len() as u32).map_or(u64::MAX, |above| !above);
        base.key = self.key(bits, base, state, all, recent)?;
        base.contents.copy_from_slice(&base.others);
        base.state.clear();
        base.state.extend_from_slice(state);
        Ok(())
    }

    /// Makes the state with this key the base. The base is a state of this layout before, too.
    #[inline(always)]
    pub(crate) fn recall(&self, bits: impl Bits, base: &mut Base, key: u64) {
        let above = base.key ^ key;
        self.recall_parts(bits, base, key, |changes: &Vec<u64>, parent| match parent {
            ROOT => above,
            group => changes[group as usize],
        });
    }

    /// The same, whatever was the base before.
    pub(crate) fn recall_in_full(&self, bits: impl Bits, base: &mut Base, key: u64) {
        self.make_room(base);
        base.state.clear();
        self.fixed.iter().for_each(|(_, word)| base.state.extend_from_slice(&word.to_le_bytes()));
        self.recall_parts(bits, base, key, |_, _| u64::MAX);
    }

    /// Looks up the parts that differ in some bits, which `differing` gives for the key and for
    /// groups.
    #[inline(always)]
    fn recall_parts(&self, bits: impl Bits, base: &mut Base, key: u64, differing: impl Fn(&Vec<u64>, u32) -> u64) {
        base.key = key;
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let differing = differing(&base.changes, node.parent);
            let whole = if node.parent == ROOT { key } else { base.contents[node.parent as usize] };
            if differing & node.mask == 0 {
                base.changes[number] = 0;
                continue;
            }
            let known = (whole & node.mask) >> node.shift;
            let content = node.values.as_ref().map_or(known, |values| values.value(known as u32));
            if node.pieces > 0 {
                self.scatter(bits, node, content, &mut base.state);
            } else {
                base.changes[number] = base.contents[number] ^ content;
                base.contents[number] = content;
            }
        }
    }

    #[inline(always)]
    fn scatter(&self, bits: impl Bits, node: &Node, content: u64, state: &mut [u8]) {
        let words = state.as_chunks_mut::<WORD>().0;
        for piece in self.pieces_of(node) {
            let rest = u64::from_le_bytes(words[piece.word]) & !piece.mask;
            words[piece.word] = (rest | bits.scatter(content >> piece.shift, piece.mask)).to_le_bytes();
        }
    }

    /// The bytes that the values of components take.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.iter().filter_map(|node| node.values.as_ref()).map(Values::memory).sum()
    }
}

impl Node {
    /// Puts its number at a place of its parent, or of the key.
    fn place(&mut self, shift: u32) {
        self.shift = shift;
        self.mask = 1_u64.checked_shl(self.width).map_or(u64::MAX, |above| above - 1) << shift;
    }
}

/// The number of a value that was not met lately.
#[cold]
#[inline(never)]
fn look_up(values: &Values, content: u64) -> Result<u32, Unfit> {
    values.find(content).map_or_else(|| new_number(values, content), Ok)
}

fn new_number(values: &Values, content: u64) -> Result<u32, Unfit> {
    values.number(content)?.ok_or(Unfit::State)
}
