//! What was found, for people.

use ample_model::{Arithmetic, Scalar};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_stdx::Stop;

use super::sets::{Obstacle, Ring};
use super::uses::Uses;
use crate::Visible;
use crate::canonizers::cells::{Names, at};

/// The sets of variables and message fields that can be shifted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearSets {
    /// One sentence for each.
    pub found: Vec<String>,
    /// Which cannot, although something is only added to them, and why.
    pub broken: Vec<String>,
}

impl LinearSets {
    /// Of a network, for a question.
    pub fn of(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> LinearSets {
        if network.model.trace.is_some() || network.model.arithmetic == Arithmetic::Exact {
            return LinearSets::default();
        }
        let names = Names::new(network, facts);
        let Some(uses) = Uses::of(&names, visible, &Stop::default()) else { return LinearSets::default() };
        let found = uses
            .shifted()
            .map(|(ring, cells)| format!("{} can be shifted modulo {}", listed(&names, &cells), modulus(ring)));
        LinearSets { found: found.collect(), broken: broken(&names, &uses, 2).collect() }
    }
}

/// Why there is no set.
pub(super) fn why_not(names: &Names<'_>, uses: &Uses<'_>) -> String {
    let none = || "no variables are only copied, compared with each other and counted modulo a number".to_owned();
    broken(names, uses, 1).next().unwrap_or_else(none)
}

/// What hinders sets of so many cells at least.
fn broken<'u>(names: &'u Names<'_>, uses: &'u Uses<'_>, least: usize) -> impl Iterator<Item = String> + 'u {
    let of_one = move |(root, ring, obstacle): (usize, Ring, Option<Obstacle>)| {
        let cells = uses.cells_of(root);
        if cells.len() < least {
            return None;
        }
        let obstacle = obstacle.or_else(|| (!uses.fit(ring, &cells)).then_some(Obstacle::Size))?;
        let why = match obstacle {
            Obstacle::Value(origin) => {
                format!("{} needs a value itself, or gives one that is not of the set", at(names.network, origin))
            }
            Obstacle::Rings(origin) => {
                format!("{} computes in another way than modulo {}", at(names.network, origin), modulus(ring))
            }
            Obstacle::Size => format!("they have different types, and are computed modulo {}", modulus(ring)),
        };
        Some(format!("{} cannot be shifted: {why}", listed(names, &cells)))
    };
    uses.sets.computing().filter_map(of_one)
}

fn modulus(ring: Ring) -> u64 {
    match ring {
        Ring::Below(n) => u64::from(n),
        Ring::Wrapping(Scalar::Short) => 1 << 16,
        Ring::Wrapping(_) => 1 << 32,
    }
}

/// The names of cells, of which not too many are said.
fn listed(names: &Names<'_>, cells: &[usize]) -> String {
    const MOST: usize = 8;
    let mut said: Vec<String> = cells.iter().take(MOST).map(|cell| names.name(*cell)).collect();
    if cells.len() > MOST {
        said.push(format!("{} more", cells.len() - MOST));
    }
    match said.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
