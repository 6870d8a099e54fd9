//! What machine code has left to the interpreter.

use ample_check::{LeftOver, Outcome, PropertyOutcome};
use serde_json::{Value, json};

use crate::Subject;

/// Below this share it is not worth a line that states were interpreted.
const MUCH: f64 = 0.5;

/// The objects for programs: one a reason.
pub(crate) fn objects(subject: &Subject<'_>, outcome: &Outcome) -> Vec<Value> {
    let object = |one: &LeftOver| json!({"reason": one.reason, "place": place(subject, one)});
    outcome.left_over.iter().map(object).collect()
}

/// That most states of a long search were interpreted, and why, if so.
pub(crate) fn line(subject: &Subject<'_>, outcome: &Outcome, slow: &[&PropertyOutcome]) -> String {
    let share = |property: &&PropertyOutcome| {
        let interpreted = property.run.as_ref().map_or(0, |run| run.interpreted_states);
        interpreted as f64 / property.counts.states.max(1) as f64
    };
    let share = slow.iter().map(share).fold(0.0, f64::max);
    let Some(most) = outcome.left_over.iter().max_by_key(|one| one.states).filter(|_| share >= MUCH) else {
        return String::new();
    };
    let place = place(subject, most).map(|place| format!(" ({place})")).unwrap_or_default();
    let percent = (100.0 * share).min(100.0);
    format!("{percent:.0} % interpreted, which is slow: {}{place}\n", most.reason)
}

fn place(subject: &Subject<'_>, one: &LeftOver) -> Option<String> {
    one.place.map(|span| subject.place(span))
}
