//! Random models with random formulas, each checked in many ways.

use ample_check::{Choice, Fairness, Prepared};
use ample_frontends::{FormulaText, LoadOptions, Loaded};
use ample_interpret::Interpreter;

use super::{Comparison, Plan, SAFETY, Tally};
use crate::explore;
use crate::random::{self, Size};
use ample_stdx::Random;

/// The name of the formula.
const FORMULA: &str = "formula";

/// Models with more states, or products with more, are left out.
const MAX_STATES: u64 = 3_000;

/// How many plans are chosen at random for each question.
const RANDOM_PLANS: usize = 4;
/// How many with passes and canonizers are, the rest left to the planner.
const RANDOM_TECHNIQUES: usize = 8;
/// How many loops are: each is several searches.
const RANDOM_LOOPS: usize = 2;

/// A model with a formula about it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name of the file that the model could stand in: its ending is that of the language.
    pub name: &'static str,
    /// The model.
    pub text: String,
    /// The formula, in the dialect of the command line.
    pub formula: String,
}

impl Subject {
    /// The model of a seed. `None` if it is no model after all.
    pub fn of_seed(seed: u64) -> Option<Subject> {
        let text = match seed % 6 {
            0 | 3 => random::model(seed, Size { processes: 3, statements: 3, depth: 2 }),
            5 => {
                let model = random::dve_model(seed);
                let formula = random::formula_over(&model.propositions, &mut Random::new(seed));
                return Some(Subject { name: "random.dve", text: model.text, formula });
            }
            _ if seed % 12 == 4 => random::counting_model(seed),
            _ if seed % 12 == 10 => random::shifting_model(seed),
            _ => random::cyclic_model(seed),
        };
        Subject::of_text(text, seed)
    }

    /// The model of a seed that looks at the whole state.
    pub fn of_whole_state(seed: u64) -> Option<Subject> {
        let text = random::whole_state_model(seed, Size { processes: 3, statements: 3, depth: 2 });
        Subject::of_text(text, seed)
    }

    /// The model of a seed in which processes create others.
    pub fn of_creation(seed: u64) -> Option<Subject> {
        Subject::of_text(random::creating_model(seed), seed)
    }

    fn of_text(text: String, seed: u64) -> Option<Subject> {
        let loaded = explore::load_text(&text).ok()?;
        let formula = random::formula(&loaded.model, &mut Random::new(seed));
        Some(Subject { name: "random.pml", text, formula })
    }

    fn load(&self) -> Option<Loaded> {
        let formulas = vec![FormulaText { name: FORMULA.to_owned(), text: self.formula.clone() }];
        let options = LoadOptions { formulas, ..LoadOptions::default() };
        ample_frontends::load_text(self.name, self.text.clone(), &options).ok()
    }

    /// Compares every expander or loop, or many techniques, and some random plans with the full
    /// search; says where one differs. For all runs the question is safety, and the formula; for
    /// fair ones, the formula.
    pub fn compare(&self, seed: u64, fairness: Fairness, ways: Ways, tally: &mut Tally) -> Result<(), String> {
        let Some(loaded) = self.load() else { return Err(format!("the formula is not read\n{self}")) };
        let interpreter = Interpreter::new(&loaded.model);
        // To compile a model takes longer than to check it.
        let prepared = match seed % 10 {
            9 => Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).map_err(|error| error.to_string())?,
            _ => Prepared::packed(&interpreter, &loaded.properties),
        };
        let mut prng = Random::new(!seed);
        let questions: &[&str] = if fairness == Fairness::None { &[SAFETY, FORMULA] } else { &[FORMULA] };
        for question in questions {
            let mut comparison = Comparison::new(&prepared, question, MAX_STATES);
            for plan in ways.plans(question, seed, fairness, &mut prng) {
                comparison.compare(&plan, tally).map_err(|what| format!("{what}\n{self}"))?;
            }
            if comparison.is_slow() {
                break;
            }
        }
        Ok(())
    }
}

/// Which plans are compared with the full search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ways {
    /// Reductions.
    Reductions,
    /// Under-approximation loops.
    Loops,
    /// Passes and canonizers.
    Techniques,
}

impl Ways {
    fn plans(self, question: &str, seed: u64, fairness: Fairness, prng: &mut Random) -> Vec<Plan> {
        let with_fairness = |plan: Plan| Plan { fairness, ..plan };
        let mut plans: Vec<Plan> = match self {
            Ways::Reductions => Plan::of_expanders().map(with_fairness).collect(),
            Ways::Loops => Plan::of_loops(seed).map(with_fairness).collect(),
            Ways::Techniques => some(Plan::of_techniques(), prng).into_iter().map(with_fairness).collect(),
        };
        match self {
            Ways::Reductions => plans.extend((0..RANDOM_PLANS).map(|_| Plan::any(question, fairness, prng))),
            Ways::Loops => plans.extend((0..RANDOM_LOOPS).map(|_| Plan::any_loop(question, fairness, prng))),
            Ways::Techniques => {
                plans.extend((0..RANDOM_PLANS).map(|_| Plan::any_technique(question, fairness, prng)));
            }
        }
        plans
    }
}

/// Some of the plans, at random: there are too many to ask each of them about each model.
fn some(plans: impl Iterator<Item = Plan>, prng: &mut Random) -> Vec<Plan> {
    let plans: Vec<Plan> = plans.collect();
    (0..RANDOM_TECHNIQUES).filter_map(|_| prng.pick(&plans).copied()).collect()
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "formula: {}\n{}", self.formula, self.text)
    }
}

/// Compares the model of a seed in many ways with the full search. Everything that is needed to see
/// a difference again is said.
pub fn compare_seed(seed: u64, fairness: Fairness, ways: Ways, tally: &mut Tally) -> Result<(), String> {
    let Some(subject) = Subject::of_seed(seed) else { return Ok(()) };
    subject.compare(seed, fairness, ways, tally).map_err(|what| format!("seed {seed}: {what}"))
}
