//! The keys of the collapse store against a plain set of states: each state gets one key, no two
//! get the same, and the key leads back to the very bytes.

use std::collections::HashSet;

use ample_search::typical_states;
use ample_store::STORES;
use ample_transition::{KeyUse, States, StoreConfig, SuccessorBuffer, Successors};

/// How far a system is explored.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// The states.
    pub states: usize,
    /// The moves, those inside `atomic` sequences among them: one transition may have many
    /// thousands.
    pub moves: u64,
}

/// What was read back.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many states.
    pub states: usize,
    /// How often keys were laid out anew on the way.
    pub relayouts: u64,
    /// How many moves were made.
    pub moves: u64,
}

/// Explores a system breadth first, as far as the limits allow; each state is opened from its key,
/// compared with what it was, and what the store takes for new among its successors with what is.
pub fn read_back(system: &dyn Successors, limits: Limits) -> Result<Tally, String> {
    let Ok(initial) = system.initial() else { return Ok(Tally::default()) };
    let typical = typical_states(system).into();
    let length = system.state_length();
    let config = StoreConfig { length, typical, key_use: KeyUse::References, ..StoreConfig::unlimited() };
    let entry = STORES.iter().find(|entry| entry.part.name == "collapse").ok_or("there is no collapse store")?;
    let store = (entry.make)(&config).map_err(|full| format!("{full:?}"))?;
    let (mut session, mut reader) = (store.session(), store.session());
    let (mut keys, mut states, mut buffer) = (States::default(), vec![initial.clone()], SuccessorBuffer::new());
    session.offer(&initial);
    session.settle(u64::MAX, &mut keys).map_err(|reason| format!("{reason:?}"))?;
    let mut seen: HashSet<Vec<u8>> = HashSet::from([initial]);
    let (mut opened, mut moves) = (Vec::new(), 0);
    for index in 0.. {
        if index == states.len() || states.len() > limits.states || moves > limits.moves {
            break;
        }
        session.open(&keys, index, &mut opened);
        if opened != states[index] {
            return Err(format!("state {index} is {:?}, and {opened:?} was opened", states[index]));
        }
        buffer.clear();
        system.expand_all(&opened, &mut buffer);
        moves += buffer.tally().transitions + buffer.tally().atomic_steps;
        session.offer_all(&buffer);
        let mut new = States::default();
        session.settle(u64::MAX, &mut new).map_err(|reason| format!("{reason:?}"))?;
        let successors = buffer.iter().filter_map(|successor| successor.state);
        let mut fresh: HashSet<&[u8]> = successors.filter(|state| !seen.contains(*state)).collect();
        for key in (0..new.len()).filter_map(|place| new.key(place)) {
            reader.recall(key, &mut opened);
            if !fresh.remove(opened.as_slice()) {
                return Err(format!("a successor of state {index} is not new, or none: {opened:?}"));
            }
            keys.push(key);
            states.push(opened.clone());
        }
        if let Some(missing) = fresh.into_iter().next() {
            return Err(format!("a new successor of state {index} is taken for an old one: {missing:?}"));
        }
        seen.extend(states[seen.len()..].iter().cloned());
    }
    Ok(Tally { states: states.len(), relayouts: store.relayouts(), moves })
}
