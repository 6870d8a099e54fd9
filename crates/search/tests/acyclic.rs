//! Orders that compute classes, at their limits.

#[allow(dead_code, reason = "other tests use the rest")]
mod toy;

use ample_search::{Ended, Limit, Limits, Search, StopAt, acyclic};
use ample_transition::{Below, Budget, ClassCounts, ClassId, Classes, ClassesFull};
use toy::{Toy, make_store, second_store, to};

/// Classes of one state each, of which there may be only so many.
struct Few(usize);

impl Classes for Few {
    fn find(&mut self, _: &[u8], _: Option<u64>) -> Option<ClassId> {
        None
    }

    fn add(
        &mut self,
        _: &[u8],
        _: Option<u64>,
        _: &mut dyn Iterator<Item = Below<'_>>,
    ) -> Result<ClassId, ClassesFull> {
        self.0 = self.0.checked_sub(1).ok_or(ClassesFull)?;
        Ok(self.0 as ClassId)
    }

    fn counts(&self) -> ClassCounts {
        ClassCounts::default()
    }

    fn memory(&self) -> usize {
        0
    }
}

/// Memory is not what ran out: to give it more would not help.
#[test]
fn classes_that_cannot_be_represented_end_the_search_by_a_limit_of_their_own() {
    let system = Toy { initial: 0, steps: |n| if n < 5 { vec![to(n + 1)] } else { Vec::new() }, may_end: |_| true };
    let limits = Limits { max_memory: Some(1 << 30), ..Limits::default() };
    for (most, ended) in [(6, Ended::Complete), (5, Ended::Limit(Limit::Classes)), (0, Ended::Limit(Limit::Classes))] {
        let budget = Budget::new(1 << 30);
        let search = Search {
            system: &system,
            store: make_store("exact", &budget),
            make_exact_store: &|| second_store("exact", &budget),
            budget: &budget,
            threads: 1,
            wanted: &[],
            stop_at: StopAt::End,
            limits: &limits,
            progress: None,
            observer: None,
            reduction: None,
            has_assumption_failed: None,
            slices: None,
        };
        assert_eq!(acyclic(search, Box::new(Few(most))).ended, ended, "{most}");
    }
}
