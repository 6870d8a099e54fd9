//! Models as text, without a front end: one line for each edge, so that a test says what the
//! interpreter is given and nothing is decided elsewhere.
//!
//! ```text
//! var x = 1            a global variable, a byte; `var a[3]` is an array
//! exact                integers are exact, from here on; `valid EXPR`: where a state may end
//! int n = 1            a global variable of 64 bits; `range 0 7 r = 2` holds 0 to 7
//! chan c 2             a channel for so many messages of one field; with 0 for rendezvous
//! process P            an active process; `template T` is one that must be created by `run T`
//!   provided EXPR      it moves only while this is true
//!   end b c            locations where it may end
//!   inside a: d e      the locations inside of the `d_step` that begins at a
//!   a b: ACTION        an edge; the first one begins at the entry
//!   a b: atomic ACTION the process keeps control after it
//!   a b: escape ACTION the guard of an `unless` escape
//! ```
//!
//! An action is `skip`, `else`, `end`, `assert EXPR`, `d_step LOCATION`, `c ! EXPR`, `c ? PATTERN`
//! (a variable, a number or `_`), `x = EXPR` or an expression that is a guard.

use std::collections::HashMap;

use ample_model::{
    Action, ActiveProcess, Arithmetic, BinaryOp, ChannelTest, ChannelType, Edge, Expr, ExprKind, Frame, Index, Init,
    InitValue, Location, LocationId, Model, Place, ReceiveArg, Run, Scalar, Scope, Shown, Slot, SlotId, Template,
    TemplateId, TemplateKind, UnaryOp,
};
use ample_source::Span;
use ample_stdx::{IndexVec, TypedId};

/// Reads a model.
pub fn model(text: &str) -> Model {
    let mut reader = Reader::default();
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    // Templates may be named before they are declared.
    for line in lines() {
        if let Some(name) = line.strip_prefix("process ").or_else(|| line.strip_prefix("template ")) {
            reader.templates.push(name.to_owned());
        }
    }
    lines().for_each(|line| reader.line(line));
    reader.model
}

#[derive(Default)]
struct Reader {
    model: Model,
    templates: Vec<String>,
    /// The first slot and the number of elements of each variable; 0 for one that is no array.
    variables: HashMap<String, (SlotId, u32)>,
    /// The locations of the last template.
    locations: HashMap<String, LocationId>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "exact" => self.model.arithmetic = Arithmetic::Exact,
            "valid" => self.model.end = Some(self.expr(rest)),
            "var" => self.variable(rest, Scalar::Byte),
            "int" => self.variable(rest, Scalar::Integer),
            "range" => {
                let [low, high, declared] = rest.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                    panic!("range LOW HIGH NAME")
                };
                let (low, high) = (low.parse().expect("a number"), high.parse().expect("a number"));
                self.variable(declared, Scalar::Range { low, high });
            }
            "chan" => self.channel(rest),
            "process" | "template" => self.template(rest, word == "process"),
            "provided" => {
                let condition = self.expr(rest);
                self.last().provided = Some(condition);
            }
            "end" => rest.split(' ').for_each(|name| {
                let location = self.location(name);
                self.last().locations[location].end = true;
            }),
            "inside" => {
                let (before, inside) = rest.split_once(": ").expect("inside LOCATION: LOCATIONS");
                let before = self.location(before);
                inside.split(' ').for_each(|name| {
                    let location = self.location(name);
                    self.last().locations[location].d_step = Some(before);
                });
            }
            _ => self.edge(line),
        }
    }

    fn variable(&mut self, declared: &str, scalar: Scalar) {
        let (name, value) = match declared.split_once(" = ") {
            Some((name, value)) => (name, Some(value)),
            None => (declared, None),
        };
        let (name, length) = match name.split_once('[') {
            Some((name, length)) => (name, length.trim_end_matches(']').parse().expect("a length")),
            None => (name, 0),
        };
        let first = self.slot(name, scalar, Shown::Number);
        (1..length).for_each(|_| {
            self.slot(name, scalar, Shown::Number);
        });
        if let Some(value) = value {
            let value = InitValue::Expr(self.expr(value));
            self.model.globals.init.push(Init { slot: first, value });
        }
        self.variables.insert(name.to_owned(), (first, length));
    }

    fn channel(&mut self, declared: &str) {
        let (name, capacity) = declared.split_once(' ').expect("chan NAME CAPACITY");
        let kind = self.model.channels.push(ChannelType {
            name: name.to_owned(),
            capacity: capacity.parse().expect("a capacity"),
            fields: vec![(Scalar::Byte, Shown::Number)],
            span: Span::default(),
        });
        let slot = self.slot(name, Scalar::Channel, Shown::Channel);
        self.model.globals.init.push(Init { slot, value: InitValue::Channel(kind) });
        self.variables.insert(name.to_owned(), (slot, 0));
    }

    fn slot(&mut self, name: &str, scalar: Scalar, shown: Shown) -> SlotId {
        let slot = Slot { name: name.to_owned(), scalar, shown, hidden: false, span: Span::default() };
        self.model.globals.slots.push(slot)
    }

    fn template(&mut self, name: &str, is_active: bool) {
        self.locations.clear();
        let template = self.model.templates.push(Template {
            name: name.to_owned(),
            kind: TemplateKind::Process,
            span: Span::default(),
            parameters: 0,
            frame: Frame::default(),
            entry: LocationId::from_index(1),
            // No process is ever at the first location.
            locations: IndexVec::from_elem(Location::default(), 1),
            edges: IndexVec::new(),
            provided: None,
            deterministic: false,
            exclusive: Vec::new(),
        });
        if is_active {
            self.model.active.push(ActiveProcess { template, priority: 1 });
        }
    }

    fn last(&mut self) -> &mut Template {
        let last = TemplateId::from_index(self.model.templates.len() - 1);
        &mut self.model.templates[last]
    }

    fn location(&mut self, name: &str) -> LocationId {
        if let Some(known) = self.locations.get(name) {
            return *known;
        }
        let id = self.last().locations.push(Location { labels: vec![name.to_owned()], ..Location::default() });
        self.locations.insert(name.to_owned(), id);
        id
    }

    fn edge(&mut self, line: &str) {
        let (ends, text) = line.split_once(": ").unwrap_or_else(|| panic!("no edge: {line}"));
        let (source, target) = ends.split_once(' ').expect("SOURCE TARGET: ACTION");
        let (source, target) = (self.location(source), self.location(target));
        let (text, keeps_control) = match text.strip_prefix("atomic ") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (text, escape) = match text.strip_prefix("escape ") {
            Some(text) => (text, Some(target)),
            None => (text, None),
        };
        let action = self.action(text);
        let edge = Edge {
            source,
            target,
            guard: None,
            action,
            effects: Vec::new(),
            keeps_control,
            escape,
            statement: source,
            text: text.to_owned(),
            label: ample_model::Label::None,
            span: Span::default(),
        };
        let template = self.last();
        if template.edges.is_empty() {
            template.entry = source;
        }
        let id = template.edges.push(edge);
        template.locations[source].edges.push(id);
    }

    fn action(&mut self, text: &str) -> Action {
        if let Some(asserted) = text.strip_prefix("assert ") {
            return Action::Assert(self.expr(asserted));
        }
        if let Some(entry) = text.strip_prefix("d_step ") {
            return Action::DeterministicStep(self.location(entry));
        }
        if let Some((channel, value)) = text.split_once(" ! ") {
            return Action::Send { channel: self.expr(channel), sorted: false, values: vec![self.expr(value)] };
        }
        if let Some((channel, pattern)) = text.split_once(" ? ") {
            let pattern = match self.expr(pattern) {
                Expr { kind: ExprKind::Read(place), .. } => ReceiveArg::Store(place),
                _ if pattern == "_" => ReceiveArg::Discard,
                value => ReceiveArg::Match(value),
            };
            return Action::Receive {
                channel: self.expr(channel),
                anywhere: false,
                keep: false,
                pattern: vec![pattern],
            };
        }
        if let Some((place, value)) = text.split_once(" = ") {
            let ExprKind::Read(place) = self.expr(place).kind else { panic!("no variable: {place}") };
            return Action::Assign(place, self.expr(value));
        }
        match text {
            "skip" => Action::Skip,
            "else" => Action::Else,
            "end" => Action::End,
            _ => Action::Guard(self.expr(text)),
        }
    }

    fn expr(&mut self, text: &str) -> Expr {
        let spaced: String =
            text.chars().flat_map(|c| if "()[]!".contains(c) { vec![' ', c, ' '] } else { vec![c] }).collect();
        let spaced = spaced.replace("! =", "!=");
        let mut tokens: Vec<&str> = spaced.split_whitespace().rev().collect();
        let expr = self.binary(&mut tokens, 0);
        assert!(tokens.is_empty(), "what follows {tokens:?} in {text}?");
        expr
    }

    /// Operators that bind at least as strongly as those of this level.
    fn binary(&mut self, tokens: &mut Vec<&str>, level: usize) -> Expr {
        const LEVELS: [&[(&str, BinaryOp)]; 5] = [
            &[("||", BinaryOp::Or)],
            &[("&&", BinaryOp::And)],
            &[("==", BinaryOp::Equal), ("!=", BinaryOp::NotEqual), ("<", BinaryOp::Less), (">", BinaryOp::Greater)],
            &[("+", BinaryOp::Add), ("-", BinaryOp::Subtract)],
            &[("*", BinaryOp::Multiply), ("/", BinaryOp::Divide), ("%", BinaryOp::Remainder)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.primary(tokens) };
        let mut left = self.binary(tokens, level + 1);
        while let Some((_, op)) = operators.iter().find(|(text, _)| tokens.last() == Some(text)) {
            tokens.pop();
            let right = self.binary(tokens, level + 1);
            left = expr(ExprKind::Binary(*op, Box::new(left), Box::new(right)));
        }
        left
    }

    fn primary(&mut self, tokens: &mut Vec<&str>) -> Expr {
        let word = tokens.pop().expect("an expression");
        if let Ok(number) = word.parse() {
            return expr(ExprKind::Const(number));
        }
        match word {
            "(" => {
                let inside = self.binary(tokens, 0);
                assert_eq!(tokens.pop(), Some(")"));
                inside
            }
            "!" => expr(ExprKind::Unary(UnaryOp::Not, Box::new(self.primary(tokens)))),
            "-" => expr(ExprKind::Unary(UnaryOp::Negate, Box::new(self.primary(tokens)))),
            "len" => expr(ExprKind::Channel(ChannelTest::Length, Box::new(self.primary(tokens)))),
            "enabled" => expr(ExprKind::Enabled(Box::new(self.primary(tokens)))),
            "timeout" => {
                self.model.uses.timeout = true;
                expr(ExprKind::Timeout)
            }
            "run" => {
                let name = tokens.pop().expect("run TEMPLATE");
                let number = self.templates.iter().position(|known| known == name).expect("a template");
                let template = TemplateId::from_index(number);
                expr(ExprKind::Run(Box::new(Run { template, arguments: Vec::new(), priority: 1 })))
            }
            "_" => expr(ExprKind::Const(0)),
            name => self.read(name, tokens),
        }
    }

    fn read(&mut self, name: &str, tokens: &mut Vec<&str>) -> Expr {
        let (first, length) = *self.variables.get(name).unwrap_or_else(|| panic!("unknown variable {name}"));
        let mut indices = Vec::new();
        if length > 0 {
            assert_eq!(tokens.pop(), Some("["));
            indices.push(Index { value: self.binary(tokens, 0), length, stride: 1, low: 0 });
            assert_eq!(tokens.pop(), Some("]"));
        }
        expr(ExprKind::Read(Place { scope: Scope::Global, first, indices, span: Span::default() }))
    }
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}
