//! The tree store: every state is kept exactly, and most of its bytes only once.
//!
//! A state is cut into *lanes* of eight bytes. Equal lanes get equal numbers; two numbers make a word of eight bytes again, which
//! gets a number; and so on, until two numbers are left: the *root*. States that differ little share all but a few words, so
//! that in the end a state costs little more than its root, eight bytes in a table. This is recursive tree compression (Blom,
//! Lisser, van de Pol, Weber: A database approach to distributed state space generation; Laarman, van de Pol, Weber:
//! Parallel recursive state compression for free), with one table of numbers for all levels.
//!
//! A successor differs from its parent in few lanes, and only the words on the way from these to the root are looked up. A block of
//! successors is looked up level by level: the words of a level are computed and asked for from memory first, then found.
//!
//! The root is also the reference to a state: it leads back to all lanes. If states differ in length, there is one level more, and
//! the root is made of the number of the whole and the length.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_transition::{Inserted, Session, StateRef, States, Store, StoreConfig, StoreFull, Unsettled};

use crate::arena::Portion;
use crate::hash::mix;
use crate::interner::{Interner, Interning};
use crate::table::{NoRoom, Probe, Table, View};

const LANE: usize = 8;
/// Where the numbers of a parent start if there is none.
const NO_PARENT: usize = usize::MAX / 2;

/// A store that shares what states have in common.
pub struct TreeStore {
    nodes: Interner,
    roots: Table,
    /// Whether the one root that the table cannot hold is there: zero means empty.
    zero: AtomicBool,
    state_len: Option<usize>,
}

impl TreeStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        Ok(TreeStore {
            nodes: Interner::new(config.budget.clone())?,
            roots: Table::new(config.budget.clone())?,
            zero: AtomicBool::new(false),
            state_len: config.state_len,
        })
    }

    /// How many different words there are below the roots.
    pub fn nodes(&self) -> u64 {
        self.nodes.len()
    }

    /// How many numbers a level may have to be the last one.
    fn top(&self) -> usize {
        if self.state_len.is_some() { 2 } else { 1 }
    }

    /// The number of lanes of a state of this length. A state without bytes has one.
    fn lanes(len: usize) -> usize {
        len.div_ceil(LANE).max(1)
    }

    /// Whether the root of such a state is the lane itself.
    fn is_bare(&self, lanes: usize) -> bool {
        self.state_len.is_some() && lanes == 1
    }

    /// The root, given the numbers on the last level.
    fn root(&self, numbers: &[u32], len: usize) -> u64 {
        match (self.state_len, numbers) {
            (Some(_), &[left, right]) => pair(left, right),
            (_, numbers) => pair(numbers.first().copied().unwrap_or_default(), len as u32),
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

/// The sizes of the levels, from the lanes up to `top`.
fn levels(lanes: usize, top: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(lanes), move |&size| (size > top).then(|| size.div_ceil(2)))
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
    /// Words that this thread may give numbers to.
    portion: Portion,
    /// The states opened since the last settling; their lanes and numbers, level by level.
    opened: Vec<Opened>,
    lanes: Vec<u64>,
    numbers: Vec<u32>,
    /// What was offered since, and where it differs from its parent.
    offered: Vec<Offered>,
    changes: Vec<Change>,
    /// The state inserted last.
    last: Tree,
    shape: Shape,
}

/// The sizes of the levels for a number of lanes: remembered, because it is nearly always the same number.
#[derive(Default)]
struct Shape {
    levels: Vec<usize>,
}

impl Shape {
    fn become_shape(&mut self, lanes: usize, top: usize) {
        if self.levels.first() != Some(&lanes) {
            self.levels.clear();
            self.levels.extend(levels(lanes, top));
        }
    }
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
    /// Where the numbers of the parent on the present level start; all of them are changed if there is no parent.
    level: usize,
    /// How many numbers the present level has.
    size: usize,
    /// The changes.
    first: usize,
    count: usize,
    len: usize,
    root: u64,
}

/// A number on the present level that differs from the parent's.
#[derive(Copy, Clone)]
struct Change {
    position: u32,
    /// The number, if the word has one already.
    number: Option<u32>,
    word: u64,
}

impl<'s> TreeSession<'s> {
    fn new(store: &'s TreeStore) -> Self {
        TreeSession {
            store,
            portion: Portion::default(),
            opened: Vec::new(),
            lanes: Vec::new(),
            numbers: Vec::new(),
            offered: Vec::new(),
            changes: Vec::new(),
            last: Tree::default(),
            shape: Shape::default(),
        }
    }

    /// Appends the lanes of a stored state to `self.lanes`, and its numbers to `self.numbers`.
    fn recall(&mut self, StateRef(root): StateRef) -> Opened {
        let store = self.store;
        let len = store.state_len.unwrap_or(root as u32 as usize);
        let lanes = TreeStore::lanes(len);
        let opened = Opened { lanes: self.lanes.len(), numbers: self.numbers.len(), len };
        if store.is_bare(lanes) {
            self.lanes.push(root);
            return opened;
        }
        self.shape.become_shape(lanes, store.top());
        let total: usize = self.shape.levels.iter().sum();
        self.numbers.resize(opened.numbers + total, 0);
        let numbers = &mut self.numbers[opened.numbers..];
        let Some((&top, lower)) = self.shape.levels.split_last() else { return opened };
        numbers[total - top..].copy_from_slice(&halves(root)[..top]);
        // From each level to the one below, which lies before it.
        let mut upper = total - top;
        for &size in lower.iter().rev() {
            let (lower, above) = numbers[upper - size..].split_at_mut(size);
            for (pair, &number) in lower.chunks_mut(2).zip(above.iter()) {
                // The last of an odd number has no partner and goes up as it is.
                if let [left, right] = pair {
                    [*left, *right] = halves(store.nodes.word(number));
                } else {
                    pair[0] = number;
                }
            }
            upper -= size;
        }
        self.lanes.extend(numbers[..lanes].iter().map(|&number| store.nodes.word(number)));
        opened
    }

    /// Gives every changed word of the present level its number.
    fn number_all(&mut self) -> Result<(), StoreFull> {
        let mut next = 0;
        loop {
            let view = self.store.nodes.view();
            match number_from(&view, &self.offered, &mut self.changes, &mut self.portion, &mut next) {
                Ok(()) => return Ok(()),
                Err(NoRoom) => {
                    drop(view);
                    self.store.nodes.make_room(&mut self.portion)?;
                }
            }
        }
    }

    /// Takes all that was offered one level up, as far as there is one. Tells whether there was.
    fn climb(&mut self) -> bool {
        let (top, mut any) = (self.store.top(), false);
        for offered in self.offered.iter_mut().filter(|offered| offered.size > top) {
            any = true;
            let parent = self.numbers.get(offered.level..).unwrap_or_default();
            let changes = &mut self.changes[offered.first..offered.first + offered.count];
            offered.count = combine(changes, parent, offered.size);
            offered.level += offered.size;
            offered.size = offered.size.div_ceil(2);
        }
        any
    }

    /// Computes the roots of all that was offered.
    fn find_roots(&mut self) -> Result<(), StoreFull> {
        let store = self.store;
        self.number_all()?;
        while self.climb() {
            self.number_all()?;
        }
        for offered in self.offered.iter_mut().filter(|offered| !store.is_bare(offered.size)) {
            let changes = &self.changes[offered.first..offered.first + offered.count];
            let parent = self.numbers.get(offered.level..).unwrap_or_default();
            let mut top = [0; 2];
            for (position, number) in top[..offered.size].iter_mut().enumerate() {
                let change = changes.iter().find(|change| change.position as usize == position);
                *number = change.map_or_else(|| parent[position], |change| change.number.unwrap_or_default());
            }
            offered.root = store.root(&top[..offered.size], offered.len);
        }
        Ok(())
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

    fn add_root(&mut self, root: u64) -> Result<Inserted, StoreFull> {
        let adding = Adding { store: self.store, left: 1, next: 0 };
        loop {
            let answer = adding.add(&self.store.roots.view(), root);
            match answer {
                Ok(answer) => return Ok(answer),
                Err(NoRoom) => self.store.roots.grow()?,
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
    fn insert(&mut self, state: &[u8]) -> Result<Inserted, StoreFull> {
        let mut last = std::mem::take(&mut self.last);
        let root = last.become_state(self.store, state, &mut self.portion);
        self.last = last;
        self.add_root(root?)
    }

    fn open(&mut self, states: &States, index: usize, state: &mut Vec<u8>) {
        state.clear();
        let Some(reference) = states.reference(index) else { return };
        let opened = self.recall(reference);
        self.opened.push(opened);
        for lane in &self.lanes[opened.lanes..] {
            state.extend_from_slice(&lane.to_le_bytes());
        }
        state.truncate(opened.len);
    }

    fn offer(&mut self, state: &[u8]) {
        let first = self.changes.len();
        let size = TreeStore::lanes(state.len());
        if self.store.is_bare(size) {
            let root = lanes_of(state).next().unwrap_or_default();
            self.offered.push(Offered { level: NO_PARENT, size, first, count: 0, len: state.len(), root });
            return;
        }
        let parent = self.opened.last().filter(|parent| parent.len == state.len());
        let level = match parent {
            Some(parent) => {
                let lanes = lanes_of(state).zip(&self.lanes[parent.lanes..]).enumerate();
                let changes = lanes.filter(|(_, (new, old))| new != *old).map(|(position, (word, _))| (position, word));
                self.changes.extend(changes.map(|(position, word)| Change::new(position, word)));
                if self.changes.len() == first {
                    return; // It is its own parent.
                }
                parent.numbers
            }
            None => {
                self.changes.extend(lanes_of(state).enumerate().map(|(position, word)| Change::new(position, word)));
                NO_PARENT
            }
        };
        let count = self.changes.len() - first;
        self.offered.push(Offered { level, size, first, count, len: state.len(), root: 0 });
    }

    fn settle(&mut self, most: u64, new: &mut States) -> Result<(), Unsettled> {
        let result = self.find_roots().map_err(Unsettled::from).and_then(|()| self.add_roots(most, new));
        self.forget();
        result
    }
}

impl Change {
    fn new(position: usize, word: u64) -> Change {
        Change { position: position as u32, number: None, word }
    }
}

/// Numbers the words of `offered` from `next` on.
fn number_from(
    view: &Interning<'_>,
    offered: &[Offered],
    changes: &mut [Change],
    portion: &mut Portion,
    next: &mut usize,
) -> Result<(), NoRoom> {
    for offered in &offered[*next..] {
        for change in &changes[offered.first..offered.first + offered.count] {
            view.prefetch(change.word);
        }
    }
    while let Some(offered) = offered.get(*next) {
        for change in &mut changes[offered.first..offered.first + offered.count] {
            if change.number.is_none() {
                change.number = Some(view.intern(change.word, portion)?);
            }
        }
        *next += 1;
    }
    Ok(())
}

/// Makes of the changes on a level of this size those on the level above, in place; gives how many there are.
fn combine(changes: &mut [Change], parent: &[u32], size: usize) -> usize {
    let (mut from, mut to) = (0, 0);
    while let Some(&change) = changes.get(from) {
        let position = change.position as usize;
        let number = change.number.unwrap_or_default();
        let upper = change.position / 2;
        from += 1;
        changes[to] = if position % 2 == 1 {
            Change { position: upper, number: None, word: pair(parent[position - 1], number) }
        } else if position + 1 == size {
            Change { position: upper, ..change }
        } else {
            let partner = changes.get(from).filter(|partner| partner.position as usize == position + 1);
            let right = match partner {
                Some(partner) => partner.number.unwrap_or_default(),
                None => parent[position + 1],
            };
            from += usize::from(partner.is_some());
            Change { position: upper, number: None, word: pair(number, right) }
        };
        to += 1;
    }
    to
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
        for offered in &offered[self.next..] {
            view.prefetch(mix(offered.root));
        }
        while let Some(offered) = offered.get(self.next) {
            if self.add(view, offered.root)? == Inserted::New {
                new.push_ref(StateRef(offered.root));
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

/// One state with all its numbers, which becomes another state step by step.
#[derive(Default)]
struct Tree {
    len: Option<usize>,
    lanes: Vec<u64>,
    numbers: Vec<u32>,
    /// The positions on the present level whose numbers have changed, in order.
    dirty: Vec<usize>,
}

impl Tree {
    /// Looks up the words on the way from the lanes that differ to the root. Gives the root.
    fn become_state(&mut self, store: &TreeStore, state: &[u8], portion: &mut Portion) -> Result<u64, StoreFull> {
        let is_alike = self.len.take() == Some(state.len());
        let size = TreeStore::lanes(state.len());
        self.dirty.clear();
        if is_alike {
            let old = self.lanes.iter_mut().zip(lanes_of(state)).enumerate();
            let changed = old.filter_map(|(position, (lane, new))| {
                (std::mem::replace(lane, new) != new).then_some(position)
            });
            self.dirty.extend(changed);
        } else {
            self.lanes.clear();
            self.lanes.extend(lanes_of(state));
            self.numbers.clear();
            self.numbers.resize(levels(size, store.top()).sum(), 0);
            self.dirty.extend(0..size);
        }
        if store.is_bare(size) {
            self.len = Some(state.len());
            return Ok(self.lanes[0]);
        }
        for index in 0..self.dirty.len() {
            let position = self.dirty[index];
            self.numbers[position] = number(store, self.lanes[position], portion)?;
        }
        let (mut level, mut size) = (0, size);
        while size > store.top() {
            self.climb(store, level, size, portion)?;
            level += size;
            size = size.div_ceil(2);
        }
        self.len = Some(state.len());
        Ok(store.root(&self.numbers[level..level + size], state.len()))
    }

    fn climb(&mut self, store: &TreeStore, level: usize, size: usize, portion: &mut Portion) -> Result<(), StoreFull> {
        for position in &mut self.dirty {
            *position /= 2;
        }
        self.dirty.dedup();
        for &position in &self.dirty {
            let left = level + 2 * position;
            self.numbers[level + size + position] = if 2 * position + 1 == size {
                self.numbers[left]
            } else {
                number(store, pair(self.numbers[left], self.numbers[left + 1]), portion)?
            };
        }
        Ok(())
    }
}

/// The number of one word.
fn number(store: &TreeStore, word: u64, portion: &mut Portion) -> Result<u32, StoreFull> {
    loop {
        let answer = store.nodes.view().intern(word, portion);
        match answer {
            Ok(number) => return Ok(number),
            Err(NoRoom) => store.nodes.make_room(portion)?,
        }
    }
}
