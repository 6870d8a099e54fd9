//! The plans that a question can be asked through, from the registries of parts, and the order in
//! which they are tried.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ample_check::{Begin, Goal, LeavesOut, Loop, Options, Pick, Techniques, Under};
use ample_guarantee::{Part, PartKind};
use ample_product::Fairness;
use ample_search::{EMPTINESS, ORDERS};

use crate::combination::{Combination, Execution, Ingredient, LoopChoice};
use crate::subject::Audit;

/// The numbers of threads that are tried where there can be several.
const THREADS: &[usize] = &[1, 2, 8];

/// The search that defines the answer, and the one to try if that takes too long.
pub(crate) fn references(asked: &Goal, fairness: Fairness) -> Vec<Combination> {
    let algorithm = match (asked, fairness) {
        (Goal::Violation(_), _) => &ample_search::DFS,
        (Goal::AcceptedRun(_), Fairness::None) => &ample_search::NDFS,
        (Goal::AcceptedRun(_), Fairness::Weak) => &ample_search::SCC,
    };
    let (execution, store) = (Execution::Interpreted, &ample_store::EXACT);
    let reference = Combination { execution, reduction: None, also: None, under: None, algorithm, store, threads: 1 };
    let algorithm = if matches!(asked, Goal::Violation(_)) { &ample_search::BLOCKS } else { algorithm };
    let fast =
        Combination { execution: Execution::Compiled, algorithm, store: &ample_store::TREE, ..reference.clone() };
    vec![reference, fast]
}

/// The plans that are left, and which parts and pairs of parts were used so far.
pub(crate) struct Combinations {
    /// All plans, with their parts.
    plans: Vec<(Combination, Vec<usize>)>,
    /// Whether a plan was asked already.
    is_asked: Vec<bool>,
    /// Those that are left, the best first. A rank is what was known when it was worked out: since
    /// then it may have become worse, and not better.
    queue: BinaryHeap<Reverse<(Rank, usize)>>,
    /// All parts of all plans. A plan names them by their positions.
    ingredients: Vec<Ingredient>,
    /// By the number of the one and the number of the other; of a part with itself: the part alone.
    is_used: Vec<bool>,
    /// How often plans with these two were refused.
    refusals: Vec<usize>,
}

/// Whether a plan is likely to be refused; how many parts and pairs of parts it has that were not
/// used yet; its cost.
type Rank = (bool, Reverse<(usize, usize)>, usize);

/// Two parts that were refused so often together, and never taken, are not likely to be taken.
const HOPELESS: usize = 3;
/// The same for a part alone.
const HOPELESS_ALONE: usize = 10;

/// All plans for a question, sound or not.
pub(crate) fn all(audit: &Audit<'_>, asked: &Goal) -> Combinations {
    let techniques = &audit.techniques;
    let loops = loops(audit);
    let mut plans = Vec::new();
    for (algorithm, is_parallel) in algorithms(asked) {
        for store in techniques.stores.iter().map(|entry| entry.part) {
            for execution in Execution::ALL {
                for &threads in THREADS.iter().filter(|threads| is_parallel || **threads == 1) {
                    let (reduction, also, under) = (None, None, None);
                    let full = Combination { execution, reduction, also, under, algorithm, store, threads };
                    plans.extend(each_way_to_reduce(techniques, &full));
                    if is_for_loops(&full) {
                        plans.extend(loops.iter().map(|of| Combination { under: Some(of.clone()), ..full.clone() }));
                    }
                }
            }
        }
    }
    plans.extend(by_classes(techniques, asked));
    let mut ingredients = Vec::new();
    for ingredient in plans.iter().flat_map(Combination::ingredients) {
        if !ingredients.contains(&ingredient) {
            ingredients.push(ingredient);
        }
    }
    let plans = plans.into_iter().map(|plan| (numbers(&ingredients, &plan), plan)).map(|(own, plan)| (plan, own));
    Combinations::of(plans.collect(), ingredients)
}

/// Each order that computes classes of states, with all transitions: nothing else goes with it.
fn by_classes(techniques: &Techniques, asked: &Goal) -> Vec<Combination> {
    let (execution, store) = (Execution::Compiled, techniques.stores.first());
    let of = |algorithm, store| {
        let (reduction, also, under) = (None, None, None);
        Combination { execution, reduction, also, under, algorithm, store, threads: 1 }
    };
    match (asked, store) {
        (Goal::Violation(_), Some(store)) => {
            techniques.classes.iter().map(|entry| of(entry.part, store.part)).collect()
        }
        _ => Vec::new(),
    }
}

fn numbers(ingredients: &[Ingredient], plan: &Combination) -> Vec<usize> {
    plan.ingredients().iter().filter_map(|own| ingredients.iter().position(|known| known == own)).collect()
}

/// Each loop: guided with each expander; at random, and with what is visible let in from the
/// beginning, with the first of them.
fn loops(audit: &Audit<'_>) -> Vec<LoopChoice> {
    let Techniques { expanders, cycle_conditions, .. } = audit.techniques;
    // In the end, what is sensitive is sticky.
    if !cycle_conditions.iter().any(|entry| entry.part == &ample_reduction::STICKY) {
        return Vec::new();
    }
    let mut loops = Vec::new();
    // Loops that take states for one have no expander, and may have no end.
    let of_transitions = |entry: &&Loop| matches!(entry.leaves_out, LeavesOut::Transitions { .. });
    for entry in audit.loops.iter().filter(of_transitions) {
        let guided = |expander| LoopChoice { part: entry.part, expander, pick: Pick::Guided, begin: None };
        loops.extend(expanders.iter().map(|entry| guided(entry.part)));
        let Some(first) = expanders.first().map(|entry| guided(entry.part)) else { continue };
        loops.push(LoopChoice { pick: Pick::Random { seed: audit.seed }, ..first.clone() });
        if takes(entry, Begin::Visible) {
            loops.push(LoopChoice { begin: Some(Begin::Visible), ..first });
        }
    }
    loops
}

/// Whether a loop can begin with this.
fn takes(entry: &Loop, begin: Begin) -> bool {
    let under = Under { name: entry.part.name.to_owned(), pick: Pick::Guided, begin: Some(begin) };
    (entry.refuse)(&Options { under: Some(under), ..Options::default() }).is_ok()
}

/// Whether loops are tried besides this plan: they need packed states, and come to no answer where
/// states may be missed.
fn is_for_loops(plan: &Combination) -> bool {
    plan.execution != Execution::Interpreted && !plan.is_lossy()
}

/// None, and each expander with each cycle condition.
pub(crate) fn each_reduction(
    techniques: &Techniques,
) -> impl Iterator<Item = Option<(&'static Part, &'static Part)>> + use<> {
    let Techniques { expanders, cycle_conditions, .. } = *techniques;
    let pairs = expanders
        .iter()
        .flat_map(move |expander| cycle_conditions.iter().map(move |condition| Some((expander.part, condition.part))));
    std::iter::once(None).chain(pairs)
}

/// Each reduction alone; and each technique that may stand beside one, alone and with each expander
/// under a third of the cycle conditions, so that each is met with each of these, too.
fn each_way_to_reduce<'p>(
    techniques: &Techniques,
    full: &'p Combination,
) -> impl Iterator<Item = Combination> + use<'p> {
    let beside = |part: &&Part| {
        use PartKind::{Canonizer, Cover, Foresight, Pass, Sleep};
        matches!(part.kind, Pass | Sleep | Canonizer | Cover | Foresight)
    };
    let beside: Vec<&'static Part> = techniques.reductions().filter(beside).collect();
    let stores = techniques.stores;
    let goes = move |part: &&'static Part| match part.kind {
        PartKind::Sleep => full.algorithm == &ample_search::DFS,
        // A cover comes with a store of its own, and foresight looks at no store.
        PartKind::Cover | PartKind::Foresight => stores.first().is_some_and(|first| first.part == full.store),
        _ => true,
    };
    let beside = beside.into_iter().filter(goes);
    let conditions = techniques.cycle_conditions.len().max(1);
    let mut pairs: Vec<_> = each_reduction(techniques).map(|reduction| (reduction, None)).collect();
    for (number, part) in beside.enumerate() {
        let is_one = |at: usize| at == 0 || (number + (at - 1) / conditions + (at - 1) % conditions).is_multiple_of(3);
        let some = each_reduction(techniques).enumerate().filter(|(at, _)| is_one(*at));
        pairs.extend(some.map(|(_, reduction)| (reduction, Some(part))));
    }
    pairs.into_iter().map(|(reduction, also)| Combination { reduction, also, ..full.clone() })
}

/// The algorithms that search for what is asked, and whether each can use several threads.
pub(crate) fn algorithms(asked: &Goal) -> Vec<(&'static Part, bool)> {
    let orders = ORDERS.iter().map(|entry| (entry.part, entry.is_parallel));
    let emptiness = EMPTINESS.iter().map(|entry| (entry.part, entry.is_parallel));
    match asked {
        Goal::Violation(_) => orders.collect(),
        // Where a beginning of a run is enough, an order finds it.
        Goal::AcceptedRun(_) => emptiness.chain(orders).collect(),
    }
}

impl Combinations {
    fn of(plans: Vec<(Combination, Vec<usize>)>, ingredients: Vec<Ingredient>) -> Combinations {
        let pairs = ingredients.len().pow(2);
        let mut all = Combinations {
            is_asked: vec![false; plans.len()],
            queue: BinaryHeap::new(),
            is_used: vec![false; pairs],
            refusals: vec![0; pairs],
            plans,
            ingredients,
        };
        all.rank_anew();
        all
    }

    /// Takes out those that were asked already.
    pub fn forget<'p>(&mut self, asked: impl Iterator<Item = &'p Combination>) {
        for known in asked {
            if let Some(at) = self.plans.iter().position(|(plan, _)| plan == known) {
                self.is_asked[at] = true;
            }
            self.note(known);
        }
    }

    /// The plan that has most parts that no plan before it had, then most pairs of parts; of such,
    /// the cheapest. Those that are likely to be refused come last.
    pub fn next_plan(&mut self) -> Option<Combination> {
        loop {
            let Reverse((rank, at)) = self.queue.pop()?;
            if self.is_asked[at] {
                continue;
            }
            let now = self.rank(at);
            if now == rank {
                self.is_asked[at] = true;
                return Some(self.plans[at].0.clone());
            }
            self.queue.push(Reverse((now, at)));
        }
    }

    fn rank(&self, at: usize) -> Rank {
        let (plan, own) = &self.plans[at];
        (self.is_hopeless(own), Reverse(self.news(own)), plan.cost())
    }

    /// Works out the ranks of all plans that are left.
    fn rank_anew(&mut self) {
        let left = (0..self.plans.len()).filter(|at| !self.is_asked[*at]);
        self.queue = left.map(|at| Reverse((self.rank(at), at))).collect();
    }

    /// How many of these parts were not used yet, and how many pairs of them.
    fn news(&self, own: &[usize]) -> (usize, usize) {
        let is_new = |pair: &usize| !self.is_used[*pair];
        let parts = own.iter().filter(|part| is_new(&self.pair(**part, **part))).count();
        (parts, self.pairs(own).filter(is_new).count().saturating_sub(parts))
    }

    fn is_hopeless(&self, own: &[usize]) -> bool {
        self.pairs(own).any(|pair| self.is_refused(pair))
    }

    /// Whether two parts, or one alone, were refused often and never taken.
    fn is_refused(&self, pair: usize) -> bool {
        let is_one = pair.is_multiple_of(self.ingredients.len() + 1);
        !self.is_used[pair] && self.refusals[pair] >= if is_one { HOPELESS_ALONE } else { HOPELESS }
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
    pub fn note(&mut self, plan: &Combination) {
        let own = numbers(&self.ingredients, plan);
        let mut gives_hope = false;
        for pair in self.pairs(&own).collect::<Vec<_>>() {
            gives_hope |= self.is_refused(pair);
            self.is_used[pair] = true;
        }
        // Only then does a rank become better.
        if gives_hope {
            self.rank_anew();
        }
    }

    /// Says that a plan was refused. If that was to be expected, it says nothing about its other
    /// parts. What a plan does without is never the reason; nor are stores, orders and threads, if
    /// there is something else.
    pub fn note_refusal(&mut self, plan: &Combination) {
        let mut own = numbers(&self.ingredients, plan);
        if self.is_hopeless(&own) {
            return;
        }
        own.retain(|part| !self.ingredients[*part].is_absent());
        let (count, reduces) = (self.ingredients.len(), |part: usize| self.ingredients[part].is_reduction());
        let is_reason =
            |pair: &usize| !own.iter().any(|part| reduces(*part)) || reduces(pair / count) || reduces(pair % count);
        for pair in self.pairs(&own).filter(is_reason).collect::<Vec<_>>() {
            self.refusals[pair] += 1;
        }
    }
}
