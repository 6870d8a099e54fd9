//! Which properties are checked, by name.

use std::sync::Arc;

use ample_guarantee::Property;
use ample_property::{Property as Named, PropertyKind};
use ample_transition::FaultKind;

use crate::{CheckError, Claim, ClaimError, Reduce, System};

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

    /// The name that means this set whatever properties a model has: `builtin:safety`.
    pub fn full_name(self) -> String {
        format!("{BUILT_IN_PREFIX}{}", self.name())
    }

    /// The set with this name, whether it is the short or the full one.
    pub fn named(name: &str) -> Option<BuiltIn> {
        let short = name.strip_prefix(BUILT_IN_PREFIX).unwrap_or(name);
        BuiltIn::ALL.into_iter().find(|set| set.name() == short)
    }

    /// The name in reports on a model with these properties: the short one, unless one of them is called so.
    fn name_beside(self, properties: &[Named]) -> String {
        let is_taken = properties.iter().any(|property| property.name == self.name());
        if is_taken { self.full_name() } else { self.name().to_owned() }
    }

    /// What it forbids of whole runs, if it is about them.
    pub(crate) fn claim(self) -> Option<Result<Claim, ClaimError>> {
        match self {
            BuiltIn::Progress => Some(Claim::non_progress()),
            BuiltIn::Accept => Some(Claim::acceptance()),
            BuiltIn::Assertions | BuiltIn::EndStates | BuiltIn::Safety | BuiltIn::Exclusive => None,
        }
    }

    /// What it asks of a search over `system`.
    pub(crate) fn question(self, system: &System<'_>) -> Result<Question, CheckError> {
        let name = self.name_beside(system.properties);
        let (property, faults): (Property, &[FaultKind]) = match self {
            BuiltIn::Assertions => (Property::ASSERTIONS, &[FaultKind::Assertion]),
            BuiltIn::EndStates => (Property::END_STATES, &[FaultKind::InvalidEndState]),
            BuiltIn::Safety if system.has_trace_assertion => (Property::SAFETY.and(&Property::TRACE), SAFETY_FAULTS),
            BuiltIn::Safety => (Property::SAFETY, SAFETY_FAULTS),
            BuiltIn::Exclusive => (Property::EXCLUSIVE, &[FaultKind::Exclusive]),
            BuiltIn::Progress => {
                let mut question = claim_question(&name, self.name(), Claim::non_progress())?;
                question.notes.extend((!system.labels.progress).then(|| NO_PROGRESS_LABELS.to_owned()));
                return Ok(question);
            }
            BuiltIn::Accept => {
                let question = claim_question(&name, self.name(), Claim::acceptance())?;
                let is_empty = !system.labels.accept;
                let notes = if is_empty { vec![NO_ACCEPT_LABELS.to_owned()] } else { question.notes };
                return Ok(Question { is_empty, notes, ..question });
            }
        };
        let property = Property { name: name.into(), ..property };
        let asked = Asked::Faults(faults.to_vec());
        Ok(Question { property, kind: "safety", asked, is_empty: false, notes: Vec::new() })
    }
}

/// Every cycle is one without progress then, as in Spin.
const NO_PROGRESS_LABELS: &str = "the model has no progress labels, so that every cycle is one without progress";

/// Spin says the same, and ignores the option.
const NO_ACCEPT_LABELS: &str = "the model has no accept labels, so that there was nothing to search";

/// What the full name of a built-in set begins with. No identifier of a language does.
const BUILT_IN_PREFIX: &str = "builtin:";

const SAFETY_FAULTS: &[FaultKind] =
    &[FaultKind::Assertion, FaultKind::InvalidEndState, FaultKind::RuntimeError, FaultKind::TraceAssertion];

/// A property that a search can answer.
pub(crate) struct Question {
    pub property: Property,
    /// What it is, in reports.
    pub kind: &'static str,
    pub asked: Asked,
    /// Whether nothing in the model could violate it: then it holds without a search.
    pub is_empty: bool,
    /// What a reader of the answer should know about the question.
    pub notes: Vec<String>,
}

/// What is looked for.
#[derive(Clone)]
pub(crate) enum Asked {
    /// Something that goes wrong along a run.
    Faults(Vec<FaultKind>),
    /// A run that is forbidden as a whole.
    Runs(Arc<Claim>),
}

/// What is to be done about a property.
pub(crate) enum Selected {
    /// Search.
    Search(Question),
    /// Say that it cannot be checked.
    Cannot { name: String, kind: &'static str, reason: String },
}

fn claim_question(name: &str, kind: &'static str, claim: Result<Claim, ClaimError>) -> Result<Question, CheckError> {
    let claim = claim.map_err(|error| CheckError::Claim { property: name.to_owned(), error: error.to_string() })?;
    let name = name.to_owned();
    let property = if claim.is_stutter_invariant { Property::stutter_invariant_ltl(name) } else { Property::ltl(name) };
    Ok(Question { property, kind, asked: Asked::Runs(Arc::new(claim)), is_empty: false, notes: Vec::new() })
}

/// The properties of a job, in the order of checking: those that are named, else `safety` and then every property of the model. A
/// name means the model's own property if there is one of that name, else the built-in set; [`BuiltIn::full_name`] always means the set.
pub(crate) fn select(system: &System<'_>, names: &[String], reduce: &Reduce) -> Result<Vec<Selected>, CheckError> {
    if !names.is_empty() {
        return names.iter().map(|name| select_one(system, name, reduce).map(Selected::Search)).collect();
    }
    let safety = Selected::Search(BuiltIn::Safety.question(system)?);
    let named = system.properties.iter().map(|property| match of_model(property, reduce) {
        Ok(question) => Selected::Search(question),
        // The others can still be checked.
        Err(error) => {
            Selected::Cannot { name: property.name.clone(), kind: property.kind.name(), reason: error.to_string() }
        }
    });
    Ok(std::iter::once(safety).chain(named).collect())
}

fn of_model(property: &Named, reduce: &Reduce) -> Result<Question, CheckError> {
    // A claim inside the model is checked as it stands, as Spin does.
    let is_outer = matches!(property.kind, PropertyKind::Claim(_));
    let claim = Claim::of(property);
    let claim = if is_outer && *reduce != Reduce::None { claim.map(Claim::closed) } else { claim };
    claim_question(&property.name, property.kind.name(), claim)
}

fn select_one(system: &System<'_>, name: &str, reduce: &Reduce) -> Result<Question, CheckError> {
    let set = BuiltIn::named(name);
    if let Some(property) = system.properties.iter().find(|property| property.name == name) {
        let mut question = of_model(property, reduce)?;
        question.notes.extend(set.map(|set| {
            format!("`{name}` is a property of the model; the built-in set of this name is `{}`", set.full_name())
        }));
        return Ok(question);
    }
    if let Some(set) = set {
        return set.question(system);
    }
    let sets = BuiltIn::ALL.into_iter();
    let mut known: Vec<String> = match name.starts_with(BUILT_IN_PREFIX) {
        true => sets.map(BuiltIn::full_name).collect(),
        false => sets.map(|set| set.name_beside(system.properties)).collect(),
    };
    known.extend(system.properties.iter().map(|property| property.name.clone()));
    Err(CheckError::unknown_name("property", name, known.iter().map(String::as_str)))
}
