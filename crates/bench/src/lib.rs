//! Races against peers on this machine, and the tables that they give.
//!
//! A table is a list of rows, each a model at a stated size. A row is measured by starting programs
//! and waiting for them, the peer and ourselves in turn, several times; what is shown are medians
//! and their ratios. Our side is the binary `ample` itself, started like any user would: this crate
//! knows nothing of how it works.
//!
//! Invariants: a number is never compared with one of another run; what was measured is kept in a
//! file, row by row, with the versions of all that took part, and is used again only if they are
//! the same; nothing is printed here.

mod acyclic_table;
mod advise_table;
mod auto_table;
mod beem;
mod beem_table;
mod brim_rows;
mod brim_table;
mod confluence_table;
mod corpus;
mod corpus_table;
mod cost_table;
mod equivalence_table;
mod error;
mod instructions_table;
mod machine;
mod markers;
mod measure;
mod measured;
mod memory_loop;
mod merged_table;
mod options;
mod ours;
mod pan;
mod pelanek_asked;
mod pelanek_dominating;
mod pelanek_shares;
mod pelanek_table;
mod race;
mod reduction_peer;
mod reduction_rows;
mod reduction_table;
mod results;
mod rows;
mod rumur;
mod spin;
mod spin_table;
mod symmetry_table;
mod table;
mod threads_table;
mod under_table;
mod ways;

use serde_json::{Value, json};

pub use brim_rows::BRIM;
pub use error::BenchError;
pub use markers::{has_markers, replace};
pub use options::{Limits, Options};
pub use reduction_rows::REDUCTION;
pub use rows::{HANDSHAKES, LIVENESS, ROWS, Row};

use crate::machine::Machine;
use crate::measured::Measured;
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
    /// Whether it shows times. What is only counted is the same each time, and is measured once.
    pub is_timed: bool,
    /// The file in a checkout with the numbers that it is compared with, if it is with such.
    pub records: Option<&'static str>,
    measure: fn(&mut Run<'_>) -> Result<Measured, BenchError>,
}

/// Where models are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// In this folder of a checkout.
    Checkout(&'static str),
    /// In this folder of the corpus, the models of other people.
    Corpus(&'static str),
}

const SCALE: Home = Home::Checkout("examples/scale");
const EXAMPLES: Home = Home::Checkout("examples");
const PAPERS: Home = Home::Checkout("examples/papers");
const BEEM: Home = Home::Corpus("dve");

/// Every table there is.
pub const TABLES: &[Table] = &[
    Table {
        name: "spin",
        summary: "time to answer, search time and memory beside Spin's, without reductions and with default options",
        home: SCALE,
        is_limited: false,
        is_timed: true,
        records: None,
        measure: spin_table::measure,
    },
    Table {
        name: "liveness",
        summary: "properties about infinite runs that hold, beside Spin's nested search",
        home: SCALE,
        is_limited: false,
        is_timed: true,
        records: None,
        measure: spin_table::measure_liveness,
    },
    Table {
        name: "corpus",
        summary: "nanoseconds a transition beside Spin's on the large models of other people, and how much is interpreted",
        home: Home::Corpus("promela"),
        is_limited: true,
        is_timed: true,
        records: None,
        measure: corpus_table::measure,
    },
    Table {
        name: "threads",
        summary: "two threads beside one, and beside a plain loop over random memory",
        home: SCALE,
        is_limited: false,
        is_timed: true,
        records: None,
        measure: threads_table::measure,
    },
    Table {
        name: "instructions",
        summary: "instructions of the search for each transition, beside what was recorded: the guard of the inner loops",
        home: SCALE,
        is_limited: false,
        is_timed: false,
        records: Some("crates/bench/src/instructions.txt"),
        measure: instructions_table::measure,
    },
    Table {
        name: "reduction",
        summary: "partial order reduction on the models of Holzmann and Peled 1994, beside the printed numbers",
        home: PAPERS,
        is_limited: true,
        is_timed: true,
        records: None,
        measure: reduction_table::measure,
    },
    Table {
        name: "reduction-spin",
        summary: "partial order reduction on the models of other people, beside Spin's",
        home: Home::Corpus("promela"),
        is_limited: true,
        is_timed: true,
        records: None,
        measure: |run| reduction_peer::measure(run, &reduction_peer::SPIN),
    },
    Table {
        name: "pelanek-3",
        summary: "the reductions of Pelánek's thesis, Tables 3.1 to 3.5, and of Spin, beside the printed numbers",
        home: EXAMPLES,
        is_limited: false,
        is_timed: false,
        records: None,
        measure: pelanek_table::table,
    },
    Table {
        name: "merged-spin",
        summary: "dead variables and merging on the models of other people, beside Spin's",
        home: Home::Corpus("promela"),
        is_limited: true,
        is_timed: false,
        records: None,
        measure: merged_table::measure,
    },
    Table {
        name: "symmetry",
        summary: "scalarsets: states stored with their elements permuted, and what a state costs then, beside Rumur's",
        home: Home::Checkout("examples/symmetry"),
        is_limited: false,
        is_timed: true,
        records: None,
        measure: symmetry_table::measure,
    },
    Table {
        name: "confluence",
        summary: "confluent transitions, and sets of several processes at once, beside `static` and `stubborn`: states stored",
        home: Home::Corpus("promela"),
        is_limited: true,
        is_timed: false,
        records: None,
        measure: confluence_table::measure,
    },
    Table {
        name: "equivalence",
        summary: "the bisimulation quotient of a million states, beside the command that writes them",
        home: SCALE,
        is_limited: false,
        is_timed: true,
        records: None,
        measure: equivalence_table::measure,
    },
    Table {
        name: "cost",
        summary: "what a stored state costs with passes and canonizers, beside the full search: instructions and time",
        home: SCALE,
        is_limited: false,
        is_timed: true,
        records: None,
        measure: cost_table::measure,
    },
    Table {
        name: "auto",
        summary: "the plan that is chosen, beside each single plan: time to answer and memory",
        home: SCALE,
        is_limited: true,
        is_timed: true,
        records: None,
        measure: auto_table::measure,
    },
    Table {
        name: "advise",
        summary: "the line that `ample advise` recommends, beside the best plan that `ample audit` tries",
        home: Home::Corpus("."),
        is_limited: false,
        is_timed: true,
        records: None,
        measure: advise_table::measure,
    },
    Table {
        name: "acyclic",
        summary: "acyclic spaces: states, look-ups and time beside the full search and dead variables",
        home: EXAMPLES,
        is_limited: false,
        is_timed: true,
        records: None,
        measure: acyclic_table::measure,
    },
    Table {
        name: "beem",
        summary: "the benchmark set BEEM: states, transitions and answers beside the known ones, speed and memory",
        home: BEEM,
        is_limited: true,
        is_timed: true,
        records: None,
        measure: beem_table::measure,
    },
    Table {
        name: "beem-reduction",
        summary: "partial order reduction on BEEM, beside LTSmin's guard-based stubborn sets",
        home: BEEM,
        is_limited: true,
        is_timed: true,
        records: None,
        measure: |run| reduction_peer::measure(run, &reduction_peer::LTSMIN),
    },
    Table {
        name: "under",
        summary: "under-approximations on BEEM: states until a counterexample, and at the end of what holds",
        home: BEEM,
        is_limited: true,
        is_timed: false,
        records: None,
        measure: under_table::measure,
    },
    Table {
        name: "brim",
        summary: "under-approximations on rebuilt models of Brim et al. 2005, beside the printed numbers",
        home: Home::Checkout("examples/brim"),
        is_limited: true,
        is_timed: false,
        records: None,
        measure: brim_table::measure,
    },
];

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
    if table.is_limited {
        notes.push(options.limits.summary());
    }
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
