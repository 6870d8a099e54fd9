//! The rows of the table `reduction`: the models of Holzmann and Peled, "An Improvement in Formal
//! Verification" (FORTE 1994), with the numbers that the paper prints in Table I and in Section
//! 6.2.
//!
//! Of the models in Table I, `Tpc` is not printed and nowhere to be found, and `Pftp` is a version
//! that is not the one of today.

use crate::Row;
use crate::rows::SAFETY;

/// A model, and what the paper prints of it.
#[derive(Debug)]
pub struct Printed {
    /// The model.
    pub row: Row,
    /// The folder in the corpus, for a model that is not ours.
    pub corpus: Option<&'static str>,
    /// Whether the model is the paper's. If it is not, only the shape can be compared.
    pub is_the_same: bool,
    /// Without reduction.
    pub full: Option<Figures>,
    /// With the paper's static reduction.
    pub reduced: Option<Figures>,
}

/// What the paper prints of a search.
#[derive(Copy, Clone, Debug)]
pub struct Figures {
    /// States stored.
    pub states: u64,
    /// Transitions between them, one more than we count: the initial state counts as reached once.
    pub transitions: Option<u64>,
    /// Time and memory as they stand there, in seconds and megabytes; on a Sparc-10 of 1994.
    pub cost: Option<[&'static str; 2]>,
}

/// All of them, in the order of the paper.
pub const REDUCTION: &[Printed] = &[
    same("holzmann-peled-best-case", BEST_CASE),
    same("holzmann-peled-worst-case", WORST_CASE),
    Printed { corpus: Some("promela/spin"), ..same("snoopy", SNOOPY) },
    same("holzmann-peled-leader-1994", LEADER),
    Printed { row: row("holzmann-peled-leader", &[]), corpus: None, is_the_same: true, full: None, reduced: None },
    shape("holzmann-peled-llc-shared", &["REQUESTS=6"], LLC_SHARED),
    shape("holzmann-peled-llc-split", &["REQUESTS=6"], LLC_SPLIT),
    shape("holzmann-peled-llc-shared", &["REQUESTS=7"], LLC_SHARED),
    shape("holzmann-peled-llc-split", &["REQUESTS=7"], LLC_SPLIT),
];

const BEST_CASE: [Figures; 2] = [figures(100_001, 450_002, ["13.2", "4.3"]), figures(47, 47, ["<0.1", "1.0"])];
const WORST_CASE: [Figures; 2] =
    [figures(100_001, 450_002, ["14.5", "5.0"]), figures(100_001, 450_002, ["16.7", "5.1"])];
const SNOOPY: [Figures; 2] = [figures(91_920, 305_460, ["14.4", "11.5"]), figures(16_279, 23_532, ["1.7", "3.2"])];
const LEADER: [Figures; 2] = [figures(45_885, 185_032, ["8.1", "9.6"]), figures(79, 79, ["0.1", "1.1"])];
const LLC_SHARED: [Figures; 2] = [states(1_851_049), states(111_159)];
const LLC_SPLIT: [Figures; 2] = [states(19_407), states(2_000)];

const fn figures(states: u64, transitions: u64, cost: [&'static str; 2]) -> Figures {
    Figures { states, transitions: Some(transitions), cost: Some(cost) }
}

const fn states(states: u64) -> Figures {
    Figures { states, transitions: None, cost: None }
}

const fn same(model: &'static str, [full, reduced]: [Figures; 2]) -> Printed {
    Printed { row: row(model, &[]), corpus: None, is_the_same: true, full: Some(full), reduced: Some(reduced) }
}

const fn shape(model: &'static str, defines: &'static [&'static str], [full, reduced]: [Figures; 2]) -> Printed {
    Printed { row: row(model, defines), corpus: None, is_the_same: false, full: Some(full), reduced: Some(reduced) }
}

const fn row(model: &'static str, defines: &'static [&'static str]) -> Row {
    // Spin takes no part.
    Row { model, defines, property: SAFETY, hash_bits: 0, depth: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rows_have_one_name() {
        let mut names: Vec<String> = REDUCTION.iter().map(|printed| printed.row.name()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), REDUCTION.len());
    }
}
