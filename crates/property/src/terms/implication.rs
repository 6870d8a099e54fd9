//! A quick, incomplete test for implication between terms (in the manner of Somenzi and Bloem, CAV
//! 2000).

use super::{Term, TermId, Terms};

impl Terms {
    /// Whether `a` implies `b`, as far as the shapes of the two tell. `false` says nothing.
    pub(super) fn implies(&mut self, a: TermId, b: TermId) -> bool {
        if a == b || self.is_false(a) || self.is_true(b) {
            return true;
        }
        if let (Some(f), Some(g)) = (self.as_bool(a), self.as_bool(b)) {
            return self.bdds.implies(f, g);
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        let answer = self.implies_by_left(a, b) || self.implies_by_right(a, b) || self.implies_by_both(a, b);
        self.implications.insert((a, b), answer);
        answer
    }

    /// Whether the two exclude each other, as far as the shapes tell.
    pub(super) fn exclude(&mut self, a: TermId, b: TermId) -> bool {
        let not_b = self.not(b);
        self.implies(a, not_b)
    }

    /// Whether one of the two always holds, as far as the shapes tell.
    pub(super) fn exhaust(&mut self, a: TermId, b: TermId) -> bool {
        let not_a = self.not(a);
        self.implies(not_a, b)
    }

    /// What `a` gives away: some weaker term implies `b`.
    fn implies_by_left(&mut self, a: TermId, b: TermId) -> bool {
        let eventual = self.is_eventual(b);
        match self.terms[a].clone() {
            Term::Bool(_) => false,
            Term::And(operands) => operands.into_iter().any(|x| self.implies(x, b)),
            Term::Or(operands) => operands.into_iter().all(|x| self.implies(x, b)),
            Term::Next(x) => eventual && self.implies(x, b),
            Term::Eventually(x) => eventual && self.implies(x, b),
            Term::Always(x) => self.implies(x, b),
            Term::Until(x, y) => self.implies(y, b) && (eventual || self.implies(x, b)),
            Term::WeakUntil(x, y) => self.implies(x, b) && self.implies(y, b),
            Term::Release(_, y) => self.implies(y, b),
            Term::StrongRelease(x, y) => self.implies(y, b) || eventual && self.implies(x, b),
        }
    }

    /// What is enough for `b`: `a` implies some stronger term.
    fn implies_by_right(&mut self, a: TermId, b: TermId) -> bool {
        let universal = self.is_universal(a);
        match self.terms[b].clone() {
            Term::Bool(_) => false,
            Term::And(operands) => operands.into_iter().all(|x| self.implies(a, x)),
            Term::Or(operands) => operands.into_iter().any(|x| self.implies(a, x)),
            Term::Next(x) => universal && self.implies(a, x),
            Term::Eventually(x) => self.implies(a, x),
            Term::Always(x) => universal && self.implies(a, x),
            Term::Until(_, y) => self.implies(a, y),
            Term::WeakUntil(x, y) => self.implies(a, y) || universal && self.implies(a, x),
            Term::Release(x, y) => self.implies(a, y) && (universal || self.implies(a, x)),
            Term::StrongRelease(x, y) => self.implies(a, x) && self.implies(a, y),
        }
    }

    /// Both are temporal, and their operands are compared.
    fn implies_by_both(&mut self, a: TermId, b: TermId) -> bool {
        use Term::{Next, Release, StrongRelease, Until, WeakUntil};
        match (self.terms[a].clone(), self.terms[b].clone()) {
            (Next(x), Next(y)) => self.implies(x, y),
            (Until(x, y), Until(c, d) | WeakUntil(c, d)) | (WeakUntil(x, y), WeakUntil(c, d)) => {
                self.implies(y, d) && (self.implies(x, c) || self.implies(x, d))
            }
            (StrongRelease(x, y), Until(c, d) | WeakUntil(c, d)) | (Release(x, y), WeakUntil(c, d)) => {
                self.implies(y, c) && (self.implies(x, d) || self.implies(y, d))
            }
            (StrongRelease(x, y), StrongRelease(c, d) | Release(c, d)) | (Release(x, y), Release(c, d)) => {
                self.implies(y, d) && (self.implies(x, c) || self.implies(y, c))
            }
            (Until(x, y), StrongRelease(c, d) | Release(c, d)) | (WeakUntil(x, y), Release(c, d)) => {
                self.implies(x, d) && self.implies(y, d) && self.implies(y, c)
            }
            _ => false,
        }
    }
}
