//! What is true in the states of a model, as letters of a system that is compared or made smaller.

use ample_equivalence::Lts;
use ample_frontends::Loaded;
use ample_interpret::Interpreter;
use ample_model::Expr;
use ample_property::{PropertyKind, number_propositions};
use ample_report::graph::StateSpace;

use crate::failure::Failure;

/// A system with the letter of each state: what is true in it of the propositions of the formula of
/// `--see`, which is the last property.
pub fn with_letters(
    lts: &Lts,
    graph: &StateSpace<'_>,
    interpreter: &Interpreter<'_>,
    loaded: &Loaded,
) -> Result<Lts, Failure> {
    let propositions = match loaded.properties.last().map(|property| &property.kind) {
        Some(PropertyKind::Ltl(formula)) => {
            number_propositions(formula).map_err(|error| Failure::Usage(error.to_string()))?.1
        }
        _ => Vec::new(),
    };
    let letters: Vec<String> = graph
        .states()
        .iter()
        .map(|state| letter(interpreter, loaded, &propositions, state))
        .collect::<Result<_, _>>()?;
    let error = "an error".to_owned();
    Ok(lts.with_letters(|state| letters.get(state.number() as usize).unwrap_or(&error)))
}

fn letter(
    interpreter: &Interpreter<'_>,
    loaded: &Loaded,
    propositions: &[Expr],
    state: &[u8],
) -> Result<String, Failure> {
    let state = interpreter.decode(state);
    let mut parts = Vec::new();
    for proposition in propositions {
        let is_true = interpreter
            .holds(&state, proposition)
            .map_err(|fault| Failure::Usage(format!("--see: {}", fault.message)))?;
        let text = loaded.sources.text(proposition.span);
        parts.push(if is_true { text.to_owned() } else { format!("!({text})") });
    }
    Ok(parts.join(", "))
}
