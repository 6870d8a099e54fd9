//! Boolean functions as binary decision diagrams: the labels of automata.
//!
//! Reduced and ordered (Bryant, IEEE Trans. Computers 1986), without complemented edges, without
//! reordering and without garbage collection: the functions of this crate are small and live as
//! long as their table. Two functions of one table are equal if and only if their names are.

use std::collections::HashMap;

use ample_stdx::QuickHash;

/// Names a function of one [`Bdds`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bdd(u32);

impl Bdd {
    /// The function that is nowhere true.
    pub const FALSE: Bdd = Bdd(0);
    /// The function that is everywhere true.
    pub const TRUE: Bdd = Bdd(1);

    fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 <= 1
    }
}

/// A conjunction of literals over the variables 0 to 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// The variables that must be true.
    pub positive: u64,
    /// The variables that must be false.
    pub negative: u64,
}

impl Cube {
    /// Whether the valuation, one bit a variable, satisfies all literals.
    #[inline]
    pub fn accepts(self, letter: u64) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }
}

/// A literal: a variable, and whether it must be true.
pub(crate) type Literal = (u32, bool);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// A table of Boolean functions. Variables are numbers; smaller ones are tested first.
#[derive(Clone, Debug)]
pub struct Bdds {
    nodes: Vec<Node>,
    unique: HashMap<Node, Bdd, QuickHash>,
    ite: HashMap<(Bdd, Bdd, Bdd), Bdd, QuickHash>,
    overflowed: bool,
}

/// More nodes than a table may have. Functions that need more are the constant false, and the table
/// says so.
const MOST_NODES: usize = 1 << 18;
/// More remembered results than are worth their memory.
const MOST_REMEMBERED: usize = 1 << 20;

/// The variable of the constants: after all others.
const LAST: u32 = u32::MAX;

impl Default for Bdds {
    fn default() -> Bdds {
        Bdds::new()
    }
}

impl Bdds {
    /// A table with the two constants.
    pub fn new() -> Bdds {
        let constant = |value| Node { variable: LAST, low: value, high: value };
        let nodes = vec![constant(Bdd::FALSE), constant(Bdd::TRUE)];
        Bdds { nodes, unique: HashMap::default(), ite: HashMap::default(), overflowed: false }
    }

    /// Whether some function was too large for the table: then what the table says is not to be
    /// trusted.
    pub fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    /// The function that is true where the variable is.
    pub fn variable(&mut self, variable: u32) -> Bdd {
        self.node(variable, Bdd::FALSE, Bdd::TRUE)
    }

    fn node(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        if self.nodes.len() >= MOST_NODES {
            self.overflowed = true;
            return Bdd::FALSE;
        }
        let name = Bdd(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, name);
        name
    }

    /// `condition ? yes : no`.
    pub fn ite(&mut self, condition: Bdd, yes: Bdd, no: Bdd) -> Bdd {
        match (condition, yes, no) {
            (Bdd::TRUE, _, _) => return yes,
            (Bdd::FALSE, _, _) => return no,
            (_, Bdd::TRUE, Bdd::FALSE) => return condition,
            _ if yes == no => return yes,
            _ => {}
        }
        if let Some(&known) = self.ite.get(&(condition, yes, no)) {
            return known;
        }
        let top = [condition, yes, no].map(|f| self.top(f)).into_iter().min().unwrap_or(LAST);
        let [low, high] = [false, true].map(|value| {
            let parts = [condition, yes, no].map(|f| self.cofactor(f, top, value));
            self.ite(parts[0], parts[1], parts[2])
        });
        let result = self.node(top, low, high);
        if self.ite.len() >= MOST_REMEMBERED {
            self.ite.clear();
        }
        self.ite.insert((condition, yes, no), result);
        result
    }

    /// Negation.
    pub fn not(&mut self, f: Bdd) -> Bdd {
        self.ite(f, Bdd::FALSE, Bdd::TRUE)
    }

    /// Conjunction.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        // One order of the operands, so that the cache is hit more often.
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, g, Bdd::FALSE)
    }

    /// Disjunction.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, Bdd::TRUE, g)
    }

    /// Where `f` is true and `g` is not.
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.ite(g, Bdd::FALSE, f)
    }

    /// Whether `g` is true wherever `f` is.
    pub fn implies(&mut self, f: Bdd, g: Bdd) -> bool {
        self.minus(f, g) == Bdd::FALSE
    }

    /// Whether both are true somewhere.
    pub fn intersect(&mut self, f: Bdd, g: Bdd) -> bool {
        self.and(f, g) != Bdd::FALSE
    }

    fn top(&self, f: Bdd) -> u32 {
        self.nodes[f.index()].variable
    }

    /// The function with `variable`, which is not after its first one, set to `value`.
    fn cofactor(&self, f: Bdd, variable: u32, value: bool) -> Bdd {
        let node = self.nodes[f.index()];
        match (node.variable == variable, value) {
            (false, _) => f,
            (true, false) => node.low,
            (true, true) => node.high,
        }
    }

    /// The value of the function where exactly the variables of the set bits are true.
    pub fn value(&self, f: Bdd, letter: u64) -> bool {
        let mut at = f;
        while !at.is_constant() {
            let node = self.nodes[at.index()];
            let is_true = node.variable < 64 && letter >> node.variable & 1 == 1;
            at = if is_true { node.high } else { node.low };
        }
        at == Bdd::TRUE
    }

    /// A valuation where the function is true, with as few true variables as its smallest path has;
    /// `None` for the constant false. Variables from 64 on are left out.
    pub fn some_letter(&self, f: Bdd) -> Option<u64> {
        let mut letter = 0;
        let mut at = f;
        while !at.is_constant() {
            let node = self.nodes[at.index()];
            at = node.low;
            if at == Bdd::FALSE {
                letter |= 1u64.checked_shl(node.variable).unwrap_or(0);
                at = node.high;
            }
        }
        (at == Bdd::TRUE).then_some(letter)
    }

    /// The variables below 64 that the function depends on, one bit each.
    pub fn support(&self, f: Bdd) -> u64 {
        let mut seen = vec![false; f.index() + 1];
        let mut variables = 0;
        let mut open = vec![f];
        while let Some(at) = open.pop() {
            if at.is_constant() || std::mem::replace(&mut seen[at.index()], true) {
                continue;
            }
            let node = self.nodes[at.index()];
            variables |= 1u64.checked_shl(node.variable).unwrap_or(0);
            open.extend([node.low, node.high]);
        }
        variables
    }

    /// The same function of the variables below 64 in another table.
    pub fn copy_to(&self, f: Bdd, other: &mut Bdds) -> Bdd {
        self.map_to(f, other, &mut HashMap::new(), &|variable| variable)
    }

    /// The function with its variables renamed, in another table.
    pub(crate) fn map_to(
        &self,
        f: Bdd,
        other: &mut Bdds,
        known: &mut HashMap<Bdd, Bdd>,
        rename: &dyn Fn(u32) -> u32,
    ) -> Bdd {
        if f.is_constant() {
            return f;
        }
        if let Some(&copy) = known.get(&f) {
            return copy;
        }
        let node = self.nodes[f.index()];
        let low = self.map_to(node.low, other, known, rename);
        let high = self.map_to(node.high, other, known, rename);
        let variable = other.variable(rename(node.variable));
        let copy = other.ite(variable, high, low);
        known.insert(f, copy);
        copy
    }

    /// An irredundant disjunction of cubes that equals the function: the way to print it. There may
    /// be very many, if the function is like a parity.
    pub fn cubes(&mut self, f: Bdd) -> Vec<Cube> {
        let products = self.products(f, usize::MAX).unwrap_or_default();
        let bit = |variable: u32| 1u64.checked_shl(variable).unwrap_or(0);
        let cube = |literals: &Vec<Literal>| {
            literals.iter().fold(Cube::default(), |mut cube, &(variable, value)| {
                *if value { &mut cube.positive } else { &mut cube.negative } |= bit(variable);
                cube
            })
        };
        products.iter().map(cube).collect()
    }

    /// An irredundant disjunction of products of literals that equals the function. For a function
    /// that is monotone, these are its prime implicants. `None` if there are more than `limit`.
    pub(crate) fn products(&mut self, f: Bdd, limit: usize) -> Option<Vec<Vec<Literal>>> {
        self.between(f, f, limit).map(|(_, products)| products)
    }

    /// A simple function that is true where `lower` is and only where `upper` is; the same one for
    /// the same bounds. `None` if it is not simple at all.
    pub(crate) fn simplest_between(&mut self, lower: Bdd, upper: Bdd) -> Option<Bdd> {
        self.between(lower, upper, 100).map(|(function, _)| function)
    }

    /// Minato and Morreale's irredundant sum of products (Minato, SASIMI 1992).
    fn between(&mut self, lower: Bdd, upper: Bdd, limit: usize) -> Option<(Bdd, Vec<Vec<Literal>>)> {
        // After an overflow the bounds may contradict each other.
        if lower == Bdd::FALSE || self.overflowed {
            return Some((Bdd::FALSE, Vec::new()));
        }
        if upper == Bdd::TRUE {
            return Some((Bdd::TRUE, vec![Vec::new()]));
        }
        let variable = self.top(lower).min(self.top(upper));
        let [lower0, lower1] = [false, true].map(|value| self.cofactor(lower, variable, value));
        let [upper0, upper1] = [false, true].map(|value| self.cofactor(upper, variable, value));
        let only0 = self.minus(lower0, upper1);
        let only1 = self.minus(lower1, upper0);
        let (cover0, mut products0) = self.between(only0, upper0, limit)?;
        let (cover1, mut products1) = self.between(only1, upper1, limit)?;
        let rest0 = self.minus(lower0, cover0);
        let rest1 = self.minus(lower1, cover1);
        let rest = self.or(rest0, rest1);
        let both = self.and(upper0, upper1);
        let (cover, products) = self.between(rest, both, limit)?;
        let low = self.or(cover0, cover);
        let high = self.or(cover1, cover);
        let result = self.node_over(variable, low, high);
        products0.iter_mut().for_each(|product| product.push((variable, false)));
        products1.iter_mut().for_each(|product| product.push((variable, true)));
        products0.extend(products1);
        products0.extend(products);
        (products0.len() <= limit).then_some((result, products0))
    }

    fn node_over(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        let test = self.variable(variable);
        self.ite(test, high, low)
    }

    /// The distinct functions that remain when the variables below `limit` are fixed, each with the
    /// valuations of those variables that lead to it. The valuations are a partition. `None` if
    /// there are more than `most`.
    pub(crate) fn split_below(&mut self, f: Bdd, limit: u32, most: usize) -> Option<Vec<(Bdd, Bdd)>> {
        let mut known: HashMap<Bdd, Vec<(Bdd, Bdd)>> = HashMap::new();
        self.split(f, limit, most, &mut known)
    }

    fn split(
        &mut self,
        f: Bdd,
        limit: u32,
        most: usize,
        known: &mut HashMap<Bdd, Vec<(Bdd, Bdd)>>,
    ) -> Option<Vec<(Bdd, Bdd)>> {
        let node = self.nodes[f.index()];
        if node.variable >= limit {
            return Some(vec![(Bdd::TRUE, f)]);
        }
        if let Some(parts) = known.get(&f) {
            return Some(parts.clone());
        }
        let mut parts: Vec<(Bdd, Bdd)> = Vec::new();
        for (next, is_true) in [(node.low, false), (node.high, true)] {
            for (guard, rest) in self.split(next, limit, most, known)? {
                let (low, high) = if is_true { (Bdd::FALSE, guard) } else { (guard, Bdd::FALSE) };
                let guard = self.node_over(node.variable, low, high);
                match parts.iter_mut().find(|(_, other)| *other == rest) {
                    Some((whole, _)) => *whole = self.or(*whole, guard),
                    None => parts.push((guard, rest)),
                }
            }
        }
        if parts.len() > most {
            return None;
        }
        known.insert(f, parts.clone());
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function of three variables with this truth table, built by Shannon expansion.
    fn of_table(bdds: &mut Bdds, table: u8) -> Bdd {
        let mut f = Bdd::FALSE;
        for letter in (0..8).filter(|letter| table >> letter & 1 == 1) {
            let mut minterm = Bdd::TRUE;
            for variable in 0..3 {
                let literal = bdds.variable(variable);
                let literal = if letter >> variable & 1 == 1 { literal } else { bdds.not(literal) };
                minterm = bdds.and(minterm, literal);
            }
            f = bdds.or(f, minterm);
        }
        f
    }

    fn table_of(bdds: &Bdds, f: Bdd) -> u8 {
        (0..8).filter(|&letter| bdds.value(f, letter)).fold(0, |table, letter| table | 1 << letter)
    }

    #[test]
    fn operations_agree_with_truth_tables_on_all_functions_of_three_variables() {
        let mut bdds = Bdds::new();
        for a in 0..=255u8 {
            let f = of_table(&mut bdds, a);
            assert_eq!(table_of(&bdds, f), a);
            let not = bdds.not(f);
            assert_eq!(table_of(&bdds, not), !a);
            assert_eq!(bdds.some_letter(f).map(|letter| bdds.value(f, letter)), (a != 0).then_some(true));
            for b in (0..=255u8).step_by(7) {
                let g = of_table(&mut bdds, b);
                let (and, or, minus) = (bdds.and(f, g), bdds.or(f, g), bdds.minus(f, g));
                assert_eq!(table_of(&bdds, and), a & b);
                assert_eq!(table_of(&bdds, or), a | b);
                assert_eq!(table_of(&bdds, minus), a & !b);
                assert_eq!(bdds.implies(f, g), a & !b == 0);
                assert_eq!(f == g, a == b);
            }
        }
    }

    #[test]
    fn cubes_cover_the_function_and_none_is_needless() {
        let mut bdds = Bdds::new();
        for table in 0..=255u8 {
            let f = of_table(&mut bdds, table);
            let cubes = bdds.cubes(f);
            let covered = |skip: usize| {
                (0..8u64).fold(0u8, |covered, letter| {
                    let is_in = cubes.iter().enumerate().any(|(at, cube)| at != skip && cube.accepts(letter));
                    covered | u8::from(is_in) << letter
                })
            };
            assert_eq!(covered(usize::MAX), table);
            assert!((0..cubes.len()).all(|skip| covered(skip) != table));
        }
    }

    #[test]
    fn a_copy_in_another_table_is_the_same_function() {
        let mut bdds = Bdds::new();
        let mut other = Bdds::new();
        other.variable(2);
        for table in 0..=255u8 {
            let f = of_table(&mut bdds, table);
            let copy = bdds.copy_to(f, &mut other);
            assert_eq!(table_of(&other, copy), table);
        }
    }

    #[test]
    fn splitting_gives_a_partition() {
        let mut bdds = Bdds::new();
        for table in 0..=255u8 {
            let f = of_table(&mut bdds, table);
            let parts = bdds.split_below(f, 2, 4).unwrap();
            let mut all = Bdd::FALSE;
            let mut whole = Bdd::FALSE;
            for (guard, rest) in parts {
                assert!(!bdds.intersect(all, guard));
                all = bdds.or(all, guard);
                let part = bdds.and(guard, rest);
                whole = bdds.or(whole, part);
            }
            assert_eq!((all, whole), (Bdd::TRUE, f));
        }
    }

    #[test]
    fn sixty_four_variables_are_no_problem() {
        let mut bdds = Bdds::new();
        let all = (0..64).fold(Bdd::TRUE, |all, variable| {
            let literal = bdds.variable(variable);
            bdds.and(all, literal)
        });
        assert!(bdds.value(all, u64::MAX) && !bdds.value(all, u64::MAX >> 1));
        assert_eq!(bdds.cubes(all), [Cube { positive: u64::MAX, negative: 0 }]);
        assert_eq!(bdds.support(all), u64::MAX);
    }
}
