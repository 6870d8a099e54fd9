//! Runs the binary in a folder of its own.

#![allow(dead_code)] // each test file uses a part of this

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with the models, for one test.
pub struct Folder(pub PathBuf);

/// What a run left behind.
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new(test: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        for file in fs::read_dir(models).unwrap().chain(fs::read_dir(examples).unwrap()) {
            let path = file.unwrap().path();
            if path.is_file() {
                fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
            }
        }
        Folder(folder)
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ample"));
        command.args(arguments.split_whitespace()).current_dir(&self.0);
        command.env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command
    }

    pub fn run(&self, arguments: &str) -> Ran {
        self.run_with_input(arguments, "")
    }

    pub fn run_with_input(&self, arguments: &str, input: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that does not read its input closes it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap().into()
    }

    /// Runs and compares standard output (times and memory left out) and the exit status.
    #[track_caller]
    pub fn check(&self, arguments: &str, status: i32, expected: &str) {
        let ran = self.run(arguments);
        let expected = expected.strip_prefix('\n').unwrap_or(expected);
        assert_eq!(normal(&ran.stdout), expected, "standard error:\n{}", ran.stderr);
        assert_eq!(ran.status, status, "exit status; standard error:\n{}", ran.stderr);
    }

    /// Runs and looks for words on standard error; standard output must be empty.
    #[track_caller]
    pub fn refuse(&self, arguments: &str, words: &str) {
        let ran = self.run(arguments);
        assert!(ran.stderr.contains(words), "`{words}` is not in:\n{}", ran.stderr);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    }
}

impl Ran {
    /// Looks for words in the answer of a check that had to stop. On a machine so busy that this
    /// took too long the program gave up, which is no answer but says why, with the same status.
    #[track_caller]
    pub fn stopped(&self, words: &str, why: &str) {
        let has_given_up = self.stdout.is_empty() && self.stderr.contains(&format!("no answer: {why}"));
        assert!(self.stdout.contains(words) || has_given_up, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.status, 3);
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// `in 0.03 s with 12 MB` differs from run to run.
pub fn normal(text: &str) -> String {
    let line = |line: &str| match (line.find(" in "), line.find(" MB; ")) {
        (Some(start), Some(end)) if line.contains("explored") => {
            format!("{} in … s with …{}\n", &line[..start], &line[end..])
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
