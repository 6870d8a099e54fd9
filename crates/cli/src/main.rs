//! `ample`: arguments, terminal, exit status. The only crate that prints and the only one that
//! exits.
//!
//! Invariants: standard output carries the answer and nothing else; everything about the run itself
//! (progress, warnings, errors) goes to standard error; a reader that goes away (`| head`) is no
//! error; a panic is an internal error with its own exit status, never a verdict.

mod advise;
mod args;
mod audit;
mod bench;
mod check;
mod choices;
mod compare;
mod ending;
mod failure;
mod files;
mod graph;
mod inspect;
mod interactive;
mod letters;
mod ltl;
mod manual;
mod model;
mod not_built;
mod output;
mod predicates;
mod progress;
mod sim;
mod traces;
mod units;
mod watch;

use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ample_stdx::{Stop, lock};

use crate::args::{Cli, Command};
use crate::failure::{Failure, Status};
use crate::output::Terminal;
use crate::watch::Watch;

/// Front ends and expressions may nest deeply; a thread with a large stack costs nothing until it
/// is used.
const STACK_BYTES: usize = 256 << 20;

/// What the last panic said and where, for the message about it.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    panic::set_hook(Box::new(|info| {
        *lock(&LAST_PANIC) = info.to_string();
    }));
    let watch = Arc::new(Watch::default());
    let (working, worker_ended) = mpsc::channel::<()>();
    let work = {
        let watch = watch.clone();
        move || {
            // Dropped at the end, also by a panic, which wakes the thread that waits.
            let _working = working;
            run(&watch)
        }
    };
    let worker = thread::Builder::new().name("ample".to_owned()).stack_size(STACK_BYTES).spawn(work);
    let status = match worker {
        Ok(worker) => wait(worker, &worker_ended, &watch),
        // No thread, no large stack: most models do not need one.
        Err(_) => panic::catch_unwind(|| run(&Watch::default())).unwrap_or_else(|_| report_panic()),
    };
    ExitCode::from(status.code())
}

/// Waits for the end of the work, or of the patience with it.
fn wait(worker: JoinHandle<Status>, worker_ended: &mpsc::Receiver<()>, watch: &Watch) -> Status {
    while worker_ended.recv_timeout(watch::INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if let Some(status) = watch.give_up() {
            return status;
        }
    }
    worker.join().unwrap_or_else(|_| report_panic())
}

fn report_panic() -> Status {
    let what = lock(&LAST_PANIC).clone();
    Failure::Internal(what).report(&Terminal::default())
}

fn run(watch: &Watch) -> Status {
    let started = Instant::now();
    let (cli, terminal) = match args::parse(std::env::args_os()) {
        Ok(Cli { command, color }) => (command, Terminal::new(color)),
        Err(status) => return status,
    };
    let (result, terminal) = match cli {
        Command::Check(options) => {
            let terminal = Terminal { json: options.json, ..terminal };
            let deadline = options.limits.max_time.and_then(|time| started.checked_add(time));
            let stop = Stop::new(interruption(), deadline);
            watch.begin(&stop, options.limits.max_time, &terminal);
            (check::run(&options, &terminal, &stop, watch), terminal)
        }
        Command::Sim(options) => (sim::run(&options, &terminal), terminal),
        Command::Graph(options) => (graph::run(&options, &terminal, watched(watch, &terminal)), terminal),
        Command::Inspect(options) => {
            let terminal = Terminal { json: options.json, ..terminal };
            (inspect::run(&options, &terminal), terminal)
        }
        Command::Ltl(options) => {
            let terminal = Terminal { json: options.json, ..terminal };
            (ltl::run(&options, &terminal), terminal)
        }
        Command::Audit(options) => {
            let terminal = Terminal { json: options.json, ..terminal };
            (audit::run(&options, &terminal, watched(watch, &terminal)), terminal)
        }
        Command::Advise(options) => {
            let terminal = Terminal { json: options.json, ..terminal };
            (advise::run(&options, &terminal, interruption(), watch), terminal)
        }
        Command::Compare(options) => {
            let terminal = Terminal { json: options.json, ..terminal };
            (compare::run(&options, &terminal, watched(watch, &terminal)), terminal)
        }
        Command::Bench(options) => {
            let terminal = Terminal { json: options.json, ..terminal };
            (bench::run(&options, &terminal), terminal)
        }
        Command::Completions(options) => (manual::completions(&options), terminal),
        Command::Man(options) => (manual::page(&options), terminal),
    };
    let status = result.unwrap_or_else(|failure| failure.report(&terminal));
    // An answer that could not be written is none.
    if output::has_failed() { Status::Bad } else { status }
}

/// Two interruptions closer to each other than this are one: some programs signal a process and
/// then its group.
const ONE_INTERRUPTION: Duration = Duration::from_millis(300);

/// A flag that Ctrl-C sets, for work whose time is not limited; whether it looks at it is watched.
fn watched(watch: &Watch, terminal: &Terminal) -> Arc<AtomicBool> {
    let interrupt = interruption();
    watch.begin(&Stop::new(interrupt.clone(), None), None, terminal);
    interrupt
}

/// A flag that Ctrl-C sets, for the search to see. The second Ctrl-C does not wait for anything.
fn interruption() -> Arc<AtomicBool> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = interrupt.clone();
    let mut first: Option<Instant> = None;
    // Where no handler can be installed, Ctrl-C ends the process as ever.
    let _ = ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ONE_INTERRUPTION {
            std::process::exit(130);
        }
    });
    interrupt
}
