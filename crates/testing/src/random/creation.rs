//! Random models in which several processes create others, all of which run and end in whatever
//! order. Most of them ask for no process number.

use ample_stdx::Random;

/// What a process may do that concerns nobody else.
const OWN: &[&str] = &["own = 1 - own", "own = k", "own == k", "own = 0", "skip", "printf(\"here %d\\n\", _pid)"];

/// What concerns the others.
const SHARED: &[&str] = &[
    "x = 1 - x",
    "x = own",
    "own = x",
    "x == 1",
    "x == 0",
    "y = 1",
    "y++",
    "y == x",
    "c!own",
    "c!1",
    "c?own",
    "c?_",
    "c?1",
    "r!own",
    "r?own",
    "nempty(c)",
    "len(c) == 1",
    "assert(x == 0)",
    "assert(y < 2)",
    "assert(own == k)",
    "x = 1 / own",
];

/// What tells processes apart, or counts them.
const NUMBERS: &[&str] = &["_nr_pr == 3", "x = (_nr_pr == 2)", "x = _pid % 2", "own = _pid % 2", "timeout"];

/// The model of a seed.
pub fn creating_model(seed: u64) -> String {
    let mut prng = Random::new(seed);
    let templates = prng.between(2, 3);
    let numbers = if prng.chance(15) { 2 } else { 0 };
    let mut writer = Writer { templates, numbers, is_bounded: !prng.chance(10), is_alike: !prng.chance(15), prng };
    let mut text = format!("/* random model with creation, seed {seed} */\nbit x, y;\n");
    text += "chan c = [1] of { bit };\nchan r = [0] of { bit };\n";
    // What is created comes first, so that a process creates what was written before it.
    for number in (0..templates).rev() {
        text += &writer.process(number);
    }
    text + &writer.creators()
}

struct Writer {
    prng: Random,
    templates: usize,
    /// How likely a statement is that asks for numbers.
    numbers: usize,
    /// Whether no process creates one of its own kind.
    is_bounded: bool,
    /// Whether processes of one kind begin with the same.
    is_alike: bool,
}

impl Writer {
    fn process(&mut self, number: usize) -> String {
        let mut text = format!("proctype P{number}(bit k) {{\n    bit own;\n");
        let steps = self.prng.between(1, 3);
        for step in 0..steps {
            let end = if step == 0 && self.prng.chance(15) { "end: " } else { "" };
            text += &format!("    {end}l{step}: {};\n", self.step(number));
        }
        if self.prng.chance(10) {
            text += "    goto l0;\n";
        }
        text + "}\n"
    }

    fn step(&mut self, number: usize) -> String {
        let can_create = number + 1 < self.templates || !self.is_bounded;
        match self.prng.below(20) {
            0..=7 if can_create => self.creation(number),
            0..=14 => self.statement(),
            15 | 16 => {
                let (one, other) = (self.statement(), self.statement());
                format!("if\n    :: {one};\n    :: {other};\n    fi")
            }
            17 if can_create => {
                let (one, other) = (self.statement(), self.creation(number));
                format!("if\n    :: {one};\n    :: {other};\n    fi")
            }
            18 if can_create => format!("atomic {{\n    {};\n    {};\n    }}", self.creation(number), self.statement()),
            _ => format!("atomic {{\n    {};\n    {};\n    }}", self.statement(), self.statement()),
        }
    }

    fn creation(&mut self, number: usize) -> String {
        let first = if self.is_bounded { number + 1 } else { number };
        let created = self.prng.between(first.min(self.templates - 1), self.templates - 1);
        self.run(created)
    }

    fn run(&mut self, created: usize) -> String {
        let argument = if self.is_alike { created % 2 } else { self.prng.below(2) };
        format!("run P{created}({argument})")
    }

    fn statement(&mut self) -> String {
        let pools = [(6, OWN), (6, SHARED), (self.numbers, NUMBERS)];
        let pool = self.prng.weighted(&pools).unwrap_or(OWN);
        self.prng.pick(pool).copied().unwrap_or("skip").to_owned()
    }

    /// One process, or two, that begin.
    fn creators(&mut self) -> String {
        let mut text = String::new();
        for creator in 0..self.prng.between(1, 2) {
            text += &format!("active proctype A{creator}() {{\n    bit own, k;\n");
            for _ in 0..self.prng.between(1, 3) {
                let created = self.prng.below(self.templates);
                let step = if self.prng.chance(70) { self.run(created) } else { self.statement() };
                text += &format!("    {step};\n");
            }
            text += "}\n";
        }
        text
    }
}
