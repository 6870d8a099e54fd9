//! How the models of the thesis's tables are found and asked.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::race::{Run, read};
use crate::table::decimal;
use crate::{BenchError, measure, ours};

/// Where a file is: one that begins with `dve/` or `promela/` in the corpus, else among the
/// examples.
pub(crate) fn path(run: &Run<'_>, file: &str) -> PathBuf {
    let is_other = file.starts_with("dve/") || file.starts_with("promela/");
    let folder = if is_other { &run.options.corpus } else { &run.options.models };
    folder.join(file)
}

/// What `ample check` says of the whole space with these flags; or why it does not apply.
pub(crate) fn ask(run: &mut Run<'_>, file: &str, name: &str, flags: &[&str]) -> Result<Value, BenchError> {
    run.say(&format!("{name}: {}", flags.join(" ")));
    let text = read(&path(run, file))?;
    let model = Path::new(file).file_name().unwrap_or_default();
    let copy = run.folder().join(model);
    fs::write(&copy, &text).map_err(BenchError::io(copy.display().to_string()))?;
    let mut command = ours::check(&run.options.program, run.folder(), Path::new(model));
    command.args(["--threads", "1", "--json"]).args(flags);
    let ran = measure::run(&mut command)?;
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|_| measure::failure(&command, &ran))?;
    if let Some(why) = report["error"].as_str() {
        return Ok(json!({"refused": why}));
    }
    let states = &report["states"];
    let stored = Some(&report["stored_states"]).filter(|stored| stored.is_u64()).unwrap_or(states);
    match report["reason"].as_str().filter(|_| report["verdict"] == "unknown" && !flags.contains(&"--max-depth")) {
        Some(why) => Err(BenchError::Failed { command: name.to_owned(), said: why.to_owned() }),
        None => Ok(json!({
            "states": states, "stored": stored, "seconds": report["seconds"], "lookups": report["classes"]["lookups"],
        })),
    }
}

/// As the thesis prints it.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| decimal(None), |share| format!("{share:.1} %"))
}
