//! The table `brim`: models after Brim, Černá, Moravec and Šimša 2005, in full, with partial order
//! reduction, and with the under-approximation that the paper tries on them, beside what the paper
//! prints.
//!
//! The paper says how large the graph is that each way generates. For a property that is violated
//! ours is measured with one that holds and sees the same transitions, since a search ends when it
//! has an answer; how much it has explored until then is a table of its own.

use std::fs;

use crate::brim_rows::{A, B, BRIM, Brim};
use crate::measured::Measured;
use crate::ours::{self, Wanted};
use crate::race::{self, Part, Run};
use crate::rows::choose;
use crate::table::{NOTHING, Section, count, names};
use crate::under_table::ORDER;
use crate::ways::{self, Complete, FULL, Searched, Side, Way, reasons};
use crate::{BenchError, Options};

const PART: &str = "brim";

/// The partial order reduction of the paper, and what its under-approximations begin with.
const REDUCTION: &str = "ample";

/// Its cycle condition, with depth-first search. It takes a first pass over the system alone, whose
/// states are not counted: so it is not used where states count until there is an answer.
const CONDITION: &[&str] = &["--proviso", "stack"];

/// As in the paper's Table 2, where what the property sees is sensitive from the beginning.
const FROM_VISIBLE: &[&str] = &["--begin", "visible"];

const GRAPHS: &str = "Size of the graph: in full, `ample check -p safety --keep-going --reduce none`; with a property that holds and sees the same, \
                      `--por ample --proviso stack`, and `--under NAME` besides, the first run of it where the property is violated, else the last; \
                      A is `visibility`, B is `cycles`, also with `--begin visible`, as in the paper; printed: Brim et al. 2005";
const UNTIL: &str = "States until there is an answer: `ample check -p PROPERTY --threads 1 --emptiness ndfs` with `--reduce none` (full), `--por ample`, \
                     `--under NAME` besides, and `--pick random --seed 1` besides; from visible: `--begin visible` besides that; \
                     of a loop the last run, and how many there were";

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
    measured.sections = vec![graphs(&rows), until(&rows)];
    Ok(measured)
}

/// The places of the ways.
const WHOLE: usize = 0;
const WHOLE_REDUCED: usize = 1;
const WHOLE_UNDER: usize = 2;
const UNTIL_FULL: usize = 3;
const UNTIL_REDUCED: usize = 4;
const UNTIL_UNDER: usize = 5;
const UNTIL_RANDOM: usize = 6;
/// Only where the loop can begin so.
const WHOLE_FROM_VISIBLE: usize = 7;
const UNTIL_FROM_VISIBLE: usize = 8;

/// Whole graphs, then until there is an answer: in full, reduced, and with the under-approximation,
/// guided and at random. Then both from what the property sees on.
fn ways_of(options: &Options, brim: &Brim) -> Vec<Way> {
    let way = |name: &str, property: &str, own: &[&str]| {
        Way::new(options, Wanted::Verdict, name, &[&["-p", property], own, ORDER].concat())
    };
    let reduced: &[&str] = &["--reduce", "por", "--por", REDUCTION];
    let under: &[&str] = &["--under", brim.under, "--por", REDUCTION];
    let random = [under, &["--pick", "random", "--seed", "1"]].concat();
    let mut ways = vec![
        Way::new(options, Wanted::Whole, FULL, &["-p", "safety", "--reduce", "none"]),
        way("whole, reduced", brim.sees, &[reduced, CONDITION].concat()),
        way("whole, under", brim.sees, &[under, CONDITION].concat()),
        way("until, full", brim.property, &["--reduce", "none"]),
        way("until, reduced", brim.property, reduced),
        way("until, under", brim.property, under),
        way("until, under at random", brim.property, &random),
    ];
    if brim.under == B {
        ways.push(way("whole, from visible", brim.sees, &[under, CONDITION, FROM_VISIBLE].concat()));
        ways.push(way("until, from visible", brim.property, &[&random, FROM_VISIBLE].concat()));
    }
    ways
}

/// Whether a way explores all that it leaves, by a property that holds.
fn is_whole(at: usize) -> bool {
    [WHOLE, WHOLE_REDUCED, WHOLE_UNDER, WHOLE_FROM_VISIBLE].contains(&at)
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

/// Those until there is an answer give the paper's; the others see nothing wrong.
fn wrong(brim: &Brim, searched: &Searched, ways: &[Way]) -> Vec<String> {
    let wrong = |(at, (way, side)): (usize, (&Way, &Side))| {
        let right = if brim.holds || is_whole(at) { "holds" } else { "violated" };
        let said = &side.complete()?.verdict;
        (said != right).then(|| format!("{}: {}: {said} instead of {right}", searched.name, way.name))
    };
    ways.iter().zip(&searched.sides).enumerate().filter_map(wrong).collect()
}

const GRAPH_COLUMNS: &[&str] = &[
    "model",
    "the paper's",
    "holds",
    "full",
    "printed",
    "ample",
    "printed",
    "loop",
    "states",
    "from visible",
    "printed",
];

/// The sizes of the graphs.
fn graphs(rows: &[(&Brim, Searched)]) -> Section {
    let line = |(brim, searched): &(&Brim, Searched)| {
        let under = |at: usize| {
            let of_run = |side: &Complete| match brim.holds {
                true => side.states,
                false => side.iterations.first().copied().unwrap_or(side.states),
            };
            complete(searched, at).map_or_else(|| NOTHING.to_owned(), |side| count(of_run(side)))
        };
        vec![
            brim.name(),
            brim.printed_name.to_owned(),
            if brim.holds { "yes" } else { "no" }.to_owned(),
            states(searched, WHOLE),
            count(brim.printed.full),
            states(searched, WHOLE_REDUCED),
            count(brim.printed.reduced),
            letter(brim).to_owned(),
            under(WHOLE_UNDER),
            under(WHOLE_FROM_VISIBLE),
            count(brim.printed.under),
        ]
    };
    Section { title: GRAPHS.to_owned(), columns: names(GRAPH_COLUMNS), rows: rows.iter().map(line).collect() }
}

const UNTIL_COLUMNS: &[&str] = &[
    "model",
    "the paper's",
    "full",
    "ample",
    "loop",
    "states",
    "runs",
    "at random",
    "runs",
    "from visible",
    "runs",
    "printed: runs",
];

/// How much is explored until there is an answer.
fn until(rows: &[(&Brim, Searched)]) -> Section {
    let line = |(brim, searched): &(&Brim, Searched)| {
        let runs = |at: usize| {
            complete(searched, at).map_or_else(|| NOTHING.to_owned(), |side| side.iterations.len().to_string())
        };
        vec![
            brim.name(),
            brim.printed_name.to_owned(),
            states(searched, UNTIL_FULL),
            states(searched, UNTIL_REDUCED),
            letter(brim).to_owned(),
            states(searched, UNTIL_UNDER),
            runs(UNTIL_UNDER),
            states(searched, UNTIL_RANDOM),
            runs(UNTIL_RANDOM),
            states(searched, UNTIL_FROM_VISIBLE),
            runs(UNTIL_FROM_VISIBLE),
            brim.printed.runs.to_string(),
        ]
    };
    Section { title: UNTIL.to_owned(), columns: names(UNTIL_COLUMNS), rows: rows.iter().map(line).collect() }
}

/// What the paper calls the loop.
fn letter(brim: &Brim) -> &'static str {
    if brim.under == A { "A" } else { "B" }
}

fn complete(searched: &Searched, at: usize) -> Option<&Complete> {
    searched.sides.get(at)?.complete()
}

fn states(searched: &Searched, at: usize) -> String {
    complete(searched, at).map_or_else(|| NOTHING.to_owned(), |side| count(side.states))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ways::tests::{options, result};

    #[test]
    fn ours_stand_beside_the_printed_numbers() {
        let brim = BRIM.iter().find(|brim| brim.printed_name == "Token-13L").unwrap();
        let ways = ways_of(&options(), brim);
        let numbers: Vec<(&str, Option<(u64, f64)>)> =
            ways.iter().map(|way| (way.name.as_str(), Some((1000, 1.0)))).collect();
        let mut result = result(&numbers);
        result["ways"]["whole, under"]["runs"][0]["iterations"] = json!([53, 1000]);
        result["ways"]["whole, from visible"]["runs"][0]["iterations"] = json!([77, 1000]);
        result["ways"]["until, under"]["runs"][0]["iterations"] = json!([1000]);
        result["ways"]["until, from visible"]["runs"][0]["iterations"] = json!([1000, 1000]);
        result["ways"]["until, reduced"] = json!({"refused": "not for this model"});
        for way in ["until, full", "until, under", "until, from visible"] {
            result["ways"][way]["runs"][0]["verdict"] = json!("violated");
        }
        let searched = Searched::read(&brim.name(), &result, &ways).unwrap();
        let problems = wrong(brim, &searched, &ways);
        assert_eq!(problems, ["token N=13 quiet: until, under at random: holds instead of violated"]);
        let rows = [(brim, searched)];
        let [graphs, until] = [graphs(&rows), until(&rows)];
        let cells = ["Token-13L", "no", "1,000", "167,936", "1,000", "167,936", "B", "53", "77", "52"];
        assert_eq!((graphs.columns.len(), &graphs.rows[0][1..]), (11, &cells.map(str::to_owned)[..]));
        let cells = ["Token-13L", "1,000", "–", "B", "1,000", "1", "1,000", "0", "1,000", "2", "1"];
        assert_eq!((until.columns.len(), &until.rows[0][1..]), (12, &cells.map(str::to_owned)[..]));
    }

    #[test]
    fn only_the_second_algorithm_begins_with_what_is_visible() {
        for brim in BRIM {
            let ways = ways_of(&options(), brim);
            assert_eq!(ways.len(), if brim.under == B { 9 } else { 7 });
            for (at, way) in ways.iter().enumerate() {
                assert_eq!(way.name == FULL || way.name.starts_with("whole"), is_whole(at));
            }
        }
    }

    #[test]
    fn the_commands_are_what_a_user_would_type() {
        let flags: Vec<String> = ways_of(&options(), &BRIM[0]).iter().map(|way| way.flags.join(" ")).collect();
        assert!(flags[WHOLE].starts_with("--keep-going --threads 1 -p safety --reduce none --max-time"), "{flags:?}");
        let under = "--threads 1 -p crowd --under visibility --por ample --emptiness ndfs --max-time";
        assert!(flags[UNTIL_UNDER].starts_with(under), "{flags:?}");
    }
}
