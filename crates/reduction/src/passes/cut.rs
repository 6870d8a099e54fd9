//! Edges without what does not matter.

use ample_model::{Action, Edge, Place, ReceiveArg};

use super::risk::Risk;

/// Takes assignments to what does not matter from an edge; those that may fail stay.
pub(super) fn cut(edge: &mut Edge, risk: Risk<'_>, matters: &dyn Fn(&Place) -> bool) {
    match &mut edge.action {
        Action::Assign(place, value) if !matters(place) && !risk.assignment_may_fail(place, value) => {
            edge.action = Action::Skip
        }
        Action::Receive { pattern, .. } => {
            for argument in pattern {
                if matches!(argument, ReceiveArg::Store(place) if !matters(place)) {
                    *argument = ReceiveArg::Discard;
                }
            }
        }
        _ => {}
    }
    edge.effects.retain(|effect| matters(&effect.place) || risk.assignment_may_fail(&effect.place, &effect.value));
}
