//! One transition of each state, and then all of them.

use ample_check::{
    Added, Approximation, CheckError, ConfiguredReduction, Ends, LeavesOut, Loop, Missing, Options, Saw, SearchLayers,
    Start, What,
};
use ample_guarantee::{Guarantee, Part, PartKind};
use ample_reduction::Always;

use super::expander::FirstOnly;
use super::part;

static ONE_THEN_ALL: Part = part("one-then-all", PartKind::Under, Guarantee::NOT_EXACT_YET);
static NEVER_MORE: Part = part("never-more", PartKind::Under, Guarantee::NOT_EXACT_YET);

pub const RIGHT: Loop = begin_with(&ONE_THEN_ALL, |_| Box::new(One { may_grow: true, is_all: false }));

/// It takes itself for exact.
pub const WRONG: Loop = begin_with(&NEVER_MORE, |_| Box::new(One { may_grow: false, is_all: false }));

const fn begin_with(
    part: &'static Part,
    begin: for<'s, 'a> fn(Start<'s, 'a>) -> Box<dyn Approximation<'a> + 'a>,
) -> Loop {
    const fn fine(_: &Options) -> Result<(), CheckError> {
        Ok(())
    }
    let leaves_out = LeavesOut::Transitions { expander: &ample_reduction::STUBBORN, ends: Ends::AsAsked, begin };
    Loop { part, refuse: fine, leaves_out }
}

struct One {
    may_grow: bool,
    is_all: bool,
}

impl<'a> Approximation<'a> for One {
    fn layers(&self) -> SearchLayers<'a> {
        let one = ConfiguredReduction { expander: Box::new(FirstOnly), condition: &Always, notes: None, join: None };
        SearchLayers::reduced((!self.is_all).then_some(one))
    }

    fn saw(&mut self, _: &Saw<'_>) {}

    fn missing(&self) -> Vec<Missing> {
        let all = Missing { what: What(0), reason: "there are others", is_needed: true, weight: 0, taken: 0 };
        if self.may_grow && !self.is_all { vec![all] } else { Vec::new() }
    }

    fn describe(&self, missing: &Missing) -> Added {
        Added {
            process: "all".to_owned(),
            statement: String::new(),
            span: ample_source::Span::default(),
            predicate: None,
            reason: missing.reason,
        }
    }

    fn add(&mut self, _: What) {
        self.is_all = true;
    }
}
