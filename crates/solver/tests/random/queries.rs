//! Random questions.

use ample_solver::{Formula, Integer, Proposition, Rounding, Term, Variable};
use ample_stdx::Random;

/// What may occur.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sums, quotients and remainders by constants, divisibility, if-then-else.
    Linear,
    /// The same, of numbers with many bits.
    Wide,
    /// Products of variables and division by them, too.
    Products,
    /// Operators on bits, too.
    Bits,
}

/// Makes questions.
pub struct Generator {
    random: Random,
    kind: Kind,
    variables: usize,
    propositions: usize,
}

const ROUNDINGS: [Rounding; 3] = [Rounding::TowardZero, Rounding::Down, Rounding::Euclidean];

impl Generator {
    pub fn new(seed: u64, kind: Kind, variables: usize) -> Generator {
        let mut random = Random::new(seed);
        let propositions = random.below(3);
        Generator { random, kind, variables, propositions }
    }

    /// A conjunction of a few formulas, as a question of a predicate abstraction is: what is known
    /// of a state, and what is asked of it.
    pub fn query(&mut self) -> Formula {
        let most = 3 + self.variables;
        let parts = self.random.between(2, most);
        Formula::All((0..parts).map(|_| self.formula(2)).collect())
    }

    /// The formula with a range of each variable.
    pub fn bounded(&mut self, low: i64, high: i64) -> Formula {
        let query = self.query();
        let ranges = (0..self.variables).flat_map(|at| {
            let variable = Term::from(Variable(at as u32));
            [variable.clone().at_least(low), variable.at_most(high)]
        });
        Formula::All(ranges.chain([query]).collect())
    }

    pub fn formula(&mut self, depth: usize) -> Formula {
        let simple = depth == 0 || self.random.chance(50);
        if simple {
            return self.atom();
        }
        match self.random.below(6) {
            0 => self.formula(depth - 1).negated(),
            1 => self.formula(depth - 1).and(self.formula(depth - 1)),
            2 | 3 => self.formula(depth - 1).or(self.formula(depth - 1)),
            4 => self.formula(depth - 1).same_as(self.formula(depth - 1)),
            _ => self.formula(depth - 1).implies(self.formula(depth - 1)),
        }
    }

    fn atom(&mut self) -> Formula {
        if self.propositions > 0 && self.random.chance(15) {
            return Formula::Proposition(Proposition(self.random.below(self.propositions) as u32));
        }
        let term = self.term(2);
        let other = if self.random.chance(50) { self.constant().into() } else { self.term(1) };
        match self.random.below(10) {
            0..3 => term.at_most(other),
            3..5 => term.less(other),
            5..8 => term.equals(other),
            8 => term.equals(other).negated(),
            _ => {
                let by = self.random.between(2, 7) as i64;
                term.is_multiple_of(by)
            }
        }
    }

    fn term(&mut self, depth: usize) -> Term {
        if depth == 0 || self.random.chance(35) {
            return if self.random.chance(80) { self.variable() } else { self.constant().into() };
        }
        let nonlinear = match self.kind {
            Kind::Linear | Kind::Wide => 0,
            Kind::Products => 2,
            Kind::Bits => 1,
        };
        match self.random.below(8 + nonlinear) {
            0..3 => self.term(depth - 1).plus(self.term(depth - 1)),
            3 => self.term(depth - 1).minus(self.term(depth - 1)),
            4 => Term::Multiple(self.constant(), Box::new(self.term(depth - 1))),
            5 => {
                let condition = self.formula(1);
                self.term(depth - 1).when(condition, self.term(depth - 1))
            }
            choice @ (6 | 7) => {
                let rounding = *self.random.pick(&ROUNDINGS).unwrap_or(&Rounding::Down);
                let by = self.divisor();
                let term = self.term(depth - 1);
                if choice == 6 { term.divided_by(by, rounding) } else { term.remainder_by(by, rounding) }
            }
            _ if self.kind == Kind::Bits => {
                let (a, b) = (self.term(depth - 1), self.term(0));
                match self.random.below(4) {
                    0 => a.bit_and(b),
                    1 => a.bit_or(b),
                    2 => a.bit_xor(b),
                    _ => a.complement().shifted_right(1),
                }
            }
            8 => self.term(depth - 1).times(self.term(depth - 1)),
            _ => {
                let rounding = *self.random.pick(&ROUNDINGS).unwrap_or(&Rounding::Down);
                let (a, b) = (self.term(depth - 1), self.term(depth - 1));
                if self.random.chance(50) { a.divided_by(b, rounding) } else { a.remainder_by(b, rounding) }
            }
        }
    }

    fn variable(&mut self) -> Term {
        Variable(self.random.below(self.variables) as u32).into()
    }

    fn constant(&mut self) -> Integer {
        let small = self.random.between(0, 12) as i64 - 5;
        if self.kind == Kind::Wide && self.random.chance(20) {
            return Integer::from(small) << self.random.below(40);
        }
        small.into()
    }

    fn divisor(&mut self) -> Integer {
        let sign = if self.random.chance(20) { -1 } else { 1 };
        let size = match self.kind {
            Kind::Wide => *self.random.pick(&[2, 3, 10, 256, 65_536, 1 << 32]).unwrap_or(&2),
            _ => self.random.between(1, 7) as i64,
        };
        (sign * size).into()
    }
}
