//! The shape of a tree: which words of a state, its leaves, are joined first.
//!
//! The pairs below the roots are few if leaves are joined that say much about each other, like a
//! process and the channel that it reads. That is learned from typical states: again and again, the
//! two parts with the fewest different combinations are joined. Without typical states, neighbours
//! are joined, level by level.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Joining all pairs of all parts on all typical states should not take longer than about this many
/// steps.
const MOST_STEPS: usize = 2_000_000;
/// With fewer typical states than this there is nothing to learn.
const LEAST_STATES: usize = 64;

/// How many times as many states there are expected to be, as a binary logarithm.
const DOUBLINGS: i32 = 8;

/// A node's place when it has no parent: it is a half of the root.
const TOP: u32 = u32::MAX;

/// A binary tree, or two, over the leaves of a state. Nodes are numbered: first the leaves, then
/// their joints, children before parents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    leaves: usize,
    /// The children of each joint, by number less the number of leaves.
    pub children: Vec<[u32; 2]>,
    /// The parent of each node.
    parents: Vec<u32>,
    /// For each leaf those of the first joints that are above it, as bits.
    above: Vec<u64>,
    /// The nodes without a parent, one or two.
    pub tops: Vec<u32>,
}

impl Shape {
    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// How many joints there are.
    pub fn joints(&self) -> usize {
        self.children.len()
    }

    /// Whether every leaf has a parent: then no half of a root is a word of the state itself.
    pub fn joins_all(&self) -> bool {
        self.tops.iter().all(|&top| top as usize >= self.leaves)
    }

    /// Adds the joints above some leaves, given as bits: there are not more leaves than bits, and
    /// so fewer joints.
    #[inline]
    pub fn add_above(&self, leaves: u64, joints: &mut JointSet) {
        let mut left = leaves;
        while left != 0 {
            let leaf = left.trailing_zeros() as usize;
            left &= left - 1;
            joints.first |= self.above[leaf];
        }
    }

    /// Adds the joints above a leaf, up to one that is there already.
    pub fn add_path(&self, leaf: usize, joints: &mut JointSet) {
        let mut node = self.parents[leaf];
        while node != TOP && joints.insert(node as usize - self.leaves) {
            node = self.parents[node as usize];
        }
    }

    /// Neighbours joined, level by level, until `tops` are left.
    pub fn balanced(leaves: usize, tops: usize) -> Shape {
        let mut joints = Joints::new(leaves);
        let mut level: Vec<u32> = (0..leaves as u32).collect();
        while level.len() > tops {
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => joints.join(left, right),
                    _ => pair[0],
                })
                .collect();
            // What is left over is joined next time: no leaf stays alone up to the top.
            if level.len() % 2 == 1 {
                level.rotate_right(1);
            }
        }
        joints.shape(level)
    }

    /// The shape for two tops that suits these states, each given by its leaves; `None` if they are
    /// too few to tell.
    pub fn learned(states: &[Vec<u32>]) -> Option<Shape> {
        let leaves = states.first()?.len();
        let most = MOST_STEPS / (leaves * leaves).max(1);
        let states = &states[..states.len().min(most)];
        if leaves < 3 || states.len() < LEAST_STATES {
            return None;
        }
        let column = |leaf: usize| number(states.iter().map(|state| u64::from(state[leaf])));
        let parts = (0..leaves).map(|leaf| Part { node: leaf as u32, leaves: 1, column: column(leaf) }).collect();
        let mut learning = Learning { joints: Joints::new(leaves), parts, costs: HashMap::default() };
        while learning.parts.len() > 2 {
            learning.join_cheapest()?;
        }
        let tops = learning.parts.iter().map(|part| part.node).collect();
        Some(learning.joints.shape(tops))
    }
}

/// Some joints of a shape, as bits. Most shapes have few.
#[derive(Debug, Default)]
pub(crate) struct JointSet {
    first: u64,
    rest: Vec<u64>,
    /// How many joints the shape has.
    joints: usize,
}

const BITS: usize = u64::BITS as usize;

impl JointSet {
    /// Nothing yet, of so many joints.
    pub fn new(joints: usize) -> JointSet {
        JointSet { first: 0, rest: vec![0; joints.saturating_sub(BITS).div_ceil(BITS)], joints }
    }

    /// Adds a joint. Whether it was not there.
    #[inline]
    pub fn insert(&mut self, joint: usize) -> bool {
        let part = if joint < BITS { &mut self.first } else { &mut self.rest[joint / BITS - 1] };
        let before = *part;
        *part |= 1 << (joint % BITS);
        *part != before
    }

    /// Becomes the set of all joints.
    pub fn fill(&mut self) {
        self.first = 0;
        self.rest.fill(0);
        (0..self.joints).for_each(|joint| _ = self.insert(joint));
    }

    /// Removes all joints, children before parents.
    #[inline]
    pub fn drain(&mut self) -> impl Iterator<Item = usize> {
        let mut part = std::mem::take(&mut self.first);
        let mut rest = self.rest.iter_mut();
        let mut start = 0;
        std::iter::from_fn(move || {
            while part == 0 {
                part = std::mem::take(rest.next()?);
                start += BITS;
            }
            let bit = part.trailing_zeros() as usize;
            part &= part - 1;
            Some(start + bit)
        })
    }

    /// Removes the last joint, which is no child of the others.
    #[inline]
    pub fn take_last(&mut self) -> Option<usize> {
        let last = self.rest.iter_mut().enumerate().rfind(|(_, part)| **part != 0);
        let (start, part) = last.map_or((0, &mut self.first), |(place, part)| ((place + 1) * BITS, part));
        let bit = part.checked_ilog2()?;
        *part ^= 1 << bit;
        Some(start + bit as usize)
    }
}

/// A tree in the making.
struct Joints {
    leaves: usize,
    children: Vec<[u32; 2]>,
}

impl Joints {
    fn new(leaves: usize) -> Joints {
        Joints { leaves, children: Vec::new() }
    }

    fn join(&mut self, left: u32, right: u32) -> u32 {
        self.children.push([left, right]);
        (self.leaves + self.children.len() - 1) as u32
    }

    fn shape(self, tops: Vec<u32>) -> Shape {
        let nodes = self.leaves + self.children.len();
        let mut shape =
            Shape { children: self.children, parents: vec![TOP; nodes], tops, leaves: self.leaves, above: Vec::new() };
        for (joint, &[left, right]) in shape.children.iter().enumerate() {
            let node = self.leaves + joint;
            shape.parents[left as usize] = node as u32;
            shape.parents[right as usize] = node as u32;
        }
        let above = |leaf| {
            let mut joints = JointSet::new(shape.joints());
            shape.add_path(leaf, &mut joints);
            joints.first
        };
        shape.above = (0..self.leaves).map(above).collect();
        shape
    }
}

/// A part of the leaves that are joined already, with a number for what each typical state has
/// there.
struct Part {
    node: u32,
    leaves: usize,
    column: Vec<u32>,
}

struct Learning {
    joints: Joints,
    parts: Vec<Part>,
    /// How many combinations two nodes will have.
    costs: HashMap<(u32, u32), u64, FixedState>,
}

impl Learning {
    /// Joins the two parts with the fewest combinations; of equals, the smaller ones.
    fn join_cheapest(&mut self) -> Option<()> {
        let mut best = None;
        for right in 1..self.parts.len() {
            for left in 0..right {
                let (a, b) = (&self.parts[left], &self.parts[right]);
                let cost = *self.costs.entry((a.node, b.node)).or_insert_with(|| expected(&combine(a, b)));
                let key = (cost, a.leaves + b.leaves, left, right);
                best = best.filter(|best| *best < key).or(Some(key));
            }
        }
        let (_, leaves, left, right) = best?;
        let column = combine(&self.parts[left], &self.parts[right]);
        let right = self.parts.remove(right);
        let left = self.parts.remove(left);
        self.parts.push(Part { node: self.joints.join(left.node, right.node), leaves, column });
        Some(())
    }
}

/// The combinations of two parts, numbered.
fn combine(a: &Part, b: &Part) -> Vec<u32> {
    number(a.column.iter().zip(&b.column).map(|(&a, &b)| u64::from(a) << 32 | u64::from(b)))
}

pub(crate) fn number(values: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut numbers: HashMap<u64, u32, FixedState> = HashMap::default();
    values
        .map(|value| {
            let next = numbers.len() as u32;
            *numbers.entry(value).or_insert(next)
        })
        .collect()
}

/// How many combinations there would be in far more states: those that half of the states have, and
/// all of them have, tell how fast they become more with each doubling.
fn expected(column: &[u32]) -> u64 {
    let half = count(&column[..column.len() / 2]).max(1.0);
    let all = count(column);
    (all * (all / half).powi(DOUBLINGS)) as u64
}

fn count(column: &[u32]) -> f64 {
    column.iter().max().map_or(0.0, |max| f64::from(*max) + 1.0)
}
