//! Which solver: one by its name.

use std::convert::Infallible;
use std::str::FromStr;

use crate::answer::{Failure, Solver};
use crate::both::Both;
use crate::embedded::Embedded;
use crate::external::External;

/// A solver that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The one that needs nothing installed.
    #[default]
    Embedded,
    /// A program: `z3`, `cvc5`, or where one lies.
    Program(String),
    /// The embedded one and a program that is installed, compared.
    Both,
}

/// What [`Choice::Both`] compares with: the first that is installed.
const PROGRAMS: &[&str] = &["z3", "cvc5"];

impl FromStr for Choice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Choice, Infallible> {
        Ok(match text {
            "embedded" => Choice::Embedded,
            "both" => Choice::Both,
            program => Choice::Program(program.to_owned()),
        })
    }
}

impl Choice {
    /// Starts it.
    pub fn open(&self) -> Result<Box<dyn Solver + Send>, Failure> {
        match self {
            Choice::Embedded => Ok(Box::new(Embedded)),
            Choice::Program(program) => Ok(Box::new(External::start(program)?)),
            Choice::Both => {
                let mut started = PROGRAMS.iter().map(|program| External::start(program));
                let first = started.next();
                let found = match first {
                    Some(Err(error)) => started.find(Result::is_ok).unwrap_or(Err(error)),
                    Some(found) => found,
                    None => return Ok(Box::new(Embedded)),
                };
                Ok(Box::new(Both::new(Embedded, found?)))
            }
        }
    }
}
