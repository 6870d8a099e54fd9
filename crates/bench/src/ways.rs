//! One model, searched in several ways: in full, and with each partial order reduction that there
//! is.
//!
//! A reduction may refuse a model, and a search may come to its limits: both are results, kept and
//! shown like the others.

use std::process::Command;

use serde_json::{Value, json};

use crate::ours::{self, Answer, Ours, Wanted};
use crate::race::{Run, load};
use crate::table::median;
use crate::{BenchError, Options};

/// The name of the search without reduction.
pub(crate) const FULL: &str = "full";

/// A way to search.
pub(crate) struct Way {
    /// [`FULL`], or the reduction.
    pub(crate) name: String,
    /// What it is called with.
    pub(crate) flags: Vec<String>,
    /// When it is done.
    pub(crate) wanted: Wanted,
}

impl Way {
    /// A search on one thread, with these flags and the limits.
    pub(crate) fn new(options: &Options, wanted: Wanted, name: &str, own: &[&str]) -> Way {
        let first: &[&str] = if wanted == Wanted::Whole { &["--keep-going"] } else { &[] };
        let flags = first.iter().chain(&["--threads", "1"]).chain(own).map(|&flag| flag.to_owned());
        Way { name: name.to_owned(), flags: flags.chain(options.limits.flags(wanted)).collect(), wanted }
    }

    /// Whether nothing is to be left out.
    fn is_full(&self) -> bool {
        self.flags.windows(2).any(|flags| flags == ["--reduce", "none"])
    }
}

/// All ways: in full, then with each reduction. `order` is for all of them, `condition` for the
/// reductions.
pub(crate) fn ways(options: &Options, wanted: Wanted, order: &[&str], condition: &[&str]) -> Vec<Way> {
    let way = |name: &str, own: &[&str]| Way::new(options, wanted, name, &[own, order].concat());
    let reduced = |name: &&str| way(name, &[&["--reduce", "por", "--por", name], condition].concat());
    std::iter::once(way(FULL, &["--reduce", "none"])).chain(options.expanders.iter().map(reduced)).collect()
}

/// What the results depend on, besides the programs.
pub(crate) fn key(ways: &[Way]) -> Value {
    ways.iter().map(|way| json!(way.flags)).collect()
}

/// Runs each way in turn, as often as is asked for. One that gives no answer is not asked again.
pub(crate) fn measure(
    run: &mut Run<'_>,
    name: &str,
    ways: &[Way],
    command: impl Fn(&Run<'_>, &[&str]) -> Command,
) -> Result<Value, BenchError> {
    let load = load();
    let mut sides: Vec<Value> = ways.iter().map(|_| json!({"runs": []})).collect();
    for at in 1..=run.options.repeat {
        for (way, side) in ways.iter().zip(&mut sides) {
            let Some(runs) = side["runs"].as_array_mut() else { continue };
            run.say(&format!("{name}, run {at} of {}: {}", run.options.repeat, way.name));
            let flags: Vec<&str> = way.flags.iter().map(String::as_str).collect();
            match ours::ask(&mut command(run, &flags), way.wanted)? {
                Answer::Complete(ours) => runs.push(ours.to_json()),
                Answer::Refused(why) => *side = json!({"refused": why}),
                Answer::Stopped(why) => *side = json!({"stopped": why}),
            }
        }
    }
    let sides: serde_json::Map<String, Value> = ways.iter().map(|way| way.name.clone()).zip(sides).collect();
    Ok(json!({"load": load, "ways": sides}))
}

/// What one way gave on a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Side {
    /// Everything was explored, or as much as a verdict takes.
    Complete(Complete),
    /// It is not for this model; why.
    Refused(String),
    /// A limit was reached; which.
    Stopped(String),
}

/// A search that came to its end; times and memory are medians.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Complete {
    pub(crate) verdict: String,
    /// Whether something could be left out.
    pub(crate) is_reduced: bool,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) seconds: f64,
    pub(crate) peak_bytes: f64,
    /// The states of each run of an under-approximation loop; none if there was no loop.
    pub(crate) iterations: Vec<u64>,
}

impl Side {
    /// From a result.
    pub(crate) fn read(result: &Value, way: &str) -> Option<Side> {
        let side = &result["ways"][way];
        if let Some(why) = side["refused"].as_str() {
            return Some(Side::Refused(why.to_owned()));
        }
        if let Some(why) = side["stopped"].as_str() {
            return Some(Side::Stopped(why.to_owned()));
        }
        let runs: Vec<Ours> = side["runs"].as_array()?.iter().filter_map(Ours::from_json).collect();
        let of = |value: fn(&Ours) -> f64| median(runs.iter().map(value).collect());
        Some(Side::Complete(Complete {
            verdict: runs.first()?.verdict.clone(),
            is_reduced: !runs.first()?.reductions.is_empty(),
            states: runs.first()?.states,
            transitions: runs.first()?.transitions,
            seconds: of(|run| run.search_seconds)?,
            peak_bytes: of(|run| run.peak_bytes as f64)?,
            iterations: runs.first()?.iterations.clone(),
        }))
    }

    /// If it came to its end.
    pub(crate) fn complete(&self) -> Option<&Complete> {
        match self {
            Side::Complete(complete) => Some(complete),
            _ => None,
        }
    }

    /// If there is no number, or not that of a reduction: why.
    fn remark(&self, way: &Way) -> Option<String> {
        match self {
            Side::Complete(side) if way.is_full() || side.is_reduced => None,
            Side::Complete(_) => Some("done in full after all".to_owned()),
            Side::Refused(why) => Some(why.clone()),
            Side::Stopped(why) => Some(format!("not finished: {why}")),
        }
    }
}

/// A model with what each way gave, in the order of the ways: in full, then each reduction.
#[derive(Debug)]
pub(crate) struct Searched {
    pub(crate) name: String,
    pub(crate) sides: Vec<Side>,
}

impl Searched {
    /// From a result; nothing if it lacks a field.
    pub(crate) fn read(name: &str, result: &Value, ways: &[Way]) -> Option<Searched> {
        let sides = ways.iter().map(|way| Side::read(result, &way.name)).collect::<Option<Vec<Side>>>()?;
        Some(Searched { name: name.to_owned(), sides })
    }

    /// The search without reduction, if it explored everything.
    pub(crate) fn full(&self) -> Option<&Complete> {
        self.sides.first()?.complete()
    }

    /// A reduction must not change the verdict, nor explore more than there is.
    pub(crate) fn problems(&self, ways: &[Way]) -> Vec<String> {
        let Some(full) = self.full() else { return Vec::new() };
        let wrong = |(way, side): (&Way, &Side)| {
            let side = side.complete()?;
            let what = match side.verdict == full.verdict {
                false => format!("says {}, and the full search {}", side.verdict, full.verdict),
                true if side.states > full.states => format!("{} states instead of {}", side.states, full.states),
                true => return None,
            };
            Some(format!("{}: {}: {what}", self.name, way.name))
        };
        ways.iter().zip(&self.sides).filter_map(wrong).collect()
    }
}

/// Why there are no numbers, or not those of a reduction: a line for each reason, with the models.
pub(crate) fn reasons<'r>(rows: impl Iterator<Item = &'r Searched> + Clone, ways: &[Way]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (at, way) in ways.iter().enumerate() {
        for row in rows.clone() {
            let Some(why) = row.sides.get(at).and_then(|side| side.remark(way)) else { continue };
            let reason = format!("{}: {why}", way.name);
            match groups.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, models)) => models.push(&row.name),
                None => groups.push((reason, vec![&row.name])),
            }
        }
    }
    groups.iter().map(|(reason, models)| format!("{reason} ({}): {}", models.len(), models.join(", "))).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Limits;

    /// The options of a table for one reduction.
    pub(crate) fn options() -> Options {
        Options {
            program: "ample".into(),
            models: ".".into(),
            corpus: "corpus".into(),
            expanders: vec!["fewer", "fewest"],
            only: Vec::new(),
            repeat: 3,
            results: "results.jsonl".into(),
            fresh: false,
            record: None,
            limits: Limits { seconds: 60.0, states: 1000, megabytes: 512 },
        }
    }

    /// A result with these states and seconds for each way; a refusal where there are none.
    pub(crate) fn result(sides: &[(&str, Option<(u64, f64)>)]) -> Value {
        let run = |states: u64, seconds: f64| {
            json!({
                "wall_seconds": seconds, "search_seconds": seconds, "processor_seconds": null, "verdict": "holds",
                "states": states, "transitions": 2 * states, "peak_bytes": 2_000_000, "idle_share": null,
                "reductions": ["fewer"]
            })
        };
        let side = |numbers: Option<(u64, f64)>| match numbers {
            Some((states, seconds)) => json!({"runs": [run(states, seconds), run(states, 9.0), run(states, 0.0)]}),
            None => json!({"refused": "not for this model"}),
        };
        let sides = sides.iter().map(|&(way, numbers)| (way.to_owned(), side(numbers)));
        json!({"load": 0.5, "ways": sides.collect::<serde_json::Map<String, Value>>()})
    }

    #[test]
    fn each_way_is_what_a_user_would_type() {
        let ways = ways(&options(), Wanted::Whole, &["--order", "dfs"], &["--proviso", "stack"]);
        let flags: Vec<String> = ways.iter().map(|way| format!("{}: {}", way.name, way.flags.join(" "))).collect();
        let expected = [
            "full: --keep-going --threads 1 --reduce none --order dfs --max-time 60s --max-memory 512M --max-states 1000",
            "fewer: --keep-going --threads 1 --reduce por --por fewer --proviso stack --order dfs --max-time 60s --max-memory 512M --max-states 1000",
        ];
        assert_eq!((&flags[..2], flags.len()), (&expected.map(str::to_owned)[..], 3));
    }

    #[test]
    fn refusals_are_grouped_by_their_reason() {
        let ways = ways(&options(), Wanted::Whole, &[], &[]);
        let mut limited = result(&[("full", Some((10, 1.0))), ("fewer", None), ("fewest", None)]);
        limited["ways"]["fewest"] = json!({"stopped": "the time limit was reached"});
        let mut refused = result(&[("full", Some((10, 1.0))), ("fewer", None), ("fewest", Some((5, 1.0)))]);
        refused["ways"]["fewest"]["runs"][0]["reductions"] = json!([]);
        let rows =
            [("a", &refused), ("b", &limited)].map(|(name, result)| Searched::read(name, result, &ways).unwrap());
        let expected = [
            "fewer: not for this model (2): a, b",
            "fewest: done in full after all (1): a",
            "fewest: not finished: the time limit was reached (1): b",
        ];
        assert_eq!(reasons(rows.iter(), &ways), expected);
        assert!(rows.iter().all(|row| row.problems(&ways).is_empty()));
        assert!(Searched::read("c", &json!({}), &ways).is_none());
    }

    #[test]
    fn a_reduction_that_changes_the_answer_is_a_problem() {
        let ways = ways(&options(), Wanted::Whole, &[], &[]);
        let mut result = result(&[("full", Some((10, 1.0))), ("fewer", Some((11, 1.0))), ("fewest", Some((5, 1.0)))]);
        result["ways"]["fewest"]["runs"][0]["verdict"] = json!("violated");
        let problems = Searched::read("a", &result, &ways).unwrap().problems(&ways);
        let expected = ["a: fewer: 11 states instead of 10", "a: fewest: says violated, and the full search holds"];
        assert_eq!(problems, expected);
    }
}
