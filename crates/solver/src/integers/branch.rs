//! Branch and cut: the relaxation, some cuts, and where a variable is still between two integers,
//! the one side and then the other. What both sides conflict with, without the branch itself,
//! explains why there is no solution; a side that does not need the branch answers for both.

use std::collections::BTreeMap;

use super::constraint::{Constraint, Origins, Verdict, union};
use super::cut;
use crate::formula::Variable;
use crate::meter::Meter;
use crate::number::{Integer, Rational, abs};
use crate::simplex::{Column, Feasibility, Reason, Side, Tableau};

/// So many nodes are tried in the box, and without it; more do not end either, mostly,
pub(crate) const SHORT: u32 = 300;
/// but where nothing else is left.
pub(crate) const LONG: u32 = 5_000;
/// How much larger the box is than the largest number.
const BOX_FACTOR: u32 = 4;
/// And so many branches below each other.
const MOST_DEPTH: u32 = 60;
/// So often cuts are added at one node.
const MOST_ROUNDS: usize = 2;
/// Cuts are added at nodes down to this depth.
const DEEPEST_CUT: u32 = 0;
/// So many cuts at a time.
const MOST_CUTS: usize = 3;
/// Origins of a branch: this, and how deep it is.
const BRANCH: u32 = 1 << 31;
/// The origin of the box.
const BOX: u32 = u32::MAX;

/// Looks for a solution; nothing if that seems not to end. First in a box around zero, in which it
/// does: what has a solution mostly has a small one.
pub(crate) fn search(inequalities: &[Constraint], nodes: u32, meter: &Meter) -> Option<Verdict> {
    let mut variables = BTreeMap::new();
    for (variable, _) in inequalities.iter().flat_map(|inequality| &inequality.linear.terms) {
        let next = variables.len();
        variables.entry(*variable).or_insert(next);
    }
    let mut search = Search { origins: Vec::new(), columns: variables.len(), nodes: 0, meter };
    let tableau = match search.relaxation(inequalities, &variables) {
        Ok(tableau) => tableau,
        Err(conflict) => return Some(Verdict::Conflict(search.explain(&conflict))),
    };
    let mut boxed = tableau.clone();
    let outcome = match search.enclose(&mut boxed, inequalities) {
        Ok(()) => search.run(boxed, nodes),
        Err(conflict) => Node::Conflict(search.explain(&conflict)),
    };
    let outcome = match outcome {
        Node::Conflict(origins) if origins.contains(&BOX) => search.run(tableau, nodes),
        Node::GivenUp => search.run(tableau, nodes),
        found => found,
    };
    match outcome {
        Node::Solution(values) => {
            let value = |(variable, column): (Variable, Column)| Some((variable, values.get(column)?.clone()));
            Some(Verdict::Solution(variables.into_iter().filter_map(value).collect()))
        }
        Node::Conflict(origins) => Some(Verdict::Conflict(origins)),
        Node::GivenUp if meter.is_exhausted() => Some(Verdict::Exhausted),
        Node::GivenUp => None,
    }
}

enum Node {
    Solution(Vec<Integer>),
    Conflict(Origins),
    GivenUp,
}

struct Search<'m> {
    /// By reason.
    origins: Vec<Origins>,
    /// The variables come before the rows.
    columns: usize,
    nodes: u32,
    meter: &'m Meter,
}

impl Search<'_> {
    /// The inequalities as bounds of columns.
    fn relaxation(
        &mut self,
        inequalities: &[Constraint],
        variables: &BTreeMap<Variable, Column>,
    ) -> Result<Tableau, Vec<Reason>> {
        let mut tableau = Tableau::new(variables.len());
        let column = |variable: &Variable| variables.get(variable).copied().unwrap_or_default();
        for inequality in inequalities {
            let linear = &inequality.linear;
            let reason = self.reason(inequality.origins.clone());
            match &linear.terms[..] {
                [(variable, by)] if by.is_one() => {
                    tableau.assert_high(column(variable), &-&linear.constant, reason)?;
                }
                [(variable, by)] if *by == Integer::NEG_ONE => {
                    tableau.assert_low(column(variable), &linear.constant, reason)?;
                }
                terms => {
                    let row = tableau.add_row(terms.iter().map(|(variable, by)| (column(variable), by)));
                    tableau.assert_high(row, &-&linear.constant, reason)?;
                }
            }
        }
        Ok(tableau)
    }

    /// Bounds of each variable, somewhat beyond the largest number that occurs.
    fn enclose(&mut self, tableau: &mut Tableau, inequalities: &[Constraint]) -> Result<(), Vec<Reason>> {
        let largest = inequalities.iter().map(|inequality| abs(&inequality.linear.constant)).max();
        let size = (largest.unwrap_or_default() + Integer::ONE) * Integer::from(BOX_FACTOR);
        let reason = self.reason(vec![BOX]);
        for column in 0..self.columns {
            tableau.assert_low(column, &-&size, reason)?;
            tableau.assert_high(column, &size, reason)?;
        }
        Ok(())
    }

    fn run(&mut self, tableau: Tableau, nodes: u32) -> Node {
        self.nodes = nodes;
        self.node(tableau, 0)
    }

    fn reason(&mut self, origins: Origins) -> Reason {
        self.origins.push(origins);
        // There are never so many.
        self.origins.len() as Reason - 1
    }

    fn explain(&self, reasons: &[Reason]) -> Origins {
        let mut all: Origins = reasons.iter().flat_map(|reason| &self.origins[*reason as usize]).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn node(&mut self, mut tableau: Tableau, depth: u32) -> Node {
        if self.nodes == 0 || depth >= MOST_DEPTH {
            return Node::GivenUp;
        }
        self.nodes -= 1;
        for round in 0.. {
            match tableau.check(self.meter) {
                Feasibility::Exhausted => return Node::GivenUp,
                Feasibility::Conflict(reasons) => return Node::Conflict(self.explain(&reasons)),
                Feasibility::Feasible => {}
            }
            let fractional = |column: &Column| !tableau.value(*column).is_integer();
            let fractional: Vec<Column> = (0..self.columns).filter(fractional).collect();
            let Some(first) = fractional.first() else {
                return Node::Solution((0..self.columns).map(|column| tableau.value(column).floor()).collect());
            };
            if round == MOST_ROUNDS || depth > DEEPEST_CUT {
                return self.branch(&tableau, *first, depth);
            }
            match self.cut(&mut tableau, &fractional) {
                Ok(true) => {}
                Ok(false) => return self.branch(&tableau, *first, depth),
                Err(reasons) => return Node::Conflict(self.explain(&reasons)),
            }
        }
        Node::GivenUp
    }

    /// Adds the cuts of these columns' rows. Whether there are any.
    fn cut(&mut self, tableau: &mut Tableau, fractional: &[Column]) -> Result<bool, Vec<Reason>> {
        let cuts: Vec<cut::Cut> =
            fractional.iter().filter_map(|column| cut::from_row(tableau, *column)).take(MOST_CUTS).collect();
        for cut in &cuts {
            let reason = self.reason(self.explain(&cut.reasons));
            match &cut.terms[..] {
                [(column, by)] if by.is_one() => tableau.assert_low(*column, &cut.limit, reason)?,
                terms => {
                    let row = tableau.add_row(terms.iter().map(|(column, by)| (*column, by)));
                    tableau.assert_low(row, &cut.limit, reason)?;
                }
            }
        }
        Ok(!cuts.is_empty())
    }

    fn branch(&mut self, tableau: &Tableau, column: Column, depth: u32) -> Node {
        let below = tableau.value(column).floor();
        let above = &below + Integer::ONE;
        let marker = BRANCH | depth;
        let reason = self.reason(vec![marker]);
        let mut conflict = Origins::new();
        let mut is_given_up = false;
        // The nearer side first.
        let fraction = tableau.value(column).minus(&Rational::from(&below));
        let mut sides = [(Side::High, &below), (Side::Low, &above)];
        if fraction.plus(&fraction) > Rational::ONE {
            sides.reverse();
        }
        for (side, value) in sides {
            let mut tableau = tableau.clone();
            let outcome = match tableau.assert(column, side, value, reason) {
                Ok(()) => self.node(tableau, depth + 1),
                Err(reasons) => Node::Conflict(self.explain(&reasons)),
            };
            match outcome {
                Node::Solution(values) => return Node::Solution(values),
                Node::GivenUp => is_given_up = true,
                Node::Conflict(origins) if !origins.contains(&marker) => return Node::Conflict(origins),
                Node::Conflict(origins) => conflict = union(&conflict, &origins),
            }
        }
        if is_given_up {
            return Node::GivenUp;
        }
        conflict.retain(|origin| *origin != marker);
        Node::Conflict(conflict)
    }
}
