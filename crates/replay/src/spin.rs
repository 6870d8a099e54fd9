//! A run that Spin printed (`spin -t -p model.pml`), followed on our interpreter.
//!
//! Each line `3: proc 1 (P:1) m.pml:12 (state 5) [x = 1]` names a process and a state number, and
//! our locations carry the same numbers; where they do not, the line and the process must do. A
//! rendezvous is two lines, the sender's and the receiver's; a `d_step` is one line for each
//! statement inside. All other lines (output, values, claims) are passed over.

use ample_interpret::Outcome;
use ample_model::{Action, EdgeId, Template};
use ample_source::SourceMap;
use ample_transition::Pid;

use crate::{Run, Step};

/// One line of Spin that is a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpinLine {
    /// Its number in the text, from 1.
    pub number: usize,
    /// The number of the step, as Spin counts them: the statements of a `d_step` are one step.
    pub count: u64,
    /// The process.
    pub pid: Pid,
    /// What it does.
    pub event: SpinEvent,
}

/// What a process does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpinEvent {
    /// It executes a statement.
    Statement {
        /// The number of its state.
        state: usize,
        /// The line of the model.
        line: u32,
        /// The statement as Spin prints it.
        text: String,
    },
    /// It ends.
    Terminates,
}

/// Why a text could not be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpinError {
    /// No line is a move.
    #[error("no line is a move of a process; make the text with `spin -t -p MODEL`")]
    NoMoves,
    /// There is no initial state.
    #[error("there is no initial state: {0}")]
    NoInitialState(String),
    /// A line cannot be followed.
    #[error("line {number}: process {pid} cannot do {what} here; possible: {possible}")]
    Stuck {
        /// The line of the text.
        number: usize,
        /// The process.
        pid: Pid,
        /// What it should do.
        what: String,
        /// What could be done.
        possible: String,
    },
}

/// The lines that are moves.
pub fn parse(text: &str) -> Vec<SpinLine> {
    text.lines().enumerate().filter_map(|(index, line)| parse_line(index + 1, line)).collect()
}

/// `<count>: proc <pid> (<name>:<priority>) <file>:<line> (state <n>) [<text>]`, or `<count>: proc
/// <pid> terminates`. Without the brackets the line only says where a process is at the end. Output
/// of the model that does not end in a new line stands before the count.
fn parse_line(number: usize, line: &str) -> Option<SpinLine> {
    let at = line.find(":\tproc ").or_else(|| line.find(": proc "))?;
    let digits = line[..at].len() - line[..at].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let count: u64 = line[at - digits..at].parse().ok()?;
    let rest = line[at + ":\tproc ".len()..].trim_start();
    let (pid, rest) = rest.split_once(' ')?;
    let pid: Pid = pid.parse().ok()?;
    if rest.trim() == "terminates" {
        return Some(SpinLine { number, count, pid, event: SpinEvent::Terminates });
    }
    let (head, rest) = rest.split_once("(state ")?;
    let (state, rest) = rest.split_once(')')?;
    // Between them may stand that this is a valid end state.
    let (_, text) = rest.split_once("\t[")?;
    let text = text.trim_end().strip_suffix(']')?;
    let (_, line) = head.trim_end().rsplit_once(':')?;
    let event = SpinEvent::Statement { state: state.parse().ok()?, line: line.parse().ok()?, text: text.to_owned() };
    Some(SpinLine { number, count, pid, event })
}

/// How many moves that Spin did not print may be put in before one that it did.
const MOST_SILENT: usize = 16;

/// A point from which the rest of the lines is to be followed.
struct Point<'i, 'm> {
    run: Run<'i, 'm>,
    steps: usize,
    line: usize,
    silent: usize,
    choice: Option<Outcome>,
}

/// Follows the lines of `text` from the beginning of `run`. Several edges may fit one line: all are
/// tried, the first that leads to the end wins.
pub fn follow<'i, 'm>(
    start: Run<'i, 'm>,
    sources: &SourceMap,
    text: &str,
) -> Result<(Run<'i, 'm>, Vec<Step>), SpinError> {
    let lines = parse(text);
    if lines.is_empty() {
        return Err(SpinError::NoMoves);
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut furthest: Option<(usize, SpinError)> = None;
    let mut budget = 10_000 + 100 * lines.len();
    let mut open = vec![Point { run: start, steps: 0, line: 0, silent: 0, choice: None }];
    while let Some(mut point) = open.pop() {
        steps.truncate(point.steps);
        if let Some(outcome) = point.choice.take() {
            steps.push(point.run.take(outcome));
            point.steps += 1;
        }
        let Some(line) = lines.get(point.line) else { return Ok((point.run, steps)) };
        let choices = choices(&point, &lines, sources);
        if choices.is_empty() && furthest.as_ref().is_none_or(|(best, _)| *best < point.line) {
            furthest = Some((point.line, stuck(&point.run, line)));
        }
        budget = budget.saturating_sub(1);
        if budget == 0 {
            break;
        }
        // The last that is pushed is tried first.
        open.extend(choices.into_iter().rev());
    }
    Err(furthest.map_or(SpinError::NoMoves, |(_, error)| error))
}

/// The ways to go on from a point: the moves that fit its line, else a silent move of the same
/// process.
fn choices<'i, 'm>(point: &Point<'i, 'm>, lines: &[SpinLine], sources: &SourceMap) -> Vec<Point<'i, 'm>> {
    let line = &lines[point.line];
    let moves = point.run.moves();
    let mut fitting: Vec<Point<'i, 'm>> = Vec::new();
    for exact in [true, false] {
        for outcome in moves.iter().filter(|outcome| outcome.step.process == line.pid) {
            let Some(used) = lines_used(&point.run, outcome, &lines[point.line..], sources, exact) else { continue };
            // Two ways to the same state are one.
            let known = |other: &Point<'_, '_>| {
                other.line == point.line + used && other.choice.as_ref().is_some_and(|o| o.next == outcome.next)
            };
            if !fitting.iter().any(known) {
                fitting.push(next_point(point, outcome.clone(), used));
            }
        }
        if !fitting.is_empty() {
            return fitting;
        }
    }
    if point.silent < MOST_SILENT {
        // Inside an `atomic` sequence the process in control goes on before the next can move.
        let may_move = |pid| pid == line.pid || point.run.control() == Some(pid);
        for outcome in moves.into_iter().filter(|outcome| may_move(outcome.step.process)) {
            if is_silent(&point.run, &outcome) {
                fitting.push(Point { silent: point.silent + 1, ..next_point(point, outcome, 0) });
            }
        }
    }
    fitting
}

fn next_point<'i, 'm>(point: &Point<'i, 'm>, outcome: Outcome, used: usize) -> Point<'i, 'm> {
    Point { run: point.run.clone(), steps: point.steps, line: point.line + used, silent: 0, choice: Some(outcome) }
}

fn is_silent(run: &Run<'_, '_>, outcome: &Outcome) -> bool {
    let edge = template_of(run, outcome.step.process).map(|template| &template.edges[outcome.step.edge]);
    edge.is_some_and(|edge| matches!(edge.action, Action::Skip | Action::Else))
}

/// How many lines a move accounts for, if it fits them.
fn lines_used(
    run: &Run<'_, '_>,
    outcome: &Outcome,
    lines: &[SpinLine],
    sources: &SourceMap,
    exact: bool,
) -> Option<usize> {
    let step = outcome.step;
    let mut used = participant_lines(run, step.process, step.edge, lines, sources, exact)?;
    if let Some((pid, edge)) = step.partner {
        used += participant_lines(run, pid, edge, &lines[used..], sources, exact)?;
    }
    Some(used)
}

fn participant_lines(
    run: &Run<'_, '_>,
    pid: Pid,
    edge: EdgeId,
    lines: &[SpinLine],
    sources: &SourceMap,
    exact: bool,
) -> Option<usize> {
    let line = lines.first().filter(|line| line.pid == pid)?;
    let template = template_of(run, pid)?;
    let taken = &template.edges[edge];
    let fits = match (&line.event, &taken.action) {
        (SpinEvent::Terminates, action) => matches!(action, Action::End),
        (_, Action::End) => false,
        (SpinEvent::Statement { state, line, .. }, action) => {
            let inside = matches!(action, Action::DeterministicStep(entry) if has_number(template, *entry, *state));
            if exact { number(taken.statement) == *state || inside } else { sources.location(taken.span).line == *line }
        }
    };
    let mut used = usize::from(fits);
    if fits && matches!(taken.action, Action::DeterministicStep(_)) {
        used += lines[1..].iter().take_while(|inner| (inner.pid, inner.count) == (pid, line.count)).count();
    }
    (used > 0).then_some(used)
}

/// Whether a statement inside the `d_step` that begins at `entry` has this state number.
fn has_number(template: &Template, entry: ample_model::LocationId, state: usize) -> bool {
    let inside = template.locations[entry].d_step;
    let mut edges = template.edges.iter();
    inside.is_some()
        && edges.any(|edge| number(edge.statement) == state && template.locations[edge.source].d_step == inside)
}

fn number(location: ample_model::LocationId) -> usize {
    ample_stdx::TypedId::index(location)
}

fn template_of<'m>(run: &Run<'_, 'm>, pid: Pid) -> Option<&'m Template> {
    let process = run.state().processes.get(usize::from(pid))?;
    run.interpreter().model().templates.get(process.template)
}

fn stuck(run: &Run<'_, '_>, line: &SpinLine) -> SpinError {
    let what = match &line.event {
        SpinEvent::Statement { state, text, .. } => format!("`{text}` (state {state})"),
        SpinEvent::Terminates => "its end".to_owned(),
    };
    let possible = run.possible().unwrap_or_else(|| "nothing".to_owned());
    SpinError::Stuck { number: line.number, pid: line.pid, what, possible }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_from_everything_else() {
        let text = "spin: warning, \"a.pml\" is newer than a.pml.trail
          no end of line  2:\tproc  1 (P:1) m.pml:6 (state 3) <valid end state>\t[c?x]
Starting P with pid 1
  3:\tproc  1 (P:1) my model.pml:7 (state 2)\t[c!req,l]
\t\tx = 1
          1: hello
  5:\tproc  0 (:init::1) a.pml:15 (state 4)\t[((a[0]==1))]
  6:\tproc  - (never_0:1) a.pml:20 (state 4)\t[(1)]
 15: proc 2 terminates
spin: trail ends after 25 steps
#processes: 1
 25:\tproc  0 (:init::1) a.pml:15 (state 6) <valid end state>
";
        let statement = |state, line, text: &str| SpinEvent::Statement { state, line, text: text.to_owned() };
        assert_eq!(
            parse(text),
            [
                SpinLine { number: 2, count: 2, pid: 1, event: statement(3, 6, "c?x") },
                SpinLine { number: 4, count: 3, pid: 1, event: statement(2, 7, "c!req,l") },
                SpinLine { number: 7, count: 5, pid: 0, event: statement(4, 15, "((a[0]==1))") },
                SpinLine { number: 9, count: 15, pid: 2, event: SpinEvent::Terminates },
            ]
        );
    }
}
