//! A system to check, as the parts that made it hand it over.

use std::sync::OnceLock;

use ample_guarantee::{Part, parts};
use ample_interpret::State;
use ample_model::{Expr, Model, TemplateId};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_product::{Propositions, Values};
use ample_property::Property;
use ample_replay::Replayed;
use ample_source::Span;
use ample_stdx::{Stop, Stopped};
use ample_transition::{Fault, Pid, Successors, Trace};

use crate::claim::Claim;

/// A system to check, as the parts that made it hand it over.
#[derive(Copy, Clone)]
pub struct System<'a> {
    /// The transitions that leave a state.
    pub successors: &'a dyn Successors,
    /// How that is found out.
    pub execution: &'static Part,
    /// Why it is interpreted although it was to be compiled.
    pub why_interpreted: Option<&'a str>,
    /// Tells whether machine code came into being on the way, if that is not known before.
    pub late_code: Option<&'a dyn LateCode>,
    /// Makes other models ready in the same way, if it was made of a model.
    pub prepare: Option<&'a dyn Prepare>,
    /// The judge of counterexamples.
    pub replayer: &'a dyn Replayer,
    /// What a state is to the interpreter.
    pub unpack: &'a (dyn Fn(&[u8]) -> State + Sync),
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
}

impl<'a> Reducible<'a> {
    /// Finds out what the processes can do to each other, unless that is known; an error if it is
    /// time to stop before.
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

impl System<'_> {
    /// Why the processes are not known.
    pub fn why_not_reducible(&self) -> &str {
        let is_compiled = self.execution.name == parts::MACHINE_CODE.name;
        let usual = if is_compiled { "a model with priorities is not analysed" } else { "the model is interpreted" };
        self.why_interpreted.unwrap_or(usual)
    }
}

/// Makes other models ready as a system was made: those that passes make of its model.
pub trait Prepare: Sync {
    /// The model that the system was made of.
    fn model(&self) -> &Model;

    /// Calls `then` with what is known of another model before any search; not if its processes are
    /// not known.
    fn analyse(&self, model: &Model, then: &mut dyn FnMut(Reducible<'_>));

    /// Calls `then` with the system of another model. If it is time to stop, it is not compiled.
    fn execute(&self, model: &Model, stop: &Stop, then: &mut dyn FnMut(&System<'_>));
}

/// States that machine code has left to the interpreter, for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOver {
    /// Why, as a clause.
    pub reason: &'static str,
    /// How often one was expanded, also on walks before a search and when a way is looked for.
    pub states: u64,
    /// Where the first of them is.
    pub place: Option<Span>,
}

impl LeftOver {
    /// Adds it to others: one for each reason.
    pub(crate) fn add_to(self, all: &mut Vec<LeftOver>) {
        match all.iter_mut().find(|other| other.reason == self.reason) {
            Some(other) => other.states += self.states,
            None => all.push(self),
        }
    }
}

/// Tells of a system that is compiled only when that pays, and of what is not.
pub trait LateCode: Sync {
    /// Why it was not compiled so far, if it was to be.
    fn why_none(&self) -> Option<String>;

    /// What machine code has left to the interpreter, in all searches so far.
    fn left_over(&self) -> Vec<LeftOver>;
}

/// Evaluates the propositions of a property in the states of a system.
pub trait MakePropositions: Sync {
    /// These propositions.
    fn make<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Propositions + 'p>;

    /// The values of these expressions.
    fn values<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Values + 'p>;
}

/// Re-runs a trace on the reference semantics and judges it.
pub trait Replayer: Sync {
    /// What `trace` is, a run of the model that ends in `fault`; if it is not, where they differ.
    /// An infinite run is one that the `claim` forbids.
    fn replay(&self, trace: &Trace, fault: &Fault, claim: Option<&Claim>) -> Result<Replayed, String>;
}
