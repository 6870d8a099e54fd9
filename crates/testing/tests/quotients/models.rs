//! Models of the project and by other people: where a canonizer applies, every verdict is that of
//! the full search, and its law holds on the small ones.

use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{Prepared, Verdict};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_testing::{corpus, explore};
use ample_transition::Canonizer;

use super::{ask, law, reachable, with_canonizer};

const ENDINGS: [&str; 4] = ["pml", "prm", "promela", "dve"];

/// Larger models are left out.
const MOST_STATES: usize = 20_000;

const NAMES: &[&str] = &["linear"];

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
        if names.is_empty() || reachable(&packed, MOST_STATES).is_none() {
            continue;
        }
        models += 1;
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let named = loaded.properties.iter().map(|property| property.name.as_str());
        for name in names {
            let by_force = |canonizer: &dyn Canonizer| law(&packed, canonizer, &[], 3_000);
            println!("{} {name}: {:?}", path.display(), with_canonizer(&packed, &[], name, by_force));
            for question in std::iter::once("safety").chain(named.clone()) {
                let Ok(full) = ask(&prepared, question, "none") else { continue };
                for reduce in [name.to_string(), format!("{name},por"), format!("{name},dead,merge")] {
                    let Ok(reduced) = ask(&prepared, question, &reduce) else { continue };
                    assert_eq!(reduced.verdict, full.verdict, "{} {question} {reduce}", path.display());
                    answers += usize::from(full.verdict != Verdict::Unknown);
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
    let (models, answers) = compare(&paths);
    assert!(models > 0 && answers > 0);
}
