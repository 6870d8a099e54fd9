//! What is asked of a system: properties by name, and what a search has to look for.

use std::sync::Arc;

use ample_guarantee::Property;
use ample_product::Fairness;
use ample_property::{Property as Named, PropertyKind};
use ample_transition::FaultKind;

use crate::built_in::{BUILT_IN_PREFIX, BuiltIn};
use crate::claim::{Claim, ClaimError};
use crate::error::CheckError;
use crate::options::Reduce;
use crate::system::System;

/// Every cycle is one without progress then, as in Spin.
const NO_PROGRESS_LABELS: &str = "the model has no progress labels, so that every cycle is one without progress";

/// Spin says the same, and ignores the option.
const NO_ACCEPT_LABELS: &str = "the model has no accept labels, so that there was nothing to search";

const SAFETY_FAULTS: &[FaultKind] =
    &[FaultKind::Assertion, FaultKind::InvalidEndState, FaultKind::RuntimeError, FaultKind::TraceAssertion];

/// A property that a search can answer.
pub struct Question {
    /// Its name and what kind of property it is.
    pub property: Property,
    /// What it is, in reports.
    pub kind: &'static str,
    /// What is looked for.
    pub goal: Goal,
    /// Whether nothing in the model could violate it: then it holds without a search.
    pub is_empty: bool,
    /// What a reader of the answer should know about the question.
    pub notes: Vec<String>,
}

/// What is looked for.
#[derive(Clone)]
pub enum Goal {
    /// Something that goes wrong along a run.
    Violation(Vec<FaultKind>),
    /// A run that is forbidden as a whole.
    AcceptedRun(Arc<Claim>),
}

/// What is to be done about a property.
pub enum Selected {
    /// Search.
    Search(Question),
    /// Say that it cannot be checked.
    Cannot {
        /// The property.
        name: String,
        /// What it is.
        kind: &'static str,
        /// Why it cannot.
        reason: String,
    },
}

/// What a built-in set asks of a search over `system`.
fn of_set(set: BuiltIn, system: &System<'_>) -> Result<Question, CheckError> {
    let name = set.name_beside(system.properties);
    let (property, faults): (Property, &[FaultKind]) = match set {
        BuiltIn::Assertions => (Property::ASSERTIONS, &[FaultKind::Assertion]),
        BuiltIn::EndStates => (Property::END_STATES, &[FaultKind::InvalidEndState]),
        BuiltIn::Safety if system.has_trace_assertion => (Property::SAFETY.and(&Property::TRACE), SAFETY_FAULTS),
        BuiltIn::Safety => (Property::SAFETY, SAFETY_FAULTS),
        BuiltIn::Exclusive => (Property::EXCLUSIVE, &[FaultKind::Exclusive]),
        BuiltIn::Progress => {
            let mut question = claim_question(&name, set.name(), Claim::non_progress())?;
            question.notes.extend((!system.labels.progress).then(|| NO_PROGRESS_LABELS.to_owned()));
            return Ok(question);
        }
        BuiltIn::Accept => {
            let question = claim_question(&name, set.name(), Claim::acceptance())?;
            let is_empty = !system.labels.accept;
            let notes = if is_empty { vec![NO_ACCEPT_LABELS.to_owned()] } else { question.notes };
            return Ok(Question { is_empty, notes, ..question });
        }
    };
    let property = Property { name: name.into(), ..property };
    let goal = Goal::Violation(faults.to_vec());
    Ok(Question { property, kind: "safety", goal, is_empty: false, notes: Vec::new() })
}

fn claim_question(name: &str, kind: &'static str, claim: Result<Claim, ClaimError>) -> Result<Question, CheckError> {
    let claim = claim.map_err(|error| CheckError::Claim { property: name.to_owned(), error: error.to_string() })?;
    let name = name.to_owned();
    let property = match (claim.is_invariant, claim.is_stutter_invariant) {
        (true, _) => Property::invariant(name),
        (false, true) => Property::stutter_invariant_ltl(name),
        (false, false) => Property::ltl(name),
    };
    Ok(Question { property, kind, goal: Goal::AcceptedRun(Arc::new(claim)), is_empty: false, notes: Vec::new() })
}

/// The properties of a job, in the order of checking: those that are named, else `safety` and then
/// every property of the model. A name means the model's own property if there is one of that name,
/// else the built-in set; [`BuiltIn::full_name`] always means the set.
pub fn select(system: &System<'_>, names: &[String], reduce: &Reduce) -> Result<Vec<Selected>, CheckError> {
    if !names.is_empty() {
        return names.iter().map(|name| select_one(system, name, reduce).map(Selected::Search)).collect();
    }
    let safety = Selected::Search(of_set(BuiltIn::Safety, system)?);
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
        return of_set(set, system);
    }
    let sets = BuiltIn::ALL.into_iter();
    let mut known: Vec<String> = match name.starts_with(BUILT_IN_PREFIX) {
        true => sets.map(BuiltIn::full_name).collect(),
        false => sets.map(|set| set.name_beside(system.properties)).collect(),
    };
    known.extend(system.properties.iter().map(|property| property.name.clone()));
    Err(CheckError::unknown_name("property", name, known.iter().map(String::as_str)))
}

/// Of infinite runs only the fair ones count.
pub(crate) fn assume(fairness: Fairness, selected: &mut [Selected]) {
    for selected in selected {
        if let Selected::Search(Question { goal: Goal::AcceptedRun(claim), .. }) = selected {
            *claim = Arc::new((**claim).clone().under(fairness));
        }
    }
}
