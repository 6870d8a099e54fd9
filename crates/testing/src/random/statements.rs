//! Random statements, as indented lines.

use super::expressions::Binding;
use super::scope::{Parameter, Scope};
use super::{Generator, Lines};

/// Where a statement stands, as far as it decides what is allowed.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    /// How many more blocks may be nested.
    pub(crate) depth: usize,
    /// Directly in the body of a process: creation happens once.
    pub(crate) top: bool,
    /// In a `do` that may be left.
    pub(crate) in_loop: bool,
    /// In `atomic`: no loop without end.
    pub(crate) in_atomic: bool,
    /// In `d_step`: nothing blocks, nothing jumps.
    pub(crate) in_d_step: bool,
}

impl Place {
    pub(crate) fn body(depth: usize) -> Place {
        Place { depth, top: true, in_loop: false, in_atomic: false, in_d_step: false }
    }

    pub(crate) fn inside(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), top: false, ..self }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Statement {
    Assign,
    Increment,
    Guard,
    Skip,
    Assert,
    Print,
    Send,
    Receive,
    If,
    Do,
    Count,
    For,
    Select,
    Atomic,
    DStep,
    Unless,
    Block,
    Goto,
    Break,
    Run,
    Inline,
    Timeout,
    SetPriority,
    Hidden,
    Message,
    ForMessages,
    Mobile,
}

impl Generator {
    /// At least one statement.
    pub(crate) fn sequence(&mut self, scope: &mut Scope, place: Place) -> Lines {
        let count = self.prng.between(1, self.size.statements);
        (0..count).flat_map(|_| spaced(self.statement(scope, place))).collect()
    }

    pub(crate) fn statement(&mut self, scope: &mut Scope, place: Place) -> Lines {
        let kind = self.statement_kind(scope, place);
        match kind {
            Statement::If => self.selection(scope, place, "if", "fi"),
            Statement::Do => self.selection(scope, Place { in_loop: true, ..place }, "do", "od"),
            Statement::Count => self.counting_loop(scope, place),
            Statement::For => self.for_loop(scope, place),
            Statement::Atomic => self.block(scope, Place { in_atomic: true, ..place }, "atomic {"),
            Statement::DStep => self.block(scope, Place { in_d_step: true, in_loop: false, ..place }, "d_step {"),
            Statement::Block => self.block(scope, place, "{"),
            Statement::Unless => self.unless(scope, place),
            Statement::Hidden => self.hidden_use(scope, place),
            Statement::ForMessages => self.for_messages(scope, place),
            _ => vec![(0, self.simple(scope, kind))],
        }
    }

    fn statement_kind(&mut self, scope: &Scope, place: Place) -> Statement {
        let flavour = &self.flavour;
        let channels = !scope.channels.is_empty() && (!place.in_d_step || flavour.errors);
        let free = !place.in_d_step;
        let nest = place.depth > 0;
        let when = |allowed: bool, weight: usize| if allowed { weight } else { 0 };
        let weights = [
            (24, Statement::Assign),
            (5, Statement::Increment),
            (when(free, 4), Statement::Guard),
            (3, Statement::Skip),
            (3, Statement::Assert),
            (2, Statement::Print),
            (when(channels, 13), Statement::Send),
            (when(channels, 13), Statement::Receive),
            (when(nest, 9), Statement::If),
            (when(nest && free && !place.in_atomic, 7), Statement::Do),
            (when(nest && !flavour.enabled, 2), Statement::Count),
            (when(nest && flavour.loops, 4), Statement::For),
            (when(flavour.loops && free, 3), Statement::Select),
            (when(nest && flavour.atomic && free, 7), Statement::Atomic),
            (when(nest && flavour.d_step && free, 6), Statement::DStep),
            (when(nest && flavour.unless && free, 5), Statement::Unless),
            (when(nest && free, 1), Statement::Block),
            (when(flavour.jumps && free && !scope.labels.is_empty(), 5), Statement::Goto),
            (when(place.in_loop && free, 4), Statement::Break),
            (when(place.top && !scope.runnable.is_empty(), 12), Statement::Run),
            (when(!scope.inlines.is_empty() && free, 6), Statement::Inline),
            (when(flavour.timeout && free, 3), Statement::Timeout),
            (when(flavour.priorities, 3), Statement::SetPriority),
            (when(flavour.hidden, 6), Statement::Hidden),
            (when(flavour.messages && free, 8), Statement::Message),
            (when(flavour.messages && free && nest, 5), Statement::ForMessages),
            (when(scope.mobile.is_some() && free, 8), Statement::Mobile),
        ];
        self.prng.weighted(&weights).unwrap_or(Statement::Skip)
    }

    fn simple(&mut self, scope: &mut Scope, kind: Statement) -> String {
        match kind {
            Statement::Increment => {
                let (place, kind) = self.target(scope);
                match kind.wraps_soon() {
                    true => format!("{place}{};", self.one_of(&["++", "--"])),
                    false => format!("{place} = ({place} + 1) % {};", self.prng.between(2, 4)),
                }
            }
            Statement::Guard if self.prng.chance(20) && !scope.channels.is_empty() => {
                self.channel_guard(scope).map_or_else(|| "skip;".to_owned(), |guard| format!("{guard};"))
            }
            Statement::Guard => format!("{};", self.question(scope, 1)),
            Statement::Assert => format!("assert({});", self.question(scope, 1)),
            Statement::Print => match self.prng.below(3) {
                0 => format!("printm({});", self.one_of(super::MTYPES)),
                1 => "printf(\"here\\n\");".to_owned(),
                _ => format!("printf(\"%d\\n\", {});", self.expression(scope, 1)),
            },
            Statement::Send => self.send(scope),
            Statement::Receive => self.receive(scope),
            Statement::Select => {
                let counter = self.counter(scope);
                format!("select ({counter} : 0 .. {});", self.bound(scope, 0))
            }
            Statement::Goto => {
                let label = self.prng.pick(&scope.labels).cloned().unwrap_or_default();
                format!("goto {label};")
            }
            Statement::Break => "break;".to_owned(),
            Statement::Run => self.run(scope),
            Statement::Inline => self.call(scope),
            Statement::Timeout => "timeout;".to_owned(),
            Statement::SetPriority => format!("set_priority(_pid, {});", self.prng.between(1, 3)),
            Statement::Skip => "skip;".to_owned(),
            Statement::Message => self.message_use(),
            Statement::Mobile => self.mobile_use(scope),
            _ => {
                let (place, kind) = self.target(scope);
                let value = self.small_value(scope, kind, 2);
                format!("{place} = {value};")
            }
        }
    }

    pub(crate) fn send(&mut self, scope: &Scope) -> String {
        let Some((name, channel)) = self.used_channel(scope) else { return "skip;".to_owned() };
        let fields = channel.fields.clone();
        let values: Vec<String> = fields.iter().map(|kind| self.small_value(scope, *kind, 1)).collect();
        let buffered = channel.capacity.is_some_and(|capacity| capacity > 0);
        let operator = if buffered && self.prng.chance(20) { "!!" } else { "!" };
        if values.len() > 1 && self.prng.chance(20) {
            return format!("{name}{operator}{}({});", values[0], values[1..].join(","));
        }
        format!("{name}{operator}{};", values.join(","))
    }

    pub(crate) fn receive(&mut self, scope: &Scope) -> String {
        let Some((mut name, channel)) = self.used_channel(scope) else { return "skip;".to_owned() };
        let pattern = self.pattern(scope, &channel, Binding::Allowed);
        // Which channel it is must not depend on what is received: Spin looks at it again when it
        // undoes the step.
        if channel.length.is_some()
            && scope.variables.iter().any(|v| name.contains(&v.name) && pattern.contains(&v.name))
        {
            name = format!("{}[0]", channel.name);
        }
        if channel.capacity.is_none_or(|capacity| capacity == 0) {
            return format!("{name}?{pattern};");
        }
        match self.prng.below(10) {
            0 => format!("{name}?<{pattern}>;"),
            1 => format!("{name}??<{pattern}>;"),
            2 | 3 => format!("{name}??{pattern};"),
            _ => format!("{name}?{pattern};"),
        }
    }

    fn run(&mut self, scope: &Scope) -> String {
        let Some(proctype) = self.prng.pick(&scope.runnable).cloned() else { return "skip;".to_owned() };
        format!("{};", self.creation(scope, &proctype))
    }

    /// `run P(…)`, with an argument for each parameter.
    pub(crate) fn creation(&mut self, scope: &Scope, proctype: &super::scope::Proctype) -> String {
        let bytes = |channel: &&super::scope::Channel| channel.fields == [super::scope::Kind::Byte];
        let channels: Vec<_> = scope.channels.iter().filter(bytes).cloned().collect();
        let mut arguments = Vec::new();
        for parameter in &proctype.parameters {
            arguments.push(match parameter {
                Parameter::Byte | Parameter::Bit => self.expression(scope, 1),
                Parameter::Channel => match self.prng.pick(&channels).cloned() {
                    Some(channel) => self.element(scope, &channel.name, channel.length, 0),
                    None => "0".to_owned(),
                },
            });
        }
        let priority = match self.flavour.priorities && self.prng.chance(50) {
            true => format!(" priority {}", self.prng.between(1, 3)),
            false => String::new(),
        };
        format!("run {}({}){priority}", proctype.name, arguments.join(", "))
    }

    fn call(&mut self, scope: &Scope) -> String {
        let Some(inline) = self.prng.pick(&scope.inlines).cloned() else { return "skip;".to_owned() };
        let scalars: Vec<_> = scope.variables.iter().filter(|variable| variable.length.is_none()).collect();
        let Some(target) = self.prng.pick(&scalars).map(|variable| variable.name.clone()) else {
            return "skip;".to_owned();
        };
        // Spin does not read a conditional expression as an argument.
        let value = self.target(scope).0;
        format!("{}({target}, {value} + 1);", inline.name)
    }

    /// `if … fi` or `do … od`.
    fn selection(&mut self, scope: &mut Scope, place: Place, open: &str, close: &str) -> Lines {
        let options = self.prng.between(1, 3);
        let is_loop = open == "do";
        // Nothing may block inside d_step, so one option is always there. With xr and xs, Spin
        // refuses `else` beside questions to channels.
        let has_else = place.in_d_step || !self.flavour.enabled && self.prng.chance(if is_loop { 50 } else { 40 });
        let mut lines = vec![(0, open.to_owned())];
        for _ in 0..options {
            let silent = has_else && (self.flavour.exclusive || self.prng.chance(50));
            let guard = if silent { self.silent_guard(scope) } else { self.guard(scope, place) };
            lines.push((0, format!(":: {guard}")));
            // A loop of `skip` alone is refused by Spin.
            let rest = if guard == "skip;" || self.prng.chance(70) {
                self.sequence(scope, place.inside())
            } else {
                Vec::new()
            };
            lines.extend(indent(rest));
        }
        if has_else {
            lines.push((0, ":: else;".to_owned()));
            let rest = if is_loop { vec![(0, "break;".to_owned())] } else { self.sequence(scope, place.inside()) };
            lines.extend(indent(rest));
        }
        lines.push((0, format!("{close};")));
        lines
    }

    /// The first statement of an option: mostly a question.
    fn guard(&mut self, scope: &mut Scope, place: Place) -> String {
        let channels = !scope.channels.is_empty() && !place.in_d_step;
        match self.prng.below(10) {
            0 | 1 if channels => self.receive(scope),
            2 if channels => self.send(scope),
            3 if self.flavour.timeout && !place.in_d_step => "timeout;".to_owned(),
            4 => self.simple(scope, Statement::Assign),
            5 if !place.in_d_step => "skip;".to_owned(),
            6 => format!("(g0 {} {});", self.one_of(&["<=", "!=", ">="]), self.prng.below(2)),
            _ => format!("{};", self.question(scope, 1)),
        }
    }

    /// A first statement that asks no channel.
    fn silent_guard(&mut self, scope: &Scope) -> String {
        let silent = Scope { channels: Vec::new(), ..scope.clone() };
        format!("{};", self.condition(&silent, 1))
    }

    /// A loop that ends: the only kind that is safe inside `atomic` and `d_step`.
    fn counting_loop(&mut self, scope: &mut Scope, place: Place) -> Lines {
        let counter = self.counter(scope);
        let limit = self.prng.between(1, 2);
        let place = Place { in_loop: !place.in_d_step, ..place.inside() };
        let mut lines = vec![(0, format!("{counter} = 0;")), (0, "do".to_owned())];
        lines.push((0, format!(":: ({counter} < {limit});")));
        lines.push((1, format!("{counter}++;")));
        lines.extend(indent(self.sequence(scope, place)));
        lines.push((0, ":: else;".to_owned()));
        lines.push((1, "break;".to_owned()));
        lines.push((0, "od;".to_owned()));
        lines
    }

    fn for_loop(&mut self, scope: &mut Scope, place: Place) -> Lines {
        let arrays: Vec<String> =
            scope.variables.iter().filter(|v| v.length.is_some()).map(|v| v.name.clone()).collect();
        let counter = self.counter(scope);
        let range = match self.prng.pick(&arrays) {
            Some(array) if self.prng.chance(30) && !array.contains('.') => format!("{counter} in {array}"),
            _ => {
                let first = self.prng.below(2);
                format!("{counter} : {first} .. {}", self.bound(scope, first))
            }
        };
        let place = Place { in_loop: !place.in_d_step, ..place.inside() };
        let mut lines = vec![(0, format!("for ({range}) {{"))];
        lines.extend(indent(self.sequence(scope, place)));
        lines.push((0, "};".to_owned()));
        lines
    }

    /// The last number of a loop.
    fn bound(&mut self, scope: &Scope, first: usize) -> String {
        if self.flavour.whole && self.prng.chance(40) {
            return format!("{} % 3", self.whole_state(scope));
        }
        self.prng.between(first, 2).to_string()
    }

    fn block(&mut self, scope: &mut Scope, place: Place, open: &str) -> Lines {
        let mut lines = vec![(0, open.to_owned())];
        scope.no_remote = place.in_d_step;
        if place.in_d_step && self.prng.chance(50) {
            lines.push((1, format!("{};", self.question(scope, 1))));
        }
        lines.extend(indent(self.sequence(scope, place.inside())));
        scope.no_remote = false;
        lines.push((0, "};".to_owned()));
        lines
    }

    fn unless(&mut self, scope: &mut Scope, place: Place) -> Lines {
        let mut lines = vec![(0, "{".to_owned())];
        lines.extend(indent(self.sequence(scope, place.inside())));
        lines.push((0, "} unless {".to_owned()));
        lines.push((1, self.guard(scope, place)));
        if self.prng.chance(50) {
            lines.extend(indent(self.sequence(scope, place.inside())));
        }
        lines.push((0, "};".to_owned()));
        lines
    }

    /// A variable of its own for each loop: loops that share one may never end.
    fn counter(&mut self, scope: &mut Scope) -> String {
        let name = format!("{}k{}", scope.prefix, scope.counters.len());
        scope.counters.push(name.clone());
        name
    }
}

/// A statement, with a step before it if Spin would call arriving at it a jump into a `d_step`.
pub(crate) fn spaced(mut lines: Lines) -> Lines {
    if lines[0].1.starts_with("d_step") {
        lines.insert(0, (0, "skip;".to_owned()));
    }
    lines
}

pub(crate) fn indent(lines: Lines) -> Lines {
    lines.into_iter().map(|(depth, line)| (depth + 1, line)).collect()
}
