//! `--under predicates`: concrete search with abstract matching and refinement (Pelánek 2006,
//! chapter 5).
//!
//! Each search (αSEARCHCHECK, Figure 5.2) goes on from concrete states and remembers of each which
//! predicates hold, and what is not abstracted. It begins with the atoms of guards and of the
//! property, so that no error state is taken for a harmless one; and the next search (Figure 5.3,
//! REFINEMENTSEARCH) has those besides without which it could not be proved that the abstract state
//! decides which commands can be taken, and the abstract state after them. If nothing is missing,
//! what was explored and the system are bisimilar (Theorem 5.1), and the answer carries the
//! guarantee of the full search.

use std::fs::File;
use std::io::BufWriter;
use std::sync::{Arc, Mutex};

use ample_abstraction::{Cells, Judge, NewPredicate, Valuation, Why};
use ample_guarantee::{Guarantee, Part, PartKind};
use ample_interpret::State;
use ample_model::Expr;
use ample_replay::Forbids;
use ample_solver::{Failure, Kept, Solver};
use ample_stdx::lock;
use ample_store::Abstraction;
use ample_transition::{FaultKind, StateLength};

use super::approximation::{self, Approximation, LeavesOut, Loop, Missing, Saw, StatesStart, Takes, What};
use crate::error::CheckError;
use crate::layers::{Matching, SearchLayers};
use crate::options::{Options, Predicates, Refine};
use crate::question::Goal;
use crate::run::iteration::{Added, Round};

/// Under-approximation by predicates.
pub static PREDICATES: Part = Part {
    name: "predicates",
    kind: PartKind::Under,
    summary: "states with the same predicates are one; predicates are added until nothing is missed",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking (2006), chapter 5"),
    guarantee: Guarantee::NOT_EXACT_YET,
};

pub(super) const LOOP: Loop = Loop { part: &PREDICATES, refuse, leaves_out: LeavesOut::States { check, begin } };

fn refuse(options: &Options) -> Result<(), CheckError> {
    if approximation::begin(options).is_some() {
        let why = "--under predicates does not go with --begin: it is about states, and no transition is sensitive";
        return Err(CheckError::Conflict(why.to_owned()));
    }
    if matches!(options.under.as_ref().map(|under| under.pick), Some(crate::options::Pick::Random { .. })) {
        let why = "--under predicates does not go with --pick random: all predicates that are missing are added";
        return Err(CheckError::Conflict(why.to_owned()));
    }
    Ok(())
}

fn conflict(why: &str) -> CheckError {
    CheckError::Conflict(format!("--under predicates cannot be used here: {why}"))
}

fn check(start: StatesStart<'_, '_>) -> Result<(), CheckError> {
    judge(start, None).map(|_| ())
}

fn begin<'a>(start: StatesStart<'_, 'a>) -> Result<Box<dyn Approximation<'a> + 'a>, CheckError> {
    let (unpack, refine) = (start.system.unpack, start.options.predicates.refine);
    let solver = solver(&start.options.predicates)?;
    let judge = Arc::new(Mutex::new(judge(start, solver)?));
    let (valuation, _) = lock(&judge).begin();
    Ok(Box::new(ByPredicates { judge, valuation, unpack, refine, missing: Vec::new(), is_begun: true }))
}

/// The one who judges, with the predicates to begin with.
fn judge<'a>(start: StatesStart<'_, 'a>, solver: Option<Box<dyn Solver + Send>>) -> Result<Judge<'a>, CheckError> {
    let StatesStart { options, system, goal } = start;
    let Some(prepare) = system.prepare else { return Err(conflict("there is no model")) };
    let model = prepare.model();
    let asked = &options.predicates;
    let cells =
        Cells::new(model, &asked.abstracted).map_err(|why| CheckError::Conflict(format!("--abstract: {why}")))?;
    if cells.is_concrete() {
        let why = "no variable is of unbounded type; name those that predicates are to stand for with --abstract";
        return Err(conflict(why));
    }
    let mut judge = Judge::new(model, cells, solver).with_patience(asked.patience);
    judge.add_guards();
    for given in model.predicates.iter().chain(&asked.given) {
        if !judge.add_condition(given, Why::Given) {
            return Err(CheckError::Conflict(format!("--predicates: {}", what_has_no_formula())));
        }
    }
    let (of_claim, end): (&[Expr], Option<&Expr>) = match goal {
        Goal::AcceptedRun(claim) => (claim.propositions(), None),
        Goal::Violation(wanted) if wanted.contains(&FaultKind::InvalidEndState) => (&[], model.end.as_ref()),
        Goal::Violation(_) => (&[], None),
    };
    for asked in of_claim.iter().chain(end) {
        if !judge.add_condition(asked, Why::Property) {
            return Err(conflict(&format!("the property asks something that {}", what_has_no_formula())));
        }
    }
    Ok(judge)
}

fn what_has_no_formula() -> &'static str {
    "has no formula: what predicates are about are the variables of processes that are there from the beginning"
}

/// The solver that is asked for; none if none is to be asked.
fn solver(asked: &Predicates) -> Result<Option<Box<dyn Solver + Send>>, CheckError> {
    if asked.refine != Refine::Exact {
        return Ok(None);
    }
    let solver = asked.solver.open().map_err(failed)?;
    let Some(file) = &asked.queries else { return Ok(Some(solver)) };
    let to = File::create(file)
        .map_err(|error| CheckError::Conflict(format!("--queries {}: cannot be written: {error}", file.display())))?;
    Ok(Some(Box::new(Kept::new(solver, BufWriter::new(to)))))
}

fn failed(failure: Failure) -> CheckError {
    match failure {
        Failure::WrongSolution { .. } | Failure::Disagreement { .. } => CheckError::WrongSolver(failure.to_string()),
        Failure::Program { .. } | Failure::Kept(_) => CheckError::Conflict(failure.to_string()),
    }
}

/// What a state is to the interpreter.
type Unpack<'a> = &'a (dyn Fn(&[u8]) -> State + Sync);

struct ByPredicates<'a> {
    judge: Arc<Mutex<Judge<'a>>>,
    /// Of the next search, or the last.
    valuation: Valuation,
    unpack: Unpack<'a>,
    refine: Refine,
    /// What the last search has found to be missing.
    missing: Vec<NewPredicate>,
    /// Whether the next search has it.
    is_begun: bool,
}

impl<'a> Approximation<'a> for ByPredicates<'a> {
    fn layers(&self) -> SearchLayers<'a> {
        SearchLayers::matched(Box::new(MatchedStates {
            judge: self.judge.clone(),
            valuation: self.valuation.clone(),
            unpack: self.unpack,
            refine: self.refine,
        }))
    }

    fn failure(&mut self) -> Option<CheckError> {
        lock(&self.judge).take_failure().map(failed)
    }

    fn round(&self) -> Option<Round> {
        let judge = lock(&self.judge);
        Some(Round { predicates: judge.count(), questions: judge.counts(), open: judge.open().cloned().collect() })
    }

    fn takes(&self) -> Takes {
        Takes::All
    }

    fn saw(&mut self, _: &Saw<'_>) {
        self.missing = lock(&self.judge).missing().to_vec();
        self.is_begun = false;
    }

    fn missing(&self) -> Vec<Missing> {
        let missing = |(number, new): (usize, &NewPredicate)| Missing {
            what: What(number),
            reason: new.why.text(),
            is_needed: true,
            weight: 0,
            taken: 0,
        };
        self.missing.iter().enumerate().map(missing).collect()
    }

    fn describe(&self, missing: &Missing) -> Added {
        let new = self.missing.get(missing.what.0);
        Added {
            process: String::new(),
            statement: new.map(|new| new.statement.clone()).unwrap_or_default(),
            span: new.map(|new| new.span).unwrap_or_default(),
            predicate: new.map(|new| new.text.clone()),
            reason: missing.reason,
        }
    }

    /// All of it at once.
    fn add(&mut self, _: What) {
        if !std::mem::replace(&mut self.is_begun, true) {
            (self.valuation, _) = lock(&self.judge).begin();
        }
    }

    fn is_exact(&self, missing: &[Missing]) -> bool {
        self.refine != Refine::None && missing.is_empty() && lock(&self.judge).open().next().is_none()
    }
}

/// What a search makes of states.
struct MatchedStates<'a> {
    judge: Arc<Mutex<Judge<'a>>>,
    valuation: Valuation,
    unpack: Unpack<'a>,
    refine: Refine,
}

impl Abstraction for MatchedStates<'_> {
    fn append(&self, state: &[u8], key: &mut Vec<u8>) {
        self.valuation.append(&(self.unpack)(state), key);
    }

    fn length(&self) -> StateLength {
        StateLength::Any
    }
}

impl Matching for MatchedStates<'_> {
    fn expanded(&self, state: &[u8]) {
        if self.refine != Refine::None {
            lock(&self.judge).expanded(&(self.unpack)(state));
        }
    }
}
