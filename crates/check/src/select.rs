//! Which properties are checked, by name.

use ample_guarantee::Property;
use ample_transition::FaultKind;

use crate::{CheckError, NamedKind, NamedProperty, System};

/// The sets of checks that every model has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// No assertion fails.
    Assertions,
    /// Where nothing can move, every process may end.
    EndStates,
    /// Both, no run-time error, and what `trace` and `notrace` demand.
    Safety,
    /// The claims of `xr` and `xs` are true.
    Exclusive,
    /// No cycle without progress.
    Progress,
    /// No cycle through an accepting location.
    Accept,
}

impl BuiltIn {
    /// All sets.
    pub const ALL: [BuiltIn; 6] = [
        BuiltIn::Assertions,
        BuiltIn::EndStates,
        BuiltIn::Safety,
        BuiltIn::Exclusive,
        BuiltIn::Progress,
        BuiltIn::Accept,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Assertions => "assertions",
            BuiltIn::EndStates => "end-states",
            BuiltIn::Safety => "safety",
            BuiltIn::Exclusive => "exclusive",
            BuiltIn::Progress => "progress",
            BuiltIn::Accept => "accept",
        }
    }

    /// What it asks of a search over `system`, unless that is not built yet.
    pub(crate) fn question(self, system: &System<'_>) -> Option<Question> {
        let (property, faults): (Property, &[FaultKind]) = match self {
            BuiltIn::Assertions => (Property::ASSERTIONS, &[FaultKind::Assertion]),
            BuiltIn::EndStates => (Property::END_STATES, &[FaultKind::InvalidEndState]),
            BuiltIn::Safety if system.has_trace_assertion => (Property::SAFETY.and(&Property::TRACE), SAFETY_FAULTS),
            BuiltIn::Safety => (Property::SAFETY, SAFETY_FAULTS),
            BuiltIn::Exclusive => (Property::EXCLUSIVE, &[FaultKind::Exclusive]),
            BuiltIn::Progress | BuiltIn::Accept => return None,
        };
        Some(Question { property, faults: faults.to_vec() })
    }
}

const SAFETY_FAULTS: &[FaultKind] =
    &[FaultKind::Assertion, FaultKind::InvalidEndState, FaultKind::RuntimeError, FaultKind::TraceAssertion];

/// A property that a search can answer.
pub(crate) struct Question {
    pub property: Property,
    pub faults: Vec<FaultKind>,
}

/// What is to be done about a property.
pub(crate) enum Selected {
    /// Search.
    Search(Question),
    /// Say that it cannot be checked yet.
    Later { name: String, kind: NamedKind },
}

/// The properties of a job, in the order of checking.
///
/// Asking by name for what is not built is an error; without a name it is reported and the rest is checked. A built-in name
/// means the built-in set even if the model has a property of that name.
pub(crate) fn select(system: &System<'_>, names: &[String]) -> Result<Vec<Selected>, CheckError> {
    if names.is_empty() {
        let safety = BuiltIn::Safety.question(system).map(Selected::Search);
        let later = |property: &NamedProperty| Selected::Later { name: property.name.clone(), kind: property.kind };
        return Ok(safety.into_iter().chain(system.properties.iter().map(later)).collect());
    }
    names.iter().map(|name| select_one(system, name)).collect()
}

fn select_one(system: &System<'_>, name: &str) -> Result<Selected, CheckError> {
    if let Some(set) = BuiltIn::ALL.into_iter().find(|set| set.name() == name) {
        let question = set.question(system);
        return question.map(Selected::Search).ok_or_else(|| CheckError::NotSupportedYet { name: name.to_owned() });
    }
    if system.properties.iter().any(|property| property.name == name) {
        return Err(CheckError::NotSupportedYet { name: name.to_owned() });
    }
    let mut known: Vec<&str> = BuiltIn::ALL.into_iter().map(BuiltIn::name).collect();
    known.extend(system.properties.iter().map(|property| property.name.as_str()));
    Err(CheckError::unknown_name("property", name, known))
}
