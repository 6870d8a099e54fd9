//! Reading a model, and handing it over to the check.

use std::io::Read;
use std::path::Path;

use ample_frontends::{FormulaText, LoadOptions, Loaded, load_file, load_text};
use ample_interpret::{DEFAULT_MAX_PROCESSES, Interpreter};
use ample_source::{Style, render};

use crate::args::ModelArgs;
use crate::failure::Failure;
use crate::output::Terminal;

/// Reads the model that the arguments name.
pub fn load(options: &ModelArgs) -> Result<Loaded, Failure> {
    load_with(options, &[])
}

/// Reads the model that the arguments name, and formulas about it.
pub fn load_with(options: &ModelArgs, formulas: &[FormulaText]) -> Result<Loaded, Failure> {
    let how = LoadOptions {
        language: options.language.clone(),
        defines: options.defines.clone(),
        formulas: formulas.to_vec(),
    };
    let loaded = if options.model == "-" {
        load_text("<stdin>", read_standard_input()?, &how)
    } else {
        load_file(Path::new(&options.model), &how)
    };
    loaded.map_err(Failure::Model)
}

/// The formulas of the command line. The front end tells properties with equal names apart.
pub fn formulas(texts: &[String]) -> Vec<FormulaText> {
    texts.iter().map(|text| FormulaText { name: "formula".to_owned(), text: text.clone() }).collect()
}

/// The whole of standard input.
pub fn read_standard_input() -> Result<String, Failure> {
    let mut text = Vec::new();
    std::io::stdin()
        .read_to_end(&mut text)
        .map_err(|error| Failure::Usage(format!("cannot read standard input: {error}")))?;
    String::from_utf8(text).map_err(|error| Failure::Usage(format!("standard input is not UTF-8 text: {error}")))
}

/// Says what looked odd.
pub fn warn(loaded: &Loaded, terminal: &Terminal) {
    if !loaded.warnings.is_empty() {
        let style = if terminal.error_colour() { Style::Colour } else { Style::Plain };
        terminal.complain(&(render(&loaded.warnings, &loaded.sources, style) + "\n"));
    }
}

/// The reference semantics of a model.
pub fn interpreter<'m>(options: &ModelArgs, loaded: &'m Loaded) -> Interpreter<'m> {
    Interpreter::with_max_processes(&loaded.model, options.max_processes.unwrap_or(DEFAULT_MAX_PROCESSES))
}
