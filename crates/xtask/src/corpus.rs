//! Every model of the corpus, the large ones too, against Spin's answers. Resumable: what is done is not done again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use ample_testing::corpus::{self, Entry};
use ample_testing::corpus_check::{self, Checked, Comparison};
use ample_testing::workspace_root;
use anyhow::{Context, bail};

/// Runs the models; false if one disagrees.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let options = Options::parse(arguments)?;
    let folder = corpus::folder().context("there is no corpus: set AMPLE_CORPUS")?;
    let entries = corpus::promela(&folder)?;
    let results = workspace_root().join("target/corpus-results.txt");
    if options.fresh {
        let _ = fs::remove_file(&results);
    }
    let done = read(&results);
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&results)?;
    let mut lines = Vec::new();
    for entry in entries.iter().filter(|entry| options.only.as_ref().is_none_or(|only| entry.name.contains(only))) {
        let line = match done.get(&entry.name) {
            Some(line) => line.clone(),
            None => {
                let line = row(entry);
                writeln!(file, "{}\t{line}", entry.name)?;
                line
            }
        };
        println!("{line:<60} {}", entry.name);
        lines.push(line);
    }
    summary(&lines);
    Ok(!lines.iter().any(|line| line.starts_with("DIFFERS")))
}

struct Options {
    only: Option<String>,
    fresh: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> anyhow::Result<Options> {
        let mut options = Options { only: None, fresh: false };
        let mut all = false;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--all" => all = true,
                "--only" => options.only = Some(arguments.next().context("--only needs a text")?.clone()),
                "--fresh" => options.fresh = true,
                other => bail!("unknown argument `{other}`"),
            }
        }
        if !all && options.only.is_none() {
            bail!("corpus needs --all or --only TEXT");
        }
        Ok(options)
    }
}

fn read(path: &PathBuf) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, line)| (name.to_owned(), line.to_owned()))
        .collect()
}

fn row(entry: &Entry) -> String {
    let started = std::time::Instant::now();
    let Checked { comparison, states, transitions } = corpus_check::check(entry);
    let seconds = started.elapsed().as_secs_f64();
    let word = match &comparison {
        Comparison::Exact => "exact".to_owned(),
        Comparison::Verdict => "verdict".to_owned(),
        Comparison::Bounded => "bounded".to_owned(),
        Comparison::Rejected => "rejected".to_owned(),
        Comparison::Listed(reason) => format!("listed: {reason}"),
        Comparison::Differs(reason) => format!("DIFFERS: {reason}"),
    };
    format!("{word} {states} {transitions} {seconds:.2}s")
}

fn summary(lines: &[String]) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines {
        let word = line.split([' ', ':']).next().unwrap_or_default();
        *counts.entry(word).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    println!("{} models: {}", lines.len(), parts.join(", "));
}
