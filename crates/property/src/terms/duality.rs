//! The two halves of the logic.
//!
//! Each rule has a dual, with true and false, disjunction and conjunction, eventually and always,
//! until and release, weak until and strong release swapped, and implications turned round. It is
//! written once, for a [`View`]: in the conjunctive half everything appears as its dual.

use super::{Term, TermId, Terms};

/// A half of the logic, named after its connective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// Disjunction, eventually, until, weak until.
    Or,
    /// Conjunction, always, release, strong release.
    And,
}

impl Term {
    /// The term with its own operator swapped; the operands stay as they are.
    pub(super) fn dual(self) -> Term {
        match self {
            Term::Bool(_) | Term::Next(_) => self,
            Term::And(operands) => Term::Or(operands),
            Term::Or(operands) => Term::And(operands),
            Term::Eventually(a) => Term::Always(a),
            Term::Always(a) => Term::Eventually(a),
            Term::Until(a, b) => Term::Release(a, b),
            Term::Release(a, b) => Term::Until(a, b),
            Term::WeakUntil(a, b) => Term::StrongRelease(a, b),
            Term::StrongRelease(a, b) => Term::WeakUntil(a, b),
        }
    }
}

/// The terms as they appear in a half: as they are in the disjunctive one, as their duals in the
/// other.
pub(super) struct View<'t> {
    pub terms: &'t mut Terms,
    pub half: Half,
}

impl Terms {
    /// The terms as they are.
    pub(super) fn plain(&mut self) -> View<'_> {
        View { terms: self, half: Half::Or }
    }

    /// The terms as their duals.
    pub(super) fn dual(&mut self) -> View<'_> {
        View { terms: self, half: Half::And }
    }
}

impl View<'_> {
    pub(super) fn opposite(&mut self) -> View<'_> {
        let half = if self.half == Half::Or { Half::And } else { Half::Or };
        View { terms: self.terms, half }
    }

    pub(super) fn term(&self, id: TermId) -> Term {
        let term = self.terms.terms[id].clone();
        if self.half == Half::Or { term } else { term.dual() }
    }

    pub(super) fn intern(&mut self, term: Term) -> TermId {
        self.terms.intern(if self.half == Half::Or { term } else { term.dual() })
    }

    pub(super) fn constant(&mut self, value: bool) -> TermId {
        self.terms.constant(value == (self.half == Half::Or))
    }

    pub(super) fn is_true(&self, a: TermId) -> bool {
        if self.half == Half::Or { self.terms.is_true(a) } else { self.terms.is_false(a) }
    }

    pub(super) fn is_false(&self, a: TermId) -> bool {
        if self.half == Half::Or { self.terms.is_false(a) } else { self.terms.is_true(a) }
    }

    pub(super) fn is_eventual(&self, a: TermId) -> bool {
        if self.half == Half::Or { self.terms.is_eventual(a) } else { self.terms.is_universal(a) }
    }

    pub(super) fn is_universal(&self, a: TermId) -> bool {
        if self.half == Half::Or { self.terms.is_universal(a) } else { self.terms.is_eventual(a) }
    }

    pub(super) fn implies(&mut self, a: TermId, b: TermId) -> bool {
        if self.half == Half::Or { self.terms.implies(a, b) } else { self.terms.implies(b, a) }
    }

    /// Whether one of the two always holds; in the other half whether they exclude each other.
    pub(super) fn exhaust(&mut self, a: TermId, b: TermId) -> bool {
        if self.half == Half::Or { self.terms.exhaust(a, b) } else { self.terms.exclude(a, b) }
    }

    pub(super) fn and(&mut self, operands: Vec<TermId>) -> TermId {
        self.opposite().or(operands)
    }

    pub(super) fn always(&mut self, a: TermId) -> TermId {
        self.opposite().eventually(a)
    }

    pub(super) fn release(&mut self, a: TermId, b: TermId) -> TermId {
        self.opposite().until(a, b)
    }

    pub(super) fn strong_release(&mut self, a: TermId, b: TermId) -> TermId {
        self.opposite().weak_until(a, b)
    }
}
