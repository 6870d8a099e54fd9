//! Linear arithmetic as a theory for the search over truth values (R. Nieuwenhuis, A. Oliveras and
//! C. Tinelli, Solving SAT and SAT Modulo Theories, JACM 2006): each literal that is about a form
//! asserts a bound. The relaxation is checked whenever the search has propagated; integers when
//! every literal has a value.

use std::collections::BTreeMap;
use std::rc::Rc;

use batsat::{Lit, Theory, TheoryArg, lbool};

use crate::formula::Variable;
use crate::implicant::{Goal, Implicant};
use crate::integers::{self, Constraint, Relation, Verdict};
use crate::linear::Linear;
use crate::meter::Meter;
use crate::number::Integer;
use crate::simplex::{Column, Feasibility, Reason, Side, Tableau};

/// What a variable of the search stands for: the column is at most the limit, or at least one more.
#[derive(Clone, Debug)]
pub(crate) struct BoundAtom {
    pub column: Column,
    pub limit: Integer,
}

/// Where the search stood when a level began.
#[derive(Copy, Clone, Debug)]
struct Level {
    processed: usize,
    mark: usize,
}

/// The state of the theory.
pub(crate) struct Arithmetic {
    tableau: Tableau,
    /// The problem's variables, which are the first columns.
    variables: Vec<Variable>,
    /// What each column is, in these.
    forms: Vec<Linear>,
    /// By variable of the search.
    atoms: Vec<Option<BoundAtom>>,
    /// By reason: twice the variable, and one if it is true.
    literals: Vec<[Lit; 2]>,
    /// What has to be true.
    goal: Goal,
    /// The first variable that nobody uses.
    fresh: u32,
    processed: usize,
    levels: Vec<Level>,
    meter: Rc<Meter>,
    outcome: Outcome,
}

/// What the theory found beside conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Open,
    /// What is asserted has this solution.
    Solution(BTreeMap<Variable, Integer>),
    /// What holds without any decision has no solution.
    Refuted,
    Exhausted,
}

impl Arithmetic {
    pub fn new(tableau: Tableau, variables: Vec<Variable>, forms: Vec<Linear>, fresh: u32, meter: Rc<Meter>) -> Self {
        Arithmetic {
            tableau,
            variables,
            forms,
            atoms: Vec::new(),
            literals: Vec::new(),
            goal: Goal::All(Vec::new()),
            fresh,
            processed: 0,
            levels: Vec::new(),
            meter,
            outcome: Outcome::Open,
        }
    }

    /// The next variable of the search, and what it stands for.
    pub fn add(&mut self, literal: Lit, atom: Option<BoundAtom>) {
        self.literals.push([!literal, literal]);
        self.atoms.push(atom);
    }

    /// What has to be true.
    pub fn set_goal(&mut self, goal: Goal) {
        self.goal = goal;
    }

    pub fn into_outcome(self) -> Outcome {
        self.outcome
    }

    /// Asserts what is new on the trail.
    fn assert_new(&mut self, trail: &[Lit]) -> Result<(), Vec<Reason>> {
        while let Some(literal) = trail.get(self.processed) {
            self.processed += 1;
            let variable = literal.var().idx() as usize;
            let Some(Some(atom)) = self.atoms.get(variable) else { continue };
            let is_true = self.literals[variable][1] == *literal;
            let reason = reason_of(variable, is_true);
            if is_true {
                self.tableau.assert(atom.column, Side::High, &atom.limit, reason)?;
            } else {
                self.tableau.assert(atom.column, Side::Low, &(&atom.limit + Integer::ONE), reason)?;
            }
        }
        Ok(())
    }

    /// Whether the relaxation has a solution.
    fn check(&mut self, acts: &mut TheoryArg) -> bool {
        if let Err(reasons) = self.assert_new(acts.model()) {
            self.raise(acts, &reasons);
            return false;
        }
        match self.tableau.check(&self.meter) {
            Feasibility::Feasible => true,
            Feasibility::Exhausted => {
                self.outcome = Outcome::Exhausted;
                false
            }
            Feasibility::Conflict(reasons) => {
                self.raise(acts, &reasons);
                false
            }
        }
    }

    fn raise(&mut self, acts: &mut TheoryArg, reasons: &[Reason]) {
        let clause: Vec<Lit> = reasons.iter().map(|reason| !self.literal(*reason)).collect();
        // The search would enqueue a single literal although it is false already without decision.
        if let ([literal], Some(first)) = (&clause[..], self.levels.first()) {
            let held = !*literal;
            if acts.model()[..first.processed.min(acts.model().len())].contains(&held) {
                self.outcome = Outcome::Refuted;
                return;
            }
        }
        if clause.is_empty() {
            self.outcome = Outcome::Refuted;
        } else {
            acts.raise_conflict(&clause, false);
        }
    }

    fn literal(&self, reason: Reason) -> Lit {
        self.literals[reason as usize / 2][reason as usize % 2]
    }

    /// The tightest bounds that these literals assert, as constraints.
    fn constraints(&self, literals: &[Lit]) -> Vec<Constraint> {
        let mut bounds: BTreeMap<Column, [Option<(Integer, Reason)>; 2]> = BTreeMap::new();
        for literal in literals {
            let variable = literal.var().idx() as usize;
            let Some(Some(atom)) = self.atoms.get(variable) else { continue };
            let is_true = self.literals[variable][1] == *literal;
            let [low, high] = bounds.entry(atom.column).or_default();
            let reason = reason_of(variable, is_true);
            if is_true {
                if high.as_ref().is_none_or(|high| high.0 > atom.limit) {
                    *high = Some((atom.limit.clone(), reason));
                }
            } else if low.as_ref().is_none_or(|low| low.0 <= atom.limit) {
                *low = Some((&atom.limit + Integer::ONE, reason));
            }
        }
        let mut constraints = Vec::new();
        for (column, bounds) in bounds {
            let less = |value: &Integer| self.forms[column].clone().plus_constant(&-value);
            let relation = Relation::AtMostZero;
            match bounds {
                [Some((low, reason)), Some((high, other))] if low == high => {
                    let mut origins = vec![reason, other];
                    origins.sort_unstable();
                    constraints.push(Constraint { linear: less(&low), relation: Relation::Zero, origins });
                }
                [low, high] => {
                    constraints.extend(low.map(|(low, reason)| Constraint {
                        linear: less(&low).negated(),
                        relation,
                        origins: vec![reason],
                    }));
                    constraints.extend(high.map(|(high, reason)| Constraint {
                        linear: less(&high),
                        relation,
                        origins: vec![reason],
                    }));
                }
            }
        }
        constraints
    }

    /// The values of the tableau, if all of them are integers.
    fn integer_values(&self) -> Option<BTreeMap<Variable, Integer>> {
        let value = |(column, variable): (usize, &Variable)| {
            let value = self.tableau.value(column);
            value.is_integer().then(|| (*variable, value.floor()))
        };
        self.variables.iter().enumerate().map(value).collect()
    }
}

fn reason_of(variable: usize, is_true: bool) -> Reason {
    // There are never so many variables.
    (variable * 2 + usize::from(is_true)) as Reason
}

impl Theory for Arithmetic {
    fn partial_check(&mut self, acts: &mut TheoryArg) {
        if self.outcome == Outcome::Open {
            self.check(acts);
        }
    }

    fn final_check(&mut self, acts: &mut TheoryArg) {
        if self.outcome != Outcome::Open || !self.check(acts) {
            return;
        }
        if let Some(values) = self.integer_values() {
            self.outcome = Outcome::Solution(values);
            return;
        }
        let needed = Implicant::of(&self.goal, &|literal| acts.value(literal.var()) == lbool::new(literal.sign()));
        match integers::decide(self.constraints(&needed.literals), self.fresh, &self.meter) {
            Verdict::Solution(values) => self.outcome = Outcome::Solution(values),
            Verdict::Conflict(reasons) => self.raise(acts, &reasons),
            Verdict::Exhausted => self.outcome = Outcome::Exhausted,
        }
    }

    fn create_level(&mut self) {
        self.levels.push(Level { processed: self.processed, mark: self.tableau.mark() });
    }

    fn pop_levels(&mut self, n: usize) {
        for _ in 0..n {
            if let Some(level) = self.levels.pop() {
                self.processed = level.processed;
                self.tableau.undo(level.mark);
            }
        }
    }

    fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// Nothing is propagated.
    fn explain_propagation(&mut self, _literal: Lit) -> &[Lit] {
        &[]
    }
}
