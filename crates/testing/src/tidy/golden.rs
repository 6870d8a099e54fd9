//! The rule about golden files: each is read by a test.

use super::file::{File, Finding};

/// Beside `src/` and `tests/`, what a crate may contain.
const KNOWN: &[&str] = &["Cargo.toml", "README.md", "build.rs"];

pub(crate) fn check(files: &[File]) -> Vec<Finding> {
    let golden = files.iter().filter(|file| !file.path.ends_with(".rs"));
    let unread = golden.filter(|file| !is_read(file, files));
    unread.map(|file| file.finding(0, "no test reads this file: remove it, or name it in a test")).collect()
}

fn is_read(file: &File, files: &[File]) -> bool {
    let Some((owner, inside)) = file.in_crate() else { return true };
    if KNOWN.contains(&inside) {
        return true;
    }
    let name = inside.rsplit('/').next().unwrap_or(inside);
    let readers = files
        .iter()
        .filter(|reader| reader.path.ends_with(".rs") && reader.in_crate().is_some_and(|(reader, _)| reader == owner));
    let mut readers = readers.map(|reader| reader.text.as_str());
    if let Some(snapshot) = name.strip_suffix(".snap") {
        // `insta` calls a snapshot `module__name` after the assertion's name or the test's.
        let key = snapshot.rsplit("__").next().unwrap_or(snapshot);
        let key = key.rsplit_once('-').map_or(key, |(head, tail)| if is_number(tail) { head } else { key });
        return readers.any(|text| text.contains(key));
    }
    // A test names the file, or a folder that holds it.
    let folder = inside.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.strip_prefix("tests").unwrap_or(folder).trim_start_matches('/');
    let first = folder.split('/').next().unwrap_or(folder);
    let spellings = ["tests/", "\"", "crates/testing/"].map(|before| format!("{before}{first}"));
    let names_folder = |text: &str| !first.is_empty() && spellings.iter().any(|spelling| text.contains(spelling));
    readers.any(|text| text.contains(name) || names_folder(text))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
