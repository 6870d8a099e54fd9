//! Random declarations: globals, inlines, process types, `init`, `trace`.

use super::scope::{Channel, Inline, Kind, Parameter, Proctype, Scope, Variable};
use super::statements::{Place, indent, spaced};
use super::{Generator, Lines};

impl Generator {
    pub(crate) fn globals(&mut self, scope: &mut Scope) -> Lines {
        let mut lines = Lines::new();
        let count = self.prng.between(2, 4);
        for number in 0..count {
            let name = format!("g{number}");
            // The first is always there and always a byte: something to fall back on.
            let kind = if number == 0 { Kind::Byte } else { Kind::any(&mut self.prng) };
            let array = number > 0 && self.flavour.arrays && self.prng.chance(50);
            lines.push((0, self.variable_declaration(scope, name, kind, array)));
        }
        if self.flavour.structures {
            lines.extend(self.structure(scope));
        }
        lines.extend(self.hidden_declaration());
        lines.extend(self.message_declarations(scope));
        lines.extend(self.mobile_declarations());
        if self.flavour.channels {
            for number in 0..self.prng.between(1, 2) {
                lines.push((0, self.channel_declaration(scope, format!("c{number}"), number == 0)));
            }
        }
        lines
    }

    /// Declares a variable and adds it to the scope.
    fn variable_declaration(&mut self, scope: &mut Scope, name: String, kind: Kind, array: bool) -> String {
        let length = array.then(|| self.prng.between(2, 3));
        scope.variables.push(Variable { name: name.clone(), kind, length });
        let shape = match (kind, length) {
            (Kind::Unsigned, _) => {
                if let Some(variable) = scope.variables.last_mut() {
                    variable.length = None; // there is no array of these
                }
                format!("{name} : 2")
            }
            (_, Some(length)) => format!("{name}[{length}]"),
            (_, None) => name,
        };
        let initial = match kind {
            Kind::Mtype if self.prng.chance(50) => format!(" = {}", self.one_of(super::MTYPES)),
            Kind::Mtype => String::new(),
            _ if self.prng.chance(30) => format!(" = {}", self.prng.below(2)),
            _ => String::new(),
        };
        format!("{} {shape}{initial};", kind.keyword())
    }

    fn structure(&mut self, scope: &mut Scope) -> Lines {
        let (first, second) = (Kind::Byte, Kind::any(&mut self.prng));
        let second = if second == Kind::Unsigned { Kind::Bit } else { second };
        let array = self.prng.chance(40);
        let shape = if array { "f1[2]" } else { "f1" };
        scope.variables.push(Variable::scalar("s0.f0", first));
        scope.variables.push(Variable { name: "s0.f1".to_owned(), kind: second, length: array.then_some(2) });
        let mut lines = vec![
            (0, "typedef Record {".to_owned()),
            (1, "byte f0;".to_owned()),
            (1, format!("{} {shape};", second.keyword())),
            (0, "};".to_owned()),
            (0, "Record s0;".to_owned()),
        ];
        if self.prng.chance(30) {
            lines.push((0, "Record t0[2];".to_owned()));
            scope.variables.push(Variable::scalar("t0[1].f0", first));
            scope.variables.push(Variable::scalar("t0[0].f0", first));
        }
        lines
    }

    fn channel_declaration(&mut self, scope: &mut Scope, name: String, plain: bool) -> String {
        let rendezvous = self.flavour.rendezvous && (plain || self.prng.chance(60));
        let capacity = if rendezvous { 0 } else { self.prng.between(1, 2) };
        let fields: Vec<Kind> = match self.prng.below(4) {
            _ if plain => vec![Kind::Byte],
            0 => vec![Kind::Byte],
            1 => vec![Kind::Mtype, Kind::Byte],
            2 => vec![Kind::Byte, Kind::Bit],
            _ => vec![Kind::Mtype],
        };
        let length = (self.flavour.arrays && self.prng.chance(30)).then_some(2);
        let types: Vec<&str> = fields.iter().map(|kind| kind.keyword()).collect();
        let shape = length.map_or_else(|| name.clone(), |length| format!("{name}[{length}]"));
        let text = format!("chan {shape} = [{capacity}] of {{ {} }};", types.join(", "));
        scope.channels.push(Channel { name, capacity: Some(capacity), fields, length });
        text
    }

    pub(crate) fn inlines(&mut self, scope: &mut Scope) -> Lines {
        if !self.flavour.inlines {
            return Lines::new();
        }
        let name = "step0".to_owned();
        let mut lines = vec![(0, format!("inline {name}(target, value) {{"))];
        let amount = self.prng.between(2, 3);
        lines.push((1, format!("target = ((value) + g0) % {amount};")));
        if self.prng.chance(50) {
            lines.push((1, "if".to_owned()));
            lines.push((1, ":: (target == 0);".to_owned()));
            lines.push((2, "target = 1;".to_owned()));
            lines.push((1, ":: else;".to_owned()));
            lines.push((1, "fi;".to_owned()));
        }
        lines.push((0, "}".to_owned()));
        scope.inlines.push(Inline { name });
        lines
    }

    /// All process types. Those that are created come first, so that only later ones create them:
    /// no endless creation.
    pub(crate) fn processes(&mut self, globals: &Scope) -> Lines {
        let count = self.prng.between(self.size.processes.min(2), self.size.processes);
        let created = if self.flavour.creation { self.prng.between(1, count) } else { 0 };
        let mut runnable: Vec<Proctype> = Vec::new();
        let mut lines = Lines::new();
        let mut priority_used = false;
        for number in 0..count {
            let mut scope = globals.clone();
            scope.prefix = format!("p{number}");
            scope.runnable = runnable.clone();
            let is_created = number < created;
            let proctype = Proctype { name: format!("P{number}"), parameters: self.parameters(is_created) };
            lines.extend(self.process(scope, &proctype, is_created, &mut priority_used));
            if is_created {
                runnable.push(proctype);
            }
        }
        if self.flavour.channels && self.prng.chance(50) {
            lines.extend(self.server(globals));
        }
        if created > 0 {
            lines.extend(self.init(globals, &runnable));
        }
        if self.flavour.trace {
            lines.extend(self.trace(globals));
        }
        lines
    }

    /// A process that goes on taking from one channel, and now and then gives to another: company
    /// for the rest.
    fn server(&mut self, globals: &Scope) -> Lines {
        let mut scope = globals.clone();
        scope.prefix = "s".to_owned();
        let mut lines = vec![(0, "active proctype Server() {".to_owned()), (1, "endserver: do".to_owned())];
        lines.push((1, format!(":: {}", self.receive(&scope))));
        for _ in 0..self.prng.below(3) {
            let statement = if self.prng.chance(50) { self.send(&scope) } else { self.receive(&scope) };
            lines.push((1, format!(":: {statement}")));
        }
        if self.flavour.atomic && self.prng.chance(50) {
            lines.push((1, ":: atomic {".to_owned()));
            lines.push((3, self.receive(&scope)));
            lines.extend(indent(indent(indent(
                self.statement(&mut scope, Place { in_atomic: true, ..Place::body(0) }),
            ))));
            lines.push((2, "};".to_owned()));
        }
        lines.push((1, "od;".to_owned()));
        let counters = std::mem::take(&mut scope.counters);
        let declared = counters.iter().map(|counter| (1, format!("byte {counter};")));
        lines.splice(1..1, declared);
        lines.push((0, "}".to_owned()));
        lines
    }

    fn parameters(&mut self, is_created: bool) -> Vec<Parameter> {
        if !is_created {
            return Vec::new();
        }
        let mut parameters = Vec::new();
        if self.prng.chance(50) {
            parameters.push(if self.flavour.priorities || self.prng.chance(70) {
                Parameter::Byte
            } else {
                Parameter::Bit
            });
        }
        if self.flavour.channels && self.prng.chance(50) {
            parameters.push(Parameter::Channel);
        }
        parameters
    }

    fn process(&mut self, mut scope: Scope, proctype: &Proctype, is_created: bool, priority_used: &mut bool) -> Lines {
        let prefix = scope.prefix.clone();
        // Spin refuses remote references in `provided`, as in `d_step`.
        let globals = Scope { no_remote: true, ..scope.clone() };
        let mut declared = Vec::new();
        for (number, parameter) in proctype.parameters.iter().enumerate() {
            let name = format!("{prefix}a{number}");
            declared.push(match parameter {
                Parameter::Byte => format!("byte {name}"),
                Parameter::Bit => format!("bit {name}"),
                Parameter::Channel => format!("chan {name}"),
            });
            match parameter {
                Parameter::Byte => scope.variables.push(Variable::scalar(name, Kind::Byte)),
                Parameter::Bit => scope.variables.push(Variable::scalar(name, Kind::Bit)),
                Parameter::Channel => {
                    scope.channels.push(Channel { name, capacity: None, fields: vec![Kind::Byte], length: None });
                }
            }
        }
        let active = match (is_created, self.prng.chance(25)) {
            (true, _) => "",
            (false, true) => "active [2] ",
            (false, false) => "active ",
        };
        let first = self.actives;
        match active {
            "active " => self.actives += 1,
            "active [2] " => {
                self.twins = Some(self.actives);
                self.actives += 2;
            }
            _ => {}
        }
        let keyword = if self.flavour.deterministic && self.prng.chance(50) { "D_proctype" } else { "proctype" };
        let mut head = format!("{active}{keyword} {}({})", proctype.name, declared.join("; "));
        if self.flavour.priorities && !is_created && (!*priority_used || self.prng.chance(50)) {
            head += &format!(" priority {}", self.prng.between(1, 3));
            *priority_used = true;
        }
        if self.flavour.provided && self.flavour.whole && self.prng.chance(50) {
            head += &format!(" provided ({})", self.question(&globals, 1));
        } else if self.flavour.provided && self.prng.chance(50) {
            let limit = self.prng.between(0, 2);
            head += &format!(" provided ((g0 {} {limit}))", self.one_of(&["!=", "<=", "=="]));
        }
        let locals = self.locals(&mut scope);
        let body = self.body(&mut scope);
        if self.flavour.whole {
            let number = (!is_created).then_some(first);
            self.remember(&scope, &proctype.name, number, globals.variables.len());
        }
        let mut lines = vec![(0, format!("{head} {{"))];
        lines.extend(indent(locals));
        lines.extend(scope.counters.iter().map(|counter| (1, format!("byte {counter};"))));
        lines.extend(self.exclusive(&scope));
        lines.extend(indent(body));
        lines.push((0, "}".to_owned()));
        lines
    }

    fn locals(&mut self, scope: &mut Scope) -> Lines {
        let mut lines = Lines::new();
        for number in 0..self.prng.below(3) {
            let name = format!("{}v{number}", scope.prefix);
            // Spin forgets to compare the last bits of a process that has a priority: its bit
            // fields get lost.
            let kind = if self.flavour.priorities { Kind::Byte } else { Kind::any(&mut self.prng) };
            let array = self.flavour.arrays && self.prng.chance(25);
            lines.push((0, self.variable_declaration(scope, name, kind, array)));
        }
        if self.flavour.channels && self.prng.chance(15) {
            let name = format!("{}c", scope.prefix);
            lines.push((0, self.channel_declaration(scope, name, false)));
        }
        lines.extend(self.mobile_local(scope));
        lines
    }

    /// The statements of a process: now and then a loop for ever, and labels where jumps may go.
    fn body(&mut self, scope: &mut Scope) -> Lines {
        let prefix = scope.prefix.clone();
        if self.flavour.jumps {
            scope.labels = (0..self.prng.between(1, 2)).map(|number| format!("{prefix}l{number}")).collect();
        }
        let count = self.prng.between(scope.labels.len().max(1), self.size.statements + 1);
        let depth = self.size.depth;
        let mut statements: Vec<Lines> =
            (0..count).map(|_| spaced(self.statement(scope, Place::body(depth)))).collect();
        for (label, lines) in scope.labels.clone().iter().zip(&mut statements) {
            // A label on a jump invites a loop of jumps, which is no statement at all.
            if !can_be_labelled(lines) {
                lines.insert(0, (0, "g0 = 1 - g0;".to_owned()));
            }
            lines[0].1 = format!("{label}: {}", lines[0].1);
            if self.flavour.reflection {
                self.remote.push(format!("({}@{label})", prefix.to_uppercase()));
            }
        }
        if self.prng.chance(35) {
            let at = self.prng.below(statements.len());
            if can_be_labelled(&statements[at]) {
                statements[at][0].1 = format!("end{prefix}: {}", statements[at][0].1);
            }
        }
        if self.prng.chance(10) {
            statements.push(vec![(0, format!("end{prefix}x: false;"))]);
        }
        statements.concat()
    }

    fn exclusive(&mut self, scope: &Scope) -> Lines {
        let simple: Vec<&Channel> =
            scope.channels.iter().filter(|c| c.length.is_none() && c.capacity.is_some()).collect();
        match self.prng.pick(&simple) {
            Some(channel) if self.flavour.exclusive && !self.claimed => {
                self.claimed = true; // one claim a model: two on one channel are refused
                vec![(1, format!("{} {};", if channel.fields.len() > 1 { "xr" } else { "xs" }, channel.name))]
            }
            _ => Lines::new(),
        }
    }

    fn init(&mut self, globals: &Scope, runnable: &[Proctype]) -> Lines {
        let mut scope = globals.clone();
        scope.prefix = "i".to_owned();
        let mut creations: Lines = runnable.iter().map(|proctype| (0, self.creation(&scope, proctype) + ";")).collect();
        if let Some(proctype) = self.prng.pick(runnable).cloned()
            && self.prng.chance(30)
        {
            creations.push((0, self.creation(&scope, &proctype) + ";"));
        }
        let mut lines = vec![(0, "init {".to_owned())];
        if self.prng.chance(60) {
            lines.push((1, "atomic {".to_owned()));
            lines.extend(indent(indent(creations)));
            lines.push((1, "};".to_owned()));
        } else {
            lines.extend(indent(creations));
        }
        lines.push((0, "}".to_owned()));
        lines
    }

    /// A `trace` or `notrace` over the first channel, which carries bytes.
    fn trace(&mut self, globals: &Scope) -> Lines {
        let Some(channel) = globals.channels.first().filter(|channel| channel.length.is_none()) else {
            return Lines::new();
        };
        let name = channel.name.clone();
        if self.prng.chance(30) {
            let (first, second) = (self.prng.below(3), self.prng.below(3));
            return vec![
                (0, "notrace {".to_owned()),
                (1, format!("{name}!{first};")),
                (1, format!("{name}?{second};")),
                (0, "}".to_owned()),
            ];
        }
        let mut lines = vec![(0, "trace {".to_owned()), (1, "do".to_owned())];
        for value in 0..self.prng.between(2, 4) {
            lines.push((1, format!(":: {name}!{value};")));
            if self.prng.chance(40) {
                lines.push((2, format!("{name}?{value};")));
            }
        }
        lines.push((1, "od;".to_owned()));
        lines.push((0, "}".to_owned()));
        lines
    }
}

/// A label on a jump invites a loop of jumps, which is no statement at all; one on an `unless` is
/// read in two ways.
fn can_be_labelled(lines: &Lines) -> bool {
    !lines[0].1.starts_with("goto") && !lines.iter().any(|(depth, line)| *depth == 0 && line.starts_with("} unless"))
}
