//! The table `equivalence`: how long the bisimulation quotient of a large system takes, beside the
//! command that writes the system.
//!
//! `ample graph` explores a model each time. So that the quotient counts alone, the time of the
//! same command with a quotient in which all states are one (`k-bisim`, no step ahead) is taken
//! off. What counts is processor time: both sides run on one thread, and the time on the wall says
//! little where other programs run.

use std::process::Command;

use serde_json::{Value, json};

use crate::measure::{self, run_well};
use crate::measured::Measured;
use crate::race::Run;
use crate::rows::SAFETY;
use crate::table::{Section, count, decimal, median, names};
use crate::{BenchError, Row};

const PART: &str = "bisimulation quotient";

/// Models with a million states and some five million transitions.
const SUBJECTS: &[Row] = &[
    of("commit", &["N=3"]),
    of("buffers", &["PRODUCERS=3", "CONSUMERS=2"]),
    of("allocator", &["CLIENTS=5", "UNITS=5"]),
    of("token-bus", &["N=3", "QUEUE=2", "TURN=2"]),
    of("snooping", &["N=3", "VALUES=4"]),
];

const fn of(model: &'static str, defines: &'static [&'static str]) -> Row {
    // Spin takes no part.
    Row { model, defines, property: SAFETY, hash_bits: 0, depth: 0 }
}

/// The commands: to write the system, to explore it, and to write its quotient.
const WAYS: [(&str, &[&str]); 3] =
    [("write", &[]), ("explore", &["--quotient", "k-bisim", "-k", "0"]), ("quotient", &["--quotient", "bisim"])];

const TITLE: &str = "`ample graph MODEL --format aut --output FILE`, alone (write), with `--quotient bisim`, and with `--quotient k-bisim -k 0`, \
                     which takes all states for one (explore): seconds of the processor. The quotient's own time is that of the second less the third";

const COLUMNS: &[&str] = &[
    "model",
    "states",
    "transitions",
    "quotient: states",
    "transitions",
    "write s",
    "with quotient s",
    "quotient's own s",
    "ratio",
    "write MB",
    "quotient MB",
];

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let mut measured = Measured::default();
    let mut rows = Vec::new();
    for subject in run.rows(SUBJECTS)? {
        let name = subject.name();
        let part = run.part(subject, PART, &json!({}), |run| each_way(run, subject))?;
        let Some(result) = measured.take(&name, PART, part) else { continue };
        let Some(row) = Timed::read(&result) else { continue };
        measured.problems.extend(row.problem(&name));
        rows.push(row.cells(&name));
    }
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows }];
    measured.versions = vec![("ample", run.ample())];
    Ok(measured)
}

/// Each command in turn, as often as is asked for.
fn each_way(run: &mut Run<'_>, subject: &Row) -> Result<Value, BenchError> {
    let mut result = serde_json::Map::new();
    for at in 1..=run.options.repeat {
        for (way, flags) in WAYS {
            run.say(&format!("{}, run {at} of {}: {way}", subject.name(), run.options.repeat));
            let mut command = Command::new(&run.options.program);
            command.current_dir(run.folder()).arg("graph").arg(subject.file());
            command.args(subject.defines.iter().flat_map(|define| ["-D", define]));
            command.args(["--format", "aut", "--output", "graph.aut", "--max-states", "100000000"]).args(flags);
            let ran = run_well(&mut command)?;
            let numbers = numbers(&ran.stderr);
            let side = result.entry(way).or_insert_with(|| json!({"said": numbers, "seconds": [], "bytes": []}));
            if side["said"] != json!(numbers) {
                let said = format!("{numbers:?} after {}", side["said"]);
                return Err(BenchError::Failed { command: measure::shown(&command), said });
            }
            for (list, number) in [("seconds", json!(ran.processor_seconds)), ("bytes", json!(ran.peak_bytes))] {
                side[list].as_array_mut().into_iter().for_each(|all| all.push(number.clone()));
            }
        }
    }
    Ok(Value::Object(result))
}

/// The numbers in what a command says: `7 states, 9 transitions, for 10 states, …`.
fn numbers(text: &str) -> Vec<u64> {
    let digits = |word: &str| word.replace(',', "").parse().ok();
    text.split_whitespace().filter_map(digits).collect()
}

/// A system with its times.
struct Timed {
    whole: (u64, u64),
    quotient: (u64, u64),
    write: f64,
    explore: f64,
    with_quotient: f64,
    bytes: [Option<f64>; 2],
}

impl Timed {
    fn read(result: &Value) -> Option<Timed> {
        let list = |way: &str, what: &str| {
            let all = result[way][what].as_array();
            median(all.into_iter().flatten().filter_map(Value::as_f64).collect())
        };
        let said =
            |way: &str, at: usize| Some((result[way]["said"][at].as_u64()?, result[way]["said"][at + 1].as_u64()?));
        Some(Timed {
            whole: said("write", 0)?,
            quotient: said("quotient", 0)?,
            write: list("write", "seconds")?,
            explore: list("explore", "seconds")?,
            with_quotient: list("quotient", "seconds")?,
            bytes: [list("write", "bytes"), list("quotient", "bytes")],
        })
    }

    /// What the quotient takes by itself.
    fn own(&self) -> f64 {
        (self.with_quotient - self.explore).max(0.0)
    }

    fn ratio(&self) -> f64 {
        self.own() / self.write
    }

    /// A quotient must not take longer than to write the system.
    fn problem(&self, name: &str) -> Option<String> {
        let (own, write) = (decimal(Some(self.own())), decimal(Some(self.write)));
        (self.ratio() > 1.0).then(|| format!("{name}: the quotient takes {own} s, and writing the system {write} s"))
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let counts = [self.whole.0, self.whole.1, self.quotient.0, self.quotient.1].map(count);
        let seconds = [self.write, self.with_quotient, self.own(), self.ratio()].map(|number| decimal(Some(number)));
        let megabytes = self.bytes.map(|bytes| decimal(bytes.map(|bytes| bytes / 1e6)));
        std::iter::once(name.to_owned()).chain(counts).chain(seconds).chain(megabytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(with_quotient: f64) -> Value {
        let side = |said: &[u64], seconds: f64| json!({"said": said, "seconds": [seconds, seconds, 9.0], "bytes": [2_000_000]});
        json!({
            "write": side(&[1_000, 5_000], 4.0),
            "explore": side(&[1, 2, 1_000, 5_000], 3.0),
            "quotient": side(&[10, 20, 1_000, 5_000], with_quotient),
        })
    }

    #[test]
    fn the_time_of_the_quotient_is_what_comes_on_top() {
        let row = Timed::read(&result(5.0)).unwrap();
        let cells = ["m", "1,000", "5,000", "10", "20", "4.00", "5.00", "2.00", "0.50", "2.00", "2.00"];
        assert_eq!(row.cells("m"), cells);
        assert_eq!(row.cells("m").len(), COLUMNS.len());
        assert_eq!(row.problem("m"), None);
        assert!(Timed::read(&json!({})).is_none());
    }

    #[test]
    fn one_that_takes_longer_is_a_problem() {
        let problem = Timed::read(&result(8.0)).unwrap().problem("m");
        assert_eq!(problem.as_deref(), Some("m: the quotient takes 5.00 s, and writing the system 4.00 s"));
    }

    #[test]
    fn sizes_are_read_from_what_is_said() {
        assert_eq!(
            numbers("1 state, 40 transitions, for 1,158,852 states, 4,675,477 transitions\n"),
            [1, 40, 1_158_852, 4_675_477]
        );
    }
}
