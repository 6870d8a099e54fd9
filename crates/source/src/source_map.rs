//! The files and expansions that spans refer to.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use ample_stdx::IndexVec;

use crate::{ExpansionId, FileId, Span};

/// One source file, as it was read.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// The name to show: the path as the user or the `#include` gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// The `#include` that brought this file in, if one did.
    pub included_from: Option<Span>,
    line_starts: Vec<usize>,
}

/// What stands for a file that the map does not have: see the crate's invariant.
static NO_FILE: SourceFile =
    SourceFile { name: String::new(), text: String::new(), included_from: None, line_starts: Vec::new() };

impl SourceFile {
    fn new(name: String, text: String, included_from: Option<Span>) -> SourceFile {
        let after_newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        SourceFile { name, text, included_from, line_starts }
    }

    /// The 0-based number of the line that holds the byte at `offset`.
    pub(crate) fn line_index(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The offset of the first byte of a line, by its 0-based number.
    pub(crate) fn line_start(&self, line_index: usize) -> usize {
        self.line_starts.get(line_index).copied().unwrap_or(self.text.len())
    }

    /// The nearest place at or before `offset` that is in the text and between two characters.
    pub(crate) fn clamp(&self, offset: u32) -> usize {
        self.text.floor_char_boundary(offset as usize)
    }
}

/// The lines of the text of `file` that are not empty, without the blanks around them, and where
/// they stand.
pub fn filled_lines(text: &str, file: FileId) -> Vec<(&str, Span)> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let filled = line.trim();
        let begin = start + (line.len() - line.trim_start().len());
        if !filled.is_empty() {
            lines.push((filled, Span::of_bytes(file, begin..begin + filled.len())));
        }
        start += line.len();
    }
    lines
}

/// What kind of definition was expanded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExpansionKind {
    /// A preprocessor macro. A reader looks at the call.
    Macro,
    /// An inline. A reader looks at the statement in its body, and wants to know the call as well.
    Inline,
}

/// One expansion: a call that was replaced by the body of a definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expansion {
    /// What was expanded.
    pub kind: ExpansionKind,
    /// Its name; shared, because a model may call one macro very often.
    pub name: Arc<str>,
    /// The call; its own `expansion` leads outwards.
    pub call: Span,
    /// Where the name is defined.
    pub definition: Span,
}

/// A position for people.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// All files and expansions of one model.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    // Shared, so that a clone of the map does not copy the texts.
    files: IndexVec<FileId, Arc<SourceFile>>,
    expansions: IndexVec<ExpansionId, Expansion>,
    rebased: HashMap<(ExpansionId, ExpansionId), ExpansionId>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file that the user named.
    pub fn add_file(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(Arc::new(SourceFile::new(name.into(), text.into(), None)))
    }

    /// Adds a text as a file, and gives the span of all of it.
    pub fn add_text(&mut self, name: impl Into<String>, text: &str) -> Span {
        let file = self.add_file(name, text);
        Span::of_bytes(file, 0..text.len())
    }

    /// Adds a file that was included from `include`.
    pub fn add_included_file(&mut self, name: impl Into<String>, text: impl Into<String>, include: Span) -> FileId {
        self.files.push(Arc::new(SourceFile::new(name.into(), text.into(), Some(include))))
    }

    /// The file named by `id`; an empty one if the map does not have it.
    pub fn file(&self, id: FileId) -> &SourceFile {
        self.files.get(id).map_or(&NO_FILE, |file| file)
    }

    /// All files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter_enumerated().map(|(id, file)| (id, &**file))
    }

    /// Adds one expansion. Its call must have been expanded from older expansions only, so chains
    /// end.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        let is_older = |outer: ExpansionId| self.expansions.get(outer).is_some();
        debug_assert!(expansion.call.expansion.is_none_or(is_older), "an expansion inside a younger one");
        self.expansions.push(expansion)
    }

    /// The expansion named by `id`.
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        self.expansions.get(id)
    }

    /// The expansions that brought `span` here, innermost first.
    pub fn expansions_of(&self, span: Span) -> impl Iterator<Item = (ExpansionId, &Expansion)> {
        let step = |id: ExpansionId| self.expansions.get(id).map(|expansion| (id, expansion));
        std::iter::successors(span.expansion.and_then(step), move |(_, expansion)| {
            expansion.call.expansion.and_then(step)
        })
    }

    /// Where a reader looks for `span`: outside of the macros that produced it, but inside the
    /// inline.
    ///
    /// A statement of an inline's body is shown in that body; what a macro's body spells is shown
    /// at the call of the macro.
    pub fn reading_span(&self, span: Span) -> Span {
        self.macro_chain(span).last().unwrap_or(span)
    }

    /// `span`, then the call of each macro around it, up to and with the one that a reader looks
    /// at.
    pub(crate) fn macro_chain(&self, span: Span) -> impl Iterator<Item = Span> {
        std::iter::successors(Some(span), |span| {
            let expansion = self.expansions.get(span.expansion?)?;
            (expansion.kind == ExpansionKind::Macro).then_some(expansion.call)
        })
    }

    /// The smallest readable span from `first` to `last`, leaving macros as far as needed for the
    /// two to meet; `first` alone if they do not.
    pub fn join(&self, first: Span, last: Span) -> Span {
        for left in self.macro_chain(first) {
            if let Some(right) = self.macro_chain(last).find(|right| left.is_beside(*right)) {
                return left.to(right);
            }
        }
        first
    }

    /// What an author wrote for `first` to `last` next to `place`, or as an argument of an inline
    /// around `place`: macros that do not surround `place` as well stand there by their names.
    pub fn written_beside(&self, place: Span, first: Span, last: Span) -> Span {
        let left = |span: Span, place: Span| self.macro_chain(span).find(|outer| outer.is_beside(place));
        let calls = self.expansions_of(place).map(|(_, expansion)| expansion.call);
        std::iter::once(place)
            .chain(calls)
            .find_map(|place| Some(left(first, place)?.to(left(last, place)?)))
            .unwrap_or_else(|| self.join(first, last))
    }

    /// `span`, a place in the body of an inline, as it appears in one `call` of that inline.
    ///
    /// The body is preprocessed once, so a token that a macro put into it knows nothing of the
    /// calls of the inline. This gives the same token with `call` as the outermost of its
    /// expansions.
    pub fn rebase(&mut self, span: Span, call: ExpansionId) -> Span {
        let inner_first: Vec<ExpansionId> = self.expansions_of(span).map(|(id, _)| id).collect();
        let mut outer = call;
        for inner in inner_first.into_iter().rev() {
            outer = match self.rebased.get(&(inner, call)) {
                Some(&known) => known,
                None => self.rebase_one(inner, outer, call),
            };
        }
        Span { expansion: Some(outer), ..span }
    }

    fn rebase_one(&mut self, inner: ExpansionId, outer: ExpansionId, call: ExpansionId) -> ExpansionId {
        let mut copy = self.expansions[inner].clone();
        copy.call.expansion = Some(outer);
        let id = self.expansions.push(copy);
        self.rebased.insert((inner, call), id);
        id
    }

    /// The position at which a reader looks for `span`.
    pub fn location(&self, span: Span) -> Location<'_> {
        let reading = self.reading_span(span);
        let file = self.file(reading.file);
        let start = file.clamp(reading.start);
        let line = file.line_index(start);
        let column = file.text[file.line_start(line)..start].chars().count();
        Location { file: &file.name, line: one_based(line), column: one_based(column) }
    }

    /// The text as spelt; empty if the span is out of range.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

fn one_based(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}
