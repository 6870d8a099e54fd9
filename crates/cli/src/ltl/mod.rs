//! `ample ltl`.

mod answer;
mod input;
mod show;

use answer::{Answer, Stuttering};

use crate::args::{AutomatonFormat, LtlArgs};
use crate::failure::{Failure, Status};
use crate::output::Terminal;

/// Translates formulas, or reads automata, and says what is known about them.
pub fn run(options: &LtlArgs, terminal: &Terminal) -> Result<Status, Failure> {
    if options.tgba && options.format == Some(AutomatonFormat::Never) {
        let message = "--tgba does not go with --format never: a never claim has accepting states";
        return Err(Failure::Usage(message.to_owned()));
    }
    let input = input::read(options)?;
    if options.is_stutter_invariant {
        let found: Result<Vec<Stuttering>, _> =
            input.subjects.iter().map(|subject| subject.stuttering(options)).collect();
        let found = found.map_err(|error| input.failure(vec![*error]))?;
        terminal.print(&if options.json { show::stuttering_json(&found) } else { show::stuttering(&found) });
        let is_decided = found.iter().all(|one| one.is_invariant.is_some());
        return Ok(if is_decided { Status::Holds } else { Status::Unknown });
    }
    let answers: Result<Vec<Answer>, _> = input.subjects.iter().map(|subject| subject.answer(options)).collect();
    let answers = answers.map_err(|error| input.failure(vec![*error]))?;
    let format = options.format.unwrap_or(AutomatonFormat::Hoa);
    let texts = answers.iter().map(|answer| show::automaton(answer, format).map(|text| (answer, text)));
    let texts: Vec<(&Answer, String)> = texts.collect::<Result<_, Failure>>()?;
    terminal.print(&match (options.json, options.format) {
        (true, _) => show::json(&texts, format),
        (false, Some(_)) => texts.into_iter().map(|(_, text)| text).collect(),
        (false, None) => {
            let parts: Vec<String> =
                texts.into_iter().map(|(answer, text)| format!("{}\n{text}", show::summary(answer))).collect();
            parts.join("\n")
        }
    });
    Ok(Status::Holds)
}
