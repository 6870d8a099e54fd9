//! The moves of each process apart, with what they depend on: so that they need not be computed
//! again in states that agree there (transition caching: Blom, van de Pol, Weber: LTSmin:
//! distributed and symbolic reachability, 2010).

use crate::SuccessorBuffer;

/// The moves of each process apart. All of them together, one process after the other, are the
/// transitions that leave a state, unless there are none: then a system may have others.
///
/// Some bits of a state are given as words of 64 bits, in the order of bytes of a small-endian
/// machine.
pub trait ProcessMoves: Sync {
    /// How many processes there may be.
    fn processes(&self) -> usize;

    /// The bits of a state that tell where a process is.
    fn location_bits(&self, process: usize) -> Vec<u64>;

    /// The bits of a state that the moves of a process depend on or change where it is in this
    /// state: in all states that agree in these bits they are the same, with the same effect.
    /// `None` if that is not known.
    fn touched_bits(&self, process: usize, state: &[u8]) -> Option<Vec<u64>>;

    /// Writes the moves of a process into an empty buffer. False if they cannot be had apart: then
    /// the buffer is not complete.
    fn expand_process(&self, process: usize, state: &[u8], buffer: &mut SuccessorBuffer) -> bool;
}
