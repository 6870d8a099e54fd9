//! Formulas in negation normal form, each distinct one stored once, simplified as they are built.
//!
//! The largest parts without temporal operators are Boolean functions, so that equivalent ones are
//! equal. Conjunctions and disjunctions have any number of operands, sorted. [`boolean`] and
//! [`rewrite`] have the rules, [`implication`] the test on which some of them stand. Each rule has
//! a dual, and [`duality`] lets it be written once for both.

mod boolean;
mod duality;
mod implication;
mod rewrite;

use std::collections::HashMap;

use ample_stdx::{IndexVec, TypedId, typed_id};

use crate::Ltl;
use crate::bdd::{Bdd, Bdds};

typed_id! {
    /// Names a term of one [`Terms`].
    pub(crate) struct TermId;
}

/// A formula whose operands are terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    /// No temporal operator.
    Bool(Bdd),
    And(Vec<TermId>),
    Or(Vec<TermId>),
    Next(TermId),
    Eventually(TermId),
    Always(TermId),
    Until(TermId, TermId),
    WeakUntil(TermId, TermId),
    Release(TermId, TermId),
    StrongRelease(TermId, TermId),
}

/// How much is simplified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewriting {
    /// Constants and equal operands only.
    Basic,
    /// All rules.
    Full,
}

/// What the prefix of a word has to do with a term (Etessami and Holzmann, CONCUR 2000).
#[derive(Clone, Copy, Debug)]
struct Purity {
    /// Holds at every moment before one where it holds.
    eventual: bool,
    /// Holds at every moment after one where it holds.
    universal: bool,
}

/// A table of terms.
pub(crate) struct Terms {
    /// The functions of [`Term::Bool`].
    pub bdds: Bdds,
    terms: IndexVec<TermId, Term>,
    purities: IndexVec<TermId, Purity>,
    ids: HashMap<Term, TermId>,
    negations: HashMap<TermId, TermId>,
    implications: HashMap<(TermId, TermId), bool>,
    rewriting: Rewriting,
}

impl Terms {
    pub(crate) fn new(rewriting: Rewriting) -> Terms {
        let mut terms = Terms {
            bdds: Bdds::new(),
            terms: IndexVec::new(),
            purities: IndexVec::new(),
            ids: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
            rewriting,
        };
        terms.intern(Term::Bool(Bdd::FALSE));
        terms.intern(Term::Bool(Bdd::TRUE));
        terms
    }

    /// The term of a formula, or of its negation.
    pub(crate) fn insert(&mut self, formula: &Ltl, negated: bool) -> TermId {
        match formula {
            Ltl::True => self.constant(!negated),
            Ltl::False => self.constant(negated),
            Ltl::Proposition(id) => {
                let literal = self.bdds.variable(id.index() as u32);
                let literal = if negated { self.bdds.not(literal) } else { literal };
                self.boolean(literal)
            }
            Ltl::Not(a) => self.insert(a, !negated),
            Ltl::Next(a) => {
                let a = self.insert(a, negated);
                self.next(a)
            }
            Ltl::Eventually(a) | Ltl::Always(a) => {
                let a = self.insert(a, negated);
                if matches!(formula, Ltl::Eventually(_)) != negated { self.eventually(a) } else { self.always(a) }
            }
            Ltl::And(a, b)
            | Ltl::Or(a, b)
            | Ltl::Until(a, b)
            | Ltl::WeakUntil(a, b)
            | Ltl::Release(a, b)
            | Ltl::StrongRelease(a, b) => {
                let (a, b) = (self.insert(a, negated), self.insert(b, negated));
                match (formula, negated) {
                    (Ltl::And(..), false) | (Ltl::Or(..), true) => self.and(vec![a, b]),
                    (Ltl::And(..), true) | (Ltl::Or(..), false) => self.or(vec![a, b]),
                    (Ltl::Until(..), false) | (Ltl::Release(..), true) => self.until(a, b),
                    (Ltl::WeakUntil(..), false) | (Ltl::StrongRelease(..), true) => self.weak_until(a, b),
                    (Ltl::Release(..), false) | (Ltl::Until(..), true) => self.release(a, b),
                    _ => self.strong_release(a, b),
                }
            }
        }
    }

    pub(crate) fn term(&self, id: TermId) -> &Term {
        &self.terms[id]
    }

    pub(crate) fn constant(&mut self, value: bool) -> TermId {
        self.boolean(if value { Bdd::TRUE } else { Bdd::FALSE })
    }

    pub(crate) fn boolean(&mut self, function: Bdd) -> TermId {
        self.intern(Term::Bool(function))
    }

    fn intern(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let purity = self.purity_of(&term);
        let id = self.terms.push(term.clone());
        self.purities.push(purity);
        self.ids.insert(term, id);
        id
    }

    fn purity_of(&self, term: &Term) -> Purity {
        let all = |ids: &[TermId]| Purity {
            eventual: ids.iter().all(|&id| self.purities[id].eventual),
            universal: ids.iter().all(|&id| self.purities[id].universal),
        };
        match term {
            Term::Bool(f) => Purity { eventual: f.is_constant(), universal: f.is_constant() },
            Term::And(operands) | Term::Or(operands) => all(operands),
            Term::Next(a) => self.purities[*a],
            Term::Eventually(a) => Purity { eventual: true, ..self.purities[*a] },
            Term::Always(a) => Purity { universal: true, ..self.purities[*a] },
            Term::Until(a, b) | Term::WeakUntil(a, b) | Term::Release(a, b) | Term::StrongRelease(a, b) => {
                all(&[*a, *b])
            }
        }
    }

    fn is_eventual(&self, id: TermId) -> bool {
        self.purities[id].eventual
    }

    fn is_universal(&self, id: TermId) -> bool {
        self.purities[id].universal
    }

    fn is_eventual_or_universal(&self, id: TermId) -> bool {
        self.is_eventual(id) || self.is_universal(id)
    }

    /// Whether neither what comes before nor what comes first matters.
    fn is_pure(&self, id: TermId) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    fn as_bool(&self, id: TermId) -> Option<Bdd> {
        match self.terms[id] {
            Term::Bool(f) => Some(f),
            _ => None,
        }
    }

    pub(crate) fn is_true(&self, id: TermId) -> bool {
        self.as_bool(id) == Some(Bdd::TRUE)
    }

    pub(crate) fn is_false(&self, id: TermId) -> bool {
        self.as_bool(id) == Some(Bdd::FALSE)
    }

    /// A term of this shape, simplified.
    fn build(&mut self, term: Term) -> TermId {
        match term {
            Term::Bool(f) => self.boolean(f),
            Term::And(operands) => self.and(operands),
            Term::Or(operands) => self.or(operands),
            Term::Next(a) => self.next(a),
            Term::Eventually(a) => self.eventually(a),
            Term::Always(a) => self.always(a),
            Term::Until(a, b) => self.until(a, b),
            Term::WeakUntil(a, b) => self.weak_until(a, b),
            Term::Release(a, b) => self.release(a, b),
            Term::StrongRelease(a, b) => self.strong_release(a, b),
        }
    }

    /// The negation, again in normal form.
    pub(crate) fn not(&mut self, id: TermId) -> TermId {
        if let Some(&known) = self.negations.get(&id) {
            return known;
        }
        let negated = match self.terms[id].clone() {
            Term::Bool(f) => Term::Bool(self.bdds.not(f)),
            Term::And(operands) => Term::And(operands.into_iter().map(|a| self.not(a)).collect()),
            Term::Or(operands) => Term::Or(operands.into_iter().map(|a| self.not(a)).collect()),
            Term::Next(a) => Term::Next(self.not(a)),
            Term::Eventually(a) => Term::Eventually(self.not(a)),
            Term::Always(a) => Term::Always(self.not(a)),
            Term::Until(a, b) => Term::Until(self.not(a), self.not(b)),
            Term::WeakUntil(a, b) => Term::WeakUntil(self.not(a), self.not(b)),
            Term::Release(a, b) => Term::Release(self.not(a), self.not(b)),
            Term::StrongRelease(a, b) => Term::StrongRelease(self.not(a), self.not(b)),
        };
        let negation = self.build(negated.dual());
        self.negations.insert(id, negation);
        negation
    }
}
