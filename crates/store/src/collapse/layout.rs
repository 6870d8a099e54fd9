//! Where a state's components lie in its key.
//!
//! A layout is a small tree. Its *leaves* are components: some bits of a word of the state,
//! gathered side by side. A *group* is made of the numbers of other nodes, side by side. Each node
//! has a number of a fixed width: its bits themselves, or, if they are *numbered*, the number of
//! their value among all values that were met. The numbers of the nodes without a parent, side by
//! side, are the key.

use std::sync::atomic::Ordering;

use ample_transition::{Budget, StoreFull};

use super::reach::{GroupSet, MASK_HALVES, MOST_GROUPS, ManyGroups, Reach, Whole};
use super::values::{Numbers, Values};
use crate::bits::Bits;
use crate::hash::Mixing;
use crate::key_format::LEAST_BITS;

/// A word of a state, in bytes.
pub(crate) const WORD: usize = 8;
/// A key has so many bits at most. The bits above them in a reference are its tag.
pub(crate) const KEY_BITS: u32 = 61;
/// The tag of references to states that have a key in the first layout.
pub(crate) const FIRST_TAG: u64 = 1;

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

/// What a node is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Bits of a word of the state.
    Leaf { word: usize, mask: u64 },
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
    /// Whether there may be far more values than typical states show.
    pub is_growing: bool,
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
    mixing: Mixing,
    /// The bytes of a state.
    pub len: usize,
    is_long: bool,
    nodes: Vec<Node>,
    /// What each 32 bits of the state belong to.
    components: Vec<Component>,
    /// The groups, children before parents, and at the end the key, which has no group above it.
    groups: Vec<Group>,
    /// A state in which all bits that belong to no component are as in every state.
    typical: Vec<u64>,
}

/// How keys of a layout become references.
#[derive(Copy, Clone)]
pub(crate) struct Referencing {
    /// The tag, at its place.
    tag: u64,
    mixing: Mixing,
}

impl Referencing {
    /// The reference to a state with this key: its tag, and the key, mixed.
    #[inline(always)]
    pub(crate) fn reference(self, key: u64) -> u64 {
        self.tag | self.mixing.mix(key)
    }
}

struct Node {
    content: NodeContent,
    /// Where its number is in the group above it.
    shift: u32,
    /// Its number's bits, at that place.
    mask: u64,
    width: u32,
    values: Option<Box<Values>>,
}

#[derive(Copy, Clone)]
enum NodeContent {
    Leaf {
        word: usize,
        mask: u64,
    },
    /// A place in the list of groups.
    Group(usize),
}

/// What to do where 32 bits of a state differ from those of another one.
struct Component {
    word: usize,
    /// The bits of the word that belong to no component, and what they are in every state.
    fixed: u64,
    typical: u64,
    /// The bits of the word that it consists of; none if these 32 bits are the same in every state.
    mask: u64,
    /// All words of 32 bits that have a bit of it, as bits of the mask that tells about them.
    halves: u64,
    numbers: Numbers,
    node: usize,
    /// The group that it belongs to, and what stays of that when its number is replaced.
    group: usize,
    others: u64,
    shift: u32,
}

/// Nodes side by side: the children of a node, or those without a parent.
struct Group {
    /// The node that it is; none for the key.
    node: Option<usize>,
    /// The group above it.
    above: usize,
    /// Its bits.
    used: u64,
    /// The child that each bit belongs to.
    children: [u16; u64::BITS as usize],
}

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
    entries: Box<[(u64, u64); 1 << RecentValues::BITS]>,
}

impl RecentValues {
    const BITS: u32 = 13;

    pub(crate) fn new() -> Self {
        // No node has this number.
        RecentValues { entries: Box::new([(0, u64::MAX); 1 << Self::BITS]) }
    }

    #[inline(always)]
    fn place(node: usize, value: u64) -> usize {
        let mixed = (value ^ (node as u64) << 54).wrapping_mul(0x9e37_79b9_7f4a_7c15);
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
    /// What the groups consist of.
    contents: Vec<u64>,
    /// The same for the state that is compared.
    others: Vec<u64>,
    /// How groups change.
    changes: Vec<u64>,
}

impl PlannedLayout {
    /// For states that are references to states in another store: their keys are as good as those
    /// in the first layout of that one.
    pub(crate) fn of_references() -> PlannedLayout {
        let content = Content::Leaf { word: 0, mask: (1 << KEY_BITS) - 1 };
        let whole = PlannedNode { content, bits: KEY_BITS, width: KEY_BITS, is_growing: false };
        PlannedLayout { len: WORD, nodes: vec![whole], typical: vec![FIRST_TAG << KEY_BITS] }
    }
}

impl KeyLayout {
    /// The layout of a plan, for keys with this tag.
    pub(crate) fn new(plan: &PlannedLayout, tag: u64, budget: &Budget) -> Result<KeyLayout, StoreFull> {
        let mut layout = KeyLayout {
            tag,
            bits: 0,
            mixing: Mixing::of(LEAST_BITS),
            len: plan.len,
            is_long: false,
            nodes: Vec::new(),
            components: Vec::new(),
            groups: Vec::new(),
            typical: plan.typical.clone(),
        };
        for planned in &plan.nodes {
            let node = layout.node(planned, budget)?;
            layout.nodes.push(node);
        }
        layout.add_groups(plan);
        let key = layout.groups.last().map_or(0, |key| key.used);
        layout.bits = (u64::BITS - key.leading_zeros()).max(LEAST_BITS);
        layout.mixing = Mixing::of(layout.bits);
        debug_assert!(layout.bits <= KEY_BITS && layout.groups.len() <= MOST_GROUPS, "{key:x}");
        layout.add_components();
        layout.is_long = layout.components.len() > MASK_HALVES || layout.groups.len() > u64::BITS as usize;
        Ok(layout)
    }

    fn node(&self, planned: &PlannedNode, budget: &Budget) -> Result<Node, StoreFull> {
        let PlannedNode { content, bits, width, .. } = planned;
        let values = if width < bits { Some(Box::new(Values::new(*bits, *width, budget)?)) } else { None };
        let content = match *content {
            Content::Leaf { word, mask } => NodeContent::Leaf { word, mask },
            Content::Group(_) => NodeContent::Group(0),
        };
        Ok(Node { content, shift: 0, mask: 0, width: *width, values })
    }

    /// Puts the children of groups, and then all that have no parent, side by side.
    fn add_groups(&mut self, plan: &PlannedLayout) {
        let mut is_top = vec![true; plan.nodes.len()];
        for (number, planned) in plan.nodes.iter().enumerate() {
            if let Content::Group(children) = &planned.content {
                children.iter().for_each(|child| is_top[*child] = false);
                self.nodes[number].content = NodeContent::Group(self.groups.len());
                self.add_group(Some(number), children);
            }
        }
        let tops: Vec<usize> = (0..plan.nodes.len()).filter(|node| is_top[*node]).collect();
        self.add_group(None, &tops);
    }

    fn add_group(&mut self, node: Option<usize>, children: &[usize]) {
        let place = self.groups.len();
        let mut group = Group { node, above: place, used: 0, children: [0; u64::BITS as usize] };
        let mut shift = 0;
        for &child in children {
            let node = &mut self.nodes[child];
            node.place(shift);
            group.used |= node.mask;
            group.children[shift as usize..(shift + node.width) as usize].fill(child as u16);
            shift += node.width;
            if let NodeContent::Group(below) = node.content {
                self.groups[below].above = place;
            }
        }
        self.groups.push(group);
    }

    fn add_components(&mut self) {
        let mut leaves: Vec<Vec<(usize, u64)>> = vec![Vec::new(); self.typical.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            if let NodeContent::Leaf { word, mask } = node.content {
                leaves[word].push((number, mask));
            }
        }
        for half in 0..2 * self.typical.len() {
            let component = self.component(half, &leaves[half / 2]);
            self.components.push(component);
        }
        self.typical.iter_mut().zip(self.components.chunks(2)).for_each(|(word, halves)| *word &= halves[0].fixed);
    }

    /// What 32 bits belong to: one of these leaves of their word, or none.
    fn component(&self, half: usize, leaves: &[(usize, u64)]) -> Component {
        let (word, of_half) = (half / 2, u64::from(u32::MAX) << (half % 2 * 32));
        let fixed = leaves.iter().fold(u64::MAX, |fixed, (_, mask)| fixed & !mask);
        let typical = self.typical[word] & fixed;
        let mut component = Component {
            word,
            fixed,
            typical,
            mask: 0,
            halves: 1 << (half % MASK_HALVES),
            numbers: Numbers::Bits,
            node: 0,
            group: self.groups.len() - 1,
            others: u64::MAX,
            shift: 0,
        };
        if let Some(&(number, mask)) = leaves.iter().find(|(_, mask)| mask & of_half != 0) {
            let node = &self.nodes[number];
            let halves = u64::from(mask as u32 != 0) | u64::from(mask >> 32 != 0) << 1;
            component.halves = halves << (2 * word % MASK_HALVES);
            (component.mask, component.node, component.shift) = (mask, number, node.shift);
            component.others = !node.mask;
            component.group = self.group_above(number, node);
            component.numbers = node.values.as_ref().map_or(Numbers::Bits, |values| values.numbers());
        }
        component
    }

    fn group_above(&self, number: usize, node: &Node) -> usize {
        let has_it =
            |group: &Group| group.children[node.shift as usize] == number as u16 && group.used & node.mask != 0;
        self.groups.iter().position(has_it).unwrap_or(self.groups.len() - 1)
    }

    /// The reference to a state with this key: its tag, and the key, mixed.
    #[inline(always)]
    pub(crate) fn reference(&self, key: u64) -> u64 {
        self.referencing().reference(key)
    }

    /// How keys become references.
    #[inline(always)]
    pub(crate) fn referencing(&self) -> Referencing {
        Referencing { tag: self.tag << KEY_BITS, mixing: self.mixing }
    }

    /// The reference to a state with this key, which is mixed already.
    pub(crate) fn reference_to(&self, mixed: u64) -> u64 {
        self.tag << KEY_BITS | mixed
    }

    /// The key in a reference with its tag.
    #[inline(always)]
    pub(crate) fn key_in(&self, reference: u64) -> u64 {
        self.mixing.unmix(mixed_in(reference))
    }

    /// The key of a state of one word that has some of its bits as they are, and all others as in
    /// every state.
    pub(crate) fn word_as_key(&self, state: &[u8]) -> Option<u64> {
        let word = u64::from_le_bytes(*state.as_array()?);
        let [Node { content: NodeContent::Leaf { mask, .. }, values: None, .. }] = self.nodes[..] else { return None };
        let is_lowest = mask & mask.wrapping_add(1) == 0;
        (is_lowest && word & !mask == self.typical[0]).then_some(word & mask)
    }

    /// Whether one mask does not tell about all words of a state, or of all groups.
    #[inline(always)]
    pub(crate) fn is_long(&self) -> bool {
        self.is_long
    }

    /// The length of a state, filled up to whole words.
    pub(crate) fn padded(&self) -> usize {
        self.typical.len() * WORD
    }

    /// The key of a state that is compared with the base.
    #[inline(always)]
    pub(crate) fn key<R: Reach>(
        &self,
        bits: impl Bits,
        reach: R,
        base: &mut Base,
        state: &[u8],
        recent: &mut RecentValues,
    ) -> Result<u64, Unfit> {
        if self.groups.len() > 1 {
            return self.key_of_groups(bits, reach, base, state, recent);
        }
        let mut key = base.key;
        for number in 0..reach.masks(state) {
            let differing = reach.mask(bits, &base.state, state, number);
            self.components_of(bits, state, number * MASK_HALVES, differing, recent, |component, placed| {
                key = key & component.others | placed;
            })?;
        }
        Ok(key)
    }

    /// The same if there are groups.
    #[inline(always)]
    fn key_of_groups<R: Reach>(
        &self,
        bits: impl Bits,
        reach: R,
        base: &mut Base,
        state: &[u8],
        recent: &mut RecentValues,
    ) -> Result<u64, Unfit> {
        let Base { state: old, key, contents, others, .. } = base;
        others.copy_from_slice(contents);
        let root = self.groups.len() - 1;
        others[root] = *key;
        let mut changed = R::Groups::default();
        for number in 0..reach.masks(state) {
            let differing = reach.mask(bits, old, state, number);
            self.components_of(bits, state, number * MASK_HALVES, differing, recent, |component, placed| {
                others[component.group] = others[component.group] & component.others | placed;
                changed.insert(component.group);
            })?;
        }
        changed.remove(root);
        while let Some(place) = changed.take_first() {
            let Group { node: Some(number), above, .. } = self.groups[place] else { break };
            let node = &self.nodes[number];
            let placed = self.number(number, node, others[place], recent)? << node.shift;
            others[above] = others[above] & !node.mask | placed;
            if above != root {
                changed.insert(above);
            }
        }
        Ok(others[root])
    }

    /// Calls `each` with the components of a state that may differ from those of another one, and
    /// their numbers, at their places: those of the 32 bits that `differing` has, counted from the
    /// first.
    #[inline(always)]
    fn components_of(
        &self,
        bits: impl Bits,
        state: &[u8],
        first: usize,
        differing: u64,
        recent: &mut RecentValues,
        mut each: impl FnMut(&Component, u64),
    ) -> Result<(), Unfit> {
        let words = state.as_chunks::<WORD>().0;
        let mut left = differing;
        while left != 0 {
            let component = &self.components[first + left.trailing_zeros() as usize];
            left &= !component.halves;
            let word = u64::from_le_bytes(words[component.word]);
            if word & component.fixed != component.typical {
                return Err(Unfit::State);
            }
            let content = bits.gather(word, component.mask);
            let number = match &component.numbers {
                Numbers::Bits => content,
                Numbers::Array(array) => match array[content as usize].load(Ordering::Acquire) {
                    0 => self.new_number(component.node, content)?,
                    known => u64::from(known) - 1,
                },
                Numbers::Table => match recent.find(component.node, content) {
                    Some(known) => known,
                    None => self.look_up(component.node, content, recent)?,
                },
            };
            each(component, number << component.shift);
        }
        Ok(())
    }

    /// The number of a node with this content.
    #[inline(always)]
    fn number(&self, number: usize, node: &Node, content: u64, recent: &mut RecentValues) -> Result<u64, Unfit> {
        match &node.values {
            None => Ok(content),
            Some(_) => match recent.find(number, content) {
                Some(known) => Ok(known),
                None => self.look_up(number, content, recent),
            },
        }
    }

    /// The number of a value that was not met lately.
    #[cold]
    #[inline(never)]
    fn look_up(&self, node: usize, content: u64, recent: &mut RecentValues) -> Result<u64, Unfit> {
        let found = self.nodes[node].values.as_ref().and_then(|values| values.find(content));
        let known = found.map_or_else(|| self.new_number(node, content), |known| Ok(u64::from(known)))?;
        recent.note(node, content, known as u32);
        Ok(known)
    }

    /// The number of a value that has none yet.
    #[cold]
    #[inline(never)]
    fn new_number(&self, node: usize, content: u64) -> Result<u64, Unfit> {
        let Some(values) = &self.nodes[node].values else { return Ok(content) };
        values.number(content)?.map(u64::from).ok_or(Unfit::State)
    }

    fn make_room(&self, base: &mut Base) {
        for contents in [&mut base.contents, &mut base.others, &mut base.changes] {
            contents.clear();
            contents.resize(self.groups.len(), 0);
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
        base.key = self.key(bits, Whole, base, state, recent)?;
        base.contents.copy_from_slice(&base.others);
        base.state.clear();
        base.state.extend_from_slice(state);
        Ok(())
    }

    /// Makes the state with this key the base. The base is a state of this layout before, too.
    #[inline(always)]
    pub(crate) fn recall(&self, bits: impl Bits, base: &mut Base, key: u64) {
        let root = self.groups.len() - 1;
        self.recall_group(bits, base, root, key, base.key ^ key, |old, new| old ^ new);
        for place in (0..root).rev() {
            let change = std::mem::take(&mut base.changes[place]);
            self.recall_group(bits, base, place, base.contents[place], change, |old, new| old ^ new);
        }
        base.key = key;
    }

    /// The same, whatever was the base before.
    pub(crate) fn recall_in_full(&self, bits: impl Bits, base: &mut Base, key: u64) {
        self.make_room(base);
        base.state.clear();
        self.typical.iter().for_each(|word| base.state.extend_from_slice(&word.to_le_bytes()));
        let root = self.groups.len() - 1;
        self.recall_group(bits, base, root, key, u64::MAX, |_, _| u64::MAX);
        for place in (0..root).rev() {
            self.recall_group(bits, base, place, base.contents[place], u64::MAX, |_, _| u64::MAX);
            base.changes[place] = 0;
        }
        base.key = key;
    }

    /// Looks up the children of a group that have one of these bits. `change` gives what of a group
    /// below has changed.
    #[inline(always)]
    fn recall_group(
        &self,
        bits: impl Bits,
        base: &mut Base,
        place: usize,
        whole: u64,
        differing: u64,
        change: impl Fn(u64, u64) -> u64,
    ) {
        let group = &self.groups[place];
        let mut left = differing & group.used;
        while left != 0 {
            let node = &self.nodes[usize::from(group.children[left.trailing_zeros() as usize])];
            left &= !node.mask;
            let known = (whole & node.mask) >> node.shift;
            let content = node.values.as_ref().map_or(known, |values| values.value(known as u32));
            match node.content {
                NodeContent::Leaf { word, mask } => {
                    let word = &mut base.state.as_chunks_mut::<WORD>().0[word];
                    let rest = u64::from_le_bytes(*word) & !mask;
                    *word = (rest | bits.scatter(content, mask)).to_le_bytes();
                }
                NodeContent::Group(below) => {
                    base.changes[below] = change(base.contents[below], content);
                    base.contents[below] = content;
                }
            }
        }
    }

    /// The bits of a key that tell, and are told by, some bits of a state.
    pub(crate) fn key_bits(&self, of_state: &[u64]) -> u64 {
        let root = self.groups.len() - 1;
        let mut changed = ManyGroups::default();
        let mut key = 0;
        for component in self.components.iter().filter(|component| component.mask != 0) {
            if of_state.get(component.word).is_some_and(|touched| touched & component.mask != 0) {
                changed.insert(component.group);
                key |= if component.group == root { !component.others } else { 0 };
            }
        }
        changed.remove(root);
        while let Some(place) = changed.take_first() {
            let Group { node: Some(number), above, .. } = self.groups[place] else { break };
            changed.insert(above);
            key |= if above == root { self.nodes[number].mask } else { 0 };
            changed.remove(root);
        }
        key
    }

    /// The bytes that the values of components take.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.iter().filter_map(|node| node.values.as_ref()).map(|values| values.memory()).sum()
    }
}

impl Node {
    /// Puts its number at a place of its parent, or of the key.
    fn place(&mut self, shift: u32) {
        self.shift = shift;
        self.mask = 1_u64.checked_shl(self.width).map_or(u64::MAX, |above| above - 1) << shift;
    }
}
