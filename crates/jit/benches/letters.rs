//! How long the letter of a state takes: as machine code, and by the interpreter; and how long
//! propositions take to compile.
//!
//! `cargo bench -p ample-jit --bench letters`. The figures of one run can be compared, those of two
//! runs only if nothing else ran.

use std::collections::HashSet;
use std::path::Path;

use ample_frontends::{LoadOptions, Loaded, load_file};
use ample_interpret::Interpreter;
use ample_jit::Compiled;
use ample_model::Expr;
use ample_property::{PropertyKind, number_propositions};
use ample_transition::{SuccessorBuffer, Successors};
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Models whose first property is a formula.
const MODELS: &[&str] = &["peterson", "elevator", "commit", "leader", "readers-writers", "trains"];

/// So many states are read.
const MAX_STATES: usize = 2_000;

fn load(name: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scale").join(name).with_extension("pml");
    load_file(&path, &LoadOptions::default()).unwrap_or_else(|_| panic!("{} is an example", path.display()))
}

fn propositions(loaded: &Loaded) -> Vec<Expr> {
    let Some(PropertyKind::Ltl(formula)) = loaded.properties.first().map(|property| &property.kind) else {
        panic!("the first property is a formula");
    };
    number_propositions(formula).expect("it is short").1
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

#[divan::bench(args = MODELS)]
fn machine_code(bencher: divan::Bencher<'_, '_>, name: &str) {
    let loaded = load(name);
    let interpreter = Interpreter::new(&loaded.model);
    let compiled = Compiled::new(&interpreter).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    let code = compiled.propositions(&propositions(&loaded)).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    let states = states(&compiled);
    let sum = || states.iter().filter_map(|state| code.letter(state)).fold(0, u64::wrapping_add);
    bencher.counter(ItemsCount::new(states.len())).bench_local(sum);
}

#[divan::bench(args = MODELS)]
fn interpreted(bencher: divan::Bencher<'_, '_>, name: &str) {
    let loaded = load(name);
    let interpreter = Interpreter::new(&loaded.model);
    let compiled = Compiled::new(&interpreter).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    let (propositions, states) = (propositions(&loaded), states(&compiled));
    let trues = |state: &Vec<u8>| {
        let unpacked = compiled.unpack(state);
        propositions.iter().filter(|expr| interpreter.holds(&unpacked, expr).unwrap_or(false)).count()
    };
    bencher.counter(ItemsCount::new(states.len())).bench_local(|| states.iter().map(trues).sum::<usize>());
}

#[divan::bench(args = MODELS)]
fn compile(bencher: divan::Bencher<'_, '_>, name: &str) {
    let loaded = load(name);
    let interpreter = Interpreter::new(&loaded.model);
    let compiled = Compiled::new(&interpreter).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    let propositions = propositions(&loaded);
    bencher.bench_local(|| compiled.propositions(&propositions).is_ok());
}
