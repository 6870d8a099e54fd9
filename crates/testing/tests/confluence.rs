//! Confluent transitions, alone and in chains, and sets that are taken together: the same verdicts
//! and the same faults as the full search, on models that were made for it, on those of the project
//! and on the corpus.
//!
//! Of the corpus every eighth model is taken, if it is small. `AMPLE_CONFLUENCE_STATES=N` takes all
//! that have no more states.

use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{Choice, Job, LOOPS, Options, Outcome, Prepared, Reduce, check};
use ample_frontends::{Loaded, load_file};
use ample_guarantee::PartKind;
use ample_interpret::Interpreter;
use ample_search::StopAt;
use ample_testing::plans::{AUTO, Comparison, Plan, SAFETY, Tally};
use ample_testing::{corpus, explore, workspace_root};
use ample_transition::Move;

/// Models with more states are left out.
const MAX_STATES: u64 = 3_000;

/// One in so many models of the corpus is taken if nothing is said.
const STEP_OF_CORPUS: usize = 8;

const NAMES: [&str; 3] = ["confluent", "confluent-chain", "simultaneous"];

/// Each of them: with the cycle condition of the planner, and with the one for formulas, in two
/// orders.
fn plans() -> impl Iterator<Item = Plan> {
    let ways = [(AUTO, AUTO, 1), ("sticky", "dfs", 1), ("sticky", "blocks", 2)];
    let plan = move |por| {
        ways.map(|(condition, order, threads)| Plan { por, condition, order, threads: Some(threads), ..Plan::FULL })
    };
    NAMES.into_iter().flat_map(plan)
}

/// Compares everything that can be asked about a model.
fn compare(name: &str, loaded: &Loaded, max_states: u64, tally: &mut Tally) -> Result<(), String> {
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    if prepared.system().reducible.is_none() {
        return Ok(());
    }
    let named = loaded.properties.iter().map(|property| property.name.as_str());
    for question in [SAFETY].into_iter().chain(named) {
        let mut comparison = Comparison::new(&prepared, question, max_states);
        for plan in plans() {
            let plan = if question == SAFETY { plan } else { Plan { order: AUTO, threads: Some(1), ..plan } };
            comparison.compare(&plan, tally).map_err(|what| format!("{name}: {what}"))?;
        }
    }
    Ok(())
}

/// The models below a folder, in a definite order.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let is_model =
            |ending: &std::ffi::OsStr| ["pml", "prm", "promela", "dve", "gcl"].iter().any(|one| ending == *one);
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(is_model) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn compare_all(paths: &[PathBuf], max_states: u64) -> Tally {
    let mut tally = Tally::default();
    let mut differing = Vec::new();
    for path in paths {
        let Ok(loaded) = load_file(path, &ample_frontends::LoadOptions::default()) else { continue };
        differing.extend(compare(&path.display().to_string(), &loaded, max_states, &mut tally).err());
    }
    println!("{} models\n{tally}", paths.len());
    assert!(differing.is_empty(), "{} models differ: {}", differing.len(), differing.join("\n"));
    tally
}

#[test]
fn the_projects_models_have_the_same_faults() {
    let root = workspace_root();
    let paths = [models(&root.join("examples")), models(&root.join("crates/testing/models"))].concat();
    let tally = compare_all(&paths, MAX_STATES);
    let safety = tally.about("safety");
    assert!(safety.compared > 500 && safety.smaller > 100 && safety.violated > 50, "{tally}");
}

#[test]
fn the_corpus_has_the_same_faults() {
    let Some(folder) = corpus::folder() else {
        println!("no corpus beside the checkout and none named by AMPLE_CORPUS: skipped");
        return;
    };
    let most = std::env::var("AMPLE_CONFLUENCE_STATES").ok().and_then(|most| most.parse().ok());
    let paths = [models(&folder.join("promela")), models(&folder.join("dve"))].concat();
    let some: Vec<PathBuf> = paths.iter().step_by(if most.is_some() { 1 } else { STEP_OF_CORPUS }).cloned().collect();
    let tally = compare_all(&some, most.unwrap_or(MAX_STATES / 3));
    let safety = tally.about("safety");
    assert!(safety.compared > 100 && safety.smaller > 50 && safety.violated > 20, "{tally}");
}

fn ask(text: &str, por: &str) -> Outcome {
    let loaded = explore::load_text(text).unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)));
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let options = Options {
        por: Choice::parse(por),
        reduce: Reduce::parse("por"),
        threads: Some(1),
        stop_at: StopAt::End,
        ..Options::default()
    };
    let job = Job { system: prepared.system(), select: vec![SAFETY.to_owned()], options, loops: LOOPS, progress: None };
    check(job).unwrap_or_else(|error| panic!("{por}: {error}"))
}

/// What goes wrong in one process does not hide what goes wrong in another one, whichever of the
/// combinations it is in.
#[test]
fn of_processes_that_move_together_each_fails() {
    let fails = |name: &str| {
        format!(
            "active proctype {name}() {{ byte own; if :: own = 1 :: own = 2 fi; assert(own == 1); own = 3; assert(own == 4) }}\n"
        )
    };
    let text = fails("A") + &fails("B") + &fails("C");
    for por in NAMES {
        let outcome = ask(&text, por);
        let found = &outcome.properties[0].violations;
        let mut places: Vec<_> =
            found.iter().map(|violation| (violation.fault.kind.name(), violation.fault.span)).collect();
        places.sort_by_key(|(kind, span)| (*kind, format!("{span:?}")));
        places.dedup();
        assert_eq!(places.len(), 6, "{por}: {places:?}");
    }
}

/// A trace has every move, those of states that were passed included, and each as a transition of
/// the model as written.
#[test]
fn traces_have_every_move() {
    let text = "byte x; chan c = [1] of { byte };
        active proctype A() { byte own; own = 1; own = 2; c!own; own = 3 }
        active proctype B() { byte own; own = 1; own = 2; c?own; x = own; own = 3; assert(x == 1) }";
    for por in NAMES {
        let outcome = ask(text, por);
        let violation = &outcome.properties[0].violations[0];
        let moves = &violation.trace.transitions;
        assert!(moves.iter().all(|transition| transition.len() == 1), "{por}: {moves:?}");
        let of = |process: u16| moves.iter().flatten().filter(|Move { process: by, .. }| *by == process).count();
        assert!(of(0) >= 3 && of(1) == 6, "{por}: {moves:?}");
    }
}

/// Those whose transitions are joined leave nothing to a cycle condition that looks at the search.
#[test]
fn what_does_not_go_together_is_refused() {
    let text = "byte x; active proctype A() { x = 1 }";
    let loaded = explore::load_text(text).unwrap_or_else(|failure| panic!("{}", explore::messages(&failure)));
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    for por in &NAMES[1..] {
        let refused = |condition: &str, reduce: &str, order: &str| {
            let options = Options {
                por: Choice::parse(por),
                reduce: Reduce::parse(reduce),
                cycle_condition: Choice::parse(condition),
                order: Choice::parse(order),
                ..Options::default()
            };
            let select = vec!["end-states".to_owned()];
            check(Job { system: prepared.system(), select, options, loops: LOOPS, progress: None })
                .err()
                .map(|error| error.to_string())
        };
        for condition in ["new", "open", "closed", "stack"] {
            let why = refused(condition, "por", "dfs").unwrap_or_default();
            assert!(why.contains(&format!("--proviso {condition} does not go with --por {por}")), "{why}");
        }
        let why = refused(AUTO, "por,sleep", "dfs").unwrap_or_default();
        assert!(why.contains(&format!("`{por}` and `sleep` cannot be used together")), "{why}");
        assert_eq!(refused("none", "por", "dfs").is_some(), *por == "confluent-chain");
        assert_eq!(refused(AUTO, "por", "dfs"), None);
    }
    let parts = ample_check::parts().filter(|part| part.kind == PartKind::Expander);
    assert_eq!(parts.filter(|part| NAMES.contains(&part.name)).count(), NAMES.len());
}
