//! What becomes of the values of variables and message fields, and who looks at them.
//!
//! A node is a cell at a point: for a variable of a process one for each location, and for each
//! point inside an edge, between one assignment and the next; for globals and fields there is only
//! one. A test is a function of the value that somebody evaluates there; a flow is a function of
//! the value that goes to another node, unless the value makes a guard false on the way.

use ample_model::{Arithmetic, Scalar};
use ample_network::facts::InstanceId;
use ample_stdx::{IndexVec, TypedId, typed_id};

use super::function::Function;
use crate::canonizers::cells::{Cell, Names};

typed_id! {
    /// A cell at a point.
    pub(super) struct NodeId;
}

/// Whoever evaluates a function of a value: which of its results are the same to him.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Aspect {
    Value,
    /// Whether it is zero.
    Truth,
}

/// A function that somebody evaluates.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub function: Function,
    pub aspect: Aspect,
}

/// A value that goes elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub function: Function,
    pub to: NodeId,
    /// Nothing goes there where one of these is false.
    pub guards: Vec<Function>,
}

/// What is known of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub cell: usize,
    pub tests: Vec<Test>,
    pub flows: Vec<Flow>,
    /// Values that come from nowhere: constants.
    pub given: Vec<i64>,
    /// Whether any value of the type may come.
    pub is_any: bool,
}

/// All nodes.
pub(super) struct Graph {
    pub nodes: IndexVec<NodeId, Node>,
    /// The first node of each cell that is looked at.
    first: Vec<Option<NodeId>>,
    /// How many points each instance has.
    points: IndexVec<InstanceId, usize>,
    scalars: Vec<Scalar>,
    pub arithmetic: Arithmetic,
    /// The values of each cell that are never exceeded, as far as that is known.
    pub limits: Vec<Option<i64>>,
}

/// More nodes than this are not looked at: those of the processes that come last.
const MOST_NODES: usize = 200_000;

impl Graph {
    /// The nodes of a network whose instances have so many points.
    pub fn new(names: &Names<'_>, points: IndexVec<InstanceId, usize>) -> Graph {
        let scalars = names.cells.list.iter().map(|cell| cell.scalar).collect();
        let (arithmetic, limits) = (names.network.model.arithmetic, Vec::new());
        let mut graph = Graph { nodes: IndexVec::new(), first: Vec::new(), points, scalars, arithmetic, limits };
        for (number, cell) in names.cells.list.iter().enumerate() {
            let count = cell.owner.map_or(1, |owner| graph.points[owner]);
            let is_known = is_candidate(cell) && graph.nodes.len() + count <= MOST_NODES;
            graph.first.push(is_known.then(|| graph.nodes.next_id()));
            let count = if is_known { count } else { 0 };
            (0..count).for_each(|_| _ = graph.nodes.push(Node { cell: number, ..Node::default() }));
        }
        graph
    }

    /// What remains of a value that is stored in the cell of a node.
    pub fn stored(&self, node: NodeId, value: i64) -> i64 {
        let cell = self.nodes[node].cell;
        let limit = self.limits.get(cell).copied().flatten();
        self.scalars[cell].truncate(limit.map_or(value, |limit| value.min(limit)))
    }

    /// The type of the cell of a node.
    pub fn scalar(&self, node: NodeId) -> Scalar {
        self.scalars[self.nodes[node].cell]
    }

    /// The node of a cell: a global or a field, or a variable of a process at a point.
    pub fn node(&self, names: &Names<'_>, cell: usize, point: usize) -> Option<NodeId> {
        let first = self.first[cell]?;
        let at = if names.cells.list[cell].owner.is_some() { point } else { 0 };
        Some(NodeId::from_index(first.index() + at))
    }

    /// All nodes of a cell.
    pub fn nodes_of(&self, names: &Names<'_>, cell: usize) -> impl Iterator<Item = NodeId> + use<> {
        let count = names.cells.list[cell].owner.map_or(1, |owner| self.points[owner]);
        let first = self.first[cell].map(TypedId::index);
        first.into_iter().flat_map(move |first| (first..first + count).map(NodeId::from_index))
    }
}

/// Whether the values of a cell may be taken for each other at all.
fn is_candidate(cell: &Cell) -> bool {
    cell.constant.is_none() && cell.place.width > 0 && !matches!(cell.scalar, Scalar::Channel | Scalar::Pid)
}
