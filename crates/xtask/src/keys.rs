//! Every state of every model of the corpus, read back from its key. Resumable: what is done is not
//! done again.

use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_testing::corpus::Entry;
use ample_testing::explore;
use ample_testing::keys::read_back;

use crate::resumable;

/// Models with more states are looked at as far as this.
const MOST: usize = 100_000;

/// Runs the models; false if a key leads elsewhere.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    resumable::each_promela_model(arguments, "keys-results.txt", row)
}

fn row(entry: &Entry) -> String {
    let Ok(loaded) = explore::load_file(&entry.path) else { return "rejected".to_owned() };
    let interpreter = Interpreter::new(&loaded.model);
    let found = match Packed::new(&interpreter) {
        Ok(packed) => read_back(&packed, MOST),
        Err(_) => read_back(&interpreter, MOST),
    };
    match found {
        Ok(tally) => format!("all: {} states, {} new layouts", tally.states, tally.relayouts),
        Err(what) => format!("DIFFERS: {what}"),
    }
}
