//! The constructors of temporal terms, and the rules by which they simplify.
//!
//! The rules are those of Somenzi and Bloem (CAV 2000), of Etessami and Holzmann (CONCUR 2000) for pure eventualities
//! and pure universalities, and their duals. Each rule makes the term smaller, or moves an operator to one side only,
//! so that rewriting ends.

use super::{Rewriting, Term, TermId, Terms};

impl Terms {
    fn is_full(&self) -> bool {
        self.rewriting == Rewriting::Full
    }

    /// Conjunction.
    pub(crate) fn and(&mut self, operands: Vec<TermId>) -> TermId {
        let mut function = crate::Bdd::TRUE;
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
        if function == crate::Bdd::FALSE {
            return self.constant(false);
        }
        if function != crate::Bdd::TRUE {
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
        let mut function = crate::Bdd::FALSE;
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
        if function == crate::Bdd::TRUE {
            return self.constant(true);
        }
        if function != crate::Bdd::FALSE {
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
            // FG(a ∨ e) = FGa ∨ Ge for a pure eventuality e.
            Term::Always(x) => {
                let Term::Or(operands) = self.terms[x].clone() else { return None };
                let (eventual, rest) = self.part(operands, Terms::is_eventual)?;
                let (eventual, rest) = (self.or(eventual), self.or(rest));
                let (eventual, rest) = (self.always(eventual), self.always(rest));
                let rest = self.eventually(rest);
                self.or(vec![eventual, rest])
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
            // GF(a ∧ u) = GFa ∧ Fu for a pure universality u.
            Term::Eventually(x) => {
                let Term::And(operands) = self.terms[x].clone() else { return None };
                let (universal, rest) = self.part(operands, Terms::is_universal)?;
                let (universal, rest) = (self.and(universal), self.and(rest));
                let (universal, rest) = (self.eventually(universal), self.eventually(rest));
                let rest = self.always(rest);
                self.and(vec![universal, rest])
            }
            _ => return None,
        })
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
            let simplest = self.bdds.simplest_between(lower, upper);
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
