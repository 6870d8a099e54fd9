//! Random expressions about a model, as a property asks them: from outside of all processes.
//!
//! They are made from the model itself and not from text, so any model can be asked: about globals,
//! arrays with any index, channels, labels, variables of processes. Many fail in some states, on
//! purpose.

use ample_model::{
    BinaryOp, ChannelTest, Expr, ExprKind, Frame, Index, LocationId, Model, Place, Poll, ReceiveArg, RemoteAt,
    RemoteRead, Scalar, Scope, SlotId, TemplateId, UnaryOp,
};
use ample_source::Span;
use ample_stdx::TypedId;

use ample_stdx::Random;

const BINARY: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::And,
    BinaryOp::Or,
];

const UNARY: &[UnaryOp] = &[UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement];

const TESTS: &[ChannelTest] =
    &[ChannelTest::Length, ChannelTest::Empty, ChannelTest::NotEmpty, ChannelTest::Full, ChannelTest::NotFull];

/// A random expression about a model.
pub fn question(model: &Model, prng: &mut Random) -> Expr {
    let depth = prng.between(0, 3);
    Asker { model, prng }.expression(depth)
}

struct Asker<'a> {
    model: &'a Model,
    prng: &'a mut Random,
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

impl Asker<'_> {
    fn expression(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.prng.chance(30) {
            return self.atom(depth);
        }
        let left = Box::new(self.expression(depth - 1));
        let kind = match self.prng.below(10) {
            0 => match self.prng.pick(UNARY) {
                Some(op) => ExprKind::Unary(*op, left),
                None => left.kind,
            },
            1 => {
                let parts = [*left, self.expression(depth - 1), self.expression(depth - 1)];
                ExprKind::Conditional(Box::new(parts))
            }
            _ => {
                let right = Box::new(self.expression(depth - 1));
                match self.prng.pick(BINARY) {
                    Some(op) => ExprKind::Binary(*op, left, right),
                    None => left.kind,
                }
            }
        };
        expr(kind)
    }

    fn atom(&mut self, depth: usize) -> Expr {
        let kind = match self.prng.below(16) {
            0 | 1 => ExprKind::Const(self.prng.below(5) as i64 - 1),
            2 => ExprKind::ProcessCount,
            3 => ExprKind::LastProcess,
            4 => ExprKind::NonProgress,
            5 => ExprKind::Accepting,
            6 => ExprKind::ProgramCounter(Box::new(self.number(depth))),
            7 => self.remote_at(depth),
            8 | 9 => self.remote_read(depth),
            10 | 11 => self.about_channel(depth),
            _ => self.global(depth),
        };
        expr(kind)
    }

    /// A small number, most often.
    fn number(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.prng.chance(50) {
            return Expr::constant(self.prng.below(5) as i64, Span::default());
        }
        let value = Box::new(self.expression(depth - 1));
        let most = Box::new(Expr::constant(self.prng.between(2, 4) as i64, Span::default()));
        expr(ExprKind::Binary(BinaryOp::BitAnd, value, most))
    }

    fn global(&mut self, depth: usize) -> ExprKind {
        let model = self.model;
        match self.place(&model.globals, Scope::Global, depth, None) {
            Some(place) => ExprKind::Read(place),
            None => ExprKind::Const(1),
        }
    }

    /// Some variable of a frame, perhaps as an element of an array: neighbours of the same type are
    /// as good as one.
    fn place(&mut self, frame: &Frame, scope: Scope, depth: usize, wanted: Option<Scalar>) -> Option<Place> {
        let fits = |slot: &SlotId| wanted.is_none_or(|wanted| frame.slots[*slot].scalar == wanted);
        let fitting: Vec<SlotId> = frame.slots.ids().filter(fits).collect();
        let first = *self.prng.pick(&fitting)?;
        let scalar = frame.slots[first].scalar;
        let alike = frame.slots.iter().skip(first.index()).take_while(|slot| slot.scalar == scalar).count();
        let mut indices = Vec::new();
        let (length, stride) = match alike {
            4.. if self.prng.chance(20) => {
                indices.push(Index { value: self.number(depth), length: 2, stride: 2, low: 0 });
                (2, 1)
            }
            3.. if self.prng.chance(20) => (2, 2),
            2.. if self.prng.chance(70) => (self.prng.between(2, alike.min(6)) as u32, 1),
            _ => return Some(Place { scope, first, indices, span: Span::default() }),
        };
        indices.push(Index { value: self.number(depth), length, stride, low: 0 });
        Some(Place { scope, first, indices, span: Span::default() })
    }

    fn template(&mut self) -> Option<TemplateId> {
        let all: Vec<TemplateId> = self.model.templates.ids().collect();
        self.prng.pick(&all).copied()
    }

    fn process(&mut self, depth: usize) -> Option<Expr> {
        (!self.prng.chance(30)).then(|| self.number(depth))
    }

    fn remote_at(&mut self, depth: usize) -> ExprKind {
        let Some(template) = self.template() else { return ExprKind::Const(0) };
        let locations: Vec<LocationId> = self.model.templates[template].locations.ids().skip(1).collect();
        let Some(location) = self.prng.pick(&locations).copied() else { return ExprKind::Const(0) };
        let pid = self.process(depth);
        ExprKind::RemoteAt(Box::new(RemoteAt { template, pid, location, label: String::new() }))
    }

    fn remote_read(&mut self, depth: usize) -> ExprKind {
        let model = self.model;
        let Some(template) = self.template() else { return ExprKind::Const(0) };
        let pid = self.process(depth);
        match self.place(&model.templates[template].frame, Scope::Local, depth, None) {
            Some(place) => ExprKind::RemoteRead(Box::new(RemoteRead { template, pid, place })),
            None => ExprKind::Const(2),
        }
    }

    fn about_channel(&mut self, depth: usize) -> ExprKind {
        let Some(channel) = self.channel(depth) else { return ExprKind::Const(0) };
        if self.prng.chance(60) {
            return match self.prng.pick(TESTS) {
                Some(test) => ExprKind::Channel(*test, Box::new(channel)),
                None => ExprKind::Const(0),
            };
        }
        let (anywhere, fields) = (self.prng.chance(50), self.prng.between(1, 3));
        let mut pattern = Vec::new();
        for _ in 0..fields {
            let discard = self.prng.chance(50);
            pattern.push(if discard { ReceiveArg::Discard } else { ReceiveArg::Match(self.number(depth)) });
        }
        ExprKind::Poll(Box::new(Poll { channel, anywhere, pattern }))
    }

    /// A channel that a global variable names, or one of a process.
    fn channel(&mut self, depth: usize) -> Option<Expr> {
        let model = self.model;
        let wanted = Some(Scalar::Channel);
        if self.prng.chance(70)
            && let Some(place) = self.place(&model.globals, Scope::Global, depth, wanted)
        {
            return Some(expr(ExprKind::Read(place)));
        }
        let template = self.template()?;
        let pid = self.process(depth);
        let place = self.place(&model.templates[template].frame, Scope::Local, depth, wanted)?;
        Some(expr(ExprKind::RemoteRead(Box::new(RemoteRead { template, pid, place }))))
    }
}
