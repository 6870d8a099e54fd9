//! C1 by its definition: along every path of the full system from a state that uses no chosen
//! transition, nothing happens that depends on a chosen one.
//!
//! A transition is its moves. Two are independent in a state if each can still be taken after the
//! other, and both orders lead to the same states with the same faults. An error that ends a run
//! ends it in whatever order.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use ample_transition::{Move, SuccessorBuffer, Successors};

use crate::graph::{Seen, Transition, transitions};
use crate::likeness::Likeness;

/// Looks for dependent transitions in a system.
pub(crate) struct Definition<'a> {
    system: &'a dyn Successors,
    likeness: &'a Likeness<'a>,
    buffer: SuccessorBuffer,
    known: HashMap<Vec<u8>, Rc<Vec<Transition>>>,
}

/// A transition that depends on a chosen one and can occur before any chosen one.
pub(crate) struct Dependent {
    /// What leads to it.
    pub path: Vec<Vec<Move>>,
    /// The transition.
    pub transition: Vec<Move>,
    /// The chosen one.
    pub chosen: Vec<Move>,
}

/// What came of a look around.
pub(crate) struct Looked {
    /// How many states were visited.
    pub visited: usize,
    /// What was found.
    pub dependent: Option<Dependent>,
}

/// More expansions than this are not kept.
const MOST_KNOWN: usize = 50_000;

impl<'a> Definition<'a> {
    pub fn new(system: &'a dyn Successors, likeness: &'a Likeness<'a>) -> Self {
        Definition { system, likeness, buffer: SuccessorBuffer::new(), known: HashMap::new() }
    }

    /// All transitions that leave a state.
    pub fn expand(&mut self, state: &[u8]) -> Rc<Vec<Transition>> {
        if let Some(known) = self.known.get(state) {
            return known.clone();
        }
        let all = Rc::new(transitions(self.system, state, &mut self.buffer));
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(state.to_vec(), all.clone());
        all
    }

    /// Looks around from a state in which these transitions are chosen, in so many states at most.
    pub fn look_around(&mut self, state: &[u8], chosen: &[usize], most: usize) -> Looked {
        let all = self.expand(state);
        let chosen: Vec<Vec<Move>> =
            chosen.iter().filter_map(|number| all.get(*number)).map(|transition| transition.moves.clone()).collect();
        let mut seen = HashSet::from([state.to_vec()]);
        let mut waiting = VecDeque::from([(state.to_vec(), Vec::<Vec<Move>>::new())]);
        let mut visited = 0;
        while let Some((here, path)) = waiting.pop_front() {
            if visited == most {
                break;
            }
            visited += 1;
            for other in self.expand(&here).iter().filter(|other| !chosen.contains(&other.moves)) {
                if let Some(dependent) = chosen.iter().find(|chosen| !self.are_independent(&here, chosen, &other.moves))
                {
                    let (transition, chosen) = (other.moves.clone(), dependent.clone());
                    return Looked { visited, dependent: Some(Dependent { path, transition, chosen }) };
                }
                if let Some(next) = &other.to
                    && seen.insert(next.clone())
                {
                    let longer = path.iter().chain([&other.moves]).cloned().collect();
                    waiting.push_back((next.clone(), longer));
                }
            }
        }
        Looked { visited, dependent: None }
    }

    /// Whether two transitions are independent in a state.
    fn are_independent(&mut self, state: &[u8], one: &[Move], other: &[Move]) -> bool {
        if self.likeness.name(state, one).is_none() || self.likeness.name(state, other).is_none() {
            return true;
        }
        let here = self.expand(state);
        let errs = |moves: &[Move]| {
            let mut same = here.iter().filter(|transition| transition.moves == moves).peekable();
            same.peek().is_some() && same.all(|transition| transition.to.is_none())
        };
        if errs(one) && errs(other) {
            return true;
        }
        let forth = self.both(&here, one, other);
        let back = self.both(&here, other, one).into_iter().map(Both::turned).collect::<Vec<_>>();
        !forth.is_empty()
            && forth.iter().all(|both| back.contains(both))
            && back.iter().all(|both| forth.contains(both))
    }

    /// What the one and then the other lead to. `Stuck` says that the other cannot be taken.
    fn both(&mut self, here: &[Transition], one: &[Move], other: &[Move]) -> Vec<Both> {
        let mut results = Vec::new();
        for first in here.iter().filter(|transition| transition.moves == one) {
            let Some(between) = &first.to else {
                results.push(Both::Error(first.faults.clone()));
                continue;
            };
            let all = self.expand(between);
            let mut seconds = all.iter().filter(|transition| transition.moves == other).peekable();
            if seconds.peek().is_none() {
                results.push(Both::Stuck);
            }
            results.extend(seconds.map(|second| match &second.to {
                Some(to) => Both::Done {
                    to: self.likeness.state(to),
                    first: first.faults.clone(),
                    second: second.faults.clone(),
                },
                None => Both::Error(second.faults.clone()),
            }));
        }
        if results.contains(&Both::Stuck) { Vec::new() } else { results }
    }
}

/// What two transitions lead to, one after the other.
#[derive(Clone, PartialEq)]
enum Both {
    Done {
        to: Vec<u8>,
        first: Vec<Seen>,
        second: Vec<Seen>,
    },
    /// One of them ends the run.
    Error(Vec<Seen>),
    /// The second cannot be taken.
    Stuck,
}

impl Both {
    /// The same, told by the one that came second.
    fn turned(self) -> Both {
        match self {
            Both::Done { to, first, second } => Both::Done { to, first: second, second: first },
            other => other,
        }
    }
}
