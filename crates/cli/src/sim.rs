//! `ample sim`: a random run, a run by hand, or a run along a trace.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use ample_check::Claim;
use ample_frontends::Loaded;
use ample_replay::{Forbids, Replayed, Run, Step, Steps, TraceFile, replay, run_along, spin};
use ample_report::lanes::{self, Extent, Rows, Source, Special};
use ample_report::list::Columns;
use ample_report::{ReplayedRun, Subject, text};
use ample_stdx::Random;
use ample_transition::{Fault, FaultKind, Trace};

use crate::args::{ModelArgs, SimArgs};
use crate::ending::{Ending, Past};
use crate::failure::{Failure, Status};
use crate::files::Inputs;
use crate::interactive::Table;
use crate::model::Beside;
use crate::output::{Terminal, TextWriter};
use crate::traces::quoted;
use crate::{interactive, model};

/// Runs a model.
pub fn run(options: &SimArgs, terminal: &Terminal) -> Result<Status, Failure> {
    if let Some(file) = &options.replay {
        return follow(options, file, terminal);
    }
    let loaded = model::load(&options.model)?;
    model::warn(&loaded, terminal);
    let interpreter = model::interpreter(&options.model, &loaded);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let run = match Run::start(&interpreter) {
        Ok(run) => run,
        Err(fault) => return Ok(show_initial_fault(&subject, *fault, terminal)),
    };
    if options.interactive {
        let (options, inputs) = (&options.model, &Inputs::of(&loaded));
        return Ok(interactive::run(run, Table { options, inputs, subject: &subject, terminal }));
    }
    Ok(random(options, run, &subject, terminal))
}

fn show_initial_fault(subject: &Subject<'_>, fault: Fault, terminal: &Terminal) -> Status {
    show_replayed(subject, &Trace::default(), &Replayed::at_once(fault), terminal);
    Status::Violated
}

/// Shows a run with all its steps, of which there may be very many.
fn show_replayed(subject: &Subject<'_>, trace: &Trace, replayed: &Replayed, terminal: &Terminal) {
    let look = terminal.look();
    terminal.print(&(text::headline(subject, replayed, look) + "\n"));
    let run = ReplayedRun { trace, replayed };
    terminal.write(|out| TextWriter::write(out, |out| text::write_body(subject, run, Extent::All, look, out)));
}

fn random(options: &SimArgs, mut run: Run<'_, '_>, subject: &Subject<'_>, terminal: &Terminal) -> Status {
    let seed = options.seed.unwrap_or_else(any_seed);
    let mut random = Random::new(seed);
    let look = terminal.look();
    let columns = Columns::for_model(subject, subject.interpreter.model(), options.steps);
    terminal.print(&columns.heading(look));
    let (mut steps, mut last): (usize, Option<Step>) = (0, None);
    let ending = loop {
        if let Some(ending) = Ending::of(&run, last.as_ref()) {
            break ending;
        }
        if steps >= options.steps || !terminal.is_open() {
            break Ending::Stopped;
        }
        let mut moves = run.moves();
        let choice = random.below(moves.len());
        let step = run.take(moves.swap_remove(choice));
        steps += 1;
        terminal.print(&columns.step(subject, steps, &step, step.faults.first(), look));
        last = Some(step);
    };
    let is_stopped = matches!(ending, Ending::Stopped);
    let status = ending.say(&run, Past { steps, last: last.as_ref() }, subject, terminal);
    if is_stopped {
        terminal.print("--steps N lets it run longer\n");
    }
    terminal.print(&format!("seed {seed}; again: {}\n", again(options, seed)));
    status
}

/// The command that repeats a random run.
fn again(options: &SimArgs, seed: u64) -> String {
    let mut command = format!("ample sim {}", quoted(&options.model.model));
    for (name, value) in &options.model.defines {
        command += &format!(" -D {}", quoted(&format!("{name}={value}")));
    }
    for input in &options.model.inputs {
        command += &format!(" --input {input}");
    }
    if let Some(language) = &options.model.language {
        command += &format!(" --lang {language}");
    }
    if let Some(most) = options.model.max_processes {
        command += &format!(" --max-processes {most}");
    }
    command + &format!(" --steps {} --seed {seed}", options.steps)
}

fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Small enough to be typed again.
    Random::new(now.as_nanos() as u64).number() % 1_000_000
}

fn follow(options: &SimArgs, file: &Path, terminal: &Terminal) -> Result<Status, Failure> {
    let bytes = fs::read(file).map_err(|error| Failure::Usage(format!("cannot read {}: {error}", file.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    let in_file = |error: String| Failure::Usage(format!("{}: {error}", file.display()));
    if !TraceFile::is_one(&text) {
        if options.claim.is_some() {
            return Err(in_file("what Spin printed names no claim; leave --claim out".to_owned()));
        }
        let loaded = model::load(&options.model)?;
        model::warn(&loaded, terminal);
        return follow_spin(&options.model, &loaded, &text, terminal).map_err(in_file);
    }
    let trace = TraceFile::parse(&text).map_err(|error| in_file(error.to_string()))?;
    let model_options = with_options_of(&trace, &options.model).map_err(in_file)?;
    let claim = claim_of(&trace, options.claim.as_deref()).map_err(in_file)?;
    let wanted = if trace.property.is_empty() { &[][..] } else { std::slice::from_ref(&trace.property) };
    let beside = Beside { formulas: &trace.formulas, claim, wanted, values: &[] };
    let loaded = model::load_with(&model_options, &beside)?;
    trace.check_sources(&loaded.sources).map_err(|change| {
        let claim = options.claim.as_ref().map(|claim| format!(" --claim {}", quoted(&claim.to_string_lossy())));
        let again = format!("ample check {}{}", quoted(&options.model.model), claim.unwrap_or_default());
        in_file(format!(
            "the trace belongs to another model, or to an older version: {change}; make it again with `{again}`"
        ))
    })?;
    follow_trace(&model_options, &loaded, &trace, terminal).map_err(in_file)
}

/// The claim that the trace was made with, which the trace does not hold.
fn claim_of<'c>(trace: &TraceFile, given: Option<&'c Path>) -> Result<Option<&'c Path>, String> {
    match (&trace.claim, given) {
        (Some(claim), None) => {
            let claim = quoted(claim);
            Err(format!("the trace was made with a claim: give it again with `--claim {claim}`"))
        }
        (None, Some(_)) => Err("the trace was made without a claim; leave --claim out".to_owned()),
        _ => Ok(given),
    }
}

/// The options that the trace was made with. Others on the command line would make it another
/// model.
fn with_options_of(trace: &TraceFile, given: &ModelArgs) -> Result<ModelArgs, String> {
    if !given.defines.is_empty() && given.defines != trace.defines {
        return Err("the trace was made with other macros (-D); leave -D out, the trace has its own".to_owned());
    }
    if !given.inputs.is_empty() && given.inputs != trace.inputs {
        return Err("the trace was made with other inputs; leave --input out, the trace has its own".to_owned());
    }
    if given.max_processes.is_some() && given.max_processes != trace.max_processes {
        return Err("the trace was made with another --max-processes; leave it out, the trace has its own".to_owned());
    }
    Ok(ModelArgs {
        model: given.model.clone(),
        defines: trace.defines.clone(),
        inputs: trace.inputs.clone(),
        language: given.language.clone().or_else(|| trace.language.clone()),
        max_processes: trace.max_processes,
    })
}

fn follow_trace(
    options: &ModelArgs,
    loaded: &Loaded,
    trace: &TraceFile,
    terminal: &Terminal,
) -> Result<Status, String> {
    let interpreter = model::interpreter(options, loaded);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let Some(claimed) = &trace.fault else { return follow_moves(&subject, &trace.trace, terminal) };
    // The name of the file may differ if the model has moved; its line does not.
    let line = |place: &str| place.rsplit(':').next().map(str::to_owned);
    let is_claimed =
        |fault: &Fault| fault.kind == claimed.kind && line(&subject.place(fault.span)) == line(&claimed.place);
    // A property of the model may have the name of a built-in set.
    let claims: Vec<Claim> = Claim::named(&trace.property, &loaded.properties)
        .into_iter()
        .map(|claim| claim.under(trace.fairness))
        .collect();
    let claims = claims.iter().map(|claim| Some(claim as &dyn Forbids)).chain([None]);
    let mut replayed = claims.filter_map(|claim| replay(&interpreter, &trace.trace, &is_claimed, claim).transpose());
    let replayed = replayed
        .next()
        .ok_or_else(|| format!("the run is possible, but it does not end as the file says: {}", claimed.message))?
        .map_err(|mismatch| mismatch.to_string())?;
    show_replayed(&subject, &trace.trace, &replayed, terminal);
    Ok(Status::Violated)
}

/// Follows a run that somebody saved before anything went wrong.
fn follow_moves(subject: &Subject<'_>, trace: &Trace, terminal: &Terminal) -> Result<Status, String> {
    let run = run_along(subject.interpreter, trace).map_err(|mismatch| mismatch.to_string())?;
    let steps = trace.moves().count();
    let last = Steps::new(subject.interpreter, trace, steps).after(steps.saturating_sub(1)).next();
    let ending = Ending::of(&run, last.as_ref()).unwrap_or(Ending::Stopped);
    show_steps(subject, Source::Run(subject.interpreter, trace, steps), &ending, terminal);
    Ok(ending.say(&run, Past { steps, last: last.as_ref() }, subject, terminal))
}

fn follow_spin(options: &ModelArgs, loaded: &Loaded, text: &str, terminal: &Terminal) -> Result<Status, String> {
    let interpreter = model::interpreter(options, loaded);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let start = Run::start(&interpreter).map_err(|fault| format!("there is no initial state: {}", fault.message))?;
    let (run, mut steps) = spin::follow(start, &loaded.sources, text).map_err(|error| error.to_string())?;
    // Spin prints the rest of a merged step after the fault.
    if let Some(at) = steps.iter().position(|step| !step.faults.is_empty()) {
        steps.truncate(at + 1);
    }
    let ending = Ending::of(&run, steps.last()).unwrap_or(Ending::Stopped);
    show_steps(&subject, Source::Kept(&steps), &ending, terminal);
    Ok(ending.say(&run, Past::from(&steps[..]), &subject, terminal))
}

fn show_steps(subject: &Subject<'_>, source: Source<'_>, ending: &Ending, terminal: &Terminal) {
    let fault = ending.fault().filter(|fault| fault.kind != FaultKind::InvalidEndState);
    let fault = fault.and_then(|fault| Some((source.count().checked_sub(1)?, fault)));
    let rows = Rows::new(subject, source, Special { fault, cycle: None }, Extent::All);
    terminal.write(|out| TextWriter::write(out, |out| lanes::write(&rows, terminal.look(), out)));
}
