//! Diagnostics as text, with excerpts of the source.
//!
//! The layout is that of `annotate-snippets`. It panics on ranges outside of its text and has its
//! own idea of a line end, so it never sees a file: it gets an excerpt of whole lines, made
//! harmless, in which every range was clamped.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{Diagnostic, ExpansionKind, FileId, Severity, SourceMap, Span};

/// Whether the text may carry terminal colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// Bare text.
    Plain,
    /// With escape sequences for colours.
    Colour,
}

/// How many enclosing macros or calls are shown before the rest is left out.
const SHOWN_LEVELS: usize = 4;

/// A longer line is cut around its annotations: layout takes time and memory for each character of
/// it.
const LONG_LINE: usize = 2_000;

/// The diagnostics as text, one after the other, an empty line between two.
pub fn render(diagnostics: &[Diagnostic], map: &SourceMap, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for diagnostic in diagnostics {
        if !text.is_empty() {
            text.push('\n');
        }
        let report = report(diagnostic, map);
        // Excerpts of source end in the blanks of the source; what is printed does not.
        for line in renderer.render(&report).lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

fn report<'a>(diagnostic: &'a Diagnostic, map: &'a SourceMap) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut main = Group::with_title(level.primary_title(printable(&diagnostic.message)));
    for place in places(diagnostic, map) {
        main = main.element(snippet(&place, map));
    }
    let mut notes: Vec<String> = Vec::new();
    if let Some(primary) = &diagnostic.primary {
        notes.extend(call_notes(primary.span, map));
        notes.extend(include_notes(primary.span, map));
    }
    notes.extend(diagnostic.notes.iter().cloned());
    for note in notes {
        main = main.element(Level::NOTE.message(printable(&note)));
    }
    if let Some(help) = &diagnostic.help {
        main = main.element(Level::HELP.message(printable(help)));
    }
    let mut groups = vec![main];
    if let Some(primary) = &diagnostic.primary {
        groups.extend(macro_groups(primary.span, map));
    }
    groups
}

/// The annotated ranges of one file.
struct Place {
    file: FileId,
    annotations: Vec<(AnnotationKind, Span, String)>,
}

/// Where the diagnostic points to, as a reader sees it: one place per file, that of the primary
/// span first.
fn places(diagnostic: &Diagnostic, map: &SourceMap) -> Vec<Place> {
    let primary = diagnostic.primary.iter().map(|label| (AnnotationKind::Primary, label));
    let secondary = diagnostic.secondary.iter().map(|label| (AnnotationKind::Context, label));
    let mut places: Vec<Place> = Vec::new();
    for (kind, label) in primary.chain(secondary) {
        let span = map.reading_span(label.span);
        let annotation = (kind, span, printable(&label.message));
        match places.iter_mut().find(|place| place.file == span.file) {
            Some(place) => place.annotations.push(annotation),
            None => places.push(Place { file: span.file, annotations: vec![annotation] }),
        }
    }
    places
}

/// The macros that produced the spelling at `span`, innermost first, each with the place in its
/// body.
fn macro_groups<'a>(span: Span, map: &'a SourceMap) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (spelt, (_, expansion)) in map.macro_chain(span).zip(map.expansions_of(span)) {
        if expansion.kind != ExpansionKind::Macro {
            break;
        }
        if groups.len() == SHOWN_LEVELS {
            let more = "and further macros around it".to_string();
            groups.push(Group::with_title(Level::NOTE.secondary_title(more)));
            break;
        }
        let title = format!("in the expansion of macro `{}`", printable(&expansion.name));
        let place = Place { file: spelt.file, annotations: vec![(AnnotationKind::Primary, spelt, String::new())] };
        groups.push(Group::with_title(Level::NOTE.secondary_title(title)).element(snippet(&place, map)));
    }
    groups
}

/// The calls of inlines through which the code at `span` is reached, innermost first.
fn call_notes(span: Span, map: &SourceMap) -> Vec<String> {
    let mut calls = map.expansions_of(span).filter(|(_, expansion)| expansion.kind == ExpansionKind::Inline);
    let mut notes: Vec<String> = Vec::new();
    for (_, inline) in calls.by_ref().take(SHOWN_LEVELS) {
        notes.push(format!("in inline `{}`, called from {}", inline.name, map.location(inline.call)));
    }
    if calls.next().is_some() {
        notes.push("and through further inlines".to_string());
    }
    notes
}

/// The `#include` lines through which the file of `span` was read, innermost first.
fn include_notes(span: Span, map: &SourceMap) -> Vec<String> {
    let file = map.reading_span(span).file;
    let includes = std::iter::successors(map.file(file).included_from, |include| {
        // An include of itself cannot be made with the public interface, but it would never end.
        map.file(include.file).included_from.filter(|outer| outer.file < include.file)
    });
    includes.take(SHOWN_LEVELS).map(|include| format!("included from {}", map.location(include))).collect()
}

fn snippet<'a>(place: &Place, map: &'a SourceMap) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let excerpt = Excerpt::new(place, map);
    let annotations = place
        .annotations
        .iter()
        .zip(excerpt.ranges)
        .map(|((kind, _, label), range)| kind.span(range).label((!label.is_empty()).then(|| label.clone())));
    Snippet::source(excerpt.text)
        .line_start(excerpt.first_line)
        .path(printable(&map.file(place.file).name))
        .annotations(annotations)
}

/// Whole lines of a file, from the first annotated one to the last.
struct Excerpt {
    text: String,
    /// The number of the first line, from 1.
    first_line: usize,
    /// The annotated ranges, as offsets in `text`, in the order of the annotations.
    ranges: Vec<Range<usize>>,
}

impl Excerpt {
    fn new(place: &Place, map: &SourceMap) -> Excerpt {
        let file = map.file(place.file);
        let mut ranges: Vec<Range<usize>> =
            place.annotations.iter().map(|(_, span, _)| first_line_of(file, *span)).collect();
        let first = ranges.iter().map(|range| file.line_index(range.start)).min().unwrap_or(0);
        let last = ranges.iter().map(|range| file.line_index(range.start)).max().unwrap_or(0);
        let (start, end) = (file.line_start(first), line_end(file, last));
        for range in &mut ranges {
            *range = range.start - start..range.end - start;
        }
        let mut text = printable_same_length(&file.text[start..end]);
        if first == last && text.len() > LONG_LINE {
            cut_long_line(&mut text, &mut ranges);
        }
        Excerpt { text, first_line: first + 1, ranges }
    }
}

/// The end of a line, its line end left out. The last line of a text that ends with a line end is
/// empty.
fn line_end(file: &crate::SourceFile, line_index: usize) -> usize {
    let (start, end) = (file.line_start(line_index), file.line_start(line_index + 1));
    if file.text[start..end].ends_with('\n') { end - 1 } else { end }
}

/// The part of `span` on its first line. An error about a whole process is clearer with one
/// underlined line than with a bracket around a page.
fn first_line_of(file: &crate::SourceFile, span: Span) -> Range<usize> {
    let start = file.clamp(span.start);
    let last = line_end(file, file.line_index(start));
    let end = file.clamp(span.end).min(last.max(start));
    start..end.max(start)
}

/// Shortens a line to the surroundings of its annotations, if these are near enough to each other.
fn cut_long_line(text: &mut String, ranges: &mut [Range<usize>]) {
    let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
    let start = text.floor_char_boundary(first.saturating_sub(LONG_LINE / 4));
    let end = text.floor_char_boundary(start + LONG_LINE);
    // The columns in the header are counted in the excerpt, so what is cut in front is replaced by
    // as many characters of one byte each; `annotate-snippets` elides these.
    let front = text[..start].chars().count();
    let shortened = " ".repeat(front) + &text[start..end];
    for range in ranges.iter_mut() {
        let shift = |offset: usize| offset.clamp(start, end) - start + front;
        *range = shift(range.start)..shift(range.end);
    }
    *text = shortened;
}

/// `text` with every control character replaced by a harmless one of the same length in bytes, so
/// that offsets stay. Line ends and tabs stay too.
fn printable_same_length(text: &str) -> String {
    text.chars()
        .map(|c| match (is_harmful(c), c.len_utf8()) {
            (false, _) => c,
            (true, 1) => ' ',
            (true, 2) => '\u{b7}',
            (true, _) => char::REPLACEMENT_CHARACTER,
        })
        .collect()
}

/// A message on one line, without control characters: it may quote a model.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c == '\n' || is_harmful(c) { ' ' } else { c }).collect()
}

/// Control characters, and those that reorder text and so could make an excerpt lie.
fn is_harmful(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n' && c != '\t') || reorders
}
