//! Random programs of guarded commands: a few processes with a place each, small variables of all
//! types, and numbers around the borders where widths end.
//!
//! What feeds itself stays near where it began, so that most programs have few states: a counter
//! keeps within a window around its border, a place is one of a few. What may be large is computed
//! from that and feeds nothing.

use std::fmt::Write as _;

use ample_stdx::Random;

/// Which numbers occur.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Small ones.
    Small,
    /// Those around the borders of 8, 16, 32 and 63 bits as well. A value may be beyond 64 bits.
    Borders,
}

/// A program, and what can be said about it.
pub struct GclProgram {
    /// The text.
    pub text: String,
    /// Conditions on its global variables and its processes that are true in some states.
    pub propositions: Vec<String>,
}

/// The program of a seed.
pub fn gcl_program(seed: u64, numbers: Numbers) -> GclProgram {
    let mut writer = Writer::new(Random::new(seed), numbers);
    let text = format!("// random program, seed {seed}\n{}", writer.program());
    let propositions = (0..6).map(|_| writer.comparison(None)).collect();
    GclProgram { text, propositions }
}

/// The borders around which numbers are chosen, the last ones more often.
const BORDERS: &[i128] = &[
    0,
    1 << 7,
    1 << 8,
    -(1 << 7),
    1 << 15,
    1 << 16,
    -(1 << 15),
    1 << 31,
    1 << 32,
    -(1 << 31),
    1 << 62,
    1 << 63,
    1 << 63,
    -(1 << 63),
    -(1 << 63),
];

/// A number that fits into 64 bits, this one or the nearest.
fn within_64_bits(number: i128) -> i64 {
    number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// What a variable of the program is for.
#[derive(Copy, Clone, Debug)]
enum Kind {
    /// A number near to this one, within two of it.
    Counter(i64),
    /// A number that is computed from others, and of which nothing else is computed.
    Result,
    Range(i64, i64),
    Bool,
    /// An element of a set of three.
    Element,
    /// An array of numbers from 0 to 3, with so many elements.
    Array(i64),
}

/// A variable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Kind,
}

/// A process, or a family of them.
#[derive(Clone, Debug)]
struct Process {
    name: String,
    /// How many there are, if it is a family.
    members: Option<i64>,
    /// The last of its places; the first one is 0.
    places: i64,
    own: Vec<Variable>,
}

struct Writer {
    prng: Random,
    numbers: Numbers,
    globals: Vec<Variable>,
    processes: Vec<Process>,
    /// Whether a command that is being written has got an input.
    has_input: bool,
}

impl Writer {
    fn new(mut prng: Random, numbers: Numbers) -> Writer {
        let kinds = 6;
        let mut globals: Vec<Variable> = Vec::new();
        for _ in 0..prng.between(2, 4) {
            // The first one is often a result, so that something is computed.
            let which = if globals.is_empty() && prng.chance(40) { 1 } else { prng.below(kinds) };
            let kind = Writer::kind(&mut prng, numbers, which);
            globals.push(Variable { name: format!("g{}", globals.len()), kind });
        }
        let mut processes = Vec::new();
        for number in 0..prng.weighted(&[(15, 0), (25, 1), (40, 2), (20, 3)]).unwrap_or(2) {
            let members = prng.chance(40).then_some(2);
            let mut own = Vec::new();
            for _ in 0..prng.weighted(&[(50, 0), (40, 1), (10, 2)]).unwrap_or(0) {
                let which = prng.below(kinds);
                let kind = Writer::kind(&mut prng, numbers, which);
                own.push(Variable { name: format!("l{number}_{}", own.len()), kind });
            }
            let places = prng.between(1, 2) as i64;
            processes.push(Process { name: format!("p{number}"), members, places, own });
        }
        Writer { prng, numbers, globals, processes, has_input: false }
    }

    fn kind(prng: &mut Random, numbers: Numbers, which: usize) -> Kind {
        match which {
            0 => Kind::Counter(border(prng, numbers)),
            1 => Kind::Result,
            2 if numbers == Numbers::Borders && prng.chance(50) => {
                let low = border(prng, numbers).saturating_sub(1);
                Kind::Range(low, low.saturating_add(2))
            }
            2 => Kind::Range(-(prng.below(2) as i64), prng.between(1, 3) as i64),
            3 => Kind::Bool,
            4 if prng.chance(40) => Kind::Element,
            4 => Kind::Bool,
            _ => Kind::Array(prng.between(2, 3) as i64),
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::new();
        for variable in self.globals.clone() {
            text += &self.declaration(&variable);
        }
        let processes = self.processes.clone();
        for process in &processes {
            let family = process.members.map_or(String::new(), |members| format!("[i : 1..{members}]"));
            let _ = writeln!(text, "process {}{family} {{", process.name);
            let _ = writeln!(text, "    var pc : 0..{};", process.places);
            for variable in &process.own {
                text += &format!("    {}", self.declaration(variable));
            }
            for place in 0..=process.places {
                for way in 0..self.prng.between(1, 2) {
                    // Mostly one ahead, so that everything is reached.
                    let count = process.places as usize + 1;
                    let next = if way == 0 { (place as usize + 1) % count } else { self.prng.below(count) };
                    let command = self.command(Some(process), Some((place, next as i64)));
                    text += &format!("    {command}");
                }
            }
            text += "}\n";
        }
        let free = if processes.is_empty() { self.prng.between(3, 5) } else { self.prng.below(3) };
        for _ in 0..free {
            text += &self.command(None, None);
        }
        if self.prng.chance(40) {
            let _ = writeln!(text, "error wrong: {} and {};", self.comparison(None), self.comparison(None));
        }
        if self.prng.chance(50) {
            let _ = writeln!(text, "end {};", self.condition(None, 1));
        }
        text
    }

    fn declaration(&mut self, variable: &Variable) -> String {
        let (name, any) = (&variable.name, self.prng.chance(15));
        let range = |low: i64, high: i64| format!("var {name} : {low}..{high}");
        match variable.kind {
            Kind::Counter(at) => format!("var {name} : int = {at};\n"),
            Kind::Result => format!("var {name} : int;\n"),
            Kind::Range(low, high) if any => format!("{} = any;\n", range(low, high)),
            Kind::Range(low, high) => format!("{};\n", range(low, high)),
            Kind::Bool if any => format!("var {name} : bool = any;\n"),
            Kind::Bool => format!("var {name} : bool = {};\n", self.prng.chance(50)),
            Kind::Element => format!("var {name} : scalarset(3);\n"),
            Kind::Array(length) if any => format!("var {name}[{length}] : 0..3 = {};\n", self.prng.below(4)),
            Kind::Array(length) => format!("var {name}[{length}] : 0..3;\n"),
        }
    }

    /// A command; of a process with places, one from a place to the next.
    fn command(&mut self, of: Option<&Process>, step: Option<(i64, i64)>) -> String {
        let label = self.prng.weighted(&[(50, ""), (20, "tau "), (15, "[go] "), (15, "[on] ")]).unwrap_or_default();
        self.has_input = false;
        let (mut guards, mut effects) = (Vec::new(), Vec::new());
        if let Some((place, next)) = step {
            guards.push(format!("pc = {place}"));
            effects.push(format!("pc := {next}"));
        }
        if self.prng.chance(if step.is_some() { 40 } else { 70 }) {
            guards.push(self.condition(of, 1));
        }
        let most = self.prng.weighted(&[(20, 0), (55, 1), (25, 2)]).unwrap_or(1).max(usize::from(step.is_none()));
        for _ in 0..most {
            let variables = self.variables(of);
            let Some(variable) = self.prng.pick(&variables).cloned() else { break };
            self.assignment(of, &variable, &mut guards, &mut effects);
        }
        if self.prng.chance(30) {
            effects.reverse();
        }
        let guard = if guards.is_empty() { "true".to_owned() } else { guards.join(" and ") };
        let effects = if effects.is_empty() { "skip".to_owned() } else { effects.join(", ") };
        format!("{label}{guard} -> {effects};\n")
    }

    /// The variables that a process names without saying whose they are.
    fn variables(&self, of: Option<&Process>) -> Vec<Variable> {
        self.globals.iter().chain(of.iter().flat_map(|process| &process.own)).cloned().collect()
    }

    /// Changes a variable; what keeps it where it belongs is added to the guard.
    fn assignment(
        &mut self,
        of: Option<&Process>,
        variable: &Variable,
        guards: &mut Vec<String>,
        effects: &mut Vec<String>,
    ) {
        let name = &variable.name;
        let effect = match variable.kind {
            Kind::Counter(at) => match self.prng.below(5) {
                0 => format!("{name} := {at}"),
                1 => {
                    guards.push(format!("{name} > {}", at.saturating_sub(2)));
                    format!("{name} := {name} - 1")
                }
                // Near to the last number of 64 bits, the guard may hold at that one.
                _ => {
                    guards.push(format!("{name} {} {}", self.below(), at.saturating_add(2)));
                    format!("{name} := {name} + 1")
                }
            },
            Kind::Result => format!("{name} := {}", self.number(of, 2)),
            Kind::Range(low, high) => match self.prng.below(6) {
                0 if !self.has_input => {
                    self.has_input = true;
                    format!("{name} := input")
                }
                1 => format!("{name} := {name} + 1"),
                2 => {
                    guards.push(format!("{name} != {high}"));
                    format!("{name} := {name} + 1")
                }
                3 => format!("{name} := {low}"),
                4 => format!("{name} := {}", self.number(of, 1)),
                _ => format!("{name} := if {name} = {high} then {low} else {name} + 1"),
            },
            Kind::Bool if self.prng.chance(30) => format!("{name} := not {name}"),
            Kind::Bool => format!("{name} := {}", self.condition(of, 1)),
            Kind::Element => match self.prng.below(3) {
                0 if !self.has_input => {
                    self.has_input = true;
                    format!("{name} := input")
                }
                1 => format!("{name} := none"),
                _ => format!("{name} := {}", self.element(of)),
            },
            Kind::Array(length) => {
                let index = self.index(of, length);
                match self.prng.below(3) {
                    0 => format!("{name}[{index}] := {}", self.prng.below(4)),
                    1 => format!("{name}[{index}] := 3 - {name}[{index}]"),
                    _ => format!("{name}[{index}] := ({}) % 4", self.number(of, 1)),
                }
            }
        };
        effects.push(effect);
    }

    fn below(&mut self) -> &'static str {
        if self.prng.chance(80) { "<" } else { "<=" }
    }

    /// A variable, or `none`.
    fn element(&mut self, of: Option<&Process>) -> String {
        let all = self.variables(of).into_iter().filter(|variable| matches!(variable.kind, Kind::Element));
        let names: Vec<String> = all.map(|variable| variable.name).collect();
        self.prng.pick(&names).cloned().unwrap_or_else(|| "none".to_owned())
    }

    /// An index that is mostly in range.
    fn index(&mut self, of: Option<&Process>, length: i64) -> String {
        let computed = match of {
            Some(process) if process.places < length && self.prng.chance(50) => Some("pc".to_owned()),
            Some(Process { members: Some(members), .. }) if self.prng.chance(40) && *members < length => {
                Some("i".to_owned())
            }
            _ => None,
        };
        match (computed, self.prng.below(10)) {
            (Some(computed), _) => computed,
            (None, 0) => self.number(of, 1),
            (None, 1..5) => {
                // The remainder may be negative.
                let number = self.number(of, 1);
                format!("({number}) % {length}")
            }
            _ => self.prng.below(length as usize).to_string(),
        }
    }

    /// A number of no more than so many levels of operators; nothing that was computed from others.
    fn number(&mut self, of: Option<&Process>, depth: usize) -> String {
        if depth == 0 || self.prng.chance(25) {
            return self.operand(of);
        }
        let (a, b) = (self.number(of, depth - 1), self.number(of, depth - 1));
        match self.prng.below(16) {
            0..4 => format!("({a} + {b})"),
            4..7 => format!("({a} - {b})"),
            7..9 => format!("({a} * {b})"),
            9 => format!("({a} / {b})"),
            10 => format!("({a} / {})", self.divisor()),
            11 => format!("({a} % {b})"),
            12 => format!("({a} % {})", self.divisor()),
            13 => format!("(- {a})"),
            _ => {
                let condition = self.condition(of, 1);
                format!("(if {condition} then {a} else {b})")
            }
        }
    }

    fn divisor(&mut self) -> String {
        let number = self.prng.weighted(&[(20, -1), (20, 2), (20, 3), (10, -2), (10, -3), (10, 1)]).unwrap_or(2);
        number.to_string()
    }

    /// A number without operators.
    fn operand(&mut self, of: Option<&Process>) -> String {
        let is_operand =
            |variable: &Variable| matches!(variable.kind, Kind::Counter(_) | Kind::Range(..) | Kind::Array(_));
        let variables: Vec<Variable> = self.variables(of).into_iter().filter(is_operand).collect();
        let variable = if self.prng.chance(65) { self.prng.pick(&variables).cloned() } else { None };
        match variable {
            Some(Variable { name, kind: Kind::Array(length) }) => {
                // No deeper: an index has an index again.
                let index = self.prng.below(length as usize);
                let pc = of.filter(|process| process.places < length && self.prng.chance(50));
                pc.map_or_else(|| format!("{name}[{index}]"), |_| format!("{name}[pc]"))
            }
            Some(variable) => variable.name,
            None if self.prng.chance(20) => self.place(of),
            None => literal(&mut self.prng, self.numbers),
        }
    }

    /// The place of a process, sometimes of one that is computed.
    fn place(&mut self, of: Option<&Process>) -> String {
        let processes = self.processes.clone();
        let Some(process) = self.prng.pick(&processes) else { return "1".to_owned() };
        let name = &process.name;
        match process.members {
            _ if of.is_some() && self.prng.chance(30) => "pc".to_owned(),
            None => format!("{name}.pc"),
            Some(members) => match of {
                Some(Process { members: Some(_), .. }) if self.prng.chance(30) => format!("{name}[i].pc"),
                Some(_) if self.prng.chance(20) => format!("{name}[pc + 1].pc"),
                _ => format!("{name}[{}].pc", self.prng.between(1, members as usize)),
            },
        }
    }

    /// A condition of no more than so many levels of connectives.
    fn condition(&mut self, of: Option<&Process>, depth: usize) -> String {
        if depth == 0 || self.prng.chance(55) {
            return self.comparison(of);
        }
        let (a, b) = (self.condition(of, depth - 1), self.condition(of, depth - 1));
        match self.prng.below(8) {
            0..3 => format!("({a} and {b})"),
            3..6 => format!("({a} or {b})"),
            6 => format!("not ({a})"),
            _ => format!("(if {a} then {b} else {})", self.comparison(of)),
        }
    }

    /// A comparison, or a truth value.
    fn comparison(&mut self, of: Option<&Process>) -> String {
        let variables = self.variables(of);
        let Some(variable) = self.prng.pick(&variables).cloned() else { return format!("{} = 0", self.place(of)) };
        let name = &variable.name;
        let op = *self.prng.pick(&["=", "!=", "<", "<=", ">", ">="]).unwrap_or(&"=");
        match variable.kind {
            _ if self.prng.chance(15) => format!("{} {op} {}", self.place(of), self.prng.below(3)),
            Kind::Bool => name.clone(),
            Kind::Element if op.contains('=') && op.len() == 1 => format!("{name} = {}", self.element(of)),
            Kind::Element => format!("{name} != none"),
            Kind::Counter(at) => format!("{name} {op} {}", self.near(at)),
            Kind::Range(low, _) => format!("{name} {op} {}", self.near(low)),
            Kind::Result if self.prng.chance(20) => format!("{name} {op} {}", self.number(of, 1)),
            Kind::Result => format!("{name} {op} {}", literal(&mut self.prng, self.numbers)),
            Kind::Array(length) => {
                let index = self.index(of, length);
                format!("{name}[{index}] {op} {}", self.prng.below(4))
            }
        }
    }

    /// A number within two of this one.
    fn near(&mut self, at: i64) -> String {
        let distance = self.prng.below(4) as i64 - 1;
        at.saturating_add(distance).to_string()
    }
}

/// A number at a border or next to it.
fn border(prng: &mut Random, numbers: Numbers) -> i64 {
    match numbers {
        Numbers::Small => prng.below(3) as i64,
        Numbers::Borders => {
            let border = prng.pick(BORDERS).copied().unwrap_or_default();
            within_64_bits(border + prng.below(4) as i128 - 2)
        }
    }
}

/// A number as it is written.
fn literal(prng: &mut Random, numbers: Numbers) -> String {
    match numbers {
        Numbers::Borders if prng.chance(60) => border(prng, numbers).to_string(),
        _ => (prng.below(6) as i64 - 1).to_string(),
    }
}
