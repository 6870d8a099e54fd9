//! The tree store: every state is kept exactly, and most of its bytes only once.
//!
//! A state is cut into words of 32 bits. Two words make a pair, equal pairs get equal numbers, and a number is a word again; and so on,
//! until two words are left: the *root*. States that differ little share all but a few pairs, so that in the end a state costs little
//! more than its root, eight bytes in a table. This is recursive tree compression (Blom, Lisser, van de Pol, Weber: A database approach
//! to distributed state space generation; Laarman, van de Pol, Weber: Parallel recursive state compression for free), with one
//! table for all pairs. Which words are joined first is learned from typical states (see `shape`).
//!
//! A successor differs from its parent in few words, and only the pairs on the way from these to the root are looked up, most of them
//! in a small memory of pairs met lately. The roots of a block of successors are looked up together: all are asked for from memory
//! before the first one is looked at.
//!
//! The root is also the reference to a state: it leads back to all words. A state that has not the usual length has one level more, and
//! its root is made of the number of the whole and of its length.

use std::sync::Arc;

use ample_transition::{Inserted, Session, StateLength, StateRef, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::arena::Portion;
use crate::hash::mix;
use crate::interner::Interner;
use crate::set::WordSet;
use crate::shape::{Shape, TOP};
use crate::table::NoRoom;

/// The bytes of a word.
const WORD: usize = 4;
/// In the right half of a root: the rest is the length of the state. Numbers are smaller.
const UNUSUAL: u32 = 1 << 31;

/// A store that shares what states have in common.
pub struct TreeStore {
    pairs: Interner,
    /// The roots, mixed.
    roots: WordSet,
    length: StateLength,
    /// The shape of the states that have the usual length.
    shape: Option<Arc<Shape>>,
}

impl TreeStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        let may_differ = !matches!(config.length, StateLength::Always(_));
        let shape = |len: usize| {
            let of_length = config.typical.iter().filter(|state| state.len() == len);
            let typical: Vec<Vec<u32>> = of_length.map(|state| words_of(state).collect()).collect();
            let learned = Shape::learned(&typical).filter(|shape| !may_differ || shape.joins_all());
            Arc::new(learned.unwrap_or_else(|| Shape::balanced(words(len), 2)))
        };
        Ok(TreeStore {
            pairs: Interner::new(config.budget.clone())?,
            roots: WordSet::new(config.budget.clone())?,
            length: config.length,
            shape: config.length.usual().map(shape),
        })
    }

    /// How many different pairs there are below the roots.
    pub fn pairs(&self) -> u64 {
        self.pairs.len()
    }

    /// The length of the state with this root.
    fn len_of(&self, root: u64) -> usize {
        let right = root as u32;
        match self.length {
            StateLength::Always(len) => len,
            StateLength::Usually(len) if right & UNUSUAL == 0 => len,
            _ => (right & !UNUSUAL) as usize,
        }
    }
}

impl Store for TreeStore {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(TreeSession::new(self))
    }

    fn len(&self) -> u64 {
        self.roots.len()
    }

    fn memory(&self) -> usize {
        self.pairs.memory() + self.roots.memory()
    }
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

fn halves(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// The number of words of a state of this length. There are always four, so that both halves of a root are pairs if need be.
fn words(len: usize) -> usize {
    len.div_ceil(WORD).max(4)
}

/// The words of a state, filled up with zeros.
fn words_of(state: &[u8]) -> impl Iterator<Item = u32> {
    let (whole, rest) = state.as_chunks::<WORD>();
    let mut last = [0; WORD];
    last[..rest.len()].copy_from_slice(rest);
    let all = whole.iter().copied().chain((!rest.is_empty()).then_some(last));
    all.map(u32::from_le_bytes).chain(std::iter::repeat(0)).take(words(state.len()))
}

/// One thread's way into a tree store.
struct TreeSession<'s> {
    store: &'s TreeStore,
    /// Numbers that this thread may give to pairs.
    portion: Portion,
    recent: Recent,
    met: Met,
    base: Base,
    /// The words that a successor changes, and the joints above them.
    changed: Vec<u32>,
    dirty: Vec<u32>,
    /// Where two words at a time differ, and what they are.
    differing: Vec<(usize, u64)>,
    /// The roots of what was offered and is not known.
    roots: Vec<u64>,
    /// Whether something that was offered found no room.
    is_full: bool,
}

/// The state that others are compared with: the one opened last, or inserted last.
#[derive(Default)]
struct Base {
    len: Option<usize>,
    shape: Arc<Shape>,
    /// The words of the state itself.
    words: Vec<u32>,
    /// All nodes of its tree, its words first.
    nodes: Vec<Node>,
    /// The number of the change that is being made.
    stamp: u32,
}

/// A node of the base.
#[derive(Copy, Clone, Default)]
struct Node {
    /// The word here.
    word: u32,
    /// For a joint: the word that its children belong to.
    decoded: Option<u32>,
    /// The word in the state that is compared, if it is part of the change with this number.
    new: u32,
    stamp: u32,
}

impl Base {
    /// Prepares for states of this length. If it was another one, the words are those of no state.
    fn take_length(&mut self, store: &TreeStore, len: usize) {
        if self.len != Some(len) {
            self.shape = match &store.shape {
                Some(shape) if store.length.usual() == Some(len) => shape.clone(),
                _ => Arc::new(Shape::balanced(words(len), 1)),
            };
            self.words.clear();
            self.words.resize(self.shape.leaves(), 0);
            self.nodes.clear();
            self.nodes.resize(self.shape.nodes(), Node::default());
            self.stamp = 0;
            self.len = Some(len);
        }
    }

    /// Becomes the state with this root. What it has in common with the state before is not looked up again.
    fn recall(&mut self, store: &TreeStore, root: u64) {
        self.take_length(store, store.len_of(root));
        for (&top, half) in self.shape.tops.iter().zip(halves(root)) {
            self.nodes[top as usize].word = half;
            if let Some(word) = self.words.get_mut(top as usize) {
                *word = half;
            }
        }
        let leaves = self.words.len();
        for (joint, children) in self.shape.children.iter().enumerate().rev() {
            let node = &mut self.nodes[leaves + joint];
            if node.decoded != Some(node.word) {
                node.decoded = Some(node.word);
                let halves = halves(store.pairs.word(node.word));
                for (&child, half) in children.iter().zip(halves) {
                    self.nodes[child as usize].word = half;
                    if let Some(word) = self.words.get_mut(child as usize) {
                        *word = half;
                    }
                }
            }
        }
    }

    /// The word at a node in the state that is compared.
    #[inline]
    fn current(&self, node: u32) -> u32 {
        let node = &self.nodes[node as usize];
        if node.stamp == self.stamp { node.new } else { node.word }
    }

    #[inline]
    fn change(&mut self, node: u32, word: u32) {
        let node = &mut self.nodes[node as usize];
        node.new = word;
        node.stamp = self.stamp;
    }

    /// Starts a new change.
    fn next_change(&mut self) {
        self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.nodes.iter_mut().for_each(|node| node.stamp = 0);
                1
            }
        };
    }

    fn root(&self, len: usize) -> u64 {
        match *self.shape.tops.as_slice() {
            [left, right] => pair(self.current(left), self.current(right)),
            // The usual shape has two tops; this one has not the usual length.
            ref tops => pair(tops.first().map_or(0, |&top| self.current(top)), UNUSUAL | len as u32),
        }
    }
}

impl<'s> TreeSession<'s> {
    fn new(store: &'s TreeStore) -> Self {
        TreeSession {
            store,
            portion: Portion::default(),
            recent: Recent::new(),
            met: Met::new(),
            base: Base::default(),
            changed: Vec::new(),
            dirty: Vec::new(),
            differing: Vec::new(),
            roots: Vec::new(),
            is_full: false,
        }
    }

    /// Notes the words in which a state differs from the base. Of a state of another length, all do.
    fn compare(&mut self, state: &[u8]) {
        self.changed.clear();
        if self.base.len != Some(state.len()) {
            self.base.take_length(self.store, state.len());
            self.base.next_change();
            for (place, word) in words_of(state).enumerate() {
                self.base.change(place as u32, word);
                self.changed.push(place as u32);
            }
            return;
        }
        self.base.next_change();
        let (twos, rest) = state.as_chunks::<{ 2 * WORD }>();
        self.differing.clear();
        for ((number, two), [low, high]) in twos.iter().enumerate().zip(self.base.words.as_chunks::<2>().0) {
            let two = u64::from_le_bytes(*two);
            if two != u64::from(*low) | u64::from(*high) << 32 {
                self.differing.push((number, two));
            }
        }
        for index in 0..self.differing.len() {
            let (number, two) = self.differing[index];
            self.compare_word(2 * number, two as u32);
            self.compare_word(2 * number + 1, (two >> 32) as u32);
        }
        if !rest.is_empty() {
            for (number, word) in words_of(rest).take(rest.len().div_ceil(WORD)).enumerate() {
                self.compare_word(2 * twos.len() + number, word);
            }
        }
    }

    #[inline]
    fn compare_word(&mut self, place: usize, word: u32) {
        if self.base.words[place] != word {
            self.base.change(place as u32, word);
            self.changed.push(place as u32);
        }
    }

    /// Finds the pairs above the changed words, up to the root, which it gives; `None` if nothing is changed.
    fn climb(&mut self, len: usize) -> Result<Option<u64>, StoreFull> {
        // Also if nothing is changed: those of the last time may be nodes of another shape.
        self.find_dirty();
        if self.changed.is_empty() {
            return Ok(None);
        }
        let base = &mut self.base;
        let leaves = base.words.len();
        for &node in &self.dirty {
            let [left, right] = base.shape.children[node as usize - leaves];
            let pair = pair(base.current(left), base.current(right));
            let number = match self.recent.find(pair) {
                Some(number) => number,
                None => look_up(self.store, &mut self.portion, &mut self.recent, pair)?,
            };
            base.change(node, number);
        }
        Ok(Some(base.root(len)))
    }

    /// Notes the joints above the changed words, children before parents.
    fn find_dirty(&mut self) {
        let Base { shape, nodes, stamp, words, .. } = &mut self.base;
        self.dirty.clear();
        if let Some(above) = &shape.above {
            let mut joints = self.changed.iter().fold(0, |joints, &leaf| joints | above[leaf as usize]);
            while joints != 0 {
                self.dirty.push(words.len() as u32 + joints.trailing_zeros());
                joints &= joints - 1;
            }
            return;
        }
        for &leaf in &self.changed {
            let mut node = shape.parents[leaf as usize];
            while node != TOP && std::mem::replace(&mut nodes[node as usize].stamp, *stamp) != *stamp {
                self.dirty.push(node);
                node = shape.parents[node as usize];
            }
        }
        if self.changed.len() > 1 {
            // Children have smaller numbers than their parents.
            self.dirty.sort_unstable();
        }
    }

    /// Makes the state that was compared the base.
    fn keep(&mut self) {
        for &node in self.changed.iter().chain(&self.dirty) {
            let node_at = &mut self.base.nodes[node as usize];
            node_at.word = node_at.new;
            node_at.decoded = Some(node_at.new);
            if let Some(word) = self.base.words.get_mut(node as usize) {
                *word = node_at.new;
            }
        }
    }

    /// Takes nothing for known any more: neither the base nor the roots met lately are stored for certain.
    #[cold]
    fn forget(&mut self) {
        self.base.len = None;
        self.met = Met::new();
    }
}

/// The number of a pair that was not met lately.
#[cold]
#[inline(never)]
fn look_up(store: &TreeStore, portion: &mut Portion, recent: &mut Recent, pair: u64) -> Result<u32, StoreFull> {
    loop {
        let answer = store.pairs.view().intern(pair, portion);
        match answer {
            Ok(number) => {
                recent.note(pair, number);
                return Ok(number);
            }
            Err(NoRoom) => store.pairs.make_room(portion)?,
        }
    }
}

impl Session for TreeSession<'_> {
    /// States inserted one after the other have much in common: each is compared with the one before.
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        self.compare(state);
        let root = self.climb(state.len());
        self.keep();
        let answer = root.and_then(|root| root.map_or(Ok(Inserted::Old), |root| self.store.roots.add(mix(root))));
        if answer.is_err() {
            self.forget();
        }
        answer
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) {
        let Some(StateRef(root)) = states.reference(index) else { return state.clear() };
        self.base.recall(self.store, root);
        state.resize(self.base.words.len() * WORD, 0);
        for (bytes, word) in state.as_chunks_mut::<WORD>().0.iter_mut().zip(&self.base.words) {
            *bytes = word.to_le_bytes();
        }
        state.truncate(self.base.len.unwrap_or_default());
    }

    fn offer(&mut self, state: &[u8]) {
        let is_alike = self.base.len == Some(state.len());
        self.compare(state);
        let root = self.climb(state.len());
        if !is_alike {
            // It takes the place of the base, whose shape it does not have.
            self.keep();
        }
        match root {
            Ok(Some(root)) if !self.met.meet(root) => self.roots.push(root),
            Ok(_) => {}
            Err(StoreFull) => self.is_full = true,
        }
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let is_full = std::mem::take(&mut self.is_full);
        let result = if is_full {
            Err(Unsettled::Full)
        } else {
            let roots = &self.roots;
            let is_new = |place: usize| new.push_ref(StateRef(roots[place]));
            self.store.roots.add_all(roots.iter().map(|&root| mix(root)), most, is_new)
        };
        self.roots.clear();
        if result.is_err() {
            self.forget();
        }
        result
    }
}

/// Pairs met lately and their numbers: most come again soon, and then need not be looked up in a large table.
struct Recent {
    entries: Vec<(u64, u32)>,
}

impl Recent {
    const BITS: u32 = 13;
    const NONE: u32 = u32::MAX;

    fn new() -> Recent {
        Recent { entries: vec![(0, Self::NONE); 1 << Self::BITS] }
    }

    fn place(pair: u64) -> usize {
        (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS)) as usize
    }

    #[inline]
    fn find(&self, pair: u64) -> Option<u32> {
        let (known, number) = self.entries[Self::place(pair)];
        (known == pair && number != Self::NONE).then_some(number)
    }

    fn note(&mut self, pair: u64, number: u32) {
        self.entries[Self::place(pair)] = (pair, number);
    }
}

/// Roots met lately: many transitions lead to such a state.
struct Met {
    roots: Vec<u64>,
}

impl Met {
    const BITS: u32 = 15;

    fn new() -> Met {
        // Each place has a root at first that does not belong there, so that none is met before it was.
        let mut roots = vec![0; 1 << Self::BITS];
        roots[Self::place(0)] = 1;
        Met { roots }
    }

    fn place(root: u64) -> usize {
        (mix(root) >> (64 - Self::BITS)) as usize
    }

    /// Whether this one was met lately; from now on it was.
    fn meet(&mut self, root: u64) -> bool {
        std::mem::replace(&mut self.roots[Self::place(root)], root) == root
    }
}
