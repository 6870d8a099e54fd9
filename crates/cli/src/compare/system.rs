//! The systems that are compared: files in Aldebaran format, and models.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ample_check::{Choice, Options};
use ample_equivalence::{Lts, read_aut};
use ample_frontends::LoadFailure;
use ample_report::Subject;
use ample_search::Limits;
use ample_source::SourceMap;

use crate::args::{CompareArgs, ModelArgs};
use crate::failure::Failure;
use crate::graph::SAFETY;
use crate::model::Beside;
use crate::output::Terminal;
use crate::{graph, letters, model};

/// A system to compare.
pub struct System {
    pub lts: Lts,
    /// Why it is not all of it, if it is not.
    pub cut_off: Option<String>,
}

/// Whether this names a system in Aldebaran format.
pub fn is_aut(name: &str) -> bool {
    name == "-" || Path::new(name).extension().is_some_and(|ending| ending == "aut")
}

/// Reads a system, or explores a model.
pub fn load(
    name: &str,
    options: &CompareArgs,
    terminal: &Terminal,
    interrupt: &Arc<AtomicBool>,
) -> Result<System, Failure> {
    if !is_aut(name) {
        return of_model(name, options, terminal, interrupt);
    }
    let text = if name == "-" {
        model::read_standard_input()?
    } else {
        fs::read_to_string(name).map_err(|error| Failure::Usage(format!("cannot read {name}: {error}")))?
    };
    let title = if name == "-" { "<stdin>" } else { name };
    Ok(System { lts: read(title, &text, options)?, cut_off: None })
}

fn read(title: &str, text: &str, options: &CompareArgs) -> Result<Lts, Failure> {
    let mut sources = SourceMap::new();
    let span = sources.add_text(title, text);
    read_aut(text, span, &options.tau)
        .map_err(|error| Failure::Model(Box::new(LoadFailure { diagnostics: vec![*error], sources })))
}

/// The state space of a model, as `ample graph --format aut` writes it.
fn of_model(
    name: &str,
    options: &CompareArgs,
    terminal: &Terminal,
    interrupt: &Arc<AtomicBool>,
) -> Result<System, Failure> {
    let arguments = ModelArgs {
        model: name.to_owned(),
        defines: options.defines.clone(),
        inputs: options.inputs.clone(),
        language: None,
        max_processes: None,
    };
    let loaded = model::load_with(&arguments, &Beside { formulas: options.see.as_slice(), ..Beside::default() })?;
    model::warn(&loaded, terminal);
    let interpreter = model::interpreter(&arguments, &loaded);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let limits = Limits { max_states: Some(options.max_states), interrupt: interrupt.clone(), ..Limits::default() };
    let how = Options { order: Choice::parse("bfs"), limits, ..Options::default() };
    let (graph, ended) = graph::collect(&subject, &[], SAFETY, how)?;
    let lts = graph.to_lts(&options.tau);
    let lts = if options.see.is_some() { letters::with_letters(&lts, &graph, &interpreter, &loaded)? } else { lts };
    Ok(System { lts, cut_off: graph::incomplete(&ended) })
}
