//! What an audit found, for people and for programs.

use ample_audit::{Audited, Difference, PlanResult, ShownTransition, Standing, StateLine, Structure};
use ample_check::{Pick, Verdict};
use serde_json::{Value, json};

use crate::asked::Asked;
use crate::{Look, Paint, Subject, numbers};

/// More differences than this are not shown to people; JSON has them all.
const MOST_SHOWN: usize = 5;

/// The columns of the table; the last only if it is needed.
const COLUMNS: [(&str, Standing); 5] = [
    ("agree", Standing::Agrees),
    ("refused", Standing::Refused),
    ("cut off", Standing::Unsettled),
    ("skipped", Standing::Skipped),
    ("differ", Standing::Differs),
];

/// What is said in the end.
pub struct AuditReport<'a> {
    /// What was asked.
    pub asked: Asked<'a>,
    /// The seed of the random choices.
    pub seed: u64,
    /// The model.
    pub subject: &'a Subject<'a>,
    /// What was found, property by property.
    pub audited: &'a [Audited],
    /// How long it took.
    pub seconds: f64,
}

impl AuditReport<'_> {
    /// For people. If it is to be verbose, each plan has a line.
    pub fn text(&self, is_verbose: bool, look: Look) -> String {
        let texts: Vec<String> = self.audited.iter().map(|audited| self.property(audited, is_verbose, look)).collect();
        texts.join("\n")
    }

    fn property(&self, audited: &Audited, is_verbose: bool, look: Look) -> String {
        let mut text = look.colour.paint(Paint::Heading, &audited.name) + "\n";
        if let Some(reason) = &audited.reason {
            return text + &format!("{}{reason}\n", word(Verdict::Unknown.name(), Paint::Doubt, look));
        }
        text += "\n";
        text += &self.table(audited, look);
        text += "\n";
        text += &reference(audited);
        text += &structures(&audited.structures);
        if is_verbose {
            text += "\n";
            audited.plans.iter().for_each(|result| text += &plan_line(result));
            text += "\n";
        }
        text += &verdict(audited, look);
        audited.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
        // Each kind once; the same is often wrong in many ways.
        let mut shown: Vec<&Difference> = Vec::new();
        for difference in &audited.differences {
            let is_new = shown.iter().all(|other| kind(other) != kind(difference));
            if is_new && shown.len() < MOST_SHOWN {
                shown.push(difference);
                text += "\n";
                text += &self.difference(audited, difference);
            }
        }
        if audited.differences.len() > shown.len() {
            text += &format!("\n{} more are not shown; --json lists them\n", audited.differences.len() - shown.len());
        }
        text
    }

    /// A line for each reduction.
    fn table(&self, audited: &Audited, look: Look) -> String {
        let mut rows: Vec<(&str, Vec<&PlanResult>)> = Vec::new();
        for result in &audited.plans {
            let group = result.plan.group();
            match rows.iter_mut().find(|(name, _)| *name == group) {
                Some((_, results)) => results.push(result),
                None => rows.push((group, vec![result])),
            }
        }
        let kind = |results: &[&PlanResult]| {
            results.first().map(|result| (result.plan.under.is_some(), !result.plan.is_full()))
        };
        rows.sort_by_key(|(name, results)| (kind(results), *name));
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let all_agree = audited.count(Standing::Differs) == 0;
        let columns = &COLUMNS[..COLUMNS.len() - usize::from(all_agree)];
        let heads = std::iter::once("plans").chain(columns.iter().map(|(head, _)| *head));
        let heading = heads.map(|head| format!("  {head:>7}")).collect::<String>();
        let mut text = look.colour.paint(Paint::Heading, &format!("  {:width$}{heading}", "")) + "\n";
        for (name, results) in rows {
            let count = |standing: Standing| results.iter().filter(|result| result.standing == standing).count();
            let numbers = std::iter::once(results.len()).chain(columns.iter().map(|(_, standing)| count(*standing)));
            text += &format!("  {name:width$}{}\n", numbers.map(|number| format!("  {number:>7}")).collect::<String>());
        }
        text
    }

    fn difference(&self, audited: &Audited, difference: &Difference) -> String {
        let mut text = format!("internal error: {}\n", difference.what);
        text += &format!("  {} (seed {})\n", self.command(audited, difference), self.seed);
        if !difference.state.is_empty() {
            text += "  in the state\n";
        }
        for line in &difference.state {
            let place = line.span.map(|span| format!("  {}", self.subject.place(span))).unwrap_or_default();
            let is = if line.span.is_some() { " " } else { " = " };
            text += &format!("    {}{is}{}{place}\n", line.name, line.value);
        }
        let is_pair = difference.conflicting.len() > 1;
        let conflict = if is_pair { "these depend on each other" } else { "this is what only one of them does" };
        let lists = [
            ("these are chosen", &difference.chosen),
            ("after these", &difference.path),
            (conflict, &difference.conflicting),
        ];
        for (title, transitions) in lists.into_iter().filter(|(_, transitions)| !transitions.is_empty()) {
            text += &format!("  {title}\n");
            transitions.iter().for_each(|transition| text += &self.transition(transition));
        }
        text
    }

    fn transition(&self, transition: &ShownTransition) -> String {
        let steps = transition.steps.iter();
        let shown = steps.map(|(process, statement, span)| {
            let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{process}: {statement}  {}", self.subject.place(*span))
        });
        format!("    {}\n", shown.collect::<Vec<_>>().join("; "))
    }

    /// How to ask in the way that shows a difference.
    fn command(&self, audited: &Audited, difference: &Difference) -> String {
        self.asked.command(&audited.name, &difference.plan.flags())
    }

    /// For programs.
    pub fn json(&self) -> String {
        let verdict = self.audited.iter().map(|audited| audited.verdict).fold(Verdict::Holds, Verdict::combine);
        let object = json!({
            "format": 1,
            "model": self.asked.model,
            "verdict": verdict.name(),
            "agree": self.audited.iter().all(|audited| audited.differences.is_empty()),
            "seed": self.seed,
            "seconds": self.seconds,
            "properties": self.audited.iter().map(|audited| self.property_object(audited)).collect::<Vec<_>>(),
        });
        format!("{object}\n")
    }

    fn property_object(&self, audited: &Audited) -> Value {
        let differences = audited.differences.iter().map(|difference| self.difference_object(audited, difference));
        json!({
            "name": audited.name,
            "kind": audited.kind,
            "verdict": audited.verdict.name(),
            "reason": audited.reason,
            "notes": audited.notes,
            "reference": audited.reference,
            "agree": audited.count(Standing::Agrees),
            "refused": audited.count(Standing::Refused),
            "cut_off": audited.count(Standing::Unsettled),
            "skipped": audited.count(Standing::Skipped),
            "plans": audited.plans.iter().map(plan_object).collect::<Vec<_>>(),
            "reductions": audited.structures.iter().map(structure_object).collect::<Vec<_>>(),
            "differences": differences.collect::<Vec<_>>(),
        })
    }

    fn difference_object(&self, audited: &Audited, difference: &Difference) -> Value {
        let line = |line: &StateLine| json!({ "name": line.name, "value": line.value, "place": line.span.map(|span| self.subject.place(span)) });
        let step = |(process, statement, span): &(String, String, _)| json!({ "process": process, "statement": statement, "place": self.subject.place(*span) });
        let list = |transitions: &[ShownTransition]| {
            let steps = transitions.iter().map(|shown| shown.steps.iter().map(step).collect::<Vec<_>>());
            steps.collect::<Vec<_>>()
        };
        json!({
            "what": difference.what,
            "command": self.command(audited, difference),
            "state": difference.state.iter().map(line).collect::<Vec<_>>(),
            "chosen": list(&difference.chosen),
            "path": list(&difference.path),
            "conflicting": list(&difference.conflicting),
        })
    }
}

/// What a difference begins with.
fn kind(difference: &Difference) -> &str {
    difference.what.split([':', ',']).next().unwrap_or_default()
}

fn word(word: &str, paint: Paint, look: Look) -> String {
    let word = word.to_uppercase();
    let gap = " ".repeat(10_usize.saturating_sub(word.len()).max(1));
    look.colour.paint(paint, &word) + &gap
}

/// The line that counts.
fn verdict(audited: &Audited, look: Look) -> String {
    let agree = audited.count(Standing::Agrees);
    let asked = agree + audited.count(Standing::Differs);
    match (audited.differences.len(), audited.verdict) {
        (0, Verdict::Unknown) if agree == 0 => {
            word("unknown", Paint::Doubt, look) + "no search came to an answer within the budget\n"
        }
        (0, Verdict::Unknown) => {
            let words = "no error found, but by one plan only, and there was nothing to compare with it";
            format!("{}{words}\n", word("unknown", Paint::Doubt, look))
        }
        (0, verdict) if agree == 1 => {
            let paint = if verdict == Verdict::Holds { Paint::Good } else { Paint::Bad };
            format!("{}by one plan; no other came to an answer\n", word(verdict.name(), paint, look))
        }
        (0, verdict) => {
            let paint = if verdict == Verdict::Holds { Paint::Good } else { Paint::Bad };
            format!("{}all {} agree: {}\n", word(verdict.name(), paint, look), plans(agree), verdict.name())
        }
        (differences, _) => {
            let found = numbers::count(differences as u64, "difference");
            format!("{}{found}; {agree} of {} agree\n", word("different", Paint::Bad, look), plans(asked))
        }
    }
}

fn plans(count: usize) -> String {
    numbers::count(count as u64, "plan")
}

/// What everything is compared with.
fn reference(audited: &Audited) -> String {
    let Some(result) = audited.reference.and_then(|number| audited.plans.get(number)) else { return String::new() };
    let counts = |result: &PlanResult| {
        let states = numbers::count(result.counts.states, "state");
        format!("{states}, {}", numbers::count(result.counts.transitions, "transition"))
    };
    let mut text = String::new();
    if let Some(first) = audited.plans.first().filter(|first| first.standing == Standing::Unsettled) {
        let why = first.reason.clone().unwrap_or_default();
        text += &format!("the full search by the interpreter is not complete, nothing is compared with it: {why}\n");
    }
    if result.standing == Standing::Unsettled {
        return text;
    }
    let (way, store) = (result.plan.algorithm.name, result.plan.store.name);
    let how = format!("{}, all transitions, {way}, {store}, 1 thread", result.plan.execution.name());
    text + &format!("reference: {how}: {}\n", counts(result))
}

/// What was found out about reductions beyond their verdicts.
fn structures(structures: &[Structure]) -> String {
    if structures.is_empty() {
        return String::new();
    }
    let sum = |number: fn(&Structure) -> usize| structures.iter().map(number).sum::<usize>() as u64;
    let mut relations: Vec<&str> = Vec::new();
    for relation in structures.iter().flat_map(|structure| &structure.relations) {
        if !relations.contains(relation) {
            relations.push(relation);
        }
    }
    let recorded = numbers::count(structures.len() as u64, "reduced search").replace("searchs", "searches");
    let mut text = format!(
        "reductions: {recorded} recorded; {} held against C0 and C1 in {}\n",
        numbers::count(sum(|structure| structure.samples), "choice"),
        numbers::count(sum(|structure| structure.visited), "state"),
    );
    let compared = structures.iter().filter(|structure| structure.full_states.is_some()).count();
    if compared > 0 {
        text += &format!("            {compared} compared with the full system: {}\n", relations.join(", "));
    }
    let cycles = structures.iter().filter(|structure| structure.has_cycle_check).count();
    if cycles > 0 {
        text += &format!("            {cycles} held against C3\n");
    }
    text
}

fn plan_line(result: &PlanResult) -> String {
    let standing = result.standing.name();
    let what = match (result.verdict, &result.reason) {
        (Some(verdict), _) if result.standing == Standing::Agrees => {
            format!(": {}, {}", verdict.name(), numbers::count(result.counts.states, "state"))
        }
        (_, Some(reason)) => format!(": {reason}"),
        _ => String::new(),
    };
    format!("  {standing:<8} {} ({}){what}\n", result.plan.flags(), result.plan.execution.name())
}

fn plan_object(result: &PlanResult) -> Value {
    let reduction = result.plan.reduction.map(|(expander, condition)| [expander.name, condition.name]);
    let pick = |pick: Pick| if pick == Pick::Guided { "guided" } else { "random" };
    let under = result.plan.under.as_ref().map(|under| [under.part.name, under.expander.name, pick(under.pick)]);
    json!({
        "standing": result.standing.name(),
        "flags": result.plan.flags(),
        "execution": result.plan.execution.name(),
        "reduction": reduction,
        "under": under,
        "order": result.plan.algorithm.name,
        "store": result.plan.store.name,
        "threads": result.plan.threads,
        "verdict": result.verdict.map(Verdict::name),
        "reason": result.reason,
        "states": result.counts.states,
        "transitions": result.counts.transitions,
        "seconds": result.seconds,
    })
}

fn structure_object(structure: &Structure) -> Value {
    json!({
        "flags": structure.plan.flags(),
        "states": structure.states,
        "reduced_states": structure.reduced,
        "full_states": structure.full_states,
        "relations": structure.relations,
        "samples": structure.samples,
        "visited": structure.visited,
        "cycle_condition_checked": structure.has_cycle_check,
    })
}
