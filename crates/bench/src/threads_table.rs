//! The table `threads`: two threads of ours beside one, and beside what the machine gives two
//! threads at all.

use std::time::Duration;

use serde_json::{Value, json};

use crate::measured::Measured;
use crate::ours::{self, Ours};
use crate::race::{Part, Run, load, runs};
use crate::table::{Section, count, decimal, median, names, summary_rows};
use crate::{BenchError, ROWS, Row, memory_loop};

const PART: &str = "one and two threads";
/// How long each number of threads runs the plain loop.
const LOOP_TIME: Duration = Duration::from_secs(1);

const TITLE: &str = "One and two threads of `ample check -p safety --keep-going --reduce none`: wall time, processor time, how much \
                     of it the workers were idle; the loop is two threads over one on random memory, measured between the runs";

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let mut measured = Measured::default();
    let mut races = Vec::new();
    for row in run.rows(ROWS)? {
        let part = part(run, row)?;
        let Some(result) = measured.result(&row.name(), part) else { continue };
        let Some(race) = Race::read(row, &result) else { continue };
        measured.problems.extend(race.problem());
        measured.rows.push(json!({"row": row.name(), "part": PART, "result": result}));
        races.push(race);
    }
    measured.sections = vec![section(&races)];
    measured.versions = vec![("ample", run.ample())];
    Ok(measured)
}

fn part(run: &mut Run<'_>, row: &Row) -> Result<Part, BenchError> {
    run.part(row, PART, &Value::Null, |run| {
        let load = load();
        let (mut one, mut two, mut gains) = (Vec::new(), Vec::new(), Vec::new());
        for at in 1..=run.options.repeat {
            let step = format!("{}, run {at} of {}", row.name(), run.options.repeat);
            for (threads, runs) in [("1", &mut one), ("2", &mut two)] {
                run.say(&format!("{step}: --threads {threads}"));
                let flags = ["--keep-going", "--reduce", "none", "--threads", threads];
                runs.push(ours::run(&run.options.program, run.folder(), row, &flags)?.to_json());
            }
            run.say(&format!("{step}: the plain loop"));
            gains.push(memory_loop::speed_up(LOOP_TIME));
        }
        Ok(json!({"load": load, "one": one, "two": two, "loop": gains}))
    })
}

/// A row, as medians.
struct Race {
    name: String,
    states: u64,
    counts: [(u64, u64); 2],
    load: Option<f64>,
    wall: [Option<f64>; 2],
    processor: [Option<f64>; 2],
    idle_share: Option<f64>,
    loop_gain: Option<f64>,
}

impl Race {
    fn read(row: &Row, result: &Value) -> Option<Race> {
        let [one, two] = ["one", "two"].map(|side| runs(result, side, Ours::from_json));
        let of = |runs: &[Ours], value: fn(&Ours) -> Option<f64>| median(runs.iter().filter_map(value).collect());
        let both = |value| [of(&one, value), of(&two, value)];
        let counts = |run: &Ours| (run.states, run.transitions);
        Some(Race {
            name: row.name(),
            states: one.first()?.states,
            counts: [counts(one.first()?), counts(two.first()?)],
            load: result["load"].as_f64(),
            wall: both(|run| Some(run.wall_seconds)),
            processor: both(|run| run.processor_seconds),
            idle_share: of(&two, |run| run.idle_share),
            loop_gain: median(runs(result, "loop", Value::as_f64)),
        })
    }

    fn problem(&self) -> Option<String> {
        let [one, two] = self.counts;
        (one != two).then(|| format!("{}: one thread counts {one:?} states and transitions, two {two:?}", self.name))
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        let over = |left: Option<f64>, right: Option<f64>| left.zip(right).map(|(left, right)| left / right);
        let gain = over(self.wall[0], self.wall[1]);
        vec![
            self.wall[0],
            self.wall[1],
            gain,
            self.loop_gain,
            over(gain, self.loop_gain),
            self.processor[0],
            self.processor[1],
            over(self.processor[1], self.processor[0]),
            self.idle_share.map(|share| share * 100.0),
            self.load,
        ]
    }
}

const COLUMNS: &[&str] = &[
    "model",
    "states",
    "wall s: 1",
    "2",
    "speed-up",
    "loop's",
    "ours/loop's",
    "processor s: 1",
    "2",
    "ratio",
    "idle %",
    "load",
];

fn section(races: &[Race]) -> Section {
    let cells = |race: &Race| {
        let first = [race.name.clone(), count(race.states)];
        first.into_iter().chain(race.numbers().into_iter().map(decimal)).collect::<Vec<String>>()
    };
    let mut rows: Vec<Vec<String>> = races.iter().map(cells).collect();
    let numbers: Vec<Vec<Option<f64>>> =
        races.iter().map(|race| std::iter::once(None).chain(race.numbers()).collect()).collect();
    let is_one = |chosen: &[&str]| COLUMNS.iter().skip(1).map(|column| chosen.contains(column)).collect::<Vec<bool>>();
    // Of a gain the worst is the least, of a cost the most.
    let gains = summary_rows(&numbers, &is_one(&["speed-up", "loop's", "ours/loop's"]), f64::min);
    let costs = summary_rows(&numbers, &is_one(&["ratio", "idle %"]), f64::max);
    rows.extend(gains.into_iter().zip(costs).map(|(gains, costs)| merge(gains, &costs)));
    Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows }
}

/// What is empty in one row is taken from the other.
fn merge(row: Vec<String>, other: &[String]) -> Vec<String> {
    row.into_iter().zip(other).map(|(cell, other)| if cell.is_empty() { other.clone() } else { cell }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ROWS;

    fn race(states_of_two: u64, workers: Value) -> Race {
        let ours = |wall: f64, states: u64| {
            json!({
                "wall_seconds": wall, "search_seconds": wall, "processor_seconds": 4.0, "verdict": "holds", "states": states,
                "transitions": 20, "peak_bytes": 640, "idle_share": workers
            })
        };
        let two = [ours(2.0, states_of_two), ours(2.5, states_of_two)];
        Race::read(&ROWS[0], &json!({"load": 0.5, "one": [ours(4.5, 10)], "two": two, "loop": [1.6, 2.4]})).unwrap()
    }

    #[test]
    fn the_gain_is_divided_by_the_loops() {
        let races = [race(10, json!(0.04)), race(10, Value::Null)];
        let section = section(&races);
        assert!(section.rows.iter().all(|row| row.len() == section.columns.len()));
        let cells = ["10", "4.50", "2.25", "2.00", "2.00", "1.00", "4.00", "4.00", "1.00", "4.00", "0.50"];
        assert_eq!(section.rows[0][1..], cells);
        assert_eq!(section.rows[1][10], "–");
        assert_eq!(section.rows[3], ["worst", "", "", "", "2.00", "2.00", "1.00", "", "", "1.00", "4.00", ""]);
        assert_eq!(races[0].problem(), None);
    }

    #[test]
    fn counts_that_differ_are_said() {
        let problem = race(11, Value::Null).problem().unwrap();
        assert!(problem.ends_with("one thread counts (10, 20) states and transitions, two (11, 20)"), "{problem}");
    }
}
