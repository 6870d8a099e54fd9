//! Under-approximation loops: run, look at the outcome, let in a little more of what was left out, run again.
//!
//! What is explored are real transitions from real states, so that a violation is real and ends the loop. "No error" means something
//! only when the approximation is exact, which each loop has a test for: nothing is missing any more. Each run shares with the others what
//! is found out before a search, the program, the network, the facts and the shape of the store, and the store's memory.
//!
//! - [`visibility`]: algorithm A, [`cycles`]: algorithm B (Brim, Černá, Moravec, Šimša 2005);
//! - [`interleaving`]: interleaving locations (Pelánek 2006, section 3.3.3);
//! - [`pick`]: which of what is missing comes next.
//!
//! A loop is an [`Approximation`] and one line in [`LOOPS`].

mod cycles;
mod interleaving;
mod pick;
mod visibility;

use std::sync::atomic::Ordering;
use std::time::Instant;

use ample_guarantee::{Part, parts};
use ample_model::{EdgeId, LocationId};
use ample_network::facts::{Facts, InstanceId, TransitionId, instance_name};
use ample_reduction::Notes;
use ample_search::{Counts, Ended, Progress, SearchOutcome, StopAt};
use ample_source::Span;
use ample_stdx::BitSet;

use crate::chooser::Chosen;
use crate::job::Reducible;
use crate::plan::Planned;
use crate::run::{Runner, reborrow};
use crate::select::{Asked, Question};
use crate::series::Series;
use crate::{CheckError, Choice, Options, PropertyOutcome, Reduce};
pub use pick::Pick;
use pick::Picker;

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

    /// The one with this name.
    pub fn named(name: &str) -> Option<Begin> {
        [Begin::None, Begin::Visible]
            .into_iter()
            .zip(Begin::NAMES)
            .find(|(_, (own, _))| *own == name)
            .map(|(begin, _)| begin)
    }
}

/// One run of a loop.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// What was let in since the run before.
    pub added: Vec<Added>,
    /// How much was explored.
    pub counts: Counts,
    /// How much was explored before, of the system alone, if there was a first pass that came to its end.
    pub first_pass: Option<Counts>,
    /// How long it took, a first pass over the system alone included.
    pub seconds: f64,
    /// How it ended.
    pub ended: Ended,
    /// Whether nothing was missing.
    pub is_exact: bool,
}

/// What was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The process.
    pub process: String,
    /// The statement: the transition's first, or the first that begins at the location.
    pub statement: String,
    /// Where it stands.
    pub span: Span,
    /// Why.
    pub reason: &'static str,
}

/// What a reduced search takes, and what it lacks.
trait Approximation<'a> {
    /// What chooses among transitions in the next run.
    fn chosen(&self) -> Option<Chosen<'a>>;

    /// What is between this and an exact approximation; nothing if it is exact. These transitions are `spared`: they never were in a
    /// proper subset in the last run, so that they count as if they were kept out of them.
    fn missing(&self, spared: &BitSet<TransitionId>) -> Vec<Missing>;

    /// Lets something in.
    fn add(&mut self, what: What);
}

/// Something that an exact approximation would not leave out.
#[derive(Clone, Debug)]
struct Missing {
    what: What,
    reason: &'static str,
    /// Whether it is among those that are enough. Others may be picked at random, as the paper does.
    is_needed: bool,
    /// How much it concerns the property.
    weight: usize,
}

/// What is let in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum What {
    /// A transition becomes sensitive.
    Transition(TransitionId),
    /// A location becomes interleaving.
    Location(InstanceId, LocationId),
}

/// What a loop begins with.
struct Start<'s, 'a> {
    options: &'s Options,
    planned: &'s Planned,
    known: Reducible<'a>,
    asked: &'s Asked,
}

/// A loop that can be chosen by name.
struct Loop {
    part: &'static Part,
    /// The options of the exact approximation, which the loop comes to in the end; or why there is none.
    options: fn(&Options, &Question) -> Result<Options, CheckError>,
    begin: for<'s, 'a> fn(Start<'s, 'a>) -> Box<dyn Approximation<'a> + 'a>,
}

/// All loops. The first is the default: it explores least until an error on the violated formulas of BEEM (`ample bench under`).
static LOOPS: &[Loop] = &[
    Loop { part: &parts::VISIBILITY, options: visibility::options, begin: visibility::begin },
    Loop { part: &parts::CYCLES, options: cycles::options, begin: cycles::begin },
    Loop { part: &parts::INTERLEAVING, options: interleaving::options, begin: interleaving::begin },
];

fn find(under: &Under) -> Result<&'static Loop, CheckError> {
    let found = match under.name.as_str() {
        "auto" => LOOPS.first(),
        name => LOOPS.iter().find(|entry| entry.part.name == name),
    };
    let known = LOOPS.iter().map(|entry| entry.part.name);
    found.ok_or_else(|| CheckError::unknown_name("under-approximation", &under.name, known))
}

/// The plan that a loop comes to in the end, if it is sound for the question.
pub(crate) fn plan(runner: &Runner<'_>, under: &Under, question: &Question) -> Result<Planned, CheckError> {
    let entry = find(under)?;
    check_options(&runner.options, under)?;
    if runner.system.reducible.is_none() {
        let why = runner.system.why_interpreted.unwrap_or("the model is interpreted");
        return Err(conflict(under, &format!("cannot be used here: the processes are not known, since {why}")));
    }
    let planned = runner.plan(&(entry.options)(&runner.options, question)?, question)?;
    Ok(Planned { plan: planned.plan.with(entry.part), ..planned })
}

/// Refuses what does not go with any loop.
fn check_options(options: &Options, under: &Under) -> Result<(), CheckError> {
    let refuse = |what: &str| Err(conflict(under, &format!("does not go with {what}")));
    match (&options.reduce, &options.store) {
        (Reduce::None, _) => refuse("--reduce none: it is a partial order reduction"),
        (reduce, _) if reduce.names(parts::SLEEP.name) => refuse("--reduce sleep: leave one of them out"),
        (_, Choice::Named(name)) if [parts::COMPACT.name, parts::BITSTATE.name].contains(&name.as_str()) => {
            refuse(&format!("--store {name}: where states may be missed it never comes to an answer"))
        }
        _ if options.stop_at == StopAt::End => refuse("--keep-going: the first violation ends the loop"),
        _ if options.coverage => refuse("--coverage: what is left out changes from run to run"),
        _ => Ok(()),
    }
}

fn conflict(under: &Under, what: &str) -> CheckError {
    CheckError::Conflict(format!("--under {} {what}", under.name))
}

/// What is asked to be sensitive at first.
fn begin(options: &Options) -> Option<Begin> {
    options.under.as_ref().and_then(|under| under.begin)
}

/// The options with the partial order reduction that is asked for, else with this one.
fn with_expander(options: &Options, default: &'static Part) -> Options {
    let por = if options.por == Choice::Auto { Choice::parse(default.name) } else { options.por.clone() };
    Options { por, ..options.clone() }
}

/// Runs a loop to its end.
pub(crate) fn answer(
    runner: &Runner<'_>,
    under: &Under,
    question: &Question,
    planned: &Planned,
    mut progress: Option<&mut dyn Progress>,
) -> Result<PropertyOutcome, CheckError> {
    let (entry, Some(known)) = (find(under)?, runner.system.reducible) else {
        return Err(conflict(under, "cannot be used here: the processes are not known"));
    };
    if let Some(stopped) = runner.stopped_before(planned) {
        return finish(runner, question, planned.inexact(), stopped, Vec::new());
    }
    let series = Series::default();
    let runner = &runner.sharing(&series);
    let start = Start { options: &runner.options, planned, known, asked: &question.asked };
    let mut approximation = (entry.begin)(start);
    let mut picker = Picker::new(under.pick);
    let (mut iterations, mut added) = (Vec::new(), Vec::new());
    loop {
        let started = Instant::now();
        let notes = Notes::new(known.facts());
        let chosen = approximation.chosen().map(|chosen| Chosen { notes: Some((known, &notes)), ..chosen });
        let outcome = runner.search_with(chosen, planned, &question.asked, reborrow(&mut progress), None);
        if outcome.ended == Ended::Unfounded {
            let full = planned.without_reduction();
            let outcome = runner.search(&full, &question.asked, reborrow(&mut progress), None);
            let run = iteration(std::mem::take(&mut added), started, &outcome, true);
            iterations.push(Iteration { first_pass: series.take_first_pass(), ..run });
            return finish(runner, question, full, outcome, iterations);
        }
        let is_over = outcome.ended != Ended::Complete || !outcome.violations.is_empty();
        let missing = approximation.missing(&picker.spared(&notes));
        let is_exact = !is_over && missing.is_empty();
        let run = iteration(std::mem::take(&mut added), started, &outcome, is_exact);
        iterations.push(Iteration { first_pass: series.take_first_pass(), ..run });
        if is_over || is_exact || runner.options.limits.interrupt.load(Ordering::Relaxed) {
            let planned = if is_exact { planned.exact() } else { planned.inexact() };
            return finish(runner, question, planned, outcome, iterations);
        }
        series.look_again_after(&outcome.counts);
        for missing in picker.pick(missing, |what| taken(&notes, known.facts(), what)) {
            approximation.add(missing.what);
            added.push(describe(known, &missing));
        }
    }
}

fn finish(
    runner: &Runner<'_>,
    question: &Question,
    planned: Planned,
    outcome: SearchOutcome,
    refinement: Vec<Iteration>,
) -> Result<PropertyOutcome, CheckError> {
    let property = runner.judge(&planned, question, outcome)?;
    Ok(PropertyOutcome { refinement, ..property })
}

fn iteration(added: Vec<Added>, started: Instant, outcome: &SearchOutcome, is_exact: bool) -> Iteration {
    let seconds = started.elapsed().as_secs_f64();
    Iteration { added, counts: outcome.counts, first_pass: None, seconds, ended: outcome.ended, is_exact }
}

/// How often something was taken where others were left out.
fn taken(notes: &Notes, facts: &Facts, what: What) -> u64 {
    match what {
        What::Transition(id) => notes.taken(id),
        What::Location(instance, location) => facts.at(instance, location).iter().map(|id| notes.taken(*id)).sum(),
    }
}

fn describe(known: Reducible<'_>, missing: &Missing) -> Added {
    let (network, facts) = (known.network, known.facts());
    let template = |instance: InstanceId| network.template(instance);
    let (instance, edge): (InstanceId, Option<EdgeId>) = match missing.what {
        What::Transition(id) => {
            let first = facts.transitions()[id].identity.first;
            (first.instance, Some(first.edge))
        }
        What::Location(instance, location) => (instance, template(instance).locations[location].edges.first().copied()),
    };
    let edge = edge.map(|edge| &template(instance).edges[edge]);
    Added {
        process: instance_name(network, instance),
        statement: edge.map(|edge| edge.text.clone()).unwrap_or_default(),
        span: edge.map(|edge| edge.span).unwrap_or_default(),
        reason: missing.reason,
    }
}
