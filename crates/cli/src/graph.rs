//! `ample graph`.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ample_check::{Choice, Options, Prepared, Reduce, Unpack, explore};
use ample_equivalence::relation;
use ample_property::Property;
use ample_report::graph::StateSpace;
use ample_report::{Subject, numbers, svg};
use ample_search::{Ended, Limits};
use ample_transition::{SuccessorBuffer, Successors};

use crate::args::{GraphArgs, GraphFormat};
use crate::check::matched;
use crate::failure::{Failure, Status};
use crate::files::{self, Inputs};
use crate::letters::with_letters;
use crate::model::{self, Beside};
use crate::output::Terminal;
use crate::progress::ProgressLine;

/// The property that graphs are explored for if nothing else is to be seen.
pub const SAFETY: &str = "builtin:safety";

/// Writes the state space of a model, or something smaller.
pub fn run(options: &GraphArgs, terminal: &Terminal, interrupt: Arc<AtomicBool>) -> Result<Status, Failure> {
    let relation = options.quotient.as_deref().and_then(relation);
    refuse_what_does_not_apply(options)?;
    let values = matched(options.matching.as_deref())?;
    let beside = Beside { formulas: options.see.as_slice(), values: &values, ..Beside::default() };
    let loaded = model::load_with(&options.model, &beside)?;
    model::warn(&loaded, terminal);
    let inputs = Inputs::of(&loaded);
    if let Some(file) = &options.output {
        inputs.refuse(file).map_err(Failure::Usage)?;
    }
    let interpreter = model::interpreter(&options.model, &loaded);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let limits = Limits {
        max_states: Some(options.max_states),
        max_depth: options.max_depth,
        interrupt: interrupt.clone(),
        ..Limits::default()
    };
    // The formula is the last property.
    let seen = loaded.properties.last().filter(|_| options.see.is_some()).map(|property| property.name.as_str());
    let is_reduced = options.reduce.is_some() || options.por.is_some();
    let (graph, ended) = collect(
        &subject,
        &loaded.properties,
        seen.filter(|_| is_reduced).unwrap_or(SAFETY),
        Options { limits, matching: loaded.values.clone(), ..search_options(options) },
    )?;
    let Some(relation) = relation else {
        write(options, &inputs, &graph)?;
        return Ok(said(terminal, &ended, &size(&graph)));
    };
    let lts = graph.to_lts(&options.tau);
    let lts = if seen.is_some() { with_letters(&lts, &graph, &interpreter, &loaded)? } else { lts };
    let work = options.max_work.unwrap_or(ample_equivalence::Limits::default().work);
    let limits = ample_equivalence::Limits { work, depth: options.depth, interrupt: Some(&interrupt) };
    match graph.quotient(&lts, relation, &limits) {
        Ok(quotient) => {
            write(options, &inputs, &quotient)?;
            Ok(said(terminal, &ended, &format!("{}, for {}", size(&quotient), size(&graph))))
        }
        Err(reason) => {
            terminal.complain(&format!("the quotient is not known: {reason}\n"));
            Ok(Status::Unknown)
        }
    }
}

/// Says how large a graph is, and whether it is all of it.
fn said(terminal: &Terminal, ended: &Ended, size: &str) -> Status {
    let Some(why) = incomplete(ended) else {
        terminal.complain(&format!("{size}\n"));
        return Status::Holds;
    };
    terminal.complain(&format!("the graph is not complete: {why}; it has {size}\n"));
    Status::Unknown
}

fn size(graph: &StateSpace<'_>) -> String {
    let states = numbers::count(graph.states().len() as u64, "state");
    format!("{states}, {}", numbers::count(graph.transitions() as u64, "transition"))
}

fn search_options(options: &GraphArgs) -> Options {
    let reduce = match (&options.reduce, &options.por) {
        (Some(list), _) => Reduce::parse(list),
        (None, Some(_)) => Reduce::List(Vec::new()),
        (None, None) => Reduce::None,
    };
    let por = options.por.as_deref().map_or(Choice::Auto, Choice::parse);
    Options { order: Choice::parse(&options.order), reduce, por, ..Options::default() }
}

fn refuse_what_does_not_apply(options: &GraphArgs) -> Result<(), Failure> {
    let without_quotient = |flag: &str| format!("{flag} does not apply: it is for --quotient, and there is none");
    let is_reduced = options.reduce.is_some() || options.por.is_some();
    let refusal = match (options.quotient.as_deref(), options.depth) {
        _ if options.reduce.as_deref() == Some("auto") => {
            "--reduce auto is for `ample check`, which has a question to choose for: name the reductions".to_owned()
        }
        (None, _) if !options.tau.is_empty() => without_quotient("--tau"),
        (None, Some(_)) => without_quotient("-k"),
        (None, _) if options.max_work.is_some() => without_quotient("--max-work"),
        (None, _) if options.see.is_some() && !is_reduced => {
            "--see does not apply: nothing is left out (--reduce, --por, --quotient)".to_owned()
        }
        (Some("k-bisim"), None) => "k-bisim needs to know how many steps to look ahead: -k K".to_owned(),
        (Some(name), Some(_)) if name != "k-bisim" => format!("-k does not go with {name}: it is for k-bisim"),
        _ => return Ok(()),
    };
    Err(Failure::Usage(refusal))
}

/// Explores a model, or what reductions leave of it, and collects states and transitions.
pub fn collect<'a>(
    subject: &'a Subject<'a>,
    properties: &[Property],
    property: &str,
    options: Options,
) -> Result<(StateSpace<'a>, Ended), Failure> {
    let prepared = Prepared::new(subject.interpreter, properties, &Choice::Auto)?;
    subject
        .interpreter
        .initial()
        .map_err(|fault| Failure::Usage(format!("{}: {}", subject.place(fault.span), fault.message)))?;
    let mut graph = StateSpace::new(subject);
    let mut progress = ProgressLine::new(false, true);
    let mut visitor =
        |unpack: Unpack<'_>, state: &[u8], successors: &SuccessorBuffer| graph.add(unpack, state, successors);
    let outcome = explore(&prepared.system(), property, options, Some(&mut progress), &mut visitor);
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
