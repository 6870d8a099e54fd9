//! The searches for accepted runs against a decomposition into strongly connected components, on
//! random graphs.

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

/// A graph: the edges of each node with their marks, as bits, and which nodes are accepting. Node 0
/// is the initial one.
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

    /// The nodes that the initial one can reach, and for each those that are on a common cycle with
    /// it.
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

    /// The length of a shortest run with all these marks on its cycle: by trying all lengths.
    fn shortest_lasso(&self, all: u64) -> Option<usize> {
        let mut at = std::collections::BTreeSet::from([0 as Node]);
        let mut shortest: Option<usize> = None;
        for prefix in 0..=self.edges.len() {
            for &entry in &at {
                let mut walks = std::collections::BTreeSet::from([(entry, 0u64)]);
                for cycle in 1..=self.edges.len() * (MARKS as usize + 1) {
                    walks = walks
                        .iter()
                        .flat_map(|&(node, marks)| {
                            self.edges[node as usize].iter().map(move |&(next, more)| (next, marks | more))
                        })
                        .collect();
                    if walks.contains(&(entry, all)) {
                        shortest = Some(shortest.map_or(prefix + cycle, |known| known.min(prefix + cycle)));
                        break;
                    }
                }
            }
            at = at.iter().flat_map(|&node| self.edges[node as usize].iter().map(|edge| edge.0)).collect();
        }
        shortest
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
    run_within(&Budget::unlimited(), graph, how, marks).unwrap()
}

/// `None` if there is no memory for the store.
fn run_within(budget: &Budget, graph: &Graph, how: &How, marks: u64) -> Option<SearchOutcome> {
    let make = |length| {
        let config = StoreConfig {
            budget: budget.clone(),
            length,
            typical: Default::default(),
            key_use: ample_transition::KeyUse::Identities,
        };
        (STORES[how.store].make)(&config).ok()
    };
    let search = Search {
        system: graph,
        store: make(StateLength::Always(4))?,
        make_exact_store: &|| None,
        budget,
        threads: how.threads,
        wanted: &[],
        stop_at: StopAt::FirstViolation,
        limits: &Limits::default(),
        progress: None,
        observer: None,
        reduction: None,
        has_assumption_failed: None,
        slices: None,
    };
    let entry = &EMPTINESS[how.algorithm];
    let acceptance = match entry.is_generalised {
        true => Acceptance::Marks(Marks::of_automaton(marks)),
        false => Acceptance::States(graph),
    };
    let fault = toy::fault(FaultKind::Cycle, 0);
    Some((entry.run)(Emptiness { search, acceptance, is_weak: how.is_weak, make_store: &make, fault }))
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

/// Whether the answer is right; if a run was found, whether it is one and comes back to where its
/// cycle begins.
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

/// Every algorithm that takes this kind of acceptance, with exact stores, on these numbers of
/// threads.
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

/// A ring of so many nodes, each with an edge to the next one first, and then some other edges. The
/// marks are on the edges that leave these nodes.
fn ring(count: Node, chords: &[(Node, Node)], marked: &[(Node, u64)]) -> Graph {
    let mut edges: Vec<Vec<(Node, u64)>> = (0..count).map(|node| vec![((node + 1) % count, 0)]).collect();
    for &(from, to) in chords {
        edges[from as usize].push((to, 0));
    }
    let mut accepting = vec![false; count as usize];
    for &(node, marks) in marked {
        accepting[node as usize] = true;
        edges[node as usize].iter_mut().for_each(|edge| edge.1 = marks);
    }
    Graph { edges, accepting }
}

/// The length of the prefix and of the cycle, for every algorithm that looks for these marks.
fn lengths(graph: &Graph, marks: u64) -> Vec<(usize, usize)> {
    let can = |algorithm: &usize| marks == 1 || EMPTINESS[*algorithm].is_generalised;
    let lengths = |algorithm| {
        let how = How { algorithm, store: 0, threads: 1, is_weak: false };
        check(graph, &how, marks, true);
        let found = run(graph, &how, marks).violations.remove(0);
        let cycle = found.trace.cycle.unwrap();
        (cycle, found.trace.transitions.len() - cycle)
    };
    (0..EMPTINESS.len()).filter(can).map(lengths).collect()
}

#[test]
fn a_lasso_is_as_short_as_its_component_allows() {
    let through_the_marked = ring(1000, &[(0, 500), (500, 998)], &[(998, 1)]);
    assert_eq!(lengths(&through_the_marked, 1), [(0, 4); 3]);
    let into_the_component = ring(1000, &[(0, 900), (900, 900), (901, 902)], &[(900, 1), (998, 1)]);
    assert_eq!(lengths(&into_the_component, 1), [(1, 1); 3]);
}

#[test]
fn a_lasso_leads_from_mark_to_mark() {
    let graph = ring(1000, &[(0, 300), (300, 600), (600, 998)], &[(300, 1), (600, 2), (998, 4)]);
    assert_eq!(lengths(&graph, 7), [(0, 5)]);
}

#[test]
fn a_mark_that_is_nearest_is_not_taken_if_the_way_on_is_long() {
    // The mark 1 is on 1 and on 2; from 1 on it is a long way to the mark 2 on 500.
    let graph = ring(1000, &[(0, 2), (2, 500), (500, 0)], &[(1, 1), (2, 1), (500, 2)]);
    assert_eq!(lengths(&graph, 3), [(0, 3)]);
    // The mark 1 is on the first edge already; the way back from there is long, that from 2 short.
    let graph = ring(1000, &[(0, 600), (0, 2), (2, 3), (3, 0)], &[(600, 1), (3, 1)]);
    assert_eq!(lengths(&graph, 1), [(0, 3); 3]);
}

#[test]
fn a_lasso_far_from_the_initial_state_is_shortened_around_its_cycle() {
    // A long tail, from which wide trees hang, leads to a ring with a chord: what the search has
    // stored is little, and the trees keep what is searched from the initial state short.
    const TAIL: Node = 3_000;
    const RING: Node = 1_000;
    let mut graph = ring(TAIL + RING, &[(TAIL, TAIL + 990)], &[(TAIL + 995, 1)]);
    graph.edges[(TAIL + RING - 1) as usize][0].0 = TAIL;
    for node in 0..TAIL {
        let first = graph.edges.len() as Node;
        let leaves = first..first + 10;
        graph.edges[node as usize].extend(leaves.clone().map(|leaf| (leaf, 0)));
        graph.edges.extend(leaves.map(|_| Vec::new()));
    }
    graph.accepting.resize(graph.edges.len(), false);
    let found = lengths(&graph, 1);
    assert_eq!(found, [(TAIL as usize, 11); 3]);
}

#[test]
fn a_lasso_that_cannot_be_shortened_for_lack_of_memory_is_shown_as_it_was_found() {
    let graph = ring(1000, &[(0, 500), (500, 998)], &[(998, 1)]);
    let how = How { algorithm: 0, store: 0, threads: 1, is_weak: false };
    let within = |bytes: usize| {
        let budget = Budget::new(bytes);
        let outcome = run_within(&budget, &graph, &how, 1)?;
        assert_eq!(budget.used(), 0, "everything is given back");
        outcome.violations.first().map(|found| found.trace.transitions.len())
    };
    let lengths: Vec<usize> = (0..100).filter_map(|step| within(step * 60_000)).collect();
    assert_eq!((lengths.first(), lengths.last()), (Some(&1000), Some(&4)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// On small graphs everything is explored, and the run is a shortest one.
    #[test]
    fn lassos_of_small_graphs_are_shortest(graph in graphs(12)) {
        if graph.has_run_with_all_marks() {
            let all = (1 << MARKS) - 1;
            let shortest = graph.shortest_lasso(all);
            for (prefix, cycle) in lengths(&graph, all) {
                prop_assert_eq!(Some(prefix + cycle), shortest);
            }
        }
    }
}
