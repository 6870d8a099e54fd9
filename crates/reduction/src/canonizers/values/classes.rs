//! Which values of a node can be told apart: the coarsest partition that tests and flows respect.
//!
//! First the values that may come to each node are found, forward from what is given. Then values
//! are split: two stay in one class as long as all tests have the same results, and all flows lead
//! to one class of the same node. What is left when nothing is split any more cannot be told apart
//! by anybody, now or later (as in the minimisation of automata; Moore 1956).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ample_model::Scalar;
use ample_stdx::{IndexVec, Stop};

use super::function::Function;
use super::graph::{Aspect, Flow, Graph, NodeId, Test};

/// Nodes that more values may come to are not looked at.
const MOST_VALUES: usize = 512;

/// So many times a function is evaluated; then nothing is said of any value.
const MOST_WORK: usize = 10_000_000;

/// After so many of them it is asked whether to stop.
const PATIENCE: usize = 10_000;

/// The values of a node, in order; `None` if they are not known.
pub(super) type Values = Option<BTreeSet<i64>>;

/// The values of a node by their class.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    /// In order.
    pub values: Vec<i64>,
    /// The class of each.
    pub classes: Vec<usize>,
    pub count: usize,
    /// Whether the values are not known, and nobody tells any of them apart.
    pub is_dead: bool,
}

impl Classes {
    fn of(&self, value: i64) -> Option<usize> {
        if self.is_dead {
            return Some(0);
        }
        self.values.binary_search(&value).ok().map(|at| self.classes[at])
    }

    /// Whether no two values are told apart.
    fn is_one(&self) -> bool {
        self.is_dead || self.count == 1
    }

    /// The values that another one stands for, the least of their class.
    pub fn represented(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let mut least: Vec<Option<i64>> = vec![None; self.count];
        let all = self.values.iter().zip(&self.classes);
        all.filter_map(move |(value, class)| {
            let least = *least[*class].get_or_insert(*value);
            (least != *value).then_some((*value, least))
        })
    }
}

/// All values of a small type.
fn all_of(scalar: Scalar) -> Values {
    match scalar {
        Scalar::Bit => Some((0..2).collect()),
        Scalar::Byte => Some((0..256).collect()),
        Scalar::Unsigned(bits @ ..=8) => Some((0..1 << bits).collect()),
        _ => None,
    }
}

impl Flow {
    /// What becomes of a value where it goes; `None` if it does not.
    fn apply(&self, value: i64, graph: &Graph) -> Option<i64> {
        let is_open =
            self.guards.iter().all(|guard| guard.apply(graph.arithmetic, value).is_some_and(|truth| truth != 0));
        is_open
            .then(|| self.function.apply(graph.arithmetic, value).map(|value| graph.stored(self.to, value)))
            .flatten()
    }
}

/// Counts evaluations.
struct Work<'s> {
    done: usize,
    /// When it is asked again whether to stop.
    next: usize,
    stop: &'s Stop,
}

impl<'s> Work<'s> {
    fn new(stop: &'s Stop) -> Work<'s> {
        Work { done: 0, next: PATIENCE, stop }
    }

    /// So many evaluations are to follow; `None` if that is too much, or if it is time to stop.
    fn add(&mut self, evaluations: usize) -> Option<()> {
        self.done += evaluations;
        if self.done < self.next {
            return Some(());
        }
        self.next = self.done + PATIENCE;
        (self.done <= MOST_WORK && !self.stop.is_due()).then_some(())
    }
}

/// The values that may come to each node; `None` if that takes too long.
pub(super) fn domains(graph: &Graph, stop: &Stop) -> Option<IndexVec<NodeId, Values>> {
    let mut domains: IndexVec<NodeId, Values> = graph.nodes.iter().map(|_| Some(BTreeSet::new())).collect();
    let mut open: Vec<(NodeId, Option<i64>)> = Vec::new();
    let mut work = Work::new(stop);
    let add =
        |domains: &mut IndexVec<NodeId, Values>, open: &mut Vec<(NodeId, Option<i64>)>, to, value: Option<i64>| {
            let Some(values) = &mut domains[to] else { return };
            match value {
                Some(value) if values.len() < MOST_VALUES => {
                    if values.insert(value) {
                        open.push((to, Some(value)));
                    }
                }
                Some(value) if values.contains(&value) => {}
                _ => match all_of(graph.scalar(to)) {
                    Some(all) => {
                        open.extend(all.difference(values).map(|value| (to, Some(*value))));
                        *values = all;
                    }
                    None => {
                        domains[to] = None;
                        open.push((to, None));
                    }
                },
            }
        };
    for (id, node) in graph.nodes.iter_enumerated() {
        node.given.iter().for_each(|value| add(&mut domains, &mut open, id, Some(*value)));
        if node.is_any {
            add(&mut domains, &mut open, id, None);
        }
    }
    while let Some((id, value)) = open.pop() {
        let flows = &graph.nodes[id].flows;
        work.add(flows.len())?;
        for flow in flows {
            match value {
                Some(value) => {
                    if let Some(next) = flow.apply(value, graph) {
                        add(&mut domains, &mut open, flow.to, Some(next));
                    }
                }
                None => add(&mut domains, &mut open, flow.to, None),
            }
        }
    }
    Some(domains)
}

/// What a test says of a value.
fn outcome(test: &Test, graph: &Graph, value: i64) -> Option<i64> {
    let result = test.function.apply(graph.arithmetic, value);
    match test.aspect {
        Aspect::Value => result,
        Aspect::Truth => result.map(|value| i64::from(value != 0)),
    }
}

/// Where a flow leads, as far as values are told apart there.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Reached {
    Nothing,
    Class(usize),
    /// Where the values are not known.
    Value(i64),
}

/// The classes of each node; `None` if that takes too long.
pub(super) fn classes(graph: &Graph, stop: &Stop) -> Option<IndexVec<NodeId, Classes>> {
    let domains = domains(graph, stop)?;
    let mut classes: IndexVec<NodeId, Classes> = IndexVec::new();
    let mut before: IndexVec<NodeId, Vec<NodeId>> = graph.nodes.iter().map(|_| Vec::new()).collect();
    let mut work = Work::new(stop);
    for (id, node) in graph.nodes.iter_enumerated() {
        let values: Vec<i64> = domains[id].iter().flatten().copied().collect();
        work.add(values.len() * node.tests.len())?;
        classes.push(split(&values, |value| {
            node.tests.iter().map(|test| outcome(test, graph, value)).collect::<Vec<_>>()
        }));
        classes[id].is_dead = domains[id].is_none() && node.tests.is_empty();
        node.flows.iter().for_each(|flow| before[flow.to].push(id));
    }
    let mut open: BTreeSet<NodeId> = graph.nodes.ids().collect();
    while let Some(id) = open.pop_last() {
        let (node, current) = (&graph.nodes[id], &classes[id]);
        work.add(current.values.len() * (node.flows.len() + 1))?;
        if current.is_dead {
            let is_lost = |flow: &Flow| {
                matches!(flow.function, Function::Identity) && flow.guards.is_empty() && classes[flow.to].is_one()
            };
            if !node.flows.iter().all(is_lost) {
                classes[id].is_dead = false;
                open.extend(&before[id]);
            }
            continue;
        }
        if current.count == current.values.len() {
            continue;
        }
        let reached = |flow: &Flow, value: i64| match flow.apply(value, graph) {
            None => Reached::Nothing,
            Some(next) => classes[flow.to].of(next).map_or(Reached::Value(next), Reached::Class),
        };
        let finer = split(&current.values, |value| {
            (current.of(value), node.flows.iter().map(|flow| reached(flow, value)).collect::<Vec<_>>())
        });
        if finer.count > current.count {
            classes[id] = finer;
            open.extend(&before[id]);
        }
    }
    Some(classes)
}

/// Values by what is said of them.
fn split<K: std::hash::Hash + Eq>(values: &[i64], key: impl Fn(i64) -> K) -> Classes {
    let mut known: HashMap<K, usize> = HashMap::new();
    let mut number = |value: &i64| {
        let next = known.len();
        *known.entry(key(*value)).or_insert(next)
    };
    let classes = values.iter().map(&mut number).collect();
    Classes { values: values.to_vec(), classes, count: known.len(), is_dead: false }
}

/// For a report: how many values each cell has where most of them are taken for each other, and how
/// many classes. Cells whose values are all told apart, or that nobody reads there, are left out.
pub(super) fn best(graph: &Graph, classes: &IndexVec<NodeId, Classes>) -> BTreeMap<usize, (usize, usize)> {
    let mut best: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (id, found) in classes.iter_enumerated() {
        let (values, count) = (found.values.len(), found.count);
        if count < 2 || count == values {
            continue;
        }
        let known = best.entry(graph.nodes[id].cell).or_insert((values, count));
        if values - count > known.0 - known.1 {
            *known = (values, count);
        }
    }
    best
}
