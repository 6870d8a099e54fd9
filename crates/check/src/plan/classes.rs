//! Orders that compute classes of states: what goes with them, and to which systems they apply.

use ample_reduction::{ClassesEntry, NotHere};

use super::{Algorithm, Plan};
use crate::error::CheckError;
use crate::options::{Choice, Options};
use crate::system::{Reducible, System};

/// The classes that are asked for, as an order.
pub(super) fn asked(options: &Options) -> Result<Option<&'static ClassesEntry>, CheckError> {
    let Choice::Named(name) = &options.order else { return Ok(None) };
    let Some(entry) = options.techniques.classes.iter().find(|entry| entry.part.name == name) else { return Ok(None) };
    check(options, name)?;
    Ok(Some(entry))
}

/// Whether such an order is asked for.
pub(super) fn are_asked(options: &Options) -> bool {
    let Choice::Named(name) = &options.order else { return false };
    options.techniques.classes.iter().any(|entry| entry.part.name == name)
}

/// Refuses what does not go with classes of states.
fn check(options: &Options, order: &str) -> Result<(), CheckError> {
    let refuse = |what: String, why: &str| {
        Err(CheckError::Conflict(format!("{what} does not go with --order {order}: {why}; leave one of them out")))
    };
    const ALL: &str = "the class of a state is computed from all its successors";
    let techniques = options.techniques;
    let asked = |name: &&str| options.reduce.names(name);
    let sleep = techniques.sleep_sets.iter().map(|entry| entry.part.name).find(asked);
    let canonizer = techniques.canonizers.iter().map(|entry| entry.part.name).find(asked);
    match (&options.por, &options.store, options.threads) {
        (Choice::Named(name), _, _) => refuse(format!("--por {name}"), ALL),
        _ if options.reduce.names("por") => refuse("--reduce por".to_owned(), ALL),
        _ if options.under.is_some() => refuse("--under".to_owned(), ALL),
        _ if sleep.is_some() => refuse(format!("--reduce {}", sleep.unwrap_or_default()), ALL),
        _ if canonizer.is_some() => refuse(
            format!("--reduce {}", canonizer.unwrap_or_default()),
            "which classes there are is computed from what the model as written reads and writes",
        ),
        _ if !options.matching.is_empty() => refuse("--match".to_owned(), "each remembers states in its own way"),
        // An exact one is for the plain search that follows if there is a cycle.
        (_, Choice::Named(name), _) if techniques.may_miss_states(name) => {
            refuse(format!("--store {name}"), "classes are remembered, not states")
        }
        (_, _, Some(threads @ 2..)) => refuse(format!("--threads {threads}"), "it searches depth first, on one thread"),
        _ => Ok(()),
    }
}

/// Refuses classes for a system that they do not apply to. If there is no time to find out, there
/// will be none to search.
pub(super) fn check_system(plan: &Plan, options: &Options, system: &System<'_>) -> Result<(), CheckError> {
    let Algorithm::Classes(entry) = plan.algorithm else { return Ok(()) };
    let mut result = Ok(());
    let mut check = |known: Reducible<'_>| {
        if known.network.is_guessed {
            result = Err(NotHere("the processes of this model are guessed".to_owned()));
        } else if known.find_out(&options.limits.stop()).is_ok() {
            result = (entry.make)(known.network, known.facts()).map(|_| ());
        }
    };
    if !plan.analyse(system, &mut check) {
        result = Err(NotHere(format!("the processes are not known, since {}", system.why_not_reducible())));
    }
    let name = entry.part.name;
    result.map_err(|NotHere(why)| CheckError::Conflict(format!("--order {name} cannot be used here: {why}")))
}

/// What is to be said if classes were asked for and the answer is that of another search.
pub(crate) fn given_up(options: &Options, plan: &Plan) -> Option<String> {
    let Choice::Named(name) = &options.order else { return None };
    let is_given_up = are_asked(options) && matches!(plan.algorithm, Algorithm::Order(_));
    is_given_up.then(|| {
        let order = plan.algorithm.part().name;
        format!("the space has a cycle, so that --order {name} was given up; this is the answer of --order {order}")
    })
}
