//! Which statements were never executed.
//!
//! The statements inside a `d_step` are left out: they are executed as one move, and a search sees
//! only that.

use ample_check::{Coverage, Outcome, Worth};
use ample_guarantee::{Omission, PropertyClass};
use ample_model::{Action, Edge, LocationId, Template, TemplateKind};
use ample_search::Ended;
use ample_stdx::BitSet;

use crate::numbers::count;
use crate::wrap::{one_line, pad, width};
use crate::{Look, Paint, Subject};

/// A statement that was never executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The process template it belongs to.
    pub process: String,
    /// The file it stands in.
    pub file: String,
    /// The line it stands on.
    pub line: u32,
    /// `:line` or `file:line`.
    pub place: String,
    /// The statement.
    pub statement: String,
}

/// What the searches of an outcome covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The statements that were never executed, in the order of the model.
    pub unreached: Vec<Unreached>,
    /// How many statements there are.
    pub statements: usize,
    /// Whether everything was explored that can be, so that they never are.
    pub is_complete: bool,
    /// Whether a search came to its end, even if it left out something.
    pub has_ended: bool,
}

/// What the searches of an outcome covered; `None` if nobody looked.
pub fn summary(subject: &Subject<'_>, outcome: &Outcome) -> Option<Summary> {
    let searched: Vec<&Coverage> =
        outcome.properties.iter().filter_map(|property| property.coverage.as_ref()).collect();
    if searched.is_empty() {
        return None;
    }
    let mut ended = outcome.properties.iter().filter(|property| property.ended == Some(Ended::Complete)).peekable();
    let has_ended = ended.peek().is_some();
    let is_complete = ended.any(|property| misses_no_statement(&property.guarantee));
    let mut summary = Summary { unreached: Vec::new(), statements: 0, is_complete, has_ended };
    for (id, template) in subject.interpreter.model().templates.iter_enumerated() {
        if !matches!(template.kind, TemplateKind::Process | TemplateKind::Init) {
            continue;
        }
        let connected = connected(template);
        let mut statements: Vec<(&Edge, bool)> = Vec::new();
        for (edge_id, edge) in template.edges.iter_enumerated() {
            let is_layout = matches!(edge.action, Action::Skip) && !connected.contains(edge.source);
            if template.locations[edge.source].d_step.is_some() || is_layout {
                continue;
            }
            let is_reached = searched.iter().any(|coverage| coverage.is_reached(id, edge_id));
            // Several edges may come from one statement: it is reached if one of them is.
            let same = |(other, _): &&mut (&Edge, bool)| other.statement == edge.statement && other.text == edge.text;
            match statements.iter_mut().find(same) {
                Some((_, reached)) => *reached |= is_reached,
                None => statements.push((edge, is_reached)),
            }
        }
        summary.statements += statements.len();
        let missing = statements.into_iter().filter(|(_, reached)| !reached);
        summary.unreached.extend(missing.map(|(edge, _)| unreached(subject, &template.name, edge)));
    }
    Some(summary)
}

/// The locations to which edges lead from the entry. A `skip`, `goto` or `break` elsewhere is a
/// trace of how the statements were laid out; any other statement there is dead code of the
/// author's.
fn connected(template: &Template) -> BitSet<LocationId> {
    let mut connected = BitSet::new();
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        if connected.insert(location) {
            open.extend(template.locations[location].edges.iter().map(|edge| template.edges[*edge].target));
        }
    }
    connected
}

/// Whether a search that came to its end has executed every statement that can be.
fn misses_no_statement(worth: &Worth) -> bool {
    let Worth::Guarantee(guarantee) = worth else { return false };
    guarantee.omission == Omission::None && guarantee.no_missed.contains(PropertyClass::LocalReachability)
}

fn unreached(subject: &Subject<'_>, process: &str, edge: &Edge) -> Unreached {
    let location = subject.sources.location(edge.span);
    Unreached {
        process: process.to_owned(),
        file: location.file.to_owned(),
        line: location.line,
        place: subject.short_place(edge.span),
        statement: if matches!(edge.action, Action::End) { "(its end)".to_owned() } else { one_line(&edge.text) },
    }
}

/// The summary as text.
pub fn text(summary: &Summary, look: Look) -> String {
    let statements = count(summary.statements as u64, "statement");
    if summary.unreached.is_empty() {
        return format!("coverage: every one of {statements} was executed\n");
    }
    let verb = if summary.is_complete { "can never be executed" } else { "were not executed so far" };
    let head = format!("coverage: {} of {statements} {verb}", summary.unreached.len());
    let mut text = look.colour.paint(Paint::Heading, &head) + "\n";
    let process = summary.unreached.iter().map(|entry| width(&entry.process)).max().unwrap_or(0);
    let place = summary.unreached.iter().map(|entry| width(&entry.place)).max().unwrap_or(0);
    let mut last = "";
    for entry in &summary.unreached {
        let name = if entry.process == last { "" } else { &entry.process };
        last = &entry.process;
        text += &format!("  {}  {}  {}\n", pad(name, process), pad(&entry.place, place), entry.statement);
    }
    if !summary.is_complete && summary.has_ended {
        text += "  the search left out states that may execute them\n";
    } else if !summary.is_complete {
        text += "  the search stopped early; --keep-going explores everything\n";
    }
    text
}
