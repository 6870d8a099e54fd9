//! Infinite words that end in a repetition, and the meaning of formulas on them.
//!
//! The evaluator is written from the definition of the logic alone. It shares nothing with the
//! translation, which is tested against it.

use crate::{Letter, Ltl};

/// The infinite word `prefix cycle cycle …`. The cycle is not empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lasso {
    prefix: Vec<Letter>,
    cycle: Vec<Letter>,
}

impl Lasso {
    /// The word that repeats `cycle` after `prefix`; `None` if the cycle is empty.
    pub fn new(prefix: Vec<Letter>, cycle: Vec<Letter>) -> Option<Lasso> {
        (!cycle.is_empty()).then_some(Lasso { prefix, cycle })
    }

    /// The letters before the repetition.
    pub fn prefix(&self) -> &[Letter] {
        &self.prefix
    }

    /// The letters that are repeated.
    pub fn cycle(&self) -> &[Letter] {
        &self.cycle
    }

    /// How many positions there are before they repeat.
    pub(crate) fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// The letter at a position below [`Lasso::len`].
    pub(crate) fn letter(&self, position: usize) -> Letter {
        match position.checked_sub(self.prefix.len()) {
            None => self.prefix[position],
            Some(inside) => self.cycle[inside % self.cycle.len()],
        }
    }

    /// The position after this one.
    pub(crate) fn next(&self, position: usize) -> usize {
        if position + 1 < self.len() { position + 1 } else { self.prefix.len() }
    }

    /// Whether the word satisfies the formula.
    pub fn satisfies(&self, formula: &Ltl) -> bool {
        self.values(formula)[0]
    }

    /// The truth of the formula at each position.
    fn values(&self, formula: &Ltl) -> Vec<bool> {
        let both = |a: &Ltl, b: &Ltl| (self.values(a), self.values(b));
        match formula {
            Ltl::True => vec![true; self.len()],
            Ltl::False => vec![false; self.len()],
            Ltl::Proposition(id) => (0..self.len()).map(|at| id.is_in(self.letter(at))).collect(),
            Ltl::Not(a) => self.values(a).into_iter().map(|value| !value).collect(),
            Ltl::And(a, b) => {
                let (a, b) = both(a, b);
                a.iter().zip(&b).map(|(a, b)| *a && *b).collect()
            }
            Ltl::Or(a, b) => {
                let (a, b) = both(a, b);
                a.iter().zip(&b).map(|(a, b)| *a || *b).collect()
            }
            Ltl::Next(a) => {
                let a = self.values(a);
                (0..self.len()).map(|at| a[self.next(at)]).collect()
            }
            Ltl::Eventually(b) => {
                let b = self.values(b);
                self.fixed_point(false, |at, next| b[at] || next)
            }
            Ltl::Always(b) => {
                let b = self.values(b);
                self.fixed_point(true, |at, next| b[at] && next)
            }
            Ltl::Until(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(false, |at, next| b[at] || a[at] && next)
            }
            Ltl::WeakUntil(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(true, |at, next| b[at] || a[at] && next)
            }
            Ltl::Release(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(true, |at, next| b[at] && (a[at] || next))
            }
            Ltl::StrongRelease(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(false, |at, next| b[at] && (a[at] || next))
            }
        }
    }

    /// The least (from `false`) or greatest (from `true`) solution of `value(at) = step(at,
    /// value(next(at)))`.
    fn fixed_point(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.len()];
        // Backwards twice: the first time settles what the cycle needs to know about its own
        // beginning.
        for _ in 0..2 {
            for at in (0..self.len()).rev() {
                values[at] = step(at, values[self.next(at)]);
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(index: usize) -> Box<Ltl> {
        Box::new(Ltl::proposition(index))
    }

    #[track_caller]
    fn check(formula: Ltl, prefix: &[Letter], cycle: &[Letter], expected: bool) {
        let word = Lasso::new(prefix.to_vec(), cycle.to_vec()).unwrap();
        assert_eq!(word.satisfies(&formula), expected, "{formula} on {word:?}");
    }

    #[test]
    fn the_operators_mean_what_the_books_say() {
        check(Ltl::Eventually(p(0)), &[0, 0], &[0, 1], true);
        check(Ltl::Eventually(p(0)), &[0, 0], &[0, 2], false);
        check(Ltl::Always(Box::new(Ltl::Eventually(p(0)))), &[0], &[0, 1], true);
        check(Ltl::Always(Box::new(Ltl::Eventually(p(0)))), &[1], &[0, 2], false);
        check(Ltl::Until(p(0), p(1)), &[1, 1], &[2], true);
        check(Ltl::Until(p(0), p(1)), &[1, 1], &[1], false);
        check(Ltl::WeakUntil(p(0), p(1)), &[1, 1], &[1], true);
        check(Ltl::Release(p(0), p(1)), &[2, 2], &[2], true);
        check(Ltl::StrongRelease(p(0), p(1)), &[2, 2], &[2], false);
        check(Ltl::StrongRelease(p(0), p(1)), &[2, 3], &[0], true);
        check(Ltl::Release(p(0), p(1)), &[2, 1], &[3], false);
        check(Ltl::Next(p(0)), &[], &[0, 1], true);
        check(Ltl::Next(Box::new(Ltl::Next(p(0)))), &[], &[0, 1], false);
    }

    #[test]
    fn what_the_end_of_the_cycle_needs_is_known_at_its_start() {
        // The until holds at the last position of the cycle only because of the first.
        check(Ltl::Always(Box::new(Ltl::Until(p(0), p(1)))), &[], &[1, 2, 1], true);
        check(Ltl::Always(Box::new(Ltl::Until(p(0), p(1)))), &[], &[1, 2, 0], false);
    }
}
