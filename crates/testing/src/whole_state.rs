//! Every expression that reads the whole state, in every place where an expression is evaluated:
//! one small model for each pair.
//!
//! `whole-state.txt` beside this crate has Spin's answer to each of them, as recorded by `cargo
//! xtask spin-table`; the test of the same name compares ours with it, without Spin.

use std::fmt;

use crate::explore::Numbers;

/// Expressions whose value may change with every step of the other process. `B` has number 0, `A`,
/// which evaluates them, number 1.
pub const EXPRESSIONS: &[&str] = &[
    "timeout",
    "_last",
    "_nr_pr",
    "_pid",
    "np_",
    "enabled(0)",
    "enabled(1)",
    // What the number of a location is, is nobody's business; whether two processes are at the same
    // one can be asked.
    "(pc_value(0) == pc_value(1))",
    "len(c)",
    "empty(c)",
    "nempty(c)",
    "full(c)",
    "nfull(c)",
    "c?[1]",
    "c?[eval(x)]",
    "c??[2]",
    "B[0]@sent",
    "B@sent",
    "B[0]:u",
    "B:u",
    "get_priority(0)",
    // Parts of a larger expression are evaluated where the whole is.
    "(timeout || x == 1)",
    "(_last == 0)",
    "(enabled(0) -> 2 : len(c))",
    "(B@sent && nfull(c))",
];

/// Places where an expression is evaluated, each as the text of a model that has the expression in
/// the place of `$`.
///
/// `B` sends once, and stays at an end label; what `A` has seen shows in `x`, `w` or the array.
pub const CONTEXTS: &[(&str, &str)] = &[
    ("guard", "A() { $; x = 2 }"),
    ("guard that waits for false", "A() { (($) == 0); x = 2 }"),
    ("guard late", "A() { c?_; $; x = 2 }"),
    ("assignment", "A() { w = $; assert(w != 2) }"),
    ("assignment late", "A() { (x == 1); w = $; assert(w != 2) }"),
    ("condition", "A() { w = ($ -> 5 : 6) }"),
    ("index read", "A() { w = a[$] }"),
    ("index written", "A() { a[$] = 1 }"),
    ("index incremented", "A() { a[$]++; a[$]-- }"),
    ("index of a channel", "A() { if :: d[($) % 2]!7 :: else fi }"),
    ("index of a received variable", "A() { c?a[$] }"),
    ("assertion", "A() { assert($) }"),
    ("argument of printf", "A() { printf(\"%d\\n\", $) }"),
    ("initial value", "A() { byte v = $; w = v }"),
    ("option", "A() { if :: $ -> w = 1 :: x == 1 -> w = 2 fi }"),
    ("option beside else", "A() { if :: $ -> w = 1 :: else -> w = 2 fi }"),
    ("option of a loop", "A() { do :: $ -> w = 1; break :: w < 2 -> w++ od }"),
    ("bound of for", "A() { byte i; for (i : 0 .. ($) % 3) { w = i } }"),
    ("bound of select", "A() { byte i; select (i : 0 .. ($) % 3); w = i }"),
    ("first in atomic", "A() { atomic { $; w = 1 }; w = 2 }"),
    ("later in atomic", "A() { atomic { w = 1; $; w = 2 } }"),
    ("value in atomic", "A() { atomic { w = 1; w = $; a[0] = $ } }"),
    ("atomic that lost control", "A() { atomic { w = 1; (x == 1); w = $; $ } }"),
    ("first in d_step", "A() { skip; d_step { $; w = 1 }; w = 2 }"),
    ("later in d_step", "A() { skip; d_step { w = 1; $; w = 2 } }"),
    ("value in d_step", "A() { skip; d_step { w = $; a[0] = $; w = $ } }"),
    ("option in d_step", "A() { skip; d_step { w = 1; if :: $ -> w = 2 :: else -> w = 3 fi } }"),
    ("first in a d_step in atomic", "A() { atomic { w = 1; d_step { $; w = 2 } } }"),
    ("in the main sequence of unless", "A() { { w = 1; $; w = 2 } unless { x == 1 } }"),
    ("first in an escape", "A() { { w = 1; w = 2; x = 3; (w == 7) } unless { $ } }"),
    ("later in an escape", "A() { { w = 1; w = 2; (w == 7) } unless { x == 1; w = 3; $; w = 4 } }"),
    ("value in an escape", "A() { { w = 1; (w == 7) } unless { w = $ } }"),
    ("provided", "A() provided ($) { w = 1; w = 2 }"),
    ("provided, with atomic", "A() provided ($) { atomic { w = 1; w = 2 } }"),
    ("provided, with d_step", "A() provided ($) { skip; d_step { w = 1; w = 2 } }"),
    ("provided, not", "A() provided (($) == 0) { w = 1; w = 2 }"),
    ("argument of run", "A() { run W($) }"),
    ("argument of run in atomic", "A() { atomic { w = 1; run W($); run W($) } }"),
    ("guard before run", "A() { atomic { $ -> run W(1) } }"),
    ("sent", "A() { d[0]!$; d[0]?w }"),
    ("sent in order", "A() { d[0]!!$; d[0]?w }"),
    ("sent to a rendezvous", "R() { r?w } active proctype A() { r!$ }"),
    ("eval", "A() { c?eval($); w = 1 }"),
    ("eval anywhere", "A() { c??eval($); w = 1 }"),
    ("eval in a test", "A() { w = c?[eval($)] }"),
    ("eval and keep", "A() { c?<eval($)>; w = 1 }"),
    ("eval beside else", "A() { if :: c?eval($) -> w = 1 :: else -> w = 2 fi }"),
    ("eval at a rendezvous", "R() { r!1 } active proctype A() { r?eval($); w = 1 }"),
    ("argument of inline", "A() { keep($) }"),
    ("number of a process in a label", "A() { w = B[($) - ($)]@sent }"),
    ("number of a process in a local", "A() { w = B[($) - ($)]:u }"),
    ("number of a process in enabled", "A() { w = enabled(($) - ($)) }"),
    ("priority", "A() { set_priority(1, 1 + ($) % 2); w = 1 }"),
    ("deterministic process", "D"),
];

/// Where Spin is not followed, and why: a context, or all if it is empty, with an expression, or
/// all.
pub const DIFFERENCES: &[(&str, &str, &str)] = &[
    ("index of a received variable", "len(c)", UNDONE),
    ("index of a received variable", "c?[eval(x)]", UNDONE),
    ("eval", "len(c)", UNDONE),
    ("eval anywhere", "len(c)", UNDONE),
    ("eval beside else", "len(c)", UNDONE),
];

/// A receive that changes what it depends on.
const UNDONE: &str = "Spin undoes a receive by looking again at what it depends on";

/// An expression in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The place.
    pub context: &'static str,
    /// The expression.
    pub expression: &'static str,
}

/// All pairs.
pub fn cases() -> impl Iterator<Item = Case> {
    CONTEXTS.iter().flat_map(|(context, _)| EXPRESSIONS.iter().map(|expression| Case { context, expression }))
}

impl Case {
    /// The model.
    pub fn model(&self) -> String {
        let template = CONTEXTS.iter().find(|(name, _)| *name == self.context).map_or("", |(_, text)| *text);
        let rendezvous = if template.contains("r!") { "chan r = [0] of { byte };\n" } else { "" };
        let head = match template {
            "D" => format!("active D_proctype A() {{ if :: {} -> w = 1 :: w == 1 -> w = 2 fi }}", self.expression),
            _ => format!("active proctype {}", template.replace('$', self.expression)),
        };
        // Locations are compared between two processes of a kind.
        let (active, room) = if self.expression.contains("pc_value") { ("active [2]", 2) } else { ("active", 1) };
        format!(
            "byte x, w, a[16];\nchan c = [{room}] of {{ byte }};\nchan d[2] = [1] of {{ byte }};\n{rendezvous}\
             inline keep(value) {{ w = value }}\nproctype W(byte p) {{ w = p }}\n\
             {active} proctype B() {{ byte u; u = 1; c!1; sent: x = 1; end: false }}\n{head}\n"
        )
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {}", self.context, self.expression)
    }
}

/// What Spin says of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It does not read the model.
    Refused,
    /// There is an error after which it does not go on as we do.
    Error,
    /// A complete search.
    Counted(Numbers),
}

impl Recorded {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Recorded> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["refused"] => Some(Recorded::Refused),
            ["error"] => Some(Recorded::Error),
            [verdict @ ("holds" | "violated"), states, transitions] => Some(Recorded::Counted(Numbers {
                states: states.parse().ok()?,
                transitions: transitions.parse().ok()?,
                error: verdict == "violated",
            })),
            _ => None,
        }
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recorded::Refused => f.write_str("refused"),
            Recorded::Error => f.write_str("error"),
            Recorded::Counted(Numbers { states, transitions, error }) => {
                write!(f, "{} {states} {transitions}", if *error { "violated" } else { "holds" })
            }
        }
    }
}
