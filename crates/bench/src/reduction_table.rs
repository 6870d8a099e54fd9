//! The table `reduction`: the models of Holzmann and Peled 1994, in full and with each partial
//! order reduction, beside what the paper prints.
//!
//! The search is the paper's: depth first, where a choice of transitions stands if it leads to a
//! state that is not on the path.

use std::path::PathBuf;

use serde_json::json;

use crate::measured::Measured;
use crate::ours::Wanted;
use crate::race::Run;
use crate::reduction_rows::{Figures, Printed};
use crate::rows::choose;
use crate::table::{NOTHING, Section, count, decimal};
use crate::ways::{self, Complete, Searched, Side, Way, reasons, ways};
use crate::{BenchError, REDUCTION, ours};

const PART: &str = "reduction";
const ORDER: &[&str] = &["--order", "dfs"];
const CONDITION: &[&str] = &["--proviso", "stack"];

const TITLE: &str = "`ample check -p safety --keep-going --threads 1 --order dfs` with `--reduce none` (full) and with `--por NAME --proviso stack`; \
                     printed: Holzmann and Peled 1994, in full and with static reduction";

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let ways = ways(run.options, Wanted::Whole, ORDER, CONDITION);
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    for printed in choose(REDUCTION, |printed| printed.row.name(), &run.options.only)? {
        let name = printed.row.name();
        let file = file(run, printed);
        if printed.corpus.is_some() && !file.is_file() {
            measured.notes.push(format!("{name}: left out, since the corpus is not there"));
            continue;
        }
        let part = run.part_of(&printed.row, &file, PART, &ways::key(&ways), |run| {
            ways::measure(run, &name, &ways, |run, flags| {
                ours::command(&run.options.program, run.folder(), &printed.row, flags)
            })
        })?;
        let Some(result) = measured.result(&name, part) else { continue };
        let Some(searched) = Searched::read(&name, &result, &ways) else { continue };
        measured.problems.extend(searched.problems(&ways).into_iter().chain(differs(printed, &searched)));
        measured.rows.push(json!({"row": name, "part": PART, "result": result}));
        rows.push((printed, searched));
    }
    measured.notes.extend(reasons(rows.iter().map(|(_, searched)| searched), &ways));
    measured.sections = PAIRS.iter().map(|pair| section(pair, &ways, &rows)).collect();
    Ok(measured)
}

fn file(run: &Run<'_>, printed: &Printed) -> PathBuf {
    let folder = printed.corpus.map(|folder| run.options.corpus.join(folder));
    folder.unwrap_or_else(|| run.options.models.clone()).join(printed.row.file())
}

/// What is the paper's model must have its size.
fn differs(printed: &Printed, searched: &Searched) -> Option<String> {
    let (figures, full) = (printed.full.filter(|_| printed.is_the_same)?, searched.full()?);
    let transitions = figures.transitions.unwrap_or(full.transitions + 1);
    let is_right = (figures.states, transitions) == (full.states, full.transitions + 1);
    (!is_right).then(|| {
        let (states, edges) = (count(full.states), count(full.transitions + 1));
        format!("{}: {states} states and {edges} transitions in full, not the printed numbers", searched.name)
    })
}

/// Two numbers of each search, ours and printed.
struct Pair {
    title: &'static str,
    units: [&'static str; 2],
    ours: fn(&Complete) -> [String; 2],
    printed: fn(&Figures) -> [String; 2],
}

const PAIRS: &[Pair] = &[
    Pair {
        title: "States and transitions, of the printed ones without that for the initial state",
        units: ["states", "transitions"],
        ours: |side| [count(side.states), count(side.transitions)],
        printed: |figures| {
            [count(figures.states), figures.transitions.map_or_else(nothing, |number| count(number.saturating_sub(1)))]
        },
    },
    Pair {
        title: "Seconds of the search and megabytes",
        units: ["s", "MB"],
        ours: |side| [decimal(Some(side.seconds)), decimal(Some(side.peak_bytes / 1e6))],
        printed: |figures| figures.cost.map_or_else(|| [nothing(), nothing()], |cost| cost.map(str::to_owned)),
    },
];

fn nothing() -> String {
    NOTHING.to_owned()
}

/// In full, printed in full, each reduction, printed with reduction.
fn section(pair: &Pair, ways: &[Way], rows: &[(&Printed, Searched)]) -> Section {
    let [first, second] = pair.units;
    let mut groups: Vec<&str> = ways.iter().map(|way| way.name.as_str()).collect();
    groups.insert(1, "printed");
    groups.push("printed");
    let columns = groups.iter().flat_map(|group| [format!("{group}: {first}"), second.to_owned()]);
    let ours = |side: &Side| side.complete().map_or_else(|| [nothing(), nothing()], pair.ours);
    let printed = |figures: &Option<Figures>| figures.as_ref().map_or_else(|| [nothing(), nothing()], pair.printed);
    let cells = |(paper, searched): &(&Printed, Searched)| {
        let mut pairs: Vec<[String; 2]> = searched.sides.iter().map(ours).collect();
        pairs.insert(1, printed(&paper.full));
        pairs.push(printed(&paper.reduced));
        std::iter::once(searched.name.clone()).chain(pairs.into_iter().flatten()).collect()
    };
    Section {
        title: format!("{}: {TITLE}", pair.title),
        columns: std::iter::once("model".to_owned()).chain(columns).collect(),
        rows: rows.iter().map(cells).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ways::tests::{options, result};

    fn searched(printed: &'static Printed, full: u64, ways: &[Way]) -> (&'static Printed, Searched) {
        let result = result(&[("full", Some((full, 1.5))), ("fewer", Some((47, 0.25))), ("fewest", None)]);
        (printed, Searched::read(&printed.row.name(), &result, ways).unwrap())
    }

    #[test]
    fn ours_stand_beside_the_printed_numbers() {
        let ways = ways(&options(), Wanted::Whole, ORDER, CONDITION);
        let rows = [searched(&REDUCTION[0], 100_001, &ways), searched(&REDUCTION[5], 10, &ways)];
        let [counts, costs] = [0, 1].map(|at| section(&PAIRS[at], &ways, &rows));
        let columns = [
            "model",
            "full: states",
            "transitions",
            "printed: states",
            "transitions",
            "fewer: states",
            "transitions",
            "fewest: states",
            "transitions",
            "printed: states",
            "transitions",
        ];
        assert_eq!(counts.columns, columns);
        let cells = ["100,001", "200,002", "100,001", "450,001", "47", "94", "–", "–", "47", "46"];
        assert_eq!(counts.rows[0][1..], cells);
        assert_eq!(costs.rows[0][1..], ["1.50", "2.00", "13.2", "4.3", "0.25", "2.00", "–", "–", "<0.1", "1.0"]);
        assert_eq!(counts.rows[1][3..5], ["1,851,049", "–"]);
        assert_eq!(costs.rows[1][3..5], ["–", "–"]);
    }

    #[test]
    fn the_papers_models_must_have_the_printed_size() {
        let ways = ways(&options(), Wanted::Whole, ORDER, CONDITION);
        let problem = |at: usize| {
            let (printed, searched) = searched(&REDUCTION[at], 100_001, &ways);
            differs(printed, &searched)
        };
        let expected =
            "holzmann-peled-best-case: 100,001 states and 200,003 transitions in full, not the printed numbers";
        assert_eq!(problem(0).unwrap(), expected);
        assert_eq!((problem(4), problem(5)), (None, None), "nothing is printed; another model");
    }
}
