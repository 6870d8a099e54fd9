//! What is asked: the system, the properties and the options.

use std::sync::OnceLock;

use ample_guarantee::Part;
use ample_model::{Expr, Model, TemplateId};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_product::{Fairness, Propositions};
use ample_property::Property;
use ample_reduction::{CYCLE_CONDITIONS, CycleConditionEntry, EXPANDERS, ExpanderEntry};
use ample_replay::Replayed;
use ample_search::{Limits, Progress, StopAt};
use ample_stdx::{Stop, Stopped};
use ample_transition::{Fault, Pid, Successors, Trace};

use crate::{Claim, Under};

/// A system to check, as the parts that made it hand it over.
#[derive(Copy, Clone)]
pub struct System<'a> {
    /// What can happen in a state.
    pub successors: &'a dyn Successors,
    /// How that is found out.
    pub execution: &'static Part,
    /// Why it is interpreted although it was to be compiled.
    pub why_interpreted: Option<&'a str>,
    /// Tells whether machine code came into being on the way, if that is not known before.
    pub late_code: Option<&'a dyn LateCode>,
    /// The judge of counterexamples.
    pub replayer: &'a dyn Replayer,
    /// What a process runs in a state, for coverage.
    pub template_of: &'a (dyn Fn(&[u8], Pid) -> Option<TemplateId> + Sync),
    /// Whether a `trace` or `notrace` assertion watches it.
    pub has_trace_assertion: bool,
    /// Which labels its processes have.
    pub labels: Labels,
    /// The properties that the model names, in the order of their declaration.
    pub properties: &'a [Property],
    /// Evaluates propositions in its states.
    pub propositions: &'a dyn MakePropositions,
    /// How many processes there may be at a time.
    pub max_processes: u16,
    /// What reductions look at, if states are packed accordingly.
    pub reducible: Option<Reducible<'a>>,
}

/// Which labels with a meaning of their own occur in a model.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Acceptance labels.
    pub accept: bool,
    /// Progress labels.
    pub progress: bool,
}

impl Labels {
    /// Those of a model.
    pub fn of(model: &Model) -> Labels {
        let locations = || model.templates.iter().flat_map(|template| template.locations.iter());
        Labels {
            accept: locations().any(|location| location.accept),
            progress: locations().any(|location| location.progress),
        }
    }
}

/// What is known of a system before any search.
#[derive(Copy, Clone)]
pub struct Reducible<'a> {
    /// The processes.
    pub network: &'a Network<'a>,
    /// What they can do to each other, once somebody has asked.
    pub found_out: &'a OnceLock<Facts>,
    /// Told of what is chosen among the transitions that leave a state.
    pub watch: Option<&'a dyn Watch>,
}

/// Looks on while a reduced search chooses.
pub trait Watch: Sync {
    /// The candidate with this number was asked for in `state`, and is this one; none if there is no such candidate.
    fn offered(&self, state: &[u8], number: usize, candidate: Option<&[usize]>);
}

impl<'a> Reducible<'a> {
    /// Finds out what the processes can do to each other, unless that is known; an error if it is time to stop before.
    pub fn find_out(&self, stop: &Stop) -> Result<(), Stopped> {
        if self.found_out.get().is_none() {
            let facts = Facts::within(self.network, stop)?;
            self.found_out.get_or_init(|| facts);
        }
        Ok(())
    }

    /// What the processes can do to each other. Found out when it is first asked for.
    pub fn facts(&self) -> &'a Facts {
        self.found_out.get_or_init(|| Facts::new(self.network))
    }
}

/// Tells of a system that is compiled only when that pays.
pub trait LateCode {
    /// Why it was not compiled so far, if it was to be.
    fn why_none(&self) -> Option<String>;
}

/// Evaluates the propositions of a property in the states of a system.
pub trait MakePropositions {
    /// These propositions.
    fn make<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Propositions + 'p>;
}

/// Re-runs a trace on the reference semantics and judges it.
pub trait Replayer {
    /// What `trace` is, a run of the model that ends in `fault`; if it is not, where they differ. An endless run is one that the
    /// `claim` forbids.
    fn replay(&self, trace: &Trace, fault: &Fault, claim: Option<&Claim>) -> Result<Replayed, String>;
}

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

/// The parts of a reduction that can be chosen by name.
#[derive(Copy, Clone, Debug)]
pub struct Reductions {
    /// What chooses among transitions; the first is the default.
    pub expanders: &'static [ExpanderEntry],
    /// When that may stand; the first is the default.
    pub cycle_conditions: &'static [CycleConditionEntry],
}

/// All that there are.
impl Default for Reductions {
    fn default() -> Self {
        Reductions { expanders: EXPANDERS, cycle_conditions: CYCLE_CONDITIONS }
    }
}

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The order of search.
    pub order: Choice,
    /// How endless runs are looked for.
    pub emptiness: Choice,
    /// Which endless runs count.
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
    /// The under-approximation loop, if there is to be one.
    pub under: Option<Under>,
    /// What these names mean.
    pub reductions: Reductions,
    /// Whether one violation is enough.
    pub stop_at: StopAt,
    /// Whether to note which edges are taken.
    pub coverage: bool,
    /// Where to stop. Without a memory limit, [`default_max_memory`](crate::default_max_memory) is the limit; the time is
    /// that of all searches together.
    pub limits: Limits,
}

/// One question.
pub struct Job<'a> {
    /// The system.
    pub system: System<'a>,
    /// The names of the properties to check; none stands for `safety` and then every named property of the model.
    pub select: Vec<String>,
    /// How.
    pub options: Options,
    /// Told from time to time how far the search is.
    pub progress: Option<&'a mut dyn Progress>,
}
