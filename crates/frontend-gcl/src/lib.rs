//! The front end for guarded commands: text to a model, its properties and diagnostics.
//!
//! The language is that of Pelánek's thesis (section 2.3.1), made usable: types, arrays, families
//! of processes, inputs, properties. The stages are a lexer, a parser that recovers from errors,
//! and a lowering that resolves names, checks types and makes one process of all commands, in the
//! order of the text.
//!
//! The language as it is read here is described in `docs/gcl.md`.

mod lexer;
mod lower;
mod parser;
mod syntax;
mod text;

use ample_property::ParsedText;
use ample_source::{Diagnostics, Request, SourceMap};

use crate::text::Text;

/// Parses a program; `None` if the diagnostics have errors.
pub fn parse<'a>(
    request: Request<'a>,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
) -> Option<impl ParsedText + 'a> {
    let file = sources.add_file(request.root.display().to_string(), request.text);
    let tokens = lexer::lex(request.text, file, 0, diagnostics);
    let program = parser::parse(request.text, &tokens, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    Some(Text::new(request, program, sources, diagnostics))
}
