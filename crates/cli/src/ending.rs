//! How a run by hand, at random or along a trace came to its end, and how that is said.

use ample_replay::{Replayed, Run, Step, Waiting};
use ample_report::{Subject, numbers, text};
use ample_transition::{Fault, FaultKind};

use crate::failure::Status;
use crate::output::Terminal;

/// How a run came to its end.
pub enum Ending {
    /// A move went wrong.
    Fault(Fault),
    /// Nothing can move, and that is wrong.
    InvalidEnd(Fault),
    /// Nothing can move, and that is right.
    Valid,
    /// Nobody wanted more.
    Stopped,
}

impl Ending {
    /// The ending of a run whose last step was `last`; `None` if it can go on.
    pub fn of(run: &Run<'_, '_>, last: Option<&Step>) -> Option<Ending> {
        if let Some(fault) = last.and_then(|step| step.faults.first()) {
            return Some(Ending::Fault(fault.clone()));
        }
        if !run.moves().is_empty() {
            return None;
        }
        Some(run.invalid_end().map_or(Ending::Valid, |fault| Ending::InvalidEnd(*fault)))
    }

    /// What went wrong, if something did.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Ending::Fault(fault) | Ending::InvalidEnd(fault) => Some(fault),
            Ending::Valid | Ending::Stopped => None,
        }
    }

    /// Says it, after the steps were shown; gives the exit status.
    pub fn say(self, run: &Run<'_, '_>, past: Past<'_>, subject: &Subject<'_>, terminal: &Terminal) -> Status {
        let look = terminal.look();
        let after = format!("after {}", numbers::count(past.steps as u64, "step"));
        let (said, status) = match self {
            Ending::Stopped => (format!("stopped {after}\n"), Status::Holds),
            Ending::Valid if run.state().processes.is_empty() => {
                (format!("ended {after}: every process has ended\n"), Status::Holds)
            }
            Ending::Valid => {
                let waiting = text::waiting(subject, &run.waiting(), look);
                (format!("ended {after}: every process may stay where it is\n\n{waiting}"), Status::Holds)
            }
            Ending::Fault(fault) | Ending::InvalidEnd(fault) => {
                let culprit = culprit(&fault, past.last, &run.waiting());
                let is_end = fault.kind == FaultKind::InvalidEndState;
                let replayed = Replayed { culprit, ..Replayed::at_once(fault) };
                let mut said = text::headline(subject, &replayed, look);
                if is_end {
                    said += &format!("\n{}", text::waiting(subject, &run.waiting(), look));
                }
                (said, Status::Violated)
            }
        };
        terminal.print(&format!("\n{said}"));
        status
    }
}

/// What is behind a run.
#[derive(Copy, Clone)]
pub struct Past<'s> {
    /// How many steps.
    pub steps: usize,
    /// The last of them.
    pub last: Option<&'s Step>,
}

impl<'s> From<&'s [Step]> for Past<'s> {
    fn from(steps: &'s [Step]) -> Self {
        Past { steps: steps.len(), last: steps.last() }
    }
}

/// The name of the process at fault: it took part in the last step, or is still there.
fn culprit(fault: &Fault, last: Option<&Step>, waiting: &[Waiting]) -> Option<String> {
    let pid = fault.process?;
    let mut movers = last.into_iter().flat_map(|step| std::iter::once(&step.mover).chain(&step.partner));
    let moving = movers.find(|mover| mover.pid == pid).map(|mover| &mover.name);
    let waiting = || waiting.iter().find(|waiting| waiting.pid == pid).map(|waiting| &waiting.name);
    moving.or_else(waiting).cloned()
}
