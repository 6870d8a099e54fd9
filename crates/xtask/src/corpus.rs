//! Every model of the corpus, the large ones too, against Spin's answers. Resumable: what is done
//! is not done again.

use ample_testing::corpus::{self, Entry};
use ample_testing::corpus_check::{self, Checked, Comparison};
use anyhow::{Context, bail};

use crate::resumable::{self, Options};

/// Runs the models; false if one disagrees.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let options = parse(arguments)?;
    let folder = corpus::folder().context("there is no corpus: set AMPLE_CORPUS")?;
    let entries = corpus::promela(&folder)?;
    resumable::each_model(&entries, &options, "corpus-results.txt", row)
}

fn parse(arguments: &[String]) -> anyhow::Result<Options> {
    let (mut options, mut all) = (Options::default(), false);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" => all = true,
            other => options.take(other, &mut arguments)?,
        }
    }
    if !all && options.only.is_none() {
        bail!("corpus needs --all or --only TEXT");
    }
    Ok(options)
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
