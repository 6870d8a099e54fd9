//! Rows of the thesis whose model is at hand at another size, or as another model of the same
//! protocol: the share of the states that is left, beside the printed share.

use serde_json::json;

use crate::BenchError;
use crate::measured::Measured;
use crate::pelanek_asked::{ask, path, percent};
use crate::race::{Run, read};
use crate::table::{Section, count, decimal, names};

/// A row.
struct Share {
    /// The model at hand.
    file: &'static str,
    /// The row of the thesis.
    source: &'static str,
    /// What it is compared with.
    from: &'static str,
    /// The reductions.
    reduce: &'static str,
    /// The share that was printed, in percent.
    printed: f64,
}

const fn share(
    file: &'static str,
    source: &'static str,
    from: &'static str,
    reduce: &'static str,
    printed: f64,
) -> Share {
    Share { file, source, from, reduce, printed }
}

const SHARES: &[Share] = &[
    share("dve/beem/synapse/synapse.1.dve", "3.1 synapse", "none", "dead", 14.1),
    share("dve/beem/brp2/brp2.1.dve", "3.1 brp", "none", "dead", 32.7),
    share("abp.pml", "3.1 abp", "none", "dead", 50.0),
    share("bridge.dve", "3.1 bridge", "none", "dead", 52.6),
    share("dve/beem/elevator/elevator.1.dve", "3.1 elevator", "none", "dead", 63.4),
    share("dve/beem/bakery/bakery.3.dve", "3.1 bakery", "none", "dead", 77.4),
    share("dve/beem/cambridge/cambridge.1.dve", "3.1 cambridge", "none", "dead", 81.0),
    share("promela/spin/cambridge.pml", "3.2 cambridge", "dead,merge", "dead,merge,por", 4.2),
    share("promela/benari-principles/programs/ch04/relay-6.pml", "3.2 relay", "dead,merge", "dead,merge,por", 50.4),
    share("promela/spin-old-tests/peterson3.pml", "3.2 peterson", "dead,merge", "dead,merge,por", 54.9),
    share("promela/spin/cambridge.pml", "3.3 cambridge, linear", "none", "linear", 26.8),
    share("abp.pml", "3.3 abp, linear", "none", "linear", 55.1),
    share("dve/beem/brp2/brp2.1.dve", "3.3 brp, linear", "none", "linear", 55.2),
    share("promela/spin/cambridge.pml", "3.4 cambridge", "dead", "dead,merge", 87.9),
    share("promela/spin-old-tests/peterson3.pml", "3.4 peterson", "dead", "dead,merge", 91.0),
];

const TITLE: &str = "The thesis, where the model is at hand at another size or in another text: the share of the states that is left, with \
                     `ample check -p safety --keep-going --threads 1 --reduce LIST`";
const COLUMNS: &[&str] = &["model", "row", "beside", "`--reduce`", "states", "left", "share", "printed"];

impl Share {
    fn name(&self) -> String {
        format!("{} {} {}", self.file.rsplit('/').next().unwrap_or(self.file), self.source, self.reduce)
    }
}

/// The names of the rows.
pub(crate) fn rows() -> impl Iterator<Item = String> {
    SHARES.iter().map(Share::name)
}

/// Measures the rows that are chosen.
pub(crate) fn measure(run: &mut Run<'_>, chosen: &[&String], measured: &mut Measured) -> Result<(), BenchError> {
    let mut lines = Vec::new();
    for share in SHARES.iter().filter(|share| chosen.contains(&&share.name())) {
        let (name, text) = (share.name(), read(&path(run, share.file))?);
        let part = run.keep(&name, &text, "share", &json!({"from": share.from}), |run| {
            let mut of = |reduce| ask(run, share.file, &name, &["-p", "safety", "--keep-going", "--reduce", reduce]);
            Ok(json!({"from": of(share.from)?, "left": of(share.reduce)?}))
        })?;
        let Some(result) = measured.take(&name, "share", part) else { continue };
        if let Some(why) = result["left"]["refused"].as_str() {
            measured.notes.push(format!("{name}: {why}"));
        }
        let states = |side: &str| result[side]["states"].as_u64();
        let ratio = states("left").zip(states("from")).map(|(left, from)| 100.0 * left as f64 / from.max(1) as f64);
        let model = share.file.rsplit('/').next().unwrap_or(share.file);
        let mut cells = [model, share.source, share.from, share.reduce].map(str::to_owned).to_vec();
        cells.extend(["from", "left"].map(|side| states(side).map_or_else(|| decimal(None), count)));
        cells.extend([percent(ratio), percent(Some(share.printed))]);
        lines.push(cells);
    }
    if !lines.is_empty() {
        measured.sections.push(Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: lines });
    }
    Ok(())
}
