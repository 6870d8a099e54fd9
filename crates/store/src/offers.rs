//! What the stores without a tree share: the successors that wait, in full, with their hashes.

use ample_transition::{Opened, States};

use crate::hash::hash;

/// Successors that were offered and not settled yet.
#[derive(Default)]
pub(crate) struct Offers {
    bytes: Vec<u8>,
    offers: Vec<Offer>,
}

struct Offer {
    hash: u64,
    end: usize,
}

impl Offers {
    /// Adds an offer and gives its hash.
    pub(crate) fn push(&mut self, state: &[u8]) -> u64 {
        self.bytes.extend_from_slice(state);
        let hash = hash(state);
        self.offers.push(Offer { hash, end: self.bytes.len() });
        hash
    }

    /// The hash and the bytes of an offer.
    pub(crate) fn get(&self, place: usize) -> Option<(u64, &[u8])> {
        Some((self.offers.get(place)?.hash, self.state(place)))
    }

    /// The bytes of an offer that there is.
    pub(crate) fn state(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.offers[place - 1].end };
        &self.bytes[start..self.offers[place].end]
    }

    pub(crate) fn hashes(&self) -> impl Iterator<Item = u64> + Clone {
        self.offers.iter().map(|offer| offer.hash)
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.offers.clear();
    }
}

/// Opens a state that is in the list in full.
pub(crate) fn open_in_full(states: &States, index: usize, state: &mut Vec<u8>) -> Opened {
    state.clear();
    state.extend_from_slice(states.state(index).unwrap_or_default());
    Opened::Here
}
