//! Random models whose spaces have no cycle: processes that only go forward, over variables with
//! few values.

use std::fmt::Write as _;

use ample_stdx::Random;

/// A model, and the name of a file in its language.
pub struct AcyclicModel {
    /// The text.
    pub text: String,
    /// A name with the right ending.
    pub file: &'static str,
}

/// Statements over bits `X`, `Y` and small numbers `U`, `V`.
const PLAIN: &[&str] = &[
    "X = Y",
    "X = 1 - X",
    "X = (U > K)",
    "U = K",
    "U = (U + 1) % 4",
    "U = (U + V) % 4",
    "U = (X -> V : K)",
    "X == Y",
    "X || Y",
    "U < V",
    "U != K",
    "a[X] = Y",
    "a[U % 2] = X",
    "X = a[Y]",
    "a[X] == Y",
    "a[0] = 1 - a[1]",
    "assert(X || U != K)",
    "skip",
    "d = U",
    "d = (d + 1) % 4",
];

/// Statements with messages and indivisible sequences.
const OTHER: &[&str] = &[
    "c!X",
    "c?Y",
    "c?eval(X)",
    "len(c) == 0",
    "nempty(c)",
    "atomic { X = Y; U = (U + 1) % 4 }",
    "atomic { X == 1; U = K; Y = 0 }",
    "d_step { X = Y; Y = 1 - X }",
    "U = U / V",
];

/// The model of a seed, of Promela or of guarded commands; with `all` also what is more than
/// guards, assignments and rendezvous.
pub fn acyclic_model(seed: u64, all: bool) -> AcyclicModel {
    let mut writer = Writer { prng: Random::new(seed), all };
    if seed % 3 == 2 {
        AcyclicModel { text: writer.commands(seed), file: "m.gcl" }
    } else {
        AcyclicModel { text: writer.processes(seed), file: "m.pml" }
    }
}

struct Writer {
    prng: Random,
    all: bool,
}

impl Writer {
    fn processes(&mut self, seed: u64) -> String {
        let mut text =
            format!("/* random acyclic model, seed {seed} */\nbit x, y, a[2];\nunsigned u : 2;\nunsigned d : 2;\n");
        text += "chan r = [0] of { bit };\n";
        if self.all {
            text += "chan c = [2] of { bit };\n";
        }
        for process in 0..self.prng.between(2, 3) {
            let _ = writeln!(text, "active proctype P{process}() {{\n  bit l;\n  unsigned m : 2;");
            for _ in 0..self.prng.between(2, 4) {
                let statement = self.statement(process);
                let _ = writeln!(text, "  {statement};");
            }
            text += "}\n";
        }
        text
    }

    fn statement(&mut self, process: usize) -> String {
        match self.prng.below(10) {
            0 | 1 => {
                let (one, other) = (self.simple(), self.simple());
                let last = if self.prng.chance(50) { "else".to_owned() } else { self.filled("Y") };
                format!("if :: {} -> {one} :: {last} -> {other} fi", self.filled("X"))
            }
            2 if process == 0 => self.filled("r!X"),
            2 => {
                let receives: &[&str] = if self.all { &["r?X", "r?_", "r?1"] } else { &["r?X", "r?_"] };
                let pattern = self.prng.pick(receives).copied().unwrap_or("r?X");
                self.filled(pattern)
            }
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> String {
        let all: &[&str] = if self.all && self.prng.chance(40) { OTHER } else { PLAIN };
        let pattern = self.prng.pick(all).copied().unwrap_or("skip");
        self.filled(pattern)
    }

    fn filled(&mut self, pattern: &str) -> String {
        let mut text = String::new();
        for letter in pattern.chars() {
            match letter {
                'X' | 'Y' => text += self.prng.pick(&["x", "y", "l"]).copied().unwrap_or("x"),
                'U' | 'V' => text += self.prng.pick(&["u", "m", "m"]).copied().unwrap_or("u"),
                'K' => text += &self.prng.below(4).to_string(),
                other => text.push(other),
            }
        }
        text
    }

    fn commands(&mut self, seed: u64) -> String {
        let mut text =
            format!("// random acyclic program, seed {seed}\nvar x, y : bool;\nvar u, v : 0..3;\nvar a[2] : 0..3;\n");
        for process in 0..self.prng.between(2, 3) {
            let places = self.prng.between(2, 4);
            let _ = writeln!(text, "process p{process} {{\n  var pc : 0..{places};\n  var m : 0..3;");
            for place in 0..places {
                for _ in 0..self.prng.between(1, 2) {
                    let next = self.prng.between(place + 1, places);
                    let (guard, effect) = (self.guard(), self.effect());
                    let _ = writeln!(text, "  pc = {place} and {guard} -> pc := {next}, {effect};");
                }
            }
            text += "}\n";
        }
        if self.prng.chance(30) {
            text += "end x or u = 1;\n";
        }
        text
    }

    fn number(&mut self) -> String {
        match self.prng.below(6) {
            0 => self.prng.below(4).to_string(),
            1 => "a[0]".to_owned(),
            2 => "a[u / 2]".to_owned(),
            3 => "m".to_owned(),
            4 => "v".to_owned(),
            _ => "u".to_owned(),
        }
    }

    fn guard(&mut self) -> String {
        let (one, other) = (self.number(), self.number());
        match self.prng.below(6) {
            0 => "x".to_owned(),
            1 => "(not y or x)".to_owned(),
            2 => format!("{one} <= {other}"),
            3 => format!("(x or {one} != {other})"),
            _ => "true".to_owned(),
        }
    }

    fn effect(&mut self) -> String {
        let (one, other) = (self.number(), self.number());
        let wraps = if self.all && self.prng.chance(20) { "" } else { " % 4" };
        match self.prng.below(8) {
            0 => "x := not x".to_owned(),
            1 => format!("y := {one} < {other}"),
            2 => format!("u := ({one} + {other}){wraps}"),
            3 => format!("a[u % 2] := {one}, m := {other}"),
            4 => format!("m := {one}"),
            5 => format!("v := if x then {one} else {other}"),
            6 => "x := y, y := x".to_owned(),
            _ => format!("u := {one}, a[0] := u"),
        }
    }
}
