//! The table `beem`: the instances of BEEM whose size is known for certain, searched in full on one
//! thread, and the answers about their properties with default options.
//!
//! States, transitions and verdicts must be the known ones; where they are not, it is a problem. A
//! property that is not settled within the limits is none.

use std::cmp::Reverse;

use serde_json::{Value, json};

use crate::beem::{self, Instance, Trust};
use crate::measured::Measured;
use crate::ours::{self, Answer, Wanted};
use crate::race::{self, Run};
use crate::rows::choose;
use crate::table::{NOTHING, Section, count, decimal, names};
use crate::ways::{self, Complete, FULL, Searched, Side, Way, reasons};
use crate::{BenchError, machine};

const FULL_PART: &str = "full search";
const PROPERTIES_PART: &str = "properties";

/// With fewer states speed and memory are mostly those of starting.
const FEWEST_TIMED: u64 = 100_000;
/// How many stand in the section about the largest.
const LARGEST: usize = 10;

const TITLE: &str = "`ample check -p safety --keep-going --reduce none --threads 1`; answers: how many properties have the known \
                     answer, `ample check -p beem:K`";

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let way = Way::new(run.options, Wanted::Whole, FULL, &["--reduce", "none"]);
    let known = beem::read(&run.options.models)?.into_iter().filter(|instance| instance.trust == Trust::Agreed);
    let (instances, larger) = beem::of_size(known.collect(), run.options.limits.states);
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    for instance in choose(&instances, |instance| instance.name.clone(), &run.options.only)? {
        let mut row = Row { instance, searched: None, answers: Vec::new() };
        if let Some(result) = searched(run, instance, &way, &mut measured)? {
            row.searched = Searched::read(&instance.name, &result, std::slice::from_ref(&way));
        }
        if let Some(result) = answered(run, instance, &mut measured)? {
            row.answers = instance.properties.iter().map(|property| Given::read(&result[&property.id])).collect();
        }
        measured.problems.extend(row.problems());
        measured.notes.extend(row.not_settled());
        rows.push(row);
    }
    let searched = rows.iter().filter_map(|row| row.searched.as_ref());
    measured.notes.extend(reasons(searched, std::slice::from_ref(&way)).into_iter().chain(larger));
    measured.sections = vec![section(&rows), largest(&rows)];
    Ok(measured)
}

/// The full search of an instance.
fn searched(
    run: &mut Run<'_>,
    instance: &Instance,
    way: &Way,
    measured: &mut Measured,
) -> Result<Option<Value>, BenchError> {
    let text = race::read(&instance.path)?;
    let ways = std::slice::from_ref(way);
    let part = run.keep(&instance.name, &text, FULL_PART, &ways::key(ways), |run| {
        ways::measure(run, &instance.name, ways, |run, flags| {
            let mut command = ours::check(&run.options.program, run.folder(), &instance.path);
            command.args(["-p", "safety", "--json"]).args(flags);
            command
        })
    })?;
    Ok(measured.take(&instance.name, FULL_PART, part))
}

/// The answers about the properties of an instance, each asked for once: how long that takes is not
/// shown.
fn answered(run: &mut Run<'_>, instance: &Instance, measured: &mut Measured) -> Result<Option<Value>, BenchError> {
    if instance.properties.is_empty() {
        return Ok(None);
    }
    let text = race::read(&instance.path)?;
    let description = machine::fingerprint(&race::read(&instance.description())?);
    let limits = run.options.limits.flags(Wanted::Verdict);
    let ids: Vec<&str> = instance.properties.iter().map(|property| property.id.as_str()).collect();
    let with = json!({"properties": ids, "description": description, "flags": limits});
    let part = run.keep(&instance.name, &text, PROPERTIES_PART, &with, |run| {
        let mut answers = serde_json::Map::new();
        for property in &instance.properties {
            run.say(&format!("{}: {}", instance.name, property.name()));
            let mut command = ours::check(&run.options.program, run.folder(), &instance.path);
            command.args(["-p", &property.name(), "--json"]).args(&limits);
            answers.insert(property.id.clone(), Given::of(ours::ask(&mut command, Wanted::Verdict)?).to_json());
        }
        Ok(Value::Object(answers))
    })?;
    Ok(measured.take(&instance.name, PROPERTIES_PART, part))
}

/// What was answered about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Given {
    /// `holds` or `violated`.
    Verdict(String),
    /// A limit was reached; which.
    NotSettled(String),
    /// It was not understood; why.
    Refused(String),
}

impl Given {
    fn of(answer: Answer) -> Given {
        match answer {
            Answer::Complete(ours) => Given::Verdict(ours.verdict),
            Answer::Stopped(why) => Given::NotSettled(why),
            Answer::Refused(why) => Given::Refused(why),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Given::Verdict(verdict) => json!({"verdict": verdict}),
            Given::NotSettled(why) => json!({"stopped": why}),
            Given::Refused(why) => json!({"refused": why}),
        }
    }

    fn read(value: &Value) -> Given {
        let text = |field: &str| value[field].as_str().map(str::to_owned);
        let stopped = || text("stopped").map(Given::NotSettled);
        let refused = || Given::Refused(text("refused").unwrap_or_else(|| "there is no answer".to_owned()));
        text("verdict").map(Given::Verdict).or_else(stopped).unwrap_or_else(refused)
    }
}

/// An instance, with what was found out.
struct Row<'i> {
    instance: &'i Instance,
    searched: Option<Searched>,
    /// One for each property, or none.
    answers: Vec<Given>,
}

impl Row<'_> {
    fn full(&self) -> Option<&Complete> {
        self.searched.as_ref()?.full()
    }

    /// The full search, if it is large enough to be timed.
    fn timed(&self) -> Option<&Complete> {
        self.full().filter(|full| full.states >= FEWEST_TIMED)
    }

    /// Millions of states a second.
    fn speed(&self) -> Option<f64> {
        self.timed().map(|full| full.states as f64 / full.seconds / 1e6)
    }

    fn bytes_per_state(&self) -> Option<f64> {
        self.timed().map(|full| full.peak_bytes / full.states as f64)
    }

    /// How many answers are the known ones.
    fn right(&self) -> usize {
        let pairs = self.instance.properties.iter().zip(&self.answers);
        pairs.filter(|(property, given)| matches!(given, Given::Verdict(said) if said == property.verdict())).count()
    }

    fn problems(&self) -> Vec<String> {
        let name = &self.instance.name;
        let refused = match self.searched.as_ref().and_then(|searched| searched.sides.first()) {
            Some(Side::Refused(why)) => Some(format!("{name}: {why}")),
            _ => None,
        };
        let answers = self.instance.properties.iter().zip(&self.answers).filter_map(|(property, given)| match given {
            Given::Verdict(said) if said != property.verdict() => {
                Some(format!("{name}: {}: {said}, known is `{}`", property.name(), property.verdict()))
            }
            Given::Refused(why) => Some(format!("{name}: {}: {why}", property.name())),
            _ => None,
        });
        self.other_counts().into_iter().chain(refused).chain(answers).collect()
    }

    /// If the counts are not the known ones.
    fn other_counts(&self) -> Option<String> {
        let full = self.full()?;
        let known = (self.instance.states, self.instance.transitions.unwrap_or(full.transitions));
        (known != (full.states, full.transitions)).then(|| {
            let [states, transitions] = [full.states, full.transitions].map(count);
            let (known_states, known_transitions) = (count(known.0), count(known.1));
            let name = &self.instance.name;
            format!("{name}: {states} states and {transitions} transitions, known are {known_states} and {known_transitions}")
        })
    }

    fn not_settled(&self) -> Vec<String> {
        let pairs = self.instance.properties.iter().zip(&self.answers);
        let note = |(property, given): (&beem::Property, &Given)| match given {
            Given::NotSettled(why) => {
                Some(format!("{}: {}: not settled within the limits: {why}", self.instance.name, property.name()))
            }
            _ => None,
        };
        pairs.filter_map(note).collect()
    }
}

const COLUMNS: &[&str] =
    &["model", "states", "transitions", "LTSmin: states", "s", "M states/s", "bytes/state", "answers"];

/// A line for each instance, and the totals.
fn section(rows: &[Row<'_>]) -> Section {
    let line = |row: &Row<'_>| {
        let full = row.full();
        let counted = |number: Option<u64>| number.map_or_else(|| NOTHING.to_owned(), count);
        vec![
            row.instance.name.clone(),
            counted(full.map(|full| full.states)),
            counted(full.map(|full| full.transitions)),
            counted(row.instance.ltsmin),
            decimal(full.map(|full| full.seconds)),
            decimal(row.speed()),
            decimal(row.bytes_per_state()),
            fraction(row.right(), row.instance.properties.len()),
        ]
    };
    let mut lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    lines.push(totals(rows));
    Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: lines }
}

fn totals(rows: &[Row<'_>]) -> Vec<String> {
    let sum = |value: fn(&Complete) -> f64| rows.iter().filter_map(Row::full).map(value).sum::<f64>();
    let total = |value: fn(&Complete) -> u64| count(rows.iter().filter_map(Row::full).map(value).sum());
    let seconds = sum(|full| full.seconds);
    let right = rows.iter().map(Row::right).sum();
    let properties = rows.iter().map(|row| row.instance.properties.len()).sum();
    vec![
        format!("total: {}", rows.len()),
        total(|full| full.states),
        total(|full| full.transitions),
        String::new(),
        decimal(Some(seconds)),
        decimal(Some(sum(|full| full.states as f64) / seconds / 1e6)),
        String::new(),
        fraction(right, properties),
    ]
}

fn fraction(part: usize, whole: usize) -> String {
    if whole == 0 { NOTHING.to_owned() } else { format!("{part}/{whole}") }
}

/// The largest once more: what they cost.
fn largest(rows: &[Row<'_>]) -> Section {
    let mut timed: Vec<&Row<'_>> = rows.iter().filter(|row| row.timed().is_some()).collect();
    timed.sort_by_key(|row| Reverse(row.instance.states));
    timed.truncate(LARGEST);
    let megabytes = |row: &Row<'_>| row.timed().map(|full| full.peak_bytes / 1e6);
    let line = |row: &&Row<'_>| {
        let states = count(row.instance.states);
        let numbers = [megabytes(row), row.bytes_per_state(), row.timed().map(|full| full.seconds), row.speed()];
        [row.instance.name.clone(), states].into_iter().chain(numbers.map(decimal)).collect()
    };
    Section {
        title: format!("The {} largest of them: memory and speed of the same searches", timed.len()),
        columns: names(&["model", "states", "MB", "bytes/state", "s", "M states/s"]),
        rows: timed.iter().map(line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beem::tests::instances;
    use crate::ways::tests::{options, result};

    fn row<'i>(instance: &'i Instance, states: u64, answers: &[Given]) -> Row<'i> {
        let ways = [Way::new(&options(), Wanted::Whole, FULL, &[])];
        let searched = Searched::read(&instance.name, &result(&[(FULL, Some((states, 1.0)))]), &ways);
        Row { instance, searched, answers: answers.to_vec() }
    }

    fn said(verdict: &str) -> Given {
        Given::Verdict(verdict.to_owned())
    }

    #[test]
    fn what_is_not_as_known_is_a_problem() {
        let instances = instances();
        let first =
            row(&instances[0], 1459, &[said("holds"), said("violated"), Given::NotSettled("too long".to_owned())]);
        let expected = [
            "a.1: 1,459 states and 2,918 transitions, known are 1,459 and 3,705",
            "a.1: beem:2: violated, known is `holds`",
        ];
        assert_eq!(first.problems(), expected);
        assert_eq!(first.not_settled(), ["a.1: beem:3: not settled within the limits: too long"]);
        assert_eq!(first.right(), 1);
        let second = row(&instances[1], 15, &[Given::Refused("what?".to_owned())]);
        assert_eq!(second.problems().last().unwrap(), "a.2: beem:1: what?");
    }

    #[test]
    fn each_instance_has_a_line_and_there_are_totals() {
        let instances = instances();
        let rows = [row(&instances[0], 200_000, &[said("holds")]), row(&instances[2], 40, &[])];
        let section = section(&rows);
        assert!(section.rows.iter().all(|row| row.len() == section.columns.len()));
        assert_eq!(section.rows[0], ["a.1", "200,000", "400,000", "1,459", "1.00", "0.20", "10.0", "1/3"]);
        assert_eq!(section.rows[1], ["a.3", "40", "80", "–", "1.00", "–", "–", "–"]);
        assert_eq!(section.rows[2], ["total: 2", "200,040", "400,080", "", "2.00", "0.10", "", "1/3"]);
        assert_eq!(largest(&rows).rows, [["a.1", "1,459", "2.00", "10.0", "1.00", "0.20"]]);
    }

    #[test]
    fn answers_are_kept() {
        let given = [said("holds"), Given::NotSettled("a".to_owned()), Given::Refused("b".to_owned())];
        assert_eq!(given.clone().map(|given| Given::read(&given.to_json())), given);
        assert_eq!(Given::read(&Value::Null), Given::Refused("there is no answer".to_owned()));
    }
}
