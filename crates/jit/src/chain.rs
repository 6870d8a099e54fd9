//! The successors of a state: the moves of all processes, followed while one keeps control.

use ample_interpret::MOST_CHAINS;
use ample_model::EdgeId;
use ample_network::Network;
use ample_stdx::TypedId;
use ample_transition::{Move, Pid, RecordHeader, Scratch, SuccessorBuffer};

use crate::code::NOBODY;
use crate::machine::{Machine, Ran};

/// A chain of moves under one control that is longer than this is for the interpreter, which knows
/// whether it ever ends.
const MOST_MOVES: usize = 60_000;

/// How machine code came out of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    /// The successors are complete.
    Done,
    /// The interpreter must look at the state.
    Unclear,
    /// There are so many chains that the interpreter must merge them.
    TooMany,
}

/// Writes all successors of a state.
#[inline]
pub(crate) fn expand(machine: &Machine, network: &Network<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> Expanded {
    let Some(mut count) = machine.moves_of_all(state, buffer.states_mut(), false) else { return Expanded::Unclear };
    if count == 0 && network.model.uses.timeout {
        let Some(more) = machine.moves_of_all(state, buffer.states_mut(), true) else { return Expanded::Unclear };
        count = more;
    }
    finish(machine, count, buffer)
}

/// Writes all moves of one process, followed while it keeps control, where no process waits for
/// `timeout`.
pub(crate) fn expand_process(
    machine: &Machine,
    process: usize,
    state: &[u8],
    buffer: &mut SuccessorBuffer,
) -> Expanded {
    let Some(count) = machine.moves_of_one(process, state, buffer.states_mut()) else { return Expanded::Unclear };
    finish(machine, count, buffer)
}

/// Follows the moves in a buffer, of which there are so many, while a process keeps control.
#[inline]
fn finish(machine: &Machine, mut count: usize, buffer: &mut SuccessorBuffer) -> Expanded {
    let size = machine.record_size();
    if machine.keeps_control && keeps_control(buffer.states(), size) {
        let followed = follow_all(machine, buffer, size, count + MOST_CHAINS);
        if followed != Expanded::Done {
            return followed;
        }
        count = machine.count(buffer.states().len());
    }
    buffer.set_records(count, size, &machine.moves);
    if machine.has_single_moves {
        buffer.set_single_moves();
    }
    Expanded::Done
}

fn keeps_control(records: &[u8], size: usize) -> bool {
    let mut rest = records;
    while rest.len() >= size {
        if RecordHeader::of(rest).tag != NOBODY {
            return true;
        }
        rest = &rest[size..];
    }
    false
}

/// Replaces each record whose process keeps control by those at the ends of its chains, as long as
/// there are at most `most`.
fn follow_all(machine: &Machine, buffer: &mut SuccessorBuffer, size: usize, most: usize) -> Expanded {
    let mut scratch = buffer.take_scratch();
    let expanded = match follow_in_place(machine, buffer, size, &mut scratch.edges) {
        InPlace::Done => Expanded::Done,
        InPlace::Choice { place, header } => {
            follow_rest(machine, buffer, place, header, Limits { size, most }, &mut scratch)
        }
        InPlace::Fault => Expanded::Unclear,
    };
    buffer.give_scratch(scratch);
    expanded
}

/// How far chains were followed in place.
enum InPlace {
    Done,
    /// The process of the record at this place has gone on, along the edges that were noted, and
    /// has a choice now.
    Choice {
        place: usize,
        header: RecordHeader,
    },
    Fault,
}

/// Follows chains in place as far as each goes on in one way only.
fn follow_in_place(machine: &Machine, buffer: &mut SuccessorBuffer, size: usize, edges: &mut Vec<u32>) -> InPlace {
    let mut place = 0;
    while let Some(record) = buffer.states().get(place..place + size) {
        let header = RecordHeader::of(record);
        if header.tag != NOBODY {
            edges.clear();
            match machine.run(usize::from(header.tag), buffer.states_mut(), place + RecordHeader::SIZE, edges) {
                Ran::Done => buffer.extend_record(place, header.moves_in(&machine.moves), steps(header.tag, edges)),
                Ran::Undecided => return InPlace::Choice { place, header },
                Ran::Fault => return InPlace::Fault,
            }
            if buffer.should_stop() {
                return InPlace::Done;
            }
        }
        place += size;
    }
    InPlace::Done
}

/// The moves of a process along these edges.
fn steps(process: Pid, edges: &[u32]) -> impl ExactSizeIterator<Item = Move> {
    edges.iter().map(move |edge| Move { process, edge: EdgeId::from_index(*edge as usize), partner: None })
}

/// The size of a record, and how many there may be.
#[derive(Copy, Clone)]
struct Limits {
    size: usize,
    most: usize,
}

/// Replaces the records from a place on, of which the first has a choice.
fn follow_rest(
    machine: &Machine,
    buffer: &mut SuccessorBuffer,
    place: usize,
    first: RecordHeader,
    limits: Limits,
    scratch: &mut Scratch,
) -> Expanded {
    let mut records = std::mem::take(&mut scratch.records);
    records.clear();
    records.extend_from_slice(&buffer.states()[place..]);
    buffer.states_mut().truncate(place);
    let mut expanded = follow(machine, buffer, &records[..limits.size], first, limits, scratch);
    let mut place = limits.size;
    while expanded == Expanded::Done && place < records.len() {
        let header = RecordHeader::of(&records[place..]);
        let end = place + limits.size;
        if header.tag == NOBODY {
            buffer.states_mut().extend_from_slice(&records[place..end]);
        } else {
            scratch.edges.clear();
            let state = place + RecordHeader::SIZE;
            expanded = match machine.run(usize::from(header.tag), &mut records, state, &mut scratch.edges) {
                Ran::Done => {
                    let edges = steps(header.tag, &scratch.edges);
                    buffer.push_record(header.moves_in(&machine.moves), edges, &records[state..end]);
                    Expanded::Done
                }
                Ran::Undecided => follow(machine, buffer, &records[place..end], header, limits, scratch),
                Ran::Fault => Expanded::Unclear,
            };
        }
        place = end;
    }
    if expanded == Expanded::Done && buffer.states().len() > limits.most * limits.size {
        expanded = Expanded::TooMany;
    }
    scratch.records = records;
    expanded
}

/// Follows the chains of a record whose process has gone on along the edges that were noted, and
/// has a choice now: depth first, so in the order of the moves.
///
/// The memory is a stack of records: those that wait, and below each level the record that it
/// continues. A mark is the place of the next record to look at on its level, with where the level
/// ends and how many moves led to it.
fn follow(
    machine: &Machine,
    buffer: &mut SuccessorBuffer,
    record: &[u8],
    header: RecordHeader,
    Limits { size, most }: Limits,
    scratch: &mut Scratch,
) -> Expanded {
    let Scratch { bytes, marks, moves, edges, .. } = scratch;
    marks.clear();
    moves.clear();
    bytes.clear();
    bytes.extend_from_slice(record);
    let mut chosen = Some((0, header));
    loop {
        if let Some((record, header)) = chosen.take() {
            let (state, end) = (record + RecordHeader::SIZE, bytes.len());
            if !machine.moves_of(usize::from(header.tag), bytes, state) {
                return Expanded::Unclear;
            }
            if bytes.len() > end {
                moves.extend_from_slice(header.moves_in(&machine.moves));
                moves.extend(steps(header.tag, edges));
                marks.extend([end, bytes.len(), moves.len()]);
            } else {
                // The process cannot go on: it loses control, and the state is one like any other.
                moves.extend_from_slice(header.moves_in(&machine.moves));
                buffer.push_record(moves, steps(header.tag, edges), &bytes[state..record + size]);
            }
        }
        let [.., next, end, length] = marks.as_mut_slice() else { return Expanded::Done };
        if *next == *end {
            // The records of this level are done.
            let done = marks.len() - 3;
            marks.truncate(done);
            continue;
        }
        if buffer.should_stop() {
            return Expanded::Done;
        }
        if buffer.states().len() > most * size {
            return Expanded::TooMany;
        }
        let (record, level_end) = (*next, *end);
        *next += size;
        moves.truncate(*length);
        bytes.truncate(level_end);
        let header = RecordHeader::of(&bytes[record..]);
        let state = record + RecordHeader::SIZE;
        edges.clear();
        let ran = match header.tag {
            NOBODY => Ran::Done,
            process => machine.run(usize::from(process), bytes, state, edges),
        };
        if too_long(moves, edges) {
            return Expanded::Unclear;
        }
        match ran {
            Ran::Fault => return Expanded::Unclear,
            Ran::Undecided => chosen = Some((record, header)),
            Ran::Done => {
                moves.extend_from_slice(header.moves_in(&machine.moves));
                buffer.push_record(moves, steps(header.tag, edges), &bytes[state..record + size]);
            }
        }
    }
}

fn too_long(moves: &[Move], edges: &[u32]) -> bool {
    moves.len() + edges.len() >= MOST_MOVES
}
