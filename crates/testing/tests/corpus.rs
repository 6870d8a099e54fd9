//! The corpus: models by other people, with Spin's answers. One test a model; larger ones are for
//! `cargo xtask corpus --all`.
//!
//! Every model that Spin accepts and that has no embedded C is accepted, and the safety verdict
//! agrees. Where Spin's complete search can be compared, states and transitions are equal. What
//! differs is in `corpus-differences.txt`, with the reason, and what is there must differ.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ample_testing::corpus::{self, Entry};
use ample_testing::corpus_check::{self, Comparison};
use libtest_mimic::{Arguments, Failed, Trial};

/// Models with more states in Spin's complete search are left to the release build.
const MOST_STATES: u64 = 100_000;

#[derive(Default)]
struct Tally {
    exact: AtomicUsize,
    listed: AtomicUsize,
    rest: AtomicUsize,
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = arguments.test_threads.or(Some(2));
    let Some(folder) = corpus::folder() else {
        println!("\nno corpus beside the checkout and none named by AMPLE_CORPUS: nothing to compare with, skipped\n");
        return ExitCode::SUCCESS;
    };
    let entries = match corpus::promela(&folder) {
        Ok(entries) => entries,
        Err(error) => {
            eprintln!("the corpus in {} cannot be read: {error}", folder.display());
            return ExitCode::FAILURE;
        }
    };
    let tally = Arc::new(Tally::default());
    let mut trials = vec![table_is_current(&entries)];
    for entry in entries.into_iter().filter(is_small) {
        let tally = Arc::clone(&tally);
        trials.push(Trial::test(entry.name.clone(), move || check(&entry, &tally)));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    let (exact, listed, rest) = (count(&tally.exact), count(&tally.listed), count(&tally.rest));
    println!("{exact} with equal counts, {listed} listed as different, {rest} without counts to compare");
    conclusion.exit_code()
}

/// Whether the dev build can afford it: rejected, or complete with few states.
fn is_small(entry: &Entry) -> bool {
    !entry.accepted || entry.c_code || entry.full.as_ref().is_some_and(|full| full.states <= MOST_STATES)
}

fn check(entry: &Entry, tally: &Tally) -> Result<(), Failed> {
    let counter = match corpus_check::check(entry).comparison {
        Comparison::Exact => &tally.exact,
        Comparison::Listed(_) => &tally.listed,
        Comparison::Differs(reason) => return Err(reason.into()),
        Comparison::Verdict | Comparison::Bounded | Comparison::Rejected => &tally.rest,
    };
    counter.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Every model in the table of differences is one of the corpus.
fn table_is_current(entries: &[Entry]) -> Trial {
    let is_unknown = |name: &&&str| !entries.iter().any(|entry| entry.name == **name);
    let unknown: Vec<&str> = corpus_check::listed().iter().filter(is_unknown).copied().collect();
    let unknown = unknown.join(", ");
    Trial::test("corpus-differences.txt names models of the corpus", move || match unknown.is_empty() {
        true => Ok(()),
        false => Err(format!("not in the corpus: {unknown}").into()),
    })
}
