//! The table `acyclic`: `--order acyclic` beside the full search depth first and dead variables
//! found beforehand, on leader elections, schedules and puzzles, and with a depth on a reactive
//! model.

use serde_json::{Value, json};

use crate::BenchError;
use crate::measured::Measured;
use crate::pelanek_asked::{ask, path};
use crate::race::{Run, read};
use crate::rows::choose;
use crate::table::{NOTHING, Section, count, decimal, median, names};

const PART: &str = "acyclic";

/// A row.
struct Acyclic {
    what: &'static str,
    file: &'static str,
    property: &'static str,
    /// What is asked besides.
    more: &'static [&'static str],
}

const fn row(what: &'static str, file: &'static str) -> Acyclic {
    Acyclic { what, file, property: "safety", more: &["--keep-going"] }
}

const ROWS: &[Acyclic] = &[
    row("leader election", "dve/beem/leader_filters/leader_filters.1.dve"),
    row("leader election", "dve/beem/leader_filters/leader_filters.2.dve"),
    row("leader election", "dve/beem/extinction/extinction.1.dve"),
    row("leader election", "leader.pml"),
    row("scheduling", "machine-setup.gcl"),
    Acyclic { property: "assertions", more: &["-D", "LIMIT=11", "--keep-going"], ..row("scheduling", "job-shop.gcl") },
    row("planning", "dve/beem/frogs/frogs.1.dve"),
    row("planning", "dve/beem/peg_solitaire/peg_solitaire.1.dve"),
    Acyclic { more: &["--keep-going", "--max-depth", "14"], ..row("reactive", "peterson.gcl") },
];

/// The ways, in the order of the columns.
const WAYS: [(&str, &[&str]); 3] = [
    ("full", &["--order", "dfs", "--reduce", "none"]),
    ("dead", &["--order", "dfs", "--reduce", "dead"]),
    ("acyclic", &["--order", "acyclic"]),
];

const TITLE: &str = "States and seconds of the search: `ample check MODEL -p safety --keep-going --threads 1` with `--order dfs --reduce none` \
                     (full), `--order dfs --reduce dead`, `--order acyclic`; look-ups for an explored state";
const COLUMNS: &[&str] = &["model", "what", "with", "full", "s", "dead", "s", "acyclic", "s", "look-ups a state"];

impl Acyclic {
    fn name(&self) -> String {
        self.file.rsplit('/').next().unwrap_or(self.file).to_owned()
    }

    /// A search that is cut off at a depth is asked breadth first in full: depth first it is not
    /// the same space.
    fn flags(&self, own: &[&'static str]) -> Vec<&'static str> {
        let is_cut = self.more.contains(&"--max-depth");
        let own: Vec<&str> = own.iter().map(|flag| if is_cut && *flag == "dfs" { "bfs" } else { *flag }).collect();
        [&["-p", self.property], self.more, &own].concat()
    }
}

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut lines = Vec::new();
    for row in choose(ROWS, Acyclic::name, &run.options.only)? {
        let (name, text) = (row.name(), read(&path(run, row.file))?);
        let part = run.keep(&name, &text, PART, &json!(row.more), |run| {
            let mut sides = serde_json::Map::new();
            for (way, own) in WAYS {
                let repeat = run.options.repeat;
                let runs: Result<Vec<Value>, BenchError> =
                    (0..repeat).map(|_| ask(run, row.file, &name, &row.flags(own))).collect();
                sides.insert(way.to_owned(), Value::Array(runs?));
            }
            Ok(Value::Object(sides))
        })?;
        if let Some(result) = measured.take(&name, PART, part) {
            lines.push(cells(row, &result));
        }
    }
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: lines }];
    Ok(measured)
}

fn cells(row: &Acyclic, result: &Value) -> Vec<String> {
    let more: Vec<&str> = row.more.iter().copied().filter(|flag| *flag != "--keep-going").collect();
    let mut cells = vec![row.name(), row.what.to_owned(), more.join(" ")];
    for (way, _) in WAYS {
        let states = result[way][0]["states"].as_u64();
        let runs = result[way].as_array().into_iter().flatten();
        let seconds = median(runs.filter_map(|run| run["seconds"].as_f64()).collect());
        cells.extend([states.map_or_else(|| NOTHING.to_owned(), count), decimal(seconds)]);
    }
    let last = &result["acyclic"][0];
    let share = last["lookups"].as_f64().zip(last["states"].as_f64()).map(|(lookups, states)| lookups / states);
    cells.push(decimal(share));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_stand_side_by_side() {
        let side = |states: u64, seconds: f64| json!([{"states": states, "seconds": seconds, "lookups": 3 * states}]);
        let result = json!({"full": side(100, 0.5), "dead": side(90, 0.4), "acyclic": side(50, 1.0)});
        let reactive = ROWS.last().unwrap();
        let expected =
            ["peterson.gcl", "reactive", "--max-depth 14", "100", "0.50", "90", "0.40", "50", "1.00", "3.00"];
        assert_eq!(cells(reactive, &result), expected);
        assert_eq!(expected.len(), COLUMNS.len());
        let flags = reactive.flags(WAYS[0].1).join(" ");
        assert_eq!(flags, "-p safety --keep-going --max-depth 14 --order bfs --reduce none");
    }
}
