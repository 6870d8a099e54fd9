//! Machine code against the interpreter, transition by transition: same moves, same states, same faults, same order.
//!
//! On every model of `models/`, every example, random models and the corpus, each up to a number of states.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_jit::Compiled;
use ample_testing::random::{self, Size};
use ample_testing::{corpus, explore, workspace_root};
use ample_transition::{SuccessorBuffer, Successors};

/// Models with more states are compared on the first of them.
const MAX_STATES: usize = 1_500;

/// A few models have very many ways through their atomic sequences: they are compared for so long.
const MAX_TIME: Duration = Duration::from_secs(2);

/// How many models were compiled, and on how many states they were compared.
#[derive(Default, Debug)]
struct Tally {
    models: usize,
    compiled: usize,
    states: usize,
}

/// Compares a model, if it can be compiled.
fn compare(loaded: &Loaded, name: &str, tally: &mut Tally) {
    tally.models += 1;
    let interpreter = Interpreter::new(&loaded.model);
    let Ok(compiled) = Compiled::new(&interpreter) else { return };
    tally.compiled += 1;
    let Ok(initial) = compiled.initial() else { return };
    let started = Instant::now();
    let (mut seen, mut open) = (HashSet::from([initial.clone()]), vec![initial]);
    let (mut code, mut oracle) = (SuccessorBuffer::new(), SuccessorBuffer::new());
    while let Some(state) = open.pop() {
        tally.states += 1;
        if started.elapsed() > MAX_TIME {
            return;
        }
        code.clear();
        compiled.expand_all(&state, &mut code);
        oracle.clear();
        compiled.interpret(&state, &mut oracle);
        assert_eq!(code.len(), oracle.len(), "{name}: number of transitions from {state:?}");
        for (found, wanted) in code.iter().zip(oracle.iter()) {
            assert_eq!(found.moves, wanted.moves, "{name}: moves from {state:?}");
            assert_eq!(found.state, wanted.state, "{name}: after {:?} from {state:?}", wanted.moves);
            assert_eq!(found.faults, wanted.faults, "{name}: faults from {state:?}");
            if let Some(next) = found.state
                && seen.len() < MAX_STATES
                && seen.insert(next.to_vec())
            {
                open.push(next.to_vec());
            }
        }
    }
}

fn models_in(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder is part of the project");
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            models_in(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "pml") {
            found.push(path);
        }
    }
}

#[test]
fn models_of_the_project() {
    let mut paths = Vec::new();
    models_in(&workspace_root().join("crates/testing/models"), &mut paths);
    models_in(&workspace_root().join("examples"), &mut paths);
    paths.sort();
    let mut tally = Tally::default();
    for path in paths {
        if let Ok(loaded) = explore::load_file(&path) {
            compare(&loaded, &path.display().to_string(), &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.compiled * 2 > tally.models, "too few models are compiled: {tally:?}");
}

#[test]
fn random_models() {
    let mut tally = Tally::default();
    for seed in 0..200 {
        let text = random::model(seed, Size::default());
        let loaded = explore::load_text(&text).expect("random models are valid");
        compare(&loaded, &format!("seed {seed}:\n{text}"), &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.compiled * 5 > tally.models, "too few models are compiled: {tally:?}");
}

#[test]
fn models_of_the_corpus() {
    let Some(folder) = corpus::folder() else {
        println!("skipped: the corpus is not beside the checkout");
        return;
    };
    let mut tally = Tally::default();
    for entry in corpus::promela(&folder).expect("the corpus can be read") {
        if let Ok(loaded) = explore::load_file(&entry.path) {
            compare(&loaded, &entry.path.display().to_string(), &mut tally);
        }
    }
    println!("{tally:?}");
}
