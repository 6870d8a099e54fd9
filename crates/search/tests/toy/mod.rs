//! Systems small enough to see through: graphs, chains and grids, whose moves name the number of the successor taken.

use std::collections::BTreeSet;

use ample_model::EdgeId;
use ample_search::{Ended, Limits, ORDERS, Search, SearchOutcome, StopAt};
use ample_source::Span;
use ample_stdx::TypedId;
use ample_store::ExactStore;
use ample_transition::{Fault, FaultKind, Move, Store, Successor, SuccessorBuffer, Successors, Trace};

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
}

pub struct Question {
    pub order: &'static str,
    pub wanted: Vec<FaultKind>,
    pub stop_at: StopAt,
    pub limits: Limits,
}

impl Question {
    pub fn new(order: &'static str) -> Self {
        Question { order, wanted: FaultKind::ALL.to_vec(), stop_at: StopAt::FirstViolation, limits: Limits::default() }
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

    pub fn ask(&self, system: &dyn Successors) -> Seen {
        let mut store = ExactStore::new();
        let mut edges = Vec::new();
        let mut observer = |state: &[u8], successor: &Successor<'_>| {
            edges.push((node(state), successor.state.map(node)));
        };
        let order = ORDERS.iter().find(|entry| entry.part.name == self.order).unwrap();
        let outcome = (order.run)(Search {
            system,
            store: &mut store,
            wanted: &self.wanted,
            stop_at: self.stop_at,
            limits: &self.limits,
            progress: None,
            observer: Some(&mut observer),
        });
        let nodes = (0..store.len()).map(|id| node(store.state(TypedId::from_index(id)))).collect();
        assert!(outcome.memory >= store.memory() as u64 || outcome.ended != Ended::Complete);
        Seen { outcome, nodes, edges }
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
