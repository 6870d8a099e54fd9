//! Running a job: plan, search, replay, judge; property after property.

use std::sync::{Arc, Mutex, MutexGuard};

use ample_guarantee::{NoErrorFound, Part, decide, parts};
use ample_product::{Fairness, Product, system_part};
use ample_property::Formula;
use ample_reduction::{Deciding, Reduced};
use ample_replay::Forbids;
use ample_search::{
    Acceptance, Counts, Emptiness, EmptinessEntry, Ended, Limit, Limits, Observer, OrderEntry, Progress, Search,
    SearchOutcome, StopAt, dfs_with_sleep_sets, typical_states,
};
use ample_stdx::Stopped;
use ample_transition::{
    Budget, CycleCondition, Expander, FaultKind, Independence, Reduction, StateLength, Store, StoreConfig, Successor,
    Successors,
};

use crate::advice;
use crate::automatic;
use crate::chooser::{self, Chosen};
use crate::job::Reducible;
use crate::judged::{self, Judged};
use crate::memory::process_bytes;
use crate::plan::{self, Planned, Way};
use crate::select::{self, Asked, Question, Selected};
use crate::series::Series;
use crate::under;
use crate::vacuity::Noted;
use crate::{
    CheckError, Choice, Claim, Coverage, Job, Options, Outcome, PropertyOutcome, Run, System, Verdict,
    default_max_memory, process_peak_bytes,
};

/// Another store, for what has this length, if there is room for one.
type MakeStore<'a> = &'a dyn Fn(StateLength) -> Option<Box<dyn Store>>;

/// Memory that is not counted one by one: buffers, code, the allocator's own.
const SPARE: u64 = 8 << 20;

/// Of the memory limit, one part in so many is for the decisions of a first pass.
const SHARE_OF_DECISIONS: u64 = 8;

/// Checks what the job asks for.
pub fn check(job: Job<'_>) -> Result<Outcome, CheckError> {
    let Job { system, select, options, mut progress } = job;
    let mut selected = select::select(&system, &select, &options.reduce)?;
    assume(options.fairness, &mut selected);
    let runner = Runner::new(&system, options);
    // Before any search: what cannot be done is said at once.
    let plans = runner.plan_all(&selected)?;
    let mut properties = Vec::new();
    for (selected, planned) in selected.into_iter().zip(plans) {
        properties.push(match (selected, planned) {
            (Selected::Search(question), Some(planned)) => {
                if let Some(progress) = &mut progress {
                    progress.begin(&question.property.name);
                }
                runner.answer(&question, &planned, reborrow(&mut progress))?
            }
            (Selected::Search(question), None) => {
                not_checked(question.property.name.into(), question.kind, String::new())
            }
            (Selected::Cannot { name, kind, reason }, _) => not_checked(name, kind, reason),
        });
    }
    Ok(Outcome::new(properties, &system))
}

/// Of endless runs only the fair ones count.
fn assume(fairness: Fairness, selected: &mut [Selected]) {
    for selected in selected {
        if let Selected::Search(Question { asked: Asked::Runs(claim), .. }) = selected {
            *claim = Arc::new((**claim).clone().under(fairness));
        }
    }
}

/// Explores the whole space within the limits, on one thread, and shows every transition to `observer`. Looks for nothing.
pub fn explore(
    system: &System<'_>,
    options: Options,
    progress: Option<&mut dyn Progress>,
    observer: &mut (dyn FnMut(&[u8], &Successor<'_>) + Send),
) -> Result<SearchOutcome, CheckError> {
    // One thread, and an order that is the same each time.
    let order = if options.order == Choice::Auto { Choice::parse(parts::DFS.name) } else { options.order };
    let options = Options { order, threads: Some(1), stop_at: StopAt::End, ..options };
    let observer = Mutex::new(observer);
    let runner = Runner::new(system, options);
    let planned = plan::for_faults(&runner.options, system.execution)?;
    let observer: Observer<'_> = &|state, successor| lock(&observer)(state, successor);
    Ok(runner.search(&planned, &Asked::Faults(Vec::new()), progress, Some(observer)))
}

/// Searches as a question asks for it, within the limits, and looks for nothing. Refuses what would be refused.
pub(crate) fn wander(system: &System<'_>, select: &[String], options: Options) -> Result<SearchOutcome, CheckError> {
    let selected = select::select(system, select, &options.reduce)?;
    let runner = Runner::new(system, options);
    match runner.plan_all(&selected)?.into_iter().flatten().next() {
        Some(planned) => Ok(runner.search(&planned, &Asked::Faults(Vec::new()), None, None)),
        None => Ok(SearchOutcome::not_begun()),
    }
}

/// What one search is about.
struct Sought<'s> {
    system: &'s dyn Successors,
    /// The faults that count.
    wanted: &'s [FaultKind],
    /// What the search itself leaves out.
    reduction: Option<(&'s dyn Expander, &'s dyn CycleCondition)>,
    /// What was left out beforehand or is left out by the search, and may turn out not to apply.
    doubt: Option<&'s dyn Expander>,
    /// By what transitions sleep. It may turn out not to apply, too.
    sleep: Option<&'s dyn Independence>,
}

impl Sought<'_> {
    /// Whether something is left out that may turn out to be needed.
    fn is_in_doubt(&self) -> bool {
        self.doubt.is_some() || self.sleep.is_some()
    }

    /// Whether that is so.
    fn has_failed(&self) -> bool {
        self.doubt.is_some_and(|expander| expander.has_failed()) || self.sleep.is_some_and(|sleep| sleep.has_failed())
    }
}

/// A claim, and the system whose runs it is about.
struct Runs<'s> {
    claim: &'s Claim,
    system: &'s dyn Successors,
    doubt: Option<&'s dyn Expander>,
}

pub(crate) struct Runner<'a> {
    pub(crate) system: &'a System<'a>,
    pub(crate) options: Options,
    /// What it shares with others that are much alike.
    series: Option<&'a Series>,
}

impl<'a> Runner<'a> {
    fn new(system: &'a System<'a>, mut options: Options) -> Self {
        options.limits.max_memory = options.limits.max_memory.or_else(default_max_memory);
        options.limits.deadline = options.limits.stop().deadline();
        Runner { system, options, series: None }
    }

    /// For a series of searches.
    pub(crate) fn sharing<'b>(&'b self, series: &'b Series) -> Runner<'b> {
        Runner { options: self.options.clone(), series: Some(series), ..*self }
    }

    /// A plan for each question, or why there is none. An unsound plan is refused, whatever it would find.
    fn plan_all(&self, selected: &[Selected]) -> Result<Vec<Option<Planned>>, CheckError> {
        plan::check_fairness(&self.options, self.system.max_processes)?;
        let (mut plans, mut has_claims) = (Vec::new(), false);
        for selected in selected {
            let Selected::Search(question) = selected else {
                plans.push(None);
                continue;
            };
            let planned = match &self.options.under {
                Some(under) => under::plan(self, under, question)?,
                None => self.plan(&self.options, question)?,
            };
            has_claims |= matches!(question.asked, Asked::Runs(_));
            plans.push(Some(planned));
        }
        plan::check_all_apply(&self.options, &plans.iter().flatten().collect::<Vec<_>>(), has_claims)?;
        Ok(plans)
    }

    fn answer(
        &self,
        question: &Question,
        planned: &Planned,
        mut progress: Option<&mut dyn Progress>,
    ) -> Result<PropertyOutcome, CheckError> {
        if question.is_empty {
            return self.without_search(planned, question);
        }
        if let Some(under) = &self.options.under {
            return under::answer(self, under, question, planned, progress);
        }
        let coverage = Mutex::new(Coverage::default());
        let template_of = self.system.template_of;
        let note = |state: &[u8], successor: &Successor<'_>| lock(&coverage).note(state, successor, template_of);
        let observer: Option<Observer<'_>> = if self.options.coverage { Some(&note) } else { None };
        let (mut planned, tried) = self.try_full(question, planned, reborrow(&mut progress));
        let mut outcome = match tried {
            Some(outcome) => outcome,
            None => self.search(&planned, &question.asked, reborrow(&mut progress), observer),
        };
        if outcome.ended == Ended::Unfounded {
            planned = planned.without_reduction();
            outcome = self.search(&planned, &question.asked, reborrow(&mut progress), observer);
        }
        if let Some((nearer_plan, nearer)) = self.find_nearer(question, &planned, &outcome, progress) {
            (planned, outcome) = (nearer_plan, nearer);
        }
        let mut property = self.judge(&planned, question, outcome)?;
        property.coverage = self.options.coverage.then(|| std::mem::take(&mut *lock(&coverage)));
        Ok(property)
    }

    /// The answer to a question about something that the model does not have.
    fn without_search(&self, planned: &Planned, question: &Question) -> Result<PropertyOutcome, CheckError> {
        let guarantee = decide(&planned.without_reduction().plan, &question.property)?.guarantee;
        Ok(PropertyOutcome {
            verdict: Verdict::Holds,
            reason: None,
            guarantee: guarantee.to_string(),
            notes: question.notes.clone(),
            ..not_checked(question.property.name.to_string(), question.kind, String::new())
        })
    }

    /// The plan to go by; if reductions are left to us, with what comes of a search without one, unless the space is large.
    fn try_full(
        &self,
        question: &Question,
        planned: &Planned,
        progress: Option<&mut dyn Progress>,
    ) -> (Planned, Option<SearchOutcome>) {
        let Some(known) = self.system.reducible.filter(|_| automatic::may_reduce(&self.options)) else {
            return (planned.clone(), None);
        };
        let trial = Runner { options: automatic::trial(&self.options), ..*self };
        let outcome = trial.search(planned, &question.asked, progress, None);
        if outcome.ended != Ended::Limit(Limit::States(automatic::TRIAL_STATES)) {
            return (planned.clone(), Some(outcome));
        }
        (self.plan_reduced(question, known).unwrap_or_else(|| planned.clone()), None)
    }

    /// A plan with a reduction that is sound for the question and worth it, if there is one.
    fn plan_reduced(&self, question: &Question, known: Reducible<'a>) -> Option<Planned> {
        // What a reduction needs to know may take longer to find out than there is time, or than a reduction saves.
        if !automatic::is_small_enough(known.network) {
            return None;
        }
        known.find_out(&self.options.limits.stop().share(2)).ok()?;
        let with_share = |expander: &&'static Part| {
            let planned = self.plan(&automatic::asking_for(&self.options, expander), question).ok()?;
            let expander = chooser::chosen(&planned, Some(known), &question.asked)?.expander;
            let share = automatic::share_reduced(&*expander, self.system.successors, known);
            Some((planned, share))
        };
        automatic::worthwhile(automatic::CONSIDERED.iter().filter_map(with_share).collect())
    }

    /// If the order was left to us and something was found depth first: the same nearer to the beginning.
    fn find_nearer(
        &self,
        question: &Question,
        planned: &Planned,
        outcome: &SearchOutcome,
        progress: Option<&mut dyn Progress>,
    ) -> Option<(Planned, SearchOutcome)> {
        let options =
            automatic::for_shorter_trace(&self.options, planned).filter(|_| !outcome.violations.is_empty())?;
        let planned = self.plan(&options, question).ok()?;
        // No longer than the search for a reduction took.
        let brief = Runner { options: automatic::trial(&options), ..*self };
        let nearer = brief.search(&planned, &question.asked, progress, None);
        (!nearer.violations.is_empty()).then_some((planned, nearer))
    }

    /// A sound plan for a question, or why there is none.
    pub(crate) fn plan(&self, options: &Options, question: &Question) -> Result<Planned, CheckError> {
        let planned = match &question.asked {
            Asked::Faults(_) => plan::for_faults(options, self.system.execution)?,
            Asked::Runs(claim) => plan::for_runs(options, self.system.execution, claim)?,
        };
        decide(&planned.plan, &question.property)?;
        plan::check_reduction(&planned, self.system)?;
        Ok(planned)
    }

    pub(crate) fn search(
        &self,
        planned: &Planned,
        asked: &Asked,
        progress: Option<&mut dyn Progress>,
        observer: Option<Observer<'_>>,
    ) -> SearchOutcome {
        if let Some(stopped) = self.stopped_before(planned) {
            return stopped;
        }
        let chosen = chooser::chosen(planned, self.system.reducible, asked);
        self.search_with(chosen, planned, asked, progress, observer)
    }

    /// Finds out what a reduction must know, if the plan has one. If it is time to stop before that is done, what comes of the search.
    pub(crate) fn stopped_before(&self, planned: &Planned) -> Option<SearchOutcome> {
        let known = self.system.reducible.filter(|_| planned.reduction.is_some() || planned.has_sleep)?;
        let limits = &self.options.limits;
        let ended = match known.find_out(&limits.stop()).err()? {
            Stopped::Interrupted => Ended::Interrupted,
            Stopped::OutOfTime => Ended::Limit(Limit::Time(limits.max_time.unwrap_or_default())),
        };
        Some(SearchOutcome { ended, ..SearchOutcome::not_begun() })
    }

    /// Searches with what is chosen among the transitions, or with all of them.
    pub(crate) fn search_with(
        &self,
        chosen: Option<Chosen<'_>>,
        planned: &Planned,
        asked: &Asked,
        progress: Option<&mut dyn Progress>,
        observer: Option<Observer<'_>>,
    ) -> SearchOutcome {
        match (asked, planned.way) {
            (Asked::Faults(wanted), Way::Order(order)) => {
                let chosen = chosen.map(|chosen| (Chosen::noting(chosen.expander, chosen.notes), chosen.condition));
                let (expander, condition) = chosen.unzip();
                let sleep = chooser::independence(planned, self.system.reducible);
                let asked = Sought {
                    system: self.system.successors,
                    wanted,
                    reduction: expander.as_deref().zip(condition),
                    doubt: expander.as_deref(),
                    sleep: sleep.as_deref(),
                };
                self.run(planned, &asked, progress, observer, |search, _| match asked.sleep {
                    Some(sleep) => dfs_with_sleep_sets(search, sleep),
                    None => (order.run)(search),
                })
            }
            (Asked::Faults(_), Way::Emptiness(_)) => SearchOutcome::not_begun(),
            (Asked::Runs(claim), _) => self.search_runs(chosen, planned, claim, progress, observer),
        }
    }

    /// Looks for a run that a claim forbids, in the product of the claim with the system or with what a reduction leaves of it.
    fn search_runs(
        &self,
        chosen: Option<Chosen<'_>>,
        planned: &Planned,
        claim: &Claim,
        mut progress: Option<&mut dyn Progress>,
        observer: Option<Observer<'_>>,
    ) -> SearchOutcome {
        let note = |state: &[u8], successor: &Successor<'_>| {
            if let Some(observer) = observer {
                observer(system_part(state), successor);
            }
        };
        let observer: Option<Observer<'_>> = if observer.is_some() { Some(&note) } else { None };
        let chosen = match chosen {
            Some(Chosen { expander, condition, notes }) if condition.needs().is_nothing() => {
                Some(Chosen::noting(expander, notes))
            }
            Some(Chosen { expander, condition, notes }) => {
                match self.first_pass(planned, expander, condition, reborrow(&mut progress)) {
                    Ok(decided) => Some(Chosen::noting(decided, notes)),
                    Err(ended_early) => return *ended_early,
                }
            }
            None => None,
        };
        let full = self.system.successors;
        let reduced = chosen.as_deref().map(|expander| Reduced { system: full, expander });
        let system = reduced.as_ref().map_or(full, |reduced| reduced);
        let runs = Runs { claim, system, doubt: chosen.as_deref() };
        match planned.way {
            Way::Order(order) => self.search_prefix(planned, order, &runs, progress, observer),
            Way::Emptiness(emptiness) => self.search_run(planned, emptiness, &runs, progress, observer),
        }
    }

    /// Visits the system alone and settles which transitions are taken in each state. If that does not come to an end, what came of it.
    fn first_pass<'c>(
        &self,
        planned: &Planned,
        expander: Box<dyn Expander + 'c>,
        condition: &dyn CycleCondition,
        progress: Option<&mut dyn Progress>,
    ) -> Result<Box<dyn Expander + 'c>, Box<SearchOutcome>> {
        let max_bytes = self.options.limits.max_memory.map_or(usize::MAX, |max| (max / SHARE_OF_DECISIONS) as usize);
        let deciding = Deciding::new(expander, max_bytes);
        let sought = Sought {
            system: self.system.successors,
            wanted: &[],
            reduction: Some((&deciding, condition)),
            doubt: Some(&deciding),
            sleep: None,
        };
        let (order, threads) = planned.first_pass(condition);
        let outcome = self.run(planned, &sought, progress, None, |search, _| order(Search { threads, ..search }));
        match outcome.ended {
            Ended::Complete => {
                if let Some(series) = self.series {
                    series.note_first_pass(&outcome.counts);
                }
                Ok(Box::new(deciding.decided()))
            }
            _ => Err(Box::new(outcome)),
        }
    }

    /// Looks for the beginning of a run that is forbidden however it goes on.
    fn search_prefix(
        &self,
        planned: &Planned,
        order: &OrderEntry,
        runs: &Runs<'_>,
        progress: Option<&mut dyn Progress>,
        observer: Option<Observer<'_>>,
    ) -> SearchOutcome {
        let Runs { claim, system, doubt } = *runs;
        let propositions = &*self.system.propositions.make(claim.propositions());
        let noted = Noted { propositions, conditions: &claim.conditions };
        let product = Product::new(system, &claim.automaton, &noted, claim.finite)
            .until_bad_prefix(claim.sinks().unwrap_or_default(), claim.prefix_fault());
        // A proposition that has no value is no answer either.
        let wanted = [FaultKind::BadPrefix, FaultKind::RuntimeError];
        let sought = Sought { system: &product, wanted: &wanted, reduction: None, doubt, sleep: None };
        self.run(planned, &sought, progress, observer, |search, _| (order.run)(search))
    }

    /// Looks for an endless run that is forbidden.
    fn search_run(
        &self,
        planned: &Planned,
        emptiness: &EmptinessEntry,
        runs: &Runs<'_>,
        progress: Option<&mut dyn Progress>,
        observer: Option<Observer<'_>>,
    ) -> SearchOutcome {
        let Runs { claim, system, doubt } = *runs;
        let propositions = &*self.system.propositions.make(claim.propositions());
        let noted = Noted { propositions, conditions: &claim.conditions };
        let automaton = if emptiness.is_generalised { claim.generalised() } else { &claim.automaton };
        let product = Product::new(system, automaton, &noted, claim.finite);
        let product = if emptiness.is_generalised { product.with_marks(claim.fairness) } else { product };
        let wanted = [FaultKind::RuntimeError];
        let sought = Sought { system: &product, wanted: &wanted, reduction: None, doubt, sleep: None };
        self.run(planned, &sought, progress, observer, |search, make_store| {
            (emptiness.run)(Emptiness {
                search,
                acceptance: match emptiness.is_generalised {
                    true => Acceptance::Marks(product.marks()),
                    false => Acceptance::States(&product),
                },
                is_weak: claim.fairness == Fairness::None && automaton.is_weak(),
                make_store,
                fault: claim.fault.clone(),
            })
        })
    }

    /// Makes a store, and then the search with it and with a way to make another one like it.
    fn run(
        &self,
        planned: &Planned,
        sought: &Sought<'_>,
        progress: Option<&mut dyn Progress>,
        observer: Option<Observer<'_>>,
        run: impl FnOnce(Search<'_>, MakeStore<'_>) -> SearchOutcome,
    ) -> SearchOutcome {
        let mut limits = self.options.limits.clone();
        limits.max_time = limits.stop().left();
        limits.deadline = None;
        let budget = match self.series {
            Some(series) => series.budget(|kept| budget(&limits, kept)),
            None => budget(&limits, 0),
        };
        let usual = sought.system.state_length();
        let typical = self.series.map_or_else(|| typical_states(sought.system), |series| series.typical(sought.system));
        let make = |length: StateLength| {
            // Keys of another length are no states of the system.
            let typical = if length == usual { typical.clone() } else { Vec::new() };
            let config = StoreConfig { budget: budget.clone(), length, typical };
            match self.series {
                Some(series) => series.store(planned.store, &config),
                None => (planned.store.make)(&config).ok(),
            }
        };
        let Some(store) = make(usual) else { return SearchOutcome::not_begun() };
        let asks_begun = sought.reduction.is_some_and(|(_, condition)| condition.needs().begun);
        let begun = if asks_begun { make(usual) } else { None };
        if asks_begun && begun.is_none() {
            return SearchOutcome::not_begun();
        }
        let is_unfounded = || sought.has_failed();
        let search = Search {
            system: sought.system,
            store,
            budget: &budget,
            threads: planned.threads,
            wanted: sought.wanted,
            stop_at: self.options.stop_at,
            limits: &limits,
            // The casts shorten the life of the trait objects to that of the limits and the store.
            progress: progress.map(|progress| progress as &mut dyn Progress),
            observer,
            reduction: sought.reduction.map(|(expander, condition)| Reduction {
                expander,
                condition,
                begun: begun.as_deref(),
            }),
            is_unfounded: if sought.is_in_doubt() { Some(&is_unfounded) } else { None },
        };
        run(search, &make)
    }

    /// Turns what a search found into a verdict. The bounds that were reached join the plan; the decision does the rest.
    pub(crate) fn judge(
        &self,
        planned: &Planned,
        question: &Question,
        outcome: SearchOutcome,
    ) -> Result<PropertyOutcome, CheckError> {
        let claim = match &question.asked {
            Asked::Faults(_) => None,
            Asked::Runs(claim) => Some(claim.clone()),
        };
        let bound = plan::bound_reached(outcome.ended, &self.options.limits);
        let plan = match bound {
            Some((part, _)) => planned.plan.clone().with(part),
            None => planned.plan.clone(),
        };
        let decision = decide(&plan, &question.property)?;
        let run = how_it_ran(planned, &outcome);
        let judged = judged::replay(outcome.violations, self.system, claim.as_deref(), question, decision.error_found)?;
        let guarantee = judged.guarantee(&outcome.untraced, outcome.ended, decision.guarantee);
        let Judged { violations, candidates, rejected } = judged;
        let (verdict, reason) = match (violations.first(), decision.no_error_found) {
            (Some(violation), _) => (Verdict::Violated, Some(violation.fault.message.clone())),
            (None, _) if let Some(candidate) = candidates.first() => {
                (Verdict::Unknown, Some(format!("{}; {}", candidate.fault.message, advice::NOT_CLOSED)))
            }
            (None, _) if rejected > 0 => (Verdict::Unknown, Some("every error found is a false one".to_owned())),
            (None, _) if let Some(untraced) = outcome.untraced.first() => {
                (Verdict::Unknown, Some(advice::without_a_way(untraced, &self.options.limits)))
            }
            (None, NoErrorFound::Holds) => (Verdict::Holds, None),
            (None, NoErrorFound::Unknown(reason)) => {
                let limit = bound.and_then(|(_, limit)| limit).map(|limit| format!(" ({limit})"));
                let probability = run.omission_probability.filter(|_| bound.is_none());
                let probability =
                    probability.map(|p| format!(" (each state is missed with a probability of at most {p:.1e})"));
                (Verdict::Unknown, Some(reason + &limit.or(probability).unwrap_or_default()))
            }
        };
        let is_out_of_memory = matches!(outcome.ended, Ended::StoreFull | Ended::Limit(Limit::Memory(_)));
        let advice = is_out_of_memory.then(|| advice::out_of_memory(&run, &outcome.counts));
        let advice = advice.or((!candidates.is_empty()).then(|| advice::NOT_CLOSED.to_owned()));
        Ok(PropertyOutcome {
            name: question.property.name.to_string(),
            kind: question.kind,
            verdict,
            reason,
            guarantee,
            ended: Some(outcome.ended),
            run: Some(run),
            notes: question.notes.clone(),
            never_true: self.never_true(verdict, claim.as_deref()),
            advice,
            counts: outcome.counts,
            seconds: outcome.seconds,
            peak_memory_bytes: process_peak_bytes().unwrap_or(outcome.memory),
            reductions: plan.reductions(),
            violations,
            fairness: claim.as_ref().map_or(Fairness::None, |claim| claim.fairness),
            candidates,
            untraced: outcome.untraced,
            claim,
            coverage: None,
            refinement: Vec::new(),
        })
    }

    /// What was never seen to be true, if that means something: an under-approximation may have left it out.
    fn never_true(&self, verdict: Verdict, claim: Option<&Claim>) -> Vec<Formula> {
        let claim = claim.filter(|_| verdict == Verdict::Holds && self.options.under.is_none());
        claim.map(|claim| claim.conditions.never_true()).unwrap_or_default()
    }
}

/// The same, for a while.
pub(crate) fn reborrow<'p>(progress: &'p mut Option<&mut dyn Progress>) -> Option<&'p mut dyn Progress> {
    match progress {
        Some(progress) => Some(&mut **progress),
        None => None,
    }
}

fn how_it_ran(planned: &Planned, outcome: &SearchOutcome) -> Run {
    Run {
        order: planned.way.part().name,
        is_endless: matches!(planned.way, Way::Emptiness(_)),
        store: planned.store.part.name,
        threads: planned.threads,
        workers: outcome.workers.clone(),
        store_memory: outcome.store_memory,
        omission_probability: outcome.omission_probability,
    }
}

/// What is left of the memory limit for the search, besides what the process has in use already and needs on the way. Of that, `kept` bytes are
/// for the search, too.
fn budget(limits: &Limits, kept: usize) -> Budget {
    let Some(max) = limits.max_memory else { return Budget::unlimited() };
    let in_use = process_bytes().unwrap_or_default().saturating_sub(kept as u64);
    let rest = max.saturating_sub(in_use).saturating_sub(SPARE.min(max / 8));
    Budget::new(usize::try_from(rest).unwrap_or(usize::MAX))
}

/// What is under the lock is whole after each statement, whatever panics elsewhere.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

pub(crate) fn not_checked(name: String, kind: &'static str, reason: String) -> PropertyOutcome {
    PropertyOutcome {
        name,
        kind,
        verdict: Verdict::Unknown,
        reason: Some(reason),
        guarantee: "not checked".to_owned(),
        ended: None,
        run: None,
        notes: Vec::new(),
        never_true: Vec::new(),
        advice: None,
        counts: Counts::default(),
        seconds: 0.0,
        peak_memory_bytes: 0,
        reductions: Vec::new(),
        violations: Vec::new(),
        fairness: Fairness::None,
        candidates: Vec::new(),
        untraced: Vec::new(),
        claim: None,
        coverage: None,
        refinement: Vec::new(),
    }
}
