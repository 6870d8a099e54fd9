//! What was found, for people.

use ample_network::Network;
use ample_network::facts::Facts;
use ample_stdx::TypedId;

use super::order::{Better, applies, found};
use super::ranges::Ranges;
use super::uses::{Obstacle, Use, Uses};
use crate::canonizers::cells::{Names, Origin, at};
use crate::{NotHere, Visible};

/// The variables of which some values cover others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DominatingValues {
    /// One sentence for each.
    pub found: Vec<String>,
    /// Which are none although they are compared with bounds, and why.
    pub broken: Vec<String>,
}

impl DominatingValues {
    /// Of a network, for a question.
    pub fn of(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> DominatingValues {
        if let Err(NotHere(why)) = applies(network) {
            return DominatingValues { found: Vec::new(), broken: vec![why] };
        }
        let names = Names::new(network, facts);
        let ranges = Ranges::of(&names);
        let uses = Uses::of(&names, &ranges, visible);
        let stated = match stated(&names, &uses) {
            Ok(stated) => stated,
            Err(NotHere(why)) => return DominatingValues { found: Vec::new(), broken: vec![why] },
        };
        let all: Vec<(usize, Better)> = if stated.is_empty() { found(&uses).collect() } else { stated };
        let sentence = |(cell, better): &(usize, Better)| {
            let (name, known) = (names.name(*cell), &uses.of[*cell]);
            let (one, other, asks) = match better {
                Better::Smaller => ("smaller", "larger", known.smaller),
                Better::Larger => ("larger", "smaller", known.larger),
            };
            let why = match asks {
                Some(origin) => format!("{} asks for them", at(network, origin)),
                None => "nothing depends on it".to_owned(),
            };
            format!("{one} values of {name} cover {other} ones: {why}")
        };
        DominatingValues { found: all.iter().map(sentence).collect(), broken: broken(&names, &uses).collect() }
    }
}

/// What the model says itself, if it holds.
pub(super) fn stated(names: &Names<'_>, uses: &Uses<'_>) -> Result<Vec<(usize, Better)>, NotHere> {
    let mut all = Vec::new();
    for stated in &names.network.model.dominating {
        let cell = names.cells.variable(None, stated.slot.index());
        let (better, word) = if stated.is_larger { (Better::Larger, "larger") } else { (Better::Smaller, "smaller") };
        if !uses.is_candidate(cell) {
            // What is never written has one value only.
            continue;
        }
        let known = &uses.of[cell];
        let other = if stated.is_larger { known.smaller } else { known.larger };
        let why = match (known.obstacle, other) {
            (Some((obstacle, origin)), _) => Some(reason(names, obstacle, origin)),
            (None, Some(origin)) => Some(format!("{} asks for the others", at(names.network, origin))),
            (None, None) => None,
        };
        if let Some(why) = why {
            let name = names.name(cell);
            return Err(NotHere(format!(
                "the model says that {word} values of {name} dominate, which is not so: {why}"
            )));
        }
        all.push((cell, better));
    }
    Ok(all)
}

/// Why there is no such variable.
pub(super) fn why_not(names: &Names<'_>, uses: &Uses<'_>) -> String {
    let none = || "no variable is compared with bounds on one side only".to_owned();
    broken(names, uses).next().unwrap_or_else(none)
}

/// What hinders variables that are compared with bounds.
fn broken<'u>(names: &'u Names<'_>, uses: &'u Uses<'_>) -> impl Iterator<Item = String> + 'u {
    let of_one = move |cell: usize| {
        let known: &Use = &uses.of[cell];
        let why = match (known.obstacle, known.smaller, known.larger) {
            (Some((obstacle, origin)), Some(_), _) | (Some((obstacle, origin)), _, Some(_)) => {
                reason(names, obstacle, origin)
            }
            (None, Some(smaller), Some(larger)) => format!(
                "{} asks for smaller values, and {} for larger ones",
                at(names.network, smaller),
                at(names.network, larger)
            ),
            _ => return None,
        };
        Some(format!("no values of {} cover others: {why}", names.name(cell)))
    };
    (0..uses.of.len()).filter(|cell| uses.is_candidate(*cell)).filter_map(of_one)
}

fn reason(names: &Names<'_>, obstacle: Obstacle, origin: Origin) -> String {
    let place = at(names.network, origin);
    match obstacle {
        Obstacle::Property => "the property reads it".to_owned(),
        Obstacle::Copied => format!("{place} hands the value on"),
        Obstacle::Unordered => format!("{place} turns the order of its values round"),
        Obstacle::Wraps => format!("{place} may give it a value that does not fit"),
        Obstacle::Looked => format!("{place} needs the value itself"),
        Obstacle::OtherSide => format!("it also counts that {place} cannot be done"),
    }
}
