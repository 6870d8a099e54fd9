//! A run as a table with one lane per process, or as a list where the lanes do not fit.

use std::collections::BTreeMap;

use ample_replay::{Participant, Replayed, Step};
use ample_transition::Fault;

use crate::numbers::count;
use crate::shown::{brackets, effects, statement};
use crate::wrap::{pad, width, wrap};
use crate::{Look, Paint, Subject, list};

const GAP: usize = 2;
const LEAST_LANE: usize = 20;
const LEAST_CHANGED: usize = 22;

/// Which of many steps are shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All.
    All,
    /// The first few and the last, if there are very many.
    Ends,
}

/// More steps than this are cut in the middle.
const MANY: usize = 200;
const FIRST: usize = 20;
const LAST: usize = 60;

/// One step, ready to be laid out.
pub(crate) struct Row<'s> {
    pub number: usize,
    pub step: &'s Step,
    pub bracket: &'static str,
    pub effects: Vec<String>,
    pub is_fault: bool,
}

/// A piece of a long run.
pub(crate) enum Item<'s> {
    Row(Row<'s>),
    /// So many steps are left out here.
    Gap(usize),
    /// The steps that follow are repeated for ever.
    Cycle,
}

/// The steps up to the fault.
pub fn table(subject: &Subject<'_>, replayed: &Replayed, extent: Extent, look: Look) -> String {
    let fault = replayed.fault_at.map(|at| (at, &replayed.fault));
    steps(subject, replayed.steps_to_fault(), Special { fault, cycle: replayed.cycle }, extent, look)
}

/// What is special about some steps.
#[derive(Copy, Clone, Debug, Default)]
pub struct Special<'f> {
    /// The position of the step at fault, and the fault.
    pub fault: Option<(usize, &'f Fault)>,
    /// The position from which on the steps are repeated for ever.
    pub cycle: Option<usize>,
}

/// Any steps.
pub fn steps(subject: &Subject<'_>, steps: &[Step], special: Special<'_>, extent: Extent, look: Look) -> String {
    let items = items(subject, steps, special, extent);
    let rows = || {
        items.iter().filter_map(|item| match item {
            Item::Row(row) => Some(row),
            Item::Gap(_) | Item::Cycle => None,
        })
    };
    let mut lanes: BTreeMap<u16, Lane> = BTreeMap::new();
    for row in rows() {
        for participant in std::iter::once(&row.step.mover).chain(&row.step.partner) {
            lanes.entry(participant.pid).or_default().see(subject, participant, row.step.ended);
        }
    }
    let bracket = rows().map(|row| width(row.bracket)).max().unwrap_or(0);
    let left = 2 + number_width(steps.len()) + bracket + GAP;
    let changed = rows().map(|row| width(&row.effects.join(", "))).max().unwrap_or(0).max("changed".len());
    let mut widths: Vec<(usize, usize)> = lanes.values().map(|lane| (lane.natural(), LEAST_LANE)).collect();
    widths.push((changed, LEAST_CHANGED));
    let Some(widths) = fit(widths, look.width.saturating_sub(left)) else {
        return list::table(subject, &items, look);
    };
    for (lane, width) in lanes.values_mut().zip(&widths) {
        lane.width = *width;
    }
    let changed = widths.last().copied().unwrap_or(LEAST_CHANGED);
    let layout = Layout { subject, lanes, changed, number: left - GAP - bracket, left, look };
    layout.write(&items)
}

fn items<'s>(subject: &Subject<'_>, steps: &'s [Step], special: Special<'_>, extent: Extent) -> Vec<Item<'s>> {
    let brackets = brackets(steps);
    let cut = if extent == Extent::Ends && steps.len() > MANY { FIRST..steps.len() - LAST } else { 0..0 };
    let mut items = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if special.cycle == Some(at) {
            items.push(Item::Cycle);
        }
        if cut.contains(&at) {
            if at == cut.start {
                items.push(Item::Gap(cut.len()));
            }
            continue;
        }
        let fault = special.fault.filter(|(number, _)| *number == at).map(|(_, fault)| fault);
        let (number, is_fault, effects) = (at + 1, fault.is_some(), effects(subject, step, fault));
        items.push(Item::Row(Row { number, step, bracket: brackets[at], effects, is_fault }));
    }
    items
}

/// What is said before the steps that are repeated for ever.
pub(crate) const CYCLE_WORDS: &str = "from here on, over and over:";

/// What is said in place of the steps that are left out.
pub(crate) fn gap_words(steps: usize) -> String {
    format!("{} not shown; the replay shows all", count(steps as u64, "step"))
}

/// How many columns the numbers take, with the heading above them.
pub(crate) fn number_width(steps: usize) -> usize {
    steps.to_string().len().max("step".len())
}

/// Makes the widest columns smaller, none below its least width, until all fit; `None` if they cannot.
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
    fn write(&self, items: &[Item<'_>]) -> String {
        let (number, left) = (self.number, self.left);
        let mut heading: Vec<Vec<String>> = self.lanes.values().map(|lane| wrap(&lane.name, lane.width)).collect();
        heading.push(vec!["changed".to_owned()]);
        let mut text = self.lines(&pad(&format!("{:>number$}", "step"), left), &heading, Some(Paint::Heading));
        for item in items {
            match item {
                Item::Row(row) => {
                    let paint = row.is_fault.then_some(Paint::Bad);
                    let left = pad(&format!("{:>number$}{}", row.number, row.bracket), left);
                    text += &self.lines(&left, &self.cells(row), paint);
                }
                Item::Gap(steps) => {
                    let words = format!("{}{}", pad(&format!("{:>number$}", "…"), left), gap_words(*steps));
                    text += &(self.look.colour.paint(Paint::Faint, &words) + "\n");
                }
                Item::Cycle => {
                    let words = format!("{}{CYCLE_WORDS}", pad(&format!("{:>number$}", "⟳"), left));
                    text += &(self.look.colour.paint(Paint::Heading, &words) + "\n");
                }
            }
        }
        text
    }

    fn cells(&self, row: &Row<'_>) -> Vec<Vec<String>> {
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
