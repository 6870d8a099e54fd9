//! Every model of the corpus on 1, 2 and 8 threads, against one thread of the interpreter.
//! Resumable: what is done is not done again.

use std::time::{Duration, Instant};

use ample_testing::corpus::{self, Entry};
use ample_testing::explore;
use ample_testing::threads::{Agreement, Effort, compare};
use anyhow::Context;

use crate::resumable::{self, Options};

const EFFORT: Effort =
    Effort { max_states: 5_000_000, max_time: Some(Duration::from_secs(20)), small: 10_000, runs: 10 };

/// Runs the models; false if one disagrees.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let options = parse(arguments)?;
    let folder = corpus::folder().context("there is no corpus: set AMPLE_CORPUS")?;
    let mut entries = corpus::promela(&folder)?;
    // The small ones first: an early end has seen most.
    entries.sort_by_key(|entry| entry.full.as_ref().map_or(u64::MAX, |full| full.states));
    resumable::each_model(&entries, &options, "threads-results.txt", row)
}

fn parse(arguments: &[String]) -> anyhow::Result<Options> {
    let mut options = Options::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        options.take(argument, &mut arguments)?;
    }
    Ok(options)
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
