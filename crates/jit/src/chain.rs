//! The successors of a state: the moves of each process, followed while one keeps control.

use ample_network::Network;
use ample_transition::{Move, Pid, SuccessorBuffer};

use crate::machine::Machine;
use crate::record::{HEADER, header, padded, record_size};

/// A chain of moves under one control that is longer than this is for the interpreter, which knows whether it ever ends.
const MOST_MOVES: usize = 1000;

/// Writes all successors of a state. False if the interpreter must look at it.
pub(crate) fn expand(machine: &Machine, network: &Network<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
    let mut scratch = buffer.take_scratch();
    let complete = expand_into(machine, network, state, buffer, &mut scratch);
    buffer.give_scratch(scratch);
    complete
}

fn expand_into(
    machine: &Machine,
    network: &Network<'_>,
    state: &[u8],
    buffer: &mut SuccessorBuffer,
    scratch: &mut Vec<u8>,
) -> bool {
    let size = padded(network.layout.size as usize);
    scratch.resize(size + machine.most_bytes, 0);
    let (current, records) = scratch.split_at_mut(size);
    current[..state.len()].copy_from_slice(state);
    let alive = usize::from(current[network.layout.process_count.offset as usize]);
    let timeouts: &[bool] = if network.model.uses.timeout { &[false, true] } else { &[false] };
    for timeout in timeouts {
        for process in (0..alive).rev() {
            let Some(written) = machine.moves(process, current, records, *timeout) else { return false };
            if !push_all(machine, network, &records[..written], buffer) {
                return false;
            }
        }
        if !buffer.is_empty() {
            break;
        }
    }
    true
}

/// Pushes each record as a transition; one whose process keeps control is followed first.
fn push_all(machine: &Machine, network: &Network<'_>, records: &[u8], buffer: &mut SuccessorBuffer) -> bool {
    let size = network.layout.size as usize;
    for record in records.chunks_exact(record_size(size)) {
        let (step, control) = header(record);
        let next = &record[HEADER..HEADER + size];
        match control {
            None => buffer.push_state(&[step], next),
            Some(pid) => {
                if !follow(machine, network, step, pid, &record[HEADER..], buffer) {
                    return false;
                }
            }
        }
    }
    true
}

/// Follows a chain depth first, so in the order of the moves.
fn follow(
    machine: &Machine,
    network: &Network<'_>,
    step: Move,
    control: Pid,
    state: &[u8],
    buffer: &mut SuccessorBuffer,
) -> bool {
    let size = network.layout.size as usize;
    let mut moves: Vec<Move> = Vec::new();
    let mut open: Vec<(usize, Move, Option<Pid>, Vec<u8>)> = vec![(0, step, Some(control), state.to_vec())];
    let mut records = vec![0; machine.most_bytes];
    while let Some((length, step, control, state)) = open.pop() {
        if buffer.should_stop() {
            return true;
        }
        moves.truncate(length);
        moves.push(step);
        let Some(pid) = control else {
            buffer.push_state(&moves, &state[..size]);
            continue;
        };
        let alive = usize::from(state[network.layout.process_count.offset as usize]);
        let written = if usize::from(pid) < alive {
            machine.moves(usize::from(pid), &state, &mut records, false)
        } else {
            Some(0)
        };
        let Some(written) = written else { return false };
        if moves.len() >= MOST_MOVES {
            return false;
        }
        if written == 0 {
            // The process cannot go on: it loses control, and the state is one like any other.
            buffer.push_state(&moves, &state[..size]);
            continue;
        }
        for record in records[..written].chunks_exact(record_size(size)).rev() {
            let (step, control) = header(record);
            open.push((moves.len(), step, control, record[HEADER..].to_vec()));
        }
    }
    true
}
