//! A formula in normal form as clauses (D. Plaisted and S. Greenbaum, A Structure-preserving Clause
//! Form Translation, JSC 1986): parts are named by literals, in the one direction that is needed,
//! since negations stand at atoms only.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use batsat::{Callbacks, Lit, SolverInterface, SolverOpts, lbool};

use crate::evaluate::Assignment;
use crate::formula::{Proposition, Variable};
use crate::implicant::Goal;
use crate::linear::Linear;
use crate::meter::Meter;
use crate::normal::{Atom, Form, Literal, Normal};
use crate::number::Integer;
use crate::simplex::{Column, Tableau};
use crate::theory::{Arithmetic, BoundAtom, Outcome};

/// Whether clauses have a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    Solution(Assignment),
    Exhausted,
}

/// Ends the search when the steps are used up.
struct Limit(Rc<Meter>);

impl Callbacks for Limit {
    fn stop(&self) -> bool {
        !self.0.spend(1)
    }
}

/// Decides a formula without divisibility. `fresh` is the number of the first variable that nobody
/// uses.
pub(crate) fn decide(formula: &Normal, fresh: u32, meter: &Rc<Meter>) -> Found {
    let mut search = Search::new(formula, fresh, meter);
    search.require(formula);
    let goal = search.goal(formula);
    search.theory.set_goal(goal);
    search.order_bounds();
    search.run()
}

struct Search {
    solver: batsat::Solver<Limit>,
    theory: Arithmetic,
    columns: HashMap<Form, Column>,
    propositions: BTreeMap<Proposition, Lit>,
    /// By column and limit.
    bounds: BTreeMap<(Column, Integer), Lit>,
    /// Names of parts.
    names: HashMap<Normal, Lit>,
    meter: Rc<Meter>,
}

impl Search {
    fn new(formula: &Normal, fresh: u32, meter: &Rc<Meter>) -> Search {
        let mut forms = Vec::new();
        collect_forms(formula, &mut forms);
        let mut variables: Vec<Variable> = forms.iter().flat_map(|form| form.iter().map(|term| term.0)).collect();
        variables.sort_unstable();
        variables.dedup();
        let mut tableau = Tableau::new(variables.len());
        let mut columns = HashMap::new();
        let mut known: Vec<Linear> = variables.iter().map(|variable| (*variable).into()).collect();
        let column = |variable: &Variable| variables.binary_search(variable).unwrap_or_default();
        for form in forms {
            if columns.contains_key(form) {
                continue;
            }
            let own = match &form[..] {
                // The form of one variable is that variable.
                [(variable, _)] => column(variable),
                terms => {
                    known.push(Linear { terms: form.clone(), constant: Integer::ZERO });
                    tableau.add_row(terms.iter().map(|(variable, by)| (column(variable), by)))
                }
            };
            columns.insert(form.clone(), own);
        }
        Search {
            solver: batsat::Solver::new(SolverOpts::default(), Limit(meter.clone())),
            theory: Arithmetic::new(tableau, variables, known, fresh, meter.clone()),
            columns,
            propositions: BTreeMap::new(),
            bounds: BTreeMap::new(),
            names: HashMap::new(),
            meter: meter.clone(),
        }
    }

    fn new_literal(&mut self, atom: Option<BoundAtom>) -> Lit {
        let literal = Lit::new(self.solver.new_var_default(), true);
        self.theory.add(literal, atom);
        literal
    }

    fn clause(&mut self, mut literals: Vec<Lit>) {
        literals.sort_unstable();
        self.solver.add_clause_reuse(&mut literals);
    }

    /// The formula is true.
    fn require(&mut self, formula: &Normal) {
        match formula {
            Normal::Constant(true) => {}
            Normal::Constant(false) => self.clause(Vec::new()),
            Normal::All(parts) => parts.iter().for_each(|part| self.require(part)),
            Normal::Any(parts) => {
                let mut clause = Vec::new();
                parts.iter().for_each(|part| self.add_alternative(part, &mut clause));
                self.clause(clause);
            }
            Normal::Literal(literal) => match self.shape(literal) {
                Shape::One(one) => self.clause(vec![one]),
                Shape::Both(pair) => pair.into_iter().for_each(|one| self.clause(vec![one])),
                Shape::Either(pair) => self.clause(pair.to_vec()),
            },
        }
    }

    /// Adds literals to a clause of which one is true if the part is.
    fn add_alternative(&mut self, part: &Normal, clause: &mut Vec<Lit>) {
        match part {
            Normal::Literal(literal) => match self.shape(literal) {
                Shape::One(one) => clause.push(one),
                Shape::Either(pair) => clause.extend(pair),
                Shape::Both(_) => clause.push(self.name(part)),
            },
            Normal::Any(parts) => parts.iter().for_each(|part| self.add_alternative(part, clause)),
            _ => clause.push(self.name(part)),
        }
    }

    /// A literal that implies the part.
    fn name(&mut self, part: &Normal) -> Lit {
        if let Some(known) = self.names.get(part) {
            return *known;
        }
        let name = self.new_literal(None);
        self.names.insert(part.clone(), name);
        match part {
            Normal::All(parts) => {
                for part in parts {
                    let mut clause = vec![!name];
                    self.add_alternative(part, &mut clause);
                    self.clause(clause);
                }
            }
            Normal::Literal(literal) => match self.shape(literal) {
                Shape::One(one) => self.clause(vec![!name, one]),
                Shape::Both(pair) => pair.into_iter().for_each(|one| self.clause(vec![!name, one])),
                Shape::Either([a, b]) => self.clause(vec![!name, a, b]),
            },
            Normal::Any(parts) => {
                let mut clause = vec![!name];
                parts.iter().for_each(|part| self.add_alternative(part, &mut clause));
                self.clause(clause);
            }
            Normal::Constant(true) => {}
            Normal::Constant(false) => self.clause(vec![!name]),
        }
        name
    }

    fn shape(&mut self, literal: &Literal) -> Shape {
        let is_positive = literal.is_positive;
        match &literal.atom {
            Atom::Proposition(proposition) => {
                let known = self.propositions.get(proposition).copied();
                let own = known.unwrap_or_else(|| self.new_literal(None));
                self.propositions.insert(*proposition, own);
                Shape::One(if is_positive { own } else { !own })
            }
            Atom::AtMost(form, limit) => {
                let bound = self.bound(form, limit);
                Shape::One(if is_positive { bound } else { !bound })
            }
            Atom::Equal(form, value) => {
                let at_most = self.bound(form, value);
                let less = self.bound(form, &(value - Integer::ONE));
                if is_positive { Shape::Both([at_most, !less]) } else { Shape::Either([!at_most, less]) }
            }
            // Nobody asks for it: a literal that is free says less than it should.
            Atom::Divides(..) => Shape::One(self.new_literal(None)),
        }
    }

    /// The formula, of literals of the search.
    fn goal(&mut self, formula: &Normal) -> Goal {
        match formula {
            Normal::Constant(true) => Goal::All(Vec::new()),
            Normal::Constant(false) => Goal::Any(Vec::new()),
            Normal::All(parts) => Goal::All(parts.iter().map(|part| self.goal(part)).collect()),
            Normal::Any(parts) => Goal::Any(parts.iter().map(|part| self.goal(part)).collect()),
            Normal::Literal(literal) => match self.shape(literal) {
                Shape::One(one) => Goal::Literal(one),
                Shape::Both(pair) => Goal::All(pair.map(Goal::Literal).to_vec()),
                Shape::Either(pair) => Goal::Any(pair.map(Goal::Literal).to_vec()),
            },
        }
    }

    fn bound(&mut self, form: &Form, limit: &Integer) -> Lit {
        let column = self.columns.get(form).copied().unwrap_or_default();
        let key = (column, limit.clone());
        if let Some(known) = self.bounds.get(&key) {
            return *known;
        }
        let literal = self.new_literal(Some(BoundAtom { column, limit: limit.clone() }));
        self.bounds.insert(key, literal);
        literal
    }

    /// What is at most a number is at most the next.
    fn order_bounds(&mut self) {
        let bounds: Vec<(Column, Lit)> = self.bounds.iter().map(|((column, _), literal)| (*column, *literal)).collect();
        for pair in bounds.windows(2) {
            if pair[0].0 == pair[1].0 {
                self.clause(vec![!pair[0].1, pair[1].1]);
            }
        }
    }

    fn run(mut self) -> Found {
        let result = self.solver.solve_limited_th(&mut self.theory, &[]);
        let propositions = self.propositions.iter();
        let propositions = if result == lbool::TRUE {
            let is_true = |literal: &Lit| self.solver.value_lit(*literal) == lbool::TRUE;
            propositions.map(|(proposition, literal)| (*proposition, is_true(literal))).collect()
        } else {
            BTreeMap::new()
        };
        match self.theory.into_outcome() {
            Outcome::Refuted => Found::Nothing,
            Outcome::Exhausted => Found::Exhausted,
            Outcome::Solution(integers) if result == lbool::TRUE => {
                Found::Solution(Assignment { integers, propositions })
            }
            _ if result == lbool::FALSE => Found::Nothing,
            _ if self.meter.is_exhausted() => Found::Exhausted,
            _ => Found::Exhausted,
        }
    }
}

/// What a literal of the formula is in the search.
enum Shape {
    One(Lit),
    Both([Lit; 2]),
    Either([Lit; 2]),
}

fn collect_forms<'n>(normal: &'n Normal, forms: &mut Vec<&'n Form>) {
    match normal {
        Normal::Literal(Literal { atom: Atom::AtMost(form, _) | Atom::Equal(form, _), .. }) => forms.push(form),
        Normal::All(parts) | Normal::Any(parts) => parts.iter().for_each(|part| collect_forms(part, forms)),
        _ => {}
    }
}
