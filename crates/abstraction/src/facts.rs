//! What an abstract state says: literals over atoms, and what follows from them without a solver.

use std::collections::{BTreeMap, BTreeSet};

use ample_solver::Formula;

use crate::cell::{Cell, Cells};
use crate::normal::{Atom, Base, Condition, Linear, Relation};

/// Bounds of a sum without its number.
#[derive(Clone, Debug, Default)]
struct Bounds {
    low: Option<i128>,
    high: Option<i128>,
    /// What it is not.
    not: BTreeSet<i128>,
}

impl Bounds {
    fn at_most(&mut self, value: i128) {
        self.high = Some(self.high.map_or(value, |high| high.min(value)));
    }

    fn at_least(&mut self, value: i128) {
        self.low = Some(self.low.map_or(value, |low| low.max(value)));
    }

    /// Moves the bounds past what it is not.
    fn tighten(&mut self) {
        while let Some(low) = self.low.filter(|low| self.not.contains(low)) {
            self.low = Some(low + 1);
        }
        while let Some(high) = self.high.filter(|high| self.not.contains(high)) {
            self.high = Some(high - 1);
        }
    }
}

/// A literal: an atom, and whether it holds.
pub(crate) type Literal = (Atom, bool);

/// The literals of an abstract state, for one choice of what stays concrete.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    literals: Vec<(Literal, Vec<Cell>)>,
    bounds: BTreeMap<Vec<(Base, i128)>, Bounds>,
}

impl Facts {
    /// Facts that hold together.
    pub fn new(literals: impl IntoIterator<Item = Literal>) -> Facts {
        let mut facts = Facts::default();
        let mut known = BTreeSet::new();
        for literal in literals {
            if known.insert(literal.clone()) {
                facts.note(&literal.0, literal.1);
                let mut cells = BTreeSet::new();
                literal.0.cells(&mut cells);
                facts.literals.push((literal, cells.into_iter().collect()));
            }
        }
        facts.bounds.values_mut().for_each(Bounds::tighten);
        facts
    }

    fn note(&mut self, atom: &Atom, holds: bool) {
        let bounds = self.bounds.entry(atom.parts.clone()).or_default();
        match (atom.relation, holds) {
            (Relation::AtMost, true) => bounds.at_most(atom.bound),
            (Relation::AtMost, false) => bounds.at_least(atom.bound.saturating_add(1)),
            (Relation::Equal, true) => {
                bounds.at_most(atom.bound);
                bounds.at_least(atom.bound);
            }
            (Relation::Equal, false) => {
                bounds.not.insert(atom.bound);
            }
        }
    }

    /// Whether an atom holds, if that is seen at once: by what is known of the same sum, or of its
    /// parts.
    pub fn known(&self, atom: &Atom, cells: &Cells) -> Option<bool> {
        let own = self.bounds.get(&atom.parts);
        if let Some(own) = own
            && atom.relation == Relation::Equal
            && own.not.contains(&atom.bound)
        {
            return Some(false);
        }
        let (low, high) = own.map_or((None, None), |own| (own.low, own.high));
        within(atom, low, high).or_else(|| {
            let (least, most) = self.interval(&atom.parts, cells);
            within(atom, low.max(least), tighter(high, most))
        })
    }

    /// Between which numbers a sum lies by what is known of its parts alone.
    fn interval(&self, parts: &[(Base, i128)], cells: &Cells) -> (Option<i128>, Option<i128>) {
        let (mut low, mut high) = (Some(0_i128), Some(0_i128));
        for (base, by) in parts {
            let (least, most) = self.of_base(base, cells);
            let (least, most) = if *by < 0 { (most, least) } else { (least, most) };
            let add = |sum: Option<i128>, value: Option<i128>| sum?.checked_add(value?.checked_mul(*by)?);
            (low, high) = (add(low, least), add(high, most));
        }
        (low, high)
    }

    fn of_base(&self, base: &Base, cells: &Cells) -> (Option<i128>, Option<i128>) {
        let known = self.bounds.get(std::slice::from_ref(&(base.clone(), 1)));
        let (low, high) = known.map_or((None, None), |known| (known.low, known.high));
        let of_type = match base {
            Base::Cell(cell) => cells.bounds(*cell),
            _ => None,
        };
        match of_type {
            Some((least, most)) => (low.max(Some(least)), tighter(high, Some(most))),
            None => (low, high),
        }
    }

    /// The literals that have to do with a condition: that share a variable with it, or with one
    /// that does. The others make no difference, since all hold together.
    pub fn about(&self, condition: &Condition) -> Vec<Literal> {
        let mut reached = BTreeSet::new();
        condition.cells(&mut reached);
        let mut is_in = vec![false; self.literals.len()];
        loop {
            let before = reached.len();
            for (number, (_, cells)) in self.literals.iter().enumerate() {
                if !is_in[number] && cells.iter().any(|cell| reached.contains(cell)) {
                    is_in[number] = true;
                    reached.extend(cells.iter().copied());
                }
            }
            if reached.len() == before {
                break;
            }
        }
        let chosen = self.literals.iter().zip(&is_in).filter(|(_, is_in)| **is_in);
        let mut chosen: Vec<Literal> = chosen.map(|((literal, _), _)| literal.clone()).collect();
        chosen.sort();
        chosen
    }
}

/// What is known of variables by their types.
pub(crate) fn background(cells: &Cells, of: &BTreeSet<Cell>) -> Vec<Formula> {
    let range = |cell: &Cell| {
        let (low, high) = cells.bounds(*cell)?;
        let value = || Linear::of(Base::Cell(*cell)).term();
        let constant = |value: i128| Linear::constant(value).term();
        Some(value().at_least(constant(low)).and(value().at_most(constant(high))))
    };
    of.iter().filter_map(range).collect()
}

fn within(atom: &Atom, low: Option<i128>, high: Option<i128>) -> Option<bool> {
    let is_above = low.is_some_and(|low| low > atom.bound);
    match atom.relation {
        _ if is_above => Some(false),
        Relation::AtMost => high.is_some_and(|high| high <= atom.bound).then_some(true),
        Relation::Equal if high.is_some_and(|high| high < atom.bound) => Some(false),
        Relation::Equal => (low == Some(atom.bound) && high == low).then_some(true),
    }
}

/// The lesser of two upper bounds.
fn tighter(one: Option<i128>, other: Option<i128>) -> Option<i128> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Atom {
    /// The literal as a formula.
    pub(crate) fn literal(&self, holds: bool) -> Formula {
        if holds { self.formula() } else { self.formula().negated() }
    }
}
