//! The DVE front end: text to a model, its properties and diagnostics.
//!
//! DVE is the language of DiVinE and of the benchmark set BEEM. The stages are the macros of
//! templates (`.mdve`), a lexer, a parser that recovers from errors, and a lowering that resolves
//! names. What is given beside the text joins it before the lowering ([`ParsedText`]).
//!
//! The language as it is read here is described in `docs/dve.md`.

mod beem;
mod formula_file;
mod lexer;
mod lower;
mod macros;
mod parser;
mod syntax;
mod text;

use ample_property::ParsedText;
use ample_source::{Diagnostic, Diagnostics, Request, SourceMap, Span};

use crate::syntax::{Declaration, Program, VariableKind};
use crate::text::Text;

/// Parses a DVE text; `None` if the diagnostics have errors.
pub fn parse<'a>(
    request: Request<'a>,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
) -> Option<impl ParsedText + 'a> {
    let name = request.root.display().to_string();
    let file = sources.add_file(name.as_str(), request.text);
    let is_template = request.root.extension().is_some_and(|ending| ending == "mdve");
    let (file, text) = if is_template {
        let text = match macros::expand(request.text, request.defines) {
            Ok(text) => text,
            Err(error) => {
                let span = Span::of_bytes(file, error.at..error.at);
                diagnostics.push(Diagnostic::error(span, error.message));
                return None;
            }
        };
        (sources.add_file(format!("{name} (expanded)"), text.as_str()), text)
    } else {
        (file, request.text.to_owned())
    };
    let tokens = lexer::lex(&text, file, 0, diagnostics);
    let program = parser::parse(&tokens, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    if !is_template {
        warn_of_unused_defines(&request, &program, diagnostics);
    }
    Some(Text::new(request, program, sources, diagnostics))
}

/// Outside of templates there are no macros: a definition can only give an input its value.
fn warn_of_unused_defines(request: &Request<'_>, program: &Program, diagnostics: &mut Diagnostics) {
    let mut inputs = Vec::new();
    for declaration in &program.declarations {
        if let Declaration::Variables(variables) = declaration
            && variables.kind == VariableKind::Input
        {
            inputs.extend(variables.declarators.iter().map(|declarator| &*declarator.name.text));
        }
    }
    for (name, _) in request.defines {
        if !inputs.contains(&name.as_str()) {
            let warning =
                Diagnostic::warning(None, format!("`{name}` is defined, but the model has no input `{name}`"));
            diagnostics.push(warning.note("macros are read in templates only, files with the ending .mdve"));
        }
    }
}
