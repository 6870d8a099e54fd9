//! Random models with variables that are mostly compared with bounds on one side, and changed in
//! ways that keep the order of their values: for what takes some values for better than others.
//! Here and there something does neither.

use ample_stdx::Random;

/// Which language.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// Promela.
    Promela,
    /// DVE.
    Dve,
    /// Guarded commands.
    Gcl,
}

/// `T` is compared with upper bounds, `U` with lower ones; `x`, `y` are flags, `K` is a number.
const STATEMENTS: &[&str] = &[
    "T < K -> T++",
    "T <= K -> T = T + 2",
    "atomic { T < K -> T++ }",
    "atomic { T < K -> T++; x = 1 - x }",
    "d_step { T < K; T++; y = 1 }",
    "T < K",
    "!(T >= K) && x == 0",
    "y == 1 || T + 1 < K",
    "T = 0",
    "T = 1",
    "T > 0 -> T--",
    "U > K -> U--",
    "U > K",
    "atomic { U >= K -> U = U - 1 }",
    "K <= U && y == 0",
    "U = 5",
    "U < 9 -> U++",
    "T < U",
    "x = 1 - x",
    "y = 1 - y",
    "x == 1; x = 0",
    "y == 0",
    "c!x",
    "c?_",
    "r!1",
    "r?_",
    "assert(!(x && y))",
];

/// What goes against that.
const TRAPS: &[&str] = &[
    "T++",
    "T = T * 3",
    "T = 7 - T",
    "assert(T < K)",
    "assert(T > K)",
    "assert(U > K)",
    "x = T < K",
    "y = (U > 2)",
    "T = U",
    "T == K",
    "if :: T < K -> x = 1 :: else -> y = 1 fi",
    "if :: r!1 :: else fi",
    "timeout -> x = 1 - x",
    "{ x == 1; y = 0 } unless { T < K }",
    "{ T < K; y = 0 } unless { x == 1 }",
    "atomic { x = 1; T < K; x = 0 }",
    "d_step { x = 1; if :: T < K -> y = 0 :: U > K -> y = 1 fi }",
    "c!T",
    "c?eval(T)",
    "x = a[T % 2]",
    "T < K || 6 / (x + y) == 3",
    "(T < K -> x : y) == 1",
    "(T - 4) < K",
    "T / 2 < K",
    "printf(\"%d\\n\", T)",
    "if :: d_step { T < K; x = 1 } :: else -> y = 1 fi",
    "if :: T < K -> x = 1 :: d_step { else; y = 1; x = 0 } fi",
    "{ x == 1; y = 0 } unless { d_step { T < K; x = 0 } }",
    "provided",
];

const TRANSITIONS: &[(&str, &str)] = &[
    ("T < K", "T = T + 1"),
    ("T + 2 <= K", "T = T + 2"),
    ("T < K and x == 0", "T = T + 1, x = 1"),
    ("x == 1", "T = 0, x = 0"),
    ("not (T >= K)", "y = 1 - y"),
    ("U > K", "U = U - 1"),
    ("U >= K or y == 1", "x = 1 - x"),
    ("y == 1", "U = 5"),
    ("true", "x = 1 - x"),
    ("y == 0", "y = 1"),
];

const DVE_TRAPS: &[(&str, &str)] = &[
    ("true", "T = T + 1"),
    ("T == K", "x = 1"),
    ("T < K", "x = T < 2"),
    ("x == 0", "T = U"),
    ("T > K", "y = 0"),
    ("U > K", "U = U * 2"),
    ("T < K", "T = 9 - T"),
];

/// The model of a seed.
pub fn bounded_model(seed: u64, language: Language) -> String {
    let mut prng = Random::new(seed);
    match language {
        Language::Promela => promela(&mut prng, seed),
        Language::Dve => dve(&mut prng, seed),
        Language::Gcl => gcl(&mut prng, seed),
    }
}

fn bound(prng: &mut Random) -> String {
    prng.weighted(&[(10, 0), (20, 2), (30, 3), (30, 5), (5, 254), (5, 255)]).unwrap_or(3).to_string()
}

fn promela(prng: &mut Random, seed: u64) -> String {
    let scalar = *prng.pick(&["byte", "byte", "int", "short"]).unwrap_or(&"byte");
    let first = if scalar == "byte" && prng.chance(10) { 250 } else { 0 };
    let mut text = format!("/* random model with bounded variables, seed {seed} */\n");
    text += &format!("{scalar} t = {first}, u = 5;\nbit x, y, a[2];\n");
    text += "chan c = [1] of { byte };\nchan r = [0] of { byte };\n";
    let traps = prng.weighted(&[(60, 0), (30, 1), (10, 2)]).unwrap_or(0);
    let is_own = prng.chance(30);
    for number in 0..2 {
        let (mut options, count) = (Vec::new(), prng.between(2, 4));
        for _ in 0..count {
            options.push(statement(prng, STATEMENTS, is_own));
        }
        for _ in 0..if number == 0 { traps } else { 0 } {
            options.push(statement(prng, TRAPS, is_own));
        }
        let provided = options.iter().any(|option| option == "provided");
        options.retain(|option| option != "provided");
        let condition = if provided { " provided (t < 4)" } else { "" };
        text += &format!("active proctype P{number}(){condition} {{\n    {scalar} own;\n    do\n");
        for option in options {
            text += &format!("    :: {option}\n");
        }
        text += "    od\n}\n";
    }
    text + "ltl both { [] !(x == 1 && y == 1) }\nltl again { []<> (x == 0) }\n"
}

fn statement(prng: &mut Random, of: &[&str], is_own: bool) -> String {
    let text = prng.pick(of).copied().unwrap_or("skip");
    let upper = if is_own && prng.chance(60) { "own" } else { "t" };
    text.replace('T', upper).replace('U', "u").replace('K', &bound(prng))
}

fn dve(prng: &mut Random, seed: u64) -> String {
    let mut text = format!("// random model with bounded variables, seed {seed}\nbyte t = 0, u = 5, x = 0, y = 0;\n");
    text += "channel s;\n";
    let traps = prng.weighted(&[(60, 0), (30, 1), (10, 2)]).unwrap_or(0);
    for number in 0..2 {
        text += &format!(
            "process P{number} {{\nstate a, b, c;\ncommit c;\ninit a;\nassert b: not (x == 1 and y == 1);\ntrans\n"
        );
        let mut lines = Vec::new();
        for _ in 0..prng.between(3, 5) {
            lines.push(transition(prng, TRANSITIONS, number));
        }
        for _ in 0..if number == 0 { traps } else { 0 } {
            lines.push(transition(prng, DVE_TRAPS, number));
        }
        text += &format!("{};\n}}\n", lines.join(",\n"));
    }
    text + "system async;\n"
}

fn transition(prng: &mut Random, of: &[(&str, &str)], number: usize) -> String {
    let (guard, effect) = prng.pick(of).copied().unwrap_or(("true", "x = 0"));
    let places = [("a", "b"), ("b", "a"), ("a", "a"), ("b", "c"), ("c", "a")];
    let (from, to) = prng.pick(&places).copied().unwrap_or(("a", "b"));
    let sync = match (prng.chance(15), number) {
        (true, 0) => " sync s!;",
        (true, _) => " sync s?;",
        _ => "",
    };
    let line = format!("{from} -> {to} {{ guard {guard};{sync} effect {effect}; }}");
    line.replace('T', "t").replace('U', "u").replace('K', &bound(prng))
}

fn gcl(prng: &mut Random, seed: u64) -> String {
    let mut text = format!("// random program with bounded variables, seed {seed}\n");
    let kind = *prng.pick(&["int", "int", "0..6", "0..255"]).unwrap_or(&"int");
    text += &format!("var t : {kind};\nvar u : 0..9 = 5;\nvar x, y : 0..1;\n");
    for _ in 0..prng.between(3, 7) {
        let (guard, effect) = prng.pick(TRANSITIONS).copied().unwrap_or(("true", "x = 0"));
        text += &command(prng, guard, effect);
    }
    for _ in 0..prng.weighted(&[(60, 0), (30, 1), (10, 2)]).unwrap_or(0) {
        let (guard, effect) = prng.pick(DVE_TRAPS).copied().unwrap_or(("true", "x = 0"));
        if !effect.contains('<') {
            text += &command(prng, guard, effect);
        }
    }
    text + "error both: x = 1 and y = 1;\nerror far: t > 4;\nltl again { G F x = 0 }\n"
}

fn command(prng: &mut Random, guard: &str, effect: &str) -> String {
    let effect = effect.replace(" = ", " := ");
    let line = format!("{guard} -> {effect};\n").replace("==", "=");
    line.replace('T', "t").replace('U', "u").replace('K', &bound(prng))
}
