//! The other side of a race: Spin makes a verifier, the C compiler translates it, the verifier
//! searches.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::machine::{self, Machine};
use crate::pan::{self, Pan};
use crate::rows::SAFETY;
use crate::{BenchError, Row, measure};

/// The versions of the two programs.
pub(crate) struct Installed {
    pub(crate) spin: String,
    pub(crate) gcc: String,
}

/// Looks for them.
pub(crate) fn installed() -> Result<Installed, BenchError> {
    let spin = machine::version("spin", "-V").ok_or(BenchError::NotInstalled { program: "spin" })?;
    let gcc = machine::version("gcc", "--version").ok_or(BenchError::NotInstalled { program: "gcc" })?;
    Ok(Installed { spin, gcc })
}

/// How Spin is asked.
pub(crate) struct Flags {
    /// For `spin`.
    pub(crate) generate: &'static [&'static str],
    /// For `gcc`.
    pub(crate) compile: &'static [&'static str],
}

/// A verification with Spin, from the model to the answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spin {
    /// `spin -a`.
    pub(crate) generate_seconds: f64,
    /// `gcc`.
    pub(crate) compile_seconds: f64,
    /// `pan`.
    pub(crate) search_seconds: f64,
    /// States stored.
    pub(crate) states: u64,
    /// Transitions between them.
    pub(crate) transitions: u64,
    /// Errors found.
    pub(crate) errors: u64,
    /// Everything was explored.
    pub(crate) complete: bool,
    /// Not everything, since it may not go deeper.
    pub(crate) too_shallow: bool,
    /// The peak resident size of `pan`; where the system does not say, its own account.
    pub(crate) peak_bytes: Option<u64>,
}

/// How a verifier is called.
pub(crate) struct Search {
    /// `-w`: the binary logarithm of the size of its hash table.
    pub(crate) hash_bits: u32,
    /// `-m`: how deep it may go.
    pub(crate) depth: u64,
    /// The rest.
    pub(crate) flags: Vec<String>,
}

/// How deep a verifier may go first, as `-m`.
const FIRST_DEPTH: u64 = 10_000;

/// And then, if that was not enough.
const DEPTHS: &[u64] = &[1_000_000, 10_000_000, 50_000_000];

/// A verifier that was made.
pub(crate) struct Verifier {
    folder: PathBuf,
    generate_seconds: f64,
    compile_seconds: f64,
    /// How long it may search, at all depths together.
    most: Option<Duration>,
}

/// Runs the three programs in a folder that holds the model of a row.
pub(crate) fn run(folder: &Path, row: &Row, flags: &Flags, machine: &Machine) -> Result<Spin, BenchError> {
    let verifier = Verifier::make(folder, Path::new(&row.file()), row.defines, flags, machine.most_megabytes())?;
    let property = (row.property != SAFETY).then(|| ["-a", "-N", row.property].map(str::to_owned));
    let flags = property.into_iter().flatten().collect();
    verifier.search(&Search { hash_bits: row.hash_bits, depth: row.depth, flags })
}

impl Verifier {
    /// Makes the verifier of a model in a folder. It may use so many megabytes.
    pub(crate) fn make(
        folder: &Path,
        model: &Path,
        defines: &[&str],
        flags: &Flags,
        megabytes: u64,
    ) -> Result<Verifier, BenchError> {
        let program = |name: &str| {
            let mut command = Command::new(name);
            command.current_dir(folder);
            command
        };
        // The verifier of another row must not be taken for this one's.
        for file in ["pan", "pan.c"] {
            let _ = std::fs::remove_file(folder.join(file));
        }
        let mut spin = program("spin");
        spin.arg("-a").args(flags.generate).args(defines.iter().map(|define| format!("-D{define}"))).arg(model);
        let generated = measure::run_well(&mut spin)?;
        let mut gcc = program("gcc");
        gcc.args(["-O2", "-w"]).args(flags.compile).arg(format!("-DMEMLIM={megabytes}"));
        gcc.args(["-o", "pan", "pan.c"]);
        let compiled = measure::run_well(&mut gcc)?;
        Ok(Verifier {
            folder: folder.to_owned(),
            generate_seconds: generated.wall_seconds,
            compile_seconds: compiled.wall_seconds,
            most: None,
        })
    }

    /// The same, but it searches for so many seconds at most.
    pub(crate) fn within(self, seconds: f64) -> Verifier {
        Verifier { most: Duration::try_from_secs_f64(seconds).ok(), ..self }
    }

    /// Searches with room for so many states, deeper until that is deep enough, and with the
    /// smallest such depth.
    pub(crate) fn search_to_the_end(&self, states: u64, flags: &[String]) -> Result<(Search, Spin), BenchError> {
        let hash_bits = states.max(2).next_power_of_two().ilog2();
        let mut depths = DEPTHS.iter().copied();
        let (mut depth, mut left) = (FIRST_DEPTH, self.most);
        loop {
            let search = Search { hash_bits, depth, flags: flags.to_vec() };
            let spin = self.search_within(&search, left)?;
            let taken = Duration::try_from_secs_f64(spin.search_seconds).unwrap_or_default();
            left = left.map(|left| left.saturating_sub(taken));
            match depths.next().filter(|_| spin.too_shallow) {
                Some(deeper) => depth = deeper,
                None => return Ok((search, spin)),
            }
        }
    }

    /// Searches once.
    pub(crate) fn search(&self, search: &Search) -> Result<Spin, BenchError> {
        self.search_within(search, self.most)
    }

    fn search_within(&self, search: &Search, most: Option<Duration>) -> Result<Spin, BenchError> {
        let mut command = Command::new(self.folder.join("pan"));
        command.current_dir(&self.folder).arg("-n");
        command.arg(format!("-w{}", search.hash_bits)).arg(format!("-m{}", search.depth)).args(&search.flags);
        let searched = measure::run_within(&mut command, most)?;
        let peak_bytes = searched.peak_bytes;
        if searched.is_over_time {
            return Ok(self.searched(searched.wall_seconds, &Pan::default(), peak_bytes));
        }
        let pan = pan::read(&format!("{}{}", searched.stdout, searched.stderr))?;
        Ok(self.searched(searched.wall_seconds, &pan, peak_bytes.or(pan.memory_bytes)))
    }

    /// What came of a search.
    fn searched(&self, search_seconds: f64, pan: &Pan, peak_bytes: Option<u64>) -> Spin {
        Spin {
            generate_seconds: self.generate_seconds,
            compile_seconds: self.compile_seconds,
            search_seconds,
            states: pan.states,
            transitions: pan.transitions,
            errors: pan.errors,
            complete: pan.complete,
            too_shallow: pan.too_shallow,
            peak_bytes,
        }
    }
}

impl Spin {
    /// From the model to the answer.
    pub(crate) fn answer_seconds(&self) -> f64 {
        self.generate_seconds + self.compile_seconds + self.search_seconds
    }

    /// For the file of results.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "generate_seconds": self.generate_seconds,
            "compile_seconds": self.compile_seconds,
            "search_seconds": self.search_seconds,
            "states": self.states,
            "transitions": self.transitions,
            "errors": self.errors,
            "complete": self.complete,
            "too_shallow": self.too_shallow,
            "peak_bytes": self.peak_bytes,
        })
    }

    /// From the file of results.
    pub(crate) fn from_json(value: &Value) -> Option<Spin> {
        Some(Spin {
            generate_seconds: value["generate_seconds"].as_f64()?,
            compile_seconds: value["compile_seconds"].as_f64()?,
            search_seconds: value["search_seconds"].as_f64()?,
            states: value["states"].as_u64()?,
            transitions: value["transitions"].as_u64()?,
            errors: value["errors"].as_u64()?,
            complete: value["complete"].as_bool()?,
            too_shallow: value["too_shallow"].as_bool().unwrap_or(false),
            peak_bytes: value["peak_bytes"].as_u64(),
        })
    }
}
