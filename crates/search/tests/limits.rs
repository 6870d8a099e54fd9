//! The memory limit at the edge: a search whose store lays out keys anew, within budgets in small
//! steps. It ends with the limit as its reason, or it has explored everything; the budget is never
//! exceeded.

use ample_search::{Ended, Limit, Limits, ORDERS, Search, SearchOutcome, StopAt};
use ample_store::STORES;
use ample_transition::{Budget, Fault, KeyUse, StateLength, StoreConfig, SuccessorBuffer, Successors};

const LENGTH: usize = 32;
const STATES: u32 = 20_000;

/// A number that grows by one, or is tripled; the state has it, and what is left of it.
struct Numbers;

fn state(number: u32) -> Vec<u8> {
    let mut state = vec![0; LENGTH];
    state[..4].copy_from_slice(&(number % 97).to_le_bytes());
    state[16..20].copy_from_slice(&number.to_le_bytes());
    state
}

impl Successors for Numbers {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        Ok(state(0))
    }

    fn expand_all(&self, at: &[u8], buffer: &mut SuccessorBuffer) {
        let number = u32::from_le_bytes([at[16], at[17], at[18], at[19]]);
        for next in [number + 1, 3 * number] {
            buffer.push(&[], &[], Some(&mut |out| out.extend_from_slice(&state(next % STATES))));
        }
    }

    fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
        None
    }

    fn state_length(&self) -> StateLength {
        StateLength::Always(LENGTH)
    }
}

/// Explores the numbers on so many threads with so much memory; `None` if that is too little for an
/// empty store.
fn explore(threads: usize, limit: usize) -> Option<SearchOutcome> {
    let budget = Budget::new(limit);
    let make = |name: &str| {
        // Nothing is like what they show.
        let typical: Vec<Vec<u8>> = (0..100u8).map(|number| vec![number % 2; LENGTH]).collect();
        let (length, key_use) = (StateLength::Always(LENGTH), KeyUse::References);
        let entry = STORES.iter().find(|entry| entry.part.name == name)?;
        (entry.make)(&StoreConfig { budget: budget.clone(), length, typical: typical.into(), key_use }).ok()
    };
    let outcome = (ORDERS.iter().find(|order| order.part.name == "blocks")?.run)(Search {
        system: &Numbers,
        store: make("collapse")?,
        make_exact_store: &|| make("tree"),
        budget: &budget,
        threads,
        wanted: &[],
        stop_at: StopAt::End,
        limits: &Limits { max_memory: Some(limit as u64), ..Limits::default() },
        progress: None,
        observer: None,
        reduction: None,
        has_assumption_failed: None,
        slices: None,
    });
    assert!(budget.peak() <= limit, "{threads} {limit}: {}", budget.peak());
    assert_eq!(budget.used(), 0, "{threads} {limit}: all memory is given back");
    Some(outcome)
}

#[test]
fn a_search_ends_at_the_limit_and_says_so() {
    let plenty = explore(1, 1 << 28).unwrap();
    assert_eq!((plenty.ended, plenty.counts.states), (Ended::Complete, STATES.into()));
    assert!(plenty.relayouts > 0, "there is a new layout");
    for threads in [1, 3] {
        let (mut ended, mut complete) = (0, 0);
        for step in 0..60 {
            let limit = (plenty.memory / 4 + step * plenty.memory / 48 + step) as usize;
            let Some(outcome) = explore(threads, limit) else { continue };
            match outcome.ended {
                Ended::Complete => {
                    assert_eq!(outcome.counts.states, STATES.into(), "{threads} {limit}");
                    complete += 1;
                }
                other => {
                    assert_eq!(other, Ended::Limit(Limit::Memory(limit as u64)), "{threads}");
                    ended += 1;
                }
            }
        }
        assert!(ended > 0 && complete > 0, "{threads}: {ended} {complete}");
    }
}
