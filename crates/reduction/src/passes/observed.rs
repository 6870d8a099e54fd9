//! What others look at in a process: other processes, and the question.

use ample_model::{Expr, ExprKind, LocationId, Model, RemoteAt, RemoteRead, SlotId, TemplateId};
use ample_stdx::{BitSet, IndexVec, TypedId};

use super::slots::slots_of;
use crate::Visible;

/// What others look at in the processes of one template.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// Its variables that a remote reference reads.
    pub(crate) slots: BitSet<SlotId>,
    /// Its locations whose label a remote reference names.
    pub(crate) locations: BitSet<LocationId>,
}

/// What others look at in the processes of each template.
pub(crate) fn observed(model: &Model, visible: &Visible<'_>) -> IndexVec<TemplateId, Observed> {
    let mut observed: IndexVec<TemplateId, Observed> = model.templates.iter().map(|_| Observed::default()).collect();
    each_expression(model, visible, &mut |part| match &part.kind {
        ExprKind::RemoteRead(remote) => {
            let RemoteRead { template, place, .. } = &**remote;
            slots_of(place).for_each(|slot| _ = observed[*template].slots.insert(slot));
        }
        ExprKind::RemoteAt(remote) => {
            // Whatever the process with a number runs, the number of its location is compared.
            let RemoteAt { template, location, pid, .. } = &**remote;
            let asked = observed.iter_mut().enumerate().filter(|(id, _)| pid.is_some() || *id == template.index());
            asked.for_each(|(_, of)| _ = of.locations.insert(*location));
        }
        _ => {}
    });
    observed
}

/// Calls `visit` on every expression of the question and of all processes, and on every expression
/// inside.
pub(super) fn each_expression(model: &Model, visible: &Visible<'_>, visit: &mut dyn FnMut(&Expr)) {
    visible.propositions.iter().for_each(|proposition| proposition.walk(visit));
    for template in &model.templates {
        template.edges.iter().for_each(|edge| edge.walk(visit));
        template.provided.iter().for_each(|condition| condition.walk(visit));
    }
}
