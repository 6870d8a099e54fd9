//! The table `merged-spin`: states stored with dead variables reset and steps merged, on the models
//! of other people, beside Spin's default without partial order reduction.
//!
//! Spin resets dead variables and merges statements unless it is told not to. Both sides go on
//! after an error. A model takes part if Spin comes to its end with [`FEWEST`] states or more; each
//! one on which we store more is named. Nothing is timed, and a model is made and searched once.

use serde_json::{Value, json};

use crate::BenchError;
use crate::corpus::{self, FEWEST, Large};
use crate::measured::Measured;
use crate::ours::{self, Answer, Ours, Wanted};
use crate::race::{self, Part, Run};
use crate::rows::{SAFETY, choose};
use crate::spin::{self, Flags, Installed, Spin, Verifier};
use crate::table::{Section, count, decimal, median, names};

const PART: &str = "dead variables and merging";

const FLAGS: Flags = Flags { generate: &[], compile: &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"] };

const OURS: &[&str] = &["--keep-going", "--reduce", "dead,merge", "--threads", "1"];

const TITLE: &str = "States stored on models of other people, where Spin stores 1,000 or more: `spin -a`, `gcc -O2 -DSAFETY -DNOREDUCE \
                     -DNOCLAIM`, `pan -c0` with fitting -w and -m; `ample check -p safety --keep-going --reduce dead,merge --threads 1`";

const COLUMNS: &[&str] = &["model", "Spin", "ample", "ratio", "errors: Spin"];

/// Measures the models that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let installed = spin::installed()?;
    let mut measured = Measured::default();
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    let models = corpus::not_small(&run.options.models)?;
    for model in choose(&models, |model| model.name.clone(), &run.options.only)? {
        let part = part(run, model, &installed)?;
        let Some(result) = measured.take(&model.name, PART, part) else { continue };
        left_out.extend(result["left_out"].as_str().map(|why| format!("{} ({why})", model.name)));
        rows.extend(Row::read(&model.name, &result));
    }
    measured.notes = notes(&rows, &left_out);
    measured.sections = vec![section(&rows)];
    measured.versions = vec![("ample", run.ample()), ("Spin", installed.spin), ("gcc", installed.gcc)];
    Ok(measured)
}

fn part(run: &mut Run<'_>, model: &Large, installed: &Installed) -> Result<Part, BenchError> {
    let text = race::read(&model.path)?;
    let limits = run.options.limits.flags(Wanted::Whole);
    let with = json!({"spin": installed.spin, "gcc": installed.gcc, "limits": limits});
    run.keep(&model.name, &text, PART, &with, |run| both(run, model))
}

/// Both sides, or why there is nothing to compare.
fn both(run: &mut Run<'_>, model: &Large) -> Result<Value, BenchError> {
    run.say(&format!("{}: ample", model.name));
    let mut command = ours::check(&run.options.program, run.folder(), &model.path);
    command.args(["-p", SAFETY, "--json"]).args(OURS).args(run.options.limits.flags(Wanted::Whole));
    let ours = match ours::ask(&mut command, Wanted::Whole)? {
        Answer::Complete(ours) => ours,
        Answer::Refused(why) => return Ok(json!({"left_out": why})),
        Answer::Stopped(why) => return Ok(json!({"left_out": format!("ample: {why}")})),
    };
    run.say(&format!("{}: Spin", model.name));
    let megabytes = run.options.limits.megabytes.min(run.machine.most_megabytes());
    let verifier =
        Verifier::make(run.folder(), &model.path, &[], &FLAGS, megabytes)?.within(run.options.limits.seconds);
    let flags = ["-c0".to_owned()];
    let (_, spin) = verifier.search_to_the_end(ours.states, &flags)?;
    if !spin.complete {
        return Ok(json!({"left_out": "Spin did not come to the end within the limits"}));
    }
    Ok(json!({"spin": spin.to_json(), "ample": ours.to_json()}))
}

/// A model with the states of both sides.
struct Row {
    name: String,
    spin: u64,
    ours: u64,
    errors: u64,
}

impl Row {
    /// Nothing if it was left out or is too small.
    fn read(name: &str, result: &Value) -> Option<Row> {
        let (spin, ours) = (Spin::from_json(&result["spin"])?, Ours::from_json(&result["ample"])?);
        let row = Row { name: name.to_owned(), spin: spin.states, ours: ours.states, errors: spin.errors };
        (row.spin >= FEWEST).then_some(row)
    }

    fn ratio(&self) -> f64 {
        self.ours as f64 / self.spin as f64
    }
}

fn section(rows: &[Row]) -> Section {
    let line = |row: &Row| {
        vec![row.name.clone(), count(row.spin), count(row.ours), decimal(Some(row.ratio())), count(row.errors)]
    };
    Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: rows.iter().map(line).collect() }
}

fn notes(rows: &[Row], left_out: &[String]) -> Vec<String> {
    let at_most = rows.iter().filter(|row| row.ours <= row.spin).count();
    let ratio = decimal(median(rows.iter().map(Row::ratio).collect()));
    let mut notes = vec![format!("At most Spin's states on {at_most} of {}; ratio {ratio} in the median.", rows.len())];
    let more: Vec<String> = rows
        .iter()
        .filter(|row| row.ours > row.spin)
        .map(|row| format!("{} ({} errors in Spin)", row.name, row.errors))
        .collect();
    let lists = [("More than Spin's", &more[..]), ("Left out", left_out)];
    let lists = lists.into_iter().filter(|(_, models)| !models.is_empty());
    notes.extend(lists.map(|(what, models)| format!("{what} ({}): {}", models.len(), models.join(", "))));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, spin: u64, ours: u64) -> Option<Row> {
        let theirs = json!({
            "generate_seconds": 0.1, "compile_seconds": 0.9, "search_seconds": 1.0, "states": spin,
            "transitions": 2 * spin, "errors": 1, "complete": true, "peak_bytes": 100_000
        });
        let ours = json!({
            "wall_seconds": 9.0, "search_seconds": 1.0, "processor_seconds": null, "verdict": "holds", "states": ours,
            "transitions": 20, "peak_bytes": 20_000, "idle_share": null
        });
        Row::read(name, &json!({"spin": theirs, "ample": ours}))
    }

    #[test]
    fn those_with_more_states_are_named_and_small_ones_do_not_count() {
        let rows = [row("a", 1000, 500).unwrap(), row("b", 1000, 1001).unwrap()];
        assert!(row("small", 999, 1).is_none());
        let found = notes(&rows, &["c (why)".to_owned()]);
        let expected = [
            "At most Spin's states on 1 of 2; ratio 0.75 in the median.",
            "More than Spin's (1): b (1 errors in Spin)",
            "Left out (1): c (why)",
        ];
        assert_eq!(found, expected);
        let section = section(&rows);
        assert_eq!(section.rows[0], ["a", "1,000", "500", "0.50", "1"]);
    }
}
