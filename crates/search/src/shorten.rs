//! A shorter accepted run than the one that a search has found.
//!
//! Depth-first searches find long runs. So when there is one, what is around it is explored breadth
//! first, from the initial state and from its cycle in turn, within bounds; and in that graph a
//! short run is looked for (see [`short_lasso`](crate::short_lasso)). What was found stays what is
//! shown if nothing shorter turns up.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ample_transition::{Move, StoreFull, SuccessorBuffer, Trace};

use crate::Acceptance;
use crate::control::Control;
use crate::graph::{Graph, Node};
use crate::outcome::Found;
use crate::patience::Patience;
use crate::short_lasso::{Lassos, ShortLasso};
use crate::trace::push;

/// So many more states are explored than the search has stored, whatever that takes, so that what
/// is shown of a small system is always the same.
const SURE_STATES: u64 = 2_000;

/// In this time, or as long as the search took, there may be so many more, but no more than the
/// most.
const MORE_TIME: Duration = Duration::from_millis(250);
const MORE_STATES: u64 = 200_000;
const MOST_STATES: u64 = 1_000_000;

/// With so many states a short run is looked for, and then each time there are so many times more.
const FIRST_LOOK: usize = 1_000;
const NEXT_LOOK: usize = 4;

/// In a graph, at least so many steps are taken, and so many for each of its states; and so many
/// before the next look at the clock.
const FEWEST_STEPS: usize = 10_000;
const STEPS_PER_STATE: usize = 4;
const STEPS_PER_LOOK: usize = 16;

/// To look for a run takes no more than so many bytes for each state of the graph, and for so many
/// states besides: the distances, the components, and the visits of one cycle (see
/// [`Lassos::MOST_VISITS_PER_STATE`]).
const LOOK_BYTES: usize = 640;

/// The same violations, with shorter accepted runs where a short time is enough to find them. The
/// run that the search has found is kept beside.
pub(crate) fn shortened(found: Vec<Found>, acceptance: Acceptance<'_>, control: &Control<'_>) -> Vec<Found> {
    let shorten = |found: Found| match shorter(&found.trace, acceptance, control) {
        Some(trace) if trace.transitions.len() < found.trace.transitions.len() => {
            Found { longer: Some(found.trace), trace, ..found }
        }
        _ => found,
    };
    found.into_iter().map(shorten).collect()
}

fn shorter(known: &Trace, acceptance: Acceptance<'_>, control: &Control<'_>) -> Option<Trace> {
    known.cycle.filter(|_| known.transitions.len() > 1)?;
    let patience = Patience::brief(control, u64::MAX);
    let most_states = |more: u64| (control.stored() + more).min(MOST_STATES) as usize;
    let mut shortening = Shortening {
        control,
        graph: Graph::new(acceptance),
        buffer: SuccessorBuffer::within(patience.bounds()),
        patience,
        sure_states: most_states(SURE_STATES),
        most_states: most_states(MORE_STATES),
        end: Instant::now() + MORE_TIME.max(control.elapsed()),
        most_memory: control.budget.used().saturating_add(control.budget.left() / 2),
        charged: 0,
    };
    let initial = control.system.initial().ok()?;
    let initial = shortening.graph.node(&initial);
    let cycle = shortening.follow(initial, known).unwrap_or_default();
    let lasso = shortening.shortest([Frontier::new([initial]), Frontier::new(cycle)])?;
    shortening.trace(&lasso)
}

struct Shortening<'s, 'a> {
    control: &'s Control<'a>,
    graph: Graph<'s>,
    buffer: SuccessorBuffer,
    patience: Patience<'s, 'a>,
    sure_states: usize,
    most_states: usize,
    /// When there is time for the sure states only.
    end: Instant,
    /// How much of the budget may be in use, and how much was taken from it here.
    most_memory: usize,
    charged: usize,
}

impl Shortening<'_, '_> {
    /// Explores the states along a run. There may be several for each of its moves, where the
    /// automaton has a choice. Gives the states on its cycle.
    fn follow(&mut self, initial: Node, run: &Trace) -> Result<Vec<Node>, StoreFull> {
        let mut cycle = Vec::new();
        let mut here = vec![initial];
        for (position, moves) in run.transitions.iter().enumerate() {
            let next = self.step(&mut here, moves)?;
            if run.cycle.is_some_and(|cycle| position >= cycle) {
                cycle.append(&mut here);
            }
            here = next;
        }
        cycle.extend(here);
        Ok(cycle)
    }

    /// The states to which these moves lead from one of `here`. The states to which transitions
    /// without moves lead are added to `here`.
    fn step(&mut self, here: &mut Vec<Node>, moves: &[Move]) -> Result<Vec<Node>, StoreFull> {
        let mut next = Vec::new();
        let mut position = 0;
        while let Some(&node) = here.get(position) {
            position += 1;
            self.expand(node)?;
            for successor in self.buffer.iter() {
                let Some(state) = successor.state else { continue };
                let reached = if successor.moves == moves {
                    &mut next
                } else if successor.moves.is_empty() {
                    &mut *here
                } else {
                    continue;
                };
                let target = self.graph.node(state);
                if !reached.contains(&target) {
                    reached.push(target);
                }
            }
        }
        Ok(next)
    }

    /// A short accepted run among the states that can be explored from the frontiers, the first of
    /// which is the initial state.
    fn shortest(&mut self, mut frontiers: [Frontier; 2]) -> Option<ShortLasso> {
        let mut best: Option<ShortLasso> = None;
        let mut next_look = FIRST_LOOK.min(self.most_states);
        loop {
            // If time or memory runs out, something shorter may be there all the same.
            let is_over = self.explore(&mut frontiers, next_look).is_err() || self.graph.len() < next_look;
            let lassos = Lassos::of(&self.graph);
            let (patience, mut steps) = (&mut self.patience, FEWEST_STEPS + self.graph.len() * STEPS_PER_STATE);
            let mut still_working = || {
                steps = steps.saturating_sub(1);
                steps > 0 && (steps % STEPS_PER_LOOK != 0 || patience.lasts())
            };
            best = lassos.shorter_than(best, &mut still_working);
            let is_shortest = best.as_ref().is_some_and(|best| lassos.has_all_below(best.edges.len()));
            if is_over || is_shortest || next_look >= self.most_states {
                return best;
            }
            next_look = next_look.saturating_mul(NEXT_LOOK).min(self.most_states);
        }
    }

    /// Expands states of the frontiers in turn until there are so many, time is over, or all are
    /// expanded that the first one leads to.
    fn explore(&mut self, frontiers: &mut [Frontier; 2], states: usize) -> Result<(), StoreFull> {
        while self.graph.len() < states && self.has_time() && !frontiers[0].open.is_empty() {
            for frontier in &mut *frontiers {
                if let Some(node) = frontier.open.pop_front() {
                    if !self.graph.is_expanded(node) {
                        self.expand(node)?;
                    }
                    self.graph.edges(node).for_each(|(_, target)| frontier.add(target));
                }
            }
        }
        Ok(())
    }

    fn has_time(&self) -> bool {
        self.graph.len() < self.sure_states || Instant::now() < self.end
    }

    /// Fills the buffer with the successors of a node, and adds them to the graph.
    fn expand(&mut self, node: Node) -> Result<(), StoreFull> {
        if !self.patience.lasts() {
            return Err(StoreFull);
        }
        self.buffer.clear();
        self.control.system.expand_all(self.graph.state(node), &mut self.buffer);
        if self.buffer.cut().is_some() {
            return Err(StoreFull);
        }
        self.graph.add_edges(node, &self.buffer);
        self.charge()
    }

    /// Takes from the budget the bytes that are held, and those that it takes to look for a run.
    fn charge(&mut self) -> Result<(), StoreFull> {
        let look = (self.graph.len() + Lassos::FEWEST_VISITS) * LOOK_BYTES;
        let memory = self.graph.memory() + self.buffer.memory() + look;
        if memory > self.charged {
            self.control.budget.take(memory - self.charged)?;
            self.charged = memory;
        }
        if self.control.budget.used() > self.most_memory { Err(StoreFull) } else { Ok(()) }
    }

    /// The moves along a run.
    fn trace(&self, lasso: &ShortLasso) -> Option<Trace> {
        let mut trace = Trace::default();
        // A buffer of its own, without bounds: an expansion that is cut off has other successors.
        let mut buffer = SuccessorBuffer::new();
        for (position, &edge) in lasso.edges.iter().enumerate() {
            if position == lasso.cycle {
                trace.cycle = Some(trace.transitions.len());
            }
            buffer.clear();
            self.control.system.expand_all(self.graph.state(self.graph.source(edge)), &mut buffer);
            push(&mut trace, buffer.get(self.graph.number(edge))?.moves);
        }
        trace.cycle.is_some().then_some(trace)
    }
}

impl Drop for Shortening<'_, '_> {
    fn drop(&mut self) {
        self.control.budget.give(self.charged);
    }
}

/// The states at which a breadth-first search goes on.
#[derive(Default)]
struct Frontier {
    open: VecDeque<Node>,
    is_reached: Vec<bool>,
}

impl Frontier {
    fn new(nodes: impl IntoIterator<Item = Node>) -> Self {
        let mut frontier = Frontier::default();
        nodes.into_iter().for_each(|node| frontier.add(node));
        frontier
    }

    fn add(&mut self, node: Node) {
        if self.is_reached.len() <= node as usize {
            self.is_reached.resize(node as usize + 1, false);
        }
        if !std::mem::replace(&mut self.is_reached[node as usize], true) {
            self.open.push_back(node);
        }
    }
}
