//! Models of the project and by other people: where a canonizer applies, every verdict is that of
//! the full search, and its law holds on the small ones.

use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{Options, Prepared, Verdict};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_search::{Limits, StopAt};
use ample_testing::{corpus, explore};
use ample_transition::Canonizer;

use super::{ask_with, law, options, with_canonizer};

const ENDINGS: [&str; 4] = ["pml", "prm", "promela", "dve"];

/// Larger models are left out: those with more states than `AMPLE_QUOTIENT_STATES` says. Unless it
/// says something, so are three of four models of the corpus.
const MOST_STATES: u64 = 500;

fn most_states() -> u64 {
    said_states().unwrap_or(MOST_STATES)
}

fn said_states() -> Option<u64> {
    let said = std::env::var("AMPLE_QUOTIENT_STATES").ok()?;
    Some(said.parse().expect("AMPLE_QUOTIENT_STATES is a number"))
}

fn limited(reduce: &str) -> Options {
    let limits = Limits { max_states: Some(most_states()), ..Limits::default() };
    Options { limits, ..options(reduce) }
}

const NAMES: &[&str] = &["values", "linear"];

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

/// How many models and answers were compared.
fn compare(paths: &[PathBuf]) -> (usize, usize) {
    let (mut models, mut answers) = (0, 0);
    for path in paths {
        let Ok(loaded) = explore::load_file(path) else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let Ok(packed) = Packed::new(&interpreter) else { continue };
        let applies = |name: &&&str| with_canonizer(&packed, &[], name, |_| ()).is_ok();
        let names: Vec<&&str> = NAMES.iter().filter(applies).collect();
        if names.is_empty() {
            continue;
        }
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let whole = Options { stop_at: StopAt::End, ..limited("none") };
        if ask_with(&prepared, "safety", whole).is_ok_and(|outcome| outcome.verdict == Verdict::Unknown) {
            continue;
        }
        models += 1;
        let named = loaded.properties.iter().map(|property| property.name.as_str());
        for name in names {
            let by_force = |canonizer: &dyn Canonizer| law(&packed, canonizer, &[], 3_000);
            println!("{} {name}: {:?}", path.display(), with_canonizer(&packed, &[], name, by_force));
            for question in std::iter::once("safety").chain(named.clone()) {
                let Ok(full) = ask_with(&prepared, question, limited("none")) else { continue };
                for reduce in [name.to_string(), format!("{name},por"), format!("{name},dead,merge")] {
                    let Ok(reduced) = ask_with(&prepared, question, limited(&reduce)) else { continue };
                    // Of a product there may be more states than are looked at.
                    if full.verdict != Verdict::Unknown && reduced.verdict != Verdict::Unknown {
                        assert_eq!(reduced.verdict, full.verdict, "{} {question} {reduce}", path.display());
                        answers += 1;
                    }
                }
            }
        }
    }
    println!("{models} models, {answers} answers");
    (models, answers)
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
    // To load them all and to find out all facts takes a minute.
    let step = if said_states().is_some() { 1 } else { 4 };
    let paths: Vec<PathBuf> = paths.into_iter().step_by(step).collect();
    let (models, answers) = compare(&paths);
    assert!(models > 0 && answers > 0);
}
