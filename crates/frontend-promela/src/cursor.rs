//! The stream of tokens as the parser sees it: with optional semicolons, and with inline bodies
//! pushed in.
//!
//! In the body of a process the end of a line ends a statement if the token before it can end one,
//! and no parenthesis is open. This is Spin's rule, so that texts written for Spin mean the same
//! here.

use std::sync::Arc;

use ample_source::Span;

use crate::lexer::TokenKind;
use crate::preprocess::Token;

/// Tokens with one token of lookahead, and more on demand.
pub(crate) struct Cursor {
    /// The tokens to come, last first.
    rest: Vec<Token>,
    /// The token last taken, if it can end a statement.
    ends_statement: bool,
    after_brace: bool,
    /// How many parentheses are open.
    parens: usize,
    /// Whether the end of a line may end a statement.
    in_body: bool,
    /// The token last taken.
    previous: Span,
    /// The tokens taken since the mark was set.
    taken: Vec<Token>,
}

impl Cursor {
    pub(crate) fn new(mut tokens: Vec<Token>) -> Cursor {
        tokens.reverse();
        Cursor {
            rest: tokens,
            ends_statement: false,
            after_brace: false,
            parens: 0,
            in_body: false,
            previous: Span::default(),
            taken: Vec::new(),
        }
    }

    /// The next token. `Semicolon` also where the end of a line stands for one.
    pub(crate) fn peek(&self) -> &TokenKind {
        if self.line_ends_statement() { &TokenKind::Semicolon } else { self.raw(0) }
    }

    /// The token `n` places after the next one, line ends not looked at.
    pub(crate) fn peek_at(&self, n: usize) -> &TokenKind {
        self.raw(n)
    }

    /// The next token, if it is a name or a keyword.
    pub(crate) fn peek_word(&self) -> Option<&str> {
        match self.peek() {
            TokenKind::Ident(word) => Some(word),
            _ => None,
        }
    }

    fn raw(&self, n: usize) -> &TokenKind {
        match self.rest.len().checked_sub(n + 1) {
            Some(position) => &self.rest[position].kind,
            None => &TokenKind::Eof,
        }
    }

    fn line_ends_statement(&self) -> bool {
        let Some(next) = self.rest.last() else { return false };
        if !(self.in_body && self.parens == 0 && self.ends_statement && next.newline_before) {
            return false;
        }
        // A semicolon is not needed before these, and would be wrong before `unless`.
        match &next.kind {
            TokenKind::RightBrace | TokenKind::Arrow | TokenKind::Semicolon | TokenKind::Eof => false,
            TokenKind::Ident(word) => &**word != "unless",
            _ => true,
        }
    }

    /// Where the next token stands; at the end of the text, where it ends.
    pub(crate) fn span(&self) -> Span {
        if self.line_ends_statement() {
            return self.previous.after();
        }
        self.rest.last().map_or(self.previous.after(), |token| token.span)
    }

    /// Where the token last taken stands.
    pub(crate) fn previous(&self) -> Span {
        self.previous
    }

    /// Takes the next token.
    pub(crate) fn take(&mut self) -> TokenKind {
        if self.line_ends_statement() {
            self.ends_statement = false;
            self.after_brace = false;
            return TokenKind::Semicolon;
        }
        if self.rest.len() <= 1 {
            // The last token is the end of the text: it is never taken away.
            return self.raw(0).clone();
        }
        let Some(token) = self.rest.pop() else { return TokenKind::Eof };
        match token.kind {
            TokenKind::LeftParen => self.parens += 1,
            TokenKind::RightParen => self.parens = self.parens.saturating_sub(1),
            _ => {}
        }
        self.ends_statement = can_end_statement(&token.kind);
        self.after_brace = token.kind == TokenKind::RightBrace;
        self.previous = token.span;
        self.taken.push(token.clone());
        token.kind
    }

    /// Whether the token last taken was `}`, after which no separator is needed.
    pub(crate) fn is_after_brace(&self) -> bool {
        self.after_brace
    }

    /// Says whether the end of a line may end a statement from here on; gives what was the case
    /// before.
    pub(crate) fn set_in_body(&mut self, in_body: bool) -> bool {
        self.parens = 0;
        std::mem::replace(&mut self.in_body, in_body)
    }

    /// Puts tokens before the next one.
    pub(crate) fn push(&mut self, tokens: impl DoubleEndedIterator<Item = Token>) {
        self.ends_statement = false;
        self.rest.extend(tokens.rev());
    }

    /// How many tokens are still to come.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Starts a record of the tokens taken.
    pub(crate) fn mark(&mut self) {
        self.taken.clear();
    }

    /// The tokens taken since the mark, as a reader would write them.
    pub(crate) fn text(&self) -> String {
        join(&self.taken)
    }

    /// The tokens taken since the mark.
    pub(crate) fn taken(&self) -> &[Token] {
        &self.taken
    }
}

/// After these the end of a line ends the statement. Most keywords cannot end one.
fn can_end_statement(kind: &TokenKind) -> bool {
    match kind {
        TokenKind::RightBrace
        | TokenKind::RightParen
        | TokenKind::RightBracket
        | TokenKind::PlusPlus
        | TokenKind::MinusMinus
        | TokenKind::Int(_)
        | TokenKind::Char(_) => true,
        TokenKind::Ident(word) => {
            !is_keyword(word)
                || matches!(&**word, "od" | "fi" | "else" | "break" | "true" | "false" | "skip" | "timeout")
        }
        _ => false,
    }
}

/// The words that cannot be names.
pub(crate) const KEYWORDS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "D_proctype",
    "do",
    "chan",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "d_step",
    "select",
    "set_priority",
    "short",
    "skip",
    "timeout",
    "trace",
    "true",
    "show",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Whether a word cannot be a name.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Writes tokens as a reader would: blanks around operators and after commas, none inside brackets.
fn join(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut before: Option<&TokenKind> = None;
    let mut operand = false;
    let mut sign = false;
    for token in tokens {
        let kind = &token.kind;
        if before.is_some_and(|before| !sign && needs_blank(before, kind, operand)) {
            text.push(' ');
        }
        text.push_str(&kind.to_string());
        sign = !operand && matches!(kind, TokenKind::Minus | TokenKind::Bang | TokenKind::Tilde);
        operand = match kind {
            TokenKind::Ident(word) => !matches!(&**word, "run" | "goto" | "assert"),
            TokenKind::Int(_) | TokenKind::Char(_) | TokenKind::RightParen | TokenKind::RightBracket => true,
            _ => false,
        };
        before = Some(kind);
    }
    text
}

/// `operand`: the token before ends an operand, so that a `!` after it is a send.
fn needs_blank(before: &TokenKind, next: &TokenKind, operand: bool) -> bool {
    use TokenKind as T;
    match (before, next) {
        (T::LeftParen | T::LeftBracket | T::Dot | T::At | T::DotDot, _) => false,
        (_, T::RightParen | T::RightBracket | T::Dot | T::At | T::Comma | T::PlusPlus | T::MinusMinus) => false,
        (_, T::LeftBracket | T::DotDot | T::Semicolon | T::Colon) => false,
        (T::Bang | T::BangBang | T::Question | T::QuestionQuestion, _) => false,
        (_, T::Bang | T::BangBang | T::Question | T::QuestionQuestion) => !operand,
        (T::Ident(_), T::LeftParen) => false,
        _ => true,
    }
}

/// The text of a name, shared.
pub(crate) fn word(text: &str) -> Arc<str> {
    Arc::from(text)
}
