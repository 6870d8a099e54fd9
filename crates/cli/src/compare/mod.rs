//! `ample compare`.

mod system;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ample_equivalence::{Answer, Limits, RELATIONS, Relation, Sees, relation};
use ample_report::compare::ComparisonReport;

use crate::args::CompareArgs;
use crate::failure::{Failure, Status};
use crate::output::Terminal;

/// Compares two systems.
pub fn run(options: &CompareArgs, terminal: &Terminal, interrupt: Arc<AtomicBool>) -> Result<Status, Failure> {
    let relation = relation(&options.relation)
        .ok_or_else(|| Failure::Usage(format!("there is no relation `{}`", options.relation)))?;
    refuse_what_does_not_apply(options, relation)?;
    let preorder = relation.preorder.as_ref().filter(|_| options.preorder);
    let first = system::load(&options.first, options, terminal, &interrupt)?;
    let second = system::load(&options.second, options, terminal, &interrupt)?;
    let limits = Limits { work: options.max_work, depth: options.depth, interrupt: Some(&interrupt) };
    let answer = match (&first.cut_off, &second.cut_off) {
        (Some(why), _) => Answer::Unknown(format!("not all of {} was explored: {why}", options.first)),
        (_, Some(why)) => Answer::Unknown(format!("not all of {} was explored: {why}", options.second)),
        _ => match preorder {
            Some(preorder) => preorder.compare(&first.lts, &second.lts, &limits),
            None => relation.compare(&first.lts, &second.lts, &limits),
        },
    };
    let names = [options.first.as_str(), &options.second];
    let report = ComparisonReport { names, relation, preorder, systems: [&first.lts, &second.lts], answer: &answer };
    terminal.print(&if options.json { report.json() } else { report.text() });
    Ok(match answer {
        Answer::Equivalent => Status::Holds,
        Answer::Different(_) => Status::Violated,
        Answer::Unknown(_) => Status::Unknown,
    })
}

fn refuse_what_does_not_apply(options: &CompareArgs, relation: &Relation) -> Result<(), Failure> {
    let names = [&options.first, &options.second];
    let refusal = match (relation.name, options.depth) {
        ("k-bisim", None) => "k-bisim needs to know how many steps to look ahead: -k K".to_owned(),
        (name, Some(_)) if name != "k-bisim" => format!("-k does not go with {name}: it is for k-bisim"),
        (name, _) if options.preorder && relation.preorder.is_none() => {
            let known = RELATIONS.iter().filter(|relation| relation.preorder.is_some()).map(|relation| relation.name);
            let known = known.collect::<Vec<_>>().join(", ");
            format!("--preorder does not go with {name}, which has none: use one of {known} (--relation)")
        }
        ("stutter", _) if options.see.is_none() => {
            "stutter compares what is true in states: --see FORMULA says which propositions matter".to_owned()
        }
        (name, _) if options.see.is_some() && relation.sees == Sees::Labels => {
            format!("--see does not go with {name}: it does not look at what is true in states")
        }
        (name, _) if !options.tau.is_empty() && relation.sees == Sees::Letters => {
            format!("--tau does not go with {name}: it does not look at labels")
        }
        _ if options.see.is_some() && names.into_iter().any(|name| system::is_aut(name)) => {
            "--see is for models: an .aut file does not say what is true in a state".to_owned()
        }
        _ if !options.defines.is_empty() && names.into_iter().all(|name| system::is_aut(name)) => {
            "-D is for models, and there is none".to_owned()
        }
        _ if !options.inputs.is_empty() && names.into_iter().all(|name| system::is_aut(name)) => {
            "--input is for models, and there is none".to_owned()
        }
        _ if names == ["-", "-"] => "only one of the systems can be on standard input".to_owned(),
        _ => return Ok(()),
    };
    Err(Failure::Usage(refusal))
}
