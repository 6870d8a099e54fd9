//! What a comparison says: equivalent, different and why, or too large to tell.

use std::sync::atomic::{AtomicBool, Ordering};

/// What there is to say about two systems under a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They are equivalent; of a preorder, the first is below the second.
    Equivalent,
    /// They are not, for this reason. Of a preorder, it is the first that can do something.
    Different(Difference),
    /// It was not settled, for this reason.
    Unknown(String),
}

/// One of the two systems.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that was given first.
    First,
    /// The one that was given second.
    Second,
}

impl Side {
    /// The other system.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Why two systems differ: after the path, one of them can do something that the other cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What is seen on the way: labels, and for `stutter` letters.
    pub path: Vec<String>,
    /// How the other system goes along on the path.
    pub follow: Follow,
    /// The system that can do what the other cannot.
    pub side: Side,
    /// What it can do at the end of the path.
    pub finding: Finding,
    /// More to know.
    pub note: Option<String>,
}

/// What a path means for the other system.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Follow {
    /// No run of the other with this path can do it.
    No,
    /// The path is one way to play step by step, with the best that the other can answer. Runs of
    /// the other that part earlier are told apart in other ways.
    StepByStep,
}

/// What one system can do and the other cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A step with this label.
    Step(String),
    /// A step with this label, after which it can go on for ever.
    EndlessStep(String),
    /// To be in a state with this letter.
    Letter(String),
    /// To end, in a state with this letter.
    End(String),
    /// To go on for ever without anything that is seen.
    Diverge,
    /// To end, or to go on for ever, without anything more that is seen.
    Stay,
}

impl Finding {
    /// In words, after "can".
    pub fn words(&self) -> String {
        match self {
            Finding::Step(label) => format!("do `{label}`"),
            Finding::EndlessStep(label) => format!("do `{label}` and go on for ever"),
            Finding::Letter(letter) => format!("be where `{letter}` is true"),
            Finding::End(letter) if letter.is_empty() => "end".to_owned(),
            Finding::End(letter) => format!("end where `{letter}` is true"),
            Finding::Diverge => "go on silently for ever".to_owned(),
            Finding::Stay => "stay as it is for ever".to_owned(),
        }
    }
}

/// How much may be done before the answer is "unknown".
#[derive(Copy, Clone, Debug)]
pub struct Limits<'a> {
    /// How many members of sets may be looked at; pairs of states and the like count several times.
    /// Bounds the memory too.
    pub work: u64,
    /// How many steps `k-bisim` looks ahead. Without it, it is `bisim`.
    pub depth: Option<usize>,
    /// Set from elsewhere when the comparison is to stop.
    pub interrupt: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { work: 100_000_000, depth: None, interrupt: None }
    }
}

/// Why a comparison stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stopped(String);

impl Stopped {
    /// Why.
    pub(crate) fn reason(self) -> String {
        self.0
    }
}

impl From<Stopped> for Answer {
    fn from(stopped: Stopped) -> Self {
        Answer::Unknown(stopped.0)
    }
}

/// Counts the work.
pub(crate) struct Meter<'a> {
    left: u64,
    limits: Limits<'a>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: &Limits<'a>) -> Meter<'a> {
        Meter { left: limits.work, limits: *limits }
    }

    pub(crate) fn depth(&self) -> Option<usize> {
        self.limits.depth
    }

    /// Some work is to be done on what is called `what`.
    pub(crate) fn spend(&mut self, work: usize, what: &str) -> Result<(), Stopped> {
        if self.limits.interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            return Err(Stopped("it was interrupted".to_owned()));
        }
        match self.left.checked_sub(work as u64) {
            Some(left) => self.left = left,
            None => {
                let most = self.limits.work;
                return Err(Stopped(format!("there are too many {what}: more than {most} would have to be looked at")));
            }
        }
        Ok(())
    }
}
