//! `ample bench`.

use std::fs;
use std::path::{Path, PathBuf};

use ample_bench::{Home, Limits, Options, Report, TABLES, Table};
use ample_guarantee::PartKind;

use crate::args::{self, BenchArgs};
use crate::failure::{Failure, Status};
use crate::files::{self, Inputs};
use crate::output::Terminal;

/// How often each program runs if nobody says.
const REPEAT: u16 = 3;

/// What a search may take if nobody says.
const LIMITS: Limits = Limits { seconds: 60.0, states: 10_000_000, megabytes: 8 << 10 };

/// Where the corpus is, from a checkout, and the variable that says otherwise.
const CORPUS: &str = "../shared/corpus";
const CORPUS_VARIABLE: &str = "AMPLE_CORPUS";

/// What was measured, in the folder that Cargo builds in, or in the system's for temporary files.
const RESULTS: &str = "bench-results.jsonl";

/// Measures a table, or lists them.
pub fn run(arguments: &BenchArgs, terminal: &Terminal) -> Result<Status, Failure> {
    let chosen = arguments.table.as_ref().and_then(|name| TABLES.iter().find(|table| table.name == name));
    let Some(table) = chosen else {
        terminal.print(&list());
        return Ok(Status::Holds);
    };
    let program = std::env::current_exe();
    let program = program.map_err(|error| Failure::Usage(format!("cannot find the program itself: {error}")))?;
    let limits = limits(arguments, table)?;
    let document = arguments.write.as_ref().map(|path| Document::open(path, table)).transpose()?;
    let options = Options {
        models: arguments.models.clone().unwrap_or_else(|| models(&program, table.home)),
        corpus: corpus(&program),
        expanders: args::built(PartKind::Expander).map(|part| part.name).collect(),
        only: arguments.only.clone(),
        repeat: repeat(arguments, table)?.into(),
        results: arguments.results.clone().unwrap_or_else(results),
        fresh: arguments.fresh,
        record: record(arguments, table)?,
        limits,
        program,
    };
    let mut progress = |what: &str| terminal.complain(&format!("{}: {what}\n", table.name));
    let report = ample_bench::measure(table, &options, &mut progress);
    let report = report.map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(document) = document {
        document.write(table, &report)?;
    }
    match arguments.json {
        true => terminal.print(&format!("{}\n", report.json)),
        false => terminal.print(&report.text),
    }
    Ok(if report.problems.is_empty() { Status::Holds } else { Status::Unknown })
}

/// The tables, a line each.
fn list() -> String {
    let width = TABLES.iter().map(|table| table.name.len()).max().unwrap_or(0);
    TABLES.iter().map(|table| format!("{:width$}  {}\n", table.name, table.summary)).collect()
}

/// What a search may take; refused where no search has limits.
fn limits(arguments: &BenchArgs, table: &Table) -> Result<Limits, Failure> {
    let given = [
        ("--max-time", arguments.max_time.is_some()),
        ("--max-states", arguments.max_states.is_some()),
        ("--max-memory", arguments.max_memory.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, is_given)| *is_given && !table.is_limited) {
        return Err(Failure::Usage(format!("{flag} does not go with the table `{}`", table.name)));
    }
    Ok(Limits {
        seconds: arguments.max_time.map_or(LIMITS.seconds, |time| time.as_secs_f64()),
        states: arguments.max_states.unwrap_or(LIMITS.states),
        // Never none at all.
        megabytes: arguments.max_memory.map_or(LIMITS.megabytes, |bytes| bytes.div_ceil(1 << 20)),
    })
}

/// How often each program runs; refused where only what is the same each time is counted.
fn repeat(arguments: &BenchArgs, table: &Table) -> Result<u16, Failure> {
    match (arguments.repeat, table.is_timed) {
        (Some(_), false) => {
            let why = format!("--repeat does not go with the table `{}`: it has no times", table.name);
            Err(Failure::Usage(why))
        }
        (None, false) => Ok(1),
        (repeat, true) => Ok(repeat.unwrap_or(REPEAT)),
    }
}

/// The file of the records to write; refused where nothing is recorded.
fn record(arguments: &BenchArgs, table: &Table) -> Result<Option<PathBuf>, Failure> {
    match (arguments.record, table.records) {
        (false, _) => Ok(None),
        (true, Some(file)) if Path::new(file).is_file() => Ok(Some(PathBuf::from(file))),
        (true, Some(file)) => Err(Failure::Usage(format!("--record writes {file} of a checkout: start it there"))),
        (true, None) => Err(Failure::Usage(format!("--record does not go with the table `{}`", table.name))),
    }
}

fn models(program: &Path, home: Home) -> PathBuf {
    match home {
        Home::Checkout(folder) => find(program, folder),
        Home::Corpus(folder) => corpus(program).join(folder),
    }
}

fn corpus(program: &Path) -> PathBuf {
    std::env::var_os(CORPUS_VARIABLE).map_or_else(|| find(program, CORPUS), PathBuf::from)
}

/// From this folder, or from the checkout that the program was built in.
fn find(program: &Path, folder: &str) -> PathBuf {
    let here = PathBuf::from(folder);
    let above = program.ancestors().map(|ancestor| ancestor.join(folder)).find(|folder| folder.is_dir());
    if here.is_dir() { here } else { above.unwrap_or(here) }
}

fn results() -> PathBuf {
    let target = Path::new("target");
    let folder = if target.is_dir() { target.to_owned() } else { std::env::temp_dir() };
    folder.join(RESULTS)
}

/// A document with a place for the table. It is looked at before anything is measured, since that
/// takes long.
struct Document {
    path: PathBuf,
}

impl Document {
    fn open(path: &Path, table: &Table) -> Result<Document, Failure> {
        let document = Document { path: path.to_owned() };
        if !ample_bench::has_markers(&document.read()?, table.name) {
            let error = ample_bench::BenchError::NoMarkers(table.name.to_owned());
            return Err(Failure::Usage(format!("{}: {error}", path.display())));
        }
        Ok(document)
    }

    fn read(&self) -> Result<String, Failure> {
        fs::read_to_string(&self.path)
            .map_err(|error| Failure::Usage(format!("cannot read {}: {error}", self.path.display())))
    }

    /// The document may have been edited meanwhile: it is read again.
    fn write(&self, table: &Table, report: &Report) -> Result<(), Failure> {
        let failure = |why: String| Failure::Usage(format!("cannot write {}: {why}", self.path.display()));
        let text = ample_bench::replace(&self.read()?, table.name, &report.markdown);
        let text = text.map_err(|error| failure(error.to_string()))?;
        files::write(&self.path, &Inputs::default(), |out| out.write_all(text.as_bytes())).map_err(failure)
    }
}
