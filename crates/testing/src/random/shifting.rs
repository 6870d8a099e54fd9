//! Random models whose variables are counted modulo a number, copied, sent and compared: for what
//! shifts sets of variables, and for what takes values for each other that no test can tell apart.

use ample_stdx::Random;

/// What can be shifted. `X`, `Y` and `Z` are variables, `N` is a modulus, `K` is a number below it.
const SHIFTED: &[&str] = &[
    "X = (X + 1) % N",
    "X = (Y + K) % N",
    "X = (X + N - 1) % N",
    "X = Y",
    "X == Y",
    "X != Y",
    "(X + K) % N == Y",
    "X == Y -> X = (X + 1) % N",
    "atomic { X != Y -> Z = X }",
    "d_step { X = Y; Y = (X + 1) % N }",
    "assert(X == Y)",
    "assert((X + 1) % N != Y)",
    "X = (X == Y -> Z : (Z + 1) % N)",
    "a[K] = X",
    "X = a[i]",
    "a[i] == X",
    "printf(\"%d\\n\", X)",
];

/// The same through messages.
const MESSAGES: &[&str] = &[
    "c!X",
    "c!(X + 1) % N",
    "c?X",
    "c?eval(X)",
    "c??eval(X)",
    "c?_",
    "c?[eval(X)]",
    "c?<X>",
    "r!X",
    "r?X",
    "r?eval(X)",
    "len(c) == 1",
];

/// Tests and constants, of which few values are told apart.
const TESTED: &[&str] = &[
    "X == K",
    "X != K",
    "X = K",
    "X = 0",
    "X < K",
    "X >= K",
    "if :: X = 1 :: X = 2 :: X = 3 fi",
    "X < 3 -> X++",
    "atomic { X < 3 -> X++ }",
    "X > 2 -> X = 0",
    "d_step { X = Y; Y = K }",
    "X = Y",
    "X = (X < 3 -> X + 1 : X)",
    "X = 1 - X",
    "X = !X",
    "X++",
    "X--",
    "atomic { X == K -> Y = X; X = 0 }",
    "assert(X != K)",
    "c!K",
    "c!X",
    "c?X",
    "c?K",
    "c??K",
    "r!X > 1",
    "r?Y",
    "X = a[i]",
    "a[K] = X",
    "a[K] == 1",
    "i = K % 2",
];

/// What fits neither.
const OTHER: &[&str] =
    &["X < Y", "X = Y + Z", "X = a[X]", "c!!X", "X = len(c)", "x = _pid", "X = 3 / X", "X = P0:m", "skip", "run Q(X)"];

/// The model of a seed.
pub fn shifting_model(seed: u64) -> String {
    let mut prng = Random::new(seed);
    let modulus = prng.between(2, 4);
    let kinds: &[&str] = if modulus == 2 { &["bit", "byte"] } else { &["byte", "byte", "int", "short"] };
    let kind = prng.pick(kinds).copied().unwrap_or("byte");
    let weights = match prng.below(3) {
        0 => [8, 4, 0],
        1 => [0, 1, 8],
        _ => [4, 3, 3],
    };
    let other = if prng.chance(25) { 1 } else { 0 };
    let mut writer = Writer { prng, modulus, kind, weights, other };
    writer.model(seed)
}

struct Writer {
    prng: Random,
    modulus: usize,
    kind: &'static str,
    /// How likely are what can be shifted, messages, and tests.
    weights: [usize; 3],
    /// How likely is something else.
    other: usize,
}

impl Writer {
    fn model(&mut self, seed: u64) -> String {
        let kind = self.kind;
        let mut text = format!("/* random model that counts, seed {seed} */\n{kind} x, y;\n{kind} a[2];\nbit i;\n");
        if self.prng.chance(30) {
            text = text.replace("x, y", &format!("x = 1, y = {}", self.prng.below(self.modulus)));
        }
        text += &format!("chan c = [{}] of {{ {kind} }};\n", self.prng.between(1, 2));
        text += &format!("chan r = [0] of {{ {kind} }};\n");
        text += &format!("proctype Q({kind} k) {{\n    k == y;\n    x = k;\n}}\n");
        for number in 0..2 {
            text += &self.process(number);
        }
        if self.prng.chance(30) {
            text = text.replace("active proctype P1", "proctype P1");
            text += "init {\n    run P1();\n}\n";
        }
        text
    }

    fn process(&mut self, number: usize) -> String {
        let kind = self.kind;
        let mut text = format!("active proctype P{number}() {{\n    {kind} m, n;\n");
        let steps = self.prng.between(2, 4);
        for step in 0..steps {
            let end = if self.prng.chance(20) && !text.contains("end:") { "end: " } else { "" };
            text += &format!("    {end}l{step}: {};\n", self.step(steps));
        }
        if self.prng.chance(80) {
            text += &format!("    goto l{};\n", self.prng.below(steps));
        }
        text + "}\n"
    }

    fn step(&mut self, steps: usize) -> String {
        if self.prng.chance(65) {
            return self.statement();
        }
        let mut text = "if\n".to_owned();
        for _ in 0..self.prng.between(1, 3) {
            text += &format!("    :: {};\n", self.statement());
            if self.prng.chance(40) {
                text += &format!("        goto l{};\n", self.prng.below(steps));
            }
        }
        if self.prng.chance(25) {
            text += "    :: else;\n";
        }
        text + "    fi"
    }

    fn statement(&mut self) -> String {
        let [shifted, messages, tested] = self.weights;
        let pools = [(shifted, SHIFTED), (messages, MESSAGES), (tested, TESTED), (self.other, OTHER)];
        let pool = self.prng.weighted(&pools).unwrap_or(SHIFTED);
        let statement = self.prng.pick(pool).copied().unwrap_or("skip");
        let mut variable = || self.prng.pick(&["x", "y", "m", "n", "m", "n"]).copied().unwrap_or("x");
        let (first, second, third) = (variable(), variable(), variable());
        let number = self.prng.below(self.modulus.max(3)).min(if statement.contains("[K]") { 1 } else { 3 });
        statement
            .replace('X', first)
            .replace('Y', second)
            .replace('Z', third)
            .replace('N', &self.modulus.to_string())
            .replace('K', &number.to_string())
    }
}
