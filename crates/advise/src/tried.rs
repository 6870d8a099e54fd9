//! A way to ask, and what came of it.

use ample_check::{Options, Verdict, Way};
use ample_guarantee::{ClassSet, Part};
use ample_search::Counts;

/// How a question is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// As `ample check` does if nobody says how.
    ByItself,
    /// In this way.
    In(Way),
}

impl Ask {
    /// What asks for it on the command line; nothing if nobody need say how.
    pub fn flags(&self) -> String {
        match self {
            Ask::ByItself => String::new(),
            Ask::In(way) => way.flags(),
        }
    }

    pub(crate) fn options(&self, options: Options) -> Options {
        match self {
            Ask::ByItself => options,
            Ask::In(way) => way.options(options),
        }
    }

    /// How many parts it names: of ways that cost the same, the one with fewer is to be preferred.
    pub(crate) fn size(&self) -> usize {
        let Ask::In(way) = self else { return 0 };
        let one = [way.expander, way.condition, way.algorithm, way.store];
        1 + way.reductions.len() + one.iter().flatten().count() + usize::from(way.under.is_some())
    }
}

/// A way to ask that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The way.
    pub ask: Ask,
    /// The one technique that it is about, if there is one only.
    pub single: Option<&'static Part>,
    /// What came of it.
    pub came: Came,
}

impl Tried {
    /// What its search came to, if there was one.
    pub fn searched(&self) -> Option<&Searched> {
        match &self.came {
            Came::Searched(searched) => Some(searched),
            Came::Refused(_) | Came::NothingToDo => None,
        }
    }

    /// The same, if the search came to its end.
    pub fn settled(&self) -> Option<&Searched> {
        self.searched().filter(|searched| searched.is_settled)
    }
}

/// What came of a way to ask.
#[derive(Clone, Debug)]
pub enum Came {
    /// It is not sound for the property, or does not apply to the model; why.
    Refused(String),
    /// There is nothing for it to do.
    NothingToDo,
    /// A search.
    Searched(Searched),
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Whether it came to an answer.
    pub is_settled: bool,
    /// The answer.
    pub verdict: Verdict,
    /// What went wrong, or why nothing is known.
    pub reason: Option<String>,
    /// The transitions of the run that violates the property.
    pub trace: Option<usize>,
    /// The order of the search, or how infinite runs were looked for; none if there was no search.
    pub order: Option<&'static str>,
    /// How much was explored.
    pub counts: Counts,
    /// How long the answer took, what is found out before the search included.
    pub seconds: f64,
    /// The bytes that its store, stack and buffers held at most.
    pub memory: u64,
    /// How long it takes beside the full search, as a guess by its first states.
    pub estimate: Option<f64>,
    /// What is preserved.
    pub preserves: ClassSet,
    /// The reductions that were used.
    pub reductions: Vec<&'static Part>,
}
