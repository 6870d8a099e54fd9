//! What `ample check` says: what went wrong and where, how to get there, what was explored, what to
//! do next.

use std::fmt;

use ample_check::{BuiltIn, Outcome, PropertyOutcome, Verdict};
use ample_interpret::MOST_CHAINS;
use ample_replay::{Replayed, Waiting};
use ample_search::{Ended, Limit};
use ample_source::Span;
use ample_transition::FaultKind;

use crate::guarantee::{self, is_cut_off};
use crate::interpreted;
use crate::lanes::{self, Extent, Rows};
use crate::numbers::{count, duration, megabytes};
use crate::wrap::{one_line, pad, width, wrap};
use crate::{Look, Paint, ReplayedRun, Shown, Subject, coverage, notes, refinement, weighed};

/// How much to say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The verdicts only.
    Quiet,
    /// Everything.
    Full,
}

/// The column in which the words after a verdict begin.
const INDENT: usize = 10;

/// The whole report. `replays` holds, for each of `shown`, the command that replays it, if its
/// trace was saved; `hint` is a line about what else could be asked.
#[allow(clippy::too_many_arguments)] // each is a part of what is said
pub fn outcome(
    subject: &Subject<'_>,
    outcome: &Outcome,
    shown: &[Shown<'_>],
    replays: &[Option<String>],
    hint: Option<&str>,
    detail: Detail,
    look: Look,
) -> String {
    let mut text = String::new();
    for (number, violation) in shown.iter().enumerate() {
        let verdict = if violation.decides() { Verdict::Violated } else { Verdict::Unknown };
        text += &headline_of(verdict, subject, &violation.violation.replayed, look);
        if detail == Detail::Full {
            text += "\n";
            // Writing to a string cannot fail.
            let _ = write_body(subject, violation.violation.into(), Extent::Ends, look, &mut text);
            let replay = replays.get(number).and_then(Option::as_ref);
            // The last line of all is the command for the last violation.
            if let Some(command) = replay.filter(|_| number + 1 < shown.len()) {
                text += &format!("\nreplay: {command}\n\n");
            }
        }
    }
    if shown.is_empty() || outcome.properties.len() > 1 {
        if detail == Detail::Full && !shown.is_empty() {
            text += "\n";
        }
        text += &verdicts(outcome, look);
    }
    if detail == Detail::Quiet {
        return text;
    }
    text += "\n";
    text += &refinement::text(subject, outcome);
    text += &explored(subject, outcome);
    text += &assumed(outcome);
    text += &notes(subject, outcome);
    text += &advice(outcome, shown.iter().filter(|shown| shown.decides()).count());
    if let Some(summary) = coverage::summary(subject, outcome) {
        text += "\n";
        text += &coverage::text(&summary, look);
        text += if shown.is_empty() { "" } else { "\n" };
    }
    if let Some(hint) = hint {
        text += &format!("{hint}\n");
    }
    if let Some(command) = replays.last().and_then(Option::as_ref) {
        text += &format!("replay: {command}\n");
    }
    text
}

/// `VIOLATED  assertion failed: inside <= 1      mutex-wrong.pml:14, process user[1]`
pub fn headline(subject: &Subject<'_>, replayed: &Replayed, look: Look) -> String {
    headline_of(Verdict::Violated, subject, replayed, look)
}

fn headline_of(verdict: Verdict, subject: &Subject<'_>, replayed: &Replayed, look: Look) -> String {
    let process = replayed.culprit.as_ref().map(|name| format!(", process {name}")).unwrap_or_default();
    let message = one_line(&replayed.fault.message);
    let verdict = verdict_word(verdict, look);
    let bold = look.colour.paint(Paint::Heading, &message);
    if replayed.fault.span == Span::default() {
        // A cycle that is looked for by labels is at no place.
        return format!("{verdict}{bold}{process}\n");
    }
    let place = format!("{}{process}", subject.place(replayed.fault.span));
    if INDENT + width(&message) + 6 + width(&place) <= look.width {
        format!("{verdict}{bold}      {place}\n")
    } else {
        format!("{verdict}{bold}\n{:INDENT$}{place}\n", "")
    }
}

/// Writes the run that leads to a fault, and where all processes are if it is the state that is at
/// fault.
pub fn write_body(
    subject: &Subject<'_>,
    run: ReplayedRun<'_>,
    extent: Extent,
    look: Look,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let replayed = run.replayed;
    if replayed.moves > 0 {
        lanes::write(&Rows::of_run(subject, run, extent), look, out)?;
    } else if !replayed.waiting.is_empty() {
        out.write_str("  in the initial state, before any step\n")?;
    } else if replayed.fault_at.is_none() {
        out.write_str("  while the initial state is made, before any step\n")?;
    }
    let stays = replayed.cycle.is_some_and(|cycle| cycle == replayed.moves);
    if replayed.fault.kind == FaultKind::InvalidEndState || stays {
        write!(out, "\n{}", waiting(subject, &replayed.waiting, look))?;
    }
    Ok(())
}

/// What stands behind a value that a step was given.
const GIVEN: &str = " (input)";

/// A command as it is written, of one that was given values: `x := 3 (input)` is `x := input`.
fn without_given(text: &str) -> String {
    let mut parts: Vec<&str> = text.split(GIVEN).collect();
    let last = parts.pop().unwrap_or_default();
    let written = |part: &&str| part.rfind(":= ").map_or((*part).to_owned(), |at| format!("{}:= input", &part[..at]));
    parts.iter().map(written).chain([last.to_owned()]).collect()
}

/// What a process waits for. A command that may be given many values is one.
fn commands(texts: &[String]) -> String {
    let mut commands: Vec<String> = texts.iter().map(|text| without_given(text)).collect();
    commands.dedup();
    commands.join(" | ")
}

/// Where each process waits.
pub fn waiting(subject: &Subject<'_>, waiting: &[Waiting], look: Look) -> String {
    let name = waiting.iter().map(|entry| width(&entry.name)).max().unwrap_or(0);
    let place = waiting.iter().map(|entry| width(&subject.short_place(entry.span))).max().unwrap_or(0);
    let mut text = "  nothing can move:\n".to_owned();
    for entry in waiting {
        let statements = one_line(&commands(&entry.texts));
        let words = match (entry.ends, entry.may_end) {
            (true, _) => "at its end, waits for younger processes to end".to_owned(),
            (false, true) => format!("may stay here: {statements}"),
            (false, false) => format!("waits for: {statements}"),
        };
        let left = format!("    {}  {}  ", pad(&entry.name, name), pad(&subject.short_place(entry.span), place));
        for (number, line) in wrap(&words, look.width.saturating_sub(width(&left)).max(30)).iter().enumerate() {
            let left = if number == 0 { left.clone() } else { " ".repeat(width(&left)) };
            text += &format!("{left}{line}\n");
        }
    }
    text
}

fn verdicts(outcome: &Outcome, look: Look) -> String {
    let [property] = &outcome.properties[..] else { return verdict_table(outcome, look) };
    let words = match property.verdict {
        Verdict::Holds => format!("{}: {}", property.name, meaning(property)),
        _ => {
            let reason = property.reason.as_deref().unwrap_or("no reason was given");
            let has_found_none = property.ended.is_some() && property.untraced.is_empty();
            let found = if has_found_none { "no error found, but " } else { "" };
            format!("{}: {found}{reason}", property.name)
        }
    };
    format!("{}{words}\n", verdict_word(property.verdict, look))
}

/// One line for each property, under a line for all.
fn verdict_table(outcome: &Outcome, look: Look) -> String {
    let all = outcome.properties.len();
    let with = |verdict| outcome.properties.iter().filter(|property| property.verdict == verdict).count();
    let (violated, unknown) = (with(Verdict::Violated), with(Verdict::Unknown));
    let words = match outcome.verdict {
        Verdict::Violated if unknown > 0 => format!("{violated} of {all} properties, and {unknown} not settled"),
        Verdict::Violated => format!("{violated} of {all} properties"),
        Verdict::Unknown => format!("{unknown} of {all} properties not settled"),
        Verdict::Holds => format!("all of {all} properties"),
    };
    let mut text = format!("{}{words}\n", verdict_word(outcome.verdict, look));
    let name = outcome.properties.iter().map(|property| width(&property.name)).max().unwrap_or(0);
    for property in &outcome.properties {
        let word = pad(property.verdict.name(), "violated".len());
        let word = look.colour.paint(paint_of(property.verdict), &word);
        let words = property.reason.clone().unwrap_or_else(|| meaning(property));
        let line = format!("  {}  {word}  {}", pad(&property.name, name), one_line(&words));
        text += &format!("{}\n", line.trim_end());
    }
    text
}

fn verdict_word(verdict: Verdict, look: Look) -> String {
    let word = verdict.name().to_uppercase();
    let blanks = " ".repeat(INDENT.saturating_sub(word.len()));
    look.colour.paint(paint_of(verdict), &word) + &blanks
}

fn paint_of(verdict: Verdict) -> Paint {
    match verdict {
        Verdict::Holds => Paint::Good,
        Verdict::Unknown => Paint::Doubt,
        Verdict::Violated => Paint::Bad,
    }
}

/// What a property that holds says.
fn meaning(property: &PropertyOutcome) -> String {
    let built_in = BuiltIn::named(&property.name).filter(|_| property.kind == "safety");
    match built_in {
        Some(BuiltIn::Safety) => "no assertion fails, no invalid end state, no run-time error",
        Some(BuiltIn::Assertions) => "no assertion fails",
        Some(BuiltIn::EndStates) => "no invalid end state",
        Some(BuiltIn::Exclusive) => "no channel that is claimed by xr or xs is used by another process",
        Some(BuiltIn::Progress | BuiltIn::Accept) | None if is_fair(property) => "holds in every fair run",
        None if property.claim.as_ref().is_some_and(|claim| claim.closure().is_some()) => {
            "no run is forbidden, and none differs only in repeated states from one that is"
        }
        None if property.kind == "claim" => "no run is forbidden",
        Some(BuiltIn::Progress | BuiltIn::Accept) | None => "holds in every run",
    }
    .to_owned()
}

/// After so many seconds it is worth knowing that a search could have been faster.
const SLOW: f64 = 1.0;

/// One line for each search.
fn explored(subject: &Subject<'_>, outcome: &Outcome) -> String {
    let searches: Vec<&PropertyOutcome> =
        outcome.properties.iter().filter(|property| property.ended.is_some()).collect();
    let mut text = String::new();
    for property in &searches {
        let name = if searches.len() > 1 { format!("{}: ", property.name) } else { String::new() };
        let reductions = guarantee::reductions(property);
        let stored = match property.counts.covered {
            0 => String::new(),
            _ => format!(" ({} stored in the end)", crate::numbers::thousands(property.counts.stored())),
        };
        text += &format!(
            "{name}explored {}{stored}, {}, depth {} in {} with {}; {reductions}\n",
            count(property.counts.states, "state"),
            count(property.counts.transitions, "transition"),
            crate::numbers::thousands(property.counts.depth),
            duration(property.seconds),
            megabytes(property.peak_memory_bytes),
        );
        text += &merged(property);
        text += &classes(property);
        text += &weighed::line(property);
    }
    let slow: Vec<_> = searches.iter().copied().filter(|property| property.seconds > SLOW).collect();
    if let Some(why) = outcome.why_interpreted.as_ref().filter(|_| !slow.is_empty()) {
        text += &format!("interpreted, because it cannot be compiled: {why}\n");
    }
    text += &interpreted::line(subject, outcome, &slow);
    text += &guarantee::text(&searches);
    text
}

/// That transitions were not counted one by one, if so.
fn merged(property: &PropertyOutcome) -> String {
    match property.counts.merged_states {
        0 => String::new(),
        states => format!(
            "more than {} ways lead through an atomic sequence from {}: of these, the different ends are counted as transitions\n",
            crate::numbers::thousands(MOST_CHAINS as u64),
            count(states, "state"),
        ),
    }
}

/// How many classes stand for the states that were not explored, and what it took to find them.
fn classes(property: &PropertyOutcome) -> String {
    let run = property.run.as_ref();
    let line = run.and_then(|run| Some((run.order, run.classes?))).map(|(order, classes)| {
        let (finds, lookups) = (crate::numbers::thousands(classes.finds), count(classes.lookups, "look-up"));
        format!("{order}: {finds} times it was asked whether a class holds a state, in {lookups}\n")
    });
    line.unwrap_or_default()
}

/// Whether only fair runs counted, and others were left out.
fn is_fair(property: &PropertyOutcome) -> bool {
    property.fairness.name().is_some() && property.run.as_ref().is_some_and(|run| run.is_for_infinite_runs)
}

/// That only fair runs counted, and where that makes no difference.
fn assumed(outcome: &Outcome) -> String {
    let mut text = String::new();
    if outcome.properties.iter().any(is_fair) {
        text += "assumed: weak fairness (a process that could move all the time does move again and again)\n";
    }
    let makes_none = |property: &&PropertyOutcome| property.fairness.name().is_some() && !is_fair(property);
    let others: Vec<&str> = outcome.properties.iter().filter(makes_none).map(|property| &*property.name).collect();
    if !others.is_empty() {
        text +=
            &format!("fairness makes no difference to {}: every beginning goes on in a fair way\n", others.join(", "));
    }
    text
}

/// What else to know about an answer.
fn notes(subject: &Subject<'_>, outcome: &Outcome) -> String {
    let notes = outcome.properties.iter().flat_map(|property| notes::of(subject, property));
    notes.map(|note| format!("note: {note}\n")).collect()
}

/// What to do about an answer that is not settled, or that is only the first of many.
fn advice(outcome: &Outcome, violations: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let is_unknown = |property: &PropertyOutcome| property.verdict == Verdict::Unknown && property.untraced.is_empty();
    let is_open = |property: &&PropertyOutcome| is_unknown(property) || is_cut_off(property);
    for property in outcome.properties.iter().filter(is_open) {
        let line = how_to_settle(property);
        if !line.is_empty() && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let more = if outcome.properties.iter().any(is_cut_off) { "; there may be more" } else { "" };
    if violations > 1 || !more.is_empty() {
        let found = count(violations as u64, "distinct violation");
        lines.push(format!("{found} {} found{more}", if violations == 1 { "was" } else { "were" }));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// What to do about one answer.
fn how_to_settle(property: &PropertyOutcome) -> String {
    let to = if is_cut_off(property) { "to find the others" } else { "to settle it" };
    let advice = property.advice.as_ref().map(|advice| format!("{to}, {advice}")).unwrap_or_default();
    match property.ended {
        Some(Ended::Limit(Limit::States(_))) => format!("{to}, raise --max-states or leave it out"),
        Some(Ended::Limit(Limit::Depth(_))) => format!("{to}, raise --max-depth or leave it out"),
        Some(Ended::Limit(Limit::Time(_))) => format!("{to}, raise --max-time or leave it out"),
        Some(Ended::Limit(Limit::Memory(_)) | Ended::StoreFull) => advice,
        Some(Ended::Limit(Limit::Classes)) => format!("{to}, choose another --order, or leave it out"),
        Some(Ended::Limit(Limit::Values)) => format!("{to}, give the variable a range, or the command a guard"),
        Some(Ended::Interrupted) if is_cut_off(property) => {
            "it was interrupted; run it again to find the others".to_owned()
        }
        Some(Ended::Interrupted) => "what was explored so far has no error; run it again to settle it".to_owned(),
        None => "-p NAME checks the others alone".to_owned(),
        Some(Ended::FirstViolation) if !property.candidates.is_empty() => advice,
        Some(Ended::Complete | Ended::FirstViolation | Ended::AssumptionFailed) => String::new(),
    }
}
