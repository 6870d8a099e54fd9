//! What the code of a move begins with: how its state comes into being, and what is on its way.

use ample_model::{Edge, EventKind, LocationId};
use ample_network::InstanceId;
use cranelift_codegen::ir::{Block, FuncRef};
use cranelift_frontend::Variable;

use crate::value::{At, Known};

/// How the state after a move comes into being.
#[derive(Copy, Clone)]
pub(crate) enum Start<'e> {
    /// It is there already, and is changed in place.
    InPlace,
    /// As a copy of the state before.
    Copy,
    /// As a copy in which the sender of a rendezvous has moved along its edge.
    Sent(&'e Edge),
}

/// A message on its way.
pub(crate) struct Offer {
    /// The number of the channel.
    pub(crate) channel: Known,
    pub(crate) message: Vec<Known>,
    /// How many fields it has, if that is known only at run time: then `message` may have more.
    pub(crate) length: Option<Known>,
    /// Who sends it, if that is known now.
    pub(crate) sender: Option<InstanceId>,
}

/// How a `d_step` is entered.
#[derive(Copy, Clone)]
pub(crate) struct Entry<'e> {
    /// Its first location.
    pub(crate) location: LocationId,
    /// Who runs it, and the state after it.
    pub(crate) after: At,
    /// How that state comes into being.
    pub(crate) start: Start<'e>,
    /// If there is one, the first statement must be the receive that takes it.
    pub(crate) offer: Option<&'e Offer>,
    /// Whether an edge beside the `d_step` was taken before; without this, none was.
    pub(crate) moved: Option<Variable>,
    /// Where control goes if the first statement cannot be executed.
    pub(crate) blocked: Block,
}

/// The functions that let the assertion see an event, if there is an assertion.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Observers<F> {
    pub(crate) send: F,
    pub(crate) receive: F,
}

impl Observers<FuncRef> {
    /// The one for events of this kind.
    pub(crate) fn of(self, kind: EventKind) -> FuncRef {
        match kind {
            EventKind::Send => self.send,
            EventKind::Receive => self.receive,
        }
    }
}
