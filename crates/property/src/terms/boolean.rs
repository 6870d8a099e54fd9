//! Conjunction and disjunction, and the rules by which two operands become one.

use super::{Term, TermId, Terms};
use crate::bdd::Bdd;

impl Terms {
    /// Conjunction.
    pub(crate) fn and(&mut self, operands: Vec<TermId>) -> TermId {
        let mut function = Bdd::TRUE;
        let mut flat = Vec::new();
        for id in operands {
            let parts = if let Term::And(parts) = &self.terms[id] { parts.clone() } else { vec![id] };
            for part in parts {
                match self.as_bool(part) {
                    Some(f) => function = self.bdds.and(function, f),
                    None => flat.push(part),
                }
            }
        }
        if function == Bdd::FALSE {
            return self.constant(false);
        }
        if function != Bdd::TRUE {
            flat.push(self.boolean(function));
        }
        flat.sort();
        flat.dedup();
        if self.is_full() {
            if let Some(simpler) = self.merge_in_and(&flat) {
                return simpler;
            }
            if self.any_pair(&flat, Terms::exclude) {
                return self.constant(false);
            }
            self.drop_redundant(&mut flat, |terms, kept, dropped| terms.implies(kept, dropped));
        }
        match flat[..] {
            [] => self.constant(true),
            [only] => only,
            _ => self.intern(Term::And(flat)),
        }
    }

    /// Disjunction.
    pub(crate) fn or(&mut self, operands: Vec<TermId>) -> TermId {
        let mut function = Bdd::FALSE;
        let mut flat = Vec::new();
        for id in operands {
            let parts = if let Term::Or(parts) = &self.terms[id] { parts.clone() } else { vec![id] };
            for part in parts {
                match self.as_bool(part) {
                    Some(f) => function = self.bdds.or(function, f),
                    None => flat.push(part),
                }
            }
        }
        if function == Bdd::TRUE {
            return self.constant(true);
        }
        if function != Bdd::FALSE {
            flat.push(self.boolean(function));
        }
        flat.sort();
        flat.dedup();
        if self.is_full() {
            if let Some(simpler) = self.merge_in_or(&flat) {
                return simpler;
            }
            if self.any_pair(&flat, Terms::exhaust) {
                return self.constant(true);
            }
            self.drop_redundant(&mut flat, |terms, kept, dropped| terms.implies(dropped, kept));
        }
        match flat[..] {
            [] => self.constant(false),
            [only] => only,
            _ => self.intern(Term::Or(flat)),
        }
    }

    fn any_pair(&mut self, operands: &[TermId], test: fn(&mut Terms, TermId, TermId) -> bool) -> bool {
        let rest = |at: usize| operands[at + 1..].iter();
        operands.iter().enumerate().any(|(at, &a)| rest(at).any(|&b| test(self, a, b)))
    }

    /// Drops every operand that another one makes redundant.
    fn drop_redundant(&mut self, operands: &mut Vec<TermId>, covers: fn(&mut Terms, TermId, TermId) -> bool) {
        let mut at = 0;
        while at < operands.len() {
            let candidate = operands[at];
            let is_covered = operands.iter().any(|&other| other != candidate && covers(self, other, candidate));
            if is_covered {
                operands.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Replaces two operands of a conjunction by one, if a rule applies.
    fn merge_in_and(&mut self, operands: &[TermId]) -> Option<TermId> {
        self.merge_pair(operands, Terms::pair_in_and, Terms::and)
    }

    /// Replaces two operands of a disjunction by one, if a rule applies.
    fn merge_in_or(&mut self, operands: &[TermId]) -> Option<TermId> {
        self.merge_pair(operands, Terms::pair_in_or, Terms::or)
    }

    fn merge_pair(
        &mut self,
        operands: &[TermId],
        rule: fn(&mut Terms, TermId, TermId) -> Option<TermId>,
        rebuild: fn(&mut Terms, Vec<TermId>) -> TermId,
    ) -> Option<TermId> {
        for (at, &a) in operands.iter().enumerate() {
            for (other, &b) in operands.iter().enumerate().filter(|&(other, _)| other != at) {
                if let Some(merged) = rule(self, a, b) {
                    let is_rest = |&(index, _): &(usize, &TermId)| index != at && index != other;
                    let rest = operands.iter().enumerate().filter(is_rest).map(|(_, &id)| id);
                    let operands = rest.chain([merged]).collect();
                    return Some(rebuild(self, operands));
                }
            }
        }
        None
    }

    /// One term for `a` and `b`. Tried in both orders.
    fn pair_in_and(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        use Term::{Always, Eventually, Next, Release, StrongRelease, Until, WeakUntil};
        let pair = (self.terms[a].clone(), self.terms[b].clone());
        Some(match pair {
            (Next(x), Next(y)) => {
                let both = self.and(vec![x, y]);
                self.next(both)
            }
            (Always(x), Always(y)) => {
                let both = self.and(vec![x, y]);
                self.always(both)
            }
            (Eventually(x), Eventually(y)) if self.are_always(x, y) => {
                let both = self.and(vec![x, y]);
                self.eventually(both)
            }
            (Until(x, y), Until(z, w) | WeakUntil(z, w)) if y == w => {
                let both = self.and(vec![x, z]);
                self.until(both, y)
            }
            (WeakUntil(x, y), WeakUntil(z, w)) if y == w => {
                let both = self.and(vec![x, z]);
                self.weak_until(both, y)
            }
            (WeakUntil(x, y), Eventually(w)) if y == w => self.until(x, y),
            (Release(x, y), Release(z, w)) if x == z => {
                let both = self.and(vec![y, w]);
                self.release(x, both)
            }
            (StrongRelease(x, y), StrongRelease(z, w) | Release(z, w)) if x == z => {
                let both = self.and(vec![y, w]);
                self.strong_release(x, both)
            }
            (Release(x, y), Eventually(z)) if x == z => self.strong_release(x, y),
            _ => return None,
        })
    }

    /// One term for `a` or `b`. Tried in both orders.
    fn pair_in_or(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        use Term::{Always, Eventually, Next, Release, StrongRelease, Until, WeakUntil};
        let pair = (self.terms[a].clone(), self.terms[b].clone());
        Some(match pair {
            (Next(x), Next(y)) => {
                let either = self.or(vec![x, y]);
                self.next(either)
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

    fn are_always(&self, a: TermId, b: TermId) -> bool {
        [a, b].into_iter().all(|id| matches!(self.terms[id], Term::Always(_)))
    }

    fn are_eventually(&self, a: TermId, b: TermId) -> bool {
        [a, b].into_iter().all(|id| matches!(self.terms[id], Term::Eventually(_)))
    }
}
