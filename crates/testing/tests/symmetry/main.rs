//! Symmetry: the law of exact canonizers by brute force, orbits counted by brute force, random
//! models with like processes, and traps.
//!
//! Permutations of states are made here by the names of variables, and know nothing of how the
//! canonizers find theirs.
//!
//! `AMPLE_SEEDS=A..B` chooses the seeds.

mod corpus;
mod models;
mod permute;
mod random_models;
mod scalarsets;
mod traps;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write;

use ample_check::{Choice, Job, LOOPS, Options, Outcome, Prepared, Reduce, check};
use ample_equivalence::{Limits, Lts, LtsBuilder};
use ample_interpret::{Interpreter, State};
use ample_model::{EdgeId, Expr, LocationId};
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{CANONIZERS, NotHere, Visible};
use ample_stdx::Stop;
use ample_testing::explore::SAFETY;
use ample_transition::{Canonized, Canonizer, Move, Pid, Scratch, SuccessorBuffer, Successors};

const EXACT: &str = "symmetry";
const SORTED: &str = "symmetry-sort";

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

/// All states of a system; `None` if there are more.
fn reachable(system: &dyn Successors, most: usize) -> Option<HashSet<Vec<u8>>> {
    let mut open = vec![system.initial().ok()?];
    let mut seen: HashSet<Vec<u8>> = open.iter().cloned().collect();
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop() {
        buffer.clear();
        system.expand_all(&state, &mut buffer);
        for next in buffer.iter().filter_map(|successor| successor.state) {
            if seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(seen)
}

/// A system with what is true in its states, and statements without the processes that execute
/// them.
fn lts(packed: &Packed<'_>, system: &dyn Successors, propositions: &[Expr], most: usize) -> Option<Lts> {
    let initial = system.initial().ok()?;
    let mut numbers: HashMap<Vec<u8>, u32> = HashMap::from([(initial.clone(), 0)]);
    let mut open = VecDeque::from([initial]);
    let mut builder = LtsBuilder::new(0);
    let mut buffer = SuccessorBuffer::new();
    while let Some(state) = open.pop_front() {
        let from = numbers[&state];
        let unpacked = packed.unpack(&state);
        let holds = propositions.iter().map(|expr| format!("{:?}", packed.interpreter.holds(&unpacked, expr).ok()));
        let mut letter: String = holds.collect();
        buffer.clear();
        system.expand_all(&state, &mut buffer);
        if buffer.is_empty() {
            _ = write!(letter, "{:?}", system.invalid_end(&state).map(|fault| fault.kind));
        }
        builder.letter(from, &letter);
        for successor in buffer.iter() {
            let steps: Vec<_> = successor.moves.iter().map(|step| ends(packed, &unpacked, step)).collect();
            let faults: Vec<_> = successor.faults.iter().map(|fault| fault.kind).collect();
            let target = successor.state.unwrap_or_default().to_vec();
            let next = numbers.len() as u32;
            let to = *numbers.entry(target.clone()).or_insert_with(|| {
                if !target.is_empty() {
                    open.push_back(target.clone());
                }
                next
            });
            builder.edge(from, &format!("{steps:?} {faults:?}"), to);
        }
        if numbers.len() > most {
            return None;
        }
    }
    Some(builder.build())
}

/// From where to where a process goes, without which one it is: a permutation may take a statement
/// to one that is like it.
fn ends(packed: &Packed<'_>, state: &State, step: &Move) -> Vec<(LocationId, LocationId)> {
    let ends = |pid: Pid, edge: EdgeId| {
        let template = state.processes.get(usize::from(pid)).map(|process| process.template)?;
        let edge = packed.interpreter.model().templates[template].edges.get(edge)?;
        Some((edge.source, edge.target))
    };
    std::iter::once((step.process, step.edge)).chain(step.partner).filter_map(|(pid, edge)| ends(pid, edge)).collect()
}

/// The states of a system and of its quotient, which are bisimilar; `None` if there are too many.
fn bisimilar(
    packed: &Packed<'_>,
    canonizer: &dyn Canonizer,
    propositions: &[Expr],
    most: usize,
) -> Option<(usize, usize)> {
    let full = lts(packed, packed, propositions, most)?;
    let quotient = lts(packed, &Canonized { system: packed, canonizer }, propositions, most)?;
    let limits = Limits { work: 20_000_000, ..Limits::default() };
    match ample_equivalence::relation("bisim").expect("it exists").compare(&full, &quotient, &limits) {
        ample_equivalence::Answer::Equivalent => Some((full.state_count(), quotient.state_count())),
        ample_equivalence::Answer::Different(difference) => panic!("not bisimilar: {difference:?}"),
        ample_equivalence::Answer::Unknown(_) => None,
    }
}

/// How a question is asked.
#[derive(Clone, Debug)]
struct Way {
    reduce: &'static str,
    por: Option<&'static str>,
    condition: Option<&'static str>,
    threads: usize,
    emptiness: Option<&'static str>,
}

impl Way {
    const fn of(reduce: &'static str) -> Way {
        Way { reduce, por: None, condition: None, threads: 1, emptiness: None }
    }

    /// The answer, with every trace replayed; or why there is none. A trace that cannot be replayed
    /// is an error.
    fn ask(&self, prepared: &Prepared<'_>, question: &str) -> Result<Outcome, String> {
        let choice = |name: Option<&str>| name.map_or(Choice::Auto, |name| Choice::Named(name.to_owned()));
        let options = Options {
            reduce: Reduce::parse(self.reduce),
            por: choice(self.por),
            cycle_condition: choice(self.condition),
            emptiness: choice(self.emptiness),
            threads: Some(self.threads),
            ..Options::default()
        };
        let select = vec![question.to_owned()];
        let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
        check(job).map_err(|error| {
            assert!(!error.is_internal(), "{question} {self:?}: {error}");
            error.to_string()
        })
    }
}

fn states(outcome: &Outcome) -> u64 {
    outcome.properties.iter().map(|property| property.counts.states).sum()
}

/// Calls `body` with a model.
#[track_caller]
fn with_model<R>(text: &str, body: impl FnOnce(&Packed<'_>, &Prepared<'_>) -> R) -> R {
    let loaded = ample_testing::explore::load_text(text)
        .map_err(|failure| ample_testing::explore::messages(&failure))
        .unwrap_or_else(|messages| panic!("{messages}\n{text}"));
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its processes are known");
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    body(&packed, &prepared)
}
