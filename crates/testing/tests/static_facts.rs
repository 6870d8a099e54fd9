//! The static facts of a network against their definitions, state by state on the interpreter:
//! random models (`AMPLE_SEEDS=A..B` chooses the seeds) and the models of the project, each on its
//! first states.
//!
//! In every state: transitions that accord commute and leave each other possible (where process
//! numbers make no difference, up to these and to processes at their end); what becomes
//! possible or impossible after a transition was announced; the value of a proposition changes only
//! by visible transitions; where a process may go first, nothing that the others do, for several
//! moves, changes what it can do.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ample_frontends::{LoadOptions, Loaded, load_text};
use ample_interpret::{Interpreter, State};
use ample_model::{Action, Expr};
use ample_network::facts::{
    ChannelId, Condition, Facts, InstanceId, Safety, TransitionId, instance_in, without_numbers,
};
use ample_network::{Network, instantiate};
use ample_stdx::Random;
use ample_stdx::TypedId;
use ample_testing::questions::question;
use ample_testing::random::{self, Numbers, Size};
use ample_testing::{corpus, explore};
use ample_transition::{Bounds, FaultKind, Successor, SuccessorBuffer, Successors};

/// Models with more states are checked on the first of them.
const MAX_STATES: usize = 150;

/// A few states have very many ways through their atomic sequences: they are left out if their
/// successors take more.
const MAX_BYTES: usize = 1 << 20;

/// How many propositions are asked about a model.
const PROPOSITIONS: usize = 4;

/// How many moves of others are made where a process may go first.
const MOVES_OF_OTHERS: usize = 4;

/// How often each fact was put to the test.
#[derive(Default, Debug)]
struct Tally {
    models: usize,
    known: usize,
    guessed: usize,
    /// Those in which process numbers make no difference.
    anonymous: usize,
    states: usize,
    /// Pairs of possible transitions of different processes, and those that accord.
    pairs: usize,
    accord: usize,
    enabled: usize,
    disabled: usize,
    /// Changes of the value of a proposition, and transitions that are not visible to it.
    changed: usize,
    invisible: usize,
    /// Processes that may go first, always or under a condition that holds.
    always: usize,
    conditional: usize,
    /// States that do not fit a guessed network, or have too many successors.
    strange: usize,
}

/// What a transition leads to: the packed state, if it does not end the run, and what went wrong.
type Outcome = (Option<Vec<u8>>, Vec<FaultKind>);

/// What can happen in a state.
#[derive(Clone)]
struct Happening {
    state: State,
    outcomes: BTreeMap<TransitionId, BTreeSet<Outcome>>,
}

struct Checker<'a> {
    name: &'a str,
    interpreter: &'a Interpreter<'a>,
    network: &'a Network<'a>,
    facts: &'a Facts,
    seen: HashMap<Vec<u8>, Option<Happening>>,
    tally: &'a mut Tally,
}

impl Checker<'_> {
    /// What can happen in a state; `None` if it does not fit or that is too much.
    fn happening(&mut self, bytes: &[u8]) -> Option<Happening> {
        if let Some(known) = self.seen.get(bytes) {
            return known.clone();
        }
        let found = self.expand(bytes);
        self.seen.insert(bytes.to_vec(), found.clone());
        found
    }

    fn expand(&self, bytes: &[u8]) -> Option<Happening> {
        let state = self.interpreter.decode(bytes);
        let mut buffer = SuccessorBuffer::within(Bounds { max_bytes: Some(MAX_BYTES), ..Bounds::default() });
        self.interpreter.expand_all(bytes, &mut buffer);
        let mut outcomes: BTreeMap<TransitionId, BTreeSet<Outcome>> = BTreeMap::new();
        if self.network.pack(&state).is_none() {
            assert!(self.facts.is_guessed(), "{}: a state does not fit", self.name);
            return None;
        }
        if buffer.cut().is_some() {
            return None;
        }
        for successor in buffer.iter() {
            let id = self.identity(&state, &successor);
            let faults = successor.faults.iter().map(|fault| fault.kind).collect();
            outcomes.entry(id).or_default().insert((successor.state.map(<[u8]>::to_vec), faults));
        }
        Some(Happening { state, outcomes })
    }

    fn identity(&self, state: &State, successor: &Successor<'_>) -> TransitionId {
        let first = successor.moves[0];
        let id = self.facts.of_move(first, |pid| instance_in(self.network, state, pid));
        id.unwrap_or_else(|| panic!("{}: {first:?} has no identity", self.name))
    }

    fn show(&self, id: TransitionId) -> String {
        let show = |taken: ample_network::facts::Taken| {
            let instance = &self.network.instances[taken.instance];
            let template = &self.network.model.templates[instance.template];
            format!("{}[{}] `{}`", template.name, instance.pid, template.edges[taken.edge].text)
        };
        self.facts.transitions()[id].identity.participants().map(show).collect::<Vec<_>>().join(" with ")
    }

    fn about(&self, a: TransitionId, b: TransitionId, state: &State) -> String {
        format!("{}: {} and {} in {state:?}", self.name, self.show(a), self.show(b))
    }

    /// Checks everything in one state. False if it cannot be checked.
    fn check(&mut self, bytes: &[u8], propositions: &[Expr]) -> bool {
        let Some(now) = self.happening(bytes) else {
            self.tally.strange += 1;
            return false;
        };
        self.tally.states += 1;
        for (t, outcomes) in &now.outcomes {
            for (next, _) in outcomes {
                let Some(next) = next else { continue };
                let Some(then) = self.happening(next) else { continue };
                self.check_chances(&now, *t, &then);
            }
        }
        self.check_pairs(&now);
        self.check_propositions(&now, propositions);
        self.check_safety(&now);
        true
    }

    fn check_chances(&mut self, now: &Happening, t: TransitionId, then: &Happening) {
        for u in then.outcomes.keys().filter(|u| !now.outcomes.contains_key(u)) {
            let announced = self.facts.may_enable(t).contains(*u) && self.facts.enabled_by(*u).contains(t);
            assert!(announced, "enabled, but not announced: {}", self.about(t, *u, &now.state));
            self.tally.enabled += 1;
        }
        for u in now.outcomes.keys().filter(|u| !then.outcomes.contains_key(u)) {
            assert!(
                self.facts.may_disable(t).contains(*u),
                "disabled, but not announced: {}",
                self.about(t, *u, &now.state)
            );
            self.tally.disabled += 1;
        }
    }

    fn check_pairs(&mut self, now: &Happening) {
        for t in now.outcomes.keys() {
            for u in now.outcomes.keys().filter(|u| t < u) {
                assert!(
                    self.facts.co_enabled(self.network, *t, *u),
                    "possible together, but not announced: {}",
                    self.about(*t, *u, &now.state)
                );
                assert_eq!(self.facts.accord(*t, *u), self.facts.accord(*u, *t), "accordance has no direction");
                self.tally.pairs += 1;
                if self.is_unseen_end(*t) || self.is_unseen_end(*u) {
                    continue;
                }
                if self.facts.accord(*t, *u) {
                    self.tally.accord += 1;
                    let (one, other) = (self.in_order(now, *t, *u), self.in_order(now, *u, *t));
                    if let (Some(one), Some(other)) = (one, other) {
                        assert_eq!(one, other, "the order matters: {}", self.about(*t, *u, &now.state));
                    }
                }
            }
        }
    }

    /// Where two transitions lead in this order. `None` if a state on the way does not fit. What
    /// goes wrong belongs to its own transition, whatever the order.
    fn in_order(&mut self, now: &Happening, t: TransitionId, u: TransitionId) -> Option<BTreeSet<[Outcome; 2]>> {
        let mut results = BTreeSet::new();
        for (next, faults) in now.outcomes[&t].clone() {
            // A run that ended: the other could have gone first.
            let Some(next) = next else {
                for other in now.outcomes[&u].clone() {
                    results.insert(sorted(t, (None, faults.clone()), u, (None, other.1)));
                }
                continue;
            };
            let then = self.happening(&next)?;
            let last = then.outcomes.get(&u);
            let last = last.unwrap_or_else(|| panic!("one ends the other: {}", self.about(t, u, &now.state)));
            for (end, more) in last {
                let end = end.as_ref().map(|end| self.as_compared(end));
                results.insert(sorted(t, (end.clone(), faults.clone()), u, (end.clone(), more.clone())));
            }
        }
        Some(results)
    }

    /// A state as it is compared: without numbers, where these make no difference.
    fn as_compared(&self, state: &[u8]) -> Vec<u8> {
        if !self.facts.numbering().is_anonymous() {
            return state.to_vec();
        }
        let values = without_numbers(self.network, &self.interpreter.decode(state));
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// Whether a transition ends a process, and nobody can tell.
    fn is_unseen_end(&self, id: TransitionId) -> bool {
        let first = self.facts.transitions()[id].identity.first;
        let edge = &self.network.template(first.instance).edges[first.edge];
        self.facts.numbering().is_anonymous() && matches!(edge.action, Action::End)
    }

    fn check_propositions(&mut self, now: &Happening, propositions: &[Expr]) {
        let visible = self.facts.visible(self.network, propositions);
        for (t, outcomes) in &now.outcomes {
            for next in outcomes.iter().filter_map(|(next, _)| next.as_ref()) {
                let Some(then) = self.happening(next) else { continue };
                for (proposition, visible) in propositions.iter().zip(&visible) {
                    self.check_proposition(now, *t, &then, proposition, visible.contains(*t));
                }
            }
        }
    }

    fn check_proposition(&mut self, now: &Happening, t: TransitionId, then: &Happening, asked: &Expr, visible: bool) {
        // Why there is no value does not matter.
        let value = |state: &State| self.interpreter.holds(state, asked).ok();
        let (before, after) = (value(&now.state), value(&then.state));
        if before != after {
            let what = format!("{} changes {asked:?} from {before:?} to {after:?}", self.show(t));
            assert!(visible, "{}: {what} in {:?}", self.name, now.state);
            self.tally.changed += 1;
        }
        self.tally.invisible += usize::from(!visible);
    }

    fn check_safety(&mut self, now: &Happening) {
        for pid in 0..now.state.processes.len() {
            let Some(instance) = instance_in(self.network, &now.state, pid as u16) else { continue };
            let location = now.state.processes[pid].location;
            let own: BTreeSet<TransitionId> = self.facts.at(instance, location).iter().copied().collect();
            if !own.iter().any(|t| now.outcomes.contains_key(t)) || own.iter().any(|t| self.is_unseen_end(*t)) {
                continue;
            }
            match self.facts.safety(instance, location) {
                Safety::Never(_) => continue,
                Safety::Always => self.tally.always += 1,
                Safety::When(conditions) if conditions.iter().all(|condition| self.holds(now, *condition)) => {
                    self.tally.conditional += 1;
                }
                Safety::When(_) => continue,
            }
            self.others_move(now, now, instance, &own, MOVES_OF_OTHERS);
        }
    }

    fn holds(&self, now: &Happening, condition: Condition) -> bool {
        let messages = |at: ChannelId| now.state.channels.get(at.index()).map(|channel| channel.len());
        let capacity = |at: ChannelId| self.network.layout.channels[at.index()].capacity as usize;
        match condition {
            Condition::NotEmpty(at) => messages(at).is_some_and(|messages| messages > 0),
            Condition::NotFull(at) => messages(at).is_some_and(|messages| messages < capacity(at)),
            Condition::Enabled(t) => now.outcomes.contains_key(&t),
        }
    }

    /// Lets the others move: the process can still do exactly what it could.
    fn others_move(
        &mut self,
        first: &Happening,
        now: &Happening,
        instance: InstanceId,
        own: &BTreeSet<TransitionId>,
        moves: usize,
    ) {
        let possible = |happening: &Happening| -> BTreeSet<TransitionId> {
            happening.outcomes.keys().filter(|t| own.contains(t)).copied().collect()
        };
        assert_eq!(possible(first), possible(now), "{}: {instance:?} is not safe in {:?}", self.name, first.state);
        if moves == 0 {
            return;
        }
        let is_other = |t: &&TransitionId| !own.contains(t) && !self.is_unseen_end(**t);
        let others: Vec<TransitionId> = now.outcomes.keys().filter(is_other).copied().collect();
        // All of them at first, then one: all ways would be too many.
        let width = if moves == MOVES_OF_OTHERS { others.len() } else { 1 };
        for u in others.iter().rev().take(width) {
            for t in possible(now) {
                if let (Some(one), Some(other)) = (self.in_order(now, t, *u), self.in_order(now, *u, t)) {
                    assert_eq!(one, other, "not safe: {}", self.about(t, *u, &now.state));
                }
            }
            let next = now.outcomes[u].iter().find_map(|(next, _)| next.clone());
            if let Some(then) = next.and_then(|next| self.happening(&next)) {
                self.others_move(first, &then, instance, own, moves - 1);
            }
        }
    }
}

fn sorted(t: TransitionId, a: Outcome, u: TransitionId, b: Outcome) -> [Outcome; 2] {
    if t < u { [a, b] } else { [b, a] }
}

fn check(loaded: &Loaded, name: &str, seed: u64, tally: &mut Tally) {
    tally.models += 1;
    let interpreter = Interpreter::new(&loaded.model);
    let Ok(network) = instantiate(&interpreter) else { return };
    let facts = Facts::new(&network);
    *(if facts.is_guessed() { &mut tally.guessed } else { &mut tally.known }) += 1;
    tally.anonymous += usize::from(facts.numbering().is_anonymous());
    let Ok(initial) = interpreter.initial_state() else { return };
    let mut prng = Random::new(seed);
    let propositions: Vec<Expr> = (0..PROPOSITIONS).map(|_| question(&loaded.model, &mut prng)).collect();
    let mut first = Vec::new();
    interpreter.encode(&initial, &mut first);
    let mut checker =
        Checker { name, interpreter: &interpreter, network: &network, facts: &facts, seen: HashMap::new(), tally };
    let (mut seen, mut open) = (HashSet::from([first.clone()]), vec![first]);
    while let Some(state) = open.pop() {
        if !checker.check(&state, &propositions) {
            continue;
        }
        let Some(now) = checker.happening(&state) else { continue };
        for next in now.outcomes.values().flatten().filter_map(|(next, _)| next.as_ref()) {
            if seen.len() < MAX_STATES && seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
}

/// Nothing was left out.
fn assert_not_vacuous(tally: &Tally) {
    println!("{tally:#?}");
    let counts = [
        tally.known,
        tally.accord,
        tally.enabled,
        tally.disabled,
        tally.changed,
        tally.invisible,
        tally.always,
        tally.conditional,
    ];
    assert!(counts.iter().all(|count| *count > 0) && tally.pairs > tally.accord, "{tally:?}");
}

#[test]
fn random_models() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random::model(seed, Size::default());
        let loaded = explore::load_text(&text).expect("random models are valid");
        check(&loaded, &format!("seed {seed}:\n{text}"), seed, &mut tally);
    }
    assert_not_vacuous(&tally);
}

/// A program is one process, so that nothing is said of pairs.
#[test]
fn random_programs_of_guarded_commands() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random::gcl_program(seed, Numbers::Borders).text;
        let loaded = load_text("random.gcl", text.clone(), &LoadOptions::default());
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
        check(&loaded, &format!("seed {seed}:\n{text}"), seed, &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.enabled > 0 && tally.disabled > 0 && tally.changed > 0 && tally.invisible > 0, "{tally:?}");
}

#[test]
fn models_that_create_processes() {
    let seeds = random::seeds(0..200).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random::creating_model(seed);
        let loaded = explore::load_text(&text).expect("random models are valid");
        check(&loaded, &format!("seed {seed}:\n{text}"), seed, &mut tally);
    }
    assert_not_vacuous(&tally);
    assert!(tally.anonymous > 50 && tally.guessed > tally.anonymous, "{tally:?}");
}

#[test]
fn models_of_the_project() {
    let mut tally = Tally::default();
    for (seed, path) in (0..).zip(explore::models_of_the_project().unwrap()) {
        if let Ok(loaded) = explore::load_file(&path) {
            check(&loaded, &format!("{}, seed {seed}", path.display()), seed, &mut tally);
        }
    }
    assert_not_vacuous(&tally);
}

/// Takes minutes: for whoever changes the facts.
#[test]
#[ignore = "takes minutes"]
fn models_of_the_corpus() {
    let Some(folder) = corpus::folder() else {
        println!("skipped: the corpus is not beside the checkout");
        return;
    };
    let mut tally = Tally::default();
    for (seed, entry) in (0..).zip(corpus::promela(&folder).expect("the corpus can be read")) {
        if let Ok(loaded) = explore::load_file(&entry.path) {
            check(&loaded, &format!("{}, seed {seed}", entry.path.display()), seed, &mut tally);
        }
    }
    assert_not_vacuous(&tally);
}

/// Small models in which a careless fact is wrong in some state (theory.md 1.4 to 1.7).
const TRAPS: &[&str] = &[
    // An atomic sequence that has to wait for room in the middle.
    "byte x, y; chan c = [1] of { byte };
     active proctype A() { do :: atomic { x = 1 - x; c!1; y = 1 - y } od } active proctype B() { do :: c?_ od }",
    // A message that is not there yet is an alternative that others can enable.
    "byte x; chan c = [1] of { byte }; active proctype A() { byte own; do :: c?_ :: own < 2 -> own++ od }
     active proctype B() { do :: c!1 od }",
    "chan c = [2] of { byte }; active proctype A() { byte own; do :: c??2 :: c?1 :: own < 2 -> own++ od }
     active proctype B() { do :: c!1 :: c!2 od }",
    // Room that is not there yet.
    "chan c = [1] of { byte }; active proctype A() { byte own; do :: c!1 :: nfull(c) -> own = 1 - own :: own == 1 -> own = 0 od }
     active proctype B() { byte n; do :: c?n :: nempty(c) -> n = 0 :: c?<n> od }",
    // `else` beside a rendezvous, whose partner comes and goes.
    "byte x; chan r = [0] of { byte }; active proctype A() { do :: r!1 :: else -> x = 1 - x od }
     active proctype B() { byte own; do :: r?own; own = 0 :: own = 1; own = 0 od }",
    // Whoever receives inside an atomic sequence may have been created a moment ago.
    "byte x; chan r = [0] of { byte }; proctype P() { atomic { r?_; x = 1 }; r?_ }
     active proctype A() { run P(); run P() } active proctype B() { atomic { x = 0; r!1 }; r!2 }",
    // Processes end in the order of their numbers, and others create and count.
    "byte x; proctype P() { byte own; own = 1 } init { run P(); x = _nr_pr; run P(); x = _nr_pr; run P() }",
    // Additions, stores and tests of one variable.
    "byte x; active proctype A() { do :: x++ :: x = 3 :: x == 2 -> x-- od } active proctype B() { do :: x-- :: x = 3 :: x = 2 * x od }",
    // A variable of a process that ends, and one that is created.
    "byte x; proctype P(byte id) { byte own = id; own = 2; here: own = 3 }
     active proctype A() { byte i; do :: x = P[1]:own :: P[1]@here -> x = 7 :: i < 2 -> i++; run P(i) od }",
    // The trace assertion sees the order of what is independent otherwise; a claim is a matter of
    // who exists.
    "chan c = [1] of { byte }; chan d = [1] of { byte }; active proctype A() { do :: c!1 od } active proctype B() { do :: d!1 :: d?_ od }
     active proctype C() { do :: c?_ od } trace { do :: c!1 :: d!1; d!1 od }",
    "chan c = [2] of { byte }; proctype P() { xs c; c!1 } init { atomic { run P() }; c!2; c?_ }",
    // Escapes, `provided`, and `timeout` that is more than waiting.
    "byte x; active proctype A() { do :: { x = 1; x = 0 } unless { x == 2 -> x = 0 } od } active proctype B() { do :: x = 2 od }",
    "byte x, y; active proctype A() provided (x == 0) { do :: atomic { y = 1; y = 0; x = 2 } :: y++ od }
     active proctype B() { do :: x = 0 :: x = 1 od }",
    "byte x; active proctype A() { do :: timeout -> x = 0 :: x < 2 -> x++ od } active proctype B() { do :: x == 2 || timeout -> x = 1 od }",
];

#[test]
fn traps() {
    let mut tally = Tally::default();
    for (seed, text) in (0..).zip(TRAPS) {
        let loaded = explore::load_text(text);
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
        check(&loaded, text, seed, &mut tally);
    }
    assert_not_vacuous(&tally);
}
