//! How two systems compare.

use ample_equivalence::{Answer, Difference, Finding, Follow, Lts, Preorder, Relation, Side};
use serde_json::{Value, json};

use crate::numbers;

/// So many labels of a path are shown to people; JSON has them all.
const MOST_SHOWN: usize = 30;

/// What is said in the end.
pub struct ComparisonReport<'a> {
    /// How the systems are called.
    pub names: [&'a str; 2],
    /// How they were compared.
    pub relation: &'a Relation,
    /// If it was asked whether the first is below the second: the preorder of the relation.
    pub preorder: Option<&'a Preorder>,
    /// The systems.
    pub systems: [&'a Lts; 2],
    /// What came of it.
    pub answer: &'a Answer,
}

impl ComparisonReport<'_> {
    fn name(&self, side: Side) -> &str {
        match side {
            Side::First => self.names[0],
            Side::Second => self.names[1],
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let (first, second) = (self.name(Side::First), self.name(Side::Second));
        let words = self.preorder.map_or("and", |preorder| preorder.words);
        let title = format!("{}: {first} {words} {second}", self.relation.name);
        let (yes, no) = if self.preorder.is_some() { ("BELOW    ", "NOT BELOW") } else { ("EQUIVALENT", "DIFFERENT ") };
        let mut text = match self.answer {
            Answer::Equivalent => format!("{yes}  {title}\n"),
            Answer::Different(difference) => format!("{no}  {title}\n\n{}", self.explanation(difference)),
            Answer::Unknown(reason) => format!("UNKNOWN     {title}: {reason}\n"),
        };
        text += &format!("\n{}\n", self.preorder.map_or(self.relation.summary, |preorder| preorder.summary));
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

    /// For programs.
    pub fn json(&self) -> String {
        let sizes = |count: fn(&Lts) -> usize| self.systems.map(count);
        let (yes, no) = if self.preorder.is_some() { ("below", "not-below") } else { ("equivalent", "different") };
        let (verdict, reason) = match self.answer {
            Answer::Equivalent => (yes, None),
            Answer::Different(_) => (no, None),
            Answer::Unknown(reason) => ("unknown", Some(reason)),
        };
        let difference = match self.answer {
            Answer::Different(difference) => self.difference(difference),
            _ => Value::Null,
        };
        let object = json!({
            "format": 1,
            "systems": self.names,
            "relation": self.relation.name,
            "preorder": self.preorder.is_some(),
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
            Finding::EndlessStep(label) => ("endless-step", Some(label)),
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
