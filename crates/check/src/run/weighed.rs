//! The plans that were weighed against each other, for the report.

/// A plan that was weighed.
#[derive(Clone, Debug, PartialEq)]
pub struct WeighedPlan {
    /// What it does, in short.
    pub name: String,
    /// The options that ask for it.
    pub flags: String,
    /// How long it takes, as an estimate, beside the full search; 0 if it was over in its slice.
    pub estimate: f64,
    /// Whether it was chosen.
    pub is_chosen: bool,
}
