//! Which bits of a state are a component, and how many bits its number gets: learned from typical
//! states.
//!
//! At first every 32 bits of a state in which some states differ are a component, or 64 that say
//! much about each other. A component is kept as it is if that takes no more bits than the numbers
//! of its values, as far as these can be foretold. While the key is too long, the two parts with
//! the fewest combinations of values for each bit that they save become a group, which is numbered
//! in its turn: so those are joined that say much about each other, like a process and the channel
//! that it reads. Bits that are left over go to numbers that may become larger than was foretold,
//! and to words that no typical state has changed.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::layout::{Content, KEY_BITS, PlannedLayout, PlannedNode, WORD};
use super::reach::{MOST_GROUPS, MOST_HALVES};
use super::values::ARRAY_BITS;
use crate::shape::number;

/// To join all pairs of parts on all states should not take longer than about this many steps.
const MOST_STEPS: usize = 2_000_000;
/// With fewer states than this there is nothing to learn.
const LEAST_STATES: usize = 16;
/// How many times as many states there are expected to be, as a binary logarithm.
const DOUBLINGS: i32 = 10;
/// At least so much of the growth of one doubling is expected of the next.
const LEAST_DECAY: f64 = 0.3;
/// A key that can have not more than so many bits gets no more: of a few million states it takes
/// less than five bytes each.
const SHORT_BITS: u32 = 54;
/// Numbers have at most so many bits.
const MOST_WIDTH: u32 = 31;
/// The numbers of a component are enough for so many times the values that were foretold.
const LEAF_SPARE: f64 = 1.25;
/// A component that will have more values than this is not numbered if its bits fit.
const MANY: f64 = 65536.0;
/// The bits of the number of what no typical states differ in, if there is room.
const CONSTANT_WIDTH: u32 = 3;
/// A component with not more than so many times as many values in all states as in half of them
/// will have few more.
const STEADY: f64 = 1.02;
/// In a layout for good, it takes no more than one part in so many of what is left over.
const FINAL_SHARE: u32 = 3;
/// The bits of a byte that may count something: these, or more.
const COUNTER: u8 = 0b1111;
/// A group counts as saving so many bits at least.
const LEAST_SAVED: f64 = 0.01;
/// The bits that the number of a group has to spare.
const GROUP_SPARE: u32 = 3;
/// Two halves of a word are one component if they have not more than so many times as many values
/// as one of them, or not more than so many.
const NEIGHBOURS: f64 = 2.0;
const FEW: f64 = 256.0;
/// So many parts are compared with each other. If there are more, neighbours are joined first.
const MOST_PARTS: usize = 48;
/// Of the pairs of neighbours, those that are joined at a time: one in so many.
const NEIGHBOURS_JOINED: usize = 4;
/// About how often that is done with each of many parts.
const ROUNDS: usize = 8;
/// If no typical states differ in more words than this, these words are numbered in groups.
const MANY_CONSTANT: usize = 32;
/// The bits of the number of such a group.
const CONSTANT_GROUP_WIDTH: u32 = 6;
const HALF: usize = WORD / 2;
/// The bits of the halves of a word.
const HALVES: [u64; 2] = [u32::MAX as u64, (u32::MAX as u64) << u32::BITS];

/// How long keys become.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Not longer than they need be, as far as can be told.
    Short,
    /// As long as they can be: it could not be told.
    Long,
    /// The same, and for good: what does not fit never will.
    Final,
}

/// Plans a layout for states of this length that are like these; `None` if they are too few to
/// tell, or too long.
pub(crate) fn plan(states: &[&[u8]], len: usize, room: Room) -> Option<PlannedLayout> {
    let halves = len.div_ceil(WORD) * 2;
    if states.len() < LEAST_STATES || halves > MOST_HALVES || len == 0 {
        return None;
    }
    let words: Vec<Vec<u32>> = states.iter().map(|state| halves_of(state, halves)).collect();
    let varying: Vec<u32> = (0..halves).map(|half| varying(&words, half)).collect();
    let units = varying.iter().filter(|mask| **mask != 0).count();
    let compared = units.clamp(1, MOST_PARTS);
    let most = (MOST_STEPS / (compared * compared).max(ROUNDS * units)).max(LEAST_STATES);
    let words = &words[..words.len().min(most)];
    let unit = |half: usize| {
        Part::leaf(vec![(half, roomy(varying[half]))], number(words.iter().map(|state| u64::from(state[half]))))
    };
    let parts: Vec<Part> = (0..halves).filter(|half| varying[*half] != 0).map(unit).collect();
    let parts = neighbours_joined(parts);
    let mut planning = Planning { parts, costs: HashMap::default(), next_name: halves, nodes: Vec::new() };
    while planning.parts.len() > MOST_PARTS {
        planning.join_neighbours();
    }
    while planning.total() > KEY_BITS && planning.join_cheapest() {}
    let whole = |halves: &[u32]| u64::from(halves[0]) | u64::from(halves[1]) << 32;
    let typical: Vec<u64> = words[0].chunks(2).map(whole).collect();
    let nodes = planning.finish(&typical, room)?;
    Some(PlannedLayout { len, nodes, typical })
}

/// The 32 bits of a state, filled up with zeros.
fn halves_of(state: &[u8], halves: usize) -> Vec<u32> {
    let half = |place: usize| {
        let mut bytes = [0; HALF];
        let known = state.get(place * HALF..).unwrap_or_default();
        let known = &known[..known.len().min(HALF)];
        bytes[..known.len()].copy_from_slice(known);
        u32::from_le_bytes(bytes)
    };
    (0..halves).map(half).collect()
}

/// The bits in which some states differ.
fn varying(words: &[Vec<u32>], half: usize) -> u32 {
    words.iter().fold(0, |bits, state| bits | state[half] ^ words[0][half])
}

/// In each byte in which states differ, all bits up to one more than the highest that does: what is
/// counted there may go on.
fn roomy(varying: u32) -> u32 {
    let byte = |byte: u8| match byte {
        0 => 0,
        _ => (u16::MAX >> (15 - (u8::BITS - byte.leading_zeros()).min(7))) as u8,
    };
    u32::from_le_bytes(varying.to_le_bytes().map(byte))
}

/// A part of the state in the making.
struct Part {
    content: PartContent,
    /// A number for what each state has there.
    column: Vec<u32>,
    /// How many values there will be, as far as can be foretold.
    expected: f64,
    /// What tells it from all other parts.
    name: usize,
}

enum PartContent {
    /// Some of these 32 bits of the state.
    Leaf(Vec<(usize, u32)>),
    /// Nodes that are there already.
    Group(Vec<usize>),
}

impl Part {
    /// Whether the last states had values that those before them had not.
    fn is_growing(&self) -> bool {
        let [half, all] = counts(&self.column);
        all > half * STEADY
    }

    fn leaf(masks: Vec<(usize, u32)>, column: Vec<u32>) -> Part {
        let (expected, name) = (expected(&column), masks[0].0);
        Part { content: PartContent::Leaf(masks), column, expected, name }
    }

    /// The bits of its number, with some to spare.
    fn width(&self) -> u32 {
        let values = (LEAF_SPARE * self.expected).max(1.0).log2().ceil() as u32;
        match &self.content {
            PartContent::Leaf(masks) => bits_of(masks).min(values),
            PartContent::Group(_) => (values + GROUP_SPARE).min(MOST_WIDTH - 1),
        }
    }

    /// As a node. A leaf is kept as it is if that takes no more bits than its number.
    fn node(&self, nodes: &[PlannedNode]) -> PlannedNode {
        let (width, is_growing) = (self.width(), self.is_growing());
        match &self.content {
            PartContent::Leaf(masks) => leaf(masks, width, is_growing),
            PartContent::Group(children) => {
                let bits = children.iter().map(|child| nodes[*child].width).sum();
                PlannedNode { content: Content::Group(children.clone()), bits, width: width.min(bits), is_growing }
            }
        }
    }
}

fn bits_of(masks: &[(usize, u32)]) -> u32 {
    masks.iter().map(|(_, mask)| mask.count_ones()).sum()
}

fn leaf(masks: &[(usize, u32)], width: u32, is_growing: bool) -> PlannedNode {
    let word = masks[0].0 / 2;
    debug_assert!(masks.iter().all(|(half, _)| half / 2 == word), "halves of one word");
    let mask = masks.iter().fold(0, |bits, (half, mask)| bits | u64::from(*mask) << (half % 2 * 32));
    let bits = mask.count_ones();
    PlannedNode { content: Content::Leaf { word, mask }, bits, width: width.min(bits), is_growing }
}

/// Joins the halves of a word if they have few values together.
fn neighbours_joined(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        match joined.pop() {
            None => joined.push(part),
            Some(before) => match joined_halves(&before, &part) {
                Some(both) => joined.push(both),
                None => joined.extend([before, part]),
            },
        }
    }
    joined
}

fn joined_halves(left: &Part, right: &Part) -> Option<Part> {
    let (PartContent::Leaf(a), PartContent::Leaf(b)) = (&left.content, &right.content) else { return None };
    if a.len() > 1 || a[0].0 / 2 != b[0].0 / 2 {
        return None;
    }
    let both = Part::leaf([a[0], b[0]].to_vec(), combined(left, right));
    let most = NEIGHBOURS * left.expected.max(right.expected);
    (both.expected <= most.clamp(FEW, MANY)).then_some(both)
}

struct Planning {
    parts: Vec<Part>,
    /// How many values two parts will have together, by the names of both.
    costs: HashMap<[usize; 2], f64, FixedState>,
    /// The name of the next part.
    next_name: usize,
    /// The nodes that became children.
    nodes: Vec<PlannedNode>,
}

impl Planning {
    fn total(&self) -> u32 {
        self.parts.iter().map(Part::width).sum()
    }

    /// Makes a group of the two parts with the fewest values together for each bit that it saves.
    /// Says whether there are two.
    fn join_cheapest(&mut self) -> bool {
        let mut best: Option<(f64, f64, usize, usize)> = None;
        for right in 1..self.parts.len() {
            for left in 0..right {
                let (price, expected) = self.price(left, right);
                best = best.filter(|(known, ..)| *known <= price).or(Some((price, expected, left, right)));
            }
        }
        let Some((_, expected, left, right)) = best else { return false };
        let right = self.parts.remove(right);
        let left = self.parts.remove(left);
        let joined = self.joined(left, right, expected);
        self.parts.push(joined);
        true
    }

    /// Joins some pairs of neighbours, the cheapest first: what lies side by side in a state
    /// belongs to one process or channel, mostly.
    fn join_neighbours(&mut self) {
        let mut pairs: Vec<(f64, f64, usize)> = (1..self.parts.len())
            .map(|right| {
                let (price, expected) = self.price(right - 1, right);
                (price, expected, right)
            })
            .collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let most = (self.parts.len() / NEIGHBOURS_JOINED).min(self.parts.len() - MOST_PARTS);
        // How many values each pair that is joined will have, by its right one.
        let mut joined: Vec<Option<f64>> = vec![None; self.parts.len() + 1];
        let mut count = 0;
        for (_, expected, right) in pairs {
            if count < most && [right - 1, right, right + 1].iter().all(|place| joined[*place].is_none()) {
                joined[right] = Some(expected);
                count += 1;
            }
        }
        for (place, part) in std::mem::take(&mut self.parts).into_iter().enumerate() {
            let pair = joined[place].and_then(|expected| self.parts.pop().map(|left| (left, expected)));
            let part = match pair {
                Some((left, expected)) => self.joined(left, part, expected),
                None => part,
            };
            self.parts.push(part);
        }
    }

    /// What it costs to join two parts, for each bit that it saves, and how many values they will
    /// have together.
    fn price(&mut self, left: usize, right: usize) -> (f64, f64) {
        let (a, b) = (&self.parts[left], &self.parts[right]);
        let expected = *self.costs.entry([a.name, b.name]).or_insert_with(|| expected(&combined(a, b)));
        let saved = f64::from(a.width() + b.width()) - f64::from(GROUP_SPARE) - expected.max(1.0).log2();
        (expected / saved.max(LEAST_SAVED), expected)
    }

    /// A group of two parts that will have so many values together.
    fn joined(&mut self, left: Part, right: Part, expected: f64) -> Part {
        let column = combined(&left, &right);
        let mut children = [self.children_of(&left), self.children_of(&right)];
        // What does not fit into one word is numbered first.
        while self.bits(&children[0]) + self.bits(&children[1]) > u64::BITS {
            let larger = usize::from(self.bits(&children[1]) > self.bits(&children[0]));
            children[larger] = vec![self.close([&left, &right][larger], &children[larger])];
        }
        self.next_name += 1;
        Part { content: PartContent::Group(children.concat()), column, expected, name: self.next_name - 1 }
    }

    /// The nodes that a part consists of as a part of a group: a leaf becomes one.
    fn children_of(&mut self, part: &Part) -> Vec<usize> {
        match &part.content {
            PartContent::Leaf(_) => {
                self.nodes.push(part.node(&self.nodes));
                vec![self.nodes.len() - 1]
            }
            PartContent::Group(children) => children.clone(),
        }
    }

    fn bits(&self, children: &[usize]) -> u32 {
        children.iter().map(|child| self.nodes[*child].width).sum()
    }

    /// Makes a node of a group.
    fn close(&mut self, part: &Part, children: &[usize]) -> usize {
        let bits = self.bits(children);
        let content = Content::Group(children.to_vec());
        let (width, is_growing) = (part.width().min(bits), part.is_growing());
        self.nodes.push(PlannedNode { content, bits, width, is_growing });
        self.nodes.len() - 1
    }

    /// The nodes, with widths that fit.
    fn finish(self, typical: &[u64], room: Room) -> Option<Vec<PlannedNode>> {
        let Planning { mut parts, mut nodes, .. } = self;
        let mut tops = Vec::new();
        parts.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        let mut total: u32 = parts.iter().map(Part::width).sum();
        for part in &parts {
            tops.push(nodes.len());
            let mut node = part.node(&nodes);
            // So many numbers would take more memory than the bits themselves.
            if part.expected > MANY && node.is_leaf() && total - node.width + node.bits <= KEY_BITS {
                total = total - node.width + node.bits;
                node.width = node.bits;
            }
            nodes.push(node);
        }
        cover_what_is_left(&mut nodes, typical.len(), room);
        let total: u32 = tops.iter().map(|top| nodes[*top].width).sum();
        let bits = if total <= SHORT_BITS && room == Room::Short { SHORT_BITS } else { KEY_BITS };
        let total = widen_counters(&mut nodes, &tops, total, bits);
        let spare = bits.saturating_sub(total) / if room == Room::Final { FINAL_SHARE } else { 1 };
        let mut constant = constant_parts(&nodes, typical.len());
        // What is zero in all typical states is mostly what fills up the state.
        constant.retain(|(word, mask)| room != Room::Final || typical[*word] & mask != 0);
        tops.extend(constant_nodes(&mut nodes, constant, spare));
        for place in 0..nodes.len() {
            if let Content::Group(children) = nodes[place].content.clone() {
                fit(&mut nodes, &children, u64::BITS);
                nodes[place].bits = children.iter().map(|child| nodes[*child].width).sum();
            }
        }
        // The key is one, too.
        let groups = nodes.iter().filter(|node| !node.is_leaf()).count() + 1;
        (groups <= MOST_GROUPS && fit(&mut nodes, &tops, bits)).then_some(nodes)
    }
}

/// Bits in which no typical state differs may yet do so: a component that is numbered takes those
/// of its half of a word as well, or of the whole word, as many as its values can have. Unless the
/// layout is for good, there are no more than an array has places for, which is faster.
fn cover_what_is_left(nodes: &mut [PlannedNode], words: usize, room: Room) {
    let mut leaves: Vec<Vec<usize>> = vec![Vec::new(); words];
    for (place, node) in nodes.iter().enumerate() {
        if let Content::Leaf { word, .. } = node.content {
            leaves[word].push(place);
        }
    }
    for (word, leaves) in leaves.iter().enumerate() {
        for &place in leaves {
            let others = leaves.iter().filter(|other| **other != place);
            let taken = others.fold(0, |bits, other| bits | whole_halves(nodes[*other].mask_in(word)));
            let PlannedNode { content: Content::Leaf { mask, .. }, bits, width, .. } = &mut nodes[place] else {
                continue;
            };
            if width < bits {
                *mask |= match *bits <= ARRAY_BITS && room != Room::Final {
                    true => lowest_bits(whole_halves(*mask) & !*mask, ARRAY_BITS - *bits),
                    false => !taken,
                };
                *bits = mask.count_ones();
            }
        }
    }
}

/// All bits of the halves of a word that have one of these bits: a half belongs to one component.
fn whole_halves(mask: u64) -> u64 {
    HALVES.into_iter().filter(|half| mask & half != 0).fold(0, |bits, half| bits | half)
}

/// What grows and is not numbered may be a counter: it gets whole bytes, as long as all fits into
/// so many bits. Gives how many there are.
fn widen_counters(nodes: &mut [PlannedNode], some: &[usize], mut total: u32, most: u32) -> u32 {
    for &place in some {
        let PlannedNode { content: Content::Leaf { mask, .. }, bits, width, is_growing: true } = &mut nodes[place]
        else {
            continue;
        };
        let wider = u64::from_le_bytes(mask.to_le_bytes().map(|byte| if byte >= COUNTER { u8::MAX } else { byte }));
        let more = wider.count_ones() - *bits;
        if width == bits && total + more <= most {
            (*mask, *bits, *width) = (wider, *bits + more, *width + more);
            total += more;
        }
    }
    total
}

/// So many of these bits, the lowest of each byte first.
fn lowest_bits(bits: u64, many: u32) -> u64 {
    let by_place = (0..u8::BITS).flat_map(|bit| (0..WORD as u32).map(move |byte| 1_u64 << (byte * u8::BITS + bit)));
    by_place.filter(|bit| bits & bit != 0).take(many as usize).fold(0, |chosen, bit| chosen | bit)
}

/// The words, and halves of words, in which no typical state differs: first those in words of which
/// the other half does, since behind the last variable there may be nothing at all.
fn constant_parts(nodes: &[PlannedNode], words: usize) -> Vec<(usize, u64)> {
    let constant = |word: usize| !nodes.iter().fold(0, |bits, node| bits | whole_halves(node.mask_in(word)));
    let mut parts: Vec<(usize, u64)> = (0..words).map(|word| (word, constant(word))).collect();
    parts.retain(|(_, mask)| *mask != 0);
    parts.sort_by_key(|(_, mask)| mask.count_ones());
    parts
}

/// Makes nodes of words in which no typical state differs, as many as so many bits are enough for,
/// and gives those without a parent. If there are many, they are numbered in groups, and these in
/// groups again.
fn constant_nodes(nodes: &mut Vec<PlannedNode>, parts: Vec<(usize, u64)>, bits: u32) -> Vec<usize> {
    let leaf = |(word, mask): (usize, u64)| PlannedNode {
        content: Content::Leaf { word, mask },
        bits: mask.count_ones(),
        width: CONSTANT_WIDTH,
        is_growing: false,
    };
    let most = if parts.len() > MANY_CONSTANT { usize::MAX } else { (bits / CONSTANT_WIDTH) as usize };
    let mut tops: Vec<usize> = (nodes.len()..).take(parts.len().min(most)).collect();
    nodes.extend(parts.into_iter().take(most).map(leaf));
    let mut width = CONSTANT_WIDTH;
    while tops.len() as u32 * width > bits && tops.len() > 1 {
        let children = tops.chunks((u64::BITS / width) as usize);
        let group = |children: &[usize]| PlannedNode {
            content: Content::Group(children.to_vec()),
            bits: children.len() as u32 * width,
            width: CONSTANT_GROUP_WIDTH,
            is_growing: false,
        };
        let groups: Vec<PlannedNode> = children.map(group).collect();
        tops = (nodes.len()..).take(groups.len()).collect();
        nodes.extend(groups);
        width = CONSTANT_GROUP_WIDTH;
    }
    tops
}

impl PlannedNode {
    fn is_leaf(&self) -> bool {
        matches!(self.content, Content::Leaf { .. })
    }

    /// Its bits of a word of the state.
    fn mask_in(&self, place: usize) -> u64 {
        match self.content {
            Content::Leaf { word, mask } if word == place => mask,
            _ => 0,
        }
    }
}

/// Makes the numbers of some nodes shorter until they have so many bits together, or gives them
/// what is left over.
fn fit(nodes: &mut [PlannedNode], some: &[usize], bits: u32) -> bool {
    let mut left = bits;
    let total: u32 = some.iter().map(|node| nodes[*node].width).sum();
    if total > bits {
        for _ in bits..total {
            let Some(widest) = some.iter().copied().max_by_key(|node| nodes[*node].width) else { return false };
            nodes[widest].width -= 1;
        }
        return some.iter().all(|node| nodes[*node].width > 0);
    }
    left -= total;
    loop {
        let before = left;
        // Those that grow get twice as much.
        let growing = some.iter().filter(|node| nodes[**node].is_growing);
        for node in some.iter().chain(growing).copied().collect::<Vec<usize>>() {
            if left > 0 && nodes[node].width < nodes[node].bits.min(MOST_WIDTH) {
                nodes[node].width += 1;
                left -= 1;
            }
        }
        if left == before {
            return true;
        }
    }
}

/// The combinations of two parts, numbered.
fn combined(a: &Part, b: &Part) -> Vec<u32> {
    number(a.column.iter().zip(&b.column).map(|(&a, &b)| u64::from(a) << 32 | u64::from(b)))
}

/// How many values there would be in far more states. How fast they become more with each doubling
/// of the states is seen at the last two, and so is how much slower they do so each time.
fn expected(column: &[u32]) -> f64 {
    let quarter = count(&column[..column.len().div_ceil(4)]);
    let [half, all] = counts(column);
    let (before, last) = (half / quarter - 1.0, all / half - 1.0);
    let decay = if before > 0.0 { (last / before).clamp(LEAST_DECAY, 1.0) } else { 1.0 };
    (1..=DOUBLINGS).fold(all, |values, doubling| values * (1.0 + last * decay.powi(doubling)))
}

/// The values that half of the states have, and all.
fn counts(column: &[u32]) -> [f64; 2] {
    [2, 1].map(|part| count(&column[..column.len().div_ceil(part)]))
}

fn count(column: &[u32]) -> f64 {
    column.iter().max().map_or(1.0, |max| f64::from(*max) + 1.0)
}
