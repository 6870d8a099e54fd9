//! A run as a list: one line per participant of a step. It needs little width, and can be written
//! while the run goes on.

use std::fmt;

use ample_model::Model;
use ample_replay::{Step, step_text};
use ample_transition::Fault;

use crate::rows::{CYCLE_WORDS, Item, Row, Rows, gap_words, number_width};
use crate::shown::{bracket, effects, statement};
use crate::wrap::{pad, width, wrap};
use crate::{Look, Paint, Subject};

const GAP: &str = "  ";
const WIDEST_STATEMENT: usize = 44;

/// The widths of the columns.
#[derive(Clone, Debug)]
pub struct Columns {
    number: usize,
    process: usize,
    place: usize,
    statement: usize,
}

impl Columns {
    /// Widths that suit any run of a model of at most `steps` steps.
    pub fn for_model(subject: &Subject<'_>, model: &Model, steps: usize) -> Columns {
        let mut columns = Columns::least(number_width(steps));
        for template in model.templates.iter() {
            columns.process = columns.process.max(width(&template.name) + "[00]".len());
            for edge in template.edges.iter() {
                columns.see(&subject.short_place(edge.span), step_text(template, edge));
            }
        }
        columns
    }

    fn for_rows(subject: &Subject<'_>, rows: &Rows<'_>) -> Columns {
        let mut columns = Columns::least(0);
        rows.each_row(&mut |Row { number, step, .. }| {
            columns.number = number_width(*number);
            for participant in std::iter::once(&step.mover).chain(&step.partner) {
                columns.process = columns.process.max(width(&participant.name));
                columns.see(&subject.short_place(participant.span), &statement(participant, step.ended));
            }
        });
        columns
    }

    fn least(number: usize) -> Columns {
        Columns { number, process: "process".len(), place: "line".len(), statement: "statement".len() }
    }

    fn see(&mut self, place: &str, statement: &str) {
        self.place = self.place.max(width(place));
        self.statement = self.statement.max(width(statement)).min(WIDEST_STATEMENT);
    }

    /// The heading.
    pub fn heading(&self, look: Look) -> String {
        let Columns { number, process, place, statement } = *self;
        let line = format!(
            "  {:>number$}   {:<process$}{GAP}{:<place$}{GAP}{:<statement$}{GAP}changed",
            "step", "process", "line", "statement"
        );
        look.colour.paint(Paint::Heading, &line) + "\n"
    }

    /// One step. `fault` says that it is the step at fault, and why.
    pub fn step(&self, subject: &Subject<'_>, number: usize, step: &Step, fault: Option<&Fault>, look: Look) -> String {
        let effects = effects(subject, step, fault);
        let row = Row { number, step: step.clone(), bracket: bracket(step), effects, is_fault: fault.is_some() };
        self.row(subject, &row, look)
    }

    fn row(&self, subject: &Subject<'_>, row: &Row, look: Look) -> String {
        let Columns { number, process, place, statement: statement_width } = *self;
        let mut left = format!("  {:>number$}{:1}  ", row.number, row.bracket);
        let mut lines: Vec<String> = Vec::new();
        for participant in std::iter::once(&row.step.mover).chain(&row.step.partner) {
            let texts = wrap(&statement(participant, row.step.ended), statement_width);
            let (mut name, mut at) = (participant.name.clone(), subject.short_place(participant.span));
            for text in texts {
                lines.push(format!("{left}{name:<process$}{GAP}{at:<place$}{GAP}{text}"));
                left = format!("  {:>number$}{}  ", "", if matches!(row.bracket, "┌" | "│") { "│" } else { " " });
                name.clear();
                at.clear();
            }
        }
        let indent = 2 + number + 3 + process + place + statement_width + 3 * GAP.len();
        let effects = wrap(&row.effects.join(", "), look.width.saturating_sub(indent).max(20));
        let height = lines.len().max(effects.len());
        lines.resize(height, String::new());
        let mut text = String::new();
        for (line, effect) in lines.iter().zip(effects.iter().map(String::as_str).chain(std::iter::repeat(""))) {
            let line = pad(line, indent) + effect;
            let line = line.trim_end();
            text += &if row.is_fault { look.colour.paint(Paint::Bad, line) } else { line.to_owned() };
            text.push('\n');
        }
        text
    }
}

/// Writes the table of [`lanes`](crate::lanes) as a list.
pub(crate) fn write(rows: &Rows<'_>, look: Look, out: &mut dyn fmt::Write) -> fmt::Result {
    let subject = rows.subject;
    let columns = Columns::for_rows(subject, rows);
    out.write_str(&columns.heading(look))?;
    let words = |sign: &str, words: &str, paint| {
        let words = format!("  {sign:>0$}   {words}", columns.number);
        look.colour.paint(paint, &words) + "\n"
    };
    let mut result = Ok(());
    rows.each(&mut |item| {
        if result.is_ok() {
            result = out.write_str(&match item {
                Item::Row(row) => columns.row(subject, row, look),
                Item::Gap(steps) => words("…", &gap_words(*steps), Paint::Faint),
                Item::Cycle => words("⟳", CYCLE_WORDS, Paint::Heading),
            });
        }
    });
    result
}
