//! One run of a model on the interpreter, and each of its moves as people want to see it.

use ample_interpret::describe::Change;
use ample_interpret::{Interpreter, Outcome, State};
use ample_model::{Action, Edge, EdgeId, Label, Location, Template};
use ample_source::Span;
use ample_transition::{Fault, Move, Pid};

/// A run: the state it is in and who has kept control.
#[derive(Clone)]
pub struct Run<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    state: State,
    control: Option<Pid>,
    transitions: usize,
    is_over: bool,
}

/// One move, with everything there is to say about it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The move.
    pub step: Move,
    /// The number of the transition it belongs to, from 1. Those of one `atomic` sequence belong to
    /// one.
    pub transition: usize,
    /// Who moves; at a rendezvous the sender.
    pub mover: Participant,
    /// At a rendezvous the receiver.
    pub partner: Option<Participant>,
    /// What has another value afterwards.
    pub changes: Vec<Change>,
    /// What was printed.
    pub printed: String,
    /// What went wrong.
    pub faults: Vec<Fault>,
    /// The processes that came into being.
    pub created: Vec<Created>,
    /// Whether the mover ended.
    pub ended: bool,
    /// Whether it goes on with a transition that an earlier move began.
    pub goes_on: bool,
    /// Whether a process keeps control after it.
    pub keeps_control: bool,
}

/// A process that takes part in a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Its number.
    pub pid: Pid,
    /// Its name: `user[1]`.
    pub name: String,
    /// The edge it takes.
    pub edge: EdgeId,
    /// The statement as written.
    pub text: String,
    /// What the author calls the step.
    pub label: Label,
    /// Where the statement stands.
    pub span: Span,
}

/// A process that came into being.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Its number.
    pub pid: Pid,
    /// Its name.
    pub name: String,
    /// Its parameters and their values.
    pub arguments: Vec<Change>,
}

/// Where a process is while nothing moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its number.
    pub pid: Pid,
    /// Its name.
    pub name: String,
    /// The names of the place where it is: labels, or a state.
    pub labels: Vec<String>,
    /// The statements it could do next, if they were executable.
    pub texts: Vec<String>,
    /// Where it is.
    pub span: Span,
    /// Whether it may stay there for ever.
    pub may_end: bool,
    /// Whether all it can do is end, which only the youngest process can.
    pub ends: bool,
}

impl Waiting {
    /// Where each process is in a state.
    pub fn all(interpreter: &Interpreter<'_>, state: &State) -> Vec<Waiting> {
        (0..state.processes.len()).map(|pid| Waiting::of(interpreter, state, pid as Pid)).collect()
    }

    fn of(interpreter: &Interpreter<'_>, state: &State, pid: Pid) -> Waiting {
        let process = &state.processes[usize::from(pid)];
        let template = &interpreter.model().templates[process.template];
        let location = &template.locations[process.location];
        let mut texts: Vec<String> = Vec::new();
        for edge in &location.edges {
            let text = &template.edges[*edge].text;
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        let ends = |edge: &EdgeId| matches!(template.edges[*edge].action, Action::End);
        let ends = !location.edges.is_empty() && location.edges.iter().all(ends);
        let name = interpreter.process_name(state, pid);
        let labels = location.labels.clone();
        Waiting { pid, name, labels, texts, span: location.span, may_end: location.end, ends }
    }
}

impl<'i, 'm> Run<'i, 'm> {
    /// A run at its beginning, or why there is none (an initialiser may fail).
    pub fn start(interpreter: &'i Interpreter<'m>) -> Result<Self, Box<Fault>> {
        let state = interpreter.initial_state()?;
        Ok(Run { interpreter, state, control: None, transitions: 0, is_over: false })
    }

    /// The interpreter it runs on.
    pub fn interpreter(&self) -> &'i Interpreter<'m> {
        self.interpreter
    }

    /// The state it is in.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who has kept control, inside an `atomic` sequence.
    pub fn control(&self) -> Option<Pid> {
        self.control
    }

    /// Whether an error has ended it.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Every move that can be made now.
    pub fn moves(&self) -> Vec<Outcome> {
        if self.is_over { Vec::new() } else { self.interpreter.moves(&self.state, self.control) }
    }

    /// What comes of this move, if it can be made now.
    pub fn outcome(&self, step: Move) -> Option<Outcome> {
        self.moves().into_iter().find(|outcome| outcome.step == step)
    }

    /// Makes one of [`Run::moves`], and describes it.
    pub fn take(&mut self, outcome: Outcome) -> Step {
        let step = self.describe(&outcome);
        self.pass(outcome);
        step
    }

    /// Makes one of [`Run::moves`] that nobody wants to see.
    pub fn pass(&mut self, outcome: Outcome) {
        self.transitions += usize::from(self.begins_transition(&outcome));
        self.control = outcome.control;
        match outcome.next {
            Some(next) => self.state = next,
            None => self.is_over = true,
        }
    }

    /// The process in control goes on with the transition; if it cannot, another one begins a new
    /// transition.
    fn begins_transition(&self, outcome: &Outcome) -> bool {
        self.control != Some(outcome.step.process)
    }

    /// What is possible, in words; `None` if nothing is.
    pub(crate) fn possible(&self) -> Option<String> {
        let moves = self.moves().iter().map(|outcome| self.describe(outcome).mover).collect::<Vec<_>>();
        let words = moves.iter().map(|mover| format!("{}: {}", mover.name, mover.text)).collect::<Vec<_>>();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// What one of [`Run::moves`] would do.
    pub fn describe(&self, outcome: &Outcome) -> Step {
        let Move { process, edge, partner } = outcome.step;
        let goes_on = !self.begins_transition(outcome);
        let before = self.state.processes.len();
        let after = outcome.next.as_ref().map_or(before, |next| next.processes.len());
        Step {
            step: outcome.step,
            transition: self.transitions + usize::from(!goes_on),
            mover: self.participant(process, edge),
            partner: partner.map(|(pid, edge)| self.participant(pid, edge)),
            changes: outcome.next.as_ref().map_or_else(Vec::new, |next| self.interpreter.changes(&self.state, next)),
            printed: outcome.printed.clone(),
            faults: outcome.faults.clone(),
            created: outcome.next.as_ref().map_or_else(Vec::new, |next| self.created(before, next)),
            ended: after < before,
            goes_on,
            keeps_control: outcome.control.is_some(),
        }
    }

    fn participant(&self, pid: Pid, edge: EdgeId) -> Participant {
        let name = self.interpreter.process_name(&self.state, pid);
        let process = self.state.processes.get(usize::from(pid));
        let template = process.map(|process| &self.interpreter.model().templates[process.template]);
        let taken = template.and_then(|template| Some((template, template.edges.get(edge)?)));
        let (text, label, span) = taken.map_or_else(Default::default, |(template, edge)| {
            (step_text(template, edge).to_owned(), edge.label.clone(), edge.span)
        });
        Participant { pid, name, edge, text, label, span }
    }

    fn created(&self, before: usize, next: &State) -> Vec<Created> {
        let new = next.processes.iter().enumerate().skip(before);
        new.map(|(pid, process)| {
            let template = &self.interpreter.model().templates[process.template];
            let parameters = template.frame.slots.iter().zip(next.locals(pid as Pid)).take(template.parameters);
            let arguments = parameters
                .map(|(slot, value)| Change {
                    name: slot.name.clone(),
                    value: self.interpreter.show(next, slot.shown, *value),
                })
                .collect();
            let pid = pid as Pid;
            Created { pid, name: self.interpreter.process_name(next, pid), arguments }
        })
        .collect()
    }

    /// Where each process is.
    pub fn waiting(&self) -> Vec<Waiting> {
        Waiting::all(self.interpreter, &self.state)
    }

    /// What is wrong with stopping here, if nothing can move.
    pub fn invalid_end(&self) -> Option<Box<Fault>> {
        if self.is_over || !self.moves().is_empty() { None } else { self.interpreter.invalid_end_of(&self.state) }
    }
}

/// What a step is called. An edge from one named state to another, `idle -> wait {guard …}`, goes
/// without its clauses: what they did is shown beside it.
pub fn step_text<'t>(template: &Template, edge: &'t Edge) -> &'t str {
    let names = |location| template.locations.get(location).map_or(&[][..], |location: &Location| &location.labels);
    let ([source], [target]) = (names(edge.source), names(edge.target)) else { return &edge.text };
    let brief = source.len() + " -> ".len() + target.len();
    let is_brief = edge.text.get(..brief) == Some(&format!("{source} -> {target}"));
    match edge.text.get(brief..) {
        Some(clauses) if is_brief && clauses.starts_with(" {") => &edge.text[..brief],
        _ => &edge.text,
    }
}
