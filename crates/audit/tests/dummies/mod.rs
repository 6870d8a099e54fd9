//! A dummy of each kind of technique, one file each, right and wrong; one line each in a registry.

mod approximation;
mod canonizer;
mod condition;
mod expander;
mod pass;
mod store;

use ample_check::{Loop, Techniques};
use ample_guarantee::{Guarantee, Part, PartKind};
use ample_reduction::{CanonizerEntry, CycleConditionEntry, ExpanderEntry, PassEntry};
use ample_store::StoreEntry;

const fn part(name: &'static str, kind: PartKind, guarantee: Guarantee) -> Part {
    Part { name, kind, summary: "a dummy", paper: None, guarantee }
}

static PASSES: &[PassEntry] = &[pass::RIGHT];
static CANONIZERS: &[CanonizerEntry] = &[canonizer::RIGHT];
static EXPANDERS: &[ExpanderEntry] = &[expander::RIGHT];
static CYCLE_CONDITIONS: &[CycleConditionEntry] = &[condition::RIGHT, ample_reduction::CYCLE_CONDITIONS[1]];
static STORES: &[StoreEntry] = &[ample_store::STORES[0], ample_store::STORES[1], ample_store::STORES[2], store::RIGHT];
pub static LOOPS: &[Loop] = &[approximation::RIGHT];

/// Right dummies, and of what there is only what an audit compares with.
pub fn right() -> Techniques {
    Techniques {
        passes: PASSES,
        canonizers: CANONIZERS,
        expanders: EXPANDERS,
        cycle_conditions: CYCLE_CONDITIONS,
        stores: STORES,
        ..Techniques::default()
    }
}

/// Right ones but for the kind of this one, with its name.
pub struct Wrong {
    pub name: &'static str,
    pub techniques: fn(Techniques) -> Techniques,
    pub loops: &'static [Loop],
}

static WRONG_PASSES: &[PassEntry] = &[pass::WRONG];
static WRONG_CANONIZERS: &[CanonizerEntry] = &[canonizer::WRONG];
static WRONG_EXPANDERS: &[ExpanderEntry] = &[expander::WRONG];
static WRONG_CYCLE_CONDITIONS: &[CycleConditionEntry] = &[condition::WRONG];
static WRONG_STORES: &[StoreEntry] =
    &[ample_store::STORES[0], ample_store::STORES[1], ample_store::STORES[2], store::WRONG];
static WRONG_LOOPS: &[Loop] = &[approximation::WRONG];

pub static WRONG: &[Wrong] = &[
    Wrong { name: "fuse-all", techniques: |right| Techniques { passes: WRONG_PASSES, ..right }, loops: LOOPS },
    Wrong {
        name: "forget-signal",
        techniques: |right| Techniques { canonizers: WRONG_CANONIZERS, ..right },
        loops: LOOPS,
    },
    Wrong { name: "first-only", techniques: |right| Techniques { expanders: WRONG_EXPANDERS, ..right }, loops: LOOPS },
    Wrong {
        name: "anything",
        techniques: |right| Techniques { cycle_conditions: WRONG_CYCLE_CONDITIONS, ..right },
        loops: LOOPS,
    },
    Wrong { name: "forgetful", techniques: |right| Techniques { stores: WRONG_STORES, ..right }, loops: LOOPS },
    Wrong { name: "never-more", techniques: |right| right, loops: WRONG_LOOPS },
];
