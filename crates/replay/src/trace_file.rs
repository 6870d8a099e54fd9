//! Traces in files: text, versioned, readable by people and by the next `ample sim --replay`.
//!
//! ```text
//! ample trace 1
//! model mutex-wrong.pml
//! source 3a94bb0ef6d0cc21 mutex-wrong.pml
//! define N=2
//! property safety
//! fault assertion mutex-wrong.pml:22
//! message assertion failed: inside <= 1
//! moves 2
//! # transition, process, edge, partner:edge
//! 1 1 0 -        # user[1] mutex-wrong.pml:19  !busy[1 - _pid]
//! 2 0 0 -        # user[0] mutex-wrong.pml:19  !busy[1 - _pid]
//! ```
//!
//! The trace of an infinite run has a line `cycle after 3`: all transitions but the first three are
//! repeated for ever.
//!
//! The moves of a long trace have no comments; what each edge of a template is stands before them,
//! once.
//!
//! Version 2 is version 1 with lines `input NAME=LOW..HIGH`.
//!
//! The hash of a source is [`fnv1a`] of its text. What follows `#` is for people and is not read.

use std::fmt::Write as _;
use std::io;

use ample_interpret::Interpreter;
use ample_model::EdgeId;
use ample_product::Fairness;
use ample_source::{InputRange, SourceMap, Span};
use ample_stdx::{TypedId, fnv1a};
use ample_transition::{FaultKind, Move, Trace};

use crate::{Step, Steps};

const HEADER: &str = "ample trace ";
/// The versions that are understood. A trace without inputs is written as the first, which older
/// programs read, too.
const VERSIONS: [&str; 2] = ["1", "2"];

/// A trace with what is needed to run it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceFile {
    /// The model, as it was named on the command line.
    pub model: String,
    /// The files it was made of.
    pub sources: Vec<SourceHash>,
    /// The language, if it was not left to the file's ending.
    pub language: Option<String>,
    /// The macros that were defined on the command line.
    pub defines: Vec<(String, String)>,
    /// The ranges of inputs that were given on the command line.
    pub inputs: Vec<InputRange>,
    /// How many processes were allowed, if not the usual number.
    pub max_processes: Option<u16>,
    /// The formulas that were given on the command line.
    pub formulas: Vec<String>,
    /// The file of the claim that was given on the command line.
    pub claim: Option<String>,
    /// The property that was checked; empty if none was.
    pub property: String,
    /// Which infinite runs counted.
    pub fairness: Fairness,
    /// What went wrong at the end, if something did.
    pub fault: Option<SavedFault>,
    /// The moves.
    pub trace: Trace,
}

/// A source file and the hash of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceHash {
    /// The name of the file.
    pub name: String,
    /// The hash of its text.
    pub hash: u64,
}

/// A fault, as a file can name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFault {
    /// What kind of thing.
    pub kind: FaultKind,
    /// `file:line`.
    pub place: String,
    /// The whole sentence.
    pub message: String,
}

/// A difference between the sources then and now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceChange {
    /// The text is another one.
    #[error("`{name}` is not what `{name_then}` was (its hash was {then:016x} and is {now:016x})")]
    Changed {
        /// The name of the file.
        name: String,
        /// Its name when the trace was made.
        name_then: String,
        /// Its hash when the trace was made.
        then: u64,
        /// Its hash now.
        now: u64,
    },
    /// The model had another number of files.
    #[error("the model was made of {then} files and is made of {now}")]
    Count {
        /// How many files there were.
        then: usize,
        /// How many there are.
        now: usize,
    },
}

/// Why a text is not a trace file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TraceFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl TraceFile {
    /// Whether a text claims to be a trace file, of whatever version.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(HEADER)
    }

    /// The hashes of all sources of a model.
    pub fn hashes(sources: &SourceMap) -> Vec<SourceHash> {
        let hash = |text: &str| fnv1a(text.as_bytes());
        sources.files().map(|(_, file)| SourceHash { name: file.name.clone(), hash: hash(&file.text) }).collect()
    }

    /// Whether the sources are those that the trace was made with. Names do not count: a model may
    /// have moved.
    pub fn check_sources(&self, sources: &SourceMap) -> Result<(), SourceChange> {
        let now = TraceFile::hashes(sources);
        if now.len() != self.sources.len() {
            return Err(SourceChange::Count { then: self.sources.len(), now: now.len() });
        }
        match self.sources.iter().zip(&now).find(|(then, now)| then.hash != now.hash) {
            Some((then, now)) => Err(SourceChange::Changed {
                name: now.name.clone(),
                name_then: then.name.clone(),
                then: then.hash,
                now: now.hash,
            }),
            None => Ok(()),
        }
    }

    /// Writes the text of the file, with comments for people if what they say is given.
    pub fn write(&self, comments: Option<&Comments<'_>>, out: &mut dyn io::Write) -> io::Result<()> {
        let count = self.trace.moves().count();
        out.write_all(self.head(count).as_bytes())?;
        match comments {
            Some(comments) if count > MOST_COMMENTED => comments.write_edges(out)?,
            _ => {}
        }
        let each = comments.filter(|_| count <= MOST_COMMENTED);
        let mut steps = each.map(|comments| Steps::new(comments.interpreter, &self.trace, count));
        for (number, transition) in self.trace.transitions.iter().enumerate() {
            for step in transition {
                let partner = step.partner.map_or("-".to_owned(), |(pid, edge)| format!("{pid}:{}", edge.index()));
                let fields = format!("{} {} {} {partner}", number + 1, step.process, step.edge.index());
                match (each, steps.as_mut().and_then(Iterator::next)) {
                    (Some(comments), Some(step)) => writeln!(out, "{fields:<16}# {}", comments.step(&step))?,
                    _ => writeln!(out, "{fields}")?,
                }
            }
        }
        Ok(())
    }

    /// All but the moves.
    fn head(&self, moves: usize) -> String {
        let version = VERSIONS[usize::from(!self.inputs.is_empty())];
        let mut text = format!("{HEADER}{version}\nmodel {}\n", one_line(&self.model));
        let mut line = |key: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{key} {}", one_line(value));
        };
        for source in &self.sources {
            line("source", &format!("{:016x} {}", source.hash, source.name));
        }
        if let Some(language) = &self.language {
            line("language", language);
        }
        for (name, value) in &self.defines {
            line("define", &format!("{name}={value}"));
        }
        for input in &self.inputs {
            line("input", &input.to_string());
        }
        if let Some(most) = self.max_processes {
            line("max-processes", &most.to_string());
        }
        for formula in &self.formulas {
            line("formula", formula);
        }
        if let Some(claim) = &self.claim {
            line("claim", claim);
        }
        if !self.property.is_empty() {
            line("property", &self.property);
        }
        if let Some(fair) = self.fairness.name() {
            line("fair", fair);
        }
        if let Some(fault) = &self.fault {
            line("fault", &format!("{} {}", fault.kind.name(), fault.place));
            line("message", &fault.message);
        }
        if let Some(before) = self.trace.cycle {
            line("cycle", &format!("after {before}"));
        }
        line("moves", &moves.to_string());
        text + "# transition, process, edge, partner:edge\n"
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<TraceFile, TraceFileError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        match lines.next().and_then(|(_, line)| line.strip_prefix(HEADER)).map(str::trim) {
            Some(version) if VERSIONS.contains(&version) => {}
            Some(other) => {
                let known = VERSIONS.join(" and ");
                return Err(error(1, format!("this trace file has version {other}; versions {known} are understood")));
            }
            None => return Err(error(1, format!("not a trace file: the first line is not `{HEADER}{}`", VERSIONS[0]))),
        }
        let mut file = TraceFile::default();
        let mut expected = None;
        for (number, line) in lines {
            let line = line.split('#').next().filter(|_| expected.is_some()).unwrap_or(line).trim();
            if line.is_empty() {
                continue;
            }
            match expected {
                None => file.parse_head(number, line, &mut expected)?,
                Some(_) => file.parse_move(number, line)?,
            }
        }
        let found = file.trace.moves().count();
        match expected {
            Some(expected) if expected == found => Ok(file),
            Some(expected) => {
                Err(error(text.lines().count(), format!("{expected} moves are announced, but there are {found}")))
            }
            None => Err(error(text.lines().count(), "the file ends before its moves".to_owned())),
        }
    }

    fn parse_head(&mut self, number: usize, line: &str, moves: &mut Option<usize>) -> Result<(), TraceFileError> {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let bad = || error(number, format!("`{value}` is no {key}"));
        match key {
            "model" => self.model = value.to_owned(),
            "source" => {
                let (hash, name) = value.split_once(' ').ok_or_else(bad)?;
                let hash = u64::from_str_radix(hash, 16).map_err(|_| bad())?;
                self.sources.push(SourceHash { name: name.to_owned(), hash });
            }
            "language" => self.language = Some(value.to_owned()),
            "define" => {
                let (name, value) = value.split_once('=').ok_or_else(bad)?;
                self.defines.push((name.to_owned(), value.to_owned()));
            }
            "input" => self.inputs.push(InputRange::parse(value).map_err(|_| bad())?),
            "max-processes" => self.max_processes = Some(value.parse().map_err(|_| bad())?),
            "formula" => self.formulas.push(value.to_owned()),
            "claim" => self.claim = Some(value.to_owned()),
            "property" => self.property = value.to_owned(),
            "fair" => self.fairness = Fairness::named(value).ok_or_else(bad)?,
            "fault" => {
                let (kind, place) = value.split_once(' ').unwrap_or((value, ""));
                let kind = FaultKind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(bad)?;
                self.fault = Some(SavedFault { kind, place: place.to_owned(), message: String::new() });
            }
            "message" => match &mut self.fault {
                Some(fault) => fault.message = value.to_owned(),
                None => return Err(error(number, "a message without a fault before it".to_owned())),
            },
            "cycle" => {
                let before = value.strip_prefix("after ").ok_or_else(bad)?;
                self.trace.cycle = Some(before.parse().map_err(|_| bad())?);
            }
            "moves" => *moves = Some(value.parse().map_err(|_| bad())?),
            _ => return Err(error(number, format!("unknown entry `{key}`"))),
        }
        Ok(())
    }

    fn parse_move(&mut self, number: usize, line: &str) -> Result<(), TraceFileError> {
        let bad = || error(number, format!("not a move: `{line}`; expected: transition process edge partner:edge"));
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [transition, process, edge, partner] = fields[..] else { return Err(bad()) };
        let edge_id = |text: &str| text.parse::<u32>().ok().map(|edge| EdgeId::from_index(edge as usize));
        let partner = match partner {
            "-" => None,
            pair => {
                let (pid, edge) = pair.split_once(':').ok_or_else(bad)?;
                Some((pid.parse().map_err(|_| bad())?, edge_id(edge).ok_or_else(bad)?))
            }
        };
        let process = process.parse().map_err(|_| bad())?;
        let step = Move { process, edge: edge_id(edge).ok_or_else(bad)?, partner };
        let transition: usize = transition.parse().map_err(|_| bad())?;
        let known = self.trace.transitions.len();
        if transition == known + 1 {
            self.trace.transitions.push(vec![step]);
        } else if transition == known && known > 0 {
            self.trace.transitions[known - 1].push(step);
        } else {
            return Err(error(number, format!("transition {transition} cannot follow transition {known}")));
        }
        Ok(())
    }
}

/// What the comments of a trace file say: each move in words; in a long trace only once what each
/// edge is.
pub struct Comments<'a> {
    /// Runs the model.
    pub interpreter: &'a Interpreter<'a>,
    /// The text of the model.
    pub sources: &'a SourceMap,
}

/// In a trace with more moves than this they have no comments.
const MOST_COMMENTED: usize = 10_000;

impl Comments<'_> {
    fn step(&self, step: &Step) -> String {
        let both = std::iter::once(&step.mover).chain(&step.partner);
        let texts: Vec<String> = both
            .map(|participant| format!("{} {}", participant.name, self.statement(participant.span, &participant.text)))
            .collect();
        texts.join("  ->  ")
    }

    /// What each edge is, by the templates of processes.
    fn write_edges(&self, out: &mut dyn io::Write) -> io::Result<()> {
        for template in self.interpreter.model().templates.iter() {
            for (number, edge) in template.edges.iter().enumerate() {
                writeln!(out, "# {} {number}: {}", template.name, self.statement(edge.span, &edge.text))?;
            }
        }
        Ok(())
    }

    fn statement(&self, span: Span, text: &str) -> String {
        let place = self.sources.location(span);
        format!("{}:{}  {}", place.file, place.line, one_line(text))
    }
}

/// A value on one line, whatever it holds.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn error(line: usize, message: String) -> TraceFileError {
    TraceFileError { line, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TraceFile {
        let step = |process, edge, partner| Move { process, edge: EdgeId::from_index(edge), partner };
        TraceFile {
            model: "a b.pml".to_owned(),
            sources: vec![SourceHash { name: "a b.pml".to_owned(), hash: 0xab }],
            language: Some("promela".to_owned()),
            defines: vec![("N".to_owned(), "3".to_owned()), ("EMPTY".to_owned(), String::new())],
            inputs: vec![InputRange { name: "q.x".to_owned(), low: -1, high: 3 }],
            max_processes: Some(300),
            formulas: vec!["G(x -> F y)".to_owned()],
            claim: Some("no reply.hoa".to_owned()),
            property: "safety".to_owned(),
            fairness: Fairness::Weak,
            fault: Some(SavedFault {
                kind: FaultKind::Assertion,
                place: "a b.pml:7".to_owned(),
                message: "assertion failed: x # y".to_owned(),
            }),
            trace: Trace {
                transitions: vec![
                    vec![step(0, 1, None), step(0, 2, None)],
                    vec![step(1, 3, Some((2, EdgeId::from_index(4))))],
                ],
                cycle: Some(1),
            },
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let file = sample();
        let mut text = Vec::new();
        file.write(None, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(TraceFile::is_one(&text));
        assert_eq!(TraceFile::parse(&text), Ok(file), "{text}");
    }

    #[track_caller]
    fn refuse(text: &str, expected: &str) {
        assert_eq!(TraceFile::parse(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_is_wrong_is_said() {
        refuse("", "line 1: not a trace file: the first line is not `ample trace 1`");
        refuse("ample trace 9\n", "line 1: this trace file has version 9; versions 1 and 2 are understood");
        refuse("ample trace 1\n", "line 1: the file ends before its moves");
        refuse("ample trace 1\ncolour red\n", "line 2: unknown entry `colour`");
        refuse("ample trace 1\nfault bad luck\n", "line 2: `bad luck` is no fault");
        refuse("ample trace 1\nmoves 2\n1 0 0 -\n", "line 3: 2 moves are announced, but there are 1");
        refuse("ample trace 1\nmoves 1\n2 0 0 -\n", "line 3: transition 2 cannot follow transition 0");
        refuse("ample trace 1\nmoves 1\n0 0 0 -\n", "line 3: transition 0 cannot follow transition 0");
        refuse(
            "ample trace 1\nmoves 1\n1 0 x\n",
            "line 3: not a move: `1 0 x`; expected: transition process edge partner:edge",
        );
    }

    #[test]
    fn a_changed_source_is_noticed() {
        let mut sources = SourceMap::new();
        sources.add_file("m.pml", "byte x");
        let file = TraceFile { sources: TraceFile::hashes(&sources), ..TraceFile::default() };
        assert_eq!(file.check_sources(&sources), Ok(()));
        let mut edited = SourceMap::new();
        edited.add_file("m.pml", "byte y");
        assert!(matches!(file.check_sources(&edited), Err(SourceChange::Changed { .. })));
        edited.add_file("n.pml", "");
        assert_eq!(file.check_sources(&edited), Err(SourceChange::Count { then: 1, now: 2 }));
    }
}
