//! Tasks for developers: `cargo xtask TASK`.

mod code_share;
mod corpus;
mod interrupt;
mod keys;
mod resumable;
mod same;
mod soak;
mod spin_random;
mod spin_table;
mod threads;

use std::process::ExitCode;

use ample_testing::{tidy, workspace_root};

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy                                  check the rules of the code base
  corpus --all [--only TEXT] [--fresh]  run every model of the corpus and compare with Spin's answers; build with --release
                                        (cargo run --release -q -p ample-xtask -- corpus --all)
  code-share [--only TEXT] [--fresh]    how many states of each model of the corpus machine code leaves to the interpreter
  interrupt [--only TEXT] [--binary FILE]
                                        interrupt the program at every stage, and measure how long it goes on; first
                                        cargo build --release -p ample-cli
  keys [--only TEXT] [--fresh]          read every state of each model of the corpus back from its key, up to 100,000 states and
                                        10 million moves; build with --release
  same --before FILE --after FILE [--only TEXT] [--fresh]
                                        ask two binaries of the program the same questions about every model of the corpus and
                                        of the project, up to a million states, and compare every verdict and count
  threads [--only TEXT] [--fresh]       run every model of the corpus on 1, 2 and 8 threads and compare; build with --release
                                        (cargo run --release -q -p ample-xtask -- threads)
  spin-random --seeds A..B [--usual] [--statements N] [--processes N] [--depth N] [--fresh] [--no-shrink] [--show]
                                        compare random models with Spin (needs `spin` and `gcc`; `tcc` is faster): models that look
                                        at the whole state, every third with a claim that Spin writes, or the usual ones;
                                        --show prints them instead
  spin-table                            ask Spin about every expression of the whole state in every place, and keep its answers
  soak [--ahead | --predicates] --seeds A..B [--fair] [--under | --reduce] [--whole] | --exhaustive [--fresh]
                                        compare plans with the full search, on random models with random formulas (with --whole,
                                        models that look at the whole state) or on all models of two processes and a bit; with
                                        --ahead: what covers states or computes their classes, by the relations that it declares
                                        and by its answers; build with --release
                                        (cargo run --release -q -p ample-xtask -- soak --seeds 0..10000)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (task, rest) = match arguments.split_first() {
        Some((task, rest)) => (task.as_str(), rest),
        None => ("", &[][..]),
    };
    let done = match task {
        "tidy" if rest.is_empty() => run_tidy(),
        "code-share" => code_share::run(rest),
        "corpus" => corpus::run(rest),
        "interrupt" => interrupt::run(rest),
        "keys" => keys::run(rest),
        "same" => same::run(rest),
        "threads" => threads::run(rest),
        "soak" => soak::run(rest),
        "spin-random" => spin_random::run(rest),
        "spin-table" => spin_table::run(rest),
        _ => Err(anyhow::anyhow!("{USAGE}")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run_tidy() -> anyhow::Result<bool> {
    let findings = tidy::check(&workspace_root())?;
    for finding in &findings {
        println!("{finding}");
    }
    println!("{} findings", findings.len());
    Ok(findings.is_empty())
}
