//! Each expander by itself: what it offers on models that are made for it, and that every candidate
//! in every state of these models is what it must be, by the definition.

use std::collections::{HashMap, HashSet};

use ample_frontends::{LoadOptions, load_text};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{AmpleSets, Confluent, Deletion, EXPANDERS, MakeExpander, SLEEP_SETS, StaticAmple, StubbornSets};
use ample_transition::{Candidate, Expander, Move, SuccessorBuffer, Successors};

/// A model with its facts.
struct Subject<'s, 'm> {
    system: &'s Packed<'m>,
    facts: &'s Facts,
}

fn with_subject(text: &str, test: impl FnOnce(&Subject<'_, '_>)) {
    let loaded = load_text("test.pml", text.to_owned(), &LoadOptions::default()).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    let system = Packed::new(&interpreter).unwrap_or_else(|reason| panic!("{reason}"));
    test(&Subject { system: &system, facts: &Facts::new(&system.network) });
}

impl Subject<'_, '_> {
    fn successors(&self, state: &[u8]) -> SuccessorBuffer {
        let mut buffer = SuccessorBuffer::new();
        self.system.expand_all(state, &mut buffer);
        buffer
    }

    fn initial(&self) -> Vec<u8> {
        self.system.initial().expect("there is an initial state")
    }

    /// A move as people see it: `P: x = 1`, at a rendezvous `P: c!1 with Q: c?x`.
    fn shown(&self, state: &[u8], step: Move) -> String {
        let state = self.system.unpack(state);
        let text = |pid: u16, edge| {
            let template = &self.system.network.model.templates[state.processes[usize::from(pid)].template];
            format!("{}: {}", template.name, template.edges[edge].text)
        };
        let partner = step.partner.map(|(pid, edge)| format!(" with {}", text(pid, edge)));
        text(step.process, step.edge) + &partner.unwrap_or_default()
    }

    /// The state after these moves.
    fn after(&self, moves: &[&str]) -> Vec<u8> {
        let mut state = self.initial();
        for wanted in moves {
            let buffer = self.successors(&state);
            let taken = buffer.iter().find(|successor| self.shown(&state, successor.moves[0]) == *wanted);
            let taken = taken.unwrap_or_else(|| panic!("{wanted} is not enabled"));
            state = taken.state.expect("it leads to a state").to_vec();
        }
        state
    }

    /// The candidates in a state, as the numbers of successors.
    fn numbers(&self, expander: &dyn Expander, state: &[u8], buffer: &SuccessorBuffer) -> Vec<Vec<usize>> {
        let mut candidate = Candidate::default();
        let mut all = Vec::new();
        while expander.candidate(state, buffer, all.len(), &mut candidate) {
            all.push(candidate.transitions.clone());
        }
        all
    }

    /// The candidates in the state after these moves, as people see them.
    fn candidates(&self, expander: &dyn Expander, moves: &[&str]) -> Vec<String> {
        let state = self.after(moves);
        let buffer = self.successors(&state);
        let shown = |number: &usize| self.shown(&state, buffer.get(*number).expect("it is a successor").moves[0]);
        let candidates = self.numbers(expander, &state, &buffer);
        candidates.iter().map(|numbers| numbers.iter().map(shown).collect::<Vec<_>>().join(", ")).collect()
    }
}

/// Checks an expander on a model: in the state after these moves it offers these candidates, one a
/// line; and all that it offers in any state is persistent.
#[track_caller]
fn check(make: MakeExpander, text: &str, moves: &[&str], expected: &[&str]) {
    with_subject(text, |subject| {
        let expander = make(&subject.system.network, subject.facts);
        assert_eq!(subject.candidates(&*expander, moves), expected);
        let (mut seen, mut open) = (HashSet::from([subject.initial()]), vec![subject.initial()]);
        while let Some(state) = open.pop() {
            let buffer = subject.successors(&state);
            for numbers in subject.numbers(&*expander, &state, &buffer) {
                assert!(!numbers.is_empty() && numbers.len() < buffer.len());
                let moves = numbers.iter().map(|number| buffer.get(*number).expect("it is a successor").moves[0]);
                assert_persistent(subject, &state, &moves.collect());
            }
            let next = buffer.iter().filter_map(|successor| successor.state.map(<[u8]>::to_vec));
            open.extend(next.filter(|next| seen.insert(next.clone())));
        }
    });
}

/// C1, by its definition: along every run of transitions outside of the candidate, each of the
/// candidate stays enabled and commutes with each of the run.
fn assert_persistent(subject: &Subject<'_, '_>, state: &[u8], candidate: &HashSet<Move>) {
    let (mut seen, mut open) = (HashSet::from([state.to_vec()]), vec![state.to_vec()]);
    while let Some(before) = open.pop() {
        let enabled = subject.by_move(&before);
        for (step, next) in enabled.iter().filter(|(step, _)| !candidate.contains(step)) {
            let shown = |step: &Move| subject.shown(&before, *step);
            for chosen in candidate {
                let (one, other) = (subject.by_move(&enabled[chosen]), subject.by_move(next));
                assert!(one.contains_key(step), "{} disables {}", shown(chosen), shown(step));
                assert!(other.contains_key(chosen), "{} disables {}", shown(step), shown(chosen));
                assert_eq!(one[step], other[chosen], "{} and {} do not commute", shown(step), shown(chosen));
            }
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
}

impl Subject<'_, '_> {
    /// The successors of a state of a model without `atomic`, where the move names the successor.
    fn by_move(&self, state: &[u8]) -> HashMap<Move, Vec<u8>> {
        let buffer = self.successors(state);
        buffer.iter().map(|one| (one.moves[0], one.state.expect("no fault").to_vec())).collect()
    }
}

const STATIC: MakeExpander = |network, facts| Box::new(StaticAmple::new(network, facts));
const AMPLE: MakeExpander = |network, facts| Box::new(AmpleSets::new(network, facts));
const STUBBORN: MakeExpander = |network, facts| Box::new(StubbornSets::new(network, facts));
const DELETION: MakeExpander = |network, facts| Box::new(Deletion::new(network, facts));
const CONFLUENT: MakeExpander = |network, facts| Box::new(Confluent::new(network, facts));

/// P writes a variable of its own, then the shared one.
const OWN_THEN_SHARED: &str = "byte x; active proctype P() { byte own; own = 1; x = 1 } active proctype Q() { x = 2 }";

#[test]
fn static_offers_a_process_whose_statements_are_independent_of_all_others() {
    check(STATIC, OWN_THEN_SHARED, &[], &["P: own = 1"]);
    check(STATIC, OWN_THEN_SHARED, &["P: own = 1"], &[]);
}

/// The only sender and the only receiver of a channel.
const QUEUE: &str = "chan c = [2] of { byte };
    active proctype S() { c!1; c!2; c!3 }
    active proctype R() { byte m; c?m; c?m; c?m }";

#[test]
fn static_offers_the_only_receiver_while_there_is_a_message_and_the_only_sender_while_there_is_room() {
    check(STATIC, QUEUE, &["S: c!1"], &["R: c?m", "S: c!2"]);
    check(
        STATIC,
        "chan c = [2] of { byte }; byte x;
        active proctype S() { c!1; c!2; c!3 }
        active proctype R() { byte m; c?m }
        active proctype T() { x = len(c) }",
        &["S: c!1"],
        &[],
    );
}

/// A disabled alternative of the same process, which another one enables: the half of C1 that is
/// easily forgotten.
const ALTERNATIVE: &str = "bool go; byte x;
    active proctype P() { byte own; if :: own = 1 :: go -> x = 1 fi }
    active proctype Q() { go = 1; x = 2 }";

#[test]
fn a_process_is_not_offered_where_others_may_enable_an_alternative_of_it() {
    check(STATIC, ALTERNATIVE, &[], &[]);
    for make in [AMPLE, STUBBORN, DELETION] {
        check(make, ALTERNATIVE, &[], &["Q: go = 1"]);
    }
}

/// Q uses x, then never again.
const PAST: &str = "byte x, y;
    active proctype P() { x = 1 }
    active proctype Q() { x = 2; do :: y = 1 - y od }
    active proctype R() { do :: y = 1 - y od }";

#[test]
fn ample_looks_only_at_what_others_may_still_do() {
    check(AMPLE, PAST, &[], &[]);
    check(AMPLE, PAST, &["Q: x = 2"], &["P: x = 1"]);
    check(STATIC, PAST, &["Q: x = 2"], &[]);
}

/// Two pairs of processes, each with a variable of its own.
const PAIRS: &str = "byte x, y;
    active proctype P() { x = 1 }
    active proctype Q() { x = 2 }
    active proctype R() { y = 1 }
    active proctype S() { y = 2 }";

#[test]
fn stubborn_sets_are_of_several_processes() {
    check(AMPLE, PAIRS, &[], &[]);
    check(STUBBORN, PAIRS, &[], &["S: y = 2, R: y = 1", "Q: x = 2, P: x = 1"]);
}

/// Q comes to the shared variable only if R lets it go, which has to do with S.
const LET_GO: &str = "byte x, y; bool go;
    active proctype P() { x = 1 }
    active proctype Q() { go -> x = 2 }
    active proctype R() { y = 1; go = 1 }
    active proctype S() { y = 2 }
    active proctype T() { byte own = 1; if :: x == 1 -> own = x fi }";

#[test]
fn stubborn_sets_have_a_necessary_enabling_set_of_what_is_disabled() {
    check(STUBBORN, LET_GO, &[], &["S: y = 2, R: y = 1"]);
    check(STUBBORN, LET_GO, &["S: y = 2"], &["R: y = 1"]);
    // With R still to come, P alone is not stubborn.
    check(STUBBORN, LET_GO, &["S: y = 2", "R: y = 1"], &["R: go = 1"]);
}

/// Two parts of Q's guard are false. One transition may make the first true, two may make the
/// second true: the closure commits itself to the first, which has to do with T and U.
const TWO_REASONS: &str = "byte z, c, d; bool a, b;
    active proctype S() { a = 1 }
    active proctype T() { c = a }
    active proctype U() { d = a }
    active proctype P() { z = 1 }
    active proctype Q() { a && b -> z = 2 }
    active proctype R() { z = 3; b = 1; b = 1 }";

#[test]
fn deletion_weighs_all_reasons_why_a_transition_is_disabled() {
    check(STUBBORN, TWO_REASONS, &[], &["U: d = a, T: c = a, S: a = 1"]);
    check(DELETION, TWO_REASONS, &[], &["R: z = 3, P: z = 1", "U: d = a, T: c = a, S: a = 1"]);
}

/// A rendezvous of P and Q, of which Q goes on to the shared variable; R is elsewhere.
const RENDEZVOUS: &str = "chan c = [0] of { byte }; byte x, y;
    active proctype P() { c!1 }
    active proctype Q() { byte m; c?m; x = m }
    active proctype R() { x = 2 }
    active proctype S() { y = 1 }
    active proctype T() { y = 2 }";

#[test]
fn a_rendezvous_is_only_in_sets_of_several_processes() {
    check(STATIC, RENDEZVOUS, &[], &[]);
    check(AMPLE, RENDEZVOUS, &[], &[]);
    check(STUBBORN, RENDEZVOUS, &[], &["P: c!1 with Q: c?m", "T: y = 2, S: y = 1"]);
    check(STUBBORN, RENDEZVOUS, &["P: c!1 with Q: c?m"], &["T: y = 2, S: y = 1", "R: x = 2, Q: x = m"]);
}

/// A choice is not made early: a process that moves first is offered only if it has one way to go.
#[test]
fn confluent_offers_single_transitions() {
    check(CONFLUENT, OWN_THEN_SHARED, &[], &["P: own = 1"]);
    check(CONFLUENT, OWN_THEN_SHARED, &["P: own = 1"], &[]);
    check(CONFLUENT, PAIRS, &[], &[]);
    check(CONFLUENT, RENDEZVOUS, &[], &["P: c!1 with Q: c?m"]);
    check(CONFLUENT, LET_GO, &["S: y = 2"], &["R: y = 1"]);
    let choice =
        "byte x; active proctype P() { byte own; if :: own = 1 :: own = 2 fi; x = own } active proctype Q() { x = 2 }";
    check(STATIC, choice, &[], &["P: own = 1, P: own = 2"]);
    check(CONFLUENT, choice, &[], &[]);
}

#[test]
fn every_registered_expander_is_persistent_on_all_of_these() {
    for text in [OWN_THEN_SHARED, QUEUE, ALTERNATIVE, PAST, PAIRS, LET_GO, TWO_REASONS, RENDEZVOUS] {
        for entry in EXPANDERS {
            with_subject(text, |subject| {
                let expander = (entry.make)(&subject.system.network, subject.facts);
                let expected = subject.candidates(&*expander, &[]);
                check(entry.make, text, &[], &expected.iter().map(String::as_str).collect::<Vec<_>>());
            });
        }
    }
}

#[test]
#[should_panic(expected = "do not commute")]
fn a_set_that_is_not_persistent_is_noticed() {
    with_subject(PAIRS, |subject| {
        let state = subject.initial();
        let first = subject.successors(&state).get(0).expect("there is a successor").moves[0];
        assert_persistent(subject, &state, &HashSet::from([first]));
    });
}

#[test]
fn transitions_are_independent_if_they_accord() {
    with_subject(PAIRS, |subject| {
        let independence = (SLEEP_SETS[0].make)(&subject.system.network, subject.facts);
        let state = subject.initial();
        let buffer = subject.successors(&state);
        let mut names = Vec::new();
        independence.names(&state, &buffer, &mut names);
        let mut pairs = Vec::new();
        for (one, a) in buffer.iter().zip(&names) {
            for (other, b) in buffer.iter().zip(&names) {
                if independence.are_independent(a.expect("a name"), b.expect("a name")) {
                    let text = |step: &[Move]| subject.shown(&state, step[0]);
                    pairs.push(format!("{} and {}", text(one.moves), text(other.moves)));
                }
            }
        }
        pairs.sort();
        let expected = [
            "P: x = 1 and R: y = 1",
            "P: x = 1 and S: y = 2",
            "Q: x = 2 and R: y = 1",
            "Q: x = 2 and S: y = 2",
            "R: y = 1 and P: x = 1",
            "R: y = 1 and Q: x = 2",
            "S: y = 2 and P: x = 1",
            "S: y = 2 and Q: x = 2",
        ];
        assert_eq!(pairs, expected);
        assert!(!independence.has_failed());
    });
}
