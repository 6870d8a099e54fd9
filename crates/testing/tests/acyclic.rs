//! Classes of acyclic spaces against their definition: the quotient by bisimulation of the full
//! space, with control parts kept apart; verdicts; the bound of Lemma 3.6; traps.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use std::collections::HashMap;

use ample_check::{Choice, Job, LOOPS, Options, Outcome, Prepared, Verdict, check};
use ample_equivalence::{Lts, LtsBuilder, StateId, relation};
use ample_frontends::{LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::CLASSES;
use ample_search::{Ended, Limits, Search, SearchOutcome, StopAt, acyclic, dfs};
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

/// The full space. In the letter of a state are its control part, and what is said if nothing leaves
/// it; a fault that ends a run is a step into a state of its own.
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
            assert_eq!(found.counts.states, classes, "{what}");
            assert!(counted.finds <= transitions, "{} of {transitions} {what}", counted.finds);
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
    assert!(tally.reduced * 3 > tally.models, "{tally:?}");
}

#[test]
fn with_messages_and_indivisible_sequences_too() {
    let seeds = random::seeds(0..300).expect("seeds are given as A..B");
    let mut tally = Tally::default();
    seeds.clone().for_each(|seed| compare(seed, true, &mut tally));
    println!("{tally:?}");
    assert!(tally.models * 10 >= (seeds.end - seeds.start) * 7, "{tally:?}");
}
