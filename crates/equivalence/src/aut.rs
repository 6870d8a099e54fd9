//! The Aldebaran format: `des (initial, edges, states)`, then a line `(from, label, to)` for each
//! edge.
//!
//! It says nothing about what is true in states, so letters are not kept.

use std::fmt::Write as _;

use ample_source::{Diagnostic, Span};

use crate::lts::{Lts, LtsBuilder};

/// Reads a system. `span` is the whole text in its file; `hidden` are labels that are invisible
/// beside `tau` and `i`.
///
/// Any text gives a system or a diagnostic with its place.
///
/// ```
/// use ample_equivalence::read_aut;
/// use ample_source::Span;
///
/// let clock = read_aut("des (0, 2, 2)\n(0, \"tick\", 1)\n(1, i, 0)\n", Span::default(), &[]).unwrap();
/// assert_eq!(clock.edge_count(), 2);
/// assert!(read_aut("des (0, 2, 2)\n(0, tick, 1)\n", Span::default(), &[]).is_err());
/// ```
pub fn read_aut(text: &str, span: Span, hidden: &[String]) -> Result<Lts, Box<Diagnostic>> {
    let mut lines = Lines { rest: text, offset: 0, span };
    let header = lines.next().ok_or_else(|| error(span, "this is no system: there is no `des` line"))?;
    let size = Header::read(&header)?;
    let mut edges = Vec::new();
    let mut last = header.span;
    for line in lines {
        edges.push(size.edge(&line)?);
        last = line.span;
    }
    if edges.len() as u64 != size.edges {
        let message = format!("the first line says {} edges, and there are {}", size.edges, edges.len());
        return Err(error(last.after(), message));
    }
    Ok(size.system(&edges, hidden))
}

/// Writes a system. Quotes and ends of lines within labels are replaced, since readers do not agree
/// on how to escape them.
pub fn write_aut(lts: &Lts) -> String {
    let mut text = format!("des ({}, {}, {})\n", lts.initial().number(), lts.edge_count(), lts.state_count());
    for state in lts.states() {
        for edge in lts.edges(state) {
            let label = lts.label(edge.label).replace('"', "'").replace(['\n', '\r'], " ");
            let _ = writeln!(text, "({}, \"{label}\", {})", state.number(), edge.to.number());
        }
    }
    text
}

/// A line that is not empty, without the space around it.
struct Line<'a> {
    text: &'a str,
    span: Span,
}

struct Lines<'a> {
    rest: &'a str,
    offset: usize,
    span: Span,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        while !self.rest.is_empty() {
            let length = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
            let (line, rest) = self.rest.split_at(length);
            let start = self.offset + (line.len() - line.trim_start().len());
            self.rest = rest;
            self.offset += length;
            let text = line.trim();
            if !text.is_empty() {
                let at = |offset: usize| self.span.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
                let span = Span { start: at(start), end: at(start + text.len()), ..self.span };
                return Some(Line { text, span });
            }
        }
        None
    }
}

/// What the first line says.
struct Header {
    initial: u32,
    edges: u64,
    states: u64,
}

impl Header {
    fn read(line: &Line<'_>) -> Result<Header, Box<Diagnostic>> {
        let numbers = line.text.strip_prefix("des").and_then(|rest| in_parentheses(rest.trim()));
        let numbers = numbers.map(|inside| inside.split(',').map(|part| part.trim().parse().ok()).collect::<Vec<_>>());
        match numbers.as_deref() {
            Some(&[Some(initial), Some(edges), Some(states)]) => {
                let header = Header { initial: 0, edges, states };
                Ok(Header { initial: header.state(initial, line.span)?, ..header })
            }
            _ => Err(error(line.span, "expected `des (INITIAL, EDGES, STATES)`, three numbers")),
        }
    }

    fn state(&self, number: u64, span: Span) -> Result<u32, Box<Diagnostic>> {
        match u32::try_from(number) {
            Ok(state) if number < self.states => Ok(state),
            Ok(_) => Err(error(span, format!("state {number}, but the first line says {} states", self.states))),
            Err(_) => Err(error(span, format!("state {number} is too large: at most 2^32 states are read"))),
        }
    }

    fn edge<'a>(&self, line: &Line<'a>) -> Result<(u32, &'a str, u32), Box<Diagnostic>> {
        let wrong = || error(line.span, "expected `(FROM, LABEL, TO)`");
        let inside = in_parentheses(line.text).ok_or_else(wrong)?;
        let (from, rest) = inside.split_once(',').ok_or_else(wrong)?;
        // The label may have commas in it.
        let (label, to) = rest.rsplit_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        Ok((self.state(number(from)?, line.span)?, unquoted(label.trim()), self.state(number(to)?, line.span)?))
    }

    /// A text of some bytes can name states with large numbers, or many states that no edge
    /// touches: then only the states that are named are kept, and get new numbers.
    fn system(&self, edges: &[(u32, &str, u32)], hidden: &[String]) -> Lts {
        let is_dense = self.states <= 2 * edges.len() as u64 + 1_000;
        let mut named: Vec<u32> = Vec::new();
        if !is_dense {
            named = edges.iter().flat_map(|(from, _, to)| [*from, *to]).chain([self.initial]).collect();
            named.sort_unstable();
            named.dedup();
        }
        let number = |state: u32| if is_dense { state } else { named.partition_point(|&other| other < state) as u32 };
        let mut builder = LtsBuilder::new(number(self.initial));
        for &(from, label, to) in edges {
            let label = builder.visible_label(label, hidden);
            builder.edge_by_id(number(from), label, number(to));
        }
        if is_dense && let Some(last) = self.states.checked_sub(1) {
            builder.state(last as u32);
        }
        builder.build()
    }
}

fn in_parentheses(text: &str) -> Option<&str> {
    text.strip_prefix('(')?.strip_suffix(')')
}

fn unquoted(label: &str) -> &str {
    label.strip_prefix('"').and_then(|label| label.strip_suffix('"')).unwrap_or(label)
}

fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, message))
}
