//! Breadth-first search, without a queue: the store's own order is the queue.

use ample_stdx::TypedId;
use ample_transition::{Fault, Inserted, StateId, Store, SuccessorBuffer};

use crate::explorer::Explorer;
use crate::outcome::{Ended, Found};
use crate::path::trace_along;
use crate::{Search, SearchOutcome};

/// Explores level by level.
///
/// Ids are given in order of insertion, so that the next state to expand is the one with the next id. Parents are not
/// stored: if there are violations, a second pass over the store finds the parents up to these states.
///
/// Needs of the store: it gives back what was inserted. Gives: every reachable state, unless it ended early; and traces
/// with the least possible number of transitions.
pub fn bfs(search: Search<'_>) -> SearchOutcome {
    let (mut explorer, store) = Explorer::new(search);
    let mut places = Vec::new();
    let mut result = run(&mut explorer, store, &mut places);
    if explorer.stops_at_first() && !places.is_empty() {
        // Also if a limit was reached on the way to the end of the level.
        result = Err(Ended::FirstViolation);
    }
    retrace(&mut explorer, store, places);
    explorer.finish(result)
}

/// Where a violation was seen.
struct Place {
    state: StateId,
    successor: Option<usize>,
    fault: Fault,
}

fn run(explorer: &mut Explorer<'_>, store: &mut dyn Store, places: &mut Vec<Place>) -> Result<(), Ended> {
    let mut buffer = explorer.buffer();
    let mut state = explorer.initial()?;
    store.insert(&state)?;
    explorer.count_state(0)?;
    let (mut next, mut level, mut level_end) = (0, 0, 1);
    while next < store.len() {
        if next == level_end {
            if explorer.stops_at_first() && !places.is_empty() {
                return Err(Ended::FirstViolation);
            }
            level += 1;
            level_end = store.len();
        }
        let id = StateId::from_index(next);
        state.clear();
        state.extend_from_slice(store.state(id));
        for sighting in explorer.expand(&state, level, &mut buffer)? {
            let place = Place { state: id, successor: sighting.successor, fault: sighting.fault };
            if keep(explorer, place, places) {
                return Err(Ended::FirstViolation);
            }
        }
        for successor in buffer.iter() {
            if let Some(bytes) = successor.state
                && let Inserted::New(_) = store.insert(bytes)?
            {
                explorer.count_state(level + 1)?;
            }
        }
        next += 1;
        explorer.tick(store.memory() + buffer.memory())?;
    }
    Ok(())
}

/// Keeps a violation and tells whether it ends the search.
///
/// A fault on a transition out of this level is one transition longer than an invalid end state in it, and there may
/// be one yet to come. If these are wanted, the first fault therefore waits for the end of the level.
fn keep(explorer: &Explorer<'_>, place: Place, places: &mut Vec<Place>) -> bool {
    if !explorer.stops_at_first() {
        places.push(place);
        return false;
    }
    let is_shortest = place.successor.is_none() || !explorer.wants_end_states();
    if is_shortest {
        places.clear();
    }
    if places.is_empty() {
        places.push(place);
    }
    is_shortest
}

/// Builds the traces: a second pass over the stored states, in the same order, that remembers parents.
///
/// All successors of the states before the last place are in the store, so that nothing new is inserted.
fn retrace(explorer: &mut Explorer<'_>, store: &mut dyn Store, places: Vec<Place>) {
    let Some(last) = places.iter().map(|place| place.state.index()).max() else { return };
    let mut parents: Vec<StateId> = vec![StateId::from_index(0); 1];
    let mut buffer = SuccessorBuffer::new();
    let mut state = Vec::new();
    let mut next = 0;
    // A child is met first from its parent, and children are numbered as they are met.
    while parents.len() <= last && next < store.len() {
        state.clear();
        state.extend_from_slice(store.state(StateId::from_index(next)));
        buffer.clear();
        explorer.system.expand_all(&state, &mut buffer);
        for successor in buffer.iter() {
            if let Some(bytes) = successor.state
                && let Ok(Inserted::Old(child)) = store.insert(bytes)
                && child.index() == parents.len()
            {
                parents.push(StateId::from_index(next));
            }
        }
        next += 1;
        explorer.still_working(store.memory() + parents.len() * size_of::<StateId>());
    }
    for place in places {
        let mut path = vec![place.state];
        let mut id = place.state;
        while id.index() > 0
            && let Some(&parent) = parents.get(id.index())
        {
            path.push(parent);
            id = parent;
        }
        let states = path.iter().rev().map(|&id| store.state(id));
        let trace = trace_along(explorer.system, states, place.successor);
        explorer.found(Found { fault: place.fault, trace });
    }
}
