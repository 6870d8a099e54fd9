//! Every state of every model of the corpus, read back from its key. Resumable: what is done is not
//! done again.

use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_testing::corpus::Entry;
use ample_testing::explore;
use ample_testing::keys::{Limits, Tally, read_back};

use crate::resumable;

/// Larger models are looked at as far as this: one transition may have thousands of moves, which
/// the interpreter makes one by one.
const LIMITS: Limits = Limits { states: 100_000, moves: 10_000_000 };

/// Runs the models; false if a key leads elsewhere.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    resumable::each_promela_model(arguments, "keys-results.txt", row)
}

fn row(entry: &Entry) -> String {
    let Ok(loaded) = explore::load_file(&entry.path) else { return "rejected".to_owned() };
    let interpreter = Interpreter::new(&loaded.model);
    let found = match Packed::new(&interpreter) {
        Ok(packed) => read_back(&packed, LIMITS),
        Err(_) => read_back(&interpreter, LIMITS),
    };
    match found {
        Ok(Tally { states, relayouts, moves }) => {
            let how_far = if moves > LIMITS.moves { "as-far-as-its-moves" } else { "all" };
            format!("{how_far}: {states} states, {relayouts} new layouts")
        }
        Err(what) => format!("DIFFERS: {what}"),
    }
}
