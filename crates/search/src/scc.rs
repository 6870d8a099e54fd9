//! Emptiness by strongly connected components, for generalised acceptance.
//!
//! A depth-first search keeps the components of what it has seen so far, each with the marks that
//! occur inside. A transition back into a component joins everything on the path since then with
//! it, and when a component has all marks, there is an accepted run (Couvreur: On-the-fly
//! verification of linear temporal logic; Couvreur, Duret-Lutz, Poitrenaud: On-the-fly emptiness
//! checks for generalized Büchi automata). However many marks there are, a state is visited once.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Fault, Inserted, Marks};

use crate::control::Control;
use crate::depth_first::DepthFirst;
use crate::lasso::Component;
use crate::live::Live;
use crate::mark_sets::MarkSets;
use crate::outcome::{Ended, Found, StoreFacts};
use crate::shorten::shortened;
use crate::stack::Top;
use crate::{Acceptance, Emptiness, SearchOutcome};

/// Strongly connected components, for infinite runs with many conditions.
pub static SCC: Part = Part {
    name: "scc",
    kind: PartKind::Emptiness,
    summary: "strongly connected components with all marks of acceptance; needed for fairness",
    paper: Some(
        "Couvreur: On-the-fly verification of linear temporal logic (FM 1999); Couvreur, Duret-Lutz, Poitrenaud: \
         On-the-fly emptiness checks for generalized Büchi automata (SPIN 2005)",
    ),
    guarantee: Guarantee::EXACT,
};

/// Looks for an accepted run, on one thread.
///
/// Needs of the system: finitely many successors per state, always in the same order. Gives: an
/// accepted run if there is one, unless it ended early.
pub fn scc(emptiness: Emptiness<'_, '_>) -> SearchOutcome {
    let Emptiness { mut search, acceptance, fault, .. } = emptiness;
    let Acceptance::Marks(needed) = acceptance else {
        debug_assert!(false, "the plan gives acceptance by states to nested searches alone");
        return SearchOutcome::not_begun();
    };
    debug_assert!(search.reduction.is_none(), "the plan reduces the system of a search for accepted runs");
    debug_assert!(search.threads <= 1, "the plan gives several threads to parallel algorithms alone");
    let control = Control::new(&mut search);
    let mut mark_sets = MarkSets::default();
    let unmarked = mark_sets.number(Marks::NONE);
    let found = DepthFirst::new(&control, &*search.store).run(
        |_| unmarked,
        |search| {
            let (positions, live, roots) = (Vec::new(), Live::default(), Vec::new());
            ComponentSearch { search, needed, fault, positions, live, roots, mark_sets }.run()
        },
    );
    let found = shortened(found, acceptance, &control);
    control.finish(found, Vec::new(), Vec::new()).with(StoreFacts::of(&*search.store))
}

/// A search that keeps the components of its states. The notes on its stack are the numbers of the
/// sets of marks on the transitions to the states there.
struct ComponentSearch<'s, 'n, 'a> {
    search: &'s mut DepthFirst<'n, 'a>,
    /// The marks of an accepted run.
    needed: Marks,
    /// What an accepted run is called.
    fault: Fault,
    /// Where each open state is among the live ones.
    positions: Vec<usize>,
    live: Live,
    /// The components of the live states, in order. All live states from the root on, up to the
    /// next root, belong to one.
    roots: Vec<Root>,
    mark_sets: MarkSets,
}

/// A component, as far as it is known.
struct Root {
    /// The position of its first state among the live ones.
    position: usize,
    /// The marks on transitions inside.
    inside: Marks,
    /// The marks on the transition of the path that leads to its first state.
    before: Marks,
}

impl ComponentSearch<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Ended> {
        let control = self.search.control();
        loop {
            match self.search.path.stack.top() {
                None => return Ok(()),
                Some(Top::Open) => self.close(),
                Some(Top::Waiting(key, note)) => {
                    if self.search.cursor.session.add(key).map_err(|full| control.full(full))? == Inserted::New {
                        self.open()?;
                        continue;
                    }
                    if let Some(position) = self.live.position(key) {
                        self.join(position, self.mark_sets.get(note))?;
                    }
                    self.search.path.stack.pop_waiting();
                }
            }
        }
    }

    /// Opens the waiting state, which is new: a component of its own.
    fn open(&mut self) -> Result<(), Ended> {
        let Some(Top::Waiting(key, note)) = self.search.path.stack.top() else { return Ok(()) };
        let position = self.live.push(key);
        self.roots.push(Root { position, inside: Marks::NONE, before: self.mark_sets.get(note) });
        self.positions.push(position);
        self.search.open_new()?;
        let DepthFirst { explorer, cursor, path, .. } = &mut *self.search;
        let (buffer, mark_sets) = (&explorer.buffer, &mut self.mark_sets);
        let pushed = cursor.push_all(buffer, &mut path.stack, |number, _| mark_sets.number(buffer.marks(number)));
        self.search.or_full(pushed)?;
        let ComponentSearch { search, live, positions, roots, .. } = self;
        search.step(|| {
            let vectors = positions.capacity() * size_of::<usize>() + roots.capacity() * size_of::<Root>();
            live.memory() + vectors
        })
    }

    /// A transition with these marks leads from the open state on top to the live state at this
    /// position.
    fn join(&mut self, position: usize, mut marks: Marks) -> Result<(), Ended> {
        while let Some(root) = self.roots.pop_if(|root| root.position > position) {
            marks = marks.union(root.inside).union(root.before);
        }
        let Some(root) = self.roots.last_mut() else { return Ok(()) };
        root.inside = root.inside.union(marks);
        if self.needed.is_subset(root.inside) { self.found_run() } else { Ok(()) }
    }

    /// The successors of the open state on top are done. If it is the first one of its component,
    /// this is complete.
    fn close(&mut self) {
        let position = self.positions.pop();
        if self.roots.pop_if(|root| Some(root.position) == position).is_some()
            && let Some(position) = position
        {
            self.live.truncate(position);
        }
        self.search.path.pop_open();
    }

    /// The last component has all marks.
    fn found_run(&mut self) -> Result<(), Ended> {
        let DepthFirst { explorer, cursor, path, found } = &mut *self.search;
        let system = explorer.control.system;
        let first = self.roots.last().map_or(0, |root| root.position);
        let depth = self.positions.iter().position(|&position| position == first).unwrap_or_default();
        let keys = (0..=depth).filter_map(|number| path.stack.open_key(number));
        let mut trace = cursor.trace(system, keys, None);
        let start = cursor.state.clone();
        let mut component = Component::new(system, &self.live, first, cursor);
        let cycle = component.cycle(&start, self.needed);
        trace.cycle = Some(trace.transitions.len());
        trace.transitions.extend(cycle);
        found.push(Found::new(self.fault.clone(), trace));
        Err(Ended::FirstViolation)
    }
}
