//! Our side of a race: `ample check … --json`, started and waited for like any other program.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::measure;
use crate::{BenchError, Row};

/// How the guarantee of a search begins that did not explore everything.
const MISSED: &str = "errors may be missed: ";

/// A run of `ample check`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ours {
    /// From before the start to after the end.
    pub(crate) wall_seconds: f64,
    /// The search alone, as the report says.
    pub(crate) search_seconds: f64,
    /// User and system time of all threads.
    pub(crate) processor_seconds: Option<f64>,
    /// The verdict.
    pub(crate) verdict: String,
    /// States stored.
    pub(crate) states: u64,
    /// Transitions between them.
    pub(crate) transitions: u64,
    /// The peak resident size, as the report says.
    pub(crate) peak_bytes: u64,
    /// The states that machine code left to the interpreter.
    pub(crate) interpreted: u64,
    /// What part of their time the workers had nothing to do, if the report says.
    pub(crate) idle_share: Option<f64>,
    /// The names of the reductions that were used.
    pub(crate) reductions: Vec<String>,
    /// The states of each run of an under-approximation loop; none if there was no loop.
    pub(crate) iterations: Vec<u64>,
}

/// What counts as an answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// That everything was explored.
    Whole,
    /// A verdict: a violation may end the search.
    Verdict,
}

/// What `ample check` answers.
pub(crate) enum Answer {
    /// What was wanted.
    Complete(Ours),
    /// It does not do what was asked, or not for this model; why.
    Refused(String),
    /// It ended before that; why.
    Stopped(String),
}

/// The command for a row, in a folder that holds its model.
pub(crate) fn command(program: &Path, folder: &Path, row: &Row, flags: &[&str]) -> Command {
    let mut command = check(program, folder, Path::new(&row.file()));
    command.args(row.defines.iter().flat_map(|define| ["-D", define]));
    command.args(["-p", row.property, "--json"]).args(flags);
    command
}

/// The beginning of a command: which model, and in which folder.
pub(crate) fn check(program: &Path, folder: &Path, model: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).arg("check").arg(model);
    command
}

/// Runs the command for a row. What is no answer is a failure.
pub(crate) fn run(program: &Path, folder: &Path, row: &Row, flags: &[&str]) -> Result<Ours, BenchError> {
    let mut command = command(program, folder, row, flags);
    let answer = ask(&mut command, Wanted::Whole)?;
    let failed = |said: String| BenchError::Failed { command: measure::shown(&command), said };
    match answer {
        Answer::Complete(ours) => Ok(ours),
        Answer::Refused(why) => Err(failed(why)),
        Answer::Stopped(why) => Err(failed(format!("unknown: {why}"))),
    }
}

/// Runs a command that prints a report. A program that ends without one has failed.
pub(crate) fn ask(command: &mut Command, wanted: Wanted) -> Result<Answer, BenchError> {
    let ran = measure::run(command)?;
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|_| measure::failure(command, &ran))?;
    let lacking =
        || BenchError::Failed { command: measure::shown(command), said: "the report lacks a field".to_owned() };
    answer(&report, wanted, (ran.wall_seconds, ran.processor_seconds)).ok_or_else(lacking)
}

/// What a report says; nothing if it lacks a field.
fn answer(report: &Value, wanted: Wanted, seconds: (f64, Option<f64>)) -> Option<Answer> {
    if let Some(error) = report["error"].as_str() {
        return Some(Answer::Refused(error.to_owned()));
    }
    let ours = read(report, seconds.0, seconds.1)?;
    let guarantee = report["guarantee"].as_str().unwrap_or_default();
    if ours.verdict == "unknown" {
        return Some(Answer::Stopped(report["reason"].as_str().unwrap_or("for no reason").to_owned()));
    }
    // A violation was found, and then a limit was reached.
    if let (Wanted::Whole, Some(why)) = (wanted, guarantee.strip_prefix(MISSED)) {
        return Some(Answer::Stopped(why.split(';').next().unwrap_or(why).to_owned()));
    }
    Some(Answer::Complete(ours))
}

fn read(report: &Value, wall_seconds: f64, processor_seconds: Option<f64>) -> Option<Ours> {
    Some(Ours {
        wall_seconds,
        search_seconds: report["seconds"].as_f64()?,
        processor_seconds,
        verdict: report["verdict"].as_str()?.to_owned(),
        states: report["states"].as_u64()?,
        transitions: report["transitions"].as_u64()?,
        peak_bytes: report["peak_memory_bytes"].as_u64()?,
        interpreted: report["interpreted_states"].as_u64().unwrap_or(0),
        idle_share: report["workers"].as_array().and_then(|workers| idle_share(workers)),
        reductions: reductions(report),
        iterations: iterations(report),
    })
}

/// The runs of the loop, which belong to the property that was asked for.
fn iterations(report: &Value) -> Vec<u64> {
    let runs =
        report["properties"].as_array().into_iter().flatten().filter_map(|property| property["refinement"].as_array());
    runs.flatten().filter_map(|run| run["states"].as_u64()).collect()
}

fn reductions(value: &Value) -> Vec<String> {
    value["reductions"].as_array().into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
}

fn idle_share(workers: &[Value]) -> Option<f64> {
    let sum = |field: &str| workers.iter().map(|worker| worker[field].as_f64()).sum::<Option<f64>>();
    let (busy, idle) = (sum("busy_seconds")?, sum("idle_seconds")?);
    (busy + idle > 0.0).then(|| idle / (busy + idle))
}

impl Ours {
    /// The part of its states that were interpreted.
    pub(crate) fn interpreted_share(&self) -> f64 {
        self.interpreted as f64 / self.states.max(1) as f64
    }

    /// For the file of results.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "wall_seconds": self.wall_seconds,
            "search_seconds": self.search_seconds,
            "processor_seconds": self.processor_seconds,
            "verdict": self.verdict,
            "states": self.states,
            "transitions": self.transitions,
            "peak_bytes": self.peak_bytes,
            "interpreted": self.interpreted,
            "idle_share": self.idle_share,
            "reductions": self.reductions,
            "iterations": self.iterations,
        })
    }

    /// From the file of results.
    pub(crate) fn from_json(value: &Value) -> Option<Ours> {
        Some(Ours {
            wall_seconds: value["wall_seconds"].as_f64()?,
            search_seconds: value["search_seconds"].as_f64()?,
            processor_seconds: value["processor_seconds"].as_f64(),
            verdict: value["verdict"].as_str()?.to_owned(),
            states: value["states"].as_u64()?,
            transitions: value["transitions"].as_u64()?,
            peak_bytes: value["peak_bytes"].as_u64()?,
            interpreted: value["interpreted"].as_u64().unwrap_or(0),
            idle_share: value["idle_share"].as_f64(),
            reductions: reductions(value),
            iterations: value["iterations"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ROWS;

    #[test]
    fn the_report_is_read_with_and_without_workers() {
        let mut report =
            json!({"seconds": 0.5, "verdict": "holds", "states": 10, "transitions": 20, "peak_memory_bytes": 640});
        let ours = read(&report, 0.75, Some(0.7)).unwrap();
        assert_eq!((ours.states, ours.transitions, ours.peak_bytes, ours.idle_share), (10, 20, 640, None));
        assert_eq!(Ours::from_json(&ours.to_json()), Some(ours));
        report["workers"] =
            json!([{"busy_seconds": 0.4, "idle_seconds": 0.1}, {"busy_seconds": 0.5, "idle_seconds": 0.0}]);
        let ours = read(&report, 0.75, None).unwrap();
        assert!((ours.idle_share.unwrap() - 0.1).abs() < 1e-9);
        assert_eq!(Ours::from_json(&ours.to_json()), Some(ours));
        report["interpreted_states"] = json!(5);
        assert!((read(&report, 0.75, None).unwrap().interpreted_share() - 0.5).abs() < 1e-9);
        report["reductions"] = json!(["fewer"]);
        let ours = read(&report, 0.75, None).unwrap();
        assert_eq!(ours.reductions, ["fewer"]);
        assert_eq!(Ours::from_json(&ours.to_json()), Some(ours));
        report["properties"] = json!([{"refinement": [{"states": 7}, {"states": 10}]}]);
        let ours = read(&report, 0.75, None).unwrap();
        assert_eq!(ours.iterations, [7, 10]);
        assert_eq!(Ours::from_json(&ours.to_json()), Some(ours));
        report["workers"] = json!([{"busy": 1}]);
        assert_eq!(read(&report, 0.75, None).unwrap().idle_share, None);
        assert_eq!(read(&json!({"verdict": "holds"}), 0.1, None), None);
    }

    #[test]
    fn what_is_no_answer_is_told_apart() {
        let report = |verdict: &str, guarantee: &str| {
            json!({"seconds": 0.5, "verdict": verdict, "reason": "the limit on states was reached (9 states)", "states": 9,
                   "transitions": 20, "peak_memory_bytes": 640, "guarantee": guarantee})
        };
        let told_of = |report: &Value, wanted: Wanted| match answer(report, wanted, (0.75, None)) {
            Some(Answer::Complete(ours)) => format!("complete: {}", ours.states),
            Some(Answer::Refused(why)) => format!("refused: {why}"),
            Some(Answer::Stopped(why)) => format!("stopped: {why}"),
            None => "nothing".to_owned(),
        };
        let told = |report: &Value| told_of(report, Wanted::Whole);
        let limited = "errors may be missed: the limit on states was reached; no false error";
        assert_eq!(told(&report("violated", "no error missed; no false error")), "complete: 9");
        assert_eq!(told(&report("violated", limited)), "stopped: the limit on states was reached");
        assert_eq!(told_of(&report("violated", limited), Wanted::Verdict), "complete: 9");
        assert_eq!(told(&report("unknown", limited)), "stopped: the limit on states was reached (9 states)");
        assert_eq!(told(&json!({"error": "it cannot"})), "refused: it cannot");
        assert_eq!(told(&json!({})), "nothing");
    }

    #[test]
    fn the_command_is_what_a_user_would_type() {
        let row = ROWS.iter().find(|row| row.name() == "commit N=3").unwrap();
        let command = command(Path::new("ample"), Path::new("."), row, &["--keep-going"]);
        assert_eq!(measure::shown(&command), "ample check commit.pml -D N=3 -p safety --json --keep-going");
    }
}
