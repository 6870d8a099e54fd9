//! The options of `--under predicates`.

use std::path::PathBuf;

use ample_check::{Abstracted, Predicates, Refine};
use ample_model::Expr;
use clap::Args;

use crate::choices;
use crate::failure::Failure;

/// How states are told apart by predicates.
#[derive(Args, Debug)]
pub struct PredicateArgs {
    /// The variables that predicates stand for, with commas between them; of an array or a family
    /// of processes all of it [default: those of unbounded type that get more than constants]
    #[arg(long = "abstract", value_name = "VAR,…", help_heading = "Predicates (--under predicates)")]
    pub abstracted: Option<String>,
    /// Predicates to begin with, one on each line of this file
    #[arg(long, value_name = "FILE", help_heading = "Predicates (--under predicates)")]
    pub predicates: Option<PathBuf>,
    /// Which predicates are added [default: exact]
    #[arg(long, value_name = "HOW", value_parser = choices::refines())]
    #[arg(help_heading = "Predicates (--under predicates)")]
    pub refine: Option<String>,
    /// Who decides what can be proved: `embedded`, `z3`, `cvc5`, the path of a program that reads
    /// SMT-LIB, or `both`: the embedded one and z3 or cvc5, compared [default: embedded]
    #[arg(long, value_name = "SOLVER", help_heading = "Predicates (--under predicates)")]
    pub solver: Option<String>,
    /// Write what the solver is asked to this file, in SMT-LIB
    #[arg(long, value_name = "FILE.smt2", help_heading = "Predicates (--under predicates)")]
    pub queries: Option<PathBuf>,
    /// Where a command is not proved to be exact in so many searches, describe the states in which
    /// it is not in full: then the searches of a model with finitely many states come to an end
    #[arg(long, value_name = "N", help_heading = "Predicates (--under predicates)")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: Option<u64>,
}

/// The name of the loop.
const LOOP: &str = "predicates";

impl PredicateArgs {
    /// Refuses what does not apply without the loop.
    pub fn check(&self, under: Option<&str>) -> Result<(), Failure> {
        let given = [
            ("--abstract", self.abstracted.is_some(), "nothing is abstracted"),
            ("--predicates", self.predicates.is_some(), "states are not told apart by predicates"),
            ("--refine", self.refine.is_some(), "there is no abstraction to refine"),
            ("--solver", self.solver.is_some(), "nothing is to be proved"),
            ("--queries", self.queries.is_some(), "nothing is to be proved"),
            ("--patience", self.patience.is_some(), "nothing is to be proved"),
        ];
        match given.into_iter().find(|(_, is_given, _)| *is_given) {
            Some((flag, _, why)) if under != Some(LOOP) => {
                Err(Failure::Usage(format!("{flag} does not apply: {why}; use --under {LOOP}")))
            }
            _ => self.check_solver(),
        }
    }

    fn check_solver(&self) -> Result<(), Failure> {
        let asked = [("--solver", self.solver.is_some()), ("--queries", self.queries.is_some())];
        match (asked.into_iter().find(|(_, is_given)| *is_given), self.refine.as_deref()) {
            (Some((flag, _)), Some(refine)) if Refine::named(refine) != Some(Refine::Exact) => {
                Err(Failure::Usage(format!("{flag} does not apply: --refine {refine} asks no solver")))
            }
            _ => Ok(()),
        }
    }

    /// The predicates of the file: a line each, without comments.
    pub fn given(&self) -> Result<Vec<String>, Failure> {
        let Some(file) = &self.predicates else { return Ok(Vec::new()) };
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("cannot read {}: {error}", file.display())))?;
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim().trim_end_matches(';'));
        Ok(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// As the check takes them; the predicates of the file were read with the model.
    pub fn options(&self, given: Vec<Expr>) -> Predicates {
        let names = |list: &String| list.split(',').map(|name| name.trim().to_owned()).collect();
        let solver = self.solver.as_deref().unwrap_or_default();
        Predicates {
            abstracted: self.abstracted.as_ref().map_or(Abstracted::Unbounded, |list| Abstracted::Named(names(list))),
            given,
            refine: self.refine.as_deref().and_then(Refine::named).unwrap_or_default(),
            solver: self.solver.as_ref().map(|_| solver.parse().unwrap_or_default()).unwrap_or_default(),
            queries: self.queries.clone(),
            patience: self.patience,
        }
    }
}
