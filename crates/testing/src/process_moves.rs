//! The moves of each process apart against all transitions of a state, and what they are said to
//! depend on against what they do: in states that agree there they must be the same.

use std::collections::HashMap;
use std::sync::Arc;

use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_jit::{Lazy, Sizes, Uncompiled};
use ample_model::Model;
use ample_network::Packed;
use ample_network::facts::read_bits;
use ample_product::{Evaluated, FiniteRuns, Product, Propositions};
use ample_property::{Letter, PropertyKind, number_propositions, translate};
use ample_stdx::Stop;
use ample_transition::{Fault, Move, ProcessMoves, SuccessorBuffer, Successors};

use crate::explore::states_of;

/// Models with more states are looked at as far as this.
const MOST_STATES: usize = 1_500;
/// The same for moves.
const MOST_MOVES: usize = 50_000;
/// The bytes of a word.
const WORD: usize = 8;

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    /// Models of which it is known what the moves depend on.
    pub models: usize,
    /// States, and how often a process was met in them where others had been that agree.
    pub states: usize,
    /// See there.
    pub agreeing: usize,
}

/// What a process does, in states that agree.
type Moves = Vec<(Vec<Move>, Vec<u64>)>;

/// Compares them on the states of a model; says what differs first.
pub fn compare(model: &Model, tally: &mut Tally) -> Result<(), String> {
    with_code(model, |_, system| compare_system(system, tally)).unwrap_or(Ok(()))
}

/// The same on the states of the products of the model with its formulas, and with what they
/// forbid.
pub fn compare_products(loaded: &Loaded, tally: &mut Tally) -> Result<(), String> {
    for property in &loaded.properties {
        let PropertyKind::Ltl(formula) = &property.kind else { continue };
        let Ok((formula, expressions)) = number_propositions(formula) else { continue };
        for formula in [formula.clone().negated(), formula] {
            let Ok(translated) = translate(&formula) else { continue };
            let compared = with_code(&loaded.model, |packed, system| {
                let unpack = |state: &[u8]| packed.unpack(state);
                let evaluated =
                    Evaluated { interpreter: packed.interpreter, unpack: &unpack, expressions: &expressions };
                let propositions = Reading { evaluated, bits: read_bits(system.network(), &expressions) };
                let product = Product::new(system, &translated.ba, &propositions, FiniteRuns::Stutter);
                compare_system(&product, tally)
            });
            compared.unwrap_or(Ok(()))?;
        }
    }
    Ok(())
}

/// Propositions of which it is known what they read.
struct Reading<'a, 'm> {
    evaluated: Evaluated<'a, 'm>,
    bits: Option<Box<[u64]>>,
}

impl Propositions for Reading<'_, '_> {
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>> {
        self.evaluated.letter(state)
    }

    fn read_bits(&self) -> Option<Vec<u64>> {
        self.bits.as_deref().map(<[u64]>::to_vec)
    }
}

/// What is said of a model that can be compiled.
fn with_code<R>(model: &Model, then: impl FnOnce(&Packed<'_>, &Lazy<'_>) -> R) -> Option<R> {
    let interpreter = Interpreter::new(model);
    let packed = Arc::new(Packed::new(&interpreter).ok()?);
    let system = Uncompiled::new(packed.clone(), Sizes::default()).ok()?.on_demand(&Stop::default());
    system.compile().ok()?;
    Some(then(&packed, &system))
}

fn compare_system(system: &dyn Successors, tally: &mut Tally) -> Result<(), String> {
    let Some(apart) = system.process_moves() else { return Ok(()) };
    tally.models += 1;
    let mut known: Vec<Known> = (0..apart.processes()).map(|_| Known::default()).collect();
    let (mut all, mut moves) = (SuccessorBuffer::new(), 0);
    for state in states_of(system, MOST_STATES) {
        all.clear();
        system.expand_all(&state, &mut all);
        moves += all.iter().map(|successor| successor.moves.len()).sum::<usize>();
        if moves > MOST_MOVES {
            break;
        }
        tally.states += 1;
        let mut found = Vec::new();
        let mut are_apart = true;
        for (process, known) in known.iter_mut().enumerate().rev() {
            match known.expand(apart, process, &state, tally)? {
                Some(more) => found.extend(more),
                None => are_apart = false,
            }
        }
        let wanted: Moves =
            all.iter().filter_map(|next| Some((next.moves.to_vec(), difference(&state, next.state?)))).collect();
        if are_apart && !found.is_empty() && found != wanted {
            return Err(format!("the moves of all processes are {found:?}, and not {wanted:?}, from {state:?}"));
        }
    }
    Ok(())
}

/// What is known of a process.
#[derive(Default)]
struct Known {
    /// What its moves depend on, by where it is.
    touched: HashMap<Vec<u64>, Option<Vec<u64>>>,
    /// What it does, by that.
    moves: HashMap<Vec<u64>, Option<Moves>>,
}

impl Known {
    /// The moves in a state; `None` if they cannot be had apart.
    fn expand(
        &mut self,
        apart: &dyn ProcessMoves,
        process: usize,
        state: &[u8],
        tally: &mut Tally,
    ) -> Result<Option<Moves>, String> {
        let place = masked(state, &apart.location_bits(process));
        let touched = apart.touched_bits(process, state);
        let before = self.touched.entry(place).or_insert_with(|| touched.clone());
        if *before != touched {
            return Err(format!("process {process} depends on {touched:x?}, and not on {before:x?}, in {state:?}"));
        }
        let Some(touched) = touched else { return Ok(None) };
        let mut buffer = SuccessorBuffer::new();
        let is_apart = apart.expand_process(process, state, &mut buffer) && !buffer.has_faults();
        let moves: Option<Moves> = buffer
            .iter()
            .map(|next| {
                next.state
                    .filter(|next| next.len() == state.len())
                    .map(|end| (next.moves.to_vec(), difference(state, end)))
            })
            .collect();
        let moves = moves.filter(|_| is_apart);
        let changed = moves.iter().flatten().flat_map(|(_, difference)| difference.iter().zip(&touched));
        if let Some((changed, touched)) = changed.into_iter().find(|(changed, touched)| *changed & !*touched != 0) {
            return Err(format!("process {process} changes {changed:x}, and not only {touched:x}, in {state:?}"));
        }
        match self.moves.get(&masked(state, &touched)) {
            Some(known) if *known != moves => {
                Err(format!("process {process} does {moves:?} in {state:?}, and {known:?} where that agrees"))
            }
            Some(_) => {
                tally.agreeing += 1;
                Ok(moves)
            }
            None => {
                self.moves.insert(masked(state, &touched), moves.clone());
                Ok(moves)
            }
        }
    }
}

fn words(state: &[u8]) -> impl Iterator<Item = u64> {
    state.chunks(WORD).map(|chunk| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
}

fn masked(state: &[u8], bits: &[u64]) -> Vec<u64> {
    words(state).zip(bits).map(|(word, bits)| word & bits).collect()
}

fn difference(one: &[u8], other: &[u8]) -> Vec<u64> {
    words(one).zip(words(other)).map(|(one, other)| one ^ other).collect()
}
