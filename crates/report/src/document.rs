//! A JSON text that is written piece by piece: the steps of a run are made while they are written.

use std::collections::HashMap;
use std::io;

use ample_equivalence::TAU_NAME;
use ample_model::{EdgeId, Label};
use ample_replay::{Participant, Step, Steps};
use ample_stdx::Stop;
use serde_json::{Map, Value, json};

use crate::{ReplayedRun, Subject};

/// A value of which parts are made when they are written.
pub enum Document<'a> {
    /// A value that is known.
    Value(Value),
    /// An object: its fields in order.
    Object(Vec<(String, Document<'a>)>),
    /// A list.
    List(Vec<Document<'a>>),
    /// A run, as an object with the lists of its steps.
    Run(ReplayedRun<'a>),
    /// The table that the steps of the runs before it refer to.
    Statements,
}

impl From<Value> for Document<'_> {
    fn from(value: Value) -> Self {
        match value {
            Value::Object(fields) => {
                Document::Object(fields.into_iter().map(|(key, value)| (key, Document::Value(value))).collect())
            }
            value => Document::Value(value),
        }
    }
}

impl<'a> Document<'a> {
    /// An object with this field: in its place if there is one of the name, else as the last.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, document: Document<'a>) -> Self {
        if let Document::Object(fields) = &mut self {
            match fields.iter_mut().find(|(own, _)| own == key) {
                Some((_, old)) => *old = document,
                None => fields.push((key.to_owned(), document)),
            }
        }
        self
    }

    /// Writes it on one line. A long run is cut off where it is time to stop, and says so.
    pub fn write(&self, subject: &Subject<'_>, stop: &Stop, out: &mut dyn io::Write) -> io::Result<()> {
        let mut writer = Writer { subject, stop, numbers: HashMap::new(), statements: Vec::new() };
        writer.document(self, out)?;
        writeln!(out)
    }
}

/// In the steps of a run with more steps than this, who does what is not spelt out.
const LONG: usize = 10_000;

/// After so many steps of a long run it is asked whether to stop.
const INTERVAL: usize = 1_000;

struct Writer<'a> {
    subject: &'a Subject<'a>,
    stop: &'a Stop,
    /// Which entry of the table a process taking an edge is.
    numbers: HashMap<(String, EdgeId), usize>,
    statements: Vec<Value>,
}

impl Writer<'_> {
    fn document(&mut self, document: &Document<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        match document {
            Document::Value(value) => write!(out, "{value}"),
            Document::Object(fields) => {
                for (number, (key, field)) in fields.iter().enumerate() {
                    let before = if number == 0 { "{" } else { "," };
                    write!(out, "{before}{}:", Value::from(key.as_str()))?;
                    self.document(field, out)?;
                }
                out.write_all(if fields.is_empty() { b"{}" } else { b"}" })
            }
            Document::List(entries) => {
                for (number, entry) in entries.iter().enumerate() {
                    out.write_all(if number == 0 { b"[" } else { b"," })?;
                    self.document(entry, out)?;
                }
                out.write_all(if entries.is_empty() { b"[]" } else { b"]" })
            }
            Document::Run(run) => self.run(*run, out),
            Document::Statements => write!(out, "{}", Value::from(std::mem::take(&mut self.statements))),
        }
    }

    /// A run. Those that violate a safety property have no cycle, and neither has one that stays
    /// where nothing can move.
    fn run(&mut self, run: ReplayedRun<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let ReplayedRun { trace, replayed } = run;
        let mut steps = replayed.steps(self.subject.interpreter, trace);
        let is_long = replayed.moves > LONG;
        let cycle = replayed.cycle.unwrap_or(replayed.moves).min(replayed.moves);
        out.write_all(b"{\"prefix\":[")?;
        let is_whole = self.steps(&mut steps, cycle, is_long, out)?;
        out.write_all(b"],\"cycle\":[")?;
        let is_whole = is_whole && self.steps(&mut steps, replayed.moves - cycle, is_long, out)?;
        out.write_all(if is_whole { b"]}" } else { b"],\"cut_off\":true}" })
    }

    /// Writes so many steps, or fewer if it is time to stop; says whether it wrote them all.
    fn steps(
        &mut self,
        steps: &mut Steps<'_, '_, '_>,
        count: usize,
        is_long: bool,
        out: &mut dyn io::Write,
    ) -> io::Result<bool> {
        for (number, step) in steps.take(count).enumerate() {
            if is_long && number % INTERVAL == 0 && self.stop.check().is_err() {
                return Ok(false);
            }
            let comma = if number == 0 { "" } else { "," };
            write!(out, "{comma}{}", Value::from(self.step(&step, is_long)))?;
        }
        Ok(true)
    }

    fn step(&mut self, step: &Step, is_long: bool) -> Map<String, Value> {
        let mut object = self.participant(&step.mover, is_long);
        let changes: Vec<Value> =
            step.changes.iter().map(|change| json!({"name": change.name, "value": change.value})).collect();
        object.insert("changes".to_owned(), changes.into());
        object.insert("transition".to_owned(), step.transition.into());
        if let Some(partner) = &step.partner {
            object.insert("partner".to_owned(), self.participant(partner, is_long).into());
        }
        if !step.printed.is_empty() {
            object.insert("printed".to_owned(), step.printed.clone().into());
        }
        if !step.created.is_empty() {
            let names: Vec<&str> = step.created.iter().map(|created| created.name.as_str()).collect();
            object.insert("created".to_owned(), names.into());
        }
        if step.ended {
            object.insert("ended".to_owned(), true.into());
        }
        object
    }

    /// Who does what: the number of an entry of the table, and, unless there are very many steps,
    /// the entry itself.
    fn participant(&mut self, participant: &Participant, is_long: bool) -> Map<String, Value> {
        let next = self.statements.len();
        let at = *self.numbers.entry((participant.name.clone(), participant.edge)).or_insert(next);
        if at == next {
            self.statements.push(self.entry(participant).into());
        }
        let mut object = if is_long { Map::new() } else { self.entry(participant) };
        object.insert("at".to_owned(), at.into());
        object
    }

    fn entry(&self, participant: &Participant) -> Map<String, Value> {
        let place = self.subject.sources.location(participant.span);
        let mut object = Map::new();
        object.insert("process".to_owned(), participant.name.clone().into());
        object.insert("pid".to_owned(), participant.pid.into());
        object.insert("file".to_owned(), place.file.into());
        object.insert("line".to_owned(), place.line.into());
        object.insert("statement".to_owned(), participant.text.clone().into());
        let action = match &participant.label {
            Label::None => None,
            Label::Silent => Some(TAU_NAME),
            Label::Named(name) => Some(name.as_str()),
        };
        if let Some(action) = action {
            object.insert("action".to_owned(), action.into());
        }
        object
    }
}
