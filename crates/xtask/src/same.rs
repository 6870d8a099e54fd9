//! Two binaries of the program on the same models: every verdict and every count, one beside the
//! other. Resumable: what is done is not done again.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ample_testing::{corpus, explore, workspace_root};
use anyhow::Context;
use serde_json::Value;

use crate::resumable::{Options, Results, Tally};

/// Models with more states than this are left out, or cut off where nobody knows.
const MOST_STATES: u64 = 1_000_000;

/// What each model is asked. One thread: with several, what is found first is not always the same.
const QUESTIONS: &[&[&str]] = &[
    &["--reduce", "none", "--keep-going", "-p", "safety", "--order", "dfs"],
    &["--order", "bfs", "--reduce", "none"],
    &[],
    &["-p", "safety", "--por", "stubborn"],
    &["--under", "visibility"],
];

/// What is compared of each property.
const COMPARED: &[&str] = &["verdict", "states", "transitions", "atomic_steps", "depth"];

/// Both binaries.
struct Binaries {
    before: PathBuf,
    after: PathBuf,
    /// Where they run: a violation leaves its trace there.
    folder: PathBuf,
}

/// Runs both on every model; false if they differ.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let (mut options, mut before, mut after) = (Options::default(), None, None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut file = || arguments.next().map(PathBuf::from).with_context(|| format!("{argument} needs a file"));
        match argument.as_str() {
            "--before" => before = Some(fs::canonicalize(file()?)?),
            "--after" => after = Some(fs::canonicalize(file()?)?),
            other => options.take(other, &mut arguments)?,
        }
    }
    let folder = workspace_root().join("target/same");
    fs::create_dir_all(&folder)?;
    let (before, after) = (before.context("--before is missing")?, after.context("--after is missing")?);
    let binaries = Binaries { before, after, folder };
    let mut results = Results::open(&binaries.folder.join("results.txt"), '\t', options.fresh)?;
    let mut tally = Tally::default();
    for path in models()?.into_iter().filter(|path| is_wanted(path, &options)) {
        for question in QUESTIONS {
            let key = format!("{} {}", path.display(), question.join(" "));
            let line = match results.before(&key) {
                Some(line) => line.to_owned(),
                None => {
                    let line = binaries.compare(&path, question)?;
                    results.add(&key, &line)?;
                    line
                }
            };
            println!("{line:<70} {key}");
            tally.count(line.split([' ', ':']).next().unwrap_or_default());
        }
    }
    println!("{} questions: {tally}", tally.total());
    Ok(!tally.has("DIFFERS"))
}

fn is_wanted(path: &Path, options: &Options) -> bool {
    options.only.as_ref().is_none_or(|only| path.to_string_lossy().contains(only))
}

/// The project's own models, and those of the corpus that are small enough.
fn models() -> anyhow::Result<Vec<PathBuf>> {
    let mut models = explore::models_of_the_project()?;
    let Some(folder) = corpus::folder() else { return Ok(models) };
    let is_small = |entry: &corpus::Entry| entry.full.as_ref().is_none_or(|full| full.states <= MOST_STATES);
    models.extend(corpus::promela(&folder)?.into_iter().filter(is_small).map(|entry| entry.path));
    models.extend(beem(&folder.join("dve"))?);
    Ok(models)
}

/// The instances of BEEM that are known to be small.
fn beem(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let text = fs::read_to_string(folder.join("beem-known.csv"))?;
    let row = |line: &str| {
        let mut fields = line.split(',');
        let instance = fields.next()?.to_owned();
        fields.next()?.parse::<u64>().ok().filter(|states| *states <= MOST_STATES)?;
        let family = instance.split('.').next()?.to_owned();
        Some(folder.join("beem").join(family).join(format!("{instance}.dve")))
    };
    Ok(text.lines().skip(1).filter_map(row).filter(|path| path.exists()).collect())
}

/// What a binary answers.
#[derive(PartialEq, Eq)]
struct Answer {
    status: Option<i32>,
    /// For each property what is compared.
    properties: Vec<(String, Vec<String>)>,
    /// Whether the time cut something off: then nothing is compared.
    is_cut_off: bool,
}

impl Binaries {
    fn compare(&self, model: &Path, question: &[&str]) -> anyhow::Result<String> {
        let before = self.ask(&self.before, model, question)?;
        let after = self.ask(&self.after, model, question)?;
        if before.is_cut_off || after.is_cut_off {
            return Ok("cut-off".to_owned());
        }
        if before == after {
            let all = after.properties.iter().map(|(name, values)| format!("{name} {}", values.join(" ")));
            return Ok(format!("same: {}", all.collect::<Vec<_>>().join("; ")));
        }
        if before.status != after.status {
            return Ok(format!("DIFFERS: status {:?}, now {:?}", before.status, after.status));
        }
        let known: HashMap<_, _> = before.properties.iter().cloned().collect();
        let differing = after.properties.iter().filter(|(name, values)| known.get(name) != Some(values));
        let words = differing.map(|(name, values)| {
            let before = known.get(name).map(|values| values.join(" ")).unwrap_or_default();
            format!("{name} {before}, now {}", values.join(" "))
        });
        Ok(format!("DIFFERS: {}", words.collect::<Vec<_>>().join("; ")))
    }

    fn ask(&self, binary: &Path, model: &Path, question: &[&str]) -> anyhow::Result<Answer> {
        let output = Command::new(binary)
            .args(["check", "--json", "--threads", "1", "--max-time", "60s", "--max-states"])
            .arg(MOST_STATES.to_string())
            .args(question)
            .arg(model)
            .current_dir(&self.folder)
            .stderr(Stdio::null())
            .output()?;
        let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let all = value["properties"].as_array().cloned().unwrap_or_default();
        let compared = |property: &Value| {
            let values = COMPARED.iter().map(|name| property[name].to_string().replace('"', ""));
            (property["name"].as_str().unwrap_or_default().to_owned(), values.collect())
        };
        // After a violation under `--keep-going`, only the guarantee says so.
        let says_time = |property: &Value| {
            let texts = ["reason", "guarantee"].map(|field| property[field].as_str().unwrap_or_default());
            texts.iter().any(|text| text.contains("the time limit was reached"))
        };
        Ok(Answer {
            status: output.status.code(),
            properties: all.iter().map(compared).collect(),
            is_cut_off: all.iter().any(says_time),
        })
    }
}
