//! Büchi transition systems: automata whose labels are on the states, as in Holzmann and
//! Kupferman's paper.

use std::collections::HashMap;

use ample_stdx::{IndexVec, TypedId, typed_id};

use super::alphabet::{Alphabet, LetterId};
use crate::automaton::{Automaton, Edge, Marks, StateId};

typed_id! {
    /// Names a state of a transition system.
    pub(super) struct WorldId;
}

/// A state of a transition system.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// The letter that is read here.
    pub letter: LetterId,
    /// Whether it is accepting.
    pub is_accepting: bool,
    /// Where a run may go on.
    pub successors: Vec<WorldId>,
}

/// A Büchi transition system. A run reads the letters of its states, and is accepting if it visits
/// accepting ones infinitely often.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub initial: Vec<WorldId>,
    pub worlds: IndexVec<WorldId, World>,
}

impl System {
    /// The system of a state-based automaton: a state for each pair of a state and a letter that it
    /// reads.
    pub(super) fn of(automaton: &Automaton, alphabet: &Alphabet) -> System {
        let mut bdds = alphabet.bdds.clone();
        let mut worlds: IndexVec<WorldId, World> = IndexVec::new();
        let mut ids: HashMap<(StateId, LetterId), WorldId> = HashMap::new();
        // No label divides a letter, so one that it meets is inside.
        let mut reads = |edge: &Edge, function| bdds.intersect(edge.label, function);
        for state in automaton.states() {
            for (letter, function) in alphabet.letters() {
                if automaton.edges[state].iter().any(|edge| reads(edge, function)) {
                    let is_accepting = automaton.is_accepting(state);
                    ids.insert((state, letter), worlds.push(World { letter, is_accepting, successors: Vec::new() }));
                }
            }
        }
        let worlds_at = |state: StateId| {
            alphabet.letters().filter_map(|(letter, _)| ids.get(&(state, letter)).copied()).collect::<Vec<_>>()
        };
        for state in automaton.states() {
            for (letter, function) in alphabet.letters() {
                let Some(&world) = ids.get(&(state, letter)) else { continue };
                let taken = automaton.edges[state].iter().filter(|edge| reads(edge, function));
                let mut successors: Vec<WorldId> = taken.flat_map(|edge| worlds_at(edge.target)).collect();
                successors.sort();
                successors.dedup();
                worlds[world].successors = successors;
            }
        }
        System { initial: worlds_at(automaton.initial), worlds }
    }

    /// The automaton of the system: the label of a state moves to its outgoing edges.
    pub(super) fn automaton(&self, alphabet: &Alphabet, propositions: usize) -> Automaton {
        let edges_of = |world: &World| {
            let marks = if world.is_accepting { Marks::one(0) } else { Marks::NONE };
            let label = alphabet.function(world.letter);
            let edge = move |target: &WorldId| Edge { label, marks, target: StateId::from_index(target.index()) };
            world.successors.iter().map(edge).collect::<Vec<Edge>>()
        };
        let mut edges: IndexVec<StateId, Vec<Edge>> = self.worlds.iter().map(edges_of).collect();
        // There may be several initial states: a new one does what they do.
        let first = self.initial.iter().flat_map(|&world| edges_of(&self.worlds[world]));
        let initial = edges.push(first.map(|edge| Edge { marks: Marks::NONE, ..edge }).collect());
        Automaton { labels: alphabet.bdds.clone(), propositions, mark_count: 1, initial, edges }
    }
}
