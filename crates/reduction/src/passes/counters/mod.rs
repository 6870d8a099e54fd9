//! Program counters are found: a flat program, one process whose commands are the edges of one
//! location, is taken apart into processes with locations.
//!
//! A *program counter* is a variable that every command that assigns it compares with a constant
//! and sets to constants. These commands, and those that compare it and assign no other counter,
//! become a process with one location for each value; what is compared and assigned there is the
//! location. If somebody else reads the variable, another command or the question, it keeps its
//! value beside the location; else it is a variable no more. Variables that only the commands of
//! one such process use become its own. Commands without a counter stay in the first process.
//!
//! The two systems are the same up to the form of states and the order of transitions: a state of
//! the one is a state of the other in which each process is at the location that is the value of
//! its counter, and the transitions that leave it are those of the same commands. A command that
//! assigns a counter what its range does not hold still does so, and fails. A part of a guard that
//! comes after one that may fail is no comparison with a counter: where that fails, the command
//! fails whatever the counter is.
//!
//! So nothing is lost or left out; but reductions that go by processes and their locations have
//! something to go by. Processes that end together end as the program does: `end` is asked of
//! variables. What is said of a run, a state or an error is said of the program as written.

mod choose;
mod commands;
mod own;
mod split;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::Model;

use self::choose::{Choice, choose};
use self::commands::{commands, flat, is_about_variables};
use self::split::{Split, split};
use super::entry::{PassEntry, Rewrite, Rewritten};
use crate::{NotHere, Visible};

/// Program counters.
pub static PROGRAM_COUNTERS: Part = Part {
    name: "program-counters",
    kind: PartKind::Pass,
    summary: "guarded commands that go by a program counter become a process with locations",
    paper: None,
    guarantee: Guarantee::EXACT,
};

/// The pass.
pub(super) const ENTRY: PassEntry =
    PassEntry { part: &PROGRAM_COUNTERS, is_automatic: true, rewrite: Rewrite::OfModel(rewrite) };

fn rewrite(model: &Model, visible: &Visible<'_>) -> Result<Option<Rewritten>, NotHere> {
    let Some((Split { model, back, .. }, _)) = find(model, visible)? else { return Ok(None) };
    Ok((!back.is_empty()).then(|| Rewritten { model, back: Box::new(back) }))
}

/// The program taken apart, and what was found; `None` if it is not flat.
fn find(model: &Model, visible: &Visible<'_>) -> Result<Option<(Split, Choice)>, NotHere> {
    let Some(template) = flat(model)? else { return Ok(None) };
    if visible.processes {
        return Err(NotHere("to fairness the program is one process, as it is written".to_owned()));
    }
    if !visible.propositions.iter().all(is_about_variables) {
        return Err(NotHere("the property asks about processes, and the program is one".to_owned()));
    }
    let commands = commands(model, template);
    let choice = choose(model, template, &commands);
    Ok(Some((split(model, visible, &commands, &choice.counters), choice)))
}

/// The program counters of a model, in sentences.
#[derive(Clone, Debug, Default)]
pub struct ProgramCounters {
    /// What was found.
    pub found: Vec<String>,
    /// Why other variables that are compared with constants are none, or why there are none at all.
    pub others: Vec<String>,
}

impl ProgramCounters {
    /// Finds them, for a question.
    pub fn of(model: &Model, visible: &Visible<'_>) -> ProgramCounters {
        match find(model, visible) {
            Ok(Some((split, choice))) => ProgramCounters::said(model, &split, &choice),
            Ok(None) => ProgramCounters::default(),
            Err(NotHere(why)) => ProgramCounters { found: Vec::new(), others: vec![why] },
        }
    }

    fn said(model: &Model, split: &Split, choice: &Choice) -> ProgramCounters {
        let name = |slot| &model.globals.slots[slot].name;
        let sentence = |(counter, process): (&choose::Counter, &split::Process)| {
            let values = counted(counter.values.len(), "value");
            let commands = counted(process.commands.len(), "command");
            let kept = if process.is_stored { "; it is kept as a variable, too" } else { "" };
            let own = process.own.iter().filter(|slot| **slot != counter.slot);
            let own: Vec<String> = own.map(|slot| format!("`{}`", name(*slot))).collect();
            let own = if own.is_empty() { String::new() } else { format!("; nobody else uses {}", own.join(", ")) };
            format!("`{}` has {values} in {commands}{kept}{own}", name(counter.slot))
        };
        let found = choice.counters.iter().zip(&split.processes).map(sentence).collect();
        let others = choice.others.iter().map(|(slot, why)| format!("`{}`: {why}", name(*slot))).collect();
        ProgramCounters { found, others }
    }
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
