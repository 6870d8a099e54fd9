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
    let expanded = match follow_in_place(machine, buffer, size, &mut scratch) {
        Some(done) if done < buffer.states().len() => follow_rest(machine, buffer, done, size, most, &mut scratch),
        Some(_) => Expanded::Done,
        None => Expanded::Unclear,
    };
    buffer.give_scratch(scratch);
    expanded
}

/// Follows chains in place as far as each goes on in one way only. Gives the place of the first
/// record with a choice; `None` if the interpreter must look at the state.
fn follow_in_place(
    machine: &Machine,
    buffer: &mut SuccessorBuffer,
    size: usize,
    scratch: &mut Scratch,
) -> Option<usize> {
    let Scratch { bytes, edges, .. } = scratch;
    let mut place = 0;
    while let Some(record) = buffer.states().get(place..place + size) {
        let header = RecordHeader::of(record);
        if header.tag != NOBODY {
            bytes.clear();
            bytes.extend_from_slice(record);
            edges.clear();
            match machine.run(usize::from(header.tag), buffer.states_mut(), place + RecordHeader::SIZE, edges) {
                Ran::Done => buffer.extend_record(place, header.moves_in(&machine.moves), steps(header.tag, edges)),
                Ran::Undecided => {
                    buffer.states_mut()[place..place + size].copy_from_slice(bytes);
                    return Some(place);
                }
                Ran::Fault => return None,
            }
            if buffer.should_stop() {
                return Some(buffer.states().len());
            }
        }
        place += size;
    }
    Some(place)
}

/// The moves of a process along these edges.
fn steps(process: Pid, edges: &[u32]) -> impl ExactSizeIterator<Item = Move> {
    edges.iter().map(move |edge| Move { process, edge: EdgeId::from_index(*edge as usize), partner: None })
}

/// Replaces the records from a place on.
fn follow_rest(
    machine: &Machine,
    buffer: &mut SuccessorBuffer,
    done: usize,
    size: usize,
    most: usize,
    scratch: &mut Scratch,
) -> Expanded {
    let mut records = std::mem::take(&mut scratch.records);
    records.clear();
    records.extend(buffer.states_mut().drain(done..));
    let mut rest = records.as_slice();
    let mut expanded = Expanded::Done;
    while let Some((record, others)) = rest.split_at_checked(size) {
        rest = others;
        if RecordHeader::of(record).tag == NOBODY {
            buffer.states_mut().extend_from_slice(record);
            continue;
        }
        scratch.bytes.clear();
        scratch.bytes.extend_from_slice(record);
        expanded = follow(machine, buffer, size, most, scratch);
        if expanded != Expanded::Done {
            break;
        }
    }
    if expanded == Expanded::Done && buffer.states().len() > most * size {
        expanded = Expanded::TooMany;
    }
    scratch.records = records;
    expanded
}

/// Follows the chain that begins with the only record in the scratch memory: depth first, so in the
/// order of the moves.
///
/// The memory is a stack of records: those that wait, and below each level the record that it
/// continues. A mark is the place of the next record to look at on its level, with where the level
/// ends and how many moves led to it.
fn follow(
    machine: &Machine,
    buffer: &mut SuccessorBuffer,
    size: usize,
    most: usize,
    scratch: &mut Scratch,
) -> Expanded {
    let Scratch { bytes, marks, moves, edges, .. } = scratch;
    moves.clear();
    marks.clear();
    marks.extend([0, size, 0]);
    while let [.., next, end, length] = marks.as_mut_slice() {
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
        moves.extend_from_slice(header.moves_in(&machine.moves));
        let state = record + RecordHeader::SIZE;
        if header.tag != NOBODY {
            edges.clear();
            let ran = machine.run(usize::from(header.tag), bytes, state, edges);
            moves.extend(steps(header.tag, edges));
            if ran == Ran::Fault || too_long(moves) {
                return Expanded::Unclear;
            }
            if ran == Ran::Undecided {
                if !machine.moves_of(usize::from(header.tag), bytes, state) {
                    return Expanded::Unclear;
                }
                if bytes.len() > level_end {
                    marks.extend([level_end, bytes.len(), moves.len()]);
                    continue;
                }
                // The process cannot go on: it loses control, and the state is one like any other.
            }
        }
        buffer.push_record(moves, &bytes[state..record + size]);
    }
    Expanded::Done
}

fn too_long(moves: &[Move]) -> bool {
    moves.len() >= MOST_MOVES
}
