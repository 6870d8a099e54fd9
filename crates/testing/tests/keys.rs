//! Every state of the project's models is read back from its key.

use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_testing::explore::{load_file, models_of_the_project};
use ample_testing::keys::{Limits, read_back};

/// Larger models are looked at as far as this.
const LIMITS: Limits = Limits { states: 2_000, moves: 1_000_000 };

#[test]
fn keys_lead_back_to_every_state() {
    let (mut states, mut differ) = (0, Vec::new());
    for path in models_of_the_project().expect("the models can be listed") {
        let Ok(loaded) = load_file(&path) else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let found = match Packed::new(&interpreter) {
            Ok(packed) => read_back(&packed, LIMITS),
            Err(_) => read_back(&interpreter, LIMITS),
        };
        match found {
            Ok(tally) => states += tally.states,
            Err(what) => differ.push(format!("{}: {what}", path.display())),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(states > 50_000, "{states} states only");
}
