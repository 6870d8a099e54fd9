//! Every expression that reads the whole state, in every place that evaluates one, against the
//! answers of Spin in `whole-state.txt`: the interpreter has Spin's verdict and counts, machine
//! code has the interpreter's transitions, and reduced searches its faults.

use std::collections::BTreeMap;
use std::fs;

use ample_check::{Choice, Prepared};
use ample_interpret::Interpreter;
use ample_search::{Limits, StopAt};
use ample_testing::explore::{self, Numbers};
use ample_testing::machine_code;
use ample_testing::plans::{Comparison, Plan, SAFETY, Tally};
use ample_testing::whole_state::{Case, DIFFERENCES, Recorded, cases};
use ample_testing::workspace_root;

/// The answers of Spin, by case.
fn recorded() -> BTreeMap<String, Recorded> {
    let text =
        fs::read_to_string(workspace_root().join("crates/testing/whole-state.txt")).expect("the answers are there");
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (case, answer) = line.rsplit_once(" | ").expect("a case and an answer");
        (case.to_owned(), Recorded::parse(answer).expect("an answer"))
    });
    lines.collect()
}

/// Why Spin is not followed in a case, if it is not.
fn reason(case: &Case) -> Option<&'static str> {
    let fits = |part: &str, whole: &str| part.is_empty() || part == whole;
    let found = DIFFERENCES
        .iter()
        .find(|(context, expression, _)| fits(context, case.context) && fits(expression, case.expression));
    found.map(|(_, _, why)| *why)
}

/// Compares a case; says what differs.
fn check(case: &Case, answer: &Recorded, tally: &mut machine_code::Tally) -> Result<(), String> {
    let loaded = match (explore::load_text(&case.model()), answer) {
        (Ok(loaded), _) => loaded,
        (Err(_), Recorded::Refused) => return Ok(()),
        (Err(failure), _) => return Err(format!("it is refused: {}", explore::messages(&failure))),
    };
    let interpreter = Interpreter::new(&loaded.model);
    let outcome = explore::search(&interpreter, "dfs", StopAt::End, &Limits::default());
    let ours = Numbers::from(&outcome);
    let faults: Vec<&str> = outcome.violations.iter().map(|found| found.fault.message.as_str()).collect();
    let agrees = match answer {
        Recorded::Refused => true,
        Recorded::Error => ours.error,
        Recorded::Counted(theirs) => ours == *theirs,
    };
    match (agrees, reason(case)) {
        (false, None) => return Err(format!("ours {ours} {faults:?}, Spin {answer}")),
        (true, Some(why)) if *answer != Recorded::Refused => return Err(format!("it agrees, although: {why}")),
        _ => {}
    }
    machine_code::compare_both(&loaded.model, tally)?;
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).map_err(|error| error.to_string())?;
    let mut comparison = Comparison::new(&prepared, SAFETY, 10_000);
    let mut plans = Tally::default();
    Plan::of_expanders().try_for_each(|plan| comparison.compare(&plan, &mut plans))
}

#[test]
fn every_expression_in_every_place() {
    let answers = recorded();
    let mut tally = machine_code::Tally::default();
    let mut differing = Vec::new();
    for case in cases() {
        let result = match answers.get(&case.to_string()) {
            Some(answer) => check(&case, answer, &mut tally),
            None => Err("Spin was not asked: run `cargo xtask spin-table`".to_owned()),
        };
        differing.extend(result.err().map(|what| format!("{case}: {what}")));
    }
    assert_eq!(answers.len(), cases().count(), "whole-state.txt is of other cases: run `cargo xtask spin-table`");
    println!("{tally:?}");
    assert!(tally.compiled * 10 > tally.models * 8, "too few models are compiled: {tally:?}");
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}
