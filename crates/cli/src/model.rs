//! Reading a model, and handing it over to the check.

use std::io::Read;
use std::path::Path;

use ample_check::{NamedKind, NamedProperty, Replayer, System};
use ample_frontends::{LoadOptions, Loaded, load_file, load_text};
use ample_interpret::{DEFAULT_MAX_PROCESSES, Interpreter};
use ample_model::TemplateId;
use ample_property::PropertyKind;
use ample_replay::judge;
use ample_source::{Style, render};
use ample_transition::{Fault, Pid, Trace};

use crate::args::ModelArgs;
use crate::failure::Failure;
use crate::output::Terminal;

/// Reads the model that the arguments name.
pub fn load(options: &ModelArgs) -> Result<Loaded, Failure> {
    let how = LoadOptions { language: options.language.clone(), defines: options.defines.clone() };
    let loaded = if options.model == "-" {
        let mut text = Vec::new();
        std::io::stdin()
            .read_to_end(&mut text)
            .map_err(|error| Failure::Usage(format!("cannot read standard input: {error}")))?;
        let text = String::from_utf8(text)
            .map_err(|error| Failure::Usage(format!("standard input is not UTF-8 text: {error}")))?;
        load_text("<stdin>", text, &how)
    } else {
        load_file(Path::new(&options.model), &how)
    };
    loaded.map_err(Failure::Model)
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

/// The judge of counterexamples, as the check wants it.
pub struct Judge<'a>(pub &'a Interpreter<'a>);

impl Replayer for Judge<'_> {
    fn replay(&self, trace: &Trace, fault: &Fault) -> Result<(), String> {
        judge(self.0, trace, fault).map(|_| ()).map_err(|mismatch| mismatch.to_string())
    }
}

/// The named properties of a model, as the check wants them.
pub fn named_properties(loaded: &Loaded) -> Vec<NamedProperty> {
    let named = loaded.properties.iter().map(|property| NamedProperty {
        name: property.name.clone(),
        kind: match property.kind {
            PropertyKind::Ltl(_) => NamedKind::Ltl,
            PropertyKind::Never(_) => NamedKind::Never,
        },
    });
    named.collect()
}

/// What a process runs in a state.
pub fn template_of(interpreter: &Interpreter<'_>, state: &[u8], pid: Pid) -> Option<TemplateId> {
    interpreter.decode(state).processes.get(usize::from(pid)).map(|process| process.template)
}

/// The system to check.
pub fn system<'a>(
    interpreter: &'a Interpreter<'a>,
    judge: &'a Judge<'a>,
    template_of: &'a dyn Fn(&[u8], Pid) -> Option<TemplateId>,
    properties: &'a [NamedProperty],
) -> System<'a> {
    System {
        successors: interpreter,
        replayer: judge,
        template_of,
        has_trace_assertion: interpreter.model().trace.is_some(),
        properties,
    }
}
