//! The report for programs: one object, its fields as `docs/json.md` describes them.

use ample_check::{Outcome, PropertyOutcome, Run, Verdict};
use ample_replay::{Participant, Replayed, Step};
use ample_source::{Diagnostic, Severity, SourceMap};
use serde_json::{Map, Value, json};

use crate::{Shown, Subject, coverage, refinement};

/// The version of the format. It changes when a field changes its meaning or goes away, not when one is added.
const FORMAT: u32 = 1;

/// The report on an outcome. `traces` holds, for each of `shown`, the file that its trace was saved to.
pub fn outcome(
    subject: &Subject<'_>,
    outcome: &Outcome,
    shown: &[Shown<'_>],
    traces: &[Option<String>],
    warnings: &[Diagnostic],
    startup_seconds: f64,
) -> Value {
    let warnings: Vec<Value> = warnings.iter().map(|entry| diagnostic(entry, subject.sources)).collect();
    let last = outcome.last_run();
    let decisive = outcome.decisive();
    let counts = last.map(|property| property.counts).unwrap_or_default();
    let mut object = json!({
        "format": FORMAT,
        "model": subject.interpreter.model().name,
        "verdict": outcome.verdict.name(),
        "reason": decisive.and_then(|property| property.reason.clone()),
        "guarantee": last.map(|property| property.guarantee.clone()),
        "properties": properties(subject, outcome, shown),
        "violations": violations(subject, shown, traces),
        "states": counts.states,
        "transitions": counts.transitions,
        "atomic_steps": counts.atomic_steps,
        "depth": counts.depth,
        "iterations": refinement::searches(outcome),
        "seconds": last.map_or(0.0, |property| property.seconds),
        "startup_seconds": startup_seconds,
        "peak_memory_bytes": last.map_or(0, |property| property.peak_memory_bytes),
        "reductions": last.map(|property| property.reductions.clone()).unwrap_or_default(),
        "execution": outcome.execution,
        "warnings": warnings,
    });
    if let (Some(run), Some(fields)) = (last.and_then(|property| property.run.as_ref()), object.as_object_mut()) {
        fields.extend(how_it_ran(run));
    }
    if let (Some(why), Some(fields)) = (&outcome.why_interpreted, object.as_object_mut()) {
        fields.insert("why_interpreted".to_owned(), json!(why));
    }
    if let (Some(summary), Some(fields)) = (coverage::summary(subject, outcome), object.as_object_mut()) {
        fields.insert("coverage".to_owned(), coverage_object(&summary));
    }
    object
}

/// How the last search was made.
fn how_it_ran(run: &Run) -> Map<String, Value> {
    let workers: Vec<Value> =
        run.workers.iter().map(|time| json!({"busy_seconds": time.busy, "idle_seconds": time.idle})).collect();
    let mut fields = Map::new();
    fields.insert("order".to_owned(), run.order.into());
    fields.insert("store".to_owned(), run.store.into());
    fields.insert("threads".to_owned(), run.threads.into());
    fields.insert("store_bytes".to_owned(), run.store_memory.into());
    fields.insert("workers".to_owned(), workers.into());
    if let Some(probability) = run.omission_probability {
        fields.insert("omission_probability".to_owned(), probability.into());
    }
    fields
}

/// The object for a bad usage or a bad model.
pub fn error(message: &str, diagnostics: &[Diagnostic], sources: &SourceMap) -> Value {
    let diagnostics: Vec<Value> = diagnostics.iter().map(|entry| diagnostic(entry, sources)).collect();
    json!({"format": FORMAT, "error": message, "diagnostics": diagnostics})
}

fn diagnostic(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let place = diagnostic.primary.as_ref().map(|label| sources.location(label.span));
    json!({
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": diagnostic.message,
        "file": place.map(|place| place.file),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "label": diagnostic.primary.as_ref().map(|label| label.message.clone()).filter(|label| !label.is_empty()),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
}

fn properties(subject: &Subject<'_>, outcome: &Outcome, shown: &[Shown<'_>]) -> Vec<Value> {
    let trace_of = |property: &PropertyOutcome| {
        let first = shown.iter().find(|shown| std::ptr::eq(shown.property, property));
        first.map(|shown| trace(subject, &shown.replayed))
    };
    let entry = |property: &PropertyOutcome| {
        json!({
            "name": property.name,
            "kind": property.kind,
            "verdict": property.verdict.name(),
            "reason": property.reason,
            "guarantee": property.guarantee,
            "notes": property.notes,
            "states": property.counts.states,
            "transitions": property.counts.transitions,
            "atomic_steps": property.counts.atomic_steps,
            "depth": property.counts.depth,
            "seconds": property.seconds,
            "reductions": property.reductions,
            "fairness": property.fairness.name(),
            "trace": (property.verdict == Verdict::Violated).then(|| trace_of(property)).flatten(),
        })
    };
    let entry = |property: &PropertyOutcome| {
        let mut entry = entry(property);
        if let (false, Some(fields)) = (property.candidates.is_empty(), entry.as_object_mut()) {
            fields.insert("candidate".to_owned(), json!(trace_of(property)));
        }
        if let (false, Some(fields)) = (property.refinement.is_empty(), entry.as_object_mut()) {
            fields.insert("refinement".to_owned(), refinement::object(subject, &property.refinement).into());
        }
        entry
    };
    outcome.properties.iter().map(entry).collect()
}

fn violations(subject: &Subject<'_>, shown: &[Shown<'_>], traces: &[Option<String>]) -> Vec<Value> {
    let files = traces.iter().map(Option::as_deref).chain(std::iter::repeat(None));
    let entry = |(shown, file): (&Shown<'_>, Option<&str>)| {
        let fault = &shown.replayed.fault;
        let place = subject.sources.location(fault.span);
        json!({
            "kind": fault.kind.name(),
            "place": subject.place(fault.span),
            "file": place.file,
            "line": place.line,
            "process": shown.culprit(),
            "pid": fault.process,
            "message": fault.message,
            "notes": fault.notes,
            "property": shown.property.name,
            "trace_file": file,
            "trace": trace(subject, &shown.replayed),
        })
    };
    shown.iter().zip(files).filter(|(shown, _)| shown.decides()).map(entry).collect()
}

/// A run. Those that violate a safety property have no cycle, and neither has one that stays where nothing can move.
pub fn trace(subject: &Subject<'_>, replayed: &Replayed) -> Value {
    let steps = replayed.steps_to_fault();
    let (prefix, cycle) = steps.split_at(replayed.cycle.unwrap_or(steps.len()).min(steps.len()));
    let all = |steps: &[Step]| steps.iter().map(|entry| step(subject, entry)).collect::<Vec<Value>>();
    json!({"prefix": all(prefix), "cycle": all(cycle)})
}

fn step(subject: &Subject<'_>, step: &Step) -> Value {
    let mut object = participant(subject, &step.mover);
    let changes: Vec<Value> =
        step.changes.iter().map(|change| json!({"name": change.name, "value": change.value})).collect();
    object.insert("changes".to_owned(), changes.into());
    object.insert("transition".to_owned(), step.transition.into());
    if let Some(partner) = &step.partner {
        object.insert("partner".to_owned(), participant(subject, partner).into());
    }
    if !step.printed.is_empty() {
        object.insert("printed".to_owned(), step.printed.clone().into());
    }
    if !step.created.is_empty() {
        let names: Vec<&str> = step.created.iter().map(|created| created.name.as_str()).collect();
        object.insert("created".to_owned(), names.into());
    }
    if step.ended {
        object.insert("ended".to_owned(), true.into());
    }
    object.into()
}

fn participant(subject: &Subject<'_>, participant: &Participant) -> Map<String, Value> {
    let place = subject.sources.location(participant.span);
    let mut object = Map::new();
    object.insert("process".to_owned(), participant.name.clone().into());
    object.insert("pid".to_owned(), participant.pid.into());
    object.insert("file".to_owned(), place.file.into());
    object.insert("line".to_owned(), place.line.into());
    object.insert("statement".to_owned(), participant.text.clone().into());
    object
}

fn coverage_object(summary: &coverage::Summary) -> Value {
    let unreached: Vec<Value> = summary
        .unreached
        .iter()
        .map(|entry| {
            json!({"process": entry.process, "file": entry.file, "line": entry.line, "statement": entry.statement})
        })
        .collect();
    json!({"statements": summary.statements, "complete": summary.is_complete, "unreached": unreached})
}
