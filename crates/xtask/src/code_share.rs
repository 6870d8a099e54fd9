//! How many states machine code leaves to the interpreter, model by model, and whether both agree.
//! Resumable: what is done is not done again.

use std::sync::Arc;

use ample_interpret::Interpreter;
use ample_jit::{Sizes, Uncompiled};
use ample_network::Packed;
use ample_testing::corpus::Entry;
use ample_testing::explore;
use ample_testing::machine_code::{Tally, compare};

use crate::resumable;

/// Runs the models; false if machine code and interpreter differ.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    resumable::each_promela_model(arguments, "code-share-results.txt", row)
}

fn row(entry: &Entry) -> String {
    let Ok(loaded) = explore::load_file(&entry.path) else { return "rejected".to_owned() };
    let interpreter = Interpreter::new(&loaded.model);
    let packed = match Packed::new(&interpreter) {
        Ok(packed) => packed,
        Err(reason) => return format!("not-packed: {reason}"),
    };
    if let Err(reason) = Uncompiled::new(Arc::new(packed), Sizes::default()) {
        return format!("not-compiled: {reason}");
    }
    let mut tally = Tally::default();
    if let Err(what) = compare(&loaded.model, Sizes::default(), &mut tally) {
        return format!("DIFFERS: {what}");
    }
    match tally.states - tally.by_code - tally.faulty {
        _ if tally.compiled == 0 => "not-compiled: its code could not be generated".to_owned(),
        0 => format!("all: {} states", tally.states),
        rest => {
            let why = tally.why.join(", ");
            format!("some: {rest} of {} states without a fault are interpreted: {why}", tally.states)
        }
    }
}
