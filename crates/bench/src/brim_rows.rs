//! The rows of the table `brim`: models after the descriptions of Brim, Černá, Moravec and Šimša,
//! "Under-Approximation Generation using Partial Order Reduction" (2005), with the numbers that the
//! paper prints in Tables 1 and 2.
//!
//! The paper's models are not printed, so only the shape can be compared. Its Peterson-6err is here
//! one of four processes.

/// A model with a property, and what the paper prints of it.
#[derive(Debug)]
pub struct Brim {
    /// The paper's name for it.
    pub printed_name: &'static str,
    /// The file in the folder of the models, without its ending.
    pub model: &'static str,
    /// Parameters, as `NAME=VALUE`.
    pub defines: &'static [&'static str],
    /// A property of the model.
    pub property: &'static str,
    /// A property that holds and sees the same transitions: with it a search explores all that a
    /// reduction leaves. It is the property itself where that holds.
    pub sees: &'static str,
    /// Whether the property holds.
    pub holds: bool,
    /// The under-approximation that the paper tries on it: `visibility` is its algorithm A,
    /// `cycles` its algorithm B.
    pub under: &'static str,
    /// What is printed.
    pub printed: Printed,
}

/// What the paper prints.
#[derive(Copy, Clone, Debug)]
pub struct Printed {
    /// States in full.
    pub full: u64,
    /// With partial order reduction.
    pub reduced: u64,
    /// With the under-approximation.
    pub under: u64,
    /// After so many runs.
    pub runs: u64,
}

impl Brim {
    /// What it is called: the model, its parameters, and the property.
    pub fn name(&self) -> String {
        let words = std::iter::once(self.model).chain(self.defines.iter().copied()).chain([self.property]);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The name of the file.
    pub fn file(&self) -> String {
        format!("{}.mdve", self.model)
    }
}

/// All of them, in the order of the paper.
pub const BRIM: &[Brim] = &[
    Brim {
        printed_name: "Peterson-6err",
        model: "peterson",
        defines: &["N=4", "ERROR=1"],
        property: "crowd",
        sees: "crowd_sees",
        holds: false,
        under: A,
        printed: printed(5_781_294, 5_781_294, 3_108_806, 1),
    },
    Brim {
        printed_name: "LossyProtocol",
        model: "lossy",
        defines: &["VALUES=8", "SIZE=6"],
        property: "arrives",
        sees: "arrives_sees",
        holds: false,
        under: A,
        printed: printed(1_008_383, 938_983, 510_286, 1),
    },
    Brim {
        printed_name: "Philo10L",
        model: "philosophers",
        defines: &["N=10"],
        property: "neighbours",
        sees: "neighbours",
        holds: true,
        under: A,
        printed: printed(100_014, 100_014, 100_014, 20),
    },
    Brim {
        printed_name: "Peterson-4",
        model: "peterson",
        defines: &["N=4", "ERROR=1"],
        property: "mutex",
        sees: "mutex_sees",
        holds: false,
        under: B,
        printed: printed(262_601, 216_069, 207_197, 1),
    },
    Brim {
        printed_name: "Peterson-4",
        model: "peterson",
        defines: &["N=4"],
        property: "mutex",
        sees: "mutex",
        holds: true,
        under: B,
        printed: printed(262_598, 211_872, 262_598, 4),
    },
    Brim {
        printed_name: "Peterson-4L",
        model: "peterson",
        defines: &["N=4"],
        property: "rest",
        sees: "rest_sees",
        holds: false,
        under: B,
        printed: printed(132_117, 132_117, 103_963, 1),
    },
    Brim {
        printed_name: "Token-13",
        model: "token",
        defines: &["N=13"],
        property: "mutex",
        sees: "mutex",
        holds: true,
        under: B,
        printed: printed(167_936, 52, 167_936, 13),
    },
    Brim {
        printed_name: "Token-13L",
        model: "token",
        defines: &["N=13"],
        property: "quiet",
        sees: "quiet_sees",
        holds: false,
        under: B,
        printed: printed(167_936, 167_936, 52, 1),
    },
];

/// The paper's algorithm A.
pub const A: &str = "visibility";
/// Its algorithm B.
pub const B: &str = "cycles";

const fn printed(full: u64, reduced: u64, under: u64, runs: u64) -> Printed {
    Printed { full, reduced, under, runs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rows_have_one_name() {
        let mut names: Vec<String> = BRIM.iter().map(Brim::name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), BRIM.len());
    }
}
