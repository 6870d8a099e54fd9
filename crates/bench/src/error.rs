//! Why there is no table.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why there is no table, or no number in it.
#[derive(Debug, Error)]
pub enum BenchError {
    /// A peer is not installed.
    #[error(
        "`{program}` is not installed: the comparison needs Spin and a C compiler (Debian: apt-get install spin gcc)"
    )]
    NotInstalled {
        /// What was looked for.
        program: &'static str,
    },
    /// A peer is not installed.
    #[error("`rumur` is not installed: the comparison needs it and a C compiler (Debian: apt-get install rumur gcc)")]
    NoRumur,
    /// What counts instructions is not installed.
    #[error("`valgrind` is not installed: instructions are counted with it (Debian: apt-get install valgrind)")]
    NoValgrind,
    /// The folder of the models is not there.
    #[error("there are no models in {}: say where they are with --models DIR", .0.display())]
    NoModels(PathBuf),
    /// No row has such a name.
    #[error("no row is called `{name}`; there are: {known}")]
    NoRow {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A program did not do what it should.
    #[error("{command}: {said}")]
    Failed {
        /// What was run.
        command: String,
        /// Its own words.
        said: String,
    },
    /// A document has no place for a table.
    #[error("no markers `<!-- bench:{0} -->` and `<!-- /bench:{0} -->` in this order")]
    NoMarkers(String),
    /// A file or a program could not be used.
    #[error("{what}: {error}")]
    Io {
        /// Which.
        what: String,
        /// Why.
        error: io::Error,
    },
}

impl BenchError {
    /// For `map_err`: an error about this file or program.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> BenchError {
        let what = what.into();
        move |error| BenchError::Io { what, error }
    }
}
