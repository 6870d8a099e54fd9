//! Systems small enough to see through: graphs, chains and grids, whose moves name the number of
//! the successor taken.

use std::collections::BTreeSet;
use std::sync::Mutex;

use ample_model::EdgeId;
use ample_search::{Ended, Limits, ORDERS, OrderEntry, Search, SearchOutcome, StopAt};
use ample_source::Span;
use ample_stdx::TypedId;
use ample_store::STORES;
use ample_transition::{
    Budget, Fault, FaultKind, Move, StateLength, Store, StoreConfig, SuccessorBuffer, Successors, Trace,
};

pub type Node = u32;

/// One transition: where it leads (`None` ends the run), and a fault with the number of its place.
#[derive(Clone, Debug)]
pub struct Step {
    pub to: Option<Node>,
    pub fault: Option<(FaultKind, u32)>,
    pub moves: usize,
}

pub fn to(node: Node) -> Step {
    Step { to: Some(node), fault: None, moves: 1 }
}

/// A system over numbers.
pub struct Toy<F> {
    pub initial: Node,
    pub steps: F,
    /// Where it may end.
    pub may_end: fn(Node) -> bool,
}

pub fn fault(kind: FaultKind, place: u32) -> Fault {
    let span = Span { start: place, end: place, ..Span::default() };
    Fault { kind, message: format!("{} {place}", kind.name()), process: Some(0), span, notes: Vec::new() }
}

pub fn bytes(node: Node) -> Vec<u8> {
    node.to_le_bytes().to_vec()
}

pub fn node(state: &[u8]) -> Node {
    Node::from_le_bytes(state.try_into().unwrap())
}

impl<F: Fn(Node) -> Vec<Step> + Sync> Successors for Toy<F> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        Ok(bytes(self.initial))
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        for (number, step) in (self.steps)(node(state)).into_iter().enumerate() {
            let moves = vec![Move { process: 0, edge: EdgeId::from_index(number), partner: None }; step.moves];
            let faults: Vec<Fault> = step.fault.into_iter().map(|(kind, place)| fault(kind, place)).collect();
            match step.to {
                Some(to) => buffer.push(&moves, &faults, Some(&mut |out| out.extend_from_slice(&to.to_le_bytes()))),
                None => buffer.push(&moves, &faults, None),
            }
        }
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        let node = node(state);
        (!(self.may_end)(node)).then(|| Box::new(fault(FaultKind::InvalidEndState, node)))
    }
}

/// What a run saw.
pub struct Seen {
    pub outcome: SearchOutcome,
    pub nodes: BTreeSet<Node>,
    pub edges: Vec<(Node, Option<Node>)>,
    /// The states that were expanded, in this order.
    pub expanded: Vec<Node>,
}

/// How a search is made.
#[derive(Copy, Clone, Debug)]
pub struct Way {
    pub order: &'static str,
    pub store: &'static str,
    pub threads: usize,
}

/// Every order with every store on 1, 2 and 8 threads, where the order can use them.
pub fn all_ways() -> impl Iterator<Item = Way> {
    let threads = |order: &OrderEntry| if order.is_parallel { [1, 2, 8].as_slice() } else { &[1] };
    ORDERS.iter().flat_map(move |order| {
        STORES.iter().flat_map(move |store| {
            threads(order).iter().map(|&threads| Way { order: order.part.name, store: store.part.name, threads })
        })
    })
}

/// An empty store.
pub fn make_store(name: &str, budget: &Budget) -> Box<dyn Store> {
    let config = StoreConfig {
        budget: budget.clone(),
        length: StateLength::Any,
        typical: Default::default(),
        key_use: ample_transition::KeyUse::Identities,
    };
    let entry = STORES.iter().find(|entry| entry.part.name == name).unwrap();
    (entry.make)(&config).unwrap()
}

/// A store for a second search: exact, like the first one if that is.
pub fn second_store(name: &str, budget: &Budget) -> Option<Box<dyn Store>> {
    let config = StoreConfig {
        budget: budget.clone(),
        length: StateLength::Any,
        typical: Default::default(),
        key_use: ample_transition::KeyUse::Identities,
    };
    let entry = STORES.iter().find(|entry| entry.part.name == if name == "exact" { "exact" } else { "tree" })?;
    (entry.make)(&config).ok()
}

pub fn order(name: &str) -> &'static OrderEntry {
    ORDERS.iter().find(|entry| entry.part.name == name).unwrap()
}

pub struct Question {
    pub way: Way,
    pub wanted: Vec<FaultKind>,
    pub stop_at: StopAt,
    pub limits: Limits,
}

impl Question {
    pub fn new(order: &'static str) -> Self {
        Self::by(Way { order, store: "exact", threads: 1 })
    }

    pub fn by(way: Way) -> Self {
        Question { way, wanted: FaultKind::ALL.to_vec(), stop_at: StopAt::FirstViolation, limits: Limits::default() }
    }

    pub fn until_the_end(mut self) -> Self {
        self.stop_at = StopAt::End;
        self
    }

    pub fn wanting(mut self, wanted: &[FaultKind]) -> Self {
        self.wanted = wanted.to_vec();
        self
    }

    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The memory there is: without a limit, enough.
    fn budget(&self) -> Budget {
        Budget::new(self.limits.max_memory.map_or(1 << 32, |bytes| bytes as usize))
    }

    /// Runs the search, and notes what it sees.
    pub fn ask(&self, system: &dyn Successors) -> Seen {
        let (edges, expanded) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let observer = |state: &[u8], successors: &SuccessorBuffer| {
            expanded.lock().unwrap().push(node(state));
            let leaving = successors.iter().map(|successor| (node(state), successor.state.map(node)));
            edges.lock().unwrap().extend(leaving);
        };
        let budget = self.budget();
        let outcome = self.run(system, &budget, Some(&observer));
        let edges = edges.into_inner().unwrap();
        let initial = system.initial().ok().map(|state| node(&state));
        let nodes = edges.iter().filter_map(|(_, to)| *to).chain(initial).collect();
        assert!(outcome.memory >= outcome.store_memory || outcome.ended != Ended::Complete);
        assert_eq!(budget.used(), 0, "{:?}: all memory is given back", self.way);
        Seen { outcome, nodes, edges, expanded: expanded.into_inner().unwrap() }
    }

    /// Runs the search.
    pub fn outcome(&self, system: &dyn Successors) -> SearchOutcome {
        self.run(system, &self.budget(), None)
    }

    fn run(
        &self,
        system: &dyn Successors,
        budget: &Budget,
        observer: Option<ample_search::Observer<'_>>,
    ) -> SearchOutcome {
        (order(self.way.order).run)(Search {
            system,
            store: make_store(self.way.store, budget),
            make_exact_store: &|| second_store(self.way.store, budget),
            budget,
            threads: self.way.threads,
            wanted: &self.wanted,
            stop_at: self.stop_at,
            limits: &self.limits,
            progress: None,
            observer,
            reduction: None,
            has_assumption_failed: None,
            slices: None,
        })
    }
}

/// The nodes along a trace, the initial one first; the last is `None` if the run ends in a fault.
pub fn replay<F: Fn(Node) -> Vec<Step>>(system: &Toy<F>, trace: &Trace) -> Vec<Option<Node>> {
    let mut nodes = vec![Some(system.initial)];
    for moves in &trace.transitions {
        let here = nodes.last().copied().flatten().expect("a run goes on after its end");
        nodes.push((system.steps)(here)[moves[0].edge.index()].to);
    }
    nodes
}
