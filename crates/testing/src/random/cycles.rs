//! Random models whose processes go around for ever, with much that is their own and little that
//! they share: few states, many cycles, and something for partial order reduction to leave out.

use ample_stdx::Random;

/// What a process may do that concerns nobody else.
const OWN: &[&str] =
    &["own = 1 - own", "own = 0", "own == 1", "own == 0", "ZI = 1 - ZI", "ZI = own", "skip", "printf(\"here\\n\")"];

/// What concerns the others.
const SHARED: &[&str] = &[
    "x = 1 - x",
    "x = 0",
    "x = 1",
    "x == 1",
    "x == y",
    "y = own",
    "own = x",
    "y = 1",
    "y == 0",
    "ZJ == 1",
    "assert(x == 0)",
    "assert(own == 0)",
    "assert(x == y)",
];

/// Messages. Each process has a channel to the next one, and there are two for everybody.
const MESSAGES: &[&str] = &[
    "DI!own",
    "DI!1",
    "DP?own",
    "DP?_",
    "DP?1",
    "c!own",
    "c!1",
    "c?own",
    "c?_",
    "c?0",
    "c??1",
    "c?<own>",
    "c!!own",
    "nempty(c)",
    "empty(c)",
    "full(c)",
    "nfull(c)",
    "len(c) == 1",
    "nempty(DP)",
    "nfull(DI)",
    "empty(DP)",
];

const RENDEZVOUS: &[&str] = &["r!own", "r!1", "r?own", "r?1", "r?_"];

/// What looks at the system as a whole.
const REFLECTION: &[&str] = &[
    "timeout",
    "_nr_pr == 3",
    "x = (_nr_pr == 2)",
    "PJ@l0",
    "PJ@l1",
    "PJ:own == 1",
    "atomic { _nr_pr < 5; run Q() }",
    "x = 1 / own",
];

/// The model of a seed.
pub fn cyclic_model(seed: u64) -> String {
    let mut prng = Random::new(seed);
    let count = prng.between(2, 3);
    let mut writer = Writer {
        count,
        messages: if prng.chance(60) { 4 } else { 0 },
        rendezvous: if prng.chance(35) { 2 } else { 0 },
        reflection: if prng.chance(25) { 1 } else { 0 },
        prng,
    };
    let mut text = format!("/* random model with cycles, seed {seed} */\nbit x, y;\n");
    for number in 0..count {
        text += &format!("bit z{number};\nchan d{number} = [1] of {{ bit }};\n");
    }
    text += "chan c = [1] of { bit };\nchan r = [0] of { bit };\n";
    text += "proctype Q() {\n    bit own;\n    own = 1;\n    x = 1 - x;\n}\n";
    for number in 0..count {
        text += &writer.process(number);
    }
    text
}

struct Writer {
    prng: Random,
    count: usize,
    messages: usize,
    rendezvous: usize,
    reflection: usize,
}

impl Writer {
    /// Steps with labels `l0`, `l1`, …; most often from the last one back to one of them.
    fn process(&mut self, number: usize) -> String {
        let mut text = format!("active proctype P{number}() {{\n    bit own;\n");
        let steps = self.prng.between(2, 5);
        for step in 0..steps {
            let end = if self.prng.chance(20) { "end: " } else { "" };
            let end = if text.contains("end:") { "" } else { end };
            text += &format!("    {end}l{step}: {};\n", self.step(number, steps));
        }
        if self.prng.chance(75) {
            text += &format!("    goto l{};\n", self.prng.below(steps));
        }
        text + "}\n"
    }

    fn step(&mut self, number: usize, steps: usize) -> String {
        match self.prng.below(20) {
            0..=11 => self.statement(number),
            12..=17 => self.choice(number, steps),
            18 => {
                format!("atomic {{\n        {};\n        {};\n    }}", self.statement(number), self.statement(number))
            }
            _ => "d_step {\n        x = 1 - x;\n        own = x;\n    }".to_owned(),
        }
    }

    fn choice(&mut self, number: usize, steps: usize) -> String {
        let mut text = "if\n".to_owned();
        for _ in 0..self.prng.between(1, 3) {
            text += &format!("    :: {};\n", self.statement(number));
            if self.prng.chance(30) {
                text += &format!("        {};\n", self.statement(number));
            }
            if self.prng.chance(40) {
                text += &format!("        goto l{};\n", self.prng.below(steps));
            }
        }
        if self.prng.chance(25) {
            text += "    :: else;\n";
        }
        text + "    fi"
    }

    fn statement(&mut self, number: usize) -> String {
        let pools = [
            (11, OWN),
            (6, SHARED),
            (self.messages, MESSAGES),
            (self.rendezvous, RENDEZVOUS),
            (self.reflection, REFLECTION),
        ];
        let pool = self.prng.weighted(&pools).unwrap_or(OWN);
        let other = (number + self.prng.between(1, self.count - 1)) % self.count;
        let statement = self.prng.pick(pool).copied().unwrap_or("skip");
        statement
            .replace("ZI", &format!("z{number}"))
            .replace("ZJ", &format!("z{other}"))
            .replace("DI", &format!("d{number}"))
            .replace("DP", &format!("d{}", (number + self.count - 1) % self.count))
            .replace("PJ", &format!("P{other}"))
    }
}
