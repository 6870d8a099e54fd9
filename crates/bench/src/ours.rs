//! Our side of a race: `ample check … --json`, started and waited for like any other program.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::measure;
use crate::{BenchError, Row};

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
    /// What part of their time the workers had nothing to do, if the report says.
    pub(crate) idle_share: Option<f64>,
}

/// The command for a row, in a folder that holds its model.
pub(crate) fn command(program: &Path, folder: &Path, row: &Row, flags: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).arg("check").arg(row.file());
    command.args(row.defines.iter().flat_map(|define| ["-D", define]));
    command.args(["-p", row.property, "--json"]).args(flags);
    command
}

/// Runs it. `unknown` is no answer, and so a failure.
pub(crate) fn run(program: &Path, folder: &Path, row: &Row, flags: &[&str]) -> Result<Ours, BenchError> {
    let mut command = command(program, folder, row, flags);
    let ran = measure::run(&mut command)?;
    let failed = |said: String| BenchError::Failed { command: measure::shown(&command), said };
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|_| measure::failure(&command, &ran))?;
    if let Some(error) = report["error"].as_str() {
        return Err(failed(error.to_owned()));
    }
    let ours = read(&report, ran.wall_seconds, ran.processor_seconds);
    let ours = ours.ok_or_else(|| failed("the report lacks a field".to_owned()))?;
    if ours.verdict == "unknown" {
        return Err(failed(format!("unknown: {}", report["reason"].as_str().unwrap_or("for no reason"))));
    }
    Ok(ours)
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
        idle_share: report["workers"].as_array().and_then(|workers| idle_share(workers)),
    })
}

fn idle_share(workers: &[Value]) -> Option<f64> {
    let sum = |field: &str| workers.iter().map(|worker| worker[field].as_f64()).sum::<Option<f64>>();
    let (busy, idle) = (sum("busy_seconds")?, sum("idle_seconds")?);
    (busy + idle > 0.0).then(|| idle / (busy + idle))
}

impl Ours {
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
            "idle_share": self.idle_share,
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
            idle_share: value["idle_share"].as_f64(),
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
        report["workers"] = json!([{"busy": 1}]);
        assert_eq!(read(&report, 0.75, None).unwrap().idle_share, None);
        assert_eq!(read(&json!({"verdict": "holds"}), 0.1, None), None);
    }

    #[test]
    fn the_command_is_what_a_user_would_type() {
        let row = ROWS.iter().find(|row| row.name() == "commit N=3").unwrap();
        let command = command(Path::new("ample"), Path::new("."), row, &["--keep-going"]);
        assert_eq!(measure::shown(&command), "ample check commit.pml -D N=3 -p safety --json --keep-going");
    }
}
