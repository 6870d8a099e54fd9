//! Every model of the corpus on 1, 2 and 8 threads, against one thread of the interpreter. Resumable: what is done is not done
//! again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use ample_testing::corpus::{self, Entry};
use ample_testing::threads::{Agreement, Effort, compare};
use ample_testing::{explore, workspace_root};
use anyhow::{Context, bail};

const EFFORT: Effort = Effort { max_states: 5_000_000, max_time: Duration::from_secs(20), small: 10_000, runs: 10 };

/// Runs the models; false if one disagrees.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let options = Options::parse(arguments)?;
    let folder = corpus::folder().context("there is no corpus: set AMPLE_CORPUS")?;
    let mut entries = corpus::promela(&folder)?;
    // The small ones first: an early end has seen most.
    entries.sort_by_key(|entry| entry.full.as_ref().map_or(u64::MAX, |full| full.states));
    let results = workspace_root().join("target/threads-results.txt");
    if options.fresh {
        let _ = fs::remove_file(&results);
    }
    let text = fs::read_to_string(&results).unwrap_or_default();
    let done: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&results)?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| options.only.as_ref().is_none_or(|only| entry.name.contains(only))) {
        let line = match done.get(entry.name.as_str()) {
            Some(line) => (*line).to_owned(),
            None => {
                let line = row(entry);
                writeln!(file, "{}\t{line}", entry.name)?;
                line
            }
        };
        println!("{line:<60} {}", entry.name);
        *counts.entry(line.split([' ', ':']).next().unwrap_or_default().to_owned()).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    println!("{} models: {}", counts.values().sum::<usize>(), parts.join(", "));
    Ok(!counts.contains_key("DIFFERS"))
}

struct Options {
    only: Option<String>,
    fresh: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> anyhow::Result<Options> {
        let mut options = Options { only: None, fresh: false };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--only" => options.only = Some(arguments.next().context("--only needs a text")?.clone()),
                "--fresh" => options.fresh = true,
                other => bail!("unknown argument `{other}`"),
            }
        }
        Ok(options)
    }
}

fn row(entry: &Entry) -> String {
    let Ok(loaded) = explore::load_file(&entry.path) else { return "rejected".to_owned() };
    let started = Instant::now();
    let words = match compare(&loaded, &EFFORT) {
        Agreement::Agrees { states, transitions, searches, compiled } => {
            let how = if compiled { "compiled" } else { "interpreted" };
            format!("agrees: {states} {transitions}, {searches} searches, {how},")
        }
        Agreement::TooLarge => "too-large".to_owned(),
        Agreement::OutOfTime(what) => format!("out-of-time: {what}"),
        Agreement::Differs(what) => format!("DIFFERS: {what}"),
    };
    format!("{words} {:.2}s", started.elapsed().as_secs_f64())
}
