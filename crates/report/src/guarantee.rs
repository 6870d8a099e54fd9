//! What answers are worth and how the space was reduced, in words for people.

use ample_check::{PropertyOutcome, Verdict, Worth};
use ample_guarantee::{ClassSet, Guarantee, Omission, PartKind};
use ample_search::Ended;

/// What the answers "holds" and "unknown" are worth, and "violated" if there may be more
/// violations; a violation itself is its own evidence. Properties with the same guarantee share a
/// line.
pub(crate) fn text(searches: &[&PropertyOutcome]) -> String {
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for property in searches.iter().filter(|property| property.verdict != Verdict::Violated || is_cut_off(property)) {
        let words = words(property);
        match lines.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(&property.name),
            None => lines.push((words, vec![&property.name])),
        }
    }
    lines.iter().map(|(words, names)| format!("guarantee for {}: {words}\n", names.join(", "))).collect()
}

/// Whether all violations were to be found, and the search ended before that.
pub(crate) fn is_cut_off(property: &PropertyOutcome) -> bool {
    let ended_early = !matches!(property.ended, None | Some(Ended::Complete | Ended::FirstViolation));
    property.verdict == Verdict::Violated && ended_early
}

fn words(property: &PropertyOutcome) -> String {
    match property.guarantee {
        Worth::Guarantee(guarantee) => of_guarantee(guarantee, property),
        Worth::FirstViolation => "other errors may be missed, because the search stopped at the first one".to_owned(),
        Worth::Candidate => "none, because the search stopped at this run".to_owned(),
        Worth::Untraced => "none, because an error was found that cannot be shown".to_owned(),
        Worth::NotChecked => "none, because nothing was searched".to_owned(),
    }
}

/// A plan that might miss errors of the property was refused before the search. So which classes of
/// errors are preserved besides makes no difference to the answer, and the words do not name them.
fn of_guarantee(guarantee: Guarantee, property: &PropertyOutcome) -> String {
    let is_full = property.ended == Some(Ended::Complete) && property.reductions.is_empty();
    let missed = match (guarantee.omission, guarantee.no_missed) {
        (Omission::Bound { reason }, _) => format!("errors may be missed, because {reason}"),
        (Omission::Probability { reason }, _) => {
            format!("an error is missed with a small probability: {reason}")
        }
        (Omission::None, ClassSet::NONE) => "errors may be missed".to_owned(),
        (Omission::None, _) if is_full => "no error is missed, because every reachable state was explored".to_owned(),
        (Omission::None, _) => {
            "no error is missed, because what the reductions left out makes no difference to the answer".to_owned()
        }
    };
    let has_false = if guarantee.no_missed.is_subset(guarantee.no_false) { "" } else { "; errors may be false" };
    missed + has_false
}

/// The reductions of a search: each with its cycle condition.
pub(crate) fn reductions(property: &PropertyOutcome) -> String {
    let mut names: Vec<String> = Vec::new();
    for part in &property.reductions {
        match (part.kind, names.last_mut()) {
            (PartKind::CycleCondition, Some(reduction)) => *reduction += &format!(" (cycle condition {})", part.name),
            _ => names.push(part.name.to_owned()),
        }
    }
    if names.is_empty() { "no reductions".to_owned() } else { format!("reductions: {}", names.join(", ")) }
}
