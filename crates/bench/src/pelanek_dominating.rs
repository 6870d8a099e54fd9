//! Table 3.5 of the thesis: dominating values, breadth and depth first, on models of our own and of
//! BEEM, beside the printed shares where there are some.
//!
//! The thesis counts the states that its search visits; beside them stand those that are stored in
//! the end, which are fewer where a state that came later covers others.

use serde_json::{Value, json};

use crate::BenchError;
use crate::measured::Measured;
use crate::pelanek_asked::{ask, path, percent};
use crate::race::{Run, read};
use crate::table::{NOTHING, Section, count, names};

/// A row.
struct Dominating {
    file: &'static str,
    property: &'static str,
    /// The row of the thesis, with the shares that it prints, in percent, breadth and depth first.
    printed: Option<(&'static str, f64, f64)>,
}

const fn own(file: &'static str, property: &'static str, row: &'static str, bfs: f64, dfs: f64) -> Dominating {
    Dominating { file, property, printed: Some((row, bfs, dfs)) }
}

const fn other(file: &'static str) -> Dominating {
    Dominating { file, property: "assertions", printed: None }
}

const ROWS: &[Dominating] = &[
    own("job-shop.gcl", "clash", "jobshop", 4.2, 36.2),
    own("bridge.dve", "assertions", "bridge", 22.2, 49.6),
    own("dve/beem/fischer/fischer.1.dve", "assertions", "fischer", 42.1, 51.9),
    other("machine-setup.gcl"),
    other("dve/beem/cyclic_scheduler/cyclic_scheduler.1.dve"),
    other("dve/beem/synapse/synapse.1.dve"),
    other("dve/beem/lamport/lamport.1.dve"),
    other("dve/beem/pgm_protocol/pgm_protocol.1.dve"),
    other("dve/beem/firewire_link/firewire_link.1.dve"),
    other("dve/beem/needham/needham.1.dve"),
    other("dve/beem/at/at.1.dve"),
    other("dve/beem/peterson/peterson.1.dve"),
];

const TITLE: &str = "Table 3.5, dominating values: states visited by `ample check -p assertions --keep-going --threads 1 --reduce dominate` \
                     (job-shop: `-p clash`, without `--keep-going`), in brackets those stored in the end where they are fewer, and their \
                     shares of the full search, beside the printed ones";
const COLUMNS: &[&str] = &["model", "row", "full", "bfs", "share", "printed", "dfs", "share", "printed"];

impl Dominating {
    fn model(&self) -> &'static str {
        self.file.rsplit('/').next().unwrap_or(self.file)
    }

    fn name(&self) -> String {
        format!("{} dominate", self.model())
    }

    /// A named property is a formula, which ends with the first violation anyway.
    fn flags(&self, own: &[&'static str]) -> Vec<&'static str> {
        let keep_going: &[&str] = if self.property == "assertions" { &["--keep-going"] } else { &[] };
        [&["-p", self.property], keep_going, own].concat()
    }
}

/// The names of the rows.
pub(crate) fn rows() -> impl Iterator<Item = String> {
    ROWS.iter().map(Dominating::name)
}

/// Measures the rows that are chosen.
pub(crate) fn measure(run: &mut Run<'_>, chosen: &[&String], measured: &mut Measured) -> Result<(), BenchError> {
    let (mut lines, mut deeper) = (Vec::new(), Vec::new());
    for row in ROWS.iter().filter(|row| chosen.contains(&&row.name())) {
        let (name, text) = (row.name(), read(&path(run, row.file))?);
        let part = run.keep(&name, &text, "dominating", &json!({"property": row.property}), |run| {
            let mut of = |own: &[&'static str]| ask(run, row.file, &name, &row.flags(own));
            Ok(json!({
                "full": of(&["--reduce", "none"])?,
                "bfs": of(&["--reduce", "dominate", "--order", "bfs"])?,
                "dfs": of(&["--reduce", "dominate", "--order", "dfs"])?,
            }))
        })?;
        let Some(result) = measured.take(&name, "dominating", part) else { continue };
        if let Some(why) = result["bfs"]["refused"].as_str() {
            measured.notes.push(format!("{}: {why}", row.model()));
        }
        lines.push(cells(row, &result));
        deeper.extend(fewer_depth_first(row, &result));
    }
    if !deeper.is_empty() {
        measured.notes.push(format!(
            "Depth first visits fewer states than breadth first, so that \"breadth first never stores more\" is not so for states that are \
             visited: {}. Stored in the end are equally many.",
            deeper.join(", ")
        ));
    }
    if !lines.is_empty() {
        measured.sections.push(Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: lines });
    }
    Ok(())
}

fn cells(row: &Dominating, result: &Value) -> Vec<String> {
    let full = result["full"]["states"].as_u64();
    let nothing = || NOTHING.to_owned();
    let mut cells = vec![row.model().to_owned(), row.printed.map_or_else(nothing, |(name, ..)| name.to_owned())];
    cells.push(full.map_or_else(nothing, count));
    for (side, printed) in [("bfs", row.printed.map(|one| one.1)), ("dfs", row.printed.map(|one| one.2))] {
        let (visited, stored) = (result[side]["states"].as_u64(), result[side]["stored"].as_u64());
        let both = visited.zip(stored).map(|(visited, stored)| match stored < visited {
            true => format!("{} ({})", count(visited), count(stored)),
            false => count(visited),
        });
        let share = visited.zip(full).map(|(visited, full)| 100.0 * visited as f64 / full.max(1) as f64);
        cells.extend([both.unwrap_or_else(nothing), percent(share), percent(printed)]);
    }
    cells
}

/// The numbers of a row where depth first visits fewer states.
fn fewer_depth_first(row: &Dominating, result: &Value) -> Option<String> {
    let visited = |side: &str| result[side]["states"].as_u64();
    let (bfs, dfs) = (visited("bfs")?, visited("dfs")?);
    (dfs < bfs).then(|| format!("{} ({} beside {})", row.model(), count(dfs), count(bfs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_stand_beside_the_printed_shares() {
        let side = |states: u64, stored: u64| json!({"states": states, "stored": stored});
        let result = json!({"full": side(1000, 1000), "bfs": side(300, 200), "dfs": side(250, 250)});
        let row = own("a/b.dve", "assertions", "bridge", 22.2, 49.6);
        let expected = ["b.dve", "bridge", "1,000", "300 (200)", "30.0 %", "22.2 %", "250", "25.0 %", "49.6 %"];
        assert_eq!(cells(&row, &result), expected);
        assert_eq!(expected.len(), COLUMNS.len());
        assert_eq!(fewer_depth_first(&row, &result).as_deref(), Some("b.dve (250 beside 300)"));
        let refused = json!({"full": side(10, 10), "bfs": {"refused": "no"}, "dfs": {"refused": "no"}});
        let expected = ["c.dve", "–", "10", "–", "–", "–", "–", "–", "–"];
        assert_eq!(cells(&other("c.dve"), &refused), expected);
    }
}
