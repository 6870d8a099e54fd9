//! The rows: models of `examples/scale` at stated sizes, in the order in which they are measured.

use std::collections::BTreeSet;

use crate::BenchError;

/// A model at a size.
#[derive(Debug)]
pub struct Row {
    /// The file in the folder of the models, without its ending.
    pub model: &'static str,
    /// Macros, as `NAME=VALUE`.
    pub defines: &'static [&'static str],
    /// The property that is checked: [`SAFETY`], or the name of one in the model.
    pub property: &'static str,
    /// Spin's `-w`: the binary logarithm of the size of its hash table. Fitting means: of the
    /// number of states.
    pub hash_bits: u32,
    /// Spin's `-m`: how deep it may go. Memory is set aside for it, so it should not be too large
    /// either.
    pub depth: u64,
}

impl Row {
    /// What it is called: the model, its parameters, and the property if it is one of the model.
    pub fn name(&self) -> String {
        let property = Some(self.property).filter(|name| *name != SAFETY);
        let words = std::iter::once(self.model).chain(self.defines.iter().copied()).chain(property);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The name of the file.
    pub fn file(&self) -> String {
        format!("{}.pml", self.model)
    }
}

/// Assertions, end states and run-time errors.
pub(crate) const SAFETY: &str = "safety";

/// Those for safety.
pub const ROWS: &[Row] = &[
    row("commit", &["N=3"], 21, 2_000),
    row("buffers", &["PRODUCERS=3", "CONSUMERS=2"], 21, 500_000),
    row("window", &["TOTAL=6", "WINDOW=3", "CAPACITY=3"], 21, 1_000),
    row("ring", &["N=7", "K=7"], 21, 1_000),
    row("elevator", &["FLOORS=5", "PERSONS=3"], 22, 500_000),
    row("leader", &["N=8"], 22, 1_000),
    row("coherence", &["N=3", "LINES=2"], 22, 2_000_000),
    row("philosophers", &["N=11"], 22, 5_000_000),
    row("trains", &["N=8"], 22, 1_000_000),
    row("coherence", &["LINES=3"], 22, 3_000_000),
    row("directory", &["N=3", "VALUES=4"], 23, 1_000_000),
    row("sort", &["N=5", "VALUES=3"], 23, 1_000),
    row("readers-writers", &["READERS=4", "WRITERS=4"], 23, 1_000_000),
    row("peterson", &["N=4"], 23, 2_000_000),
    row("retransmission", &["LENGTH=100", "RETRIES=20", "FILES=100"], 24, 50_000),
    row("elevator", &["FLOORS=4", "PERSONS=4"], 24, 2_000_000),
    row("buffers", &["PRODUCERS=3", "CONSUMERS=3"], 24, 5_000_000),
    row("commit", &["N=4", "SAFE=1"], 24, 50_000),
    row("leader", &["N=9"], 24, 1_000),
    row("sort", &["N=5", "VALUES=4"], 24, 1_000),
    row("bakery", &["N=4", "LARGEST=2"], 24, 2_000_000),
    row("window", &["TOTAL=8", "WINDOW=3", "CAPACITY=4", "LOSSES=3"], 25, 1_000),
    row("trains", &["N=9"], 25, 6_000_000),
];

/// Those for safety in another style: processes that meet by handshakes inside `atomic`.
pub const HANDSHAKES: &[Row] = &[
    row("allocator", &["CLIENTS=5", "UNITS=5"], 21, 1_200_000),
    row("token-bus", &["N=3", "QUEUE=2", "TURN=2"], 21, 600_000),
    row("snooping", &["N=3", "VALUES=4"], 21, 500_000),
    row("two-phase", &["N=3", "COORDINATORS=3"], 21, 800_000),
    row("lifts", &["PERSONS=4", "FLOORS=3"], 22, 1_800_000),
    row("heartbeat", &["N=5"], 22, 2_200_000),
    row("transfer", &["ACCOUNTS=3", "TELLERS=3", "BALANCE=1"], 22, 6_000_000),
    row("sessions", &["CLIENTS=4", "SESSIONS=2"], 23, 3_000_000),
    row("election", &["N=7"], 23, 20_000),
    row("lifts", &["PERSONS=3", "FLOORS=5"], 23, 3_200_000),
    row("token-bus", &["N=3", "QUEUE=4", "TURN=2"], 23, 3_000_000),
    row("waiter", &["N=8"], 23, 8_500_000),
];

/// Those for liveness: properties that hold, so that everything has to be explored, with a million
/// product states or more.
pub const LIVENESS: &[Row] = &[
    live("commit", &["N=3"], "learns", 21, 5_000),
    live("window", &["TOTAL=6", "WINDOW=3", "CAPACITY=3"], "arrives", 21, 1_000),
    live("leader", &["N=8"], "elected", 22, 1_000),
    live("elevator", &["FLOORS=5", "PERSONS=3"], "rides", 22, 1_000_000),
    live("ring", &["N=7", "K=7"], "stabilises", 22, 1_000),
    live("philosophers", &["N=11"], "someone_eats", 22, 10_000_000),
    live("trains", &["N=8"], "crosses", 23, 4_000_000),
    live("readers-writers", &["READERS=4", "WRITERS=4"], "writer_enters", 24, 6_000_000),
];

const fn row(model: &'static str, defines: &'static [&'static str], hash_bits: u32, depth: u64) -> Row {
    live(model, defines, SAFETY, hash_bits, depth)
}

const fn live(
    model: &'static str,
    defines: &'static [&'static str],
    property: &'static str,
    hash_bits: u32,
    depth: u64,
) -> Row {
    Row { model, defines, property, hash_bits, depth }
}

/// Those of the rows whose names contain one of these; all, if there are none.
pub(crate) fn choose<'r, R>(
    rows: &'r [R],
    name_of: impl Fn(&R) -> String,
    only: &[String],
) -> Result<Vec<&'r R>, BenchError> {
    let has = |row: &R, name: &String| name_of(row).contains(name.as_str());
    if let Some(name) = only.iter().find(|name| !rows.iter().any(|row| has(row, name))) {
        // A row may stand in several parts of a table.
        let mut seen = BTreeSet::new();
        let known = rows.iter().map(&name_of).filter(|name| seen.insert(name.clone())).collect::<Vec<_>>().join(", ");
        return Err(BenchError::NoRow { name: name.clone(), known });
    }
    Ok(rows.iter().filter(|row| only.is_empty() || only.iter().any(|name| has(row, name))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_chosen_by_a_part_of_their_name() {
        let names = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
            choose(ROWS, Row::name, &only).map(|rows| rows.iter().map(|row| row.name()).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap().len(), ROWS.len());
        assert_eq!(names(&["commit N=3"]).unwrap(), ["commit N=3"]);
        let error = names(&["commit", "chess"]).unwrap_err().to_string();
        assert!(error.starts_with("no row is called `chess`; there are: ") && error.contains("commit N=3"), "{error}");
    }

    #[test]
    fn no_two_rows_have_one_name() {
        let mut names: Vec<String> = ROWS.iter().chain(HANDSHAKES).chain(LIVENESS).map(Row::name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), ROWS.len() + HANDSHAKES.len() + LIVENESS.len());
    }
}
