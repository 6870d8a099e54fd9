//! Random models, checked by us and by Spin: safety with all counts, or the verdict on a never
//! claim that Spin wrote for a formula. Resumable: a seed whose model was compared is not compared
//! again.

use std::fs;
use std::path::Path;

use ample_check::{Prepared, Verdict};
use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_search::{Ended, Limits, SearchOutcome, StopAt};
use ample_stdx::{Random, fnv1a};
use ample_testing::explore::{self, Numbers};
use ample_testing::plans::{self, Plan};
use ample_testing::random::{self, Size};
use ample_testing::spin::{self, Answer, Compiler};
use ample_testing::{shrink, workspace_root};
use anyhow::{Context, bail};

use crate::resumable::{Results, Tally};

/// A process that always moves.
const CLOCK: &str = "bit tick;\nactive proctype Clock() {\n    do\n    :: tick = 1 - tick;\n    od;\n}\n";

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
        let text = options.model(seed)?;
        if options.show {
            print!("{text}");
            continue;
        }
        let key = format!("{:016x}", fnv1a(text.as_bytes()));
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
            fs::write(folder.join(format!("seed-{seed}.pml")), format!("/* Spin fails: {message} */\n{text}"))?;
        }
        if let Judgement::Differs(reason) = judgement {
            let kind = kind_of(&reason);
            let mut still = |text: &str| matches!(compare(text, &scratch), Ok(Judgement::Differs(other)) if kind_of(&other) == kind);
            println!("seed {seed}: {reason}");
            let smaller = if options.shrink { shrink::shrink(&text, &mut still) } else { text.clone() };
            let last = compare(&smaller, &scratch)?;
            let path = folder.join(format!("seed-{seed}.pml"));
            fs::write(&path, format!("/* {reason}\n * small: {last:?} */\n{smaller}"))?;
            println!("  small: {last:?}\n{smaller}");
        }
        let _ = fs::remove_dir_all(&scratch);
    }
    println!("seeds {}..{}: {tally}", options.seeds.start, options.seeds.end);
    Ok(!tally.has("differs"))
}

struct Options {
    seeds: std::ops::Range<u64>,
    size: Size,
    usual: bool,
    show: bool,
    fresh: bool,
    shrink: bool,
}

impl Options {
    /// The model of a seed; if it looks at the whole state, every third has a claim.
    fn model(&self, seed: u64) -> anyhow::Result<String> {
        if self.usual {
            return Ok(random::model(seed, self.size));
        }
        let text = random::whole_state_model(seed, self.size);
        if !seed.is_multiple_of(3) {
            return Ok(text);
        }
        let mut prng = Random::new(!seed);
        let claim = spin::never_claim(&random::spin_formula(&mut prng))?;
        Ok(match (explore::load_text(&text), claim) {
            (Ok(loaded), Some(claim)) => {
                let propositions = random::claim_propositions(&loaded.model, &mut prng);
                // Where nothing can move, Spin takes `np_` for false.
                let clock = if propositions.contains("np_") { CLOCK } else { "" };
                without_assertions(&text) + clock + &propositions + &claim
            }
            _ => text,
        })
    }

    fn parse(arguments: &[String]) -> anyhow::Result<Options> {
        let mut options =
            Options { seeds: 0..100, size: Size::default(), usual: false, show: false, fresh: false, shrink: true };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--fresh" => options.fresh = true,
                "--usual" => options.usual = true,
                "--show" => options.show = true,
                "--no-shrink" => options.shrink = false,
                _ => options.with_value(argument, arguments.next())?,
            }
        }
        Ok(options)
    }

    fn with_value(&mut self, argument: &str, value: Option<&String>) -> anyhow::Result<()> {
        let value = value.with_context(|| format!("`{argument}` needs a value"))?;
        match argument {
            "--seeds" => {
                let (from, to) = value.split_once("..").context("seeds are given as A..B")?;
                self.seeds = from.parse()?..to.parse()?;
            }
            "--statements" => self.size.statements = value.parse()?,
            "--processes" => self.size.processes = value.parse()?,
            "--depth" => self.size.depth = value.parse()?,
            other => bail!("unknown argument `{other}`"),
        }
        Ok(())
    }
}

/// A model of which nothing but the claim asserts anything, since the claims that Spin writes end
/// with an assertion; and that does not count processes, because to Spin the claim is one.
fn without_assertions(text: &str) -> String {
    let line = |line: &str| match line.split_once("assert(") {
        Some((before, _)) => format!("{before}skip;\n"),
        None => format!("{}\n", line.replace("_nr_pr", "_last")),
    };
    text.lines().map(line).collect()
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

/// Compares a model; again with the compiler that everybody has, if the other one finds a
/// difference or its verifier crashes.
fn compare(text: &str, scratch: &Path) -> anyhow::Result<Judgement> {
    let compare = if text.contains("\nnever") { compare_claim } else { compare_safety };
    match (compare(text, scratch, Compiler::fastest())?, Compiler::fastest()) {
        (Judgement::Differs(_) | Judgement::SpinFails(_), Compiler::Tcc) => compare(text, scratch, Compiler::Gcc),
        (judgement, _) => Ok(judgement),
    }
}

/// Compares what is said about the never claim of a model.
fn compare_claim(text: &str, scratch: &Path, compiler: Compiler) -> anyhow::Result<Judgement> {
    let ours = match explore::load_text(text) {
        Err(failure) => Err(explore::messages(&failure)),
        Ok(loaded) => match verdict_on_claim(&loaded)? {
            None => return Ok(Judgement::TooLarge),
            Some(verdict) => Ok(verdict),
        },
    };
    Ok(match (ours, spin::ask_claim(text, scratch, compiler)?) {
        (Err(_), Answer::Rejected(_)) => Judgement::BothReject,
        (_, Answer::Failed(message)) => Judgement::SpinFails(message),
        (Err(message), _) => Judgement::Differs(format!("we reject: {message}")),
        (Ok(_), Answer::Rejected(message)) => Judgement::Differs(format!("Spin rejects: {message}")),
        (Ok(ours), Answer::Searched { numbers, first_error, .. }) => {
            let violated = ours == Verdict::Violated;
            let ordinary = ["claim", "acceptance cycle", "assertion violated"];
            let is_other = |said: &String| !ordinary.iter().any(|words| said.contains(words));
            match () {
                // A run-time error, which may stop Spin anywhere.
                () if first_error.as_ref().is_some_and(is_other) => Judgement::AgreesOnError,
                () if violated != numbers.error => {
                    let said = first_error.unwrap_or_default();
                    Judgement::Differs(format!("claim: ours {}, Spin {numbers} ({said})", ours.name()))
                }
                () => Judgement::Agrees,
            }
        }
    })
}

/// Our verdict on the only claim, if the product is small enough and no run ends in a run-time
/// error.
fn verdict_on_claim(loaded: &Loaded) -> anyhow::Result<Option<Verdict>> {
    let interpreter = Interpreter::new(&loaded.model);
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
    let outcome = explore::search(&interpreter, "dfs", StopAt::End, &limits);
    if outcome.ended != Ended::Complete || faults_end_runs(&faults_of(&outcome)) {
        return Ok(None);
    }
    let name = loaded.properties.first().map(|property| property.name.clone()).context("there is no claim")?;
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    Ok(match plans::ask(&prepared, &name, &Plan::FULL, Some(10 * MAX_STATES))? {
        plans::Answer::Given(given) if given.verdict != Verdict::Unknown => Some(given.verdict),
        _ => None,
    })
}

fn faults_of(outcome: &SearchOutcome) -> String {
    let faults: Vec<String> = outcome.violations.iter().map(|found| found.fault.message.clone()).collect();
    faults.join("; ")
}

fn compare_safety(text: &str, scratch: &Path, compiler: Compiler) -> anyhow::Result<Judgement> {
    let ours = match explore::load_text(text) {
        Err(failure) => Err(explore::messages(&failure)),
        Ok(loaded) => {
            let interpreter = Interpreter::new(&loaded.model);
            let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
            let outcome = explore::search(&interpreter, "dfs", StopAt::End, &limits);
            if outcome.ended != Ended::Complete {
                return Ok(Judgement::TooLarge);
            }
            Ok((Numbers::from(&outcome), faults_of(&outcome)))
        }
    };
    let theirs = spin::ask(text, scratch, compiler)?;
    Ok(match (ours, theirs) {
        (Err(_), Answer::Rejected(_)) => Judgement::BothReject,
        // A division by zero, or processes that ask each other enabled() without end, are the end
        // of the verifier.
        (Ok((_, faults)), Answer::Failed(message)) if message == spin::CRASHED && faults_end_runs(&faults) => {
            Judgement::AgreesOnError
        }
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
