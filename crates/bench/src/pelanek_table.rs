//! The table `pelanek-3`: states stored with the reductions of Pelánek's thesis, chapter 3, beside
//! the printed numbers, and on Spin's own examples beside Spin's.
//!
//! Models that are at hand at another size are compared by the share of the states that is left
//! ([`pelanek_shares`]); dominating values have a section of their own ([`pelanek_dominating`]).
//!
//! Every number is an upper bound, those of Table 2.1 and of dead variables on peterson.1 and
//! iprotocol.2 are to be met exactly. Spin's are those of version 6.5.2 without partial order
//! reduction: by default it resets dead variables and merges statements, `-o3` leaves merging out,
//! and `-o1 -o2` dead variables. Equivalent values and linear transformations are beside the full
//! search.

use serde_json::json;

use crate::measured::Measured;
use crate::pelanek_asked::{ask, path};
use crate::race::{Run, read};
use crate::rows::choose;
use crate::table::{Section, count, decimal, names};
use crate::{BenchError, pelanek_dominating, pelanek_shares};

/// A number that was printed, and what we do to reach it.
struct Printed {
    /// The model, in the corpus.
    file: &'static str,
    /// Where it was printed.
    source: &'static str,
    /// The reductions.
    reduce: &'static str,
    states: u64,
    is_exact: bool,
}

const fn exactly(file: &'static str, source: &'static str, reduce: &'static str, states: u64) -> Printed {
    Printed { file, source, reduce, states, is_exact: true }
}

const fn at_most(file: &'static str, source: &'static str, reduce: &'static str, states: u64) -> Printed {
    Printed { file, source, reduce, states, is_exact: false }
}

const SNOOPY: &str = "promela/spin/snoopy.pml";
const PFTP: &str = "promela/spin/LTL/pftp.pml";
const ERATOSTHENES: &str = "promela/spin/eratosthenes.pml";
const LEADER: &str = "promela/spin/leader0.pml";
const SORT: &str = "promela/spin/sort.pml";
const CAMBRIDGE: &str = "promela/spin/cambridge.pml";
const MOBILE: &str = "promela/spin/LTL/mobile1.pml";
const IPROTOCOL: &str = "dve/ltsmin/iprotocol.2.dve";
const FIREWIRE: &str = "dve/beem/firewire_link/firewire_link.2.dve";

const THESIS: &[Printed] = &[
    exactly("dve/beem/sorter/sorter.2.dve", "Table 2.1", "none", 7_592),
    exactly("dve/beem/sorter/sorter.1.dve", "Table 2.1", "none", 20_544),
    exactly("dve/beem/sorter/sorter.5.dve", "Table 2.1", "none", 296_148),
    exactly("dve/beem/sorter/sorter.3.dve", "Table 2.1", "none", 1_288_478),
    exactly("dve/beem/peterson/peterson.1.dve", "Table 3.1", "dead", 2_376),
    exactly(IPROTOCOL, "Table 3.1", "dead", 12_770),
    at_most(FIREWIRE, "Table 3.1", "dead", 24_323),
    at_most(IPROTOCOL, "Table 3.4", "merge", 6_446),
    at_most(FIREWIRE, "Table 3.4", "merge", 45_155),
    at_most(SNOOPY, "Table 3.2", "dead,merge,por", 9_707),
    at_most(PFTP, "Table 3.2", "dead,merge,por", 47_356),
    at_most(ERATOSTHENES, "Table 3.2", "dead,merge,por", 2_093),
    at_most(MOBILE, "Table 3.2", "dead,merge,por", 9_971),
    at_most(SNOOPY, "Table 3.4", "dead,merge", 61_619),
    at_most(PFTP, "Table 3.4", "dead,merge", 144_813),
    at_most(ERATOSTHENES, "Table 3.4", "dead,merge", 25_295),
    at_most(MOBILE, "Table 3.4", "dead,merge", 30_652),
];

/// The rows of the thesis that cannot be made.
const NOT_AT_HAND: &[&str] = &[
    "Table 3.1 without a model at hand: rether, production_cell, tip, resistance (models of DiVinE's prototype that are not in BEEM).",
    "Table 3.2 without a model at hand: smcs, i-protocol, brp, X.509, sgc, sliding, giop (in Promela, not published with the thesis).",
    "Table 3.3 without a model at hand: cache, list4, peterson3, eadash, sci, ldash (models of Murphi, whose language is not read; the table \
     `symmetry` has others of their kind).",
    "Table 3.4 without a model at hand: sgc, smcs, X.509, brp (in Promela); rether, resistance, krebs (of DiVinE's prototype).",
    "Table 3.5 without a model at hand: naive protocol, abp with timing, logistics (not published; of the others the parameters are not given).",
];

const SPIN: &[Printed] = &[
    at_most(SNOOPY, "-o3", "dead", 67_656),
    at_most(SNOOPY, "-o1 -o2", "merge", 81_013),
    at_most(SNOOPY, "", "dead,merge", 61_619),
    at_most(SNOOPY, "with reduction", "dead,merge,por", 9_343),
    at_most(PFTP, "-o3", "dead", 207_481),
    at_most(PFTP, "-o1 -o2", "merge", 307_389),
    at_most(PFTP, "", "dead,merge", 144_813),
    at_most(PFTP, "with reduction", "dead,merge,por", 47_356),
    at_most(ERATOSTHENES, "-o3", "dead", 47_669),
    at_most(ERATOSTHENES, "-o1 -o2", "merge", 25_295),
    at_most(ERATOSTHENES, "", "dead,merge", 25_295),
    at_most(ERATOSTHENES, "with reduction", "dead,merge,por", 2_093),
    at_most(LEADER, "-o3", "dead", 41_692),
    at_most(LEADER, "-o1 -o2", "merge", 15_779),
    at_most(LEADER, "", "dead,merge", 15_779),
    at_most(LEADER, "with reduction", "dead,merge,por", 97),
    at_most(SORT, "-o3", "dead", 659_683),
    at_most(SORT, "-o1 -o2", "merge", 107_713),
    at_most(SORT, "", "dead,merge", 107_713),
    at_most(SORT, "with reduction", "dead,merge,por", 135),
    at_most(CAMBRIDGE, "-o3", "dead", 658_173),
    at_most(CAMBRIDGE, "-o1 -o2", "merge", 996_221),
    at_most(CAMBRIDGE, "", "dead,merge", 532_532),
];

/// Beside the full search: the thesis has no numbers for equivalent values, and its models for
/// linear transformations are not at hand.
const QUOTIENTS: &[Printed] = &[
    at_most("dve/beem/sorter/sorter.3.dve", "full search", "values", 1_288_478),
    at_most(FIREWIRE, "full search", "values", 55_887),
    at_most("dve/beem/synapse/synapse.1.dve", "full search", "values", 46_756),
    at_most(CAMBRIDGE, "full search", "values", 1_252_655),
    at_most(IPROTOCOL, "full search", "linear", 29_994),
    at_most("promela/spin/hajek.pml", "full search", "linear", 116_087),
    at_most("promela/spin/hajek.pml", "full search", "dead,linear", 116_087),
];

const QUOTIENTS_TITLE: &str = "Equivalent values and linear transformations, beside the full search: the same command. The thesis (Table 3.3) \
                               has .268, .528 and .552 of the states for cambridge, abp and brp with linear transformations, in models of its own";
const THESIS_TITLE: &str = "The thesis: states stored by `ample check -p safety --keep-going --threads 1 --reduce LIST`, and the printed \
                            number; those of Table 2.1 and of `dead` on peterson.1 and iprotocol.2 are to be the same, the others at most that";
const SPIN_TITLE: &str = "Spin 6.5.2 on its own examples, without partial order reduction unless it says so: `spin -a` with these \
                          options; the same command";
const COLUMNS: &[&str] = &["model", "source", "`--reduce`", "printed", "ample", "ratio"];

/// The sections of numbers that were printed.
const PRINTED: [(&str, &[Printed]); 3] = [(THESIS_TITLE, THESIS), (SPIN_TITLE, SPIN), (QUOTIENTS_TITLE, QUOTIENTS)];

/// Measures the rows that are asked for.
pub(crate) fn table(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let printed = PRINTED.iter().flat_map(|(_, rows)| rows.iter().map(Printed::name));
    let all: Vec<String> = printed.chain(pelanek_shares::rows()).chain(pelanek_dominating::rows()).collect();
    let chosen = choose(&all, String::clone, &run.options.only)?;
    for (title, rows) in PRINTED {
        let mut lines = Vec::new();
        for printed in rows.iter().filter(|printed| chosen.contains(&&printed.name())) {
            lines.extend(row(run, printed, &mut measured)?);
        }
        if !lines.is_empty() {
            measured.sections.push(Section { title: title.to_owned(), columns: names(COLUMNS), rows: lines });
        }
    }
    pelanek_shares::measure(run, &chosen, &mut measured)?;
    pelanek_dominating::measure(run, &chosen, &mut measured)?;
    if run.options.only.is_empty() {
        measured.notes.extend(NOT_AT_HAND.iter().map(|note| (*note).to_owned()));
    }
    Ok(measured)
}

/// One row; what is not as printed is a problem.
fn row(run: &mut Run<'_>, printed: &Printed, measured: &mut Measured) -> Result<Option<Vec<String>>, BenchError> {
    let text = read(&path(run, printed.file))?;
    let part = run.keep(&printed.name(), &text, printed.reduce, &json!({}), |run| {
        let flags = ["-p", "safety", "--keep-going", "--reduce", printed.reduce];
        let result = ask(run, printed.file, &printed.name(), &flags)?;
        match result["refused"].as_str() {
            Some(why) => Err(BenchError::Failed { command: printed.name(), said: why.to_owned() }),
            None => Ok(result),
        }
    })?;
    let Some(result) = measured.take(&printed.name(), printed.reduce, part) else { return Ok(None) };
    let states = result["states"].as_u64().unwrap_or_default();
    if printed.is_exact && states != printed.states || states > printed.states {
        measured.problems.push(format!(
            "{}: {} states, printed {}",
            printed.name(),
            count(states),
            count(printed.states)
        ));
    }
    let ratio = decimal(Some(states as f64 / printed.states as f64));
    let words = [printed.model(), printed.source, printed.reduce].map(str::to_owned);
    Ok(Some([words.to_vec(), vec![count(printed.states), count(states), ratio]].concat()))
}

impl Printed {
    /// The file of the model without its folder.
    fn model(&self) -> &'static str {
        self.file.rsplit('/').next().unwrap_or(self.file)
    }

    fn name(&self) -> String {
        format!("{} {}", self.model(), self.reduce)
    }
}
