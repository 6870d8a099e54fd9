//! The searches for accepted runs against a decomposition into strongly connected components, on random graphs.

#[allow(dead_code, reason = "other tests use the rest")]
mod toy;

use ample_model::EdgeId;
use ample_search::{Acceptance, EMPTINESS, Emptiness, Ended, Limits, Search, SearchOutcome, StopAt};
use ample_stdx::TypedId;
use ample_store::STORES;
use ample_transition::{
    Accepting, Budget, Fault, FaultKind, Marks, Move, StateLength, StoreConfig, SuccessorBuffer, Successors,
};
use proptest::prelude::*;
use toy::{Node, bytes, node};

/// A graph: the edges of each node with their marks, as bits, and which nodes are accepting. Node 0 is the initial one.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<(Node, u64)>>,
    accepting: Vec<bool>,
}

/// How many marks there are.
const MARKS: u32 = 3;

impl Accepting for Graph {
    fn is_accepting(&self, state: &[u8]) -> bool {
        self.accepting[node(state) as usize]
    }
}

impl Successors for Graph {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        Ok(bytes(0))
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        for (number, &(next, marks)) in self.edges[node(state) as usize].iter().enumerate() {
            let edge = Move { process: 0, edge: EdgeId::from_index(number), partner: None };
            buffer.push_state(&[edge], &bytes(next));
            buffer.push_marks(Marks::of_automaton(marks));
        }
    }

    fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
        None
    }
}

fn graphs(most: usize) -> impl Strategy<Value = Graph> {
    (1..most).prop_flat_map(|count| {
        let edge = (0..count as Node, 0..1u64 << MARKS);
        let edges = prop::collection::vec(prop::collection::vec(edge, 0..3), count);
        let accepting = prop::collection::vec(prop::bool::weighted(0.3), count);
        (edges, accepting).prop_map(|(edges, accepting)| Graph { edges, accepting })
    })
}

impl Graph {
    /// The nodes that can be reached by at least one edge.
    fn reachable(&self, from: Node) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for &(next, _) in &self.edges[node as usize] {
                if !std::mem::replace(&mut reached[next as usize], true) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The nodes that the initial one can reach, and for each those that are on a common cycle with it.
    fn components(&self) -> Vec<(usize, Vec<usize>)> {
        let reach: Vec<Vec<bool>> = (0..self.edges.len()).map(|node| self.reachable(node as Node)).collect();
        let reached = (0..self.edges.len()).filter(|&node| node == 0 || reach[0][node]);
        let with = |node: usize| {
            let others = 0..self.edges.len();
            others.filter(|&other| reach[node][other] && reach[other][node]).collect::<Vec<usize>>()
        };
        reached.map(|node| (node, with(node))).collect()
    }

    fn has_accepted_run(&self) -> bool {
        self.components().iter().any(|(node, component)| self.accepting[*node] && component.contains(node))
    }

    fn has_run_with_all_marks(&self) -> bool {
        let all = (1 << MARKS) - 1;
        self.components().iter().any(|(_, component)| {
            let inside = component.iter().flat_map(|&node| &self.edges[node]);
            let inside = inside.filter(|(next, _)| component.contains(&(*next as usize)));
            !component.is_empty() && inside.fold(0, |marks, edge| marks | edge.1) == all
        })
    }

    /// Whether each component has accepting nodes only or none.
    fn is_weak(&self) -> bool {
        let uniform = |component: &[usize]| component.windows(2).all(|w| self.accepting[w[0]] == self.accepting[w[1]]);
        self.components().iter().all(|(_, component)| uniform(component))
    }

    /// The graph with the mark 0 on the edges that leave accepting nodes, and no other.
    fn with_marks_of_nodes(&self) -> Graph {
        let mut graph = self.clone();
        for (edges, &is_accepting) in graph.edges.iter_mut().zip(&graph.accepting) {
            edges.iter_mut().for_each(|edge| edge.1 = u64::from(is_accepting));
        }
        graph
    }

    /// How many nodes the initial one can reach, and how many edges leave them.
    fn counts(&self) -> (u64, u64) {
        let nodes = self.components();
        (nodes.len() as u64, nodes.iter().map(|&(node, _)| self.edges[node].len() as u64).sum())
    }
}

struct How {
    algorithm: usize,
    store: usize,
    threads: usize,
    is_weak: bool,
}

fn run(graph: &Graph, how: &How, marks: u64) -> SearchOutcome {
    let budget = Budget::unlimited();
    let make = |length| {
        let config = StoreConfig { budget: budget.clone(), length, typical: Vec::new() };
        (STORES[how.store].make)(&config).ok()
    };
    let search = Search {
        system: graph,
        store: make(StateLength::Always(4)).unwrap(),
        budget: &budget,
        threads: how.threads,
        wanted: &[],
        stop_at: StopAt::FirstViolation,
        limits: &Limits::default(),
        progress: None,
        observer: None,
        reduction: None,
        is_unfounded: None,
    };
    let entry = &EMPTINESS[how.algorithm];
    let acceptance = match entry.is_generalised {
        true => Acceptance::Marks(Marks::of_automaton(marks)),
        false => Acceptance::States(graph),
    };
    let fault = toy::fault(FaultKind::Cycle, 0);
    (entry.run)(Emptiness { search, acceptance, is_weak: how.is_weak, make_store: &make, fault })
}

/// Follows a trace; gives the nodes along it and the marks of its cycle.
fn follow(graph: &Graph, outcome: &SearchOutcome) -> (Vec<Node>, u64) {
    let trace = &outcome.violations[0].trace;
    let (mut nodes, mut marks) = (vec![0], 0);
    for (number, transition) in trace.transitions.iter().enumerate() {
        let edge = graph.edges[nodes[nodes.len() - 1] as usize][transition[0].edge.index()];
        nodes.push(edge.0);
        marks |= if number >= trace.cycle.unwrap() { edge.1 } else { 0 };
    }
    (nodes, marks)
}

/// Whether the answer is right; if a run was found, whether it is one and comes back to where its cycle begins.
fn check(graph: &Graph, how: &How, marks: u64, expected: bool) {
    let outcome = run(graph, how, marks);
    assert_eq!(!outcome.violations.is_empty(), expected, "{}", EMPTINESS[how.algorithm].part.name);
    if !expected {
        assert_eq!(outcome.ended, Ended::Complete);
        assert_eq!((outcome.counts.states, outcome.counts.transitions), graph.counts());
        return;
    }
    let (nodes, cycle_marks) = follow(graph, &outcome);
    let start = outcome.violations[0].trace.cycle.unwrap();
    assert!(start < nodes.len() - 1, "the cycle has a step");
    assert_eq!(nodes[start], nodes[nodes.len() - 1]);
    match EMPTINESS[how.algorithm].is_generalised {
        true => assert_eq!(cycle_marks & marks, marks),
        false => assert!(nodes[start..].iter().any(|&node| graph.accepting[node as usize])),
    }
}

/// Every algorithm that takes this kind of acceptance, with exact stores, on these numbers of threads.
fn check_all(graph: &Graph, is_generalised: bool, marks: u64, expected: bool, threads: &[usize]) {
    for (algorithm, entry) in EMPTINESS.iter().enumerate().filter(|(_, e)| e.is_generalised == is_generalised) {
        for &threads in threads.iter().filter(|&&threads| threads == 1 || entry.is_parallel) {
            for store in 0..2 {
                let is_weak = graph.is_weak();
                check(graph, &How { algorithm, store, threads, is_weak: false }, marks, expected);
                if is_weak {
                    check(graph, &How { algorithm, store, threads, is_weak }, marks, expected);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn an_accepted_run_is_found_if_there_is_one(graph in graphs(12)) {
        check_all(&graph, false, 0, graph.has_accepted_run(), &[1]);
        check_all(&graph.with_marks_of_nodes(), true, 1, graph.has_accepted_run(), &[1]);
    }

    #[test]
    fn a_run_with_all_marks_is_found_if_there_is_one(graph in graphs(12)) {
        check_all(&graph, true, (1 << MARKS) - 1, graph.has_run_with_all_marks(), &[1]);
    }

    #[test]
    fn without_marks_every_cycle_will_do(graph in graphs(12)) {
        let has_cycle = graph.components().iter().any(|(_, component)| !component.is_empty());
        check_all(&graph, true, 0, has_cycle, &[1]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]
    #[test]
    fn threads_make_no_difference(graph in graphs(40)) {
        check_all(&graph, false, 0, graph.has_accepted_run(), &[1, 2, 8]);
    }
}
