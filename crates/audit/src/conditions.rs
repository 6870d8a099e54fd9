//! The conditions of ample sets, on what a search has chosen (Clarke, Grumberg, Peled: Model
//! Checking, chapter 10).

use ample_product::Propositions;
use ample_stdx::Random;

use crate::definition::{Definition, Dependent};
use crate::graph::Graph;
use crate::record::Choices;

/// So many choices are looked at.
const SAMPLES: usize = 100;
/// From each, so many states are visited to find a transition that depends on a chosen one.
const VISITED: usize = 300;

/// A choice that breaks a condition.
pub(crate) struct Breach {
    /// What is wrong.
    pub what: String,
    /// The state, with the transitions that were chosen in it.
    pub state: Vec<u8>,
    pub chosen: Vec<usize>,
    /// What depends on a chosen one, for C1.
    pub dependent: Option<Dependent>,
}

/// What a sample showed.
#[derive(Default)]
pub(crate) struct Sampled {
    pub samples: usize,
    pub visited: usize,
    pub breaches: Vec<Breach>,
}

/// Holds a sample of the choices against C0, C1 and, if there is something to see, C2. Ends when
/// `is_over` says so, or at a breach.
pub(crate) fn sample(
    definition: &mut Definition<'_>,
    choices: &Choices,
    propositions: Option<&dyn Propositions>,
    seed: u64,
    is_over: &dyn Fn() -> bool,
) -> Sampled {
    let proper: Vec<(&Vec<u8>, &Vec<usize>)> =
        choices.iter().filter_map(|(state, chosen)| Some((state, chosen.as_ref()?))).collect();
    let mut sampled = Sampled::default();
    for (state, chosen) in picked(&proper, SAMPLES, seed) {
        if is_over() || !sampled.breaches.is_empty() {
            break;
        }
        sampled.samples += 1;
        let breach = |what: String, dependent| Breach { what, state: state.clone(), chosen: chosen.clone(), dependent };
        if let Some(what) = not_a_choice(definition, state, chosen) {
            sampled.breaches.push(breach(what, None));
            continue;
        }
        let looked = definition.look_around(state, chosen, VISITED);
        sampled.visited += looked.visited;
        if let Some(dependent) = looked.dependent {
            let what = "C1: a transition that depends on a chosen one can occur before any chosen one";
            sampled.breaches.push(breach(what.to_owned(), Some(dependent)));
        }
        if propositions.is_some_and(|propositions| changes_letter(definition, state, chosen, propositions)) {
            let what = "C2: a chosen transition changes what the property sees, and others are left out";
            sampled.breaches.push(breach(what.to_owned(), None));
        }
    }
    sampled
}

/// C0, and that something is left out at all: otherwise it is no choice.
fn not_a_choice(definition: &mut Definition<'_>, state: &[u8], chosen: &[usize]) -> Option<String> {
    let all = definition.expand(state).len();
    let is_sorted = chosen.windows(2).all(|pair| pair[0] < pair[1]);
    match chosen.last() {
        None => Some("C0: nothing is chosen, and something is enabled".to_owned()),
        Some(&last) if last >= all || !is_sorted => {
            Some(format!("the choice is not one of {all} transitions: {chosen:?}"))
        }
        Some(_) => None,
    }
}

fn changes_letter(
    definition: &mut Definition<'_>,
    state: &[u8],
    chosen: &[usize],
    propositions: &dyn Propositions,
) -> bool {
    let all = definition.expand(state);
    if chosen.len() == all.len() {
        return false;
    }
    let letter = |state: &[u8]| propositions.letter(state).ok();
    let before = letter(state);
    let reached = chosen.iter().filter_map(|number| all.get(*number)?.to.as_deref());
    reached.map(letter).any(|after| after != before)
}

/// C3 as safety needs it: from every state one is reachable in which nothing is left out. The first
/// state from which none is.
pub(crate) fn never_full(graph: &Graph) -> Option<usize> {
    let count = graph.states.len();
    let mut before = vec![Vec::new(); count];
    for from in graph.expanded() {
        for to in graph.edges[from].iter().filter_map(|edge| edge.to) {
            before[to].push(from);
        }
    }
    // What is not expanded is not known to be reduced.
    let is_full = |state: usize| graph.is_full.get(state).copied().unwrap_or(true);
    let mut reaches: Vec<bool> = (0..count).map(is_full).collect();
    let mut waiting: Vec<usize> = (0..count).filter(|state| reaches[*state]).collect();
    while let Some(state) = waiting.pop() {
        for &from in &before[state] {
            if !std::mem::replace(&mut reaches[from], true) {
                waiting.push(from);
            }
        }
    }
    reaches.iter().position(|reaches| !reaches)
}

/// C3 as liveness needs it: every cycle has a state in which nothing is left out. A state on a
/// cycle that has none.
pub(crate) fn reduced_cycle(graph: &Graph) -> Option<usize> {
    let is_reduced = |state: &usize| graph.is_full.get(*state) == Some(&false);
    let next = |state: usize| graph.edges[state].iter().filter_map(|edge| edge.to).filter(is_reduced);
    // States that nothing reduced leads to are on no such cycle; take them away as long as there
    // are some (Kahn 1962).
    let mut entering = vec![0_usize; graph.states.len()];
    let reduced: Vec<usize> = graph.expanded().filter(is_reduced).collect();
    for to in reduced.iter().flat_map(|state| next(*state)) {
        entering[to] += 1;
    }
    let mut free: Vec<usize> = reduced.iter().copied().filter(|state| entering[*state] == 0).collect();
    let mut is_gone = vec![false; graph.states.len()];
    while let Some(state) = free.pop() {
        is_gone[state] = true;
        for to in next(state) {
            entering[to] -= 1;
            if entering[to] == 0 {
                free.push(to);
            }
        }
    }
    // What is left is on a cycle or behind one: go on until a state comes again.
    let mut state = reduced.into_iter().find(|state| !is_gone[*state])?;
    for _ in 0..graph.states.len() {
        match next(state).find(|to| !is_gone[*to]) {
            Some(to) => state = to,
            None => break,
        }
    }
    Some(state)
}

/// So many of these, each as likely as any other, in a definite order for a seed.
fn picked<T: Copy>(all: &[T], count: usize, seed: u64) -> Vec<T> {
    let mut rest = all.to_vec();
    let mut random = Random::new(seed);
    let mut picked = Vec::new();
    while picked.len() < count && !rest.is_empty() {
        picked.push(rest.swap_remove(random.below(rest.len())));
    }
    picked
}

#[cfg(test)]
mod tests {
    use ample_model::EdgeId;
    use ample_stdx::TypedId;
    use ample_transition::{Fault, Move, SuccessorBuffer, Successors};

    use super::*;
    use crate::graph::Edge;
    use crate::likeness::Likeness;

    /// A graph from the states that each state leads to, and which are fully expanded.
    fn graph(edges: &[&[usize]], is_full: &[bool]) -> Graph {
        let edge = |to: &usize| Edge { moves: Vec::new(), to: Some(*to), faults: Vec::new() };
        Graph {
            states: (0..edges.len()).map(|number| vec![number as u8]).collect(),
            edges: edges.iter().map(|edges| edges.iter().map(edge).collect()).collect(),
            is_full: is_full.to_vec(),
            is_complete: true,
        }
    }

    /// A counter that goes up by one or by ten.
    struct Counter;

    impl Successors for Counter {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(vec![0])
        }

        fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
            for (process, step) in [1, 10].into_iter().enumerate().filter(|_| state[0] < 30) {
                let step_of = Move { process: process as u16, edge: EdgeId::from_index(0), partner: None };
                buffer.push_state(&[step_of], &[state[0] + step]);
            }
        }

        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }

    /// Whether the counter is at least so high.
    struct IsAtLeast(u8);

    impl Propositions for IsAtLeast {
        fn letter(&self, state: &[u8]) -> Result<u64, Box<Fault>> {
            Ok(u64::from(state[0] >= self.0))
        }
    }

    #[test]
    fn what_a_property_sees_may_not_change() {
        let choices = Choices::from([(vec![0], Some(vec![0]))]);
        let breaches = |from: u8| {
            let sees = IsAtLeast(from);
            let sampled = sample(&mut Definition::new(&Counter, &Likeness::Exact), &choices, Some(&sees), 1, &|| false);
            assert_eq!(sampled.samples, 1);
            sampled.breaches.iter().map(|breach| breach.what[..2].to_owned()).collect::<Vec<_>>()
        };
        // Where the counter stops, the one that comes first stops the other.
        assert_eq!(breaches(1), ["C1", "C2"]);
        assert_eq!(breaches(2), ["C1"]);
    }

    #[test]
    fn a_state_that_leads_to_reduced_ones_only_is_found() {
        assert_eq!(never_full(&graph(&[&[1], &[0, 2], &[]], &[false, false, true])), None);
        assert_eq!(never_full(&graph(&[&[1, 2], &[1], &[]], &[true, false, true])), Some(1));
    }

    #[test]
    fn a_cycle_of_reduced_states_is_found() {
        assert_eq!(reduced_cycle(&graph(&[&[1], &[0, 2], &[]], &[false, true, true])), None);
        let found = reduced_cycle(&graph(&[&[1], &[2, 3], &[1], &[]], &[false, false, false, true]));
        assert!(matches!(found, Some(1 | 2)), "{found:?}");
        // A cycle, and a reduced state behind it, which is on none.
        let found = reduced_cycle(&graph(&[&[1], &[0, 2], &[3], &[]], &[false, false, false, true]));
        assert!(matches!(found, Some(0 | 1)), "{found:?}");
    }

    #[test]
    fn a_sample_is_the_same_for_a_seed() {
        let all: Vec<usize> = (0..50).collect();
        assert_eq!(picked(&all, 5, 1), picked(&all, 5, 1));
        assert_ne!(picked(&all, 5, 1), picked(&all, 5, 2));
        assert_eq!(picked(&all, 80, 1).len(), 50);
    }
}
