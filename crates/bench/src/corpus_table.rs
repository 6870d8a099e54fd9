//! The table `corpus`: nanoseconds a transition on the models of other people, beside Spin's.
//!
//! Both sides explore the same graph, with the flags of the first part of the table `spin`, and go
//! on after an error. A model takes part if the graph has a million transitions or more and both
//! sides come to its end within the limits. What is left out is kept like what was measured, so
//! that a second run does not try it again.

use serde_json::{Value, json};

use crate::corpus::{self, FEWEST_TIMED, Large};
use crate::measured::Measured;
use crate::ours::{self, Answer, Ours, Wanted};
use crate::race::{self, Part, Run, load, runs};
use crate::rows::{SAFETY, choose};
use crate::spin::{self, Installed, Spin, Verifier};
use crate::spin_table::SAME_GRAPH;
use crate::table::{Section, count, decimal, median, names, summary_rows};
use crate::{BenchError, pan};

const PART: &str = "nanoseconds a transition";

/// How many of the slowest are shown by themselves.
const SLOWEST: usize = 10;

const TITLE: &str = "Models of other people with a million transitions or more: `spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOREDUCE \
                     -DNOCLAIM`, `pan -c0` with fitting -w and -m; `ample check -p safety --keep-going --reduce none --threads 1`";

const COLUMNS: &[&str] = &[
    "model",
    "states",
    "transitions",
    "search s: Spin",
    "ample",
    "ns/transition: Spin",
    "ample",
    "ratio",
    "interpreted %",
    "load",
];

/// Measures the models that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let installed = spin::installed()?;
    let mut measured = Measured::default();
    let (mut races, mut left_out) = (Vec::new(), Vec::new());
    let models = corpus::large(&run.options.models)?;
    for model in choose(&models, |model| model.name.clone(), &run.options.only)? {
        let part = part(run, model, &installed)?;
        let Some(result) = measured.take(&model.name, PART, part) else { continue };
        if let Some(why) = result["left_out"].as_str() {
            left_out.push(format!("{} ({why})", model.name));
        }
        races.extend(Race::read(&model.name, &result));
    }
    measured.problems.extend(races.iter().filter_map(Race::problem));
    measured.notes = notes(&races, &left_out);
    measured.sections = sections(&races);
    measured.versions = vec![("ample", run.ample()), ("Spin", installed.spin), ("gcc", installed.gcc)];
    Ok(measured)
}

fn part(run: &mut Run<'_>, model: &Large, installed: &Installed) -> Result<Part, BenchError> {
    let text = race::read(&model.path)?;
    let limits = run.options.limits.flags(Wanted::Whole);
    let with = json!({"spin": installed.spin, "gcc": installed.gcc, "limits": limits});
    run.keep(&model.name, &text, PART, &with, |run| both(run, model))
}

/// Both sides in turn, or why there is nothing to compare.
fn both(run: &mut Run<'_>, model: &Large) -> Result<Value, BenchError> {
    let load = load();
    let first = match our_run(run, model, 1)? {
        Answer::Complete(ours) => ours,
        Answer::Refused(why) => return Ok(json!({"left_out": why})),
        Answer::Stopped(why) => return Ok(json!({"left_out": format!("ample: {why}")})),
    };
    if first.transitions < FEWEST_TIMED {
        return Ok(json!({"left_out": format!("{} transitions", count(first.transitions))}));
    }
    run.say(&format!("{}, run 1 of {}: Spin", model.name, run.options.repeat));
    let megabytes = run.options.limits.megabytes.min(run.machine.most_megabytes());
    let verifier = Verifier::make(run.folder(), &model.path, &[], &SAME_GRAPH.spin, megabytes)?;
    let flags = ["-c0".to_owned(), format!("-Q{}", run.options.limits.minutes())];
    let (search, spin) = verifier.search_to_the_end(first.states, &flags)?;
    if !spin.complete {
        return Ok(json!({"left_out": "Spin did not come to the end within the limits"}));
    }
    let (mut theirs, mut ours) = (vec![spin.to_json()], vec![first.to_json()]);
    for at in 2..=run.options.repeat {
        if let Answer::Complete(run) = our_run(run, model, at)? {
            ours.push(run.to_json());
        }
        run.say(&format!("{}, run {at} of {}: Spin", model.name, run.options.repeat));
        theirs.push(verifier.search(&search)?.to_json());
    }
    Ok(json!({"load": load, "spin": theirs, "ample": ours}))
}

fn our_run(run: &mut Run<'_>, model: &Large, at: usize) -> Result<Answer, BenchError> {
    run.say(&format!("{}, run {at} of {}: ample", model.name, run.options.repeat));
    let mut command = ours::check(&run.options.program, run.folder(), &model.path);
    command.args(["-p", SAFETY, "--json"]).args(SAME_GRAPH.ours).args(run.options.limits.flags(Wanted::Whole));
    ours::ask(&mut command, Wanted::Whole)
}

/// Both sides of a model, times as medians.
struct Race {
    name: String,
    load: Option<f64>,
    spin: Spin,
    ours: Ours,
    seconds: [Option<f64>; 2],
}

impl Race {
    fn read(name: &str, result: &Value) -> Option<Race> {
        let spin = runs(result, "spin", Spin::from_json);
        let ours = runs(result, "ample", Ours::from_json);
        Some(Race {
            name: name.to_owned(),
            load: result["load"].as_f64(),
            seconds: [
                median(spin.iter().map(|run| run.search_seconds).collect()),
                median(ours.iter().map(|run| run.search_seconds).collect()),
            ],
            spin: spin.first()?.clone(),
            ours: ours.first()?.clone(),
        })
    }

    /// Spin's and ours.
    fn nanoseconds(&self) -> [Option<f64>; 2] {
        let each = |seconds: Option<f64>, transitions: u64| seconds.map(|seconds| seconds * 1e9 / transitions as f64);
        [each(self.seconds[0], self.spin.transitions), each(self.seconds[1], self.ours.transitions)]
    }

    /// Ours over Spin's.
    fn ratio(&self) -> Option<f64> {
        let [theirs, ours] = self.nanoseconds();
        theirs.zip(ours).map(|(theirs, ours)| ours / theirs)
    }

    /// The numbers of a row after the counts.
    fn numbers(&self) -> Vec<Option<f64>> {
        let share = Some(self.ours.interpreted_share() * 100.0);
        let [times, each] = [self.seconds, self.nanoseconds()];
        times.into_iter().chain(each).chain([self.ratio(), share, self.load]).collect()
    }

    /// Where the two disagree. A run-time error ends only its own run here, while Spin goes on
    /// after it or stops, so that the counts need not be equal if there is one.
    fn problem(&self) -> Option<String> {
        let (spin, ours) = (&self.spin, &self.ours);
        let is_violated = ours.verdict == "violated";
        if is_violated != (spin.errors > 0) {
            return Some(format!("{}: Spin found {} errors, ample says: {}", self.name, spin.errors, ours.verdict));
        }
        (!is_violated && !self.has_equal_counts()).then(|| {
            format!(
                "{}: the counts differ: Spin has {} states and {} transitions, ample {} and {}",
                self.name, spin.states, spin.transitions, ours.states, ours.transitions
            )
        })
    }

    fn has_equal_counts(&self) -> bool {
        pan::agrees(self.ours.states, self.spin.states) && pan::agrees(self.ours.transitions, self.spin.transitions)
    }
}

/// The slowest, then all.
fn sections(races: &[Race]) -> Vec<Section> {
    let cells = |race: &Race| {
        let first = [race.name.clone(), count(race.ours.states), count(race.ours.transitions)];
        first.into_iter().chain(race.numbers().into_iter().map(decimal)).collect::<Vec<String>>()
    };
    let mut slowest: Vec<&Race> = races.iter().collect();
    let each = |race: &Race| race.nanoseconds()[1].unwrap_or(0.0);
    slowest.sort_by(|left, right| each(right).total_cmp(&each(left)));
    slowest.truncate(SLOWEST);
    let numbers: Vec<Vec<Option<f64>>> =
        races.iter().map(|race| [None, None].into_iter().chain(race.numbers()).collect()).collect();
    // From the nanoseconds to the share; the first column is the name.
    let is_summed: Vec<bool> = (1..COLUMNS.len()).map(|column| (5..9).contains(&column)).collect();
    let rows = races.iter().map(cells).chain(summary_rows(&numbers, &is_summed, f64::max)).collect();
    let slow = format!("The {} slowest for each transition", slowest.len());
    vec![
        Section { title: slow, columns: names(COLUMNS), rows: slowest.into_iter().map(cells).collect() },
        Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows },
    ]
}

fn notes(races: &[Race], left_out: &[String]) -> Vec<String> {
    let slower = races.iter().filter_map(|race| Some((race, race.ratio().filter(|&ratio| ratio > 1.0)?)));
    let slower: Vec<String> = slower.map(|(race, ratio)| format!("{} {ratio:.2}", race.name)).collect();
    let other = races.iter().filter(|race| race.problem().is_none() && !race.has_equal_counts());
    let other: Vec<String> = other.map(|race| race.name.clone()).collect();
    let lists = [
        ("Slower than Spin", slower.as_slice()),
        ("Another graph than Spin's, since there are errors", other.as_slice()),
        ("Left out", left_out),
    ];
    let lists = lists.into_iter().filter(|(_, models)| !models.is_empty());
    lists.map(|(what, models)| format!("{what} ({}): {}", models.len(), models.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(name: &str, seconds: [f64; 2], states: u64, errors: u64) -> Race {
        let spin = json!({
            "generate_seconds": 0.1, "compile_seconds": 0.9, "search_seconds": seconds[0], "states": 1_000_000,
            "transitions": 2_000_000, "errors": errors, "complete": true, "peak_bytes": 100_000
        });
        let ours = json!({
            "wall_seconds": 9.0, "search_seconds": seconds[1], "processor_seconds": null, "verdict": "holds", "states": states,
            "transitions": 2_000_000, "peak_bytes": 20_000, "interpreted": 250_000, "idle_share": null
        });
        Race::read(name, &json!({"load": 0.5, "spin": [spin], "ample": [ours]})).unwrap()
    }

    #[test]
    fn the_slowest_stand_first_and_all_have_a_median() {
        let races = [race("a", [2.0, 0.5], 1_000_000, 0), race("b", [2.0, 3.0], 1_000_000, 0)];
        let [slowest, all] = sections(&races).try_into().unwrap();
        let names = |section: &Section| section.rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
        assert_eq!(names(&slowest), ["b", "a"]);
        assert_eq!(names(&all), ["a", "b", "median", "worst"]);
        let cells = ["1,000,000", "2,000,000", "2.00", "0.50", "1000", "250", "0.25", "25.0", "0.50"];
        assert_eq!(all.rows[0][1..], cells);
        assert_eq!(all.rows[2], ["median", "", "", "", "", "1000", "875", "0.88", "25.0", ""]);
        assert!(all.rows.iter().all(|row| row.len() == all.columns.len()));
        let left_out = ["c (too long)".to_owned()];
        assert_eq!(notes(&races, &left_out), ["Slower than Spin (1): b 1.50", "Left out (1): c (too long)"]);
    }

    #[test]
    fn what_differs_is_a_problem_unless_both_found_an_error() {
        assert_eq!(race("a", [1.0, 1.0], 1_000_000, 0).problem(), None);
        let problem = race("a", [1.0, 1.0], 1_000_001, 0).problem().unwrap();
        assert!(problem.starts_with("a: the counts differ: Spin has 1000000 states"), "{problem}");
        assert_eq!(race("a", [1.0, 1.0], 1, 2).problem().unwrap(), "a: Spin found 2 errors, ample says: holds");
        let mut both = race("a", [1.0, 1.0], 1, 2);
        both.ours.verdict = "violated".to_owned();
        assert_eq!(both.problem(), None);
        assert_eq!(notes(&[both], &[]), ["Another graph than Spin's, since there are errors (1): a"]);
    }
}
