//! Refinement by predicates, held against the full search: what is called exact is bisimilar to
//! the system and so has all its commands (Theorems 5.1 and 5.2 of Pelánek's thesis), and what is
//! answered is what the full search answers.
//!
//! The refining search is written down once more here, on the interpreter and in a few lines; the
//! one of `--under predicates` has to generate and store the same states in each round.

use std::collections::{HashMap, VecDeque};

use ample_abstraction::{Abstracted, Cells, Judge, Valuation, Why};
use ample_check::{CheckError, Job, LOOPS, Options, Outcome, Pick, Predicates, Prepared, Under, Verdict, check};
use ample_equivalence::{Answer, Lts, LtsBuilder, relation};
use ample_frontends::{LoadOptions, Loaded, load_text};
use ample_interpret::{Interpreter, State};
use ample_model::Model;
use ample_search::{Limits, StopAt};
use ample_solver::{Choice, Embedded, Failure, Formula, Solver, Steps};
use ample_stdx::Random;
use ample_transition::{SuccessorBuffer, Successors};

use crate::random::{self, Language, Numbers, Size};

/// Larger spaces are not compared.
const MAX_STATES: usize = 250;

/// So many rounds are tried.
const MAX_ROUNDS: u64 = 6;

/// What is asked about each model, besides its own properties.
const QUESTIONS: [&str; 3] = ["assertions", "end-states", "safety"];

/// A question that no random model answers with an error: its search explores all that is left.
const NOTHING: &str = "exclusive";

/// What the comparisons were good for.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Models that were compared.
    pub models: u64,
    /// Rounds in which both searches saw the same.
    pub rounds: u64,
    /// Structures that were called exact, and are bisimilar.
    pub exact: u64,
    /// How many of them have fewer states than the system.
    pub smaller: u64,
    /// Answers that are those of the full search.
    pub answers: u64,
    /// How many of them are violations.
    pub violated: u64,
    /// Questions that stayed open, and that were refused.
    pub open: u64,
}

impl Tally {
    fn numbers(&mut self) -> [&mut u64; 7] {
        let Tally { models, rounds, exact, smaller, answers, violated, open } = self;
        [models, rounds, exact, smaller, answers, violated, open]
    }

    /// Adds what another one has counted.
    pub fn add(&mut self, other: &Tally) {
        let mut other = *other;
        for (own, other) in self.numbers().into_iter().zip(other.numbers()) {
            *own += *other;
        }
    }

    /// On one line.
    pub fn line(&self) -> String {
        let mut own = *self;
        own.numbers().map(|number| number.to_string()).join(" ")
    }

    /// From such a line.
    pub fn parse(line: &str) -> Option<Tally> {
        let mut tally = Tally::default();
        let mut words = line.split_whitespace();
        for number in tally.numbers() {
            *number = words.next()?.parse().ok()?;
        }
        Some(tally)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { models, rounds, exact, smaller, answers, violated, open } = self;
        write!(
            f,
            "{models} models, {rounds} rounds; {exact} exact and bisimilar, {smaller} of them smaller; \
             {answers} answers, {violated} of them violations; {open} open"
        )
    }
}

/// A model of a seed: its text, and a file that it could stand in.
fn random_model(seed: u64) -> (String, &'static str) {
    match seed % 6 {
        0 | 1 => (random::bounded_model(seed, Language::Gcl), "random.gcl"),
        2 => (random::gcl_program(seed, Numbers::Small).text, "random.gcl"),
        3 => (random::bounded_model(seed, Language::Dve), "random.dve"),
        4 if seed % 12 < 6 => (random::bounded_model(seed, Language::Promela), "random.pml"),
        4 => (random::counting_model(seed), "random.pml"),
        _ => (random::model(seed, Size { processes: 2, statements: 3, depth: 2 }), "random.pml"),
    }
}

/// Compares the model of a seed.
pub fn compare_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (text, file) = random_model(seed);
    let Ok(loaded) = load_text(file, text.clone(), &LoadOptions::default()) else { return Ok(()) };
    compare(seed, &loaded, tally).map_err(|what| format!("seed {seed}: {what}\n{text}"))
}

/// Compares a model, with a choice of its variables and a solver that the seed says.
pub fn compare(seed: u64, loaded: &Loaded, tally: &mut Tally) -> Result<(), String> {
    let mut prng = Random::new(seed);
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let Some(full) = Explored::fully(&interpreter) else { return Ok(()) };
    let names = some_variables(&loaded.model, &mut prng);
    let abstracted = Abstracted::Named(names);
    let Ok(cells) = Cells::new(&loaded.model, &abstracted) else { return Ok(()) };
    if cells.is_concrete() {
        return Ok(());
    }
    tally.models += 1;
    // The embedded solver's rounds are those of the program; with another the structure is judged.
    let outcome = asked(&prepared, NOTHING, &abstracted, Choice::Embedded)?;
    let rounds: Vec<(u64, u64)> = outcome.iter().flat_map(iterations).collect();
    let program = Subject { system: &interpreter, full: &full, ends: Ends::Unseen };
    let own = program.refined(cells.clone(), Box::new(Embedded), tally)?;
    if outcome.is_some() && !rounds.is_empty() && own != rounds {
        return Err(format!("{abstracted:?}: {own:?} generated and stored, and the program says {rounds:?}"));
    }
    tally.rounds += rounds.len() as u64;
    let forgetful = Forgetful { solver: other_solver(seed), random: Random::new(seed) };
    let watched = Subject { ends: Ends::Seen, ..program };
    watched.refined(cells, Box::new(forgetful), tally)?;
    let own = loaded.properties.iter().map(|property| property.name.as_str());
    for question in QUESTIONS.into_iter().chain(own) {
        answers(&prepared, question, &abstracted, seed, tally).map_err(|what| format!("{question}: {what}"))?;
    }
    Ok(())
}

/// Most of the global variables.
fn some_variables(model: &Model, prng: &mut Random) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for variable in &model.globals.slots {
        let name = variable.name.split('[').next().unwrap_or(&variable.name).to_owned();
        if prng.chance(70) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Every few models are for a program that is installed.
fn other_solver(seed: u64) -> Box<dyn Solver + Send> {
    let programs = if seed.is_multiple_of(100) { &["z3", "cvc5"][..] } else { &[] };
    let opened = programs.iter().find_map(|program| Choice::Program((*program).to_owned()).open().ok());
    opened.unwrap_or_else(|| Box::new(Embedded))
}

/// A solver that says now and then that it does not know.
struct Forgetful {
    solver: Box<dyn Solver + Send>,
    random: Random,
}

impl Solver for Forgetful {
    fn name(&self) -> String {
        format!("{}, which forgets", self.solver.name())
    }

    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<ample_solver::Answer, Failure> {
        if self.random.chance(25) { Ok(ample_solver::Answer::Unknown) } else { self.solver.check(formula, steps) }
    }
}

/// What was explored.
struct Explored {
    lts: Lts,
    states: u64,
    transitions: u64,
}

impl Explored {
    /// Every state; nothing if there are too many.
    fn fully(system: &Interpreter<'_>) -> Option<Explored> {
        Explored::by(system, &mut |state| state.to_vec(), &mut |_| {})
    }

    /// Breadth first, one state of each class, the first.
    fn by(
        system: &Interpreter<'_>,
        class: &mut dyn FnMut(&[u8]) -> Vec<u8>,
        expanded: &mut dyn FnMut(&[u8]),
    ) -> Option<Explored> {
        let initial = system.initial().ok()?;
        let mut numbers: HashMap<Vec<u8>, u32> = HashMap::from([(class(&initial), 0)]);
        let mut queue = VecDeque::from([initial]);
        let (mut builder, mut buffer) = (LtsBuilder::new(0), SuccessorBuffer::new());
        let (mut number, mut transitions) = (0, 0);
        while let Some(state) = queue.pop_front() {
            expanded(&state);
            buffer.clear();
            system.expand_all(&state, &mut buffer);
            builder.state(number);
            let mut leaves = false;
            for successor in buffer.iter() {
                let next = numbers.len() as u32;
                let to = match successor.state {
                    None => number,
                    Some(state) => *numbers.entry(class(state)).or_insert_with(|| {
                        queue.push_back(state.to_vec());
                        next
                    }),
                };
                // One that fails leads nowhere, and is not counted.
                transitions += u64::from(successor.state.is_some());
                builder.edge(number, &format!("{:?}", successor.moves), to);
                for fault in successor.faults {
                    builder.edge(number, &format!("{:?} {:?} {:?}", successor.moves, fault.kind, fault.span), to);
                }
                leaves = true;
            }
            if !leaves {
                let end = system.invalid_end(&state).map(|fault| (fault.kind, fault.span));
                builder.letter(number, &format!("ends {end:?}"));
            }
            number += 1;
            if numbers.len() > MAX_STATES {
                return None;
            }
        }
        Some(Explored { lts: builder.build(), states: number.into(), transitions })
    }
}

/// Whether it matters which states nothing may leave. The atoms of `end` belong to what is asked.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Ends {
    Seen,
    Unseen,
}

/// A system that is refined.
#[derive(Copy, Clone)]
struct Subject<'a, 'm> {
    system: &'a Interpreter<'m>,
    full: &'a Explored,
    ends: Ends,
}

impl Subject<'_, '_> {
    /// REFINEMENTSEARCH (Figure 5.3): what each round generated and stored. What is exact is
    /// compared with the full system.
    fn refined(
        &self,
        cells: Cells,
        solver: Box<dyn Solver + Send>,
        tally: &mut Tally,
    ) -> Result<Vec<(u64, u64)>, String> {
        let (system, model) = (self.system, self.system.model());
        let mut judge = Judge::new(model, cells, Some(solver));
        judge.add_guards();
        let end = model.end.as_ref().filter(|_| self.ends == Ends::Seen);
        if end.is_some_and(|end| !judge.add_condition(end, Why::Property)) {
            return Ok(Vec::new());
        }
        let mut rounds = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let (valuation, _) = judge.begin();
            let mut class = |state: &[u8]| key(&valuation, &system.decode(state));
            let seen = Explored::by(system, &mut class, &mut |state| judge.expanded(&system.decode(state)));
            if let Some(failure) = judge.take_failure() {
                return Err(failure.to_string());
            }
            let Some(seen) = seen else { return Err("more states than there are".to_owned()) };
            rounds.push((seen.transitions + 1, seen.states));
            if judge.missing().is_empty() && judge.open().next().is_none() {
                self.is_bisimilar(&seen)?;
                tally.exact += 1;
                tally.smaller += u64::from(seen.states < self.full.states);
            }
            if judge.missing().is_empty() {
                break;
            }
        }
        Ok(rounds)
    }

    fn is_bisimilar(&self, seen: &Explored) -> Result<(), String> {
        let are_seen = self.ends == Ends::Seen || self.system.model().end.is_none();
        let of = |explored: &Explored| if are_seen { explored.lts.clone() } else { explored.lts.with_letters(|_| "") };
        let bisimilar = relation("bisim").ok_or("there is no bisimilarity")?;
        match bisimilar.compare(&of(self.full), &of(seen), &Default::default()) {
            Answer::Equivalent => Ok(()),
            found => Err(format!("called exact, and not bisimilar: {found:?}")),
        }
    }
}

fn key(valuation: &Valuation, state: &State) -> Vec<u8> {
    let mut key = Vec::new();
    valuation.append(state, &mut key);
    key
}

/// What each round of the program generated and stored.
fn iterations(outcome: &Outcome) -> Vec<(u64, u64)> {
    let runs = outcome.properties.iter().flat_map(|property| &property.refinement);
    runs.map(|run| (run.counts.transitions + 1, run.counts.states)).collect()
}

/// Compares the answer to a question with that of the full search.
fn answers(
    prepared: &Prepared<'_>,
    question: &str,
    abstracted: &Abstracted,
    seed: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let limits = Limits { max_states: Some(MAX_STATES as u64 * 4), ..Limits::default() };
    let options = Options { threads: Some(1), limits, stop_at: StopAt::FirstViolation, ..Options::default() };
    let Some(full) = run(prepared, question, options)? else { return Ok(()) };
    let solver = if seed.is_multiple_of(100) { Choice::Both } else { Choice::Embedded };
    let Some(given) = asked(prepared, question, abstracted, solver)? else {
        tally.open += 1;
        return Ok(());
    };
    match (full.verdict, given.verdict) {
        (Verdict::Unknown, _) => {}
        (_, Verdict::Unknown) => tally.open += 1,
        (full, given) if full == given => {
            tally.answers += 1;
            tally.violated += u64::from(given == Verdict::Violated);
        }
        (full, given) => return Err(format!("{} with {abstracted:?}, and it is {}", given.name(), full.name())),
    }
    Ok(())
}

/// The answer with predicates; nothing if it is refused.
fn asked(
    prepared: &Prepared<'_>,
    question: &str,
    abstracted: &Abstracted,
    solver: Choice,
) -> Result<Option<Outcome>, String> {
    let predicates = Predicates { abstracted: abstracted.clone(), solver, ..Predicates::default() };
    let under = Under { name: "predicates".to_owned(), pick: Pick::Guided, begin: None };
    let options = Options {
        under: Some(under),
        predicates,
        max_rounds: Some(MAX_ROUNDS),
        threads: Some(1),
        stop_at: if question == NOTHING { StopAt::End } else { StopAt::FirstViolation },
        ..Options::default()
    };
    run(prepared, question, options)
}

fn run(prepared: &Prepared<'_>, question: &str, options: Options) -> Result<Option<Outcome>, String> {
    let job =
        Job { system: prepared.system(), select: vec![question.to_owned()], options, loops: LOOPS, progress: None };
    match check(job) {
        Ok(outcome) => Ok(Some(outcome)),
        Err(CheckError::WrongSolver(why)) => Err(why),
        Err(CheckError::Conflict(_) | CheckError::Refused(_)) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_read_back() {
        let tally = Tally { models: 1, rounds: 2, exact: 3, smaller: 4, answers: 5, violated: 6, open: 7 };
        assert_eq!(Tally::parse(&tally.line()), Some(tally));
        assert_eq!(Tally::parse("1 2"), None);
    }
}
