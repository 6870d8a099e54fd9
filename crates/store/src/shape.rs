//! The shape of a tree: which lanes of a state are joined first.
//!
//! The words below the roots are few if lanes are joined that say much about each other, like a process and the channel that it reads.
//! That is learned from typical states: again and again, the two parts with the fewest different combinations are joined. Without
//! typical states, neighbours are joined, level by level.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Joining all pairs of all parts on all typical states should not take longer than about this many steps.
const MOST_STEPS: usize = 2_000_000;
/// With fewer typical states than this there is nothing to learn.
const LEAST_STATES: usize = 64;

/// A node's place when it has no parent: it is a half of the root.
pub(crate) const TOP: u32 = u32::MAX;

/// A binary tree, or two, over the lanes of a state. Nodes are numbered: first the lanes, then their joints, children before parents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// The lanes from left to right: those below one joint are neighbours.
    pub order: Vec<u32>,
    /// The children of each joint, by number less the number of lanes.
    pub children: Vec<[u32; 2]>,
    /// The parent of each node.
    pub parents: Vec<u32>,
    /// How far each node is from the lanes below it.
    pub heights: Vec<u32>,
    /// The nodes without a parent, one or two.
    pub tops: Vec<u32>,
}

impl Shape {
    /// How many lanes there are.
    pub fn lanes(&self) -> usize {
        self.order.len()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// The greatest height.
    pub fn height(&self) -> u32 {
        self.heights.iter().copied().max().unwrap_or_default()
    }

    /// The other child of the parent, and whether it is the right one.
    pub fn sibling(&self, node: u32) -> (u32, bool) {
        let [left, right] = self.children[self.parents[node as usize] as usize - self.lanes()];
        if left == node { (right, true) } else { (left, false) }
    }

    /// Neighbours joined, level by level, until `tops` are left.
    pub fn balanced(lanes: usize, tops: usize) -> Shape {
        let mut joints = Joints::new(lanes);
        let mut level: Vec<u32> = (0..lanes as u32).collect();
        while level.len() > tops {
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => joints.join(left, right),
                    _ => pair[0],
                })
                .collect();
        }
        joints.shape(level)
    }

    /// The shape for two tops that suits these states, each given by its lanes; `None` if they are too few to tell.
    pub fn learned(states: &[Vec<u64>]) -> Option<Shape> {
        let lanes = states.first()?.len();
        let most = MOST_STEPS / (lanes * lanes).max(1);
        let states = &states[..states.len().min(most)];
        if lanes < 3 || states.len() < LEAST_STATES {
            return None;
        }
        let column = |lane: usize| number(states.iter().map(|state| state[lane]));
        let parts = (0..lanes).map(|lane| Part { node: lane as u32, lanes: 1, column: column(lane) }).collect();
        let mut learning = Learning { joints: Joints::new(lanes), parts, costs: HashMap::default() };
        while learning.parts.len() > 2 {
            learning.join_cheapest()?;
        }
        let tops = learning.parts.iter().map(|part| part.node).collect();
        Some(learning.joints.shape(tops))
    }
}

/// A tree in the making.
struct Joints {
    lanes: usize,
    children: Vec<[u32; 2]>,
}

impl Joints {
    fn new(lanes: usize) -> Joints {
        Joints { lanes, children: Vec::new() }
    }

    fn join(&mut self, left: u32, right: u32) -> u32 {
        self.children.push([left, right]);
        (self.lanes + self.children.len() - 1) as u32
    }

    fn shape(self, tops: Vec<u32>) -> Shape {
        let nodes = self.lanes + self.children.len();
        let mut shape =
            Shape { children: self.children, parents: vec![TOP; nodes], heights: vec![0; nodes], tops, order: Vec::new() };
        for (joint, &[left, right]) in shape.children.iter().enumerate() {
            let node = self.lanes + joint;
            shape.parents[left as usize] = node as u32;
            shape.parents[right as usize] = node as u32;
            shape.heights[node] = 1 + shape.heights[left as usize].max(shape.heights[right as usize]);
        }
        let mut stack: Vec<u32> = shape.tops.iter().rev().copied().collect();
        while let Some(node) = stack.pop() {
            match (node as usize).checked_sub(self.lanes) {
                Some(joint) => stack.extend(shape.children[joint].iter().rev()),
                None => shape.order.push(node),
            }
        }
        shape
    }
}

/// A part of the lanes that are joined already, with a number for what each typical state has there.
struct Part {
    node: u32,
    lanes: usize,
    column: Vec<u32>,
}

struct Learning {
    joints: Joints,
    parts: Vec<Part>,
    /// How many combinations two nodes have.
    costs: HashMap<(u32, u32), usize, FixedState>,
}

impl Learning {
    /// Joins the two parts with the fewest combinations; of equals, the smaller ones.
    fn join_cheapest(&mut self) -> Option<()> {
        let mut best = None;
        for right in 1..self.parts.len() {
            for left in 0..right {
                let (a, b) = (&self.parts[left], &self.parts[right]);
                let cost = *self.costs.entry((a.node, b.node)).or_insert_with(|| count(&combine(a, b)));
                let key = (cost, a.lanes + b.lanes, left, right);
                best = best.filter(|best| *best < key).or(Some(key));
            }
        }
        let (_, lanes, left, right) = best?;
        let column = combine(&self.parts[left], &self.parts[right]);
        let right = self.parts.remove(right);
        let left = self.parts.remove(left);
        self.parts.push(Part { node: self.joints.join(left.node, right.node), lanes, column });
        Some(())
    }
}

/// The combinations of two parts, numbered.
fn combine(a: &Part, b: &Part) -> Vec<u32> {
    number(a.column.iter().zip(&b.column).map(|(&a, &b)| u64::from(a) << 32 | u64::from(b)))
}

fn number(values: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut numbers: HashMap<u64, u32, FixedState> = HashMap::default();
    values
        .map(|value| {
            let next = numbers.len() as u32;
            *numbers.entry(value).or_insert(next)
        })
        .collect()
}

fn count(column: &[u32]) -> usize {
    column.iter().max().map_or(0, |max| *max as usize + 1)
}
