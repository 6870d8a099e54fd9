//! What was measured before: a file with one JSON object a line, each written when its part of a
//! row is done.
//!
//! A result is found by its key, which says what was measured and with which programs. A line that
//! cannot be read (the machine went down while it was written) counts as not there.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::BenchError;

/// The results of one table.
pub(crate) struct Results {
    path: PathBuf,
    table: &'static str,
    entries: Vec<Value>,
}

impl Results {
    /// Reads a file, or starts it. `fresh` forgets what it holds for this table, not for the
    /// others.
    pub(crate) fn open(path: &Path, table: &'static str, fresh: bool) -> Result<Results, BenchError> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut entries: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let is_ours = |entry: &Value| entry["table"] == table;
        if fresh && entries.iter().any(is_ours) {
            entries.retain(|entry| !is_ours(entry));
            let kept: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
            fs::write(path, kept).map_err(BenchError::io(path.display().to_string()))?;
        }
        Ok(Results { path: path.to_owned(), table, entries })
    }

    /// What was measured under this key, the latest.
    pub(crate) fn find(&self, key: &Value) -> Option<&Value> {
        let found = self.entries.iter().rfind(|entry| entry["table"] == self.table && entry["key"] == *key);
        found.map(|entry| &entry["result"])
    }

    /// Keeps a result.
    pub(crate) fn add(&mut self, key: Value, result: Value) -> Result<(), BenchError> {
        let entry = json!({"table": self.table, "key": key, "result": result});
        let append = || {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            // What an interrupted run left must not swallow this line.
            let is_cut = fs::read(&self.path).is_ok_and(|bytes| bytes.last().is_some_and(|&last| last != b'\n'));
            let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
            writeln!(file, "{}{entry}", if is_cut { "\n" } else { "" })
        };
        append().map_err(BenchError::io(self.path.display().to_string()))?;
        self.entries.push(entry);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("ample-bench-results-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder.join("results.jsonl")
    }

    fn forget(path: &Path) {
        let _ = fs::remove_dir_all(path.parent().unwrap());
    }

    #[test]
    fn what_was_measured_is_found_again() {
        let path = scratch("again");
        let key = json!({"row": "a", "spin": "6.5.2"});
        let mut results = Results::open(&path, "spin", false).unwrap();
        assert_eq!(results.find(&key), None);
        results.add(key.clone(), json!(1)).unwrap();
        results.add(key.clone(), json!(2)).unwrap();
        assert_eq!(results.find(&key), Some(&json!(2)));
        let again = Results::open(&path, "spin", false).unwrap();
        assert_eq!(again.find(&key), Some(&json!(2)));
        assert_eq!(again.find(&json!({"row": "a", "spin": "6.5.3"})), None);
        assert_eq!(Results::open(&path, "threads", false).unwrap().find(&key), None);
        forget(&path);
    }

    #[test]
    fn a_line_that_was_cut_off_is_measured_again() {
        let path = scratch("cut");
        Results::open(&path, "spin", false).unwrap().add(json!("a"), json!(1)).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{}", &whole[..whole.len() / 2])).unwrap();
        let mut results = Results::open(&path, "spin", false).unwrap();
        results.add(json!("b"), json!(2)).unwrap();
        let again = Results::open(&path, "spin", false).unwrap();
        assert_eq!((again.find(&json!("a")), again.find(&json!("b"))), (Some(&json!(1)), Some(&json!(2))));
        forget(&path);
    }

    #[test]
    fn a_fresh_start_forgets_one_table() {
        let path = scratch("fresh");
        Results::open(&path, "spin", false).unwrap().add(json!("a"), json!(1)).unwrap();
        Results::open(&path, "threads", false).unwrap().add(json!("a"), json!(2)).unwrap();
        assert_eq!(Results::open(&path, "spin", true).unwrap().find(&json!("a")), None);
        assert_eq!(Results::open(&path, "spin", false).unwrap().find(&json!("a")), None);
        assert_eq!(Results::open(&path, "threads", false).unwrap().find(&json!("a")), Some(&json!(2)));
        forget(&path);
    }
}
