//! The table `cost`: what a stored state costs with a pass or a canonizer, beside one of the full
//! search.
//!
//! Instructions are counted by callgrind, so that they say the same on a machine with other work;
//! seconds are those of the search. Of both only what comes after the first states counts: before,
//! the model is compiled and it is learned how states are stored, which takes more than some
//! searches. Searches store the same number of states at most, and most of them come to their end:
//! what matters is the cost of a state, not how many there are; but early states have other
//! successors than late ones. A technique that finds nothing in a model must cost nothing there.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::instructions_table::counted;
use crate::measured::Measured;
use crate::ours;
use crate::race::{self, Run};
use crate::rows::choose;
use crate::table::{Section, count, decimal, median, names};
use crate::{BenchError, machine};

const PART: &str = "cost of a state";

/// No search stores more states.
const STATES: &str = "200000";

/// What comes before does not count.
const FIRST: &str = "1000";

/// The full search.
const FULL: &str = "none";

/// A model, and what is tried on it.
struct Subject {
    /// In the folder of the rows, without its ending; or below the folder of the corpus, with it.
    model: &'static str,
    defines: &'static [&'static str],
    reduce: &'static [&'static str],
}

const SUBJECTS: &[Subject] = &[
    scale("buffers", &["PRODUCERS=3", "CONSUMERS=3"], &["dead", "dead,merge", "symmetry-sort", "symmetry"]),
    scale("readers-writers", &["READERS=3", "WRITERS=3"], &["dead", "dead,merge", "symmetry-sort", "symmetry"]),
    scale("waiter", &["N=6"], &["dead", "dead,merge"]),
    scale("allocator", &["CLIENTS=4", "UNITS=4"], &["dead", "symmetry-sort", "symmetry"]),
    scale("sessions", &["CLIENTS=3", "SESSIONS=2"], &["dead", "symmetry-sort", "symmetry"]),
    scale("philosophers", &["N=8"], &["dead", "dead,merge", "dead-globals", "values", "linear"]),
    corpus("dve/beem/sorter/sorter.3.dve", &["values"]),
    corpus("dve/beem/synapse/synapse.1.dve", &["values"]),
    corpus("dve/beem/adding/adding.2.dve", &["dead-globals"]),
    corpus("dve/beem/driving_phils/driving_phils.1.dve", &["dead-globals"]),
    corpus("promela/spin/hajek.pml", &["linear"]),
];

const fn scale(model: &'static str, defines: &'static [&'static str], reduce: &'static [&'static str]) -> Subject {
    Subject { model, defines, reduce }
}

const fn corpus(model: &'static str, reduce: &'static [&'static str]) -> Subject {
    Subject { model, defines: &[], reduce }
}

const TITLE: &str = "`ample check -p safety --threads 1 --max-states 200000` with `--reduce LIST`, beside `--reduce none`: \
                     thousands of instructions for a stored state and microseconds, after the first 1,000 states, and the ratios to the full search; \
                     states are shown so that one sees where something was found";

const COLUMNS: &[&str] =
    &["model", "`--reduce`", "states", "full", "1000 instructions", "full", "ratio", "\u{b5}s", "full", "ratio"];

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let version = machine::version("valgrind", "--version").ok_or(BenchError::NoValgrind)?;
    let mut measured = Measured::default();
    let mut rows = Vec::new();
    let all: Vec<&Subject> = SUBJECTS.iter().filter(|subject| subject.path(run).is_file()).collect();
    for subject in choose(&all, |subject| subject.name(), &run.options.only)? {
        let text = race::read(&subject.path(run))?;
        let with = json!({"valgrind": version, "reduce": subject.reduce});
        let part = run.keep(&subject.name(), &text, PART, &with, |run| subject.measure(run))?;
        let Some(result) = measured.take(&subject.name(), PART, part) else { continue };
        rows.extend(lines(subject, &result));
    }
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows }];
    measured.versions = vec![("ample", run.ample()), ("valgrind", version)];
    Ok(measured)
}

impl Subject {
    fn name(&self) -> String {
        let model = self.model.rsplit('/').next().unwrap_or(self.model);
        std::iter::once(model).chain(self.defines.iter().copied()).collect::<Vec<_>>().join(" ")
    }

    fn path(&self, run: &Run<'_>) -> PathBuf {
        let path = match self.model.contains('/') {
            true => run.options.corpus.join(self.model),
            false => run.options.models.join(format!("{}.pml", self.model)),
        };
        std::fs::canonicalize(&path).unwrap_or(path)
    }

    fn command(&self, run: &Run<'_>, reduce: &str, states: &str) -> Command {
        let mut command = ours::check(&run.options.program, run.folder(), &self.path(run));
        command.args(self.defines.iter().flat_map(|define| ["-D", define]));
        command.args(["-p", "safety", "--json", "--threads", "1"]);
        command.args(["--reduce", reduce, "--max-states", states]);
        command
    }

    /// The full search and each technique, in turn.
    fn measure(&self, run: &mut Run<'_>) -> Result<Value, BenchError> {
        let mut result = serde_json::Map::new();
        for reduce in std::iter::once(&FULL).chain(self.reduce) {
            run.say(&format!("{}: {reduce}", self.name()));
            let (all, report) = counted(run, &self.command(run, reduce, STATES))?;
            let (start, first) = counted(run, &self.command(run, reduce, FIRST))?;
            let states = |report: &Value| report["states"].as_u64().unwrap_or_default();
            let (states, later) = (states(&report), states(&report).saturating_sub(states(&first)));
            let instructions = all.saturating_sub(start);
            result.insert(
                (*reduce).to_owned(),
                json!({"instructions": instructions, "states": states, "later": later, "seconds": []}),
            );
        }
        for _ in 0..run.options.repeat {
            for reduce in std::iter::once(&FULL).chain(self.reduce) {
                let [all, first] = [STATES, FIRST].map(|states| search_seconds(&mut self.command(run, reduce, states)));
                let (Some(all), Some(first)) = (all?, first?) else { continue };
                if let Some(seconds) = result[*reduce]["seconds"].as_array_mut() {
                    seconds.push(json!(all - first));
                }
            }
        }
        Ok(Value::Object(result))
    }
}

/// The seconds of a search, also of one that stops at its limit.
fn search_seconds(command: &mut Command) -> Result<Option<f64>, BenchError> {
    let ran = crate::measure::run(command)?;
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|_| crate::measure::failure(command, &ran))?;
    Ok(report["seconds"].as_f64())
}

/// What a way cost for each state: instructions, and seconds if they were measured.
fn each(side: &Value) -> Option<(u64, f64, Option<f64>)> {
    let states = side["states"].as_u64()?;
    let later = side["later"].as_u64().filter(|later| *later > 0)?;
    let seconds = median(side["seconds"].as_array()?.iter().filter_map(Value::as_f64).collect());
    let each = |number: f64| number / later as f64;
    Some((states, each(side["instructions"].as_u64()? as f64), seconds.map(each)))
}

fn lines(subject: &Subject, result: &Value) -> Vec<Vec<String>> {
    let Some((full_states, full, full_seconds)) = each(&result[FULL]) else { return Vec::new() };
    let line = |reduce: &&str| {
        let (states, own, seconds) = each(&result[*reduce])?;
        let ratio = seconds.zip(full_seconds).map(|(own, full)| own / full);
        let mut cells = vec![subject.name(), (*reduce).to_owned(), count(states), count(full_states)];
        cells.extend([own / 1e3, full / 1e3, own / full].map(|number| decimal(Some(number))));
        cells.extend([seconds.map(|own| own * 1e6), full_seconds.map(|full| full * 1e6), ratio].map(decimal));
        Some(cells)
    };
    subject.reduce.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_state_costs_is_compared() {
        let side = |later: u64, instructions: u64| {
            let seconds = [0.5, 1.0, 3.0];
            json!({"states": later + 100, "later": later, "instructions": instructions, "seconds": seconds})
        };
        let result = json!({"none": side(1000, 2_000_000), "dead": side(500, 1_500_000)});
        let subject = Subject { model: "a/b.dve", defines: &["N=1"], reduce: &["dead", "not measured"] };
        let lines = lines(&subject, &result);
        let cells = ["b.dve N=1", "dead", "600", "1,100", "3.00", "2.00", "1.50", "2000", "1000", "2.00"];
        assert_eq!(lines, [cells.map(str::to_owned)]);
        assert_eq!(lines[0].len(), COLUMNS.len());
        assert!(super::lines(&subject, &json!({})).is_empty());
    }
}
