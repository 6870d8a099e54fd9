//! The table `reduction-spin`: the states that each partial order reduction stores on the models of other people, beside those that Spin
//! stores with its own, and what a stored state costs beside one of the full search.
//!
//! Our side is what a user gets who asks for nothing but the reduction, on one thread; Spin's answers are in the corpus.

use serde_json::json;

use crate::corpus::{self, Known};
use crate::race::{self, Part, Run};
use crate::rows::choose;
use crate::table::{Section, count, decimal, median, names};
use crate::ways::{self, Searched, Side, Way, reasons, ways};
use crate::{BenchError, Measured, ours};

const PART: &str = "reduction beside Spin";

/// With fewer states the time is mostly that of starting.
const FEWEST_TIMED: u64 = 20_000;

const SUMMARY: &str = "States stored beside Spin's: how many models have at most Spin's states; the time for a stored state over that of the \
                       full search, where 20,000 states or more are stored";
const TITLE: &str = "States stored: `ample check -p safety --keep-going --threads 1` with `--reduce none` (full) and with `--por NAME`; \
                     `spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOCLAIM`, `pan -c0`; ratio: ours over Spin's; time: for a stored state, \
                     over the full search's";

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let ways = ways(run.options, &[], &[]);
    let corpus = corpus::read(&run.options.models)?;
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    for known in choose(&corpus.models, |known| known.name.clone(), &run.options.only)? {
        let result = match part(run, known, &ways)? {
            Part::Measured(result) => result,
            Part::Failed(why) => {
                measured.problems.push(format!("{}: not measured: {why}", known.name));
                continue;
            }
        };
        let Some(searched) = Searched::read(&known.name, &result, &ways) else { continue };
        measured.problems.extend(searched.problems(&ways));
        measured.rows.push(json!({
            "row": known.name, "part": PART, "spin": {"full": known.full, "reduced": known.reduced}, "result": result
        }));
        rows.push(Row { known: known.clone(), searched });
    }
    measured.notes = notes(&ways, &rows, &corpus.invalid);
    measured.sections = vec![summary(&ways, &rows), section(&ways, &rows)];
    Ok(measured)
}

fn part(run: &mut Run<'_>, known: &Known, ways: &[Way]) -> Result<Part, BenchError> {
    let text = race::read(&known.path)?;
    run.keep(&known.name, &text, PART, &ways::key(ways), |run| {
        ways::measure(run, &known.name, ways, |run, flags| {
            let mut command = ours::check(&run.options.program, run.folder(), &known.path);
            command.args(["-p", "safety", "--json"]).args(flags);
            command
        })
    })
}

/// A model, with Spin's answer and ours.
struct Row {
    known: Known,
    searched: Searched,
}

impl Row {
    /// The states of a way over Spin's.
    fn ratio(&self, way: usize) -> Option<f64> {
        Some(self.searched.sides.get(way)?.complete()?.states as f64 / self.known.reduced as f64)
    }

    /// The time for a stored state over that of the full search.
    fn cost(&self, way: usize) -> Option<f64> {
        let reduced = self.searched.sides.get(way)?.complete()?;
        let full = self.searched.full()?;
        let each = |side: &ways::Complete| side.seconds / side.states as f64;
        (reduced.states >= FEWEST_TIMED).then(|| each(reduced) / each(full))
    }
}

/// The reductions with their places among the ways; the first way is the full search.
fn reductions(ways: &[Way]) -> impl Iterator<Item = (usize, &str)> {
    ways.iter().map(|way| way.name.as_str()).enumerate().skip(1)
}

const SUMMARY_COLUMNS: &[&str] = &[
    "reduction",
    "models",
    "at most Spin's",
    "more",
    "refused",
    "not finished",
    "ratio: median",
    "worst",
    "timed",
    "time: median",
    "worst",
];

/// A line for each reduction.
fn summary(ways: &[Way], rows: &[Row]) -> Section {
    let line = |(way, name): (usize, &str)| {
        let sides = || rows.iter().filter_map(|row| row.searched.sides.get(way));
        let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio(way)).collect();
        let costs: Vec<f64> = rows.iter().filter_map(|row| row.cost(way)).collect();
        let at_most = ratios.iter().filter(|&&ratio| ratio <= 1.0).count();
        let refused = sides().filter(|side| matches!(side, Side::Refused(_))).count();
        let stopped = sides().filter(|side| matches!(side, Side::Stopped(_))).count();
        let numbers = [rows.len(), at_most, ratios.len() - at_most, refused, stopped].map(|number| number.to_string());
        let [ratio, cost] = [&ratios, &costs]
            .map(|numbers| [median(numbers.clone()), numbers.iter().copied().reduce(f64::max)].map(decimal));
        let timed = [costs.len().to_string()];
        std::iter::once(name.to_owned()).chain(numbers).chain(ratio).chain(timed).chain(cost).collect()
    };
    Section { title: SUMMARY.to_owned(), columns: names(SUMMARY_COLUMNS), rows: reductions(ways).map(line).collect() }
}

/// A line for each model.
fn section(ways: &[Way], rows: &[Row]) -> Section {
    let states = |side: Option<&Side>| side.and_then(Side::complete).map(|side| side.states);
    let shown = |number: Option<u64>| number.map_or_else(|| decimal(None), count);
    let line = |row: &Row| {
        let first = [row.known.name.clone(), shown(states(row.searched.sides.first())), count(row.known.reduced)];
        let reduced = reductions(ways).flat_map(|(way, _)| {
            let states = shown(states(row.searched.sides.get(way)));
            [states, decimal(row.ratio(way)), decimal(row.cost(way))]
        });
        first.into_iter().chain(reduced).collect()
    };
    let columns = reductions(ways).flat_map(|(_, name)| [name.to_owned(), "ratio".to_owned(), "time".to_owned()]);
    Section {
        title: TITLE.to_owned(),
        columns: names(&["model", "full", "Spin"]).into_iter().chain(columns).collect(),
        rows: rows.iter().map(line).collect(),
    }
}

/// Where ours are more, where there are no numbers, and what was left out.
fn notes(ways: &[Way], rows: &[Row], invalid: &[String]) -> Vec<String> {
    let more = reductions(ways).map(|(way, name)| {
        let mut more: Vec<(f64, &str)> =
            rows.iter().filter_map(|row| Some((row.ratio(way)?, row.known.name.as_str()))).collect();
        more.retain(|&(ratio, _)| ratio > 1.0);
        more.sort_by(|left, right| right.0.total_cmp(&left.0));
        let models: Vec<String> = more.iter().map(|(ratio, model)| format!("{model} {ratio:.2}")).collect();
        format!("{name}: more states than Spin ({}): {}", models.len(), models.join(", "))
    });
    let other = rows.iter().filter(|row| row.searched.full().is_some_and(|full| full.states != row.known.full));
    let other: Vec<&str> = other.map(|row| row.known.name.as_str()).collect();
    let lists = [
        ("Left out, since Spin says that its reduction is invalid there", invalid.join(", ")),
        ("The full search has another number of states than Spin's", other.join(", ")),
    ];
    let lists = lists.iter().filter(|(_, models)| !models.is_empty()).map(|(what, models)| format!("{what}: {models}"));
    let more = more.filter(|note| !note.ends_with(": "));
    more.chain(reasons(rows.iter().map(|row| &row.searched), ways)).chain(lists).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::ways::tests::{options, result};

    fn row(name: &str, spin: u64, result: &Value, ways: &[Way]) -> Row {
        let known = Known { name: name.to_owned(), path: name.into(), full: 50_000, reduced: spin };
        Row { known, searched: Searched::read(name, result, ways).unwrap() }
    }

    fn rows(ways: &[Way]) -> [Row; 3] {
        let full = ("full", Some((50_000, 1.0)));
        [
            row("a", 20_000, &result(&[full, ("fewer", Some((20_000, 1.0))), ("fewest", None)]), ways),
            row("b", 20_000, &result(&[full, ("fewer", Some((40_000, 0.8))), ("fewest", Some((10, 0.1)))]), ways),
            row(
                "c",
                30_000,
                &result(&[("full", Some((50_001, 1.0))), ("fewer", Some((10, 0.1))), ("fewest", None)]),
                ways,
            ),
        ]
    }

    #[test]
    fn each_reduction_has_a_line_in_the_summary() {
        let ways = ways(&options(), &[], &[]);
        let summary = summary(&ways, &rows(&ways));
        assert_eq!(summary.columns.len(), summary.rows[0].len());
        assert_eq!(summary.rows[0][..6], ["fewer", "3", "2", "1", "0", "0"]);
        assert_eq!(summary.rows[0][6..], ["1.00", "2.00", "2", "1.75", "2.50"]);
        assert_eq!(summary.rows[1][..6], ["fewest", "3", "1", "0", "2", "0"]);
        assert_eq!(summary.rows[1][8..], ["0", "–", "–"]);
    }

    #[test]
    fn each_model_has_a_line() {
        let ways = ways(&options(), &[], &[]);
        let section = section(&ways, &rows(&ways));
        assert_eq!(section.columns, ["model", "full", "Spin", "fewer", "ratio", "time", "fewest", "ratio", "time"]);
        assert_eq!(section.rows[0], ["a", "50,000", "20,000", "20,000", "1.00", "2.50", "–", "–", "–"]);
        assert_eq!(section.rows[1], ["b", "50,000", "20,000", "40,000", "2.00", "1.00", "10", "0.00", "–"]);
    }

    #[test]
    fn what_stands_out_is_said() {
        let ways = ways(&options(), &[], &[]);
        let expected = [
            "fewer: more states than Spin (1): b 2.00",
            "fewest: not for this model (2): a, c",
            "Left out, since Spin says that its reduction is invalid there: d",
            "The full search has another number of states than Spin's: c",
        ];
        assert_eq!(notes(&ways, &rows(&ways), &["d".to_owned()]), expected);
    }
}
