//! The same question asked of Spin, where `spin` and `gcc` are installed: the hunting tool for
//! differences in meaning.
//!
//! The flags are those of the corpus: no optimisation that changes the counts, no reduction, no
//! claim (unless it is asked for), never stopping at an error. A disagreement is judged by people;
//! the tool only finds it.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

use crate::explore::Numbers;

/// How deep Spin searches. A model that needs more is not compared.
const MAX_DEPTH: &str = "-m100000";

/// Spin's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It read the model and searched.
    Searched {
        /// What it counted.
        numbers: Numbers,
        /// It explored everything, and its errors are such that it went on after them as we do:
        /// assertions and end states.
        comparable: bool,
        /// Its first complaint, if any.
        first_error: Option<String>,
    },
    /// It does not accept the model, or the C that it makes does not compile.
    Rejected(String),
    /// It crashed, or ran for too long.
    Failed(String),
}

/// What compiles a verifier.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// The usual one: most of the time of a comparison is its.
    Gcc,
    /// More than ten times as fast, where it is installed.
    Tcc,
}

impl Compiler {
    fn program(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Tcc => "tcc",
        }
    }

    /// The fastest that is installed.
    pub fn fastest() -> Compiler {
        if runs("tcc", "-v") { Compiler::Tcc } else { Compiler::Gcc }
    }
}

fn runs(program: &str, flag: &str) -> bool {
    Command::new(program).arg(flag).output().is_ok()
}

/// Whether both programs are there.
pub fn is_installed() -> bool {
    runs("spin", "-V") && runs("gcc", "--version")
}

/// Asks Spin about a model, in a folder that it may fill: everything that is wrong in a complete
/// search.
pub fn ask(text: &str, folder: &Path, compiler: Compiler) -> io::Result<Answer> {
    let flags = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];
    Ok(match verifier(text, folder, compiler, &flags)? {
        Err(answer) => answer,
        Ok(()) => search(folder, &[MAX_DEPTH, "-c0", "-w18", "-n"])?,
    })
}

/// Asks Spin whether some run is matched by the never claim of a model. Assertions count, too,
/// since a claim may end with one; where runs end does not.
pub fn ask_claim(text: &str, folder: &Path, compiler: Compiler) -> io::Result<Answer> {
    Ok(match verifier(text, folder, compiler, &["-DNOREDUCE"])? {
        Err(answer) => answer,
        Ok(()) => search(folder, &[MAX_DEPTH, "-a", "-E", "-w18", "-n"])?,
    })
}

/// The never claim that Spin writes for a formula.
pub fn never_claim(formula: &str) -> io::Result<Option<String>> {
    let written = Command::new("timeout").args(["20", "spin", "-f", formula]).output()?;
    let text = String::from_utf8_lossy(&written.stdout).into_owned();
    Ok((written.status.success() && text.starts_with("never")).then_some(text))
}

/// Makes the verifier `pan` in a folder, or says why there is none.
fn verifier(text: &str, folder: &Path, compiler: Compiler, flags: &[&str]) -> io::Result<Result<(), Answer>> {
    fs::create_dir_all(folder)?;
    let _ = fs::remove_file(folder.join("pan.c"));
    let _ = fs::remove_file(folder.join("pan"));
    fs::write(folder.join("m.pml"), text)?;
    let made = run(folder, "spin", &["-a", "-o1", "-o2", "-o3", "m.pml"])?;
    if timed_out(&made) {
        return Ok(Err(Answer::Failed("spin -a takes too long".to_owned())));
    }
    // It calls some things an error and makes the verifier all the same: only the exit status
    // counts.
    if !made.status.success() || !folder.join("pan.c").exists() {
        return Ok(Err(Answer::Rejected(first_complaint(&text_of(&made)))));
    }
    let arguments = [&["-O0", "-w", "-DMEMLIM=1024", "-o", "pan", "pan.c"], flags].concat();
    let compiled = run(folder, compiler.program(), &arguments)?;
    if timed_out(&compiled) {
        return Ok(Err(Answer::Failed("to compile the verifier takes too long".to_owned())));
    }
    if !compiled.status.success() {
        return Ok(Err(Answer::Rejected(first_complaint(&text_of(&compiled)))));
    }
    Ok(Ok(()))
}

/// What is said of a verifier that was ended by a signal.
pub const CRASHED: &str = "the verifier crashed";

/// `timeout` says so of a program that a signal ended, as shells do.
const SIGNALLED: i32 = 128;

fn search(folder: &Path, arguments: &[&str]) -> io::Result<Answer> {
    let searched = run(folder, "./pan", arguments)?;
    if timed_out(&searched) {
        return Ok(Answer::Failed("the verifier takes too long".to_owned()));
    }
    if searched.status.code().is_none_or(|code| code > SIGNALLED) {
        return Ok(Answer::Failed(CRASHED.to_owned()));
    }
    Ok(read(&text_of(&searched)))
}

/// Runs a program; `timeout` ends one that would fill the disk or the day.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> io::Result<Output> {
    Command::new("timeout").arg("20").arg(program).args(arguments).current_dir(folder).output()
}

fn timed_out(output: &Output) -> bool {
    output.status.code() == Some(124)
}

fn text_of(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    text
}

fn first_complaint(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let complaint = lines.clone().find(|line| line.contains("rror"));
    complaint.or_else(|| lines.next()).unwrap_or("no message").to_owned()
}

/// Reads what the verifier printed.
fn read(text: &str) -> Answer {
    let number = |label: &str| {
        let line = text.lines().find(|line| line.contains(label))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let errors = text.lines().find_map(|line| line.split("errors: ").nth(1)?.trim().parse::<u64>().ok());
    let (Some(states), Some(transitions), Some(errors)) = (number("states, stored"), number("transitions (= "), errors)
    else {
        return Answer::Failed(first_complaint(text));
    };
    let complaints =
        || text.lines().filter_map(|line| line.strip_prefix("pan:")?.split_once(": ")).map(|(_, said)| said);
    let is_ordinary = |said: &str| said.starts_with("assertion violated") || said.starts_with("invalid end state");
    let incomplete = text.contains("Search not completed") || text.contains("max search depth too small");
    Answer::Searched {
        numbers: Numbers { states, transitions: transitions.saturating_sub(1), error: errors > 0 },
        comparable: !incomplete && complaints().all(is_ordinary),
        first_error: complaints().next().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verifiers_text_is_read() {
        let text = "pan:1: assertion violated (inside<=1) (at depth 7)\n\n\
                    State-vector 28 byte, depth reached 11, errors: 4\n       36 states, stored\n       29 states, matched\n       \
                    65 transitions (= stored+matched)\n        0 atomic steps\n";
        let numbers = Numbers { states: 36, transitions: 64, error: true };
        let first_error = Some("assertion violated (inside<=1) (at depth 7)".to_owned());
        assert_eq!(read(text), Answer::Searched { numbers, comparable: true, first_error });
        assert_eq!(read("Floating point exception"), Answer::Failed("Floating point exception".to_owned()));
    }
}
