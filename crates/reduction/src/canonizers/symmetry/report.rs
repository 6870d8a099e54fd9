//! What was found, for people.

use ample_network::Network;
use ample_network::facts::{Facts, InstanceId, instance_name};

use super::generators::{Broken, Generators, Group, Position, families, group_of};
use super::renaming::{Obstacle, ObstacleKind};
use crate::canonizers::cells::at;
use crate::{NotHere, Visible};

/// The symmetries of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetries {
    /// Which processes can be permuted, one sentence for each part of the group.
    pub found: Vec<String>,
    /// Which cannot, although they are of one kind, and why.
    pub broken: Vec<String>,
}

impl Symmetries {
    /// Of a network, that fix what a question looks at.
    pub fn of(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> Symmetries {
        if families(network).is_empty() && network.model.scalarsets.is_empty() {
            return Symmetries::default();
        }
        match group_of(network, facts, visible) {
            Ok(group) => Symmetries {
                found: group.blocks.iter().map(|block| found(network, &block.positions, &block.generators)).collect(),
                broken: group.broken.iter().map(|broken| explain(network, broken)).collect(),
            },
            Err(NotHere(why)) => Symmetries { found: Vec::new(), broken: vec![why] },
        }
    }
}

/// Why there is no symmetry at all.
pub(super) fn why_not(network: &Network<'_>, group: &Group, is_of_property: bool) -> String {
    if is_of_property {
        return "the property tells processes apart that the model does not".to_owned();
    }
    match group.broken.first() {
        Some(broken) => explain(network, broken),
        None => "no two processes run the same".to_owned(),
    }
}

fn found(network: &Network<'_>, positions: &[Position], generators: &Generators) -> String {
    let count = positions.len();
    match generators {
        Generators::Swaps(_) => {
            let order: u128 = (1..=count as u128).product();
            format!("{} can be exchanged ({order} permutations)", named(network, positions))
        }
        Generators::Rotation(_) => {
            format!("{} can be rotated ({count} permutations)", named(network, positions))
        }
    }
}

/// The processes at some positions; those that go together joined by a plus.
fn named(network: &Network<'_>, positions: &[Position]) -> String {
    if let Some(Position::Element { set }) = positions.first() {
        return format!("the {} elements of {}", positions.len(), network.model.scalarsets[*set].name);
    }
    let name = |instance: &InstanceId| instance_name(network, *instance);
    let position = |position: &Position| position.instances().iter().map(name).collect::<Vec<_>>().join("+");
    let names: Vec<String> = positions.iter().map(position).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

fn explain(network: &Network<'_>, broken: &Broken) -> String {
    let names = named(network, &broken.positions);
    let Some(Obstacle { kind, origin, computes }) = broken.obstacle else {
        return format!("{names} can end, and of two processes the younger must end first");
    };
    let why = match (kind, computes) {
        (ObstacleKind::Instance, Some(computes)) => {
            format!(
                "{} names one of them by a number that {} computes with",
                at(network, origin),
                at(network, computes)
            )
        }
        (ObstacleKind::Instance, None) => format!("{} has no counterpart", at(network, origin)),
        (ObstacleKind::Form, _) => "variables or channels would take each other's place that differ".to_owned(),
        (ObstacleKind::Property, _) => "the property tells them apart".to_owned(),
        (ObstacleKind::Group, _) => "exchanging two of them twice changes something".to_owned(),
    };
    format!("{names} cannot be exchanged: {why}")
}
