//! The table `brim`: models after Brim, Černá, Moravec and Šimša 2005, in full, with partial order reduction, and with the under-approximation that
//! the paper tries on them, beside what the paper prints.
//!
//! A search ends when it has an answer, as the paper's does ("on the fly"). How large the whole graph is stands beside it.

use std::fs;

use crate::brim_rows::{BRIM, Brim};
use crate::ours::{self, Wanted};
use crate::race::{self, Part, Run};
use crate::rows::choose;
use crate::table::{NOTHING, Section, count, names};
use crate::under_table::{ORDER, explored};
use crate::ways::{self, Complete, FULL, Searched, Side, Way, reasons};
use crate::{BenchError, Measured, Options};

const PART: &str = "brim";

/// The partial order reduction of the paper, and what its under-approximations begin with.
const REDUCTION: &str = "ample";

const TITLE: &str = "States: the whole graph, `ample check -p safety --keep-going --reduce none`; until there is an answer, `ample check -p PROPERTY \
                     --threads 1 --order dfs --emptiness ndfs` with `--reduce none` (full), `--por ample`, `--under NAME --por ample`, and the \
                     same with `--pick random --seed 1`; A is `visibility`, B is `cycles`; printed: Brim et al. 2005";

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    for brim in choose(BRIM, Brim::name, &run.options.only)? {
        let ways = ways_of(run.options, brim);
        let part = part(run, brim, &ways)?;
        let Some(result) = measured.take(&brim.name(), PART, part) else { continue };
        let Some(searched) = Searched::read(&brim.name(), &result, &ways) else { continue };
        measured.problems.extend(wrong(brim, &searched, &ways));
        measured.notes.extend(reasons(std::iter::once(&searched), &ways));
        rows.push((brim, searched));
    }
    measured.sections = vec![section(&rows)];
    Ok(measured)
}

/// The whole graph, then until there is an answer: in full, reduced, and with the under-approximation, guided and at random.
fn ways_of(options: &Options, brim: &Brim) -> Vec<Way> {
    let asked = ["-p", brim.property];
    let until = |name: &str, own: &[&str]| Way::new(options, Wanted::Verdict, name, &[&asked, own, ORDER].concat());
    let under: &[&str] = &["--under", brim.under, "--por", REDUCTION];
    vec![
        Way::new(options, Wanted::Whole, "whole", &["-p", "safety", "--reduce", "none"]),
        until(FULL, &["--reduce", "none"]),
        until(REDUCTION, &["--reduce", "por", "--por", REDUCTION]),
        until(brim.under, under),
        until("at random", &[under, &["--pick", "random", "--seed", "1"]].concat()),
    ]
}

fn part(run: &mut Run<'_>, brim: &Brim, ways: &[Way]) -> Result<Part, BenchError> {
    let path = run.options.models.join(brim.file());
    let path = fs::canonicalize(&path).map_err(BenchError::io(path.display().to_string()))?;
    let text = race::read(&path)?;
    run.keep(&brim.name(), &text, PART, &ways::key(ways), |run| {
        ways::measure(run, &brim.name(), ways, |run, flags| {
            let mut command = ours::check(&run.options.program, run.folder(), &path);
            command.args(brim.defines.iter().flat_map(|define| ["-D", define])).arg("--json").args(flags);
            command
        })
    })
}

/// All but the first way answer the question: the same, and rightly.
fn wrong(brim: &Brim, searched: &Searched, ways: &[Way]) -> Vec<String> {
    let right = if brim.holds { "holds" } else { "violated" };
    let wrong = |(way, side): (&Way, &Side)| {
        let said = &side.complete()?.verdict;
        (said != right).then(|| format!("{}: {}: {said}, and the paper's is `{right}`", searched.name, way.name))
    };
    ways.iter().zip(&searched.sides).skip(1).filter_map(wrong).collect()
}

const COLUMNS: &[&str] = &[
    "model",
    "the paper's",
    "holds",
    "whole",
    "full",
    "printed",
    "ample",
    "printed",
    "loop",
    "states",
    "runs",
    "printed",
    "runs",
    "at random",
    "runs",
];

fn section(rows: &[(&Brim, Searched)]) -> Section {
    let line = |(brim, searched): &(&Brim, Searched)| {
        let side = |at: usize| searched.sides.get(at).and_then(Side::complete);
        let states = |at: usize| side(at).map_or_else(|| NOTHING.to_owned(), |side| count(explored(side)));
        let runs = |at: usize| side(at).map_or_else(|| NOTHING.to_owned(), |side| side.iterations.len().to_string());
        vec![
            brim.name(),
            brim.printed_name.to_owned(),
            if brim.holds { "yes" } else { "no" }.to_owned(),
            states(0),
            states(1),
            count(brim.printed.full),
            states(2),
            count(brim.printed.reduced),
            if brim.under == "visibility" { "A" } else { "B" }.to_owned(),
            last(side(3)),
            runs(3),
            count(brim.printed.under),
            brim.printed.runs.to_string(),
            last(side(4)),
            runs(4),
        ]
    };
    Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: rows.iter().map(line).collect() }
}

/// The states of the last run, as the paper has them.
fn last(side: Option<&Complete>) -> String {
    side.map_or_else(|| NOTHING.to_owned(), |side| count(side.states))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ways::tests::{options, result};

    #[test]
    fn ours_stand_beside_the_printed_numbers() {
        let brim = BRIM.iter().find(|brim| brim.printed_name == "Token-13").unwrap();
        let ways = ways_of(&options(), brim);
        let numbers: Vec<(&str, Option<(u64, f64)>)> =
            ways.iter().map(|way| (way.name.as_str(), Some((1000, 1.0)))).collect();
        let mut result = result(&numbers);
        result["ways"]["cycles"]["runs"][0]["iterations"] = json!([10, 1000]);
        result["ways"]["ample"] = json!({"refused": "not for this model"});
        let searched = Searched::read(&brim.name(), &result, &ways).unwrap();
        assert!(wrong(brim, &searched, &ways).is_empty());
        let section = section(&[(brim, searched)]);
        assert_eq!(section.columns.len(), section.rows[0].len());
        let cells = [
            "Token-13", "yes", "1,000", "1,000", "167,936", "–", "52", "B", "1,000", "2", "167,936", "13", "1,000", "0",
        ];
        assert_eq!(section.rows[0][1..], cells);
    }

    #[test]
    fn the_commands_are_what_a_user_would_type() {
        let flags: Vec<String> = ways_of(&options(), &BRIM[0]).iter().map(|way| way.flags.join(" ")).collect();
        assert!(flags[0].starts_with("--keep-going --threads 1 -p safety --reduce none --max-time"), "{}", flags[0]);
        let under = "--threads 1 -p exclusive --under visibility --por ample --order dfs --emptiness ndfs --max-time";
        assert!(flags[3].starts_with(under), "{}", flags[3]);
    }
}
