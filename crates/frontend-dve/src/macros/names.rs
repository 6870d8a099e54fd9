//! The macros that are not texts, by name.

/// What a built-in macro does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Define,
    Undefine,
    PushDef,
    PopDef,
    IfDef,
    IfElse,
    Eval,
    Increment,
    Decrement,
    Length,
    Indirect,
    Shift,
    DeleteLine,
    Divert,
    Undivert,
    ForLoop,
    MyLoop,
}

/// The names of the built-in macros.
pub(super) const BUILTINS: &[(&str, Builtin)] = &[
    ("define", Builtin::Define),
    ("undefine", Builtin::Undefine),
    ("pushdef", Builtin::PushDef),
    ("popdef", Builtin::PopDef),
    ("ifdef", Builtin::IfDef),
    ("ifelse", Builtin::IfElse),
    ("eval", Builtin::Eval),
    ("incr", Builtin::Increment),
    ("decr", Builtin::Decrement),
    ("len", Builtin::Length),
    ("indir", Builtin::Indirect),
    ("shift", Builtin::Shift),
    ("dnl", Builtin::DeleteLine),
    ("divert", Builtin::Divert),
    ("undivert", Builtin::Undivert),
    ("forloop", Builtin::ForLoop),
    ("myloop", Builtin::MyLoop),
];

impl Builtin {
    /// Whether the name alone, without arguments, is an ordinary word.
    pub(super) fn needs_arguments(self) -> bool {
        !matches!(self, Builtin::DeleteLine | Builtin::Divert | Builtin::Undivert)
    }
}
