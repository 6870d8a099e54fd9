//! What has been replaced so far, so that the same is replaced by the same.

use std::collections::{BTreeMap, HashMap};

use super::range::Range;
use crate::formula::{Formula, Proposition, Symbol, Variable};
use crate::linear::Linear;
use crate::normal::Normal;
use crate::number::Integer;
use crate::rounding::Rounding;

/// Formulas have no variable or proposition beyond, so that there are always fresh ones.
const LAST: u32 = 1 << 31;

/// A variable whose value is the product of two others, as far as lemmas say so.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub value: Variable,
    pub factors: [Variable; 2],
}

/// Makes normal forms.
#[derive(Default)]
pub(crate) struct Normalizer {
    pub(super) next_variable: u32,
    pub(super) next_proposition: u32,
    /// What defines the fresh variables.
    pub(super) definitions: Vec<Normal>,
    /// What is known of the variables in every solution.
    pub(super) ranges: BTreeMap<Variable, Range>,
    /// The same of remainders.
    pub(super) remainders: HashMap<Linear, Range>,
    pub(super) quotients: HashMap<(Linear, Integer, Rounding), Variable>,
    pub(super) divisions: HashMap<(Linear, Linear, Rounding), Variable>,
    pub(super) conditionals: HashMap<(Normal, Linear, Linear), Variable>,
    pub(super) monomials: HashMap<[Variable; 2], Variable>,
    /// The variables, not products themselves, whose product a variable is.
    pub(super) factors: HashMap<Variable, Vec<Variable>>,
    pub(super) bits: HashMap<(Linear, usize), Vec<Variable>>,
    pub(super) masked: HashMap<(Linear, Linear), Linear>,
    /// What is only known to be a product by lemmas.
    pub(super) products: Vec<Product>,
    /// Something has no definition at all.
    pub(super) has_unknown: bool,
}

impl Normalizer {
    /// One whose fresh variables are not those of the formula.
    pub fn for_formula(formula: &Formula) -> Normalizer {
        let mut normalizer = Normalizer::default();
        normalizer.leave_free(formula);
        normalizer
    }

    /// Fresh variables will not be those of the formula.
    pub fn leave_free(&mut self, formula: &Formula) {
        formula.visit(&mut |symbol| match symbol {
            Symbol::Variable(variable) => self.next_variable = self.next_variable.max(variable.0.saturating_add(1)),
            Symbol::Proposition(proposition) => {
                self.next_proposition = self.next_proposition.max(proposition.0.saturating_add(1));
            }
        });
    }

    /// The normal form with the definitions of what was replaced in it and before.
    pub fn normal_form(&mut self, formula: &Formula) -> Normal {
        self.learn_from_true(formula);
        let normal = self.formula(formula);
        Normal::all(self.definitions.iter().cloned().chain([normal]))
    }

    /// Whether each solution of the normal form is one of the formula.
    pub fn is_exact(&self) -> bool {
        self.products.is_empty() && !self.has_unknown
    }

    /// Whether there are numbers left for fresh variables: where a formula uses the last ones, a
    /// fresh variable could be one of its own, and nothing that is said here would be true.
    pub fn has_room(&self) -> bool {
        self.next_variable <= LAST && self.next_proposition <= LAST
    }

    /// The number of the first variable that is neither the formula's nor a fresh one.
    pub fn variables(&self) -> u32 {
        self.next_variable
    }

    /// The same of propositions.
    pub fn propositions(&self) -> u32 {
        self.next_proposition
    }

    pub(super) fn fresh(&mut self) -> Variable {
        let fresh = Variable(self.next_variable);
        self.next_variable = self.next_variable.saturating_add(1);
        fresh
    }

    pub(super) fn fresh_in(&mut self, range: Range) -> Variable {
        let fresh = self.fresh();
        self.ranges.insert(fresh, range);
        fresh
    }

    pub(super) fn fresh_proposition(&mut self) -> Proposition {
        let fresh = Proposition(self.next_proposition);
        self.next_proposition = self.next_proposition.saturating_add(1);
        fresh
    }

    pub(super) fn define(&mut self, definition: Normal) {
        self.definitions.push(definition);
    }
}
