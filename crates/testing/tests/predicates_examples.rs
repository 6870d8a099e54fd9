//! The programs in `examples/predicates` are settled by predicates, or not, as their headers say.

use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{
    Abstracted, Choice, Job, LOOPS, Options, Pick, Predicates, Prepared, PropertyOutcome, Under, Verdict, check,
};
use ample_frontends::LoadOptions;
use ample_interpret::Interpreter;
use ample_testing::header::{self, ByPredicates};
use ample_testing::workspace_root;

fn programs() -> Vec<PathBuf> {
    let folder = workspace_root().join("examples/predicates");
    let entries = fs::read_dir(folder).expect("the examples are readable");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the examples are readable").path()).collect();
    paths.sort();
    paths
}

fn asked(path: &Path, abstracted: &[String], expected: &ByPredicates) -> PropertyOutcome {
    let loaded = ample_frontends::load_file(path, &LoadOptions::default()).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).expect("it can be searched");
    let abstracted = match abstracted {
        [] => Abstracted::Unbounded,
        names => Abstracted::Named(names.to_vec()),
    };
    let options = Options {
        under: Some(Under { name: "predicates".to_owned(), pick: Pick::Guided, begin: None }),
        predicates: Predicates { abstracted, ..Predicates::default() },
        max_rounds: (expected.verdict == "unknown").then_some(expected.rounds as u64),
        ..Options::default()
    };
    let select = vec![expected.property.clone()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    check(job).expect("an answer").properties.remove(0)
}

#[test]
fn programs_are_settled_as_their_headers_say() {
    let (mut wrong, mut right, mut violated) = (Vec::new(), 0, 0);
    for path in programs() {
        let header = header::read(&fs::read_to_string(&path).expect("the examples are readable"));
        assert!(!header.predicates.is_empty(), "{}: no `predicates: NAME VERDICT rounds: N`", path.display());
        for expected in &header.predicates {
            let found = asked(&path, &header.abstracted, expected);
            let rounds = found.refinement.len();
            if (found.verdict.name(), rounds) != (&expected.verdict, expected.rounds) {
                let (name, verdict) = (path.display(), found.verdict.name());
                wrong.push(format!("{name}: {} is {verdict} in {rounds} rounds", expected.property));
            }
            // What is finite has few classes.
            let few =
                header.depth.is_some() || header.counts.is_some_and(|counts| found.counts.states * 10 <= counts.0);
            assert!(few, "{}: {} states of {:?}", path.display(), found.counts.states, header.counts);
            violated += usize::from(found.verdict == Verdict::Violated);
            right += usize::from(found.verdict == Verdict::Holds);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(violated >= 10 && right >= 15, "{violated} {right}");
}
