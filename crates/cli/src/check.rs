//! `ample check`.

use std::time::Instant;

use ample_check::{Begin, Choice, Job, LOOPS, Options, Outcome, Pick, Prepared, Reduce, Under, check};
use ample_frontends::Loaded;
use ample_guarantee::PartKind;
use ample_report::{Shown, Subject, all_shown, json, text};
use ample_search::{Limits, StopAt};
use ample_stdx::Stop;

use crate::args::CheckArgs;
use crate::failure::{Failure, Status};
use crate::files::Inputs;
use crate::model::{self, Beside};
use crate::output::Terminal;
use crate::progress::ProgressLine;
use crate::traces;
use crate::watch::Watch;

/// Checks a model and reports.
pub fn run(options: &CheckArgs, terminal: &Terminal, stop: &Stop, watch: &Watch) -> Result<Status, Failure> {
    let started = Instant::now();
    options.predicates.check(options.under.as_deref())?;
    let is_matched = options.matching.is_some();
    let values = if is_matched { matched(options.matching.as_deref())? } else { options.predicates.given()? };
    let mut loaded = model::load_with(&options.model, &Beside { values: &values, ..options.asked.beside() })?;
    // A front end may add what says where values mean something.
    loaded.values.truncate(if is_matched { usize::MAX } else { values.len() });
    if !options.quiet && !options.json {
        model::warn(&loaded, terminal);
    }
    if let Some(file) = &options.trace {
        Inputs::of(&loaded).refuse(file).map_err(Failure::Usage)?;
    }
    let interpreter = model::interpreter(&options.model, &loaded);
    let prepared = Prepared::within(&interpreter, &loaded.properties, &Choice::parse(&options.exec), stop)?;
    let startup = started.elapsed().as_secs_f64();
    let mut progress = ProgressLine::new(options.quiet, options.json);
    let job = Job {
        system: prepared.system(),
        select: options.asked.select(&options.asked.given(&loaded)),
        options: search_options(options, &loaded, under(options)?, stop),
        loops: LOOPS,
        progress: Some(&mut progress),
    };
    let outcome = check(job);
    progress.clear();
    let outcome = outcome?;
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    watch.begin_answer();
    report(options, terminal, &subject, &loaded, &outcome, startup, stop);
    Ok(outcome.verdict.into())
}

/// The expressions of `--match`: the commas inside of brackets are theirs.
pub fn matched(list: Option<&str>) -> Result<Vec<String>, Failure> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let (mut values, mut value, mut open) = (Vec::new(), String::new(), 0_usize);
    for letter in list.chars() {
        match letter {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        match letter {
            ',' if open == 0 => values.push(std::mem::take(&mut value)),
            _ => value.push(letter),
        }
    }
    values.push(value);
    if values.iter().any(|value| value.trim().is_empty()) {
        let usage = format!(
            "--match {list}: an expression is missing; write them with commas between them, as --match 'x > 0, y'"
        );
        return Err(Failure::Usage(usage));
    }
    Ok(values)
}

/// The loop that is asked for. What belongs to one does not apply without it.
fn under(options: &CheckArgs) -> Result<Option<Under>, Failure> {
    let usage = |words: &str| Err(Failure::Usage(words.to_owned()));
    let pick = match (options.pick.as_deref(), options.seed) {
        (Some("random"), seed) => Pick::Random { seed: seed.unwrap_or(0) },
        (_, None) => Pick::Guided,
        (_, Some(_)) => return usage("--seed does not apply: nothing is chosen at random; use --pick random"),
    };
    match &options.under {
        Some(name) => {
            let begin = options.begin.as_deref().and_then(Begin::named);
            Ok(Some(Under { name: name.clone(), pick, begin }))
        }
        None if options.pick.is_some() => {
            usage("--pick does not apply: there is no under-approximation to choose for; use --under")
        }
        None if options.max_rounds.is_some() => usage("--max-rounds does not apply: there is one search; use --under"),
        None if options.begin.is_some() => {
            usage("--begin does not apply: there is no under-approximation to begin; use --under cycles")
        }
        None => Ok(None),
    }
}

fn search_options(options: &CheckArgs, loaded: &Loaded, under: Option<Under>, stop: &Stop) -> Options {
    let (matching, given) = match options.matching {
        Some(_) => (loaded.values.clone(), Vec::new()),
        None => (Vec::new(), loaded.values.clone()),
    };
    Options {
        matching,
        predicates: options.predicates.options(given),
        max_rounds: options.max_rounds,
        under,
        order: Choice::parse(&options.order),
        emptiness: Choice::parse(&options.emptiness),
        fairness: model::fairness(options.fair.as_deref()),
        store: Choice::parse(&options.store),
        threads: options.threads.map(usize::from),
        reduce: Reduce::parse(&options.reduce),
        por: Choice::parse(&options.por),
        cycle_condition: Choice::parse(&options.proviso),
        stop_at: if options.keep_going { StopAt::End } else { StopAt::FirstViolation },
        coverage: options.coverage,
        limits: Limits {
            max_states: options.limits.max_states,
            max_depth: options.limits.max_depth,
            max_time: options.limits.max_time,
            deadline: stop.deadline(),
            max_memory: options.limits.max_memory,
            interrupt: stop.interrupt().clone(),
        },
        ..Options::default()
    }
}

fn report(
    options: &CheckArgs,
    terminal: &Terminal,
    subject: &Subject<'_>,
    loaded: &Loaded,
    outcome: &Outcome,
    startup: f64,
    stop: &Stop,
) {
    let shown = &all_shown(outcome)[..];
    let saved = traces::save(options, &Inputs::of(loaded), subject, shown, terminal);
    if options.json {
        let file = |saved: &Option<traces::Saved>| saved.as_ref().map(|saved| saved.file.display().to_string());
        let files: Vec<Option<String>> = saved.iter().map(file).collect();
        let document = json::outcome(subject, outcome, shown, &files, &loaded.warnings, startup);
        terminal.write(|out| document.write(subject, stop, out));
        return;
    }
    let commands: Vec<Option<String>> = saved.into_iter().map(|saved| saved.map(|saved| saved.command)).collect();
    let detail = if options.quiet { text::Detail::Quiet } else { text::Detail::Full };
    terminal.print(&text::outcome(
        subject,
        outcome,
        shown,
        &commands,
        hint(options, outcome, shown),
        detail,
        terminal.look(),
    ));
}

/// More steps than this are long for a counterexample.
const LONG: usize = 30;

/// Depth first finds an error soon, but seldom by the shortest way. For infinite runs there is no
/// shorter way yet, and where states cover others no order promises the shortest.
fn hint(options: &CheckArgs, outcome: &Outcome, shown: &[Shown<'_>]) -> Option<&'static str> {
    let mut replayed = shown.iter().map(|shown| &shown.violation.replayed);
    let is_long = replayed.any(|replayed| replayed.cycle.is_none() && replayed.moves > LONG);
    let mut used = outcome.properties.iter().flat_map(|property| &property.reductions);
    let has_shortest = used.all(|part| part.kind != PartKind::Cover);
    (is_long && has_shortest && options.order != "bfs").then_some("a shortest counterexample: --order bfs")
}
