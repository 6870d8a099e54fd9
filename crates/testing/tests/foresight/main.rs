//! Foresight: that what it says of states is true, by brute force over all states of random models;
//! verdicts that are those of the full search, alone and with every other technique; and traps.
//!
//! The law: from a state that is pruned no error can be reached; and the transition that stands for
//! a way leads to an error, by transitions of the system.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

mod traps;

use std::collections::HashMap;

use ample_check::{Choice, Job, LOOPS, Options, Outcome, Prepared, Reduce, Techniques, Verdict, check};
use ample_frontends::{LoadOptions, Loaded};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{FORESIGHTS, LooksFor, NotHere, Visible};
use ample_search::Ended;
use ample_testing::explore;
use ample_testing::random::{self, Language, bounded_model};
use ample_transition::{FaultKind, Foresight, Outlook, SuccessorBuffer, Successors};

/// What is looked for: faults, or states in which an expression is false.
#[derive(Copy, Clone, Debug)]
enum Question<'m> {
    Faults(&'static [FaultKind]),
    States(&'m ample_model::Expr),
}

const ALL: &[FaultKind] = &[FaultKind::Assertion, FaultKind::RuntimeError, FaultKind::InvalidEndState];
const ASSERTIONS: &[FaultKind] = &[FaultKind::Assertion];
const ENDS: &[FaultKind] = &[FaultKind::InvalidEndState];

/// Calls `body` with a foresight of a model, or says why there is none.
fn with_foresight<R>(
    packed: &Packed<'_>,
    name: &str,
    question: Question<'_>,
    body: impl FnOnce(&dyn Foresight) -> R,
) -> Result<R, String> {
    let facts = Facts::new(&packed.network);
    let entry = FORESIGHTS.iter().find(|entry| entry.part.name == name).expect("it is registered");
    let (propositions, faults, states) = match question {
        Question::Faults(faults) => (&[][..], faults, vec![]),
        Question::States(holds) => (std::slice::from_ref(holds), &[][..], vec![vec![(0, false)]]),
    };
    let visible = Visible { propositions, faults, one_is_enough: true, processes: false, names: false };
    match (entry.find_out)(&packed.network, &facts, &LooksFor { visible: &visible, states: &states }) {
        Ok(known) => Ok(body(&*known.on(&packed.network))),
        Err(NotHere(why)) => Err(why),
    }
}

/// The states of a model, and those of them from which an error can be reached.
struct Truth {
    states: Vec<Vec<u8>>,
    has_error: Vec<bool>,
}

impl Truth {
    /// `None` if there are too many states.
    fn of(packed: &Packed<'_>, question: Question<'_>, most: usize) -> Option<Truth> {
        let states = explore::states_of(packed, most + 1);
        if states.len() > most || states.iter().any(|state| !packed.fits(state.len())) {
            return None;
        }
        let numbers: HashMap<&[u8], usize> =
            (0..).zip(&states).map(|(number, state)| (state.as_slice(), number)).collect();
        let mut before = vec![Vec::new(); states.len()];
        let mut open = Vec::new();
        let mut buffer = SuccessorBuffer::new();
        for (number, state) in states.iter().enumerate() {
            buffer.clear();
            packed.expand_all(state, &mut buffer);
            for next in buffer.iter().filter_map(|successor| successor.state) {
                before[numbers[next]].push(number);
            }
            if is_error(packed, question, state, &buffer) {
                open.push(number);
            }
        }
        let mut has_error = vec![false; states.len()];
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut has_error[number], true) {
                open.extend(&before[number]);
            }
        }
        Some(Truth { states, has_error })
    }
}

/// Whether a state is an error, or a transition that leaves it ends in one.
fn is_error(packed: &Packed<'_>, question: Question<'_>, state: &[u8], buffer: &SuccessorBuffer) -> bool {
    match question {
        Question::Faults(kinds) => {
            let mut faults = buffer.iter().flat_map(|successor| successor.faults);
            let end = if buffer.is_empty() { packed.invalid_end(state) } else { None };
            faults.any(|fault| kinds.contains(&fault.kind)) || end.is_some_and(|fault| kinds.contains(&fault.kind))
        }
        Question::States(holds) => is_forbidden(packed, holds, state),
    }
}

fn is_forbidden(packed: &Packed<'_>, holds: &ample_model::Expr, state: &[u8]) -> bool {
    matches!(packed.interpreter.holds(&packed.unpack(state), holds), Ok(false))
}

/// What a foresight said of the states of a model.
#[derive(Copy, Clone, Debug, Default)]
struct Said {
    /// Of how many states that nothing is ahead, and of how many that is true.
    pruned: usize,
    boring: usize,
    /// Of how many states that an error is ahead, and of how many that is true.
    led: usize,
    alive: usize,
}

/// Holds a foresight against its law for all states; `None` if there are too many.
fn law(packed: &Packed<'_>, foresight: &dyn Foresight, question: Question<'_>) -> Option<Said> {
    let truth = Truth::of(packed, question, 3_000)?;
    let forbidden = |state: &[u8]| match question {
        Question::Faults(_) => false,
        Question::States(holds) => is_forbidden(packed, holds, state),
    };
    let outlook = Outlook { system: packed, is_error: Some(&forbidden) };
    let (mut said, mut buffer) = (Said::default(), SuccessorBuffer::new());
    for (state, has_error) in truth.states.iter().zip(&truth.has_error) {
        buffer.clear();
        let says = foresight.look_ahead(&outlook, state, &mut buffer);
        assert!(!says || foresight.may_say(state), "{question:?} {:?}", packed.unpack(state));
        let shown = || format!("{question:?} {:?}", packed.unpack(state));
        said.boring += usize::from(!has_error);
        said.alive += usize::from(*has_error);
        match (says, buffer.len()) {
            (false, left) => assert_eq!(left, 0, "{}", shown()),
            (true, 0) => {
                assert!(!has_error, "an error can be reached from {}", shown());
                assert!(!buffer.is_terminal(), "{}", shown());
                said.pruned += 1;
            }
            (true, _) => {
                assert!(*has_error, "no error can be reached from {}", shown());
                let way = buffer.get(0).expect("there is one transition");
                assert_eq!(buffer.len(), 1);
                let mut after = SuccessorBuffer::new();
                let ends = way.state.inspect(|end| packed.expand_all(end, &mut after));
                let is_there = match question {
                    Question::Faults(kinds) => {
                        way.faults.iter().any(|fault| kinds.contains(&fault.kind))
                            || ends.is_some_and(|end| is_error(packed, question, end, &after))
                    }
                    Question::States(holds) => ends.is_some_and(|end| is_forbidden(packed, holds, end)),
                };
                assert!(is_there, "{}", shown());
                said.led += 1;
            }
        }
    }
    Some(said)
}

fn random_model(seed: u64) -> (&'static str, String) {
    match seed % 12 {
        0 | 4 => ("random.dve", bounded_model(seed, Language::Dve)),
        1 | 5 => ("random.gcl", bounded_model(seed, Language::Gcl)),
        6 => ("random.pml", random::creating_model(seed)),
        7 => ("random.pml", random::cyclic_model(seed)),
        8 => ("random.pml", random::counting_model(seed)),
        9 => ("random.gcl", random::gcl_program(seed, random::Numbers::Small).text),
        10 => ("random.dve", random::dve_model(seed).text),
        11 => ("random.pml", random::model(seed, random::Size::default())),
        _ => ("random.pml", bounded_model(seed, Language::Promela)),
    }
}

fn load(file: &str, text: &str) -> Loaded {
    ample_frontends::load_text(file, text.to_owned(), &LoadOptions::default())
        .unwrap_or_else(|failure| panic!("{text}\n{}", explore::messages(&failure)))
}

/// The conditions of a model, each of which may be an invariant.
fn conditions(loaded: &Loaded) -> Vec<ample_model::Expr> {
    let mut found = Vec::new();
    for template in &loaded.model.templates {
        for edge in &template.edges {
            let own = match &edge.action {
                ample_model::Action::Guard(condition) | ample_model::Action::Assert(condition) => Some(condition),
                _ => None,
            };
            found.extend(edge.guard.iter().chain(own).filter(|condition| is_global(condition)).cloned());
        }
    }
    found.truncate(3);
    found
}

/// Whether an expression means the same outside of all processes.
fn is_global(expr: &ample_model::Expr) -> bool {
    use ample_model::{ExprKind, Scope};
    let is_own = |kind: &ExprKind| match kind {
        ExprKind::Read(place) => place.scope == Scope::Local,
        kind => {
            !matches!(kind, ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::RemoteAt(_))
        }
    };
    !expr.contains(&is_own)
}

#[test]
fn what_is_said_of_a_state_is_true() {
    let mut total = HashMap::new();
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        let (file, text) = random_model(seed);
        let Ok(loaded) = ample_frontends::load_text(file, text.clone(), &LoadOptions::default()) else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let Ok(packed) = Packed::new(&interpreter) else { continue };
        println!("seed {seed}\n{text}");
        let conditions = conditions(&loaded);
        let faults = [ALL, ASSERTIONS, ENDS].map(Question::Faults);
        for question in faults.into_iter().chain(conditions.iter().map(Question::States)) {
            for name in ["boring", "doomed"] {
                println!("{name} {question:?}");
                let made = with_foresight(&packed, name, question, |foresight| law(&packed, foresight, question));
                match made {
                    Ok(Some(said)) => {
                        let all: &mut Said = total.entry(name).or_default();
                        let Said { pruned, boring, led, alive } = said;
                        *all = Said {
                            pruned: all.pruned + pruned,
                            boring: all.boring + boring,
                            led: all.led + led,
                            alive: all.alive + alive,
                        };
                    }
                    Ok(None) => {}
                    Err(why) => println!("none: {why}"),
                }
            }
        }
    }
    println!("{total:?}");
    assert!(total["boring"].pruned > 1_000 && total["doomed"].led > 300);
}

/// With these reductions, on so many threads.
fn options(reduce: &str, order: &str, threads: usize) -> Options {
    let threads = Some(threads);
    Options { reduce: Reduce::parse(reduce), order: Choice::parse(order), threads, ..Options::default() }
}

fn ask(prepared: &Prepared<'_>, question: &str, options: Options) -> Result<Outcome, String> {
    let job =
        Job { system: prepared.system(), select: vec![question.to_owned()], options, loops: LOOPS, progress: None };
    check(job).map_err(|error| {
        assert!(!error.is_internal(), "{question}: {error}");
        error.to_string()
    })
}

/// The verdict of a search and how many states it stored; `None` if it was not finished or refused.
fn answer(prepared: &Prepared<'_>, question: &str, given: Options) -> Option<(Verdict, u64)> {
    let limits = ample_search::Limits { max_states: Some(20_000), ..Default::default() };
    let outcome = ask(prepared, question, Options { limits, ..given }).ok()?;
    let property = outcome.properties.into_iter().next()?;
    let is_settled = matches!(property.ended, Some(Ended::Complete | Ended::FirstViolation));
    is_settled.then_some((property.verdict, property.counts.states))
}

/// What foresight is combined with, and in which orders.
fn ways() -> Vec<(String, &'static str, usize, Choice)> {
    let mut all = Vec::new();
    for reduce in ["boring", "doomed", "doomed,boring"] {
        for (order, threads) in [("bfs", 1), ("dfs", 1), ("blocks", 2)] {
            all.push((reduce.to_owned(), order, threads, Choice::Auto));
        }
        for more in ["dead,merge,slice", "dead-globals,values", "symmetry", "dominate", "sleep"] {
            let order = if more == "sleep" { "dfs" } else { "bfs" };
            all.push((format!("{reduce},{more}"), order, 1, Choice::Auto));
        }
        for expander in Techniques::default().expanders {
            let por = Choice::parse(expander.part.name);
            all.push((format!("{reduce},por"), "dfs", 1, por.clone()));
            all.push((format!("{reduce},por"), "bfs", 1, por));
        }
    }
    all
}

#[test]
fn verdicts_are_those_of_the_full_search() {
    let (mut answers, mut fewer, mut more) = (HashMap::new(), 0, 0);
    for seed in random::seeds(0..300).expect("AMPLE_SEEDS is A..B") {
        let (file, text) = random_model(seed);
        let Ok(loaded) = ample_frontends::load_text(file, text.clone(), &LoadOptions::default()) else { continue };
        println!("seed {seed}\n{text}");
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::packed(&interpreter, &loaded.properties);
        let named = loaded.properties.iter().map(|property| property.name.as_str()).take(2);
        for question in ["safety", "assertions", "end-states"].into_iter().chain(named) {
            let Some(full) = answer(&prepared, question, options("none", "bfs", 1)) else { continue };
            // Each seed tries some of the ways.
            let ways = ways();
            let start = seed as usize * 7;
            for (reduce, order, threads, por) in (0..2).map(|number| &ways[(start + number * 11) % ways.len()]) {
                let given = Options { por: por.clone(), ..options(reduce, order, *threads) };
                let Some(other) = answer(&prepared, question, given) else { continue };
                assert_eq!(other.0, full.0, "{question} {reduce} {order} {threads} {por:?}");
                *answers.entry(reduce.clone()).or_insert(0) += 1;
            }
            for reduce in ["boring", "doomed", "doomed,boring"] {
                let Some(other) = answer(&prepared, question, options(reduce, "bfs", 1)) else { continue };
                assert_eq!(other.0, full.0, "{question} {reduce}");
                fewer += usize::from(other.1 < full.1);
                if other.1 > full.1 {
                    println!("more states: {question} {reduce}: {} of {}", other.1, full.1);
                    more += 1;
                }
            }
        }
    }
    println!("{answers:?}; {fewer} with fewer states, {more} with more");
    assert!(answers.values().sum::<usize>() > 400 && fewer > 50);
    assert_eq!(more, 0, "breadth first nothing is met later");
}
