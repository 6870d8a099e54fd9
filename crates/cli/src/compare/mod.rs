//! `ample compare`.

mod system;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ample_equivalence::{Answer, Difference, Finding, Follow, Limits, Lts, Relation, Sees, Side, relation};
use ample_report::numbers;
use serde_json::{Value, json};

use crate::args::CompareArgs;
use crate::failure::{Failure, Status};
use crate::output::Terminal;

/// So many labels of a path are shown to people; JSON has them all.
const MOST_SHOWN: usize = 30;

/// Compares two systems.
pub fn run(options: &CompareArgs, terminal: &Terminal, interrupt: Arc<AtomicBool>) -> Result<Status, Failure> {
    let relation = relation(&options.relation)
        .ok_or_else(|| Failure::Usage(format!("there is no relation `{}`", options.relation)))?;
    refuse_what_does_not_apply(options, relation)?;
    let first = system::load(&options.first, options, terminal, &interrupt)?;
    let second = system::load(&options.second, options, terminal, &interrupt)?;
    let limits = Limits { work: options.max_work, depth: options.depth, interrupt: Some(&interrupt) };
    let answer = match (&first.cut_off, &second.cut_off) {
        (Some(why), _) => Answer::Unknown(format!("not all of {} was explored: {why}", options.first)),
        (_, Some(why)) => Answer::Unknown(format!("not all of {} was explored: {why}", options.second)),
        _ => relation.compare(&first.lts, &second.lts, &limits),
    };
    let report = Report { options, relation, systems: [&first.lts, &second.lts], answer: &answer };
    terminal.print(&if options.json { report.json() } else { report.text() });
    Ok(match answer {
        Answer::Equivalent => Status::Holds,
        Answer::Different(_) => Status::Violated,
        Answer::Unknown(_) => Status::Unknown,
    })
}

fn refuse_what_does_not_apply(options: &CompareArgs, relation: &Relation) -> Result<(), Failure> {
    let names = [&options.first, &options.second];
    let refusal = match (relation.name, options.depth) {
        ("k-bisim", None) => "k-bisim needs to know how many steps to look ahead: -k K".to_owned(),
        (name, Some(_)) if name != "k-bisim" => format!("-k does not go with {name}: it is for k-bisim"),
        ("stutter", _) if options.see.is_none() => {
            "stutter compares what is true in states: --see FORMULA says which propositions matter".to_owned()
        }
        (name, _) if options.see.is_some() && relation.sees == Sees::Labels => {
            format!("--see does not go with {name}: it does not look at what is true in states")
        }
        (name, _) if !options.tau.is_empty() && relation.sees == Sees::Letters => {
            format!("--tau does not go with {name}: it does not look at labels")
        }
        _ if options.see.is_some() && names.into_iter().any(|name| system::is_aut(name)) => {
            "--see is for models: an .aut file does not say what is true in a state".to_owned()
        }
        _ if !options.defines.is_empty() && names.into_iter().all(|name| system::is_aut(name)) => {
            "-D is for models, and there is none".to_owned()
        }
        _ if names == ["-", "-"] => "only one of the systems can be on standard input".to_owned(),
        _ => return Ok(()),
    };
    Err(Failure::Usage(refusal))
}

/// What is said in the end.
struct Report<'a> {
    options: &'a CompareArgs,
    relation: &'a Relation,
    systems: [&'a Lts; 2],
    answer: &'a Answer,
}

impl Report<'_> {
    fn name(&self, side: Side) -> &str {
        match side {
            Side::First => &self.options.first,
            Side::Second => &self.options.second,
        }
    }

    fn text(&self) -> String {
        let (first, second) = (self.name(Side::First), self.name(Side::Second));
        let title = format!("{}: {first} and {second}", self.relation.name);
        let mut text = match self.answer {
            Answer::Equivalent => format!("EQUIVALENT  {title}\n"),
            Answer::Different(difference) => format!("DIFFERENT   {title}\n\n{}", self.explanation(difference)),
            Answer::Unknown(reason) => format!("UNKNOWN     {title}: {reason}\n"),
        };
        text += &format!("\n{}\n", self.relation.summary);
        for (side, lts) in [Side::First, Side::Second].into_iter().zip(self.systems) {
            let states = numbers::count(lts.state_count() as u64, "state");
            let edges = numbers::count(lts.edge_count() as u64, "transition");
            text += &format!("{}: {states}, {edges}\n", self.name(side));
        }
        text
    }

    fn explanation(&self, difference: &Difference) -> String {
        let path = &difference.path;
        let (has, has_not) = (self.name(difference.side), self.name(difference.side.other()));
        let mut text = match (difference.follow, path.is_empty()) {
            (_, true) => "at the start:\n".to_owned(),
            (Follow::No, false) => "after this:\n".to_owned(),
            (Follow::StepByStep, false) => "step by step, with the best answer each time:\n".to_owned(),
        };
        let skipped = path.len().saturating_sub(MOST_SHOWN);
        if skipped > 0 {
            text += &format!("  ({} before; --json lists all)\n", numbers::count(skipped as u64, "step"));
        }
        path.iter().skip(skipped).for_each(|label| text += &format!("  {label}\n"));
        text += &format!("{has} can {}, and {has_not} cannot\n", difference.finding.words());
        text + &difference.note.as_ref().map_or(String::new(), |note| format!("{note}\n"))
    }

    fn json(&self) -> String {
        let sizes = |count: fn(&Lts) -> usize| self.systems.map(count);
        let (verdict, reason) = match self.answer {
            Answer::Equivalent => ("equivalent", None),
            Answer::Different(_) => ("different", None),
            Answer::Unknown(reason) => ("unknown", Some(reason)),
        };
        let difference = match self.answer {
            Answer::Different(difference) => self.difference(difference),
            _ => Value::Null,
        };
        let object = json!({
            "format": 1,
            "systems": [self.options.first, self.options.second],
            "relation": self.relation.name,
            "verdict": verdict,
            "reason": reason,
            "difference": difference,
            "states": sizes(Lts::state_count),
            "transitions": sizes(Lts::edge_count),
        });
        format!("{object}\n")
    }

    fn difference(&self, difference: &Difference) -> Value {
        let (kind, text) = match &difference.finding {
            Finding::Step(label) => ("step", Some(label)),
            Finding::Letter(letter) => ("letter", Some(letter)),
            Finding::End(letter) => ("end", Some(letter).filter(|letter| !letter.is_empty())),
            Finding::Diverge => ("diverge", None),
            Finding::Stay => ("stay", None),
        };
        json!({
            "path": difference.path,
            "step_by_step": difference.follow == Follow::StepByStep,
            "system": self.name(difference.side),
            "can": kind,
            "label": text,
            "note": difference.note,
        })
    }
}
