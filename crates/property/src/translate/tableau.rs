//! From terms to transition-based generalised Büchi automata.
//!
//! Couvreur's construction (FM 1999), as in Duret-Lutz's description of it (PhD thesis, 2007): what
//! a term says about now and about the next moment is a Boolean function of propositions, of
//! variables "this term holds next" and of variables "this is promised and not yet done". Its prime
//! implicants are the edges. Terms with equal functions are one state.

use std::collections::HashMap;
use std::fmt;

use ample_stdx::{IndexVec, TypedId};

use crate::automaton::{Automaton, Edge, Marks, StateId};
use crate::bdd::{Bdd, Bdds, Literal};
use crate::ltl::MAX_PROPOSITIONS;
use crate::terms::{Term, TermId, Terms};

/// The formula needs an automaton beyond all use: thousands of states, dozens of marks or more than
/// [`MAX_PROPOSITIONS`] propositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the formula is too large: its automaton would have too many states, edges or propositions")
    }
}

impl std::error::Error for TooLarge {}

/// How the edges of a state are read off its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The letters are split into classes that agree on what may come next; the more deterministic
    /// way.
    ByLetter,
    /// An irredundant cover of the function as a whole; fewer edges.
    ByCover,
}

/// The variables behind the propositions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variable {
    /// The term holds in the next moment.
    Next(TermId),
    /// The term will hold, but not now.
    Promise(usize),
}

const FIRST: u32 = MAX_PROPOSITIONS as u32;

/// More states or edges than any automaton of use.
const MOST_STATES: usize = 1_000;
const MOST_EDGES: usize = 20_000;
const MOST_EDGES_OF_A_STATE: usize = 5_000;
/// So that the product of two automata has at most [`Marks::MAX`].
const MOST_PROMISES: usize = Marks::MAX / 2;

/// The automaton of a term.
pub(crate) fn automaton(
    terms: &mut Terms,
    root: TermId,
    propositions: usize,
    reading: Reading,
) -> Result<Automaton, TooLarge> {
    let mut tableau = Tableau {
        terms,
        reading,
        variables: Vec::new(),
        numbers: HashMap::new(),
        promises: HashMap::new(),
        functions: HashMap::new(),
    };
    tableau.run(root, propositions)
}

struct Tableau<'a> {
    terms: &'a mut Terms,
    reading: Reading,
    variables: Vec<Variable>,
    numbers: HashMap<Variable, u32>,
    promises: HashMap<TermId, usize>,
    functions: HashMap<(TermId, bool), Bdd>,
}

/// An edge while the number of promises is not known.
struct Draft {
    label: Bdd,
    promised: Marks,
    target: StateId,
}

impl Tableau<'_> {
    fn run(&mut self, root: TermId, propositions: usize) -> Result<Automaton, TooLarge> {
        let start = self.function(root, false);
        let mut ids = HashMap::from([(start, StateId::from_index(0))]);
        let mut found = vec![start];
        let mut drafts: IndexVec<StateId, Vec<Draft>> = IndexVec::new();
        let mut edge_count = 0;
        while let Some(&function) = found.get(drafts.len()) {
            let mut out: Vec<Draft> = Vec::new();
            for (label, product) in self.read(function)? {
                let (promised, next) = self.follow(&product)?;
                if next == Bdd::FALSE {
                    continue;
                }
                let target = *ids.entry(next).or_insert_with(|| {
                    found.push(next);
                    StateId::from_index(found.len() - 1)
                });
                match out.iter_mut().find(|draft| draft.target == target && draft.promised == promised) {
                    Some(draft) => draft.label = self.terms.bdds.or(draft.label, label),
                    None => out.push(Draft { label, promised, target }),
                }
            }
            edge_count += out.len();
            drafts.push(out);
            if found.len() > MOST_STATES || edge_count > MOST_EDGES || self.terms.bdds.has_overflowed() {
                return Err(TooLarge);
            }
        }
        Ok(self.finish(drafts, propositions))
    }

    /// The edges of a state: letters, and what is promised and must hold next.
    fn read(&mut self, function: Bdd) -> Result<Vec<(Bdd, Vec<Literal>)>, TooLarge> {
        let bdds = &mut self.terms.bdds;
        let mut edges = Vec::new();
        match self.reading {
            Reading::ByLetter => {
                for (label, rest) in bdds.split_below(function, FIRST, MOST_EDGES_OF_A_STATE).ok_or(TooLarge)? {
                    let products = bdds.products(rest, MOST_EDGES_OF_A_STATE).ok_or(TooLarge)?;
                    edges.extend(products.into_iter().map(|product| (label, product)));
                }
            }
            Reading::ByCover => {
                for product in bdds.products(function, MOST_EDGES_OF_A_STATE).ok_or(TooLarge)? {
                    edges.push(split_product(bdds, product));
                }
            }
        }
        if edges.len() > MOST_EDGES_OF_A_STATE { Err(TooLarge) } else { Ok(edges) }
    }

    /// What a product of variables promises, and the function of all that must hold next.
    fn follow(&mut self, product: &[Literal]) -> Result<(Marks, Bdd), TooLarge> {
        let mut promised = Marks::NONE;
        let mut next = Bdd::TRUE;
        for &(variable, _) in product {
            match self.variables[(variable - FIRST) as usize] {
                Variable::Promise(number) if number >= MOST_PROMISES => return Err(TooLarge),
                Variable::Promise(number) => promised = promised.union(Marks::one(number)),
                Variable::Next(term) => {
                    let function = self.function(term, false);
                    next = self.terms.bdds.and(next, function);
                }
            }
        }
        Ok((promised, next))
    }

    fn finish(&mut self, drafts: IndexVec<StateId, Vec<Draft>>, propositions: usize) -> Automaton {
        let mark_count = self.promises.len();
        let all = Marks::first(mark_count);
        let edge = |draft: &Draft| Edge { label: draft.label, marks: all.minus(draft.promised), target: draft.target };
        let edges = drafts.iter().map(|drafts| drafts.iter().map(edge).collect()).collect();
        let automaton =
            Automaton { labels: Bdds::new(), propositions, mark_count, initial: StateId::from_index(0), edges };
        // The functions are those of the terms; the automaton gets a table of its own.
        Automaton { labels: self.terms.bdds.clone(), ..automaton }.compact()
    }

    fn variable(&mut self, variable: Variable) -> Bdd {
        let number = match self.numbers.get(&variable) {
            Some(&number) => number,
            None => {
                let number = FIRST + self.variables.len() as u32;
                self.variables.push(variable);
                self.numbers.insert(variable, number);
                number
            }
        };
        self.terms.bdds.variable(number)
    }

    /// The promise that `term` will hold, to be renewed in the next moment by `again`.
    fn promise(&mut self, term: TermId, again: Option<TermId>) -> Bdd {
        let next = self.promises.len();
        let number = *self.promises.entry(term).or_insert(next);
        let promise = self.variable(Variable::Promise(number));
        match again {
            Some(again) => {
                let next = self.variable(Variable::Next(again));
                self.terms.bdds.and(promise, next)
            }
            None => promise,
        }
    }

    /// What the term says about now and next. With `recurring`, the term is required again in the
    /// next moment anyway, so that promises need not be carried on by themselves.
    fn function(&mut self, id: TermId, recurring: bool) -> Bdd {
        if let Some(&known) = self.functions.get(&(id, recurring)) {
            return known;
        }
        let again = (!recurring).then_some(id);
        let function = match self.terms.term(id).clone() {
            Term::Bool(f) => f,
            Term::And(operands) => {
                let mut all = Bdd::TRUE;
                for operand in operands {
                    let operand = self.function(operand, recurring);
                    all = self.terms.bdds.and(all, operand);
                }
                all
            }
            // A promise in one operand of a disjunction must be carried on: the next moment may
            // choose the other one.
            Term::Or(operands) => {
                let mut any = Bdd::FALSE;
                for operand in operands {
                    let operand = self.function(operand, false);
                    any = self.terms.bdds.or(any, operand);
                }
                any
            }
            Term::Next(a) => self.next(a),
            Term::Eventually(a) => {
                let now = self.function(a, false);
                let later = self.promise(a, again);
                self.terms.bdds.or(now, later)
            }
            Term::Always(a) => {
                let now = self.function(a, true);
                let later = self.variable(Variable::Next(id));
                self.terms.bdds.and(now, later)
            }
            Term::Until(a, b) | Term::WeakUntil(a, b) => {
                let (hold, done) = (self.function(a, false), self.function(b, false));
                let later = match self.terms.term(id) {
                    Term::Until(..) => self.promise(b, again),
                    _ => self.variable(Variable::Next(id)),
                };
                let wait = self.terms.bdds.and(hold, later);
                self.terms.bdds.or(done, wait)
            }
            Term::Release(a, b) | Term::StrongRelease(a, b) => {
                let (released, hold) = (self.function(a, false), self.function(b, false));
                let later = match self.terms.term(id) {
                    Term::StrongRelease(..) => self.promise(a, again),
                    _ => self.variable(Variable::Next(id)),
                };
                let either = self.terms.bdds.or(released, later);
                self.terms.bdds.and(hold, either)
            }
        };
        self.functions.insert((id, recurring), function);
        function
    }

    /// What holds next. Conjunctions and disjunctions are taken apart, so that more states are seen
    /// to be equal.
    fn next(&mut self, id: TermId) -> Bdd {
        match self.terms.term(id).clone() {
            Term::Bool(Bdd::TRUE) => Bdd::TRUE,
            Term::Bool(Bdd::FALSE) => Bdd::FALSE,
            Term::And(operands) => operands.into_iter().fold(Bdd::TRUE, |all, operand| {
                let operand = self.next(operand);
                self.terms.bdds.and(all, operand)
            }),
            _ => self.variable(Variable::Next(id)),
        }
    }
}

/// The propositions of a product as a function, and the rest of it.
fn split_product(bdds: &mut Bdds, product: Vec<Literal>) -> (Bdd, Vec<Literal>) {
    let (now, next): (Vec<Literal>, Vec<Literal>) = product.into_iter().partition(|&(variable, _)| variable < FIRST);
    let label = now.into_iter().fold(Bdd::TRUE, |label, (variable, value)| {
        let literal = bdds.variable(variable);
        let literal = if value { literal } else { bdds.not(literal) };
        bdds.and(label, literal)
    });
    (label, next)
}
