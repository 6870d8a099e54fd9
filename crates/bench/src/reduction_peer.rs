//! The tables `reduction-spin` and `beem-reduction`: the states that each partial order reduction
//! stores on the models of other people, beside those that a peer stores with its own, and what a
//! stored state costs beside one of the full search.
//!
//! The peer's answers are in the corpus. Beside Spin our side is what a user gets who asks for
//! nothing but the reduction, on one thread; beside LTSmin it searches in the same order, for
//! deadlocks: that is what LTSmin's reduction keeps where no property is named.

use std::path::Path;

use serde_json::json;

use crate::beem;
use crate::corpus::{self, Corpus, Known};
use crate::measured::Measured;
use crate::ours::Wanted;
use crate::race::{self, Part, Run};
use crate::rows::choose;
use crate::table::{Section, count, decimal, median, names};
use crate::ways::{self, Searched, Side, Way, reasons, ways};
use crate::{BenchError, ours};

/// Whom our reductions are compared with.
pub(crate) struct Peer {
    name: &'static str,
    /// The part of a row.
    part: &'static str,
    /// What is asked of us.
    question: &'static str,
    /// What our searches are called with, and what those with a reduction are.
    order: &'static [&'static str],
    condition: &'static [&'static str],
    /// What one more full search is called with, if the others are in another order than those with
    /// a reduction.
    same_order: Option<&'static [&'static str]>,
    /// Its answers, from the folder of the models.
    answers: fn(&Path) -> Result<Corpus, BenchError>,
    /// What stands above the table of the models.
    title: &'static str,
}

/// The name of the full search in the order of those with a reduction.
const SAME_ORDER: &str = "full, depth first";

/// With fewer states the time is mostly that of starting.
const FEWEST_TIMED: u64 = 20_000;

/// Spin, on Promela.
pub(crate) const SPIN: Peer = Peer {
    name: "Spin",
    part: "reduction beside Spin",
    question: "safety",
    order: &[],
    condition: &[],
    same_order: Some(&["--reduce", "none", "--order", "dfs"]),
    answers: corpus::read,
    title: "States stored: `ample check -p safety --keep-going --threads 1` with `--reduce none` (full) and with `--por NAME`; \
            `spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOCLAIM`, `pan -c0`; ratio: ours over Spin's; time: for a stored state, \
            over the full search's",
};

/// LTSmin, on BEEM.
pub(crate) const LTSMIN: Peer = Peer {
    name: "LTSmin",
    part: "reduction beside LTSmin, deadlocks",
    question: "end-states",
    order: &["--order", "dfs"],
    condition: &["--proviso", "none"],
    same_order: None,
    answers: beem::reductions,
    title: "States stored: `ample check -p end-states --keep-going --threads 1 --order dfs` with `--reduce none` (full) and with `--por NAME \
            --proviso none`; LTSmin's guard-based stubborn sets, `--por --strategy=dfs --proviso=stack`; ratio: ours over LTSmin's; time: \
            for a stored state, over the full search's",
};

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>, peer: &Peer) -> Result<Measured, BenchError> {
    let mut ways = ways(run.options, Wanted::Whole, peer.order, peer.condition);
    ways.extend(peer.same_order.map(|flags| Way::new(run.options, Wanted::Whole, SAME_ORDER, flags)));
    let corpus = (peer.answers)(&run.options.models)?;
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    for known in choose(&corpus.models, |known| known.name.clone(), &run.options.only)? {
        let part = part(run, peer, known, &ways)?;
        let Some(result) = measured.result(&known.name, part) else { continue };
        let Some(searched) = Searched::read(&known.name, &result, &ways) else { continue };
        measured.problems.extend(searched.problems(&ways));
        measured.rows.push(json!({
            "row": known.name, "part": peer.part, peer.name.to_lowercase(): {"full": known.full, "reduced": known.reduced}, "result": result
        }));
        rows.push(Row { known: known.clone(), searched });
    }
    measured.notes = notes(peer, &ways, &rows, &corpus.left_out);
    measured.sections = vec![summary(peer, &ways, &rows), section(peer, &ways, &rows)];
    Ok(measured)
}

fn part(run: &mut Run<'_>, peer: &Peer, known: &Known, ways: &[Way]) -> Result<Part, BenchError> {
    let text = race::read(&known.path)?;
    run.keep(&known.name, &text, peer.part, &ways::key(ways), |run| {
        ways::measure(run, &known.name, ways, |run, flags| {
            let mut command = ours::check(&run.options.program, run.folder(), &known.path);
            command.args(["-p", peer.question, "--json"]).args(flags);
            command
        })
    })
}

/// A model, with the peer's answer and ours.
struct Row {
    known: Known,
    searched: Searched,
}

impl Row {
    /// The states of a way over the peer's.
    fn ratio(&self, way: usize) -> Option<f64> {
        Some(self.searched.sides.get(way)?.complete()?.states as f64 / self.known.reduced as f64)
    }

    /// The time for a stored state over that of the full search.
    fn cost(&self, way: usize) -> Option<f64> {
        self.cost_over(way, self.searched.full()?)
    }

    fn cost_over(&self, way: usize, full: &ways::Complete) -> Option<f64> {
        let reduced = self.searched.sides.get(way)?.complete()?;
        let each = |side: &ways::Complete| side.seconds / side.states as f64;
        (reduced.states >= FEWEST_TIMED).then(|| each(reduced) / each(full))
    }
}

/// The reductions with their places among the ways; the first way is the full search.
fn reductions(ways: &[Way]) -> impl Iterator<Item = (usize, &str)> {
    ways.iter().map(|way| way.name.as_str()).enumerate().skip(1).filter(|(_, name)| *name != SAME_ORDER)
}

const SUMMARY_COLUMNS: &[&str] = &[
    "reduction",
    "models",
    "at most",
    "more",
    "refused",
    "not finished",
    "ratio: median",
    "worst",
    "timed",
    "time: median",
    "worst",
    "in the same order: median",
    "worst",
];

/// Where the full search is that has the order of those with a reduction.
fn same_order(ways: &[Way]) -> usize {
    ways.iter().position(|way| way.name == SAME_ORDER).unwrap_or(0)
}

/// A line for each reduction.
fn summary(peer: &Peer, ways: &[Way], rows: &[Row]) -> Section {
    let line = |(way, name): (usize, &str)| {
        let sides = || rows.iter().filter_map(|row| row.searched.sides.get(way));
        let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio(way)).collect();
        let costs: Vec<f64> = rows.iter().filter_map(|row| row.cost(way)).collect();
        let in_same_order = |row: &Row| row.cost_over(way, row.searched.sides.get(same_order(ways))?.complete()?);
        let same: Vec<f64> = rows.iter().filter_map(in_same_order).collect();
        let at_most = ratios.iter().filter(|&&ratio| ratio <= 1.0).count();
        let refused = sides().filter(|side| matches!(side, Side::Refused(_))).count();
        let stopped = sides().filter(|side| matches!(side, Side::Stopped(_))).count();
        let numbers = [rows.len(), at_most, ratios.len() - at_most, refused, stopped].map(|number| number.to_string());
        let [ratio, cost, same] = [&ratios, &costs, &same]
            .map(|numbers| [median(numbers.clone()), numbers.iter().copied().reduce(f64::max)].map(decimal));
        let timed = [costs.len().to_string()];
        std::iter::once(name.to_owned()).chain(numbers).chain(ratio).chain(timed).chain(cost).chain(same).collect()
    };
    let title = format!(
        "States stored beside {0}'s: how many models have at most {0}'s states; the time for a stored state over that of the full search, \
         and of a full search in the order of the reduced one, where 20,000 states or more are stored",
        peer.name
    );
    let mut columns = names(SUMMARY_COLUMNS);
    columns[2] += &format!(" {}'s", peer.name);
    Section { title, columns, rows: reductions(ways).map(line).collect() }
}

/// A line for each model.
fn section(peer: &Peer, ways: &[Way], rows: &[Row]) -> Section {
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
        title: peer.title.to_owned(),
        columns: names(&["model", "full", peer.name]).into_iter().chain(columns).collect(),
        rows: rows.iter().map(line).collect(),
    }
}

/// Where ours are more, where there are no numbers, and what was left out.
fn notes(peer: &Peer, ways: &[Way], rows: &[Row], left_out: &[(&str, Vec<String>)]) -> Vec<String> {
    let more = reductions(ways).map(|(way, name)| {
        let mut more: Vec<(f64, &str)> =
            rows.iter().filter_map(|row| Some((row.ratio(way)?, row.known.name.as_str()))).collect();
        more.retain(|&(ratio, _)| ratio > 1.0);
        more.sort_by(|left, right| right.0.total_cmp(&left.0));
        let models: Vec<String> = more.iter().map(|(ratio, model)| format!("{model} {ratio:.2}")).collect();
        format!("{name}: more states than {} ({}): {}", peer.name, models.len(), models.join(", "))
    });
    let other = rows.iter().filter(|row| row.searched.full().is_some_and(|full| full.states != row.known.full));
    let other: Vec<&str> = other.map(|row| row.known.name.as_str()).collect();
    let other = (format!("The full search has another number of states than {}'s", peer.name), other.join(", "));
    let left_out = left_out.iter().map(|(why, models)| ((*why).to_owned(), models.join(", ")));
    let lists = left_out.chain([other]).filter(|(_, models)| !models.is_empty());
    let lists = lists.map(|(what, models)| format!("{what}: {models}"));
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
        let ways = ways(&options(), Wanted::Whole, &[], &[]);
        let summary = summary(&SPIN, &ways, &rows(&ways));
        assert_eq!(summary.columns.len(), summary.rows[0].len());
        assert_eq!(summary.rows[0][..6], ["fewer", "3", "2", "1", "0", "0"]);
        assert_eq!(summary.rows[0][6..], ["1.00", "2.00", "2", "1.75", "2.50", "1.75", "2.50"]);
        assert_eq!(summary.rows[1][..6], ["fewest", "3", "1", "0", "2", "0"]);
        assert_eq!(summary.rows[1][8..], ["0", "–", "–", "–", "–"]);
    }

    #[test]
    fn a_full_search_in_the_same_order_counts_by_itself() {
        let mut ways = ways(&options(), Wanted::Whole, &[], &[]);
        ways.push(Way::new(&options(), Wanted::Whole, SAME_ORDER, &["--reduce", "none", "--order", "dfs"]));
        let sides = [
            ("full", Some((50_000, 1.0))),
            ("fewer", Some((25_000, 1.0))),
            ("fewest", None),
            (SAME_ORDER, Some((50_000, 2.0))),
        ];
        let rows = [row("a", 20_000, &result(&sides), &ways)];
        let summary = summary(&SPIN, &ways, &rows);
        assert_eq!(summary.rows.len(), 2);
        assert_eq!(summary.rows[0][8..], ["1", "2.00", "2.00", "1.00", "1.00"]);
        assert_eq!(section(&SPIN, &ways, &rows).columns.len(), 9);
    }

    #[test]
    fn each_model_has_a_line() {
        let ways = ways(&options(), Wanted::Whole, &[], &[]);
        let section = section(&SPIN, &ways, &rows(&ways));
        assert_eq!(section.columns, ["model", "full", "Spin", "fewer", "ratio", "time", "fewest", "ratio", "time"]);
        assert_eq!(section.rows[0], ["a", "50,000", "20,000", "20,000", "1.00", "2.50", "–", "–", "–"]);
        assert_eq!(section.rows[1], ["b", "50,000", "20,000", "40,000", "2.00", "1.00", "10", "0.00", "–"]);
    }

    #[test]
    fn what_stands_out_is_said() {
        let ways = ways(&options(), Wanted::Whole, &[], &[]);
        let expected = [
            "fewer: more states than Spin (1): b 2.00",
            "fewest: not for this model (2): a, c",
            "Left out, since it is wrong: d",
            "The full search has another number of states than Spin's: c",
        ];
        let left_out = [("Left out, since it is wrong", vec!["d".to_owned()]), ("Nothing", Vec::new())];
        assert_eq!(notes(&SPIN, &ways, &rows(&ways), &left_out), expected);
    }
}
