//! The machine and the versions: what must stand beside a number.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

/// What is known of the machine. Where the system does not say, it is left out.
pub(crate) struct Machine {
    processor: Option<String>,
    cores: Option<usize>,
    memory_bytes: Option<u64>,
    kernel: Option<String>,
}

impl Machine {
    pub(crate) fn of_this_process() -> Machine {
        let read = |path: &str| fs::read_to_string(path).ok();
        Machine {
            processor: read("/proc/cpuinfo").and_then(|text| processor(&text)),
            cores: thread::available_parallelism().ok().map(usize::from),
            memory_bytes: read("/proc/meminfo").and_then(|text| kilobytes(&text, "MemTotal:")),
            kernel: read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()),
        }
    }

    /// In one line.
    pub(crate) fn summary(&self) -> String {
        let parts = [
            self.processor.clone(),
            self.cores.map(|cores| format!("{cores} cores")),
            self.memory_bytes.map(|bytes| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))),
            self.kernel.as_ref().map(|kernel| format!("kernel {kernel}")),
        ];
        let known: Vec<String> = parts.into_iter().flatten().collect();
        if known.is_empty() { "unknown".to_owned() } else { known.join(", ") }
    }

    /// How much a peer may use, in MiB: three quarters, so that the machine does not start to swap.
    pub(crate) fn most_megabytes(&self) -> u64 {
        self.memory_bytes.map_or(4096, |bytes| (bytes >> 20) * 3 / 4)
    }
}

/// The load of the last minute.
pub(crate) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The first line that a program says about its version, or nothing if it is not installed.
pub(crate) fn version(program: &str, flag: &str) -> Option<String> {
    let output = Command::new(program).arg(flag).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let first = text.lines().next().unwrap_or_default();
    // `Spin Version 6.5.2`, `ample 0.1.0`: the name is known.
    let number = first.find(|c: char| c.is_ascii_digit()).filter(|_| !first.contains('(')).unwrap_or(0);
    Some(if first.is_empty() { "unknown version".to_owned() } else { first[number..].trim().to_owned() })
}

/// The commit of the checkout that holds a folder, if it is in one and `git` is there.
pub(crate) fn commit(folder: &Path) -> Option<String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(["describe", "--always", "--dirty", "--exclude=*"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A fingerprint of a file's contents (FNV-1a): tells one build from another.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    format!("{:016x}", ample_stdx::fnv1a(bytes))
}

fn processor(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The value of a line such as `MemTotal:  24 kB`, in bytes.
pub(crate) fn kilobytes(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(label))?;
    let number: u64 = line[label.len()..].split_whitespace().next()?.parse().ok()?;
    Some(number * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        assert_eq!(kilobytes("MemTotal:       24 kB\nMemFree: 7 kB\n", "MemFree:"), Some(7 << 10));
        assert_eq!(kilobytes("", "MemFree:"), None);
        assert_eq!(processor("a: b\nmodel name\t: A Processor @ 3 GHz\n").unwrap(), "A Processor @ 3 GHz");
        assert_eq!(fingerprint(b""), "cbf29ce484222325");
        assert_ne!(fingerprint(b"a"), fingerprint(b"b"));
        assert_eq!(version("a-program-that-is-not-there", "-V"), None);
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let machine = Machine { processor: None, cores: Some(2), memory_bytes: Some(3 << 29), kernel: None };
        assert_eq!(machine.summary(), "2 cores, 1.5 GiB");
        assert_eq!(machine.most_megabytes(), 1152);
    }
}
