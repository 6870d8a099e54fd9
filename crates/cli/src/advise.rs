//! `ample advise`: what each sound reduction would give on a model, measured, and which flags to
//! use.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ample_advise::{Advise, Advised, advise};
use ample_check::{LOOPS, Techniques, Verdict};
use ample_report::Subject;
use ample_report::advise::AdviceReport;
use ample_search::Limits;
use ample_stdx::Stop;

use crate::args::AdviseArgs;
use crate::failure::{Failure, Status};
use crate::model;
use crate::output::Terminal;
use crate::progress::ProgressLine;
use crate::watch::Watch;

/// Tries the ways to ask about a model, and reports.
pub fn run(
    options: &AdviseArgs,
    terminal: &Terminal,
    interrupt: Arc<AtomicBool>,
    watch: &Watch,
) -> Result<Status, Failure> {
    let started = Instant::now();
    let stop = Stop::new(interrupt.clone(), started.checked_add(options.max_time));
    watch.begin(&stop, Some(options.max_time), terminal);
    let loaded = model::load_with(&options.model, &options.asked.beside())?;
    if !options.json {
        model::warn(&loaded, terminal);
    }
    let interpreter = model::interpreter(&options.model, &loaded);
    let given = options.asked.given(&loaded);
    let question = Advise {
        interpreter: &interpreter,
        properties: &loaded.properties,
        select: options.asked.select(&given),
        fairness: model::fairness(options.fair.as_deref()),
        stop: stop.clone(),
        limits: Limits { max_memory: options.max_memory, interrupt, ..Limits::default() },
        techniques: Techniques::default(),
        loops: LOOPS,
    };
    let mut progress = ProgressLine::new(false, options.json);
    let advice = advise(&question, &mut progress);
    progress.clear();
    let advice = advice?;
    watch.begin_answer();
    let asked = options.model.asked(options.fair.as_deref(), &given);
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let report = AdviceReport { asked, subject: &subject, advice: &advice, seconds: started.elapsed().as_secs_f64() };
    terminal.print(&if options.json { report.json() } else { report.text(options.verbose, terminal.look()) });
    Ok(status(&advice.properties, &stop))
}

/// As for a check; answers that differ outweigh everything.
fn status(advised: &[Advised], stop: &Stop) -> Status {
    if advised.iter().any(|advised| advised.difference().is_some()) {
        return Status::Internal;
    }
    if stop.interrupt().load(std::sync::atomic::Ordering::Relaxed) {
        return Status::Unknown;
    }
    advised.iter().map(|advised| advised.verdict).fold(Verdict::Holds, Verdict::combine).into()
}
