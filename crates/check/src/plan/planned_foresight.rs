//! A foresight as a plan has it.

use std::sync::Arc;

use ample_guarantee::Part;
use ample_reduction::{Foreknowledge, ForesightEntry};
use ample_transition::Foresight;

use crate::system::Reducible;

/// A foresight of a plan, with what it knows of the model that is searched, once that is found out.
#[derive(Clone)]
pub(crate) struct PlannedForesight {
    /// What it is.
    pub entry: &'static ForesightEntry,
    /// What it knows.
    pub known: Option<Arc<dyn Foreknowledge>>,
}

impl PlannedForesight {
    /// Its descriptor.
    pub fn part(&self) -> &'static Part {
        self.entry.part
    }

    /// The foresight by what it knows; nothing if there was no time to find that out.
    pub fn on<'a>(&self, reducible: Reducible<'a>) -> Option<Box<dyn Foresight + 'a>> {
        Some(self.known.clone()?.on(reducible.network))
    }
}
