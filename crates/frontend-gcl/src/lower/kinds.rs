//! Kinds of values: numbers, truth values, elements of sets; what is said where they are mixed up.

use ample_model::{Expr as Out, ExprKind as OutKind};
use ample_source::{Diagnostic, Span};

use super::lowering::Lowering;
use super::scope::{Kind, Set};

/// An expression and what its value is.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) out: Out,
    pub(super) kind: Kind,
}

impl Typed {
    pub(super) fn new(kind: OutKind, span: Span, of: Kind) -> Typed {
        Typed { out: Out { kind, span }, kind: of }
    }

    /// What stands for an expression that was reported.
    pub(super) fn unknown(span: Span) -> Typed {
        Typed { out: Out::constant(0, span), kind: Kind::Unknown }
    }

    /// The value, if it is known.
    pub(super) fn value(&self) -> Option<i64> {
        match self.out.kind {
            OutKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The expression as one of this kind: `none` is another number in each set.
    pub(super) fn settled(self, kind: Kind) -> Out {
        match (self.kind, kind) {
            (Kind::NoElement, Kind::Element(set)) => of_set(self.out, set),
            _ => self.out,
        }
    }
}

/// `none`, or a choice between `none` and `none`, as that of a set.
fn of_set(out: Out, set: Set) -> Out {
    let span = out.span;
    match out.kind {
        OutKind::Conditional(parts) => {
            let [condition, yes, no] = *parts;
            let parts = [condition, of_set(yes, set), of_set(no, set)];
            Out { kind: OutKind::Conditional(Box::new(parts)), span }
        }
        _ => Out::constant(set.size, span),
    }
}

impl Lowering<'_, '_> {
    /// The name of a set, for messages.
    pub(super) fn set_name(&self, set: Set) -> String {
        match set.named.and_then(|named| self.sets.get(named)) {
            Some(name) => name.text.to_string(),
            None => format!("scalarset({})", set.size),
        }
    }

    /// What a value of this kind is called.
    pub(super) fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Unknown => "a value".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Truth => "a truth value".to_owned(),
            Kind::Element(set) => format!("an element of `{}`", self.set_name(set)),
            Kind::NoElement => "`none`".to_owned(),
        }
    }

    /// The expression as one of this kind; what is of another kind is reported.
    pub(super) fn of_kind(&mut self, typed: Typed, wanted: Kind) -> Out {
        if typed.kind.unified(wanted).is_some() {
            return typed.settled(wanted);
        }
        let (want, found) = (self.kind_name(wanted), self.kind_name(typed.kind));
        let error = Diagnostic::error(typed.out.span, format!("expected {want}, and this is {found}"));
        self.diagnostics.push(match (wanted, typed.kind) {
            (Kind::Truth, Kind::Number) => error.help("compare it with something, as in `x != 0`"),
            (Kind::Truth, Kind::Element(_)) => error.help("compare it with something, as in `p = none`"),
            (Kind::Number, Kind::Truth) => error.help("write `if … then 1 else 0`"),
            (Kind::Number, Kind::Element(set)) => {
                error.note(self.about_set(set)).help("declare it as a range, as in `0..2`, to count with it")
            }
            (Kind::Element(set), Kind::Number) => {
                let name = self.set_name(set);
                let note = "the elements of a scalarset have no names, so that none is different from the others";
                error.note(note).help(format!(
                    "choose one with `input`, copy one, or let a family of processes run over them: \
                     `process q[i : {name}]`"
                ))
            }
            _ => error,
        });
        Out::constant(0, typed.out.span)
    }

    /// What can be done with the elements of a set.
    pub(super) fn about_set(&self, set: Set) -> String {
        let name = self.set_name(set);
        format!("elements of `{name}` can be compared with `=` and `!=`, copied, and index arrays over `{name}`")
    }
}
