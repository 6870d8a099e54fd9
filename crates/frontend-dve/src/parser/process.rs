//! Processes: their states and their transitions.

use ample_source::{Diagnostic, Span};
use ample_stdx::shorten;

use super::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Assertion, Direction, Expr, Name, Parameter, Process, Sync, Transition, Variable};

/// A transition is shown in no more characters than this.
const LONGEST_TEXT: usize = 200;

impl Parser<'_> {
    /// What follows `process name`.
    pub(super) fn process(&mut self, name: Name, is_property: bool) -> Parsed<Process> {
        let parameters = self.parameters()?;
        self.expect(&TokenKind::LeftBrace)?;
        let mut process = Process {
            name,
            is_property,
            parameters,
            declarations: Vec::new(),
            states: Vec::new(),
            init: None,
            accept: Vec::new(),
            commit: Vec::new(),
            asserts: Vec::new(),
            transitions: Vec::new(),
        };
        while !matches!(self.peek(), TokenKind::RightBrace | TokenKind::Eof) {
            let before = self.at;
            if self.part(&mut process).is_err() {
                if self.at == before {
                    self.take();
                }
                self.skip_declaration();
            }
            if self.is_word("process") || self.is_word("system") {
                break;
            }
        }
        if !self.eat(&TokenKind::RightBrace) {
            let found = self.peek();
            let error = Diagnostic::error(self.span(), format!("expected `}}`, found {found}"));
            self.diagnostics.push(error.secondary(process.name.span, "this process is not closed"));
        }
        Ok(process)
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        if !self.eat(&TokenKind::LeftParen) || self.eat(&TokenKind::RightParen) {
            return Ok(Vec::new());
        }
        let parameters = self.list(|parser| {
            let is_key = parser.eat_word("key");
            if matches!(parser.peek_word(), Some("byte" | "int")) {
                parser.take();
            }
            Ok(Parameter { name: parser.name("the name of a parameter")?, is_key })
        })?;
        self.expect(&TokenKind::RightParen)?;
        Ok(parameters)
    }

    fn part(&mut self, process: &mut Process) -> Parsed<()> {
        if self.eat(&TokenKind::Semicolon) {
            return Ok(());
        }
        if let Some(declaration) = self.declaration() {
            process.declarations.push(declaration?);
            return Ok(());
        }
        match self.peek_word() {
            Some("state") => self.states(&mut process.states),
            Some("accept") => self.states(&mut process.accept),
            Some("commit") => self.states(&mut process.commit),
            Some("init") => self.init_state(process),
            Some("assert") => self.asserts(&mut process.asserts),
            Some("trans") => self.transitions(&mut process.transitions),
            _ => self.unexpected("`state`, `init`, `accept`, `commit`, `assert`, `trans` or a variable"),
        }
    }

    fn states(&mut self, states: &mut Vec<Name>) -> Parsed<()> {
        self.take();
        states.extend(self.list(|parser| parser.name("the name of a state"))?);
        self.semicolon();
        Ok(())
    }

    fn init_state(&mut self, process: &mut Process) -> Parsed<()> {
        self.take();
        let name = self.name("the name of a state")?;
        self.semicolon();
        if let Some(first) = &process.init {
            let error = Diagnostic::error(name.span, "a process has one initial state");
            return self.report(error.secondary(first.span, "first declared here"));
        }
        process.init = Some(name);
        Ok(())
    }

    /// `assert state: expression, …;`, where the colon may be left out.
    fn asserts(&mut self, asserts: &mut Vec<Assertion>) -> Parsed<()> {
        self.take();
        asserts.extend(self.list(|parser| {
            let state = parser.name("the name of a state")?;
            parser.eat(&TokenKind::Colon);
            let first = parser.at;
            let condition = parser.expression()?;
            let text = format!("assert {}: {}", state.text, parser.text(first));
            Ok(Assertion { state, condition, text })
        })?);
        self.semicolon();
        Ok(())
    }

    fn transitions(&mut self, transitions: &mut Vec<Transition>) -> Parsed<()> {
        self.take();
        // `trans ;` and `trans }`: a process that stands still.
        if self.eat(&TokenKind::Semicolon) || self.peek() == &TokenKind::RightBrace {
            return Ok(());
        }
        loop {
            let source = transitions.last().map(|before| before.source.clone());
            match self.transition(source) {
                Ok(transition) => transitions.push(transition),
                Err(_) => {
                    self.skip_until(|kind| {
                        matches!(kind, TokenKind::RightBrace | TokenKind::Semicolon | TokenKind::Comma)
                    });
                }
            }
            if !self.eat(&TokenKind::Comma) {
                break;
            }
            // A comma too many, as macros leave it.
            if matches!(self.peek(), TokenKind::Semicolon | TokenKind::RightBrace) {
                break;
            }
        }
        self.semicolon_or_brace();
        Ok(())
    }

    /// `source -> target { guard …; sync …; effect …; }`; without a source it is that of the
    /// transition before.
    fn transition(&mut self, before: Option<Name>) -> Parsed<Transition> {
        let start = self.span();
        let source = match (self.peek(), before) {
            (TokenKind::Arrow, Some(before)) => before,
            (TokenKind::Arrow, None) => {
                return self.report(Diagnostic::error(start, "the first transition needs a state before `->`"));
            }
            _ => self.name("a state")?,
        };
        self.expect(&TokenKind::Arrow)?;
        let target = self.name("a state")?;
        self.expect(&TokenKind::LeftBrace)?;
        let (inside, empty) = (self.at, String::new());
        let mut transition =
            Transition { source, target, guard: None, sync: None, effects: Vec::new(), text: empty, span: start };
        if self.clauses(&mut transition).is_err() {
            self.skip_until(|kind| kind == &TokenKind::RightBrace);
        }
        let clauses = self.text(inside);
        self.expect(&TokenKind::RightBrace)?;
        transition.span = start.to(self.previous());
        let (source, target) = (&transition.source.text, &transition.target.text);
        transition.text = match clauses.trim_end_matches([';', ' ']) {
            "" => format!("{source} -> {target}"),
            clauses => shorten(&format!("{source} -> {target} {{{clauses}}}"), LONGEST_TEXT),
        };
        Ok(transition)
    }

    /// The tokens from `first` on, with one blank where there was any.
    fn text(&self, first: usize) -> String {
        let taken = &self.tokens[first.min(self.at)..self.at];
        let mut text = String::new();
        let mut end = None;
        for token in taken {
            if end.is_some_and(|end| end < token.span.start) {
                text.push(' ');
            }
            text.push_str(token.kind.to_string().trim_matches('`'));
            end = Some(token.span.end);
        }
        text
    }

    fn clauses(&mut self, transition: &mut Transition) -> Parsed<()> {
        while self.peek() != &TokenKind::RightBrace {
            let start = self.span();
            match self.peek_word() {
                Some("guard") => {
                    self.take();
                    self.refuse_second(transition.guard.as_ref().map(|guard| guard.span), "guard", start)?;
                    transition.guard = Some(self.expression()?);
                }
                Some("sync") => {
                    self.take();
                    self.refuse_second(transition.sync.as_ref().map(|sync| sync.span), "sync", start)?;
                    transition.sync = Some(self.sync()?);
                }
                Some("effect") => {
                    self.take();
                    let effects = self.list(Self::assignment)?;
                    transition.effects.extend(effects);
                }
                _ if self.eat(&TokenKind::Semicolon) => continue,
                _ => return self.unexpected("`guard`, `sync` or `effect`"),
            }
            self.semicolon_or_brace();
        }
        Ok(())
    }

    fn refuse_second(&mut self, first: Option<Span>, what: &str, here: Span) -> Parsed<()> {
        match first {
            Some(first) => {
                let error = Diagnostic::error(here, format!("a transition has one `{what}`"));
                self.report(error.secondary(first, "the first one"))
            }
            None => Ok(()),
        }
    }

    fn sync(&mut self) -> Parsed<Sync> {
        let channel = self.variable("the name of a channel")?;
        let direction = match self.peek() {
            TokenKind::Bang => Direction::Send,
            TokenKind::Question => Direction::Receive,
            _ => return self.unexpected("`!` or `?`"),
        };
        self.take();
        let values = match self.peek() {
            TokenKind::Semicolon | TokenKind::RightBrace => Vec::new(),
            TokenKind::LeftBrace => {
                self.take();
                let values = self.list(|parser| parser.expression())?;
                self.expect(&TokenKind::RightBrace)?;
                values
            }
            _ => vec![self.expression()?],
        };
        let span = channel.span.to(self.previous());
        Ok(Sync { channel, direction, values, span })
    }

    fn assignment(&mut self) -> Parsed<(Variable, Expr)> {
        let place = self.variable("a variable")?;
        if self.peek() == &TokenKind::EqualEqual {
            let error = Diagnostic::error(self.span(), "an effect assigns with `=`");
            return self.report(error.help("write `=`; `==` compares, in a guard"));
        }
        if self.peek() == &TokenKind::Arrow {
            let message = format!("there is no process `{}`", place.name.text);
            return self.report(Diagnostic::error(place.span, message));
        }
        self.expect(&TokenKind::Equal)?;
        let value = self.expression()?;
        Ok((place, value))
    }
}
