//! How to check: the parts of a search by name, and its limits.

use std::path::PathBuf;

use ample_abstraction::Abstracted;
use ample_model::Expr;
use ample_product::Fairness;
use ample_search::{Limits, StopAt};

use crate::memory::default_max_memory;
use crate::techniques::Techniques;

/// A part chosen by name, or left to the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The plan chooses.
    #[default]
    Auto,
    /// The part with this name.
    Named(String),
}

impl Choice {
    /// `auto` or a name.
    pub fn parse(text: &str) -> Choice {
        if text == "auto" { Choice::Auto } else { Choice::Named(text.to_owned()) }
    }
}

/// Which reductions to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reduce {
    /// All that suffice for the property and pay for themselves.
    #[default]
    Auto,
    /// None.
    None,
    /// These.
    List(Vec<String>),
}

impl Reduce {
    /// `auto`, `none`, or names with commas between them.
    pub fn parse(text: &str) -> Reduce {
        match text {
            "auto" => Reduce::Auto,
            "none" => Reduce::None,
            list => Reduce::List(list.split(',').map(|name| name.trim().to_owned()).collect()),
        }
    }

    /// Whether a reduction is asked for by this name.
    pub(crate) fn names(&self, name: &str) -> bool {
        matches!(self, Reduce::List(names) if names.iter().any(|known| known == name))
    }
}

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The order of search.
    pub order: Choice,
    /// How infinite runs are looked for.
    pub emptiness: Choice,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// The store.
    pub store: Choice,
    /// The number of threads; left to us, one for each core if the order can use them.
    pub threads: Option<usize>,
    /// The reductions.
    pub reduce: Reduce,
    /// The partial order reduction, which is then one of them.
    pub por: Choice,
    /// When it may leave transitions out.
    pub cycle_condition: Choice,
    /// What is remembered of a state instead of it, if that is less: the values of these.
    pub matching: Vec<Expr>,
    /// The under-approximation loop, if there is to be one.
    pub under: Option<Under>,
    /// How states are told apart by predicates.
    pub predicates: Predicates,
    /// How many searches an under-approximation may make.
    pub max_rounds: Option<u64>,
    /// What the names of techniques mean.
    pub techniques: Techniques,
    /// Whether one violation is enough.
    pub stop_at: StopAt,
    /// Whether to note which edges are taken.
    pub coverage: bool,
    /// Where to stop. Without a memory limit, [`default_max_memory`](crate::default_max_memory) is
    /// the limit; the time is that of all searches together.
    pub limits: Limits,
}

impl Options {
    /// With limits in place of those that were left out: of the memory what there is, and the time
    /// begins to run.
    pub(crate) fn resolved(mut self) -> Options {
        self.limits.max_memory = self.limits.max_memory.or_else(default_max_memory);
        self.limits.deadline = self.limits.stop().deadline();
        self
    }
}

/// Which loop, and how it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Under {
    /// The name of the loop.
    pub name: String,
    /// What is let in next.
    pub pick: Pick,
    /// What is let in from the beginning; left to us, nothing.
    pub begin: Option<Begin>,
}

/// How states are told apart by predicates.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// Which variables predicates stand for.
    pub abstracted: Abstracted,
    /// Predicates to begin with, besides those of guards and of the property.
    pub given: Vec<Expr>,
    /// Which predicates are added.
    pub refine: Refine,
    /// Who decides whether the abstraction is exact.
    pub solver: ample_solver::Choice,
    /// Where what it is asked is written.
    pub queries: Option<PathBuf>,
    /// After how many searches in which a command is not proved to be exact the states in which it
    /// is not are described in full.
    pub patience: Option<u64>,
}

/// Which predicates are added.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Refine {
    /// Those without which it cannot be proved that the abstraction is exact.
    #[default]
    Exact,
    /// Those that are not seen to be decided; no solver is asked.
    All,
    /// None, so that there is one search.
    None,
}

impl Refine {
    /// The names, with what they mean.
    pub const NAMES: [(&'static str, &'static str); 3] = [
        ("exact", "what it takes to prove that nothing is missed, and no more"),
        ("all", "whatever is not seen at once to be decided; no solver is asked"),
        ("none", "nothing: one search, which proves nothing"),
    ];

    /// The one with this name.
    pub fn named(name: &str) -> Option<Refine> {
        [Refine::Exact, Refine::All, Refine::None]
            .into_iter()
            .zip(Refine::NAMES)
            .find(|(_, (own, _))| *own == name)
            .map(|(refine, _)| refine)
    }
}

/// What is sensitive at first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Nothing, as in the algorithms of the paper.
    None,
    /// What the property sees, as in the paper's Table 2.
    Visible,
}

impl Begin {
    /// The names, with what they mean.
    pub const NAMES: [(&'static str, &'static str); 2] =
        [("none", "nothing"), ("visible", "all that the property sees; only with --under cycles")];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Begin::None => Begin::NAMES[0].0,
            Begin::Visible => Begin::NAMES[1].0,
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Begin> {
        [Begin::None, Begin::Visible]
            .into_iter()
            .zip(Begin::NAMES)
            .find(|(_, (own, _))| *own == name)
            .map(|(begin, _)| begin)
    }
}

/// How to choose what comes next.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// By what the last run did.
    #[default]
    Guided,
    /// One at random.
    Random {
        /// The same choices for the same seed.
        seed: u64,
    },
}

impl Pick {
    /// The names, with what they mean.
    pub const NAMES: [(&'static str, &'static str); 2] = [
        ("guided", "what made the last run leave most out; more at a time as the loop goes on"),
        ("random", "one at random, as in the paper; see --seed"),
    ];
}
