//! Sets of valuations of variables with few values, as binary decision diagrams over the bits of
//! their numbers; and the values of terms, as one set for each value.

use std::cell::Cell as StdCell;
use std::collections::BTreeMap;

use ample_model::{BinaryOp, UnaryOp};
use ample_network::SlotPlace;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Manager, ManagerRef};

use super::term::{Cell, Element, Evaluator, Junction, Term};

/// A set of valuations.
pub(super) type Set = BDDFunction;

/// How many nodes and how many results of operations there may be at a time.
const NODES: usize = 1 << 20;
const RESULTS: usize = 1 << 16;

/// A variable with more values has no diagram.
pub(super) const MOST_VALUES: i64 = 1 << 10;

/// An operator is computed for each pair of values of its operands: no more than so many for all
/// terms together.
const MOST_PAIRS: usize = 1 << 18;

/// A variable.
#[derive(Clone)]
struct Variable {
    place: SlotPlace,
    low: i64,
    high: i64,
    /// Its literals, by bit: where it is zero, and where it is one.
    bits: Vec<[Set; 2]>,
    first: u32,
}

/// Why there is no set.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum NoSet {
    /// The diagrams are too large.
    Full,
    /// There are too many values.
    TooMany,
    /// It depends on where processes are.
    Control,
}

impl From<oxidd::util::OutOfMemory> for NoSet {
    fn from(_: oxidd::util::OutOfMemory) -> Self {
        NoSet::Full
    }
}

/// The variables, and the diagrams over them.
pub(super) struct Diagrams {
    manager: BDDManagerRef,
    variables: Vec<Variable>,
    by_offset: BTreeMap<u32, usize>,
    evaluator: Evaluator,
    all: Set,
    none: Set,
    bit_count: u32,
    /// How many pairs of values were computed.
    pairs: StdCell<usize>,
}

/// The values of a term: where it has which, and where it has none.
pub(super) struct Values {
    pub by_value: BTreeMap<i64, Set>,
    pub fails: Set,
}

impl Diagrams {
    /// Diagrams over these variables, each with its least and greatest value.
    pub fn new(places: &[(SlotPlace, i64, i64)], evaluator: Evaluator) -> Result<Diagrams, NoSet> {
        let manager = new_manager(NODES, RESULTS, 1);
        let bits_of = |low: i64, high: i64| i64::BITS - (high - low).leading_zeros();
        let bit_count: u32 = places.iter().map(|(_, low, high)| bits_of(*low, *high)).sum();
        let (all, none) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(bit_count);
            (Set::t(manager), Set::f(manager))
        });
        let mut variables = Vec::new();
        let mut first = 0;
        for &(place, low, high) in places {
            let count = bits_of(low, high);
            let literal = |bit: u32| -> AllocResult<[Set; 2]> {
                manager.with_manager_shared(|manager| Ok([Set::not_var(manager, bit)?, Set::var(manager, bit)?]))
            };
            let bits = (first..first + count).map(literal).collect::<AllocResult<Vec<_>>>()?;
            variables.push(Variable { place, low, high, bits, first });
            first += count;
        }
        let by_offset = variables.iter().enumerate().map(|(number, of)| (of.place.offset, number)).collect();
        Ok(Diagrams { manager, variables, by_offset, evaluator, all, none, bit_count, pairs: StdCell::new(0) })
    }

    /// Where the variables lie.
    pub fn places(&self) -> impl Iterator<Item = SlotPlace> + '_ {
        self.variables.iter().map(|variable| variable.place)
    }

    pub fn all(&self) -> Set {
        self.all.clone()
    }

    pub fn none(&self) -> Set {
        self.none.clone()
    }

    /// How many nodes there are now.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    fn variable(&self, place: SlotPlace) -> Option<&Variable> {
        self.by_offset.get(&place.offset).map(|number| &self.variables[*number])
    }

    /// The bits of a state, with which sets are asked whether they hold it.
    pub fn bits(&self, state: &[u8], bits: &mut Vec<(u32, bool)>) {
        bits.clear();
        for variable in &self.variables {
            let number = variable.place.value_in(state).wrapping_sub(variable.low);
            let own = (0..variable.bits.len() as u32).map(|bit| (variable.first + bit, number >> bit & 1 == 1));
            bits.extend(own);
        }
        debug_assert_eq!(bits.len(), self.bit_count as usize);
    }

    /// All valuations in which a variable has a value.
    pub fn where_equal(&self, place: SlotPlace, value: i64) -> Result<Set, NoSet> {
        let Some(variable) = self.variable(place) else { return Ok(self.all()) };
        if !(variable.low..=variable.high).contains(&value) {
            return Ok(self.none());
        }
        let number = value - variable.low;
        let mut set = self.all();
        for (bit, literals) in variable.bits.iter().enumerate().rev() {
            set = set.and(&literals[usize::from(number >> bit & 1 == 1)])?;
        }
        Ok(set)
    }

    /// The valuations that are in a set once a variable is given a value.
    fn given(&self, set: &Set, cell: Cell, value: i64) -> Result<Set, NoSet> {
        let Some(variable) = cell.place().and_then(|place| self.variable(place)) else { return Ok(set.clone()) };
        if !(variable.low..=variable.high).contains(&value) {
            return Ok(self.none());
        }
        Ok(set.restrict(&self.where_equal(variable.place, value)?)?)
    }

    /// The valuations from which an assignment of one of these values leads into a set.
    pub fn before(&self, set: &Set, cells: &[(Cell, Set)], values: &[(i64, Set)]) -> Result<Set, NoSet> {
        let mut before = self.none();
        for (cell, is_it) in cells {
            for (value, has_it) in values {
                let given = self.given(set, *cell, *value)?;
                before = before.or(&given.and(has_it)?.and(is_it)?)?;
            }
        }
        Ok(before)
    }

    /// What an element may be, and where.
    pub fn cells(&self, element: &Element) -> Result<Vec<(Cell, Set)>, NoSet> {
        let mut found = vec![(0, self.all())];
        for index in &element.indices {
            let values = self.values(&index.value)?.by_value;
            let mut more = Vec::new();
            for (offset, is_there) in &found {
                for (value, has_it) in &values {
                    let Some(value) = u32::try_from(*value).ok().filter(|value| *value < index.length) else {
                        continue;
                    };
                    more.push((offset + (value * index.stride) as usize, is_there.and(has_it)?));
                }
            }
            found = more;
        }
        let cell = |(offset, set): (usize, Set)| element.cells.get(offset).map(|cell| (*cell, set));
        Ok(found.into_iter().filter_map(cell).collect())
    }

    /// The values of a term.
    pub fn values(&self, term: &Term) -> Result<Values, NoSet> {
        match term {
            Term::Const(value) => Ok(self.constant(*value)),
            Term::Read(place) => self.of_cell(Cell::At(*place)),
            Term::At(..) => Err(NoSet::Control),
            Term::Element(element) => {
                let mut values = Values { by_value: BTreeMap::new(), fails: self.all() };
                for (cell, is_it) in self.cells(element)? {
                    values.fails = values.fails.and(&is_it.not()?)?;
                    for (value, has_it) in self.of_cell(cell)?.by_value {
                        self.add(&mut values, value, has_it.and(&is_it)?)?;
                    }
                }
                Ok(values)
            }
            Term::Unary(op, operand) => self.unary(*op, &self.values(operand)?),
            Term::Binary(op, left, right) => self.binary(*op, &self.values(left)?, &self.values(right)?),
            Term::Logic(junction, left, _, right) => self.logic(*junction, &self.values(left)?, &self.values(right)?),
            Term::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.values(condition)?;
                let is_true = self.truth(&condition)?;
                let is_false = condition.by_value.get(&0).cloned().unwrap_or_else(|| self.none());
                let mut values = Values { by_value: BTreeMap::new(), fails: condition.fails };
                for (part, is_chosen) in [(yes, is_true), (no, is_false)] {
                    let part = self.values(part)?;
                    values.fails = values.fails.or(&part.fails.and(&is_chosen)?)?;
                    for (value, has_it) in part.by_value {
                        self.add(&mut values, value, has_it.and(&is_chosen)?)?;
                    }
                }
                Ok(values)
            }
        }
    }

    /// Where a term has a value that is not zero.
    pub fn truth(&self, values: &Values) -> Result<Set, NoSet> {
        let mut truth = self.none();
        for (_, has_it) in values.by_value.iter().filter(|(value, _)| **value != 0) {
            truth = truth.or(has_it)?;
        }
        Ok(truth)
    }

    fn constant(&self, value: i64) -> Values {
        Values { by_value: BTreeMap::from([(value, self.all())]), fails: self.none() }
    }

    fn of_cell(&self, cell: Cell) -> Result<Values, NoSet> {
        let place = match cell {
            Cell::Constant(value) => return Ok(self.constant(value)),
            Cell::At(place) => place,
        };
        let Some(variable) = self.variable(place) else { return Ok(self.constant(0)) };
        let values = variable.low..=variable.high;
        let by_value =
            values.map(|value| Ok((value, self.where_equal(place, value)?))).collect::<Result<_, NoSet>>()?;
        Ok(Values { by_value, fails: self.none() })
    }

    fn add(&self, values: &mut Values, value: i64, has_it: Set) -> Result<(), NoSet> {
        if has_it == self.none {
            return Ok(());
        }
        match values.by_value.get_mut(&value) {
            Some(set) => *set = set.or(&has_it)?,
            None => {
                values.by_value.insert(value, has_it);
            }
        }
        Ok(())
    }

    fn unary(&self, op: UnaryOp, operand: &Values) -> Result<Values, NoSet> {
        let mut values = Values { by_value: BTreeMap::new(), fails: operand.fails.clone() };
        for (value, has_it) in &operand.by_value {
            match self.evaluator.arithmetic.unary(op, *value) {
                Ok(value) => self.add(&mut values, value, has_it.clone())?,
                Err(_) => values.fails = values.fails.or(has_it)?,
            }
        }
        Ok(values)
    }

    fn binary(&self, op: BinaryOp, left: &Values, right: &Values) -> Result<Values, NoSet> {
        self.pairs.set(self.pairs.get() + left.by_value.len() * right.by_value.len());
        if self.pairs.get() > MOST_PAIRS {
            return Err(NoSet::TooMany);
        }
        let mut parts: BTreeMap<i64, Vec<Set>> = BTreeMap::new();
        let mut failing = vec![left.fails.or(&right.fails)?];
        for (one, has_one) in &left.by_value {
            for (other, has_other) in &right.by_value {
                let both = has_one.and(has_other)?;
                match self.evaluator.arithmetic.binary(op, *one, *other) {
                    Ok(value) => parts.entry(value).or_default().push(both),
                    Err(_) => failing.push(both),
                }
            }
        }
        let mut values = Values { by_value: BTreeMap::new(), fails: self.union(failing)? };
        for (value, sets) in parts {
            let set = self.union(sets)?;
            self.add(&mut values, value, set)?;
        }
        Ok(values)
    }

    /// The union of sets, of neighbours first: a large one is not copied for each small one.
    fn union(&self, mut sets: Vec<Set>) -> Result<Set, NoSet> {
        while sets.len() > 1 {
            sets = sets
                .chunks(2)
                .map(|pair| match pair {
                    [one, other] => one.or(other),
                    _ => Ok(pair[0].clone()),
                })
                .collect::<AllocResult<_>>()?;
        }
        Ok(sets.pop().unwrap_or_else(|| self.none()))
    }

    /// The second operand is asked only where the first does not decide.
    fn logic(&self, junction: Junction, left: &Values, right: &Values) -> Result<Values, NoSet> {
        let zero = |values: &Values| values.by_value.get(&0).cloned().unwrap_or_else(|| self.none());
        let (first, second) = ((self.truth(left)?, zero(left)), (self.truth(right)?, zero(right)));
        let mut values = Values { by_value: BTreeMap::new(), fails: left.fails.clone() };
        let (decided, open) = match junction {
            Junction::And => (first.1, first.0),
            Junction::Or => (first.0, first.1),
        };
        self.add(&mut values, i64::from(junction == Junction::Or), decided)?;
        self.add(&mut values, 1, second.0.and(&open)?)?;
        self.add(&mut values, 0, second.1.and(&open)?)?;
        values.fails = values.fails.or(&right.fails.and(&open)?)?;
        Ok(values)
    }
}
