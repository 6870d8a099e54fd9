//! What stands at the top of a text: declarations, processes, instances, properties, the system.

use ample_source::Diagnostic;

use super::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Expr, ExprKind, Instance, Name, Program, System, TextFormula};

/// The most instances, and the most rounds of the loops that make them.
const MAX_INSTANCES: usize = 1000;

impl Parser<'_> {
    pub(super) fn units(&mut self, program: &mut Program) {
        while self.peek() != &TokenKind::Eof {
            let before = self.at;
            if self.unit(program).is_err() {
                if self.at == before {
                    self.take();
                }
                self.skip_unit();
            }
        }
    }

    /// Skips to what looks like the start of a unit.
    fn skip_unit(&mut self) {
        self.skip_until(|kind| match kind {
            TokenKind::Ident(word) => {
                matches!(&**word, "byte" | "int" | "const" | "channel" | "process" | "system" | "property" | "input")
            }
            TokenKind::Semicolon => true,
            _ => false,
        });
    }

    fn unit(&mut self, program: &mut Program) -> Parsed<()> {
        if self.eat(&TokenKind::Semicolon) {
            return Ok(());
        }
        if let Some(declaration) = self.declaration() {
            program.declarations.push(declaration?);
            return Ok(());
        }
        match self.peek_word() {
            Some("process") => self.process_or_instance(program, &[]),
            Some("property") => self.property(program),
            Some("expression") => self.named_expression(program),
            Some("for") => self.for_instances(program, &mut Vec::new()),
            Some("system") => self.system(program),
            _ => self.unexpected("a declaration, `process` or `system`"),
        }
    }

    fn process_or_instance(&mut self, program: &mut Program, loops: &[(Name, i32)]) -> Parsed<()> {
        self.take();
        let name = self.name("the name of a process")?;
        if self.peek() == &TokenKind::LeftParen && self.is_instance() {
            let arguments = self.arguments()?;
            self.semicolon();
            if program.instances.len() >= MAX_INSTANCES {
                let message = format!("there are more than {MAX_INSTANCES} instances");
                return self.report(Diagnostic::error(name.span, message));
            }
            program.instances.push(Instance { process: name, arguments, loops: loops.to_vec() });
            return Ok(());
        }
        let process = self.process(name, false)?;
        program.processes.push(process);
        Ok(())
    }

    /// Whether `process name( … )` is followed by a semicolon, not by a body.
    fn is_instance(&self) -> bool {
        let mut depth = 0_usize;
        for ahead in 0.. {
            match self.peek_at(ahead) {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return self.peek_at(ahead + 1) != &TokenKind::LeftBrace;
                    }
                }
                TokenKind::LeftBrace | TokenKind::Eof => return false,
                _ => {}
            }
        }
        false
    }

    /// `for (x : 1 .. 3) { process a(x); }`
    fn for_instances(&mut self, program: &mut Program, loops: &mut Vec<(Name, i32)>) -> Parsed<()> {
        self.take();
        self.expect(&TokenKind::LeftParen)?;
        let variable = self.name("the variable of the loop")?;
        self.expect(&TokenKind::Colon)?;
        let from = self.expression()?;
        self.expect(&TokenKind::DotDot)?;
        let to = self.expression()?;
        self.expect(&TokenKind::RightParen)?;
        self.expect(&TokenKind::LeftBrace)?;
        let (from, to) = (self.bound(&from, loops)?, self.bound(&to, loops)?);
        let body = self.at;
        let mut end = None;
        for value in from..=to {
            self.at = body;
            self.rounds += 1;
            if self.rounds > MAX_INSTANCES {
                let message = format!("the loops have more than {MAX_INSTANCES} rounds");
                return self.report(Diagnostic::error(variable.span, message));
            }
            loops.push((variable.clone(), value));
            let read = self.nested(|parser| parser.loop_body(program, loops));
            loops.pop();
            read?;
            end = Some(self.at);
        }
        match end {
            Some(end) => self.at = end,
            None => self.skip_until(|kind| kind == &TokenKind::RightBrace),
        }
        self.expect(&TokenKind::RightBrace)
    }

    fn loop_body(&mut self, program: &mut Program, loops: &mut Vec<(Name, i32)>) -> Parsed<()> {
        while self.peek() != &TokenKind::RightBrace {
            match self.peek_word() {
                Some("process") => self.process_or_instance(program, loops)?,
                Some("for") => self.for_instances(program, loops)?,
                _ => return self.unexpected("`process` or `for`"),
            }
        }
        Ok(())
    }

    /// The bound of a loop: a number, or the variable of a loop around it.
    fn bound(&mut self, expr: &Expr, loops: &[(Name, i32)]) -> Parsed<i32> {
        let known = match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Variable(variable) if variable.owner.is_none() && variable.index.is_none() => {
                loops.iter().rev().find(|(name, _)| name.text == variable.name.text).map(|(_, value)| *value)
            }
            _ => None,
        };
        match known {
            Some(value) => Ok(value),
            None => self.report(Diagnostic::error(expr.span, "the bound of a loop of instances is a number")),
        }
    }

    /// `property process P { … }` or `property ltl name "formula"`.
    fn property(&mut self, program: &mut Program) -> Parsed<()> {
        self.take();
        if self.eat_word("process") {
            let name = self.name("the name of a process")?;
            let process = self.process(name, true)?;
            program.processes.push(process);
            return Ok(());
        }
        if !self.eat_word("ltl") {
            return self.unexpected("`process` or `ltl`");
        }
        let name = self.name("the name of the property")?;
        let TokenKind::Str(text) = self.peek() else { return self.unexpected("a formula in quotes") };
        let mut span = self.span();
        (span.start, span.end) = (span.start + 1, span.end.saturating_sub(1));
        self.take();
        self.eat(&TokenKind::Semicolon);
        program.formulas.push(TextFormula { name, text: text.clone(), span });
        Ok(())
    }

    /// `expression name() { … }`
    fn named_expression(&mut self, program: &mut Program) -> Parsed<()> {
        self.take();
        let name = self.name("the name of the expression")?;
        self.expect(&TokenKind::LeftParen)?;
        if self.peek() != &TokenKind::RightParen {
            let error = Diagnostic::error(self.span(), "parameters of an expression are not supported");
            return self.report(error.help("write one expression for each use"));
        }
        self.take();
        self.expect(&TokenKind::LeftBrace)?;
        let expr = self.expression()?;
        self.expect(&TokenKind::RightBrace)?;
        program.expressions.push((name, expr));
        Ok(())
    }

    fn system(&mut self, program: &mut Program) -> Parsed<()> {
        let start = self.span();
        self.take();
        let synchronous = match self.peek_word() {
            Some("async") => false,
            Some("sync") => true,
            _ => return self.unexpected("`async` or `sync`"),
        };
        self.take();
        let property = if self.eat_word("property") { Some(self.name("the name of a process")?) } else { None };
        let span = start.to(self.previous());
        self.semicolon();
        if let Some(first) = &program.system {
            let error = Diagnostic::error(span, "the system is declared twice");
            return self.report(error.secondary(first.span, "first declared here"));
        }
        program.system = Some(System { synchronous, property, span });
        Ok(())
    }
}
