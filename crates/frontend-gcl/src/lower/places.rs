//! Where a variable is read and written.

use ample_model::{Arithmetic, BinaryOp, Expr as Out, ExprKind as OutKind, Index, Place, Scope as Whose};
use ample_source::Diagnostic;
use ample_stdx::TypedId;

use super::kinds::Typed;
use super::lowering::{Here, Lowering};
use super::resolve::{Owner, Resolved};
use super::scope::{Indices, Slots, Type};
use crate::syntax::Variable;

impl Lowering<'_, '_> {
    /// The place of a variable; what is known of it is folded into its slot.
    pub(super) fn place(&mut self, variable: &Variable, slots: Slots, owner: Owner, here: &Here) -> Option<Place> {
        let (mut first, mut indices) = (slots.first, Vec::new());
        match owner {
            Owner::Nobody => {}
            Owner::Known(member) => first = self.slot_of(first, Some(member)),
            Owner::Computed(process, index) => {
                let process = &self.processes[process];
                let (family, stride) = (process.indices?, process.stride);
                indices.push(indexed(index.out, family, stride));
            }
        }
        match (&variable.index, slots.bounds) {
            (None, None) => {}
            (Some(index), Some(bounds)) => {
                let typed = self.expression(index, here);
                let out = self.of_kind(typed, bounds.kind);
                match known_position(&out, bounds) {
                    Some(Ok(position)) => first = first_plus(first, position),
                    other => {
                        if let Some(Err(known)) = other {
                            self.warn_of_index(variable, bounds, known);
                        }
                        indices.push(indexed(out, bounds, 1));
                    }
                }
            }
            (None, Some(_)) => {
                let name = &variable.name.text;
                let error = Diagnostic::error(variable.span, format!("`{name}` is an array, and no index is given"));
                self.diagnostics.push(error.help(format!("write `{name}[…]`")));
                return None;
            }
            (Some(_), None) => {
                self.error(variable.span, format!("`{}` is not an array", variable.name.text));
                return None;
            }
        }
        Some(Place { scope: Whose::Global, first, indices, span: variable.span })
    }

    fn warn_of_index(&mut self, variable: &Variable, bounds: Indices, known: i64) {
        let (name, low, high) = (&variable.name.text, bounds.low, bounds.high());
        let message = format!("the indices of `{name}` are {low} to {high}, and this one is {known}");
        self.diagnostics.push(Diagnostic::warning(variable.span, message).note("reaching it is an error"));
    }

    /// The variable that a command assigns to.
    pub(super) fn target(&mut self, variable: &Variable, here: &Here) -> Option<(Place, Type)> {
        match self.resolve(variable, here)? {
            Resolved::Variable(slots, owner) => self.place(variable, slots, owner, here).map(|place| (place, slots.ty)),
            Resolved::Constant(_) => {
                self.error(variable.span, format!("the constant `{}` cannot be changed", variable.name.text));
                None
            }
        }
    }
}

/// The position of an index that is known, or the index if there is no such position.
fn known_position(out: &Out, bounds: Indices) -> Option<Result<u32, i64>> {
    match out.kind {
        OutKind::Const(value) => Some(bounds.position(value).ok_or(value)),
        _ => None,
    }
}

fn first_plus(first: ample_model::SlotId, position: u32) -> ample_model::SlotId {
    ample_model::SlotId::from_index(first.index() + position as usize)
}

fn indexed(index: Out, bounds: Indices, stride: u32) -> Index {
    Index { value: counted(index, bounds), length: bounds.length, stride, low: bounds.low }
}

/// The position of an index, counted from 0.
fn counted(index: Out, bounds: Indices) -> Out {
    if bounds.low == 0 {
        return index;
    }
    let span = index.span;
    if let OutKind::Const(value) = index.kind
        && let Ok(value) = Arithmetic::Exact.binary(BinaryOp::Subtract, value, bounds.low)
    {
        return Out::constant(value, span);
    }
    let low = Out::constant(bounds.low, span);
    Typed::new(OutKind::Binary(BinaryOp::Subtract, Box::new(index), Box::new(low)), span, bounds.kind).out
}
