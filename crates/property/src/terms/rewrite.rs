//! The constructors of temporal terms, and the rules by which they simplify.
//!
//! The rules are those of Somenzi and Bloem (CAV 2000), of Etessami and Holzmann (CONCUR 2000) for
//! pure eventualities and pure universalities, and their duals. Each rule makes the term smaller,
//! or moves an operator to one side only, so that rewriting ends.

use super::duality::{Half, View};
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
        self.plain().eventually(a)
    }

    /// Always.
    pub(crate) fn always(&mut self, a: TermId) -> TermId {
        self.dual().eventually(a)
    }

    /// Until.
    pub(crate) fn until(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain().until(a, b)
    }

    /// Weak until.
    pub(crate) fn weak_until(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain().weak_until(a, b)
    }

    /// Release.
    pub(crate) fn release(&mut self, a: TermId, b: TermId) -> TermId {
        self.dual().until(a, b)
    }

    /// Strong release.
    pub(crate) fn strong_release(&mut self, a: TermId, b: TermId) -> TermId {
        self.dual().weak_until(a, b)
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

    /// A simpler left side for a release: what matters of `a` is where `b` holds.
    fn at_release(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let simpler = self.before(not_a, not_b)?;
        Some(self.not(simpler))
    }
}

impl View<'_> {
    /// Eventually.
    pub(super) fn eventually(&mut self, a: TermId) -> TermId {
        if self.is_eventual(a) {
            return a;
        }
        if self.terms.is_full()
            && let Some(simpler) = self.rewrite_eventually(a)
        {
            return simpler;
        }
        self.intern(Term::Eventually(a))
    }

    fn rewrite_eventually(&mut self, a: TermId) -> Option<TermId> {
        Some(match self.term(a) {
            Term::Next(x) => {
                let x = self.eventually(x);
                self.terms.next(x)
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
                let stripped = operands.iter().map(|&id| self.without_next(id, View::is_universal)).collect::<Vec<_>>();
                let stripped = stripped.into_iter().map(|id| self.split_persistent(id)).collect::<Vec<_>>();
                if stripped != operands {
                    let either = self.or(stripped);
                    return Some(self.eventually(either));
                }
                let (eventual, rest) = self.part(operands, View::is_eventual)?;
                let rest = self.or(rest);
                let rest = self.eventually(rest);
                self.or([eventual, vec![rest]].concat())
            }
            Term::And(operands) => {
                let (pure, rest) = self.part(operands, |view, id| view.terms.is_pure(id))?;
                let rest = self.and(rest);
                let rest = self.eventually(rest);
                self.and([pure, vec![rest]].concat())
            }
            // FG(a ∨ e ∨ u) = FGa ∨ Ge ∨ Fu for a pure eventuality e and a pure universality u.
            Term::Always(x) => {
                let Term::Or(operands) = self.term(x) else { return None };
                let (pure, rest) = self.part(operands, |view, id| view.terms.is_eventual_or_universal(id))?;
                let mut parts = Vec::new();
                for id in pure {
                    let always = self.always(id);
                    parts.push(self.eventually(always));
                }
                let rest = self.or(rest);
                let rest = self.always(rest);
                parts.push(self.eventually(rest));
                self.or(parts)
            }
            _ => return None,
        })
    }

    /// The operand of a next that passes the test; any other term itself.
    fn without_next(&self, id: TermId, test: impl Fn(&Self, TermId) -> bool) -> TermId {
        match self.term(id) {
            Term::Next(x) if test(self, x) => x,
            _ => id,
        }
    }

    /// Under an eventually: FGx in place of Gx, where a rule makes it simpler.
    fn split_persistent(&mut self, id: TermId) -> TermId {
        let Term::Always(x) = self.term(id) else { return id };
        match self.term(x) {
            Term::Or(operands)
                if self.part(operands.clone(), |view, id| view.terms.is_eventual_or_universal(id)).is_some() =>
            {
                self.eventually(id)
            }
            _ => id,
        }
    }

    /// The operands that pass the test and those that do not; `None` unless there are some of both
    /// kinds.
    fn part(&self, operands: Vec<TermId>, test: impl Fn(&Self, TermId) -> bool) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let (yes, no): (Vec<_>, Vec<_>) = operands.into_iter().partition(|&id| test(self, id));
        (!yes.is_empty() && !no.is_empty()).then_some((yes, no))
    }

    fn both_next(&self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        match (self.term(a), self.term(b)) {
            (Term::Next(x), Term::Next(y)) => Some((x, y)),
            _ => None,
        }
    }

    /// Until.
    pub(super) fn until(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_false(a) || a == b || self.is_true(b) || self.is_false(b) {
            return b;
        }
        if self.is_true(a) {
            return self.eventually(b);
        }
        if self.terms.is_full()
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
            if self.half == Half::Or {
                let both = self.and(vec![a, eventually]);
                return Some(self.or(vec![b, both]));
            }
            // The disjunction stays the outer one.
            let either = self.or(vec![a, b]);
            return Some(self.and(vec![eventually, either]));
        }
        if let Some((x, y)) = self.both_next(a, b) {
            let until = self.until(x, y);
            return Some(self.terms.next(until));
        }
        match self.term(b) {
            Term::Until(c, _) if self.implies(a, c) => return Some(b),
            Term::Until(c, d) if self.implies(c, a) => return Some(self.until(a, d)),
            Term::Or(operands) => {
                if let Some((eventual, rest)) = self.part(operands, View::is_eventual) {
                    let rest = self.or(rest);
                    let rest = self.until(a, rest);
                    return Some(self.or([eventual, vec![rest]].concat()));
                }
            }
            Term::And(operands) => {
                if let Some((pure, rest)) = self.part(operands, |view, id| view.terms.is_pure(id)) {
                    let rest = self.and(rest);
                    let rest = self.until(a, rest);
                    return Some(self.and([pure, vec![rest]].concat()));
                }
            }
            _ => {}
        }
        let a = self.simpler_left(a, b)?;
        Some(self.until(a, b))
    }

    /// Weak until.
    pub(super) fn weak_until(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_false(a) || a == b || self.is_true(b) {
            return b;
        }
        if self.is_true(a) {
            return a;
        }
        if self.is_false(b) {
            return self.always(a);
        }
        if self.terms.is_full()
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
            return Some(self.terms.next(until));
        }
        match self.term(b) {
            Term::WeakUntil(c, _) if self.implies(a, c) => return Some(b),
            Term::WeakUntil(c, d) if self.implies(c, a) => return Some(self.weak_until(a, d)),
            Term::Or(operands) => {
                if let Some((eventual, rest)) = self.part(operands, View::is_eventual) {
                    let rest = self.or(rest);
                    let rest = self.weak_until(a, rest);
                    return Some(self.or([eventual, vec![rest]].concat()));
                }
            }
            _ => {}
        }
        let a = self.simpler_left(a, b)?;
        Some(self.weak_until(a, b))
    }

    /// A simpler left side for an until, or in the other half for a release.
    fn simpler_left(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.half == Half::Or { self.terms.before(a, b) } else { self.terms.at_release(a, b) }
    }
}
