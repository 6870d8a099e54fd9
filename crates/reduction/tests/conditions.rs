//! Cycle conditions against their definitions, on everything that can be known of up to three
//! states.

use ample_reduction::{Always, CYCLE_CONDITIONS, ForRuns, NoneBegun, NoneOnPath, SomeNew, SomeOffPath, SomeOpen};
use ample_transition::{CycleCondition, Seen};

fn all_seen() -> Vec<Seen> {
    let bit = |number: u8, place: u8| number >> place & 1 == 1;
    (0..8).map(|number| Seen { is_new: bit(number, 0), is_begun: bit(number, 1), is_on_path: bit(number, 2) }).collect()
}

/// Every list of one, two and three states.
fn candidates() -> Vec<Vec<Seen>> {
    let all = all_seen();
    let longer = |shorter: &[Vec<Seen>]| -> Vec<Vec<Seen>> {
        let with = |list: &Vec<Seen>, next: &Seen| [list.as_slice(), &[*next]].concat();
        shorter.iter().flat_map(|list| all.iter().map(move |next| with(list, next))).collect()
    };
    let one = longer(&[Vec::new()]);
    let two = longer(&one);
    let three = longer(&two);
    [one, two, three].concat()
}

#[track_caller]
fn check(condition: &dyn CycleCondition, expected: fn(&[Seen]) -> bool) {
    for seen in candidates() {
        assert_eq!(condition.accepts(&seen), expected(&seen), "{condition:?} {seen:?}");
    }
}

#[test]
fn conditions_accept_what_their_definitions_say() {
    check(&Always, |_| true);
    check(&SomeNew, |seen| seen.iter().filter(|next| next.is_new).count() > 0);
    check(&SomeOpen, |seen| seen.iter().filter(|next| next.is_begun).count() < seen.len());
    check(&NoneBegun, |seen| seen.iter().filter(|next| next.is_begun).count() == 0);
    check(&SomeOffPath, |seen| seen.iter().filter(|next| next.is_on_path).count() < seen.len());
    check(&NoneOnPath, |seen| seen.iter().filter(|next| next.is_on_path).count() == 0);
}

#[test]
fn conditions_look_at_nothing_that_they_do_not_ask_for() {
    let registered = CYCLE_CONDITIONS.iter().flat_map(|entry| {
        let for_runs = match entry.for_runs {
            Some(ForRuns::TwoPasses(condition)) => Some(condition),
            Some(ForRuns::OnTheFly) | None => None,
        };
        [entry.for_faults].into_iter().chain(for_runs)
    });
    for condition in registered {
        let needs = condition.needs();
        for seen in candidates() {
            let asked = |next: &Seen| Seen {
                is_new: next.is_new && needs.new,
                is_begun: next.is_begun && needs.begun,
                is_on_path: next.is_on_path && needs.path,
            };
            let less: Vec<Seen> = seen.iter().map(asked).collect();
            assert_eq!(condition.accepts(&seen), condition.accepts(&less), "{condition:?} {seen:?}");
        }
    }
}
