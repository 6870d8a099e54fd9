//! The conditions of `#if` and `#elif`: integer constant expressions of C, in 64 bits.

use ample_source::{Diagnostic, Span};

use super::preprocessor::Preprocessor;
use super::token::{PpToken, char_value};
use crate::lexer::Lexeme;

/// How deeply operands may be nested.
const MAX_DEPTH: usize = 200;

impl Preprocessor<'_> {
    /// Whether the condition on the rest of the line holds. One that makes no sense is an error,
    /// and false.
    pub(super) fn evaluate_line(&mut self, directive: PpToken) -> bool {
        let line = self.rest_of_line();
        if line.is_empty() {
            let message = format!("`#{}` needs a condition", self.text(directive));
            self.diagnostics.push(Diagnostic::error(directive.span, message));
            return false;
        }
        let result = self.replace_defined(line, directive).and_then(|line| {
            let tokens = self.expand_alone(line);
            let end = tokens.last().map_or(directive.span, |token| token.span.after());
            Condition { preprocessor: self, tokens: &tokens, next: 0, end, depth: 0 }.evaluate()
        });
        match result {
            Ok(value) => value != 0,
            Err(error) => {
                self.diagnostics.push(*error);
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 0 or 1. This comes before macros are expanded, or
    /// `X` would be.
    fn replace_defined(&mut self, line: Vec<PpToken>, directive: PpToken) -> Result<Vec<PpToken>, Box<Diagnostic>> {
        let mut replaced = Vec::with_capacity(line.len());
        let mut rest = line.into_iter().peekable();
        while let Some(token) = rest.next() {
            if token.lexeme != Lexeme::Ident || self.text(token) != "defined" {
                replaced.push(token);
                continue;
            }
            let has_paren = rest.next_if(|next| next.lexeme == Lexeme::LeftParen).is_some();
            let name = rest.next_if(|next| next.lexeme == Lexeme::Ident);
            let is_closed = !has_paren || rest.next_if(|next| next.lexeme == Lexeme::RightParen).is_some();
            let (Some(name), true) = (name, is_closed) else {
                let message = format!("`defined` in `#{}` needs a name: `defined(NAME)`", self.text(directive));
                return Err(Box::new(Diagnostic::error(token.span, message)));
            };
            let value = if self.macros.contains_key(&name.text) { "1" } else { "0" };
            replaced.push(PpToken { lexeme: Lexeme::Int, text: self.interner.intern(value), ..token });
        }
        Ok(replaced)
    }
}

/// A condition that is being evaluated, by precedence climbing.
struct Condition<'a, 'b> {
    preprocessor: &'a Preprocessor<'b>,
    tokens: &'a [PpToken],
    next: usize,
    end: Span,
    depth: usize,
}

type Value = Result<i64, Box<Diagnostic>>;

/// Whether the value of an operand matters: in `0 && 1/0`, the division is not an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Needed,
    Ignored,
}

impl Use {
    fn and(self, needed: bool) -> Use {
        if needed { self } else { Use::Ignored }
    }
}

/// How tightly a binary operator binds; none for what is not one.
fn precedence(lexeme: Lexeme) -> Option<u8> {
    Some(match lexeme {
        Lexeme::OrOr => 1,
        Lexeme::AndAnd => 2,
        Lexeme::Or => 3,
        Lexeme::Caret => 4,
        Lexeme::And => 5,
        Lexeme::EqualEqual | Lexeme::NotEqual => 6,
        Lexeme::Less | Lexeme::LessEqual | Lexeme::Greater | Lexeme::GreaterEqual => 7,
        Lexeme::ShiftLeft | Lexeme::ShiftRight => 8,
        Lexeme::Plus | Lexeme::Minus => 9,
        Lexeme::Star | Lexeme::Slash | Lexeme::Percent => 10,
        _ => return None,
    })
}

impl Condition<'_, '_> {
    fn evaluate(mut self) -> Value {
        let value = self.ternary(Use::Needed)?;
        match self.peek() {
            None => Ok(value),
            Some(token) => self.error(token.span, "unexpected in a condition".to_string()),
        }
    }

    fn peek(&self) -> Option<PpToken> {
        self.tokens.get(self.next).copied()
    }

    fn eat(&mut self, lexeme: Lexeme) -> bool {
        let is_next = self.peek().is_some_and(|token| token.lexeme == lexeme);
        self.next += usize::from(is_next);
        is_next
    }

    fn error(&self, span: Span, message: String) -> Value {
        Err(Box::new(Diagnostic::error(span, message)))
    }

    fn here(&self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }

    fn deeper<'s>(&'s mut self, parse: impl FnOnce(&mut Self) -> Value + 's) -> Value {
        if self.depth >= MAX_DEPTH {
            return self.error(self.here(), "this condition is nested too deeply".to_string());
        }
        self.depth += 1;
        let value = parse(self);
        self.depth -= 1;
        value
    }

    fn ternary(&mut self, wanted: Use) -> Value {
        let condition = self.binary(1, wanted)?;
        if !self.eat(Lexeme::Question) {
            return Ok(condition);
        }
        let yes = self.deeper(|this| this.ternary(wanted.and(condition != 0)))?;
        if !self.eat(Lexeme::Colon) {
            return self.error(self.here(), "expected `:`".to_string());
        }
        let no = self.deeper(|this| this.ternary(wanted.and(condition == 0)))?;
        Ok(if condition != 0 { yes } else { no })
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8, wanted: Use) -> Value {
        let mut left = self.unary(wanted)?;
        while let Some(operator) = self.peek()
            && let Some(level) = precedence(operator.lexeme)
            && level >= least
        {
            self.next += 1;
            let wanted = match operator.lexeme {
                Lexeme::OrOr => wanted.and(left == 0),
                Lexeme::AndAnd => wanted.and(left != 0),
                _ => wanted,
            };
            let right = self.binary(level + 1, wanted)?;
            left = match apply(operator.lexeme, left, right) {
                Some(value) => value,
                None if wanted == Use::Ignored => 0,
                None => return self.error(operator.span, "division by zero in a condition".to_string()),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, wanted: Use) -> Value {
        let Some(token) = self.peek() else {
            return self.error(self.end, "the condition ends too early".to_string());
        };
        self.next += 1;
        match token.lexeme {
            Lexeme::Plus => self.deeper(|this| this.unary(wanted)),
            Lexeme::Minus => self.deeper(|this| this.unary(wanted)).map(i64::wrapping_neg),
            Lexeme::Tilde => self.deeper(|this| this.unary(wanted)).map(|value| !value),
            Lexeme::Bang => self.deeper(|this| this.unary(wanted)).map(|value| i64::from(value == 0)),
            Lexeme::BangBang => self.deeper(|this| this.unary(wanted)).map(|value| i64::from(value != 0)),
            Lexeme::LeftParen => {
                let value = self.deeper(|this| this.ternary(wanted))?;
                match self.eat(Lexeme::RightParen) {
                    true => Ok(value),
                    false => self.error(self.here(), "expected `)`".to_string()),
                }
            }
            // A name that is not a macro counts as 0, as in C.
            Lexeme::Ident => Ok(0),
            Lexeme::Int | Lexeme::Hex => self.number(token),
            Lexeme::Char => Ok(i64::from(char_value(self.text(token)))),
            _ => self.error(token.span, format!("`{}` is not a number or a name", self.text(token))),
        }
    }

    /// A number of C, in octal if it begins with 0, with or without a suffix.
    fn number(&mut self, token: PpToken) -> Value {
        let suffix = self.peek().filter(|next| next.lexeme == Lexeme::Ident && !next.spaced);
        if let Some(suffix) = suffix {
            if !self.text(suffix).bytes().all(|letter| b"uUlL".contains(&letter)) {
                return self.error(suffix.span, format!("unknown suffix `{}` of a number", self.text(suffix)));
            }
            self.next += 1;
        }
        let text = self.text(token);
        let (digits, radix) = match text.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&text[2..], 16),
            [b'0', _, ..] => (&text[1..], 8),
            _ => (text, 10),
        };
        match u64::from_str_radix(digits, radix) {
            Ok(value) => Ok(value.cast_signed()),
            Err(error) => self.error(token.span, format!("`{text}` is not a number of C: {error}")),
        }
    }

    fn text(&self, token: PpToken) -> &str {
        self.preprocessor.interner.text(token.text)
    }
}

/// The value of a binary operator; none for a division by zero.
fn apply(operator: Lexeme, left: i64, right: i64) -> Option<i64> {
    let shift = u32::try_from(right).unwrap_or(u32::MAX);
    Some(match operator {
        Lexeme::OrOr => i64::from(left != 0 || right != 0),
        Lexeme::AndAnd => i64::from(left != 0 && right != 0),
        Lexeme::Or => left | right,
        Lexeme::Caret => left ^ right,
        Lexeme::And => left & right,
        Lexeme::EqualEqual => i64::from(left == right),
        Lexeme::NotEqual => i64::from(left != right),
        Lexeme::Less => i64::from(left < right),
        Lexeme::LessEqual => i64::from(left <= right),
        Lexeme::Greater => i64::from(left > right),
        Lexeme::GreaterEqual => i64::from(left >= right),
        Lexeme::ShiftLeft => left.checked_shl(shift).unwrap_or(0),
        Lexeme::ShiftRight => left.checked_shr(shift).unwrap_or(if left < 0 { -1 } else { 0 }),
        Lexeme::Plus => left.wrapping_add(right),
        Lexeme::Minus => left.wrapping_sub(right),
        Lexeme::Star => left.wrapping_mul(right),
        Lexeme::Slash if right != 0 => left.wrapping_div(right),
        Lexeme::Percent if right != 0 => left.wrapping_rem(right),
        _ => return None,
    })
}
