//! Models by other people, if the corpus is there, and of the project: where symmetry applies,
//! every verdict is that of the full search, with traces replayed, and small quotients are
//! bisimilar.

use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{Prepared, Verdict};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_testing::{corpus, explore};

use super::{EXACT, SORTED, Way, bisimilar, reachable, states, with_canonizer};

const MOST_STATES: usize = 1_000;
const MOST_COMPARED: usize = 1_000;

/// The models below a folder, in a definite order.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            found.extend(models(&path));
        } else if path
            .extension()
            .is_some_and(|ending| ["pml", "prm", "promela", "dve"].iter().any(|known| ending == *known))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What came of one model.
#[derive(Default, Debug)]
struct Counts {
    models: usize,
    answers: usize,
    violated: usize,
    bisimilar: usize,
}

fn compare(path: &Path, counts: &mut Counts) {
    let Ok(loaded) = explore::load_file(path) else { return };
    let interpreter = Interpreter::new(&loaded.model);
    let Ok(packed) = Packed::new(&interpreter) else { return };
    if packed.network.instances.len() < 2 || packed.network.is_guessed || reachable(&packed, MOST_STATES).is_none() {
        return;
    }
    let compared = with_canonizer(&packed, &[], EXACT, |canonizer| bisimilar(&packed, canonizer, &[], MOST_COMPARED));
    let Ok(compared) = compared else { return };
    println!("{}: {compared:?}", path.display());
    counts.models += 1;
    counts.bisimilar += usize::from(compared.is_some());
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let named = loaded.properties.iter().map(|property| property.name.as_str());
    for question in std::iter::once("safety").chain(named) {
        let Ok(full) = Way::of("none").ask(&prepared, question) else { continue };
        for way in [Way::of(EXACT), Way::of(SORTED), Way { por: Some("stubborn"), ..Way::of(EXACT) }] {
            let Ok(reduced) = way.ask(&prepared, question) else { continue };
            assert_eq!(reduced.verdict, full.verdict, "{} {question} {way:?}", path.display());
            assert!(full.verdict == Verdict::Violated || states(&reduced) <= states(&full), "{}", path.display());
            counts.answers += 1;
            counts.violated += usize::from(full.verdict == Verdict::Violated);
        }
    }
}

#[test]
fn verdicts_on_the_models_of_the_project() {
    let mut counts = Counts::default();
    let folder = ample_testing::workspace_root();
    models(&folder.join("examples")).iter().for_each(|path| compare(path, &mut counts));
    println!("{counts:?}");
    assert!(counts.models > 5 && counts.violated > 0, "{counts:?}");
}

#[test]
fn verdicts_on_the_corpus() {
    let Some(folder) = corpus::folder() else {
        println!("no corpus beside the checkout and none named by AMPLE_CORPUS: skipped");
        return;
    };
    let mut counts = Counts::default();
    models(&folder.join("promela")).iter().for_each(|path| compare(path, &mut counts));
    models(&folder.join("dve")).iter().for_each(|path| compare(path, &mut counts));
    println!("{counts:?}");
    assert!(counts.models > 0, "{counts:?}");
}
