//! What a question looks at.

use ample_product::Fairness;
use ample_reduction::Visible;
use ample_replay::Forbids;

use crate::question::Goal;

/// What a goal looks at, if everything that it looks for counts.
pub(crate) fn visible(goal: &Goal) -> Visible<'_> {
    match goal {
        Goal::Violation(faults) => {
            Visible { propositions: &[], faults, one_is_enough: false, processes: false, names: false }
        }
        Goal::AcceptedRun(claim) => {
            let processes = claim.fairness != Fairness::None;
            Visible { propositions: claim.propositions(), faults: &[], one_is_enough: false, processes, names: false }
        }
    }
}
