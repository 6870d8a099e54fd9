//! Declarations of variables and channels.

use ample_source::Diagnostic;

use super::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Channels, Declaration, Declarator, Init, Type, VariableKind, Variables};

impl Parser<'_> {
    /// A declaration, if one stands here.
    pub(super) fn declaration(&mut self) -> Option<Parsed<Declaration>> {
        match self.peek_word()? {
            "byte" | "int" | "bool" | "const" | "input" => Some(self.variables()),
            "channel" => Some(self.channels()),
            _ => None,
        }
    }

    fn variables(&mut self) -> Parsed<Declaration> {
        let kind = match self.peek_word() {
            Some("const") => VariableKind::Constant,
            Some("input") => VariableKind::Input,
            _ => VariableKind::Variable,
        };
        if kind != VariableKind::Variable {
            self.take();
        }
        let ty = self.ty()?;
        let declarators = self.list(Self::declarator)?;
        self.semicolon();
        Ok(Declaration::Variables(Variables { kind, ty, declarators }))
    }

    fn ty(&mut self) -> Parsed<Type> {
        let ty = match self.peek_word() {
            Some("byte" | "bool") => Type::Byte,
            Some("int") => Type::Int,
            _ => return self.unexpected("`byte` or `int`"),
        };
        self.take();
        Ok(ty)
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("the name of a variable")?;
        let length = self.bracketed()?;
        let init = if self.eat(&TokenKind::Equal) { Some(self.init()?) } else { None };
        Ok(Declarator { name, length, init })
    }

    /// `[expression]`, if it stands here.
    fn bracketed(&mut self) -> Parsed<Option<crate::syntax::Expr>> {
        if !self.eat(&TokenKind::LeftBracket) {
            return Ok(None);
        }
        let length = self.expression()?;
        self.expect(&TokenKind::RightBracket)?;
        if self.peek() == &TokenKind::LeftBracket {
            return self.report(Diagnostic::error(self.span(), "arrays have one dimension"));
        }
        Ok(Some(length))
    }

    fn init(&mut self) -> Parsed<Init> {
        let start = self.span();
        if !self.eat(&TokenKind::LeftBrace) {
            return Ok(Init::Value(self.expression()?));
        }
        let mut values = Vec::new();
        while self.peek() != &TokenKind::RightBrace {
            values.push(self.expression()?);
            if !self.eat(&TokenKind::Comma) {
                break;
            }
        }
        self.expect(&TokenKind::RightBrace)?;
        Ok(Init::List(values, start.to(self.previous())))
    }

    fn channels(&mut self) -> Parsed<Declaration> {
        self.take();
        let fields = if self.eat(&TokenKind::LeftBrace) {
            let fields = self.list(Self::ty)?;
            self.expect(&TokenKind::RightBrace)?;
            Some(fields)
        } else {
            None
        };
        let channels = self.list(|parser| {
            let name = parser.name("the name of a channel")?;
            if parser.peek() == &TokenKind::LeftBrace {
                let error = Diagnostic::error(parser.span(), "the types of the messages stand before the name");
                return parser.report(error.help(format!("write `channel {{byte}} {}[2];`", name.text)));
            }
            Ok((name, parser.bracketed()?))
        })?;
        self.semicolon();
        Ok(Declaration::Channels(Channels { fields, channels }))
    }
}
