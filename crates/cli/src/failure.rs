//! Why there is no answer, and the exit status.

use ample_check::{CheckError, Verdict};
use ample_frontends::LoadFailure;
use ample_source::{Diagnostic, SourceMap, Style, render};
use ample_stdx::Stopped;

use crate::output::Terminal;

/// The exit status.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every property that was checked holds.
    Holds,
    /// A property is violated.
    Violated,
    /// Bad usage or a bad model.
    Bad,
    /// Not settled.
    Unknown,
    /// An error of ours.
    Internal,
}

impl Status {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Status::Holds => 0,
            Status::Violated => 1,
            Status::Bad => 2,
            Status::Unknown => 3,
            Status::Internal => 70,
        }
    }
}

impl From<Verdict> for Status {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Status::Holds,
            Verdict::Violated => Status::Violated,
            Verdict::Unknown => Status::Unknown,
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// Something was asked for that cannot be done.
    Usage(String),
    /// The model has errors.
    Model(Box<LoadFailure>),
    /// The work was given up before there was an answer.
    Stopped(Stopped),
    /// An error of ours.
    Internal(String),
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        if error.is_internal() { Failure::Internal(error.to_string()) } else { Failure::Usage(error.to_string()) }
    }
}

impl Failure {
    /// Says what is wrong: on standard error, or as an object on standard output.
    pub fn report(&self, terminal: &Terminal) -> Status {
        let empty = SourceMap::new();
        let (message, diagnostics, sources, status): (String, &[Diagnostic], _, _) = match self {
            Failure::Usage(message) => (message.clone(), &[], &empty, Status::Bad),
            Failure::Model(failure) => {
                (summary(&failure.diagnostics), &failure.diagnostics, &failure.sources, Status::Bad)
            }
            Failure::Stopped(why) => (format!("no answer: {why}"), &[], &empty, Status::Unknown),
            Failure::Internal(what) => (format!("internal error: {what}"), &[], &empty, Status::Internal),
        };
        if terminal.json {
            terminal.print(&format!("{}\n", ample_report::json::error(&message, diagnostics, sources)));
            return status;
        }
        let text = match self {
            Failure::Usage(_) => format!("error: {message}\n"),
            Failure::Stopped(_) => format!("{message}\n"),
            Failure::Model(_) => {
                let style = if terminal.error_colour() { Style::Colour } else { Style::Plain };
                render_first(diagnostics, sources, style)
            }
            Failure::Internal(_) => {
                format!("{message}\nThis is an error in ample, not in your model. Please report it, with the model.\n")
            }
        };
        terminal.complain(&text);
        status
    }
}

/// More than so many at once help nobody.
const MOST_SHOWN: usize = 10;

fn render_first(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    let shown = &diagnostics[..diagnostics.len().min(MOST_SHOWN)];
    let mut text = render(shown, sources, style);
    if diagnostics.len() > shown.len() {
        text += &format!("\n{} more are not shown; --json lists them\n", diagnostics.len() - shown.len());
    }
    text
}

/// The first error, and how many more there are.
fn summary(diagnostics: &[Diagnostic]) -> String {
    let mut errors = diagnostics.iter().filter(|entry| entry.severity == ample_source::Severity::Error);
    let first = errors.next().map_or("the model has errors", |entry| &entry.message);
    match errors.count() {
        0 => first.to_owned(),
        more => format!("{first} (and {more} more)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_has_its_exit_status() {
        let terminal = Terminal::default();
        assert_eq!(Failure::Internal("expected in this test".to_owned()).report(&terminal).code(), 70);
        assert_eq!(Failure::Usage("expected in this test".to_owned()).report(&terminal).code(), 2);
        let replay = CheckError::ReplayFailed {
            property: "safety".to_owned(),
            fault: "assertion failed".to_owned(),
            reason: "move 1 is not possible".to_owned(),
        };
        assert!(matches!(Failure::from(replay), Failure::Internal(_)));
        let name = CheckError::Claim { property: "p".to_owned(), error: "expected in this test".to_owned() };
        assert!(matches!(Failure::from(name), Failure::Usage(_)));
    }

    #[test]
    fn each_verdict_has_its_exit_status() {
        let code = |verdict: Verdict| Status::from(verdict).code();
        assert_eq!([code(Verdict::Holds), code(Verdict::Violated), code(Verdict::Unknown)], [0, 1, 3]);
    }
}
