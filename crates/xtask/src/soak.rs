//! Plans against the full search, on many random models or on all small ones. Resumable: what was
//! compared is not compared again.

use std::fmt::Display;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ample_check::Fairness;
use ample_testing::ahead;
use ample_testing::plans::{Subject, Tally, Ways};
use ample_testing::predicates;
use ample_testing::two_processes::Models;
use ample_testing::{shrink, workspace_root};
use anyhow::{Context, bail};

use crate::resumable::Results;

/// How many small models have one line in the file of results.
const BLOCK: usize = 50;

/// Compares what it is told to; false if something differs.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let options = Options::parse(arguments)?;
    let target = workspace_root().join("target");
    std::fs::create_dir_all(&target)?;
    if options.ahead {
        let results = Results::open(&target.join("soak-ahead.txt"), '\t', options.fresh)?;
        return if options.exhaustive {
            ahead_small(results)
        } else {
            by_seed(results, "ahead", options.seeds.clone(), ahead::compare_seed)
        };
    }
    if options.predicates {
        let results = Results::open(&target.join("soak-predicates.txt"), '\t', options.fresh)?;
        return by_seed(results, "predicates", options.seeds.clone(), predicates::compare_seed);
    }
    if options.exhaustive {
        let results = Results::open(&target.join("soak-exhaustive.txt"), '\t', options.fresh)?;
        return exhaustive(results);
    }
    let results = Results::open(&target.join("soak-seeds.txt"), '\t', options.fresh)?;
    options.random(Soak::new(results))
}

struct Options {
    seeds: Range<u64>,
    exhaustive: bool,
    fairness: Fairness,
    ways: Ways,
    whole: bool,
    /// Covers, classes and what else looks ahead, by relations and by answers.
    ahead: bool,
    /// Refinement by predicates, by the structure it explores and by answers.
    predicates: bool,
    fresh: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> anyhow::Result<Options> {
        let (fairness, ways) = (Fairness::None, Ways::Reductions);
        let (exhaustive, whole, ahead, predicates, fresh) = (false, false, false, false, false);
        let mut options = Options { seeds: 0..0, exhaustive, fairness, ways, whole, ahead, predicates, fresh };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--exhaustive" => options.exhaustive = true,
                "--fair" => options.fairness = Fairness::Weak,
                "--whole" => options.whole = true,
                "--ahead" => options.ahead = true,
                "--predicates" => options.predicates = true,
                "--under" => options.ways = Ways::Loops,
                "--reduce" => options.ways = Ways::Techniques,
                "--fresh" => options.fresh = true,
                "--seeds" => {
                    let value = arguments.next().context("`--seeds` needs a value")?;
                    let (from, to) = value.split_once("..").context("seeds are given as A..B")?;
                    options.seeds = from.parse()?..to.parse()?;
                }
                other => bail!("unknown argument `{other}`"),
            }
        }
        if options.exhaustive != options.seeds.is_empty() {
            bail!("soak needs --seeds A..B or --exhaustive");
        }
        if options.exhaustive && (options.ways != Ways::Reductions || options.whole) {
            bail!("soak --under, soak --reduce and soak --whole need --seeds A..B");
        }
        let is_other = options.ways != Ways::Reductions || options.whole || options.fairness != Fairness::None;
        if options.ahead && is_other {
            bail!("soak --ahead goes with --seeds A..B or --exhaustive, and nothing else");
        }
        if options.predicates && (is_other || options.ahead || options.exhaustive) {
            bail!("soak --predicates goes with --seeds A..B, and nothing else");
        }
        Ok(options)
    }

    fn subject(&self, seed: u64) -> Option<Subject> {
        if self.whole { Subject::of_whole_state(seed) } else { Subject::of_seed(seed) }
    }

    fn random(&self, mut soak: Soak<Tally>) -> anyhow::Result<bool> {
        let runs = self.fairness.name().map(|name| format!(" {name}")).unwrap_or_default();
        let ways = match self.ways {
            Ways::Reductions => "",
            Ways::Loops => " under",
            Ways::Techniques => " reduce",
        };
        let whole = if self.whole { " whole" } else { "" };
        for seed in self.seeds.clone() {
            let difference = soak.compare(&format!("seed {seed}{runs}{ways}{whole}"), |tally| {
                let Some(subject) = self.subject(seed) else { return Ok(()) };
                let compared = subject.compare(seed, self.fairness, self.ways, tally);
                compared.map_err(|what| format!("seed {seed}: {what}"))
            })?;
            if let Some(difference) = difference {
                println!("{difference}\n{}", self.smaller(seed));
            }
            if (seed + 1) % 100 == 0 {
                println!("last seed {seed}, {} differ", soak.differing);
            }
        }
        let Range { start, end } = self.seeds;
        Ok(soak.report(&format!("seeds {start}..{end}, last seed {}", end.saturating_sub(1))))
    }

    /// A smaller model of a seed that still differs.
    fn smaller(&self, seed: u64) -> String {
        let Some(subject) = self.subject(seed) else { return String::new() };
        let compare = |text: &str| {
            let subject = Subject { text: text.to_owned(), ..subject.clone() };
            let compared = catch_unwind(AssertUnwindSafe(|| {
                subject.compare(seed, self.fairness, self.ways, &mut Tally::default())
            }));
            compared.unwrap_or_else(|_| Err("it panicked".to_owned())).err()
        };
        let mut still = |text: &str| compare(text).is_some_and(|what| !what.starts_with("the formula is not read"));
        if !still(&subject.text) {
            return format!("seed {seed}: not the second time");
        }
        let text = shrink::shrink(&subject.text, &mut still);
        format!("smaller, with the plans of seed {seed}: {}", compare(&text).unwrap_or_default())
    }
}

/// What comparisons were good for, kept from run to run.
trait Count: Default + Display {
    fn add(&mut self, other: &Self);
    fn line(&self) -> String;
    fn parse(line: &str) -> Option<Self>;
}

impl Count for Tally {
    fn add(&mut self, other: &Self) {
        self.add(other);
    }

    fn line(&self) -> String {
        self.line()
    }

    fn parse(line: &str) -> Option<Self> {
        Tally::parse(line)
    }
}

impl Count for ahead::Tally {
    fn add(&mut self, other: &Self) {
        self.add(other);
    }

    fn line(&self) -> String {
        self.line()
    }

    fn parse(line: &str) -> Option<Self> {
        ahead::Tally::parse(line)
    }
}

impl Count for predicates::Tally {
    fn add(&mut self, other: &Self) {
        self.add(other);
    }

    fn line(&self) -> String {
        self.line()
    }

    fn parse(line: &str) -> Option<Self> {
        predicates::Tally::parse(line)
    }
}

/// What is known so far.
struct Soak<T> {
    results: Results,
    tally: T,
    differing: usize,
    before: usize,
}

impl<T: Count> Soak<T> {
    fn new(results: Results) -> Soak<T> {
        Soak { results, tally: T::default(), differing: 0, before: 0 }
    }

    /// Compares something, unless that was done before and nothing differed.
    fn compare(
        &mut self,
        key: &str,
        compare: impl FnOnce(&mut T) -> Result<(), String>,
    ) -> anyhow::Result<Option<String>> {
        let before = self.results.before(key).and_then(|line| line.strip_prefix("agrees\t")).and_then(T::parse);
        if let Some(tally) = before {
            self.tally.add(&tally);
            self.before += 1;
            return Ok(None);
        }
        let mut tally = T::default();
        // A panic is a difference like any other.
        let compared = catch_unwind(AssertUnwindSafe(|| compare(&mut tally)));
        let difference = compared.unwrap_or_else(|_| Err(format!("{key}: it panicked"))).err();
        let word = if difference.is_some() { "differs" } else { "agrees" };
        self.results.add(key, &format!("{word}\t{}", tally.line()))?;
        self.tally.add(&tally);
        self.differing += usize::from(difference.is_some());
        Ok(difference)
    }

    fn report(&self, what: &str) -> bool {
        println!("{}", self.tally);
        println!("{what}; {} done before; {} differ", self.before, self.differing);
        self.differing == 0
    }
}

/// All small models, with expanders and cycle conditions.
fn exhaustive(results: Results) -> anyhow::Result<bool> {
    let models = Models::default();
    each_small(results, "", |number, tally: &mut Tally| models.compare(number, tally))
}

/// All small models, with what looks ahead.
fn ahead_small(results: Results) -> anyhow::Result<bool> {
    let models = Models::default();
    each_small(results, " ahead", |number, tally: &mut ahead::Tally| ahead::compare_small(&models, number, tally))
}

/// Random models, one for each seed.
fn by_seed<T: Count>(
    results: Results,
    what: &str,
    seeds: Range<u64>,
    compare: impl Fn(u64, &mut T) -> Result<(), String>,
) -> anyhow::Result<bool> {
    let mut soak = Soak::new(results);
    for seed in seeds.clone() {
        let difference = soak.compare(&format!("seed {seed} {what}"), |tally| compare(seed, tally))?;
        if let Some(difference) = difference {
            println!("{difference}");
        }
        if (seed + 1) % 100 == 0 {
            println!("last seed {seed}, {} differ", soak.differing);
        }
    }
    Ok(soak.report(&format!("seeds {}..{}", seeds.start, seeds.end)))
}

fn each_small<T: Count>(
    results: Results,
    ways: &str,
    compare: impl Fn(usize, &mut T) -> Result<(), String>,
) -> anyhow::Result<bool> {
    let models = Models::default();
    let mut soak = Soak::new(results);
    for first in (0..models.count()).step_by(BLOCK) {
        let block = first..(first + BLOCK).min(models.count());
        let difference = soak.compare(&format!("models {}..{}{ways}", block.start, block.end), |tally| {
            let differing: Vec<String> = block.clone().filter_map(|number| compare(number, tally).err()).collect();
            if differing.is_empty() { Ok(()) } else { Err(differing.join("\n")) }
        })?;
        if let Some(difference) = difference {
            println!("{difference}");
        }
        if (first / BLOCK).is_multiple_of(20) {
            println!("last model {}, {} blocks differ", block.end - 1, soak.differing);
        }
    }
    Ok(soak.report(&format!("{} models", models.count())))
}
