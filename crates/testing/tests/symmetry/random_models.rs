//! Random models with like processes: where a canonizer applies the quotient is bisimilar to the
//! system, and every plan gives the answer of the full search, with traces that are replayed.

use std::fmt::Write;

use ample_check::Verdict;
use ample_stdx::Random;
use ample_testing::random;

use super::{EXACT, SORTED, Way, bisimilar, with_canonizer, with_model};

/// What processes of one kind may do without telling each other apart.
const STATEMENTS: [&str; 26] = [
    "a[_pid] = 1",
    "a[_pid] = 0",
    "a[_pid] == 1",
    "a[_pid] = (a[_pid] + 1) % 3",
    "a[o] = 2",
    "a[o] == 0",
    "who = _pid",
    "who == _pid",
    "who == o",
    "o = who",
    "o = _pid",
    "o != _pid",
    "g = 1",
    "g = 0",
    "g == 0",
    "x = 1",
    "x = a[o]",
    "c!_pid,x",
    "c?o,x",
    "c?eval(_pid),x",
    "d[o]!x",
    "d[_pid]?x",
    "atomic { g == 0 -> g = 1; a[who] = 0 }",
    "d_step { x = g; o = who }",
    "assert(!(a[_pid] == 2 && g == 1 && who == _pid))",
    "len(d[_pid]) == 0",
];

/// What tells them apart, most often.
const BREAKING: [&str; 6] = ["o = (o + 1) % N", "a[0] = 1", "who = 0", "who > o", "x = _pid", "a[(_pid + 1) % N] = 1"];

/// A model of so many like processes, perhaps with a server, and what it may be asked.
fn model(seed: u64) -> String {
    let mut prng = Random::new(seed);
    let n = prng.between(2, 3);
    let mut text = format!("#define N {n}\nbyte a[N]; byte who; bit g; chan c = [1] of {{ byte, byte }};\n");
    text.push_str("chan d[N] = [1] of { byte };\n");
    let is_broken = prng.between(0, 3) == 0;
    let statement = |prng: &mut Random| match is_broken && prng.between(0, 5) == 0 {
        true => BREAKING[prng.below(BREAKING.len())],
        false => STATEMENTS[prng.below(STATEMENTS.len())],
    };
    text.push_str("active [N] proctype p() { byte o, x;\n  do\n");
    for _ in 0..prng.between(2, 3) {
        let statements: Vec<&str> = (0..prng.between(1, 3)).map(|_| statement(&mut prng)).collect();
        _ = writeln!(text, "  :: {}", statements.join("; "));
    }
    text.push_str("  od }\n");
    if prng.between(0, 2) == 0 {
        text.push_str("active proctype s() { byte w, y; do :: c?w,y; d[w]!y :: g = 1 - g od }\n");
    }
    text.push_str(
        "ltl again { []<> (g == 0) }\nltl stays { <>[] (g == 1) }\nltl some { [] (a[0] == 0 || a[1] == 0) }\n",
    );
    text
}

#[test]
fn quotients_of_random_models_are_bisimilar() {
    let (mut compared, mut refused) = (0, 0);
    for seed in random::seeds(0..250).expect("AMPLE_SEEDS is A..B") {
        let text = model(seed);
        with_model(&text, |packed, _| {
            for name in [EXACT, SORTED] {
                println!("seed {seed} {name}");
                match with_canonizer(packed, &[], name, |canonizer| bisimilar(packed, canonizer, &[], 1_500)) {
                    Ok(Some(_)) => compared += 1,
                    Ok(None) => {}
                    Err(_) => refused += 1,
                }
            }
        });
    }
    println!("{compared} compared, {refused} refused");
    assert!(compared > 0 && refused > 0);
}

/// Every expander with every cycle condition, and no reduction but symmetry.
fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    for reduce in [EXACT, SORTED] {
        ways.push(Way::of(reduce));
        ways.push(Way { threads: 2, ..Way::of(reduce) });
        for por in ["static", "ample", "stubborn", "deletion"] {
            for condition in ["stack", "open", "closed", "sticky"] {
                ways.push(Way { por: Some(por), condition: Some(condition), ..Way::of(reduce) });
            }
        }
    }
    ways
}

#[test]
fn answers_about_random_models() {
    let (mut answered, mut refused, mut violated) = (0, 0, 0);
    for seed in random::seeds(0..16).expect("AMPLE_SEEDS is A..B") {
        let text = model(seed);
        with_model(&text, |packed, prepared| {
            if super::reachable(packed, 1_500).is_none() {
                return;
            }
            for question in ["safety", "again", "stays", "some"] {
                println!("seed {seed} {question}");
                let full = Way::of("none").ask(prepared, question).expect("the full search answers");
                for way in ways() {
                    match way.ask(prepared, question) {
                        Ok(outcome) => {
                            assert_eq!(outcome.verdict, full.verdict, "seed {seed} {question} {way:?}\n{text}");
                            answered += 1;
                            violated += usize::from(outcome.verdict == Verdict::Violated);
                        }
                        Err(_) => refused += 1,
                    }
                }
            }
        });
    }
    println!("{answered} answered ({violated} violated), {refused} refused");
    assert!(answered > refused / 10 && violated > 0);
}
