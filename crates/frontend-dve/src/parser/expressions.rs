//! Expressions, by precedence climbing.

use ample_model::{BinaryOp, UnaryOp};
use ample_source::Diagnostic;

use super::{MAX_NESTING, Parsed, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Expr, ExprKind, Owner, Variable};

/// An operator between two operands. All associate to the left, but for the implication.
#[derive(Copy, Clone)]
enum Infix {
    Plain(BinaryOp),
    Imply,
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.unary()?;
            parser.infix(left, 0)
        })
    }

    fn infix(&mut self, mut left: Expr, lowest: u8) -> Parsed<Expr> {
        while let Some((operator, power)) = self.infix_operator() {
            if power < lowest {
                break;
            }
            self.take();
            let tighter = match operator {
                Infix::Plain(_) => power + 1,
                Infix::Imply => power,
            };
            let right = self.nested(|parser| {
                let operand = parser.unary()?;
                let first = operand.span;
                let right = parser.infix(operand, tighter)?;
                if right.span != first {
                    parser.warn_of_order(&operator, &right);
                }
                Ok(right)
            })?;
            let span = left.span.to(right.span);
            let height = left.height.max(right.height) + 1;
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Infix::Plain(op) => ExprKind::Binary(op, left_box, right_box),
                Infix::Imply => ExprKind::Imply(left_box, right_box),
            };
            left = self.bounded(Expr { kind, span, height })?;
        }
        Ok(left)
    }

    /// Warns where DiVinE would take operators of one kind from the left, and here the right
    /// operand, without parentheses, comes first.
    fn warn_of_order(&mut self, operator: &Infix, right: &Expr) {
        use BinaryOp::{And, BitAnd, BitOr, BitXor, Or};
        let is_other = matches!(
            (operator, &right.kind),
            (Infix::Imply, ExprKind::Imply(..))
                | (Infix::Plain(Or), ExprKind::Binary(And, ..))
                | (Infix::Plain(BitOr), ExprKind::Binary(BitAnd | BitXor, ..))
                | (Infix::Plain(BitXor), ExprKind::Binary(BitAnd, ..))
        );
        if is_other {
            let message = "this is taken together first; DiVinE takes these operators from the left";
            let warning = Diagnostic::warning(right.span, message).help("put parentheses where they are meant");
            self.diagnostics.push(warning);
        }
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
    fn infix_operator(&self) -> Option<(Infix, u8)> {
        use BinaryOp as B;
        let (op, power) = match self.peek() {
            TokenKind::Arrow => return Some((Infix::Imply, 1)),
            TokenKind::Ident(word) => match &**word {
                "imply" => return Some((Infix::Imply, 1)),
                "or" => (B::Or, 2),
                "and" => (B::And, 3),
                _ => return None,
            },
            TokenKind::OrOr => (B::Or, 2),
            TokenKind::AndAnd => (B::And, 3),
            TokenKind::Or => (B::BitOr, 4),
            TokenKind::Caret => (B::BitXor, 5),
            TokenKind::And => (B::BitAnd, 6),
            TokenKind::EqualEqual => (B::Equal, 7),
            TokenKind::NotEqual => (B::NotEqual, 7),
            TokenKind::Less => (B::Less, 8),
            TokenKind::LessEqual => (B::LessEqual, 8),
            TokenKind::Greater => (B::Greater, 8),
            TokenKind::GreaterEqual => (B::GreaterEqual, 8),
            TokenKind::ShiftLeft => (B::ShiftLeft, 9),
            TokenKind::ShiftRight => (B::ShiftRight, 9),
            TokenKind::Plus => (B::Add, 10),
            TokenKind::Minus => (B::Subtract, 10),
            TokenKind::Star => (B::Multiply, 11),
            TokenKind::Slash => (B::Divide, 11),
            TokenKind::Percent => (B::Remainder, 11),
            _ => return None,
        };
        Some((Infix::Plain(op), power))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.peek() {
            TokenKind::Bang => UnaryOp::Not,
            TokenKind::Minus => UnaryOp::Negate,
            TokenKind::Tilde => UnaryOp::Complement,
            TokenKind::Ident(word) if &**word == "not" => UnaryOp::Not,
            TokenKind::Plus => {
                self.take();
                return self.nested(|parser| parser.unary());
            }
            _ => return self.operand(),
        };
        let start = self.span();
        self.take();
        let operand = self.nested(|parser| parser.unary())?;
        let (span, height) = (start.to(operand.span), operand.height + 1);
        self.bounded(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span, height })
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let constant = match self.peek() {
            TokenKind::Int(value) => *value,
            TokenKind::Ident(word) if &**word == "true" => 1,
            TokenKind::Ident(word) if &**word == "false" => 0,
            TokenKind::LeftParen => {
                self.take();
                let mut inner = self.expression()?;
                if !self.eat(&TokenKind::RightParen) {
                    let found = self.peek();
                    let error = Diagnostic::error(self.span(), format!("expected `)`, found {found}"));
                    return self.report(error.secondary(span, "opened here"));
                }
                inner.span = span.to(self.previous());
                return Ok(inner);
            }
            TokenKind::Ident(_) => {
                let variable = self.variable("an expression")?;
                let (span, height) = (variable.span, variable_height(&variable));
                return self.bounded(Expr { kind: ExprKind::Variable(variable), span, height });
            }
            _ => return self.unexpected("an expression"),
        };
        self.take();
        Ok(Expr { kind: ExprKind::Int(constant), span, height: 1 })
    }

    /// `x`, `a[i]`, `P.q`, `P->x`, `P->a[i]`, `P(1)->x`.
    pub(super) fn variable(&mut self, wanted: &str) -> Parsed<Variable> {
        let first = self.name(wanted)?;
        let start = first.span;
        let is_process = self.processes.contains(&first.text);
        let keys = match self.peek() {
            TokenKind::LeftParen if is_process => self.arguments()?,
            TokenKind::LeftParen => return self.not_a_function(&first.text),
            _ => Vec::new(),
        };
        let dotted = self.peek() == &TokenKind::Dot;
        // Formulas have a colon in place of the arrow, which is an implication there.
        let is_arrow = is_process && matches!(self.peek(), TokenKind::Arrow | TokenKind::Colon);
        let (owner, name) = if dotted || is_arrow {
            self.take();
            let name = self.name("a state or a variable of the process")?;
            (Some(Owner { process: first, keys, dotted }), name)
        } else {
            (None, first)
        };
        let index = if self.eat(&TokenKind::LeftBracket) {
            let index = self.expression()?;
            self.expect(&TokenKind::RightBracket)?;
            Some(Box::new(index))
        } else {
            None
        };
        Ok(Variable { owner, name, index, span: start.to(self.previous()) })
    }

    fn not_a_function<T>(&mut self, name: &str) -> Parsed<T> {
        let error = Diagnostic::error(self.span(), format!("`{name}` cannot be called: there are no functions"));
        self.report(error.help("macros such as `eval` and `forloop` work in files with the ending .mdve"))
    }

    /// `(expression, …)`, perhaps empty.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(&TokenKind::LeftParen)?;
        if self.eat(&TokenKind::RightParen) {
            return Ok(Vec::new());
        }
        let arguments = self.list(|parser| parser.expression())?;
        self.expect(&TokenKind::RightParen)?;
        Ok(arguments)
    }
}

fn variable_height(variable: &Variable) -> u16 {
    let keys = variable.owner.iter().flat_map(|owner| &owner.keys);
    keys.chain(variable.index.as_deref()).map(|expr| expr.height).max().unwrap_or(0) + 1
}
