//! Where the text of a proposition ends: a skeleton of the expressions of models, enough to find
//! their extent.
//!
//! An expression is operands with operators between them; what stands in brackets is passed over
//! whole. The operators of formulas (`&&`, `->`, `U`, …) end it, unless brackets surround them.

use super::lexer::{Kind, Token};

/// The place after the expression that begins at `start`; or the place of what should not be there.
pub(super) fn expression(tokens: &[Token], start: usize, text: &str) -> Result<usize, usize> {
    let mut at = operand(tokens, start, text)?;
    while is_infix(tokens, at) {
        let mut next = at + 1;
        while tokens.get(next).is_some_and(|token| matches!(token.kind, Kind::Not)) {
            next += 1;
        }
        at = operand(tokens, next, text)?;
    }
    Ok(at)
}

fn is_infix(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Infix | Kind::Prefix))
}

/// Whether a model expression goes on at this place, after an operand.
pub(super) fn goes_on(tokens: &[Token], at: usize) -> bool {
    is_infix(tokens, at)
}

/// The place after one operand.
fn operand(tokens: &[Token], start: usize, text: &str) -> Result<usize, usize> {
    let mut at = start;
    while tokens.get(at).is_some_and(|token| token.kind == Kind::Prefix) {
        at += 1;
    }
    let Some(token) = tokens.get(at) else { return Err(at) };
    match token.kind {
        Kind::Name | Kind::Number => at += 1,
        Kind::Open => return closing(tokens, at, text).map(|closing| closing + 1).ok_or(at),
        _ => return Err(at),
    }
    loop {
        let Some(token) = tokens.get(at) else { return Ok(at) };
        match token.kind {
            // A parenthesis or bracket directly behind the name: a call or an index.
            Kind::Open if &text[token.range.clone()] != "{" => at = closing(tokens, at, text).ok_or(at)? + 1,
            Kind::Joint if tokens.get(at + 1).is_some_and(|next| matches!(next.kind, Kind::Name | Kind::Number)) => {
                at += 2
            }
            Kind::Poll if tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Open) => {
                at = closing(tokens, at + 1, text).ok_or(at + 1)? + 1;
            }
            _ => return Ok(at),
        }
    }
}

/// The place of the bracket that closes the one at `open`.
pub(super) fn closing(tokens: &[Token], open: usize, text: &str) -> Option<usize> {
    let mut expected: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate().skip(open) {
        let symbol = &text[token.range.clone()];
        match token.kind {
            Kind::Open => expected.push(match symbol {
                "(" => ")",
                "[" => "]",
                _ => "}",
            }),
            Kind::Close => {
                if expected.pop() != Some(symbol) {
                    return None;
                }
                if expected.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first operator of model expressions outside of brackets.
pub(super) fn top_level_infix(tokens: &[Token], text: &str) -> Option<std::ops::Range<usize>> {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Open => at = closing(tokens, at, text)?,
            Kind::Infix => return Some(token.range.clone()),
            Kind::Prefix if at > 0 => return Some(token.range.clone()),
            _ => {}
        }
        at += 1;
    }
    None
}
