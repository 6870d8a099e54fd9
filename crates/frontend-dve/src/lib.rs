//! The DVE front end: text to a model, its properties and diagnostics.
//!
//! DVE is the language of DiVinE and of the benchmark set BEEM. The stages are the macros of templates (`.mdve`), a lexer, a
//! parser that recovers from errors, and a lowering that resolves names. Properties that are given beside the text
//! join it before the lowering.
//!
//! The language as it is read here is described in `docs/dve.md`.

mod beem;
mod formula_file;
mod lexer;
mod lower;
mod macros;
mod outer;
mod parser;
mod syntax;

use ample_model::Model;
use ample_property::Property;
use ample_source::{Diagnostic, Diagnostics, Request, SourceMap, Span};

use crate::outer::Outer;
use crate::syntax::{Declaration, Program, VariableKind};

/// Reads a DVE text. The model is to be used only if `diagnostics` has no errors afterwards.
pub fn read(
    request: Request<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Model, Vec<Property>)> {
    let name = request.root.display().to_string();
    let file = sources.add_file(name.as_str(), request.text);
    let is_template = request.root.extension().is_some_and(|ending| ending == "mdve");
    let (file, text) = if is_template {
        let text = match macros::expand(request.text, request.defines) {
            Ok(text) => text,
            Err(error) => {
                let at = outer::offset(error.at);
                diagnostics.push(Diagnostic::error(Span::new(file, at, at), error.message));
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
    let mut outer = Outer::new(&program, sources, diagnostics);
    outer.add_own(&program);
    outer.add_beem(&request);
    outer.add_formulas(request.formulas);
    outer.add_claims(request.claims);
    let properties = outer.read;
    let result = lower::lower(&name, &program, &properties, request.defines, diagnostics);
    (!diagnostics.has_errors()).then_some(result)
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
