//! The tree store: every state is kept exactly, and most of its bytes only once.
//!
//! A state is cut into words of 32 bits. Two words make a pair, equal pairs get equal numbers, and
//! a number is a word again; and so on, until two words are left: the *root*. States that differ
//! little share all but a few pairs, so that in the end a state costs little more than its root,
//! eight bytes in a table. This is recursive tree compression (Blom, Lisser, van de Pol, Weber: A
//! database approach to distributed state space generation; Laarman, van de Pol, Weber: Parallel
//! recursive state compression for free), with one table for all pairs. Which words are joined
//! first is learned from typical states (see `shape`).
//!
//! A successor differs from its parent in few words, and only the pairs on the way from these to
//! the root are looked up, most of them in a small memory of pairs met lately. The roots of a block
//! of successors are looked up together: all are asked for from memory before the first one is
//! looked at.
//!
//! The root, mixed one to one so that it is its own hash, is also the reference to a state: it
//! leads back to all words. A state that has not the usual length has one level more, and its root
//! is made of the number of the whole and of its length.

use std::collections::HashMap;
use std::sync::Arc;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{
    Inserted, Key, Opened, Session, StateLength, StateRef, States, Store, StoreConfig, StoreFull, Unsettled,
};

use crate::arena::Portion;
use crate::hash::{mix, unmix};
use crate::interner::Interner;
use crate::learned::Learned;
use crate::recent::{Met, Recent};
use crate::set::WordSet;
use crate::shape::{JointSet, Shape};
use crate::table::{Hints, NoRoom};
use crate::words;

/// The tree store.
pub static TREE: Part = Part {
    name: "tree",
    kind: PartKind::Store,
    summary: "every state is kept, what states have in common only once",
    paper: Some("Laarman, van de Pol, Weber: Parallel recursive state compression for free"),
    guarantee: Guarantee::EXACT,
};

/// So many states before its turn, the first pairs of a state are asked for from memory.
const AHEAD: usize = 4;
/// After so many states that were recalled for their successors, it is looked up where the roots
/// are.
const HINTS_INTERVAL: u32 = 64;
/// In the right half of a root: the rest is the length of the state. Numbers are smaller.
const UNUSUAL: u32 = 1 << 31;

/// A store that shares what states have in common.
pub struct TreeStore {
    pairs: Interner,
    /// The roots, mixed.
    pub(crate) roots: WordSet,
    length: StateLength,
    /// The shape of the states that have the usual length.
    shape: Option<Arc<Shape>>,
    learned: Learned<Arc<Shape>>,
}

impl TreeStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        let (pairs, roots) = (Interner::new(config.budget.clone())?, WordSet::new(config.budget.clone())?);
        let mut learned = Learned::default();
        Ok(TreeStore { pairs, roots, length: config.length, shape: shape_of(&mut learned, config), learned })
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

    /// Pairs and roots have no length: what was for the states of one system may be for those of
    /// another.
    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        (self.length, self.shape) = (config.length, shape_of(&mut self.learned, config));
        self.pairs.renew(&config.budget)?;
        self.roots.renew(&config.budget)
    }

    fn len(&self) -> u64 {
        self.roots.len()
    }

    fn memory(&self) -> usize {
        self.pairs.memory() + self.roots.memory()
    }

    fn key_length(&self, _: StateLength) -> StateLength {
        StateLength::Always(size_of::<StateRef>())
    }
}

/// The shape of the states that have the usual length, if there is one.
fn shape_of(learned: &mut Learned<Arc<Shape>>, config: &StoreConfig) -> Option<Arc<Shape>> {
    let len = config.length.usual()?;
    Some(learned.of(config, || Arc::new(learn(config, len))).clone())
}

fn learn(config: &StoreConfig, len: usize) -> Shape {
    let may_differ = !matches!(config.length, StateLength::Always(_));
    let of_length = config.typical.iter().filter(|state| state.len() == len);
    let typical: Vec<Vec<u32>> = of_length.map(|state| words::of(state).collect()).collect();
    let learned = Shape::learned(&typical).filter(|shape| !may_differ || shape.joins_all());
    learned.unwrap_or_else(|| Shape::balanced(words::count(len), 2))
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

fn halves(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// One thread's way into a tree store.
pub(crate) struct TreeSession<'s> {
    store: &'s TreeStore,
    /// Numbers that this thread may give to pairs.
    portion: Portion,
    recent: Recent,
    met: Met,
    base: Base,
    /// The joints of the base that were changed last, with their words before.
    changed: Vec<(u32, u32)>,
    /// The roots of what was offered and is not known, mixed. Each was asked for from memory.
    roots: Vec<u64>,
    hints: Hints,
    /// How many states were recalled, modulo some power of two.
    recalled: u32,
    /// Whether something that was offered found no room.
    is_full: bool,
}

/// The state that others are compared with: the one opened last, or inserted last.
#[derive(Default)]
struct Base {
    /// The length of the states that it is prepared for.
    len: Option<usize>,
    /// Whether the words are those of a state.
    is_state: bool,
    shape: Arc<Shape>,
    /// The words of the state.
    leaves: Vec<u32>,
    /// The words of all nodes of the tree. Those of the leaves are of the state that is compared.
    nodes: Vec<u32>,
    /// Joints that are to be looked at: none before and after.
    joints: JointSet,
    /// The shapes for states of other lengths than the usual one, by the number of words.
    others: HashMap<usize, Arc<Shape>>,
}

impl Base {
    /// Whether it is a state of this length.
    #[inline]
    fn is_alike(&self, len: usize) -> bool {
        self.is_state && self.len == Some(len)
    }

    /// The shape for states of so many words. There are few such numbers in a model.
    fn other_shape(&mut self, words: usize) -> Arc<Shape> {
        self.others.entry(words).or_insert_with(|| Arc::new(Shape::balanced(words, 1))).clone()
    }

    /// Prepares for states of this length, of which all words will be set.
    #[cold]
    fn start(&mut self, store: &TreeStore, len: usize) {
        if self.len != Some(len) {
            self.len = Some(len);
            self.shape = match &store.shape {
                Some(shape) if store.length.usual() == Some(len) => shape.clone(),
                _ => self.other_shape(words::count(len)),
            };
            self.leaves.clear();
            self.leaves.resize(self.shape.leaves(), 0);
            self.nodes.clear();
            self.nodes.resize(self.shape.nodes(), 0);
            self.joints = JointSet::new(self.shape.joints());
        }
        self.joints.fill();
        self.is_state = true;
    }

    /// Becomes the state with this root. What it has in common with the state before is not looked
    /// up again.
    fn recall(&mut self, store: &TreeStore, root: u64) {
        let len = store.len_of(root);
        if !self.is_alike(len) {
            self.start(store, len);
        }
        for (half, word) in halves(root).into_iter().enumerate() {
            if let Some(&top) = self.shape.tops.get(half) {
                self.put(top, word);
            }
        }
        while let Some(joint) = self.joints.take_last() {
            let [left, right] = halves(store.pairs.word(self.nodes[self.shape.leaves() + joint]));
            let [left_child, right_child] = self.shape.children[joint];
            self.put(left_child, left);
            self.put(right_child, right);
        }
    }

    /// Sets a word on the way down from the root.
    #[inline]
    fn put(&mut self, node: u32, word: u32) {
        let node = node as usize;
        match self.leaves.get_mut(node) {
            Some(leaf) => *leaf = word,
            None if std::mem::replace(&mut self.nodes[node], word) == word => {}
            None => _ = self.joints.insert(node - self.leaves.len()),
        }
    }

    /// Takes the words of a state of the same length and notes the joints above those that differ.
    /// Whether some do.
    #[inline(always)]
    fn compare(&mut self, state: &[u8]) -> bool {
        let Base { shape, leaves, nodes, joints, .. } = self;
        match words::compare(leaves, state, &mut nodes[..leaves.len()]) {
            Some(differing) => {
                shape.add_above(differing, joints);
                differing != 0
            }
            None => self.compare_any(state),
        }
    }

    #[inline(never)]
    fn compare_any(&mut self, state: &[u8]) -> bool {
        let Base { shape, leaves, nodes, joints, .. } = self;
        let mut is_other = false;
        words::compare_any(leaves, state, &mut nodes[..leaves.len()], |leaf| {
            is_other = true;
            shape.add_path(leaf, joints);
        });
        is_other
    }

    /// Makes the state that was compared the base.
    fn keep(&mut self) {
        let count = self.leaves.len();
        self.leaves.copy_from_slice(&self.nodes[..count]);
    }

    #[inline(always)]
    fn root(&self) -> u64 {
        match *self.shape.tops.as_slice() {
            [left, right] => pair(self.nodes[left as usize], self.nodes[right as usize]),
            // The usual shape has two tops; this one has not the usual length.
            ref tops => {
                let whole = tops.first().map_or(0, |&top| self.nodes[top as usize]);
                pair(whole, UNUSUAL | self.len.unwrap_or_default() as u32)
            }
        }
    }
}

impl<'s> TreeSession<'s> {
    pub(crate) fn new(store: &'s TreeStore) -> Self {
        TreeSession {
            store,
            portion: Portion::default(),
            recent: Recent::new(),
            met: Met::new(),
            base: Base::default(),
            changed: Vec::new(),
            roots: Vec::new(),
            hints: store.roots.hints(),
            recalled: 0,
            is_full: false,
        }
    }

    /// The root of a state, mixed; `None` if it is the base. Its tree is in the place of that of
    /// the base until [`TreeSession::go_back`]; a state of another length takes its place for good.
    #[inline(always)]
    fn root_of(&mut self, state: &[u8]) -> Result<Option<u64>, StoreFull> {
        self.changed.clear();
        if !self.base.is_alike(state.len()) {
            return self.root_of_other(state).map(Some);
        }
        if !self.base.compare(state) {
            return Ok(None);
        }
        self.climb()?;
        Ok(Some(mix(self.base.root())))
    }

    #[cold]
    #[inline(never)]
    fn root_of_other(&mut self, state: &[u8]) -> Result<u64, StoreFull> {
        let is_promised = !matches!(self.store.length, StateLength::Always(len) if len != state.len());
        debug_assert!(is_promised, "a state has another length than all states are said to have");
        self.base.start(self.store, state.len());
        self.base.compare(state);
        self.base.keep();
        self.climb()?;
        self.changed.clear();
        Ok(mix(self.base.root()))
    }

    /// The root of a state, which need not be stored. The next one is compared with this state.
    pub(crate) fn root(&mut self, state: &[u8]) -> Result<u64, StoreFull> {
        self.root_of(state)?;
        self.base.keep();
        Ok(self.base.root())
    }

    /// Writes the state whose pairs have this number, and that has this length, over `state`; if
    /// nothing is known of the length of states.
    pub(crate) fn read_whole(&mut self, whole: u32, len: u32, state: &mut Vec<u8>) {
        self.base.recall(self.store, pair(whole, UNUSUAL | len));
        words::write(&self.base.leaves, self.base.len.unwrap_or_default(), state);
    }

    /// Finds the pairs at the joints that are to be looked at, children before parents.
    fn climb(&mut self) -> Result<(), StoreFull> {
        let TreeSession { store, portion, recent, base, changed, .. } = self;
        let Base { shape, nodes, joints, is_state, .. } = base;
        let (leaves, children) = (shape.leaves(), shape.children.as_slice());
        for joint in joints.drain() {
            let [left, right] = children[joint];
            let pair = pair(nodes[left as usize], nodes[right as usize]);
            let number = match recent.find(pair) {
                Some(number) => number,
                None => match look_up(store, portion, recent, pair) {
                    Ok(number) => number,
                    Err(full) => {
                        *is_state = false;
                        return Err(full);
                    }
                },
            };
            let node = leaves + joint;
            changed.push((node as u32, std::mem::replace(&mut nodes[node], number)));
        }
        Ok(())
    }

    /// Puts the tree of the base back.
    #[inline(always)]
    fn go_back(&mut self) {
        for &(node, before) in &self.changed {
            self.base.nodes[node as usize] = before;
        }
    }

    /// Takes nothing for known any more: neither the base nor the roots met lately are stored for
    /// certain.
    #[cold]
    fn forget(&mut self) {
        self.base.is_state = false;
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
    /// States inserted one after the other have much in common: each is compared with the one
    /// before.
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        let answer = match self.root_of(state) {
            Ok(Some(root)) => self.store.roots.add(root),
            // The base may be a state that is not stored.
            Ok(None) => self.store.roots.add(mix(self.base.root())),
            Err(full) => Err(full),
        };
        self.base.keep();
        if answer.is_err() {
            self.forget();
        }
        answer
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
        if let Some(StateRef(later)) = states.reference(index + AHEAD) {
            halves(unmix(later)).into_iter().for_each(|half| self.store.pairs.prefetch(half));
        }
        match states.key(index) {
            Some(key) => self.recall(key, state),
            None => state.clear(),
        }
        Opened::Here
    }

    fn offer(&mut self, state: &[u8]) {
        let root = self.root_of(state);
        self.go_back();
        match root {
            Ok(Some(root)) if !self.met.meet(root) => {
                self.hints.prefetch(root);
                self.roots.push(root);
            }
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
            self.store.roots.add_all(roots.iter().copied(), most, is_new)
        };
        self.roots.clear();
        self.hints = self.store.roots.hints();
        if result.is_err() {
            self.forget();
        }
        result
    }

    fn key(&mut self, state: &[u8], keys: &mut States) -> Result<(), StoreFull> {
        let root = self.root_of(state);
        self.go_back();
        let root = root?.unwrap_or_else(|| mix(self.base.root()));
        self.hints.prefetch(root);
        keys.push_ref(StateRef(root));
        Ok(())
    }

    fn add(&mut self, key: Key<'_>) -> Result<Inserted, StoreFull> {
        match key {
            Key::Reference(StateRef(root)) => self.store.roots.add(root),
            Key::InFull(state) => self.insert(state),
        }
    }

    fn contains(&mut self, key: Key<'_>) -> bool {
        match key {
            Key::Reference(StateRef(root)) => self.store.roots.contains(root),
            Key::InFull(state) => {
                let mut keys = States::default();
                self.key(state, &mut keys).is_ok() && keys.key(0).is_some_and(|key| self.contains(key))
            }
        }
    }

    #[inline]
    fn recall(&mut self, key: Key<'_>, state: &mut Vec<u8>) {
        let Key::Reference(StateRef(root)) = key else { return state.clear() };
        self.recalled = self.recalled.wrapping_add(1);
        if self.recalled.is_multiple_of(HINTS_INTERVAL) {
            self.hints = self.store.roots.hints();
        }
        self.base.recall(self.store, unmix(root));
        words::write(&self.base.leaves, self.base.len.unwrap_or_default(), state);
    }
}
