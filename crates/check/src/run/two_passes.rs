//! Two passes: where a search for runs has a cycle condition, the system first.
//!
//! The condition looks at the system alone, not at the product (theory.md 1.2). So a first pass
//! over the system settles which transitions are taken in each state, and the search repeats that.

use ample_reduction::RecordPass;
use ample_search::{Ended, Search, SearchOutcome};
use ample_transition::{CycleCondition, Expander};

use super::context::SearchContext;
use crate::layers::SearchSpec;
use crate::layers::ground::Ground;
use crate::layers::reduction::{self, ConfiguredReduction};
use crate::plan::Plan;

/// Of the memory limit, one part in so many is for the decisions of a first pass.
const SHARE_OF_DECISIONS: u64 = 8;

impl SearchContext<'_, '_> {
    /// What settles which transitions are taken in the product, after a first pass if there must be
    /// one.
    pub(super) fn settle<'c>(
        &mut self,
        ground: Ground<'_>,
        plan: &Plan,
        configured: ConfiguredReduction<'c>,
    ) -> Result<Box<dyn Expander + 'c>, Box<SearchOutcome>> {
        let ConfiguredReduction { expander, condition, notes, join: _ } = configured;
        let expander = match condition.needs().is_nothing() {
            true => expander,
            false => self.first_pass(ground, plan, expander, condition)?,
        };
        Ok(reduction::counting(expander, notes))
    }

    /// Visits the system alone and settles which transitions are taken in each state. If that does
    /// not come to an end, what came of it.
    fn first_pass<'c>(
        &mut self,
        ground: Ground<'_>,
        plan: &Plan,
        expander: Box<dyn Expander + 'c>,
        condition: &dyn CycleCondition,
    ) -> Result<Box<dyn Expander + 'c>, Box<SearchOutcome>> {
        let max_bytes = self.limits.max_memory.map_or(usize::MAX, |max| (max / SHARE_OF_DECISIONS) as usize);
        let recording = RecordPass::new(expander, max_bytes);
        let spec = SearchSpec {
            reduction: Some((&recording, condition)),
            log: Some(&recording),
            assumptions: Some(&recording),
            canonizer: ground.canonizer,
            ..SearchSpec::new(ground.successors, &[])
        };
        let (order, threads) = plan.first_pass(condition);
        let limits = self.limits.clone();
        let outcome = self.within(limits).run(plan, &spec, |search, _| order(Search { threads, ..search }));
        if outcome.ended != Ended::Complete {
            return Err(Box::new(outcome));
        }
        self.first_pass = Some(outcome.counts);
        Ok(Box::new(recording.into_replay()))
    }
}
