//! How long a successor takes, everything outside the store included, and how long a model takes to
//! compile.
//!
//! `cargo bench -p ample-jit`. The figures of one run can be compared, those of two runs only if
//! nothing else ran.

use std::collections::HashSet;
use std::path::Path;

use ample_frontends::{LoadOptions, Loaded, load_file};
use ample_interpret::Interpreter;
use ample_jit::Compiled;
use ample_transition::{SuccessorBuffer, Successors};
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Models without and with atomic sequences and rendezvous.
const MODELS: &[&str] = &["peterson", "go-back-n", "elevator", "bakery", "leader", "readers-writers"];

/// The first so many states are expanded.
const MAX_STATES: usize = 20_000;

fn load(name: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).with_extension("pml");
    load_file(&path, &LoadOptions::default()).unwrap_or_else(|_| panic!("{} is an example", path.display()))
}

fn states(system: &dyn Successors) -> Vec<Vec<u8>> {
    let initial = system.initial().expect("the examples start");
    let (mut seen, mut states) = (HashSet::from([initial.clone()]), vec![initial]);
    let (mut buffer, mut next) = (SuccessorBuffer::new(), 0);
    while next < states.len() && states.len() < MAX_STATES {
        buffer.clear();
        system.expand_all(&states[next], &mut buffer);
        next += 1;
        for state in buffer.iter().filter_map(|successor| successor.state) {
            if seen.insert(state.to_vec()) {
                states.push(state.to_vec());
            }
        }
    }
    states
}

/// Expands all states; the sum keeps what is computed from being left out.
fn expand(system: &dyn Successors, states: &[Vec<u8>], buffer: &mut SuccessorBuffer) -> (usize, usize) {
    let (mut count, mut sum) = (0, 0);
    for state in states {
        buffer.clear();
        system.expand_all(state, buffer);
        count += buffer.len();
        sum += buffer.iter().filter_map(|successor| successor.state).map(|state| usize::from(state[0])).sum::<usize>();
    }
    (count, sum)
}

#[divan::bench(args = MODELS)]
fn successors(bencher: divan::Bencher<'_, '_>, name: &str) {
    let loaded = load(name);
    let interpreter = Interpreter::new(&loaded.model);
    let compiled = Compiled::new(&interpreter).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    let states = states(&compiled);
    let mut buffer = SuccessorBuffer::new();
    let (count, _) = expand(&compiled, &states, &mut buffer);
    bencher.counter(ItemsCount::new(count)).bench_local(|| expand(&compiled, &states, &mut buffer));
}

#[divan::bench(args = MODELS)]
fn compile(bencher: divan::Bencher<'_, '_>, name: &str) {
    let loaded = load(name);
    let interpreter = Interpreter::new(&loaded.model);
    bencher.bench_local(|| Compiled::new(&interpreter).is_ok());
}
