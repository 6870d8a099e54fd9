//! Formulas as text: the dialect of the command line, of `.ltl` files and of BEEM.
//!
//! The grammar and the table of precedence are in `docs/ltl.md`. What a proposition is, the caller
//! says through a [`Vocabulary`]; the parser only finds where the text of one begins and ends
//! ([`extent`]).

mod extent;
mod lexer;
mod names;

use std::borrow::Cow;
use std::ops::Range;

use ample_source::{Diagnostic, Span};

use crate::{Binary, Formula, Unary};
use lexer::{Kind, Token};
pub use names::{Names, parse_ltl};

/// What the caller knows about propositions.
pub trait Vocabulary<P> {
    /// Whether this is a declared name. A declared name is not an operator and is not taken apart.
    fn is_name(&self, name: &str) -> bool;

    /// The formula as it is to be parsed, of the same length: a language may use a symbol of the
    /// logic inside of its expressions.
    fn prepared<'t>(&self, formula: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(formula)
    }

    /// The proposition with this text, which stands at `span`.
    fn proposition(&mut self, text: &str, span: Span) -> Result<P, Box<Diagnostic>>;

    /// The proposition that is always true, or never.
    fn constant(&mut self, value: bool, span: Span) -> P;
}

/// The deepest nesting that is read: what works on formulas is recursive.
const DEEPEST: usize = 200;

/// Reads a formula that stands at `span`. Gives the first error of the syntax, or all errors about
/// propositions.
pub fn parse_formula<P>(
    text: &str,
    span: Span,
    vocabulary: &mut dyn Vocabulary<P>,
) -> Result<Formula<P>, Vec<Diagnostic>> {
    let text = &*vocabulary.prepared(text);
    let mut parser =
        Parser { text, span, vocabulary, tokens: lexer::tokens(text), at: 0, depth: 0, about_propositions: Vec::new() };
    let formula = parser.whole().map_err(|error| vec![*error])?;
    if parser.about_propositions.is_empty() { Ok(formula) } else { Err(parser.about_propositions) }
}

struct Parser<'a, P> {
    text: &'a str,
    span: Span,
    vocabulary: &'a mut dyn Vocabulary<P>,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    about_propositions: Vec<Diagnostic>,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The operators between two formulas. Later ones bind tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Equivalent,
    Implies,
    Xor,
    Or,
    And,
    Temporal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plain(Binary),
    Xor,
}

impl Operator {
    fn level(self) -> Level {
        match self {
            Operator::Xor => Level::Xor,
            Operator::Plain(Binary::Equivalent) => Level::Equivalent,
            Operator::Plain(Binary::Implies) => Level::Implies,
            Operator::Plain(Binary::Or) => Level::Or,
            Operator::Plain(Binary::And) => Level::And,
            Operator::Plain(_) => Level::Temporal,
        }
    }
}

impl<P> Parser<'_, P> {
    fn whole(&mut self) -> Parsed<Formula<P>> {
        if self.tokens.is_empty() {
            return Err(self.error(self.end(), "the formula is empty").into());
        }
        let formula = self.formula(Level::Equivalent)?;
        match self.peek().cloned() {
            None => Ok(formula),
            Some(token) => Err(self.unexpected_after_formula(&token).into()),
        }
    }

    /// Operators of this level and of those that bind tighter.
    fn formula(&mut self, level: Level) -> Parsed<Formula<P>> {
        self.deeper()?;
        let first = self.operand()?;
        let formula = self.continued(first, level);
        self.depth -= 1;
        formula
    }

    fn continued(&mut self, first: Formula<P>, level: Level) -> Parsed<Formula<P>> {
        let mut left = first;
        while let Some(operator) = self.operator().filter(|operator| operator.level() >= level) {
            left = match operator.level() {
                Level::Temporal | Level::Implies => {
                    self.at += 1;
                    let right = self.formula(operator.level())?;
                    build(operator, left, right)
                }
                Level::And | Level::Or | Level::Xor | Level::Equivalent => self.chain(operator, left)?,
            };
        }
        Ok(left)
    }

    /// `a op b op c …`: built balanced, because a long chain would be a deep formula.
    fn chain(&mut self, operator: Operator, first: Formula<P>) -> Parsed<Formula<P>> {
        let mut operands = vec![first];
        while self.operator() == Some(operator) {
            self.at += 1;
            self.deeper()?;
            let operand = self.operand()?;
            let tighter = match operator.level() {
                Level::Equivalent => Level::Implies,
                Level::Xor => Level::Or,
                Level::Or => Level::And,
                _ => Level::Temporal,
            };
            operands.push(self.continued(operand, tighter)?);
            self.depth -= 1;
        }
        // All four are associative.
        while operands.len() > 1 {
            let mut halved = Vec::with_capacity(operands.len().div_ceil(2));
            let mut rest = operands.into_iter();
            while let Some(left) = rest.next() {
                halved.push(match rest.next() {
                    Some(right) => build(operator, left, right),
                    None => left,
                });
            }
            operands = halved;
        }
        operands.pop().ok_or_else(|| self.error(self.end(), "the formula is empty").into())
    }

    /// The operator between two formulas at the current place.
    fn operator(&self) -> Option<Operator> {
        let token = self.peek()?;
        Some(Operator::Plain(match (token.kind, &self.text[token.range.clone()]) {
            (Kind::And, _) | (Kind::Name, "and") => Binary::And,
            (Kind::Or, _) | (Kind::Name, "or") => Binary::Or,
            (Kind::Implies, _) | (Kind::Name, "implies") => Binary::Implies,
            (Kind::Equivalent, _) | (Kind::Name, "equivalent") => Binary::Equivalent,
            (Kind::Name, "U" | "until") => Binary::Until,
            (Kind::Name, "W" | "weakuntil") => Binary::WeakUntil,
            (Kind::Name, "R" | "V" | "release") => Binary::Release,
            (Kind::Name, "M" | "strongrelease") => Binary::StrongRelease,
            (Kind::Xor, _) | (Kind::Name, "xor") => return Some(Operator::Xor),
            _ => return None,
        }))
    }

    /// An operand of an operator: what begins with a unary one, in parentheses, or a proposition.
    fn operand(&mut self) -> Parsed<Formula<P>> {
        let Some(token) = self.peek().cloned() else {
            return Err(self.error(self.end(), "the formula ends where an operand is expected").into());
        };
        match token.kind {
            Kind::Always => self.unary(Unary::Always),
            Kind::Eventually => self.unary(Unary::Eventually),
            Kind::Not => self.negation(),
            Kind::Name => self.name(token),
            Kind::Open if &self.text[token.range.clone()] == "(" => self.group(token),
            Kind::Open if &self.text[token.range.clone()] == "{" => self.braces(&token),
            Kind::Quoted => {
                self.at += 1;
                let inside = token.range.start + 1..token.range.end - 1;
                Ok(self.proposition(inside))
            }
            Kind::Number => match &self.text[self.expression()?] {
                "0" => Ok(self.constant(false, token.range)),
                "1" => Ok(self.constant(true, token.range)),
                whole => {
                    let range = token.range.start..token.range.start + whole.len();
                    Ok(self.proposition(range))
                }
            },
            Kind::Prefix => {
                let range = self.expression()?;
                Ok(self.proposition(range))
            }
            Kind::Unclosed => Err(self.error(token.range, "this quotation has no end").help("add `\"`").into()),
            _ => Err(self.not_an_operand(&token).into()),
        }
    }

    fn unary(&mut self, operator: Unary) -> Parsed<Formula<P>> {
        self.at += 1;
        self.unary_over_rest(operator)
    }

    fn unary_over_rest(&mut self, operator: Unary) -> Parsed<Formula<P>> {
        self.deeper()?;
        let operand = self.operand()?;
        self.depth -= 1;
        Ok(Formula::Unary(operator, Box::new(operand)))
    }

    /// `!`. Before a comparison it is refused: some languages would negate the left side only.
    fn negation(&mut self) -> Parsed<Formula<P>> {
        let begin = self.peek().map_or(0, |token| token.range.start);
        self.at += 1;
        let start = self.at;
        let is_bare = self.peek().is_some_and(|token| matches!(token.kind, Kind::Name | Kind::Number | Kind::Prefix));
        let negation = self.unary_over_rest(Unary::Not)?;
        let is_proposition =
            matches!(&negation, Formula::Unary(_, operand) if matches!(**operand, Formula::Proposition(_)));
        let tokens = self.tokens.get(start..self.at).unwrap_or_default();
        if is_bare
            && is_proposition
            && let Some(infix) = extent::top_level_infix(tokens, self.text)
            && let [first, .., last] = tokens
        {
            let operand = &self.text[first.range.start..last.range.end];
            let error = self.error(begin..last.range.end, "it is not clear what `!` negates here");
            let error = error.label("what is negated?").help(format!("write `!({operand})`"));
            return Err(error.secondary(self.at(infix), "this operator may bind tighter or looser").into());
        }
        Ok(negation)
    }

    /// A word, an operator written as a letter, letters run together, or the beginning of a
    /// proposition.
    fn name(&mut self, token: Token) -> Parsed<Formula<P>> {
        let name = &self.text[token.range.clone()];
        if !self.vocabulary.is_name(name) {
            match name {
                "always" => return self.unary(Unary::Always),
                "eventually" => return self.unary(Unary::Eventually),
                "next" => return self.unary(Unary::Next),
                "not" => return self.negation(),
                "true" | "false" => {
                    self.at += 1;
                    return Ok(self.constant(name == "true", token.range));
                }
                "U" | "V" | "W" | "R" | "M" | "and" | "or" | "xor" | "until" | "release" | "weakuntil"
                | "strongrelease" | "implies" | "equivalent" => {
                    return Err(self.not_an_operand(&token).into());
                }
                _ => {}
            }
            if let Some(operator) = leading_operator(name) {
                return self.split(&token, operator);
            }
        }
        let range = self.expression()?;
        Ok(self.proposition(range))
    }

    /// Takes the first letter off a name as an operator; the rest is the operand.
    fn split(&mut self, token: &Token, operator: Unary) -> Parsed<Formula<P>> {
        if token.range.len() == 1 {
            return self.unary(operator);
        }
        let rest = token.range.start + 1..token.range.end;
        let kind =
            if self.text[rest.clone()].starts_with(|c: char| c.is_ascii_digit()) { Kind::Number } else { Kind::Name };
        self.tokens[self.at] = Token { kind, range: rest };
        self.unary_over_rest(operator)
    }

    /// `( … )`: a formula, or the beginning of a model expression such as `(x + 1) * y > 3`.
    fn group(&mut self, open: Token) -> Parsed<Formula<P>> {
        let closing = extent::closing(&self.tokens, self.at, self.text).ok_or_else(|| self.unclosed(&open))?;
        if extent::goes_on(&self.tokens, closing + 1) {
            let range = self.expression()?;
            return Ok(self.proposition(range));
        }
        self.at += 1;
        let inside = self.formula(Level::Equivalent)?;
        if self.at != closing {
            let token = self.tokens[self.at.min(closing)].clone();
            return Err(self.unexpected_after_formula(&token).into());
        }
        self.at += 1;
        Ok(inside)
    }

    /// `{ … }`: the text of a proposition.
    fn braces(&mut self, open: &Token) -> Parsed<Formula<P>> {
        let closing = extent::closing(&self.tokens, self.at, self.text).ok_or_else(|| self.unclosed(open))?;
        let inside = open.range.end..self.tokens[closing].range.start;
        self.at = closing + 1;
        let text = &self.text[inside.clone()];
        let start = inside.start + (text.len() - text.trim_start().len());
        Ok(self.proposition(start..start + text.trim().len()))
    }

    /// The extent of the model expression that begins here, which is passed over.
    fn expression(&mut self) -> Parsed<Range<usize>> {
        let start = self.at;
        self.at = match extent::expression(&self.tokens, self.at, self.text) {
            Ok(after) => after,
            Err(at) => {
                return Err(match self.tokens.get(at).cloned() {
                    Some(token) if token.kind == Kind::Open => self.unclosed(&token),
                    Some(token) => self.not_an_operand(&token).into(),
                    None => self.error(self.end(), "the formula ends where an operand is expected").into(),
                });
            }
        };
        Ok(self.tokens[start].range.start..self.tokens[self.at - 1].range.end)
    }

    /// Asks the caller for a proposition. If there is none, notes the error and goes on.
    fn proposition(&mut self, range: Range<usize>) -> Formula<P> {
        let span = self.at(range.clone());
        match self.vocabulary.proposition(&self.text[range], span) {
            Ok(proposition) => Formula::Proposition(proposition),
            Err(error) => {
                self.about_propositions.push(*error);
                Formula::Proposition(self.vocabulary.constant(false, span))
            }
        }
    }

    fn constant(&mut self, value: bool, range: Range<usize>) -> Formula<P> {
        let span = self.at(range);
        Formula::Proposition(self.vocabulary.constant(value, span))
    }

    fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let place = self.peek().map_or(self.end(), |token| token.range.clone());
        let message = format!("the formula is nested more than {DEEPEST} levels deep");
        Err(self.error(place, message).help("name parts of it, or check them one by one").into())
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn end(&self) -> Range<usize> {
        self.text.len()..self.text.len()
    }

    fn at(&self, range: Range<usize>) -> Span {
        let offset = |at: usize| self.span.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        Span { start: offset(range.start), end: offset(range.end), ..self.span }
    }

    fn error(&self, range: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.at(range), message)
    }

    fn unclosed(&self, open: &Token) -> Box<Diagnostic> {
        let symbol = &self.text[open.range.clone()];
        let closing = match symbol {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let error = self.error(open.range.clone(), format!("this `{symbol}` is not closed"));
        error.help(format!("add `{closing}`")).into()
    }

    fn not_an_operand(&self, token: &Token) -> Diagnostic {
        let text = &self.text[token.range.clone()];
        let error = self.error(token.range.clone(), format!("expected a formula, found `{text}`"));
        match token.kind {
            Kind::Unknown => error.help("quote the proposition: \"…\""),
            Kind::Name => error.help(format!("`{text}` is an operator between two formulas; quote it if it is a name")),
            _ => error.label("an operand is missing before this"),
        }
    }

    fn unexpected_after_formula(&self, token: &Token) -> Diagnostic {
        let text = &self.text[token.range.clone()];
        let error = self.error(token.range.clone(), format!("expected an operator or the end, found `{text}`"));
        match (token.kind, text) {
            (Kind::Close, _) => error.label("nothing was opened that this closes"),
            (Kind::Name, "u" | "w" | "r" | "m" | "v") => {
                error.help(format!("the operator is written `{}`", text.to_ascii_uppercase()))
            }
            _ => error.help("operators are `! X F G & | -> <-> U W R M`; propositions with other symbols are quoted"),
        }
    }
}

/// The unary operator that the first letter of a name stands for.
fn leading_operator(name: &str) -> Option<Unary> {
    match name.as_bytes().first()? {
        b'X' => Some(Unary::Next),
        b'F' => Some(Unary::Eventually),
        b'G' => Some(Unary::Always),
        _ => None,
    }
}

fn build<P>(operator: Operator, left: Formula<P>, right: Formula<P>) -> Formula<P> {
    let (left, right) = (Box::new(left), Box::new(right));
    match operator {
        Operator::Plain(operator) => Formula::Binary(operator, left, right),
        Operator::Xor => {
            let same = Formula::Binary(Binary::Equivalent, left, right);
            Formula::Unary(Unary::Not, Box::new(same))
        }
    }
}
