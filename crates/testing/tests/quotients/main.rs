//! Canonizers that keep moves: their law by brute force on random models, quotients that are
//! bisimilar to the system, answers by every plan, and traps.
//!
//! The law: a state and its canonical form have the same transitions, by their moves, with the same
//! faults, to states with one canonical form; and the same propositions hold in them.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds, `AMPLE_QUOTIENT_STATES` the size of other people's models.

mod linear;
mod models;
mod values;

use std::collections::{HashMap, HashSet, VecDeque};

use ample_check::{Job, LOOPS, Options, Outcome, Prepared, Reduce, check};
use ample_equivalence::{Answer, Limits, Lts, LtsBuilder, relation};
use ample_frontends::LoadOptions;
use ample_interpret::Interpreter;
use ample_model::Expr;
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{CANONIZERS, NotHere, Visible};
use ample_stdx::{Random, Stop};
use ample_testing::explore::{self, SAFETY};
use ample_testing::questions::question;
use ample_testing::random;
use ample_transition::{Canonized, Canonizer, Move, Scratch, SuccessorBuffer, Successors};

/// Calls `body` with a canonizer of a model, or says why there is none.
fn with_canonizer<R>(
    packed: &Packed<'_>,
    propositions: &[Expr],
    name: &str,
    body: impl FnOnce(&dyn Canonizer) -> R,
) -> Result<R, String> {
    let facts = Facts::new(&packed.network);
    let visible = Visible { propositions, faults: SAFETY, one_is_enough: true, processes: false, names: false };
    let entry = CANONIZERS.iter().find(|entry| entry.part.name == name).expect("the canonizer exists");
    match (entry.make)(&packed.network, &facts, &visible, &Stop::default()) {
        Ok(Some(canonizer)) => Ok(body(&*canonizer)),
        Ok(None) => Err("nothing to do".to_owned()),
        Err(NotHere(why)) => Err(why),
    }
}

fn canonical(canonizer: &dyn Canonizer, state: &[u8]) -> Vec<u8> {
    let mut form = state.to_vec();
    canonizer.canonize(&mut form, &mut Scratch::default());
    form
}

/// A transition: its moves, what goes wrong on it, and the canonical form of where it leads.
type Step = (Vec<Move>, String, Option<Vec<u8>>);

/// What the law says of a state.
#[derive(PartialEq, Eq, Debug)]
struct Behaviour {
    steps: Vec<Step>,
    holds: Vec<Option<bool>>,
    is_invalid_end: bool,
}

fn behaviour(packed: &Packed<'_>, canonizer: &dyn Canonizer, propositions: &[Expr], state: &[u8]) -> Behaviour {
    let mut buffer = SuccessorBuffer::new();
    packed.expand_all(state, &mut buffer);
    let step = |successor: ample_transition::Successor<'_>| {
        let faults: Vec<_> = successor.faults.iter().map(|fault| (fault.kind, fault.span)).collect();
        (successor.moves.to_vec(), format!("{faults:?}"), successor.state.map(|next| canonical(canonizer, next)))
    };
    let unpacked = packed.unpack(state);
    Behaviour {
        steps: buffer.iter().map(step).collect(),
        holds: propositions.iter().map(|expr| packed.interpreter.holds(&unpacked, expr).ok()).collect(),
        is_invalid_end: buffer.is_empty() && packed.invalid_end(state).is_some(),
    }
}

/// All states of a system; `None` if there are more, or some do not fit the network.
fn reachable(packed: &Packed<'_>, most: usize) -> Option<HashSet<Vec<u8>>> {
    let mut open = vec![packed.initial().ok()?];
    let mut seen: HashSet<Vec<u8>> = open.iter().cloned().collect();
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop() {
        if !packed.fits(state.len()) || seen.len() > most {
            return None;
        }
        buffer.clear();
        packed.expand_all(&state, &mut buffer);
        for next in buffer.iter().filter_map(|successor| successor.state) {
            if seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
    }
    Some(seen)
}

/// Holds the canonizer against its law in every state. The numbers of states and of forms; `None`
/// if there are too many.
fn law(packed: &Packed<'_>, canonizer: &dyn Canonizer, propositions: &[Expr], most: usize) -> Option<(usize, usize)> {
    let states = reachable(packed, most)?;
    let mut forms: HashMap<Vec<u8>, Behaviour> = HashMap::new();
    for state in &states {
        let form = canonical(canonizer, state);
        assert_eq!(canonical(canonizer, &form), form, "a canonical form is left as it is");
        let found = forms.entry(form.clone()).or_insert_with(|| behaviour(packed, canonizer, propositions, &form));
        let own = behaviour(packed, canonizer, propositions, state);
        assert_eq!(own, *found, "{:?}\nand\n{:?}", packed.unpack(state), packed.unpack(&form));
    }
    Some((states.len(), forms.len()))
}

/// A system with what is true in its states, and moves.
fn lts(packed: &Packed<'_>, system: &dyn Successors, propositions: &[Expr]) -> Lts {
    let initial = system.initial().expect("it begins");
    let mut numbers: HashMap<Vec<u8>, u32> = HashMap::from([(initial.clone(), 0)]);
    let mut open = VecDeque::from([initial]);
    let mut builder = LtsBuilder::new(0);
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop_front() {
        let from = numbers[&state];
        let unpacked = packed.unpack(&state);
        let holds = propositions.iter().map(|expr| format!("{:?}", packed.interpreter.holds(&unpacked, expr).ok()));
        builder.letter(from, &holds.collect::<String>());
        buffer.clear();
        system.expand_all(&state, &mut buffer);
        for successor in buffer.iter() {
            let faults: Vec<_> = successor.faults.iter().map(|fault| (fault.kind, fault.span)).collect();
            let target = successor.state.unwrap_or_default().to_vec();
            let next = numbers.len() as u32;
            let to = *numbers.entry(target.clone()).or_insert_with(|| {
                if !target.is_empty() {
                    open.push_back(target.clone());
                }
                next
            });
            builder.edge(from, &format!("{:?} {faults:?}", successor.moves), to);
        }
    }
    builder.build()
}

/// Panics unless the quotient is bisimilar to the system.
fn bisimilar(packed: &Packed<'_>, canonizer: &dyn Canonizer, propositions: &[Expr]) {
    let full = lts(packed, packed, propositions);
    let quotient = lts(packed, &Canonized { system: packed, canonizer }, propositions);
    let limits = Limits { work: 20_000_000, ..Limits::default() };
    if let Answer::Different(difference) = relation("bisim").expect("it exists").compare(&full, &quotient, &limits) {
        panic!("not bisimilar: {difference:?}");
    }
}

/// Holds a canonizer against its law on random models: with how many it had something to do, and
/// for how many of them there were fewer states.
fn law_on_random_models(name: &str) -> (usize, usize) {
    let (mut compared, mut smaller) = (0, 0);
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        let (file, text) = match seed % 8 {
            0 => ("random.pml", random::cyclic_model(seed)),
            1 => ("random.pml", random::creating_model(seed)),
            2 => ("random.dve", random::dve_model(seed).text),
            _ => ("random.pml", random::shifting_model(seed)),
        };
        let loaded = ample_frontends::load_text(file, text.clone(), &LoadOptions::default());
        let Ok(loaded) = loaded else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let Ok(packed) = Packed::new(&interpreter) else { continue };
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        let compare = |canonizer: &dyn Canonizer| {
            println!("seed {seed}, {propositions:?}\n{text}");
            let sizes = law(&packed, canonizer, &propositions, 1_500)?;
            bisimilar(&packed, canonizer, &propositions);
            Some(sizes)
        };
        if let Ok(Some((states, forms))) = with_canonizer(&packed, &propositions, name, compare) {
            compared += 1;
            smaller += usize::from(forms < states);
        }
    }
    println!("{name}: {compared} models compared, {smaller} smaller");
    (compared, smaller)
}

/// The numbers of states and of forms of a model, by a canonizer whose law holds; or why it does
/// not apply.
#[track_caller]
fn sizes(text: &str, name: &str) -> Result<(usize, usize), String> {
    let loaded = explore::load_text(text).map_err(|failure| explore::messages(&failure)).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its processes are known");
    with_canonizer(&packed, &[], name, |canonizer| {
        bisimilar(&packed, canonizer, &[]);
        law(&packed, canonizer, &[], 100_000).expect("it is small")
    })
}

/// With these reductions, on one thread.
fn options(reduce: &str) -> Options {
    Options { reduce: Reduce::parse(reduce), threads: Some(1), ..Options::default() }
}

/// The answer to a question with these reductions, every trace replayed; or why there is none.
fn ask(prepared: &Prepared<'_>, question: &str, reduce: &str) -> Result<Outcome, String> {
    ask_with(prepared, question, options(reduce)).map_err(|why| format!("{question} {reduce}: {why}"))
}

fn ask_with(prepared: &Prepared<'_>, question: &str, options: Options) -> Result<Outcome, String> {
    let job =
        Job { system: prepared.system(), select: vec![question.to_owned()], options, loops: LOOPS, progress: None };
    check(job).map_err(|error| {
        assert!(!error.is_internal(), "{question}: {error}");
        error.to_string()
    })
}

/// That a model, asked every question that it has, has the answers of the full search.
#[track_caller]
fn agrees(text: &str, reductions: &[&str]) {
    let loaded = explore::load_text(text).map_err(|failure| explore::messages(&failure)).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let named = loaded.properties.iter().map(|property| property.name.as_str());
    for question in std::iter::once("safety").chain(named) {
        let full = ask(&prepared, question, "none").expect("the full search answers");
        for reduce in reductions {
            match ask(&prepared, question, reduce) {
                Ok(outcome) => assert_eq!(outcome.verdict, full.verdict, "{question} by {reduce}\n{text}"),
                Err(why) => println!("{question} by {reduce}: {why}"),
            }
        }
    }
}

/// Why these reductions are refused together.
#[track_caller]
fn refusal(text: &str, reduce: &str) -> String {
    let loaded = explore::load_text(text).map_err(|failure| explore::messages(&failure)).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    ask(&Prepared::packed(&interpreter, &loaded.properties), "safety", reduce).expect_err("it is refused")
}
