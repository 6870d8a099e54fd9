//! How to measure, and within which limits.

use std::path::PathBuf;

use crate::ours::Wanted;

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
    /// Write the numbers that later runs are compared with to this file, in tables that have them.
    pub record: Option<PathBuf>,
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
    /// Memory, in MiB.
    pub megabytes: u64,
}

impl Limits {
    /// Those of a search. Of one for a verdict the states are not limited: they are pairs with
    /// those of an automaton, so that their number says little about the size of the model.
    pub(crate) fn flags(&self, wanted: Wanted) -> Vec<String> {
        let time = ["--max-time".to_owned(), format!("{}s", self.seconds)];
        let memory = ["--max-memory".to_owned(), format!("{}M", self.megabytes)];
        let states = ["--max-states".to_owned(), self.states.to_string()];
        let states = Some(states).filter(|_| wanted == Wanted::Whole);
        time.into_iter().chain(memory).chain(states.into_iter().flatten()).collect()
    }

    /// The time in whole minutes, as Spin counts it.
    pub(crate) fn minutes(&self) -> u64 {
        (self.seconds / 60.0).ceil().max(1.0) as u64
    }

    /// In one line.
    pub(crate) fn summary(&self) -> String {
        let flags = self.flags(Wanted::Verdict).join(" ");
        format!("Limits of each search: `{flags}`; where everything is to be explored, `--max-states {}`.", self.states)
    }
}
