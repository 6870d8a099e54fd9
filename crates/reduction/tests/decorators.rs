//! Expanders that stand before others: what fails inside has failed.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_frontends::{LoadOptions, load_text};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{
    CountingExpander, Interleaving, Notes, RecordPass, Schedule, SpeculativeExpander, StubbornSets, VisibilityFilter,
};
use ample_stdx::BitSet;
use ample_transition::{Candidate, Expander, SuccessorBuffer, Successors};

/// Fails when it is told to.
struct Failing<'f>(&'f AtomicBool);

impl Expander for Failing<'_> {
    fn candidate(&self, _: &[u8], _: &SuccessorBuffer, _: usize, _: &mut Candidate) -> bool {
        false
    }

    fn has_failed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

const TWO_COUNTERS: &str =
    "byte x, y; active proctype X() { do :: x < 3 -> x++ od } active proctype Y() { y = 1; y = 2 }";

fn with_system(text: &str, test: impl FnOnce(&Packed<'_>, &Facts)) {
    let loaded = load_text("test.pml", text.to_owned(), &LoadOptions::default()).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    let system = Packed::new(&interpreter).unwrap_or_else(|reason| panic!("{reason}"));
    test(&system, &Facts::new(&system.network));
}

#[test]
fn what_fails_inside_has_failed() {
    with_system(TWO_COUNTERS, |system, facts| {
        let network = &system.network;
        let (fails, notes) = (AtomicBool::new(false), Notes::new(facts));
        let inner = || Box::new(Failing(&fails));
        let turns = || Interleaving::none_interleaving(network);
        let schedule = || Schedule { now: turns(), exact: turns() };
        let decorators: [(&str, Box<dyn Expander + '_>); 6] = [
            ("visibility filter", Box::new(VisibilityFilter::new(inner(), network, facts, BitSet::new()))),
            ("counting", Box::new(CountingExpander::new(inner(), network, facts, &notes))),
            ("speculative", Box::new(SpeculativeExpander::new(inner(), network))),
            ("interleaving", Box::new(Interleaving::new(network, facts, schedule(), Some(inner())))),
            ("record", Box::new(RecordPass::new(inner(), usize::MAX))),
            ("replay", Box::new(RecordPass::new(inner(), usize::MAX).into_replay())),
        ];
        for (name, decorator) in &decorators {
            assert!(!decorator.has_failed(), "{name}");
        }
        fails.store(true, Ordering::Relaxed);
        for (name, decorator) in &decorators {
            assert!(decorator.has_failed(), "{name}");
        }
    });
}

/// Two expanders of one kind that take turns with one candidate choose as each does with one of its
/// own.
#[test]
fn expanders_of_different_models_do_not_mix_up_what_they_remember() {
    const SHARED: &str =
        "byte x; active proctype X() { x = 1; x = 2 } active proctype Y() { byte own; own = 1; x = 3 }";
    const APART: &str =
        "byte x; active proctype X() { x = 1; x = 2 } active proctype Y() { byte own; own = 1; own = 3 }";
    let choice = |system: &dyn Successors, expander: &StubbornSets<'_>, candidate: &mut Candidate| {
        let state = system.initial().expect("there is an initial state");
        let mut buffer = SuccessorBuffer::new();
        system.expand_all(&state, &mut buffer);
        let mut one =
            |number| expander.candidate(&state, &buffer, number, candidate).then(|| candidate.transitions.clone());
        [one(0), one(1), one(2)]
    };
    with_system(SHARED, |shared, shared_facts| {
        with_system(APART, |apart, apart_facts| {
            let shared_sets = StubbornSets::new(&shared.network, shared_facts);
            let apart_sets = StubbornSets::new(&apart.network, apart_facts);
            let of_shared = |candidate: &mut Candidate| choice(shared, &shared_sets, candidate);
            let of_apart = |candidate: &mut Candidate| choice(apart, &apart_sets, candidate);
            let alone = (of_shared(&mut Candidate::default()), of_apart(&mut Candidate::default()));
            assert_ne!(alone.0, alone.1);
            let mut candidate = Candidate::default();
            for _ in 0..3 {
                assert_eq!((of_shared(&mut candidate), of_apart(&mut candidate)), alone);
            }
        });
    });
}
