//! Saving the traces of violations, and the commands that replay them.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use ample_replay::{Comments, SavedFault, TraceFile};
use ample_report::{Shown, Subject};

use crate::args::CheckArgs;
use crate::files::{self, Inputs};
use crate::output::Terminal;

/// A trace that was saved.
pub struct Saved {
    /// Where.
    pub file: PathBuf,
    /// The command that replays it.
    pub command: String,
}

/// Saves the trace of each violation. What cannot be saved is said, and is no reason to keep the
/// answer back.
pub fn save(
    options: &CheckArgs,
    inputs: &Inputs,
    subject: &Subject<'_>,
    shown: &[Shown<'_>],
    terminal: &Terminal,
) -> Vec<Option<Saved>> {
    let mut saved = Vec::new();
    for (number, violation) in shown.iter().enumerate() {
        if !violation.decides() {
            saved.push(None);
            continue;
        }
        let file = file_name(options, (shown.len() > 1).then_some(number + 1));
        let contents = contents(options, subject, violation);
        let comments = Comments { interpreter: subject.interpreter, sources: subject.sources };
        let written = if options.trace.is_none() && is_foreign(&file) {
            Err("there is a file of this name that is not a trace; name another with --trace".to_owned())
        } else {
            files::write(&file, inputs, |out| contents.write(Some(&comments), out))
        };
        saved.push(match written {
            Ok(()) => {
                let command = replay_command(options, &file);
                Some(Saved { file, command })
            }
            Err(error) => {
                terminal.complain(&format!("warning: the trace was not saved to {}: {error}\n", file.display()));
                None
            }
        });
    }
    saved
}

fn contents(options: &CheckArgs, subject: &Subject<'_>, shown: &Shown<'_>) -> TraceFile {
    let model = &options.model;
    let fault = &shown.violation.replayed.fault;
    TraceFile {
        model: model.model.clone(),
        sources: TraceFile::hashes(subject.sources),
        language: model.language.clone(),
        defines: model.defines.clone(),
        inputs: model.inputs.clone(),
        max_processes: model.max_processes,
        formulas: options.asked.formulas.clone(),
        claim: options.asked.claim.as_ref().map(|file| file.display().to_string()),
        property: shown.property.name.clone(),
        fairness: shown.property.fairness,
        fault: Some(SavedFault { kind: fault.kind, place: subject.place(fault.span), message: fault.message.clone() }),
        trace: shown.violation.trace.clone(),
    }
}

/// The file asked for, else the model's name with another ending, in the current folder; with a
/// number if there are several.
fn file_name(options: &CheckArgs, number: Option<usize>) -> PathBuf {
    let stem = Path::new(&options.model.model).file_stem().filter(|_| options.model.model != "-");
    let default = || PathBuf::from(stem.unwrap_or("stdin".as_ref())).with_added_extension("trace");
    let file = options.trace.clone().unwrap_or_else(default);
    let Some(number) = number else { return file };
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    file.with_file_name(format!("{stem}-{number}{ending}"))
}

/// So many bytes tell whether a file is a trace.
const HEAD: u64 = 64;

/// Whether the file exists and is not one of ours.
fn is_foreign(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && !TraceFile::is_one(&String::from_utf8_lossy(&head))
}

fn replay_command(options: &CheckArgs, file: &Path) -> String {
    let mut command =
        format!("ample sim {} --replay {}", quoted(&options.model.model), quoted(&file.to_string_lossy()));
    if let Some(claim) = &options.asked.claim {
        command += &format!(" --claim {}", quoted(&claim.to_string_lossy()));
    }
    command
}

/// An argument as a shell wants it.
pub fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+,:@%=".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn arguments_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("examples/mutex-wrong.pml"), "examples/mutex-wrong.pml");
        assert_eq!(quoted("my model.pml"), "'my model.pml'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
