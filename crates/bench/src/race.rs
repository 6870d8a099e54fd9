//! What the tables have in common: rows, a folder to work in, and results that are kept.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::machine::{self, Machine};
use crate::results::Results;
use crate::{BenchError, Options, Row, rows};

/// What a measurement has at hand.
pub(crate) struct Run<'a> {
    pub(crate) options: &'a Options,
    pub(crate) machine: &'a Machine,
    results: Results,
    scratch: Scratch,
    ample: Ample,
    progress: &'a mut dyn FnMut(&str),
}

/// Our own binary.
struct Ample {
    /// For people: the version, the build, the commit of the checkout that the models are in.
    summary: String,
    /// Tells one build from another.
    build: String,
}

/// What one part of a row gave.
pub(crate) enum Part {
    /// Now or before.
    Measured(Value),
    /// It could not be measured; this is why.
    Failed(String),
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        table: &'static str,
        options: &'a Options,
        machine: &'a Machine,
        progress: &'a mut dyn FnMut(&str),
    ) -> Result<Run<'a>, BenchError> {
        let results = Results::open(&options.results, table, options.fresh)?;
        Ok(Run { options, machine, results, scratch: Scratch::new()?, ample: Ample::of(options)?, progress })
    }

    /// Those of the rows that were asked for.
    pub(crate) fn rows(&self, rows: &'static [Row]) -> Result<Vec<&'static Row>, BenchError> {
        rows::choose(rows, Row::name, &self.options.only)
    }

    /// Our own version.
    pub(crate) fn ample(&self) -> String {
        self.ample.summary.clone()
    }

    /// The folder that the programs run in.
    pub(crate) fn folder(&self) -> &Path {
        &self.scratch.0
    }

    /// Says what is being done.
    pub(crate) fn say(&mut self, what: &str) {
        (self.progress)(what);
    }

    /// One part of a row: what was kept of it, or what `measure` finds out now. `with` names what
    /// else took part.
    pub(crate) fn part(
        &mut self,
        row: &Row,
        part: &str,
        with: &Value,
        measure: impl FnOnce(&mut Self) -> Result<Value, BenchError>,
    ) -> Result<Part, BenchError> {
        let file = self.options.models.join(row.file());
        self.part_of(row, &file, part, with, measure)
    }

    /// The same where the model is in a folder of its own. It is copied to the folder that the
    /// programs run in.
    pub(crate) fn part_of(
        &mut self,
        row: &Row,
        file: &Path,
        part: &str,
        with: &Value,
        measure: impl FnOnce(&mut Self) -> Result<Value, BenchError>,
    ) -> Result<Part, BenchError> {
        let text = read(file)?;
        let copy = self.folder().join(row.file());
        self.keep(&row.name(), &text, part, with, |run| {
            fs::write(&copy, &text).map_err(BenchError::io(copy.display().to_string()))?;
            measure(run)
        })
    }

    /// The same for any model, by its name and its text.
    pub(crate) fn keep(
        &mut self,
        name: &str,
        text: &[u8],
        part: &str,
        with: &Value,
        measure: impl FnOnce(&mut Self) -> Result<Value, BenchError>,
    ) -> Result<Part, BenchError> {
        let key = json!({
            "row": name,
            "part": part,
            "repeat": self.options.repeat,
            "model": machine::fingerprint(text),
            "ample": self.ample.build,
            "machine": self.machine.summary(),
            "with": with,
        });
        if let Some(kept) = self.results.find(&key) {
            let kept = kept.clone();
            self.say(&format!("{name}, {part}: measured before"));
            return Ok(Part::Measured(kept));
        }
        match measure(self) {
            Ok(result) => {
                self.results.add(key, result.clone())?;
                Ok(Part::Measured(result))
            }
            // One row that fails is no reason to lose the others; it is not kept, so it is tried
            // again.
            Err(error) => {
                self.say(&format!("{name}, {part}: {error}"));
                Ok(Part::Failed(error.to_string()))
            }
        }
    }
}

impl Ample {
    fn of(options: &Options) -> Result<Ample, BenchError> {
        let path = options.program.display().to_string();
        let bytes = fs::read(&options.program).map_err(BenchError::io(path.clone()))?;
        let build = machine::fingerprint(&bytes);
        let version = machine::version(&path, "--version").unwrap_or_else(|| "unknown version".to_owned());
        // The models of other people are in no checkout of ours.
        let folders = [Some(options.models.as_path()), options.program.parent()];
        let commit = folders.iter().copied().flatten().find_map(machine::commit);
        let checkout = commit.map(|commit| format!(", checkout {commit}"));
        let summary = format!("{version}, build {}{}", &build[..8], checkout.unwrap_or_default());
        Ok(Ample { summary, build })
    }
}

/// A folder for one run, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, BenchError> {
        let folder = std::env::temp_dir().join(format!("ample-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(BenchError::io(folder.display().to_string()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the system's folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The text of a model.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, BenchError> {
    fs::read(file).map_err(BenchError::io(file.display().to_string()))
}

/// The load before a row, for its result.
pub(crate) fn load() -> Value {
    json!(machine::load())
}

/// All runs of one side, from a result.
pub(crate) fn runs<T>(result: &Value, side: &str, read: fn(&Value) -> Option<T>) -> Vec<T> {
    result[side].as_array().into_iter().flatten().filter_map(read).collect()
}
