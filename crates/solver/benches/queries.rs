//! How long questions take: the embedded solver, and z3 over a pipe where it is installed. Random
//! ones, or those of a script in SMT-LIB.
//!
//! `cargo bench -p ample-solver -- [FILE.smt2 | Linear | Wide | Products | Bits]`

#[path = "../tests/random/queries.rs"]
mod queries;

use std::time::{Duration, Instant};

use ample_solver::{Cached, Embedded, External, Formula, Solver, Steps, smtlib};
use queries::{Generator, Kind};

const QUESTIONS: u64 = 1_000;

fn main() {
    let choice = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match choice {
        Some(path) if path.ends_with(".smt2") => {
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            compare(&path, &smtlib::read(&text).expect("the file is understood"));
        }
        choice => {
            let is_chosen = |kind: &Kind| choice.as_ref().is_none_or(|choice| *choice == format!("{kind:?}"));
            for kind in [Kind::Linear, Kind::Wide, Kind::Products, Kind::Bits].into_iter().filter(is_chosen) {
                let variables = |seed: u64| 3 + seed as usize % 12;
                let query = |seed: u64| match kind {
                    Kind::Linear | Kind::Wide => Generator::new(seed, kind, variables(seed)).query(),
                    Kind::Products | Kind::Bits => Generator::new(seed, kind, variables(seed)).bounded(-100, 255),
                };
                let questions: Vec<Formula> = (0..QUESTIONS).map(query).collect();
                compare(&format!("{kind:?}"), &questions);
            }
        }
    }
}

fn compare(name: &str, questions: &[Formula]) {
    println!("{name}: {} questions", questions.len());
    let own = run(&mut Embedded, questions);
    run(&mut Cached::new(Embedded), questions);
    if let Ok(mut z3) = External::start("z3") {
        let other = run(&mut z3, questions);
        println!("  {:.3} of the time of z3", own.as_secs_f64() / other.as_secs_f64());
    }
}

fn run(solver: &mut impl Solver, questions: &[Formula]) -> Duration {
    let mut times: Vec<(Duration, usize)> = Vec::new();
    let mut counts = [0; 3];
    for (at, question) in questions.iter().enumerate() {
        let start = Instant::now();
        let answer = solver.check(question, Steps::default()).expect("the solver answers");
        times.push((start.elapsed(), at));
        counts[["sat", "unsat", "unknown"].iter().position(|word| *word == answer.word()).unwrap_or(2)] += 1;
    }
    let sum: Duration = times.iter().map(|time| time.0).sum();
    times.sort_unstable();
    let median = times.get(times.len() / 2).map_or(Duration::ZERO, |time| time.0);
    let slowest: Vec<String> =
        times.iter().rev().take(3).map(|(time, at)| format!("{time:.1?} (number {at})")).collect();
    println!(
        "  {}: {sum:.1?}, half within {median:.1?}, {counts:?} sat, unsat, unknown; slowest {}",
        solver.name(),
        slowest.join(", ")
    );
    sum
}
