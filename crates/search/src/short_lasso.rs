//! Short accepted runs in a graph.
//!
//! Through each state of a component that has all marks, in the order of their distance from the
//! initial state, a short cycle with all marks is looked for. A shortest one is NP-hard to find
//! where there are several marks. So it is first searched breadth first from mark to mark: of the
//! states that are as near as can be and have one more mark, all are followed, and no other. Then,
//! as long as there is patience, over pairs of a state and the marks that are still missing: that
//! path is shortest.

use std::collections::HashSet;

use ample_stdx::components;
use ample_transition::Marks;
use foldhash::fast::FixedState;

use crate::graph::{Edge, Graph, Node};

/// A run that ends in a cycle.
pub(crate) struct ShortLasso {
    /// Its transitions, from the initial state on.
    pub edges: Vec<Edge>,
    /// How many of them come before the cycle.
    pub cycle: usize,
}

/// How a node is reached from the initial one.
#[derive(Copy, Clone)]
struct Arrival {
    /// The number of transitions.
    distance: usize,
    /// The last of them; the initial node has none.
    by: Option<Edge>,
}

/// The accepted runs of a graph whose node 0 is the initial state.
pub(crate) struct Lassos<'g> {
    graph: &'g Graph<'g>,
    /// The nodes that can be reached, the nearest first.
    order: Vec<Node>,
    /// For each node how it is reached on a shortest path, if it is.
    reached: Vec<Option<Arrival>>,
    /// The component of each node.
    component: Vec<u32>,
    /// For each component whether all marks occur inside.
    is_accepted: Vec<bool>,
    /// Nodes at a smaller distance than this are all expanded.
    horizon: usize,
}

impl<'g> Lassos<'g> {
    /// A search for one cycle is given up after so many visits, and so many for each state: they
    /// are all held in memory.
    pub const FEWEST_VISITS: usize = 1_000;
    pub const MOST_VISITS_PER_STATE: usize = 2;

    pub fn of(graph: &'g Graph<'g>) -> Self {
        let nodes = components(graph.len(), |node| graph.edges(node as Node).map(|(_, target)| target as usize));
        let mut missing = vec![graph.needed(); nodes.is_cyclic.len()];
        for node in 0..graph.len() {
            let component = nodes.of[node];
            let inside = graph.edges(node as Node).filter(|(_, target)| nodes.of[*target as usize] == component);
            let missing = &mut missing[component as usize];
            inside.for_each(|(edge, _)| *missing = missing.minus(graph.marks(edge)));
        }
        let is_accepted =
            nodes.is_cyclic.iter().zip(missing).map(|(&is_cyclic, missing)| is_cyclic && missing.is_empty());
        let mut lassos = Lassos {
            graph,
            order: Vec::new(),
            reached: vec![None; graph.len()],
            component: nodes.of,
            is_accepted: is_accepted.collect(),
            horizon: usize::MAX,
        };
        lassos.measure();
        lassos
    }

    /// Finds shortest paths to all nodes, breadth first.
    fn measure(&mut self) {
        self.reached[0] = Some(Arrival { distance: 0, by: None });
        self.order.push(0);
        let mut next = 0;
        while let Some(&node) = self.order.get(next) {
            next += 1;
            let Some(Arrival { distance, .. }) = self.reached[node as usize] else { continue };
            if !self.graph.is_expanded(node) {
                self.horizon = self.horizon.min(distance);
            }
            for (edge, target) in self.graph.edges(node) {
                let known = &mut self.reached[target as usize];
                if known.is_none() {
                    *known = Some(Arrival { distance: distance + 1, by: Some(edge) });
                    self.order.push(target);
                }
            }
        }
    }

    /// Whether the graph has every accepted run that is shorter than this length.
    pub fn has_all_below(&self, length: usize) -> bool {
        length <= self.horizon.saturating_add(1)
    }

    /// An accepted run that is shorter than `best`, or that one. `still_working` is asked from time
    /// to time.
    pub fn shorter_than(
        &self,
        mut best: Option<ShortLasso>,
        still_working: &mut dyn FnMut() -> bool,
    ) -> Option<ShortLasso> {
        for &entry in self.order.iter().filter(|&&node| self.is_accepted[self.component[node as usize] as usize]) {
            let Some(Arrival { distance, .. }) = self.reached[entry as usize] else { continue };
            for follow in [Follow::Nearest, Follow::All] {
                // Whatever is found must be shorter than what is known.
                let most = best.as_ref().map_or(usize::MAX, |best| best.edges.len().saturating_sub(distance + 1));
                if most == 0 {
                    return best;
                }
                if let Some(cycle) = self.cycle_through(entry, most, follow, still_working) {
                    let mut edges = self.path_to(entry);
                    edges.extend(cycle);
                    best = Some(ShortLasso { edges, cycle: distance });
                }
            }
            if !still_working() {
                break;
            }
        }
        best
    }

    /// The transitions from the initial node to this one.
    fn path_to(&self, mut node: Node) -> Vec<Edge> {
        let mut path = Vec::new();
        while let Some(Arrival { by: Some(edge), .. }) = self.reached[node as usize] {
            path.push(edge);
            node = self.graph.source(edge);
        }
        path.reverse();
        path
    }

    /// A cycle through a node with all marks, of at most so many transitions.
    fn cycle_through(
        &self,
        entry: Node,
        most: usize,
        follow: Follow,
        still_working: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Edge>> {
        let component = self.component[entry as usize];
        let start = PathNode { node: entry, missing: self.graph.needed(), before: 0, edge: 0 };
        let most_visits = Self::FEWEST_VISITS + self.graph.len() * Self::MOST_VISITS_PER_STATE;
        let mut seen: HashSet<(Node, Marks), FixedState> = HashSet::default();
        let mut visits = vec![start];
        let mut layer = 0..1;
        for _ in 0..most {
            for before in layer.clone() {
                if !still_working() || seen.len() > most_visits {
                    return None;
                }
                let PathNode { node, missing, .. } = visits[before];
                for (edge, target) in self.graph.edges(node) {
                    if self.component[target as usize] != component {
                        continue;
                    }
                    let missing = missing.minus(self.graph.marks(edge));
                    let visit = PathNode { node: target, missing, before, edge };
                    if target == entry && missing.is_empty() {
                        return Some(path_through(&visits, visit));
                    }
                    if seen.insert((target, missing)) {
                        visits.push(visit);
                    }
                }
            }
            if follow == Follow::Nearest {
                keep_nearest(&mut visits, layer.end);
            }
            layer = layer.end..visits.len();
            if layer.is_empty() {
                return None;
            }
        }
        None
    }
}

/// Which visits are followed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Follow {
    /// As soon as there is one with fewer missing marks, only those with the fewest.
    Nearest,
    All,
}

/// A node on a path, with the marks that do not occur on it.
#[derive(Copy, Clone)]
struct PathNode {
    node: Node,
    missing: Marks,
    /// The visit before it, and the transition between them.
    before: usize,
    edge: Edge,
}

/// Of the last layer, which begins here, only those with the fewest missing marks are kept.
fn keep_nearest(visits: &mut Vec<PathNode>, layer: usize) {
    let Some(fewest) = visits[layer..].iter().map(|visit| visit.missing.len()).min() else { return };
    let mut position = 0;
    visits.retain(|visit| {
        position += 1;
        position <= layer || visit.missing.len() == fewest
    });
}

/// The transitions from the first visit to this one.
fn path_through(visits: &[PathNode], last: PathNode) -> Vec<Edge> {
    let mut path = vec![last.edge];
    let mut position = last.before;
    while position != 0 {
        path.push(visits[position].edge);
        position = visits[position].before;
    }
    path.reverse();
    path
}
