//! The steps of a run as rows of a table, some left out if there are very many.

use std::ops::Range;

use ample_interpret::Interpreter;
use ample_replay::{Step, Steps};
use ample_transition::{Fault, Trace};

use crate::numbers::count;
use crate::shown::{bracket_between, effects};
use crate::{ReplayedRun, Subject};

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

/// As many rows are kept while a table is made; of more, each is made whenever it is needed.
const MOST_KEPT: usize = 1_000;

/// Where steps come from, as often as they are asked for.
#[derive(Copy, Clone)]
pub enum Source<'a> {
    /// Some steps.
    Kept(&'a [Step]),
    /// So many steps of a trace that is run again.
    Run(&'a Interpreter<'a>, &'a Trace, usize),
}

impl<'a> Source<'a> {
    /// How many steps there are.
    pub fn count(self) -> usize {
        match self {
            Source::Kept(steps) => steps.len(),
            Source::Run(_, _, count) => count,
        }
    }

    fn range(self, range: Range<usize>) -> Box<dyn Iterator<Item = Step> + 'a> {
        match self {
            Source::Kept(steps) => Box::new(steps.get(range).unwrap_or_default().iter().cloned()),
            Source::Run(interpreter, trace, _) => {
                Box::new(Steps::new(interpreter, trace, range.end).after(range.start))
            }
        }
    }
}

/// What is special about some steps.
#[derive(Copy, Clone, Debug, Default)]
pub struct Special<'f> {
    /// The position of the step at fault, and the fault.
    pub fault: Option<(usize, &'f Fault)>,
    /// The position from which on the steps are repeated for ever.
    pub cycle: Option<usize>,
}

/// One step, ready to be laid out.
pub(crate) struct Row {
    pub number: usize,
    pub step: Step,
    pub bracket: &'static str,
    pub effects: Vec<String>,
    pub is_fault: bool,
}

/// A piece of a long run.
pub(crate) enum Item {
    Row(Box<Row>),
    /// So many steps are left out here.
    Gap(usize),
    /// The steps that follow are repeated for ever.
    Cycle,
}

/// The rows of a table.
pub struct Rows<'a> {
    pub(crate) subject: &'a Subject<'a>,
    source: Source<'a>,
    special: Special<'a>,
    cut: Range<usize>,
    kept: Option<Vec<Item>>,
}

impl<'a> Rows<'a> {
    /// Any steps.
    pub fn new(subject: &'a Subject<'a>, source: Source<'a>, special: Special<'a>, extent: Extent) -> Rows<'a> {
        let all = source.count();
        let cut = if extent == Extent::Ends && all > MANY { FIRST..all - LAST } else { all..all };
        let mut rows = Rows { subject, source, special, cut, kept: None };
        if all - rows.cut.len() <= MOST_KEPT {
            let mut kept = Vec::new();
            rows.make(&mut |item| kept.push(item));
            rows.kept = Some(kept);
        }
        rows
    }

    /// The steps of a run up to its fault.
    pub(crate) fn of_run(subject: &'a Subject<'a>, run: ReplayedRun<'a>, extent: Extent) -> Rows<'a> {
        let ReplayedRun { trace, replayed } = run;
        let fault = replayed.fault_at.map(|at| (at, &replayed.fault));
        let source = Source::Run(subject.interpreter, trace, replayed.moves);
        Rows::new(subject, source, Special { fault, cycle: replayed.cycle }, extent)
    }

    /// How many steps there are, with those that are left out.
    pub(crate) fn all(&self) -> usize {
        self.source.count()
    }

    /// Looks at each item, in order.
    pub(crate) fn each(&self, see: &mut dyn FnMut(&Item)) {
        match &self.kept {
            Some(kept) => kept.iter().for_each(see),
            None => self.make(&mut |item| see(&item)),
        }
    }

    /// Looks at each row, in order.
    pub(crate) fn each_row(&self, see: &mut dyn FnMut(&Row)) {
        self.each(&mut |item| {
            if let Item::Row(row) = item {
                see(row);
            }
        });
    }

    fn make(&self, put: &mut dyn FnMut(Item)) {
        self.make_range(0..self.cut.start, put);
        if !self.cut.is_empty() {
            self.make_gap(put);
            self.make_range(self.cut.end..self.all(), put);
        }
    }

    fn make_gap(&self, put: &mut dyn FnMut(Item)) {
        let Range { start, end } = self.cut;
        // Where the cycle begins is said even if its first steps are left out.
        let cycle = self.special.cycle.filter(|cycle| self.cut.contains(cycle));
        let until = cycle.unwrap_or(end);
        if until > start {
            put(Item::Gap(until - start));
        }
        if cycle.is_some() {
            put(Item::Cycle);
            put(Item::Gap(end - until));
        }
    }

    /// The rows of these steps. The steps beside them tell which of them belong together.
    fn make_range(&self, range: Range<usize>, put: &mut dyn FnMut(Item)) {
        let first = range.start.saturating_sub(1);
        let mut steps = self.source.range(first..(range.end + 1).min(self.all())).zip(first..).peekable();
        let mut before = None;
        while let Some((step, at)) = steps.next() {
            let (transition, after) = (step.transition, steps.peek().map(|(step, _)| step.transition));
            if range.contains(&at) {
                if self.special.cycle == Some(at) {
                    put(Item::Cycle);
                }
                put(Item::Row(Box::new(self.row(at, step, before, after))));
            }
            before = Some(transition);
        }
    }

    fn row(&self, at: usize, step: Step, before: Option<usize>, after: Option<usize>) -> Row {
        let fault = self.special.fault.filter(|(number, _)| *number == at).map(|(_, fault)| fault);
        let effects = effects(self.subject, &step, fault);
        let bracket = bracket_between(before, &step, after);
        Row { number: at + 1, step, bracket, effects, is_fault: fault.is_some() }
    }
}

/// What is said before the steps that are repeated for ever.
pub(crate) const CYCLE_WORDS: &str = "from here on, over and over:";

/// What is said in place of the steps that are left out.
pub(crate) fn gap_words(steps: usize) -> String {
    format!("{} not shown; the replay shows all", count(steps as u64, "step"))
}

/// How many columns the numbers of steps take, with the heading above them.
pub(crate) fn number_width(steps: usize) -> usize {
    steps.to_string().len().max("step".len())
}
