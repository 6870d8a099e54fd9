//! Random DVE models: a few processes with a few states, and transitions that ask, meet and assign
//! in one step.

use ample_stdx::Random;

/// What a transition may ask. `PJ` is another process, `ZI` and `ZJ` are variables that mostly one
/// process uses.
const GUARDS: &[&str] = &[
    "own == 0",
    "own != 1",
    "own == 1 and ZI == 0",
    "x == 0",
    "x == y",
    "x == 1 && own == 0",
    "ZJ == 1",
    "a[own] == 0",
    "a[x] == 1 or y == 0",
    "not PJ.q0",
    "PJ.q1",
    "PJ.q0 && ZI == 0",
    "PJ->own == 1",
    "x imply y",
    "(own + x) % 2 == 0",
    "true",
];

/// What it may assign.
const EFFECTS: &[&str] = &[
    "own = 1 - own",
    "own = 0",
    "own = 1",
    "ZI = 1 - ZI",
    "ZI = own",
    "ZI = 0",
    "x = 1 - x",
    "x = own",
    "y = x",
    "y = 1",
    "a[own] = 1 - a[own]",
    "a[0] = own",
    "a[1] = 0",
    "own = a[x]",
    "own = PJ.q0",
    "own = PJ->own",
];

/// Whom it may meet: untyped channels with and without a value, typed ones with and without room.
const SYNCS: &[&str] = &[
    "s!",
    "s?",
    "v!own",
    "v!x",
    "v?own",
    "v?ZI",
    "v?a[own]",
    "t!{own, 1}",
    "t?{own, ZI}",
    "t!{x, y}",
    "t?{ZI, own}",
    "b!own",
    "b!1",
    "b?own",
    "b?x",
    "b?a[x]",
];

/// What rarely occurs: errors.
const RARE: &[&str] = &["own = 1 / x", "a[own + x] = 1", "x = 1 / own"];

/// A model, and what can be said about it.
pub struct DveModel {
    /// The text.
    pub text: String,
    /// Expressions that are true in some states.
    pub propositions: Vec<String>,
}

/// The model of a seed.
pub fn dve_model(seed: u64) -> DveModel {
    let mut prng = Random::new(seed);
    let count = prng.between(2, 3);
    let (syncs, commits) = (prng.chance(60), prng.chance(10));
    let mut writer = Writer { prng, count, syncs, commits };
    let mut text = format!("// random model, seed {seed}\nbyte x, y;\nbyte a[2];\n");
    text += "channel s, v;\nchannel {byte, byte} t[0];\nchannel {byte} b[1];\n";
    let mut propositions: Vec<String> = ["x == 1", "y == 0", "a[0] == a[1]", "x == y"].map(str::to_owned).into();
    for number in 0..count {
        text += &format!("byte z{number};\n");
        propositions.extend([format!("P{number}.q0"), format!("P{number}.q1"), format!("z{number} == 1")]);
        propositions.push(format!("P{number}->own == 0"));
    }
    for number in 0..count {
        text += &writer.process(number);
    }
    text += "system async;\n";
    DveModel { text, propositions }
}

struct Writer {
    prng: Random,
    count: usize,
    syncs: bool,
    commits: bool,
}

impl Writer {
    fn process(&mut self, number: usize) -> String {
        let states = self.prng.between(2, 4);
        let names: Vec<String> = (0..states).map(|state| format!("q{state}")).collect();
        let mut text = format!("process P{number} {{\n    byte own;\n    state {};\n    init q0;\n", names.join(", "));
        if self.commits && self.prng.chance(50) {
            text += &format!("    commit q{};\n", self.prng.between(1, states - 1));
        }
        if self.prng.chance(15) {
            text += &format!("    assert q{} x == 0;\n", self.prng.below(states));
        }
        let mut transitions = Vec::new();
        for state in 0..states {
            // Mostly one ahead, so that everything is reached.
            for way in 0..self.prng.between(1, 2) {
                let target = if way == 0 { (state + 1) % states } else { self.prng.below(states) };
                transitions.push(format!("        q{state} -> q{target} {{{}}}", self.transition(number)));
            }
        }
        text + &format!("    trans\n{};\n}}\n", transitions.join(",\n"))
    }

    /// What stands between the braces.
    fn transition(&mut self, number: usize) -> String {
        let mut text = String::new();
        if self.prng.chance(40) {
            text += &format!(" guard {};", self.one(GUARDS, number));
        }
        if self.syncs && self.prng.chance(30) {
            text += &format!(" sync {};", self.one(SYNCS, number));
        }
        let effects: Vec<String> = (0..self.prng.below(3)).map(|_| self.effect(number)).collect();
        if !effects.is_empty() {
            text += &format!(" effect {};", effects.join(", "));
        }
        text
    }

    fn effect(&mut self, number: usize) -> String {
        let pool = if self.prng.chance(2) { RARE } else { EFFECTS };
        self.one(pool, number)
    }

    fn one(&mut self, pool: &[&str], number: usize) -> String {
        let other = (number + self.prng.between(1, self.count - 1)) % self.count;
        let text = self.prng.pick(pool).copied().unwrap_or("true");
        text.replace("ZI", &format!("z{number}"))
            .replace("ZJ", &format!("z{other}"))
            .replace("PJ", &format!("P{other}"))
    }
}
