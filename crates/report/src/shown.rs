//! The parts of a step, in words.

use ample_interpret::describe::Change;
use ample_replay::{Created, Participant, Step};
use ample_transition::Fault;

use crate::Subject;
use crate::wrap::one_line;

/// The statement of a participant; a process that ends has none.
pub(crate) fn statement(participant: &Participant, ended: bool) -> String {
    if ended { "ends".to_owned() } else { one_line(&participant.text) }
}

/// What a step did, besides being taken: new values, output, new processes; and, if it is the step
/// at fault, why.
pub(crate) fn effects(subject: &Subject<'_>, step: &Step, fault: Option<&Fault>) -> Vec<String> {
    let change = |change: &Change| format!("{} = {}", short_name(subject, step, &change.name), one_line(&change.value));
    let mut effects: Vec<String> = step.changes.iter().map(change).collect();
    effects.extend(step.created.iter().map(creation));
    if !step.printed.is_empty() {
        let text = step.printed.strip_suffix('\n').unwrap_or(&step.printed);
        effects.push(format!("prints \"{}\"", one_line(text)));
    }
    if let Some(fault) = fault {
        // What went wrong is said in the first line already.
        let here = ["fails here".to_owned()];
        effects.extend(if fault.notes.is_empty() { &here } else { &fault.notes[..] }.iter().map(|note| one_line(note)));
    }
    effects
}

/// The name of what changed. A variable of the process that changed it goes without the name of the
/// process, unless a global variable has the same name: the row says who moved.
fn short_name(subject: &Subject<'_>, step: &Step, name: &str) -> String {
    let participants = std::iter::once(&step.mover).chain(&step.partner);
    let mut own = participants.filter_map(|participant| name.strip_prefix(&participant.name)?.strip_prefix('.'));
    let globals = &subject.interpreter.model().globals.slots;
    let is_global = |name: &str| globals.iter().any(|slot| slot.name == name);
    let short = own.next().filter(|short| !is_global(short)).unwrap_or(name);
    one_line(short)
}

fn creation(created: &Created) -> String {
    let arguments: Vec<String> =
        created.arguments.iter().map(|argument| format!("{} = {}", argument.name, argument.value)).collect();
    match arguments.len() {
        0 => format!("starts {}", created.name),
        _ => format!("starts {} with {}", created.name, arguments.join(", ")),
    }
}

/// The bracket beside a step, as far as can be told before the next step is known.
pub(crate) fn bracket(step: &Step) -> &'static str {
    match (step.goes_on, step.keeps_control) {
        (false, false) => NO_BRACKET,
        (false, true) => "┌",
        (true, true) => "│",
        (true, false) => "└",
    }
}

/// The bracket that holds the moves of one transition together, beside a step between its
/// neighbours.
pub(crate) fn bracket_between(before: Option<usize>, step: &Step, after: Option<usize>) -> &'static str {
    match (before == Some(step.transition), after == Some(step.transition)) {
        (false, false) => NO_BRACKET,
        (false, true) => "┌",
        (true, true) => "│",
        (true, false) => "└",
    }
}

/// What stands beside a step that is a transition of its own.
pub(crate) const NO_BRACKET: &str = " ";
