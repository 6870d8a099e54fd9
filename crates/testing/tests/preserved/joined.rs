//! Systems in which transitions are joined, and the full ones; and all conditions on the small
//! models of two processes.

use ample_guarantee::PropertyClass;
use ample_reduction::{EXPANDERS, ExpanderEntry, VisibilityFilter};
use ample_testing::random;
use ample_testing::two_processes::Models;

use super::{PC, are_equivalent, build_of, check, each_model, text_of};

/// Those whose transitions are joined.
fn joining() -> impl Iterator<Item = &'static ExpanderEntry> {
    EXPANDERS.iter().filter(|entry| entry.join.is_some())
}

/// The relations that a system in which transitions are joined keeps with the full one, where none
/// of those after the first is visible or sticky.
fn kept_by_joining(entry: &ExpanderEntry) -> &'static [&'static str] {
    match entry.part.guarantee.no_missed.contains(PropertyClass::StutterInvariantBranching) {
        true => &["deadlock", "weak-trace", "weak-bisim", "branching-bisim"],
        false => &["deadlock", "weak-trace"],
    }
}

/// For each expander whose transitions are joined: how many systems were compared with the full
/// ones, and how many of them were smaller.
fn check_joined(seeds: std::ops::Range<u64>, text_of: fn(u64) -> String, least: usize) {
    for entry in joining() {
        let (mut compared, mut smaller, mut unsettled) = (0, 0, 0);
        each_model(seeds.clone(), text_of, |name, subject, full| {
            let (network, facts) = (&subject.packed.network, &subject.facts);
            let expander = (entry.make)(network, facts);
            let expander = VisibilityFilter::new(expander, network, facts, subject.sticky.clone());
            let joined = entry.join.expect("it joins")(&subject.packed, &expander);
            let joined = build_of(&*joined, subject, None, PC).expect("it is not larger");
            for relation in kept_by_joining(entry) {
                match are_equivalent(relation, full, &joined) {
                    Some(true) => compared += 1,
                    Some(false) => panic!("{}: not {relation}: {name}", entry.part.name),
                    None => unsettled += 1,
                }
            }
            smaller += usize::from(joined.state_count() < full.state_count());
        });
        println!("{}: {compared} equivalent, {unsettled} unsettled, {smaller} smaller", entry.part.name);
        assert!(compared > least && smaller > least / 10, "{}: {compared} {smaller}", entry.part.name);
    }
}

#[test]
fn joined_transitions_of_random_models() {
    check_joined(random::seeds(0..300).expect("AMPLE_SEEDS is A..B"), text_of, 200);
}

#[test]
fn joined_transitions_of_models_that_create_processes() {
    check_joined(random::seeds(0..300).expect("AMPLE_SEEDS is A..B"), random::creating_model, 200);
}

/// Every so many of the models of two processes; all of them with `AMPLE_SEEDS=0..55945`.
const STEP_OF_SMALL: u64 = 187;

fn small_model(number: u64) -> String {
    let number = if std::env::var_os("AMPLE_SEEDS").is_some() { number } else { number * STEP_OF_SMALL };
    // Where a run ends in an error, systems are not compared.
    Models::default().text(number as usize).unwrap_or_default().replace("assert(false); ", "")
}

#[test]
fn joined_transitions_of_small_models() {
    check_joined(random::seeds(0..300).expect("AMPLE_SEEDS is A..B"), small_model, 200);
}

#[test]
fn small_models() {
    check(random::seeds(0..300).expect("AMPLE_SEEDS is A..B"), small_model, 500);
}
