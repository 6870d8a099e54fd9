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
    queries: usize,
}

impl External {
    /// Starts `z3`, `cvc5` or the program at a path. Any other than these two gets no arguments.
    pub fn start(program: &str) -> Result<External, Failure> {
        let context = start(program).map_err(|error| Failure::Program { solver: program.to_owned(), error })?;
        Ok(External { program: program.to_owned(), context, queries: 0 })
    }

    fn ask(&mut self, formula: &Formula, steps: Steps) -> Result<Answer, Error> {
        if self.queries == MOST_QUERIES {
            self.context = start(&self.program)?;
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
        let answer = self.context.raw_recv()?;
        let answer = match self.context.get_atom(answer) {
            Some("sat") => self.values(formula)?,
            Some("unsat") => Answer::Unsat,
            Some("unknown") => Answer::Unknown,
            _ => return Err(self.not_understood(answer)),
        };
        self.send("(pop 1)")?;
        self.await_word("success")?;
        Ok(answer)
    }

    fn send(&mut self, text: &str) -> Result<(), Error> {
        // A symbol is written as it is: so several commands take one way there.
        let text = self.context.atom(text);
        self.context.raw_send(text)
    }

    fn await_word(&mut self, word: &str) -> Result<(), Error> {
        let reply = self.context.raw_recv()?;
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
            let reply = self.context.raw_recv()?;
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

fn start(program: &str) -> Result<Context, Error> {
    let mut builder = ContextBuilder::new();
    match kind(program) {
        "z3" => builder.with_z3_defaults(),
        "cvc5" => builder.with_cvc5_defaults(),
        _ => &mut builder,
    };
    let mut context = builder.solver(program).build()?;
    context.set_logic("ALL")?;
    Ok(context)
}

/// What z3 and cvc5 call steps. (Each counts its own; that they are counted makes runs the same.)
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
