//! Processes, variables, types.

use ample_source::{Diagnostic, Span};

use crate::lexer::TokenKind;
use crate::parser::state::{Parsed, Parser};
use crate::syntax::{
    Active, Block, ChannelInit, Declaration, Declarator, Expr, Initializer, MtypeDeclaration, Name, Process,
    ProcessKind, TypeName, Typedef,
};

impl Parser<'_> {
    /// `proctype`, `init`, `never`, `trace` or `notrace`.
    pub(super) fn process(&mut self) -> Parsed<Process> {
        let active = self.active()?;
        let is_active = !matches!(active, Active::No);
        let start = self.cursor.span();
        let word = self.cursor.peek_word().unwrap_or_default().to_owned();
        let kind = match word.as_str() {
            "proctype" | "D_proctype" => ProcessKind::Proctype,
            "init" if !is_active => ProcessKind::Init,
            "never" if !is_active => ProcessKind::Never,
            "trace" if !is_active => ProcessKind::Trace,
            "notrace" if !is_active => ProcessKind::Notrace,
            _ => return self.unexpected("`proctype`"),
        };
        self.cursor.take();
        let name = match kind {
            ProcessKind::Proctype => self.name("the name of the process")?,
            ProcessKind::Never if !self.at(&TokenKind::LeftBrace) => self.name("a name or `{`")?,
            _ => Name { text: crate::cursor::word(&word), span: start },
        };
        let mut parameters = Vec::new();
        if kind == ProcessKind::Proctype {
            self.processes.insert(name.text.clone());
            parameters = self.parameters()?;
        }
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.body()?;
        Ok(Process { kind, deterministic: word == "D_proctype", name, active, parameters, priority, provided, body })
    }

    fn active(&mut self) -> Parsed<Active> {
        if !self.accept_word("active") {
            return Ok(Active::No);
        }
        if !self.accept(&TokenKind::LeftBracket) {
            return Ok(Active::One);
        }
        let count = self.expression()?;
        self.expect(&TokenKind::RightBracket, "`]`")?;
        Ok(Active::Count(count))
    }

    fn parameters(&mut self) -> Parsed<Vec<Declaration>> {
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let mut parameters = Vec::new();
        while !self.at(&TokenKind::RightParen) {
            if !self.at_declaration() {
                return self.unexpected("the type of a parameter, or `)`");
            }
            parameters.push(self.declaration()?);
            if !self.accept(&TokenKind::Semicolon) {
                break;
            }
        }
        self.expect(&TokenKind::RightParen, "`;` or `)`")?;
        Ok(parameters)
    }

    /// `priority n`, if it stands here.
    pub(super) fn priority(&mut self) -> Parsed<Option<(i32, Span)>> {
        if !self.accept_word("priority") {
            return Ok(None);
        }
        match *self.cursor.peek() {
            TokenKind::Int(value) => {
                self.cursor.take();
                Ok(Some((value, self.cursor.previous())))
            }
            _ => self.unexpected("a number from 1 to 255"),
        }
    }

    fn provided(&mut self) -> Parsed<Option<Expr>> {
        if !self.accept_word("provided") {
            return Ok(None);
        }
        self.expect(&TokenKind::LeftParen, "`(`")?;
        let condition = self.expression()?;
        self.expect(&TokenKind::RightParen, "`)`")?;
        Ok(Some(condition))
    }

    /// The body of a process: from here on the end of a line may end a statement.
    fn body(&mut self) -> Parsed<Block> {
        let open = self.expect(&TokenKind::LeftBrace, "`{`")?;
        self.cursor.set_in_body(true);
        let block = self.block_after_brace(open);
        self.cursor.set_in_body(false);
        block
    }

    /// Whether a declaration of variables starts here.
    pub(super) fn at_declaration(&self) -> bool {
        let Some(word) = self.cursor.peek_word() else { return false };
        match word {
            "hidden" | "show" | "local" => true,
            _ if type_keyword(word) => true,
            _ => {
                // A type of the author's own: two names in a row.
                !crate::cursor::is_keyword(word)
                    && matches!(self.cursor.peek_at(1), TokenKind::Ident(next) if !crate::cursor::is_keyword(next))
                    && self.called_inline(1).is_none()
            }
        }
    }

    /// `mtype = {`, `mtype {` or `mtype:kind = {`: a declaration of names, not of a variable.
    pub(super) fn is_mtype_declaration(&self) -> bool {
        let opens = |kind: &TokenKind| matches!(kind, TokenKind::Equal | TokenKind::LeftBrace);
        opens(self.cursor.peek_at(1)) || (self.cursor.peek_at(1) == &TokenKind::Colon && opens(self.cursor.peek_at(3)))
    }

    pub(super) fn mtype_declaration(&mut self) -> Parsed<MtypeDeclaration> {
        self.expect_word("mtype")?;
        let kind = if self.accept(&TokenKind::Colon) { Some(self.name("the name of the mtype")?) } else { None };
        self.accept(&TokenKind::Equal);
        self.expect(&TokenKind::LeftBrace, "`{`")?;
        let mut names = Vec::new();
        loop {
            while self.accept(&TokenKind::Comma) {}
            if self.at(&TokenKind::RightBrace) {
                break;
            }
            names.push(self.name("a symbolic name or `}`")?);
        }
        self.expect(&TokenKind::RightBrace, "`}`")?;
        Ok(MtypeDeclaration { kind, names })
    }

    pub(super) fn typedef(&mut self) -> Parsed<Typedef> {
        self.expect_word("typedef")?;
        let name = self.name("the name of the type")?;
        self.expect(&TokenKind::LeftBrace, "`{`")?;
        self.cursor.set_in_body(true);
        let fields = self.fields();
        self.cursor.set_in_body(false);
        Ok(Typedef { name, fields: fields? })
    }

    fn fields(&mut self) -> Parsed<Vec<Declaration>> {
        let mut fields = Vec::new();
        loop {
            while self.accept(&TokenKind::Semicolon) {}
            if self.accept(&TokenKind::RightBrace) {
                return Ok(fields);
            }
            if !self.at_declaration() {
                return self.unexpected("a field or `}`");
            }
            fields.push(self.declaration()?);
            if !self.at(&TokenKind::Semicolon) && !self.at(&TokenKind::RightBrace) {
                return self.unexpected("`;` or `}`");
            }
        }
    }

    /// `byte x, y[3] = 2`.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.cursor.span();
        let mut hidden = None;
        match self.cursor.peek_word() {
            Some("hidden") => {
                hidden = Some(start);
                self.cursor.take();
            }
            Some("show" | "local") => {
                self.cursor.take();
            }
            _ => {}
        }
        let ty = self.type_name("a type")?;
        let mut variables = vec![self.declarator()?];
        while self.accept(&TokenKind::Comma) {
            variables.push(self.declarator()?);
        }
        Ok(Declaration { hidden, ty, variables })
    }

    fn type_name(&mut self, wanted: &str) -> Parsed<TypeName> {
        let Some(word) = self.cursor.peek_word().map(str::to_owned) else { return self.unexpected(wanted) };
        let ty = match word.as_str() {
            "bit" => TypeName::Bit,
            "bool" => TypeName::Bool,
            "byte" => TypeName::Byte,
            "pid" => TypeName::Pid,
            "short" => TypeName::Short,
            "int" => TypeName::Int,
            "unsigned" => TypeName::Unsigned,
            "chan" => TypeName::Channel,
            "mtype" => TypeName::Mtype(None),
            _ => return Ok(TypeName::User(self.name(wanted)?)),
        };
        self.cursor.take();
        if matches!(ty, TypeName::Mtype(_)) && self.accept(&TokenKind::Colon) {
            return Ok(TypeName::Mtype(Some(self.name("the name of the mtype")?)));
        }
        Ok(ty)
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("the name of a variable")?;
        let mut width = None;
        let mut length = None;
        if self.accept(&TokenKind::Colon) {
            match *self.cursor.peek() {
                TokenKind::Int(bits) => {
                    self.cursor.take();
                    width = Some((bits, self.cursor.previous()));
                }
                _ => return self.unexpected("the number of bits"),
            }
        } else if self.accept(&TokenKind::LeftBracket) {
            length = Some(self.expression()?);
            self.expect(&TokenKind::RightBracket, "`]`")?;
        }
        let init = if self.accept(&TokenKind::Equal) { Some(self.initializer()?) } else { None };
        Ok(Declarator { name, width, length, init })
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        let start = self.cursor.span();
        if self.accept(&TokenKind::LeftBrace) {
            let mut values = vec![self.expression()?];
            while self.accept(&TokenKind::Comma) {
                values.push(self.expression()?);
            }
            self.expect(&TokenKind::RightBrace, "`,` or `}`")?;
            return Ok(Initializer::List(values, start.to(self.cursor.previous())));
        }
        if self.accept(&TokenKind::LeftBracket) {
            return self.channel_init(start).map(Initializer::Channel);
        }
        self.expression().map(Initializer::Expr)
    }

    /// `[capacity] of { fields }`, after the bracket.
    fn channel_init(&mut self, start: Span) -> Parsed<ChannelInit> {
        let capacity = self.expression()?;
        self.expect(&TokenKind::RightBracket, "`]`")?;
        self.expect_word("of")?;
        self.expect(&TokenKind::LeftBrace, "`{`")?;
        let mut fields = Vec::new();
        loop {
            let field = self.cursor.span();
            let ty = self.type_name("the type of a message field")?;
            if matches!(ty, TypeName::Unsigned) {
                return self.report(
                    Diagnostic::error(field, "`unsigned` cannot be the type of a message field")
                        .help("use `byte`, `short` or `int`"),
                );
            }
            fields.push((ty, field.to(self.cursor.previous())));
            if !self.accept(&TokenKind::Comma) {
                break;
            }
        }
        self.expect(&TokenKind::RightBrace, "`,` or `}`")?;
        Ok(ChannelInit { capacity, fields, span: start.to(self.cursor.previous()) })
    }
}

fn type_keyword(word: &str) -> bool {
    matches!(word, "bit" | "bool" | "byte" | "pid" | "short" | "int" | "unsigned" | "mtype" | "chan")
}
