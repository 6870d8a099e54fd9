//! Dead globals and messages: the law of exact canonizers by brute force, on models as written and
//! after the pass `dead`; traps; verdicts.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

use std::collections::HashSet;

use ample_check::{Job, LOOPS, Options, Prepared, Reduce, Verdict, check};
use ample_frontends::{FormulaText, LoadOptions};
use ample_interpret::Interpreter;
use ample_model::{Expr, Model};
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{CANONIZERS, DeadThings, PASSES, Rewrite, Visible};
use ample_stdx::{Random, Stop};
use ample_testing::explore::{self, SAFETY};
use ample_testing::questions::question;
use ample_testing::random::{self, Size};
use ample_transition::{Canonizer, Scratch, SuccessorBuffer, Successors};

const NAME: &str = "dead-globals";
const MAX_STATES: usize = 3_000;

fn canonical(canonizer: &dyn Canonizer, state: &[u8]) -> Vec<u8> {
    let mut form = state.to_vec();
    canonizer.canonize(&mut form, &mut Scratch::default());
    form
}

/// What leaves a state, up to the canonizer, and what is true in it.
fn future(packed: &Packed<'_>, canonizer: &dyn Canonizer, propositions: &[Expr], state: &[u8]) -> Vec<String> {
    let mut buffer = SuccessorBuffer::new();
    packed.expand_all(state, &mut buffer);
    let transitions = buffer.iter().map(|successor| {
        let faults: Vec<_> = successor.faults.iter().map(|fault| (fault.kind, fault.span)).collect();
        // A state that does not fit the network ends a search with the canonizer.
        let fitting = successor.state.filter(|next| packed.network.fits(next));
        let target = fitting.map(|next| canonical(canonizer, next));
        format!("{:?} {faults:?} {target:?}", successor.moves)
    });
    let unpacked = packed.unpack(state);
    let holds = propositions.iter().map(|expr| format!("{:?}", packed.interpreter.holds(&unpacked, expr).ok()));
    let end = packed.invalid_end(state).map(|fault| (fault.kind, fault.span));
    transitions.chain(holds).chain([format!("{end:?}")]).collect()
}

/// Checks the law in all states of a model; how many there are, and how many canonical ones. `None`
/// if nothing is found, or there are too many.
fn check_law(model: &Model, propositions: &[Expr], name: &str) -> Option<(usize, usize)> {
    let interpreter = Interpreter::new(model);
    let packed = Packed::new(&interpreter).ok()?;
    let facts = Facts::new(&packed.network);
    let visible = Visible { propositions, faults: SAFETY, one_is_enough: true, processes: false, names: false };
    let entry = CANONIZERS.iter().find(|entry| entry.part.name == NAME).expect("the canonizer exists");
    let canonizer = (entry.make)(&packed.network, &facts, &visible, &Stop::default()).ok()??;
    let mut open = vec![packed.initial().ok()?];
    let mut seen: HashSet<Vec<u8>> = open.iter().cloned().collect();
    let mut forms = HashSet::new();
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop().filter(|_| seen.len() < MAX_STATES) {
        if packed.network.fits(&state) {
            let form = canonical(&*canonizer, &state);
            assert_eq!(canonical(&*canonizer, &form), form, "{name}");
            let of = |state: &[u8]| future(&packed, &*canonizer, propositions, state);
            assert_eq!(of(&state), of(&form), "{name}: {:?}", packed.unpack(&state));
            forms.insert(form);
        }
        buffer.clear();
        packed.expand_all(&state, &mut buffer);
        for next in buffer.iter().filter_map(|successor| successor.state) {
            if !packed.network.fits(next) {
                return None;
            }
            if seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
    }
    Some((seen.len(), forms.len()))
}

/// The model after the pass `dead`.
fn without_dead_locals(model: &Model, propositions: &[Expr]) -> Option<Model> {
    let visible = Visible { propositions, faults: SAFETY, one_is_enough: true, processes: false, names: false };
    let entry = PASSES.iter().find(|entry| entry.part.name == "dead").expect("the pass exists");
    let Rewrite::OfModel(rewrite) = entry.rewrite else { panic!("it needs no processes") };
    Some(rewrite(model, &visible).ok()??.model)
}

/// The states of a text, and the canonical ones.
fn states(text: &str) -> Option<(usize, usize)> {
    let loaded = explore::load_text(text).expect("it is a model");
    check_law(&loaded.model, &[], text)
}

/// The same after the pass `dead`.
fn states_after_pass(text: &str) -> Option<(usize, usize)> {
    let loaded = explore::load_text(text).expect("it is a model");
    check_law(&without_dead_locals(&loaded.model, &[])?, &[], text)
}

fn text_of(seed: u64) -> String {
    match seed % 5 {
        0 => random::model(seed, Size { processes: 2, statements: 4, depth: 2 }),
        1 => random::whole_state_model(seed, Size { processes: 2, statements: 4, depth: 2 }),
        2 => random::cyclic_model(seed),
        3 => random::creating_model(seed),
        _ => random::model(seed, Size { processes: 3, statements: 3, depth: 2 }),
    }
}

#[test]
fn states_with_one_canonical_form_have_one_future() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        let name = format!("seed {seed}, {propositions:?}\n{text}");
        let rewritten = without_dead_locals(&loaded.model, &propositions);
        for model in [Some(&loaded.model), rewritten.as_ref()].into_iter().flatten() {
            if let Some((all, forms)) = check_law(model, &propositions, &name) {
                compared += 1;
                smaller += usize::from(forms < all);
            }
        }
    }
    println!("{compared} models compared, {smaller} smaller");
    assert!(compared > 0);
}

/// The verdict on a formula or on safety, with these reductions; what is found is replayed on the
/// model as written.
fn verdict(text: &str, formula: Option<&str>, reduce: &str) -> Option<Verdict> {
    let formulas = formula.map(|text| FormulaText { name: "formula".to_owned(), text: text.to_owned() });
    let options = LoadOptions { formulas: formulas.into_iter().collect(), ..LoadOptions::default() };
    let loaded = ample_frontends::load_text("random.pml", text.to_owned(), &options).ok()?;
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let limits = ample_search::Limits { max_states: Some(20_000), ..ample_search::Limits::default() };
    let options = Options { reduce: Reduce::parse(reduce), threads: Some(1), limits, ..Options::default() };
    let select = vec![formula.map_or("safety", |_| "formula").to_owned()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    match check(job) {
        Ok(outcome) => (outcome.verdict != Verdict::Unknown).then_some(outcome.verdict),
        Err(error) if error.is_internal() => panic!("{formula:?} with {reduce}: {error}\n{text}"),
        Err(_) => None,
    }
}

#[test]
fn verdicts_on_random_models() {
    let (mut violated, mut holds) = (0, 0);
    for seed in random::seeds(0..200).expect("AMPLE_SEEDS is A..B") {
        let text = text_of(seed);
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let formula = random::formula(&loaded.model, &mut Random::new(seed));
        for asked in [None, Some(formula.as_str())] {
            let Some(expected) = verdict(&text, asked, "none") else { continue };
            for reduce in ["dead-globals", "dead,dead-globals", "dead,merge,dead-globals", "dead-globals,por"] {
                let found = verdict(&text, asked, reduce);
                assert!(found.is_none_or(|found| found == expected), "{asked:?} with {reduce}\n{text}");
            }
            violated += usize::from(expected == Verdict::Violated);
            holds += usize::from(expected == Verdict::Holds);
        }
    }
    println!("{violated} violated, {holds} hold");
    assert!(violated > 0 && holds > 0);
}

fn names(text: &str) -> Vec<String> {
    let loaded = explore::load_text(text).expect("it is a model");
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its processes are known");
    let visible = Visible { propositions: &[], faults: SAFETY, one_is_enough: true, processes: false, names: false };
    DeadThings::of(&packed.network, &Facts::new(&packed.network), &visible)
}

#[test]
fn a_global_that_is_written_before_it_is_read() {
    let text = "byte g; active proctype p() { do :: g = 1; skip; g == 1; skip :: g = 2; g > 0; skip od }";
    assert_eq!(names(text), ["g"]);
    let (all, forms) = states(text).expect("g is dead at times");
    assert!(forms < all, "{forms} of {all}");
}

/// Each process writes before it reads, from where it begins; but there one of them reads what the
/// other has written.
#[test]
fn a_global_dead_for_each_process_alone() {
    let text = "byte g, seen; active proctype p() { do :: g = 1; skip; seen = g; skip od }
                active proctype q() { do :: g = 2; skip; seen = g + 3; skip od }";
    let (all, forms) = states(text).expect("g is dead where both are at the beginning");
    assert!(forms < all, "{forms} of {all}");
    let writes_only = "byte g, seen; active proctype p() { do :: g = 1; skip; skip od }
                       active proctype q() { do :: seen = g; skip od }";
    assert_eq!(names(writes_only), ["seen"], "p writes g first, but q may be there before");
}

#[test]
fn what_a_process_reads_that_is_still_to_be_created_is_live() {
    let text = "byte g, seen; proctype reads() { seen = g }
                init { if :: g = 1 :: g = 2 fi; skip; run reads(); g = 0; g = 1 }";
    let (all, forms) = states(text).expect("g is dead at the end");
    assert!(forms <= all, "{forms} of {all}");
    let first_value = text.replace("seen = g", "byte n = g; seen = n");
    states(&first_value).expect("g is dead at the end");
}

#[test]
fn what_a_proposition_a_condition_or_another_process_reads_is_live() {
    let text = "byte g; active proctype p() { do :: g = 1; skip; skip :: g = 2; skip; skip od }";
    assert_eq!(names(text), ["g"]);
    let conditional = format!("{text} active proctype q() provided (g < 2) {{ skip }}");
    assert_eq!(names(&conditional), Vec::<String>::new());
    let reads = format!("{text} active proctype q() {{ byte x; do :: x = g od }}");
    assert_eq!(names(&reads), Vec::<String>::new());
    let formula = Some("[] {g < 2}");
    assert_eq!(verdict(text, formula, "none"), Some(Verdict::Violated));
    assert_eq!(verdict(text, formula, "dead-globals"), Some(Verdict::Violated));
}

#[test]
fn a_computed_index_writes_nothing_for_certain() {
    let text = "byte g[2], i, seen; active proctype p() { do :: g[i] = 1; i = 1 - i; seen = g[0]; skip od }";
    assert_eq!(names(text), ["g[1]", "seen"], "nobody reads the others");
    let certain = text.replace("g[i] = 1", "g[0] = 1");
    assert_eq!(names(&certain), ["g[0]", "g[1]", "seen"]);
    states(&certain).expect("g[0] is dead at times");
}

#[test]
fn what_an_escape_reads_is_live() {
    let text = "byte g, seen; bit stop;
                active proctype p() { do :: { g = 1; skip; skip; g = 0; g == 0 } unless { stop -> seen = g } od }
                active proctype q() { stop = 1 }";
    states(text);
    let (all, forms) = states(&text.replace("seen = g", "seen = 1")).expect("g is dead at times");
    assert!(forms < all, "{forms} of {all}");
}

#[test]
fn a_field_that_nobody_looks_at() {
    let text = |receive: &str| {
        format!(
            "mtype = {{ m }}; byte g; chan c = [2] of {{ mtype, byte }};
             active proctype p() {{ do :: c!m(1) :: c!m(2) od }}
             active proctype q() {{ byte x; do :: {receive}; skip od }}"
        )
    };
    let field = "field 2 of the messages in c".to_owned();
    assert!(names(&text("c?m(_)")).contains(&field));
    let (all, forms) = states(&text("c?m(_)")).expect("the field is dead");
    assert!(forms < all, "{forms} of {all}");
    for looks in ["c?m(1)", "c?m(eval(x))", "c?m(x); g = x", "c??m(1)", "c?m(_); c?[m(2)]", "c?m(_); c!!m(0)"] {
        assert!(!names(&text(looks)).contains(&field), "{looks}");
        states(&text(looks));
    }
    assert!(!names(&text("c?m(x)")).contains(&field), "the states after it would differ in x");
    let (all, forms) = states_after_pass(&text("c?m(x)")).expect("x is reset by the same step");
    assert!(forms < all, "{forms} of {all}");
}

#[test]
fn an_unknown_channel_may_be_any() {
    let text = "chan c = [1] of { byte }; chan d = [1] of { byte }; byte g;
                active proctype p() { do :: c!1 :: c!2 :: d!1 od }
                active proctype q() { chan e = c; do :: e?g; g == 1; e = d :: c?_ :: d?_ od }";
    assert!(!names(text).iter().any(|name| name.contains("messages")), "{:?}", names(text));
    states(text);
}

/// Nothing is made where nothing can be dead.
#[test]
fn where_nothing_is_dead_there_is_no_canonizer() {
    assert_eq!(states("byte g; active proctype p() { do :: g = 1 - g od }"), None);
    assert_eq!(states("chan c = [1] of { byte }; active proctype p() { do :: c!1 :: c?1 od }"), None);
}
