//! A program is started, waited for, and measured from outside.
//!
//! Time on the wall is from before the start to after the end. Processor time and peak memory come
//! from `/proc`, where there is one: the time is read when the process has ended and nobody has
//! collected it yet, so it is complete; the peak (`VmHWM`) is gone by then, so it is looked at
//! again and again while the process runs, and what was allocated in the last instant is missed.
//! The alternative, `wait4`, needs `unsafe` or another crate.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::BenchError;
use crate::machine::kilobytes;

/// How often the memory is looked at.
const SAMPLE: Duration = Duration::from_millis(10);
/// How long to wait for a process that has closed its output to end before going on without its
/// processor time.
const MOST_WAIT: Duration = Duration::from_secs(5);
/// The kernel's clock ticks in a second, as `/proc` counts them: 100 on every Linux.
const TICKS: f64 = 100.0;

/// What a run left behind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    /// The exit status; none if a signal ended it.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// From before the start to after the end.
    pub(crate) wall_seconds: f64,
    /// User and system time.
    pub(crate) processor_seconds: Option<f64>,
    /// The largest resident size that was seen.
    pub(crate) peak_bytes: Option<u64>,
    /// Whether it was ended because its time was over.
    pub(crate) is_over_time: bool,
}

/// The command as people would write it, for messages: the program by its name, wherever it is.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let words = program.file_name().into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Runs a program to its end.
pub(crate) fn run(command: &mut Command) -> Result<Ran, BenchError> {
    run_within(command, None)
}

/// Runs a program to its end, or ends it when it has taken so long.
pub(crate) fn run_within(command: &mut Command, most: Option<Duration>) -> Result<Ran, BenchError> {
    let name = shown(command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn().map_err(BenchError::io(name.clone()))?;
    let process = child.id();
    let pipes = (child.stdout.take(), child.stderr.take());
    let watch = Watch { due: most.and_then(|most| started.checked_add(most)), ..Watch::default() };
    let (stdout, stderr) = thread::scope(|scope| {
        let sampler = scope.spawn(|| watch.look_after(&mut child));
        let texts = output(pipes);
        watch.over.store(true, Ordering::Relaxed);
        sampler.thread().unpark();
        texts
    });
    let processor_seconds = processor_seconds_at_end(process);
    let status = child.wait().map_err(BenchError::io(name))?;
    let peak = watch.peak.load(Ordering::Relaxed);
    Ok(Ran {
        status: status.code(),
        stdout,
        stderr,
        wall_seconds: started.elapsed().as_secs_f64(),
        processor_seconds,
        peak_bytes: (peak > 0).then_some(peak),
        is_over_time: watch.has_ended_it.load(Ordering::Relaxed),
    })
}

/// Runs a program to its end; one that fails is an error with its own last words.
pub(crate) fn run_well(command: &mut Command) -> Result<Ran, BenchError> {
    let ran = run(command)?;
    if ran.status == Some(0) {
        return Ok(ran);
    }
    Err(failure(command, &ran))
}

/// The error for a run that is no use.
pub(crate) fn failure(command: &Command, ran: &Ran) -> BenchError {
    let last = |text: &str| text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned);
    let said = last(&ran.stderr).or_else(|| last(&ran.stdout));
    let status = ran.status.map_or("ended by a signal".to_owned(), |status| format!("exit status {status}"));
    BenchError::Failed {
        command: shown(command),
        said: said.map_or(status.clone(), |said| format!("{status}: {said}")),
    }
}

/// Both outputs, read to their ends: the process has then closed them, which the system does for it
/// when it ends.
fn output((stdout, stderr): (Option<ChildStdout>, Option<ChildStderr>)) -> (String, String) {
    thread::scope(|scope| {
        let errors = scope.spawn(|| read(stderr));
        (read(stdout), errors.join().unwrap_or_default())
    })
}

/// What is no text is shown as well as it can be.
fn read(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // A pipe that breaks has said what it had to say.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The largest size that was seen of a process, and when it is to be ended.
#[derive(Default)]
struct Watch {
    peak: AtomicU64,
    over: AtomicBool,
    due: Option<Instant>,
    has_ended_it: AtomicBool,
}

impl Watch {
    fn look_after(&self, child: &mut Child) {
        let path = format!("/proc/{}/status", child.id());
        while !self.over.load(Ordering::Relaxed) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if let Some(bytes) = kilobytes(&text, "VmHWM:") {
                self.peak.fetch_max(bytes, Ordering::Relaxed);
            }
            if self.due.is_some_and(|due| Instant::now() >= due) {
                self.has_ended_it.store(child.kill().is_ok(), Ordering::Relaxed);
                return;
            }
            thread::park_timeout(SAMPLE);
        }
    }
}

/// The processor time of a process that is about to end, when it has ended. Its parent has not
/// waited for it yet, so its entry is still there.
fn processor_seconds_at_end(process: u32) -> Option<f64> {
    let path = format!("/proc/{process}/stat");
    let started = Instant::now();
    while started.elapsed() < MOST_WAIT {
        let (state, seconds) = state_and_seconds(&fs::read_to_string(&path).ok()?)?;
        if state == 'Z' {
            return Some(seconds);
        }
        thread::sleep(Duration::from_micros(200));
    }
    None
}

/// The state's letter, and user and system time, of a line of `/proc/PID/stat`. The name, in
/// parentheses, may hold anything.
fn state_and_seconds(line: &str) -> Option<(char, f64)> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((fields.first()?.chars().next()?, (ticks(11)? + ticks(12)?) / TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_process_table_is_read() {
        let line = "7 (a ) b) Z 1 7 7 0 -1 4228356 100 0 0 0 150 25 3 4 20 0 1 0 1 0 0\n";
        assert_eq!(state_and_seconds(line), Some(('Z', 1.75)));
        assert_eq!(state_and_seconds("7 (a) R"), None);
    }

    #[test]
    fn a_program_is_measured() {
        let ran = run(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"])).unwrap();
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (Some(3), "out\n", "err\n"));
        assert!(!ran.is_over_time);
        let ran = run_within(Command::new("sleep").arg("60"), Some(Duration::from_millis(20))).unwrap();
        assert!(ran.is_over_time && ran.status.is_none() && ran.wall_seconds < 30.0);
        let error = run_well(Command::new("sh").args(["-c", "echo bad >&2; exit 3"])).unwrap_err();
        assert_eq!(error.to_string(), "sh -c echo bad >&2; exit 3: exit status 3: bad");
        assert!(run(&mut Command::new("a-program-that-is-not-there")).is_err());
    }
}
