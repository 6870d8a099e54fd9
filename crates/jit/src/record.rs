//! How machine code hands over a move: a record of fixed size, a header and the state after the move.

use ample_model::EdgeId;
use ample_stdx::TypedId;
use ample_transition::{Move, Pid};

/// The bytes before the state.
pub(crate) const HEADER: usize = 16;
/// Where the edge stands.
pub(crate) const EDGE: i32 = 0;
/// Where the number of the process stands.
pub(crate) const PROCESS: i32 = 4;
/// Where the process that keeps control stands.
pub(crate) const CONTROL: i32 = 6;
/// Where the edge of the partner stands.
pub(crate) const PARTNER_EDGE: i32 = 8;
/// Where the number of the partner stands.
pub(crate) const PARTNER: i32 = 12;
/// No process.
pub(crate) const NOBODY: u16 = u16::MAX;

/// The size of a state in a record: whole words, so that it can be copied by words.
pub(crate) fn padded(size: usize) -> usize {
    size.next_multiple_of(16)
}

/// The size of a record for states of this size.
pub(crate) fn record_size(size: usize) -> usize {
    HEADER + padded(size)
}

/// What a record's header says.
pub(crate) fn header(record: &[u8]) -> (Move, Option<Pid>) {
    let short = |at: i32| u16::from_le_bytes([record[at as usize], record[at as usize + 1]]);
    let long = |at: i32| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
    let edge = |at: i32| EdgeId::from_index(long(at) as usize);
    let somebody = |pid: u16| (pid != NOBODY).then_some(pid);
    let partner = somebody(short(PARTNER)).map(|pid| (pid, edge(PARTNER_EDGE)));
    (Move { process: short(PROCESS), edge: edge(EDGE), partner }, somebody(short(CONTROL)))
}
