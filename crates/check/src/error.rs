//! Why a job has no outcome.

use ample_guarantee::Refusal;

/// Why a job has no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// Nothing has this name.
    #[error("no {what} named `{name}`{}", hint(.suggestion, .known))]
    UnknownName {
        /// Property, order, store or reduction.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// What may have been meant.
        suggestion: Option<String>,
        /// All names there are.
        known: Vec<String>,
    },
    /// A property that cannot be checked.
    #[error("property `{property}` cannot be checked: {error}")]
    Claim {
        /// The property.
        property: String,
        /// Why not.
        error: String,
    },
    /// Machine code was asked for, and this model cannot be compiled.
    #[error("this model cannot be compiled: {reason}; leave out --exec, and it is interpreted")]
    NotCompiled {
        /// Why not.
        reason: String,
    },
    /// Two options that do not go together.
    #[error("{0}")]
    Conflict(String),
    /// The plan is not sound for the property.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A solver is wrong, or two of them disagree. An error of ours, or of theirs.
    #[error("{0}")]
    WrongSolver(String),
    /// A violation was found that the reference semantics does not have. An error of ours.
    #[error("the counterexample for `{property}` ({fault}) could not be replayed: {reason}")]
    ReplayFailed {
        /// The property.
        property: String,
        /// What was found.
        fault: String,
        /// Where the replay differs.
        reason: String,
    },
}

impl CheckError {
    /// Whether it is our error and not the user's.
    pub fn is_internal(&self) -> bool {
        matches!(self, CheckError::ReplayFailed { .. } | CheckError::WrongSolver(_))
    }

    /// The error for a reduction that does not apply.
    pub(crate) fn not_here(reduction: &str, reason: &str) -> Self {
        CheckError::Conflict(format!("--reduce {reduction} cannot be used here: {reason}"))
    }

    /// The error for a name that is none of `known`.
    pub(crate) fn unknown_name<'n>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let suggestion = ample_stdx::suggest(name, known.iter().map(String::as_str)).map(str::to_owned);
        CheckError::UnknownName { what, name: name.to_owned(), suggestion, known }
    }
}

fn hint(suggestion: &Option<String>, known: &[String]) -> String {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?"),
        None if known.is_empty() => "; there is none yet".to_owned(),
        None => format!("; there is {}", known.join(", ")),
    }
}
