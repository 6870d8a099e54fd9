//! A peer: Rumur makes a C program of a Murphi model, the C compiler translates it, and it
//! searches.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::{BenchError, machine, measure};

/// How Rumur treats scalarsets.
pub(crate) const EXHAUSTIVE: &str = "exhaustive";
/// Not at all.
pub(crate) const OFF: &str = "off";

/// The versions of the two programs.
pub(crate) struct Installed {
    pub(crate) rumur: String,
    pub(crate) gcc: String,
}

/// Looks for them.
pub(crate) fn installed() -> Result<Installed, BenchError> {
    let rumur = machine::version("rumur", "--version").ok_or(BenchError::NoRumur)?;
    let gcc = machine::version("gcc", "--version").ok_or(BenchError::NoRumur)?;
    Ok(Installed { rumur, gcc })
}

/// What a search gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rumur {
    /// States stored.
    pub(crate) states: u64,
    /// Transitions between them.
    pub(crate) rules: u64,
    /// From the start of the search to its end, without making the program.
    pub(crate) seconds: f64,
}

/// Makes the program of a model and runs it in a folder.
pub(crate) fn run(folder: &Path, model: &str, symmetry: &str) -> Result<Rumur, BenchError> {
    let (source, generated) = ("model.m", "model.c");
    let path = folder.join(source);
    fs::write(&path, model).map_err(BenchError::io(path.display().to_string()))?;
    let program = |name: &str| {
        let mut command = Command::new(name);
        command.current_dir(folder);
        command
    };
    let mut rumur = program("rumur");
    rumur.args(["--symmetry-reduction", symmetry, "--deadlock-detection", "stuck", "--threads", "1"]);
    measure::run_well(rumur.args([source, "--output", generated]))?;
    let mut gcc = program("gcc");
    gcc.args(["-std=c11", "-O2", "-march=native", "-w", generated, "-o", "model", "-lpthread"]);
    measure::run_well(&mut gcc)?;
    let mut search = Command::new(folder.join("model"));
    let ran = measure::run_well(search.current_dir(folder))?;
    let (states, rules) = read(&ran.stdout).ok_or_else(|| measure::failure(&search, &ran))?;
    Ok(Rumur { states, rules, seconds: ran.wall_seconds })
}

/// States and rules, from `9 states, 27 rules fired in 0s.` after a search without errors.
fn read(text: &str) -> Option<(u64, u64)> {
    let line = text.lines().find(|line| line.contains(" states, ") && line.contains(" rules fired"))?;
    let mut numbers = line.split(|symbol: char| !symbol.is_ascii_digit()).filter_map(|word| word.parse().ok());
    let found = Some((numbers.next()?, numbers.next()?));
    found.filter(|_| text.contains("No error found"))
}

impl Rumur {
    /// For the file of results.
    pub(crate) fn to_json(&self) -> Value {
        json!({"states": self.states, "rules": self.rules, "seconds": self.seconds})
    }

    /// From the file of results.
    pub(crate) fn from_json(value: &Value) -> Option<Rumur> {
        Some(Rumur {
            states: value["states"].as_u64()?,
            rules: value["rules"].as_u64()?,
            seconds: value["seconds"].as_f64()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Memory usage:\n\n\t* The size of each state is 17 bits\n\nStatus:\n\n\tNo error found.\n\n\
                        State Space Explored:\n\n\t23 states, 74 rules fired in 0s.\n";

    #[test]
    fn the_numbers_are_read() {
        assert_eq!(read(TEXT), Some((23, 74)));
        assert_eq!(read(&TEXT.replace("No error found", "2 error(s) found")), None);
        assert_eq!(read("Segmentation fault"), None);
    }
}
