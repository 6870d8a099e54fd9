//! A solver that is installed, asked over its standard input in SMT-LIB.

use std::ffi::OsStr;
use std::io::{Error, ErrorKind};
use std::path::Path;

use easy_smt::{Context, ContextBuilder, SExpr, SExprData};

use crate::answer::{Answer, Failure, Solver};
use crate::evaluate::Assignment;
use crate::formula::{Formula, Symbol, Term};
use crate::meter::Steps;
use crate::number::Integer;
use crate::smtlib;

/// The program is started again after so many queries: what was said to it is kept in memory.
const MOST_QUERIES: usize = 5_000;

/// A program.
pub struct External {
    program: String,
    context: Context,
    /// What a query may take, where that is said when the program starts.
    steps: Steps,
    queries: usize,
}

impl External {
    /// Starts `z3`, `cvc5` or the program at a path. Any other than these two gets no arguments.
    pub fn start(program: &str) -> Result<External, Failure> {
        let steps = Steps::default();
        let context = start(program, steps).map_err(|error| Failure::Program { solver: program.to_owned(), error })?;
        Ok(External { program: program.to_owned(), context, steps, queries: 0 })
    }

    fn ask(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Error> {
        if self.queries == MOST_QUERIES || kind(&self.program) == "cvc5" && self.steps != steps {
            self.context = start(&self.program, steps)?;
            self.steps = steps;
            self.queries = 0;
        }
        self.queries += 1;
        let mut commands = vec!["(push 1)".to_owned()];
        commands.extend(limit(&self.program, steps));
        commands.extend(smtlib::commands(formula));
        let count = commands.len();
        commands.push("(check-sat)".to_owned());
        self.send(&commands.join("\n"))?;
        for _ in 0..count {
            self.await_word("success")?;
        }
        let answer = self.receive()?;
        let answer = match self.context.get_atom(answer) {
            Some("sat") => self.values(formula)?,
            Some("unsat") => Answer::Unsat,
            Some("unknown") => Answer::Unknown,
            _ => return Err(self.not_understood(answer)),
        };
        // What z3 learned in a scope stays when that is closed, and can hold it up for ever.
        self.send("(pop 1)\n(reset-assertions)")?;
        self.await_word("success")?;
        self.await_word("success")?;
        Ok(answer)
    }

    fn send(&mut self, text: &str) -> Result<(), Error> {
        // A symbol is written as it is: so several commands take one way there.
        let text = self.context.atom(text);
        self.context.raw_send(text).map_err(ended)
    }

    fn receive(&mut self) -> Result<SExpr, Error> {
        self.context.raw_recv().map_err(ended)
    }

    fn await_word(&mut self, word: &str) -> Result<(), Error> {
        let reply = self.receive()?;
        if self.context.get_atom(reply) == Some(word) { Ok(()) } else { Err(self.not_understood(reply)) }
    }

    fn not_understood(&self, reply: SExpr) -> Error {
        Error::new(ErrorKind::InvalidData, format!("said `{}`", self.context.display(reply)))
    }

    fn values(&mut self, formula: &Formula) -> Result<Answer, Error> {
        let symbols = formula.symbols();
        let mut assignment = Assignment::default();
        if !symbols.is_empty() {
            let names: Vec<String> = symbols.iter().map(|symbol| smtlib::name(*symbol)).collect();
            self.send(&format!("(get-value ({}))", names.join(" ")))?;
            let reply = self.receive()?;
            let Some(pairs) = self.context.get_list(reply).filter(|pairs| pairs.len() == symbols.len()) else {
                return Err(self.not_understood(reply));
            };
            for (symbol, pair) in symbols.into_iter().zip(pairs) {
                let value = self.context.get_list(*pair).and_then(|pair| pair.get(1).copied());
                if !value.is_some_and(|value| self.take(symbol, value, &mut assignment)) {
                    return Err(self.not_understood(reply));
                }
            }
        }
        // What it was not told is not its fault.
        Ok(if assignment.satisfies(formula) || !has_free_function(formula) {
            Answer::Sat(assignment)
        } else {
            Answer::Unknown
        })
    }

    fn take(&self, symbol: Symbol, value: SExpr, assignment: &mut Assignment) -> bool {
        match symbol {
            Symbol::Variable(variable) => {
                let value = self.integer(value);
                value.map(|value| assignment.integers.insert(variable, value)).is_some()
            }
            Symbol::Proposition(proposition) => {
                let value = self.context.get_atom(value).and_then(|value| value.parse().ok());
                value.map(|value| assignment.propositions.insert(proposition, value)).is_some()
            }
        }
    }

    fn integer(&self, value: SExpr) -> Option<Integer> {
        match self.context.get(value) {
            SExprData::Atom(text) => text.parse().ok(),
            SExprData::List([minus, size]) if self.context.get_atom(*minus) == Some("-") => {
                self.integer(*size).map(|size| -size)
            }
            _ => None,
        }
    }
}

impl Solver for External {
    fn name(&self) -> String {
        self.program.clone()
    }

    fn check(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Failure> {
        let answer = self.ask(formula, steps).map_err(|error| Failure::Program { solver: self.name(), error })?;
        match &answer {
            Answer::Sat(assignment) if !assignment.satisfies(formula) => {
                Err(Failure::WrongSolution { solver: self.name(), query: smtlib::query(formula) })
            }
            _ => Ok(answer),
        }
    }
}

/// The name of a program without its folder.
fn kind(program: &str) -> &str {
    Path::new(program).file_stem().and_then(OsStr::to_str).unwrap_or(program)
}

fn start(program: &str, steps: Steps) -> Result<Context, Error> {
    let mut builder = ContextBuilder::new();
    match kind(program) {
        "z3" => builder.with_z3_defaults(),
        "cvc5" => {
            let limit = format!("--rlimit-per={}", steps.0);
            builder.solver_args(["--quiet", "--lang=smt2", "--incremental", &limit])
        }
        _ => &mut builder,
    };
    let mut context = builder.solver(program).build().map_err(|error| absent(program, error))?;
    context.set_logic("ALL").map_err(ended)?;
    Ok(context)
}

/// What to do where the program is not there.
fn absent(program: &str, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return ended(error);
    }
    let message = match program {
        "z3" | "cvc5" => format!("it is not installed; the package `{program}` of Debian has it"),
        _ => "there is no such program; `z3` and `cvc5` are packages of Debian, `embedded` needs nothing".to_owned(),
    };
    Error::new(ErrorKind::NotFound, message)
}

/// What a pipe says whose other end is gone, in words.
fn ended(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Other | ErrorKind::BrokenPipe | ErrorKind::UnexpectedEof => {
            Error::new(error.kind(), format!("it ended, or said what is not understood ({error})"))
        }
        _ => error,
    }
}

/// What z3 calls steps. (Each program counts its own; that they are counted makes runs the same.)
fn limit(program: &str, steps: Steps) -> Option<String> {
    match kind(program) {
        "z3" => Some(format!("(set-option :rlimit {})", steps.0.min(u64::from(u32::MAX)))),
        _ => None,
    }
}

/// Whether something in it is no function of SMT-LIB, and was left open.
fn has_free_function(formula: &Formula) -> bool {
    fn in_term(term: &Term) -> bool {
        match term {
            Term::Constant(_) | Term::Variable(_) => false,
            Term::Sum(parts) => parts.iter().any(in_term),
            Term::Multiple(_, part) => in_term(part),
            Term::Product(parts) | Term::Quotient(_, parts) | Term::Remainder(_, parts) => parts.iter().any(in_term),
            Term::BitAnd(parts) => {
                let is_constant = |term: &Term| matches!(term, Term::Constant(_));
                !parts.iter().any(is_constant) || parts.iter().any(in_term)
            }
            Term::Conditional(condition, parts) => has_free_function(condition) || parts.iter().any(in_term),
        }
    }
    match formula {
        Formula::Constant(_) | Formula::Proposition(_) => false,
        Formula::Not(part) => has_free_function(part),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().any(has_free_function),
        Formula::Same(parts) => parts.iter().any(has_free_function),
        Formula::Compare(_, parts) => parts.iter().any(in_term),
        Formula::Divides(_, part) => in_term(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_missing_names_its_package() {
        let message = |program: &str| absent(program, Error::from(ErrorKind::NotFound)).to_string();
        assert_eq!(message("z3"), "it is not installed; the package `z3` of Debian has it");
        assert_eq!(message("cvc5"), "it is not installed; the package `cvc5` of Debian has it");
        assert!(
            message("/usr/local/bin/z3").starts_with("there is no such program"),
            "{}",
            message("/usr/local/bin/z3")
        );
    }
}
