//! What the searches for an answer share, and what comes of them.

use ample_search::{Counts, Limits, Observer, Progress, Search, SearchOutcome, Slices, StopAt, typical_states};
use ample_store::{Abstraction, MatchingStore, StoreEntry, SubsumingStore};
use ample_transition::{
    Budget, Cover, KeyUse, Reduction, StateLength, Store, StoreConfig, SuccessorBuffer, Successors, TypicalStates,
};

use super::iteration::Iteration;
use super::weighed::WeighedPlan;
use crate::coverage::TemplateOf;
use crate::layers::SearchSpec;
use crate::layers::pool::{KnownTypical, StorePool};
use crate::memory::process_bytes;
use crate::options::Options;
use crate::plan::{Algorithm, Plan};
use crate::system::System;

/// Memory that is not counted one by one: buffers, code, the allocator's own.
const SPARE: u64 = 8 << 20;

/// Another store, for what has this length, if there is room for one.
pub(crate) type MakeStore<'a> = &'a dyn Fn(StateLength) -> Option<Box<dyn Store>>;

/// Told of each expanded state with all its successors, and of what its processes run.
pub(crate) type StateObserver<'a> = &'a (dyn Fn(TemplateOf<'_>, &[u8], &SuccessorBuffer) + Sync);

/// What came of a strategy.
pub(crate) struct Answered {
    /// The plan of the last search.
    pub plan: Plan,
    /// What it found.
    pub outcome: SearchOutcome,
    /// The runs of a loop.
    pub refinement: Vec<Iteration>,
    /// The plans among which it was chosen.
    pub weighed: Vec<WeighedPlan>,
}

impl Answered {
    /// What came of one search.
    pub fn of(plan: Plan, outcome: SearchOutcome) -> Answered {
        Answered { plan, outcome, refinement: Vec::new(), weighed: Vec::new() }
    }
}

/// What the searches for an answer share.
pub(crate) struct SearchContext<'a, 'p> {
    pub system: &'a System<'a>,
    /// Whether one violation is enough.
    pub stop_at: StopAt,
    /// Where to stop. The deadline is that of all searches together.
    pub limits: Limits,
    /// Told how far the search is.
    pub progress: Option<&'p mut (dyn Progress + 'p)>,
    /// Told of every expanded state with its successors.
    pub observer: Option<StateObserver<'a>>,
    /// Stores of searches that are much alike.
    pub pool: Option<&'a StorePool>,
    /// Typical states of searches that take turns.
    pub typical: Option<&'a KnownTypical>,
    /// What the last first pass explored.
    pub first_pass: Option<Counts>,
    /// What the searches may take of the memory, if that is shared with others that are held.
    pub budget: Option<Budget>,
    /// Where a search is held.
    pub slices: Option<Slices<'a>>,
}

impl<'a> SearchContext<'a, '_> {
    /// For searches with these options, of whose progress nobody is told.
    pub fn new(system: &'a System<'a>, options: &Options, observer: Option<StateObserver<'a>>) -> Self {
        SearchContext::within_limits(system, options.stop_at, options.limits.clone(), observer)
    }

    fn within_limits(
        system: &'a System<'a>,
        stop_at: StopAt,
        limits: Limits,
        observer: Option<StateObserver<'a>>,
    ) -> Self {
        SearchContext {
            system,
            stop_at,
            limits,
            progress: None,
            observer,
            pool: None,
            typical: None,
            first_pass: None,
            budget: None,
            slices: None,
        }
    }

    /// For a search within other limits, of which nobody is told.
    pub fn within(&mut self, limits: Limits) -> SearchContext<'a, '_> {
        SearchContext {
            system: self.system,
            stop_at: self.stop_at,
            limits,
            progress: reborrow(&mut self.progress),
            observer: None,
            pool: self.pool,
            typical: self.typical,
            first_pass: None,
            budget: self.budget.clone(),
            slices: self.slices,
        }
    }

    /// What the searches may take of the memory.
    pub fn budget(&self) -> Budget {
        self.budget.clone().unwrap_or_else(|| budget(&self.limits, 0))
    }

    /// The same searches of another system, of whose transitions somebody else is told.
    pub fn of<'b>(&'b mut self, system: &'b System<'b>, observer: Option<StateObserver<'b>>) -> SearchContext<'b, 'b> {
        let (stop_at, limits) = (self.stop_at, self.limits.clone());
        let (progress, slices) = (reborrow(&mut self.progress), self.slices);
        SearchContext { progress, slices, ..SearchContext::within_limits(system, stop_at, limits, observer) }
    }

    /// The same for searches of one system, whose typical states are known.
    pub fn knowing<'b>(&'b mut self, typical: &'b KnownTypical) -> SearchContext<'b, 'b>
    where
        'a: 'b,
    {
        let (limits, observer) = (self.limits.clone(), self.observer);
        SearchContext { typical: Some(typical), observer, ..self.within(limits) }
    }

    /// The same for a series of searches that share their stores.
    pub fn sharing<'b>(&'b mut self, pool: &'b StorePool) -> SearchContext<'b, 'b>
    where
        'a: 'b,
    {
        let limits = self.limits.clone();
        SearchContext { pool: Some(pool), ..self.within(limits) }
    }

    /// Makes a store, and then the search with it and with a way to make another one like it.
    pub fn run(
        &mut self,
        plan: &Plan,
        spec: &SearchSpec<'_>,
        run: impl FnOnce(Search<'_>, MakeStore<'_>) -> SearchOutcome,
    ) -> SearchOutcome {
        let limits = Limits { max_time: self.limits.stop().left(), deadline: None, ..self.limits.clone() };
        let mut stores = Stores::new(self, plan, spec.system);
        if spec.reduction.is_none() && matches!(plan.algorithm, Algorithm::Order(_)) {
            stores.key_use = KeyUse::References;
        }
        let make = |length| stores.make(length);
        let make_exact = || stores.make_exact(spec);
        let asks_begun = spec.reduction.is_some_and(|(_, condition)| condition.needs().begun);
        let store = stores.make_first(spec);
        let begun = if asks_begun { make(stores.usual).map(Some) } else { Some(None) };
        let (Some(store), Some(begun)) = (store, begun) else { return SearchOutcome::not_begun() };
        let reduction =
            |(expander, condition)| Reduction { expander, condition, begun: begun.as_deref(), log: spec.log };
        let has_assumption_failed = || spec.has_failed();
        let (watch, template_of) = (self.observer, self.system.template_of);
        let tell =
            watch.map(|watch| move |state: &[u8], successors: &SuccessorBuffer| watch(template_of, state, successors));
        let search = Search {
            system: spec.system,
            store,
            make_exact_store: &make_exact,
            budget: &stores.budget,
            threads: plan.threads,
            wanted: spec.wanted,
            stop_at: self.stop_at,
            limits: &limits,
            progress: reborrow(&mut self.progress),
            observer: tell.as_ref().map(|tell| tell as Observer<'_>),
            reduction: spec.reduction.map(reduction),
            has_assumption_failed: if spec.has_assumptions() { Some(&has_assumption_failed) } else { None },
            slices: self.slices,
        };
        run(search, &make)
    }
}

/// Makes the stores of a search.
struct Stores<'a> {
    pool: Option<&'a StorePool>,
    plan: &'a Plan,
    budget: Budget,
    /// The length of states.
    usual: StateLength,
    typical: TypicalStates,
    /// What the keys of the store are for. Reductions and searches for cycles compare them.
    key_use: KeyUse,
}

impl<'a> Stores<'a> {
    fn new(context: &SearchContext<'a, '_>, plan: &'a Plan, system: &dyn Successors) -> Self {
        let pool = context.pool;
        let budget = match pool {
            Some(pool) => pool.budget(|kept| budget(&context.limits, kept)),
            None => context.budget(),
        };
        let known = context.typical.or(pool.map(|pool| &pool.typical));
        let typical = known.map_or_else(|| typical_states(system).into(), |known| known.of(system));
        Stores { pool, plan, budget, usual: system.state_length(), typical, key_use: KeyUse::Identities }
    }

    /// The store of the plan, for what has this length.
    fn make(&self, length: StateLength) -> Option<Box<dyn Store>> {
        // Keys of another length are no states of the system.
        let typical = if length == self.usual { self.typical.clone() } else { TypicalStates::default() };
        let config = StoreConfig { budget: self.budget.clone(), length, typical, key_use: self.key_use };
        match self.pool {
            Some(pool) => pool.store(self.plan.store, &config),
            None => (self.plan.store.make)(&config).ok(),
        }
    }

    /// That of the search: of states, of those that no other one covers, or of what an abstraction
    /// makes of them.
    fn make_first<'s>(&self, spec: &SearchSpec<'s>) -> Option<Box<dyn Store + 's>> {
        match (spec.cover, spec.abstraction) {
            (None, None) => self.make(self.usual).map(|store| store as Box<dyn Store + 's>),
            (Some(cover), _) => self.subsuming(cover),
            (None, Some(abstraction)) => self.matching(self.plan.store, abstraction, self.key_use),
        }
    }

    /// One for a trace to a violation. Not from the pool: the search still has its own store.
    fn make_exact<'s>(&self, spec: &SearchSpec<'s>) -> Option<Box<dyn Store + 's>> {
        let (entry, key_use) = (self.plan.exact_store(), KeyUse::Identities);
        match (spec.cover, spec.abstraction) {
            (None, None) => (entry.make)(&self.config(key_use)).ok().map(|store| store as Box<dyn Store + 's>),
            (Some(cover), _) => self.subsuming(cover),
            (None, Some(abstraction)) => self.matching(entry, abstraction, key_use),
        }
    }

    /// One that keeps the states that no other covers.
    fn subsuming<'s>(&self, cover: &'s dyn Cover) -> Option<Box<dyn Store + 's>> {
        let store = SubsumingStore::new(cover, &self.config(self.key_use)).ok()?;
        Some(Box::new(store))
    }

    /// One that remembers what an abstraction makes of states.
    fn matching<'s>(
        &self,
        entry: &StoreEntry,
        abstraction: &'s dyn Abstraction,
        key_use: KeyUse,
    ) -> Option<Box<dyn Store + 's>> {
        let store = (entry.make)(&MatchingStore::config(abstraction, &self.config(key_use))).ok()?;
        Some(Box::new(MatchingStore::new(abstraction, store)))
    }

    /// For states of the system.
    fn config(&self, key_use: KeyUse) -> StoreConfig {
        let (budget, typical) = (self.budget.clone(), self.typical.clone());
        StoreConfig { budget, length: self.usual, typical, key_use }
    }
}

/// The same, for a while.
pub(crate) fn reborrow<'p>(progress: &'p mut Option<&mut (dyn Progress + '_)>) -> Option<&'p mut (dyn Progress + 'p)> {
    match progress {
        Some(progress) => Some(&mut **progress),
        None => None,
    }
}

/// What is left of the memory limit for the search, besides what the process has in use already and
/// needs on the way. Of that, `kept` bytes are for the search, too.
fn budget(limits: &Limits, kept: usize) -> Budget {
    let Some(max) = limits.max_memory else { return Budget::unlimited() };
    let in_use = process_bytes().unwrap_or_default().saturating_sub(kept as u64);
    let rest = max.saturating_sub(in_use).saturating_sub(SPARE.min(max / 8));
    Budget::new(usize::try_from(rest).unwrap_or(usize::MAX))
}
