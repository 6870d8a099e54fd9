//! Who can see that a process has moved.

use ample_model::{Action, Edge, Expr, ExprKind, ReceiveArg};
use ample_network::Network;

/// Whether taking a message can see where processes are.
pub(crate) fn accept_asks_locations(edge: &Edge) -> bool {
    let Action::Receive { channel, pattern, .. } = &edge.action else { return false };
    asks_locations(channel)
        || pattern.iter().any(|argument| match argument {
            ReceiveArg::Match(wanted) => asks_locations(wanted),
            ReceiveArg::Store(_) | ReceiveArg::Discard => false,
        })
}

/// Whether an assignment that is part of a step can see where processes are.
pub(crate) fn effects_ask_locations(edge: &Edge) -> bool {
    edge.effects.iter().any(|effect| {
        asks_locations(&effect.value) || effect.place.indices.iter().any(|index| asks_locations(&index.value))
    })
}

/// Whether an expression can see that a process has moved, apart from the values of variables.
pub(crate) fn asks_locations(expr: &Expr) -> bool {
    let mut asks = false;
    expr.walk(&mut |part| {
        asks |= matches!(
            part.kind,
            ExprKind::RemoteAt(_)
                | ExprKind::ProgramCounter(_)
                | ExprKind::LastProcess
                | ExprKind::NonProgress
                | ExprKind::Accepting
                | ExprKind::Enabled(_)
        );
    });
    asks
}

/// Whether the trace assertion looks at where processes are.
pub(crate) fn trace_asks_locations(network: &Network<'_>) -> bool {
    let mut asks = false;
    let edges = network.model.trace.into_iter().flat_map(|trace| network.model.templates[trace].edges.iter());
    edges.for_each(|edge| edge.walk(&mut |expr| asks |= asks_locations(expr)));
    asks
}
