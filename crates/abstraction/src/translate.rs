//! Expressions of a model as sums and conditions: with exact integers, or with numbers that wrap
//! around as the model's do.
//!
//! Where a state is given, elements of arrays are those at the indices of that state, and what is
//! not about variables (channels, locations) has its value there. What must be true for that to be
//! right is *needed*: that an index is what it is, that a divisor is not zero, that a value fits.

use std::collections::BTreeMap;

use ample_interpret::{Interpreter, State};
use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, Model, Place, Scalar, Scope, SlotId, UnaryOp};
use ample_solver::Rounding;
use ample_stdx::TypedId;

use crate::cell::{Cell, Cells};
use crate::normal::{Base, Condition, Linear, TooLarge};

/// An array that is read at an unknown index is taken apart if it has no more elements.
const MOST_ELEMENTS: u32 = 64;

/// A conditional that is nested deeper is not looked into.
const DEEPEST: usize = 200;

/// Why something has no formula.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opaque;

impl From<TooLarge> for Opaque {
    fn from(_: TooLarge) -> Opaque {
        Opaque
    }
}

/// What the parts of a translation share.
#[derive(Copy, Clone)]
pub(crate) struct Language<'a> {
    pub model: &'a Model,
    pub cells: &'a Cells,
}

/// Where expressions are evaluated.
pub(crate) struct Translator<'a> {
    pub language: Language<'a>,
    /// Who evaluates; nobody if it is a property.
    pub pid: Option<u16>,
    /// The state, if one is given.
    pub state: Option<(&'a State, &'a Interpreter<'a>)>,
    /// What variables are after the assignments so far.
    pub assigned: BTreeMap<Cell, Linear>,
    /// What must be true for the translation to be right, as long as nothing was said to fail.
    pub needs: Vec<Condition>,
    depth: usize,
}

impl<'a> Translator<'a> {
    pub fn new(
        language: Language<'a>,
        pid: Option<u16>,
        state: Option<(&'a State, &'a Interpreter<'a>)>,
    ) -> Translator<'a> {
        Translator { language, pid, state, assigned: BTreeMap::new(), needs: Vec::new(), depth: 0 }
    }

    /// The truth of an expression.
    pub fn condition(&mut self, expr: &Expr) -> Result<Condition, Opaque> {
        self.deeper(|own| own.condition_here(expr))
    }

    fn deeper<T>(&mut self, then: impl FnOnce(&mut Self) -> Result<T, Opaque>) -> Result<T, Opaque> {
        if self.depth >= DEEPEST {
            return Err(Opaque);
        }
        self.depth += 1;
        let result = then(self);
        self.depth -= 1;
        result
    }

    fn condition_here(&mut self, expr: &Expr) -> Result<Condition, Opaque> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(Condition::Constant(*value != 0)),
            ExprKind::Unary(UnaryOp::Not, inner) => Ok(self.condition(inner)?.negated()),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let a = self.condition(a)?;
                let b = self.only_if(a.clone(), |own| own.condition(b), Condition::Constant(true))?;
                Ok(Condition::all([a, b]))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let a = self.condition(a)?;
                let b = self.only_if(a.clone().negated(), |own| own.condition(b), Condition::Constant(false))?;
                Ok(Condition::any([a, b]))
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Ok(match op {
                    BinaryOp::Less => Condition::less(&a, &b)?,
                    BinaryOp::LessEqual => Condition::at_most(&a, &b)?,
                    BinaryOp::Greater => Condition::less(&b, &a)?,
                    BinaryOp::GreaterEqual => Condition::at_most(&b, &a)?,
                    BinaryOp::Equal => Condition::equal(&a, &b)?,
                    _ => Condition::equal(&a, &b)?.negated(),
                })
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let (condition, yes, no) = self.cases(condition, |own| own.condition(yes), |own| own.condition(no))?;
                let yes = Condition::all([condition.clone(), yes.unwrap_or(Condition::Constant(false))]);
                let no = Condition::all([condition.negated(), no.unwrap_or(Condition::Constant(false))]);
                Ok(Condition::any([yes, no]))
            }
            _ => Ok(Condition::equal(&self.term(expr)?, &Linear::constant(0))?.negated()),
        }
    }

    /// Both sides of a choice, each with its needs only where it is taken; one that is never taken
    /// is left out.
    fn cases<T>(
        &mut self,
        condition: &Expr,
        yes: impl FnOnce(&mut Self) -> Result<T, Opaque>,
        no: impl FnOnce(&mut Self) -> Result<T, Opaque>,
    ) -> Result<(Condition, Option<T>, Option<T>), Opaque> {
        let condition = self.condition(condition)?;
        let (is_yes, is_no) = (Condition::Constant(true), Condition::Constant(false));
        let yes = if condition == is_no { None } else { Some(self.guarded(condition.clone(), yes)?) };
        let no = if condition == is_yes { None } else { Some(self.guarded(condition.clone().negated(), no)?) };
        Ok((condition, yes, no))
    }

    /// What is evaluated only where a condition holds; where it never does, something else.
    fn only_if<T>(
        &mut self,
        condition: Condition,
        then: impl FnOnce(&mut Self) -> Result<T, Opaque>,
        otherwise: T,
    ) -> Result<T, Opaque> {
        if condition == Condition::Constant(false) { Ok(otherwise) } else { self.guarded(condition, then) }
    }

    fn guarded<T>(
        &mut self,
        condition: Condition,
        then: impl FnOnce(&mut Self) -> Result<T, Opaque>,
    ) -> Result<T, Opaque> {
        let before = self.needs.len();
        let result = then(self);
        for need in self.needs.split_off(before) {
            self.needs.push(Condition::any([condition.clone().negated(), need]));
        }
        result
    }

    /// The value of an expression.
    pub fn term(&mut self, expr: &Expr) -> Result<Linear, Opaque> {
        self.deeper(|own| own.term_here(expr))
    }

    fn term_here(&mut self, expr: &Expr) -> Result<Linear, Opaque> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(Linear::constant(*value)),
            ExprKind::Read(place) => self.read(place, self.pid),
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let value = self.term(inner)?.times(-1)?;
                self.wrapped(value)
            }
            ExprKind::Unary(UnaryOp::Complement, inner) => {
                Ok(self.term(inner)?.times(-1)?.plus(&Linear::constant(-1), 1)?)
            }
            ExprKind::Unary(UnaryOp::Not, _) => self.truth(expr),
            ExprKind::Binary(op, _, _) if op.is_truth() => self.truth(expr),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.operation(*op, a, b)
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let (condition, yes, no) = self.cases(condition, |own| own.term(yes), |own| own.term(no))?;
                match (yes, no) {
                    (Some(yes), Some(no)) => Ok(Linear::conditional(condition, yes, no)),
                    (Some(one), None) | (None, Some(one)) => Ok(one),
                    (None, None) => Err(Opaque),
                }
            }
            ExprKind::Pid => self.pid.map(Linear::constant).ok_or(Opaque),
            ExprKind::RemoteRead(remote) => {
                let pid = self.remote(remote.template, remote.pid.as_ref())?;
                self.read_of(&remote.place, pid)
            }
            _ => self.as_it_is(expr),
        }
    }

    fn truth(&mut self, expr: &Expr) -> Result<Linear, Opaque> {
        let condition = self.condition(expr)?;
        Ok(Linear::conditional(condition, Linear::constant(1), Linear::constant(0)))
    }

    /// An expression that reads nothing that is abstracted has the value that it has in the state.
    fn as_it_is(&mut self, expr: &Expr) -> Result<Linear, Opaque> {
        let Some((state, interpreter)) = self.state else { return Err(Opaque) };
        let mut is_about_variables = false;
        expr.walk(&mut |part| {
            is_about_variables |=
                matches!(part.kind, ExprKind::Read(_) | ExprKind::RemoteRead(_) | ExprKind::Enabled(_));
        });
        if is_about_variables || matches!(expr.kind, ExprKind::Timeout | ExprKind::Run(_)) {
            return Err(Opaque);
        }
        interpreter.value(state, expr).map(Linear::constant).map_err(|_| Opaque)
    }

    /// The process of a remote reference, if it is one that is there from the beginning.
    fn remote(&mut self, template: ample_model::TemplateId, pid: Option<&Expr>) -> Result<u16, Opaque> {
        let of_template =
            |number: usize| self.language.model.active.get(number).is_some_and(|active| active.template == template);
        let number = match pid {
            Some(pid) => {
                let pid = self.term(pid)?.as_constant().and_then(|pid| usize::try_from(pid).ok());
                pid.filter(|pid| of_template(*pid)).ok_or(Opaque)?
            }
            None => {
                let all = 0..self.language.model.active.len();
                let mut of_it = all.filter(|number| of_template(*number));
                match (of_it.next(), of_it.next()) {
                    (Some(one), None) => one,
                    _ => return Err(Opaque),
                }
            }
        };
        u16::try_from(number).map_err(|_| Opaque)
    }

    fn read_of(&mut self, place: &Place, pid: u16) -> Result<Linear, Opaque> {
        let own = self.pid.replace(pid);
        let read = self.read(place, Some(pid));
        self.pid = own;
        read
    }

    /// The value of a variable: what it was given, or itself.
    fn read(&mut self, place: &Place, pid: Option<u16>) -> Result<Linear, Opaque> {
        let mut positions = vec![(Condition::Constant(true), place.first.index())];
        for index in &place.indices {
            let at = self.term(&index.value)?;
            let chosen = self.positions(&at, index.length)?;
            let mut next = Vec::new();
            for (condition, position) in &positions {
                for (also, element) in &chosen {
                    let both = Condition::all([condition.clone(), also.clone()]);
                    next.push((both, position + (element * index.stride) as usize));
                }
            }
            if next.len() > MOST_ELEMENTS as usize {
                return Err(Opaque);
            }
            positions = next;
        }
        let mut value: Option<Linear> = None;
        for (condition, position) in positions.into_iter().rev() {
            let read = self.variable(place.scope, pid, SlotId::from_index(position))?;
            value = Some(match value {
                None => read,
                Some(others) => Linear::conditional(condition, read, others),
            });
        }
        value.ok_or(Opaque)
    }

    /// The elements that an index may mean, each with its condition; one, if it is known.
    fn positions(&mut self, at: &Linear, length: u32) -> Result<Vec<(Condition, u32)>, Opaque> {
        let inside = |value: i128| u32::try_from(value).ok().filter(|value| *value < length);
        if let Some(value) = at.as_constant() {
            let Some(value) = inside(value) else {
                self.needs.push(Condition::Constant(false));
                return Ok(vec![(Condition::Constant(true), 0)]);
            };
            return Ok(vec![(Condition::Constant(true), value)]);
        }
        if let Some(value) = self.value_here(at) {
            let Some(element) = inside(value) else {
                let (first, last) = (Linear::constant(0), Linear::constant(i128::from(length) - 1));
                let inside = Condition::all([Condition::at_most(&first, at)?, Condition::at_most(at, &last)?]);
                self.needs.push(inside);
                return Ok(vec![(Condition::Constant(true), 0)]);
            };
            self.needs.push(Condition::equal(at, &Linear::constant(value))?);
            return Ok(vec![(Condition::Constant(true), element)]);
        }
        if length > MOST_ELEMENTS {
            return Err(Opaque);
        }
        let (first, last) = (Linear::constant(0), Linear::constant(i128::from(length) - 1));
        self.needs.push(Condition::all([Condition::at_most(&first, at)?, Condition::at_most(at, &last)?]));
        let element = |element: u32| Ok((Condition::equal(at, &Linear::constant(element))?, element));
        (0..length).map(element).collect()
    }

    fn variable(&self, scope: Scope, pid: Option<u16>, slot: SlotId) -> Result<Linear, Opaque> {
        let Some(cell) = self.language.cells.of_slot(scope, pid, slot) else {
            let (Some((state, _)), Some(pid), Scope::Local) = (self.state, pid, scope) else { return Err(Opaque) };
            return Ok(Linear::constant(state.local(pid, slot)));
        };
        Ok(self.assigned.get(&cell).cloned().unwrap_or_else(|| Linear::of(Base::Cell(cell))))
    }

    /// The value of a sum in the state that is given.
    pub fn value_here(&self, sum: &Linear) -> Option<i128> {
        let (state, _) = self.state?;
        sum.value(&|cell| self.language.cells.value(cell, state).into())
    }

    fn operation(&mut self, op: BinaryOp, a: Linear, b: Linear) -> Result<Linear, Opaque> {
        let value = match op {
            BinaryOp::Add => a.plus(&b, 1)?,
            BinaryOp::Subtract => a.minus(&b)?,
            BinaryOp::Multiply => a.product(&b)?,
            BinaryOp::Divide | BinaryOp::Remainder => {
                self.needs.push(Condition::equal(&b, &Linear::constant(0))?.negated());
                match op {
                    BinaryOp::Divide => a.quotient(&b, Rounding::TowardZero),
                    _ => a.remainder(&b, Rounding::TowardZero),
                }
            }
            BinaryOp::BitAnd => return Ok(a.bit_and(&b)),
            BinaryOp::BitOr => return Ok(a.plus(&b, 1)?.minus(&a.bit_and(&b))?),
            BinaryOp::BitXor => return Ok(a.plus(&b, 1)?.plus(&a.bit_and(&b), -2)?),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let by = b.as_constant().filter(|by| (0..32).contains(by)).ok_or(Opaque)?;
                let power = Linear::constant(1_i128 << by);
                match op {
                    BinaryOp::ShiftLeft => a.product(&power)?,
                    _ => a.quotient(&power, Rounding::Down),
                }
            }
            _ => return Err(Opaque),
        };
        self.wrapped(value)
    }

    /// What the arithmetic of the model makes of a value.
    fn wrapped(&self, value: Linear) -> Result<Linear, Opaque> {
        match self.language.model.arithmetic {
            Arithmetic::Exact => Ok(value),
            Arithmetic::Wrapping32 => self.within(value, i32::MIN.into(), i32::MAX.into()),
        }
    }

    /// What is left of a value that is stored.
    pub fn stored(&self, value: Linear, scalar: Scalar) -> Result<Linear, Opaque> {
        let (low, high) = match scalar {
            Scalar::Integer | Scalar::Range { .. } => return Ok(value),
            // A byte less than what is read.
            Scalar::Channel => (0, 0xff),
            other => other.bounds(),
        };
        self.within(value, low.into(), high.into())
    }

    /// The number of a range of a power of two that is as far away as a multiple of its size.
    fn within(&self, value: Linear, low: i128, high: i128) -> Result<Linear, Opaque> {
        let fits = self.bounds(&value).is_some_and(|(least, most)| low <= least && most <= high);
        if fits {
            return Ok(value);
        }
        let size = Linear::constant(high - low + 1);
        let from_low = value.plus(&Linear::constant(-low), 1)?;
        Ok(from_low.remainder(&size, Rounding::Down).plus(&Linear::constant(low), 1)?)
    }

    /// Between which numbers a sum is, by the types of what it reads.
    fn bounds(&self, sum: &Linear) -> Option<(i128, i128)> {
        let mut all = (sum.constant, sum.constant);
        for (base, by) in &sum.parts {
            let (low, high) = self.bounds_of(base)?;
            let (one, other) = (low.checked_mul(*by)?, high.checked_mul(*by)?);
            all = (all.0.checked_add(one.min(other))?, all.1.checked_add(one.max(other))?);
        }
        Some(all)
    }

    fn bounds_of(&self, base: &Base) -> Option<(i128, i128)> {
        match base {
            Base::Cell(cell) => self.language.cells.bounds(*cell),
            Base::Remainder(Rounding::Down, pair) => {
                let by = pair[1].as_constant().filter(|by| *by > 0)?;
                Some((0, by - 1))
            }
            Base::Remainder(_, pair) => {
                let by = pair[1].as_constant().filter(|by| *by != 0)?.checked_abs()?;
                let (low, high) = self.bounds(&pair[0])?;
                Some((if low < 0 { low.max(1 - by) } else { 0 }, if high > 0 { high.min(by - 1) } else { 0 }))
            }
            Base::Quotient(_, pair) => {
                pair[1].as_constant().filter(|by| *by > 0)?;
                let (low, high) = self.bounds(&pair[0])?;
                Some((low.min(0), high.max(0)))
            }
            Base::BitAnd(pair) => {
                let bounds = [self.bounds(&pair[0]), self.bounds(&pair[1])];
                let not_negative = bounds.into_iter().flatten().filter(|(low, _)| *low >= 0);
                not_negative.map(|(_, high)| high).min().map(|high| (0, high))
            }
            Base::Conditional(parts) => {
                let (yes, no) = (self.bounds(&parts.1)?, self.bounds(&parts.2)?);
                Some((yes.0.min(no.0), yes.1.max(no.1)))
            }
            Base::Product(pair) => {
                let (a, b) = (self.bounds(&pair[0])?, self.bounds(&pair[1])?);
                let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                let products: Option<Vec<i128>> = corners.into_iter().map(|(a, b)| a.checked_mul(b)).collect();
                let products = products?;
                Some((products.iter().copied().min()?, products.iter().copied().max()?))
            }
        }
    }
}
