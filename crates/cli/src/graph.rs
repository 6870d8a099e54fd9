//! `ample graph`.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ample_check::{Choice, Options, Prepared, explore};
use ample_report::graph::StateSpace;
use ample_report::{Subject, numbers, svg};
use ample_search::{Ended, Limits};
use ample_transition::Successors;

use crate::args::{GraphArgs, GraphFormat};
use crate::failure::{Failure, Status};
use crate::files::{self, Inputs};
use crate::model;
use crate::output::Terminal;
use crate::progress::ProgressLine;

/// Writes the state space of a model.
pub fn run(options: &GraphArgs, terminal: &Terminal, interrupt: Arc<AtomicBool>) -> Result<Status, Failure> {
    let loaded = model::load(&options.model)?;
    model::warn(&loaded, terminal);
    let inputs = Inputs::of(&loaded);
    if let Some(file) = &options.output {
        inputs.refuse(file).map_err(Failure::Usage)?;
    }
    let interpreter = model::interpreter(&options.model, &loaded);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let limits =
        Limits { max_states: Some(options.max_states), max_depth: options.max_depth, interrupt, ..Limits::default() };
    let (graph, ended) = collect(&subject, &options.order, limits)?;
    write(options, &inputs, &graph)?;
    let size = format!(
        "{}, {}",
        numbers::count(graph.states().len() as u64, "state"),
        numbers::count(graph.transitions() as u64, "transition")
    );
    let Some(why) = incomplete(&ended) else {
        terminal.complain(&format!("{size}\n"));
        return Ok(Status::Holds);
    };
    terminal.complain(&format!("the graph is not complete: {why}; it has {size}\n"));
    Ok(Status::Unknown)
}

/// Explores a model and collects its states and transitions.
pub fn collect<'a>(subject: &'a Subject<'a>, order: &str, limits: Limits) -> Result<(StateSpace<'a>, Ended), Failure> {
    // The graph names states by what they hold, which only the interpreter's own packed form shows.
    let prepared = Prepared::new(subject.interpreter, &[], &Choice::parse("interpret"))?;
    let initial = subject
        .interpreter
        .initial()
        .map_err(|fault| Failure::Usage(format!("{}: {}", subject.place(fault.span), fault.message)))?;
    let mut graph = StateSpace::new(subject, &initial);
    let mut progress = ProgressLine::new(false, true);
    let how = Options { order: Choice::parse(order), limits, ..Options::default() };
    let outcome = explore(&prepared.system(), how, Some(&mut progress), &mut |state, successors| {
        successors.iter().chain(successors.passed()).for_each(|successor| graph.add(state, &successor));
    });
    progress.clear();
    let ended = outcome?.ended;
    Ok((graph, ended))
}

/// Why a graph has not all states, if it has not.
pub fn incomplete(ended: &Ended) -> Option<String> {
    match ended {
        Ended::Complete | Ended::FirstViolation => None,
        Ended::Limit(limit) => Some(format!("a limit was reached ({limit})")),
        Ended::Interrupted => Some("it was interrupted".to_owned()),
        Ended::StoreFull => Some("the memory is full".to_owned()),
        Ended::AssumptionFailed => Some("the reduction turned out not to apply".to_owned()),
    }
}

fn write(options: &GraphArgs, inputs: &Inputs, graph: &StateSpace<'_>) -> Result<(), Failure> {
    let ending = options.output.as_ref().and_then(|file| file.extension());
    let by_ending = match ending.and_then(|ending| ending.to_str()) {
        Some("aut") => GraphFormat::Aut,
        Some("svg") => GraphFormat::Svg,
        _ => GraphFormat::Dot,
    };
    let format = options.format.unwrap_or(by_ending);
    if format == GraphFormat::Svg && !graph.is_drawable() {
        return Err(Failure::Usage(too_large(graph)));
    }
    let to = |out: &mut dyn Write| match format {
        GraphFormat::Dot => graph.write_dot(out),
        GraphFormat::Aut => graph.write_aut(out),
        GraphFormat::Svg => graph.write_svg(out),
    };
    if let Some(file) = &options.output {
        let failure = |error: String| Failure::Usage(format!("cannot write {}: {error}", file.display()));
        return files::write(file, inputs, to).map_err(failure);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match to(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Usage(format!("cannot write standard output: {error}")))
        }
        _ => Ok(()),
    }
}

fn too_large(graph: &StateSpace<'_>) -> String {
    let size = |states: usize, transitions: usize| {
        let states = numbers::count(states as u64, "state");
        format!("{states} and {}", numbers::count(transitions as u64, "transition"))
    };
    format!(
        "the graph has {}; a drawing may have {}: give it to Graphviz with `-o FILE.dot`, or draw a part with --max-depth or --max-states",
        size(graph.states().len(), graph.transitions()),
        size(svg::MOST_STATES, svg::MOST_TRANSITIONS),
    )
}
