//! Random models, checked by us and by Spin. Resumable: a seed whose model was compared is not compared again.

use std::fs;
use std::path::Path;

use ample_interpret::Interpreter;
use ample_search::{Ended, Limits, StopAt};
use ample_testing::explore::{self, Numbers};
use ample_testing::random::{self, Size};
use ample_testing::spin::{self, Answer};
use ample_testing::{shrink, workspace_root};
use anyhow::{Context, bail};

use crate::resumable::{Results, Tally};

/// Larger models say nothing that smaller ones do not.
const MAX_STATES: u64 = 20_000;

/// Compares the models of a range of seeds; false if one disagrees.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let options = Options::parse(arguments)?;
    if !spin::is_installed() {
        bail!("`spin` and `gcc` must be installed");
    }
    let folder = workspace_root().join("target/spin-random");
    fs::create_dir_all(&folder)?;
    let mut results = Results::open(&folder.join("results.txt"), ' ', options.fresh)?;
    let mut tally = Tally::default();
    for seed in options.seeds.clone() {
        let text = random::model(seed, options.size);
        let key = format!("{:016x}", fingerprint(&text));
        let word_before = results.before(&key).and_then(|result| result.split(' ').next());
        if word_before.is_some_and(|word| word != "differs") {
            tally.count("done before");
            continue;
        }
        let scratch = std::env::temp_dir().join(format!("ample-spin-{}", std::process::id()));
        let judgement = compare(&text, &scratch)?;
        let word = judgement.word();
        results.add(&key, &format!("{word} {seed}"))?;
        tally.count(word);
        if let Judgement::SpinFails(message) = &judgement {
            println!("seed {seed}: Spin fails: {message}");
        }
        if let Judgement::Differs(reason) = judgement {
            let kind = kind_of(&reason);
            let mut still = |text: &str| matches!(compare(text, &scratch), Ok(Judgement::Differs(other)) if kind_of(&other) == kind);
            let smaller = if options.shrink { shrink::shrink(&text, &mut still) } else { text.clone() };
            let last = compare(&smaller, &scratch)?;
            let path = folder.join(format!("seed-{seed}.pml"));
            fs::write(&path, format!("/* {reason}\n * small: {last:?} */\n{smaller}"))?;
            println!("seed {seed}: {reason}\n  small: {last:?}\n{smaller}");
        }
        let _ = fs::remove_dir_all(&scratch);
    }
    println!("seeds {}..{}: {tally}", options.seeds.start, options.seeds.end);
    Ok(!tally.has("differs"))
}

struct Options {
    seeds: std::ops::Range<u64>,
    size: Size,
    fresh: bool,
    shrink: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> anyhow::Result<Options> {
        let mut options = Options { seeds: 0..100, size: Size::default(), fresh: false, shrink: true };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            if argument == "--fresh" {
                options.fresh = true;
                continue;
            }
            if argument == "--no-shrink" {
                options.shrink = false;
                continue;
            }
            let value = arguments.next().with_context(|| format!("`{argument}` needs a value"))?;
            match argument.as_str() {
                "--seeds" => {
                    let (from, to) = value.split_once("..").context("seeds are given as A..B")?;
                    options.seeds = from.parse()?..to.parse()?;
                }
                "--statements" => options.size.statements = value.parse()?,
                "--processes" => options.size.processes = value.parse()?,
                "--depth" => options.size.depth = value.parse()?,
                other => bail!("unknown argument `{other}`"),
            }
        }
        Ok(options)
    }
}

#[derive(Debug)]
enum Judgement {
    Agrees,
    /// Both find an error, but Spin does not go on after it: nothing to count.
    AgreesOnError,
    TooLarge,
    BothReject,
    SpinFails(String),
    Differs(String),
}

impl Judgement {
    fn word(&self) -> &'static str {
        match self {
            Judgement::Agrees => "agrees",
            Judgement::AgreesOnError => "agrees-on-error",
            Judgement::TooLarge => "too-large",
            Judgement::BothReject => "both-reject",
            Judgement::SpinFails(_) => "spin-fails",
            Judgement::Differs(_) => "differs",
        }
    }
}

/// The sort of a difference, so that shrinking does not wander from one to another.
fn kind_of(reason: &str) -> String {
    match reason.split_once("Error: ") {
        Some((_, message)) => message.chars().take(25).collect(),
        None => reason.split(':').next().unwrap_or(reason).to_owned(),
    }
}

fn compare(text: &str, scratch: &Path) -> anyhow::Result<Judgement> {
    let ours = match explore::load_text(text) {
        Err(failure) => Err(explore::messages(&failure)),
        Ok(loaded) => {
            let interpreter = Interpreter::new(&loaded.model);
            let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
            let outcome = explore::search(&interpreter, "dfs", StopAt::End, &limits);
            if outcome.ended != Ended::Complete {
                return Ok(Judgement::TooLarge);
            }
            let faults: Vec<String> = outcome.violations.iter().map(|found| found.fault.message.clone()).collect();
            Ok((Numbers::from(&outcome), faults.join("; ")))
        }
    };
    let theirs = spin::ask(text, scratch)?;
    Ok(match (ours, theirs) {
        (Err(_), Answer::Rejected(_)) => Judgement::BothReject,
        (_, Answer::Failed(message)) => Judgement::SpinFails(message),
        (Err(message), _) => Judgement::Differs(format!("we reject: {message}")),
        (Ok(_), Answer::Rejected(message)) => Judgement::Differs(format!("Spin rejects: {message}")),
        (Ok((ours, faults)), Answer::Searched { numbers, comparable, first_error }) => {
            let details = format!("ours {ours} ({faults}), Spin {numbers} ({})", first_error.unwrap_or_default());
            match () {
                () if ours.error != numbers.error => Judgement::Differs(format!("verdict: {details}")),
                () if !comparable || faults_end_runs(&faults) => Judgement::AgreesOnError,
                () if ours != numbers => Judgement::Differs(format!("counts: {details}")),
                () => Judgement::Agrees,
            }
        }
    })
}

/// Whether one of our faults is neither an assertion nor an end state.
fn faults_end_runs(faults: &str) -> bool {
    let ordinary = |fault: &str| fault.starts_with("assertion failed") || fault.starts_with("invalid end state");
    !faults.is_empty() && !faults.split("; ").all(ordinary)
}

/// FNV-1a: enough to tell one generated model from another.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
