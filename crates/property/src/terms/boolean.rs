//! Conjunction and disjunction, and the rules by which two operands become one.

use super::duality::{Half, View};
use super::{Term, TermId, Terms};
use crate::bdd::Bdd;

impl Terms {
    /// Conjunction.
    pub(crate) fn and(&mut self, operands: Vec<TermId>) -> TermId {
        self.dual().or(operands)
    }

    /// Disjunction.
    pub(crate) fn or(&mut self, operands: Vec<TermId>) -> TermId {
        self.plain().or(operands)
    }
}

impl View<'_> {
    /// Disjunction.
    pub(super) fn or(&mut self, operands: Vec<TermId>) -> TermId {
        let (neutral, deciding) = if self.half == Half::Or { (Bdd::FALSE, Bdd::TRUE) } else { (Bdd::TRUE, Bdd::FALSE) };
        let mut function = neutral;
        let mut flat = Vec::new();
        for id in operands {
            let parts = if let Term::Or(parts) = self.term(id) { parts } else { vec![id] };
            for part in parts {
                match self.terms.as_bool(part) {
                    Some(f) if self.half == Half::Or => function = self.terms.bdds.or(function, f),
                    Some(f) => function = self.terms.bdds.and(function, f),
                    None => flat.push(part),
                }
            }
        }
        if function == deciding {
            return self.constant(true);
        }
        if function != neutral {
            flat.push(self.terms.boolean(function));
        }
        flat.sort();
        flat.dedup();
        if self.terms.is_full() {
            if let Some(simpler) = self.merge_pair(&flat) {
                return simpler;
            }
            if self.any_pair_exhausts(&flat) {
                return self.constant(true);
            }
            self.drop_redundant(&mut flat);
        }
        match flat[..] {
            [] => self.constant(false),
            [only] => only,
            _ => self.intern(Term::Or(flat)),
        }
    }

    fn any_pair_exhausts(&mut self, operands: &[TermId]) -> bool {
        let rest = |at: usize| operands[at + 1..].iter();
        operands.iter().enumerate().any(|(at, &a)| rest(at).any(|&b| self.exhaust(a, b)))
    }

    /// Drops every operand that another one makes redundant.
    fn drop_redundant(&mut self, operands: &mut Vec<TermId>) {
        let mut at = 0;
        while at < operands.len() {
            let candidate = operands[at];
            let is_covered = operands.iter().any(|&other| other != candidate && self.implies(candidate, other));
            if is_covered {
                operands.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Replaces two operands of a disjunction by one, if a rule applies.
    fn merge_pair(&mut self, operands: &[TermId]) -> Option<TermId> {
        for (at, &a) in operands.iter().enumerate() {
            for (other, &b) in operands.iter().enumerate().filter(|&(other, _)| other != at) {
                if let Some(merged) = self.pair_in_or(a, b) {
                    let is_rest = |&(index, _): &(usize, &TermId)| index != at && index != other;
                    let rest = operands.iter().enumerate().filter(is_rest).map(|(_, &id)| id);
                    let operands = rest.chain([merged]).collect();
                    return Some(self.or(operands));
                }
            }
        }
        None
    }

    /// One term for `a` or `b`. Tried in both orders.
    fn pair_in_or(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        use Term::{Always, Eventually, Next, Release, StrongRelease, Until, WeakUntil};
        Some(match (self.term(a), self.term(b)) {
            (Next(x), Next(y)) => {
                let either = self.or(vec![x, y]);
                self.terms.next(either)
            }
            (Eventually(x), Eventually(y)) => {
                let either = self.or(vec![x, y]);
                self.eventually(either)
            }
            (Always(x), Always(y)) if self.are_eventually(x, y) => {
                let either = self.or(vec![x, y]);
                self.always(either)
            }
            (Release(x, y), Release(z, w) | StrongRelease(z, w)) if y == w => {
                let either = self.or(vec![x, z]);
                self.release(either, y)
            }
            (StrongRelease(x, y), StrongRelease(z, w)) if y == w => {
                let either = self.or(vec![x, z]);
                self.strong_release(either, y)
            }
            (StrongRelease(x, y), Always(w)) if y == w => self.release(x, y),
            (Until(x, y), Until(z, w)) if x == z => {
                let either = self.or(vec![y, w]);
                self.until(x, either)
            }
            (WeakUntil(x, y), WeakUntil(z, w) | Until(z, w)) if x == z => {
                let either = self.or(vec![y, w]);
                self.weak_until(x, either)
            }
            (Until(x, y), Always(z)) if x == z => self.weak_until(x, y),
            _ => return None,
        })
    }

    fn are_eventually(&self, a: TermId, b: TermId) -> bool {
        [a, b].into_iter().all(|id| matches!(self.term(id), Term::Eventually(_)))
    }
}
