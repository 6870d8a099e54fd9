//! The table `under`: on the instances of BEEM with formulas about infinite runs, how many states
//! are explored until a counterexample is found, in full, with each partial order reduction, and
//! with each under-approximation; and for formulas that hold, how much of the full search is left
//! at the end.
//!
//! All search in one order on one thread, so that the numbers are the same each time.

use serde_json::Value;

use crate::beem::{self, Instance, Property, Trust};
use crate::measured::Measured;
use crate::ours::{self, Wanted};
use crate::race::{self, Part, Run};
use crate::rows::choose;
use crate::table::{NOTHING, Section, count, decimal, median};
use crate::ways::{self, Complete, Searched, Side, Way, reasons, ways};
use crate::{BenchError, Options, machine};

const PART: &str = "under";

/// The order of all searches: depth first, nested.
pub(crate) const ORDER: &[&str] = &["--emptiness", "ndfs"];

/// The under-approximations, and what they are called with. Those at random have one seed.
const LOOPS: &[(&str, &[&str])] = &[
    ("visibility", &["--under", "visibility"]),
    ("cycles", &["--under", "cycles"]),
    ("interleaving", &["--under", "interleaving"]),
    ("visibility, random", &["--under", "visibility", "--pick", "random", "--seed", "1"]),
    ("cycles, random", &["--under", "cycles", "--pick", "random", "--seed", "1"]),
];

const VIOLATED: &str = "Formulas that are violated: states explored until the counterexample, of all runs together, with the number of runs if \
                        there are several; `ample check -p beem:K --threads 1 --emptiness ndfs` with `--reduce none` (full), \
                        `--por NAME`, `--under NAME`, and `--under NAME --pick random --seed 1`";
const SATISFIED: &str = "Formulas that hold: states of the full search; for each reduction the part of them that is explored, for each \
                         under-approximation that of the last run, with the number of runs if there are several";

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let ways = all_ways(run.options);
    let trusted = beem::read(&run.options.models)?.into_iter().filter(|instance| instance.trust != Trust::Disputed);
    let with_formulas = trusted.filter(|instance| instance.properties.iter().any(|property| property.is_ltl));
    let (instances, larger) = beem::of_size(with_formulas.collect(), run.options.limits.states);
    let questions: Vec<Question<'_>> = instances.iter().flat_map(Question::of).collect();
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    for question in choose(&questions, Question::name, &run.options.only)? {
        let part = part(run, question, &ways)?;
        let Some(result) = measured.take(&question.name(), PART, part) else { continue };
        let Some(searched) = Searched::read(&question.name(), &result, &ways) else { continue };
        measured.problems.extend(wrong(question.property, &searched, &ways));
        rows.push((question.property.holds, searched));
    }
    measured.notes = reasons(rows.iter().map(|(_, searched)| searched), &ways).into_iter().chain(larger).collect();
    measured.sections = [(false, VIOLATED, until as Shown), (true, SATISFIED, part_of_full as Shown)]
        .map(|(holds, title, shown)| {
            let rows: Vec<&Searched> = rows.iter().filter(|row| row.0 == holds).map(|(_, searched)| searched).collect();
            section(title, shown, &ways, &rows)
        })
        .into();
    Ok(measured)
}

/// In full, with each reduction, with each loop.
fn all_ways(options: &Options) -> Vec<Way> {
    let way = |(name, flags): &(&str, &[&str])| Way::new(options, Wanted::Verdict, name, &[flags, ORDER].concat());
    ways(options, Wanted::Verdict, ORDER, &[]).into_iter().chain(LOOPS.iter().map(way)).collect()
}

/// A formula about an instance.
struct Question<'i> {
    instance: &'i Instance,
    property: &'i Property,
}

impl<'i> Question<'i> {
    fn of(instance: &'i Instance) -> impl Iterator<Item = Question<'i>> {
        let formulas = instance.properties.iter().filter(|property| property.is_ltl);
        formulas.map(move |property| Question { instance, property })
    }

    fn name(&self) -> String {
        format!("{} {}", self.instance.name, self.property.name())
    }
}

fn part(run: &mut Run<'_>, question: &Question<'_>, ways: &[Way]) -> Result<Part, BenchError> {
    let Question { instance, property } = question;
    let text = race::read(&instance.path)?;
    let description = machine::fingerprint(&race::read(&instance.description())?);
    let with: Value = [ways::key(ways), description.into()].into_iter().collect();
    run.keep(&question.name(), &text, PART, &with, |run| {
        ways::measure(run, &question.name(), ways, |run, flags| {
            let mut command = ours::check(&run.options.program, run.folder(), &instance.path);
            command.args(["-p", &property.name(), "--json"]).args(flags);
            command
        })
    })
}

/// Verdicts that are not the known one.
fn wrong(property: &Property, searched: &Searched, ways: &[Way]) -> Vec<String> {
    let wrong = |(way, side): (&Way, &Side)| {
        let said = &side.complete()?.verdict;
        let is_wrong = said != property.verdict();
        is_wrong.then(|| format!("{}: {}: {said}, known is `{}`", searched.name, way.name, property.verdict()))
    };
    ways.iter().zip(&searched.sides).filter_map(wrong).collect()
}

/// All that was explored: by every run of a loop.
fn explored(side: &Complete) -> u64 {
    if side.iterations.is_empty() { side.states } else { side.iterations.iter().sum() }
}

/// The number of runs, behind a number, if there are several.
fn with_runs(number: String, side: &Complete) -> String {
    match side.iterations.len() {
        0 | 1 => number,
        runs => format!("{number} ({runs})"),
    }
}

/// What a cell shows of a search beside the full one, and the number that columns are compared by.
type Shown = fn(&Complete, Option<&Complete>) -> (String, u64);

fn until(side: &Complete, _: Option<&Complete>) -> (String, u64) {
    (with_runs(count(explored(side)), side), explored(side))
}

fn part_of_full(side: &Complete, full: Option<&Complete>) -> (String, u64) {
    let number = match full {
        Some(full) => decimal(Some(side.states as f64 / full.states as f64)),
        None => count(side.states),
    };
    (with_runs(number, side), side.states)
}

/// A line for each row; below them how many rows each way has settled, on how many it is best, and
/// its median over the full search.
fn section(title: &str, shown: Shown, ways: &[Way], rows: &[&Searched]) -> Section {
    // The full search itself is always a number of states.
    let cell = |row: &Searched, at: usize, side: &Side| match (at, side.complete()) {
        (_, None) => NOTHING.to_owned(),
        (0, Some(full)) => count(full.states),
        (_, Some(side)) => shown(side, row.full()).0,
    };
    let line = |row: &&Searched| {
        let cells = row.sides.iter().enumerate().map(|(at, side)| cell(row, at, side));
        std::iter::once(row.name.clone()).chain(cells).collect()
    };
    let numbers: Vec<Vec<Option<u64>>> = rows.iter().map(|row| compared(row, shown)).collect();
    let mut lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    lines.extend(summary(&numbers, ways.len()));
    let columns = std::iter::once("model".to_owned()).chain(ways.iter().map(|way| way.name.clone()));
    Section { title: title.to_owned(), columns: columns.collect(), rows: lines }
}

fn compared(row: &Searched, shown: Shown) -> Vec<Option<u64>> {
    row.sides.iter().map(|side| side.complete().map(|side| shown(side, row.full()).1)).collect()
}

/// The lines below: a number of each way on each row, none where it settled nothing.
fn summary(numbers: &[Vec<Option<u64>>], ways: usize) -> [Vec<String>; 3] {
    let least = |row: &[Option<u64>]| row.iter().flatten().min().copied();
    let line = |name: &str, value: &dyn Fn(usize) -> String| {
        std::iter::once(name.to_owned()).chain((0..ways).map(value)).collect()
    };
    let counted = |is_so: &dyn Fn(&[Option<u64>]) -> bool| numbers.iter().filter(|row| is_so(row)).count().to_string();
    let over_full = |way: usize| {
        let ratio = |row: &Vec<Option<u64>>| Some(row[way]? as f64 / row[0]? as f64);
        decimal(median(numbers.iter().filter_map(ratio).collect()))
    };
    [
        line(&format!("settled, of {}", numbers.len()), &|way| counted(&|row| row[way].is_some())),
        line("best", &|way| counted(&|row| row[way].is_some() && row[way] == least(row))),
        line("median over full", &over_full),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::beem::tests::instances;
    use crate::ways::tests::{options, result};

    fn searched(loops: Value) -> (Vec<Way>, Searched) {
        let ways = all_ways(&options());
        let numbers: Vec<(&str, Option<(u64, f64)>)> =
            ways.iter().map(|way| (way.name.as_str(), Some((100, 1.0)))).collect();
        let mut result = result(&numbers);
        result["ways"]["fewest"] = json!({"stopped": "the time limit was reached"});
        result["ways"]["visibility"]["runs"][0]["states"] = loops[loops.as_array().unwrap().len() - 1].clone();
        result["ways"]["visibility"]["runs"][0]["iterations"] = loops;
        let searched = Searched::read("a.1 beem:2", &result, &ways).unwrap();
        (ways, searched)
    }

    #[test]
    fn a_loop_counts_with_all_its_runs_until_it_finds_something() {
        let (ways, searched) = searched(json!([10, 50]));
        let section = section(VIOLATED, until, &ways, &[&searched]);
        let columns = ["model", "full", "fewer", "fewest", "visibility", "cycles", "interleaving"];
        assert_eq!(section.columns[..7], columns);
        assert!(section.rows.iter().all(|row| row.len() == section.columns.len()));
        assert_eq!(section.rows[0][..5], ["a.1 beem:2", "100", "100", "–", "60 (2)"]);
        assert_eq!(section.rows[1][..5], ["settled, of 1", "1", "1", "0", "1"]);
        assert_eq!(section.rows[2][..5], ["best", "0", "0", "0", "1"]);
        assert_eq!(section.rows[3][..5], ["median over full", "1.00", "1.00", "–", "0.60"]);
    }

    #[test]
    fn of_what_holds_the_last_run_is_shown() {
        let (ways, searched) = searched(json!([10, 50, 90]));
        let section = section(SATISFIED, part_of_full, &ways, &[&searched]);
        assert_eq!(section.rows[0][..5], ["a.1 beem:2", "100", "1.00", "–", "0.90 (3)"]);
        assert_eq!(section.rows[2][4..6], ["1", "0"]);
    }

    #[test]
    fn another_verdict_is_a_problem() {
        let (ways, searched) = searched(json!([10]));
        let instances = instances();
        let names: Vec<String> = Question::of(&instances[0]).map(|question| question.name()).collect();
        assert_eq!(names, ["a.1 beem:2", "a.1 beem:3"]);
        assert!(wrong(&instances[0].properties[1], &searched, &ways).is_empty());
        let problems = wrong(&instances[0].properties[2], &searched, &ways);
        assert_eq!(problems[0], "a.1 beem:2: full: holds, known is `violated`");
    }
}
