//! Acceptance conditions.
//!
//! A condition without `Fin` is a monotone function of "this set is seen infinitely often", and
//! such a function is a conjunction of disjunctions. To see one of several sets infinitely often is
//! to see their union so: each disjunction becomes one mark.

use ample_source::{Diagnostic, Span};

use super::cursor::{Cursor, Parsed};
use super::lexer::Kind;
use crate::automaton::Marks;

/// "This set, or its complement, is seen infinitely often."
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    set: usize,
    is_complement: bool,
}

/// An acceptance condition: of each inner list, something is seen infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Acceptance {
    /// How many sets were declared.
    pub sets: usize,
    all_of: Vec<Vec<Seen>>,
}

/// More disjunctions than are worth having.
const MOST_CLAUSES: usize = Marks::MAX;

impl Acceptance {
    /// How many marks the automaton needs.
    pub(super) fn mark_count(&self) -> usize {
        self.all_of.len()
    }

    /// The marks of an edge that is in these sets.
    pub(super) fn marks(&self, sets: &[usize]) -> Marks {
        let fulfils = |any_of: &Vec<Seen>| any_of.iter().any(|seen| sets.contains(&seen.set) != seen.is_complement);
        let fulfilled = self.all_of.iter().enumerate().filter(|(_, any_of)| fulfils(any_of));
        fulfilled.fold(Marks::NONE, |marks, (mark, _)| marks.union(Marks::one(mark)))
    }
}

/// What follows `Acceptance:`.
pub(super) fn acceptance(cursor: &mut Cursor<'_>, span: Span) -> Parsed<Acceptance> {
    let sets = cursor.number("the number of acceptance sets")?;
    let all_of = disjunction(cursor, sets)?;
    if all_of.len() > MOST_CLAUSES {
        return Err(too_complicated(span));
    }
    Ok(Acceptance { sets, all_of })
}

fn too_complicated(span: Span) -> Box<Diagnostic> {
    let message = format!("this acceptance condition needs more than {MOST_CLAUSES} marks");
    Diagnostic::error(span, message).into()
}

fn disjunction(cursor: &mut Cursor<'_>, sets: usize) -> Parsed<Vec<Vec<Seen>>> {
    let span = cursor.here();
    let mut left = conjunction(cursor, sets)?;
    while cursor.eat("|") {
        let right = conjunction(cursor, sets)?;
        if left.len() * right.len() > MOST_CLAUSES {
            return Err(too_complicated(span));
        }
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| [&a[..], &b[..]].concat()));
        left = simplified(pairs.collect());
    }
    Ok(left)
}

fn conjunction(cursor: &mut Cursor<'_>, sets: usize) -> Parsed<Vec<Vec<Seen>>> {
    let mut left = atom(cursor, sets)?;
    while cursor.eat("&") {
        left.extend(atom(cursor, sets)?);
        left = simplified(left);
        if left.len() > MOST_CLAUSES {
            return Err(too_complicated(cursor.here()));
        }
    }
    Ok(left)
}

/// Sorted, and without the disjunctions that another one implies.
fn simplified(mut all_of: Vec<Vec<Seen>>) -> Vec<Vec<Seen>> {
    for any_of in &mut all_of {
        any_of.sort();
        any_of.dedup();
    }
    all_of.sort_by_key(|any_of| (any_of.len(), any_of.clone()));
    let mut kept: Vec<Vec<Seen>> = Vec::new();
    for any_of in all_of {
        if !kept.iter().any(|smaller| smaller.iter().all(|seen| any_of.contains(seen))) {
            kept.push(any_of);
        }
    }
    kept
}

fn atom(cursor: &mut Cursor<'_>, sets: usize) -> Parsed<Vec<Vec<Seen>>> {
    if cursor.eat("(") {
        let inside = cursor.nested(|cursor| disjunction(cursor, sets))?;
        cursor.require(")")?;
        return Ok(inside);
    }
    let span = cursor.here();
    match cursor.eat_kind(Kind::Identifier) {
        Some("t") => Ok(Vec::new()),
        Some("f") => Ok(vec![Vec::new()]),
        Some("Inf") => {
            cursor.require("(")?;
            let is_complement = cursor.eat("!");
            let set_span = cursor.here();
            let set = cursor.number("the number of an acceptance set")?;
            cursor.require(")")?;
            if set >= sets {
                return Err(undeclared_set(set_span, set, sets));
            }
            Ok(vec![vec![Seen { set, is_complement }]])
        }
        Some("Fin") => {
            let error = Diagnostic::error(span, "acceptance with `Fin` is not supported");
            let error = error.label("something must be seen finitely often only");
            let error = error.note("co-Büchi, Rabin, Streett and parity conditions are of this kind");
            Err(error.help("convert the automaton to Büchi or generalised Büchi acceptance").into())
        }
        Some(other) => {
            let error = Diagnostic::error(span, format!("`{other}` is no acceptance condition"));
            Err(error.help("conditions are `t`, `f` and `Inf(n)`, joined by `&` and `|`").into())
        }
        None => Err(cursor.unexpected("an acceptance condition")),
    }
}

/// A set beyond the declared number.
pub(super) fn undeclared_set(span: Span, set: usize, sets: usize) -> Box<Diagnostic> {
    let message = format!("there is no acceptance set {set}");
    Diagnostic::error(span, message).label(format!("{sets} sets are declared, numbered from 0")).into()
}
