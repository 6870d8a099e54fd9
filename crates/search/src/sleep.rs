//! Depth-first search with sleep sets (Godefroid: Partial-order methods for the verification of
//! concurrent systems, 1996).
//!
//! A transition t that was taken in a state sleeps in the successors by the transitions that are
//! taken after it there, and goes on sleeping along a path until a transition is taken that depends
//! on t: the runs with the other order were explored already. A transition that sleeps is not
//! taken. Without an expander all states are reached, and only transitions are saved.
//!
//! *Visits.* A state is visited again if it is reached with a sleep set that does not contain the
//! one it was explored with. Then the transitions are taken that slept the first time and do not
//! now, whether an expander would choose them or not. Their successors inherit the transitions that
//! slept both times. The transitions that earlier visits took do not sleep there: the one that is
//! taken now may have slept in the states that those led to.
//!
//! *Why nothing is missed.* Let Z(s) be what sleeps in s in the end. Take a run w from a visited
//! state s such that no run equivalent to it begins with a transition of Z(s). If equivalent ones
//! begin with some that were taken in s, look at the last visit that took such a one, and take the
//! first that it took, t. The rest of w is a run from t(s), and no x that it may begin with sleeps
//! there in the end: it would be independent of t, so that w may begin with x as well; and it would
//! have slept in s at that visit, hence would have been taken at a later one, or would have been
//! taken before t. So w gets shorter. With all transitions that is always so, and the end of w is
//! visited. With an expander, w may have nothing in common with the reduced set. Then it is a run
//! from t(s) for any t of the reduced set that was taken, and again nothing that it may begin with
//! sleeps there. So w can be put off, but not for ever: the cycle condition is asked about those
//! transitions of a candidate that do not sleep, at least one, when the state is visited first and
//! the candidate is accepted.

use ample_transition::{Candidate, Independence, Inserted, SuccessorBuffer, Tally, TransitionName};

use crate::candidate::{choose, log_choice, tally_of};
use crate::control::Control;
use crate::depth_first::DepthFirst;
use crate::outcome::{Ended, StoreFacts};
use crate::reduced_path::is_accepted;
use crate::sleep_sets::{ExploredWith, SleepSets};
use crate::stack::{Note, Top};
use crate::{Search, SearchOutcome};

/// Explores depth first, on one thread, without transitions that sleep.
///
/// Needs: a system with finitely many successors per state, and no limit on the depth. Gives: every
/// reachable state if there is no reduction; else every deadlock and everything that a transition
/// can do.
pub fn dfs_with_sleep_sets(mut search: Search<'_>, independence: &dyn Independence) -> SearchOutcome {
    debug_assert!(search.limits.max_depth.is_none(), "the plan refuses a limit on the depth with sleep sets");
    debug_assert!(search.threads <= 1, "the plan searches with sleep sets on one thread");
    let control = Control::new(&mut search);
    let violations = DepthFirst::new(&control, &*search.store)
        .run(|_| SleepSets::EMPTY, |search| run(search, Sleeper::new(independence)));
    control.finish(violations, Vec::new(), Vec::new()).with(StoreFacts::of(&*search.store))
}

fn run(search: &mut DepthFirst<'_, '_>, mut sleeper: Sleeper<'_>) -> Result<(), Ended> {
    let control = search.control();
    loop {
        match search.path.stack.top() {
            None => return Ok(()),
            Some(Top::Open) => search.path.pop_open(),
            Some(Top::Waiting(key, asleep)) => {
                if search.cursor.session.add(key).map_err(|full| control.full(full))? == Inserted::New {
                    search.expand_new()?;
                    search.path.stack.open();
                    sleeper.visit(asleep, search)?;
                } else {
                    search.cursor.recall(key);
                    if !sleeper.wakes(&search.cursor.state, asleep) {
                        search.path.stack.pop_waiting();
                        continue;
                    }
                    search.explorer.expand_again(&search.cursor.state)?;
                    search.path.stack.open();
                    sleeper.visit_again(asleep, search)?;
                }
                let taken = sleeper.push_taken(search);
                search.explorer.count_transitions(taken);
                search.step(|| sleeper.memory())?;
            }
        }
    }
}

/// The sleep sets of a search, and what is worked out for the state that is visited.
struct Sleeper<'i> {
    independence: &'i dyn Independence,
    sets: SleepSets,
    explored_with: ExploredWith,
    candidate: Candidate,
    /// The names of all transitions that leave the state.
    names: Vec<Option<TransitionName>>,
    /// The transitions that sleep there, in ascending order.
    asleep: Vec<TransitionName>,
    /// The numbers of the transitions that are taken, all of which lead to a state.
    taken: Vec<usize>,
}

impl<'i> Sleeper<'i> {
    fn new(independence: &'i dyn Independence) -> Self {
        Sleeper {
            independence,
            sets: SleepSets::default(),
            explored_with: ExploredWith::default(),
            candidate: Candidate::default(),
            names: Vec::new(),
            asleep: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Takes the transitions that do not sleep of the first candidate that is accepted, in the
    /// state on top of the path, which is new and was just expanded. A candidate all of whose
    /// transitions sleep is not accepted.
    fn visit(&mut self, asleep: Note, search: &mut DepthFirst<'_, '_>) -> Result<(), Ended> {
        let DepthFirst { explorer, cursor, path, .. } = search;
        let (control, buffer) = (explorer.control, &explorer.buffer);
        self.independence.names(&cursor.state, buffer, &mut self.names);
        self.asleep.clear();
        self.asleep.extend_from_slice(self.sets.get(asleep));
        self.explored_with.set(&cursor.state, asleep);
        let Some(reduction) = &control.reduction else {
            self.candidate.choose_all(buffer.len());
            self.take_awake(buffer);
            return cursor.make_keys(buffer, &self.taken).map_err(|full| control.full(full));
        };
        for number in 0.. {
            let is_proper = choose(reduction, &cursor.state, buffer, number, &mut self.candidate);
            self.take_awake(buffer);
            cursor.make_keys(buffer, &self.taken).map_err(|full| control.full(full))?;
            let is_enough = self.candidate.leads_on(buffer) && !self.taken.is_empty();
            if !is_proper || is_enough && is_accepted(reduction.condition, cursor, path) {
                log_choice(reduction, &cursor.state, number);
                break;
            }
        }
        Ok(())
    }

    /// Whether some transition slept when this state was explored and does not now.
    fn wakes(&self, state: &[u8], asleep: Note) -> bool {
        let now = self.sets.get(asleep);
        self.sets.get(self.explored_with.get(state)).iter().any(|name| !contains(now, *name))
    }

    /// Takes the transitions that slept when the state on top was explored and do not now.
    fn visit_again(&mut self, asleep: Note, search: &mut DepthFirst<'_, '_>) -> Result<(), Ended> {
        let DepthFirst { explorer, cursor, .. } = search;
        let buffer = &explorer.buffer;
        self.independence.names(&cursor.state, buffer, &mut self.names);
        let (before, now) = (self.sets.get(self.explored_with.get(&cursor.state)), self.sets.get(asleep));
        let wakes =
            |number: &usize| self.names[*number].is_some_and(|name| contains(before, name) && !contains(now, name));
        self.taken.clear();
        self.taken.extend((0..buffer.len()).filter(wakes).filter(|number| leads_on(buffer, *number)));
        self.asleep.clear();
        self.asleep.extend(before.iter().filter(|name| contains(now, **name)));
        self.explored_with.set(&cursor.state, self.sets.number(&self.asleep));
        cursor.make_keys(buffer, &self.taken).map_err(|full| explorer.control.full(full))
    }

    /// Takes the transitions of the candidate that do not sleep.
    fn take_awake(&mut self, buffer: &SuccessorBuffer) {
        let (names, asleep) = (&self.names, &self.asleep);
        let is_awake = |number: &usize| names[*number].is_none_or(|name| !contains(asleep, name));
        let awake = self.candidate.transitions.iter().copied().filter(is_awake);
        self.taken.clear();
        self.taken.extend(awake.filter(|number| leads_on(buffer, *number)));
    }

    /// Pushes the successors by the transitions that are taken, each with the set that sleeps after
    /// it. Gives what they count for.
    fn push_taken(&mut self, search: &mut DepthFirst<'_, '_>) -> Tally {
        let mut before: Vec<TransitionName> = Vec::new();
        let mut notes = Vec::with_capacity(self.taken.len());
        for number in &self.taken {
            let Some(name) = self.names[*number] else {
                notes.push(SleepSets::EMPTY);
                continue;
            };
            // Successors with the same name have one place in the order, that of the first.
            let position = before.iter().position(|other| *other == name).unwrap_or(before.len());
            let sleeping =
                self.asleep.iter().chain(before[..position].iter().filter(|other| self.is_all_taken(**other)));
            let mut after: Vec<TransitionName> =
                sleeping.copied().filter(|other| self.independence.are_independent(*other, name)).collect();
            after.sort_unstable();
            notes.push(self.sets.number(&after));
            if position == before.len() {
                before.push(name);
            }
        }
        let DepthFirst { explorer, cursor, path, .. } = search;
        cursor.push_made(&mut path.stack, |position| notes.get(position).copied().unwrap_or(SleepSets::EMPTY));
        tally_of(&explorer.buffer, &self.taken)
    }

    /// Whether all successors with this name are taken: not if one of them ends the run.
    fn is_all_taken(&self, name: TransitionName) -> bool {
        let same = |number: &usize| self.names[*number] == Some(name);
        (0..self.names.len()).filter(same).count() == self.taken.iter().filter(|number| same(number)).count()
    }

    fn memory(&self) -> usize {
        self.sets.memory() + self.explored_with.memory() + self.candidate.bytes()
    }
}

/// Whether a set in ascending order has this element.
fn contains(set: &[TransitionName], name: TransitionName) -> bool {
    set.binary_search(&name).is_ok()
}

fn leads_on(buffer: &SuccessorBuffer, number: usize) -> bool {
    buffer.get(number).is_some_and(|successor| successor.state.is_some())
}
