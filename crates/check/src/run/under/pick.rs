//! Which of what is missing comes next.
//!
//! [`Pick::Random`] is the paper's choice: one of all that is missing, each as likely as any other.
//! The loop then ends when nothing is missing at all.
//!
//! [`Pick::Guided`] looks at what the last run did. What is missing and never was in a proper
//! subset makes no difference: a run in which it is let in, too, would have been the very same. So
//! it is passed over, and if there is nothing else the approximation is exact already. Of the rest,
//! what concerns most propositions comes first, then what was taken most often while others were
//! outside the reduced set: letting it in changes most. Of transitions on cycles only so many are
//! looked at as break every cycle. The first time one is let in, then two, then four: a loop that
//! has not found an error with little is on its way to "holds", and should not take one run for
//! each transition. Nothing that was let in is taken back and at least one is let in each time, so
//! that the series is as monotone, and no longer, than it is with one by one.

use std::cmp::Reverse;

use ample_network::facts::TransitionId;
use ample_reduction::Notes;
use ample_stdx::{BitSet, Random};

use super::approximation::Missing;
use crate::options::Pick;

/// Chooses from run to run.
pub(super) struct Picker {
    pick: Pick,
    random: Random,
    /// How many come at a time.
    share: usize,
}

impl Picker {
    pub fn new(pick: Pick) -> Self {
        let seed = match pick {
            Pick::Guided => 0,
            Pick::Random { seed } => seed,
        };
        Picker { pick, random: Random::new(seed), share: 1 }
    }

    /// The transitions that are passed over, by what the last run did.
    pub fn spared(&self, notes: &Notes) -> BitSet<TransitionId> {
        match self.pick {
            Pick::Guided => notes.never_taken(),
            Pick::Random { .. } => BitSet::new(),
        }
    }

    /// What comes next, at least one if anything is missing.
    pub fn pick(&mut self, mut missing: Vec<Missing>) -> Vec<Missing> {
        match self.pick {
            Pick::Random { .. } if missing.is_empty() => missing,
            Pick::Random { .. } => {
                let at = self.random.below(missing.len());
                vec![missing.swap_remove(at)]
            }
            Pick::Guided => {
                // What is not needed comes last, and only if nothing is.
                let is_needed = missing.iter().any(|missing| missing.is_needed);
                missing.retain(|missing| missing.is_needed == is_needed);
                missing.sort_by_key(|missing| (Reverse(missing.weight), Reverse(missing.taken)));
                missing.truncate(self.share);
                self.share *= 2;
                missing
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::approximation::What;
    use super::*;

    fn missing(number: usize, weight: usize, is_needed: bool) -> Missing {
        Missing { what: What(number), reason: "", is_needed, weight, taken: number as u64 }
    }

    fn numbers(picked: &[Missing]) -> Vec<usize> {
        picked.iter().map(|missing| missing.what.0).collect()
    }

    #[test]
    fn a_guided_choice_takes_what_matters_most_and_doubles() {
        let all = || vec![missing(0, 1, true), missing(1, 2, true), missing(2, 1, true), missing(9, 9, false)];
        let mut picker = Picker::new(Pick::Guided);
        assert_eq!(numbers(&picker.pick(all())), [1]);
        assert_eq!(numbers(&picker.pick(all())), [1, 2]);
        assert_eq!(numbers(&picker.pick(all())), [1, 2, 0]);
        assert_eq!(numbers(&picker.pick(vec![missing(9, 9, false)])), [9]);
    }

    #[test]
    fn a_random_choice_is_the_same_for_a_seed_and_any_of_all() {
        let all = || (0..10).map(|number| missing(number, 0, number % 2 == 0)).collect::<Vec<_>>();
        let series = |seed| {
            let mut picker = Picker::new(Pick::Random { seed });
            (0..50).flat_map(|_| numbers(&picker.pick(all()))).collect::<Vec<_>>()
        };
        assert_eq!(series(7), series(7));
        assert_ne!(series(7), series(8));
        assert!((0..10).all(|number| series(7).contains(&number)));
        assert!(Picker::new(Pick::Random { seed: 0 }).pick(Vec::new()).is_empty());
    }
}
