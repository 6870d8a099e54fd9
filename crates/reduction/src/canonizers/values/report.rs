//! What was found, for people.

use ample_model::Arithmetic;
use ample_network::Network;
use ample_network::facts::Facts;
use ample_stdx::Stop;

use super::classes::{best, classes, domains};
use super::uses::Uses;
use crate::Visible;
use crate::canonizers::cells::Names;

/// The variables of which several values cannot be told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EquivalentValues {
    /// One sentence for each.
    pub found: Vec<String>,
    /// Why others are not looked at.
    pub broken: Vec<String>,
}

impl EquivalentValues {
    /// Of a network, for a question.
    pub fn of(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> EquivalentValues {
        if network.model.arithmetic == Arithmetic::Exact {
            return EquivalentValues::default();
        }
        let names = Names::new(network, facts);
        let graph = Uses::of(&names, visible).graph;
        let never = Stop::default();
        let (Some(domains), Some(classes)) = (domains(&graph, &never), classes(&graph, &never)) else {
            return EquivalentValues {
                broken: vec!["the variables have too many values to compare".to_owned()],
                ..EquivalentValues::default()
            };
        };
        let sentence = |(cell, (values, count)): (usize, (usize, usize))| {
            format!("of {values} values of {} at most {count} can be told apart", names.name(cell))
        };
        let found = best(&graph, &classes).into_iter().map(sentence).collect();
        let unknown = graph.nodes.iter_enumerated().filter(|(id, _)| domains[*id].is_none()).map(|(_, node)| node.cell);
        let mut unknown: Vec<usize> = unknown.collect();
        unknown.dedup();
        let broken = unknown.into_iter().map(|cell| format!("{} may have too many values", names.name(cell))).collect();
        EquivalentValues { found, broken }
    }
}
