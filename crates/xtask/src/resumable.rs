//! Runs that can be resumed: what is done is not done again.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use ample_testing::corpus::{self, Entry};
use ample_testing::workspace_root;
use anyhow::{Context, bail};

/// What a run over the models of the corpus is told.
#[derive(Default)]
pub struct Options {
    /// Only the models whose names contain this.
    pub only: Option<String>,
    /// Forget what was done.
    pub fresh: bool,
}

impl Options {
    /// Understands one argument, with the value behind it if it has one.
    pub fn take<'a>(&mut self, argument: &str, rest: &mut impl Iterator<Item = &'a String>) -> anyhow::Result<()> {
        match argument {
            "--only" => self.only = Some(rest.next().context("--only needs a text")?.clone()),
            "--fresh" => self.fresh = true,
            other => bail!("unknown argument `{other}`"),
        }
        Ok(())
    }
}

/// Makes and prints a line for each model, kept in a file of this name in `target`; false if one of
/// them is `DIFFERS`.
pub fn each_model(
    entries: &[Entry],
    options: &Options,
    name: &str,
    row: impl Fn(&Entry) -> String,
) -> anyhow::Result<bool> {
    let mut results = Results::open(&workspace_root().join("target").join(name), '\t', options.fresh)?;
    let mut tally = Tally::default();
    for entry in entries.iter().filter(|entry| options.only.as_ref().is_none_or(|only| entry.name.contains(only))) {
        let line = match results.before(&entry.name) {
            Some(line) => line.to_owned(),
            None => {
                let line = row(entry);
                results.add(&entry.name, &line)?;
                line
            }
        };
        println!("{line:<60} {}", entry.name);
        tally.count(line.split([' ', ':']).next().unwrap_or_default());
    }
    println!("{} models: {tally}", tally.total());
    Ok(!tally.has("DIFFERS"))
}

/// The same for each Promela model of the corpus, as the arguments of a task say.
pub fn each_promela_model(arguments: &[String], name: &str, row: impl Fn(&Entry) -> String) -> anyhow::Result<bool> {
    let mut options = Options::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        options.take(argument, &mut arguments)?;
    }
    let folder = corpus::folder().context("there is no corpus: set AMPLE_CORPUS")?;
    each_model(&corpus::promela(&folder)?, &options, name, row)
}

/// A file of results: on each line a key and what is known about it.
pub struct Results {
    before: BTreeMap<String, String>,
    file: File,
    separator: char,
}

impl Results {
    /// Reads the results of earlier runs, unless it is to be a fresh start.
    pub fn open(path: &Path, separator: char, fresh: bool) -> anyhow::Result<Results> {
        if fresh {
            let _ = fs::remove_file(path);
        }
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once(separator));
        let before = lines.map(|(key, result)| (key.to_owned(), result.to_owned())).collect();
        let file = fs::OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Results { before, file, separator })
    }

    /// What an earlier run found out.
    pub fn before(&self, key: &str) -> Option<&str> {
        self.before.get(key).map(String::as_str)
    }

    /// Keeps a result for later runs.
    pub fn add(&mut self, key: &str, result: &str) -> anyhow::Result<()> {
        writeln!(self.file, "{key}{}{result}", self.separator)?;
        Ok(())
    }
}

/// How often each word was the answer.
#[derive(Default)]
pub struct Tally(BTreeMap<String, usize>);

impl Tally {
    /// One more.
    pub fn count(&mut self, word: &str) {
        *self.0.entry(word.to_owned()).or_default() += 1;
    }

    /// How many answers there were.
    pub fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// Whether a word was an answer.
    pub fn has(&self, word: &str) -> bool {
        self.0.contains_key(word)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(word, count)| format!("{count} {word}")).collect();
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_known_to_later_runs_until_a_fresh_start() {
        let path = std::env::temp_dir().join(format!("ample-resumable-{}", std::process::id()));
        let mut first = Results::open(&path, '\t', true).expect("it can be written");
        first.add("a model", "exact 1 2").expect("it can be written");
        let before = |fresh| {
            let results = Results::open(&path, '\t', fresh).expect("it can be read");
            ["a model", "another"].map(|key| results.before(key).map(str::to_owned))
        };
        assert_eq!(before(false), [Some("exact 1 2".to_owned()), None]);
        assert_eq!(before(true), [None, None]);
        let _ = fs::remove_file(&path);
    }
}
