//! A state in words: the values of variables, what is in channels, and where each process is.

use ample_interpret::State;
use ample_replay::Waiting;
use ample_stdx::shorten;

use crate::Subject;

/// A part of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateLine {
    /// A variable, a channel or a process.
    pub name: String,
    /// Its value, its contents, or where it is.
    pub value: String,
    /// Whether it is a process.
    pub is_process: bool,
}

/// All parts of a state.
pub fn lines(subject: &Subject<'_>, state: &State) -> Vec<StateLine> {
    let values = subject.interpreter.describe(state).into_iter();
    let mut lines: Vec<StateLine> =
        values.map(|entry| StateLine { name: entry.name, value: entry.value, is_process: false }).collect();
    for process in Waiting::all(subject.interpreter, state) {
        let value = format!("at {}", place(subject, &process));
        lines.push(StateLine { name: process.name, value, is_process: true });
    }
    lines
}

/// Of all that a process could do next, so many characters are shown.
const LONGEST: usize = 80;

/// Where a process is: `:19  wait: busy == 0 | …`. Where a state has a name that its statements
/// begin with, the name is enough.
fn place(subject: &Subject<'_>, process: &Waiting) -> String {
    let place = subject.short_place(process.span);
    if process.ends {
        return format!("{place}  its end");
    }
    let is_of_label = |text: &String| process.labels.iter().any(|label| text.starts_with(&format!("{label} -> ")));
    let labels = process.labels.join(", ");
    if !labels.is_empty() && process.texts.iter().any(is_of_label) {
        return format!("{place}  {labels}");
    }
    let colon = if labels.is_empty() { "" } else { ": " };
    format!("{place}  {labels}{colon}{}", shorten(&process.texts.join(" | "), LONGEST))
}
