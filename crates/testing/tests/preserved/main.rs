//! What each condition on reduced sets preserves, as relations between the full and the reduced
//! system (Pelánek 3.3.1):
//!
//! | conditions | the systems are |
//! |---|---|
//! | PC: the first candidate of an expander, everywhere | deadlock equivalent, with the very same terminal states (up to process numbers that make no difference) |
//! | PC, CC (no successor on the stack, or nothing sticky), IC (nothing visible) | weak-trace equivalent, finite and infinite |
//! | PC, CC, IC, SC (a single transition) | weakly bisimilar |
//! | the same, where transitions are joined: chains of confluent ones | branching bisimilar |
//! | PC, CC, IC, where transitions are joined: sets taken together | weak-trace equivalent, and deadlock equivalent |
//!
//! Both systems are built here, from successors and candidates alone. A search or a cycle condition
//! of ours is not involved. And where a condition is left out, or the choice is unsound, the
//! relations notice.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use std::collections::HashSet;

use ample_equivalence::{Answer, Limits, Lts, LtsBuilder, relation};
use ample_interpret::{Interpreter, State};
use ample_model::{Expr, ExprKind, Place, Scalar, Scope, SlotId};
use ample_network::Packed;
use ample_network::facts::{Facts, TransitionId, instance_in, moves_without_numbers, without_numbers};
use ample_reduction::{EXPANDERS, ExpanderEntry, Interleaving, Schedule, Turns, sticky};
use ample_source::Span;
use ample_stdx::BitSet;
use ample_stdx::{Interner, Random, TypedId};
use ample_testing::questions::question;
use ample_testing::random::{self, Size};
use ample_testing::{explore, plans};
use ample_transition::{Candidate, Expander, Move, NodeId, Pid, SuccessorBuffer, Successors};

mod joined;

const MAX_STATES: usize = 400;

/// The expanders of which a search takes candidates one by one.
fn choosing() -> impl Iterator<Item = &'static ExpanderEntry> {
    EXPANDERS.iter().filter(|entry| entry.join.is_none())
}

/// Which conditions a proper subset must meet, besides being a candidate of the expander.
#[derive(Copy, Clone, Debug)]
struct Conditions {
    /// CC.
    cycles: Cycles,
    /// IC: none of its transitions is visible.
    invisible: bool,
    /// SC: it is a single transition.
    single: bool,
}

/// What is demanded of proper subsets along cycles.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Cycles {
    /// Nothing.
    Any,
    /// None of its states is on the stack of the search.
    OffStack,
    /// Not all of its states are on the stack of the search: C3~.
    NotAllOnStack,
    /// None of its transitions is sticky.
    NotSticky,
}

const PC: Conditions = Conditions { cycles: Cycles::Any, invisible: false, single: false };
const PC_CC_IC: Conditions = Conditions { cycles: Cycles::OffStack, invisible: true, single: false };
const PC_STICKY_IC: Conditions = Conditions { cycles: Cycles::NotSticky, ..PC_CC_IC };
const ALL: Conditions = Conditions { single: true, ..PC_CC_IC };
const ALL_STICKY: Conditions = Conditions { single: true, ..PC_STICKY_IC };

/// A model whose transitions are visible or not.
struct Subject<'m> {
    packed: Packed<'m>,
    facts: Facts,
    visible: BitSet<TransitionId>,
    /// What IC keeps out of proper subsets, if that is not what is visible.
    sensitive: Option<BitSet<TransitionId>>,
    sticky: BitSet<TransitionId>,
}

/// What leaves a state.
struct Leaving {
    buffer: SuccessorBuffer,
    /// What is seen of each transition.
    labels: Vec<Option<String>>,
    /// Whether IC keeps each transition out of proper subsets.
    sensitive: Vec<bool>,
    /// Whether each transition is sticky.
    sticky: Vec<bool>,
}

impl<'m> Subject<'m> {
    fn new(interpreter: &'m Interpreter<'m>, propositions: &[Expr]) -> Option<Self> {
        let packed = Packed::new(interpreter).ok()?;
        let facts = Facts::new(&packed.network);
        let mut visible = BitSet::new();
        for changing in facts.visible(&packed.network, propositions) {
            visible.union_with(&changing);
        }
        let sticky = sticky(&packed.network, &facts, visible.clone());
        Some(Subject { packed, facts, visible, sensitive: None, sticky })
    }

    /// `None` if a run ends in an error here, or the state is not as expected.
    fn leaving(&self, state: &[u8]) -> Option<Leaving> {
        self.leaving_in(&self.packed, state)
    }

    /// The same in a system that was made of it. What begins with a visible transition is visible.
    fn leaving_in(&self, system: &dyn Successors, state: &[u8]) -> Option<Leaving> {
        if !self.packed.network.fits(state) {
            return None;
        }
        let mut buffer = SuccessorBuffer::new();
        system.expand_all(state, &mut buffer);
        let unpacked = self.packed.unpack(state);
        let instance = |pid: Pid| instance_in(&self.packed.network, &unpacked, pid);
        let (mut labels, mut sensitive, mut sticky) = (Vec::new(), Vec::new(), Vec::new());
        let kept_apart = self.sensitive.as_ref().unwrap_or(&self.visible);
        for successor in buffer.iter() {
            successor.state?;
            let transition = self.facts.of_move(*successor.moves.first()?, instance);
            let is_visible = transition.is_none_or(|transition| self.visible.contains(transition));
            labels.push(is_visible.then(|| self.what(&unpacked, self.first(state, successor.moves))));
            sensitive.push(transition.is_none_or(|transition| kept_apart.contains(transition)));
            sticky.push(transition.is_none_or(|transition| self.sticky.contains(transition)));
        }
        Some(Leaving { buffer, labels, sensitive, sticky })
    }
}

impl Subject<'_> {
    /// The moves of the first transition of those that are joined.
    fn first<'s>(&self, state: &[u8], moves: &'s [Move]) -> &'s [Move] {
        let mut buffer = SuccessorBuffer::new();
        self.packed.expand_all(state, &mut buffer);
        let lengths = buffer.iter().filter(|one| moves.starts_with(one.moves)).map(|one| one.moves.len());
        lengths.max().map_or(moves, |length| &moves[..length])
    }

    /// What a transition does, without the numbers of processes where they make no difference.
    fn what(&self, state: &State, moves: &[Move]) -> String {
        match moves_without_numbers(&self.packed.network, state, moves) {
            Some(found) if self.facts.numbering().is_anonymous() => format!("{found:?}"),
            _ => what(moves),
        }
    }

    /// An end state as it is compared, likewise.
    fn end_state(&self, state: &[u8]) -> String {
        if self.facts.numbering().is_anonymous() {
            format!("{:?}", without_numbers(&self.packed.network, &self.packed.unpack(state)))
        } else {
            format!("{state:?}")
        }
    }
}

/// What a transition does: who moves along which edges.
fn what(moves: &[Move]) -> String {
    moves.iter().map(|step| format!("{}:{:?} {:?}", step.process, step.edge, step.partner)).collect()
}

/// A depth-first search that builds a system. What is taken in a state is decided once, when it is
/// reached.
struct Build<'a, 'm> {
    subject: &'a Subject<'m>,
    /// What is searched: the system of the subject, or one that was made of it.
    system: &'a dyn Successors,
    expander: Option<&'a dyn Expander>,
    conditions: Conditions,
    numbers: Interner<NodeId, Vec<u8>>,
    on_stack: HashSet<NodeId>,
    builder: LtsBuilder,
}

impl Build<'_, '_> {
    /// The numbers of the transitions that are taken.
    fn chosen(&self, state: &[u8], leaving: &Leaving) -> Vec<usize> {
        let mut candidate = Candidate::default();
        if let Some(expander) = self.expander {
            let offered = |number: usize, candidate: &mut Candidate| {
                expander.candidate(state, &leaving.buffer, number, candidate)
            };
            let mut number = 0;
            while offered(number, &mut candidate) {
                assert!(!candidate.transitions.is_empty() && candidate.transitions.len() < leaving.buffer.len());
                if self.may_stand(&candidate.transitions, leaving) {
                    return candidate.transitions;
                }
                number += 1;
            }
        }
        candidate.choose_all(leaving.buffer.len());
        candidate.transitions
    }

    fn may_stand(&self, transitions: &[usize], leaving: &Leaving) -> bool {
        let Conditions { cycles, invisible, single } = self.conditions;
        let is_on_stack = |transition: &usize| {
            let state = leaving.buffer.get(*transition).and_then(|successor| successor.state).unwrap();
            self.numbers.get(state).is_some_and(|number| self.on_stack.contains(&number))
        };
        let may_close = match cycles {
            Cycles::Any => true,
            Cycles::OffStack => !transitions.iter().any(is_on_stack),
            Cycles::NotAllOnStack => !transitions.iter().all(is_on_stack),
            Cycles::NotSticky => !transitions.iter().any(|transition| leaving.sticky[*transition]),
        };
        may_close
            && (!invisible || !transitions.iter().any(|transition| leaving.sensitive[*transition]))
            && (!single || transitions.len() == 1)
    }

    /// Adds the edges of a state; gives the states they lead to.
    fn visit(&mut self, number: NodeId, state: &[u8]) -> Option<Vec<(NodeId, Vec<u8>)>> {
        let leaving = self.subject.leaving_in(self.system, state)?;
        let from = number.index() as u32;
        let mut targets = Vec::new();
        for transition in self.chosen(state, &leaving) {
            let target = leaving.buffer.get(transition)?.state?.to_vec();
            let to = self.numbers.number(&target);
            self.builder.edge(from, leaving.labels[transition].as_deref().unwrap_or("tau"), to.index() as u32);
            targets.push((to, target));
        }
        if self.conditions.cycles == Cycles::NotAllOnStack {
            // Endless silence is not preserved (Theorem 3.2 is about runs on which sensitive
            // transitions never cease): everybody has it.
            self.builder.edge(from, "tau", from);
        }
        if leaving.buffer.is_empty() {
            // Terminal states are told apart.
            self.builder.letter(from, &self.subject.end_state(state));
        }
        Some(targets)
    }
}

/// The system that an expander leaves under these conditions, the full one without an expander.
/// `None` if it is too large.
fn build(subject: &Subject<'_>, expander: Option<&dyn Expander>, conditions: Conditions) -> Option<Lts> {
    build_of(&subject.packed, subject, expander, conditions)
}

/// The same of a system that was made of the subject's.
fn build_of(
    system: &dyn Successors,
    subject: &Subject<'_>,
    expander: Option<&dyn Expander>,
    conditions: Conditions,
) -> Option<Lts> {
    let initial = subject.packed.initial().ok()?;
    let mut numbers = Interner::default();
    let first = numbers.number(&initial);
    let (on_stack, builder) = (HashSet::new(), LtsBuilder::new(0));
    let mut build = Build { subject, system, expander, conditions, numbers, on_stack, builder };
    let mut visited = HashSet::new();
    // What is still to be reached from the states on the stack, and which state each is.
    let mut stack = vec![(None, vec![(first, initial)])];
    while let Some((_, open)) = stack.last_mut() {
        let Some((number, state)) = open.pop() else {
            if let Some((Some(number), _)) = stack.pop() {
                build.on_stack.remove(&number);
            }
            continue;
        };
        // Not before: only then has every cycle an edge to a state on the stack.
        if !visited.insert(number) {
            continue;
        }
        build.on_stack.insert(number);
        let targets = build.visit(number, &state)?;
        stack.push((Some(number), targets));
        if build.numbers.things().len() > MAX_STATES {
            return None;
        }
    }
    Some(build.builder.build())
}

/// Whether two systems are equivalent; `None` if that takes too long.
fn are_equivalent(name: &str, full: &Lts, reduced: &Lts) -> Option<bool> {
    // The letters are for deadlocks.
    let bare = |lts: &Lts| lts.with_letters(|_| "");
    let limits = Limits { work: 3_000_000, ..Limits::default() };
    let relation = relation(name).unwrap();
    let answer = match name {
        "deadlock" => relation.compare(full, reduced, &limits),
        _ => relation.compare(&bare(full), &bare(reduced), &limits),
    };
    match answer {
        Answer::Equivalent => Some(true),
        Answer::Different(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// The conditions and the relations that they preserve.
const PRESERVED: &[(Conditions, &str)] = &[
    (PC, "deadlock"),
    (PC_CC_IC, "deadlock"),
    (PC_CC_IC, "weak-trace"),
    (PC_STICKY_IC, "weak-trace"),
    (ALL, "weak-bisim"),
    (ALL, "branching-bisim"),
    (ALL_STICKY, "weak-bisim"),
    (ALL_STICKY, "branching-bisim"),
];

/// Propositions about a model: about a variable, or about anything.
fn propositions(model: &ample_model::Model, prng: &mut Random) -> Vec<Expr> {
    let is_plain = |slot: &SlotId| model.globals.slots[*slot].scalar != Scalar::Channel;
    let slots: Vec<SlotId> = model.globals.slots.ids().filter(is_plain).collect();
    let read = |first: SlotId| {
        let place = Place { scope: Scope::Global, first, indices: Vec::new(), span: Span::default() };
        Expr { kind: ExprKind::Read(place), span: Span::default() }
    };
    let count = prng.between(1, 2);
    let one = |_| match prng.pick(&slots) {
        Some(slot) if prng.chance(70) => read(*slot),
        _ => question(model, prng),
    };
    (0..count).map(one).collect()
}

/// The model of a seed.
fn text_of(seed: u64) -> String {
    match seed % 4 {
        0 => random::model(seed, Size { processes: 2, statements: 3, depth: 2 }),
        _ => random::cyclic_model(seed),
    }
}

/// Calls `look` with the model of each seed that is small enough, and its full system.
fn each_model(seeds: std::ops::Range<u64>, text_of: fn(u64) -> String, mut look: impl FnMut(&str, &Subject<'_>, &Lts)) {
    each_subject(seeds, text_of, |name, subject, full| look(name, subject, &full));
}

/// The same, to change what is seen of it.
fn each_subject(
    seeds: std::ops::Range<u64>,
    text_of: fn(u64) -> String,
    mut look: impl FnMut(&str, &mut Subject<'_>, Lts),
) {
    for seed in seeds {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let propositions = propositions(&loaded.model, &mut Random::new(seed));
        let Some(mut subject) = Subject::new(&interpreter, &propositions) else { continue };
        if let Some(full) = build(&subject, None, PC) {
            look(&format!("seed {seed}, seeing {propositions:?}\n{text}"), &mut subject, full);
        }
    }
}

/// For each line of [`PRESERVED`]: how many systems were compared, and how many of them were
/// smaller.
fn check(seeds: std::ops::Range<u64>, text_of: fn(u64) -> String, least: usize) {
    let mut tally = vec![(0, 0, 0); PRESERVED.len()];
    each_subject(seeds, text_of, |name, subject, full| {
        for entry in choosing() {
            let expander = (entry.make)(&subject.packed.network, &subject.facts);
            for ((conditions, relation), (compared, smaller, unsettled)) in PRESERVED.iter().zip(&mut tally) {
                let reduced = build(subject, Some(&*expander), *conditions).expect("it is not larger");
                match are_equivalent(relation, &full, &reduced) {
                    Some(true) => *compared += 1,
                    Some(false) => panic!("{} under {conditions:?}: not {relation}: {name}", entry.part.name),
                    None => *unsettled += 1,
                }
                *smaller += usize::from(reduced.state_count() < full.state_count());
            }
        }
    });
    for ((conditions, relation), (compared, smaller, unsettled)) in PRESERVED.iter().zip(&tally) {
        println!("{relation} under {conditions:?}: {compared} equivalent, {unsettled} unsettled, {smaller} smaller");
        assert!(*compared > least && *smaller > least / 5, "{relation} {conditions:?}");
    }
}

#[test]
fn random_models_first_part() {
    check(random::seeds(0..600).expect("AMPLE_SEEDS is A..B"), text_of, 1_000);
}

#[test]
fn models_that_create_processes() {
    check(random::seeds(0..600).expect("AMPLE_SEEDS is A..B"), random::creating_model, 1_000);
}

#[test]
fn random_models_second_part() {
    check(random::seeds(600..1200).expect("AMPLE_SEEDS is A..B"), text_of, 1_000);
}

/// C0 to C2 and C3~, as algorithm B has it.
const WEAK_CYCLES: Conditions = Conditions { cycles: Cycles::NotAllOnStack, ..PC_CC_IC };

/// Brim, Černá, Moravec, Šimša: while transitions become sensitive one after the other, each
/// reduced system has every order of those that are sensitive, and the next one still has it: the
/// behaviours that are represented only grow. Under C3 and under C3~.
#[test]
fn sensitive_transitions_keep_their_order_from_one_system_to_the_next() {
    let (mut compared, mut smaller) = (0, 0);
    each_subject(random::seeds(0..150).expect("AMPLE_SEEDS is A..B"), text_of, |name, subject, _| {
        let mut rest: Vec<TransitionId> = subject.visible.iter().collect();
        let mut prng = Random::new(rest.len() as u64);
        let mut sensitive = BitSet::new();
        for _ in 0..4.min(rest.len()) {
            // What is seen is what was sensitive before; what is kept apart has one more.
            subject.visible = sensitive.clone();
            let full = [PC_CC_IC, WEAK_CYCLES]
                .map(|conditions| build(subject, None, conditions).expect("it was built before"));
            let mut next = sensitive.clone();
            next.insert(rest.swap_remove(prng.below(rest.len())));
            for kept_apart in [&sensitive, &next] {
                subject.sensitive = Some(kept_apart.clone());
                for entry in choosing() {
                    let expander = (entry.make)(&subject.packed.network, &subject.facts);
                    for (conditions, full) in [PC_CC_IC, WEAK_CYCLES].into_iter().zip(&full) {
                        let reduced = build(subject, Some(&*expander), conditions).expect("it is not larger");
                        let same = are_equivalent("weak-trace", full, &reduced);
                        assert_ne!(same, Some(false), "{} under {conditions:?}: {name}", entry.part.name);
                        compared += usize::from(same == Some(true));
                        smaller += usize::from(reduced.state_count() < full.state_count());
                    }
                }
            }
            sensitive = next;
        }
    });
    println!("{compared} equivalent, {smaller} smaller");
    assert!(compared > 2_000 && smaller > 500, "{compared} {smaller}");
}

/// The transitions that are taken, as pairs of states.
fn taken(subject: &Subject<'_>, expander: &dyn Expander) -> Option<HashSet<(Vec<u8>, Vec<u8>)>> {
    let (mut edges, mut candidate) = (HashSet::new(), Candidate::default());
    let initial = subject.packed.initial().ok()?;
    let (mut seen, mut open) = (HashSet::from([initial.clone()]), vec![initial]);
    while let Some(state) = open.pop() {
        let leaving = subject.leaving(&state)?;
        if !expander.candidate(&state, &leaving.buffer, 0, &mut candidate) {
            candidate.choose_all(leaving.buffer.len());
        }
        for number in &candidate.transitions {
            let next = leaving.buffer.get(*number)?.state?.to_vec();
            edges.insert((state.clone(), next.clone()));
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Some(edges)
}

/// Pelánek 3.3.3: with each location that becomes interleaving, all is explored that was before,
/// and the last system has the traces of the full one, although no cycle condition is asked.
#[test]
fn interleaving_locations_only_add_and_come_to_an_exact_system() {
    let (mut series, mut smaller, mut exact) = (0, 0, 0);
    each_model(random::seeds(0..400).expect("AMPLE_SEEDS is A..B"), text_of, |name, subject, full| {
        let (network, facts) = (&subject.packed.network, &subject.facts);
        let goal = Interleaving::exact(network, facts, &subject.visible).turns;
        let schedule = |now: &Turns| Schedule { now: now.clone(), exact: goal.clone() };
        let mut turns = Interleaving::none_interleaving(network);
        let places = goal.iter_enumerated().flat_map(|(instance, locations)| {
            locations.ids().map(move |location| (instance, location)).collect::<Vec<_>>()
        });
        let mut rest: Vec<_> = places.collect();
        let mut prng = Random::new(rest.len() as u64);
        let mut before = HashSet::new();
        loop {
            let expander = Interleaving::new(network, facts, schedule(&turns), None);
            let now = taken(subject, &expander).expect("the full system was built");
            assert!(before.is_subset(&now), "{name}");
            smaller += usize::from(now.len() < full.edge_count());
            before = now;
            if rest.is_empty() {
                break;
            }
            let (instance, location) = rest.swap_remove(prng.below(rest.len()));
            turns[instance][location] = goal[instance][location];
        }
        series += 1;
        let last = Interleaving::new(network, facts, schedule(&goal), None);
        let reduced = build(subject, Some(&last), PC).expect("it is not larger");
        assert_ne!(are_equivalent("deadlock", full, &reduced), Some(false), "{name}");
        match are_equivalent("weak-trace", full, &reduced) {
            Some(is_exact) => assert!(is_exact, "{name}"),
            None => return,
        }
        exact += usize::from(reduced.state_count() < full.state_count());
    });
    println!("{series} series, {smaller} smaller systems, {exact} smaller ones that are exact");
    assert!(series > 100 && smaller > 1_000 && exact > 10, "{series} {smaller} {exact}");
}

/// The first transition, whatever the others are: unsound.
struct AlwaysTheFirst;

impl Expander for AlwaysTheFirst {
    fn candidate(&self, _: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        candidate.transitions = vec![0];
        number == 0 && successors.len() > 1
    }

    fn has_failed(&self) -> bool {
        false
    }
}

#[test]
fn an_unsound_choice_is_found_out_by_every_relation() {
    let mut different = vec![0; PRESERVED.len()];
    each_model(0..60, text_of, |_, subject, full| {
        for ((conditions, relation), different) in PRESERVED.iter().zip(&mut different) {
            let reduced = build(subject, Some(&AlwaysTheFirst), *conditions).expect("it is not larger");
            *different += usize::from(are_equivalent(relation, full, &reduced) == Some(false));
        }
    });
    println!("{different:?}");
    assert!(different.iter().all(|different| *different > 0), "{different:?}");
}

/// Whether every expander that leaves something out of this model has an equivalent system, and how
/// many do leave something out. What is visible are the transitions that write `x` or `y`.
#[track_caller]
fn answers(text: &str, conditions: Conditions, relation: &str) -> (bool, usize) {
    let loaded = explore::load_text(text).map_err(|failure| explore::messages(&failure)).unwrap();
    let interpreter = Interpreter::new(&loaded.model);
    let seen = |slot: &SlotId| ["x", "y"].contains(&loaded.model.globals.slots[*slot].name.as_str());
    let read = |first: SlotId| {
        let place = Place { scope: Scope::Global, first, indices: Vec::new(), span: Span::default() };
        Expr { kind: ExprKind::Read(place), span: Span::default() }
    };
    let propositions: Vec<Expr> = loaded.model.globals.slots.ids().filter(seen).map(read).collect();
    let subject = Subject::new(&interpreter, &propositions).unwrap();
    let full = build(&subject, None, PC).unwrap();
    let (mut all, mut smaller) = (true, 0);
    for entry in choosing() {
        let expander = (entry.make)(&subject.packed.network, &subject.facts);
        let reduced = build(&subject, Some(&*expander), conditions).unwrap();
        if reduced.edge_count() < full.edge_count() {
            smaller += 1;
            all &= are_equivalent(relation, &full, &reduced).unwrap();
        }
    }
    (all, smaller)
}

/// Without CC, what stands beside a cycle is put off for ever.
#[test]
fn without_the_cycle_condition_traces_are_lost() {
    let model = "bit x, y; active proctype A() { bit own; do :: own = 1 - own od } active proctype B() { x = 1 }";
    let without = Conditions { cycles: Cycles::Any, ..PC_CC_IC };
    assert_eq!(answers(model, without, "weak-trace"), (false, choosing().count()));
    assert_eq!(answers(model, PC_CC_IC, "weak-trace"), (true, choosing().count()));
}

/// Without IC, the order of what is visible is lost.
#[test]
fn without_the_invisibility_condition_traces_are_lost() {
    let model =
        "bit x, y; active proctype A() { bit own; own = 1; x = 1 } active proctype B() { bit own; own = 1; y = 1 }";
    let without = Conditions { invisible: false, ..PC_CC_IC };
    assert_eq!(answers(model, without, "weak-trace"), (false, choosing().count()));
    assert_eq!(answers(model, PC_CC_IC, "weak-trace"), (true, choosing().count()));
}

/// Without SC, a choice is made earlier than it need be.
#[test]
fn without_the_singleton_condition_branching_is_lost() {
    let model = "byte x; bit y; active proctype A() { byte own; if :: own = 1; x = 1 :: own = 2; x = 2 fi }
                 active proctype B() { y = 1 }";
    assert_eq!(answers(model, PC_CC_IC, "weak-trace"), (true, choosing().count()));
    assert_eq!(answers(model, PC_CC_IC, "weak-bisim"), (false, choosing().count()));
    let (all, _) = answers(model, ALL, "weak-bisim");
    assert!(all);
}

/// The systems themselves can be told apart by what is seen.
#[test]
fn the_full_system_is_what_the_search_finds() {
    each_model(0..20, text_of, |name, subject, full| {
        let prepared = ample_check::Prepared::packed(subject.packed.interpreter, &[]);
        let Ok(plans::Answer::Given(given)) = plans::ask(&prepared, plans::SAFETY, &plans::Plan::FULL, None) else {
            panic!("{name}")
        };
        assert_eq!(given.states, full.state_count() as u64, "{name}");
    });
}

/// Choices are remembered from state to state: whatever came before, they are those that would be
/// made afresh.
#[test]
fn what_is_remembered_is_what_would_be_chosen() {
    let mut compared = 0;
    each_model(random::seeds(0..300).expect("AMPLE_SEEDS is A..B"), text_of, |name, subject, _| {
        let (network, facts) = (&subject.packed.network, &subject.facts);
        let expanders: Vec<_> = choosing().map(|entry| (entry.part.name, (entry.make)(network, facts))).collect();
        let mut own: Vec<Candidate> = expanders.iter().map(|_| Candidate::default()).collect();
        // And one for all: what one expander remembers must not reach another.
        let mut shared = Candidate::default();
        let initial = subject.packed.initial().expect("the full system was built");
        let (mut seen, mut open) = (HashSet::from([initial.clone()]), vec![initial]);
        while let Some(state) = open.pop() {
            let buffer = subject.leaving(&state).expect("the full system was built").buffer;
            for ((expander_name, expander), own) in expanders.iter().zip(&mut own) {
                for number in 0.. {
                    let mut afresh = Candidate::default();
                    let is_offered = expander.candidate(&state, &buffer, number, &mut afresh);
                    for remembering in [&mut *own, &mut shared] {
                        let again = expander.candidate(&state, &buffer, number, remembering);
                        assert_eq!(is_offered, again, "{name} {expander_name} {number}");
                        let is_same = afresh.transitions == remembering.transitions;
                        assert!(!is_offered || is_same, "{name} {expander_name} {number}");
                    }
                    if !is_offered {
                        break;
                    }
                    compared += 1;
                }
            }
            open.extend(
                buffer
                    .iter()
                    .filter_map(|next| next.state)
                    .filter(|next| seen.insert(next.to_vec()))
                    .map(<[u8]>::to_vec),
            );
        }
    });
    println!("{compared} candidates");
    assert!(compared > 10_000, "{compared}");
}
