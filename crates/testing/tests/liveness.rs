//! Properties of endless runs, against Spin's answers on the corpus: formulas, never claims, acceptance and progress labels.
//!
//! Each violation was replayed before it gets here. Models whose product has more states in Spin's search are left out: the dev build
//! cannot afford them.

use std::time::Duration;

use ample_check::{CheckError, Choice, Job, Options, Prepared, Verdict, check};
use ample_interpret::Interpreter;
use ample_search::Limits;
use ample_testing::corpus::{self, Endless, Entry};
use ample_testing::explore;

const MOST_STATES: u64 = 30_000;
/// A search that takes longer is counted as not settled, and does not fail.
const PATIENCE: Duration = Duration::from_secs(20);

/// Our answer, with the way of execution that is asked for; `None` if there is no such property, as in a part that is left out.
fn answer(entry: &Entry, asked: &Endless, execution: &str) -> Option<Verdict> {
    let loaded = explore::load_file(&entry.path).map_err(|failure| explore::messages(&failure)).unwrap();
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::parse(execution)).unwrap();
    let names: &[&str] = if asked.name == "unnamed" { &["ltl_0", "never"] } else { &[&asked.name] };
    for name in names {
        let limits = Limits { max_time: Some(PATIENCE), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let job = Job { system: prepared.system(), select: vec![(*name).to_owned()], options, progress: None };
        match check(job) {
            Ok(outcome) => return Some(outcome.verdict),
            Err(CheckError::UnknownName { .. }) => {}
            Err(error) => panic!("{}: {}: {error}", entry.name, asked.name),
        }
    }
    None
}

#[test]
fn endless_runs_are_judged_as_spin_judges_them() {
    let Some(folder) = corpus::folder() else {
        println!("no corpus beside the checkout and none named by AMPLE_CORPUS: skipped");
        return;
    };
    let (mut holding, mut failing, mut unsettled, mut missing) = (0, 0, 0, 0);
    let mut differing = Vec::new();
    for entry in corpus::promela(&folder).unwrap() {
        for asked in entry.endless.iter().filter(|asked| asked.counted.states <= MOST_STATES) {
            for execution in ["auto", "interpret"] {
                match (answer(&entry, asked, execution), asked.violated) {
                    (Some(Verdict::Holds), false) => holding += 1,
                    (Some(Verdict::Violated), true) => failing += 1,
                    (Some(Verdict::Unknown), _) => unsettled += 1,
                    (None, _) => missing += 1,
                    (Some(verdict), violated) => {
                        differing.push(format!(
                            "{} {} ({execution}): {verdict:?}, Spin: violated {violated}",
                            entry.name, asked.name
                        ));
                    }
                }
            }
        }
    }
    println!("{holding} hold, {failing} are violated, {unsettled} not settled in time, {missing} are not in the model");
    assert!(differing.is_empty(), "{differing:#?}");
    assert!(holding > 50 && failing > 50, "{holding} {failing}");
}
