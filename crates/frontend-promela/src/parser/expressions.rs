//! Expressions, by precedence climbing; formulas add the temporal operators.

use ample_model::{BinaryOp, ChannelTest, UnaryOp};
use ample_source::{Diagnostic, Span};
use ample_stdx::suggest;

use crate::cursor::is_keyword;
use crate::lexer::TokenKind;
use crate::parser::state::{MAX_NESTING, Parsed, Parser};
use crate::syntax::{Expr, ExprKind, PollExpr, ReceiveArgument, RunExpr, Temporal, VarPart, VarRef};

/// Operators that bind at least this strongly compare and compute; those below connect formulas.
const COMPARISON: u8 = 6;

/// Longer texts are not repeated in a message.
const SHORT: usize = 40;

/// An operator between two operands. All associate to the left, as in Spin's grammar.
#[derive(Copy, Clone)]
enum Infix {
    Plain(BinaryOp),
    Temporal(Temporal),
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.unary()?;
            parser.infix(left, 0)
        })
    }

    /// Goes on with an expression of which the first operand is known.
    pub(super) fn expression_after(&mut self, left: Expr) -> Parsed<Expr> {
        self.infix(left, 0)
    }

    fn infix(&mut self, mut left: Expr, lowest: u8) -> Parsed<Expr> {
        let mut before = None;
        while let Some((operator, tokens, power)) = self.infix_operator() {
            if power < lowest {
                break;
            }
            self.warn_of_association(before, (operator, power), &left);
            before = Some((operator, power));
            for _ in 0..tokens {
                self.cursor.take();
            }
            let right = self.nested(|parser| {
                let operand = parser.unary()?;
                parser.infix(operand, power + 1)
            })?;
            let span = left.span.to(right.span);
            let height = left.height.max(right.height) + 1;
            let kind = match operator {
                Infix::Plain(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                Infix::Temporal(op) => ExprKind::Temporal(op, Box::new(left), Some(Box::new(right))),
            };
            left = self.bounded(Expr { kind, span, height })?;
        }
        Ok(left)
    }

    /// `a U b U c`: some read it as `a U (b U c)`, which means something else. `left` is what the
    /// first operator made.
    fn warn_of_association(&mut self, before: Option<(Infix, u8)>, next: (Infix, u8), left: &Expr) {
        let (Some((Infix::Temporal(first), first_power)), (Infix::Temporal(second), power)) = (before, next) else {
            return;
        };
        // Equivalences may be grouped in any way.
        if first_power != power || (first == Temporal::Equivalent && second == Temporal::Equivalent) {
            return;
        }
        let group = self.sources.join(left.span, self.cursor.previous());
        let text = self.sources.text(group).split_whitespace().collect::<Vec<_>>().join(" ");
        let is_short = (1..=SHORT).contains(&text.len()) && !text.contains("/*");
        let read = if is_short { text } else { format!("… {first} …") };
        let warning =
            Diagnostic::warning(self.cursor.span(), format!("`{second}` after `{first}`: the first is taken first"))
                .label(format!("its left operand is the whole of `{read}`"))
                .note("so it is in Spin, but not on the command line and in other tools")
                .help(format!("if this is meant, write `({read}) {second} …`"));
        self.diagnostics.push(warning);
    }

    /// Refuses trees that are too high for recursion.
    fn bounded(&mut self, expr: Expr) -> Parsed<Expr> {
        if usize::from(expr.height) > 4 * MAX_NESTING {
            let span = expr.span;
            return self.report(
                Diagnostic::error(span, "this expression is too long")
                    .help("split it: put parts of it into parentheses or into statements of their own"),
            );
        }
        Ok(expr)
    }

    /// The operator that stands here, how many tokens it takes and how strongly it binds.
    fn infix_operator(&self) -> Option<(Infix, usize, u8)> {
        use BinaryOp as B;
        if self.in_formula
            && let Some(found) = self.formula_operator()
        {
            return Some(found);
        }
        let (op, power) = match self.cursor.peek() {
            TokenKind::OrOr => (B::Or, 2),
            TokenKind::AndAnd => (B::And, 3),
            TokenKind::Or => (B::BitOr, 6),
            TokenKind::Caret => (B::BitXor, 7),
            TokenKind::And => (B::BitAnd, 8),
            TokenKind::EqualEqual => (B::Equal, 9),
            TokenKind::NotEqual => (B::NotEqual, 9),
            TokenKind::Less => (B::Less, 10),
            TokenKind::LessEqual => (B::LessEqual, 10),
            TokenKind::Greater => (B::Greater, 10),
            TokenKind::GreaterEqual => (B::GreaterEqual, 10),
            TokenKind::ShiftLeft => (B::ShiftLeft, 11),
            TokenKind::ShiftRight => (B::ShiftRight, 11),
            TokenKind::Plus => (B::Add, 12),
            TokenKind::Minus => (B::Subtract, 12),
            TokenKind::Star => (B::Multiply, 13),
            TokenKind::Slash => (B::Divide, 13),
            TokenKind::Percent => (B::Remainder, 13),
            _ => return None,
        };
        Some((Infix::Plain(op), 1, power))
    }

    fn formula_operator(&self) -> Option<(Infix, usize, u8)> {
        use Temporal as T;
        let (op, tokens, power) = match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (TokenKind::Arrow, _) => (T::Implies, 1, 1),
            (TokenKind::Less, TokenKind::Arrow) => (T::Equivalent, 2, 1),
            (TokenKind::Slash, TokenKind::Backslash) => return Some((Infix::Plain(BinaryOp::And), 2, 3)),
            (TokenKind::Backslash, TokenKind::Slash) => return Some((Infix::Plain(BinaryOp::Or), 2, 2)),
            (TokenKind::Ident(word), _) => match &**word {
                "U" | "until" | "stronguntil" => (T::Until, 1, 4),
                "W" | "weakuntil" => (T::WeakUntil, 1, 4),
                "V" | "release" => (T::Release, 1, 4),
                "implies" => (T::Implies, 1, 1),
                "equivalent" => (T::Equivalent, 1, 1),
                _ => return None,
            },
            _ => return None,
        };
        Some((Infix::Temporal(op), tokens, power))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.cursor.span();
        if self.in_formula
            && let Some((op, tokens)) = self.formula_prefix()
        {
            for _ in 0..tokens {
                self.cursor.take();
            }
            let mut operand = self.nested(Self::unary)?;
            if self.infix_operator().is_some_and(|(_, _, power)| power >= COMPARISON) {
                operand = self.operand_with_comparison(start, operand)?;
            }
            return self.prefixed(start, operand, |operand| ExprKind::Temporal(op, operand, None));
        }
        let op = match self.cursor.peek() {
            TokenKind::Bang => UnaryOp::Not,
            TokenKind::Minus => UnaryOp::Negate,
            TokenKind::Tilde => UnaryOp::Complement,
            _ => return self.primary(),
        };
        self.cursor.take();
        let operand = self.nested(Self::unary)?;
        if op == UnaryOp::Not
            && let ExprKind::Channel(test, _) = &operand.kind
            && let Some(instead) = opposite(*test)
        {
            return self.report(
                Diagnostic::error(start.to(operand.span), "a test of a channel cannot be negated with `!`")
                    .help(format!("use `{instead}(…)` instead")),
            );
        }
        self.prefixed(start, operand, |operand| ExprKind::Unary(op, operand))
    }

    /// `[] x == 1`. By the letter of Spin's grammar this is `([] x) == 1`, which has no meaning
    /// (Spin makes a comparison of constants of it); what is meant is `[] (x == 1)`.
    fn operand_with_comparison(&mut self, start: Span, operand: Expr) -> Parsed<Expr> {
        let operand = self.infix(operand, COMPARISON)?;
        self.diagnostics.push(
            Diagnostic::warning(start.to(operand.span), "read as if the comparison stood in parentheses")
                .note("Spin reads this formula differently, as a comparison of constants")
                .help("write the parentheses: `[] (x == 1)` instead of `[] x == 1`"),
        );
        Ok(operand)
    }

    fn prefixed(&mut self, start: Span, operand: Expr, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Parsed<Expr> {
        let (span, height) = (start.to(operand.span), operand.height + 1);
        self.bounded(Expr { kind: kind(Box::new(operand)), span, height })
    }

    /// `[]`, `<>`, `X` and their words.
    fn formula_prefix(&self) -> Option<(Temporal, usize)> {
        Some(match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (TokenKind::LeftBracket, TokenKind::RightBracket) => (Temporal::Always, 2),
            (TokenKind::Less, TokenKind::Greater) => (Temporal::Eventually, 2),
            (TokenKind::Ident(word), _) => match &**word {
                "always" => (Temporal::Always, 1),
                "eventually" => (Temporal::Eventually, 1),
                "X" | "next" => (Temporal::Next, 1),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.cursor.span();
        match self.cursor.peek().clone() {
            TokenKind::LeftParen => self.parenthesised(),
            TokenKind::Int(value) | TokenKind::Char(value) => {
                self.cursor.take();
                Ok(leaf(ExprKind::Int(value), start))
            }
            TokenKind::Ident(word) if is_keyword(&word) => self.keyword_expression(&word, start),
            TokenKind::Ident(word) => {
                if self.processes.contains(&word) && self.at_remote_reference() {
                    return self.remote_reference(start);
                }
                if self.cursor.peek_at(1) == &TokenKind::At {
                    return self.unknown_process(&word, start);
                }
                let variable = self.variable()?;
                if self.at(&TokenKind::At) && variable.parts.len() == 1 {
                    return self.unknown_process(&word, start);
                }
                self.variable_expression(variable)
            }
            _ => self.unexpected("an expression"),
        }
    }

    /// `( … )`, or `(condition -> yes : no)`.
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.expect(&TokenKind::LeftParen, "`(`")?;
        let first = self.expression()?;
        if !self.in_formula && self.accept(&TokenKind::Arrow) {
            let yes = self.expression()?;
            self.expect(&TokenKind::Colon, "`:`, as in `(condition -> yes : no)`")?;
            let no = self.expression()?;
            self.expect(&TokenKind::RightParen, "`)`")?;
            let height = first.height.max(yes.height).max(no.height) + 1;
            let span = start.to(self.cursor.previous());
            return self.bounded(Expr { kind: ExprKind::Conditional(Box::new([first, yes, no])), span, height });
        }
        self.expect(&TokenKind::RightParen, "`)`")?;
        Ok(Expr { span: start.to(self.cursor.previous()), ..first })
    }

    fn keyword_expression(&mut self, word: &str, start: Span) -> Parsed<Expr> {
        let constant = match word {
            "true" | "skip" => Some(ExprKind::Int(1)),
            "false" => Some(ExprKind::Int(0)),
            "timeout" => Some(ExprKind::Timeout),
            "np_" => Some(ExprKind::NonProgress),
            _ => None,
        };
        if let Some(kind) = constant {
            self.cursor.take();
            return Ok(leaf(kind, start));
        }
        match word {
            "run" => self.run(start),
            "len" => self.channel_test(ChannelTest::Length, start),
            "empty" => self.channel_test(ChannelTest::Empty, start),
            "nempty" => self.channel_test(ChannelTest::NotEmpty, start),
            "full" => self.channel_test(ChannelTest::Full, start),
            "nfull" => self.channel_test(ChannelTest::NotFull, start),
            "enabled" => self.function(start, ExprKind::Enabled),
            "pc_value" => self.function(start, ExprKind::ProgramCounter),
            "get_priority" => self.function(start, ExprKind::Priority),
            "c_expr" => self.embedded_c(),
            _ => self.unexpected("an expression"),
        }
    }

    fn function(&mut self, start: Span, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Parsed<Expr> {
        self.cursor.take();
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let argument = self.expression()?;
        self.expect(&TokenKind::RightParen, "`)`")?;
        let height = argument.height + 1;
        let span = start.to(self.cursor.previous());
        self.bounded(Expr { kind: kind(Box::new(argument)), span, height })
    }

    fn channel_test(&mut self, test: ChannelTest, start: Span) -> Parsed<Expr> {
        self.cursor.take();
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let channel = self.variable()?;
        self.expect(&TokenKind::RightParen, "`)`")?;
        Ok(leaf(ExprKind::Channel(test, channel), start.to(self.cursor.previous())))
    }

    fn run(&mut self, start: Span) -> Parsed<Expr> {
        self.cursor.take();
        let process = self.name("the name of a process")?;
        let arguments = self.arguments()?;
        let priority = self.priority()?;
        let height = arguments.iter().map(|argument| argument.height).max().unwrap_or(0) + 1;
        let span = start.to(self.cursor.previous());
        let run = RunExpr { process, arguments, priority };
        self.bounded(Expr { kind: ExprKind::Run(Box::new(run)), span, height })
    }

    /// `(a, b)`.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let mut arguments = Vec::new();
        while !self.at(&TokenKind::RightParen) {
            arguments.push(self.expression()?);
            if !self.accept(&TokenKind::Comma) {
                break;
            }
        }
        self.expect(&TokenKind::RightParen, "`,` or `)`")?;
        Ok(arguments)
    }

    /// `a[i].b`.
    pub(super) fn variable(&mut self) -> Parsed<VarRef> {
        let start = self.cursor.span();
        let mut parts = Vec::new();
        loop {
            let name = self.name("a name")?;
            let mut index = None;
            if self.at(&TokenKind::LeftBracket) && !self.formula_always_follows() {
                self.cursor.take();
                index = Some(self.expression()?);
                self.expect(&TokenKind::RightBracket, "`]`")?;
            }
            parts.push(VarPart { name, index });
            if parts.len() > MAX_NESTING {
                return self.error(start, "too many fields of fields");
            }
            if !self.accept(&TokenKind::Dot) {
                break;
            }
        }
        Ok(VarRef { parts, span: start.to(self.cursor.previous()) })
    }

    /// In a formula `p []q` is no index.
    fn formula_always_follows(&self) -> bool {
        self.in_formula && self.cursor.peek_at(1) == &TokenKind::RightBracket
    }

    /// What an expression makes of a variable: its value, or `q?[pattern]`.
    pub(super) fn variable_expression(&mut self, channel: VarRef) -> Parsed<Expr> {
        let anywhere = match self.cursor.peek() {
            TokenKind::Question => false,
            TokenKind::QuestionQuestion => true,
            _ => {
                let span = channel.span;
                return Ok(leaf(ExprKind::Var(channel), span));
            }
        };
        if self.cursor.peek_at(1) != &TokenKind::LeftBracket {
            self.cursor.take();
            return self.unexpected("`[`: in an expression only `q?[…]` is possible");
        }
        self.cursor.take();
        self.cursor.take();
        let arguments = self.receive_arguments()?;
        self.expect(&TokenKind::RightBracket, "`]`")?;
        let span = channel.span.to(self.cursor.previous());
        Ok(leaf(ExprKind::Poll(Box::new(PollExpr { channel, anywhere, arguments })), span))
    }

    /// `x, _, eval(y), 3`, also as `x(_, 3)`.
    pub(super) fn receive_arguments(&mut self) -> Parsed<Vec<ReceiveArgument>> {
        let mut arguments = Vec::new();
        let mut open = 0_usize;
        loop {
            while self.accept(&TokenKind::LeftParen) {
                open += 1;
            }
            arguments.push(self.receive_argument()?);
            if self.at(&TokenKind::LeftParen) {
                continue;
            }
            while open > 0 && self.accept(&TokenKind::RightParen) {
                open -= 1;
            }
            if !self.accept(&TokenKind::Comma) {
                break;
            }
        }
        if open > 0 {
            return self.unexpected("`)`");
        }
        Ok(arguments)
    }

    fn receive_argument(&mut self) -> Parsed<ReceiveArgument> {
        match self.cursor.peek().clone() {
            TokenKind::Ident(word) if &*word == "eval" => {
                self.cursor.take();
                self.expect(&TokenKind::LeftParen, "`(`")?;
                let value = self.expression()?;
                self.expect(&TokenKind::RightParen, "`)`")?;
                Ok(ReceiveArgument::Value(value))
            }
            TokenKind::Ident(word) if !is_keyword(&word) => self.variable().map(ReceiveArgument::Variable),
            TokenKind::Int(_) | TokenKind::Char(_) | TokenKind::Minus => self.unary().map(ReceiveArgument::Value),
            TokenKind::Ident(word) if matches!(&*word, "true" | "false" | "skip") => {
                self.unary().map(ReceiveArgument::Value)
            }
            _ => self.unexpected("a variable, a constant or `eval(…)`"),
        }
    }

    /// Whether `P@l`, `P[i]@l`, `P:x` or `P[i]:x` stands here; the next token is the name of a
    /// process.
    pub(super) fn at_remote_reference(&self) -> bool {
        match self.cursor.peek_at(1) {
            TokenKind::At => true,
            TokenKind::Colon => matches!(self.cursor.peek_at(2), TokenKind::Ident(_)),
            TokenKind::LeftBracket => true,
            _ => false,
        }
    }

    fn unknown_process<T>(&mut self, word: &str, span: Span) -> Parsed<T> {
        let mut diagnostic = Diagnostic::error(span, format!("unknown process `{word}`"));
        let mut known: Vec<&str> = self.processes.iter().map(|name| &**name).collect();
        known.sort_unstable();
        diagnostic = match suggest(word, known) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("a process must be declared before it is referred to with `@`"),
        };
        self.report(diagnostic)
    }

    fn remote_reference(&mut self, start: Span) -> Parsed<Expr> {
        let process = self.name("the name of a process")?;
        let mut pid = None;
        if self.accept(&TokenKind::LeftBracket) {
            pid = Some(Box::new(self.expression()?));
            self.expect(&TokenKind::RightBracket, "`]`")?;
        }
        let height = pid.as_ref().map_or(1, |pid| pid.height + 1);
        let kind = if self.accept(&TokenKind::At) {
            let label = self.name("a label")?;
            self.program.remote_labels.push((process.clone(), label.clone()));
            ExprKind::RemoteAt { process, pid, label }
        } else {
            self.expect(&TokenKind::Colon, "`@` and a label, or `:` and a variable")?;
            let variable = self.variable()?;
            ExprKind::RemoteVar { process, pid, variable }
        };
        Ok(Expr { kind, span: start.to(self.cursor.previous()), height })
    }
}

fn leaf(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, height: 1 }
}

fn opposite(test: ChannelTest) -> Option<&'static str> {
    match test {
        ChannelTest::Length => None,
        ChannelTest::Empty => Some("nempty"),
        ChannelTest::NotEmpty => Some("empty"),
        ChannelTest::Full => Some("nfull"),
        ChannelTest::NotFull => Some("full"),
    }
}
