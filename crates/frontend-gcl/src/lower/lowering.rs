//! What a program becomes, and what is known of it on the way.

use ample_model::{Action, Edge, Frame, Label, LocationId, SlotId};
use ample_source::{Diagnostic, Diagnostics, InputRange, Span};
use ample_stdx::TypedId;

use super::scope::{Constant, Indices, Kind, Scope, Type};
use crate::syntax::{self, Name, Program};

/// No more edges are made of all commands together.
pub(super) const MAX_EDGES: usize = 1 << 16;

/// Nor of more characters of commands, each counted as often as there are edges of it.
pub(super) const MAX_TEXT: usize = 1 << 24;

/// A program that is being lowered.
pub(super) struct Lowering<'p, 'd> {
    pub(super) program: &'p Program,
    pub(super) diagnostics: &'d mut Diagnostics,
    /// Values of constants that are given from outside.
    pub(super) defines: &'p [(String, String)],
    /// Ranges of inputs that are given from outside, and whether there is such an input.
    pub(super) ranges: Vec<(&'p InputRange, bool)>,
    /// The names outside of processes.
    pub(super) globals: Scope,
    pub(super) frame: Frame,
    /// The names of the sets that have one.
    pub(super) sets: Vec<Name>,
    pub(super) processes: Vec<Process<'p>>,
    /// What is chosen before everything else.
    pub(super) choices: Vec<Choice>,
    pub(super) edges: Vec<Edge>,
    /// How many characters the commands have of which they were made.
    pub(super) text_length: usize,
}

/// From where an expression is looked at: by a member of a family of processes, by a process, or
/// from outside of all.
#[derive(Clone, Copy, Default)]
pub(super) struct Here {
    pub(super) member: Option<Member>,
}

/// A process, and which of its family.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) process: usize,
    /// Counted from 0.
    pub(super) position: u32,
}

/// A process, or a family.
#[derive(Debug)]
pub(super) struct Process<'p> {
    pub(super) syntax: &'p syntax::Process,
    /// What counts its members, if it is a family.
    pub(super) indices: Option<Indices>,
    /// Its variables; where they lie in the first member.
    pub(super) scope: Scope,
    /// How many slots a member has.
    pub(super) stride: u32,
}

impl Process<'_> {
    pub(super) fn count(&self) -> u32 {
        self.indices.map_or(1, |indices| indices.length)
    }

    /// The name of a member for people: `q`, `q[1]`.
    pub(super) fn member_name(&self, position: u32) -> String {
        let name = &self.syntax.name.text;
        match self.indices {
            Some(indices) => format!("{name}[{}]", indices.low.saturating_add(i64::from(position))),
            None => name.to_string(),
        }
    }
}

/// A variable that starts with any of these values.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) slot: SlotId,
    pub(super) name: String,
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) ty: Type,
    /// Where that is said.
    pub(super) span: Span,
}

impl Lowering<'_, '_> {
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    pub(super) fn declared_twice(&mut self, name: &Name, first: Span) {
        let error = Diagnostic::error(name.span, format!("`{}` is declared twice", name.text));
        self.diagnostics.push(error.secondary(first, "first declared here"));
    }
}

/// Where the program begins. Location 0 is none.
pub(super) fn first_location() -> LocationId {
    LocationId::from_index(1)
}

/// Where all commands begin and end: if something is chosen before, that leads there.
pub(super) fn commands_from(has_choices: bool) -> LocationId {
    LocationId::from_index(first_location().index() + usize::from(has_choices))
}

/// An edge without effects that leaves a location and leads to another.
pub(super) fn plain_edge(source: LocationId, target: LocationId, label: Label, text: String, span: Span) -> Edge {
    Edge {
        source,
        target,
        action: Action::Skip,
        guard: None,
        effects: Vec::new(),
        keeps_control: false,
        escape: None,
        statement: source,
        label,
        text,
        span,
    }
}

/// The constant 0, of no kind: what stands for something that was reported.
pub(super) fn unknown() -> Constant {
    Constant { value: 0, kind: Kind::Unknown }
}
