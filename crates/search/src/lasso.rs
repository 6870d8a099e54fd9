//! From a component with all marks to a cycle that has them.

use std::collections::{HashMap, VecDeque};

use ample_transition::{Key, Marks, Move, States, SuccessorBuffer, Successors};

use crate::cursor::Cursor;
use crate::live::Live;

/// The last component of a search: the live states from some position on. From each of them there
/// is a way to every other.
pub(crate) struct Component<'c, 'w> {
    system: &'c dyn Successors,
    live: &'c Live,
    first: usize,
    cursor: &'c mut Cursor<'w>,
    buffer: SuccessorBuffer,
}

/// How a state was reached: from which one, and by which transition.
type Parents = HashMap<Vec<u8>, (Vec<u8>, usize)>;

/// A step of a cycle: the state that it leaves, and the number of the transition.
type Step = (Vec<u8>, usize);

impl<'c, 'w> Component<'c, 'w> {
    pub fn new(system: &'c dyn Successors, live: &'c Live, first: usize, cursor: &'c mut Cursor<'w>) -> Self {
        // Without a stop signal: a run that was found is shown even if the search was interrupted.
        Component { system, live, first, cursor, buffer: SuccessorBuffer::new() }
    }

    /// The moves of a cycle from a state of the component back to it on which all marks occur: each
    /// time the nearest transition that adds one, and then the shortest way back.
    pub fn cycle(&mut self, start: &[u8], needed: Marks) -> Vec<Vec<Move>> {
        let mut steps: Vec<Step> = Vec::new();
        let mut missing = needed;
        let mut state = start.to_vec();
        while missing != Marks::NONE {
            let adds = |_: &[u8], marks: Marks| missing.minus(marks) != missing;
            let Some((way, end)) = self.way(&state, &adds) else { return Vec::new() };
            for (state, number) in &way {
                missing = missing.minus(self.marks(state, *number));
            }
            steps.extend(way);
            state = end;
        }
        if steps.is_empty() || state != start {
            let Some((way, _)) = self.way(&state, &|next, _| next == start) else { return Vec::new() };
            steps.extend(way);
        }
        steps.iter().map(|(state, number)| self.moves(state, *number)).filter(|moves| !moves.is_empty()).collect()
    }

    fn expand(&mut self, state: &[u8]) {
        self.buffer.clear();
        self.system.expand_all(state, &mut self.buffer);
    }

    fn marks(&mut self, state: &[u8], number: usize) -> Marks {
        self.expand(state);
        self.buffer.marks(number)
    }

    fn moves(&mut self, state: &[u8], number: usize) -> Vec<Move> {
        self.expand(state);
        self.buffer.get(number).map_or(Vec::new(), |successor| successor.moves.to_vec())
    }

    /// A shortest way inside the component whose last transition, to this state with these marks,
    /// is `wanted`; and where it leads.
    fn way(&mut self, from: &[u8], wanted: &dyn Fn(&[u8], Marks) -> bool) -> Option<(Vec<Step>, Vec<u8>)> {
        let mut parents = Parents::new();
        let mut open = VecDeque::from([from.to_vec()]);
        while let Some(state) = open.pop_front() {
            for (next, number, marks) in self.successors(&state) {
                if wanted(&next, marks) {
                    let mut way = vec![(state.clone(), number)];
                    way.extend(back(&parents, from, state));
                    way.reverse();
                    return Some((way, next));
                }
                if next != from && !parents.contains_key(&next) {
                    parents.insert(next.clone(), (state.clone(), number));
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

/// The steps from `state` back to `from`, the last one first.
fn back<'p>(parents: &'p Parents, from: &'p [u8], mut state: Vec<u8>) -> impl Iterator<Item = Step> + 'p {
    std::iter::from_fn(move || {
        if state == from {
            return None;
        }
        let (before, number) = parents.get(&state)?.clone();
        state.clone_from(&before);
        Some((before, number))
    })
}
