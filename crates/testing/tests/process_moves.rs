//! The moves of each process apart: all of them are the transitions of a state, and they are the
//! same in states that agree in what they are said to depend on.
//!
//! On every model of the project, random models (`AMPLE_SEEDS=A..B` chooses the seeds) and the
//! corpus, each up to a number of states.

use ample_frontends::{FormulaText, LoadOptions, Loaded, load_text};
use ample_stdx::Random;
use ample_testing::process_moves::{self, Tally};
use ample_testing::random::{self, Size};
use ample_testing::{corpus, explore};

fn compare(loaded: &Loaded, name: &str, tally: &mut Tally) {
    if let Err(what) = process_moves::compare(&loaded.model, tally) {
        panic!("{name}: {what}");
    }
}

#[test]
fn models_of_the_project() {
    let mut tally = Tally::default();
    for path in explore::models_of_the_project().unwrap() {
        if let Ok(loaded) = explore::load_file(&path) {
            compare(&loaded, &path.display().to_string(), &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.models > 100 && tally.agreeing > 2 * tally.states, "{tally:?}");
}

#[test]
fn random_models() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let size = Size::default();
        let creating = random::creating_model(seed);
        for text in [random::model(seed, size), random::whole_state_model(seed, size), creating] {
            let loaded = explore::load_text(&text).expect("random models are valid");
            compare(&loaded, &format!("seed {seed}:\n{text}"), &mut tally);
        }
        let text = random::dve_model(seed).text;
        let loaded = load_text("random.dve", text.clone(), &LoadOptions::default());
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
        compare(&loaded, &format!("seed {seed}:\n{text}"), &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.agreeing > tally.states, "{tally:?}");
}

#[test]
fn products_of_models_of_the_project() {
    let mut tally = Tally::default();
    for path in explore::models_of_the_project().unwrap() {
        if let Ok(loaded) = explore::load_file(&path) {
            let compared = process_moves::compare_products(&loaded, &mut tally);
            compared.unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        }
    }
    println!("{tally:?}");
    assert!(tally.models > 50 && tally.agreeing > tally.states, "{tally:?}");
}

#[test]
fn products_of_random_models() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let size = Size::default();
        for text in [random::model(seed, size), random::whole_state_model(seed, size), random::creating_model(seed)] {
            let loaded = explore::load_text(&text).expect("random models are valid");
            let formula = random::formula(&loaded.model, &mut Random::new(seed));
            let formulas = vec![FormulaText { name: "it".to_owned(), text: formula.clone() }];
            let loaded = load_text("random.pml", text.clone(), &LoadOptions { formulas, ..LoadOptions::default() });
            let Ok(loaded) = loaded else { continue };
            let compared = process_moves::compare_products(&loaded, &mut tally);
            compared.unwrap_or_else(|what| panic!("seed {seed}, {formula}: {what}\n{text}"));
        }
    }
    println!("{tally:?}");
    assert!(tally.agreeing > tally.states, "{tally:?}");
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
