//! Successors from known moves are all successors: of systems of a few counters, of which each
//! process reads some and changes one, through layouts of keys that change on the way.

use std::collections::HashSet;

use ample_store::{STORES, StoreEntry};
use ample_transition::{
    Budget, Candidate, Inserted, KeyUse, ProcessMoves, ProcessViews, StateLength, States, StoreConfig, SuccessorBuffer,
    Successors, View, Viewed,
};
use proptest::prelude::*;

const LENGTH: usize = 32;
const WORD: usize = 8;

/// A process that counts in one byte, as long as another byte is not what it waits for.
#[derive(Clone, Debug)]
struct Counting {
    own: usize,
    other: usize,
    blocked_at: u8,
    limit: u8,
}

#[derive(Debug)]
struct Counters {
    processes: Vec<Counting>,
    /// For each process the byte that it counts in, and that with the other one.
    location: Vec<[u64; LENGTH / WORD]>,
    touched: Vec<[u64; LENGTH / WORD]>,
}

fn bits(bytes: &[usize]) -> [u64; LENGTH / WORD] {
    let mut bits = [0; LENGTH / WORD];
    bytes.iter().for_each(|byte| bits[byte / WORD] |= 0xff << (byte % WORD * 8));
    bits
}

impl Counters {
    fn new(processes: Vec<Counting>) -> Counters {
        let location = processes.iter().map(|process| bits(&[process.own])).collect();
        let touched = processes.iter().map(|process| bits(&[process.own, process.other])).collect();
        Counters { processes, location, touched }
    }

    fn push(&self, process: usize, state: &[u8], buffer: &mut SuccessorBuffer) {
        let Counting { own, other, blocked_at, limit } = self.processes[process];
        if state[other] == blocked_at {
            return;
        }
        let mut next = state.to_vec();
        next[own] = (next[own] + 1) % limit;
        // Nobody asks which moves they are.
        buffer.push_state(&[], &next);
    }
}

impl Successors for Counters {
    fn initial(&self) -> Result<Vec<u8>, Box<ample_transition::Fault>> {
        Ok(vec![0; LENGTH])
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        (0..self.processes.len()).rev().for_each(|process| self.push(process, state, buffer));
    }

    fn process_moves(&self) -> Option<&dyn ProcessMoves> {
        Some(self)
    }

    fn state_length(&self) -> StateLength {
        StateLength::Always(LENGTH)
    }

    fn invalid_end(&self, _: &[u8]) -> Option<Box<ample_transition::Fault>> {
        None
    }
}

impl ProcessMoves for Counters {
    fn processes(&self) -> usize {
        self.processes.len()
    }

    fn location_bits(&self, process: usize) -> Vec<u64> {
        self.location[process].to_vec()
    }

    fn touched_bits(&self, process: usize, _: &[u8]) -> Option<Vec<u64>> {
        Some(self.touched[process].to_vec())
    }

    fn expand_process(&self, process: usize, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        self.push(process, state, buffer);
        true
    }
}

fn collapse() -> &'static StoreEntry {
    STORES.iter().find(|entry| entry.part.name == "collapse").unwrap()
}

/// The states and transitions of a system, counted by a plain set.
fn counted(system: &Counters) -> (usize, u64) {
    let mut open = vec![system.initial().unwrap()];
    let (mut seen, mut transitions) = (HashSet::from([open[0].clone()]), 0);
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop() {
        buffer.clear();
        system.expand_all(&state, &mut buffer);
        transitions += buffer.len() as u64;
        let new = buffer.iter().filter_map(|next| next.state).map(<[u8]>::to_vec);
        open.extend(new.filter(|next| seen.insert(next.clone())));
    }
    (seen.len(), transitions)
}

/// The same by the store, in blocks; and how many states were expanded by what is known, and how
/// often keys were laid out anew.
fn stored(system: &Counters, budget: Budget, typical: Vec<Vec<u8>>) -> (usize, u64, usize, u64) {
    let config =
        StoreConfig { budget, length: system.state_length(), typical: typical.into(), key_use: KeyUse::References };
    let store = (collapse().make)(&config).unwrap();
    let mut session = store.session();
    let (mut all, mut buffer, mut state) = (States::default(), SuccessorBuffer::new(), Vec::new());
    session.offer(&system.initial().unwrap());
    session.settle(u64::MAX, &mut all).unwrap();
    let (mut transitions, mut known, mut next) = (0, 0, 0);
    while next < all.len() {
        let end = all.len().min(next + 64);
        for index in next..end {
            if let Some(tally) = session.offer_known(&all, index, system, &mut buffer) {
                (transitions, known) = (transitions + tally.transitions, known + 1);
                continue;
            }
            session.open(&all, index, &mut state);
            buffer.clear();
            system.expand_all(&state, &mut buffer);
            transitions += buffer.len() as u64;
            session.offer_all(&buffer);
        }
        next = end;
        session.settle(u64::MAX, &mut all).unwrap();
    }
    assert_eq!(store.len(), all.len() as u64);
    (all.len(), transitions, known, store.relayouts())
}

fn counting() -> impl Strategy<Value = Counting> {
    (0..LENGTH, 0..LENGTH, 0..6u8, 2..6u8).prop_map(|(own, other, blocked_at, limit)| Counting {
        own,
        other,
        blocked_at,
        limit,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn known_moves_lead_to_all_successors(
        processes in prop::collection::vec(counting(), 1..7),
        typical in prop::collection::vec(prop::collection::vec(0..6u8, LENGTH), 0..20),
    ) {
        let system = Counters::new(processes);
        let wanted = counted(&system);
        let (states, transitions, ..) = stored(&system, Budget::unlimited(), typical);
        prop_assert_eq!((states, transitions), wanted);
    }
}

fn six_counters() -> Counters {
    let counting = |own: usize| Counting { own: 4 * own, other: 4 * ((own + 1) % 6), blocked_at: 9, limit: 6 };
    Counters::new((0..6).map(counting).collect())
}

/// States in which the six counters have every value.
fn typical_counters() -> Vec<Vec<u8>> {
    let value =
        |number: usize, byte: usize| if byte.is_multiple_of(4) && byte < 24 { (number + byte) as u8 % 6 } else { 0 };
    (0..36).map(|number| (0..LENGTH).map(|byte| value(number, byte)).collect()).collect()
}

#[test]
fn nearly_all_states_are_expanded_by_what_is_known() {
    let system = six_counters();
    let (states, transitions, known, relayouts) = stored(&system, Budget::unlimited(), typical_counters());
    assert_eq!((states, transitions), (46_656, 6 * 46_656));
    assert!(known > 46_000, "{known} {relayouts}");
}

#[test]
fn what_is_known_is_forgotten_with_the_layout() {
    let system = six_counters();
    // Nothing differs in these, so that most states do not fit until keys are laid out anew.
    let typical = vec![vec![0; LENGTH]; 8];
    let (states, transitions, known, relayouts) = stored(&system, Budget::unlimited(), typical);
    assert_eq!((states, transitions), (46_656, 6 * 46_656));
    assert!(relayouts > 0 && known > 20_000, "{relayouts} {known}");
}

#[test]
fn without_memory_for_it_the_search_goes_on_without() {
    let system = six_counters();
    let (states, transitions, known, _) = stored(&system, Budget::new(3 << 19), typical_counters());
    assert_eq!((states, transitions, known), (46_656, 6 * 46_656, 0));
}

/// The keys of the successors of every state from what is known, against those of the successors
/// themselves, with the first byte as a note; and for how many states enough was known.
fn listed(system: &Counters, typical: Vec<Vec<u8>>) -> usize {
    let config = StoreConfig {
        budget: Budget::unlimited(),
        length: system.state_length(),
        typical: typical.into(),
        key_use: KeyUse::Identities,
    };
    let store = (collapse().make)(&config).unwrap();
    let mut session = store.session();
    let (mut all, mut buffer, mut state) = (States::default(), SuccessorBuffer::new(), Vec::new());
    let mut own = States::default();
    session.key(&system.initial().unwrap(), &mut all).unwrap();
    session.add(all.key(0).unwrap()).unwrap();
    let (mut known, mut next) = (0, 0);
    while let Some(key) = all.key(next) {
        let (mut keys, mut notes) = (States::default(), Vec::new());
        let note = |state: &[u8]| u32::from(state[0]);
        let tally = session.keys_known(key, system, &note, &mut buffer, &mut keys, &mut notes);
        session.recall(key, &mut state);
        buffer.clear();
        system.expand_all(&state, &mut buffer);
        own.clear();
        session.keys(&buffer, &mut own).unwrap();
        if let Some(tally) = tally {
            let bytes = |states: &States| -> Vec<Vec<u8>> {
                (0..states.len()).map(|place| states.key(place).unwrap().with_bytes(<[u8]>::to_vec)).collect()
            };
            assert_eq!((tally.transitions, bytes(&keys)), (buffer.len() as u64, bytes(&own)));
            let expected: Vec<u32> = buffer.iter().filter_map(|next| next.state).map(note).collect();
            assert_eq!(notes, expected);
            known += 1;
        }
        for place in 0..own.len() {
            let key = own.key(place).unwrap();
            if session.add(key).unwrap() == Inserted::New {
                all.push(key);
            }
        }
        next += 1;
    }
    known
}

/// The byte that is noted is read by a process of its own, whose number says nothing of the others:
/// each of them depends on it, too.
#[test]
fn keys_from_what_is_known_are_those_of_the_successors() {
    let mut system = six_counters();
    assert!(listed(&Counters::new(system.processes[..1].to_vec()), typical_counters()) > 0);
    system.touched.iter_mut().for_each(|touched| touched[0] |= 0xff);
    assert!(listed(&system, typical_counters()) > 40_000);
}

/// A note that the bits of an entry do not hold is no reason for a wrong one.
#[test]
fn notes_that_are_too_large_are_not_kept() {
    let counting = |own: usize| Counting { own: 4 * own, other: 4 * ((own + 1) % 2), blocked_at: 99, limit: 30 };
    let mut system = Counters::new((0..2).map(counting).collect());
    system.touched.iter_mut().for_each(|touched| touched[0] |= 0xff);
    let typical = (0..60).map(|number: usize| [[(number % 30) as u8, 0, 0, 0]; 8].concat()).collect();
    let known = listed(&system, typical);
    assert!(known > 0 && known < 900, "{known}");
}

/// Of a process its counter is seen, unless it has this value, which must be looked at each time.
struct Counts {
    unseen: u8,
}

impl ProcessViews for Counts {
    fn view(&self, process: usize, state: &[u8], _: &SuccessorBuffer) -> Option<u16> {
        let count = state[4 * process];
        (count != self.unseen).then_some(process as u16 * 256 + u16::from(count))
    }

    fn choose(&self, _: &[View], _: usize, _: &mut Candidate) -> bool {
        false
    }
}

#[test]
fn what_is_seen_of_each_process_comes_with_the_keys() {
    let system = six_counters();
    let config = StoreConfig {
        budget: Budget::unlimited(),
        length: system.state_length(),
        typical: typical_counters().into(),
        key_use: KeyUse::Identities,
    };
    let store = (collapse().make)(&config).unwrap();
    let mut session = store.session();
    let (mut buffer, mut keys, mut viewed) = (SuccessorBuffer::new(), States::default(), Viewed::default());
    let views = Counts { unseen: 3 };
    for number in 0..6_u32.pow(4) {
        let mut state = vec![0; LENGTH];
        (0..4).for_each(|process| state[4 * process] = (number / 6_u32.pow(process as u32) % 6) as u8);
        keys.clear();
        session.key(&state, &mut keys).unwrap();
        let tally = session.keys_viewed(keys.key(0).unwrap(), &system, &views, &mut buffer, &mut viewed);
        assert_eq!(tally.map(|tally| tally.transitions), (!state.contains(&3)).then_some(6));
        if tally.is_some() {
            let seen: Vec<View> = (0..6)
                .rev()
                .map(|process| View { number: views.view(process, &state, &buffer).unwrap(), moves: 1 })
                .collect();
            assert_eq!((&viewed.views, viewed.keys.len(), &viewed.atomic_steps), (&seen, 6, &vec![0; 6]));
        }
    }
}
