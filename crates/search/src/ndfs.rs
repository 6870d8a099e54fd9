//! Nested depth-first search: is there a cycle through an accepting state?
//!
//! The first search visits every state. When it is done with the successors of an accepting state,
//! a second one starts from there and looks for a path back to that of the first (Courcoubetis,
//! Vardi, Wolper, Yannakakis: Memory-efficient algorithms for the verification of temporal
//! properties; post-order and the test against the whole path: Holzmann, Peled, Yannakakis: On
//! nested depth first search). Cycles that the first search closes itself are noticed at once
//! (Schwoon, Esparza: A note on on-the-fly verification algorithms). A state is visited at most
//! twice, once by each search.
//!
//! If the automaton is weak, a cycle is accepting in all its states or in none. The first search
//! closes a cycle in every component that has one, so that there is no second search (Černá,
//! Pelánek: Relating hierarchy of temporal properties to model checking).

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Inserted, Session};

use crate::depth_first::DepthFirst;
use crate::nested::{self, ACCEPTING, Nested, SecondSearch};
use crate::outcome::Ended;
use crate::stack::{Note, Top};
use crate::{Emptiness, SearchOutcome};

/// Nested depth-first order, for infinite runs.
pub static NDFS: Part = Part {
    name: "ndfs",
    kind: PartKind::Emptiness,
    summary: "nested depth-first search for cycles through accepting states",
    paper: Some("Schwoon and Esparza: A note on on-the-fly verification algorithms (2005)"),
    guarantee: Guarantee::EXACT,
};

/// Looks for an accepted run, on one thread.
///
/// Needs of the system: finitely many successors per state, always in the same order. Gives: an
/// accepted run if there is one, unless it ended early.
pub fn ndfs(emptiness: Emptiness<'_, '_>) -> SearchOutcome {
    nested::run(emptiness, |nested| {
        debug_assert!(nested.threads == 1, "the plan gives several threads to parallel algorithms alone");
        let first = DepthFirst::new(nested.control, nested.first);
        first.run(
            |initial| nested.acceptance(initial),
            |first| {
                let visited = nested.second.map(|store| store.session());
                if visited.is_none() {
                    first.path.only = Some(ACCEPTING);
                }
                NestedSearch { nested, first, visited, second: SecondSearch::default() }.run()
            },
        )
    })
}

struct NestedSearch<'n, 's, 'a> {
    nested: &'n Nested<'n, 'a>,
    first: &'s mut DepthFirst<'n, 'a>,
    second: SecondSearch,
    /// The keys of the states that the second search has visited; `None` if there is none.
    visited: Option<Box<dyn Session + Send + 'n>>,
}

impl NestedSearch<'_, '_, '_> {
    /// The first search.
    fn run(&mut self) -> Result<(), Ended> {
        let control = self.nested.control;
        loop {
            match self.first.path.stack.top() {
                None => return Ok(()),
                Some(Top::Open) => {
                    self.close()?;
                    self.first.path.pop_open();
                }
                Some(Top::Waiting(key, note)) => {
                    let added = self.first.cursor.session.add(key).map_err(|full| control.full(full))?;
                    if added == Inserted::New {
                        self.open(note)?;
                        continue;
                    }
                    if Nested::closes_accepting_cycle(&self.first.path.stack, note)
                        && let Some(position) = self.first.path.position_of_top()
                    {
                        return self.first.found_cycle(&self.second.path, position, self.nested.fault);
                    }
                    self.first.path.stack.pop_waiting();
                }
            }
        }
    }

    /// Opens the waiting state, which is new and has this note.
    fn open(&mut self, note: Note) -> Result<(), Ended> {
        let (is_accepting, is_weak) = (note == ACCEPTING, self.visited.is_none());
        // If the automaton is weak, a cycle is accepting at both ends of each transition.
        let closes = |note| match is_weak {
            true => is_accepting && note == ACCEPTING,
            false => is_accepting || note == ACCEPTING,
        };
        self.first.open_all(&|state| self.nested.acceptance(state), closes)?;
        self.first.step(|| self.second.memory())
    }

    /// The successors of the open state on top are done: if it is accepting, the second search
    /// starts here.
    fn close(&mut self) -> Result<(), Ended> {
        let (stack, nested) = (&self.first.path.stack, self.nested);
        if let Some(visited) = &mut self.visited
            && stack.last_open().and_then(|last| stack.open_note(last)) == Some(ACCEPTING)
            && let Some(position) = self.second.run(self.first, visited, &|state| nested.acceptance(state), 0)?
        {
            return self.first.found_cycle(&self.second.path, position, self.nested.fault);
        }
        Ok(())
    }
}
