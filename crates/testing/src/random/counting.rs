//! Random models whose processes have loops that count, by themselves or nearly so, between a few
//! statements that concern others.

use ample_stdx::Random;

/// The types with which one counts, and bounds that are interesting there.
const TYPES: &[(&str, &[i32])] = &[
    ("byte", &[3, 4, 7, 250, 254, 255]),
    ("bit", &[0, 1]),
    ("short", &[-2, 3, 5]),
    ("int", &[-3, 0, 6, 9]),
    ("unsigned", &[2, 6, 7]),
];

/// What concerns others.
const SHARED: &[&str] = &["x = i", "x = j % 3", "x == 0", "x != 2", "y = 1 - y", "assert(x != 7)", "c!j", "r!1", "r?_"];

/// What may stand in the body of a loop: most of it is only counted.
const BODY: &[&str] = &[
    "j++",
    "j = j + 3",
    "j = 2 - j",
    "j = 5",
    "j--",
    "a[1] = a[1] + 7",
    "printf(\"%d\\n\", i)",
    "skip",
    "i++",
    "i--",
    "a[j % 2] = 1",
    "x = 1",
    "y == 0",
    "assert(i != 4)",
    "j = 1 / (i - 2)",
    "if :: j = 1 :: skip fi",
];

/// The model of a seed.
pub fn counting_model(seed: u64) -> String {
    let mut prng = Random::new(seed);
    let mut text = format!("/* random model with loops that count, seed {seed} */\nbyte x, y;\n");
    text += "chan c = [1] of { byte };\nchan r = [0] of { byte };\n";
    for number in 0..prng.between(1, 2) {
        let (scalar, bounds) = *prng.pick(TYPES).unwrap_or(&TYPES[0]);
        let width = if scalar == "unsigned" { " : 3" } else { "" };
        let first = prng.pick(bounds).filter(|bound| **bound < 200).copied().unwrap_or_default();
        let first = if prng.chance(30) { format!(" = {first}") } else { String::new() };
        text += &format!("active proctype P{number}() {{\n    {scalar} i{width}{first};\n    byte j, a[2];\n");
        for _ in 0..prng.between(1, 3) {
            text += &format!("    {};\n", prng.pick(SHARED).unwrap_or(&"skip"));
            if prng.chance(50) {
                text += &format!("    i = {};\n", prng.pick(bounds).unwrap_or(&0));
            }
            text += &counting_loop(&mut prng, bounds);
        }
        text += "    x = i + j + a[1]\n}\n";
    }
    text
}

/// A loop that may count up or down, with a bound that it may miss.
fn counting_loop(prng: &mut Random, bounds: &[i32]) -> String {
    let bound = prng.pick(bounds).copied().unwrap_or_default();
    let (within, outside, sign) = prng
        .pick(&[("<", ">=", "+"), ("<=", ">", "+"), (">", "<=", "-"), (">=", "<", "-"), ("!=", "==", "+")])
        .unwrap_or(&("<", ">=", "+"));
    let step = prng.weighted(&[(60, 1), (20, 2), (15, 3), (5, 0)]).unwrap_or(1);
    let mut body = vec![format!("i = i {sign} {step}")];
    for _ in 0..prng.weighted(&[(40, 0), (40, 1), (20, 2)]).unwrap_or(0) {
        let at = prng.below(body.len() + 1);
        let weights: Vec<(usize, usize)> = (0..BODY.len()).map(|at| (if at < 8 { 6 } else { 1 }, at)).collect();
        body.insert(at, BODY[prng.weighted(&weights).unwrap_or(0)].to_owned());
    }
    let body = body.join("; ");
    let exit = prng.weighted(&[(50, 0), (30, 1), (10, 2), (5, 3), (5, 4)]).unwrap_or(0);
    let inside = match exit {
        0 => format!(":: i {within} {bound} -> {body} :: else -> break"),
        1 => format!(":: i {within} {bound} -> {body} :: i {outside} {bound} -> break"),
        2 => format!(":: i {outside} {bound} -> break :: else -> {body}"),
        3 => format!(":: i {within} {bound} -> {body} :: i {outside} {bound} -> break :: x == 1 -> break"),
        _ => format!(":: i {within} {bound} -> {body}"),
    };
    let whole = format!("do {inside} od");
    match prng.weighted(&[(85, 0), (10, 1), (5, 2)]).unwrap_or(0) {
        0 => format!("    {whole};\n"),
        1 => format!("    atomic {{ {whole} }};\n"),
        _ => format!("    {{ {whole} }} unless {{ x == 2 }};\n"),
    }
}
