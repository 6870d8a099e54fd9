//! Looks for what a permutation of instances does to the rest: variables and values that stand at
//! the same place of edges that take each other's place are renamed to each other.
//!
//! What is found here is a guess. [`super::proof`] decides.

use std::collections::{BTreeMap, BTreeSet};

use super::lowering::Lowered;
use super::renaming::{Exchange, Permutation, Renaming, close_chains};
use super::sorts::{SortId, Sorts};
use super::terms::{EdgeTerm, Spot, Term};
use crate::canonizers::cells::Origin;

/// How the edges of instances that take each other's place are paired.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Pairing {
    /// By their order.
    ByOrder,
    /// Those that are the only ones of their shape at a location.
    ByShape,
}

/// In so many rounds indices of which nothing is known are left out.
const CAREFUL_ROUNDS: usize = 3;

/// After so many rounds the guess is what it is.
const MOST_ROUNDS: usize = 8;

/// A renaming that may map the network to itself.
pub(super) fn renaming(lowered: &Lowered<'_>, instances: &Exchange, pairing: Pairing) -> Renaming {
    let mut known: BTreeMap<usize, Permutation> = BTreeMap::new();
    let mut sorts = lowered.sorts.clone();
    let mut round = 0;
    loop {
        let is_careful = round < CAREFUL_ROUNDS;
        let mut guess = Guess {
            lowered,
            instances,
            pairing,
            by_order: false,
            is_careful,
            known: &known,
            sorts,
            variables: BTreeMap::new(),
            taken: BTreeSet::new(),
            values: Renaming::pids(lowered, instances),
        };
        guess.pair_all();
        let values = guess.permutations();
        round += 1;
        if round == MOST_ROUNDS || (!is_careful && values == known) {
            let variables = guess.total();
            return Renaming { instances: instances.clone(), variables, sorts: guess.sorts, values };
        }
        sorts = guess.sorts;
        known = values;
    }
}

/// One round.
struct Guess<'g> {
    lowered: &'g Lowered<'g>,
    instances: &'g Exchange,
    pairing: Pairing,
    /// Whether the operands that are being paired are so by their order.
    by_order: bool,
    is_careful: bool,
    /// What the last round has found, by sort.
    known: &'g BTreeMap<usize, Permutation>,
    sorts: Sorts,
    /// Which variable takes the place of which.
    variables: BTreeMap<usize, usize>,
    /// The variables whose place is taken.
    taken: BTreeSet<usize>,
    /// Values that take each other's place.
    values: Vec<(SortId, i64, i64)>,
}

const NOWHERE: Origin = Origin { instance: None, edge: None };

impl<'g> Guess<'g> {
    fn pair_all(&mut self) {
        let lowered = self.lowered;
        let mut spots = Vec::new();
        for (from, to) in self.instances.iter_enumerated() {
            let (one, other) = (&lowered.instances[from], &lowered.instances[*to]);
            self.by_order = from != *to && self.pairing == Pairing::ByOrder;
            one.others.iter().zip(&other.others).for_each(|(a, b)| self.pair(a, b, &mut spots));
            for (here, there) in one.edges.iter().zip(other.edges.iter()) {
                let terms = |edges: &'g [EdgeTerm]| edges.iter().map(|edge| &edge.term).collect::<Vec<_>>();
                let shapes = |edges: &'g [EdgeTerm]| edges.iter().map(|edge| edge.shape.clone()).collect::<Vec<_>>();
                let alike = match self.by_order {
                    true => (0..here.len().min(there.len())).map(|at| (at, at)).collect(),
                    false => paired(&shapes(here), &shapes(there)),
                };
                let (these, those) = (terms(here), terms(there));
                for (a, b) in alike.into_iter().map(|(a, b)| (these[a], those[b])) {
                    self.pair(a, b, &mut spots);
                }
            }
        }
        spots.into_iter().for_each(|(a, b)| self.pair_elements(a, b));
        if !self.is_careful {
            (0..lowered.cells.variables).for_each(|cell| self.pair_by_default(cell));
        }
    }

    /// Two terms take each other's place.
    fn pair(&mut self, a: &'g Term, b: &'g Term, spots: &mut Vec<(&'g Spot, &'g Spot)>) {
        match (a, b) {
            (Term::Constant { value, sort }, Term::Constant { value: other, sort: also }) => {
                self.sorts.join(*sort, *also, NOWHERE);
                self.values.push((*sort, *value, *other));
            }
            (Term::Variable(a), Term::Variable(b)) => {
                for (one, other) in a.indices.iter().zip(&b.indices) {
                    self.sorts.join(one.sort, other.sort, NOWHERE);
                    self.pair(&one.value, &other.value, spots);
                }
                spots.push((a, b));
            }
            (Term::Node { tag, parts }, Term::Node { tag: other, parts: others }) if tag == other => {
                if !Term::is_commutative(*tag, parts) || self.by_order {
                    parts.iter().zip(others).for_each(|(a, b)| self.pair(a, b, spots));
                    return;
                }
                let shapes = |parts: &[Term]| parts.iter().map(Term::shape).collect::<Vec<_>>();
                for (a, b) in paired(&shapes(parts), &shapes(others)) {
                    self.pair(&parts[a], &others[b], spots);
                }
            }
            _ => {}
        }
    }

    /// The variables that two spots may be take each other's place, as their indices do.
    fn pair_elements(&mut self, a: &Spot, b: &Spot) {
        let is_known = |sort: SortId| {
            let root = self.sorts.root(sort);
            self.sorts.frozen(root).is_some() || self.known_of(root).is_some()
        };
        if self.is_careful && !a.indices.iter().all(|index| is_known(index.sort)) {
            return;
        }
        let targets: BTreeMap<Vec<u32>, usize> = b.cells(&self.lowered.cells).into_iter().collect();
        for (chosen, cell) in a.cells(&self.lowered.cells) {
            let renamed = a.indices.iter().zip(&chosen).map(|(index, value)| {
                let root = self.sorts.root(index.sort);
                let known = self.known_of(root).and_then(|values| values.get(&(*value as i64)));
                known.map_or(*value, |value| *value as u32)
            });
            if let Some(target) = targets.get(&renamed.collect::<Vec<u32>>()) {
                self.pair_variables(cell, *target);
            }
        }
    }

    /// What the last round has found of a sort.
    fn known_of(&self, root: usize) -> Option<&'g Permutation> {
        self.known.get(&root)
    }

    fn pair_variables(&mut self, cell: usize, target: usize) {
        if !self.variables.contains_key(&cell) && self.taken.insert(target) {
            self.variables.insert(cell, target);
        }
        self.sorts.join(Sorts::of_cell(cell), Sorts::of_cell(target), NOWHERE);
        let constant = |cell: usize| self.lowered.cells.list[cell].constant;
        if let (Some(value), Some(other)) = (constant(cell), constant(target)) {
            self.values.push((Sorts::of_cell(cell), value, other));
        }
    }

    fn pair_by_default(&mut self, cell: usize) {
        if !self.variables.contains_key(&cell) {
            let target = Renaming::default_target(self.lowered, self.instances, cell);
            if !self.taken.contains(&target) {
                self.pair_variables(cell, target);
            }
        }
    }

    /// What becomes of the values of each sort.
    fn permutations(&mut self) -> BTreeMap<usize, Permutation> {
        let mut all: BTreeMap<usize, Permutation> = BTreeMap::new();
        for (sort, value, other) in &self.values {
            let root = self.sorts.root(*sort);
            if self.sorts.frozen(root).is_none() {
                all.entry(root).or_default().entry(*value).or_insert(*other);
            }
        }
        all.values_mut().for_each(close_chains);
        all
    }

    /// What becomes of every variable.
    fn total(&self) -> Vec<usize> {
        let mut map: Permutation = self.variables.iter().map(|(from, to)| (*from as i64, *to as i64)).collect();
        close_chains(&mut map);
        (0..self.lowered.cells.variables)
            .map(|cell| map.get(&(cell as i64)).map_or(cell, |target| *target as usize))
            .collect()
    }
}

/// Those that are the only ones of their shape, by position here and there.
fn paired(shapes: &[String], others: &[String]) -> Vec<(usize, usize)> {
    let only = |list: &[String], shape: &String| {
        let mut at = list.iter().enumerate().filter(|(_, other)| *other == shape).map(|(at, _)| at);
        at.next().filter(|_| at.next().is_none())
    };
    let alone = |shape: &String| Some((only(shapes, shape)?, only(others, shape)?));
    shapes.iter().filter_map(alone).collect()
}
