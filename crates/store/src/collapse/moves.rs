//! Moves that are known already: what a process did to keys that agree where it matters (transition
//! caching: Blom, van de Pol, Weber: LTSmin: distributed and symbolic reachability, 2010).
//!
//! The moves of a process depend on a few components of a state and change no others. Each of these
//! is some bits of the key: its own number, or that of the group that it is in. So two keys that
//! agree in these bits, the *content*, have successors that differ from them in the same way, and
//! nothing needs to be decoded, executed or looked up to know them. Which bits these are depends on
//! where the process is, which is found by the bits of the key that tell this: each process has a
//! *mask* for each of their values.

use ample_transition::{Budget, StoreFull, Tally};

use crate::bits::Bits;

/// The mask of a process whose moves may depend on anything. No content has all bits.
pub(super) const ANYTHING: u64 = u64::MAX;
/// A mask that is known has this bit. No key has it.
const KNOWN: u64 = 1 << 63;
/// The masks of a process are found by so many bits.
const KIND_BITS: u32 = 9;
/// There is room for so many pairs of contents, as numbers of bits: at first, at most, and how much
/// more each time.
const FIRST_BITS: u32 = 12;
const MOST_BITS: u32 = 16;
const MORE_BITS: u32 = 2;
/// There is more room when for more than one state in so many something is not known.
const CROWDED: u32 = 16;
/// What is remembered takes at most one part in so many of the memory that is left.
const SHARE: usize = 16;
/// A content has so many successors in its entry itself; more are elsewhere.
const INLINE: usize = 2;
/// There is room for so many differences elsewhere. When they are more, most of them those of
/// entries that are forgotten, everything is.
const MOST_DIFFERENCES: usize = 1 << 16;
/// What is not known is counted in periods of so many states.
const PERIOD: u32 = 1 << 12;
/// If it cost more than it saved in so many periods more than it did not, it is not worth it to
/// look.
const BAD_PERIODS: u32 = 4;
/// About how many instructions it saves for a state and for each of its transitions, costs for each
/// process, and costs where something is not known (counted by callgrind on a few models).
const SAVED: u64 = 540;
const SAVED_FOR_TRANSITION: u64 = 255;
const COST_OF_PROCESS: u64 = 45;
const COST_OF_UNKNOWN: u64 = 1600;

/// Moves of processes in one layout of keys.
pub(super) struct MoveCache {
    processes: Vec<Masks>,
    entries: Box<[Pair]>,
    /// What is left of a hash when it is shifted by this is a place among them.
    shift: u32,
    /// Differences of contents with many successors.
    differences: Vec<u64>,
    /// The entries that were found last, one for each process.
    found: Box<[Entry]>,
    /// Whether there was no room for some.
    is_crowded: bool,
    /// In how many states moves were looked for in this period, and how many were not known.
    states: u32,
    missed: u32,
    /// How many transitions those states had of which all was known.
    transitions: u64,
    /// In how many more periods too many were not known than in which they were.
    bad_periods: u32,
    budget: Budget,
    charged: usize,
}

/// What the moves of a process depend on or change, by where it is.
struct Masks {
    /// The bits of the key that tell where it is.
    location: u64,
    /// The mask for each value of these bits; zero if it is not known yet.
    by_location: ByLocation,
}

enum ByLocation {
    /// By the bits, gathered.
    Array(Box<[u64; 1 << KIND_BITS]>),
    /// By a hash of the bits.
    Hashed(Box<[Kind; 1 << KIND_BITS]>),
}

#[derive(Copy, Clone)]
struct Kind {
    /// What these bits are.
    location: u64,
    mask: u64,
}

/// The moves of a process at a content.
#[derive(Copy, Clone)]
struct Entry {
    content: u64,
    process: u16,
    /// What somebody sees of the process there.
    view: u16,
    /// How many there are; [`UNKNOWN`] if they must be computed each time.
    count: u16,
    /// How many steps inside `atomic` sequences they take.
    atomic_steps: u16,
    /// How the keys of the successors differ from that of the state; if there are too many, where
    /// that is told.
    differences: [u64; INLINE],
}

/// Two contents that are looked for at one place, the one noted last first: a line of the
/// processor's cache.
#[derive(Copy, Clone)]
#[repr(align(64))]
struct Pair([Entry; 2]);

const UNKNOWN: u16 = u16::MAX;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// Where the number of a process is added to a content: low enough to count for its place.
const PROCESS_SHIFT: u32 = 17;
/// No content.
const EMPTY: Entry =
    Entry { content: u64::MAX, process: u16::MAX, view: 0, count: 0, atomic_steps: 0, differences: [0; INLINE] };

/// What is known of the moves of a process at a key.
pub(super) struct Known<'c> {
    /// How the keys of the successors differ, with notes.
    pub(super) differences: &'c [u64],
    /// The steps that they take inside `atomic` sequences.
    pub(super) atomic_steps: u16,
    /// What somebody sees of the process.
    pub(super) view: u16,
}

/// What is not known of the moves of a process at a key.
pub(super) enum Unknown {
    /// What they depend on where the process is.
    Location,
    /// What they are where the key has this content.
    Content { mask: u64 },
    /// They must be computed each time.
    Anything,
}

/// A process of which something is not known.
pub(super) struct UnknownMoves {
    pub(super) process: usize,
    pub(super) unknown: Unknown,
}

impl MoveCache {
    /// Nothing is known yet of processes which these bits of a key tell where they are.
    pub(super) fn new(locations: impl Iterator<Item = u64>, budget: &Budget) -> Result<MoveCache, StoreFull> {
        let processes: Vec<Masks> = locations.map(Masks::new).collect();
        let count = processes.len();
        let masks = count * (size_of::<[Kind; 1 << KIND_BITS]>() + size_of::<Entry>());
        let bytes = masks + (size_of::<Pair>() << FIRST_BITS) + MOST_DIFFERENCES * size_of::<u64>();
        take(budget, bytes)?;
        Ok(MoveCache {
            processes,
            entries: pairs(FIRST_BITS),
            shift: u64::BITS - FIRST_BITS,
            differences: Vec::new(),
            found: vec![EMPTY; count].into(),
            is_crowded: false,
            states: 0,
            missed: 0,
            transitions: 0,
            bad_periods: 0,
            budget: budget.clone(),
            charged: bytes,
        })
    }

    /// Whether it is worth it to look.
    pub(super) fn is_worthwhile(&self) -> bool {
        self.bad_periods < BAD_PERIODS
    }

    pub(super) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Finds what is known of the moves of all processes at a key: it is kept until the next time.
    /// Gives how many transitions there are.
    #[inline(always)]
    pub(super) fn find_all(&mut self, bits: impl Bits, key: u64) -> Result<usize, UnknownMoves> {
        let MoveCache { processes, entries, shift, found, .. } = self;
        let (entries, shift) = (&**entries, *shift);
        let mut transitions = 0;
        for (process, (masks, found)) in processes.iter().zip(found.iter_mut()).enumerate() {
            let mask = masks.mask(bits, key);
            if mask == 0 {
                return Err(UnknownMoves { process, unknown: Unknown::Location });
            }
            let content = key & mask;
            let Pair([first, second]) = &entries[place(shift, process, content)];
            *found = match [first, second].into_iter().find(|entry| entry.is_of(process, content)) {
                Some(entry) => *entry,
                None if mask == ANYTHING => return Err(UnknownMoves { process, unknown: Unknown::Anything }),
                None => return Err(UnknownMoves { process, unknown: Unknown::Content { mask } }),
            };
            if found.count == UNKNOWN {
                return Err(UnknownMoves { process, unknown: Unknown::Anything });
            }
            transitions += usize::from(found.count);
        }
        Ok(transitions)
    }

    /// What was found last of each process, the youngest first.
    #[inline(always)]
    pub(super) fn found(&self) -> impl Iterator<Item = Known<'_>> {
        self.found.iter().rev().map(|entry| Known {
            differences: entry.moves(&self.differences),
            atomic_steps: entry.atomic_steps,
            view: entry.view,
        })
    }

    /// Notes that a process is at such a location at a key, where its moves depend on these bits.
    pub(super) fn note_mask(&mut self, bits: impl Bits, process: usize, key: u64, mask: u64) {
        let Masks { location, by_location } = &mut self.processes[process];
        let here = key & *location;
        let mask = mask | *location | KNOWN;
        match by_location {
            ByLocation::Array(masks) => masks[bits.gather(key, *location) as usize % (1 << KIND_BITS)] = mask,
            ByLocation::Hashed(kinds) => kinds[place_of(here)] = Kind { location: here, mask },
        }
    }

    /// Notes the moves of a process where the key has this content: how the keys of the successors
    /// differ and what somebody sees of it, or nothing if they must be computed each time.
    pub(super) fn note_moves(&mut self, process: usize, content: u64, known: Option<(&[u64], u16)>, tally: Tally) {
        let mut entry = Entry { content, process: process as u16, count: UNKNOWN, ..EMPTY };
        if let (Some((differences, view)), Ok(atomic_steps)) = (known, u16::try_from(tally.atomic_steps))
            && let Some((count, inline)) = self.keep(differences)
        {
            entry = Entry { view, count, atomic_steps, differences: inline, ..entry };
        }
        self.put(entry);
        self.missed += 1;
    }

    /// How many differences these are, and what an entry has of them; nothing if there is no room.
    fn keep(&mut self, differences: &[u64]) -> Option<(u16, [u64; INLINE])> {
        let count = u16::try_from(differences.len()).ok().filter(|count| *count != UNKNOWN)?;
        let mut inline = [0; INLINE];
        if let Some(own) = inline.get_mut(..differences.len()) {
            own.copy_from_slice(differences);
        } else if self.differences.len() + differences.len() <= MOST_DIFFERENCES {
            inline[0] = self.differences.len() as u64;
            self.differences.extend_from_slice(differences);
        } else {
            self.is_crowded = true;
            return None;
        }
        Some((count, inline))
    }

    /// Puts an entry at its place. The one that was there before the last is forgotten.
    fn put(&mut self, entry: Entry) {
        let place = place(self.shift, entry.process as usize, entry.content);
        let Pair([first, second]) = &mut self.entries[place];
        (*first, *second) = (entry, *first);
    }

    /// Counts a state for which moves were looked for, with its transitions if what is known was
    /// enough.
    #[inline(always)]
    pub(super) fn count_state(&mut self, transitions: Option<u64>) {
        match transitions {
            Some(transitions) => self.transitions += transitions,
            None => self.missed += 1,
        }
        self.states += 1;
        if self.states == PERIOD {
            self.end_period();
        }
    }

    #[cold]
    #[inline(never)]
    fn end_period(&mut self) {
        let (states, missed) = (std::mem::take(&mut self.states), std::mem::take(&mut self.missed));
        let transitions = std::mem::take(&mut self.transitions);
        if missed > states / CROWDED && self.make_room() {
            return;
        }
        let saved = u64::from(states) * SAVED + transitions * SAVED_FOR_TRANSITION;
        let cost =
            u64::from(states) * self.processes.len() as u64 * COST_OF_PROCESS + u64::from(missed) * COST_OF_UNKNOWN;
        self.bad_periods = if cost > saved { self.bad_periods + 1 } else { self.bad_periods.saturating_sub(1) };
        if !self.is_worthwhile() {
            return self.forget();
        }
        if std::mem::take(&mut self.is_crowded) {
            self.differences.clear();
            self.entries.fill(Pair([EMPTY; 2]));
        }
    }

    /// Gives the memory back: nobody will look any more.
    fn forget(&mut self) {
        (self.entries, self.differences) = (Box::default(), Vec::new());
        self.budget.give(std::mem::take(&mut self.charged));
    }

    /// Makes room for more contents; false if there is as much as there may be, or no memory.
    fn make_room(&mut self) -> bool {
        let bits = u64::BITS - self.shift + MORE_BITS;
        let more = (size_of::<Pair>() << bits) - size_of_val(&*self.entries);
        if bits > MOST_BITS || take(&self.budget, more).is_err() {
            return false;
        }
        self.charged += more;
        self.shift -= MORE_BITS;
        let old = std::mem::replace(&mut self.entries, pairs(bits));
        let entries = old.iter().flat_map(|Pair([first, second])| [second, first]);
        entries.filter(|entry| entry.process != EMPTY.process).for_each(|entry| self.put(*entry));
        true
    }
}

/// Takes so many bytes, if that is a small share of what is left: states matter more.
fn take(budget: &Budget, bytes: usize) -> Result<(), StoreFull> {
    if bytes > budget.left() / SHARE { Err(StoreFull) } else { budget.take(bytes) }
}

/// Where a process with this content is looked for, by what is left of a hash.
#[inline(always)]
fn place(shift: u32, process: usize, content: u64) -> usize {
    let mixed = (content ^ (process as u64) << PROCESS_SHIFT).wrapping_mul(FACTOR);
    (mixed >> shift) as usize
}

impl Entry {
    #[inline(always)]
    fn is_of(&self, process: usize, content: u64) -> bool {
        self.content == content && self.process == process as u16
    }

    /// How the keys of the successors differ. If there are many, that is told elsewhere.
    #[inline(always)]
    fn moves<'m>(&'m self, elsewhere: &'m [u64]) -> &'m [u64] {
        match usize::from(self.count) {
            count @ 0..=INLINE => &self.differences[..count],
            count => {
                let start = self.differences[0] as usize;
                elsewhere.get(start..start + count).unwrap_or_default()
            }
        }
    }
}

/// No entries, and room for so many.
fn pairs(bits: u32) -> Box<[Pair]> {
    vec![Pair([EMPTY; 2]); 1 << bits].into()
}

impl Drop for MoveCache {
    fn drop(&mut self) {
        self.budget.give(self.charged);
    }
}

impl Masks {
    /// For a process that these bits of a key tell where it is.
    fn new(location: u64) -> Masks {
        let by_location = match location.count_ones() {
            ..=KIND_BITS => ByLocation::Array(Box::new([0; 1 << KIND_BITS])),
            _ => ByLocation::Hashed(Box::new([Kind { location: u64::MAX, mask: 0 }; 1 << KIND_BITS])),
        };
        Masks { location, by_location }
    }

    /// The bits of a key on which the moves depend, or that they change; zero if that is not known.
    #[inline(always)]
    fn mask(&self, bits: impl Bits, key: u64) -> u64 {
        match &self.by_location {
            ByLocation::Array(masks) => masks[bits.gather(key, self.location) as usize % (1 << KIND_BITS)],
            ByLocation::Hashed(kinds) => {
                let here = key & self.location;
                let kind = &kinds[place_of(here)];
                if kind.location == here { kind.mask } else { 0 }
            }
        }
    }
}

#[inline(always)]
fn place_of(location: u64) -> usize {
    (location.wrapping_mul(FACTOR) >> (u64::BITS - KIND_BITS)) as usize
}
