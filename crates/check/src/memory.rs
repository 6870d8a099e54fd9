//! How much memory there is, and how much was used, as the operating system tells.

use std::fs;
use std::path::{Path, PathBuf};

/// A default limit is never less than this, whatever the files say.
const LEAST: u64 = 64 << 20;

/// The memory limit when none is given: four fifths of what is available now, to leave room for all
/// else. `None` where the system does not tell.
pub fn default_max_memory() -> Option<u64> {
    let available = fs::read_to_string("/proc/meminfo").ok().and_then(|text| field(&text, "MemAvailable"));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = limit_files(&groups).into_iter().filter_map(|path| limit(&fs::read_to_string(path).ok()?));
    available.into_iter().chain(limits).min().map(with_room_to_spare)
}

/// The most memory this process ever had in use, where the system tells.
pub fn process_peak_bytes() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

/// The memory this process has in use now, where the system tells.
pub(crate) fn process_bytes() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS")
}

fn with_room_to_spare(bytes: u64) -> u64 {
    (bytes / 5 * 4).max(LEAST)
}

/// The value of a line `name: 123 kB`, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The limit in a file of a control group; `max` is none.
fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The files that may hold a memory limit, given `/proc/self/cgroup`: those of the group and of all
/// groups above it. Inside a container the path of the group is often that of the host and does not
/// exist; the root is then ours.
fn limit_files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = if controllers.is_empty() {
            ("/sys/fs/cgroup", "memory.max")
        } else if controllers.split(',').any(|controller| controller == "memory") {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            continue;
        };
        let group = Path::new(path.trim_start_matches('/'));
        files.extend(group.ancestors().map(|group| Path::new(root).join(group).join(file)));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_in_kilobytes() {
        let text = "MemTotal:       24576000 kB\nMemFree: 1 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(field(text, "MemAvailable"), Some(20_000_000 * 1024));
        assert_eq!(field(text, "Mem"), None);
        assert_eq!(field("MemAvailable: lots\n", "MemAvailable"), None);
        assert_eq!(field("Name:\tample\nVmHWM:\t    5124 kB\n", "VmHWM"), Some(5124 * 1024));
    }

    #[test]
    fn limits_are_numbers_or_none() {
        assert_eq!(limit("1073741824\n"), Some(1 << 30));
        assert_eq!(limit("max\n"), None);
        assert_eq!(limit(""), None);
    }

    #[test]
    fn both_versions_of_control_groups_are_asked_up_to_the_root() {
        let names = |text| limit_files(text).iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(
            names("0::/user.slice/app.scope\n"),
            [
                "/sys/fs/cgroup/user.slice/app.scope/memory.max",
                "/sys/fs/cgroup/user.slice/memory.max",
                "/sys/fs/cgroup/memory.max"
            ]
        );
        assert_eq!(
            names("12:cpu,cpuacct:/a\n7:memory:/docker/x\n"),
            [
                "/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes"
            ]
        );
        assert_eq!(names("garbage"), [""; 0]);
        assert_eq!(names("0::/"), ["/sys/fs/cgroup/memory.max"]);
    }

    #[test]
    fn some_room_is_left() {
        assert_eq!(with_room_to_spare(10 << 30), 8 << 30);
        assert_eq!(with_room_to_spare(0), LEAST);
    }
}
