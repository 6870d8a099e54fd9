//! The table `instructions`: how many instructions the search executes for each transition, counted
//! by callgrind.
//!
//! A count says less than a time, but it is the same on a machine that has other work, so that it
//! can guard against what makes the inner loops slower bit by bit: a row that is more than
//! [`ALLOWED`] above what was recorded is a problem. The records are a file of this crate. A run
//! can write it anew, which is to be done when the inner loops have become faster.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::measure::{failure, run as run_command};
use crate::measured::Measured;
use crate::race::Run;
use crate::rows::SAFETY;
use crate::table::{Section, count, decimal, names};
use crate::{BenchError, Row, machine, ours};

/// What was recorded: a row and its instructions for each transition, a line each.
const RECORDS: &str = include_str!("instructions.txt");

/// What a count may be above its record, as a factor: the C library differs from machine to
/// machine.
const ALLOWED: f64 = 1.1;

/// Small sizes of models.
const SMALL: &[Row] = &[
    small("leader", &["N=6"]),
    small("sort", &["N=4", "VALUES=3"]),
    small("commit", &["N=2"]),
    small("peterson", &["N=3"]),
    small("elevator", &["FLOORS=4", "PERSONS=2"]),
    small("window", &["TOTAL=4", "WINDOW=2", "CAPACITY=2"]),
];

const fn small(model: &'static str, defines: &'static [&'static str]) -> Row {
    // Spin takes no part.
    Row { model, defines, property: SAFETY, hash_bits: 0, depth: 0 }
}

const PART: &str = "instructions";
const TITLE: &str = "Instructions of `ample check -p safety --threads 1` for each transition, without those of a search that ends \
                     after one state, counted by callgrind; what was recorded; the ratio";
const COLUMNS: &[&str] = &["model", "transitions", "instructions", "for each", "recorded", "ratio"];

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let version = machine::version("valgrind", "--version").ok_or(BenchError::NoValgrind)?;
    let mut measured = Measured::default();
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for small in run.rows(SMALL)? {
        let name = small.name();
        let part = run.part(small, PART, &json!({"valgrind": version}), |run| {
            run.say(&format!("{name}: callgrind"));
            let (all, transitions) = explored(run, small, &[])?;
            let (start, _) = explored(run, small, &["--max-states", "1"])?;
            Ok(json!({"instructions": all.saturating_sub(start), "transitions": transitions}))
        })?;
        let Some(result) = measured.take(&name, PART, part) else { continue };
        let number = |field: &str| result[field].as_u64().unwrap_or_default();
        let each = number("instructions") as f64 / number("transitions").max(1) as f64;
        let recorded = record(RECORDS, &name);
        let ratio = recorded.map(|recorded| each / recorded);
        let is_to_be_recorded = run.options.record.is_some();
        if let Some(ratio) = ratio.filter(|&ratio| ratio > ALLOWED && !is_to_be_recorded) {
            let problem = format!("{name}: {each:.0} instructions for each transition, {ratio:.2} of the record");
            measured.problems.push(problem);
        }
        let numbers = [Some(each), recorded, ratio].map(decimal);
        let first = vec![name.clone(), count(number("transitions")), count(number("instructions"))];
        rows.push([first, numbers.to_vec()].concat());
        found.push((name, each));
    }
    if let Some(path) = &run.options.record {
        write(path, &found)?;
        measured.notes.push("Recorded: to be compared with from the next build on.".to_owned());
    }
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows }];
    measured.versions = vec![("ample", run.ample()), ("valgrind", version)];
    Ok(measured)
}

/// What was recorded for a row.
fn record(records: &str, name: &str) -> Option<f64> {
    records.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")?.parse().ok())
}

/// The records, with what was found now; rows that were not measured stay as they are.
fn recorded(records: &str, found: &[(String, f64)]) -> String {
    let number = |name: &str| {
        let now = found.iter().find(|(found, _)| found == name).map(|(_, each)| each.round());
        now.or_else(|| record(records, name))
    };
    let lines = SMALL.iter().filter_map(|row| Some(format!("{}: {}\n", row.name(), number(&row.name())?)));
    lines.collect()
}

/// Writes the records anew.
fn write(path: &Path, found: &[(String, f64)]) -> Result<(), BenchError> {
    // Another run may have recorded other rows since this program was built.
    let before = fs::read_to_string(path).map_err(BenchError::io(path.display().to_string()))?;
    fs::write(path, recorded(&before, found)).map_err(BenchError::io(path.display().to_string()))
}

/// The instructions of a check, and the transitions it explored.
fn explored(run: &Run<'_>, row: &Row, flags: &[&str]) -> Result<(u64, u64), BenchError> {
    let flags = [&["--keep-going", "--reduce", "none", "--threads", "1"], flags].concat();
    let (instructions, report) = counted(run, &ours::command(&run.options.program, run.folder(), row, &flags))?;
    Ok((instructions, report["transitions"].as_u64().unwrap_or_default()))
}

/// The instructions of a check that prints a report, and the report.
pub(crate) fn counted(run: &Run<'_>, check: &Command) -> Result<(u64, Value), BenchError> {
    let mut command = Command::new("valgrind");
    command.current_dir(run.folder()).args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(check.get_program()).args(check.get_args());
    let ran = run_command(&mut command)?;
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|_| failure(&command, &ran))?;
    let collected = collected(&ran.stderr).ok_or_else(|| failure(&command, &ran))?;
    Ok((collected, report))
}

/// The number in `==12== Collected : 34`.
fn collected(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_record_that_is_written_as_it_is_read() {
        assert!(SMALL.iter().all(|row| record(RECORDS, &row.name()).is_some()));
        assert_eq!(recorded(RECORDS, &[]), RECORDS);
        let once = recorded(RECORDS, &[("peterson N=3".to_owned(), 211.6)]);
        assert_eq!(record(&once, "peterson N=3"), Some(212.0));
        assert_eq!(record(&once, "commit N=2"), record(RECORDS, "commit N=2"));
        assert_eq!(record(&once, "chess"), None);
    }

    #[test]
    fn the_count_is_found_in_what_valgrind_says() {
        assert_eq!(collected("==1== Events    : Ir\n==1== Collected : 1882511034\n==1== \n"), Some(1_882_511_034));
        assert_eq!(collected("==1== Events    : Ir\n"), None);
    }
}
