//! What all depth-first searches share: the worker, its cursor, and the path.

use ample_transition::{Fault, Store, StoreFull, Tally};

use crate::control::Control;
use crate::cursor::Cursor;
use crate::explorer::{Explorer, Sighting};
use crate::outcome::{Ended, Found};
use crate::path::Path;
use crate::search::StopAt;
use crate::stack::{Note, Stack, Top};

/// One worker of a depth-first search. The algorithm decides which state is visited and what is
/// done when its successors are; everything else is here.
pub(crate) struct DepthFirst<'n, 'a> {
    pub explorer: Explorer<'n, 'a>,
    /// Reads the states of the store.
    pub cursor: Cursor<'n>,
    /// The path of the search, and the states that wait beside it.
    pub path: Path,
    /// The violations so far.
    pub found: Vec<Found>,
}

impl<'n, 'a> DepthFirst<'n, 'a> {
    pub fn new(control: &'n Control<'a>, store: &'n dyn Store) -> Self {
        DepthFirst {
            explorer: Explorer::new(control),
            cursor: Cursor::new(store),
            path: Path::default(),
            found: Vec::new(),
        }
    }

    pub fn control(&self) -> &'n Control<'a> {
        self.explorer.control
    }

    /// Runs an algorithm from the initial state on, on which it notes something. If it ends early,
    /// so does the search for all workers. Gives the violations.
    pub fn run(
        mut self,
        note: impl FnOnce(&[u8]) -> Note,
        algorithm: impl FnOnce(&mut Self) -> Result<(), Ended>,
    ) -> Vec<Found> {
        let ended = self.start(note).and_then(|()| algorithm(&mut self));
        if let Err(ended) = ended {
            self.control().end(ended);
        }
        self.found
    }

    /// Pushes the initial state.
    fn start(&mut self, note: impl FnOnce(&[u8]) -> Note) -> Result<(), Ended> {
        let initial = self.explorer.initial(&mut self.found)?;
        let pushed = self.cursor.push(&initial, note(&initial), &mut self.path.stack);
        self.or_full(pushed)
    }

    /// What it means that a store takes no more.
    pub fn or_full<T>(&self, result: Result<T, StoreFull>) -> Result<T, Ended> {
        result.map_err(|full| self.control().full(full))
    }

    /// Counts the waiting state on top, which was just added to the store, expands it and notes the
    /// violations there. Its transitions are not counted: that is for who chooses among them.
    #[inline]
    pub fn expand_new(&mut self) -> Result<(), Ended> {
        self.explorer.count_state(self.path.stack.depth() as u64)?;
        let sightings = self.expand_top()?;
        if sightings.is_empty() { Ok(()) } else { self.note(sightings, self.control().stop_at) }
    }

    /// The same for a search that takes all transitions, which are counted, and that ends with the
    /// first violation. The state is open then.
    #[inline]
    pub fn open_new(&mut self) -> Result<(), Ended> {
        self.explorer.count_state(self.path.stack.depth() as u64)?;
        let sightings = self.expand_top()?;
        self.explorer.count_transitions(self.explorer.buffer.tally());
        if !sightings.is_empty() {
            return self.note(sightings, StopAt::FirstViolation);
        }
        self.path.stack.open();
        Ok(())
    }

    /// Opens the waiting state on top, which was just added to the store, in a search that takes
    /// all transitions and ends with the first violation, and pushes its successors apart from
    /// those for which there is nothing to do (see [`Self::push_unstored`]).
    #[inline]
    pub fn open_all(
        &mut self,
        note: &dyn Fn(&[u8]) -> Note,
        matters: impl Fn(Note) -> bool + Copy,
    ) -> Result<(), Ended> {
        if self.open_known(note, matters)? {
            return Ok(());
        }
        self.open_new()?;
        self.push_unstored(note, matters)
    }

    /// The same from what is known of the moves of processes; false if that is not enough. There
    /// are no violations then.
    #[inline]
    pub fn open_known(&mut self, note: &dyn Fn(&[u8]) -> Note, matters: impl Fn(Note) -> bool) -> Result<bool, Ended> {
        let Some(tally) = self.make_known(note)? else { return Ok(false) };
        let DepthFirst { explorer, cursor, path, .. } = self;
        explorer.count_state(path.stack.depth() as u64)?;
        explorer.count_transitions(tally);
        path.stack.open();
        cursor.push_noted_unstored(path, matters);
        Ok(true)
    }

    /// Makes the keys and notes of the successors of the waiting state on top from what is known of
    /// the moves of processes, and says what there is; nothing if that is not enough.
    #[inline]
    pub fn make_known(&mut self, note: &dyn Fn(&[u8]) -> Note) -> Result<Option<Tally>, Ended> {
        let Some(moves) = self.control().known_moves() else { return Ok(None) };
        if self.control().is_interrupted() {
            return Err(Ended::Interrupted);
        }
        let DepthFirst { explorer, cursor, path, .. } = self;
        let Some(Top::Waiting(key, _)) = path.stack.top() else { return Ok(None) };
        Ok(cursor.make_known(key, moves, note, &mut explorer.buffer))
    }

    /// Expands the waiting state on top. Gives the faults that are wanted and new.
    #[inline]
    pub fn expand_top(&mut self) -> Result<Vec<Sighting>, Ended> {
        let Some(Top::Waiting(key, _)) = self.path.stack.top() else { return Ok(Vec::new()) };
        self.cursor.recall(key);
        self.explorer.expand(&self.cursor.state, self.path.stack.depth() as u64)
    }

    /// Notes violations at the waiting state on top, which is recalled again.
    #[cold]
    pub fn note(&mut self, sightings: Vec<Sighting>, stop_at: StopAt) -> Result<(), Ended> {
        let DepthFirst { explorer, cursor, path, found } = self;
        let Some(Top::Waiting(key, _)) = path.stack.top() else { return Ok(()) };
        for sighting in sightings {
            found.push(cursor.found(explorer.control.system, &path.stack, key, sighting));
            if stop_at == StopAt::FirstViolation {
                return Err(Ended::FirstViolation);
            }
            cursor.recall(key);
        }
        Ok(())
    }

    /// Pushes all successors of the state expanded last. `note` is given each state.
    #[inline]
    pub fn push_all(&mut self, mut note: impl FnMut(&[u8]) -> Note) -> Result<(), Ended> {
        let DepthFirst { explorer, cursor, path, .. } = self;
        let pushed = cursor.push_all(&explorer.buffer, &mut path.stack, |_, state| note(state));
        self.or_full(pushed)
    }

    /// The same, apart from those for which there is nothing to do: they are stored, and not on the
    /// path, or it does not matter that they are.
    #[inline]
    pub fn push_unstored(
        &mut self,
        note: impl FnMut(&[u8]) -> Note,
        matters: impl Fn(Note) -> bool,
    ) -> Result<(), Ended> {
        let DepthFirst { explorer, cursor, path, .. } = self;
        let pushed = cursor.push_unstored(&explorer.buffer, path, note, matters);
        self.or_full(pushed)
    }

    /// A run along the path, along the path of a second search, and back to the open state at
    /// `position`, over and over. One is enough.
    pub fn found_cycle(&mut self, second: &Stack, position: usize, fault: &Fault) -> Result<(), Ended> {
        let trace = self.cursor.cycle(self.control().system, &self.path.stack, second, position);
        self.found.push(Found::new(fault.clone(), trace));
        Err(Ended::FirstViolation)
    }

    /// To be called for each state that was expanded: keeps the limits once in a while. `more`
    /// gives the bytes that the algorithm holds besides.
    #[inline]
    pub fn step(&mut self, more: impl FnOnce() -> usize) -> Result<(), Ended> {
        let DepthFirst { explorer, cursor, path, .. } = self;
        explorer.step(|explorer| path.memory() + cursor.memory() + explorer.buffer.memory() + more())
    }
}
