//! The strongly connected components of a graph.

/// The component of a node that was not reached.
const NONE: u32 = u32::MAX;

/// The strongly connected components of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The component of each node. An edge leads to a component with the same or a smaller number.
    pub of: Vec<u32>,
    /// For each component whether there is a cycle in it.
    pub is_cyclic: Vec<bool>,
}

impl Components {
    /// The component of a node; `None` if none of the roots reaches it.
    pub fn get(&self, node: usize) -> Option<u32> {
        self.of.get(node).copied().filter(|component| *component != NONE)
    }
}

/// The components of the graph with the nodes 0 to `count` and the edges that `successors` gives.
pub fn components<I: Iterator<Item = usize>>(count: usize, successors: impl Fn(usize) -> I) -> Components {
    components_from(0..count, count, successors)
}

/// The components of what the roots reach (Tarjan, SIAM J. Computing 1972, with a stack of its
/// own). The roots are tried in their order.
pub fn components_from<I: Iterator<Item = usize>>(
    roots: impl IntoIterator<Item = usize>,
    count: usize,
    successors: impl Fn(usize) -> I,
) -> Components {
    let mut tarjan = Tarjan {
        successors,
        visits: 0,
        visited: vec![0; count],
        low: vec![0; count],
        open: Vec::new(),
        found: Components { of: vec![NONE; count], is_cyclic: Vec::new() },
    };
    for root in roots {
        if tarjan.visited[root] == 0 {
            tarjan.visit(root);
        }
    }
    tarjan.found
}

struct Tarjan<F> {
    successors: F,
    visits: u32,
    /// When a node was visited, from 1.
    visited: Vec<u32>,
    /// The earliest open visit that can be reached.
    low: Vec<u32>,
    open: Vec<usize>,
    found: Components,
}

impl<I: Iterator<Item = usize>, F: Fn(usize) -> I> Tarjan<F> {
    fn visit(&mut self, root: usize) {
        let mut stack = vec![self.enter(root)];
        while let Some((node, successors)) = stack.last_mut() {
            let node = *node;
            match successors.next() {
                Some(next) if self.found.of[next] != NONE => {}
                Some(next) if self.visited[next] == 0 => stack.push(self.enter(next)),
                Some(next) => self.low[node] = self.low[node].min(self.visited[next]),
                None => {
                    stack.pop();
                    self.leave(node);
                    if let Some((parent, _)) = stack.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[node]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize) -> (usize, I) {
        self.visits += 1;
        self.visited[node] = self.visits;
        self.low[node] = self.visits;
        self.open.push(node);
        (node, (self.successors)(node))
    }

    fn leave(&mut self, node: usize) {
        if self.low[node] != self.visited[node] {
            return;
        }
        let number = self.found.is_cyclic.len() as u32;
        let mut size = 0;
        while let Some(member) = self.open.pop() {
            self.found.of[member] = number;
            size += 1;
            if member == node {
                break;
            }
        }
        let has_loop = || (self.successors)(node).any(|next| next == node);
        let is_cyclic = size > 1 || has_loop();
        self.found.is_cyclic.push(is_cyclic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components_and_edges_lead_to_smaller_numbers() {
        let edges = [vec![1], vec![2, 3], vec![1], vec![3], vec![]];
        let found = components(edges.len(), |node| edges[node].iter().copied());
        assert_eq!(found.of, [2, 1, 1, 0, 3]);
        assert_eq!(found.is_cyclic, [true, true, false, false]);
    }

    #[test]
    fn what_the_roots_do_not_reach_has_no_component() {
        let edges = [vec![1], vec![0], vec![1], vec![3]];
        let found = components_from([2], edges.len(), |node| edges[node].iter().copied());
        assert_eq!([0, 1, 2, 3].map(|node| found.get(node)), [Some(0), Some(0), Some(1), None]);
        assert_eq!(found.is_cyclic, [true, false]);
    }
}
