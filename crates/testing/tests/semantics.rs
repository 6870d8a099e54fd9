//! One small model per rule of the language, in `models/`, each with what Spin says of it in its
//! first comment:
//!
//! - `states: N transitions: M`: the complete search without reduction; `any` where a run-time
//!   error cuts it short;
//! - `faults:` `none`, or kinds with their lines, such as `assertion@12`; or `refused`: no front
//!   end accepts the model.
//!
//! Every order of search must find exactly that.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_search::{Limits, ORDERS, SearchOutcome, StopAt};
use ample_testing::{explore, workspace_root};
use ample_transition::FaultKind;
use libtest_mimic::{Arguments, Failed, Trial};

/// What a model says of itself.
#[derive(Debug, Default)]
struct Expected {
    refused: bool,
    /// Not compared if a run-time error ends runs that Spin continues.
    counts: Option<(u64, u64)>,
    faults: Option<Vec<String>>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = workspace_root().join("crates/testing/models");
    let mut models = Vec::new();
    if let Err(error) = find_models(&folder, &mut models) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    models.sort();
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        Trial::test(name, move || check(&path).map_err(Failed::from))
    };
    libtest_mimic::run(&arguments, models.into_iter().map(trial).collect()).exit_code()
}

fn find_models(folder: &Path, models: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_models(&path, models)?;
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            models.push(path);
        }
    }
    Ok(())
}

fn check(path: &Path) -> Result<(), Box<dyn Error>> {
    let expected = read_header(&fs::read_to_string(path)?);
    let loaded = match explore::load_file(path) {
        Ok(_) if expected.refused => return Err("it is accepted".into()),
        Ok(loaded) => loaded,
        Err(_) if expected.refused => return Ok(()),
        Err(failure) => return Err(format!("it is refused: {}", explore::messages(&failure)).into()),
    };
    let wanted = expected.faults.ok_or("the header names no faults")?;
    let interpreter = Interpreter::new(&loaded.model);
    for entry in ORDERS {
        let order = entry.part.name;
        let outcome = explore::search(&interpreter, order, StopAt::End, &Limits::default());
        let faults = faults(&loaded, &outcome);
        if faults != wanted {
            return Err(format!("{order}: faults {}, Spin has {}", faults.join(", "), wanted.join(", ")).into());
        }
        let counts = (outcome.counts.states, outcome.counts.transitions);
        if let Some(wanted) = expected.counts.filter(|wanted| *wanted != counts) {
            return Err(format!("{order}: states and transitions {counts:?}, Spin has {wanted:?}").into());
        }
    }
    Ok(())
}

/// Reads the first comment.
fn read_header(text: &str) -> Expected {
    let mut expected = Expected::default();
    for line in text.lines().take_while(|line| !line.contains("*/")) {
        let line = line.trim().trim_start_matches(['/', '*']).trim();
        if let ["states:", states, "transitions:", transitions] = line.split_whitespace().collect::<Vec<_>>()[..] {
            expected.counts = states.parse().ok().zip(transitions.parse().ok());
        }
        if let Some(list) = line.strip_prefix("faults:") {
            let faults = list.split(',').map(|fault| fault.trim().to_owned());
            expected.faults = Some(faults.filter(|fault| fault != "none").collect());
        }
        expected.refused |= line == "refused";
    }
    expected
}

/// The faults as the headers write them, each once: by kind, then by line. Where a run gets stuck
/// has no line in Spin.
fn faults(loaded: &Loaded, outcome: &SearchOutcome) -> Vec<String> {
    let mut places: Vec<(&str, Option<u32>)> = Vec::new();
    for (kind, span) in explore::faults(outcome) {
        let has_line = matches!(kind, FaultKind::Assertion | FaultKind::RuntimeError);
        places.push((kind.name(), has_line.then(|| loaded.sources.location(span).line)));
    }
    places.sort_unstable();
    places.dedup();
    places
        .into_iter()
        .map(|(kind, line)| line.map_or_else(|| kind.to_owned(), |line| format!("{kind}@{line}")))
        .collect()
}
