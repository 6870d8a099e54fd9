//! `ample sim --interactive`: the user chooses each move.

use std::io::{self, BufRead};

use ample_replay::{Run, Step};
use ample_report::Subject;
use ample_report::list::Columns;

use crate::failure::Status;
use crate::output::Terminal;
use crate::sim::{Ending, Past};

const HELP: &str = "  a number chooses a move; b goes back, v shows all values, q quits\n";

/// What the user answered.
enum Answer {
    Move(usize),
    Back,
    Values,
    Quit,
    Other,
}

/// Lets the user choose until the run ends, or until there is no more input.
pub fn run(run: Run<'_, '_>, subject: &Subject<'_>, terminal: &Terminal) -> Status {
    let mut game = Game { past: Vec::new(), run, steps: Vec::new(), subject, terminal };
    terminal.print(HELP);
    let mut input = io::stdin().lock().lines();
    loop {
        if let Some(ending) = Ending::of(&game.run, game.steps.last()) {
            return ending.say(&game.run, Past::from(&game.steps[..]), subject, terminal);
        }
        let count = game.show_moves();
        let answer = input.next().and_then(Result::ok);
        match parse(answer.as_deref(), count) {
            Answer::Move(choice) => game.take(choice),
            Answer::Back => game.back(),
            Answer::Values => game.show_values(),
            Answer::Quit => {
                return Ending::Stopped.say(&game.run, Past::from(&game.steps[..]), subject, terminal);
            }
            Answer::Other => terminal.print(HELP),
        }
    }
}

fn parse(line: Option<&str>, count: usize) -> Answer {
    match line.map(str::trim) {
        None | Some("q" | "quit") => Answer::Quit,
        Some("b" | "back") => Answer::Back,
        Some("v" | "values") => Answer::Values,
        Some("") if count == 1 => Answer::Move(0),
        Some(text) => match text.parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => Answer::Move(number - 1),
            _ => Answer::Other,
        },
    }
}

struct Game<'a, 'i, 'm> {
    past: Vec<Run<'i, 'm>>,
    run: Run<'i, 'm>,
    steps: Vec<Step>,
    subject: &'a Subject<'a>,
    terminal: &'a Terminal,
}

impl Game<'_, '_, '_> {
    /// Lists the moves there are, numbered, with what each would change; gives their number.
    fn show_moves(&self) -> usize {
        let look = self.terminal.look();
        let columns = Columns::for_model(self.subject, self.subject.interpreter.model(), 0);
        let moves = self.run.moves();
        let mut text = format!("\nstep {}:\n", self.steps.len() + 1);
        for (number, outcome) in moves.iter().enumerate() {
            let step = self.run.describe(outcome);
            text += &columns.step(self.subject, number + 1, &step, step.faults.first(), look);
        }
        let range = if moves.len() == 1 { "1, or just Enter".to_owned() } else { format!("1-{}", moves.len()) };
        text += &format!("which move ({range})? ");
        self.terminal.print(&text);
        moves.len()
    }

    fn take(&mut self, choice: usize) {
        let mut moves = self.run.moves();
        if choice < moves.len() {
            self.past.push(self.run.clone());
            let step = self.run.take(moves.swap_remove(choice));
            let actors: Vec<&str> =
                std::iter::once(&step.mover).chain(&step.partner).map(|actor| actor.name.as_str()).collect();
            self.terminal.print(&format!("-> {}: {}\n", actors.join(" and "), step.mover.text));
            self.steps.push(step);
        }
    }

    fn back(&mut self) {
        match self.past.pop() {
            Some(run) => {
                self.run = run;
                self.steps.pop();
            }
            None => self.terminal.print("  this is the beginning\n"),
        }
    }

    fn show_values(&self) {
        let values = self.subject.interpreter.describe(self.run.state());
        let width = values.iter().map(|value| value.name.chars().count()).max().unwrap_or(0);
        let lines: String = values.iter().map(|value| format!("  {:<width$}  {}\n", value.name, value.value)).collect();
        self.terminal.print(if lines.is_empty() { "  there are no variables\n" } else { &lines });
    }
}
