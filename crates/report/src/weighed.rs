//! The plans that were weighed against each other, and how to ask for the one that was chosen.

use ample_check::{PropertyOutcome, WeighedPlan};
use serde_json::{Value, json};

/// `weighed: full search (blocks, 2 threads) 1, static (dfs) 0.36, as estimated …; to repeat: …`.
pub(crate) fn line(property: &PropertyOutcome) -> String {
    let Some(chosen) = property.weighed.iter().find(|plan| plan.is_chosen) else { return String::new() };
    let others = property.weighed.iter().map(|plan| format!("{} {}", plan.name, estimate(plan)));
    let others: Vec<String> = others.collect();
    format!("weighed, by the time that each may take: {}; to repeat: {}\n", others.join(", "), chosen.flags)
}

/// In three digits at most: it is a guess.
fn estimate(plan: &WeighedPlan) -> String {
    match plan.estimate {
        0.0 => "0 (over at once)".to_owned(),
        estimate if estimate < 9.95 => format!("{estimate:.1}").replace(".0", ""),
        estimate => format!("{estimate:.0}"),
    }
}

/// The same for programs.
pub(crate) fn array(plans: &[WeighedPlan]) -> Value {
    let object = |plan: &WeighedPlan| json!({"name": plan.name, "flags": plan.flags, "estimate": plan.estimate, "chosen": plan.is_chosen});
    plans.iter().map(object).collect()
}
