//! What a question looks at.

use ample_product::Fairness;
use ample_reduction::Visible;
use ample_replay::Forbids;

use crate::question::Goal;

/// What a goal looks at.
pub(crate) fn visible(goal: &Goal) -> Visible<'_> {
    match goal {
        Goal::Violation(faults) => Visible { propositions: &[], faults, processes: false },
        Goal::AcceptedRun(claim) => {
            Visible { propositions: claim.propositions(), faults: &[], processes: claim.fairness != Fairness::None }
        }
    }
}
