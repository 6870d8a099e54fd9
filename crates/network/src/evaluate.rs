//! Values of simple expressions in packed states, without unpacking them.

use ample_model::{BinaryOp, ChannelTest, Expr, ExprKind, Place, Scope, SlotId};
use ample_stdx::TypedId;

use crate::layout::get;
use crate::{InstanceId, Network};

/// The value of an expression as an instance that exists sees it. `None` if it has none, or if that
/// is not easily said.
pub(crate) fn evaluate(network: &Network<'_>, state: &[u8], instance: InstanceId, expr: &Expr) -> Option<i64> {
    let value = |expr: &Expr| evaluate(network, state, instance, expr);
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Pid => Some(i64::from(network.instances[instance].pid)),
        ExprKind::Read(place) => read(network, state, instance, place),
        ExprKind::Unary(op, operand) => network.model.arithmetic.unary(*op, value(operand)?).ok(),
        ExprKind::Binary(op, left, right) => {
            let left = value(left)?;
            match op {
                BinaryOp::And if left == 0 => Some(0),
                BinaryOp::Or if left != 0 => Some(1),
                _ => network.model.arithmetic.binary(*op, left, value(right)?).ok(),
            }
        }
        ExprKind::Conditional(parts) => {
            let [condition, yes, no] = &**parts;
            value(if value(condition)? != 0 { yes } else { no })
        }
        ExprKind::Channel(test, channel) => {
            let number = usize::try_from(value(channel)?).ok()?.checked_sub(1)?;
            let fill = network.messages_in(state, number).filter(|fill| fill.capacity > 0)?;
            Some(match test {
                ChannelTest::Length => fill.length as i64,
                ChannelTest::Empty => i64::from(fill.is_empty()),
                ChannelTest::NotEmpty => i64::from(!fill.is_empty()),
                ChannelTest::Full => i64::from(fill.is_full()),
                ChannelTest::NotFull => i64::from(!fill.is_full()),
            })
        }
        ExprKind::RemoteAt(remote) => {
            let pid = value(remote.pid.as_ref()?)?;
            let other = only(network, pid).filter(|other| network.instances[*other].template == remote.template)?;
            Some(i64::from(network.location_in(state, other) == Some(remote.location)))
        }
        ExprKind::RemoteRead(remote) => {
            let pid = value(remote.pid.as_ref()?)?;
            let other = only(network, pid).filter(|other| network.instances[*other].template == remote.template)?;
            network.location_in(state, other)?;
            let slot = slot(network, state, instance, &remote.place)?;
            stored(network, state, other, Scope::Local, slot)
        }
        _ => None,
    }
}

/// The instance with this process number, if there is only one.
fn only(network: &Network<'_>, pid: i64) -> Option<InstanceId> {
    let mut all = network.numbered(u16::try_from(pid).ok()?);
    all.next().filter(|_| all.next().is_none())
}

fn read(network: &Network<'_>, state: &[u8], instance: InstanceId, place: &Place) -> Option<i64> {
    stored(network, state, instance, place.scope, slot(network, state, instance, place)?)
}

/// The slot that a place names.
fn slot(network: &Network<'_>, state: &[u8], instance: InstanceId, place: &Place) -> Option<SlotId> {
    let mut slot = place.first.index();
    for index in &place.indices {
        let value = u32::try_from(evaluate(network, state, instance, &index.value)?).ok()?;
        if value >= index.length {
            return None;
        }
        slot += (value * index.stride) as usize;
    }
    Some(SlotId::from_index(slot))
}

/// The value of a variable of an instance that exists, or of a global one.
fn stored(network: &Network<'_>, state: &[u8], instance: InstanceId, scope: Scope, slot: SlotId) -> Option<i64> {
    let (constants, places) = match scope {
        Scope::Local => (&network.instances[instance].constants, &network.layout.frames[instance].locals),
        Scope::Global => (&network.constants, &network.layout.globals),
    };
    let stored = || places.get(slot).filter(|place| place.width > 0).map(|place| get(state, *place));
    constants.get(slot).copied().flatten().or_else(stored)
}
