//! What is known of expressions before a model runs.

use ample_model::{Expr, ExprKind, Scope, SlotId};
use ample_network::{InstanceId, Network};
use ample_stdx::{IndexVec, TypedId};

/// The values of variables that an instance sees, as far as they never change.
pub(crate) fn constants<'n>(
    network: &'n Network<'_>,
    instance: InstanceId,
    scope: Scope,
) -> &'n IndexVec<SlotId, Option<i64>> {
    match scope {
        Scope::Global => &network.constants,
        Scope::Local => &network.instances[instance].constants,
    }
}

/// The value of a simple expression in an instance, if it never changes.
pub(crate) fn known_now(network: &Network<'_>, instance: InstanceId, expr: &Expr) -> Option<i64> {
    let known = |expr: &Expr| known_now(network, instance, expr);
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Pid => Some(i64::from(network.instances[instance].pid)),
        ExprKind::Read(place) => {
            let mut slot = place.first.index();
            for index in &place.indices {
                let value = u32::try_from(known(&index.value)?).ok()?;
                slot += (value < index.length).then_some((value * index.stride) as usize)?;
            }
            constants(network, instance, place.scope)[SlotId::from_index(slot)]
        }
        ExprKind::Unary(op, operand) => network.model.arithmetic.unary(*op, known(operand)?).ok(),
        ExprKind::Binary(op, left, right) => network.model.arithmetic.binary(*op, known(left)?, known(right)?).ok(),
        _ => None,
    }
}

/// The position of a channel that never changes, if it is one.
pub(crate) fn known_channel(network: &Network<'_>, instance: InstanceId, channel: &Expr) -> Option<usize> {
    channel_numbered(network, known_now(network, instance, channel)?)
}

/// The position of the channel with this number, if there is one.
pub(crate) fn channel_numbered(network: &Network<'_>, number: i64) -> Option<usize> {
    let position = usize::try_from(number).ok()?.checked_sub(1)?;
    (position < network.layout.channels.len()).then_some(position)
}
