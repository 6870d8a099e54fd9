//! `ample ltl`.

mod answer;
mod input;

use ample_report::ltl::{self, Answer, AutomatonFormat, Stuttering};

use crate::args::LtlArgs;
use crate::failure::{Failure, Status};
use crate::output::Terminal;

/// Translates formulas, or reads automata, and says what is known about them.
pub fn run(options: &LtlArgs, terminal: &Terminal) -> Result<Status, Failure> {
    let format = options.format.map(AutomatonFormat::from);
    if options.tgba && format == Some(AutomatonFormat::Never) {
        let message = "--tgba does not go with --format never: a never claim has accepting states";
        return Err(Failure::Usage(message.to_owned()));
    }
    let input = input::read(options)?;
    if options.is_stutter_invariant {
        let found: Result<Vec<Stuttering>, _> =
            input.subjects.iter().map(|subject| subject.stuttering(options)).collect();
        let found = found.map_err(|error| input.failure(vec![*error]))?;
        terminal.print(&if options.json { ltl::stuttering_json(&found) } else { ltl::stuttering(&found) });
        let is_decided = found.iter().all(|one| one.is_invariant.is_some());
        return Ok(if is_decided { Status::Holds } else { Status::Unknown });
    }
    let answers: Result<Vec<Answer>, _> = input.subjects.iter().map(|subject| subject.answer(options)).collect();
    let answers = answers.map_err(|error| input.failure(vec![*error]))?;
    let wanted = format.unwrap_or(AutomatonFormat::Hoa);
    let texts: Vec<(&Answer, String)> = answers.iter().map(|answer| text(answer, wanted)).collect::<Result<_, _>>()?;
    terminal.print(&match (options.json, format) {
        (true, _) => ltl::json(&texts, wanted),
        (false, Some(_)) => texts.into_iter().map(|(_, text)| text).collect(),
        (false, None) => ltl::text(&texts),
    });
    Ok(Status::Holds)
}

fn text(answer: &Answer, format: AutomatonFormat) -> Result<(&Answer, String), Failure> {
    let text = ltl::automaton(answer, format).ok_or_else(|| {
        let message = "a never claim has accepting states, but here acceptance is on transitions";
        Failure::Usage(format!("{}: {message}; use --format hoa", answer.title))
    });
    Ok((answer, text?))
}
