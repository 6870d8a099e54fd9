//! Models by other people, with Spin's answers: found by the variable `AMPLE_CORPUS`, else at
//! `../shared/corpus`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of the corpus, if it is there.
pub fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("AMPLE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => crate::workspace_root().join("../shared/corpus"),
    };
    folder.join("promela/answers.jsonl").exists().then_some(folder)
}

/// A Promela model with Spin's answers.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name: the path below `promela/`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Whether it has embedded C.
    pub c_code: bool,
    /// Whether Spin accepts it.
    pub accepted: bool,
    /// The search that stops at the first error; `None` if it ran out of time.
    pub safety: Option<Counted>,
    /// The complete search; `None` if it ran out of time.
    pub full: Option<Counted>,
    /// What was said of infinite runs.
    pub runs: Vec<RunAnswer>,
    /// What was said of those that are fair.
    pub fair: Vec<RunAnswer>,
}

/// What Spin says of a property of infinite runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunAnswer {
    /// The name of the property; `unnamed` for one without; `accept` and `progress` for the labels.
    pub name: String,
    /// Whether it is violated.
    pub violated: bool,
    /// What the search counted.
    pub counted: Counted,
}

/// What Spin counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// States stored.
    pub states: u64,
    /// Transitions, without Spin's additional one.
    pub transitions: u64,
    /// Steps inside `atomic`.
    pub atomic: u64,
    /// Errors found.
    pub errors: u64,
    /// Whether everything was explored.
    pub complete: bool,
    /// What the first error was.
    pub first_error: Option<String>,
}

impl Counted {
    /// Whether the counts can be compared: everything was explored, and Spin went on after its
    /// errors as we do.
    pub fn is_comparable(&self) -> bool {
        let is_ordinary =
            |said: &String| said.starts_with("assertion violated") || said.starts_with("invalid end state");
        self.complete && self.first_error.as_ref().is_none_or(is_ordinary)
    }
}

/// Every Promela model of the corpus.
pub fn promela(folder: &Path) -> io::Result<Vec<Entry>> {
    let models = folder.join("promela");
    let text = fs::read_to_string(models.join("answers.jsonl"))?;
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| entry(&models, line)).collect()
}

fn entry(models: &Path, line: &str) -> io::Result<Entry> {
    let value: Value = serde_json::from_str(line)?;
    let name = value["model"].as_str().unwrap_or_default().to_owned();
    Ok(Entry {
        path: models.join(&name),
        name,
        c_code: value["c_code"].as_bool().unwrap_or(false),
        accepted: value["spin"] == "accepts",
        safety: counted(&value["safety"]),
        full: counted(&value["full"]),
        runs: run_answers(&value, &value["ltl"], "plain"),
        fair: run_answers(&value, &value["fair"], "fair"),
    })
}

/// The answers that are answers: what ran out of time or depth without an error says nothing, and
/// an assertion of the model that failed says nothing of a cycle.
fn run_answers(value: &Value, formulas: &Value, kind: &str) -> Vec<RunAnswer> {
    let mut all = Vec::new();
    for (name, answer) in formulas.as_object().into_iter().flatten() {
        if let Some(counted) = counted(answer) {
            let violated = answer["violated"].as_bool().unwrap_or(counted.errors > 0);
            all.push(RunAnswer { name: name.clone(), violated, counted });
        }
    }
    for name in ["accept", "progress"] {
        if let Some(counted) = counted(&value[name][kind]) {
            all.push(RunAnswer { name: name.to_owned(), violated: counted.errors > 0, counted });
        }
    }
    let is_cycle =
        |said: &String| said.contains("cycle") || said.contains("claim") || said.contains("assertion violated  !(");
    all.retain(|answer| match answer.violated {
        true => answer.counted.first_error.as_ref().is_some_and(is_cycle),
        false => answer.counted.complete,
    });
    all
}

fn counted(value: &Value) -> Option<Counted> {
    Some(Counted {
        states: value["states"].as_u64()?,
        // Of some searches only the states were recorded.
        transitions: value["transitions"].as_u64().unwrap_or(0).saturating_sub(1),
        atomic: value["atomic"].as_u64().unwrap_or(0),
        errors: value["errors"].as_u64().unwrap_or(0),
        complete: value["complete"].as_bool().unwrap_or(false),
        first_error: value["first_error"].as_str().map(str::to_owned),
    })
}

/// A committed table: model, a tab, the reason. Lines that begin with `#` explain.
pub fn table(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split_once('\t').unwrap_or((line, "")))
        .map(|(model, reason)| (model.trim(), reason.trim()))
        .collect()
}
