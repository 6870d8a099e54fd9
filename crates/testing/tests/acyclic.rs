//! Classes of acyclic spaces against their definition: the quotient by bisimulation of the full
//! space, with control parts kept apart; verdicts; the bound of Lemma 3.6; traps.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use std::collections::HashMap;

use ample_check::{Choice, Job, LOOPS, Options, Outcome, Prepared, Reduce, Verdict, check};
use ample_equivalence::{Lts, LtsBuilder, StateId, relation};
use ample_frontends::{LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{Acyclicity, CLASSES};
use ample_search::{Ended, Limit, Limits, Search, SearchOutcome, StopAt, acyclic, bfs, dfs};
use ample_store::ExactStore;
use ample_testing::explore::{self, SAFETY};
use ample_testing::random;
use ample_transition::{StoreConfig, SuccessorBuffer, Successors};

/// Larger spaces are not looked at.
const MOST_STATES: u64 = 4_000;

fn load(text: &str, file: &str) -> Loaded {
    load_text(file, text.to_owned(), &LoadOptions::default())
        .unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)))
}

/// A search of a system for everything that can go wrong, through the whole space.
fn search(system: &dyn Successors, limits: &Limits, run: impl FnOnce(Search<'_>) -> SearchOutcome) -> SearchOutcome {
    let config = StoreConfig::unlimited();
    run(Search {
        system,
        store: Box::new(ExactStore::new(&config).unwrap()),
        make_exact_store: &|| Some(Box::new(ExactStore::new(&config).ok()?)),
        budget: &config.budget,
        threads: 1,
        wanted: SAFETY,
        stop_at: StopAt::End,
        limits,
        progress: None,
        observer: None,
        reduction: None,
        has_assumption_failed: None,
        slices: None,
    })
}

/// The same with classes; `None` if they do not apply.
fn by_classes(packed: &Packed<'_>, facts: &Facts, name: &str, limits: &Limits) -> Result<SearchOutcome, String> {
    let entry = CLASSES.iter().find(|entry| entry.part.name == name).expect("such classes exist");
    let classes = (entry.make)(&packed.network, facts).map_err(|why| why.0)?;
    Ok(search(packed, limits, |search| acyclic(search, classes)))
}

/// The full space. In the letter of a state are its control part, and what is said if nothing
/// leaves it; a fault that ends a run is a step into a state of its own.
fn full(packed: &Packed<'_>) -> (Lts, usize) {
    let network = &packed.network;
    let mut numbers = HashMap::from([(packed.initial().unwrap(), 0)]);
    let mut states = vec![packed.initial().unwrap()];
    let mut builder = LtsBuilder::new(0);
    let mut buffer = SuccessorBuffer::new();
    let mut faults = Vec::new();
    let mut next = 0;
    while next < states.len() {
        buffer.clear();
        packed.expand_all(&states[next], &mut buffer);
        let control: Vec<_> = network.instances.ids().map(|id| network.location_in(&states[next], id)).collect();
        let end = if buffer.is_empty() { packed.invalid_end(&states[next]) } else { None };
        builder.letter(next as u32, &format!("{control:?} {:?}", end.map(|fault| (fault.kind, fault.span))));
        for successor in buffer.iter() {
            let faulty: Vec<_> = successor.faults.iter().map(|fault| (fault.kind, fault.span)).collect();
            let label = format!("{:?} {faulty:?}", successor.moves);
            match successor.state {
                Some(state) => {
                    let number = *numbers.entry(state.to_vec()).or_insert_with(|| {
                        states.push(state.to_vec());
                        states.len() - 1
                    });
                    builder.edge(next as u32, &label, number as u32);
                }
                None => faults.push((next as u32, label)),
            }
        }
        next += 1;
    }
    let sink = states.len() as u32;
    for (from, label) in &faults {
        builder.edge(*from, label, sink);
        builder.letter(sink, "a fault");
    }
    (builder.build(), states.len())
}

/// How many states and transitions the quotient by bisimulation has, without the state that stands
/// for faults.
fn quotient(lts: &Lts, states: usize) -> (u64, u64) {
    let quotient = relation("bisim").unwrap().quotient(lts, &Default::default()).unwrap();
    let mut classes: Vec<StateId> = lts.states().take(states).filter_map(|state| quotient.state_of[state]).collect();
    classes.sort_unstable();
    classes.dedup();
    let edges = quotient.lts.edge_count();
    (classes.len() as u64, edges as u64)
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    models: u64,
    full: u64,
    masks: u64,
    quotient: u64,
    reduced: u64,
    exact: u64,
}

fn compare(seed: u64, all: bool, tally: &mut Tally) {
    let model = random::acyclic_model(seed, all);
    let loaded = load(&model.text, model.file);
    let interpreter = Interpreter::new(&loaded.model);
    let Ok(packed) = Packed::new(&interpreter) else { return };
    if packed.network.is_guessed {
        return;
    }
    let facts = Facts::new(&packed.network);
    let limits = Limits { max_states: Some(MOST_STATES), ..Limits::default() };
    let plain = search(&packed, &limits, dfs);
    if plain.ended != Ended::Complete {
        return;
    }
    let what = format!("seed {seed}\n{}", model.text);
    let (lts, states) = full(&packed);
    assert_eq!(states as u64, plain.counts.states, "{what}");
    let (classes, transitions) = quotient(&lts, states);
    for entry in CLASSES {
        let name = entry.part.name;
        let found = match by_classes(&packed, &facts, name, &limits) {
            Ok(found) => found,
            Err(why) => {
                assert!(all, "{name} does not apply: {why}\n{what}");
                continue;
            }
        };
        let what = format!("{name}, {what}");
        assert_eq!(found.ended, Ended::Complete, "{what}");
        assert_eq!(explore::faults(&found), explore::faults(&plain), "{what}");
        assert!((classes..=states as u64).contains(&found.counts.states), "{classes}, {}, {what}", found.counts.states);
        // Lemma 3.6: each state is added once, and each transition asks once.
        let counted = found.classes.expect("classes are counted");
        assert_eq!(counted.classes, found.counts.states, "{what}");
        assert_eq!(counted.finds, found.counts.transitions, "{what}");
        if name == "acyclic" {
            tally.masks += found.counts.states;
        } else {
            tally.exact += 1;
            // Expressions that fail may split classes: these are as the expression reads.
            if !all {
                assert_eq!(found.counts.states, classes, "{what}");
                assert!(counted.finds <= transitions, "{} of {transitions} {what}", counted.finds);
            }
        }
        if name == "acyclic" && found.counts.states < states as u64 {
            tally.reduced += 1;
        }
    }
    tally.models += 1;
    tally.full += states as u64;
    tally.quotient += classes;
}

#[test]
fn as_many_states_as_the_quotient_has_or_a_few_more() {
    let seeds = random::seeds(0..300).expect("seeds are given as A..B");
    let mut tally = Tally::default();
    seeds.clone().for_each(|seed| compare(seed, false, &mut tally));
    println!("{tally:?}");
    let asked = seeds.end - seeds.start;
    assert!(tally.models * 10 >= asked * 9, "{tally:?}");
    assert!(tally.reduced * 5 > tally.models, "{tally:?}");
}

#[test]
fn with_messages_and_indivisible_sequences_too() {
    let seeds = random::seeds(0..300).expect("seeds are given as A..B");
    let mut tally = Tally::default();
    seeds.clone().for_each(|seed| compare(seed, true, &mut tally));
    println!("{tally:?}");
    assert!(tally.models * 10 >= (seeds.end - seeds.start) * 7, "{tally:?}");
}

/// Searches cut off at a depth, of models with cycles: what goes wrong within the depth is found.
#[test]
fn what_goes_wrong_within_a_depth_is_found_whatever_the_space() {
    let seeds = random::seeds(0..150).expect("seeds are given as A..B");
    let mut compared = 0;
    for seed in seeds {
        let text = random::model(seed, random::Size::default());
        let loaded = load(&text, "m.pml");
        let interpreter = Interpreter::new(&loaded.model);
        let Ok(packed) = Packed::new(&interpreter) else { continue };
        if packed.network.is_guessed {
            continue;
        }
        let facts = Facts::new(&packed.network);
        let limits = Limits { max_depth: Some(7), max_states: Some(MOST_STATES), ..Limits::default() };
        let plain = search(&packed, &limits, bfs);
        let found = by_classes(&packed, &facts, "acyclic", &limits).expect("masks apply");
        if [plain.ended, found.ended].contains(&Ended::Limit(Limit::States(MOST_STATES))) {
            continue;
        }
        // On a cycle there is always something left, also where breadth first has met every state.
        let is_cut = found.ended == Ended::Limit(Limit::Depth(7));
        assert!(found.ended == plain.ended || is_cut, "{:?} seed {seed}\n{text}", found.ended);
        assert_eq!(explore::faults(&found), explore::faults(&plain), "seed {seed}\n{text}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

/// What is said to be acyclic before the search is.
#[test]
fn what_is_said_to_be_acyclic_is() {
    let seeds = random::seeds(0..300).expect("seeds are given as A..B");
    let (mut said, mut cyclic) = (0, 0);
    for seed in seeds {
        let model = random::acyclic_model(seed, true);
        let others = [
            (model.text, model.file),
            (random::model(seed, random::Size::default()), "m.pml"),
            (random::gcl_program(seed, random::Numbers::Small).text, "m.gcl"),
            (random::counting_model(seed), "m.pml"),
        ];
        for (text, file) in others {
            let loaded = load(&text, file);
            let interpreter = Interpreter::new(&loaded.model);
            let Ok(packed) = Packed::new(&interpreter) else { continue };
            if packed.network.is_guessed {
                continue;
            }
            let facts = Facts::new(&packed.network);
            let limits = Limits { max_states: Some(MOST_STATES), ..Limits::default() };
            let found = by_classes(&packed, &facts, "acyclic", &limits).expect("masks apply");
            let is_said = !Acyclicity::of(&packed.network).found.is_empty();
            assert!(!is_said || found.ended != Ended::AssumptionFailed, "seed {seed}\n{text}");
            said += usize::from(is_said);
            cyclic += usize::from(found.ended == Ended::AssumptionFailed);
        }
    }
    assert!(said > 100 && cyclic > 20, "{said} said, {cyclic} cyclic");
}

/// Whether a network is known to be acyclic.
#[track_caller]
fn check_known(text: &str, file: &str, expected: bool) {
    let loaded = load(text, file);
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).unwrap();
    let known = Acyclicity::of(&packed.network);
    assert_eq!(!known.found.is_empty(), expected, "{known:?}\n{text}");
    assert_eq!(known.found.is_empty(), !known.broken.is_empty(), "one of them is said");
}

#[test]
fn a_counter_that_wraps_is_no_progress() {
    check_known("byte x; active proctype P() { do :: x++ od }", "m.pml", false);
    check_known("byte x; active proctype P() { do :: x < 255 -> x++ od }", "m.pml", false);
    check_known("var x : 0..9; x < 9 -> x := x + 1;", "m.gcl", true);
    check_known("var x : 0..9; x < 9 -> x := x + 1; x = 9 -> x := 0;", "m.gcl", false);
    check_known("var pc : 0..9; pc = 0 -> pc := 4; pc = 4 -> pc := 5; pc < 3 -> pc := 3;", "m.gcl", true);
    check_known("var pc : 0..9; pc = 0 -> pc := 4; pc < 5 -> pc := 4;", "m.gcl", false);
    check_known("byte x; active proctype P() { x = 1; if :: x = 2 :: x = 3 fi }", "m.pml", true);
}

/// The answer to the safety of a model, in an order.
fn answer(text: &str, file: &str, order: &str, options: Options) -> Result<Outcome, String> {
    let loaded = load(text, file);
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).unwrap();
    let options = Options { order: Choice::Named(order.to_owned()), ..options };
    let select = vec!["safety".to_owned()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    check(job).map_err(|error| error.to_string())
}

/// The trap: the class of a state on a cycle would be computed from itself. The search is given up,
/// and the answer is that of a plain one, which goes on past the cycle to the error.
#[test]
fn a_cycle_inside_an_acyclic_search() {
    let text =
        "byte n; active proctype P() { do :: n < 3 -> n++ :: n == 3 -> n = 0 :: n == 2 -> break od; assert(n == 3) }";
    for order in ["acyclic", "acyclic-exact"] {
        let outcome = answer(text, "m.pml", order, Options::default()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Violated, "{order}");
    }
    let text = text.replace("n == 3)", "n == 2)");
    for order in ["acyclic", "acyclic-exact"] {
        let outcome = answer(&text, "m.pml", order, Options::default()).unwrap();
        let property = &outcome.properties[0];
        assert_eq!(outcome.verdict, Verdict::Holds, "{order}");
        assert_eq!(property.run.as_ref().unwrap().order, "blocks", "{order}");
        assert!(property.notes.iter().any(|note| note.contains("has a cycle")), "{order}: {:?}", property.notes);
        assert!(property.reductions.is_empty(), "{order}");
    }
}

#[test]
fn a_forgotten_variable_is_shown_as_it_was() {
    let text = "bit x, y; active proctype P() { if :: x = 1 :: x = 0 fi; y = x; x = 0; assert(y == 0) }";
    let outcome = answer(text, "m.pml", "acyclic", Options::default()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Violated);
    assert_eq!(outcome.properties[0].violations[0].trace.transitions.len(), 4);
    let names: Vec<&str> = outcome.properties[0].reductions.iter().map(|part| part.name).collect();
    assert_eq!(names, ["acyclic"]);
}

#[test]
fn what_does_not_go_with_classes_is_refused() {
    let text = "bit x; active proctype P() { x = 1 }";
    let refused = |options: Options| answer(text, "m.pml", "acyclic", options).unwrap_err();
    let por = refused(Options { por: Choice::parse("stubborn"), ..Options::default() });
    assert!(por.contains("--por stubborn does not go with --order acyclic"), "{por}");
    let store = refused(Options { store: Choice::parse("bitstate"), ..Options::default() });
    assert!(store.contains("classes are remembered, not states"), "{store}");
    let symmetry = refused(Options { reduce: Reduce::parse("symmetry"), ..Options::default() });
    assert!(symmetry.contains("--reduce symmetry does not go with"), "{symmetry}");
    let threads = refused(Options { threads: Some(2), ..Options::default() });
    assert!(threads.contains("on one thread"), "{threads}");
    let large =
        answer("int x; active proctype P() { x = x * x; x == 3 }", "m.pml", "acyclic-exact", Options::default());
    assert!(large.as_ref().unwrap_err().contains("`x` may have more than 1024 values"), "{large:?}");
}

#[test]
fn a_formula_is_refused_with_the_class_that_would_be_lost() {
    for (formula, lost) in [("[] (x == 0)", "invariants"), ("<> (x == 1)", "stutter-invariant LTL")] {
        let text = format!("bit x; active proctype P() {{ x = 1 }} ltl p {{ {formula} }}");
        let loaded = load(&text, "m.pml");
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).unwrap();
        let options = Options { order: Choice::parse("acyclic"), ..Options::default() };
        let select = vec!["p".to_owned()];
        let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
        let why = check(job).map(|_| ()).unwrap_err().to_string();
        assert!(
            why.contains(&format!("`acyclic` cannot be used to check `p`: errors may be missed in {lost}")),
            "{why}"
        );
    }
}
