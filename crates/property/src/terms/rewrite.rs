//! The constructors of temporal terms, and the rules by which they simplify.
//!
//! The rules are those of Somenzi and Bloem (CAV 2000), of Etessami and Holzmann (CONCUR 2000) for pure eventualities
//! and pure universalities, and their duals. Each rule makes the term smaller, or moves an operator to one side only,
//! so that rewriting ends.

use super::{Rewriting, Term, TermId, Terms};

impl Terms {
    pub(super) fn is_full(&self) -> bool {
        self.rewriting == Rewriting::Full
    }

    /// Next.
    pub(crate) fn next(&mut self, a: TermId) -> TermId {
        let is_needless = self.is_true(a) || self.is_false(a) || self.is_full() && self.is_pure(a);
        if is_needless { a } else { self.intern(Term::Next(a)) }
    }

    /// Eventually.
    pub(crate) fn eventually(&mut self, a: TermId) -> TermId {
        if self.is_eventual(a) {
            return a;
        }
        if self.is_full()
            && let Some(simpler) = self.rewrite_eventually(a)
        {
            return simpler;
        }
        self.intern(Term::Eventually(a))
    }

    fn rewrite_eventually(&mut self, a: TermId) -> Option<TermId> {
        Some(match self.terms[a].clone() {
            Term::Next(x) => {
                let x = self.eventually(x);
                self.next(x)
            }
            Term::Until(_, y) => self.eventually(y),
            Term::StrongRelease(x, y) => {
                let both = self.and(vec![x, y]);
                self.eventually(both)
            }
            Term::WeakUntil(x, y) => {
                let always = self.always(x);
                let either = self.or(vec![always, y]);
                self.eventually(either)
            }
            Term::Release(x, y) => {
                let (both, always) = (self.and(vec![x, y]), self.always(y));
                let either = self.or(vec![both, always]);
                self.eventually(either)
            }
            Term::Or(operands) => {
                // F(a ∨ Xu) = Fa ∨ Fu for a pure universality u.
                let stripped = self.map(operands.clone(), |terms, id| terms.without_next(id, Terms::is_universal));
                let stripped = self.map(stripped, Terms::split_persistent);
                if stripped != operands {
                    let either = self.or(stripped);
                    return Some(self.eventually(either));
                }
                let (eventual, rest) = self.part(operands, Terms::is_eventual)?;
                let rest = self.or(rest);
                let rest = self.eventually(rest);
                self.or([eventual, vec![rest]].concat())
            }
            Term::And(operands) => {
                let (pure, rest) = self.part(operands, Terms::is_pure)?;
                let rest = self.and(rest);
                let rest = self.eventually(rest);
                self.and([pure, vec![rest]].concat())
            }
            // FG(a ∨ e ∨ u) = FGa ∨ Ge ∨ Fu for a pure eventuality e and a pure universality u.
            Term::Always(x) => {
                let Term::Or(operands) = self.terms[x].clone() else { return None };
                let (pure, rest) = self.part(operands, Terms::is_eventual_or_universal)?;
                let mut parts = self.map(pure, |terms, id| {
                    let always = terms.always(id);
                    terms.eventually(always)
                });
                let rest = self.or(rest);
                let rest = self.always(rest);
                parts.push(self.eventually(rest));
                self.or(parts)
            }
            _ => return None,
        })
    }

    /// Always.
    pub(crate) fn always(&mut self, a: TermId) -> TermId {
        if self.is_universal(a) {
            return a;
        }
        if self.is_full()
            && let Some(simpler) = self.rewrite_always(a)
        {
            return simpler;
        }
        self.intern(Term::Always(a))
    }

    fn rewrite_always(&mut self, a: TermId) -> Option<TermId> {
        Some(match self.terms[a].clone() {
            Term::Next(x) => {
                let x = self.always(x);
                self.next(x)
            }
            Term::Release(_, y) => self.always(y),
            Term::WeakUntil(x, y) => {
                let either = self.or(vec![x, y]);
                self.always(either)
            }
            Term::Until(x, y) => {
                let (either, eventually) = (self.or(vec![x, y]), self.eventually(y));
                let both = self.and(vec![either, eventually]);
                self.always(both)
            }
            Term::StrongRelease(x, y) => {
                let eventually = self.eventually(x);
                let both = self.and(vec![eventually, y]);
                self.always(both)
            }
            Term::And(operands) => {
                // G(a ∧ Xe) = Ga ∧ Ge for a pure eventuality e.
                let stripped = self.map(operands.clone(), |terms, id| terms.without_next(id, Terms::is_eventual));
                let stripped = self.map(stripped, Terms::split_recurrent);
                if stripped != operands {
                    let both = self.and(stripped);
                    return Some(self.always(both));
                }
                let (universal, rest) = self.part(operands, Terms::is_universal)?;
                let rest = self.and(rest);
                let rest = self.always(rest);
                self.and([universal, vec![rest]].concat())
            }
            Term::Or(operands) => {
                let (pure, rest) = self.part(operands, Terms::is_pure)?;
                let rest = self.or(rest);
                let rest = self.always(rest);
                self.or([pure, vec![rest]].concat())
            }
            // GF(a ∧ e ∧ u) = GFa ∧ Ge ∧ Fu for a pure eventuality e and a pure universality u.
            Term::Eventually(x) => {
                let Term::And(operands) = self.terms[x].clone() else { return None };
                let (pure, rest) = self.part(operands, Terms::is_eventual_or_universal)?;
                let mut parts = self.map(pure, |terms, id| {
                    let eventually = terms.eventually(id);
                    terms.always(eventually)
                });
                let rest = self.and(rest);
                let rest = self.eventually(rest);
                parts.push(self.always(rest));
                self.and(parts)
            }
            _ => return None,
        })
    }

    fn map(&mut self, operands: Vec<TermId>, change: fn(&mut Terms, TermId) -> TermId) -> Vec<TermId> {
        operands.into_iter().map(|id| change(self, id)).collect()
    }

    /// The operand of a next that passes the test; any other term itself.
    fn without_next(&self, id: TermId, test: fn(&Terms, TermId) -> bool) -> TermId {
        match self.terms[id] {
            Term::Next(x) if test(self, x) => x,
            _ => id,
        }
    }

    /// Under an always: GFx in place of Fx, where a rule makes it simpler.
    fn split_recurrent(&mut self, id: TermId) -> TermId {
        let Term::Eventually(x) = self.terms[id] else { return id };
        match self.terms[x].clone() {
            Term::And(operands) if self.part(operands.clone(), Terms::is_eventual_or_universal).is_some() => {
                self.always(id)
            }
            _ => id,
        }
    }

    /// Under an eventually: FGx in place of Gx, where a rule makes it simpler.
    fn split_persistent(&mut self, id: TermId) -> TermId {
        let Term::Always(x) = self.terms[id] else { return id };
        match self.terms[x].clone() {
            Term::Or(operands) if self.part(operands.clone(), Terms::is_eventual_or_universal).is_some() => {
                self.eventually(id)
            }
            _ => id,
        }
    }

    /// The operands that pass the test and those that do not; `None` unless there are some of both kinds.
    fn part(&self, operands: Vec<TermId>, test: fn(&Terms, TermId) -> bool) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let (yes, no): (Vec<_>, Vec<_>) = operands.into_iter().partition(|&id| test(self, id));
        (!yes.is_empty() && !no.is_empty()).then_some((yes, no))
    }

    fn both_next(&self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        match (&self.terms[a], &self.terms[b]) {
            (Term::Next(x), Term::Next(y)) => Some((*x, *y)),
            _ => None,
        }
    }

    /// Until.
    pub(crate) fn until(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_false(a) || a == b || self.is_true(b) || self.is_false(b) {
            return b;
        }
        if self.is_true(a) {
            return self.eventually(b);
        }
        if self.is_full()
            && let Some(simpler) = self.rewrite_until(a, b)
        {
            return simpler;
        }
        self.intern(Term::Until(a, b))
    }

    fn rewrite_until(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_eventual(b) || self.implies(a, b) {
            return Some(b);
        }
        if self.exhaust(a, b) {
            return Some(self.eventually(b));
        }
        if self.is_universal(a) {
            let eventually = self.eventually(b);
            let both = self.and(vec![a, eventually]);
            return Some(self.or(vec![b, both]));
        }
        if let Some((x, y)) = self.both_next(a, b) {
            let until = self.until(x, y);
            return Some(self.next(until));
        }
        match self.terms[b].clone() {
            Term::Until(c, _) if self.implies(a, c) => return Some(b),
            Term::Until(c, d) if self.implies(c, a) => return Some(self.until(a, d)),
            Term::Or(operands) => {
                if let Some((eventual, rest)) = self.part(operands, Terms::is_eventual) {
                    let rest = self.or(rest);
                    let rest = self.until(a, rest);
                    return Some(self.or([eventual, vec![rest]].concat()));
                }
            }
            Term::And(operands) => {
                if let Some((pure, rest)) = self.part(operands, Terms::is_pure) {
                    let rest = self.and(rest);
                    let rest = self.until(a, rest);
                    return Some(self.and([pure, vec![rest]].concat()));
                }
            }
            _ => {}
        }
        let a = self.before(a, b)?;
        Some(self.until(a, b))
    }

    /// A simpler left side for an until: what matters of `a` is where `b` does not hold.
    fn before(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let (Some(f), Some(g)) = (self.as_bool(a), self.as_bool(b)) {
            let (lower, upper) = (self.bdds.minus(f, g), self.bdds.or(f, g));
            let simplest = self.bdds.simplest_between(lower, upper)?;
            return (simplest != f).then(|| self.boolean(simplest));
        }
        match self.terms[a].clone() {
            Term::Or(operands) => {
                let kept: Vec<_> = operands.iter().copied().filter(|&x| !self.implies(x, b)).collect();
                (kept.len() < operands.len()).then(|| self.or(kept))
            }
            Term::And(operands) => {
                let kept: Vec<_> = operands.iter().copied().filter(|&x| !self.exhaust(x, b)).collect();
                (kept.len() < operands.len()).then(|| self.and(kept))
            }
            _ => None,
        }
    }

    /// Weak until.
    pub(crate) fn weak_until(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_false(a) || a == b || self.is_true(b) {
            return b;
        }
        if self.is_true(a) {
            return a;
        }
        if self.is_false(b) {
            return self.always(a);
        }
        if self.is_full()
            && let Some(simpler) = self.rewrite_weak_until(a, b)
        {
            return simpler;
        }
        self.intern(Term::WeakUntil(a, b))
    }

    fn rewrite_weak_until(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.implies(a, b) {
            return Some(b);
        }
        if self.exhaust(a, b) {
            return Some(self.constant(true));
        }
        if self.is_universal(a) {
            return Some(self.or(vec![a, b]));
        }
        if self.is_eventual(b) {
            let always = self.always(a);
            return Some(self.or(vec![always, b]));
        }
        if let Some((x, y)) = self.both_next(a, b) {
            let until = self.weak_until(x, y);
            return Some(self.next(until));
        }
        match self.terms[b].clone() {
            Term::WeakUntil(c, _) if self.implies(a, c) => return Some(b),
            Term::WeakUntil(c, d) if self.implies(c, a) => return Some(self.weak_until(a, d)),
            Term::Or(operands) => {
                if let Some((eventual, rest)) = self.part(operands, Terms::is_eventual) {
                    let rest = self.or(rest);
                    let rest = self.weak_until(a, rest);
                    return Some(self.or([eventual, vec![rest]].concat()));
                }
            }
            _ => {}
        }
        let a = self.before(a, b)?;
        Some(self.weak_until(a, b))
    }

    /// Release.
    pub(crate) fn release(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_true(a) || a == b || self.is_true(b) || self.is_false(b) {
            return b;
        }
        if self.is_false(a) {
            return self.always(b);
        }
        if self.is_full()
            && let Some(simpler) = self.rewrite_release(a, b)
        {
            return simpler;
        }
        self.intern(Term::Release(a, b))
    }

    fn rewrite_release(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_universal(b) || self.implies(b, a) {
            return Some(b);
        }
        if self.exclude(a, b) {
            return Some(self.always(b));
        }
        if self.is_eventual(a) {
            let (always, both) = (self.always(b), self.and(vec![a, b]));
            return Some(self.or(vec![always, both]));
        }
        if let Some((x, y)) = self.both_next(a, b) {
            let release = self.release(x, y);
            return Some(self.next(release));
        }
        match self.terms[b].clone() {
            Term::Release(c, _) if self.implies(c, a) => return Some(b),
            Term::Release(c, d) if self.implies(a, c) => return Some(self.release(a, d)),
            Term::And(operands) => {
                if let Some((universal, rest)) = self.part(operands, Terms::is_universal) {
                    let rest = self.and(rest);
                    let rest = self.release(a, rest);
                    return Some(self.and([universal, vec![rest]].concat()));
                }
            }
            Term::Or(operands) => {
                if let Some((pure, rest)) = self.part(operands, Terms::is_pure) {
                    let rest = self.or(rest);
                    let rest = self.release(a, rest);
                    return Some(self.or([pure, vec![rest]].concat()));
                }
            }
            _ => {}
        }
        let a = self.at_release(a, b)?;
        Some(self.release(a, b))
    }

    /// A simpler left side for a release: what matters of `a` is where `b` holds.
    fn at_release(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let simpler = self.before(not_a, not_b)?;
        Some(self.not(simpler))
    }

    /// Strong release.
    pub(crate) fn strong_release(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_true(a) || a == b || self.is_false(b) {
            return b;
        }
        if self.is_false(a) {
            return a;
        }
        if self.is_true(b) {
            return self.eventually(a);
        }
        if self.is_full()
            && let Some(simpler) = self.rewrite_strong_release(a, b)
        {
            return simpler;
        }
        self.intern(Term::StrongRelease(a, b))
    }

    fn rewrite_strong_release(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.implies(b, a) {
            return Some(b);
        }
        if self.exclude(a, b) {
            return Some(self.constant(false));
        }
        if self.is_eventual(a) {
            return Some(self.and(vec![a, b]));
        }
        if self.is_universal(b) {
            let eventually = self.eventually(a);
            return Some(self.and(vec![eventually, b]));
        }
        if let Some((x, y)) = self.both_next(a, b) {
            let release = self.strong_release(x, y);
            return Some(self.next(release));
        }
        match self.terms[b].clone() {
            Term::StrongRelease(c, _) if self.implies(c, a) => return Some(b),
            Term::StrongRelease(c, d) if self.implies(a, c) => return Some(self.strong_release(a, d)),
            Term::And(operands) => {
                if let Some((universal, rest)) = self.part(operands, Terms::is_universal) {
                    let rest = self.and(rest);
                    let rest = self.strong_release(a, rest);
                    return Some(self.and([universal, vec![rest]].concat()));
                }
            }
            _ => {}
        }
        let a = self.at_release(a, b)?;
        Some(self.strong_release(a, b))
    }
}
