//! Every state of the project's models is read back from its key.

use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_testing::explore::{load_file, load_text, messages, models_of_the_project};
use ample_testing::keys::{Limits, read_back};
use ample_transition::Successors;

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

/// Every state of a model that is written for its size, up to a limit, is read back from its key.
/// Gives how long its states are.
fn read_back_text(text: &str) -> usize {
    let loaded = load_text(text).map_err(|failure| messages(&failure)).expect("the model is read");
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its states have a fixed length");
    let tally = read_back(&packed, Limits { states: 20_000, moves: 1_000_000 }).expect("keys lead back");
    assert!(tally.states > 10_000, "{} states", tally.states);
    packed.initial().expect("there is an initial state").len()
}

#[test]
fn sixty_four_processes() {
    let len = read_back_text(
        "byte turn;
         active [64] proctype P() { byte x; int y; do :: x < 3 -> x++; y = y + _pid :: turn == _pid -> turn = 1 + _pid % 63; x = 0 od }",
    );
    assert!(len > 256, "{len} bytes");
}

#[test]
fn forty_channels() {
    let len = read_back_text(
        "chan c[40] = [3] of { byte, short };
         active proctype S() { byte i, n; do :: atomic { nfull(c[i]) -> c[i] ! n, i; n++; i = (i + 7) % 40 } :: i = (i + 3) % 40 od }
         active proctype R() { byte i, x; short y; do :: atomic { nempty(c[i]) -> c[i] ? x, y } :: i = (i + 1) % 40 od }",
    );
    assert!(len > 256, "{len} bytes");
}

#[test]
fn messages_of_twenty_fields() {
    let fields = ["int"; 20].join(", ");
    let sent: Vec<String> = (0..20).map(|field| format!("n + {field}")).collect();
    let received = vec!["x"; 20].join(", ");
    let len = read_back_text(&format!(
        "chan c = [8] of {{ {fields} }};
         active [3] proctype S() {{ byte n; do :: c ! {}; n = n + 1 + _pid od }}
         active [2] proctype R() {{ int x; do :: c ? {received} od }}",
        sent.join(", "),
    ));
    assert!(len > 256, "{len} bytes");
}

#[test]
fn a_counter_in_long_states() {
    let len = read_back_text(
        "int count, other; int many[100];
         active proctype P() {
             do :: count = count + 1; many[count % 100] = count * 3
                :: count > 0 -> count = 0; other = (other + 1) % 5
                :: count > 0 -> atomic { count = count / 2; many[7] = other }
             od
         }",
    );
    assert!(len > 256, "{len} bytes");
}
