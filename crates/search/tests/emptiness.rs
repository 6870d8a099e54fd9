//! The searches for accepted runs against a decomposition into strongly connected components, on random graphs.

#[allow(dead_code, reason = "other tests use the rest")]
mod toy;

use ample_search::{Acceptance, EMPTINESS, Emptiness, Ended, Limits, Search, SearchOutcome, StopAt};
use ample_store::STORES;
use ample_transition::{Accepting, Budget, FaultKind, StateLength, StoreConfig};
use proptest::prelude::*;
use toy::{Node, Toy, node, to};

/// A graph: the successors of each node, and which nodes are accepting. Node 0 is the initial one.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<Node>>,
    accepting: Vec<bool>,
}

struct Marked<'g>(&'g [bool]);

impl Accepting for Marked<'_> {
    fn is_accepting(&self, state: &[u8]) -> bool {
        self.0[node(state) as usize]
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    (1..12usize).prop_flat_map(|count| {
        let edges = prop::collection::vec(prop::collection::vec(0..count as Node, 0..3), count);
        let accepting = prop::collection::vec(prop::bool::weighted(0.3), count);
        (edges, accepting).prop_map(|(edges, accepting)| Graph { edges, accepting })
    })
}

/// The nodes that can be reached by at least one edge.
fn reachable(graph: &Graph, from: Node) -> Vec<bool> {
    let mut reached = vec![false; graph.edges.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &next in &graph.edges[node as usize] {
            if !std::mem::replace(&mut reached[next as usize], true) {
                open.push(next);
            }
        }
    }
    reached
}

/// Whether an accepting node that can be reached can reach itself.
fn has_accepted_run(graph: &Graph) -> bool {
    let mut reached = reachable(graph, 0);
    reached[0] = true;
    let on_cycle = |node: usize| reachable(graph, node as Node)[node];
    (0..graph.edges.len()).any(|node| reached[node] && graph.accepting[node] && on_cycle(node))
}

fn run(graph: &Graph, algorithm: usize, store: usize) -> SearchOutcome {
    let system = Toy {
        initial: 0,
        steps: |node: Node| graph.edges[node as usize].iter().map(|&next| to(next)).collect(),
        may_end: |_| true,
    };
    let budget = Budget::unlimited();
    let make = || {
        let config = StoreConfig { budget: budget.clone(), length: StateLength::Always(4), typical: Vec::new() };
        (STORES[store].make)(&config).unwrap()
    };
    let search = Search {
        system: &system,
        store: make(),
        budget: &budget,
        threads: 1,
        wanted: &[],
        stop_at: StopAt::FirstViolation,
        limits: &Limits::default(),
        progress: None,
        observer: None,
    };
    let fault = toy::fault(FaultKind::Cycle, 0);
    (EMPTINESS[algorithm].run)(Emptiness {
        search,
        acceptance: Acceptance::States(&Marked(&graph.accepting)),
        is_weak: false,
        make_store: &|_| Some(make()),
        fault,
    })
}

/// Follows a trace; gives the nodes along it.
fn follow(graph: &Graph, outcome: &SearchOutcome) -> Vec<Node> {
    let trace = &outcome.violations[0].trace;
    let mut nodes = vec![0];
    for transition in &trace.transitions {
        let edge = ample_stdx::TypedId::index(transition[0].edge);
        nodes.push(graph.edges[nodes[nodes.len() - 1] as usize][edge]);
    }
    nodes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn an_accepted_run_is_found_if_there_is_one(graph in graphs()) {
        for algorithm in 0..EMPTINESS.len() {
            for store in 0..2 {
                let outcome = run(&graph, algorithm, store);
                prop_assert_eq!(!outcome.violations.is_empty(), has_accepted_run(&graph));
                if outcome.violations.is_empty() {
                    prop_assert_eq!(outcome.ended, Ended::Complete);
                    let reached = 1 + (1..graph.edges.len()).filter(|&node| reachable(&graph, 0)[node]).count();
                    prop_assert_eq!(outcome.counts.states as usize, reached);
                    continue;
                }
                let nodes = follow(&graph, &outcome);
                let start = outcome.violations[0].trace.cycle.unwrap();
                prop_assert!(start < nodes.len() - 1, "the cycle has a step");
                prop_assert_eq!(nodes[start], nodes[nodes.len() - 1]);
                prop_assert!(nodes[start..].iter().any(|&node| graph.accepting[node as usize]));
            }
        }
    }
}
