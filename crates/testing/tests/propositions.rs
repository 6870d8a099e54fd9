//! Propositions as machine code against the interpreter, state by state: the same letters and the
//! same faults.
//!
//! On every model of the project and of the corpus that has a property or a label, and with random
//! expressions about random and other models (`AMPLE_SEEDS=A..B` chooses the seeds); each up to a
//! number of states.

use std::collections::{BTreeMap, HashSet};

use ample_check::{Choice, Prepared};
use ample_frontends::{FormulaText, LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_jit::Compiled;
use ample_model::{Expr, ExprKind};
use ample_product::letter;
use ample_property::{Property, PropertyKind, claim_automaton, number_propositions};
use ample_source::Span;
use ample_stdx::Random;
use ample_testing::questions::question;
use ample_testing::random::{self, Numbers, Size};
use ample_testing::{corpus, explore};
use ample_transition::{SuccessorBuffer, Successors};

/// Models with more states are compared on the first of them.
const MAX_STATES: usize = 2_000;

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    models: usize,
    /// Models that are interpreted, so that their properties are, too.
    interpreted_models: usize,
    /// Sets of propositions that are compiled.
    compiled: usize,
    /// Sets of propositions that are interpreted, by reason.
    interpreted: BTreeMap<String, usize>,
    states: usize,
    /// Letters that machine code gave, and among them those with a bit.
    letters: usize,
    not_empty: usize,
    /// Letters that the interpreter gave where machine code did not.
    handed_over: usize,
    /// The same in states that do not fit the network.
    strange: usize,
    /// States in which a proposition has no value.
    faults: usize,
}

/// Compares the letters of sets of propositions.
fn compare(loaded: &Loaded, name: &str, sets: &[Vec<Expr>], tally: &mut Tally) {
    tally.models += 1;
    let interpreter = Interpreter::new(&loaded.model);
    let Ok(compiled) = Compiled::new(&interpreter) else {
        tally.interpreted_models += 1;
        return;
    };
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).expect("it can be prepared");
    let propositions = prepared.system().propositions;
    let made: Vec<_> = sets.iter().map(|set| (set, propositions.make(set), compiled.propositions(set))).collect();
    for (_, _, code) in &made {
        match code {
            Ok(_) => tally.compiled += 1,
            Err(reason) => *tally.interpreted.entry(reason.to_string()).or_default() += 1,
        }
    }
    let Ok(initial) = compiled.initial() else { return };
    let (mut seen, mut open) = (HashSet::from([initial.clone()]), vec![initial]);
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop() {
        tally.states += 1;
        let unpacked = compiled.unpack(&state);
        for (set, made, code) in &made {
            let wanted = letter(&interpreter, set, &unpacked);
            assert_eq!(made.letter(&state), wanted, "{name}: {set:?} in {unpacked:?}");
            let Ok(code) = code else { continue };
            match (code.letter(&state), wanted) {
                (Some(found), wanted) => {
                    assert_eq!(Ok(found), wanted, "{name}: {set:?} in {unpacked:?}");
                    tally.letters += 1;
                    tally.not_empty += usize::from(found != 0);
                }
                (None, Ok(_)) if compiled.fits(state.len()) => tally.handed_over += 1,
                (None, Ok(_)) => tally.strange += 1,
                (None, Err(_)) => tally.faults += 1,
            }
        }
        buffer.clear();
        compiled.expand_all(&state, &mut buffer);
        for next in buffer.iter().filter_map(|successor| successor.state) {
            if seen.len() < MAX_STATES && seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
    }
}

/// The propositions of each property of a model, and the labels that built-in properties look at.
fn asked(loaded: &Loaded) -> Vec<Vec<Expr>> {
    let of_property = |property: &Property| match &property.kind {
        PropertyKind::Ltl(formula) => number_propositions(formula).ok().map(|(_, propositions)| propositions),
        PropertyKind::Never(template) => claim_automaton(template).ok().map(|claim| claim.propositions),
        PropertyKind::Claim(claim) => Some(claim.propositions.clone()),
    };
    let mut sets: Vec<Vec<Expr>> = loaded.properties.iter().filter_map(of_property).collect();
    let templates = &loaded.model.templates;
    let locations = || templates.iter().flat_map(|template| template.locations.iter());
    let mut label = |kind: ExprKind| sets.push(vec![Expr { kind, span: Span::default() }]);
    if locations().any(|location| location.progress) {
        label(ExprKind::NonProgress);
    }
    if locations().any(|location| location.accept) {
        label(ExprKind::Accepting);
    }
    sets
}

/// Random sets of propositions: most of one, so that they fail alone, and one of several.
fn random_sets(loaded: &Loaded, seed: u64) -> Vec<Vec<Expr>> {
    let mut prng = Random::new(seed);
    let sizes = [1, 1, 1, 1, 1, 1, 1, 1, 4];
    sizes.iter().map(|size| (0..*size).map(|_| question(&loaded.model, &mut prng)).collect()).collect()
}

#[test]
fn properties_of_the_project() {
    let mut tally = Tally::default();
    for path in explore::models_of_the_project().unwrap() {
        let Ok(loaded) = explore::load_file(&path) else { continue };
        let sets = asked(&loaded);
        if !sets.is_empty() {
            compare(&loaded, &path.display().to_string(), &sets, &mut tally);
        }
    }
    println!("{tally:#?}");
    assert!(tally.compiled > 20 && tally.interpreted.is_empty(), "too little is compiled: {tally:?}");
}

#[test]
fn properties_of_the_corpus() {
    let Some(folder) = corpus::folder() else {
        println!("skipped: the corpus is not beside the checkout");
        return;
    };
    let mut tally = Tally::default();
    for entry in corpus::promela(&folder).expect("the corpus can be read") {
        let Ok(loaded) = explore::load_file(&entry.path) else { continue };
        let sets = asked(&loaded);
        if !sets.is_empty() {
            compare(&loaded, &entry.name, &sets, &mut tally);
        }
    }
    println!("{tally:#?}");
}

#[test]
fn random_expressions_about_random_models() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let text = random::model(seed, Size::default());
        let loaded = explore::load_text(&text).expect("random models are valid");
        compare(&loaded, &format!("seed {seed}:\n{text}"), &random_sets(&loaded, seed), &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.interpreted.is_empty() && tally.not_empty > 0 && tally.faults > 0, "{tally:?}");
}

/// Those of the generator, and random ones, which have operators that guarded commands do not.
#[test]
fn conditions_on_random_programs_of_guarded_commands() {
    let seeds = random::seeds(0..150).expect("AMPLE_SEEDS is A..B");
    let mut tally = Tally::default();
    for seed in seeds {
        let random::GclProgram { text, propositions } = random::gcl_program(seed, Numbers::Borders);
        let formula = |text: &String| FormulaText { name: "it".to_owned(), text: format!("G {{{text}}}") };
        let options = LoadOptions { formulas: propositions.iter().map(formula).collect(), ..LoadOptions::default() };
        let loaded = load_text("random.gcl", text.clone(), &options);
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
        let sets: Vec<Vec<Expr>> = [asked(&loaded), random_sets(&loaded, seed)].concat();
        compare(&loaded, &format!("seed {seed}:\n{text}"), &sets, &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.interpreted_models == 0 && tally.not_empty > 0 && tally.faults > 0, "{tally:?}");
}

#[test]
fn random_expressions_about_models_of_the_project() {
    let mut tally = Tally::default();
    for (seed, path) in (0..).zip(explore::models_of_the_project().unwrap()) {
        let Ok(loaded) = explore::load_file(&path) else { continue };
        let name = format!("{}, seed {seed}", path.display());
        compare(&loaded, &name, &random_sets(&loaded, seed), &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.interpreted.is_empty(), "{tally:?}");
}

/// A small model with a claim, compared on all its states; gives what was compared.
fn check(text: &str) -> Tally {
    let loaded = explore::load_text(text).unwrap_or_else(|failure| panic!("{}\n{text}", explore::messages(&failure)));
    let mut tally = Tally::default();
    compare(&loaded, text, &asked(&loaded), &mut tally);
    assert_eq!(tally.interpreted_models, 0, "the model must be compiled");
    assert!(tally.states < MAX_STATES, "too many states for a small model");
    tally
}

#[test]
fn arrays_of_which_only_a_part_changes() {
    // Nothing but the claim has an index that is computed, so each element that is never written is
    // a constant.
    let tally = check(
        "byte a[4] = 3; byte i; typedef P { byte fixed; short free }; P pairs[3];
         active proctype A() { do :: a[2] < 5 -> a[2]++ :: a[0] > 1 -> a[0]-- :: i < 4 -> i++ :: i > 0 -> i-- :: pairs[1].free = i - 2
            od }
         never { do :: a[i] == 3 :: a[2] > a[1] :: pairs[i].free < 0 :: pairs[2].fixed == 0 :: (i < 4 && a[3 - i] == 5) od }",
    );
    assert_eq!((tally.compiled, tally.handed_over), (1, 0), "{tally:?}");
    assert!(tally.letters > 0 && tally.faults > 0, "{tally:?}");
}

#[test]
fn processes_that_are_not_there_or_not_what_is_asked_for() {
    let tally = check(
        "byte n; proctype A(byte x) { byte t[3]; do :: n = x :: t[n % 3] = 2 :: n > 1 -> break od }
         proctype B(byte y) { progress: y = 2; accept: y = 1 }
         init { run A(2); run B(1); run A(3) }
         never { do :: A[n]:x == 2 od }",
    );
    assert!(tally.compiled == 3 && tally.letters > 0 && tally.faults > 0, "{tally:?}");
    let tally = check(
        "byte n; proctype A(byte x) { byte t[3]; do :: n = x :: t[n % 3] = 2 :: n > 1 -> break od }
         init { run A(2); run A(4) }
         never { do :: A[1]:x == 2 :: A[2]:t[n % 3] == 2 :: A[2]:t[0] + A[1]:t[1] > 2 :: A:x == 4 :: A[7]:t[9] == 0 :: _nr_pr == 2 od }",
    );
    assert!(tally.compiled == 1 && tally.letters > 0, "{tally:?}");
}

#[test]
fn channels_are_asked_from_outside() {
    let tally = check(
        "chan q[2] = [2] of { byte, bit }; chan now; byte i;
         proctype own(byte x) { chan mine = [1] of { byte }; mine!x; now = mine; mine?_; i = 0 }
         init { run own(3); do :: q[i]!2,1 :: q[1]?i,_ -> now = q[0] :: i = 1 od }
         never { do :: len(q[i]) == 2 :: full(q[0]) :: empty(q[1]) || nfull(q[i % 2]) :: q[0]?[2,1] :: q[1]??[2,_] :: nempty(now) od }",
    );
    assert!(tally.compiled == 1 && tally.letters > 0 && tally.faults > 0, "{tally:?}");
}

#[test]
fn division_in_a_claim() {
    let tally = check(
        "int n = -2; active proctype A() { do :: n < 2 -> n++ :: n > -2 -> n-- od }
         never { do :: 6 / n > 2 :: 7 % n == 1 od }",
    );
    // Only dividing by 0 has no value; by -1 code divides, too.
    assert!(tally.letters > 0 && tally.handed_over == 0 && tally.faults > 0, "{tally:?}");
}

#[test]
fn what_only_a_process_can_ask_is_interpreted() {
    let tally = check(
        "byte n; active proctype A() { do :: n < 2 -> n++ :: n = 0 od }
         never { do :: _pid == n :: enabled(0) od }",
    );
    assert_eq!((tally.compiled, tally.interpreted.len()), (0, 1), "{tally:?}");
}
