//! Ways to check a model, and whether each of them says what the full search says.
//!
//! - [`Plan`]: which transitions are taken, in which order, with what store and on how many
//!   threads;
//! - [`ask`]: the answer that a plan gives to a question;
//! - [`Comparison`]: a model whose answers are compared with those of the full search; [`Tally`]:
//!   what the comparisons were good for;
//! - [`compare_seed`]: a random model with a random formula, in many ways.

mod compare;
mod seeds;
mod tally;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use ample_check::{
    Begin, CheckError, Choice, Fairness, Job, LOOPS, LeavesOut, Options, Pick, Prepared, Reduce, System, Under,
    Verdict, check,
};
use ample_guarantee::{Part, PartKind};
use ample_reduction::{CYCLE_CONDITIONS, EXPANDERS};
use ample_search::{EMPTINESS, Limits, ORDERS, StopAt};
use ample_transition::{Fault, SuccessorBuffer, Successors};

pub use compare::Comparison;
pub use seeds::{Subject, Ways, compare_seed};
pub use tally::{Counts, Row, Tally};

use ample_stdx::Random;

/// The question that every model can be asked.
pub const SAFETY: &str = "safety";

/// Left to the planner.
pub const AUTO: &str = "auto";

/// No reduction at all.
pub const FULL: &str = "none";

/// The stores that keep states apart.
pub const STORES: [&str; 3] = ["collapse", "tree", "exact"];

/// The numbers of threads.
pub const THREADS: [usize; 3] = [1, 2, 8];

/// A way to check. Names are those of the registries, or [`AUTO`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The expander, [`FULL`] for none, or [`AUTO`] for whatever is chosen where nobody says.
    pub por: &'static str,
    /// The cycle condition.
    pub condition: &'static str,
    /// The order of a search for faults.
    pub order: &'static str,
    /// The way to look for infinite runs.
    pub emptiness: &'static str,
    /// The store.
    pub store: &'static str,
    /// The number of threads.
    pub threads: Option<usize>,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// The under-approximation loop, if there is one; [`AUTO`] as the expander leaves it to the
    /// loop.
    pub under: Option<Loop>,
    /// Passes and canonizers, by name. If there are any, no other is taken unasked.
    pub also: [Option<&'static str>; 2],
    /// Whether the search ends with the first violation.
    pub one_is_enough: bool,
}

/// An under-approximation loop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its name.
    pub name: &'static str,
    /// What it takes in next.
    pub pick: Pick,
    /// What it takes in from the beginning.
    pub begin: Option<Begin>,
}

/// The passes and canonizers, by the descriptors.
fn techniques() -> impl Iterator<Item = &'static str> {
    let is_one = |part: &&Part| matches!(part.kind, PartKind::Pass | PartKind::Canonizer) && part.is_reduction();
    ample_check::parts().filter(is_one).map(|part| part.name)
}

/// The loops whose approximations leave out transitions: those that take states for one may have no
/// end.
pub fn loops() -> impl Iterator<Item = &'static str> {
    let of_transitions = LOOPS.iter().filter(|entry| matches!(entry.leaves_out, LeavesOut::Transitions { .. }));
    of_transitions.map(|entry| entry.part.name)
}

impl Plan {
    /// The full search, everything else left to the planner.
    pub const FULL: Plan = Plan {
        por: FULL,
        condition: AUTO,
        order: AUTO,
        emptiness: AUTO,
        store: AUTO,
        threads: Some(1),
        fairness: Fairness::None,
        under: None,
        also: [None; 2],
        one_is_enough: false,
    };

    /// Every pass and canonizer, alone and in pairs; in full and with each expander; for all
    /// violations and for one.
    pub fn of_techniques() -> impl Iterator<Item = Plan> {
        let names: Vec<&'static str> = techniques().collect();
        let alone = names.iter().map(|name| [Some(*name), None]);
        let pairs = (1..names.len()).flat_map(|end| names[..end].iter().map(move |one| (one, end)));
        let all: Vec<_> = alone.chain(pairs.map(|(one, end)| [Some(*one), Some(names[end])])).collect();
        let expanders: Vec<&'static str> = EXPANDERS.iter().map(|entry| entry.part.name).chain([FULL]).collect();
        all.into_iter().flat_map(move |also| {
            let plans = expanders.clone().into_iter().map(move |por| Plan { por, also, ..Plan::FULL });
            plans.flat_map(|plan| [false, true].map(|one_is_enough| Plan { one_is_enough, ..plan }))
        })
    }

    /// A random plan with passes or canonizers.
    pub fn any_technique(question: &str, fairness: Fairness, prng: &mut Random) -> Plan {
        let all: Vec<Plan> = Plan::of_techniques().collect();
        let Plan { also, one_is_enough, .. } = prng.pick(&all).copied().unwrap_or(Plan::FULL);
        Plan { also, one_is_enough, ..Plan::any(question, fairness, prng) }
    }

    /// Every loop, guided and at random, from all beginnings that it has, the rest left to the
    /// planner.
    pub fn of_loops(seed: u64) -> impl Iterator<Item = Plan> {
        let picks = [Pick::Guided, Pick::Random { seed }];
        let loops = loops().map(|name| (name, None)).chain([("cycles", Some(Begin::Visible))]);
        let loops = loops.flat_map(move |(name, begin)| picks.map(|pick| Loop { name, pick, begin }));
        loops.map(|of| Plan { por: AUTO, under: Some(of), ..Plan::FULL })
    }

    /// A random loop with a random expander, cycle condition, way and number of threads.
    pub fn any_loop(question: &str, fairness: Fairness, prng: &mut Random) -> Plan {
        let loops: Vec<Plan> = Plan::of_loops(prng.number()).collect();
        let under = prng.pick(&loops).and_then(|plan| plan.under);
        let plan = Plan { under, ..Plan::any(question, fairness, prng) };
        // Locations alone decide.
        let condition = if under.is_some_and(|under| under.name == "interleaving") { AUTO } else { plan.condition };
        Plan { condition, ..plan }
    }

    /// Every expander with the cycle condition that the planner chooses, and what the planner
    /// chooses by itself.
    pub fn of_expanders() -> impl Iterator<Item = Plan> {
        let names = EXPANDERS.iter().map(|entry| entry.part.name).chain([AUTO]);
        names.map(|por| Plan { por, ..Plan::FULL })
    }

    /// Every expander with every cycle condition.
    pub fn of_conditions() -> impl Iterator<Item = Plan> {
        Plan::of_expanders().filter(|plan| plan.por != AUTO).flat_map(|plan| {
            let names = CYCLE_CONDITIONS.iter().map(|entry| entry.part.name).chain([AUTO]);
            names.map(move |condition| Plan { condition, ..plan })
        })
    }

    /// Every plan there is for a question: expanders, cycle conditions, orders or emptiness
    /// algorithms, threads, stores.
    pub fn all(question: &str, fairness: Fairness) -> Vec<Plan> {
        let mut plans = Vec::new();
        for plan in Plan::of_conditions() {
            for way in (Plan { fairness, ..plan }).ways(question) {
                plans.extend(STORES.map(|store| Plan { store, ..way }));
            }
        }
        plans
    }

    /// The same plan in every order or with every emptiness algorithm, on every number of threads.
    fn ways(self, question: &str) -> Vec<Plan> {
        let orders = ORDERS.iter().map(|entry| (Plan { order: entry.part.name, ..self }, entry.is_parallel));
        let searches: Vec<(Plan, bool)> = match question {
            SAFETY => orders.collect(),
            _ => {
                let fits = |generalised: bool| self.fairness == Fairness::None || generalised;
                let entries = EMPTINESS.iter().filter(|entry| fits(entry.is_generalised));
                let emptiness = entries.map(|entry| (Plan { emptiness: entry.part.name, ..self }, entry.is_parallel));
                emptiness.chain([(Plan { emptiness: AUTO, ..self }, false)]).collect()
            }
        };
        let threads = |is_parallel: bool| if is_parallel { &THREADS[..] } else { &THREADS[..1] };
        let on = |(plan, is_parallel): (Plan, bool)| {
            threads(is_parallel).iter().map(move |threads| Plan { threads: Some(*threads), ..plan })
        };
        searches.into_iter().flat_map(on).collect()
    }

    /// A random plan with a reduction.
    pub fn any(question: &str, fairness: Fairness, prng: &mut Random) -> Plan {
        let conditions: Vec<Plan> = Plan::of_conditions().collect();
        let plan = prng.pick(&conditions).copied().unwrap_or(Plan::FULL);
        let plan = Plan { fairness, ..plan };
        let plan = prng.pick(&plan.ways(question)).copied().unwrap_or(plan);
        let plan = Plan { store: prng.pick(&STORES).copied().unwrap_or(AUTO), ..plan };
        // Some cycle conditions go with one order only.
        let needs_path = CYCLE_CONDITIONS.iter().any(|entry| entry.part.name == plan.condition && entry.needs_path());
        if question == SAFETY && needs_path && prng.chance(80) {
            return Plan { order: "dfs", threads: Some(1), ..plan };
        }
        plan
    }

    /// The reductions that are asked for by name, if passes or canonizers are.
    fn techniques(&self) -> Option<String> {
        let por = (self.por != FULL).then_some("por");
        let names: Vec<&str> = self.also.into_iter().flatten().chain(por).collect();
        self.also[0].map(|_| names.join(","))
    }

    fn options(&self) -> Options {
        let under = self.under.map(|Loop { name, pick, begin }| Under { name: name.to_owned(), pick, begin });
        let reduce = match (self.techniques(), self.por) {
            (Some(list), _) => Reduce::parse(&list),
            (None, FULL) => Reduce::None,
            (None, _) => Reduce::Auto,
        };
        let por = if self.por == FULL { Choice::Auto } else { Choice::parse(self.por) };
        let stops = self.one_is_enough || under.is_some();
        Options {
            por,
            reduce,
            cycle_condition: Choice::parse(self.condition),
            order: Choice::parse(self.order),
            emptiness: Choice::parse(self.emptiness),
            store: Choice::parse(self.store),
            threads: self.threads,
            fairness: self.fairness,
            stop_at: if stops { StopAt::FirstViolation } else { StopAt::End },
            under,
            ..Options::default()
        }
    }
}

impl fmt::Display for Plan {
    /// As flags of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.techniques(), self.por) {
            (Some(list), FULL) => write!(f, "--reduce {list}")?,
            (Some(list), name) => write!(f, "--reduce {list} --por {name}")?,
            (None, FULL) => f.write_str("--reduce none")?,
            (None, AUTO) => f.write_str("--reduce auto")?,
            (None, name) => write!(f, "--por {name}")?,
        }
        if !self.one_is_enough && self.under.is_none() {
            f.write_str(" --keep-going")?;
        }
        if let Some(Loop { name, pick, begin }) = self.under {
            write!(f, " --under {name}")?;
            if begin == Some(Begin::Visible) {
                f.write_str(" --begin visible")?;
            }
            if let Pick::Random { seed } = pick {
                write!(f, " --pick random --seed {seed}")?;
            }
        }
        let flags = [
            ("--proviso", self.condition),
            ("--order", self.order),
            ("--emptiness", self.emptiness),
            ("--store", self.store),
        ];
        for (flag, name) in flags.iter().filter(|(_, name)| *name != AUTO) {
            write!(f, " {flag} {name}")?;
        }
        if let Some(threads) = self.threads {
            write!(f, " --threads {threads}")?;
        }
        self.fairness.name().map_or(Ok(()), |fair| write!(f, " --fair {fair}"))
    }
}

/// What a plan answers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A verdict.
    Given(Given),
    /// Nothing: the plan is not sound for the question, or does not apply.
    Refused(String),
}

/// A verdict and what goes with it.
#[derive(Clone, Debug)]
pub struct Given {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, if it is not known.
    pub reason: Option<String>,
    /// What went wrong, by kind and place. For safety, everything that goes wrong anywhere.
    pub faults: BTreeSet<(&'static str, String)>,
    /// The states that were stored.
    pub states: u64,
    /// The reductions that were used in the end.
    pub reductions: Vec<&'static str>,
}

/// Within these limits each plan must come to an end, or it counts as not settled.
const PATIENCE: Duration = Duration::from_secs(20);

/// Within this memory, too.
const MEMORY: u64 = 2 << 30;

/// Asks a question, `safety` or the name of a property, in one way. What is neither an answer nor a
/// refusal is an error of ours.
pub fn ask(
    prepared: &Prepared<'_>,
    question: &str,
    plan: &Plan,
    max_states: Option<u64>,
) -> Result<Answer, CheckError> {
    let limits = Limits { max_states, max_time: Some(PATIENCE), max_memory: Some(MEMORY), ..Limits::default() };
    let options = Options { limits, ..plan.options() };
    let system = prepared.system();
    let unmeasured = OfAnyLength(system.successors);
    // The walk that the tree store's shape is found by takes longer than to search a small model.
    let successors: &dyn Successors = if plan.store == STORES[0] { system.successors } else { &unmeasured };
    let job = Job {
        system: System { successors, ..system },
        select: vec![question.to_owned()],
        options,
        loops: LOOPS,
        progress: None,
    };
    let outcome = match check(job) {
        Ok(outcome) => outcome,
        Err(CheckError::Conflict(reason)) => return Ok(Answer::Refused(reason)),
        Err(CheckError::Refused(refusal)) => return Ok(Answer::Refused(refusal.to_string())),
        Err(error) => return Err(error),
    };
    let violations = outcome.properties.iter().flat_map(|property| &property.violations);
    Ok(Answer::Given(Given {
        verdict: outcome.verdict,
        reason: outcome.properties.iter().find_map(|property| property.reason.clone()),
        faults: violations.map(|found| (found.fault.kind.name(), format!("{:?}", found.fault.span))).collect(),
        states: outcome.properties.iter().map(|property| property.counts.states).sum(),
        reductions: outcome.properties.iter().flat_map(|property| &property.reductions).map(|part| part.name).collect(),
    }))
}

/// A system that does not say how long its states are.
struct OfAnyLength<'a>(&'a dyn Successors);

impl Successors for OfAnyLength<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.0.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.0.expand_all(state, buffer);
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.0.invalid_end(state)
    }
}
