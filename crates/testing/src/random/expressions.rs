//! Random expressions, and the places that values go to.

use super::Generator;
use super::scope::{Channel, Kind, Scope, Variable};

const ARITHMETIC: &[&str] = &["+", "-", "*", "+", "-", "&", "|", "^"];
const COMPARISON: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

impl Generator {
    /// A variable, with an index if it needs one.
    pub(crate) fn place(&mut self, scope: &Scope) -> (String, Kind) {
        let variable = self.variable(scope);
        let text = self.element(scope, &variable.name, variable.length, 1);
        (text, variable.kind)
    }

    /// The same for one that is assigned: its index does not look at the whole state, which Spin
    /// would do again when it undoes the step.
    pub(crate) fn target(&mut self, scope: &Scope) -> (String, Kind) {
        let whole = std::mem::take(&mut self.flavour.whole);
        let target = self.place(scope);
        self.flavour.whole = whole;
        target
    }

    fn variable(&mut self, scope: &Scope) -> Variable {
        let fallback = || Variable::scalar("g0", Kind::Byte);
        self.prng.pick(&scope.variables).cloned().unwrap_or_else(fallback)
    }

    /// `name`, or `name[index]` if there is a length.
    pub(crate) fn element(&mut self, scope: &Scope, name: &str, length: Option<usize>, depth: usize) -> String {
        let Some(length) = length else { return name.to_owned() };
        let fixed = self.prng.below(length);
        if self.flavour.errors && self.prng.chance(20) {
            return format!("{name}[{}]", self.expression(scope, depth));
        }
        // What reads the whole state is never negative.
        if self.flavour.whole && depth > 0 && self.prng.chance(25) {
            let index = self.whole_state(scope);
            // Spin does not index an array with itself.
            return match index.contains(name) {
                true => format!("{name}[{fixed}]"),
                false => format!("{name}[{index} % {length}]"),
            };
        }
        // Only a value that is never negative stays in range.
        let positive: Vec<&Variable> =
            scope.variables.iter().filter(|v| v.length.is_none() && v.kind == Kind::Byte).collect();
        match self.prng.pick(&positive) {
            Some(index) if self.prng.chance(50) => format!("{name}[{} % {length}]", index.name),
            _ => format!("{name}[{fixed}]"),
        }
    }

    /// A value of any size.
    pub(crate) fn expression(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.prng.chance(35) {
            return self.atom(scope);
        }
        let left = self.expression(scope, depth - 1);
        match self.prng.below(12) {
            0 => format!("(!{left})"),
            1 => format!("(~{left})"),
            2 => format!("(-{left})"),
            3 => format!("({left} {} 2)", self.one_of(&["/", "%", "<<", ">>"])),
            4 => format!("({left} -> {} : {})", self.atom(scope), self.atom(scope)),
            5 if self.flavour.errors => format!("({left} {} {})", self.one_of(&["/", "%"]), self.atom(scope)),
            5..=7 => self.condition(scope, depth - 1),
            _ => {
                let right = self.expression(scope, depth - 1);
                format!("({left} {} {right})", self.one_of(ARITHMETIC))
            }
        }
    }

    /// A value that is 0 or not.
    pub(crate) fn condition(&mut self, scope: &Scope, depth: usize) -> String {
        let left = self.expression(scope, depth);
        match self.prng.below(10) {
            0 => {
                let right = self.condition(scope, depth.saturating_sub(1));
                format!("({left} {} {right})", self.one_of(&["&&", "||"]))
            }
            1 => format!("(!{left})"),
            _ => {
                let right = self.atom(scope);
                format!("({left} {} {right})", self.one_of(COMPARISON))
            }
        }
    }

    fn atom(&mut self, scope: &Scope) -> String {
        if self.flavour.whole && self.prng.chance(20) {
            return self.whole_state(scope);
        }
        match self.prng.below(20) {
            0..=5 => self.prng.below(4).to_string(),
            6 => self.one_of(&["true", "false", "_pid", "_nr_pr", "255", "(-1)"]).to_owned(),
            7 if !scope.channels.is_empty() => self.channel_test(scope),
            8 if self.flavour.reflection => self.reflection(),
            9 if self.flavour.priorities => "get_priority(_pid)".to_owned(),
            10 => self.one_of(super::MTYPES).to_owned(),
            _ => self.place(scope).0,
        }
    }

    /// A question about a channel that can be part of an expression.
    pub(crate) fn channel_test(&mut self, scope: &Scope) -> String {
        let Some((name, channel)) = self.channel(scope) else { return "0".to_owned() };
        // In models with rendezvous, Spin forgets the parentheses around the test when it writes
        // the C.
        let can_ask = channel.capacity.is_some_and(|capacity| capacity > 0) && !self.flavour.rendezvous;
        if can_ask && self.prng.chance(40) {
            let pattern = self.pattern(scope, &channel, Binding::Never);
            return format!("{name}{}[{pattern}]", self.one_of(&["?", "??"]));
        }
        format!("len({name})")
    }

    /// A question about a channel that stands alone as a guard.
    pub(crate) fn channel_guard(&mut self, scope: &Scope) -> Option<String> {
        let (name, channel) = self.channel(scope)?;
        // What `full` means for a channel without room is no question to ask of a random model.
        let questions: &[&str] = match channel.capacity {
            Some(capacity) if capacity > 0 => &["empty", "nempty", "full", "nfull"],
            _ => &["empty", "nempty"],
        };
        Some(format!("{}({name})", self.one_of(questions)))
    }

    /// A channel, as it is named.
    pub(crate) fn channel(&mut self, scope: &Scope) -> Option<(String, Channel)> {
        let channel = self.prng.pick(&scope.channels)?.clone();
        let name = self.element(scope, &channel.name, channel.length, 1);
        Some((name, channel))
    }

    /// A channel to send to or receive from. Which one it is must not depend on the whole state,
    /// which the step itself changes: Spin looks at it again when it undoes the step.
    pub(crate) fn used_channel(&mut self, scope: &Scope) -> Option<(String, Channel)> {
        let whole = std::mem::take(&mut self.flavour.whole);
        let channel = self.channel(scope);
        self.flavour.whole = whole;
        channel
    }

    /// A value for a field or variable, kept small.
    pub(crate) fn small_value(&mut self, scope: &Scope, kind: Kind, depth: usize) -> String {
        match kind {
            Kind::Mtype => self.one_of(super::MTYPES).to_owned(),
            _ if self.prng.chance(40) => self.prng.below(3).to_string(),
            Kind::Bit | Kind::Bool | Kind::Unsigned => self.expression(scope, depth),
            _ if self.prng.chance(5) => self.one_of(&["256", "-1", "65536", "32768", "257"]).to_owned(),
            _ => format!("({} % {})", self.expression(scope, depth), self.prng.between(2, 4)),
        }
    }

    /// What a receive does with each field.
    pub(crate) fn pattern(&mut self, scope: &Scope, channel: &Channel, binding: Binding) -> String {
        let mut parts: Vec<String> = Vec::new();
        for kind in channel.fields.clone() {
            let part = self.field(scope, kind, binding);
            // One message does not go twice into the same variable.
            parts.push(if parts.contains(&part) { self.prng.below(3).to_string() } else { part });
        }
        // Nor is it compared with what it changes: Spin looks at the variable again when it undoes
        // the step.
        if parts.iter().any(|part| part.starts_with("eval")) && parts.len() > 1 && binding == Binding::Allowed {
            let stores = |part: &String| !part.starts_with("eval") && part.parse::<usize>().is_err();
            parts = parts.into_iter().map(|part| if stores(&part) { "_".to_owned() } else { part }).collect();
        }
        // The first field may be written as a call: `c?kind(rest)`.
        if parts.len() > 1 && binding == Binding::Allowed && self.prng.chance(20) {
            return format!("{}({})", parts[0], parts[1..].join(","));
        }
        parts.join(",")
    }

    fn field(&mut self, scope: &Scope, kind: Kind, binding: Binding) -> String {
        match self.prng.below(10) {
            0 if kind == Kind::Mtype => self.one_of(super::MTYPES).to_owned(),
            0 => self.prng.below(3).to_string(),
            // Spin does not write remote references there, and looks at channels again when it
            // undoes the step.
            1 | 3 | 4 if self.flavour.whole => {
                let quiet = Scope { no_remote: true, in_eval: true, channels: Vec::new(), ..scope.clone() };
                format!("eval({})", self.expression(&quiet, 1))
            }
            1 => format!("eval({})", self.place(scope).0),
            2 if binding == Binding::Allowed => "_".to_owned(),
            _ if binding == Binding::Never => self.prng.below(3).to_string(),
            _ => self.receiver(scope, kind),
        }
    }

    /// A variable that holds every value of a field. Spin undoes a receive by putting the
    /// variable's value back into the channel, so a value that was cut short on the way would make
    /// it lose its way: that is no model to compare.
    fn receiver(&mut self, scope: &Scope, field: Kind) -> String {
        let fits = |variable: &&Variable| match (field, variable.kind) {
            (_, Kind::Byte | Kind::Int | Kind::Short) => true,
            (Kind::Bit, kind) => kind != Kind::Mtype,
            (Kind::Mtype, kind) => kind == Kind::Mtype,
            _ => false,
        };
        let fitting: Vec<Variable> = scope.variables.iter().filter(fits).cloned().collect();
        match self.prng.pick(&fitting).cloned() {
            // The index must not be a variable that the same message changes: Spin undoes the
            // fields one by one.
            Some(Variable { name, length: Some(length), .. }) => format!("{name}[{}]", self.prng.below(length)),
            Some(variable) => variable.name,
            None => "_".to_owned(),
        }
    }

    fn reflection(&mut self) -> String {
        let remote = self.remote.clone();
        match (self.prng.below(4), self.prng.pick(&remote)) {
            (0, _) | (_, None) => "_last".to_owned(),
            // Spin refuses it in models with rendezvous.
            (1, _) if !self.flavour.rendezvous => format!("enabled({})", self.prng.below(2)),
            (_, Some(label)) => label.clone(),
        }
    }

    pub(crate) fn one_of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        self.prng.pick(items).copied().unwrap_or("skip")
    }
}

/// Whether a pattern may store what it receives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    Allowed,
    Never,
}
