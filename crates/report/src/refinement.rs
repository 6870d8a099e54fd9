//! The runs of an under-approximation loop.

use ample_check::{Added, Iteration, Open, Outcome, PropertyOutcome, QuestionCounts, Round};
use ample_search::{Counts, Ended};
use serde_json::{Value, json};

use crate::Subject;
use crate::numbers::{duration, thousands};
use crate::wrap::{one_line, width};

/// More than so many additions of one run are not shown one by one.
const SHOWN: usize = 4;

/// The column of the first pass.
const FIRST_PASS: usize = 1;

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
    let rows = match iterations.iter().any(|run| run.round.is_some()) {
        true => rows_with_predicates(iterations),
        false => rows(iterations),
    };
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let left = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| format!("{cell:>0$}", widest(column)));
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
    text + &iterations.last().map(|run| open(subject, run)).unwrap_or_default()
}

/// The commands on whose exactness the answer rests: conditional correctness (Pelánek 2006, section
/// 5.3.1).
fn open(subject: &Subject<'_>, run: &Iteration) -> String {
    let Some(round) = run.round.as_ref().filter(|round| !run.is_exact && !round.open.is_empty()) else {
        return String::new();
    };
    let mut text = "not proved to be exact (were they, nothing would be missed):\n".to_owned();
    for open in round.open.iter().take(SHOWN) {
        let predicates = match open.predicates.len() {
            _ if open.is_opaque => "it has no formula".to_owned(),
            0..=SHOWN => open.predicates.join(", "),
            more => format!("{}, and {} more", open.predicates[..SHOWN].join(", "), more - SHOWN),
        };
        text +=
            &format!("  {}  {}  for want of {predicates}\n", subject.short_place(open.span), one_line(&open.statement));
    }
    if round.open.len() > SHOWN {
        text += &format!("  and {} more\n", round.open.len() - SHOWN);
    }
    text
}

/// The same rows where states were told apart by predicates: with how many, and with how many
/// questions about them.
fn rows_with_predicates(iterations: &[Iteration]) -> Vec<Vec<String>> {
    let heads = ["run", "generated", "stored", "predicates", "queries", "hits", "tautologies", "time"];
    let row = |(number, run): (usize, &Iteration)| {
        let round = run.round.as_ref();
        let questions = round.map(|round| round.questions).unwrap_or_default();
        let predicates = round.map_or(0, |round| round.predicates) as u64;
        let mut row = vec![(number + 1).to_string()];
        // The initial state is generated, too.
        let counts = [run.counts.transitions + 1, run.counts.states, predicates];
        row.extend(counts.into_iter().chain([questions.queries, questions.hits, questions.tautologies]).map(thousands));
        row.push(duration(run.seconds));
        row
    };
    std::iter::once(heads.map(str::to_owned).to_vec()).chain(iterations.iter().enumerate().map(row)).collect()
}

/// The numbers of each run below their heads. Where runs had a first pass, its states have a
/// column.
fn rows(iterations: &[Iteration]) -> Vec<Vec<String>> {
    let has_first_pass = iterations.iter().any(|run| run.first_pass.is_some());
    let heads = ["run", "first pass", "states", "transitions", "time"].map(str::to_owned);
    let row = |(number, run): (usize, &Iteration)| {
        let first_pass = run.first_pass.map(|counts| thousands(counts.states)).unwrap_or_default();
        let [states, transitions] = [run.counts.states, run.counts.transitions].map(thousands);
        [(number + 1).to_string(), first_pass, states, transitions, duration(run.seconds)]
    };
    let rows = std::iter::once(heads).chain(iterations.iter().enumerate().map(row));
    let shown = |(column, cell): (usize, String)| (column != FIRST_PASS || has_first_pass).then_some(cell);
    rows.map(|row| row.into_iter().enumerate().filter_map(shown).collect()).collect()
}

/// What was let in before a run, and what came of the run if it was the last.
fn words(subject: &Subject<'_>, run: &Iteration) -> Vec<String> {
    let added = |added: &Added| {
        let place = subject.short_place(added.span);
        match &added.predicate {
            Some(predicate) => format!("{predicate}  ({}: {place} {})", added.reason, one_line(&added.statement)),
            None => format!("{} {place}  {}  ({})", added.process, one_line(&added.statement), added.reason),
        }
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
        let mut object = json!({
            "process": added.process,
            "file": place.file,
            "line": place.line,
            "statement": added.statement,
            "reason": added.reason,
        });
        if let Some(predicate) = &added.predicate {
            object["predicate"] = json!(predicate);
        }
        object
    };
    let pass = |counts: Counts| json!({"states": counts.states, "transitions": counts.transitions});
    let run = |run: &Iteration| {
        let mut object = json!({
            "added": run.added.iter().map(added).collect::<Vec<_>>(),
            "states": run.counts.states,
            "transitions": run.counts.transitions,
            "first_pass": run.first_pass.map(pass),
            "seconds": run.seconds,
            "exact": run.is_exact,
        });
        if let Some(round) = &run.round {
            object["predicates"] = predicates(round);
        }
        object
    };
    iterations.iter().map(run).collect()
}

/// What is told of a run in which predicates decided which states are told apart.
fn predicates(round: &Round) -> Value {
    let QuestionCounts { asked, at_once, tautologies, hits, queries, unknown, spared } = round.questions;
    let open =
        |open: &Open| json!({"statement": open.statement, "predicates": open.predicates, "opaque": open.is_opaque});
    json!({
        "count": round.predicates,
        "asked": asked,
        "at_once": at_once,
        "tautologies": tautologies,
        "cache_hits": hits,
        "queries": queries,
        "unknown": unknown,
        "spared": spared,
        "open": round.open.iter().map(open).collect::<Vec<_>>(),
    })
}

/// How many searches were run.
pub fn searches(outcome: &Outcome) -> usize {
    let of_property = |property: &PropertyOutcome| match property.ended {
        Some(_) => property.refinement.len().max(1),
        None => 0,
    };
    outcome.properties.iter().map(of_property).sum()
}
