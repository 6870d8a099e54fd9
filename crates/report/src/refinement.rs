//! The runs of an under-approximation loop.

use ample_check::{Added, Iteration, Outcome, PropertyOutcome};
use ample_search::Ended;
use serde_json::{Value, json};

use crate::Subject;
use crate::numbers::{duration, thousands};
use crate::wrap::{one_line, width};

/// More than so many additions of one run are not shown one by one.
const SHOWN: usize = 4;

/// The tables of all loops, one line for each run.
pub fn text(subject: &Subject<'_>, outcome: &Outcome) -> String {
    let with_loop = || outcome.properties.iter().filter(|property| !property.refinement.is_empty());
    let many = with_loop().count() > 1;
    let table = |property: &PropertyOutcome| {
        let name = if many { format!("{}: ", property.name) } else { String::new() };
        format!("{name}{}", table(subject, &property.refinement))
    };
    with_loop().map(table).collect()
}

fn table(subject: &Subject<'_>, iterations: &[Iteration]) -> String {
    let mut rows = vec![["run", "states", "transitions", "time"].map(str::to_owned)];
    let row = |(number, run): (usize, &Iteration)| {
        let counts = [run.counts.states, run.counts.transitions].map(thousands);
        let [states, transitions] = counts;
        [(number + 1).to_string(), states, transitions, duration(run.seconds)]
    };
    rows.extend(iterations.iter().enumerate().map(row));
    let columns: [usize; 4] =
        std::array::from_fn(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0));
    let left = |row: &[String; 4]| {
        let cells = row.iter().zip(columns).map(|(cell, column)| format!("{cell:>column$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    let mut text = "under-approximations:\n".to_owned();
    let heads = rows.iter().map(left);
    let words =
        std::iter::once(vec!["added before it".to_owned()]).chain(iterations.iter().map(|run| words(subject, run)));
    for (left, words) in heads.zip(words) {
        let indent = " ".repeat(width(&left));
        let words = if words.is_empty() { vec![String::new()] } else { words };
        for (number, line) in words.iter().enumerate() {
            let left = if number == 0 { &left } else { &indent };
            text += format!("  {left}  {line}").trim_end();
            text += "\n";
        }
    }
    text
}

/// What was let in before a run, and what came of the run if it was the last.
fn words(subject: &Subject<'_>, run: &Iteration) -> Vec<String> {
    let added = |added: &Added| {
        let place = subject.short_place(added.span);
        format!("{} {place}  {}  ({})", added.process, one_line(&added.statement), added.reason)
    };
    let mut words: Vec<String> = run.added.iter().take(SHOWN).map(added).collect();
    if run.added.len() > SHOWN {
        words.push(format!("and {} more", run.added.len() - SHOWN));
    }
    match run.ended {
        _ if run.is_exact => words.push("exact: nothing that matters is left out".to_owned()),
        Ended::Complete | Ended::FirstViolation => {}
        _ => words.push("not finished".to_owned()),
    }
    words
}

/// The runs for programs.
pub fn object(subject: &Subject<'_>, iterations: &[Iteration]) -> Vec<Value> {
    let added = |added: &Added| {
        let place = subject.sources.location(added.span);
        json!({
            "process": added.process,
            "file": place.file,
            "line": place.line,
            "statement": added.statement,
            "reason": added.reason,
        })
    };
    let run = |run: &Iteration| {
        json!({
            "added": run.added.iter().map(added).collect::<Vec<_>>(),
            "states": run.counts.states,
            "transitions": run.counts.transitions,
            "seconds": run.seconds,
            "exact": run.is_exact,
        })
    };
    iterations.iter().map(run).collect()
}

/// How many searches were run.
pub fn searches(outcome: &Outcome) -> usize {
    let of_property = |property: &PropertyOutcome| match property.ended {
        Some(_) => property.refinement.len().max(1),
        None => 0,
    };
    outcome.properties.iter().map(of_property).sum()
}
