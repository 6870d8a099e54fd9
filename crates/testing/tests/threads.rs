//! States and transitions do not depend on threads, order, store or machine code: every model of
//! `models/` and the examples.
//!
//! `cargo xtask threads` does the same for the corpus.

use std::fs;
use std::path::{Path, PathBuf};

use ample_testing::threads::{Agreement, Effort, THREADS, compare};
use ample_testing::{explore, workspace_root};

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
}

fn all_agree(folder: &str, least: usize, effort: &Effort) {
    let mut paths = Vec::new();
    models(&workspace_root().join(folder), &mut paths);
    let (mut agree, mut compiled_models, mut differ) = (0, 0, Vec::new());
    for path in &paths {
        let Ok(loaded) = explore::load_file(path) else { continue };
        match compare(&loaded, effort) {
            Agreement::Agrees { searches, compiled, .. } => {
                assert!(searches >= 2 * THREADS.len());
                agree += 1;
                compiled_models += usize::from(compiled);
            }
            Agreement::TooLarge => {}
            Agreement::OutOfTime(what) | Agreement::Differs(what) => differ.push(format!("{}: {what}", path.display())),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(
        agree >= least && compiled_models >= least / 2,
        "{agree} of {} agree, {compiled_models} compiled",
        paths.len()
    );
}

#[test]
fn models_have_the_same_counts_on_every_number_of_threads() {
    let effort = Effort { max_states: 10_000, max_time: None, small: 10_000, runs: 10 };
    all_agree("crates/testing/models", 400, &effort);
}

#[test]
fn examples_have_the_same_counts_on_every_number_of_threads() {
    let effort = Effort { max_states: 20_000, max_time: None, small: 1_000, runs: 10 };
    all_agree("examples", 10, &effort);
}
