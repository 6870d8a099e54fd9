//! A run as a table with one lane per process, or as a list where the lanes do not fit.

use std::collections::BTreeMap;
use std::fmt;

use ample_replay::Participant;

use crate::rows::{CYCLE_WORDS, Item, Row, gap_words, number_width};
pub use crate::rows::{Extent, Rows, Source, Special};
use crate::shown::{NO_BRACKET, statement};
use crate::wrap::{pad, width, wrap};
use crate::{Look, Paint, Subject, list};

const GAP: usize = 2;
const LEAST_LANE: usize = 20;
const LEAST_CHANGED: usize = 22;

/// Writes the steps.
pub fn write(rows: &Rows<'_>, look: Look, out: &mut dyn fmt::Write) -> fmt::Result {
    let subject = rows.subject;
    let mut lanes: BTreeMap<u16, Lane> = BTreeMap::new();
    let (mut changed, mut bracket) = ("changed".len(), 0);
    rows.each_row(&mut |row| {
        for participant in std::iter::once(&row.step.mover).chain(&row.step.partner) {
            lanes.entry(participant.pid).or_default().see(subject, participant, row.step.ended);
        }
        changed = changed.max(width(&row.effects.join(", ")));
        bracket = bracket.max(usize::from(row.bracket != NO_BRACKET));
    });
    let left = 2 + number_width(rows.all()) + bracket + GAP;
    let mut widths: Vec<(usize, usize)> = lanes.values().map(|lane| (lane.natural(), LEAST_LANE)).collect();
    widths.push((changed, LEAST_CHANGED));
    let Some(widths) = fit(widths, look.width.saturating_sub(left)) else {
        return list::write(rows, look, out);
    };
    for (lane, width) in lanes.values_mut().zip(&widths) {
        lane.width = *width;
    }
    let changed = widths.last().copied().unwrap_or(LEAST_CHANGED);
    let layout = Layout { subject, lanes, changed, number: left - GAP - bracket, left, look };
    layout.write(rows, out)
}

/// Makes the widest columns smaller, none below its least width, until all fit; `None` if they
/// cannot.
fn fit(columns: Vec<(usize, usize)>, room: usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = columns.iter().map(|(natural, _)| *natural).collect();
    let gaps = GAP * columns.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        let shrinkable = widths.iter_mut().zip(&columns).filter(|(width, (_, least))| **width > *least);
        *shrinkable.max_by_key(|(width, _)| **width)?.0 -= 1;
    }
    Some(widths)
}

/// The column of one process.
#[derive(Default)]
struct Lane {
    name: String,
    place: usize,
    statement: usize,
    width: usize,
}

impl Lane {
    fn see(&mut self, subject: &Subject<'_>, participant: &Participant, ended: bool) {
        if self.name.is_empty() {
            self.name.clone_from(&participant.name);
        } else if !self.name.split('|').any(|name| name == participant.name) {
            // The number of a process that ended is given to the next.
            self.name = format!("{}|{}", self.name, participant.name);
        }
        self.place = self.place.max(width(&subject.short_place(participant.span)));
        self.statement = self.statement.max(width(&statement(participant, ended)));
    }

    fn natural(&self) -> usize {
        width(&self.name).max(self.place + 2 + self.statement)
    }
}

struct Layout<'a> {
    subject: &'a Subject<'a>,
    lanes: BTreeMap<u16, Lane>,
    changed: usize,
    /// How many columns the number takes, with the blanks before it.
    number: usize,
    /// How many columns there are before the first lane.
    left: usize,
    look: Look,
}

impl Layout<'_> {
    fn write(&self, rows: &Rows<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        let (number, left) = (self.number, self.left);
        let mut heading: Vec<Vec<String>> = self.lanes.values().map(|lane| wrap(&lane.name, lane.width)).collect();
        heading.push(vec!["changed".to_owned()]);
        out.write_str(&self.lines(&pad(&format!("{:>number$}", "step"), left), &heading, Some(Paint::Heading)))?;
        let mut result = Ok(());
        rows.each(&mut |item| {
            if result.is_ok() {
                result = out.write_str(&self.item(item));
            }
        });
        result
    }

    fn item(&self, item: &Item) -> String {
        let (number, left) = (self.number, self.left);
        let words = |sign: &str, words: &str, paint| {
            let words = format!("{}{words}", pad(&format!("{sign:>number$}"), left));
            self.look.colour.paint(paint, &words) + "\n"
        };
        match item {
            Item::Row(row) => {
                let paint = row.is_fault.then_some(Paint::Bad);
                let left = pad(&format!("{:>number$}{}", row.number, row.bracket), left);
                self.lines(&left, &self.cells(row), paint)
            }
            Item::Gap(steps) => words("…", &gap_words(*steps), Paint::Faint),
            Item::Cycle => words("⟳", CYCLE_WORDS, Paint::Heading),
        }
    }

    fn cells(&self, row: &Row) -> Vec<Vec<String>> {
        let participants = || std::iter::once(&row.step.mover).chain(&row.step.partner);
        let cell = |(pid, lane): (&u16, &Lane)| {
            let Some(participant) = participants().find(|participant| participant.pid == *pid) else {
                return Vec::new();
            };
            let mut place = self.subject.short_place(participant.span);
            let mut lines = Vec::new();
            for line in wrap(&statement(participant, row.step.ended), lane.width.saturating_sub(lane.place + 2)) {
                lines.push(format!("{}  {line}", pad(&place, lane.place)));
                place.clear();
            }
            lines
        };
        let mut cells: Vec<Vec<String>> = self.lanes.iter().map(cell).collect();
        cells.push(wrap(&row.effects.join(", "), self.changed));
        cells
    }

    /// The lines of one row: as many as its highest cell has.
    fn lines(&self, left: &str, cells: &[Vec<String>], paint: Option<Paint>) -> String {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let mut text = String::new();
        for number in 0..height {
            let mut line = if number == 0 { left.to_owned() } else { " ".repeat(width(left)) };
            let widths = self.lanes.values().map(|lane| lane.width + GAP).chain([0]);
            for (cell, width) in cells.iter().zip(widths) {
                line += &pad(cell.get(number).map_or("", String::as_str), width);
            }
            let line = line.trim_end();
            text += &paint.map_or_else(|| line.to_owned(), |paint| self.look.colour.paint(paint, line));
            text.push('\n');
        }
        text
    }
}
