//! States and transitions for people.

use ample_interpret::{Interpreter, State};
use ample_source::Span;
use ample_transition::Move;

/// A line about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateLine {
    /// A variable, a channel or a process.
    pub name: String,
    /// Its value; of a process, what it is about to do.
    pub value: String,
    /// Where that stands, of a process.
    pub span: Option<Span>,
}

/// A transition in words: a line for each participant of each move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownTransition {
    /// The process, its statement and where that stands.
    pub steps: Vec<(String, String, Span)>,
}

/// All of a state.
pub(crate) fn state(interpreter: &Interpreter<'_>, state: &State) -> Vec<StateLine> {
    let values = interpreter.describe(state).into_iter();
    let mut lines: Vec<StateLine> =
        values.map(|change| StateLine { name: change.name, value: change.value, span: None }).collect();
    for (pid, process) in state.processes.iter().enumerate() {
        let template = &interpreter.model().templates[process.template];
        let edges = template.locations[process.location].edges.iter().map(|edge| &template.edges[*edge]);
        let mut texts: Vec<&str> = Vec::new();
        edges.clone().map(|edge| edge.text.as_str()).for_each(|text| {
            if !texts.contains(&text) {
                texts.push(text);
            }
        });
        let value = if texts.is_empty() { "at its end".to_owned() } else { format!("at {}", texts.join(" | ")) };
        let name = interpreter.process_name(state, pid as u16);
        lines.push(StateLine { name, value, span: edges.map(|edge| edge.span).next() });
    }
    lines
}

/// A transition that leaves a state, or, of the processes that exist there, one after it.
pub(crate) fn transition(interpreter: &Interpreter<'_>, state: &State, moves: &[Move]) -> ShownTransition {
    let participants = moves.iter().flat_map(|step| std::iter::once((step.process, step.edge)).chain(step.partner));
    let steps = participants.map(|(pid, edge)| {
        let template =
            state.processes.get(usize::from(pid)).map(|process| &interpreter.model().templates[process.template]);
        let edge = template.and_then(|template| template.edges.get(edge));
        let (text, span) =
            edge.map_or(("a statement".to_owned(), Span::default()), |edge| (edge.text.clone(), edge.span));
        (interpreter.process_name(state, pid), text, span)
    });
    ShownTransition { steps: steps.collect() }
}
