//! `ample audit`: the same question through every sound plan; all must agree.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ample_audit::{Audit, Audited, audit};
use ample_check::{LOOPS, Techniques, Verdict};
use ample_report::Subject;
use ample_report::audit::AuditReport;
use ample_search::Limits;

use crate::args::AuditArgs;
use crate::failure::{Failure, Status};
use crate::model;
use crate::output::Terminal;
use crate::progress::ProgressLine;

/// The budget if nothing is said.
const DEFAULT_BUDGET: Duration = Duration::from_secs(10);

/// Audits a model and reports. Whatever does not agree is an error of ours.
pub fn run(options: &AuditArgs, terminal: &Terminal, interrupt: Arc<AtomicBool>) -> Result<Status, Failure> {
    let started = Instant::now();
    let loaded = model::load_with(&options.model, &options.asked.beside())?;
    if !options.json {
        model::warn(&loaded, terminal);
    }
    let interpreter = model::interpreter(&options.model, &loaded);
    let given = options.asked.given(&loaded);
    let question = Audit {
        interpreter: &interpreter,
        properties: &loaded.properties,
        select: options.asked.select(&given),
        fairness: model::fairness(options.fair.as_deref()),
        budget: options.budget.or(options.max_states.is_none().then_some(DEFAULT_BUDGET)),
        limits: Limits {
            max_states: options.max_states,
            max_memory: options.max_memory,
            interrupt,
            ..Limits::default()
        },
        seed: options.seed,
        techniques: Techniques::default(),
        loops: LOOPS,
    };
    let mut progress = ProgressLine::new(false, options.json);
    let audited = audit(&question, &mut progress);
    progress.clear();
    let audited = audited?;
    let subject = Subject { interpreter: &interpreter, sources: &loaded.sources };
    let seconds = started.elapsed().as_secs_f64();
    let asked = options.model.asked(options.fair.as_deref(), &given);
    let report = AuditReport { asked, seed: options.seed, subject: &subject, audited: &audited, seconds };
    terminal.print(&if options.json { report.json() } else { report.text(options.verbose, terminal.look()) });
    if !options.json && audited.iter().any(|audited| !audited.differences.is_empty()) {
        terminal.complain("This is an error in ample, not in your model. Please report it, with the model.\n");
    }
    Ok(status(&audited))
}

/// As for a check; what does not agree outweighs everything.
fn status(audited: &[Audited]) -> Status {
    if audited.iter().any(|audited| !audited.differences.is_empty()) {
        return Status::Internal;
    }
    audited.iter().map(|audited| audited.verdict).fold(Verdict::Holds, Verdict::combine).into()
}
