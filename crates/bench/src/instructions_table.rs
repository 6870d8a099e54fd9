//! The table `instructions`: how many instructions the search executes for each transition, counted
//! by callgrind.
//!
//! A count says less than a time, but it is the same on a machine that has other work, so that it
//! can guard against what makes the inner loops slower bit by bit: a row that is more than
//! [`ALLOWED`] above what was recorded is a problem.

use std::process::Command;

use serde_json::{Value, json};

use crate::measure::{failure, run as run_command};
use crate::measured::Measured;
use crate::race::Run;
use crate::rows::{SAFETY, choose};
use crate::table::{Section, count, decimal, names};
use crate::{BenchError, Row, machine, ours};

/// A small size of a model, and what was recorded for it.
struct Small {
    row: Row,
    /// Instructions for each transition.
    recorded: f64,
}

/// What a count may be above its record, as a factor: the C library differs from machine to
/// machine.
const ALLOWED: f64 = 1.1;

const SMALL: &[Small] = &[
    small("leader", &["N=6"], 962.0),
    small("sort", &["N=4", "VALUES=3"], 759.0),
    small("commit", &["N=2"], 853.0),
    small("peterson", &["N=3"], 702.0),
    small("elevator", &["FLOORS=4", "PERSONS=2"], 1326.0),
    small("window", &["TOTAL=4", "WINDOW=2", "CAPACITY=2"], 860.0),
];

const fn small(model: &'static str, defines: &'static [&'static str], recorded: f64) -> Small {
    // Spin takes no part.
    Small { row: Row { model, defines, property: SAFETY, hash_bits: 0, depth: 0 }, recorded }
}

const PART: &str = "instructions";
const TITLE: &str = "Instructions of `ample check -p safety --threads 1` for each transition, without those of a search that ends \
                     after one state, counted by callgrind; what was recorded; the ratio";
const COLUMNS: &[&str] = &["model", "transitions", "instructions", "for each", "recorded", "ratio"];

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let version = machine::version("valgrind", "--version").ok_or(BenchError::NoValgrind)?;
    let mut measured = Measured::default();
    let mut rows = Vec::new();
    for small in choose(SMALL, |small| small.row.name(), &run.options.only)? {
        let name = small.row.name();
        let part = run.part(&small.row, PART, &json!({"valgrind": version}), |run| {
            run.say(&format!("{name}: callgrind"));
            let (all, transitions) = counted(run, &small.row, &[])?;
            let (start, _) = counted(run, &small.row, &["--max-states", "1"])?;
            Ok(json!({"instructions": all.saturating_sub(start), "transitions": transitions}))
        })?;
        let Some(result) = measured.result(&name, part) else { continue };
        let number = |field: &str| result[field].as_u64().unwrap_or_default();
        let each = number("instructions") as f64 / number("transitions").max(1) as f64;
        let ratio = each / small.recorded;
        if ratio > ALLOWED {
            measured
                .problems
                .push(format!("{name}: {each:.0} instructions for each transition, {ratio:.2} of the record"));
        }
        let numbers = [each, small.recorded, ratio].map(|number| decimal(Some(number)));
        rows.push([vec![name, count(number("transitions")), count(number("instructions"))], numbers.to_vec()].concat());
        measured.rows.push(json!({"row": small.row.name(), "part": PART, "result": result}));
    }
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows }];
    measured.versions = vec![("ample", run.ample()), ("valgrind", version)];
    Ok(measured)
}

/// The instructions of a check, and the transitions it explored.
fn counted(run: &Run<'_>, row: &Row, flags: &[&str]) -> Result<(u64, u64), BenchError> {
    let flags = [&["--keep-going", "--reduce", "none", "--threads", "1"], flags].concat();
    let check = ours::command(&run.options.program, run.folder(), row, &flags);
    let mut command = Command::new("valgrind");
    command.current_dir(run.folder()).args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(check.get_program()).args(check.get_args());
    let ran = run_command(&mut command)?;
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|_| failure(&command, &ran))?;
    let collected = collected(&ran.stderr).ok_or_else(|| failure(&command, &ran))?;
    Ok((collected, report["transitions"].as_u64().unwrap_or_default()))
}

/// The number in `==12== Collected : 34`.
fn collected(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found_in_what_valgrind_says() {
        assert_eq!(collected("==1== Events    : Ir\n==1== Collected : 1882511034\n==1== \n"), Some(1_882_511_034));
        assert_eq!(collected("==1== Events    : Ir\n"), None);
    }
}
