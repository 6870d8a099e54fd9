//! The table `symmetry`: states stored with scalarsets permuted, beside Rumur's.
//!
//! Each model is written twice, as guarded commands and in Murphi's language. Both sides search
//! everything with one thread; without symmetry, where that does not take long, the counts must be
//! the same, and with it the states of `symmetry` those of Rumur's exhaustive reduction: one for
//! each orbit.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::BenchError;
use crate::measured::Measured;
use crate::ours::{self, Answer, Ours, Wanted};
use crate::race::{self, Run};
use crate::rows::{SAFETY, choose};
use crate::rumur::{self, EXHAUSTIVE, Installed, OFF, Rumur};
use crate::table::{Section, count, decimal, median, names};

const PART: &str = "scalarsets";

/// What a model is asked with.
const WAYS: [&str; 3] = ["none", "symmetry", "symmetry-sort"];

/// A model at a size.
struct Twins {
    name: &'static str,
    /// The constants that say how large it is.
    sizes: &'static [(&'static str, u32)],
}

const TWINS: &[Twins] = &[
    of("lock", &[("N", 5)]),
    of("lock", &[("N", 7)]),
    of("german", &[("N", 3)]),
    of("german", &[("N", 4)]),
    of("election", &[("N", 3)]),
    of("election", &[("N", 4)]),
    of("barrier", &[("N", 4)]),
    of("barrier", &[("N", 5)]),
    of("clients", &[("CLIENTS", 3), ("SERVERS", 2)]),
    of("clients", &[("CLIENTS", 3), ("SERVERS", 3)]),
];

const fn of(name: &'static str, sizes: &'static [(&'static str, u32)]) -> Twins {
    Twins { name, sizes }
}

const TITLE: &str = "States: `ample check MODEL.gcl -p safety --threads 1 --reduce WAY`; `rumur --symmetry-reduction exhaustive \
                     --deadlock-detection stuck --threads 1 MODEL.m`, `gcc -O2 -march=native`. Seconds are those of the search alone, \
                     and for a stored state those of `symmetry` and `symmetry-sort` in relation to the full search";

const COLUMNS: &[&str] = &[
    "model",
    "full",
    "Rumur",
    "`symmetry`",
    "`symmetry-sort`",
    "Rumur s",
    "full s",
    "`symmetry` s",
    "`symmetry-sort` s",
    "a state: `symmetry`",
    "`symmetry-sort`",
];

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let installed = rumur::installed()?;
    let mut measured = Measured::default();
    let mut rows = Vec::new();
    let all: Vec<&Twins> = TWINS.iter().collect();
    for twins in choose(&all, |twins| twins.title(), &run.options.only)? {
        let title = twins.title();
        let Installed { rumur, gcc } = &installed;
        let texts = [twins.path(run, "gcl"), twins.path(run, "m")].map(|path| race::read(&path));
        let [ours, theirs] = texts;
        let (ours, theirs) = (ours?, theirs?);
        let both = [ours.as_slice(), theirs.as_slice()].concat();
        let with = json!({"rumur": rumur, "gcc": gcc});
        let part = run.keep(&title, &both, PART, &with, |run| twins.measure(run, &String::from_utf8_lossy(&theirs)))?;
        let Some(result) = measured.take(&title, PART, part) else { continue };
        let Some(row) = Row::read(&title, &result) else { continue };
        measured.problems.extend(row.problems());
        rows.push(row.cells());
    }
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows }];
    measured.versions = vec![("ample", run.ample()), ("Rumur", installed.rumur), ("gcc", installed.gcc)];
    Ok(measured)
}

impl Twins {
    fn title(&self) -> String {
        let sizes = self.sizes.iter().map(|(name, size)| format!(" {name}={size}"));
        format!("{}{}", self.name, sizes.collect::<String>())
    }

    fn path(&self, run: &Run<'_>, ending: &str) -> PathBuf {
        let path = run.options.models.join(format!("{}.{ending}", self.name));
        std::fs::canonicalize(&path).unwrap_or(path)
    }

    /// The Murphi model with these constants: they are given on lines of their own.
    fn murphi(&self, text: &str) -> String {
        let line = |line: &str| match self.sizes.iter().find(|(name, _)| line.starts_with(&format!("const {name}:"))) {
            Some((name, size)) => format!("const {name}: {size};\n"),
            None => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }

    /// Both sides, in turn.
    fn measure(&self, run: &mut Run<'_>, murphi: &str) -> Result<Value, BenchError> {
        let (title, murphi) = (self.title(), self.murphi(murphi));
        run.say(&format!("{title}: Rumur"));
        let full = rumur::run(run.folder(), &murphi, OFF)?.to_json();
        let mut sides: Vec<(&str, Vec<Value>)> =
            [EXHAUSTIVE].iter().chain(&WAYS).map(|way| (*way, Vec::new())).collect();
        for _ in 0..run.options.repeat {
            for (way, runs) in &mut sides {
                run.say(&format!("{title}: {way}"));
                runs.push(match *way {
                    EXHAUSTIVE => rumur::run(run.folder(), &murphi, EXHAUSTIVE)?.to_json(),
                    way => self.ask(run, way)?.to_json(),
                });
            }
        }
        let mut result = json!({"rumur_full": full});
        for (way, runs) in sides {
            result[way] = json!(runs);
        }
        Ok(result)
    }

    fn ask(&self, run: &Run<'_>, reduce: &str) -> Result<Ours, BenchError> {
        let mut command = ours::check(&run.options.program, run.folder(), Path::new(&self.path(run, "gcl")));
        command.args(self.sizes.iter().flat_map(|(name, size)| ["-D".to_owned(), format!("{name}={size}")]));
        command.args(["-p", SAFETY, "--threads", "1", "--json", "--reduce", reduce]);
        match ours::ask(&mut command, Wanted::Whole)? {
            Answer::Complete(ours) => Ok(ours),
            Answer::Refused(said) | Answer::Stopped(said) => Err(BenchError::Failed { command: self.title(), said }),
        }
    }
}

/// A model with what both sides found.
struct Row {
    title: String,
    rumur_full: u64,
    rumur: Vec<Rumur>,
    /// As in [`WAYS`].
    ours: [Vec<Ours>; 3],
}

impl Row {
    fn read(title: &str, result: &Value) -> Option<Row> {
        let row = Row {
            title: title.to_owned(),
            rumur_full: Rumur::from_json(&result["rumur_full"])?.states,
            rumur: race::runs(result, EXHAUSTIVE, Rumur::from_json),
            ours: WAYS.map(|way| race::runs(result, way, Ours::from_json)),
        };
        (!row.rumur.is_empty() && row.ours.iter().all(|runs| !runs.is_empty())).then_some(row)
    }

    fn states(&self) -> [u64; 3] {
        [0, 1, 2].map(|way| self.ours[way].first().map_or(0, |ours| ours.states))
    }

    fn seconds(&self) -> [Option<f64>; 3] {
        [0, 1, 2].map(|way| median(self.ours[way].iter().map(|ours| ours.search_seconds).collect()))
    }

    fn rumur_states(&self) -> u64 {
        self.rumur.first().map_or(0, |rumur| rumur.states)
    }

    /// Counts that differ although they must not.
    fn problems(&self) -> Vec<String> {
        let [full, symmetry, _] = self.states();
        let pairs = [("without symmetry", full, self.rumur_full), ("with symmetry", symmetry, self.rumur_states())];
        let different = pairs.into_iter().filter(|(_, ours, theirs)| ours != theirs);
        different
            .map(|(how, ours, theirs)| {
                format!("{}: {} states {how}, Rumur has {}", self.title, count(ours), count(theirs))
            })
            .collect()
    }

    fn cells(&self) -> Vec<String> {
        let (states, seconds) = (self.states(), self.seconds());
        let each = |way: usize| Some(seconds[way]? / states[way].max(1) as f64);
        let relation = |way: usize| Some(each(way)? / each(0)?);
        let rumur = median(self.rumur.iter().map(|rumur| rumur.seconds).collect());
        let mut cells = vec![self.title.clone(), count(states[0]), count(self.rumur_states())];
        cells.extend([count(states[1]), count(states[2]), decimal(rumur)]);
        cells.extend(seconds.map(decimal));
        cells.extend([decimal(relation(1)), decimal(relation(2))]);
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(states: u64, seconds: f64) -> Value {
        json!({
            "wall_seconds": 9.0, "search_seconds": seconds, "processor_seconds": null, "verdict": "holds", "states": states,
            "transitions": 20, "peak_bytes": 20_000, "idle_share": null
        })
    }

    #[test]
    fn counts_must_be_the_same() {
        let rumur = |states: u64| json!({"states": states, "rules": 7, "seconds": 2.0});
        let mut result = json!({
            "rumur_full": rumur(1000), "exhaustive": [rumur(100), rumur(100)], "none": [side(1000, 1.0)],
            "symmetry": [side(100, 0.3)], "symmetry-sort": [side(200, 0.4)]
        });
        let row = Row::read("a N=3", &result).unwrap();
        assert_eq!(row.problems(), Vec::<String>::new());
        let cells = ["a N=3", "1,000", "100", "100", "200", "2.00", "1.00", "0.30", "0.40", "3.00", "2.00"];
        assert_eq!(row.cells(), cells.map(str::to_owned));
        assert_eq!(row.cells().len(), COLUMNS.len());
        result["symmetry"] = json!([side(101, 0.3)]);
        let row = Row::read("a N=3", &result).unwrap();
        assert_eq!(row.problems(), ["a N=3: 101 states with symmetry, Rumur has 100"]);
        assert!(Row::read("a N=3", &json!({})).is_none());
    }

    #[test]
    fn constants_are_replaced() {
        let twins = of("a", &[("N", 5)]);
        assert_eq!(twins.murphi("const N: 3;\nconst M: 2;\n"), "const N: 5;\nconst M: 2;\n");
    }
}
