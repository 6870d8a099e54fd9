//! Scripts of questions without quantifiers about integers and truth values: those that
//! [`super::scope`] writes, and what is like them.

use std::collections::HashMap;

use super::expression::{Expression, parse};
use crate::formula::{Formula, Proposition, Symbol, Term, Variable};
use crate::number::Integer;
use crate::rounding::Rounding;

/// What is not understood, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What.
    pub message: String,
}

/// The formula of each `(check-sat)`. Variables and propositions are numbered as they are declared.
pub fn read(text: &str) -> Result<Vec<Formula>, ReadError> {
    let error = |line| ReadError { line, message: "a parenthesis has no partner, or there are too many".to_owned() };
    let mut script = Script::default();
    for command in parse(text).map_err(error)? {
        script.command(&command)?;
    }
    Ok(script.queries)
}

#[derive(Default)]
struct Script {
    symbols: HashMap<String, Symbol>,
    next: u32,
    assertions: Vec<Formula>,
    /// The number of assertions when each scope was opened.
    scopes: Vec<usize>,
    queries: Vec<Formula>,
}

/// What an expression is.
enum Value {
    Formula(Formula),
    Term(Term),
}

/// Scopes that one command opens, at most.
const MOST_LEVELS: usize = 1_000;

/// Functions that our own scripts define.
const OWN: &[&str] = &["ediv", "tdiv", "fdiv", "bitand"];

/// Functions of integers.
const ARITHMETIC: &[&str] = &["+", "-", "*", "div", "mod", "abs", "ediv", "tdiv", "fdiv", "bitand"];

fn wrong<T>(at: &Expression, message: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError { line: at.line(), message: message.into() })
}

impl Script {
    fn command(&mut self, command: &Expression) -> Result<(), ReadError> {
        let Expression::List(parts, _) = command else { return wrong(command, "a command is a list") };
        let Some(Expression::Symbol(head, _)) = parts.first() else { return wrong(command, "a command has a name") };
        match (&head[..], &parts[1..]) {
            ("set-logic" | "set-info" | "set-option" | "exit" | "get-model" | "get-value", _) => Ok(()),
            ("define-fun" | "declare-fun", [Expression::Symbol(name, _), ..]) if OWN.contains(&&name[..]) => Ok(()),
            ("declare-const", [Expression::Symbol(name, _), sort]) => self.declare(name, sort),
            ("declare-fun", [Expression::Symbol(name, _), Expression::List(none, _), sort]) if none.is_empty() => {
                self.declare(name, sort)
            }
            ("assert", [formula]) => {
                let formula = self.formula(formula)?;
                self.assertions.push(formula);
                Ok(())
            }
            ("push" | "pop", rest) if rest.len() <= 1 => self.scope(head, rest.first(), command),
            ("check-sat", []) => {
                self.queries.push(match &self.assertions[..] {
                    [formula] => formula.clone(),
                    all => Formula::All(all.to_vec()),
                });
                Ok(())
            }
            _ => wrong(command, format!("the command `{head}` is not understood")),
        }
    }

    /// Opens scopes or closes them: one, or so many.
    fn scope(&mut self, head: &str, levels: Option<&Expression>, command: &Expression) -> Result<(), ReadError> {
        let levels = match levels {
            None => Some(1),
            Some(Expression::Symbol(levels, _)) => levels.parse().ok().filter(|levels| *levels <= MOST_LEVELS),
            Some(Expression::List(..)) => None,
        };
        let Some(levels) = levels else { return wrong(command, format!("`{head}` has a number of levels")) };
        if head == "push" {
            self.scopes.extend(std::iter::repeat_n(self.assertions.len(), levels));
            return Ok(());
        }
        for _ in 0..levels {
            let Some(assertions) = self.scopes.pop() else {
                return wrong(command, "more scopes are closed than were opened");
            };
            self.assertions.truncate(assertions);
        }
        Ok(())
    }

    /// A name that is declared again in another scope is another one.
    fn declare(&mut self, name: &str, sort: &Expression) -> Result<(), ReadError> {
        let symbol = match sort {
            Expression::Symbol(sort, _) if sort == "Int" => Symbol::Variable(Variable(self.next)),
            Expression::Symbol(sort, _) if sort == "Bool" => Symbol::Proposition(Proposition(self.next)),
            _ => return wrong(sort, "only `Int` and `Bool` are understood"),
        };
        self.next += 1;
        self.symbols.insert(name.to_owned(), symbol);
        Ok(())
    }

    fn formula(&self, expression: &Expression) -> Result<Formula, ReadError> {
        match self.value(expression)? {
            Value::Formula(formula) => Ok(formula),
            Value::Term(_) => wrong(expression, "a truth value is needed here, not an integer"),
        }
    }

    fn term(&self, expression: &Expression) -> Result<Term, ReadError> {
        match self.value(expression)? {
            Value::Term(term) => Ok(term),
            Value::Formula(_) => wrong(expression, "an integer is needed here, not a truth value"),
        }
    }

    fn value(&self, expression: &Expression) -> Result<Value, ReadError> {
        match expression {
            Expression::Symbol(symbol, _) => self.symbol(symbol, expression),
            Expression::List(parts, _) => match parts.split_first() {
                Some((Expression::Symbol(head, _), operands)) => match self.application(head, operands)? {
                    Some(value) => Ok(value),
                    None => wrong(expression, format!("`{head}` with {} operands is not understood", operands.len())),
                },
                _ => wrong(expression, "a function has a name"),
            },
        }
    }

    fn symbol(&self, symbol: &str, at: &Expression) -> Result<Value, ReadError> {
        match (symbol, self.symbols.get(symbol)) {
            (_, Some(Symbol::Variable(variable))) => Ok(Value::Term((*variable).into())),
            (_, Some(Symbol::Proposition(proposition))) => Ok(Value::Formula(Formula::Proposition(*proposition))),
            ("true", _) => Ok(Value::Formula(Formula::Constant(true))),
            ("false", _) => Ok(Value::Formula(Formula::Constant(false))),
            _ => match symbol.parse::<Integer>() {
                Ok(value) => Ok(Value::Term(value.into())),
                Err(_) => wrong(at, format!("`{symbol}` is not declared")),
            },
        }
    }

    fn application(&self, head: &str, operands: &[Expression]) -> Result<Option<Value>, ReadError> {
        let formulas = || operands.iter().map(|operand| self.formula(operand)).collect::<Result<Vec<_>, _>>();
        let formula = match (head, operands) {
            ("not", [part]) => self.formula(part)?.negated(),
            ("and", _) => Formula::All(formulas()?),
            ("or", _) => Formula::Any(formulas()?),
            ("=>", [a, b]) => self.formula(a)?.implies(self.formula(b)?),
            ("=", [a, b]) => match (self.value(a)?, self.value(b)?) {
                (Value::Formula(a), Value::Formula(b)) => a.same_as(b),
                (Value::Term(a), Value::Term(b)) => a.equals(b),
                _ => return Ok(None),
            },
            ("<", [a, b]) => self.term(a)?.less(self.term(b)?),
            ("<=", [a, b]) => self.term(a)?.at_most(self.term(b)?),
            (">", [a, b]) => self.term(a)?.greater(self.term(b)?),
            (">=", [a, b]) => self.term(a)?.at_least(self.term(b)?),
            ("ite", [condition, a, b]) => {
                let condition = self.formula(condition)?;
                match (self.value(a)?, self.value(b)?) {
                    (Value::Formula(a), Value::Formula(b)) => {
                        Formula::Any(vec![condition.clone().and(a), condition.negated().and(b)])
                    }
                    (Value::Term(a), Value::Term(b)) => return Ok(Some(Value::Term(a.when(condition, b)))),
                    _ => return Ok(None),
                }
            }
            _ => return Ok(self.arithmetic(head, operands)?.map(Value::Term)),
        };
        Ok(Some(Value::Formula(formula)))
    }

    fn arithmetic(&self, head: &str, operands: &[Expression]) -> Result<Option<Term>, ReadError> {
        if !ARITHMETIC.contains(&head) {
            return Ok(None);
        }
        let terms = operands.iter().map(|operand| self.term(operand)).collect::<Result<Vec<_>, _>>()?;
        let mut rest = terms.into_iter();
        let Some(first) = rest.next() else { return Ok(None) };
        let rest: Vec<Term> = rest.collect();
        Ok(Some(match (head, &rest[..]) {
            ("-", []) => match first {
                Term::Constant(value) => (-value).into(),
                other => other.negated(),
            },
            ("+", _) => Term::Sum([vec![first], rest].concat()),
            ("-", _) => rest.into_iter().fold(first, Term::minus),
            ("*", _) => rest.into_iter().fold(first, |product, factor| match (product, factor) {
                (Term::Constant(by), other) | (other, Term::Constant(by)) => Term::Multiple(by, Box::new(other)),
                (a, b) => a.times(b),
            }),
            ("div" | "ediv", [by]) => first.divided_by(by.clone(), Rounding::Euclidean),
            ("mod", [by]) => first.remainder_by(by.clone(), Rounding::Euclidean),
            ("tdiv", [by]) => first.divided_by(by.clone(), Rounding::TowardZero),
            ("fdiv", [by]) => first.divided_by(by.clone(), Rounding::Down),
            ("bitand", [other]) => first.bit_and(other.clone()),
            ("abs", []) => {
                let is_negative = first.clone().less(0);
                first.clone().negated().when(is_negative, first)
            }
            _ => return Ok(None),
        }))
    }
}
