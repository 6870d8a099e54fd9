//! Models of the project and by other people: where values dominate others, everything is found
//! that the full search finds, and the law holds on the small ones.

use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{Prepared, Verdict};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_testing::{corpus, explore, workspace_root};

use super::{agrees, ask, law, load, options, with_cover};

const ENDINGS: [&str; 5] = ["pml", "prm", "promela", "dve", "gcl"];

/// Larger models are left out: those with more states than `AMPLE_COVER_STATES` says.
fn most_states() -> usize {
    let said = std::env::var("AMPLE_COVER_STATES").ok();
    said.map_or(2_000, |said| said.parse().expect("AMPLE_COVER_STATES is a number"))
}

/// Adds the models below a folder.
fn add_models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            add_models(&path, found);
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known)) {
            found.push(path);
        }
    }
}

/// How many models something was found in, and how many answers were compared.
fn compare(paths: &[PathBuf]) -> (usize, usize) {
    let (mut models, mut answers) = (0, 0);
    for path in paths {
        let Ok(loaded) = explore::load_file(path) else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let Ok(packed) = Packed::new(&interpreter) else { continue };
        let Ok(pairs) = with_cover(&packed, &[], |cover| law(&packed, cover, &[], most_states())) else { continue };
        models += 1;
        println!("{}: {pairs:?} pairs", path.display());
        if pairs.is_some() {
            answers += agrees(&loaded, "dominate", &[("bfs", 1), ("dfs", 1)]).0;
        }
    }
    println!("{models} models, {answers} answers");
    (models, answers)
}

/// Four jobs, three machines, discrete time: one state in ten, or less.
#[test]
fn a_job_shop() {
    let text = fs::read_to_string(workspace_root().join("examples/job-shop.gcl")).expect("it is there");
    let loaded = load("job-shop.gcl", &text);
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let states = |reduce: &str, order: &str| {
        let outcome = ask(&prepared, "clash", options(reduce, order, 1)).expect("it is answered");
        assert_eq!(outcome.verdict, Verdict::Holds);
        let counts = outcome.properties.first().expect("it was asked for").counts;
        println!("{reduce} {order}: {counts:?}, {} stored", counts.stored());
        counts.states
    };
    let (full, breadth, depth) = (states("none", "bfs"), states("dominate", "bfs"), states("dominate", "dfs"));
    assert_eq!(full, 211_558);
    assert!(breadth * 10 <= full && breadth <= depth, "{breadth} breadth first, {depth} depth first, of {full}");
}

#[test]
fn models_of_the_project() {
    let (models, answers) = compare(&explore::models_of_the_project().expect("they are there"));
    assert!(models > 0 && answers > 0);
}

#[test]
fn models_of_the_corpus() {
    let Some(folder) = corpus::folder() else {
        println!("no corpus beside the checkout and none named by AMPLE_CORPUS: skipped");
        return;
    };
    let mut paths = Vec::new();
    for language in ["promela", "dve"] {
        add_models(&folder.join(language), &mut paths);
    }
    paths.sort();
    let step = if std::env::var("AMPLE_COVER_STATES").is_ok() { 1 } else { 8 };
    let paths: Vec<PathBuf> = paths.into_iter().step_by(step).collect();
    let (models, answers) = compare(&paths);
    assert!(models > 0 && answers > 0);
}
