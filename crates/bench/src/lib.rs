//! Races against peers on this machine, and the tables that they give.
//!
//! A table is a list of rows, each a model at a stated size. A row is measured by starting programs and waiting for them,
//! the peer and ourselves in turn, several times; what is shown are medians and their ratios. Our side is the binary `ample`
//! itself, started like any user would: this crate knows nothing of how it works.
//!
//! Invariants: a number is never compared with one of another run; what was measured is kept in a file, row by row, with
//! the versions of all that took part, and is used again only if they are the same; nothing is printed here.

mod corpus;
mod error;
mod instructions_table;
mod machine;
mod markers;
mod measure;
mod memory_loop;
mod ours;
mod pan;
mod race;
mod reduction_rows;
mod reduction_spin_table;
mod reduction_table;
mod results;
mod rows;
mod spin;
mod spin_table;
mod table;
mod threads_table;
mod ways;

use std::path::PathBuf;

use serde_json::{Value, json};

pub use error::BenchError;
pub use markers::{has_markers, replace};
pub use reduction_rows::REDUCTION;
pub use rows::{LIVENESS, ROWS, Row};

use crate::machine::Machine;
use crate::race::Run;

/// What can be measured.
pub struct Table {
    /// Its name on the command line and in the markers of a document.
    pub name: &'static str,
    /// In one line.
    pub summary: &'static str,
    /// Where its models are if nobody says.
    pub home: Home,
    /// Whether its searches have limits.
    pub is_limited: bool,
    measure: fn(&mut Run<'_>) -> Result<Measured, BenchError>,
}

/// Where models are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// In this folder of a checkout.
    Checkout(&'static str),
    /// In the corpus, the models of other people.
    Corpus,
}

const SCALE: Home = Home::Checkout("examples/scale");
const PAPERS: Home = Home::Checkout("examples/papers");

/// Every table there is.
pub const TABLES: &[Table] = &[
    Table {
        name: "spin",
        summary: "time to answer, search time and memory beside Spin's, without reductions and with default options",
        home: SCALE,
        is_limited: false,
        measure: spin_table::measure,
    },
    Table {
        name: "liveness",
        summary: "properties about endless runs that hold, beside Spin's nested search",
        home: SCALE,
        is_limited: false,
        measure: spin_table::measure_liveness,
    },
    Table {
        name: "threads",
        summary: "two threads beside one, and beside a plain loop over random memory",
        home: SCALE,
        is_limited: false,
        measure: threads_table::measure,
    },
    Table {
        name: "instructions",
        summary: "instructions of the search for each transition, beside what was recorded: the guard of the inner loops",
        home: SCALE,
        is_limited: false,
        measure: instructions_table::measure,
    },
    Table {
        name: "reduction",
        summary: "partial order reduction on the models of Holzmann and Peled 1994, beside the printed numbers",
        home: PAPERS,
        is_limited: true,
        measure: reduction_table::measure,
    },
    Table {
        name: "reduction-spin",
        summary: "partial order reduction on the models of other people, beside Spin's",
        home: Home::Corpus,
        is_limited: true,
        measure: reduction_spin_table::measure,
    },
];

/// How to measure.
pub struct Options {
    /// The binary `ample`.
    pub program: PathBuf,
    /// Where the models are.
    pub models: PathBuf,
    /// Where the corpus is, if it is there.
    pub corpus: PathBuf,
    /// The names of the partial order reductions.
    pub expanders: Vec<&'static str>,
    /// Only rows whose names contain one of these; all, if there are none.
    pub only: Vec<String>,
    /// How often each side of a row runs.
    pub repeat: usize,
    /// Where results are kept.
    pub results: PathBuf,
    /// Forget the results that are there for this table.
    pub fresh: bool,
    /// What a search may take, in tables that have limits.
    pub limits: Limits,
}

/// What a search may take.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Limits {
    /// Time.
    pub seconds: f64,
    /// States that are stored.
    pub states: u64,
}

impl Limits {
    fn flags(&self) -> [String; 4] {
        ["--max-time".to_owned(), format!("{}s", self.seconds), "--max-states".to_owned(), self.states.to_string()]
    }
}

/// A table that was measured.
pub struct Report {
    /// For a terminal.
    pub text: String,
    /// For a document, without the markers.
    pub markdown: String,
    /// For programs.
    pub json: Value,
    /// What could not be measured, and where the two sides disagree.
    pub problems: Vec<String>,
}

/// What was measured, before it is laid out.
#[derive(Default)]
struct Measured {
    sections: Vec<table::Section>,
    versions: Vec<(&'static str, String)>,
    rows: Vec<Value>,
    /// What has to be said of the numbers.
    notes: Vec<String>,
    problems: Vec<String>,
}

/// Measures a table. `progress` is told what is being done, a line at a time.
pub fn measure(table: &Table, options: &Options, progress: &mut dyn FnMut(&str)) -> Result<Report, BenchError> {
    if !options.models.is_dir() {
        return Err(BenchError::NoModels(options.models.clone()));
    }
    let machine = Machine::of_this_process();
    let mut run = Run::new(table.name, options, &machine, progress)?;
    let measured = (table.measure)(&mut run)?;
    Ok(report(table, options, &machine, measured))
}

fn report(table: &Table, options: &Options, machine: &Machine, measured: Measured) -> Report {
    let times = if options.repeat == 1 { "once".to_owned() } else { format!("{} times", options.repeat) };
    let mut notes = vec![format!("Each program ran {times}, in turn; medians.")];
    notes.extend(measured.versions.iter().map(|(name, version)| format!("{name}: {version}.")));
    notes.push(format!("Machine: {}.", machine.summary()));
    notes.extend(measured.notes.iter().chain(&measured.problems).cloned());
    let sections =
        |one: fn(&table::Section) -> String| measured.sections.iter().map(one).collect::<Vec<_>>().join("\n");
    let bullets: String = notes.iter().map(|note| format!("- {note}\n")).collect();
    let lines: String = notes.iter().map(|note| format!("{note}\n")).collect();
    let versions: serde_json::Map<String, Value> =
        measured.versions.iter().map(|(name, version)| ((*name).to_owned(), version.clone().into())).collect();
    Report {
        text: format!("{}\n{lines}", sections(table::Section::text)),
        markdown: format!("{}\n{bullets}", sections(table::Section::markdown)),
        json: json!({
            "format": 1,
            "table": table.name,
            "repeat": options.repeat,
            "machine": machine.summary(),
            "versions": versions,
            "rows": measured.rows,
            "notes": measured.notes,
            "problems": measured.problems,
        }),
        problems: measured.problems,
    }
}
