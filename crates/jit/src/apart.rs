//! The moves of each process apart, by machine code.

use ample_network::Network;
use ample_network::facts::Touched;
use ample_stdx::Stop;
use ample_transition::{ProcessMoves, SuccessorBuffer};

use crate::chain::{self, Expanded};
use crate::lazy::Lazy;

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

impl ProcessMoves for Lazy<'_> {
    fn processes(&self) -> usize {
        self.touched().map_or(0, Touched::len)
    }

    fn location_bits(&self, process: usize) -> &[u64] {
        self.touched().map_or(&[], |touched| touched.location(process))
    }

    fn touched_bits(&self, process: usize, state: &[u8]) -> Option<&[u64]> {
        self.touched()?.in_state(process, state)
    }

    fn expand_process(&self, process: usize, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        let machine = self.machine().filter(|_| self.network().fits(state));
        machine.is_some_and(|machine| chain::expand_process(machine, process, state, buffer) == Expanded::Done)
    }
}
