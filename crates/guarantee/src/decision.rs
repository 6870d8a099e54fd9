//! The decision: may this plan be built for this property, and what do its answers mean?

use std::fmt;

use crate::{ClassSet, Guarantee, Incompatible, Omission, PAIRS, Part, Parts, Property};

/// What the answers of a plan mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What all parts together preserve.
    pub guarantee: Guarantee,
    /// The meaning of a search that found no error.
    pub no_error_found: NoErrorFound,
    /// The meaning of a search that found an error.
    pub error_found: ErrorFound,
}

/// The meaning of "no error found".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoErrorFound {
    /// The property holds.
    Holds,
    /// Nothing follows, for this reason.
    Unknown(String),
}

/// The meaning of "error found".
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ErrorFound {
    /// The property is violated. A replay that fails is an error of ours.
    Violated,
    /// The error may be false: the property is violated if the replay succeeds, and nothing follows
    /// if it fails.
    Candidate,
}

/// Why a plan may not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Two parts do not go together, whatever is asked.
    Incompatible {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// A part may miss just the errors that are looked for.
    MayMiss {
        /// The parts.
        parts: Vec<&'static str>,
        /// The property.
        property: String,
        /// What the property needs and the parts do not preserve.
        classes: ClassSet,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Incompatible { one, other, reason } => {
                write!(f, "`{one}` and `{other}` cannot be used together: {reason}")
            }
            Refusal::MayMiss { parts, property, classes } => {
                let parts = parts.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", ");
                write!(f, "{parts} cannot be used to check `{property}`: errors may be missed in {classes}")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// Decides what the answers of `plan` mean for `property`, or why there may be none.
///
/// Called before a search, and again after it with the bounds that were reached.
pub fn decide(plan: &Parts, property: &Property) -> Result<Decision, Refusal> {
    decide_with(PAIRS, plan, property)
}

/// [`decide`] with another list of exceptions.
pub fn decide_with(pairs: &[Incompatible], plan: &Parts, property: &Property) -> Result<Decision, Refusal> {
    let parts: Vec<&'static Part> = plan.parts().collect();
    // What would be lost says more to who asks than which parts do not go together.
    if let Some(refusal) = missed(&parts, property) {
        return Err(refusal);
    }
    for (position, one) in parts.iter().enumerate() {
        for other in &parts[position + 1..] {
            if let Some(pair) = pairs.iter().find(|pair| pair.forbids(one, other)) {
                return Err(Refusal::Incompatible { one: one.name, other: other.name, reason: pair.reason });
            }
        }
    }
    let guarantee = plan.guarantee();
    let reasons: Vec<&str> = parts.iter().filter_map(|part| part.guarantee.omission.reason()).collect();
    let no_error_found =
        if reasons.is_empty() { NoErrorFound::Holds } else { NoErrorFound::Unknown(reasons.join(", ")) };
    let error_found =
        if property.needs.is_subset(guarantee.no_false) { ErrorFound::Violated } else { ErrorFound::Candidate };
    Ok(Decision { guarantee, no_error_found, error_found })
}

/// The refusal that names every part that does not preserve what the property needs.
///
/// A bound is not among them: it promises nothing for any property, so asking is no mistake, and
/// the answer is "unknown".
fn missed(parts: &[&'static Part], property: &Property) -> Option<Refusal> {
    let mut names = Vec::new();
    let mut classes = ClassSet::NONE;
    for part in parts {
        let lost = property.needs.difference(part.guarantee.no_missed);
        if !lost.is_empty() && !matches!(part.guarantee.omission, Omission::Bound { .. }) {
            names.push(part.name);
            classes = classes.union(lost);
        }
    }
    (!names.is_empty()).then(|| Refusal::MayMiss { parts: names, property: property.name.to_string(), classes })
}
