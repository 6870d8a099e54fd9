//! What is true in a state, as a letter that an automaton reads, and the values of expressions.

use ample_interpret::{Interpreter, State};
use ample_model::Expr;
use ample_property::Letter;
use ample_transition::Fault;

/// The propositions of a property, asked of the states of a system.
pub trait Propositions: Sync {
    /// The propositions that are true in a state, as bits; or what goes wrong when one is
    /// evaluated.
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>>;

    /// The bits of a state that the letter depends on, as words of 64 bits (see
    /// [`ProcessMoves`](ample_transition::ProcessMoves)); `None` if that is not known.
    fn read_bits(&self) -> Option<Vec<u64>> {
        None
    }
}

/// The values of expressions about the states of a system.
pub trait Values: Sync {
    /// How many expressions there are.
    fn count(&self) -> usize;

    /// Calls `take` with the value of each, in order: nothing where one has none, as beyond the end
    /// of an array.
    fn each(&self, state: &[u8], take: &mut dyn FnMut(Option<i64>));
}

/// Propositions and other expressions evaluated by the interpreter.
pub struct Evaluated<'a, 'm> {
    /// Knows what expressions mean.
    pub interpreter: &'a Interpreter<'m>,
    /// Unpacks a state of the system.
    pub unpack: &'a (dyn Fn(&[u8]) -> State + Sync),
    /// The expressions, by number.
    pub expressions: &'a [Expr],
}

impl Propositions for Evaluated<'_, '_> {
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>> {
        letter(self.interpreter, self.expressions, &(self.unpack)(state))
    }
}

impl Values for Evaluated<'_, '_> {
    fn count(&self) -> usize {
        self.expressions.len()
    }

    fn each(&self, state: &[u8], take: &mut dyn FnMut(Option<i64>)) {
        let state = (self.unpack)(state);
        self.expressions.iter().for_each(|expression| take(self.interpreter.value(&state, expression).ok()));
    }
}

/// The propositions that are true in a state, as bits.
pub fn letter(interpreter: &Interpreter<'_>, expressions: &[Expr], state: &State) -> Result<Letter, Box<Fault>> {
    let mut letter = 0;
    for (number, expression) in expressions.iter().enumerate() {
        letter |= Letter::from(interpreter.holds(state, expression)?) << number;
    }
    Ok(letter)
}
