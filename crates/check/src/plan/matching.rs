//! `--match`: what goes with it.

use crate::error::CheckError;
use crate::options::{Choice, Options, Reduce};

/// Refuses what does not go with abstract matching: the first state of those that are taken for one
/// is explored, so that everything that changes which one comes first changes what is seen.
pub(super) fn check(options: &Options) -> Result<(), CheckError> {
    if options.matching.is_empty() {
        return Ok(());
    }
    let refuse = |what: &str, why: &str| Err(CheckError::Conflict(format!("--match does not go with {what}: {why}")));
    let is_reduced = matches!(options.reduce, Reduce::List(_));
    match (&options.order, options.threads) {
        _ if options.under.is_some() => refuse("--under", "each leaves something out in its own way; use one of them"),
        _ if options.por != Choice::Auto => refuse("--por", "all transitions of the states that are kept are taken"),
        _ if is_reduced => refuse("--reduce", "it explores the model as written; leave it out, or write --reduce none"),
        (_, Some(threads @ 2..)) => refuse(
            &format!("--threads {threads}"),
            "which state stands for others depends on the order; use one thread",
        ),
        (Choice::Named(name), _) if *name == ample_search::BLOCKS.name => {
            refuse("--order blocks", "which state stands for others depends on the order; use bfs or dfs")
        }
        _ => Ok(()),
    }
}

/// Why a property cannot be checked with it.
pub(super) fn no_runs(emptiness: &str) -> CheckError {
    CheckError::Conflict(format!(
        "--match looks for states, not for infinite runs (--emptiness {emptiness}): name what it is to check with -p, \
         as `-p safety`"
    ))
}
