//! Counters that only grow, by additions that happen once at most: they have a largest value.

use ample_model::{Action, LocationId, Scalar, Template};
use ample_stdx::{BitSet, TypedId, components};

use crate::canonizers::cells::Names;

/// What is known of the cells that may be counters.
pub(super) struct Counters {
    list: Vec<Option<Counter>>,
}

/// A cell to which constants are assigned, and constants are added.
#[derive(Copy, Clone, Default)]
struct Counter {
    /// The largest constant that is assigned.
    most: i64,
    /// All that is added in a run.
    added: i64,
}

impl Counters {
    pub fn new(cells: usize) -> Counters {
        Counters { list: vec![Some(Counter::default()); cells] }
    }

    /// A constant is assigned.
    pub fn give(&mut self, cell: usize, value: i64) {
        if let Some(counter) = &mut self.list[cell] {
            counter.most = counter.most.max(value);
        }
    }

    /// A number is added, once at most.
    pub fn add(&mut self, cell: usize, added: i64) {
        if let Some(counter) = &mut self.list[cell] {
            counter.added += added;
        }
    }

    /// Something else is assigned.
    pub fn exclude(&mut self, cell: usize) {
        self.list[cell] = None;
    }

    /// The value that each cell never exceeds; `None` if there is none within its type.
    pub fn limits(&self, names: &Names<'_>) -> Vec<Option<i64>> {
        let limit = |(counter, cell): (&Option<Counter>, &crate::canonizers::cells::Cell)| {
            let Counter { most, added } = (*counter).filter(|counter| counter.added > 0)?;
            Some(most + added).filter(|limit| *limit <= largest(cell.scalar))
        };
        self.list.iter().zip(&names.cells.list).map(limit).collect()
    }
}

/// The largest value of a type.
fn largest(scalar: Scalar) -> i64 {
    match scalar {
        Scalar::Short => i16::MAX.into(),
        Scalar::Int => i32::MAX.into(),
        _ => scalar.truncate(-1),
    }
}

/// The locations of a template to which a process may come more than once.
pub(super) fn cycles(template: &Template) -> BitSet<LocationId> {
    let targets = |location: usize| {
        let edges = template.locations[LocationId::from_index(location)].edges.iter();
        edges.flat_map(|edge| {
            let edge = &template.edges[*edge];
            let inside = match edge.action {
                Action::DeterministicStep(inside) => Some(inside),
                _ => None,
            };
            std::iter::once(edge.target).chain(inside).map(TypedId::index)
        })
    };
    let components = components(template.locations.len(), targets);
    let is_on_cycle = |location: &LocationId| {
        components.get(location.index()).is_some_and(|component| components.is_cyclic[component as usize])
    };
    template.locations.ids().filter(is_on_cycle).collect()
}
