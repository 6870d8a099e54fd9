//! Expressions, by precedence climbing.

use ample_model::{BinaryOp, UnaryOp};
use ample_source::Diagnostic;

use super::{MAX_NESTING, Parsed, Parser};
use crate::lexer::{LARGEST, TokenKind, too_large};
use crate::syntax::{Expr, ExprKind, Owner, Variable};

/// How strongly operators bind. `not` stands between `and` and the comparisons: `not a = b` is
/// `not (a = b)`.
const NOT: u8 = 3;
/// What binds more strongly than comparisons.
const SUM: u8 = 5;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.climb(0)
    }

    /// An expression without comparisons, unless in parentheses: a bound.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.climb(SUM)
    }

    /// Operators that bind at least so strongly.
    fn climb(&mut self, lowest: u8) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.unary(lowest)?;
            parser.infix(left, lowest)
        })
    }

    fn infix(&mut self, mut left: Expr, lowest: u8) -> Parsed<Expr> {
        while let Some((op, power)) = self.infix_operator() {
            if power < lowest {
                break;
            }
            self.take();
            // All associate to the left.
            let right = self.climb(power + 1)?;
            let span = left.span.to(right.span);
            let height = left.height.max(right.height) + 1;
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = self.bounded(Expr { kind, span, height })?;
        }
        Ok(left)
    }

    /// Refuses trees that are too high for recursion.
    fn bounded(&mut self, expr: Expr) -> Parsed<Expr> {
        if usize::from(expr.height) <= 4 * MAX_NESTING {
            return Ok(expr);
        }
        self.report(
            Diagnostic::error(expr.span, "this expression is too long").help("put parts of it into parentheses"),
        )
    }

    /// The operator that stands here and how strongly it binds.
    fn infix_operator(&self) -> Option<(BinaryOp, u8)> {
        use BinaryOp as B;
        Some(match self.peek() {
            TokenKind::Ident(word) => match &**word {
                "or" => (B::Or, 1),
                "and" => (B::And, 2),
                _ => return None,
            },
            TokenKind::OrOr => (B::Or, 1),
            TokenKind::AndAnd => (B::And, 2),
            TokenKind::Equal | TokenKind::EqualEqual => (B::Equal, 4),
            TokenKind::NotEqual => (B::NotEqual, 4),
            TokenKind::Less => (B::Less, 4),
            TokenKind::LessEqual => (B::LessEqual, 4),
            TokenKind::Greater => (B::Greater, 4),
            TokenKind::GreaterEqual => (B::GreaterEqual, 4),
            TokenKind::Plus => (B::Add, SUM),
            TokenKind::Minus => (B::Subtract, SUM),
            TokenKind::Star => (B::Multiply, 6),
            TokenKind::Slash => (B::Divide, 6),
            TokenKind::Percent => (B::Remainder, 6),
            _ => return None,
        })
    }

    fn unary(&mut self, lowest: u8) -> Parsed<Expr> {
        let start = self.span();
        let (op, operand) = match self.peek() {
            TokenKind::Ident(word) if &**word == "not" => {
                self.take();
                // Behind an operator that binds more strongly it takes what it can, as in C.
                (UnaryOp::Not, self.climb(lowest.max(NOT))?)
            }
            TokenKind::Ident(word) if &**word == "if" => return self.conditional(),
            TokenKind::Bang => {
                self.take();
                (UnaryOp::Not, self.nested(|parser| parser.unary(u8::MAX))?)
            }
            TokenKind::Minus if self.peek_at(1) == &TokenKind::Int(LARGEST) => {
                self.take();
                self.take();
                return Ok(Expr { kind: ExprKind::Int(i64::MIN), span: start.to(self.previous()), height: 1 });
            }
            TokenKind::Minus => {
                self.take();
                (UnaryOp::Negate, self.nested(|parser| parser.unary(u8::MAX))?)
            }
            TokenKind::Plus => {
                self.take();
                return self.nested(|parser| parser.unary(u8::MAX));
            }
            _ => return self.operand(),
        };
        let (span, height) = (start.to(operand.span), operand.height + 1);
        self.bounded(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span, height })
    }

    /// `if condition then yes else no`
    fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.take();
        let condition = self.climb(0)?;
        self.expect_word("then")?;
        let yes = self.climb(0)?;
        if !self.eat_word("else") {
            let found = self.peek();
            let error = Diagnostic::error(self.span(), format!("expected `else`, found {found}"));
            return self.report(error.note("both values are needed: `if condition then value else value`"));
        }
        let no = self.climb(0)?;
        let (span, height) = (start.to(no.span), condition.height.max(yes.height).max(no.height) + 1);
        self.bounded(Expr { kind: ExprKind::Conditional(Box::new([condition, yes, no])), span, height })
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.peek() {
            TokenKind::Int(value) => match i64::try_from(*value) {
                Ok(value) => ExprKind::Int(value),
                Err(_) => {
                    self.diagnostics.push(too_large(span));
                    ExprKind::Int(0)
                }
            },
            TokenKind::LeftParen => return self.parentheses(),
            TokenKind::Ident(word) => match &**word {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "none" => ExprKind::None,
                "input" => {
                    let error = Diagnostic::error(span, "`input` is the whole of what is assigned");
                    return self.report(error.help("write `x := input`, and then use `x`"));
                }
                _ => {
                    let variable = self.variable("an expression")?;
                    let (span, height) = (variable.span, variable_height(&variable));
                    return self.bounded(Expr { kind: ExprKind::Variable(variable), span, height });
                }
            },
            _ => return self.unexpected("an expression"),
        };
        self.take();
        Ok(Expr { kind, span, height: 1 })
    }

    fn parentheses(&mut self) -> Parsed<Expr> {
        let span = self.span();
        self.take();
        let mut inner = self.climb(0)?;
        if !self.eat(&TokenKind::RightParen) {
            let found = self.peek();
            let error = Diagnostic::error(self.span(), format!("expected `)`, found {found}"));
            return self.report(error.secondary(span, "opened here"));
        }
        inner.span = span.to(self.previous());
        Ok(inner)
    }

    /// `x`, `a[i]`, `q.x`, `q[1].x`, `q[1].a[i]`.
    pub(super) fn variable(&mut self, wanted: &str) -> Parsed<Variable> {
        let first = self.name(wanted)?;
        let start = first.span;
        if self.peek() == &TokenKind::LeftParen {
            let message = format!("`{}` cannot be called: there are no functions", first.text);
            return self.report(Diagnostic::error(self.span(), message));
        }
        let index = self.index()?;
        let (owner, name, index) = if self.eat(&TokenKind::Dot) {
            let name = self.name("a variable of the process")?;
            (Some(Owner { process: first, index }), name, self.index()?)
        } else {
            (None, first, index)
        };
        Ok(Variable { owner, name, index, span: start.to(self.previous()) })
    }

    fn index(&mut self) -> Parsed<Option<Box<Expr>>> {
        if !self.eat(&TokenKind::LeftBracket) {
            return Ok(None);
        }
        let index = self.climb(0)?;
        self.expect(&TokenKind::RightBracket)?;
        Ok(Some(Box::new(index)))
    }
}

fn variable_height(variable: &Variable) -> u16 {
    let owner = variable.owner.iter().filter_map(|owner| owner.index.as_deref());
    owner.chain(variable.index.as_deref()).map(|expr| expr.height).max().unwrap_or(0) + 1
}
