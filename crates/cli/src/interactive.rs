//! `ample sim --interactive`: the user chooses each move.

use std::io::{self, BufRead};
use std::path::Path;

use ample_replay::{Comments, Run, SavedFault, Step, TraceFile};
use ample_report::list::Columns;
use ample_report::{Subject, numbers, state};
use ample_transition::{Fault, Trace};

use crate::args::ModelArgs;
use crate::ending::{Ending, Past};
use crate::failure::Status;
use crate::files::{self, Inputs};
use crate::output::Terminal;

const HELP: &str = "  a number chooses a move, and where there is only one it is made; b goes back to the last choice,\n  \
v shows the state, w FILE saves the run for --replay, q quits\n";

/// So many moves are made one after the other without asking.
const MOST_FORCED: usize = 1_000;

/// What the user answered.
enum Answer<'l> {
    Move(usize),
    NoSuchMove(&'l str),
    Back,
    State,
    Save(&'l str),
    Quit,
    Other,
}

/// What is played with.
#[derive(Copy, Clone)]
pub struct Table<'a> {
    /// How the model was named.
    pub options: &'a ModelArgs,
    /// The files that it was read from.
    pub inputs: &'a Inputs,
    /// The model.
    pub subject: &'a Subject<'a>,
    /// Where the words go.
    pub terminal: &'a Terminal,
}

/// Lets the user choose until there is no more input, or until they have had enough.
pub fn run(run: Run<'_, '_>, table: Table<'_>) -> Status {
    let terminal = table.terminal;
    let mut game = Game { choices: Vec::new(), run, steps: Vec::new(), table };
    terminal.print(HELP);
    let mut input = io::stdin().lock().lines();
    game.make_forced_moves();
    loop {
        let ending = Ending::of(&game.run, game.steps.last());
        let fault = ending.as_ref().and_then(Ending::fault).cloned();
        let status = ending.map(|ending| game.say(ending));
        let count = if status.is_some() { 0 } else { game.show_moves() };
        if status.is_some() {
            terminal.print("b, v, w FILE or q? ");
        }
        loop {
            let line = input.next().and_then(Result::ok);
            match parse(line.as_deref(), count) {
                Answer::Move(choice) => {
                    game.choose(choice);
                    break;
                }
                Answer::Back if game.back() => break,
                Answer::Back => terminal.print("  there was no choice before this\n"),
                Answer::State => game.show_state(),
                Answer::Save(file) => game.save(Path::new(file), fault.as_ref()),
                Answer::Quit => {
                    return status.unwrap_or_else(|| game.say(Ending::Stopped));
                }
                Answer::NoSuchMove(text) if count == 0 => {
                    terminal.print(&format!("  there is no move {text}: the run has ended\n"));
                }
                Answer::NoSuchMove(text) => {
                    terminal.print(&format!("  there is no move {text}: choose from {}\n", range(count)));
                }
                Answer::Other => terminal.print(HELP),
            }
            terminal.print("? ");
        }
    }
}

fn parse(line: Option<&str>, count: usize) -> Answer<'_> {
    let Some(line) = line.map(str::trim) else { return Answer::Quit };
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word, rest.trim()) {
        ("q" | "quit", "") => Answer::Quit,
        ("b" | "back", "") => Answer::Back,
        ("v" | "values", "") => Answer::State,
        ("w" | "write", file) if !file.is_empty() => Answer::Save(file),
        ("", _) if count == 1 => Answer::Move(0),
        (number, "") if number.bytes().all(|c| c.is_ascii_digit()) && !number.is_empty() => match number.parse() {
            Ok(number) if (1..=count).contains(&number) => Answer::Move(number - 1),
            _ => Answer::NoSuchMove(number),
        },
        _ => Answer::Other,
    }
}

/// The numbers to choose from.
fn range(count: usize) -> String {
    if count == 1 { "1, or just Enter".to_owned() } else { format!("1-{count}") }
}

struct Game<'a, 'i, 'm> {
    /// Where there was a choice, and after how many steps.
    choices: Vec<(Run<'i, 'm>, usize)>,
    run: Run<'i, 'm>,
    steps: Vec<Step>,
    table: Table<'a>,
}

impl Game<'_, '_, '_> {
    fn say(&self, ending: Ending) -> Status {
        ending.say(&self.run, Past::from(&self.steps[..]), self.table.subject, self.table.terminal)
    }

    /// Lists the moves there are, numbered, with what each would change; gives their number.
    fn show_moves(&self) -> usize {
        let Table { subject, terminal, .. } = self.table;
        let columns = Columns::for_model(subject, subject.interpreter.model(), 0);
        let moves = self.run.moves();
        let mut text = format!("\nstep {}:\n", self.steps.len() + 1);
        for (number, outcome) in moves.iter().enumerate() {
            let step = self.run.describe(outcome);
            text += &columns.step(subject, number + 1, &step, step.faults.first(), terminal.look());
        }
        text += &format!("which move ({})? ", range(moves.len()));
        terminal.print(&text);
        moves.len()
    }

    fn choose(&mut self, choice: usize) {
        self.choices.push((self.run.clone(), self.steps.len()));
        self.make(choice);
        self.make_forced_moves();
    }

    fn make(&mut self, choice: usize) {
        let mut moves = self.run.moves();
        if choice < moves.len() {
            let step = self.run.take(moves.swap_remove(choice));
            let actors: Vec<&str> =
                std::iter::once(&step.mover).chain(&step.partner).map(|actor| actor.name.as_str()).collect();
            self.table.terminal.print(&format!("-> {}: {}\n", actors.join(" and "), step.mover.text));
            self.steps.push(step);
        }
    }

    /// Makes moves as long as there is only one.
    fn make_forced_moves(&mut self) {
        for _ in 0..MOST_FORCED {
            if Ending::of(&self.run, self.steps.last()).is_some() || self.run.moves().len() != 1 {
                return;
            }
            self.make(0);
        }
        let made = numbers::count(MOST_FORCED as u64, "move");
        self.table.terminal.print(&format!("  {made} without a choice were made\n"));
    }

    /// Goes back to the last choice, if there was one.
    fn back(&mut self) -> bool {
        let Some((run, steps)) = self.choices.pop() else { return false };
        self.run = run;
        self.steps.truncate(steps);
        true
    }

    fn show_state(&self) {
        let lines = state::lines(self.table.subject, self.run.state());
        let width = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
        let text: String = lines.iter().map(|line| format!("  {:<width$}  {}\n", line.name, line.value)).collect();
        self.table.terminal.print(if text.is_empty() { "  there is nothing left\n" } else { &text });
    }

    /// Saves the run so far, for `--replay`.
    fn save(&self, file: &Path, fault: Option<&Fault>) {
        let Table { options, inputs, subject, terminal } = self.table;
        let saved = |fault: &Fault| SavedFault {
            kind: fault.kind,
            place: subject.place(fault.span),
            message: fault.message.clone(),
        };
        let trace = TraceFile {
            model: options.model.clone(),
            sources: TraceFile::hashes(subject.sources),
            language: options.language.clone(),
            defines: options.defines.clone(),
            inputs: options.inputs.clone(),
            max_processes: options.max_processes,
            fault: fault.map(saved),
            trace: self.trace(),
            ..TraceFile::default()
        };
        let comments = Comments { interpreter: subject.interpreter, sources: subject.sources };
        let written = files::write(file, inputs, |out| trace.write(Some(&comments), out));
        let steps = numbers::count(self.steps.len() as u64, "step");
        terminal.print(&match written {
            Ok(()) => format!("  {steps} saved to {}\n", file.display()),
            Err(error) => format!("  not saved to {}: {error}\n", file.display()),
        });
    }

    fn trace(&self) -> Trace {
        let mut trace = Trace::default();
        for pair in self.steps.chunk_by(|one, next| one.transition == next.transition) {
            trace.transitions.push(pair.iter().map(|step| step.step).collect());
        }
        trace
    }
}
