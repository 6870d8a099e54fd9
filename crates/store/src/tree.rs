//! The tree store: every state is kept exactly, and most of its bytes only once.
//!
//! A state is cut into *lanes* of eight bytes. Equal lanes get equal numbers; two numbers make a word of eight bytes again, which
//! gets a number; and so on, until two numbers are left: the *root*. Which lanes are joined first is learned from typical
//! states (see `shape`). States that differ little share all but a few words, so
//! that in the end a state costs little more than its root, eight bytes in a table. This is recursive tree compression (Blom,
//! Lisser, van de Pol, Weber: A database approach to distributed state space generation; Laarman, van de Pol, Weber:
//! Parallel recursive state compression for free), with one table of numbers for all levels.
//!
//! A successor differs from its parent in few lanes, and only the words on the way from these to the root are looked up. A block of
//! successors is looked up level by level: the words of a level are computed and asked for from memory first, then found.
//!
//! The root is also the reference to a state: it leads back to all lanes. A state that has not the usual length has one level more, and
//! its root is made of the number of the whole and of its length.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ample_transition::{Inserted, Session, StateLength, StateRef, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::arena::Portion;
use crate::hash::mix;
use crate::interner::{Interner, Interning};
use crate::shape::{Shape, TOP};
use crate::table::{NoRoom, Probe, Table, View};

const LANE: usize = 8;
/// In the right half of a root: the rest is the length of the state. Numbers are smaller.
const UNUSUAL: u32 = 1 << 31;
/// Where the numbers of a parent start if there is none.
const NO_PARENT: usize = usize::MAX / 2;

/// A store that shares what states have in common.
pub struct TreeStore {
    nodes: Interner,
    roots: Table,
    /// Whether the one root that the table cannot hold is there: zero means empty.
    zero: AtomicBool,
    length: StateLength,
    /// The shape of the states that have the usual length.
    shape: Option<Arc<Shape>>,
}

impl TreeStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        let shape = |len: usize| {
            let of_length = config.typical.iter().filter(|state| state.len() == len);
            let typical: Vec<Vec<u64>> = of_length.map(|state| lanes_of(state).collect()).collect();
            Arc::new(Shape::learned(&typical).unwrap_or_else(|| Shape::balanced(lanes(len), 2)))
        };
        Ok(TreeStore {
            nodes: Interner::new(config.budget.clone())?,
            roots: Table::new(config.budget.clone())?,
            zero: AtomicBool::new(false),
            length: config.length,
            shape: config.length.usual().map(shape),
        })
    }

    /// How many different words there are below the roots.
    pub fn nodes(&self) -> u64 {
        self.nodes.len()
    }

    /// Whether the root of every state is its one lane.
    fn is_bare(&self) -> bool {
        matches!(self.length, StateLength::Always(len) if lanes(len) == 1)
    }

    /// The length of the state with this root.
    fn len_of(&self, root: u64) -> usize {
        let right = root as u32;
        match self.length {
            StateLength::Always(len) if lanes(len) == 1 => len,
            StateLength::Always(len) | StateLength::Usually(len) if right & UNUSUAL == 0 => len,
            _ => (right & !UNUSUAL) as usize,
        }
    }
}

impl Store for TreeStore {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(TreeSession::new(self))
    }

    fn len(&self) -> u64 {
        self.roots.len() + u64::from(self.zero.load(Ordering::Relaxed))
    }

    fn memory(&self) -> usize {
        self.nodes.memory() + self.roots.memory()
    }
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

fn halves(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// The number of lanes of a state of this length. A state without bytes has one.
fn lanes(len: usize) -> usize {
    len.div_ceil(LANE).max(1)
}

/// The lanes of a state, the last one filled up with zeros.
fn lanes_of(state: &[u8]) -> impl Iterator<Item = u64> {
    let (whole, rest) = state.as_chunks::<LANE>();
    let mut last = [0; LANE];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty() || whole.is_empty()).then(|| u64::from_le_bytes(last));
    whole.iter().map(|lane| u64::from_le_bytes(*lane)).chain(last)
}

/// One thread's way into a tree store.
struct TreeSession<'s> {
    store: &'s TreeStore,
    /// The shape of the state at hand, and its length.
    shape: Arc<Shape>,
    shape_len: Option<usize>,
    /// Words that this thread may give numbers to.
    portion: Portion,
    recent: Recent,
    met: Met,
    /// The states opened since the last settling; their lanes, and the numbers of their nodes.
    opened: Vec<Opened>,
    lanes: Vec<u64>,
    numbers: Vec<u32>,
    /// What was offered since, and where it differs from its parent.
    offered: Vec<Offered>,
    changes: Vec<Change>,
    scratch: Vec<u64>,
    /// The state inserted last.
    last: Option<StateRef>,
}

/// Where the lanes and numbers of an opened state start.
#[derive(Copy, Clone)]
struct Opened {
    lanes: usize,
    numbers: usize,
    len: usize,
}

/// A successor on its way to its root.
struct Offered {
    /// Where the numbers of the parent start; all nodes are changed if there is no parent.
    numbers: usize,
    /// The changes, from left to right.
    first: usize,
    count: usize,
    len: usize,
    /// The root, as soon as it is known, unless it was met lately.
    root: Option<u64>,
}

/// A node whose word differs from the parent's.
#[derive(Copy, Clone)]
struct Change {
    node: u32,
    /// The number of the word, or [`UNKNOWN`].
    number: u32,
    word: u64,
}

/// No number: the arena gives none as large as this.
const UNKNOWN: u32 = u32::MAX;

impl<'s> TreeSession<'s> {
    fn new(store: &'s TreeStore) -> Self {
        TreeSession {
            store,
            shape: Arc::default(),
            shape_len: None,
            portion: Portion::default(),
            recent: Recent::new(),
            met: Met::new(),
            opened: Vec::new(),
            lanes: Vec::new(),
            numbers: Vec::new(),
            offered: Vec::new(),
            changes: Vec::new(),
            scratch: Vec::new(),
            last: None,
        }
    }

    /// Makes `self.shape` that of states of this length.
    fn take_shape(&mut self, len: usize) {
        if self.shape_len == Some(len) {
            return;
        }
        self.shape = match &self.store.shape {
            Some(shape) if self.store.length.usual() == Some(len) => shape.clone(),
            _ => Arc::new(Shape::balanced(lanes(len), 1)),
        };
        self.shape_len = Some(len);
    }

    /// Opens a stored state: appends its lanes to `self.lanes`, and its numbers to `self.numbers`.
    fn recall(&mut self, StateRef(root): StateRef) -> Opened {
        let len = self.store.len_of(root);
        let opened = Opened { lanes: self.lanes.len(), numbers: self.numbers.len(), len };
        self.opened.push(opened);
        if self.store.is_bare() {
            self.lanes.push(root);
            return opened;
        }
        self.take_shape(len);
        let shape = &*self.shape;
        self.numbers.resize(opened.numbers + shape.nodes(), 0);
        let numbers = &mut self.numbers[opened.numbers..];
        for (&top, half) in shape.tops.iter().zip(halves(root)) {
            numbers[top as usize] = half;
        }
        for (joint, &[left, right]) in shape.children.iter().enumerate().rev() {
            let halves = halves(self.store.nodes.word(numbers[shape.lanes() + joint]));
            [numbers[left as usize], numbers[right as usize]] = halves;
        }
        let words = numbers[..shape.lanes()].iter().map(|&number| self.store.nodes.word(number));
        self.lanes.extend(words);
        opened
    }

    /// Gives every changed word its number.
    fn number_all(&mut self) -> Result<(), StoreFull> {
        let mut next = 0;
        loop {
            let view = self.store.nodes.view();
            match self.number_from(&view, &mut next) {
                Ok(()) => return Ok(()),
                Err(NoRoom) => {
                    drop(view);
                    self.store.nodes.make_room(&mut self.portion)?;
                }
            }
        }
    }

    /// Numbers the words of all that was offered, from `next` on: first those met lately; the others are asked for from memory, and
    /// then looked up.
    fn number_from(&mut self, view: &Interning<'_>, next: &mut usize) -> Result<(), NoRoom> {
        for offered in &self.offered[*next..] {
            for change in &mut self.changes[offered.first..offered.first + offered.count] {
                if change.number == UNKNOWN {
                    change.number = self.recent.find(change.word);
                }
                if change.number == UNKNOWN {
                    view.prefetch(change.word);
                }
            }
        }
        while let Some(offered) = self.offered.get(*next) {
            for change in &mut self.changes[offered.first..offered.first + offered.count] {
                if change.number == UNKNOWN {
                    change.number = view.intern(change.word, &mut self.portion)?;
                    self.recent.note(change.word, change.number);
                }
            }
            *next += 1;
        }
        Ok(())
    }

    /// Computes the roots of all that was offered.
    fn find_roots(&mut self) -> Result<(), StoreFull> {
        if let Some(len) = self.store.length.usual()
            && self.offered.iter().all(|offered| offered.len == len)
        {
            self.take_shape(len);
            return self.find_roots_of_one_shape();
        }
        // One after the other: each may have a shape of its own.
        let all = std::mem::take(&mut self.offered);
        let mut done = Vec::with_capacity(all.len());
        for offered in all {
            self.take_shape(offered.len);
            self.offered.push(offered);
            self.find_roots_of_one_shape()?;
            done.append(&mut self.offered);
        }
        self.offered = done;
        Ok(())
    }

    fn find_roots_of_one_shape(&mut self) -> Result<(), StoreFull> {
        self.number_all()?;
        let shape = self.shape.clone();
        for height in 1..=shape.height() {
            for offered in &mut self.offered {
                let parent = self.numbers.get(offered.numbers..).unwrap_or_default();
                let changes = &mut self.changes[offered.first..offered.first + offered.count];
                offered.count = join(changes, parent, &shape, height);
            }
            self.number_all()?;
        }
        for offered in self.offered.iter_mut().filter(|offered| offered.count > 0) {
            let parent = self.numbers.get(offered.numbers..).unwrap_or_default();
            let root = root(&self.changes[offered.first..offered.first + offered.count], parent, &shape, offered.len);
            offered.root = Some(root).filter(|&root| !self.met.meet(root));
        }
        Ok(())
    }

    /// Takes the changes of a successor, the last ones in the list, to the root, as long as all words are among those met lately.
    /// Gives how many changes are left, and the root if they got there.
    fn climb_by_memory(&mut self, first: usize, numbers: usize, len: usize) -> (usize, Option<u64>) {
        let shape = &*self.shape;
        let parent = self.numbers.get(numbers..).unwrap_or_default();
        let changes = &mut self.changes[first..];
        let mut count = changes.len();
        for height in 0..=shape.height() {
            if height > 0 {
                count = join(&mut changes[..count], parent, shape, height);
            }
            let mut is_known = true;
            for change in &mut changes[..count] {
                if change.number == UNKNOWN {
                    change.number = self.recent.find(change.word);
                    is_known &= change.number != UNKNOWN;
                }
            }
            if !is_known {
                return (count, None);
            }
        }
        (count, Some(root(&changes[..count], parent, shape, len)))
    }

    /// Adds or finds all roots.
    fn add_roots(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let mut adding = Adding { store: self.store, left: most, next: 0 };
        loop {
            let view = self.store.roots.view();
            match adding.add_from(&view, &self.offered, new) {
                Ok(()) => return Ok(()),
                Err(NoRoom) if adding.left == 0 => return Err(Unsettled::Limit),
                Err(NoRoom) => {
                    drop(view);
                    self.store.roots.grow()?;
                }
            }
        }
    }

    fn forget(&mut self) {
        self.opened.clear();
        self.lanes.clear();
        self.numbers.clear();
        self.offered.clear();
        self.changes.clear();
    }
}

impl Session for TreeSession<'_> {
    /// Like a successor of the state inserted last: states inserted one after the other have much in common.
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        self.forget();
        if let Some(last) = self.last.take() {
            self.recall(last);
        }
        self.offer(state);
        self.find_roots()?;
        let Some(root) = self.offered.first().and_then(|offered| offered.root) else {
            // It was met lately, or is the last one again.
            return Ok(Inserted::Old);
        };
        self.last = Some(StateRef(root));
        let adding = Adding { store: self.store, left: 1, next: 0 };
        loop {
            let answer = adding.add(&self.store.roots.view(), root);
            match answer {
                Ok(answer) => return Ok(answer),
                Err(NoRoom) => self.store.roots.grow()?,
            }
        }
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) {
        state.clear();
        let Some(reference) = states.reference(index) else { return };
        let opened = self.recall(reference);
        for lane in &self.lanes[opened.lanes..] {
            state.extend_from_slice(&lane.to_le_bytes());
        }
        state.truncate(opened.len);
    }

    fn offer(&mut self, state: &[u8]) {
        let first = self.changes.len();
        let len = state.len();
        self.scratch.clear();
        self.scratch.extend(lanes_of(state));
        if self.store.is_bare() {
            let root = Some(self.scratch[0]).filter(|&root| !self.met.meet(root));
            self.offered.push(Offered { numbers: NO_PARENT, first, count: 0, len, root });
            return;
        }
        self.take_shape(len);
        let parent = self.opened.last().filter(|parent| parent.len == len);
        let old = parent.map(|parent| &self.lanes[parent.lanes..]);
        for &lane in &self.shape.order {
            let word = self.scratch[lane as usize];
            if old.is_none_or(|old| old[lane as usize] != word) {
                self.changes.push(Change { node: lane, number: UNKNOWN, word });
            }
        }
        if self.changes.len() == first {
            return; // It is its own parent, and known.
        }
        let numbers = parent.map_or(NO_PARENT, |parent| parent.numbers);
        match self.climb_by_memory(first, numbers, len) {
            (_, Some(root)) => {
                self.changes.truncate(first);
                if !self.met.meet(root) {
                    self.offered.push(Offered { numbers, first, count: 0, len, root: Some(root) });
                }
            }
            (count, None) => {
                self.changes.truncate(first + count);
                self.offered.push(Offered { numbers, first, count, len, root: None });
            }
        }
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let result = self.find_roots().map_err(Unsettled::from).and_then(|()| self.add_roots(most, new));
        self.forget();
        result
    }
}

/// Puts in the place of changes whose parent has this height the change of the parent; gives how many changes there are then.
///
/// Changes are in order from left to right, so that two with one parent are neighbours.
fn join(changes: &mut [Change], parent: &[u32], shape: &Shape, height: u32) -> usize {
    let (mut from, mut to) = (0, 0);
    while let Some(&change) = changes.get(from) {
        from += 1;
        let above = shape.parents[change.node as usize];
        if above == TOP || shape.heights[above as usize] != height {
            changes[to] = change;
            to += 1;
            continue;
        }
        let (sibling, is_right) = shape.sibling(change.node);
        let other = match changes.get(from) {
            Some(other) if other.node == sibling => {
                from += 1;
                other.number
            }
            _ => parent[sibling as usize],
        };
        let word = if is_right { pair(change.number, other) } else { pair(other, change.number) };
        changes[to] = Change { node: above, number: UNKNOWN, word };
        to += 1;
    }
    to
}

/// The root, when all changes are at the top.
fn root(changes: &[Change], parent: &[u32], shape: &Shape, len: usize) -> u64 {
    let number = |top: u32| {
        let change = changes.iter().find(|change| change.node == top);
        change.map_or_else(|| parent[top as usize], |change| change.number)
    };
    match *shape.tops.as_slice() {
        [left, right] => pair(number(left), number(right)),
        // The usual shape has two tops; this one has not the usual length.
        ref tops => pair(tops.first().map_or(0, |&top| number(top)), UNUSUAL | len as u32),
    }
}

/// Words met lately and their numbers: most words come again soon, and then need not be looked up in a large table.
struct Recent {
    entries: Vec<(u64, u32)>,
}

impl Recent {
    const BITS: u32 = 12;

    fn new() -> Recent {
        Recent { entries: vec![(0, UNKNOWN); 1 << Self::BITS] }
    }

    fn place(word: u64) -> usize {
        (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS)) as usize
    }

    /// The number of a word, or [`UNKNOWN`].
    fn find(&self, word: u64) -> u32 {
        let (known, number) = self.entries[Self::place(word)];
        if known == word { number } else { UNKNOWN }
    }

    fn note(&mut self, word: u64, number: u32) {
        self.entries[Self::place(word)] = (word, number);
    }
}

/// Roots met lately.
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

/// The adding of roots, as far as it is.
struct Adding<'s> {
    store: &'s TreeStore,
    /// How many may still be added.
    left: u64,
    /// Which one is next.
    next: usize,
}

impl Adding<'_> {
    fn add_from(&mut self, view: &View<'_>, offered: &[Offered], new: &mut States) -> Result<(), NoRoom> {
        for root in offered[self.next..].iter().filter_map(|offered| offered.root) {
            view.prefetch(mix(root));
        }
        while let Some(offered) = offered.get(self.next) {
            if let Some(root) = offered.root
                && self.add(view, root)? == Inserted::New
            {
                new.push_ref(StateRef(root));
                self.left -= 1;
            }
            self.next += 1;
        }
        Ok(())
    }

    fn add(&self, view: &View<'_>, root: u64) -> Result<Inserted, NoRoom> {
        let entry = mix(root);
        if entry == 0 {
            let was_there = self.store.zero.swap(true, Ordering::Relaxed);
            return Ok(if was_there { Inserted::Old } else { Inserted::New });
        }
        let make = || if self.left == 0 { Err(NoRoom) } else { Ok(entry) };
        Ok(match view.probe(entry, |other| other == entry, make)? {
            Probe::Found(_) => Inserted::Old,
            Probe::Added => Inserted::New,
        })
    }
}
