//! The collapse store: a state is a key of 64 bits that leads back to it, and little else is kept.
//!
//! A state is made of components, which have few values each. The values are numbered as they are
//! met, and the numbers side by side are the key (Holzmann: State compression in Spin; Visser:
//! Memory efficient state storage in Spin). Which bits of a state are a component, and how many
//! bits its number gets, is learned from typical states (see `plan`). Nothing is hashed away: a key
//! is decoded to the very bytes it was made of.
//!
//! A successor differs from its parent in few components, and only these are looked up.
//!
//! A state that does not fit, because a bit differs in which no typical state did, or because a
//! component has more values than its numbers have bits for, is kept as the tree store does: all
//! its pairs of words are numbered, and what is kept is its *root*, the number of the whole and its
//! length. The highest bits of a reference to a state, its *tag*, tell which of both it is. Whether
//! a state fits is settled when it is first met: a value that got a number keeps it, and when
//! numbers have run out, they have for good. So each state has one reference.
//!
//! When many states do not fit, keys are laid out anew, after a sample of what is stored, and the
//! table is made anew with the keys of the next layout. Keys of an earlier layout stay readable:
//! the tag says which layout it was, and they are translated when they are looked up. Whoever
//! compares keys with each other says so when the store is made; then they are never laid out anew.

mod keys;
mod known;
mod layout;
mod moves;
mod offered;
mod plan;
mod reach;
mod session;
mod shared;
mod values;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{KeyUse, Session, StateLength, StateRef, Store, StoreConfig, StoreFull};

use self::keys::CollapseSession;
use self::layout::PlannedLayout;
use self::plan::{Room, plan};
use self::shared::Shared;
use crate::learned::Learned;

/// The collapse store.
pub static COLLAPSE: Part = Part {
    name: "collapse",
    kind: PartKind::Store,
    summary: "every state is kept, as the numbers of the values of its components",
    paper: Some("Holzmann: State compression in Spin, 1997"),
    guarantee: Guarantee::EXACT,
};

/// A store of keys.
pub struct CollapseStore {
    shared: Shared,
    learned: Learned<Option<PlannedLayout>>,
}

impl CollapseStore {
    /// An empty store.
    pub fn new(config: &StoreConfig) -> Result<Self, StoreFull> {
        let mut learned = Learned::default();
        let shared = Shared::new(config, first_layout(&mut learned, config))?;
        Ok(CollapseStore { shared, learned })
    }
}

/// The layout that suits the typical states. Without any there is none, except for what has the
/// length of a reference, as the states of a second search have.
fn first_layout<'l>(
    learned: &'l mut Learned<Option<PlannedLayout>>,
    config: &StoreConfig,
) -> Option<&'l PlannedLayout> {
    let len = config.length.usual()?;
    // Keys that stay as they are cannot be made longer.
    let room = match config.key_use {
        KeyUse::References => Room::Short,
        KeyUse::Identities => Room::Final,
    };
    let learn = || {
        if config.typical.is_empty() && len == size_of::<StateRef>() {
            return Some(PlannedLayout::of_references());
        }
        let typical = config.typical.iter().map(Vec::as_slice).filter(|state| state.len() == len);
        plan(&typical.collect::<Vec<&[u8]>>(), len, room)
    };
    learned.of(config, learn).as_ref()
}

impl Store for CollapseStore {
    fn session(&self) -> Box<dyn Session + Send + '_> {
        Box::new(CollapseSession::new(&self.shared))
    }

    fn renew(&mut self, config: &StoreConfig) -> Result<(), StoreFull> {
        self.shared.renew(config, first_layout(&mut self.learned, config))
    }

    fn len(&self) -> u64 {
        self.shared.len()
    }

    fn memory(&self) -> usize {
        self.shared.memory()
    }

    fn key_length(&self, _: StateLength) -> StateLength {
        StateLength::Always(size_of::<StateRef>())
    }

    fn relayouts(&self) -> u64 {
        self.shared.version() as u64
    }
}
