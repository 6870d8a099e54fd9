//! Expanders that stand before others: what each adds, and that what fails inside has failed.

use std::sync::atomic::{AtomicBool, Ordering};

use ample_frontends::{LoadOptions, load_text};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_network::facts::{Facts, TransitionId, instance_in};
use ample_reduction::{
    CountingExpander, Interleaving, Notes, RecordPass, Schedule, SpeculativeExpander, StubbornSets, Turns,
    VisibilityFilter,
};
use ample_stdx::{BitSet, TypedId};
use ample_transition::{Candidate, DecisionLog, Expander, SuccessorBuffer, Successors};

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

/// Offers each successor by itself.
struct Each;

impl Expander for Each {
    fn candidate(&self, _: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        candidate.transitions.clear();
        candidate.transitions.push(number);
        number < successors.len()
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// What an expander offers in the initial state.
fn offered(system: &dyn Successors, expander: &dyn Expander) -> Vec<Vec<usize>> {
    let state = system.initial().expect("there is an initial state");
    let mut buffer = SuccessorBuffer::new();
    system.expand_all(&state, &mut buffer);
    let mut candidate = Candidate::default();
    let one =
        |number| expander.candidate(&state, &buffer, number, &mut candidate).then(|| candidate.transitions.clone());
    (0..).map_while(one).collect()
}

const THREE: &str = "byte x, y, z;
    active proctype X() { x = 1 } active proctype Y() { y = 1 } active proctype Z() { z = 1 }";

/// The transition of the model that leads to this successor of the initial state.
fn transition(system: &Packed<'_>, facts: &Facts, number: usize) -> TransitionId {
    let state = system.initial().expect("there is an initial state");
    let mut buffer = SuccessorBuffer::new();
    system.expand_all(&state, &mut buffer);
    let step = buffer.get(number).expect("there is a successor").moves[0];
    let instance = |pid| instance_in(&system.network, &system.unpack(&state), pid);
    facts.of_move(step, instance).expect("the facts know it")
}

#[test]
fn a_visibility_filter_passes_over_candidates_with_avoided_transitions() {
    with_system(THREE, |system, facts| {
        let avoided = BitSet::from_iter([transition(system, facts, 1)]);
        let filter = VisibilityFilter::new(Box::new(Each), &system.network, facts, avoided);
        assert_eq!(offered(system, &filter), [[0], [2]]);
    });
}

#[test]
fn a_counting_expander_counts_the_transitions_of_what_it_offers() {
    with_system(THREE, |system, facts| {
        let notes = Notes::new(facts);
        let counting = CountingExpander::new(Box::new(Each), &system.network, facts, &notes);
        assert_eq!(offered(system, &counting), [[0], [1], [2]]);
        let taken = |number| notes.taken(transition(system, facts, number));
        assert_eq!([taken(0), taken(1), taken(2)], [1, 1, 1]);
        assert!(!notes.never_taken().contains(transition(system, facts, 0)));
        assert_eq!(notes.never_taken().len(), facts.transitions().len() - 3);
    });
}

#[test]
fn a_replay_pass_offers_what_the_record_pass_was_told_and_else_the_first() {
    with_system(THREE, |system, _| {
        let state = system.initial().expect("there is an initial state");
        let record = RecordPass::new(Box::new(Each), usize::MAX);
        assert_eq!(offered(system, &record), [[0], [1], [2]]);
        assert_eq!(offered(system, &record.into_replay()), [[0]]);
        let record = RecordPass::new(Box::new(Each), usize::MAX);
        record.settled(&state, 2);
        assert_eq!(offered(system, &record.into_replay()), [[2]]);
        let record = RecordPass::new(Box::new(Each), usize::MAX);
        record.settled(&state, 3);
        assert!(offered(system, &record.into_replay()).is_empty(), "all transitions are taken");
    });
}

#[test]
fn a_record_that_does_not_fit_into_its_memory_has_failed() {
    with_system(THREE, |system, _| {
        let state = system.initial().expect("there is an initial state");
        let record = RecordPass::new(Box::new(Each), state.len());
        assert!(!record.has_failed());
        record.settled(&state, 1);
        assert!(record.has_failed());
    });
}

#[test]
fn a_speculative_expander_has_failed_where_a_state_does_not_fit_the_network() {
    with_system(THREE, |system, _| {
        let speculative = SpeculativeExpander::new(Box::new(Each), &system.network);
        assert_eq!(offered(system, &speculative), [[0], [1], [2]]);
        assert!(!speculative.has_failed());
        let mut state = system.initial().expect("there is an initial state");
        let mut buffer = SuccessorBuffer::new();
        system.expand_all(&state, &mut buffer);
        state.push(0);
        assert!(!speculative.candidate(&state, &buffer, 0, &mut Candidate::default()));
        assert!(speculative.has_failed());
    });
}

#[test]
fn interleaving_locations_let_more_and_more_processes_move() {
    const SHARED: &str =
        "byte x; active proctype X() { x = 1 } active proctype Y() { x = 2 } active proctype Z() { x = 3 }";
    with_system(SHARED, |system, facts| {
        let network = &system.network;
        let exact = Interleaving::exact(network, facts, &BitSet::new()).turns;
        let mut now = Interleaving::none_interleaving(network);
        let offered_with = |now: &Turns| {
            let schedule = Schedule { now: now.clone(), exact: exact.clone() };
            offered(system, &Interleaving::new(network, facts, schedule, None))
        };
        assert_eq!(offered_with(&now), [[0]]);
        for instance in network.instances.ids().rev() {
            now[instance] = exact[instance].clone();
            let expected: &[&[usize]] = match instance.index() {
                2 => &[&[0, 1]],
                // All take turns, so that all are taken.
                _ => &[],
            };
            assert_eq!(offered_with(&now), expected, "{instance:?}");
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
