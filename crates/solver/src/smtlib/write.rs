//! Formulas as text.

use std::fmt::Write;

use crate::formula::{Comparison, Formula, Symbol, Term};
use crate::number::{Integer, is_negative};
use crate::rounding::Rounding;

/// What SMT-LIB has no function for: division that is total and rounds otherwise, and common bits,
/// of which nothing is said.
const PRELUDE: &[(&str, &str)] = &[
    ("ediv", "(define-fun ediv ((a Int) (b Int)) Int (ite (= b 0) 0 (div a b)))"),
    ("tdiv", "(define-fun tdiv ((a Int) (b Int)) Int (ite (= b 0) 0 (ite (>= a 0) (div a b) (- (div (- a) b)))))"),
    ("fdiv", "(define-fun fdiv ((a Int) (b Int)) Int (ite (= b 0) 0 (ite (> b 0) (div a b) (div (- a) (- b)))))"),
    ("bitand", "(declare-fun bitand (Int Int) Int)"),
];

/// A script that asks whether the formula has a solution.
pub fn query(formula: &Formula) -> String {
    format!("(set-logic ALL)\n{}\n(check-sat)\n", commands(formula).join("\n"))
}

/// The same in a scope of its own, for a script with several.
pub fn scope(formula: &Formula) -> String {
    format!("(push 1)\n{}\n(check-sat)\n(pop 1)\n", commands(formula).join("\n"))
}

/// Declarations and the assertion.
pub(crate) fn commands(formula: &Formula) -> Vec<String> {
    let mut assertion = String::from("(assert ");
    write_formula(&mut assertion, formula);
    assertion.push(')');
    let is_used = |name: &str| assertion.contains(&format!("({name} "));
    let mut commands: Vec<String> =
        PRELUDE.iter().filter(|(name, _)| is_used(name)).map(|(_, text)| (*text).to_owned()).collect();
    for symbol in formula.symbols() {
        let sort = if matches!(symbol, Symbol::Variable(_)) { "Int" } else { "Bool" };
        commands.push(format!("(declare-const {} {sort})", name(symbol)));
    }
    commands.push(assertion);
    commands
}

/// As it is called in the text.
pub(crate) fn name(symbol: Symbol) -> String {
    match symbol {
        Symbol::Variable(variable) => format!("x{}", variable.0),
        Symbol::Proposition(proposition) => format!("b{}", proposition.0),
    }
}

fn write_formula(out: &mut String, formula: &Formula) {
    match formula {
        Formula::Constant(value) => push(out, value),
        Formula::Proposition(proposition) => push(out, name(Symbol::Proposition(*proposition))),
        Formula::Not(part) => list(out, "not", |out| write_formula(out, part)),
        Formula::All(parts) if parts.is_empty() => push(out, true),
        Formula::Any(parts) if parts.is_empty() => push(out, false),
        Formula::All(parts) => list(out, "and", |out| spaced(out, parts, write_formula)),
        Formula::Any(parts) => list(out, "or", |out| spaced(out, parts, write_formula)),
        Formula::Same(parts) => list(out, "=", |out| spaced(out, &parts[..], write_formula)),
        Formula::Compare(comparison, parts) => {
            let sign = match comparison {
                Comparison::Less => "<",
                Comparison::AtMost => "<=",
                Comparison::Equal => "=",
            };
            list(out, sign, |out| spaced(out, &parts[..], write_term));
        }
        Formula::Divides(by, part) if by.is_zero() => list(out, "= 0", |out| write_term(out, part)),
        Formula::Divides(by, part) => list(out, "= 0", |out| {
            list(out, "mod", |out| {
                write_term(out, part);
                out.push(' ');
                number(out, by);
            });
        }),
    }
}

fn write_term(out: &mut String, term: &Term) {
    match term {
        Term::Constant(value) => number(out, value),
        Term::Variable(variable) => push(out, name(Symbol::Variable(*variable))),
        Term::Sum(parts) => match &parts[..] {
            [] => out.push('0'),
            [part] => write_term(out, part),
            parts => list(out, "+", |out| spaced(out, parts, write_term)),
        },
        Term::Multiple(by, part) if *by == Integer::NEG_ONE => list(out, "-", |out| write_term(out, part)),
        Term::Multiple(by, part) => list(out, "*", |out| {
            number(out, by);
            out.push(' ');
            write_term(out, part);
        }),
        Term::Product(parts) => list(out, "*", |out| spaced(out, &parts[..], write_term)),
        Term::Quotient(rounding, parts) => quotient(out, *rounding, &parts[..]),
        Term::Remainder(rounding, parts) => match (native(*rounding, &parts[1]), &parts[..]) {
            (true, parts) => list(out, "mod", |out| spaced(out, parts, write_term)),
            (false, parts) => list(out, "-", |out| {
                write_term(out, &parts[0]);
                out.push(' ');
                list(out, "*", |out| {
                    write_term(out, &parts[1]);
                    out.push(' ');
                    quotient(out, *rounding, parts);
                });
            }),
        },
        Term::BitAnd(parts) => match (&parts[0], &parts[1]) {
            (Term::Constant(mask), other) | (other, Term::Constant(mask)) => masked(out, other, mask),
            _ => list(out, "bitand", |out| spaced(out, &parts[..], write_term)),
        },
        Term::Conditional(condition, parts) => list(out, "ite", |out| {
            write_formula(out, condition);
            out.push(' ');
            spaced(out, &parts[..], write_term);
        }),
    }
}

fn quotient(out: &mut String, rounding: Rounding, parts: &[Term]) {
    let function = match rounding {
        _ if parts.get(1).is_some_and(|by| native(rounding, by)) => "div",
        Rounding::Euclidean => "ediv",
        Rounding::TowardZero => "tdiv",
        Rounding::Down => "fdiv",
    };
    list(out, function, |out| spaced(out, parts, write_term));
}

/// Whether SMT-LIB divides by this as we do.
fn native(rounding: Rounding, by: &Term) -> bool {
    match (by, rounding) {
        (Term::Constant(by), Rounding::Euclidean) => !by.is_zero(),
        (Term::Constant(by), Rounding::Down) => *by > Integer::ZERO,
        _ => false,
    }
}

/// The bits that a constant has: each run of them is a remainder of a quotient.
fn masked(out: &mut String, term: &Term, mask: &Integer) {
    if is_negative(mask) {
        list(out, "-", |out| {
            write_term(out, term);
            out.push(' ');
            masked(out, term, &!mask);
        });
        return;
    }
    list(out, "+ 0", |out| {
        let bit = |at: usize| !((mask >> at) & Integer::ONE).is_zero();
        let mut at = 0;
        let mut is_first = true;
        while !(mask >> at).is_zero() {
            if !bit(at) {
                at += 1;
                continue;
            }
            let start = at;
            while bit(at) {
                at += 1;
            }
            if !std::mem::take(&mut is_first) {
                out.push(' ');
            }
            let [weight, size] = [start, at - start].map(|bits| Integer::ONE << bits);
            let _ = write!(out, "(* {weight} (mod (div ");
            write_term(out, term);
            let _ = write!(out, " {weight}) {size}))");
        }
        if is_first {
            out.push('0');
        }
    });
}

fn number(out: &mut String, value: &Integer) {
    if is_negative(value) {
        push(out, format_args!("(- {})", -value));
    } else {
        push(out, value);
    }
}

fn push(out: &mut String, value: impl std::fmt::Display) {
    // A string takes everything.
    let _ = write!(out, "{value}");
}

fn list(out: &mut String, head: &str, rest: impl FnOnce(&mut String)) {
    out.push('(');
    out.push_str(head);
    out.push(' ');
    rest(out);
    out.push(')');
}

fn spaced<T>(out: &mut String, parts: &[T], write: impl Fn(&mut String, &T)) {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        write(out, part);
    }
}
