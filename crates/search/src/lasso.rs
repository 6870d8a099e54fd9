//! From a strongly connected component with all marks to a cycle that has them.

use std::collections::{HashMap, VecDeque};

use ample_transition::{Key, Marks, Move, States, SuccessorBuffer, Successors};

use crate::cursor::Cursor;
use crate::live::Live;

/// The last component of a search: the live states from some position on. From each of them there
/// is a path to every other.
pub(crate) struct Component<'c, 'w> {
    system: &'c dyn Successors,
    live: &'c Live,
    first: usize,
    cursor: &'c mut Cursor<'w>,
    buffer: SuccessorBuffer,
}

/// A transition: the state that it leaves, and its number there.
#[derive(Clone)]
struct Transition {
    source: Vec<u8>,
    number: usize,
}

/// For each state the transition by which it was reached first.
type Parents = HashMap<Vec<u8>, Transition>;

/// A path, and the state to which it leads.
struct PathTo {
    transitions: Vec<Transition>,
    end: Vec<u8>,
}

impl<'c, 'w> Component<'c, 'w> {
    pub fn new(system: &'c dyn Successors, live: &'c Live, first: usize, cursor: &'c mut Cursor<'w>) -> Self {
        // Without a stop signal: a run that was found is shown even if the search was interrupted.
        Component { system, live, first, cursor, buffer: SuccessorBuffer::new() }
    }

    /// The moves of a cycle from a state of the component back to it on which all marks occur: each
    /// time on to the nearest transition that adds one, and then by a shortest path back.
    pub fn cycle(&mut self, start: &[u8], needed: Marks) -> Vec<Vec<Move>> {
        let mut cycle: Vec<Transition> = Vec::new();
        let mut missing = needed;
        let mut state = start.to_vec();
        while missing != Marks::NONE {
            let adds = |_: &[u8], marks: Marks| missing.minus(marks) != missing;
            let Some(path) = self.shortest(&state, &adds) else { return Vec::new() };
            for transition in &path.transitions {
                missing = missing.minus(self.marks(transition));
            }
            cycle.extend(path.transitions);
            state = path.end;
        }
        if cycle.is_empty() || state != start {
            let Some(path) = self.shortest(&state, &|next, _| next == start) else { return Vec::new() };
            cycle.extend(path.transitions);
        }
        cycle.iter().map(|transition| self.moves(transition)).filter(|moves| !moves.is_empty()).collect()
    }

    fn expand(&mut self, state: &[u8]) {
        self.buffer.clear();
        self.system.expand_all(state, &mut self.buffer);
    }

    fn marks(&mut self, transition: &Transition) -> Marks {
        self.expand(&transition.source);
        self.buffer.marks(transition.number)
    }

    fn moves(&mut self, transition: &Transition) -> Vec<Move> {
        self.expand(&transition.source);
        self.buffer.get(transition.number).map_or(Vec::new(), |successor| successor.moves.to_vec())
    }

    /// A shortest path inside the component whose last transition is wanted. `is_wanted` is given
    /// the state to which a transition leads, and its marks.
    fn shortest(&mut self, from: &[u8], is_wanted: &dyn Fn(&[u8], Marks) -> bool) -> Option<PathTo> {
        let mut parents = Parents::new();
        let mut open = VecDeque::from([from.to_vec()]);
        while let Some(state) = open.pop_front() {
            for (next, number, marks) in self.successors(&state) {
                let transition = Transition { source: state.clone(), number };
                if is_wanted(&next, marks) {
                    let mut transitions = vec![transition];
                    transitions.extend(back(&parents, from, state));
                    transitions.reverse();
                    return Some(PathTo { transitions, end: next });
                }
                if next != from && !parents.contains_key(&next) {
                    parents.insert(next.clone(), transition);
                    open.push_back(next);
                }
            }
        }
        None
    }

    /// The transitions from a state that stay in the component.
    fn successors(&mut self, state: &[u8]) -> Vec<(Vec<u8>, usize, Marks)> {
        self.expand(state);
        let Component { live, first, cursor, buffer, .. } = self;
        let numbered = buffer.iter().enumerate().filter_map(|(number, successor)| Some((number, successor.state?)));
        let mut keys = States::default();
        let mut is_inside = |state: &[u8]| {
            keys.clear();
            let key: Option<Key<'_>> = cursor.session.key(state, &mut keys).ok().and_then(|()| keys.key(0));
            key.and_then(|key| live.position(key)).is_some_and(|position| position >= *first)
        };
        numbered
            .filter(|(_, next)| is_inside(next))
            .map(|(number, next)| (next.to_vec(), number, buffer.marks(number)))
            .collect()
    }
}

/// The transitions from `state` back to `from`, the last one first.
fn back<'p>(parents: &'p Parents, from: &'p [u8], mut state: Vec<u8>) -> impl Iterator<Item = Transition> + 'p {
    std::iter::from_fn(move || {
        if state == from {
            return None;
        }
        let transition = parents.get(&state)?.clone();
        state.clone_from(&transition.source);
        Some(transition)
    })
}
