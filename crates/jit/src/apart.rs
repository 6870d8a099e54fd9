//! Which networks are asked what the moves of each process depend on.

use ample_network::Network;
use ample_network::facts::Touched;
use ample_stdx::Stop;

/// Processes with more edges than this, all together, are not looked at.
const MOST_EDGES: usize = 10_000;
/// Nor are states of more bytes.
const MOST_BYTES: u32 = 256;

/// What the moves of the processes of a network depend on, if it is known which processes there
/// are, and they are not too many.
pub(crate) fn touched(network: &Network<'_>, stop: &Stop) -> Option<Touched> {
    let edges = network.instances.ids().map(|instance| network.template(instance).edges.len()).sum::<usize>();
    let is_small = edges <= MOST_EDGES && network.layout.size <= MOST_BYTES;
    if !is_small || network.is_guessed { None } else { Touched::of(network, stop).ok() }
}
