//! The table `auto`: `ample check` as it chooses by itself, beside each single plan among which it
//! chooses.
//!
//! The rows are those of the table `spin` and instances of BEEM of 1 to 10 million states. Each
//! program starts with the model and ends with the answer. A plan that takes twice as long as the
//! best one so far is ended: it is not the best. What `auto` may cost is that of the best
//! plan and a fifth of it on nine rows of ten, and half of it on all. Processor time counts both
//! threads of those plans that use them, so that it can be compared on a machine with other work.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::BenchError;
use crate::measured::Measured;
use crate::options::Limits;
use crate::ours::{self, Answer, Ours, Wanted};
use crate::race::{self, Run, runs};
use crate::rows::{ROWS, SAFETY, choose};
use crate::table::{Section, count, decimal, median, names};
use crate::ways::{self, Way};

const PART: &str = "auto beside single plans";

/// The way that chooses by itself.
const AUTO: &str = "auto";

/// The single plans, each with what `auto` takes in all of them.
const PLANS: &[(&str, &[&str])] = &[
    ("full", &["--reduce", "dead,merge"]),
    ("static", &["--reduce", "dead,merge,por", "--por", "static", "--order", "dfs"]),
    ("stubborn", &["--reduce", "dead,merge,por", "--por", "stubborn", "--order", "dfs"]),
    ("symmetry-sort", &["--reduce", "dead,merge,symmetry-sort"]),
];

/// How long a plan may take beside the best one so far, and how many seconds at least.
const BEYOND: f64 = 2.0;
const LEAST: f64 = 1.0;

/// Instances of BEEM of 1 to 10 million states in full, from different families.
const BEEM: &[&str] = &[
    "adding.5",
    "at.3",
    "at.4",
    "bakery.5",
    "brp2.6",
    "cambridge.6",
    "elevator2.3",
    "extinction.4",
    "fischer.4",
    "fischer.6",
    "lamport.6",
    "lamport_nonatomic.4",
    "lann.3",
    "leader_filters.5",
    "needham.4",
    "peterson.4",
    "pgm_protocol.8",
    "sorter.3",
    "synapse.4",
    "train-gate.6",
];

/// What `auto` may take beside the best plan, on nine rows of ten and on all.
const BARS: [f64; 2] = [1.2, 1.5];

const TITLE: &str = "`ample check -p safety` (BEEM: `-p assertions`) beside single plans: `--reduce dead,merge` (full), \
                     `--reduce dead,merge,symmetry-sort` where it applies, and `--reduce dead,merge,por --order dfs` with `--por static` and \
                     `--por stubborn`. Ratios: the plan that `auto` went on with, alone, over \
                     the best plan, if it took no more than twice as long; `auto` over the best plan, on the wall and in processor time (of the plan with the least)";

const COLUMNS: &[&str] = &[
    "model",
    "states",
    "best plan",
    "s",
    "`auto` took",
    "s",
    "that plan/best",
    "wall: auto/best",
    "processor: auto/best",
    "MB: auto",
    "best",
];

/// A model and a question.
struct Subject {
    name: String,
    path: PathBuf,
    defines: &'static [&'static str],
    property: &'static str,
}

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let ways = all_ways();
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    let subjects = subjects(run);
    for subject in choose(&subjects, |subject| subject.name.clone(), &run.options.only)? {
        let text = race::read(&subject.path)?;
        let with =
            json!({"ways": ways::key(&ways), "limits": run.options.limits.flags(Wanted::Verdict), "beyond": BEYOND});
        let part = run.keep(&subject.name, &text, PART, &with, |run| subject.race(run, &ways))?;
        let Some(result) = measured.take(&subject.name, PART, part) else { continue };
        match Row::read(&subject.name, &result) {
            Some(row) => rows.push(row),
            None => measured.notes.push(format!("{}: no plan came to its end within the limits", subject.name)),
        }
    }
    measured.problems.extend(rows.iter().filter_map(Row::problem));
    measured.notes.extend(notes(&rows));
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: cells(&rows) }];
    Ok(measured)
}

fn subjects(run: &Run<'_>) -> Vec<Subject> {
    let models = std::fs::canonicalize(&run.options.models).unwrap_or_else(|_| run.options.models.clone());
    let corpus = std::fs::canonicalize(&run.options.corpus).unwrap_or_else(|_| run.options.corpus.clone());
    let of_row = |row: &crate::Row| Subject {
        name: row.name(),
        path: models.join(row.file()),
        defines: row.defines,
        property: SAFETY,
    };
    let of_beem = |name: &&str| {
        let family = name.split('.').next().unwrap_or_default();
        let path = corpus.join("dve/beem").join(family).join(format!("{name}.dve"));
        Subject { name: (*name).to_owned(), path, defines: &[], property: "assertions" }
    };
    let beem = BEEM.iter().map(of_beem).filter(|subject| subject.path.is_file());
    ROWS.iter().map(of_row).chain(beem).collect()
}

impl Subject {
    /// Runs each way in turn, as often as is asked for, unless it cannot be the best any more. One
    /// that gives no answer is not asked again.
    fn race(&self, run: &mut Run<'_>, ways: &[Way]) -> Result<Value, BenchError> {
        let load = race::load();
        let mut sides: Vec<Value> = ways.iter().map(|_| json!({"runs": []})).collect();
        for at in 1..=run.options.repeat {
            let mut best = f64::INFINITY;
            for (way, side) in ways.iter().zip(&mut sides) {
                let Some(runs) = side["runs"].as_array_mut() else { continue };
                run.say(&format!("{}, run {at} of {}: {}", self.name, run.options.repeat, way.name));
                let seconds = run.options.limits.seconds.min((BEYOND * best).max(LEAST));
                match ours::ask(&mut self.command(run, way, seconds), way.wanted)? {
                    Answer::Complete(ours) => {
                        best = best.min(ours.wall_seconds);
                        runs.push(ours.to_json());
                    }
                    Answer::Refused(why) => *side = json!({"refused": why}),
                    Answer::Stopped(why) => *side = json!({"stopped": why}),
                }
            }
        }
        let sides: serde_json::Map<String, Value> = ways.iter().map(|way| way.name.clone()).zip(sides).collect();
        Ok(json!({"load": load, "ways": sides}))
    }

    fn command(&self, run: &Run<'_>, way: &Way, seconds: f64) -> Command {
        let mut command = ours::check(&run.options.program, run.folder(), &self.path);
        command.args(self.defines.iter().flat_map(|define| ["-D", define]));
        command.args(["-p", self.property, "--json"]).args(&way.flags);
        command.args(Limits { seconds, ..run.options.limits }.flags(way.wanted));
        command
    }
}

/// All of them, without limits.
fn all_ways() -> Vec<Way> {
    let way = |name: &str, flags: &[&str]| {
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        Way { name: name.to_owned(), flags, wanted: Wanted::Verdict }
    };
    std::iter::once(way(AUTO, &[])).chain(PLANS.iter().map(|(name, flags)| way(name, flags))).collect()
}

/// What a plan took, as medians.
#[derive(Debug)]
struct Took {
    plan: &'static str,
    wall: f64,
    processor: Option<f64>,
    bytes: f64,
    verdict: String,
}

/// A model with what `auto` and each plan took.
#[derive(Debug)]
struct Row {
    name: String,
    states: u64,
    /// The plan that `auto` went on with.
    chosen: &'static str,
    auto: Took,
    plans: Vec<Took>,
}

impl Row {
    /// Nothing if `auto` or all plans came to a limit.
    fn read(name: &str, result: &Value) -> Option<Row> {
        let first = runs(&result["ways"][AUTO], "runs", Ours::from_json).into_iter().next()?;
        let chosen = PLANS.iter().rev().find(|(plan, _)| first.reductions.iter().any(|used| used == plan));
        let plans: Vec<Took> = PLANS.iter().filter_map(|(plan, _)| Took::read(plan, result)).collect();
        let chosen = chosen.map_or("full", |(plan, _)| plan);
        let auto = Took::read(AUTO, result)?;
        (!plans.is_empty()).then(|| Row { name: name.to_owned(), states: first.states, chosen, auto, plans })
    }

    fn best(&self) -> Option<&Took> {
        self.plans.iter().min_by(|a, b| a.wall.total_cmp(&b.wall))
    }

    /// The plan that was chosen, `auto` on the wall and `auto` in processor time over the best.
    fn ratios(&self) -> [Option<f64>; 3] {
        let best = self.best().map(|best| best.wall);
        let over = |time: Option<f64>, best: Option<f64>| time.zip(best).map(|(time, best)| time / best);
        let chosen = self.plans.iter().find(|took| took.plan == self.chosen).map(|took| took.wall);
        let least = self.plans.iter().filter_map(|took| took.processor).reduce(f64::min);
        [
            over(chosen, best),
            over(Some(self.auto.wall), best),
            over(self.auto.processor, least.filter(|least| *least > 0.0)),
        ]
    }

    fn problem(&self) -> Option<String> {
        let other = self.plans.iter().find(|took| took.verdict != self.auto.verdict)?;
        Some(format!("{}: auto says {}, and {} says {}", self.name, self.auto.verdict, other.plan, other.verdict))
    }
}

impl Took {
    fn read(plan: &'static str, result: &Value) -> Option<Took> {
        let runs = runs(&result["ways"][plan], "runs", Ours::from_json);
        let of = |value: fn(&Ours) -> Option<f64>| median(runs.iter().filter_map(value).collect());
        Some(Took {
            plan,
            wall: of(|run| Some(run.wall_seconds))?,
            processor: of(|run| run.processor_seconds),
            bytes: of(|run| Some(run.peak_bytes as f64))?,
            verdict: runs.first()?.verdict.clone(),
        })
    }
}

fn cells(rows: &[Row]) -> Vec<Vec<String>> {
    let megabytes = |took: Option<&Took>| decimal(took.map(|took| took.bytes / 1e6));
    let line = |row: &Row| {
        let best = row.best();
        let mut cells = vec![row.name.clone(), count(row.states)];
        cells.extend([best.map_or("", |best| best.plan).to_owned(), decimal(best.map(|best| best.wall))]);
        cells.extend([row.chosen.to_owned(), decimal(Some(row.auto.wall))]);
        cells.extend(row.ratios().map(decimal));
        cells.extend([megabytes(Some(&row.auto)), megabytes(best)]);
        cells
    };
    rows.iter().map(line).collect()
}

/// How many rows keep the bars.
fn notes(rows: &[Row]) -> Vec<String> {
    let what = ["The plan that was chosen", "`auto` on the wall", "`auto` in processor time"];
    let line = |(at, what): (usize, &str)| {
        let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratios()[at]).collect();
        let [most, all] = BARS.map(|bar| ratios.iter().filter(|&&ratio| ratio <= bar).count());
        let worst = decimal(ratios.iter().copied().reduce(f64::max));
        format!(
            "{what}: within {} of the best plan on {most} of {} rows, within {} on {all}; worst {worst}.",
            BARS[0],
            ratios.len(),
            BARS[1]
        )
    };
    if rows.is_empty() { Vec::new() } else { what.into_iter().enumerate().map(line).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(seconds: [f64; 4], verdict: &str) -> Value {
        let run = |seconds: f64, reductions: Value, verdict: &str| {
            json!({"runs": [{
                "wall_seconds": seconds, "search_seconds": seconds, "processor_seconds": seconds, "verdict": verdict, "states": 10,
                "transitions": 20, "peak_bytes": 2_000_000, "idle_share": null, "reductions": reductions
            }]})
        };
        let [auto, full, fixed, stubborn] = seconds;
        json!({"ways": {
            "auto": run(auto, json!(["dead", "static", "stack"]), "holds"), "full": run(full, json!([]), "holds"),
            "static": run(fixed, json!(["static"]), verdict), "stubborn": run(stubborn, json!(["stubborn"]), "holds")
        }})
    }

    #[test]
    fn auto_is_compared_with_the_best_plan() {
        let row = Row::read("a", &result([3.0, 2.0, 2.5, 4.0], "holds")).unwrap();
        assert_eq!((row.chosen, row.best().map(|best| best.plan)), ("static", Some("full")));
        assert_eq!(row.ratios(), [Some(1.25), Some(1.5), Some(1.5)]);
        assert_eq!(row.problem(), None);
        let cells = cells(std::slice::from_ref(&row));
        assert_eq!(cells[0], ["a", "10", "full", "2.00", "static", "3.00", "1.25", "1.50", "1.50", "2.00", "2.00"]);
        assert_eq!(cells[0].len(), COLUMNS.len());
        assert!(notes(&[row])[1].contains("within 1.2 of the best plan on 0 of 1 rows, within 1.5 on 1; worst 1.50"));
        assert!(notes(&[]).is_empty());
    }

    #[test]
    fn another_verdict_is_a_problem_and_no_answer_is_no_row() {
        let row = Row::read("a", &result([3.0, 2.0, 2.5, 4.0], "violated")).unwrap();
        assert_eq!(row.problem().unwrap(), "a: auto says holds, and static says violated");
        assert!(Row::read("a", &json!({"ways": {"auto": {"stopped": "time"}}})).is_none());
    }
}
