//! What stubborn sets offer, under another name.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_reduction::{ExpanderEntry, StubbornSets};
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

use super::part;

static COPY: Part = part("copy", PartKind::Expander, Guarantee::STUTTERING);
static FIRST_ONLY: Part = part("first-only", PartKind::Expander, Guarantee::STUTTERING);

pub const RIGHT: ExpanderEntry = ExpanderEntry {
    part: &COPY,
    is_automatic: true,
    make: |network, facts| Box::new(Copy { inner: StubbornSets::new(network, facts) }),
    join: None,
};

/// Whatever depends on it.
pub const WRONG: ExpanderEntry =
    ExpanderEntry { part: &FIRST_ONLY, is_automatic: false, make: |_, _| Box::new(FirstOnly), join: None };

struct Copy<'n> {
    inner: StubbornSets<'n>,
}

impl Decorator for Copy<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&self.inner)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        self.inner.candidate(state, successors, number, candidate)
    }
}

/// Takes the first transition of each state.
pub struct FirstOnly;

impl Expander for FirstOnly {
    fn candidate(&self, _: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        candidate.choose_all(1);
        number == 0 && successors.len() > 1
    }

    fn has_failed(&self) -> bool {
        false
    }
}
