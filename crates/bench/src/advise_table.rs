//! The table `advise`: the line that `ample advise` recommends, beside the best of all plans that
//! `ample audit` tries.
//!
//! Of each model one property that holds is asked, so that all plans have the whole space before
//! them. The plan of the audit that was fastest, or if that takes no time worth speaking of the one
//! with the fewest states, and the recommended line are then run in turn. They are compared by the
//! time of the search, or by states where both take less than a tenth of a second.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::BenchError;
use crate::measured::Measured;
use crate::ours::{self, Answer, Wanted};
use crate::race::{self, Run};
use crate::rows::{SAFETY, choose};
use crate::table::{Section, count, decimal, median, names};

const PART: &str = "advice beside the audit";

/// Models of users that Spin explores to the end without an error, of different authors.
const USERS: &[&str] = &[
    "EthanAndreas__Promela/Part1/randombit.pml",
    "YeonwooSung__PROMELA_Examples/Tutorial/W04_tutorial/tutorial1.pml",
    "PearsonSamuel__SPIN-Model-Checking/Token Ring/token2.pml",
    "Hereugo__formal-assignment-promela-trash-bin/trash_bin.pml",
    "georgigospodinov__Y4PromelaAndSpin/part1_array.pml",
    "TomasFugassa__Promela-Oral/01-practica-basica/productor-consumidor-chan.pml",
    "SergeyStaroletov__PromelaSamples/sched_ver_rms.pml",
    "Vagnona__Promela/TP1/Correction/Exercice_JeuNim/JeuNim.pml",
    "kDushyanth__SPIN-model-checker/elevator_controller/elevator_controller/Q2/corrected.pml",
    "melintea__upml/doc/promela/philosophers-1.promela",
    "soscamvn__Promela_TraffictLight/Complete/Complete.pml",
    "gagansh7171__SPIN-Model-Checker-Programs/bakery.pml",
    "Vagnona__Promela/TP1/Correction/Exercice_Tree/exemple_tree.pml",
    "bivex__vcpu-spin-models/models/quad_vmprotect.pml",
    "melintea__upml/plantuml/fsm/switch/switch.promela",
    "EthanAndreas__Promela/Part3/ring_&_ressource_ask.pml",
    "hhhwwwuuu__concurrency-booking-tickets--promela/book_ticket.pml",
    "00ricardo__Model-Checking-Promela-Spin/Proj1_ex9.pml",
    "hadisfr__promela-async-dining-philosophers/phil-async.pml",
    "luizaalves__promela/enq.pml",
];

/// Instances of BEEM with a property that holds.
const BEEM: &[(&str, &str)] = &[
    ("anderson.4", "beem:1"),
    ("at.1", "beem:1"),
    ("bakery.3", "beem:1"),
    ("brp2.1", "beem:1"),
    ("cambridge.1", "beem:1"),
    ("collision.1", "beem:1"),
    ("cyclic_scheduler.1", "beem:1"),
    ("elevator.1", "beem:1"),
    ("extinction.1", "beem:1"),
    ("lamport.1", "beem:1"),
    ("lamport_nonatomic.1", "beem:1"),
    ("lann.2", "beem:1"),
    ("leader_filters.1", "beem:1"),
    ("leader_filters.3", "beem:1"),
    ("needham.2", "beem:2"),
    ("peterson.1", "beem:1"),
    ("pgm_protocol.1", "beem:1"),
    ("synapse.2", "beem:1"),
    ("telephony.2", "beem:1"),
    ("train-gate.2", "beem:1"),
];

/// What the recommended line may take beside the best plan, and on which share of the rows.
const BAR: f64 = 1.3;
const SHARE: f64 = 0.8;

/// Below this many seconds states are compared.
const NO_TIME: f64 = 0.1;

/// How long advice and audit of a row may take.
const ADVICE: &str = "10s";
const AUDIT: &str = "8s";

const TITLE: &str = "`ample advise --max-time 10s` beside the best of all plans that `ample audit --budget 8s` comes to an answer with: \
                     states and seconds of the search by each line, run in turn. The ratio is that of the times, or of the states where both \
                     take less than 0.1 s";
const COLUMNS: &[&str] =
    &["model", "property", "recommended", "states", "s", "best of the audit", "states", "s", "plans", "ratio"];

/// A model and a question.
struct Subject {
    name: String,
    path: PathBuf,
    property: &'static str,
}

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    let mut measured = Measured { versions: vec![("ample", run.ample())], ..Measured::default() };
    let mut rows = Vec::new();
    let subjects = subjects(run);
    for subject in choose(&subjects, |subject| subject.name.clone(), &run.options.only)? {
        let text = race::read(&subject.path)?;
        let with = json!({"property": subject.property, "advice": ADVICE, "audit": AUDIT});
        let part = run.keep(&subject.name, &text, PART, &with, |run| subject.measure(run))?;
        let Some(result) = measured.take(&subject.name, PART, part) else { continue };
        match Row::read(subject, &result) {
            Some(row) => rows.push(row),
            None => measured.problems.push(format!("{}: no plan came to an answer", subject.name)),
        }
    }
    measured.notes.extend(note(&rows));
    let cells = rows.iter().map(Row::cells).collect();
    measured.sections = vec![Section { title: TITLE.to_owned(), columns: names(COLUMNS), rows: cells }];
    Ok(measured)
}

fn subjects(run: &Run<'_>) -> Vec<Subject> {
    let folder = std::fs::canonicalize(&run.options.models).unwrap_or_else(|_| run.options.models.clone());
    let of_user = |name: &&'static str| {
        let (author, file) = (name.split("__").next().unwrap_or(name), name.rsplit('/').next().unwrap_or(name));
        let path = folder.join("promela/users").join(name);
        Subject { name: format!("{author}: {file}"), path, property: SAFETY }
    };
    let of_beem = |(name, property): &(&'static str, &'static str)| {
        let family = name.split('.').next().unwrap_or_default();
        let path = folder.join("dve/beem").join(family).join(format!("{name}.dve"));
        Subject { name: format!("BEEM: {name}"), path, property }
    };
    let all = USERS.iter().map(of_user).chain(BEEM.iter().map(of_beem));
    all.filter(|subject| subject.path.is_file()).collect()
}

impl Subject {
    fn command(&self, run: &Run<'_>, subcommand: &str, flags: &[&str]) -> Command {
        let mut command = Command::new(&run.options.program);
        command.current_dir(run.folder()).arg(subcommand).arg(&self.path);
        command.args(["-p", self.property, "--json"]).args(flags);
        command
    }

    /// The advice, the audit, and then both lines in turn.
    fn measure(&self, run: &mut Run<'_>) -> Result<Value, BenchError> {
        run.say(&format!("{}: advice", self.name));
        let advice = report(&mut self.command(run, "advise", &["--max-time", ADVICE]))?;
        let advised = &advice["properties"][0];
        let best = advised["best"].as_u64().and_then(|at| advised["ways"][at as usize]["flags"].as_str());
        let recommended = best.unwrap_or_default().to_owned();
        run.say(&format!("{}: audit", self.name));
        let audit = report(&mut self.command(run, "audit", &["--budget", AUDIT]))?;
        let plans = plans(&audit["properties"][0]);
        let best = best_plan(&plans).map(|plan| plan.flags.clone()).unwrap_or_default();
        let mut sides = json!({"recommended": [], "audit": []});
        for at in 1..=run.options.repeat {
            for (side, flags) in [("recommended", &recommended), ("audit", &best)] {
                run.say(&format!("{}, run {at} of {}: {side}", self.name, run.options.repeat));
                let words: Vec<&str> = flags.split_whitespace().collect();
                let answer = ours::ask(&mut self.command(run, "check", &words), Wanted::Verdict)?;
                if let (Answer::Complete(ours), Some(runs)) = (answer, sides[side].as_array_mut()) {
                    runs.push(ours.to_json());
                }
            }
        }
        Ok(json!({"flags": recommended, "best": best, "plans": plans.len(), "sides": sides}))
    }
}

/// What a command prints for programs.
fn report(command: &mut Command) -> Result<Value, BenchError> {
    let ran = crate::measure::run(command)?;
    serde_json::from_str(&ran.stdout).map_err(|_| crate::measure::failure(command, &ran))
}

/// A plan that came to an answer.
struct Plan {
    flags: String,
    states: u64,
    seconds: f64,
}

fn plans(audited: &Value) -> Vec<Plan> {
    let plan = |plan: &Value| {
        let is_answer = plan["standing"] == "agrees" && plan["verdict"] != "unknown";
        let flags = plan["flags"].as_str().filter(|_| is_answer)?.to_owned();
        Some(Plan { flags, states: plan["states"].as_u64()?, seconds: plan["seconds"].as_f64()? })
    };
    audited["plans"].as_array().into_iter().flatten().filter_map(plan).collect()
}

/// The fastest, or of those that take no time the one with the fewest states.
fn best_plan(plans: &[Plan]) -> Option<&Plan> {
    let quick = plans.iter().filter(|plan| plan.seconds < NO_TIME).min_by_key(|plan| plan.states);
    quick.or_else(|| plans.iter().min_by(|one, other| one.seconds.total_cmp(&other.seconds)))
}

/// What one line took.
#[derive(Copy, Clone)]
struct Took {
    states: u64,
    seconds: f64,
}

impl Took {
    fn read(result: &Value, side: &str) -> Option<Took> {
        let runs = race::runs(&result["sides"], side, ours::Ours::from_json);
        let seconds = median(runs.iter().map(|run| run.search_seconds).collect())?;
        Some(Took { states: runs.first()?.states, seconds })
    }
}

/// A row, laid out later.
struct Row {
    name: String,
    property: &'static str,
    flags: String,
    best: String,
    plans: u64,
    own: Took,
    audit: Took,
}

impl Row {
    fn read(subject: &Subject, result: &Value) -> Option<Row> {
        let text = |field: &str| result[field].as_str().unwrap_or_default().to_owned();
        Some(Row {
            name: subject.name.clone(),
            property: subject.property,
            flags: text("flags"),
            best: text("best"),
            plans: result["plans"].as_u64()?,
            own: Took::read(result, "recommended")?,
            audit: Took::read(result, "audit")?,
        })
    }

    fn ratio(&self) -> f64 {
        if self.own.seconds < NO_TIME && self.audit.seconds < NO_TIME {
            return self.own.states as f64 / self.audit.states.max(1) as f64;
        }
        self.own.seconds / self.audit.seconds
    }

    fn cells(&self) -> Vec<String> {
        let line = |flags: &str| match flags {
            "" => "by itself".to_owned(),
            flags => format!("`{}`", flags.replace("--exec jit ", "").replace(" --threads 1", "")),
        };
        let took = |took: Took| [count(took.states), decimal(Some(took.seconds))];
        let mut cells = vec![self.name.clone(), self.property.to_owned(), line(&self.flags)];
        cells.extend(took(self.own));
        cells.push(line(&self.best));
        cells.extend(took(self.audit));
        cells.extend([count(self.plans), decimal(Some(self.ratio()))]);
        cells
    }
}

/// How many rows keep the bar.
fn note(rows: &[Row]) -> Option<String> {
    let within = rows.iter().filter(|row| row.ratio() <= BAR).count();
    let worst = rows.iter().map(Row::ratio).reduce(f64::max)?;
    Some(format!(
        "Within {BAR} of the best plan: {within} of {} rows ({SHARE} of them are wanted); worst {}.",
        rows.len(),
        decimal(Some(worst))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(flags: &str, states: u64, seconds: f64) -> Value {
        json!({"standing": "agrees", "verdict": "holds", "flags": flags, "states": states, "seconds": seconds})
    }

    #[test]
    fn the_best_plan_is_the_fastest_or_the_smallest_of_the_quick() {
        let mut audited = json!({"plans": [plan("a", 100, 0.3), plan("b", 10, 0.09), plan("c", 20, 0.01)]});
        assert_eq!(best_plan(&plans(&audited)).unwrap().flags, "b");
        audited["plans"][1]["verdict"] = json!("unknown");
        audited["plans"][2]["standing"] = json!("refused");
        assert_eq!(plans(&audited).len(), 1);
        assert_eq!(best_plan(&plans(&audited)).unwrap().flags, "a");
    }

    #[test]
    fn a_row_is_compared_by_time_or_by_states() {
        let took = |states, seconds| Took { states, seconds };
        let row = |own, audit| Row {
            name: "a".to_owned(),
            property: SAFETY,
            flags: "--reduce dead".to_owned(),
            best: "--exec jit --reduce none --threads 1".to_owned(),
            plans: 1000,
            own,
            audit,
        };
        let small = row(took(130, 0.05), took(100, 0.01));
        let large = row(took(130, 0.5), took(100, 1.0));
        assert!((small.ratio() - 1.3).abs() < 1e-9 && (large.ratio() - 0.5).abs() < 1e-9);
        let cells =
            ["a", "safety", "`--reduce dead`", "130", "0.05", "`--reduce none`", "100", "0.01", "1,000", "1.30"];
        assert_eq!(small.cells(), cells.map(str::to_owned));
        assert_eq!(small.cells().len(), COLUMNS.len());
        let note = note(&[small, large, row(took(9, 0.0), took(3, 0.0))]).unwrap();
        assert_eq!(note, "Within 1.3 of the best plan: 2 of 3 rows (0.8 of them are wanted); worst 3.00.");
    }
}
