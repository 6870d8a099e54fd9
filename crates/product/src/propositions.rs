//! What is true in a state, as a letter that an automaton reads.

use ample_interpret::{Interpreter, State};
use ample_model::Expr;
use ample_property::Letter;
use ample_transition::Fault;

/// The propositions of a property, asked of the states of a system.
pub trait Propositions: Sync {
    /// The propositions that are true in a state, as bits; or what goes wrong when one is
    /// evaluated.
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>>;
}

/// Propositions evaluated by the interpreter.
pub struct Evaluated<'a, 'm> {
    /// Knows what expressions mean.
    pub interpreter: &'a Interpreter<'m>,
    /// Unpacks a state of the system.
    pub unpack: &'a (dyn Fn(&[u8]) -> State + Sync),
    /// The propositions, by number.
    pub expressions: &'a [Expr],
}

impl Propositions for Evaluated<'_, '_> {
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>> {
        letter(self.interpreter, self.expressions, &(self.unpack)(state))
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
