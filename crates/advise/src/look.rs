//! A look at a way to ask: its search, and what its first states tell.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use ample_check::{
    CheckError, Fairness, Goal, Job, Options, Outcome, Prepared, PropertyOutcome, Question, SAMPLE_STEP, Verdict, Way,
    check_in_slices,
};
use ample_guarantee::{ClassSet, Part, PartKind};
use ample_search::{Ended, Holder, Limits, Next, Progress, Sample, Slices, Snapshot};
use ample_stdx::lock;

use crate::asked::Advise;
use crate::tried::{Ask, Came, Searched};

/// So many states are expanded at first, as by `--reduce auto`.
const FIRST_STATES: u64 = 20 * SAMPLE_STEP;

/// More of them, as long as no more time than this is over: what comes to its end then needs no
/// guess.
const FIRST_SECONDS: f64 = 0.25;

/// How long a look may take.
#[derive(Copy, Clone)]
pub(crate) enum Patience {
    /// The first states, in no more than this time.
    First(Duration),
    /// To the end, in this time.
    ToTheEnd(Duration),
}

/// What a search showed from time to time.
struct FirstStates {
    samples: Mutex<Vec<Sample>>,
}

impl Holder for FirstStates {
    fn hold(&self, sample: &Sample) -> Next {
        lock(&self.samples).push(*sample);
        let is_enough = sample.expanded >= FIRST_STATES && sample.seconds >= FIRST_SECONDS;
        if is_enough { Next::GiveUp } else { Next::Until(sample.expanded + SAMPLE_STEP) }
    }
}

/// What came of a look, with the samples of the first states.
pub(crate) fn look(
    advise: &Advise<'_>,
    (prepared, question): (&Prepared<'_>, &Question),
    ask: &Ask,
    patience: Patience,
    progress: &mut dyn Progress,
) -> Result<(Came, Vec<Sample>), CheckError> {
    let (Patience::First(time) | Patience::ToTheEnd(time)) = patience;
    let is_about_runs = matches!(question.goal, Goal::AcceptedRun(_));
    let options = ask.options(Options {
        fairness: if is_about_runs { advise.fairness } else { Fairness::None },
        techniques: advise.techniques,
        limits: Limits { max_time: Some(time), deadline: None, ..advise.limits.clone() },
        ..Options::default()
    });
    let first = FirstStates { samples: Mutex::default() };
    let slices = Slices { first: SAMPLE_STEP, holder: &first };
    let mut quiet = Unnamed(progress);
    let job = Job {
        system: prepared.system(),
        select: vec![question.property.name.to_string()],
        options,
        loops: advise.loops,
        progress: Some(&mut quiet),
    };
    let started = Instant::now();
    let slices = matches!(patience, Patience::First(_)).then_some(slices);
    let came = match check_in_slices(job, slices) {
        Ok(outcome) => came(ask, outcome, started.elapsed()),
        Err(error) if error.is_internal() => return Err(error),
        Err(error) => Came::Refused(error.to_string()),
    };
    let samples = std::mem::take(&mut *lock(&first.samples));
    Ok((came, samples))
}

fn came(ask: &Ask, outcome: Outcome, time: Duration) -> Came {
    let Some(property) = outcome.properties.into_iter().next() else { return Came::NothingToDo };
    let is_used = |part: &&'static Part| property.reductions.contains(part);
    match ask {
        // Passes that find nothing to rewrite are no part of the plan.
        Ask::In(way) if is_list_only(way) && !way.reductions.iter().any(is_used) => Came::NothingToDo,
        _ => searched(property, time),
    }
}

/// Whether a way is nothing but reductions of a list, and has some.
fn is_list_only(way: &Way) -> bool {
    *way == Way { reductions: way.reductions.clone(), ..Way::default() } && !way.reductions.is_empty()
}

fn searched(property: PropertyOutcome, time: Duration) -> Came {
    let is_settled = matches!(property.ended, None | Some(Ended::Complete | Ended::FirstViolation))
        && property.verdict != Verdict::Unknown;
    let memory = property.run.as_ref().map_or(0, |run| run.memory.max(run.store_memory));
    Came::Searched(Searched {
        is_settled,
        verdict: property.verdict,
        trace: property.violations.first().map(|violation| violation.trace.transitions.len()),
        counts: property.counts,
        seconds: time.as_secs_f64(),
        memory,
        estimate: None,
        preserves: preserves(&property),
        order: property.run.as_ref().map(|run| run.order),
        reason: property.reason,
        reductions: property.reductions,
    })
}

/// What the reductions preserve. A loop counts as long as it is not exact: then its parts say it.
fn preserves(property: &PropertyOutcome) -> ClassSet {
    let parts = property.reductions.iter().filter(|part| part.kind != PartKind::Under);
    parts.map(|part| part.guarantee.no_missed).fold(ClassSet::ALL, ClassSet::intersection)
}

/// Tells how far a search is, but not what it is about: that was said by who tries the ways.
struct Unnamed<'p>(&'p mut dyn Progress);

impl Progress for Unnamed<'_> {
    fn report(&mut self, snapshot: &Snapshot) {
        self.0.report(snapshot);
    }
}
