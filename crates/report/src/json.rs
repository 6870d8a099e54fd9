//! The report for programs: one object, its fields as `docs/json.md` describes them.

use ample_check::{Outcome, PropertyOutcome, Run, Verdict};
use ample_interpret::describe::Change;
use ample_replay::{Replayed, Waiting};
use ample_search::Counts;
use ample_source::{Diagnostic, Severity, SourceMap, Span};
use ample_transition::ClassCounts;
use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::{Shown, Subject, coverage, interpreted, notes, refinement, weighed};

/// The version of the format. It changes when a field changes its meaning or goes away, not when
/// one is added.
const FORMAT: u32 = 1;

/// The report on an outcome. `traces` holds, for each of `shown`, the file that its trace was saved
/// to.
pub fn outcome<'o>(
    subject: &Subject<'_>,
    outcome: &'o Outcome,
    shown: &[Shown<'o>],
    traces: &[Option<String>],
    warnings: &[Diagnostic],
    startup_seconds: f64,
) -> Document<'o> {
    let warnings: Vec<Value> = warnings.iter().map(|entry| diagnostic(entry, subject.sources)).collect();
    let last = outcome.last_run();
    let decisive = outcome.decisive();
    let counts = last.map(|property| property.counts).unwrap_or_default();
    let mut object = json!({
        "format": FORMAT,
        "model": subject.interpreter.model().name,
        "verdict": outcome.verdict.name(),
        "reason": decisive.and_then(|property| property.reason.clone()),
        "guarantee": last.map(|property| property.guarantee.to_string()),
        "properties": null,
        "violations": null,
        "states": counts.states,
        "transitions": counts.transitions,
        "atomic_steps": counts.atomic_steps,
        "depth": counts.depth,
        "iterations": refinement::searches(outcome),
        "seconds": last.map_or(0.0, |property| property.seconds),
        "startup_seconds": startup_seconds,
        "peak_memory_bytes": last.map_or(0, |property| property.peak_memory_bytes),
        "reductions": last.map(names_of_reductions).unwrap_or_default(),
        "execution": outcome.execution,
        "warnings": warnings,
    });
    if let (Some(run), Some(fields)) = (last.and_then(|property| property.run.as_ref()), object.as_object_mut()) {
        fields.extend(how_it_ran(run));
    }
    add_rest_of_counts(&mut object, counts);
    if let (Some(why), Some(fields)) = (&outcome.why_interpreted, object.as_object_mut()) {
        fields.insert("why_interpreted".to_owned(), json!(why));
    }
    let left_over = interpreted::objects(subject, outcome);
    if let (false, Some(fields)) = (left_over.is_empty(), object.as_object_mut()) {
        fields.insert("interpreted".to_owned(), left_over.into());
    }
    if let (Some(summary), Some(fields)) = (coverage::summary(subject, outcome), object.as_object_mut()) {
        fields.insert("coverage".to_owned(), coverage_object(&summary));
    }
    Document::from(object)
        .with("properties", Document::List(properties(subject, outcome, shown)))
        .with("violations", Document::List(violations(subject, shown, traces)))
        .with("statements", Document::Statements)
}

/// That some visited states are not stored any more, and that transitions were not counted one by
/// one, if so.
fn add_rest_of_counts(object: &mut Value, counts: Counts) {
    if let (1.., Some(fields)) = (counts.covered, object.as_object_mut()) {
        fields.insert("stored_states".to_owned(), json!(counts.stored()));
    }
    if let (1.., Some(fields)) = (counts.merged_states, object.as_object_mut()) {
        fields.insert("merged_states".to_owned(), json!(counts.merged_states));
    }
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
    fields.insert("relayouts".to_owned(), run.relayouts.into());
    fields.insert("workers".to_owned(), workers.into());
    fields.insert("interpreted_states".to_owned(), run.interpreted_states.into());
    if let Some(classes) = run.classes {
        let ClassCounts { classes, finds, lookups } = classes;
        fields.insert("classes".to_owned(), json!({"added": classes, "finds": finds, "lookups": lookups}));
    }
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

fn properties<'o>(subject: &Subject<'_>, outcome: &'o Outcome, shown: &[Shown<'o>]) -> Vec<Document<'o>> {
    let trace_of = |property: &PropertyOutcome| {
        let first = shown.iter().find(|shown| std::ptr::eq(shown.property, property));
        first.map_or(Document::Value(Value::Null), |shown| Document::Run(shown.violation.into()))
    };
    let entry = |property: &'o PropertyOutcome| {
        let mut object = json!({
            "name": property.name,
            "kind": property.kind,
            "verdict": property.verdict.name(),
            "reason": property.reason,
            "guarantee": property.guarantee.to_string(),
            "notes": notes::of(subject, property),
            "states": property.counts.states,
            "transitions": property.counts.transitions,
            "atomic_steps": property.counts.atomic_steps,
            "depth": property.counts.depth,
            "seconds": property.seconds,
            "reductions": names_of_reductions(property),
            "fairness": property.fairness.name(),
            "trace": null,
        });
        add_rest_of_counts(&mut object, property.counts);
        let mut entry = Document::from(object);
        if property.verdict == Verdict::Violated {
            entry = entry.with("trace", trace_of(property));
        }
        if let Some(limit) = &property.value_limit {
            let place = subject.place(limit.span);
            let limit = json!({"place": place, "pid": limit.process, "message": limit.message});
            entry = entry.with("value_limit", Document::Value(limit));
        }
        if !property.candidates.is_empty() {
            entry = entry.with("candidate", trace_of(property));
        }
        if !property.refinement.is_empty() {
            let runs = refinement::object(subject, &property.refinement);
            entry = entry.with("refinement", Document::Value(runs.into()));
        }
        if !property.weighed.is_empty() {
            entry = entry.with("weighed", Document::Value(weighed::array(&property.weighed)));
        }
        entry
    };
    outcome.properties.iter().map(entry).collect()
}

fn names_of_reductions(property: &PropertyOutcome) -> Vec<&'static str> {
    property.reductions.iter().map(|part| part.name).collect()
}

fn violations<'o>(subject: &Subject<'_>, shown: &[Shown<'o>], traces: &[Option<String>]) -> Vec<Document<'o>> {
    let files = traces.iter().map(Option::as_deref).chain(std::iter::repeat(None));
    let entry = |(shown, file): (&Shown<'o>, Option<&str>)| {
        let replayed = &shown.violation.replayed;
        let fault = &replayed.fault;
        // A cycle that is looked for by labels is at no place.
        let span = Some(fault.span).filter(|span| *span != Span::default());
        let place = span.map(|span| subject.sources.location(span));
        let object = json!({
            "kind": fault.kind.name(),
            "place": span.map(|span| subject.place(span)),
            "file": place.map(|place| place.file),
            "line": place.map(|place| place.line),
            "process": replayed.culprit,
            "pid": fault.process,
            "message": fault.message,
            "notes": fault.notes,
            "property": shown.property.name,
            "steps": replayed.moves,
            "trace_file": file,
            "state": last_state(subject, replayed),
        });
        Document::from(object).with("trace", Document::Run(shown.violation.into()))
    };
    shown.iter().zip(files).filter(|(shown, _)| shown.decides()).map(entry).collect()
}

/// The state that a run ends in.
fn last_state(subject: &Subject<'_>, replayed: &Replayed) -> Value {
    let process = |process: &Waiting| {
        let place = subject.sources.location(process.span);
        json!({
            "process": process.name,
            "pid": process.pid,
            "file": place.file,
            "line": place.line,
            "labels": process.labels,
            "next": process.texts,
        })
    };
    let value = |entry: &Change| json!({"name": entry.name, "value": entry.value});
    json!({
        "values": replayed.values.iter().map(value).collect::<Vec<Value>>(),
        "processes": replayed.waiting.iter().map(process).collect::<Vec<Value>>(),
    })
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
