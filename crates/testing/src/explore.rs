//! Complete searches on the reference semantics.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use ample_frontends::{LoadFailure, LoadOptions, Loaded};
use ample_interpret::Interpreter;
use ample_search::{Limits, ORDERS, Search, SearchOutcome, StopAt};
use ample_source::Span;
use ample_store::ExactStore;
use ample_transition::{FaultKind, StoreConfig, SuccessorBuffer, Successors};

use crate::workspace_root;

/// The faults that make the property `safety` false.
pub const SAFETY: &[FaultKind] =
    &[FaultKind::Assertion, FaultKind::InvalidEndState, FaultKind::RuntimeError, FaultKind::TraceAssertion];

/// Reads a model from a text.
pub fn load_text(text: &str) -> Result<Loaded, Box<LoadFailure>> {
    ample_frontends::load_text("random.pml", text.to_owned(), &LoadOptions::default())
}

/// Reads a model from a file; what is of no other language by its ending is Promela, whatever its
/// ending.
pub fn load_file(path: &Path) -> Result<Loaded, Box<LoadFailure>> {
    let is_other = path.extension().is_some_and(|ending| ["dve", "mdve", "gcl"].iter().any(|other| ending == *other));
    let language = (!is_other).then(|| "promela".to_owned());
    let options = LoadOptions { language, ..LoadOptions::default() };
    ample_frontends::load_file(path, &options)
}

/// Every model of the project: the examples, and one for each rule of the language. In a definite
/// order.
pub fn models_of_the_project() -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in ["crates/testing/models", "examples"] {
        models_in(&workspace_root().join(folder), &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn models_in(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            models_in(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "pml") {
            found.push(path);
        }
    }
    Ok(())
}

/// The first states of a system, breadth first, at most so many.
pub fn states_of(system: &dyn Successors, most: usize) -> Vec<Vec<u8>> {
    let mut states: Vec<Vec<u8>> = system.initial().into_iter().collect();
    let mut seen: HashSet<Vec<u8>> = states.iter().cloned().collect();
    let mut buffer = SuccessorBuffer::new();
    let mut next = 0;
    while next < states.len() && states.len() < most {
        buffer.clear();
        system.expand_all(&states[next], &mut buffer);
        for state in buffer.iter().filter_map(|successor| successor.state) {
            if states.len() < most && seen.insert(state.to_vec()) {
                states.push(state.to_vec());
            }
        }
        next += 1;
    }
    states
}

/// What the front end has to say, one message a line.
pub fn messages(failure: &LoadFailure) -> String {
    let messages: Vec<&str> = failure.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    messages.join("\n")
}

/// Searches with an exact store and looks for safety.
///
/// `order` is the name of an order in `ample_search::ORDERS`; an unknown one is the first.
pub fn search(interpreter: &Interpreter<'_>, order: &str, stop_at: StopAt, limits: &Limits) -> SearchOutcome {
    let config = StoreConfig::unlimited();
    let Ok(store) = ExactStore::new(&config) else { return SearchOutcome::not_begun() };
    let entry = ORDERS.iter().find(|entry| entry.part.name == order).unwrap_or(&ORDERS[0]);
    (entry.run)(Search {
        system: interpreter,
        store: Box::new(store),
        make_exact_store: &|| Some(Box::new(ExactStore::new(&config).ok()?)),
        budget: &config.budget,
        threads: 1,
        wanted: SAFETY,
        stop_at,
        limits,
        progress: None,
        observer: None,
        reduction: None,
        has_assumption_failed: None,
        slices: None,
    })
}

/// The kinds and places of the violations, in a fixed order.
pub fn faults(outcome: &SearchOutcome) -> Vec<(FaultKind, Span)> {
    let mut faults: Vec<(FaultKind, Span)> =
        outcome.violations.iter().map(|found| (found.fault.kind, found.fault.span)).collect();
    faults.sort_by_key(|(kind, span)| (*kind, span.file, span.start, span.end));
    faults
}

/// What a complete search found, in the numbers that two checkers can compare.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// States stored.
    pub states: u64,
    /// Transitions between them, without Spin's additional one.
    pub transitions: u64,
    /// Whether there is an error.
    pub error: bool,
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = if self.error { "error" } else { "no error" };
        write!(f, "{} states, {} transitions, {error}", self.states, self.transitions)
    }
}

impl From<&SearchOutcome> for Numbers {
    fn from(outcome: &SearchOutcome) -> Self {
        Numbers {
            states: outcome.counts.states,
            transitions: outcome.counts.transitions,
            error: !outcome.violations.is_empty(),
        }
    }
}
