//! What passes preserve, between the model that a pass makes and the model as written: `dead` makes
//! a bisimilar one, with the same moves, faults and propositions; `merge` one with the same runs up
//! to stuttering, the same end states and faults, whose transitions are sequences of transitions.
//! Both systems are built here, by the interpreter.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

mod branching;
mod cone;
mod guarded;
mod loops;

use std::collections::{BTreeSet, HashMap, VecDeque};

use ample_equivalence::{Answer, Limits, Lts, LtsBuilder, relation};
use ample_interpret::Interpreter;
use ample_model::{Expr, Model};
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{Back, PASSES, Rewrite, Rewritten, TemplateOf, Visible};
use ample_replay::MovesOf;
use ample_stdx::{Interner, Random};
use ample_testing::explore::{self, SAFETY};
use ample_testing::questions::question;
use ample_testing::random::{self, Size};
use ample_transition::{Move, NodeId, Pid, Route, Stretch, SuccessorBuffer, Successors};

const MAX_STATES: usize = 1_500;

/// All states and transitions of a model, as its interpreter has them.
struct Graph {
    lts: Lts,
    /// What goes wrong, by kind and place.
    faults: BTreeSet<String>,
    /// The states that nothing leaves, and whether a process may not end there.
    ends: BTreeSet<(Vec<u8>, bool)>,
    transitions: Vec<Step>,
}

/// From a state, by moves, to a state; to none after an error that ends the run.
type Step = (Vec<u8>, Vec<Stretch>, Option<Vec<u8>>);

/// The name of a transition: by the state that it leaves, its moves in the model as written, and
/// what goes wrong in it.
type NameOf<'n> = &'n dyn Fn(&[u8], &[Stretch], &str) -> String;

/// All its moves, and what goes wrong.
fn whole(_: &[u8], moves: &[Stretch], faults: &str) -> String {
    format!("{moves:?} {faults}")
}

/// What a state is in the model as written.
type StateOf<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

/// The graph of a model; `None` if it is too large. `back` gives the moves of the model as written,
/// `form` its states.
fn graph(
    interpreter: &Interpreter<'_>,
    propositions: &[Expr],
    back: MovesOf<'_>,
    form: StateOf<'_>,
    name: NameOf<'_>,
) -> Option<Graph> {
    let mut numbers: Interner<NodeId, Vec<u8>> = Interner::default();
    let mut builder = LtsBuilder::new(0);
    let (mut faults, mut ends, mut transitions) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    let mut open = VecDeque::from([interpreter.initial().ok()?]);
    let number = |id: NodeId| ample_stdx::TypedId::index(id) as u32;
    let mut buffer = SuccessorBuffer::new();
    let mut next = 0;
    while let Some(state) = open.pop_front() {
        let from = number(numbers.number(&state));
        if from < next {
            continue;
        }
        next = from + 1;
        if from as usize > MAX_STATES {
            return None;
        }
        let unpacked = interpreter.decode(&state);
        let holds = |proposition: &Expr| format!("{:?}", interpreter.holds(&unpacked, proposition).ok());
        let letter: String = propositions.iter().map(holds).collect();
        buffer.clear();
        interpreter.expand_all(&state, &mut buffer);
        if buffer.is_empty() {
            ends.insert((form(&state), interpreter.invalid_end(&state).is_some()));
        }
        builder.letter(from, &letter);
        for successor in buffer.iter() {
            let found: Vec<_> = successor.faults.iter().map(|fault| (fault.kind, fault.span)).collect();
            let moves = back(&state, successor.moves);
            let label = name(&state, &moves, &format!("{found:?}"));
            // No state is empty: there all runs end that end in a fault.
            let target = successor.state.map(<[u8]>::to_vec);
            builder.edge(from, &label, number(numbers.number(&target.clone().unwrap_or_default())));
            open.extend(target.clone());
            faults.extend(found.iter().map(|found| format!("{found:?}")));
            transitions.push((form(&state), moves, target.as_deref().map(form)));
        }
    }
    Some(Graph { lts: builder.build(), faults, ends, transitions })
}

/// A model as written, and after a pass.
struct Compared {
    written: Graph,
    rewritten: Graph,
    /// Whether a transition of the second is a sequence of transitions of the first.
    is_run: Box<dyn Fn(&Step) -> bool>,
}

impl Compared {
    fn states(&self) -> (usize, usize) {
        (self.written.lts.state_count(), self.rewritten.lts.state_count())
    }

    fn answer(&self, relation_name: &str) -> Answer {
        let limits = Limits { work: 10_000_000, ..Limits::default() };
        let relation = relation(relation_name).expect("the relation exists");
        relation.compare(&self.written.lts, &self.rewritten.lts, &limits)
    }

    /// Whether both are in a relation.
    fn is(&self, relation_name: &str) -> bool {
        matches!(self.answer(relation_name), Answer::Equivalent)
    }

    /// Panics unless both are in a relation; false if that takes too long.
    fn check(&self, name: &str, relation_name: &str) -> bool {
        match self.answer(relation_name) {
            Answer::Equivalent => true,
            Answer::Different(difference) => panic!("{name}: not {relation_name}: {difference:?}"),
            Answer::Unknown(_) => false,
        }
    }
}

/// A model as written and after a pass; `None` if the pass finds nothing, or there are too many
/// states.
fn compared(text: &str, propositions: &[Expr], pass: &str, one_is_enough: bool) -> Option<Compared> {
    compared_as(text, propositions, pass, one_is_enough, &whole)
}

/// The same with other names of transitions.
fn compared_as(
    text: &str,
    propositions: &[Expr],
    pass: &str,
    one_is_enough: bool,
    name: NameOf<'_>,
) -> Option<Compared> {
    let loaded = explore::load_text(text).ok()?;
    compared_models(&loaded.model, propositions, &[pass], one_is_enough, name)
}

/// The same with several passes, one after the other.
fn compared_models(
    written: &Model,
    propositions: &[Expr],
    passes: &[&str],
    one_is_enough: bool,
    name: NameOf<'_>,
) -> Option<Compared> {
    let visible = Visible { propositions, faults: SAFETY, one_is_enough, processes: false, names: false };
    let interpreter = Interpreter::new(written);
    let (mut model, mut backs) = (written.clone(), Vec::new());
    for pass in passes {
        if let Some(rewritten) = rewritten(&model, &visible, pass) {
            model = rewritten.model;
            backs.insert(0, rewritten.back);
        }
    }
    if backs.is_empty() {
        return None;
    }
    let once = |_: &[u8], moves: &[Move]| moves.iter().copied().map(Stretch::Once).collect();
    let graph_as_written = graph(&interpreter, propositions, &once, &|state| state.to_vec(), name)?;
    let after = Interpreter::new(&model);
    let named = |state: &[u8], transition: &[Move]| {
        let processes = after.decode(state).processes;
        let template_of = |pid: Pid| processes.get(usize::from(pid)).map(|process| process.template);
        let mut stretches = once(state, transition);
        for back in &backs {
            stretches = before(&**back, stretches, &template_of);
        }
        stretches
    };
    let form = |state: &[u8]| {
        let mut bytes = Vec::new();
        interpreter.encode(&backs.iter().fold(after.decode(state), |state, back| back.state(state)), &mut bytes);
        bytes
    };
    let named_as_written = |state: &[u8], moves: &[Stretch], faults: &str| name(&form(state), moves, faults);
    let rewritten = graph(&after, propositions, &named, &form, &named_as_written).expect("it is not larger");
    let is_run = runs_of(&graph_as_written);
    Some(Compared { written: graph_as_written, rewritten, is_run })
}

/// What a pass makes of a model; `None` if it finds nothing, or does not apply.
fn rewritten(model: &Model, visible: &Visible<'_>, pass: &str) -> Option<Rewritten> {
    let entry = PASSES.iter().find(|entry| entry.part.name == pass).expect("the pass exists");
    let of_network = match entry.rewrite {
        Rewrite::OfModel(rewrite) => return rewrite(model, visible).ok()?,
        Rewrite::OfNetwork(rewrite) => rewrite,
    };
    let interpreter = Interpreter::new(model);
    let packed = Packed::new(&interpreter).ok()?;
    of_network(&packed.network, &Facts::new(&packed.network), visible).ok()?
}

/// What stretches stand for before a pass; moves side by side together.
fn before(back: &dyn Back, stretches: Vec<Stretch>, template_of: TemplateOf<'_>) -> Vec<Stretch> {
    let (mut all, mut together) = (Vec::new(), Vec::new());
    for stretch in stretches {
        match stretch {
            Stretch::Once(step) => together.push(step),
            Stretch::WhilePossible(round) => {
                back.moves(&std::mem::take(&mut together), template_of, &mut all);
                all.push(Stretch::WhilePossible(before(back, round, template_of)));
            }
        }
    }
    back.moves(&together, template_of, &mut all);
    all
}

/// Whether the moves of a transition are those of a sequence of transitions of the graph, between
/// the same states.
fn runs_of(graph: &Graph) -> Box<dyn Fn(&Step) -> bool> {
    let mut leaving: HashMap<Vec<u8>, Vec<Step>> = HashMap::new();
    for step in &graph.transitions {
        leaving.entry(step.0.clone()).or_default().push(step.clone());
    }
    Box::new(move |(state, moves, target)| {
        let mut open = vec![(state.clone(), Route::new(moves.clone()))];
        while let Some((state, rest)) = open.pop() {
            for (_, made, next) in leaving.get(&state).into_iter().flatten() {
                match (rest.after(&Stretch::one_round(made)), next) {
                    (Some(rest), next) if rest.may_end() && next == target => return true,
                    (Some(_), None) if target.is_none() => return true,
                    (Some(rest), Some(next)) => open.push((next.clone(), rest)),
                    _ => {}
                }
            }
        }
        false
    })
}

/// The states of a model as written and after a pass, which are bisimilar; `None` if the pass finds
/// nothing, or there are too many states.
fn states(name: &str, text: &str, propositions: &[Expr], pass: &str) -> Option<(usize, usize)> {
    let compared = compared(text, propositions, pass, true)?;
    let invalid = |graph: &Graph| graph.ends.iter().any(|(_, is_invalid)| *is_invalid);
    assert_eq!(invalid(&compared.written), invalid(&compared.rewritten), "{name}\n{text}");
    compared.check(&format!("{name}\n{text}"), "bisim").then(|| compared.states())
}

/// The model of a seed.
fn text_of(seed: u64) -> String {
    match seed % 4 {
        0 => random::model(seed, Size { processes: 2, statements: 4, depth: 2 }),
        1 => random::whole_state_model(seed, Size { processes: 2, statements: 4, depth: 2 }),
        2 => random::cyclic_model(seed),
        _ => random::model(seed, Size { processes: 3, statements: 3, depth: 2 }),
    }
}

#[test]
fn dead_variables_of_random_models() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        if let Some((full, dead)) = states(&format!("seed {seed}, {propositions:?}"), &text, &propositions, "dead") {
            compared += 1;
            smaller += usize::from(dead < full);
        }
    }
    println!("{compared} models compared, {smaller} smaller");
    assert!(compared > 0);
}

/// The states as written and merged, which have the same runs up to stuttering.
fn merged(name: &str, text: &str, propositions: &[Expr]) -> Option<(usize, usize)> {
    let name = format!("{name}\n{text}");
    for one_is_enough in [true, false] {
        let Some(compared) = compared(text, propositions, "merge", one_is_enough) else { continue };
        let Compared { written, rewritten, is_run } = &compared;
        assert_eq!(written.faults.is_empty(), rewritten.faults.is_empty(), "{name}");
        assert!(rewritten.faults.is_subset(&written.faults), "{name}: {:?}", rewritten.faults);
        let no_run = rewritten.transitions.iter().find(|transition| !is_run(transition));
        assert_eq!(no_run, None, "{name}");
        if !one_is_enough {
            assert_eq!(written.faults, rewritten.faults, "{name}");
        }
        let ends_early = written.transitions.iter().any(|(.., target)| target.is_none());
        if !one_is_enough || !ends_early {
            assert_eq!(written.ends, rewritten.ends, "{name}");
            compared.check(&name, "stutter");
        }
    }
    Some(compared(text, propositions, "merge", true)?.states())
}

#[test]
fn merged_random_models() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        if let Some((full, merged)) = merged(&format!("seed {seed}, {propositions:?}"), &text, &propositions) {
            compared += 1;
            smaller += usize::from(merged < full);
        }
    }
    println!("{compared} models compared, {smaller} smaller");
    assert!(compared > 0);
}

/// The states as written and without dead variables.
fn dead(text: &str) -> Option<(usize, usize)> {
    states("", text, &[], "dead")
}

#[test]
fn what_is_read_before_it_is_written_stays() {
    let text = "byte g; active proctype p() { byte x; if :: x = 1 :: x = 2 fi; g = 7; x > 0; g = 3; g = 4 }";
    let (full, dead) = dead(text).expect("x is reset at the end");
    assert!(dead < full, "{dead} of {full}");
}

#[test]
fn what_nobody_reads_is_dead_at_once() {
    assert_eq!(dead("active proctype p() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; skip }"), Some((8, 4)));
}

#[test]
fn a_remote_reference_keeps_a_variable_alive() {
    let text = "active proctype p() { byte x; if :: x = 1 :: x = 2 fi; skip; skip }
                active proctype q() { p:x == 2 }";
    assert_eq!(dead(text), None);
}

#[test]
fn a_message_pattern_keeps_a_variable_alive() {
    let text = "chan c = [1] of { byte };
                active proctype p() { byte x; if :: x = 1 :: x = 2 fi; c!1; c?eval(x) }";
    let (full, dead) = dead(text).expect("x is reset at the end");
    assert!(dead <= full, "{dead} of {full}");
}

#[test]
fn a_computed_index_keeps_all_elements_alive() {
    let text =
        "byte g, i; active proctype p() { byte a[2]; a[0] = 1; if :: i = 0 :: i = 1 fi; g = a[i]; a[1] = 3; skip }";
    assert!(dead(text).is_some());
}

#[test]
fn what_an_escape_reads_is_live() {
    let text = "bool stop; byte g;
                active proctype p() { byte x; if :: x = 1 :: x = 2 fi; { skip; skip; x = 0; skip } unless { stop -> g = x } }
                active proctype q() { stop = true }";
    assert!(dead(text).is_some());
}

#[test]
fn inside_d_step_and_atomic() {
    let text = "byte g; active proctype p() { byte x, y;
                do :: d_step { x = g; y = x + 1; g = y % 3 } :: atomic { y = 5; x = y; g = x % 4 } od }";
    let (full, dead) = dead(text).expect("both are dead outside");
    assert!(dead < full, "{dead} of {full}");
}

#[test]
fn parameters_and_first_values() {
    let text = "proctype p(byte a) { byte x = 3; a == 1 || a == 2; skip; x = 1; a = 3; skip }
                init { if :: run p(1) :: run p(2) fi }";
    let (full, dead) = dead(text).expect("both are reset");
    assert!(dead < full, "{dead} of {full}");
}

#[test]
fn what_is_never_assigned_stays_a_constant() {
    assert_eq!(dead("proctype p(byte a) { a == 1; skip; skip } init { if :: run p(1) :: run p(2) fi }"), None);
}

#[test]
fn a_parameter_that_nobody_reads_stays_what_it_is() {
    let text = "proctype p(byte n) { do :: skip; skip od } init { run p(3) }";
    assert_eq!(dead(text), None);
}

/// The states as written and merged.
fn merge(text: &str) -> Option<(usize, usize)> {
    merged("", text, &[])
}

#[test]
fn a_local_loop_keeps_a_stored_location() {
    let (full, merged) = merge(
        "byte g; active proctype p() { byte i; do :: i < 5 -> i++; i = i * 3 % 7; i++ :: else -> break od; g = i }",
    )
    .expect("the loop is merged");
    assert!(merged > 5 && merged < full, "{merged} of {full}");
}

#[test]
fn an_endless_local_loop_goes_round_stored_locations() {
    let text = "byte g; active proctype p() { byte i; l: i = 1 - i; i = 1 - i; goto l } active proctype q() { g = 1 }";
    let (full, merged) = merge(text).expect("some of the loop is merged");
    assert!(merged < full, "{merged} of {full}");
}

#[test]
fn a_loop_through_an_atomic_sequence_keeps_a_stored_location() {
    let text = "byte g; active proctype p() { bit i; l0: skip; l1: atomic { i = 0; skip }; goto l0 }
                active proctype q() { g = 1 }";
    let (full, merged) = merge(text).expect("some of the loop is merged");
    assert!(merged < full, "{merged} of {full}");
}

#[test]
fn a_label_with_a_meaning_is_stored() {
    assert_eq!(merge("byte g; active proctype p() { byte i; g = 1; progress: i = 1; g = 2 }"), None);
    assert_eq!(merge("byte g; active proctype p() { byte i; g = 1; end: i = 1; g = 2 }"), None);
    let named = "byte g; active proctype p() { byte i; g = 1; here: i = 1; g = 2 }
                 active proctype q() { p@here; g = 3 }";
    assert_eq!(merge(named), None);
    assert!(merge("byte g; active proctype p() { byte i; g = 1; here: i = 1; g = 2 }").is_some());
}

#[test]
fn an_assertion_inside_is_found() {
    let text = "byte g; active proctype p() { byte i; g = 1; i = g; assert(i == 2); i = 3; g = 4 }";
    assert_eq!(merge(text), Some((7, 5)));
}

#[test]
fn an_error_inside_is_found() {
    let text = "byte g; active proctype p() { byte i, a[2]; g = 1; i = 2; a[i] = 3; g = 4 }
                active proctype q() { byte g1; g = 2; g1 = 1 / g1 }";
    let (full, merged) = merge(text).expect("both are merged");
    assert!(merged < full, "{merged} of {full}");
}

#[test]
fn both_partners_of_a_rendezvous_go_on() {
    let text = "chan c = [0] of { byte };
                active proctype p() { byte i; c!1; i = 1; i = 2; c!2; if :: i == 2 -> i = 3 :: else -> i = 4 fi; c!i }
                active proctype q() { byte j; c?j; j = 5; j = 6; c?j; if :: j == 2 -> j = 0 :: else -> j = 4 fi; c?j }";
    // The initial state, three rendezvous, and the two ends.
    assert_eq!(merge(text).map(|(_, merged)| merged), Some(6));
}

#[test]
fn a_receiver_that_hands_on_finds_the_sender_where_it_was() {
    let text = "chan c = [0] of { byte }; chan d = [0] of { byte }; byte g, seen;
                active proctype p() { byte i; c!1; i = 1; i = 2; d?i }
                active proctype q() { byte j; atomic { c?j; g = 1; d!2; g = 0 } }
                active proctype r() { g == 1; seen = 1 }";
    let (full, merged) = merge(text).expect("some steps are merged");
    assert!(merged <= full, "{merged} of {full}");
}

#[test]
fn what_follows_a_send_does_not_end_inside_an_atomic_sequence() {
    let text = "chan c = [0] of { byte }; byte g;
                active proctype p() { byte i, j; c!1; atomic { i = 1; j = 2 }; g = 1 }
                active proctype q() { do :: atomic { c?g } od }";
    let (full, merged) = merge(text).expect("some steps are merged");
    assert!(merged <= full, "{merged} of {full}");
}

#[test]
fn an_escape_is_possible_at_every_step() {
    let text = "byte g; active proctype p() { byte i; { g = 1; i = 1; i = 2; g = 3 } unless { g == 2; g = 5 } }
                active proctype q() { g = 2 }";
    assert_eq!(merge(text), None);
}

#[test]
fn what_counts_steps_is_refused() {
    assert_eq!(merge("byte g; active proctype p() { byte i; g = 1; i = 1; g = _last }"), None);
    assert_eq!(merge("byte g; active proctype p() provided (g < 9) { byte i; g = 1; i = 1; g = 2 }"), None);
}

/// What is found out before the search takes time and stack in proportion to the model.
#[test]
fn a_very_long_process_is_rewritten() {
    for (before, step, after) in [
        ("", "x = x + 1; ", ""),
        ("atomic { ", "x = x + 1; ", "}"),
        ("", "do :: x < 3 -> x++ :: else -> break od; ", ""),
    ] {
        let text = format!("byte g; active proctype p() {{ byte x; {before}{}g = x {after} }}", step.repeat(10_000));
        let loaded = explore::load_text(&text).expect("it is a model");
        let visible =
            Visible { propositions: &[], faults: SAFETY, one_is_enough: true, processes: false, names: false };
        for entry in PASSES {
            if let Rewrite::OfModel(rewrite) = entry.rewrite {
                assert!(rewrite(&loaded.model, &visible).is_ok(), "{}", entry.part.name);
            }
        }
    }
}
