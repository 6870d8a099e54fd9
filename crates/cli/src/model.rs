//! Reading a model, and handing it over to the check.

use std::io::Read;
use std::path::Path;

use ample_check::{BuiltIn, Fairness};
use ample_frontends::{ClaimText, FormulaText, LoadOptions, Loaded, load_file, load_text};
use ample_interpret::{DEFAULT_MAX_PROCESSES, Interpreter};
use ample_report::Asked;
use ample_source::{Style, render};

use crate::args::{AskedArgs, ModelArgs};
use crate::failure::Failure;
use crate::output::Terminal;

/// Reads the model that the arguments name.
pub fn load(options: &ModelArgs) -> Result<Loaded, Failure> {
    load_with(options, &Beside::default())
}

/// What is asked about a model besides what stands in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// Formulas.
    pub formulas: &'a [String],
    /// The file of a claim.
    pub claim: Option<&'a Path>,
    /// The names of properties: some may stand in files beside the model.
    pub wanted: &'a [String],
    /// Expressions whose values are asked for.
    pub values: &'a [String],
}

impl AskedArgs {
    /// What they ask besides what stands in the model.
    pub fn beside(&self) -> Beside<'_> {
        Beside { formulas: &self.formulas, claim: self.claim.as_deref(), wanted: &self.properties, values: &[] }
    }

    /// The formulas and the claim of the command line, which are the last properties: their names,
    /// and how they were given.
    pub fn given(&self, loaded: &Loaded) -> Vec<(String, String)> {
        let formulas = self.formulas.iter().map(|formula| format!("--ltl '{formula}'"));
        let claim = self.claim.iter().map(|claim| format!("--claim {}", claim.display()));
        let flags: Vec<String> = formulas.chain(claim).collect();
        let own = loaded.properties.len().saturating_sub(flags.len());
        loaded.properties[own..].iter().map(|property| property.name.clone()).zip(flags).collect()
    }

    /// The names of all properties that are asked for, with those that were given on the command
    /// line.
    pub fn select(&self, given: &[(String, String)]) -> Vec<String> {
        self.properties.iter().chain(given.iter().map(|(name, _)| name)).cloned().collect()
    }
}

impl ModelArgs {
    /// What is asked about the model, for a report that says how to ask it again.
    pub fn asked<'a>(&'a self, fair: Option<&'a str>, given: &'a [(String, String)]) -> Asked<'a> {
        Asked { model: &self.model, defines: &self.defines, inputs: &self.inputs, fair, given }
    }
}

/// The fairness of this name; none by default.
pub fn fairness(name: Option<&str>) -> Fairness {
    name.and_then(Fairness::named).unwrap_or_default()
}

/// Reads the model that the arguments name, and what is asked besides.
pub fn load_with(options: &ModelArgs, beside: &Beside<'_>) -> Result<Loaded, Failure> {
    let formula = |text: &String| FormulaText { name: "formula".to_owned(), text: text.clone() };
    let how = LoadOptions {
        language: options.language.clone(),
        defines: options.defines.clone(),
        inputs: options.inputs.clone(),
        formulas: beside.formulas.iter().map(formula).collect(),
        wanted: beside.wanted.to_vec(),
        values: beside.values.to_vec(),
        claims: beside.claim.map(claim_text).transpose()?.into_iter().collect(),
    };
    let loaded = if options.model == "-" {
        load_text("<stdin>", read_standard_input()?, &how)
    } else {
        load_file(Path::new(&options.model), &how)
    };
    loaded.map_err(Failure::Model)
}

/// The claim of a file. Its property is called like the file; the front end tells properties with
/// equal names apart.
fn claim_text(path: &Path) -> Result<ClaimText, Failure> {
    let text =
        std::fs::read(path).map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))?;
    let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    // Beside the claim, -p may ask for the built-in set of this name.
    let is_built_in = BuiltIn::named(&stem).is_some();
    let whole = path.file_name().filter(|_| is_built_in);
    let name = whole.map_or(stem, |name| name.to_string_lossy().into_owned());
    Ok(ClaimText { name, path: path.to_owned(), text: String::from_utf8_lossy(&text).into_owned() })
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
