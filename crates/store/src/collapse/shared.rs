//! What the threads that use a collapse store share: the keys, their layouts, and the tree for
//! states that do not fit.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use ample_transition::{
    Budget, Inserted, KeyUse, StateLength, Store, StoreConfig, StoreFull, TypicalStates, Unsettled,
};

use super::layout::{FIRST_TAG, KeyLayout, PlannedLayout, mixed_in, tag_of};
use crate::hash::{mix, unmix};
use crate::key_format::LEAST_BITS;
use crate::quotient::{Absent, Added, KeyHints, KeyTable, ReplaceKeys};
use crate::tree::TreeStore;
use crate::uncounted::Uncounted;

/// The tag of references that are roots of a tree. Layouts have those from 1 on.
pub(super) const TREE_TAG: u64 = 7;
/// There are so many layouts at most.
const LAYOUTS: usize = 6;
/// Keys are laid out anew when one state in so many does not fit.
const UNFIT_SHARE: u64 = 32;
/// Or when the values of components take more than half of the memory of the keys, and more than so
/// many bytes.
const LITTLE: usize = 1 << 20;
/// And there are so many states; the next time so many times as many.
const FIRST_CHANGE: u64 = 4096;
const NEXT_CHANGE: u64 = 2;
/// A thread more lays out keys anew for so many states.
const MANY_STATES: u64 = 16384;

/// States that are being added or found.
#[derive(Default)]
pub(super) struct Settling {
    /// Which of them were not there.
    pub is_new: Vec<bool>,
    /// The positions of those of which their homes do not tell.
    displaced: Vec<u32>,
    /// Those that are added and not counted yet, in the version of the table that the session
    /// knows.
    uncounted: Uncounted,
}

impl Settling {
    /// Of a session with this number.
    pub fn of_session(number: usize) -> Settling {
        Settling { uncounted: Uncounted::of_thread(number), ..Settling::default() }
    }

    /// All keys were replaced, and counted.
    pub fn forget(&mut self) {
        self.uncounted.forget();
    }

    fn begin(&mut self, len: usize) {
        self.is_new.clear();
        self.is_new.resize(len, false);
        self.displaced.clear();
    }
}

pub(super) struct Shared {
    /// The keys, mixed. All are of the current layout.
    keys: KeyTable,
    /// The layouts so far. The version of the table is the number of the current one.
    layouts: [OnceLock<KeyLayout>; LAYOUTS],
    /// The states that do not fit: references to them, mixed, are its roots.
    pub tree: TreeStore,
    pub length: StateLength,
    key_use: KeyUse,
    pub budget: Budget,
    /// From so many states on, keys may be laid out anew.
    next_change: AtomicU64,
    /// Whether the values of components take much memory.
    is_bloated: AtomicBool,
    /// How many sessions there are.
    pub sessions: AtomicUsize,
    /// Held by whoever lays out keys anew.
    is_changing: Mutex<()>,
}

impl Shared {
    pub fn new(config: &StoreConfig, first: Option<&PlannedLayout>) -> Result<Shared, StoreFull> {
        let layout = first_layout(first, &config.budget)?;
        let bits = layout.as_ref().map_or(LEAST_BITS, |layout| layout.bits);
        Ok(Shared {
            keys: KeyTable::new(bits, &config.budget)?,
            layouts: layouts_from(layout),
            tree: TreeStore::new(&tree_config(config))?,
            length: config.length,
            key_use: config.key_use,
            budget: config.budget.clone(),
            next_change: AtomicU64::new(FIRST_CHANGE),
            is_bloated: AtomicBool::new(false),
            sessions: AtomicUsize::new(0),
            is_changing: Mutex::new(()),
        })
    }

    pub fn renew(&mut self, config: &StoreConfig, first: Option<&PlannedLayout>) -> Result<(), StoreFull> {
        (self.length, self.key_use, self.budget) = (config.length, config.key_use, config.budget.clone());
        *self.next_change.get_mut() = FIRST_CHANGE;
        *self.is_bloated.get_mut() = false;
        self.layouts = layouts_from(None);
        let layout = first_layout(first, &config.budget)?;
        let bits = layout.as_ref().map_or(LEAST_BITS, |layout| layout.bits);
        self.layouts = layouts_from(layout);
        self.keys.renew(bits, &config.budget)?;
        self.tree.renew(&tree_config(config))
    }

    pub fn len(&self) -> u64 {
        self.keys.len() + self.tree.len()
    }

    pub fn memory(&self) -> usize {
        let layouts = self.layouts.iter().filter_map(OnceLock::get).map(KeyLayout::memory);
        self.keys.memory() + self.tree.memory() + layouts.sum::<usize>()
    }

    /// How often keys were laid out anew.
    pub fn version(&self) -> usize {
        self.keys.view().version()
    }

    /// The layout with this tag.
    #[inline]
    pub fn layout(&self, tag: u64) -> Option<&KeyLayout> {
        self.layouts.get((tag as usize).checked_sub(1)?)?.get()
    }

    /// The layout of the table in this version.
    pub fn layout_of(&self, version: usize) -> Option<&KeyLayout> {
        self.layouts.get(version)?.get()
    }

    /// Where keys are looked for, so that they can be asked for from memory early.
    pub fn hints(&self) -> KeyHints {
        self.keys.view().hints()
    }

    /// The same, if that has changed.
    #[inline]
    pub fn renew_hints(&self, hints: &mut KeyHints) {
        self.keys.renew_hints(hints);
    }

    /// Counts all that was added in this version.
    pub fn count(&self, version: usize, settling: &mut Settling) {
        let view = self.keys.view();
        if view.version() == version {
            view.count(&mut settling.uncounted);
        }
        settling.uncounted.forget();
    }

    /// Adds or finds states by references of this version, and notes which are new, at most `most`.
    /// If the table has another version by now, gives the position of the first that may not have
    /// been added or found.
    ///
    /// First each is looked for at its home. What that does not tell is looked for again when all
    /// others are settled: by then the memory behind its home is near.
    pub fn add_all(
        &self,
        version: usize,
        references: &[u64],
        mut most: u64,
        settling: &mut Settling,
    ) -> Result<Option<usize>, Unsettled> {
        settling.begin(references.len());
        let Settling { is_new, displaced, uncounted } = settling;
        let mut view = self.keys.view();
        if view.version() != version {
            return Ok(Some(0));
        }
        for (position, &reference) in references.iter().enumerate() {
            let absent = if most > 0 { Absent::Added } else { Absent::Left };
            let added = match tag_of(reference) {
                TREE_TAG => Some(self.add_root(reference, absent)?),
                // Where there is no room there is some when it is looked for again.
                _ => view.add_at_home(mixed_in(reference), absent).unwrap_or(None),
            };
            match added {
                None => displaced.push(position as u32),
                Some(Added::New) if most == 0 => return Err(Unsettled::Limit),
                Some(added) => {
                    is_new[position] = added == Added::New;
                    most -= u64::from(added == Added::New);
                }
            }
        }
        for position in displaced.iter().map(|position| *position as usize) {
            let absent = if most > 0 { Absent::Added } else { Absent::Left };
            let added = loop {
                if let Ok(added) = view.add(mixed_in(references[position]), absent) {
                    break added;
                }
                drop(view);
                self.keys.grow(self.sessions.load(Ordering::Relaxed))?;
                self.look_at_values(version);
                view = self.keys.view();
                // Nobody lays out keys anew as long as there is a view.
                if view.version() != version {
                    return Ok(Some(position));
                }
            };
            if added == Added::New && most == 0 {
                return Err(Unsettled::Limit);
            }
            is_new[position] = added == Added::New;
            most -= u64::from(added == Added::New);
        }
        if self.sessions.load(Ordering::Relaxed) > 1 {
            view.end(uncounted);
        }
        Ok(None)
    }

    #[cold]
    fn add_root(&self, reference: u64, absent: Absent) -> Result<Added, StoreFull> {
        let root = mix(reference);
        let answer = match absent {
            Absent::Added => self.tree.roots.add(root)?,
            Absent::Left if self.tree.roots.contains(root) => Inserted::Old,
            Absent::Left => Inserted::New,
        };
        Ok(if answer == Inserted::New { Added::New } else { Added::Found })
    }

    /// Adds or finds one state by a reference of this version; `None` if the table has another one
    /// by now.
    #[inline]
    pub fn add_one(&self, version: usize, reference: u64) -> Result<Option<Inserted>, StoreFull> {
        if tag_of(reference) != TREE_TAG
            && let Ok(added) = self.keys.add_one(version, mixed_in(reference), Absent::Added)
        {
            return Ok(added.map(|added| if added == Added::New { Inserted::New } else { Inserted::Old }));
        }
        let mut settling = Settling::default();
        let added = self.add_all(version, &[reference], u64::MAX, &mut settling);
        self.count(version, &mut settling);
        match added {
            Ok(None) if settling.is_new == [true] => Ok(Some(Inserted::New)),
            Ok(None) => Ok(Some(Inserted::Old)),
            Ok(Some(_)) => Ok(None),
            Err(_) => Err(StoreFull),
        }
    }

    /// Whether a state is there, by a reference of this version; `None` if the table has another
    /// one by now.
    pub fn contains(&self, version: usize, reference: u64) -> Option<bool> {
        if tag_of(reference) == TREE_TAG {
            return (self.version() == version).then(|| self.tree.roots.contains(mix(reference)));
        }
        let added = self.keys.add_one(version, mixed_in(reference), Absent::Left);
        added.unwrap_or(Some(Added::New)).map(|added| added == Added::Found)
    }

    /// Whether each of some states is there, by references of this version, appended to `found`;
    /// `None` if the table has another one by now.
    pub fn contains_all(
        &self,
        version: usize,
        references: impl Iterator<Item = u64>,
        found: &mut Vec<bool>,
    ) -> Option<()> {
        let view = self.keys.view();
        let contains = |reference: u64| match tag_of(reference) {
            TREE_TAG => self.tree.roots.contains(mix(reference)),
            _ => view.contains(mixed_in(reference)),
        };
        (view.version() == version).then(|| found.extend(references.map(contains)))
    }

    /// Whether it may be time to lay out keys anew.
    #[inline]
    pub fn wants_layout(&self) -> bool {
        self.key_use == KeyUse::References
            && (self.tree.len() * UNFIT_SHARE >= self.next_change.load(Ordering::Relaxed)
                || self.is_bloated.load(Ordering::Relaxed))
    }

    /// Notes whether the values of components take more than a share of the memory: then the layout
    /// tells apart what it should not.
    fn look_at_values(&self, version: usize) {
        let values = self.layout_of(version).map_or(0, KeyLayout::memory);
        self.is_bloated.store(values > LITTLE && values > self.keys.memory() / 2, Ordering::Relaxed);
    }

    /// If it is time to lay out keys anew, and nobody else does so: the right to do it. The next
    /// time is when there are twice as many states.
    pub fn due_change(&self) -> Option<MutexGuard<'_, ()>> {
        let guard = self.is_changing.try_lock().ok()?;
        let (states, unfit) = (self.len(), self.tree.len());
        let is_bloated = self.is_bloated.swap(false, Ordering::Relaxed);
        if states < self.next_change.load(Ordering::Relaxed) || unfit * UNFIT_SHARE < states && !is_bloated {
            return None;
        }
        self.next_change.store(states * NEXT_CHANGE, Ordering::Relaxed);
        Some(guard)
    }

    /// References to about so many states.
    pub fn sample(&self, most: usize) -> Vec<u64> {
        let view = self.keys.view();
        let tag = view.version() as u64 + 1;
        let step = (self.len() as usize / most).max(1);
        let layout = self.layout(tag);
        let keys = view.sample(step).into_iter();
        let keys = keys.filter_map(|mixed| layout.map(|layout| layout.reference_to(mixed)));
        let roots = self.tree.roots.words().into_iter().step_by(step).map(unmix);
        keys.chain(roots).collect()
    }

    /// Makes the next layout; `None` if there is room or memory for none.
    pub fn next_layout(&self, planned: &PlannedLayout) -> Option<&KeyLayout> {
        let next = self.version() + 1;
        let place = self.layouts.get(next)?;
        if place.get().is_none() {
            _ = place.set(KeyLayout::new(planned, next as u64 + 1, &self.budget).ok()?);
        }
        place.get()
    }

    /// How many threads lay out keys anew: as many as would wait meanwhile, if there are many
    /// states.
    pub fn changing_threads(&self) -> usize {
        self.sessions.load(Ordering::Relaxed).clamp(1, (self.len() / MANY_STATES).max(1) as usize)
    }

    /// Goes over to the next layout. Each of `translate` is for one thread, and gives the reference
    /// of this layout to a state with an earlier reference. If there is not enough memory, nothing
    /// changes.
    pub fn change_to<F: FnMut(u64) -> Result<u64, StoreFull> + Send>(
        &self,
        layout: &KeyLayout,
        translate: impl Iterator<Item = F>,
    ) -> Result<(), StoreFull> {
        let old = self.layout(layout.tag - 1);
        let translation = |translate| Translation { shared: self, old, translate, roots: Vec::new() };
        let mut replacing: Vec<_> = translate.map(translation).collect();
        self.keys.rewrite(layout.bits, &mut replacing, |replaced| {
            let roots: Vec<u64> = replaced.iter().flat_map(|part| part.roots.iter().copied()).collect();
            self.tree.roots.replace(&roots)
        })
    }
}

fn first_layout(planned: Option<&PlannedLayout>, budget: &Budget) -> Result<Option<KeyLayout>, StoreFull> {
    planned.map(|planned| KeyLayout::new(planned, FIRST_TAG, budget)).transpose()
}

/// The layouts, of which at most the first is there.
fn layouts_from(first: Option<KeyLayout>) -> [OnceLock<KeyLayout>; LAYOUTS] {
    let layouts = [const { OnceLock::new() }; LAYOUTS];
    if let Some(first) = first {
        _ = layouts[0].set(first);
    }
    layouts
}

/// Keys are translated to the next layout, by one thread.
struct Translation<'s, F> {
    shared: &'s Shared,
    old: Option<&'s KeyLayout>,
    translate: F,
    /// The roots of states that do not fit the next layout, mixed.
    roots: Vec<u64>,
}

impl<F: FnMut(u64) -> Result<u64, StoreFull>> Translation<'_, F> {
    fn translated(&mut self, reference: u64) -> Result<Option<u64>, StoreFull> {
        let translated = (self.translate)(reference)?;
        if tag_of(translated) == TREE_TAG {
            self.roots.push(mix(translated));
            return Ok(None);
        }
        Ok(Some(mixed_in(translated)))
    }
}

impl<F: FnMut(u64) -> Result<u64, StoreFull> + Send> ReplaceKeys for Translation<'_, F> {
    fn replace(&mut self, key: u64) -> Result<Option<u64>, StoreFull> {
        match self.old {
            Some(old) => self.translated(old.reference_to(key)),
            None => Ok(None),
        }
    }

    fn more(&mut self, part: usize, parts: usize) -> Result<Vec<u64>, StoreFull> {
        let mut more = Vec::new();
        for root in self.shared.tree.roots.words().into_iter().skip(part).step_by(parts) {
            more.extend(self.translated(unmix(root))?);
        }
        Ok(more)
    }
}

/// States of any length, of which nothing is known.
fn tree_config(config: &StoreConfig) -> StoreConfig {
    StoreConfig { length: StateLength::Any, typical: TypicalStates::default(), ..config.clone() }
}
