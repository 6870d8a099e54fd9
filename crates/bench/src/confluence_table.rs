//! The table `confluence`: states stored where confluent transitions are taken first, alone or in
//! chains, or sets of several processes at once, beside `static` and `stubborn`.
//!
//! Pelánek's thesis (section 3.3.2 and 3.3.3) says that these weak reductions are comparable. The
//! models are those of other people that the corpus has answers about, of a size at which all ways
//! are done soon. What is kept is local reachability, with the cycle condition that decides by the
//! state alone (`sticky`), since only that one goes with all of them.

use std::path::Path;

use crate::corpus::{self, Known};
use crate::measured::Measured;
use crate::ours::Wanted;
use crate::race::{self, Part, Run};
use crate::rows::{SAFETY, choose};
use crate::table::{Section, count, decimal, median, names};
use crate::ways::{self, FULL, Searched, Side, Way, reasons};
use crate::{BenchError, ours};

const PART: &str = "confluence";

/// Larger models take too long for what they say.
const MOST: u64 = 100_000;

/// The reductions, in the order of the columns.
const NAMES: [&str; 5] = ["static", "stubborn", "confluent", "confluent-chain", "simultaneous"];

const TITLE: &str = "States stored: `ample check -p safety --keep-going --threads 1 --order dfs` with `--reduce none` (full) and with \
                     `--reduce por --por NAME --proviso sticky`";

/// Measures the models that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let ways = ways(run);
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let models = models(&run.options.models)?;
    let mut rows = Vec::new();
    for known in choose(&models, |known| known.name.clone(), &run.options.only)? {
        let part = part(run, known, &ways)?;
        let Some(result) = measured.take(&known.name, PART, part) else { continue };
        let Some(searched) = Searched::read(&known.name, &result, &ways) else { continue };
        measured.problems.extend(searched.problems(&ways));
        rows.push(searched);
    }
    measured.notes = reasons(rows.iter(), &ways);
    measured.sections = vec![summary(&rows), section(&rows)];
    Ok(measured)
}

fn models(folder: &Path) -> Result<Vec<Known>, BenchError> {
    let mut models = corpus::read(folder)?.models;
    models.retain(|known| known.full <= MOST);
    Ok(models)
}

fn ways(run: &Run<'_>) -> Vec<Way> {
    let way =
        |name: &str, own: &[&str]| Way::new(run.options, Wanted::Whole, name, &[&["--order", "dfs"], own].concat());
    let reduced = |name: &str| way(name, &["--reduce", "por", "--por", name, "--proviso", "sticky"]);
    std::iter::once(way(FULL, &["--reduce", "none"])).chain(NAMES.map(reduced)).collect()
}

fn part(run: &mut Run<'_>, known: &Known, ways: &[Way]) -> Result<Part, BenchError> {
    let text = race::read(&known.path)?;
    run.keep(&known.name, &text, PART, &ways::key(ways), |run| {
        ways::measure(run, &known.name, ways, |run, flags| {
            let mut command = ours::check(&run.options.program, run.folder(), &known.path);
            command.args(["-p", SAFETY, "--json"]).args(flags);
            command
        })
    })
}

/// The states that a way stores, if it came to its end.
fn states(searched: &Searched, way: usize) -> Option<u64> {
    searched.sides.get(way).and_then(Side::complete).map(|side| side.states)
}

/// The states of a way over those of the full search.
fn share(searched: &Searched, way: usize) -> Option<f64> {
    Some(states(searched, way)? as f64 / states(searched, 0)? as f64)
}

const SUMMARY: &[&str] =
    &["reduction", "models", "smaller", "share: median", "least", "at most `static`", "at most `stubborn`"];

/// A line for each reduction.
fn summary(rows: &[Searched]) -> Section {
    let line = |(way, name): (usize, &&str)| {
        let shares: Vec<f64> = rows.iter().filter_map(|row| share(row, way)).collect();
        let at_most = |other: usize| {
            let both = rows.iter().filter_map(|row| states(row, way).zip(states(row, other)));
            let both: Vec<bool> = both.map(|(ours, theirs)| ours <= theirs).collect();
            format!("{} of {}", both.iter().filter(|is_less| **is_less).count(), both.len())
        };
        let smaller = shares.iter().filter(|share| **share < 1.0).count().to_string();
        let least = shares.iter().copied().reduce(f64::min);
        let numbers = [decimal(median(shares.clone())), decimal(least), at_most(1), at_most(2)];
        [(*name).to_owned(), shares.len().to_string(), smaller].into_iter().chain(numbers).collect()
    };
    let title = "States stored, as a share of those of the full search".to_owned();
    Section { title, columns: names(SUMMARY), rows: (1..).zip(&NAMES).map(line).collect() }
}

/// A line for each model.
fn section(rows: &[Searched]) -> Section {
    let cell = |number: Option<u64>| number.map_or_else(|| decimal(None), count);
    let line = |row: &Searched| {
        let cells = (0..=NAMES.len()).map(|way| cell(states(row, way)));
        std::iter::once(row.name.clone()).chain(cells).collect()
    };
    let columns = [&["model", FULL], &NAMES[..]].concat();
    Section { title: TITLE.to_owned(), columns: names(&columns), rows: rows.iter().map(line).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ways::tests::result;

    fn searched(name: &str, numbers: [Option<u64>; 6]) -> Searched {
        let names = std::iter::once(FULL).chain(NAMES);
        let sides: Vec<_> = names.zip(numbers).map(|(way, states)| (way, states.map(|states| (states, 1.0)))).collect();
        let result = result(&sides);
        let side = |way: &str| Side::read(&result, way).unwrap();
        let sides = std::iter::once(FULL).chain(NAMES).map(side).collect();
        Searched { name: name.to_owned(), sides }
    }

    #[test]
    fn reductions_stand_beside_the_full_search_and_each_other() {
        let rows = [
            searched("a", [Some(1000), Some(500), Some(400), Some(1000), Some(300), Some(500)]),
            searched("b", [Some(1000), Some(1000), Some(200), Some(500), Some(250), None]),
        ];
        let summary = summary(&rows);
        assert_eq!(summary.rows[0], ["static", "2", "1", "0.75", "0.50", "2 of 2", "0 of 2"]);
        assert_eq!(summary.rows[3], ["confluent-chain", "2", "2", "0.28", "0.25", "2 of 2", "1 of 2"]);
        assert_eq!(summary.rows[4], ["simultaneous", "1", "1", "0.50", "0.50", "1 of 1", "0 of 1"]);
        let section = section(&rows);
        assert_eq!(section.rows[1], ["b", "1,000", "1,000", "200", "500", "250", "–"]);
        assert_eq!(section.columns.len(), 7);
    }
}
