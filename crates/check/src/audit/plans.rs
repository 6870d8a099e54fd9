//! The plans that a question can be asked through, from the registries of parts, and the order in which they are tried.

use ample_guarantee::{Omission, Part, PartKind, parts};
use ample_interpret::Interpreter;
use ample_product::Fairness;
use ample_property::Property;
use ample_search::{EMPTINESS, ORDERS, StopAt};
use ample_store::STORES;

use crate::job::Reductions;
use crate::select::Asked;
use crate::{Choice, Options, Pick, Prepared, Reduce, Under};

use super::PlanResult;

/// The numbers of threads that are tried where there can be several.
const THREADS: &[usize] = &[1, 2, 8];

/// How statements are executed, and what states look like.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    /// By the interpreter, on states of its own form.
    Interpreted,
    /// By the interpreter, on packed states, which reductions can read.
    Packed,
    /// As machine code.
    Compiled,
}

impl Execution {
    const ALL: [Execution; 3] = [Execution::Compiled, Execution::Packed, Execution::Interpreted];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Execution::Interpreted => parts::INTERPRETER.name,
            Execution::Packed => "packed",
            Execution::Compiled => parts::MACHINE_CODE.name,
        }
    }
}

/// The model, ready for each way of execution; or why it cannot be executed so.
pub(super) struct Executions<'m> {
    interpreted: Result<Prepared<'m>, String>,
    packed: Result<Prepared<'m>, String>,
    compiled: Result<Prepared<'m>, String>,
    fallback: Prepared<'m>,
}

impl<'m> Executions<'m> {
    pub fn new(interpreter: &'m Interpreter<'m>, properties: &[Property]) -> Self {
        let named = |part: &Part| {
            let prepared = Prepared::new(interpreter, properties, &Choice::parse(part.name));
            prepared.map_err(|error| error.to_string())
        };
        let packed = Prepared::packed(interpreter, properties);
        let why = packed.system().why_interpreted.map(str::to_owned);
        Executions {
            interpreted: named(&parts::INTERPRETER),
            packed: why.map_or(Ok(packed), |reason| Err(format!("states cannot be packed: {reason}"))),
            compiled: named(&parts::MACHINE_CODE),
            fallback: Prepared::packed(interpreter, properties),
        }
    }

    pub fn get(&self, execution: Execution) -> Result<&Prepared<'m>, &String> {
        match execution {
            Execution::Interpreted => self.interpreted.as_ref(),
            Execution::Packed => self.packed.as_ref(),
            Execution::Compiled => self.compiled.as_ref(),
        }
    }

    /// The one that defines the answer.
    pub fn reference(&self) -> &Prepared<'m> {
        self.interpreted.as_ref().unwrap_or(&self.fallback)
    }
}

/// One way to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPlan {
    /// How statements are executed.
    pub execution: Execution,
    /// What chooses among transitions and when that may stand; all are taken if nothing does.
    pub reduction: Option<(&'static Part, &'static Part)>,
    /// The under-approximation loop, if there is one; then there is no reduction besides.
    pub under: Option<AuditLoop>,
    /// An order, or how endless runs are looked for.
    pub way: &'static Part,
    /// How states are remembered.
    pub store: &'static Part,
    /// How many threads search.
    pub threads: usize,
}

/// An under-approximation loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLoop {
    /// Which.
    pub part: &'static Part,
    /// The reduction that it makes use of.
    pub expander: &'static Part,
    /// What is let in next.
    pub pick: Pick,
}

impl AuditLoop {
    fn flags(&self) -> String {
        let flags = format!("--under {} --por {}", self.part.name, self.expander.name);
        match self.pick {
            Pick::Guided => flags,
            Pick::Random { seed } => format!("{flags} --pick random --seed {seed}"),
        }
    }
}

impl AuditPlan {
    /// What goes on the command line of `ample check` to ask in this way.
    pub fn flags(&self) -> String {
        let reduction = match (&self.under, self.reduction) {
            (Some(under), _) => under.flags(),
            (None, Some((expander, condition))) => format!("--por {} --proviso {}", expander.name, condition.name),
            (None, None) => "--reduce none".to_owned(),
        };
        let way = if self.way.kind == PartKind::Emptiness { "emptiness" } else { "order" };
        // Packed states are what machine code works on; there is no flag for them alone.
        let exec = if self.execution == Execution::Packed { Execution::Compiled } else { self.execution };
        let (exec, store, name) = (exec.name(), self.store.name, self.way.name);
        format!("--exec {exec} {reduction} --{way} {name} --store {store} --threads {}", self.threads)
    }

    /// The group of plans that it belongs to, by what chooses among transitions.
    pub fn group(&self) -> &'static str {
        match (&self.under, self.reduction) {
            (Some(under), _) => under.part.name,
            (None, Some((expander, _))) => expander.name,
            (None, None) => "all transitions",
        }
    }

    /// Whether all transitions are taken, in one search.
    pub fn is_full(&self) -> bool {
        self.reduction.is_none() && self.under.is_none()
    }

    /// Whether its store may take a state for another.
    pub(super) fn is_lossy(&self) -> bool {
        self.store.guarantee.omission != Omission::None
    }

    pub(super) fn options(&self, options: Options) -> Options {
        let named = |part: &Part| Choice::Named(part.name.to_owned());
        let is_endless = self.way.kind == PartKind::Emptiness;
        let expander = self.expander();
        let under = self.under.as_ref();
        Options {
            order: if is_endless { Choice::Auto } else { named(self.way) },
            emptiness: if is_endless { named(self.way) } else { Choice::Auto },
            store: named(self.store),
            threads: Some(self.threads),
            reduce: if expander.is_some() { Reduce::List(vec!["por".to_owned()]) } else { Reduce::None },
            por: expander.map_or(Choice::Auto, named),
            cycle_condition: self.reduction.map_or(Choice::Auto, |(_, condition)| named(condition)),
            // The first violation ends a loop.
            stop_at: if under.is_some() { StopAt::FirstViolation } else { options.stop_at },
            under: under.map(|AuditLoop { part, pick, .. }| Under {
                name: part.name.to_owned(),
                pick: *pick,
                begin: None,
            }),
            ..options
        }
    }

    /// What it is made of.
    fn ingredients(&self) -> [Ingredient; 7] {
        [
            Ingredient::Execution(self.execution),
            Ingredient::Loop(self.under.as_ref().map(|under| (under.part.name, under.pick))),
            Ingredient::Expander(self.expander().map(|expander| expander.name)),
            Ingredient::Condition(self.reduction.map(|(_, condition)| condition.name)),
            Ingredient::Way(self.way.name),
            Ingredient::Store(self.store.name),
            Ingredient::Threads(self.threads),
        ]
    }

    fn expander(&self) -> Option<&'static Part> {
        self.under.as_ref().map(|under| under.expander).or(self.reduction.map(|(expander, _)| expander))
    }

    /// Roughly how long it takes, compared with others.
    fn cost(&self) -> usize {
        let execution = match self.execution {
            Execution::Compiled => 1,
            Execution::Interpreted => 10,
            Execution::Packed => 12,
        };
        let searches = match (&self.under, self.reduction) {
            (Some(_), _) => 4,
            (None, Some(_)) => 1,
            (None, None) => 2,
        };
        execution * searches + usize::from(self.threads > 1)
    }
}

/// A part of a plan.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Ingredient {
    Execution(Execution),
    Loop(Option<(&'static str, Pick)>),
    Expander(Option<&'static str>),
    Condition(Option<&'static str>),
    Way(&'static str),
    Store(&'static str),
    Threads(usize),
}

/// The search that defines the answer, and the one to try if that takes too long.
pub(super) fn references(asked: &Asked, fairness: Fairness) -> Vec<AuditPlan> {
    let way = match (asked, fairness) {
        (Asked::Faults(_), _) => &parts::DFS,
        (Asked::Runs(_), Fairness::None) => &parts::NDFS,
        (Asked::Runs(_), Fairness::Weak) => &parts::SCC,
    };
    let (execution, store) = (Execution::Interpreted, &parts::EXACT);
    let reference = AuditPlan { execution, reduction: None, under: None, way, store, threads: 1 };
    let way = if matches!(asked, Asked::Faults(_)) { &parts::BLOCKS } else { way };
    let fast = AuditPlan { execution: Execution::Compiled, way, store: &parts::TREE, ..reference.clone() };
    vec![reference, fast]
}

/// The plans that are left, and which parts and pairs of parts were used so far.
pub(super) struct Plans {
    left: Vec<(AuditPlan, Vec<usize>)>,
    /// All parts of all plans. A plan names them by their positions.
    ingredients: Vec<Ingredient>,
    /// By the number of the one and the number of the other; of a part with itself: the part alone.
    is_used: Vec<bool>,
    /// How often plans with these two were refused.
    refusals: Vec<usize>,
}

/// Two parts that were refused so often together, and never taken, are not likely to be taken.
const HOPELESS: usize = 3;
/// The same for a part alone.
const HOPELESS_ALONE: usize = 10;

/// All plans for a question, sound or not.
pub(super) fn all(reductions: &Reductions, asked: &Asked, seed: u64) -> Plans {
    let loops = loops(reductions, seed);
    let mut plans = Vec::new();
    for (way, is_parallel) in ways(asked) {
        for store in STORES.iter().map(|entry| entry.part) {
            for execution in Execution::ALL {
                for &threads in THREADS.iter().filter(|threads| is_parallel || **threads == 1) {
                    let full = AuditPlan { execution, reduction: None, under: None, way, store, threads };
                    plans.extend(each_reduction(reductions).map(|reduction| AuditPlan { reduction, ..full.clone() }));
                    if is_for_loops(&full) {
                        plans.extend(loops.iter().map(|of| AuditPlan { under: Some(of.clone()), ..full.clone() }));
                    }
                }
            }
        }
    }
    let mut ingredients = Vec::new();
    for ingredient in plans.iter().flat_map(AuditPlan::ingredients) {
        if !ingredients.contains(&ingredient) {
            ingredients.push(ingredient);
        }
    }
    let left = plans.into_iter().map(|plan| (numbers(&ingredients, &plan), plan)).map(|(own, plan)| (plan, own));
    let pairs = ingredients.len().pow(2);
    Plans { left: left.collect(), is_used: vec![false; pairs], refusals: vec![0; pairs], ingredients }
}

fn numbers(ingredients: &[Ingredient], plan: &AuditPlan) -> Vec<usize> {
    plan.ingredients().iter().filter_map(|own| ingredients.iter().position(|known| known == own)).collect()
}

/// Each loop: guided with each expander, and at random with the first of them.
fn loops(reductions: &Reductions, seed: u64) -> Vec<AuditLoop> {
    // In the end, what is sensitive is sticky.
    if !reductions.cycle_conditions.iter().any(|entry| entry.part == &parts::STICKY) {
        return Vec::new();
    }
    let mut loops = Vec::new();
    for part in parts::REGISTRY.iter().copied().filter(|part| part.kind == PartKind::Under) {
        let guided = reductions.expanders.iter().map(|entry| (entry.part, Pick::Guided));
        let at_random = reductions.expanders.first().map(|entry| (entry.part, Pick::Random { seed }));
        loops.extend(guided.chain(at_random).map(|(expander, pick)| AuditLoop { part, expander, pick }));
    }
    loops
}

/// Whether loops are tried besides this plan: they need packed states, and come to no answer where states may be missed.
fn is_for_loops(plan: &AuditPlan) -> bool {
    plan.execution != Execution::Interpreted && !plan.is_lossy()
}

/// None, and each expander with each cycle condition.
pub(super) fn each_reduction(
    reductions: &Reductions,
) -> impl Iterator<Item = Option<(&'static Part, &'static Part)>> + use<> {
    let Reductions { expanders, cycle_conditions } = *reductions;
    let pairs = expanders
        .iter()
        .flat_map(move |expander| cycle_conditions.iter().map(move |condition| Some((expander.part, condition.part))));
    std::iter::once(None).chain(pairs)
}

/// The ways to search for what is asked, and whether each can use several threads.
pub(super) fn ways(asked: &Asked) -> Vec<(&'static Part, bool)> {
    let orders = ORDERS.iter().map(|entry| (entry.part, entry.is_parallel));
    let emptiness = EMPTINESS.iter().map(|entry| (entry.part, entry.is_parallel));
    match asked {
        Asked::Faults(_) => orders.collect(),
        // Where a beginning of a run is enough, an order finds it.
        Asked::Runs(_) => emptiness.chain(orders).collect(),
    }
}

impl Plans {
    /// Takes out those that were asked already.
    pub fn forget(&mut self, asked: &[PlanResult]) {
        for result in asked {
            if let Some(at) = self.left.iter().position(|(plan, _)| *plan == result.plan) {
                self.left.remove(at);
            }
            self.note(&result.plan);
        }
    }

    /// The plan that has most parts that no plan before it had, then most pairs of parts; of such, the cheapest. Those that are likely to
    /// be refused come last.
    pub fn next_plan(&mut self) -> Option<AuditPlan> {
        let best = |(at, (plan, own)): (usize, &(AuditPlan, Vec<usize>))| {
            let (parts, pairs) = self.news(own);
            (self.is_hopeless(own), std::cmp::Reverse((parts, pairs)), plan.cost(), at)
        };
        let (.., at) = self.left.iter().enumerate().map(best).min()?;
        Some(self.left.remove(at).0)
    }

    /// How many of these parts were not used yet, and how many pairs of them.
    fn news(&self, own: &[usize]) -> (usize, usize) {
        let is_new = |pair: &usize| !self.is_used[*pair];
        let parts = own.iter().filter(|part| is_new(&self.pair(**part, **part))).count();
        (parts, self.pairs(own).filter(is_new).count().saturating_sub(parts))
    }

    fn is_hopeless(&self, own: &[usize]) -> bool {
        let most =
            |pair: usize| if pair.is_multiple_of(self.ingredients.len() + 1) { HOPELESS_ALONE } else { HOPELESS };
        self.pairs(own).any(|pair| !self.is_used[pair] && self.refusals[pair] >= most(pair))
    }

    fn pair(&self, one: usize, other: usize) -> usize {
        one * self.ingredients.len() + other
    }

    /// All pairs of these parts, of a part with itself, too.
    fn pairs<'o>(&'o self, own: &'o [usize]) -> impl Iterator<Item = usize> + 'o {
        let others = |position: usize| own[position..].iter();
        own.iter().enumerate().flat_map(move |(position, one)| others(position).map(|other| self.pair(*one, *other)))
    }

    /// Says that a plan was sound and tried.
    pub fn note(&mut self, plan: &AuditPlan) {
        let own = numbers(&self.ingredients, plan);
        for pair in self.pairs(&own).collect::<Vec<_>>() {
            self.is_used[pair] = true;
        }
    }

    /// Says that a plan was refused. If that was to be expected, it says nothing about its other parts.
    pub fn note_refusal(&mut self, plan: &AuditPlan) {
        let own = numbers(&self.ingredients, plan);
        if self.is_hopeless(&own) {
            return;
        }
        for pair in self.pairs(&own).collect::<Vec<_>>() {
            self.refusals[pair] += 1;
        }
    }
}
