//! Machine code against the interpreter, transition by transition: same moves, same states, same
//! faults, same order.

use std::collections::HashSet;
use std::sync::Arc;

use ample_interpret::Interpreter;
use ample_jit::{Compiled, Reason, Sizes, Uncompiled};
use ample_model::Model;
use ample_network::Packed;
use ample_stdx::Stop;
use ample_transition::{SuccessorBuffer, Successors};

/// Models with more states are compared on the first of them.
pub const MAX_STATES: usize = 1_500;

/// A few models have very many ways through their atomic sequences: they are compared on so many
/// moves.
const MAX_MOVES: usize = 50_000;

/// How many models were compiled, and on how many states they were compared.
#[derive(Default, Debug)]
pub struct Tally {
    /// All models.
    pub models: usize,
    /// Those that could be compiled.
    pub compiled: usize,
    /// The states from which the transitions were compared.
    pub states: usize,
    /// Of these, how many were expanded without the interpreter.
    pub by_code: usize,
    /// Of the others, how many have a transition that ends in a fault, which only the interpreter
    /// makes.
    pub faulty: usize,
    /// Why the model that was compared last was left to the interpreter in some states, apart from
    /// faults.
    pub why: Vec<&'static str>,
}

/// A function for almost every location, and receives that stand for all sends: as in very large
/// models.
pub const PIECES: Sizes = Sizes { edges: 2, pairs: 0 };

/// Compares the two on a model, if it can be compiled, and again with its code in pieces.
pub fn compare_both(model: &Model, tally: &mut Tally) -> Result<(), String> {
    let [mut whole, mut pieces] = [(); 2].map(|()| Tally::default());
    compare(model, Sizes::default(), &mut whole)?;
    compare(model, PIECES, &mut pieces).map_err(|what| format!("in pieces: {what}"))?;
    let (by_code, in_pieces) = (whole.by_code * pieces.states, pieces.by_code * whole.states);
    if in_pieces * 10 < by_code * 9 {
        return Err(format!("in pieces, the interpreter is asked too often: {pieces:?}, {whole:?}"));
    }
    tally.models += whole.models;
    tally.compiled += whole.compiled;
    tally.states += whole.states;
    tally.by_code += whole.by_code;
    tally.faulty += whole.faulty;
    tally.why = whole.why;
    Ok(())
}

/// Compares the two on a model, if it can be compiled; says what differs first.
pub fn compare(model: &Model, sizes: Sizes, tally: &mut Tally) -> Result<(), String> {
    tally.models += 1;
    let interpreter = Interpreter::new(model);
    let Ok(packed) = Packed::new(&interpreter) else { return Ok(()) };
    let compiled = Uncompiled::new(Arc::new(packed), sizes).and_then(|model| model.compile(&Stop::default()));
    let Ok(compiled) = compiled else { return Ok(()) };
    tally.compiled += 1;
    let Ok(initial) = compiled.initial() else { return Ok(()) };
    let (mut seen, mut open) = (HashSet::from([initial.clone()]), vec![initial]);
    let mut buffers = Buffers::default();
    let mut moves = 0;
    while let Some(state) = open.pop() {
        tally.states += 1;
        let by_code = buffers.expand(&compiled, &state)?;
        tally.by_code += usize::from(by_code);
        tally.faulty += usize::from(!by_code && buffers.oracle.has_faults());
        moves += buffers.code.iter().map(|successor| successor.moves.len()).sum::<usize>();
        if moves > MAX_MOVES {
            break;
        }
        for next in buffers.code.iter().filter_map(|successor| successor.state) {
            if seen.len() < MAX_STATES && seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
    }
    let left_over = compiled.left_over().into_iter().filter(|left_over| left_over.reason != Reason::Fault);
    tally.why = left_over.map(|left_over| left_over.reason.text()).collect();
    Ok(())
}

/// What leaves a state, by machine code and by the interpreter.
#[derive(Default)]
struct Buffers {
    code: SuccessorBuffer,
    oracle: SuccessorBuffer,
}

impl Buffers {
    /// Says whether machine code expanded the state without the interpreter.
    fn expand(&mut self, compiled: &Compiled<'_>, state: &[u8]) -> Result<bool, String> {
        self.code.clear();
        let by_code = compiled.expand_by_code(state, &mut self.code);
        self.code.clear();
        compiled.expand_all(state, &mut self.code);
        self.oracle.clear();
        compiled.interpret(state, &mut self.oracle);
        let (found, wanted) = (self.code.len(), self.oracle.len());
        if found != wanted {
            return Err(format!("{found} transitions by machine code, {wanted} by the interpreter, from {state:?}"));
        }
        for (found, wanted) in self.code.iter().zip(self.oracle.iter()) {
            let is_same = found.moves == wanted.moves && found.state == wanted.state && found.faults == wanted.faults;
            if !is_same {
                return Err(format!("by machine code {found:?}, by the interpreter {wanted:?}, from {state:?}"));
            }
        }
        Ok(by_code)
    }
}
